"""What an estimator with human labels takes: domains, strata, classes and labels.

The facts of S ∪ G′ fall into *domains*; for one system these are the regions that they count in if
they are true. A domain is made of *strata*, whose sizes are known exactly. Within a stratum a
simple random sample was judged by the annotator and falls into its *classes*, and within a class a
simple random sample was labelled by people.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SYSTEM = ("a", "b")
"""Domains whose true facts a system has; "c" and "d" hold those that it lacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledClass:
    """A class of the annotator within a stratum: facts that it judged alike, some labelled.

    Attributes
    ----------
    name
        What the annotator said: "matched", "accepted", "rejected, PMI 0" ...
    judged
        Facts of the class among those that were judged.
    truth
        What people said of the labelled facts, each in [0, 1]; shape (labels,). Fractions come from
        raters who are not certain together.
    link_wrong
        Share, each in [0, 1], of raters who called a link wrong; shape (labels,), or empty.
    annotator
        The annotator's judgement of the labelled facts as a number in [0, 1] (a verdict, or a
        probability); shape (labels,), or empty where only the class matters.
    annotator_mean, annotator_variance
        Of the same number over all judged facts of the class.
    documents
        Which labelled facts come from one document: numbers of shape (labels,), or empty where
        facts were drawn one by one from many documents.
    """

    name: str
    judged: int
    truth: NDArray[np.float64]
    link_wrong: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    annotator: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    annotator_mean: float = nan
    annotator_variance: float = 0.0
    documents: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def __post_init__(self) -> None:
        if self.truth.size > self.judged:
            raise ValueError(f"{self.truth.size} labels of {self.judged} judged facts: {self.name}")

    @property
    def labels(self) -> int:
        """Number of labelled facts."""
        return self.truth.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """Facts of one domain from which the judged facts are one simple random sample.

    Attributes
    ----------
    domain
        For one system the region "a", "b", "c" or "d" that a true fact of it counts in.
    population
        Number of facts, known exactly.
    classes
        The classes of the judged facts; every judged fact is in one.
    """

    domain: str
    population: int
    classes: tuple[LabelledClass, ...]

    def __post_init__(self) -> None:
        if self.judged > self.population:
            raise ValueError(f"{self.judged} facts judged of {self.population}: {self.domain}")

    @property
    def judged(self) -> int:
        """Number of judged facts."""
        return sum(c.judged for c in self.classes)

    @property
    def labels(self) -> int:
        """Number of labelled facts."""
        return sum(c.labels for c in self.classes)

    def sizes(self) -> NDArray[np.float64]:
        """Return the expected number of facts in each class, judged or not; shape (classes,)."""
        judged = np.array([c.judged for c in self.classes], dtype=float)
        expected: NDArray[np.float64] = self.population * judged / max(judged.sum(), 1)
        return expected


class TrueFacts(NamedTuple):
    """The number of true facts in a domain.

    Attributes
    ----------
    value
        Point estimate; None where it is not estimable.
    draws
        Joint posterior draws, shape (draws,).
    reason
        Why it is not estimable, in a sentence.
    """

    value: float | None
    draws: NDArray[np.float64]
    reason: str = ""


Estimator = Callable[..., TrueFacts]
"""``(strata, *, everything, draws, rng, design_effect) -> TrueFacts`` for the strata of a domain.

`everything` holds the strata of all domains, for estimators that calibrate over all labels.
"""


def shares(classes: Sequence[LabelledClass]) -> NDArray[np.float64]:
    """Return the labelled share of true facts of each class, that of its neighbour where none is.

    A class without a label is taken to be like the nearest one of the sequence that has some;
    the sequence runs from the least to the most likely class, so neighbours are alike. All are nan
    where no class has a label.
    """
    known = np.array([c.truth.mean() if c.labels else nan for c in classes])
    return known[nearest([c.labels for c in classes])] if len(classes) else known


def nearest(labels: Sequence[int]) -> NDArray[np.int64]:
    """Return for each class the place of the nearest class with labels: its own if it has some."""
    own = np.arange(len(labels))
    having = np.flatnonzero(labels)
    if not having.size:
        return own
    return having[np.abs(own[:, None] - having[None, :]).argmin(axis=1)]


def of_domain(strata: Sequence[Stratum], domain: str) -> list[Stratum]:
    """Return the strata of a domain that hold facts."""
    return [s for s in strata if s.domain == domain and s.population]


def in_order(strata: Sequence[Stratum]) -> list[LabelledClass]:
    """Return the classes of a domain's strata, those of one stratum side by side."""
    return [c for s in strata for c in s.classes]
