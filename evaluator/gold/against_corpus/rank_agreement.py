r"""How far two ways to measure systems agree on their order.

Kendall's τ-b (Kendall 1945) looks at pairs of systems: those that both measures order alike minus
those that they order in opposite ways, over √((P − T₁)(P − T₂)), with P pairs, of which the
measures leave T₁ and T₂ tied. It is 1 for the same order and −1 for the opposite one.

Two things are uncertain. *The order of these systems*: figures are estimated from some sentences;
draws of them (:mod:`evaluator.gold.resampling`) give draws of τ, and these its interval. Noise in
figures only mixes the order up, so the draws lie nearer to 0 than τ, and the interval with them.
*Which systems these are*: among n systems even unrelated measures agree by luck. The p-value is the
share of the n! orders of one measure's figures that agree, or disagree, at least as much.
"""

import math
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.intervals import Estimate, from_draws

Floats = NDArray[np.float64]

METHOD = "percentile bootstrap over sentences, the same for both measures"

_ALL_ORDERS = 7  # of so many systems; of more, draws of orders
_DIGITS = 12  # beyond them is what rounding leaves of equal values
_TIE = 10.0**-_DIGITS


class RankAgreement(NamedTuple):
    """How far two measures agree on the order of systems.

    Attributes
    ----------
    tau
        Kendall's τ-b with its interval; n is the number of systems.
    p
        Two-sided p-value of the permutation test; None where τ is undefined.
    """

    tau: Estimate
    p: float | None

    def as_json(self) -> dict[str, Any]:
        """Return the agreement as a JSON object."""
        return {"tau": self.tau.as_json(), "p": self.p}


def kendall_tau_b(first: Floats, second: Floats) -> Floats:
    """Return τ-b of two measures of n systems.

    Parameters
    ----------
    first, second
        Figures of the systems, shape (..., n).

    Returns
    -------
    array of shape (...)
        NaN where a measure ties all systems, or a figure is not known.
    """
    from scipy.stats import kendalltau

    # Equal but for rounding is equal: scipy would break such a tie. Its own rounding leaves less
    # than 1 for the same order.
    one, two = (np.round(np.asarray(figures), _DIGITS) for figures in (first, second))
    tau: Floats = np.round(kendalltau(one, two, axis=-1).statistic, _DIGITS)
    return tau


def ranks(figures: Floats) -> list[int | None]:
    """Return the places of systems, 1 for the highest figure, equal ones alike; None for NaN."""
    return [
        None if np.isnan(value) else 1 + int((figures > value + _TIE).sum()) for value in figures
    ]


def rank_agreement(
    first: Floats,
    second: Floats,
    *,
    first_drawn: Floats,
    second_drawn: Floats,
    level: float,
    seed: int,
) -> RankAgreement:
    """Return how far two measures agree on the order of systems.

    Parameters
    ----------
    first, second
        Figures of the systems, shape (n,). Systems without one of the two are left out.
    first_drawn, second_drawn
        The same in draws that belong together, shape (n, draws). A draw in which τ is undefined
        is left out.
    level
        Nominal coverage of the interval.
    seed
        Of the orders that are drawn where there are too many to try them all.
    """
    known = np.isfinite(first) & np.isfinite(second)
    first, second = first[known], second[known]
    tau = float(kendall_tau_b(first, second)) if len(first) > 1 else math.nan
    drawn = kendall_tau_b(first_drawn[known].T, second_drawn[known].T)
    drawn = drawn[np.isfinite(drawn)]
    value = tau if drawn.size else None
    n = int(known.sum())
    return RankAgreement(
        from_draws(value, drawn, method=METHOD, level=level, n=n),
        None if math.isnan(tau) else permutation_p(first, second, seed=seed),
    )


def permutation_p(first: Floats, second: Floats, *, seed: int, draws: int = 10_000) -> float:
    """Return the two-sided p-value of τ-b: exact up to seven systems, else by `draws` orders.

    Of drawn orders the observed one is counted among them (Phipson and Smyth 2010).
    """
    n = len(first)
    if n <= _ALL_ORDERS:
        orders = np.array(list(permutations(range(n))))
    else:
        rng = np.random.default_rng(seed)
        drawn = rng.permuted(np.tile(np.arange(n), (draws, 1)), axis=1)
        orders = np.vstack([np.arange(n), drawn])
    tau = np.abs(kendall_tau_b(np.broadcast_to(first, orders.shape), second[orders]))
    observed = abs(float(kendall_tau_b(first, second)))
    return float((tau >= observed - _TIE).mean())
