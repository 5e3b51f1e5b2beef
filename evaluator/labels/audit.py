r"""Whether probabilities made elsewhere hold for the facts of a run: a small test by labels.

Facts are drawn at random within strata of the probability, equally many of each, so that the test
sees all of its range. If the probabilities hold, a fact with probability p is true with
probability p, whatever else it is. Two kinds of tests look whether labels contradict that:

*In the large*: is the share of true facts that of the probabilities? The sum over strata h of
W_h (mean label − mean probability), with W_h = N_h/N, has the mean 0, and the variance
Σ W_h² Σ p(1 − p) / n_h². Its p-value comes from draws of it, because it is far from normal where
probabilities are near 0 or 1.

*By stratum*: the number of true labels has a Poisson binomial distribution, and the p-value is
exact, twice the smaller tail.

All p-values are corrected together (Holm 1979). A test that finds nothing has not shown that
probabilities hold. So an audit tells what it would have found with the power :data:`POWER`.
Facts are taken to be independent.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.comparison.two_systems import holm
from evaluator.errors import ConfigurationError
from evaluator.interval_ends import POWER, detectable
from evaluator.intervals import Drawing
from evaluator.named_objects import ClosedModel

STRATA: Final = 5
"""Strata of the probability that facts are drawn from, at most."""

LEAST_ANSWERS: Final = 30
"""Answers that an audit takes at least."""

_LEAST_OF_STRATUM = 5
# Probabilities are known to thousandths (jobs.evidence.annotator.fact_scores): 0 may be 0.0004.
_SURE = 0.0005

type _Floats = NDArray[np.float64]


class AuditedFacts(NamedTuple):
    """The facts of a stratum that were drawn, or those of them that have an answer.

    Attributes
    ----------
    name
        Of the stratum.
    population
        How many facts it has.
    probability
        Of each of these facts, shape (facts,).
    truth
        Whether each is true, shape (facts,); empty before there are answers.
    """

    name: str
    population: int
    probability: _Floats
    truth: NDArray[np.bool_]


class AuditPower(NamedTuple):
    """What an audit would find in four of five cases.

    Attributes
    ----------
    large
        The smallest difference of the share of true facts from the mean probability.
    shares
        By stratum, the largest share of true facts below the probabilities that would be found, and
        the smallest above; None where there is none.
    """

    large: float
    shares: Mapping[str, tuple[float | None, float | None]]


class AuditedStratum(ClosedModel):
    """A stratum of the probability, with its test."""

    name: str
    facts: int
    """Facts of the population in it."""
    answered: int
    expected: float
    """Mean probability of the answered facts."""
    true: float
    """Share of true facts among the answered ones."""
    p: float
    holm: float
    found_below: float | None
    """The largest share of true facts, below the probabilities, that 80 % of audits would find."""
    found_above: float | None
    """The smallest above."""


class Audit(ClosedModel):
    """What labels say of probabilities that were made elsewhere."""

    holds: bool
    """Whether no test, after the correction, contradicts them."""
    level: float
    facts: int
    """Facts of the population: those that the annotator judged."""
    answered: int
    difference: float
    """Share of true facts less mean probability, in the population."""
    error: float
    """Its standard error where the probabilities hold."""
    resolves: float
    """The smallest difference that 80 % of audits would find."""
    p: float
    holm: float
    strata: tuple[AuditedStratum, ...]


def probability_strata(probability: _Floats, strata: int = STRATA) -> NDArray[np.intp]:
    """Return the stratum of each fact, numbered from 0: about equally many in each.

    Facts of one probability are in one stratum, so that there may be fewer.
    """
    if not probability.size:
        return np.zeros(0, np.intp)
    ends = np.quantile(probability, np.arange(1, strata + 1) / strata, method="inverted_cdf")
    return np.unique(np.searchsorted(np.unique(ends), probability), return_inverse=True)[1]


def equal_parts(sizes: Sequence[int], number: int) -> list[int]:
    """Return how many facts to draw of strata of these sizes: equally many, as far as they go."""
    parts = [0] * len(sizes)
    # The smallest first: what they lack falls to the others.
    order = sorted(range(len(sizes)), key=lambda place: (sizes[place], place))
    for done, place in enumerate(order):
        parts[place] = min(sizes[place], number // (len(sizes) - done))
        number -= parts[place]
    return parts


def audit_power(strata: Sequence[AuditedFacts], *, level: float) -> AuditPower:
    """Return what an audit of these facts would find.

    It is asked of the first p-value in Holm's order, the level of which is the strictest.
    """
    strictest = 1 - (1 - level) / (len(strata) + 1)
    return AuditPower(
        detectable(_error(strata), strictest),
        {of.name: _found_shares(_true_facts(of.probability), 1 - strictest) for of in strata},
    )


def audit(strata: Sequence[AuditedFacts], *, drawing: Drawing) -> Audit:
    """Return whether labels contradict the probabilities.

    Parameters
    ----------
    strata
        The facts with an answer, each stratum a simple random sample.
    drawing
        Its level is that of the test; the p-value in the large is drawn.

    Raises
    ------
    ConfigurationError
        For fewer than 30 answers, or a stratum with fewer than five.
    """
    answered = sum(of.truth.size for of in strata)
    fewest = min(strata, key=lambda of: of.truth.size, default=None)
    if fewest is None or answered < LEAST_ANSWERS:
        raise ConfigurationError(f"{answered} answers; an audit takes {LEAST_ANSWERS} at least")
    if fewest.truth.size < min(_LEAST_OF_STRATUM, fewest.population):
        raise ConfigurationError(
            f"{fewest.truth.size} answers to facts of the stratum {fewest.name}; an audit takes "
            f"{_LEAST_OF_STRATUM} of each at least"
        )
    known = [_true_facts(of.probability) for of in strata]
    true = [int(of.truth.sum()) for of in strata]
    # How far the true labels are from what is expected, weighted, as observed and as drawn.
    scale = _weights(strata) / [of.truth.size for of in strata]
    expected = np.array([_sure(of.probability).sum() for of in strata])
    difference = float(((true - expected) * scale).sum())
    rng = drawing.rng()
    drawn = np.column_stack([rng.choice(of.size, drawing.draws, p=of) for of in known])
    by_chance = np.abs(((drawn - expected) * scale).sum(axis=1))
    as_far = int((by_chance >= abs(difference) - 1e-12).sum())
    p_values = [(as_far + 1) / (drawing.draws + 1), *map(_two_sided, known, true)]
    corrected = [float(p or 0.0) for p in holm(p_values)]
    power = audit_power(strata, level=drawing.level)
    return Audit(
        holds=min(corrected) > 1 - drawing.level,
        level=drawing.level,
        facts=sum(of.population for of in strata),
        answered=answered,
        difference=difference,
        error=_error(strata),
        resolves=power.large,
        p=p_values[0],
        holm=corrected[0],
        strata=tuple(
            AuditedStratum(
                name=of.name,
                facts=of.population,
                answered=of.truth.size,
                expected=float(_sure(of.probability).mean()),
                true=number / of.truth.size,
                p=p,
                holm=p_corrected,
                found_below=power.shares[of.name][0],
                found_above=power.shares[of.name][1],
            )
            for of, number, p, p_corrected in zip(
                strata, true, p_values[1:], corrected[1:], strict=True
            )
        ),
    )


def _sure(probability: _Floats) -> _Floats:
    return np.clip(probability, _SURE, 1 - _SURE)


def _weights(strata: Sequence[AuditedFacts]) -> _Floats:
    sizes = np.array([of.population for of in strata], float)
    return np.asarray(sizes / sizes.sum())


def _error(strata: Sequence[AuditedFacts]) -> float:
    """Return the standard error of the difference in the large where probabilities hold."""
    of_stratum = [(p * (1 - p)).sum() / p.size**2 for p in (_sure(of.probability) for of in strata)]
    return sqrt(float((_weights(strata) ** 2 * of_stratum).sum()))


def _true_facts(probability: _Floats) -> _Floats:
    """Return how probable each number of true facts is, from none to all (Poisson binomial)."""
    steps = np.column_stack([1 - _sure(probability), _sure(probability)])
    found = reduce(np.convolve, steps, np.ones(1))
    return np.asarray(found / found.sum())


def _two_sided(known: _Floats, true: int) -> float:
    return min(1.0, 2 * float(min(known[: true + 1].sum(), known[true:].sum())))


def _found_shares(known: _Floats, alpha: float) -> tuple[float | None, float | None]:
    """Return the shares of true facts, farthest from 0 and 1, that a test at `alpha` would find."""
    from scipy.special import betaincinv

    n = known.size - 1
    few, many = (
        np.flatnonzero(2 * np.cumsum(known) <= alpha),
        np.flatnonzero(2 * np.cumsum(known[::-1])[::-1] <= alpha),
    )
    # n facts of the share q have at most k true ones, or at least k, with the wanted power.
    below = 1 - float(betaincinv(n - few[-1], few[-1] + 1, POWER)) if few.size else None
    above = float(betaincinv(many[0], n - many[0] + 1, POWER)) if many.size else None
    return below, above
