"""Estimates with their intervals: for a share, and for a count in a finite population.

No Wald interval is offered: it has zero width at 0 hits and covers far too little at the small
shares that open extraction is about. Brown, Cai and DasGupta, "Interval estimation for a binomial
proportion", Statistical Science 16(2), 2001, compare the three that are.
"""

from math import isfinite, sqrt
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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

    def as_json(self) -> dict[str, Any]:
        """Return the estimate as a JSON object."""
        return self._asdict()


def wilson(successes: float, n: int, *, level: float = 0.95) -> Estimate:
    """Return the share `successes` / `n` with Wilson's score interval (Wilson 1927).

    Parameters
    ----------
    successes
        Sum of n values in [0, 1]. Fractions are allowed: a mean m of such values varies by at most
        m(1 − m), the variance that the interval assumes, so it then covers at least its level.
    n
        Number of values; with 0 nothing is estimated.

    Raises
    ------
    ValueError
        If `successes` is outside [0, n] or `level` outside (0, 1).
    """
    _check(successes, n, level)
    if n == 0:
        return Estimate(None, None, None, "Wilson", level, 0)
    share = successes / n
    z = float(_special().ndtri((1 + level) / 2))
    centre = share + z**2 / (2 * n)
    half = z * sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    low, high = ((centre + sign * half) / (1 + z**2 / n) for sign in (-1, 1))
    # Rounding must not put the ends beside the share: they equal 0 and 1 there by the formula.
    return Estimate(
        share, max(0.0, min(low, share)), min(1.0, max(high, share)), "Wilson", level, n
    )


def jeffreys(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """Return the share with the equal-tailed interval of the posterior under Jeffreys' prior.

    The lower end is 0 at no success and the upper end 1 at no failure (Brown et al. 2001, 4.1.2),
    else coverage would vanish at the ends.

    Raises
    ------
    ValueError
        If `successes` is outside [0, n] or `level` outside (0, 1).
    """
    _check(successes, n, level)
    return _beta_interval("Jeffreys", (0.5, 0.5), (0.5, 0.5), successes, n, level)


def clopper_pearson(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """Return the share with the exact interval of Clopper and Pearson (1934).

    Never covers less than its level; wider than the others.

    Raises
    ------
    ValueError
        If `successes` is outside [0, n] or `level` outside (0, 1).
    """
    _check(successes, n, level)
    return _beta_interval("Clopper-Pearson", (0, 1), (1, 0), successes, n, level)


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


def _beta_interval(
    method: str,
    low_shape: tuple[float, float],
    high_shape: tuple[float, float],
    successes: int,
    n: int,
    level: float,
) -> Estimate:
    """Quantiles of Beta(successes, failures), each with its own addition to the two shapes."""
    if n == 0:
        return Estimate(None, None, None, method, level, 0)
    failures, tail = n - successes, (1 - level) / 2
    low = high = None
    if successes > 0:
        low = _special().betaincinv(successes + low_shape[0], failures + low_shape[1], tail)
    if failures > 0:
        high = _special().betaincinv(successes + high_shape[0], failures + high_shape[1], 1 - tail)
    return Estimate(
        successes / n,
        0.0 if low is None else float(low),
        1.0 if high is None else float(high),
        method,
        level,
        n,
    )


def _check(successes: float, n: int, level: float) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n}: not a share")
    if not 0 < level < 1:
        raise ValueError(f"level {level} is outside (0, 1)")


def _special() -> ModuleType:
    """Return scipy's special functions, which take a second to import: few commands need them."""
    from scipy import special

    return special
