"""The science of distval: how good is an open relation extractor, and how sure are we.

What lives here: facts and extractions (:mod:`~evaluator.model`), the one definition of a token
(:mod:`~evaluator.text`), relation normal forms and Jiang-Conrath similarity over the shipped
WordNet (:mod:`~evaluator.relation`, :mod:`~evaluator.similarity`), the candidate superset, the
arithmetic of hit counts and PMI (:mod:`~evaluator.counting`), the regions a-d with their estimators
and intervals, which facts to label and what the labels tell, comparisons of systems, agreement and
tuning, worlds of known truth, the readers of extractor output (:mod:`~evaluator.readers`), the gold
benchmarks of the field (:mod:`~evaluator.gold`), and the rendering of a report.

What never does: Spark, a JVM, the network. Everything here is pure Python and numpy, runs on a
laptop without Java, and is a function of its arguments.

The method is that of Bronzi et al., "Automatic Evaluation of Relation Extraction Systems on
Large-scale" (AKBC-WEKEX 2012); modules cite its sections.
"""

from importlib import import_module

_SURFACE = {
    "model": ("Extraction", "Fact", "Mention", "Rejects", "Sentence"),
    "regions": ("Regions",),
    "intervals": ("Estimate", "clopper_pearson", "hpd", "jeffreys", "wilson"),
    "estimators": ("WITH_LABELS", "SystemEstimate", "Tally", "census", "paper"),
    "estimators.labelled": ("LabelledEstimate", "estimate"),
    "estimators.strata": ("LabelledClass", "Stratum"),
    "prediction_powered": ("ppi_mean", "ppi_plus_plus_mean"),
    "misclassification": ("rogan_gladen",),
    "comparison": ("compare", "compare_all", "holm"),
    "raters": ("combine",),
    "similarity": ("InformationContent", "JiangConrath", "default_similarity"),
    "relation": ("relation_form", "relation_key", "relation_name_words", "relation_words"),
    "matching": ("best_relation", "best_relations"),
    "alignments": ("matching_curve", "read_alignments"),
    "given": ("GivenFact",),
    "superset": ("candidate_superset",),
    "bulk_counting": ("count_facts",),
    "counting": ("Counts", "pmi"),
    "agreement": ("consensus", "pairwise_agreement"),
    "tuning": ("tune",),
    "labels": ("read_labels",),
    "gold.scoring": ("evaluate",),
    "detection": ("detect",),
    "sentence_alignment": ("align",),
    "readers": ("SystemSource", "read_extractions", "read_facts"),
    "report": ("render_report",),
}
_PLACES = {name: module for module, names in _SURFACE.items() for name in names}

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> object:
    # On demand: a worker that only counts does not load what only estimates need.
    if name not in _PLACES:
        raise AttributeError(f"module 'evaluator' has no attribute {name!r}")
    return getattr(import_module(f"evaluator.{_PLACES[name]}"), name)
