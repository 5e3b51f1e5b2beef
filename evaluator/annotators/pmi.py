"""PMI: the share of the documents with both entities that state the relation as well.

Bronzi et al. 2012, section 2.2. Most pairs are found in one or two documents, where k of n says
little: 1 of 1 is no better evidence than 19 of 20. Two smoothings take that into account:

* ``shrunken``: k/(n + 2), the mean after two documents more that do not state the fact. A fact is
  unsupported until documents say otherwise;
* ``lower``: the lower end of Wilson's interval for k of n, one-sided at 95 %.

Neither depends on the other facts that are judged with it. (A prior that is estimated from all
facts, a beta-binomial one, was tried: it ranks facts *without* any hit by how few documents hold
the pair, and did worse on FactBench, balanced accuracy 0.57 with CLASSIC against 0.60.)
"""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final, Literal, get_args

import numpy as np

from evaluator.annotators.base import Kind, Part, check_single, check_threshold
from evaluator.annotators.evidence import Evidence, Floats
from evaluator.counting.definition import Variant
from evaluator.counting.occurrences import Integers
from evaluator.errors import ConfigurationError

NAME: Final = "pmi"

type Smoothing = Literal["none", "shrunken", "lower"]

STRENGTH = 2
"""Documents without the fact that ``shrunken`` adds. 1 to 5 do equally well on FactBench within
0.02 of balanced accuracy."""

_Z = 1.6448536269514722  # the 95 % quantile of the standard normal distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class Pmi:
    """The annotator ``pmi``: a PMI with a threshold.

    Attributes
    ----------
    variant
        "classic", "proximity": of the documents with the pair; "anchored": of the documents about
        e1 that hold e2.
    smoothing
        "none", "shrunken" or "lower". Whatever it is, the score is undefined where no document
        holds the pair (for "anchored": where no document about e1 holds e2).
    threshold
        Least PMI of a fact that is accepted.

    Raises
    ------
    ConfigurationError
        For a variant, smoothing or threshold that is none.
    """

    NAME: ClassVar[str] = NAME

    variant: Variant = "proximity"
    smoothing: Smoothing = "none"
    threshold: float = 0.1

    def __post_init__(self) -> None:
        check_choice("variant", self.variant, get_args(Variant.__value__))
        check_choice("smoothing", self.smoothing, get_args(Smoothing.__value__))
        check_threshold(self.threshold)

    def score(self, evidence: Evidence) -> Floats:
        """Return the PMI of each fact; NaN where it is undefined."""
        hits, of = counts(evidence, self.variant)
        return np.where(evidence.defined, smoothed(hits, of, self.smoothing), np.nan)

    def parts(self, evidence: Evidence) -> tuple[Part, ...]:
        """Return the two counts of one fact."""
        check_single(evidence)
        hits, of = counts(evidence, self.variant)
        documents = "documents about e1 with e2" if self.variant == "anchored" else "pair"
        return Part(self.variant, float(hits[0])), Part(documents, float(of[0]))

    def describe(self) -> str:
        """Return for example "pmi-proximity-t0.1", or "pmi-anchored-lower-t0.1"."""
        smoothing = "" if self.smoothing == "none" else f"-{self.smoothing}"
        return f"pmi-{self.variant}{smoothing}-t{self.threshold:g}"

    def as_json(self) -> dict[str, Any]:
        """Return the parameters."""
        return asdict(self)

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> "Pmi":
        """Return the annotator with the parameters that :meth:`as_json` gave."""
        return cls(**saved)


def counts(evidence: Evidence, variant: Variant) -> tuple[Integers, Integers]:
    """Return the numerators and the denominators of a variant, shape (facts,) each."""
    hits: Integers = getattr(evidence, variant)
    return hits, evidence.topic if variant == "anchored" else evidence.pair


def smoothed(hits: Integers, of: Integers, smoothing: Smoothing) -> Floats:
    """Return the smoothed share `hits` / `of`, NaN where `of` is 0; shapes (facts,)."""
    n = np.where(of > 0, of, np.nan)
    if smoothing == "shrunken":
        return np.asarray(hits / (n + STRENGTH))
    share = hits / n
    if smoothing == "none":
        return np.asarray(share)
    # CLASSIC can exceed pairs that are counted near each other: no share, and certain enough.
    share = np.minimum(share, 1)
    half = _Z * np.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
    low = (share + _Z**2 / (2 * n) - half) / (1 + _Z**2 / n)
    # 0 by the formula, which rounding would miss: a threshold of 0 or above must not.
    return np.where(hits == 0, np.where(np.isnan(n), np.nan, 0.0), low)


def check_choice(name: str, given: str, choices: tuple[str, ...]) -> None:
    """Refuse a setting that is not among its choices, with a ConfigurationError."""
    if given not in choices:
        raise ConfigurationError(f'{name} is "{given}": expected {", ".join(choices)}')


KIND = Kind(
    annotator=Pmi,
    title="PMI",
    score="PMI",
    section="pmi",
    variants=tuple(
        {"variant": variant, "smoothing": smoothing}
        for variant in get_args(Variant.__value__)
        for smoothing in get_args(Smoothing.__value__)
    ),
    make=lambda settings, _: Pmi(
        variant=settings["variant"],
        smoothing=settings["smoothing"],
        threshold=settings["threshold"],
    ),
)
