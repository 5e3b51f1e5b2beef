"""What every annotator offers: a score for each fact, and where it comes from."""

from math import isfinite
from typing import Any, ClassVar, NamedTuple, Protocol

from evaluator.errors import ConfigurationError
from evaluator.evidence import Evidence, Floats


class Part(NamedTuple):
    """One thing that an annotator looked at in judging a fact.

    Attributes
    ----------
    name
        What it is, in a few words.
    value
        Its value for the fact; None where there is none.
    weight
        What it is multiplied by; None where it does not enter by multiplication.
    contribution
        What it adds to the score, or to the log odds of an annotator that adds those up; None where
        the score is no sum.
    """

    name: str
    value: float | None
    weight: float | None = None
    contribution: float | None = None


class Annotator(Protocol):
    """Judges facts by their evidence: correct iff score ≥ threshold.

    A new annotator is a new file with a frozen dataclass like this, and its name in
    :data:`evaluator.annotators.ANNOTATORS`.
    """

    NAME: ClassVar[str]

    @property
    def threshold(self) -> float:
        """Least score of a fact that is accepted."""

    def score(self, evidence: Evidence) -> Floats:
        """Return the score of each fact, shape (facts,); NaN where it is undefined.

        Undefined is not false: such facts are a stratum of their own.
        """

    def parts(self, evidence: Evidence) -> tuple[Part, ...]:
        """Return what the score of a single fact is made of; ValueError for several facts."""

    def describe(self) -> str:
        """Return one word that names everything which changes the score, for a signature."""

    def as_json(self) -> dict[str, Any]:
        """Return all parameters as a JSON object, without the kind."""


def check_threshold(threshold: float) -> None:
    """Refuse a threshold that is no number, with a ConfigurationError."""
    if not isfinite(threshold):
        raise ConfigurationError(f"threshold {threshold}: expected a finite number")


def check_single(evidence: Evidence) -> None:
    """Refuse evidence that is not of one fact, with a ValueError."""
    if len(evidence) != 1:
        raise ValueError(f"evidence of {len(evidence)} facts: expected one")
