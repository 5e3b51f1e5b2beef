"""What every annotator offers: a score for each fact, and where it comes from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from numpy.typing import ArrayLike

from evaluator.annotators.evidence import Evidence, Floats
from evaluator.annotators.items import digest_of
from evaluator.counting.occurrences import Booleans, Integers
from evaluator.errors import ConfigurationError
from evaluator.estimators.tallies import Verdict
from evaluator.model import Item


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

    A new annotator is a new file of this package with its ``NAME``, a frozen dataclass like this,
    and a ``KIND`` (:class:`Kind`).
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

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> Self:
        """Return the annotator with the parameters that :meth:`as_json` gave."""


class Trained(Annotator, Protocol):
    """An annotator that learns from labels.

    It knows the facts that it was trained on by digests of their items
    (:func:`~evaluator.annotators.calibrated.digest_of`), and judges each of them as one that has
    not seen its label would.
    """

    @classmethod
    def train(
        cls,
        evidence: Evidence,
        labels: ArrayLike,
        items: Sequence[str],
        *,
        weights: ArrayLike | None = ...,
        folds: int = ...,
        seed: int = ...,
        threshold: float | None = ...,
    ) -> Self:
        """Return one that is trained on labelled facts, with cross-fitting in `folds`."""

    def score(self, evidence: Evidence, items: Sequence[str] | None = None) -> Floats:
        """Return the score of each fact; without `items` all are taken as new."""

    def parts(self, evidence: Evidence, items: Sequence[str] | None = None) -> tuple[Part, ...]:
        """Return what the score of a single fact is made of."""


type Histogram = tuple[Evidence, Integers]
"""The distinct counts of the facts that are judged, and how many facts have each."""


class Examples(NamedTuple):
    """Facts of a run that show what is true without people: what the database decides of them.

    Attributes
    ----------
    evidence
        Of the facts.
    matched
        Whether the database holds the fact, by the same word. Facts that match by a similar word
        are no examples. Shape (facts,).
    made
        Whether nobody states the fact, and it is another one but for its subject, object or
        relation; shape (facts,).
    weight
        How many facts of the population each stands for, shape (facts,).
    names
        What the facts are dealt into folds by (:attr:`Kind.names`).
    """

    evidence: Evidence
    matched: Booleans
    made: Booleans
    weight: Floats
    names: Sequence[str]


class Population(NamedTuple):
    """What annotators are fitted to without labels; each is made when it is asked for.

    Attributes
    ----------
    histogram
        The counts of the facts that the text judges.
    examples
        Facts that the database holds, and those that the text judges.
    """

    histogram: Callable[[], Histogram]
    examples: Callable[[], Examples]


type Make = Callable[[Mapping[str, Any], Population], Annotator]
"""Makes an annotator of its settings, and of what it is fitted to if it asks for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of annotator: how a run makes it of its settings, and what it calls its scores.

    Attributes
    ----------
    annotator
        Its class.
    title
        What a report calls it.
    about
        How it judges, in a sentence or two, for the report.
    score
        What its score is, in a word or two: "PMI", "probability".
    section
        The section of a configuration that has its settings. ``parameters`` is there for those that
        have no section of their own.
    make
        Makes it; by default of its settings as keyword arguments.
    needs
        Settings that it cannot do without, and what each is.
    variants
        The settings that are tried where labels choose the annotator, each with any ``threshold``.
    fitted
        Whether it is fitted to the facts that are judged.
    trained
        Whether it is trained on labelled facts beforehand (:class:`Trained`), and read from the
        file that its setting ``model`` names.
    context
        Whether the elements of facts must be counted by themselves too.
    examples
        Whether it learns from what the database decides (:class:`Examples`).
    judges
        Whether it takes over what judges from outside say. Its variants are then the judges, and
        the ways in which several become one.
    silence
        The verdict on a fact that it has no score of, though it has a relation word.
    names
        What stands for a fact (e1, r, e2) where the annotator must know whether it learnt from it:
        a digest of all three for one that is trained; None where that makes no difference.
    """

    annotator: type[Annotator]
    title: str
    about: str = ""
    score: str = "score"
    section: str = "parameters"
    make: Make | None = None
    needs: Mapping[str, str] = field(default_factory=dict)
    variants: Sequence[Mapping[str, str]] = ({},)
    fitted: bool = False
    trained: bool = False
    context: bool = False
    examples: bool = False
    judges: bool = False
    silence: Verdict = "no pair"
    names: Callable[[Item], str] | None = None

    def __post_init__(self) -> None:
        if self.trained and self.names is None:
            object.__setattr__(self, "names", digest_of)

    @property
    def made_elsewhere(self) -> bool:
        """Whether its scores come from other facts, or from outside, so that an audit tells more.

        Such are a trained one's, and a judge's.
        """
        return self.trained or self.judges

    def name_of(self, variant: Mapping[str, str]) -> str:
        """Return what one of its variants is called, as in a signature: "pmi-proximity-lower"."""
        return "-".join([self.annotator.NAME, *(v for v in variant.values() if v != "none")])

    def made(self, settings: Mapping[str, Any], population: Population) -> Annotator:
        """Return the annotator with these settings, fitted to the population if it is of that kind.

        Raises
        ------
        ConfigurationError
            If a setting is unknown, missing or out of range, or it cannot be fitted.
        InputError
            If it is a file's that cannot be used.
        """
        if self.make is not None:
            return self.make(settings, population)
        try:
            return self.annotator(**settings)
        except TypeError as error:
            raise ConfigurationError(
                f"{self.section} of the annotator {self.annotator.NAME}: {error}"
            ) from None


def check_threshold(threshold: float) -> None:
    """Refuse a threshold that is no number, with a ConfigurationError."""
    if not isfinite(threshold):
        raise ConfigurationError(f"threshold {threshold}: expected a finite number")


def check_single(evidence: Evidence) -> None:
    """Refuse evidence that is not of one fact, with a ValueError."""
    if len(evidence) != 1:
        raise ValueError(f"evidence of {len(evidence)} facts: expected one")
