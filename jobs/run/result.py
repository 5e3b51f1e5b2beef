"""The result of a run, made from its facts: estimates, what they rest on, and the signature."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from evaluator.annotators import ANNOTATORS
from evaluator.comparison.two_systems import MEASURES, Comparison
from evaluator.comparison.withheld import Basis, headlines, order
from evaluator.corpus.language import require_english
from evaluator.corpus.sentences import read_sentences
from evaluator.datasets import wikidata_properties
from evaluator.errors import InputError
from evaluator.estimators import SystemEstimate
from evaluator.estimators.base import RECALL_WITHIN
from evaluator.estimators.census import census
from evaluator.estimators.coverage import (
    Covered,
    corrected,
    coverage,
    in_words,
    least_recall,
    true_by_annotator,
)
from evaluator.estimators.labelled import LabelledEstimate
from evaluator.estimators.paper import paper
from evaluator.estimators.recall_parts import recall_parts
from evaluator.estimators.tallies import Cell, SystemTallies, system_tallies
from evaluator.facts.baselines import Baseline
from evaluator.inputs import NOT_A_FILE
from evaluator.intervals import Drawing, Estimate
from evaluator.model import Fact, Rejects
from evaluator.results.result import (
    SCHEMA,
    Account,
    AnnotatorFigures,
    IndexFigures,
    KnowledgeBaseFigures,
    LabelsResult,
    Matches,
    Matching,
    Result,
    SystemResult,
    WithLabels,
)
from evaluator.results.signature import Signature
from evaluator.tables import read_table
from indexes.collections import read_collection
from jobs.config import Configuration, CorpusSettings
from jobs.evidence.annotator import annotator_name, settled_annotator
from jobs.evidence.sources import RunEvidence
from jobs.run.audit_file import AUDIT, audit_of, read_audit
from jobs.run.label_folder import Identity, LabelFolder
from jobs.rundir import content_digest, fingerprint

UNALIGNED = "sentence not in the corpus"


@dataclass(frozen=True)
class Digests:
    """Digests of what a run reads, eight characters each; a baseline has its name for one."""

    corpus: str | None
    systems: Mapping[str, str]
    kb: str
    index: str


@dataclass(frozen=True)
class Inputs:
    """What a run was made from, as far as its result names it.

    Each is what the part of that name of :class:`evaluator.results.result.Result` is made of.

    Attributes
    ----------
    corpus
        Numbers of sentences, documents, mentions ...; None without one.
    digests
        What the signature shows of them.
    knowledge_base, index, annotator
        What judged.
    extractions
        The account of each system.
    rejects
        Records skipped, by source and reason.
    matching, matches
        How all facts of S and G′ match, and those of each system.
    labels
        What the result says of the human labels; None without.
    """

    corpus: Mapping[str, int] | None
    digests: Digests
    knowledge_base: KnowledgeBaseFigures
    index: IndexFigures
    extractions: Mapping[str, Account]
    rejects: Mapping[str, Mapping[str, int]]
    matching: Matching
    matches: Mapping[str, Matches]
    annotator: AnnotatorFigures
    labels: LabelsResult | None = None


class MatchCount(NamedTuple):
    """How many facts of the same systems match in the same way."""

    systems: tuple[str, ...]
    inverse: bool
    through_mediator: bool
    facts: int


def match_figures(
    matches: Iterable[MatchCount], systems: Iterable[str]
) -> tuple[Matches, dict[str, Matches]]:
    """Return how facts match: all, and those of each system."""
    matches = list(matches)

    def figures(chosen: Sequence[MatchCount]) -> Matches:
        return Matches(
            matched=sum(m.facts for m in chosen),
            inverse=sum(m.facts * m.inverse for m in chosen),
            through_mediators=sum(m.facts * m.through_mediator for m in chosen),
        )

    of_systems = {name: figures([m for m in matches if name in m.systems]) for name in systems}
    return figures(matches), of_systems


def estimate_system(tallies: SystemTallies, method: str, drawing: Drawing) -> SystemEstimate:
    """Return the estimate of one system by the estimator without labels of that name."""
    if method == "paper":
        return paper(
            drawing,
            system=tallies.system,
            candidates=tallies.candidates,
            outside_candidates=tallies.outside_candidates,
        )
    return census(
        drawing,
        b=tallies.b,
        c=tallies.c,
        system_rest=tallies.system_rest,
        candidate_rest=tallies.candidate_rest,
        outside_candidates=tallies.outside_candidates,
    )


def make_result(
    configuration: Configuration,
    inputs: Inputs,
    cells: Iterable[Cell],
    truth: Mapping[str, Mapping[str, float | None]] | None,
    with_labels: Mapping[str, WithLabels] | None = None,
    pairs: Sequence[Comparison] | None = None,
) -> Result:
    """Return the result: the same for every engine, partitioning and order.

    `with_labels` is by system what human labels tell, and `pairs` how systems differ by them, where
    there are some.
    """
    cells = list(cells)
    corpus = None
    if inputs.corpus is not None:
        candidates = sum(cell.facts for cell in cells if cell.candidate)
        corpus = {"name": configuration.name, **inputs.corpus, "candidates": candidates}
    covered, within, by_span = None, dict[str, Estimate](), None
    if corpus is not None:
        drawing = configuration.drawing
        covered, within = coverage(
            true_by_annotator(cells, drawing),
            [source.name for source in configuration.files],
            drawing,
            by="annotator",
        )
        if configuration.superset.window > 1:
            names = [source.name for source in configuration.systems]
            by_span = recall_parts(cells, names, drawing)
    systems = {
        source.name: _system(
            configuration,
            system_tallies(cells, source.name, corpus=corpus is not None),
            inputs.extractions[source.name],
            inputs.matches[source.name],
            None if with_labels is None else with_labels[source.name],
            Covered(covered, within.get(source.name)),
        )
        for source in configuration.systems
    }
    by = "f1" if corpus else "precision"
    first = order(
        {name: _value(of.world or of, by) for name, of in systems.items()},
        by=by,
        withheld={name: of.withheld[by] for name, of in systems.items()},
        pairs=pairs,
    )
    labels = inputs.labels
    told = RECALL_WITHIN
    by_labels = labels and labels.coverage
    if best := by_labels or covered:
        told += " " + in_words(
            best,
            {
                name: of.with_labels.recall_corrected
                if by_labels and of.with_labels
                else of.recall_corrected
                for name, of in systems.items()
            },
        )
    if by_span is not None:
        told += " " + by_span.in_words()
    parts = signature(
        configuration,
        inputs.digests,
        inputs.knowledge_base,
        inputs.index,
        None if labels is None else Identity(labels.digest, labels.answered, labels.raters),
    )
    return Result.model_validate(
        {
            "schema": SCHEMA,
            "distval": parts.distval,
            "name": configuration.name,
            "signature": str(parts),
            "parts": parts,
            "annotator_relative": labels is None,
            "corpus": corpus,
            "recall_within": corpus
            and {"set": "G′", "coverage": covered, "means": told, "by_span": by_span},
            "order": first,
            "knowledge_base": inputs.knowledge_base,
            "index": inputs.index,
            "settings": configuration.flat(),
            "annotator": inputs.annotator.model_copy(
                update={"audited": audit_of(configuration, parts)}
            ),
            "rejects": inputs.rejects,
            "matching": inputs.matching,
            "systems": systems,
            "labels": labels,
            "truth": truth,
        }
    )


def _system(
    configuration: Configuration,
    tallies: SystemTallies,
    extractions: Account,
    matches: Matches,
    with_labels: WithLabels | None,
    covered: Covered,
) -> SystemResult:
    """Return the figures of a system, what they rest on, and why they may not lead a page."""
    method = configuration.estimate.method
    estimate = estimate_system(tallies, method, configuration.drawing)
    paper_sample = method == "paper"
    basis = Basis.of(
        tallies.system if paper_sample else tallies.system_rest,
        in_database=0 if paper_sample else tallies.b,
        in_scope=extractions.in_scope,
        out_of_scope=sum(extractions.out_of_scope.values()),
    )
    world = None if with_labels is None else with_labels.world
    leading = world or estimate
    figures = {
        measure: _value(leading, measure)
        for measure in MEASURES
        if getattr(estimate, measure) is not None
    }
    return SystemResult.model_validate(
        {
            "extractions": extractions,
            **dict(estimate),
            "recall_bounds": least_recall(estimate.recall_bounds, covered),
            "recall_corrected": corrected(estimate.recall, covered.within),
            "undefined_reasons": tallies.undefined,
            "matches": matches,
            "with_labels": with_labels,
            "basis": basis,
            "withheld": headlines(
                basis,
                figures,
                claims=None if world is None else world.claims,
                corpus=configuration.corpus is not None,
            ),
        }
    )


def _value(of: SystemEstimate | LabelledEstimate, measure: str) -> float | None:
    figure: Estimate | None = getattr(of, measure)
    return figure and figure.value


def check_inputs(configuration: Configuration) -> None:
    """Refuse inputs that are not there, before anything is built.

    Raises
    ------
    InputError
        For the first that is missing or is no file, or is in another language.
    """
    c = configuration
    corpus = c.corpus
    if corpus and corpus.collection is not None and not corpus.collection.exists():
        raise InputError(corpus.collection, "no such file or folder")
    for path in (corpus.sentences if corpus else None, c.truth):
        if path is not None and not path.is_file():
            problem = "no such file" if not path.exists() else NOT_A_FILE
            raise InputError(path, problem)
    names = c.relation.properties
    if names is not None and not (names / wikidata_properties.FILE).is_file():
        raise InputError(names / wikidata_properties.FILE, "no such file")
    for source in c.systems:
        source.check()
    if c.match.ic is not None or isinstance(c.relation.wordnet, Path):
        c.match.measure(c.lexicon)
    if not ANNOTATORS[c.annotator].fitted:
        settled_annotator(c)
    if c.truth is not None:
        read_truth(c.truth)
    if c.labels.path is not None:
        LabelFolder.open(c.labels.path)
    read_audit(c.run / AUDIT)
    if c.language == "auto":
        _check_language(c)


def _check_language(configuration: Configuration) -> None:
    """Refuse a corpus or a collection that is not English, by its first sentences or documents."""
    corpus, index = configuration.corpus, configuration.index
    if corpus is not None and corpus.sentences is not None:
        sentences = read_sentences(corpus.sentences, format=corpus.format, rejects=Rejects())
        require_english((sentence.text for sentence in sentences), corpus.sentences)
    for settings in (corpus, index):
        if settings is None or settings.collection is None or not settings.collection.exists():
            continue  # an index may outlive its collection
        documents = read_collection(
            settings.collection,
            format=settings.format,
            select=settings.select,
            rejects=Rejects(),
        )
        require_english((document.text for document in documents), settings.collection)


def corpus_digest(corpus: CorpusSettings) -> str:
    """Return a digest of the content of a corpus, and of how documents become its sentences."""
    digest = content_digest(corpus.path)
    if corpus.collection is None:
        return digest
    chosen = [corpus.format, *corpus.select]
    return fingerprint(content=digest, chosen=chosen, sentences=version("nupunkt"))


def short_digests(
    corpus: str | None,
    files: Mapping[str, str],
    baselines: Mapping[str, Baseline],
    found: RunEvidence,
) -> Digests:
    """Return the digests that the signature shows."""
    of_files = {name: digest[:8] for name, digest in files.items()}
    return Digests(
        corpus and corpus[:8],
        of_files | {name: str(baseline) for name, baseline in baselines.items()},
        found.kb_digest[:8],
        found.index_digest[:8],
    )


def signature(
    configuration: Configuration,
    digests: Digests,
    knowledge_base: KnowledgeBaseFigures,
    index: IndexFigures,
    labels: Identity | None,
) -> Signature:
    """Return all that changes a figure."""
    c = configuration
    parts = Signature.model_validate(
        {
            "distval": version("distval"),
            "corpus": {"name": c.name, "digest": digests.corpus} if c.corpus else None,
            "systems": [
                {"name": source.name, "digest": digests.systems[source.name] + source.mapping}
                for source in c.systems
            ],
            "kb": {"name": knowledge_base.name, "digest": digests.kb},
            "index": {"name": index.name, "digest": digests.index, "analysis": index.analysis},
            "link": c.link.model_dump(),
            "relation": {
                "key": c.relation.key if c.lexicon.is_shipped else "all",
                "words": c.relation.widening.describe() if c.relation.widen else None,
            },
            "superset": c.superset.model_dump(),
            "match": {
                "measure": c.measure_name,
                "threshold": c.match.threshold,
                "direction": c.match.direction,
            },
            "annotator": annotator_name(c),
            "pmi": {**c.pmi.counting, "names": c.pmi.names},
            "unit": "fact",
            "sample": c.sample.model_dump(),
            "estimate": c.estimate.model_dump(),
            "labels": labels
            and {
                **labels._asdict(),
                "estimator": c.labels.estimator,
            },
        }
    )
    if not ANNOTATORS[c.annotator].made_elsewhere:
        return parts
    audit = audit_of(c, parts)
    word = "not-audited" if audit is None else "audited" if audit.holds else "audit-failed"
    return parts.model_copy(update={"annotator": f"{parts.annotator},{word}"})


def accounting(notes: Mapping[str, Any] | None, by_reason: Mapping[str | None, int]) -> Account:
    """Return the account of one system's extractions.

    `notes` tell what its reader read and rejected; None for a baseline, which has no reader.
    """
    if notes is None:
        notes = {"read": sum(by_reason.values()), "rejected": {}}
    out = {k: n for k, n in sorted(by_reason.items(), key=str) if k not in (None, UNALIGNED)}
    return Account(
        read=notes["read"],
        rejected=dict(sorted(notes["rejected"].items())),
        unaligned=by_reason.get(UNALIGNED, 0),
        out_of_scope=out,
        in_scope=by_reason.get(None, 0),
    )


def read_truth(path: Path) -> set[Fact]:
    """Read the known truth of a made corpus: a table with the columns e1, r and e2, others free.

    Raises
    ------
    InputError
        As :func:`evaluator.tables.read_table`, and where a row names no entity.
    """
    facts = set()
    for row in read_table(path, columns=Fact._fields[:3]):
        if not (row["e1"] and row["e2"]):
            raise InputError(row.where, "e1 or e2 is empty; expected e1, r, e2")
        facts.add(Fact(row["e1"], row["r"], row["e2"]))
    return facts


def true_figures(stated: set[Fact], truth: set[Fact]) -> dict[str, float | None]:
    """Return the true precision, recall and F of a system that states `stated`."""
    right = len(stated & truth)
    precision = right / len(stated) if stated else None
    recall = right / len(truth) if truth else None
    f1 = 2 * right / (len(stated) + len(truth)) if stated or truth else None
    return {"precision": precision, "recall": recall, "f1": f1}
