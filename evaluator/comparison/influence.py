"""The influence of each unit on precision, recall and F: how a figure moves with one of its terms.

Each figure is a ratio of sums over units: of what is said, right; of what there is, found. The
influences of all units sum to 0, and the root of the sum of their squares is the figure's standard
error (the delta method).
"""

import numpy as np
from numpy.typing import NDArray


def influence(
    sums: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return P, R, F, shape (3, draws), and the influence of each unit, (3, draws, n).

    Parameters
    ----------
    sums
        right, said, found, gold of each unit, shape (draws, n, 4). Where nothing is said, or there
        is nothing to find, figures are NaN; so is the influence on an F of 0.
    """
    right, said, found, gold = np.moveaxis(sums, 2, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        total_said, total_gold = said.sum(axis=1), gold.sum(axis=1)
        p, r = right.sum(axis=1) / total_said, found.sum(axis=1) / total_gold
        of_p = (right - p[:, None] * said) / total_said[:, None]
        of_r = (found - r[:, None] * gold) / total_gold[:, None]
        f = np.where(p + r == 0, 0.0, 2 * p * r / (p + r))
        slope = 2 / (p + r) ** 2
        of_f = (slope * r**2)[:, None] * of_p + (slope * p**2)[:, None] * of_r
    return np.stack([p, r, f]), np.stack([of_p, of_r, of_f])
