"""distval for Python: what a program imports.

``run`` and ``open_run`` evaluate extractors on a corpus; ``score_gold`` scores them on a benchmark;
``read_extractions``, ``read_sentences`` and ``read_facts`` read the files of the field;
``open_index`` and ``open_kb`` ask the evidence; the estimators, intervals, comparisons and
coefficients of agreement work on anybody's numbers. Tables are Arrow tables, which pandas, Polars
and DuckDB take. ``docs/python.md`` has an example of each.

Nothing is loaded before it is asked for: no Spark, no Java, no numpy with ``import distval``.

Here are names, and adapters of a few lines. Nothing here computes.
"""

from importlib import import_module

TYPE_CHECKING = False  # as checkers know it; typing takes longer to load than all of this

if TYPE_CHECKING:
    from distval._estimates import (
        annotators as annotators,
        census as census,
        compare as compare,
        compare_all as compare_all,
        estimators as estimators,
        paper as paper,
        with_labels as with_labels,
    )
    from distval._evidence import (
        Index as Index,
        open_index as open_index,
        open_kb as open_kb,
    )
    from distval._gold import (
        GoldScores as GoldScores,
        benchmarks as benchmarks,
        score_gold as score_gold,
    )
    from distval._records import (
        Records as Records,
        formats as formats,
        read_extractions as read_extractions,
        read_facts as read_facts,
        read_labels as read_labels,
        read_sentences as read_sentences,
    )
    from distval._runs import (
        Run as Run,
        open_run as open_run,
        run as run,
    )
    from evaluator.labels.agreement import (
        consensus as consensus,
        joint_agreement as joint_agreement,
        pairwise_agreement as pairwise_agreement,
    )
    from evaluator.labels.agreement_coefficients import (
        joint_coefficients as joint_coefficients,
        pair_coefficients as pair_coefficients,
    )
    from evaluator.annotators import (
        Anchored as Anchored,
        Calibrated as Calibrated,
        Pmi as Pmi,
        Urns as Urns,
    )
    from evaluator.comparison.two_systems import holm as holm
    from evaluator.counting.definition import (
        Counts as Counts,
        pmi as pmi,
    )
    from evaluator.errors import (
        ConfigurationError as ConfigurationError,
        DistvalError as DistvalError,
        InputError as InputError,
        SetupError as SetupError,
    )
    from evaluator.estimators import SystemEstimate as SystemEstimate, Tally as Tally
    from evaluator.estimators.labelled import (
        LabelledEstimate as LabelledEstimate,
    )
    from evaluator.estimators.strata import (
        StratumClass as StratumClass,
        Stratum as Stratum,
    )
    from evaluator.annotators.evidence import (
        Evidence as Evidence,
    )
    from evaluator.facts.given import (
        GivenFact as GivenFact,
    )
    from evaluator.intervals import (
        Estimate as Estimate,
        clopper_pearson as clopper_pearson,
        hpd as hpd,
        jeffreys as jeffreys,
        wilson as wilson,
    )
    from evaluator.labels.label import (
        Label as Label,
    )
    from evaluator.estimators.misclassification import (
        Calibration as Calibration,
        rogan_gladen as rogan_gladen,
    )
    from evaluator.model import (
        Extraction as Extraction,
        Fact as Fact,
        Mention as Mention,
        Rejects as Rejects,
        Sentence as Sentence,
    )
    from evaluator.estimators.prediction_powered import (
        power_tuning as power_tuning,
        ppi_mean as ppi_mean,
        ppi_plus_plus_mean as ppi_plus_plus_mean,
    )
    from evaluator.gold.against_corpus.rank_agreement import (
        rank_agreement as rank_agreement,
    )
    from evaluator.labels.raters import (
        combine as combine,
    )
    from evaluator.relations.normal_form import (
        relation_form as relation_form,
        relation_key as relation_key,
    )
    from evaluator.results.result import (
        Result as Result,
    )
    from evaluator.wordnet.chosen import (
        Lexicon as Lexicon,
    )
    from evaluator.wordnet.similarity import (
        similarity as similarity,
    )
    from evaluator.facts.superset import (
        candidate_superset as candidate_superset,
    )
    from evaluator.estimators.tallies import (
        Cell as Cell,
    )
    from indexes.kb.knowledge_base import (
        KnowledgeBase as KnowledgeBase,
    )
    from jobs.config import (
        Configuration as Configuration,
    )

# Where each name is, for those who run the program; a test holds it to what stands above.
_PLACES = {
    name: module
    for module, names in {
        "distval._estimates": (
            "annotators", "census", "compare", "compare_all", "estimators", "paper",
            "with_labels",
        ),
        "distval._evidence": ("Index", "open_index", "open_kb"),
        "distval._gold": ("GoldScores", "benchmarks", "score_gold"),
        "distval._records": (
            "Records", "formats", "read_extractions", "read_facts", "read_labels",
            "read_sentences",
        ),
        "distval._runs": ("Run", "open_run", "run"),
        "evaluator.labels.agreement": ("consensus", "joint_agreement", "pairwise_agreement"),
        "evaluator.labels.agreement_coefficients": ("joint_coefficients", "pair_coefficients"),
        "evaluator.annotators": ("Anchored", "Calibrated", "Pmi", "Urns"),
        "evaluator.comparison.two_systems": ("holm",),
        "evaluator.counting.definition": ("Counts", "pmi"),
        "evaluator.errors": ("ConfigurationError", "DistvalError", "InputError", "SetupError"),
        "evaluator.estimators": ("SystemEstimate", "Tally"),
        "evaluator.estimators.labelled": ("LabelledEstimate",),
        "evaluator.estimators.strata": ("StratumClass", "Stratum"),
        "evaluator.annotators.evidence": ("Evidence",),
        "evaluator.facts.given": ("GivenFact",),
        "evaluator.intervals": ("Estimate", "clopper_pearson", "hpd", "jeffreys", "wilson"),
        "evaluator.labels.label": ("Label",),
        "evaluator.estimators.misclassification": ("Calibration", "rogan_gladen"),
        "evaluator.model": ("Extraction", "Fact", "Mention", "Rejects", "Sentence"),
        "evaluator.estimators.prediction_powered": (
            "power_tuning", "ppi_mean", "ppi_plus_plus_mean",
        ),
        "evaluator.gold.against_corpus.rank_agreement": ("rank_agreement",),
        "evaluator.labels.raters": ("combine",),
        "evaluator.relations.normal_form": ("relation_form", "relation_key"),
        "evaluator.results.result": ("Result",),
        "evaluator.wordnet.chosen": ("Lexicon",),
        "evaluator.wordnet.similarity": ("similarity",),
        "evaluator.facts.superset": ("candidate_superset",),
        "evaluator.estimators.tallies": ("Cell",),
        "indexes.kb.knowledge_base": ("KnowledgeBase",),
        "jobs.config": ("Configuration",),
    }.items()
    for name in names
}  # fmt: skip

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'distval' has no attribute {name!r}")
    found = getattr(import_module(_PLACES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
