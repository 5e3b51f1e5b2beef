"""Where intervals for a share end: what :mod:`evaluator.intervals` computes with."""

from bisect import bisect_right
from math import inf, log, log1p
from types import ModuleType
from typing import Final

POWER: Final = 0.8
"""Share of the cases in which a difference is found that is said to be one that can be found."""


def normal_quantile(probability: float) -> float:
    """Return the quantile of the standard normal distribution."""
    return float(_special().ndtri(probability))


def detectable(error: float, level: float) -> float:
    """Return the smallest difference that a two-sided test finds with the power :data:`POWER`.

    Parameters
    ----------
    error
        Standard error of the difference, which is taken to be normal.
    level
        1 less the level of the test.
    """
    return (normal_quantile((1 + level) / 2) + normal_quantile(POWER)) * error


def effective_size(n: int, population: int | None) -> float:
    """Return how many independent values tell as much as a sample of `n` of the population.

    The share in a simple random sample without replacement of n of N values has the variance
    p(1 − p)/n · (N − n)/(N − 1) (Cochran, Sampling Techniques, 1977, section 3.2), that of
    n(N − 1)/(N − n) independent values. To put the effective size into an interval for independent
    values is what Korn and Graubard do for surveys (Survey Methodology 24, 1998); into Wilson's, it
    gives exactly the score interval under that variance.

    Parameters
    ----------
    n
        Size of the sample, below that of the population.
    population
        Size of the population; None for an unlimited one, with an effective size of `n`.
    """
    return n if population is None else n * (population - 1) / (population - n)


def beta_quantiles(
    successes: float,
    failures: float,
    low_shape: tuple[float, float],
    high_shape: tuple[float, float],
    level: float,
) -> tuple[float, float]:
    """Return equal-tailed quantiles of Beta(successes, failures).

    Each has its own addition to the two shapes. The lower is 0 without successes, the upper 1
    without failures.
    """
    tail = (1 - level) / 2
    low, high = 0.0, 1.0
    if successes > 0:
        low = _special().betaincinv(successes + low_shape[0], failures + low_shape[1], tail)
    if failures > 0:
        high = _special().betaincinv(successes + high_shape[0], failures + high_shape[1], 1 - tail)
    return float(low), float(high)


def shortest(a: float, b: float, level: float) -> tuple[float, float]:
    """Return the shortest interval that holds `level` of Beta(a, b), of which a or b exceeds 1."""
    quantile = _special().betaincinv
    if a <= 1:
        return 0.0, float(quantile(a, b, level))
    if b <= 1:
        return float(quantile(a, b, 1 - level)), 1.0

    def log_density(x: float) -> float:
        return (a - 1) * log(x) + (b - 1) * log1p(-x) if 0 < x < 1 else -inf

    # Below the shortest interval lies the probability at which the ends have the same density: with
    # less the lower end is the less dense, with more the upper one.
    least, most = 0.0, 1 - level
    while least < (below := (least + most) / 2) < most:
        low, high = float(quantile(a, b, below)), float(quantile(a, b, below + level))
        if log_density(low) < log_density(high):
            least = below
        else:
            most = below
    return low, high


def least_total(successes: int, failures: int, population: int, tail: float) -> int:
    """Return the least number in the population with Pr(at least `successes` sampled) > `tail`."""
    from scipy.stats import hypergeom

    n = successes + failures
    totals = range(successes, population - failures + 1)
    return totals[
        bisect_right(
            totals, tail, key=lambda total: hypergeom.sf(successes - 1, population, total, n)
        )
    ]


def _special() -> ModuleType:
    """Return scipy's special functions, which take a second to import: few commands need them."""
    from scipy import special

    return special
