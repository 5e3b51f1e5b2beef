"""The result of a run: every figure with interval, method and n, and a line that pins them all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from evaluator.baselines import Baseline
from evaluator.comparison import Comparison
from evaluator.errors import InputError
from evaluator.estimators import SystemEstimate, census, paper
from evaluator.estimators.base import RECALL_WITHIN
from evaluator.inputs import read_text
from evaluator.model import Fact
from evaluator.tallies import Cell, SystemTallies, system_tallies
from evaluator.withheld import Basis, headlines, order
from jobs.annotator import annotator_name, read_model
from jobs.config import Configuration, Corpus
from jobs.evidence import Evidence
from jobs.label_folder import LabelFolder
from jobs.rundir import content_digest, fingerprint
from jobs.widening import words_name

UNALIGNED = "sentence not in the corpus"


@dataclass(frozen=True)
class Inputs:
    """What a run was made from, as far as its result names it.

    Attributes
    ----------
    corpus
        Numbers of sentences, documents, mentions ..., as the result shows them; None without one.
    digests
        Short digests of the content of corpus, systems, knowledge base and index.
    knowledge_base, index
        Manifest figures.
    extractions
        For each system: read, rejected, unaligned, out_of_scope, in_scope.
    rejects
        Records skipped, by source and reason.
    matching
        Of all facts of S and G': their entities and those that the knowledge base does not know,
        the facts that match, and of these the ones that need the inverse of a relation, or a
        relation through a mediator.
    matches
        The last three for the facts of each system.
    annotator
        What judged the facts that the database leaves open
        (:func:`jobs.annotator.annotator_figures`).
    labels
        What the result says of the human labels; None without.
    """

    corpus: Mapping[str, Any] | None
    digests: Mapping[str, Any]
    knowledge_base: Mapping[str, Any]
    index: Mapping[str, Any]
    extractions: Mapping[str, Mapping[str, Any]]
    rejects: Mapping[str, Mapping[str, int]]
    matching: Mapping[str, int]
    matches: Mapping[str, Mapping[str, int]]
    annotator: Mapping[str, Any]
    labels: Mapping[str, Any] | None = None


class Match(NamedTuple):
    """How many facts of the same systems match in the same way."""

    systems: tuple[str, ...]
    inverse: bool
    through_mediator: bool
    facts: int


def match_figures(
    matches: Iterable[Match], systems: Iterable[str]
) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    """Return how facts match: all, and those of each system."""
    matches = list(matches)

    def figures(chosen: Iterable[Match]) -> dict[str, int]:
        told = {"matched": 0, "inverse": 0, "through_mediators": 0}
        for match in chosen:
            told["matched"] += match.facts
            told["inverse"] += match.facts * match.inverse
            told["through_mediators"] += match.facts * match.through_mediator
        return told

    of_systems = {name: figures(m for m in matches if name in m.systems) for name in systems}
    return figures(matches), of_systems


def estimate_system(tallies: SystemTallies, configuration: Configuration) -> SystemEstimate:
    """Return the estimate of one system by the configured estimator."""
    settings, seed = configuration.estimate, configuration.sample.seed
    if settings.method == "paper":
        return paper(
            system=tallies.system,
            candidates=tallies.candidates,
            outside_candidates=tallies.outside_candidates,
            level=settings.level,
            draws=settings.draws,
            seed=seed,
        )
    return census(
        b=tallies.b,
        c=tallies.c,
        system_rest=tallies.system_rest,
        candidate_rest=tallies.candidate_rest,
        outside_candidates=tallies.outside_candidates,
        level=settings.level,
        draws=settings.draws,
        seed=seed,
    )


def assemble(
    configuration: Configuration,
    inputs: Inputs,
    cells: Iterable[Cell],
    truth: Mapping[str, Mapping[str, float | None]] | None,
    with_labels: Mapping[str, Any] | None = None,
    pairs: Sequence[Comparison] | None = None,
) -> dict[str, Any]:
    """Return the result, JSON-like: the same for every engine, partitioning and order.

    `with_labels` is by system what human labels tell, and `pairs` how systems differ by them, where
    there are some.
    """
    cells = list(cells)
    corpus = None
    if inputs.corpus is not None:
        candidates = sum(cell.facts for cell in cells if cell.candidate)
        corpus = {"name": configuration.name, **inputs.corpus, "candidates": candidates}
    systems = {}
    for source in configuration.systems:
        tallies = system_tallies(cells, source.name, corpus=corpus is not None)
        estimate = estimate_system(tallies, configuration)
        systems[source.name] = {
            "extractions": inputs.extractions[source.name],
            **estimate.as_json(),
            "undefined_reasons": tallies.undefined,
            "matches": inputs.matches[source.name],
            "with_labels": with_labels and with_labels[source.name],
        }
        systems[source.name] |= _claimed(systems[source.name], tallies, configuration)
    by = "f1" if corpus else "precision"
    first = order(
        {name: _leading(of)[by]["value"] for name, of in systems.items()},
        by=by,
        withheld={name: of["withheld"][by] for name, of in systems.items()},
        pairs=pairs,
    )
    return {
        "distval": version("distval"),
        "name": configuration.name,
        "signature": signature(configuration, inputs),
        "annotator_relative": inputs.labels is None,
        "corpus": corpus,
        "recall_within": corpus and {"set": "G′", "coverage": None, "means": RECALL_WITHIN},
        "order": first and first.as_json(),
        "knowledge_base": inputs.knowledge_base,
        "index": inputs.index,
        "settings": configuration.flat(),
        "annotator": inputs.annotator,
        "rejects": inputs.rejects,
        "matching": inputs.matching,
        "systems": systems,
        "labels": inputs.labels,
        "truth": truth,
    }


def _claimed(
    of: Mapping[str, Any], tallies: SystemTallies, configuration: Configuration
) -> dict[str, Any]:
    """Return what the figures of a system rest on, and why they may not lead a page."""
    extractions = of["extractions"]
    paper_sample = configuration.estimate.method == "paper"
    basis = Basis.of(
        tallies.system if paper_sample else tallies.system_rest,
        in_database=0 if paper_sample else tallies.b,
        in_scope=extractions["in_scope"],
        out_of_scope=sum(extractions["out_of_scope"].values()),
    )
    figures = {
        measure: _leading(of)[measure]["value"]
        for measure in ("precision", "recall", "f1")
        if of[measure] is not None
    }
    claims = of["with_labels"] and of["with_labels"]["world"]["claims"]
    withheld = headlines(basis, figures, claims=claims, corpus=configuration.corpus is not None)
    return {"basis": basis._asdict(), "withheld": withheld}


def _leading(of: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the figures of a system that come first: those with labels where there are some."""
    world: Mapping[str, Any] | None = of["with_labels"] and of["with_labels"]["world"]
    return of if world is None else world


def check_inputs(configuration: Configuration) -> None:
    """Refuse inputs that are not there, before anything is built.

    Raises
    ------
    InputError
        For the first that is missing or is no file.
    """
    c = configuration
    corpus = c.corpus
    if corpus and corpus.collection is not None and not corpus.collection.exists():
        raise InputError(corpus.collection, "no such file or folder")
    for path in (corpus.sentences if corpus else None, c.truth):
        if path is not None and not path.is_file():
            problem = "no such file" if not path.exists() else "not a file; save it as one first"
            raise InputError(path, problem)
    for source in c.systems:
        source.check()
    if c.match.ic is not None:
        c.match.measure()
    if c.annotator == "calibrated":
        read_model(c)
    if c.truth is not None:
        read_truth(c.truth)
    if c.labels.path is not None:
        LabelFolder.open(c.labels.path)


def corpus_digest(corpus: Corpus) -> str:
    """Return a digest of the content of a corpus, and of how documents become its sentences."""
    digest = content_digest(corpus.path)
    if corpus.collection is None:
        return digest
    chosen = [corpus.format, *corpus.select]
    return fingerprint(content=digest, chosen=chosen, sentences=version("nupunkt"))


def short_digests(
    corpus: str | None, files: Mapping[str, str], baselines: Mapping[str, Baseline], found: Evidence
) -> dict[str, str | dict[str, str] | None]:
    """Return the digests that the signature shows, eight characters each.

    In the place of the digest of a file, a baseline has its name.
    """
    return {
        "corpus": corpus and corpus[:8],
        "systems": {name: digest[:8] for name, digest in files.items()}
        | {name: str(baseline) for name, baseline in baselines.items()},
        "kb": found.kb_digest[:8],
        "index": found.index_digest[:8],
    }


def signature(configuration: Configuration, inputs: Inputs) -> str:
    """Return one line that names everything that changes a figure."""
    c = configuration
    sample = c.sample.model_dump()
    parts = {
        "distval": version("distval"),
        "corpus": f"{c.name}.{inputs.digests['corpus']}" if c.corpus else "none",
        "systems": "+".join(f"{s.name}.{inputs.digests['systems'][s.name]}" for s in c.systems),
        "kb": f"{inputs.knowledge_base['name']}.{inputs.digests['kb']}",
        "index": f"{inputs.index['name']}.{inputs.digests['index']}.{inputs.index['analysis']}",
        "link": f"{c.link.arguments},{c.link.scope},negation-{c.link.negation}"
        + (",proper" if c.link.proper_only else ",all-names")
        + (",context" if c.link.context else "")
        + (",unasserted-exclude" if c.link.unasserted == "exclude" else ""),
        "relation": c.relation.key + words_name(c),
        "superset": c.superset.direction,
        "match": f"{c.match.measure_name}>={c.match.threshold:g},{c.match.direction}",
        "annotator": annotator_name(c),
        "pmi": f"x={c.pmi.x},reach={c.pmi.reach},"
        f"{'ordered' if c.pmi.ordered else 'any-order'},denominator-{c.pmi.denominator}",
        "unit": "fact",
        "sample": f"seed={sample['seed']},S={sample['system']},G'={sample['candidates']}",
        "estimate": f"{c.estimate.method},{c.estimate.level:g},draws={c.estimate.draws}",
        "labels": "none"
        if inputs.labels is None
        else f"{inputs.labels['digest']},n={inputs.labels['answered']},"
        f"{c.labels.raters},{c.labels.estimator}",
    }
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def accounting(
    notes: Mapping[str, Any] | None, by_reason: Mapping[str | None, int]
) -> dict[str, Any]:
    """Return the account of one system's extractions.

    `notes` tell what its reader read and rejected; None for a baseline, which has no reader.
    """
    if notes is None:
        notes = {"read": sum(by_reason.values()), "rejected": {}}
    out = {k: n for k, n in sorted(by_reason.items(), key=str) if k not in (None, UNALIGNED)}
    return {
        "read": notes["read"],
        "rejected": dict(sorted(notes["rejected"].items())),
        "unaligned": by_reason.get(UNALIGNED, 0),
        "out_of_scope": out,
        "in_scope": by_reason.get(None, 0),
    }


def read_truth(path: Path) -> set[Fact]:
    """Read the known truth of a made corpus: TSV with the header ``e1 r e2``, further columns free.

    Raises
    ------
    InputError
        Where the file is missing or a line is not of this form.
    """
    try:
        lines = read_text(path, encoding="utf-8-sig").rstrip("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise InputError(path, f"cannot read the truth file: {reason}") from None
    if not lines or lines[0].split("\t")[:3] != ["e1", "r", "e2"]:
        raise InputError(path, "the first line must be the header: e1 r e2 (tab-separated)", line=1)
    facts = set()
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split("\t")
        if len(fields) < 3:
            raise InputError(
                path, f"expected e1, r, e2, found {len(fields)} column(s)", line=number
            )
        e1, r, e2 = fields[:3]
        facts.add(Fact(e1, r, e2))
    return facts


def true_figures(stated: set[Fact], truth: set[Fact]) -> dict[str, float | None]:
    """Return the true precision, recall and F of a system that states `stated`."""
    right = len(stated & truth)
    precision = right / len(stated) if stated else None
    recall = right / len(truth) if truth else None
    f1 = 2 * right / (len(stated) + len(truth)) if stated or truth else None
    return {"precision": precision, "recall": recall, "f1": f1}
