"""What an estimator with human labels takes: domains, strata, classes and labels.

The facts of S ∪ G′ fall into *domains*; for one system these are the regions that they count in if
they are true. A domain is made of *strata*, whose sizes are known exactly. Within a stratum a
simple random sample was judged by the annotator and falls into its *classes*, and within a class a
simple random sample was labelled by people.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators.regions import Regions

SYSTEM = ("a", "b")
"""Domains whose true facts a system has; "c" and "d" hold those that it lacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumClass:
    """A class of the annotator within a stratum: facts that it judged alike, some labelled.

    Attributes
    ----------
    name
        What the annotator said: "matched", "accepted", "rejected, score low" ...
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
    drawn
        Whether each labelled fact is true in each posterior draw of what raters' answers leave open
        (:mod:`evaluator.estimators.rater_error`), shape (labels, draws); None where labels are
        taken to be right.
    """

    name: str
    judged: int
    truth: NDArray[np.float64]
    link_wrong: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    annotator: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    annotator_mean: float = nan
    annotator_variance: float = 0.0
    documents: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    drawn: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        if self.truth.size > self.judged:
            raise ValueError(f"{self.truth.size} labels of {self.judged} judged facts: {self.name}")

    @property
    def labels(self) -> int:
        """Number of labelled facts."""
        return self.truth.size

    def true_labels(self, draws: int) -> NDArray[np.float64]:
        """Return how many labelled facts are true in each of so many draws; shape (draws,)."""
        if self.drawn is None:
            return np.full(draws, float(self.truth.sum()))
        return self.drawn.sum(axis=0, dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """Facts of one domain from which the judged facts are one simple random sample.

    Attributes
    ----------
    domain
        For one system the region "a", "b", "c" or "d" that a true fact of it counts in; for two
        systems, who states it.
    population
        Number of facts, known exactly.
    classes
        The classes of the judged facts; every judged fact is in one.
    """

    domain: Hashable
    population: int
    classes: tuple[StratumClass, ...]

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


class Asked(NamedTuple):
    """What an estimator with labels is asked: how many facts of a domain are true.

    Attributes
    ----------
    strata
        All strata of the domain.
    draws, rng
        Number of posterior draws, and their source.
    everything
        The strata of all domains, for estimators that calibrate over all labels.
    design_effect
        By which the labels are divided.
    """

    strata: Sequence[Stratum]
    draws: int
    rng: np.random.Generator
    everything: Sequence[Stratum] = ()
    design_effect: float = 1.0

    def not_estimable(self, reason: str) -> TrueFacts:
        """Return the answer of an estimator that has none."""
        return TrueFacts(None, np.zeros(self.draws), reason)


type Estimator = Callable[[Asked], TrueFacts]

UNLABELLED = "No fact of a region was labelled."


def shares(strata: Sequence[Stratum]) -> NDArray[np.float64]:
    """Return the labelled share of true facts of each class, or of the one it is taken to be like.

    All are nan where no class has a label.
    """
    known = [c.truth.mean() if c.labels else nan for c in in_order(strata)]
    return np.array(known, dtype=float)[nearest(strata)]


def nearest(strata: Sequence[Stratum], *, least: int = 1) -> NDArray[np.int64]:
    """Return for each class the place of the class whose labels stand for it.

    That is itself, if it has `least` labels or all its facts have one. Else it is the same class of
    another stratum, else the nearest of its own stratum, whose classes run from the least to the
    most likely, else the nearest at all.
    """
    classes = in_order(strata)
    own = np.arange(len(classes))
    where = np.repeat(np.arange(len(strata)), [len(s.classes) for s in strata])
    enough = [c.labels >= min(least, max(c.judged, 1)) for c in classes]
    having = np.flatnonzero(enough)
    if not having.size:
        return own
    like = [
        place
        if enough[place]
        else min(
            having,
            key=lambda other: (
                classes[other].name != c.name,
                where[other] != where[place],
                abs(other - place),
                other,
            ),
        )
        for place, c in enumerate(classes)
    ]
    return np.array(like, dtype=np.int64)


def of_domain(strata: Sequence[Stratum], domain: Hashable) -> list[Stratum]:
    """Return the strata of a domain that hold facts.

    A stratum of which nothing was judged, such as a few facts that two systems share, is taken to
    be like the one with most judged facts and joins it.
    """
    found = [s for s in strata if s.domain == domain and s.population]
    known = [s for s in found if s.judged]
    if not known or len(known) == len(found):
        return found
    unknown = sum(s.population for s in found if not s.judged)
    most = max(known, key=lambda s: s.judged)
    return [replace(s, population=s.population + unknown) if s is most else s for s in known]


def by_region(strata: Sequence[Stratum], *, corpus: bool) -> dict[str, list[Stratum]]:
    """Return the strata of one system by region; without a corpus there are only "a" and "b"."""
    return {name: of_domain(strata, name) for name in (Regions._fields if corpus else SYSTEM)}


def in_order(strata: Sequence[Stratum]) -> list[StratumClass]:
    """Return the classes of a domain's strata, those of one stratum side by side."""
    return [c for s in strata for c in s.classes]
