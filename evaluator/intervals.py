"""Estimates with their intervals: for a share, and for a count in a finite population.

No Wald interval is offered: it has zero width at 0 hits and covers far too little at the small
shares that open extraction is about. Brown, Cai and DasGupta, "Interval estimation for a binomial
proportion", Statistical Science 16(2), 2001, compare those that are.

Each takes the size N of a finite `population`, of which the n values are a simple random sample
without replacement; without it the population is unlimited. Wilson's and the two Bayesian intervals
are then those of the same share of :func:`~evaluator.interval_ends.effective_size` values; Clopper
and Pearson's inverts the hypergeometric distribution itself, without which it would lose its
guarantee. None goes beyond what the sample leaves possible, and at a census, n = N, none has any
width. Where little is left unsampled shares are coarse, and Clopper and Pearson's is the one to
take: of 150 of 200 facts, the Bayesian ones cover some shares in 75 % of the samples only.
"""

from dataclasses import dataclass
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.interval_ends import (
    beta_quantiles,
    effective_size,
    least_total,
    normal_quantile,
    shortest,
)

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

FINITE_POPULATION = "Jeffreys posterior, finite population"
CENSUS = "census"


class Estimate(NamedTuple):
    """A figure with its interval.

    Attributes
    ----------
    value, low, high
        Point estimate and ends of the interval; all None where there is nothing to estimate from.
    method
        How the interval was made.
    level
        Nominal coverage, 0.95 for a 95 % interval.
    n
        Number of judged facts that the figure rests on.
    """

    value: float | None
    low: float | None
    high: float | None
    method: str
    level: float
    n: int

    @property
    def all_judged(self) -> bool:
        """Whether the interval has no width: every fact was judged, so nothing was sampled."""
        return self.value is not None and self.low == self.value == self.high

    @property
    def width(self) -> float | None:
        """Width of the interval; None where there is none."""
        return None if self.low is None or self.high is None else self.high - self.low

    def holds(self, value: float) -> bool:
        """Tell whether the interval holds a value."""
        if self.low is None or self.high is None:
            return False
        # A census has no width: rounding must not put the truth beside it.
        return self.low <= value + 1e-12 and value - 1e-12 <= self.high

    def as_json(self) -> dict[str, Any]:
        """Return the estimate as a JSON object."""
        return self._asdict()

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from evaluator.named_objects import as_object  # estimating alone needs no models

        return as_object(cls, handler)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How draws make intervals: of a posterior, of sentences or facts anew, of orders.

    Attributes
    ----------
    level
        Nominal coverage of the intervals.
    draws
        Their number; 10,000 leave the ends of an interval uncertain by about 1 % of its width.
    seed
        The same seed gives the same figures.

    Raises
    ------
    ValueError
        If `level` is outside (0, 1) or `draws` is not positive.
    """

    level: float = 0.95
    draws: int = 10_000
    seed: int

    def __post_init__(self) -> None:
        _check(0, 0, self.level)
        if self.draws < 1:
            raise ValueError(f"draws must be positive: {self.draws}")

    def rng(self) -> np.random.Generator:
        """Return the source of the draws, from its start."""
        return np.random.default_rng(self.seed)


def wilson(
    successes: float, n: int, *, level: float = 0.95, population: int | None = None
) -> Estimate:
    """Return the share `successes` / `n` with Wilson's score interval (Wilson 1927).

    Parameters
    ----------
    successes
        Sum of n values in [0, 1]. Fractions are allowed: a mean m of such values varies by at most
        m(1 − m), the variance that the interval assumes, so it then covers at least its level.
    n
        Number of values; with 0 nothing is estimated.
    level
        Nominal coverage.
    population
        Size of the finite population that was sampled.

    Raises
    ------
    ValueError
        If `successes` is outside [0, n], `level` outside (0, 1) or `population` below `n`.
    """
    _check(successes, n, level, population)
    if n in (0, population):
        return _without_width("Wilson", successes, n, level)
    share = successes / n
    size = effective_size(n, population)
    z = normal_quantile((1 + level) / 2)
    centre = share + z**2 / (2 * size)
    half = z * sqrt(share * (1 - share) / size + (z / (2 * size)) ** 2)
    low, high = ((centre + sign * half) / (1 + z**2 / size) for sign in (-1, 1))
    # Rounding must not put the ends beside the share: they equal 0 and 1 there by the formula.
    ends = max(0.0, min(low, share)), min(1.0, max(high, share))
    return _estimate("Wilson", successes, n, ends, level, population)


def jeffreys(
    successes: int, n: int, *, level: float = 0.95, population: int | None = None
) -> Estimate:
    """Return the share with the equal-tailed interval of the posterior under Jeffreys' prior.

    The lower end is 0 at no success and the upper end 1 at no failure (Brown et al. 2001, 4.1.2),
    else coverage would vanish at the ends. Parameters and errors as for :func:`wilson`.
    """
    _check(successes, n, level, population)
    if n in (0, population):
        return _without_width("Jeffreys", successes, n, level)
    size = effective_size(n, population)
    ends = beta_quantiles(
        successes * (size / n), (n - successes) * (size / n), (0.5, 0.5), (0.5, 0.5), level
    )
    return _estimate("Jeffreys", successes, n, ends, level, population)


def clopper_pearson(
    successes: int, n: int, *, level: float = 0.95, population: int | None = None
) -> Estimate:
    """Return the share with the exact interval of Clopper and Pearson (1934).

    Never covers less than its level; wider than the others. In a finite population its ends are
    the least and the greatest share k/N under which a tail as far as what was seen is more
    probable than (1 − `level`)/2. Parameters and errors as for :func:`wilson`.
    """
    _check(successes, n, level, population)
    if n in (0, population):
        return _without_width("Clopper-Pearson", successes, n, level)
    failures = n - successes
    if population is None:
        ends = beta_quantiles(successes, failures, (0, 1), (1, 0), level)
    else:
        tail = (1 - level) / 2
        least = least_total(successes, failures, population, tail)
        most = population - least_total(failures, successes, population, tail)
        ends = least / population, most / population
    return _estimate("Clopper-Pearson", successes, n, ends, level, population)


def hpd(
    successes: int,
    n: int,
    *,
    level: float = 0.95,
    prior: tuple[float, float] = (0.5, 0.5),
    population: int | None = None,
) -> Estimate:
    """Return the share with the interval of highest posterior density: the shortest of its level.

    It begins at 0 or ends at 1 where the density is highest there; else the density is the same at
    both ends. Where it would leave out the share (at a low level or a strong prior), it is widened
    to hold it.

    Parameters
    ----------
    successes, n, level, population
        As for :func:`wilson`.
    prior
        Shapes of the Beta prior, Jeffreys' by default. To take the shortest interval over several
        priors forfeits the nominal coverage.

    Raises
    ------
    ValueError
        As for :func:`wilson`; or if a shape of the prior is not above 0.
    """
    _check(successes, n, level, population)
    if not min(prior) > 0:
        raise ValueError(f"prior {prior}: the shapes of a Beta distribution are above 0")
    if n in (0, population):
        return _without_width("HPD", successes, n, level)
    share, size = successes / n, effective_size(n, population)
    low, high = shortest(
        successes * (size / n) + prior[0], (n - successes) * (size / n) + prior[1], level
    )
    return _estimate("HPD", successes, n, (min(low, share), max(high, share)), level, population)


def finite_population_draws(
    accepted: int,
    sampled: int,
    population: int | NDArray[np.int64],
    *,
    draws: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Draw from the posterior of how many facts of a finite population would be accepted.

    What was sampled is known; the number accepted among the rest is beta-binomial under Jeffreys'
    prior. At a census every draw is `accepted`, so the interval has no width.

    Parameters
    ----------
    accepted, sampled
        Of a simple random sample without replacement.
    population
        Size of the population, or one size per draw where it is itself uncertain; never below
        `sampled`.
    draws
        Number of draws.
    rng
        Source of randomness.

    Returns
    -------
    array of shape (draws,)
        Numbers of facts, between `accepted` and `population` − (`sampled` − `accepted`).
    """
    share = rng.beta(accepted + 0.5, sampled - accepted + 0.5, size=draws)
    return accepted + rng.binomial(population - sampled, share)


def from_draws(
    value: float | None, draws: NDArray[Any], *, method: str, level: float, n: int
) -> Estimate:
    """Return `value` with the equal-tailed interval of posterior `draws`.

    The interval is widened to hold the value where it would not (at 0 hits, as for
    :func:`jeffreys`); widening only adds coverage. A value that is None or not finite gives an
    estimate without figures.

    Raises
    ------
    ValueError
        If `level` is outside (0, 1).
    """
    _check(0, n, level)
    if value is None or not isfinite(value):
        return Estimate(None, None, None, method, level, n)
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    value = float(value)
    return Estimate(value, min(value, float(low)), max(value, float(high)), method, level, n)


def _estimate(
    method: str,
    successes: float,
    n: int,
    ends: tuple[float, float],
    level: float,
    population: int | None,
) -> Estimate:
    """Return the share with its interval, cut to the shares that the sample leaves possible."""
    low, high = ends
    if population is not None:
        method = f"{method}, finite population"
        low = max(low, successes / population)
        high = min(high, 1 - (n - successes) / population)
    return Estimate(successes / n, low, high, method, level, n)


def _without_width(method: str, successes: float, n: int, level: float) -> Estimate:
    """Return the estimate of a census, or of nothing."""
    if n == 0:
        return Estimate(None, None, None, method, level, 0)
    share = successes / n
    return Estimate(share, share, share, CENSUS, level, n)


def _check(successes: float, n: int, level: float, population: int | None = None) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n}: not a share")
    if not 0 < level < 1:
        raise ValueError(f"level {level} is outside (0, 1)")
    if population is not None and population < n:
        raise ValueError(f"a sample of {n} from a population of {population}")
