"""The signature of a result: all that changes a figure, as fields, and as one line of text.

The line is made from the fields. Nothing reads it back: a name may hold any character.
"""

from typing import Literal

from pydantic import Field

from evaluator.named_objects import ClosedModel


class Input(ClosedModel):
    """Something that a run read."""

    name: str
    digest: str
    """Of its content, eight characters; of a baseline, its own name."""

    def __str__(self) -> str:
        return f"{self.name}.{self.digest}"


class IndexInput(Input):
    """The text index."""

    analysis: str
    """What became of text in it."""

    def __str__(self) -> str:
        return f"{super().__str__()}.{self.analysis}"


class LinkPart(ClosedModel):
    """How an extraction became a fact about entities: the settings ``link``."""

    arguments: str
    scope: str
    negation: str
    unasserted: str
    proper_only: bool
    context: bool

    def __str__(self) -> str:
        return (
            f"{self.arguments},{self.scope},negation-{self.negation}"
            + (",proper" if self.proper_only else ",all-names")
            + (",context" if self.context else "")
            + (",unasserted-exclude" if self.unasserted == "exclude" else "")
        )


class RelationPart(ClosedModel):
    """The normal form of relations, and the further words that stand for them."""

    key: str
    words: str | None

    def __str__(self) -> str:
        return self.key if self.words is None else f"{self.key},{self.words}"


class SupersetPart(ClosedModel):
    """Which facts are candidates: the settings ``superset``."""

    direction: str
    words: str
    gap: int
    window: int = Field(default=1, exclude_if=lambda window: window == 1)

    def __str__(self) -> str:
        gap = f"-{self.gap}" if self.words == "near" else ""
        window = f",window-{self.window}" if self.window > 1 else ""
        return f"{self.direction},{self.words}{gap}{window}"


class MatchPart(ClosedModel):
    """When a relation of the knowledge base says the same as a fact's."""

    measure: str
    threshold: float
    direction: str

    def __str__(self) -> str:
        return f"{self.measure}>={self.threshold:g},{self.direction}"


class PmiPart(ClosedModel):
    """How hits are counted: the distances X and reach in words, the order, the denominator.

    And which variants of names stand for entities.
    """

    x: int
    reach: int
    ordered: bool
    denominator: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        order = "ordered" if self.ordered else "any-order"
        names = f",names={'+'.join(self.names)}" if self.names else ""
        return f"x={self.x},reach={self.reach},{order},denominator-{self.denominator}{names}"


class SamplePart(ClosedModel):
    """Which facts are judged: the seed, and most facts of S and of G′."""

    seed: int
    system: int | Literal["all"]
    candidates: int | Literal["all"]

    def __str__(self) -> str:
        return f"seed={self.seed},S={self.system},G'={self.candidates}"


class EstimatePart(ClosedModel):
    """The estimator, the level of its intervals, its posterior draws."""

    method: str
    level: float
    draws: int

    def __str__(self) -> str:
        return f"{self.method},{self.level:g},draws={self.draws}"


class LabelsPart(ClosedModel):
    """The labels of people, and what is made of them."""

    digest: str
    """Of what they say and of what they were drawn from, eight characters."""
    answered: int
    """Facts with an answer."""
    raters: str
    estimator: str

    def __str__(self) -> str:
        return f"{self.digest},n={self.answered},{self.raters},{self.estimator}"


class Signature(ClosedModel):
    """All that changes a figure, part by part; two results of equal parts have equal figures."""

    distval: str
    """The version that made the result."""
    corpus: Input | None
    systems: tuple[Input, ...]
    kb: Input
    index: IndexInput
    link: LinkPart
    relation: RelationPart
    superset: SupersetPart
    match: MatchPart
    annotator: str
    pmi: PmiPart
    unit: Literal["fact"]
    sample: SamplePart
    estimate: EstimatePart
    labels: LabelsPart | None

    def texts(self) -> dict[str, str]:
        """Return every part as the line shows it, by name."""
        return {
            name: "none"
            if part is None
            else "+".join(map(str, part))
            if isinstance(part, tuple)
            else str(part)
            for name, part in self
        }

    def __str__(self) -> str:
        """Return the line."""
        return "|".join(f"{name}:{text}" for name, text in self.texts().items())
