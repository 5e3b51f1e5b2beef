"""The result of a run, ``result.json``, as a value: its parts, its schema, its file.

``docs/result.schema.json`` is the schema of :class:`Result`.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, Strict, ValidationError, model_validator
from pydantic.json_schema import GenerateJsonSchema

from evaluator.comparison.two_systems import MEASURES
from evaluator.comparison.withheld import Basis, Order
from evaluator.errors import InputError
from evaluator.estimators.base import SystemEstimate
from evaluator.estimators.claims import BUDGET
from evaluator.estimators.coverage import SupersetCoverage
from evaluator.estimators.labelled import LabelledEstimate
from evaluator.estimators.recall_parts import RecallParts
from evaluator.inputs import read_json
from evaluator.intervals import Estimate
from evaluator.labels.audit import Audit
from evaluator.labels.rater_model import RaterFigures
from evaluator.named_objects import ClosedModel
from evaluator.results.signature import Signature
from evaluator.whole_files import write_whole

SCHEMA = 1
"""The number of the schema: another one where a key goes, comes, or changes its meaning."""

type WholeNumber = Annotated[int, Strict(), Field(ge=0)]
type Number = Annotated[int, Strict()] | Annotated[float, Strict()]
type CountByName = Mapping[str, WholeNumber]

_AGAIN = "run distval run again"


class CorpusFigures(ClosedModel):
    """The input corpus."""

    name: str
    sentences: WholeNumber
    documents: WholeNumber
    mentions: WholeNumber
    sentences_with_pair: WholeNumber
    relation_words: WholeNumber
    cut_sentences: WholeNumber
    candidates: WholeNumber
    """Facts of the candidate superset G′."""


class RecallWithin(ClosedModel):
    """The set that recall is of, and the share of the true facts that lies in it, if known."""

    set: str
    coverage: SupersetCoverage | None
    """As the annotator judges; None without a system that is no baseline."""
    means: str
    by_span: RecallParts | None = Field(default=None, exclude_if=lambda parts: parts is None)
    """Recall within sentences and across them, as the annotator judges; with a window of several
    sentences only."""


class KnowledgeBaseFigures(ClosedModel):
    """The knowledge base."""

    name: str
    entities: WholeNumber
    relations: WholeNumber
    triples: WholeNumber


class IndexFigures(ClosedModel):
    """The text index."""

    name: str
    documents: WholeNumber
    tokens: WholeNumber
    analysis: str


class AnnotatorFigures(ClosedModel):
    """What judges by the text: NAME, all that changes a score, and its own parameters."""

    name: str
    signature: str
    threshold: Number
    parameters: Mapping[str, Any]
    audited: Audit | None
    """Whether people's labels contradict the probabilities of one that was made elsewhere; None
    where nobody tested it, or it was made for these facts."""


class Matches(ClosedModel):
    """Facts found in the knowledge base, and how many of them in these two ways."""

    matched: WholeNumber
    inverse: WholeNumber
    through_mediators: WholeNumber


class Matching(ClosedModel):
    """Entities of the facts of S and G′, those unknown to the knowledge base, facts found in it."""

    entities: WholeNumber
    unknown_entities: WholeNumber
    matched: WholeNumber
    inverse: WholeNumber
    through_mediators: WholeNumber


class Account(ClosedModel):
    """What became of a system's records: every one is in one of these."""

    read: WholeNumber
    rejected: CountByName
    unaligned: WholeNumber
    out_of_scope: CountByName
    in_scope: WholeNumber


class WithLabels(ClosedModel):
    """What labels tell of a system: of truth in the world, and of what the sentence states."""

    world: LabelledEstimate | None
    sentence: LabelledEstimate | None
    recall_corrected: Estimate | None
    """Recall, of truth in the world, corrected for the coverage of G′."""


class _Accounted(ClosedModel):
    """A system with its account, the first key of its result."""

    extractions: Account


class SystemResult(SystemEstimate, _Accounted):
    """One system; the estimates are :class:`evaluator.estimators.SystemEstimate`."""

    facts: WholeNumber
    outside_candidates: WholeNumber | None
    precision_bounds: tuple[Number, Number] | None
    recall_bounds: tuple[Number, Number] | None
    recall_corrected: Estimate | None
    """Recall of all true facts in scope: recall within G′ ∪ S times the coverage of that set."""
    undefined_reasons: CountByName
    matches: Matches
    with_labels: WithLabels | None
    basis: Basis
    withheld: Mapping[str, str | None]
    """By measure, why it does not lead a page."""

    def figure(self, measure: str) -> Estimate | None:
        """Return precision, recall or F; without a corpus there is only the first."""
        found: Estimate | None = getattr(self, measure)
        return found

    @property
    def world(self) -> LabelledEstimate | None:
        """What labels tell of truth in the world."""
        return None if self.with_labels is None else self.with_labels.world


class LabelledClass(ClosedModel):
    """A class of facts that the annotator judged alike, and the labels of some of them."""

    group: str
    name: str = Field(alias="class")
    judged: WholeNumber
    labels: WholeNumber
    true: Number
    """Sum of the labels."""


class LabelsResult(ClosedModel):
    """Who labelled what, and how the answers of several became one."""

    digest: str
    drawn: WholeNumber
    answered: WholeNumber
    estimator: str
    raters: str
    why_no_model: str | None
    """Why raters' errors could not be put into the intervals, where that was left to the run."""
    labelled: WholeNumber
    labelled_sentence: WholeNumber
    documents: WholeNumber | None
    link_wrong: WholeNumber
    by_rater: CountByName
    quality: Mapping[str, RaterFigures]
    """Of each rater, as the model of raters has it; empty without that model."""
    agreement: Estimate
    disputed: WholeNumber
    undecided: WholeNumber
    rejects: CountByName
    classes: tuple[LabelledClass, ...]
    coverage: SupersetCoverage | None
    """The coverage of G′ by the labels; None without a corpus."""


class Truth(ClosedModel):
    """The true figures of a system on a corpus whose truth is known."""

    precision: Number | None
    recall: Number | None
    f1: Number | None


class Result(ClosedModel):
    """The result of a run: every figure with interval, method and n, and all that changes one."""

    version: Literal[1] = Field(alias="schema")
    """The number of this schema."""
    distval: str
    name: str
    signature: str
    """`parts` as one line, to be quoted."""
    parts: Signature
    annotator_relative: bool
    """Whether no labels of people went into it."""
    corpus: CorpusFigures | None
    recall_within: RecallWithin | None
    order: Order | None
    knowledge_base: KnowledgeBaseFigures
    index: IndexFigures
    settings: Mapping[str, Any]
    """Every setting that can change a figure, as ``section.key``."""
    annotator: AnnotatorFigures
    rejects: Mapping[str, CountByName]
    """Records skipped, by source and reason."""
    matching: Matching
    systems: Mapping[str, SystemResult]
    labels: LabelsResult | None
    truth: Mapping[str, Truth] | None

    @model_validator(mode="after")
    def _one_signature(self) -> Self:
        if self.signature != str(self.parts):
            raise ValueError("its signature is not that of its parts")
        return self

    @property
    def by_words(self) -> bool:
        """Whether relations were compared by their words alone, without a WordNet."""
        return bool(self.settings.get("relation.wordnet") == "none")

    @property
    def budget(self) -> int:
        """How many facts to ask people to label: :data:`BUDGET`, or all where they are fewer."""
        known = self.corpus.candidates if self.corpus else 0
        systems = self.systems.values()
        others = [s.outside_candidates if self.corpus else s.facts for s in systems]
        return min(BUDGET, known + sum(number or 0 for number in others))

    @classmethod
    def of(cls, content: object, *, path: object = "result") -> Self:
        """Return the result that a JSON document is.

        Raises
        ------
        InputError
            Where it is none, or one of another version; `path` is what the message calls it.
        """
        if not isinstance(content, Mapping) or not {"signature", "systems"} & content.keys():
            raise InputError(path, "is no result: give the result.json of a run")
        number = content.get("schema")
        if number is not None and number != SCHEMA:
            raise InputError(
                path,
                f"is a result of schema {number}, and this distval reads {SCHEMA}: use the version "
                f"that made it, or {_AGAIN}",
            )
        try:
            return cls.model_validate(content)
        except ValidationError as error:
            raise InputError(path, _problem(error)) from None

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the result in a file.

        Raises
        ------
        InputError
            Where it is missing, damaged, no result, or one of another version.
        """
        try:
            content = read_json(path)
        except OSError as error:
            raise InputError(path, f"cannot read this result: {error.strerror}") from None
        except ValueError as error:  # UnicodeDecodeError is one too
            raise InputError(path, f"is no result: not JSON ({error})") from None
        return cls.of(content, path=path)

    def write(self, path: Path) -> None:
        """Write the result to a file, whole or not at all."""
        text = json.dumps(self.as_json(), indent=1, ensure_ascii=False, allow_nan=False)
        write_whole(path, f"{text}\n")

    @property
    def measures(self) -> Sequence[str]:
        """The measures that there are: without a corpus, precision alone."""
        return MEASURES if self.corpus else MEASURES[:1]


def schema() -> dict[str, Any]:
    """Return the JSON schema of a result."""
    made = Result.model_json_schema(schema_generator=_Untitled)
    return {"$schema": _Untitled.schema_dialect, **made}


class _Untitled(GenerateJsonSchema):
    """A schema whose fields have no titles beside their names."""

    def field_title_should_be_set(self, _: object) -> bool:
        return False


def _problem(error: ValidationError) -> str:
    """Return the first thing that is wrong with a result."""
    first = error.errors(include_url=False)[0]
    where = [str(key) for key in first["loc"]]
    if first["type"] == "missing":
        of = f" in {'.'.join(where[:-1])}" if where[:-1] else ""
        return f"has no {where[-1]!r}{of}: was it made by another version?"
    told = first["msg"]
    problem = f"{'.'.join(where)}: {told[:1].lower()}{told[1:]}" if where else told
    return f"damaged ({problem}): {_AGAIN}"
