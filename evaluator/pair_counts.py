r"""The facts of two systems as a table of counts, and what follows from it.

A pair of systems divides the facts of S₁ ∪ S₂ ∪ G′ into seven strata: what the first alone states,
the second alone, or both, each inside or outside G′, and what neither states. In each stratum four
kinds of facts are told apart: matched in D, accepted, not accepted, not judged. Facts of one kind
are exchangeable, so to draw facts is to draw counts: millions cost no more than a dozen.

All functions take one table, shape (7, 4), or many at once, shape (..., 7, 4).
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from evaluator.tallies import CANDIDATES_REST, Cell, system_rest

Floats = NDArray[np.float64]
PairCounts = NDArray[np.int64]

# What one system alone states comes first, so that swapping exchanges two blocks of two rows.
_ROWS = [
    (first, second, candidate)
    for first, second in ((True, False), (False, True), (True, True), (False, False))
    for candidate in (True, False)
    if first or second or candidate
]
STRATA = len(_ROWS)
FIRST, SECOND, CANDIDATE = (np.array(column) for column in zip(*_ROWS, strict=True))
STATED = FIRST | SECOND
_MATCHED, _ACCEPTED, _REJECTED, _OPEN = range(4)
_ZERO = 1e-12  # what rounding leaves of terms that cancel


def stratum(candidate: bool, systems: frozenset[str], first: str, second: str) -> int | None:
    """Return the stratum of facts; None where they concern neither system nor G′."""
    row = (first in systems, second in systems, candidate)
    return _ROWS.index(row) if any(row) else None


def count(cells: Iterable[Cell], first: str, second: str) -> PairCounts:
    r"""Return the table of two systems.

    Judged are the facts in the sample of S₁ ∖ D, S₂ ∖ D or G′ ∖ D. A third system's sample would
    favour the facts that it shares.
    """
    samples = {system_rest(first), system_rest(second), CANDIDATES_REST}
    counts = np.zeros((STRATA, 4), dtype=np.int64)
    for cell in cells:
        row = stratum(cell.candidate, cell.systems, first, second)
        if row is None:
            continue
        if cell.matched:
            kind = _MATCHED
        elif not cell.samples & samples:
            kind = _OPEN
        else:
            kind = _ACCEPTED if cell.verdict == "accepted" else _REJECTED
        counts[row, kind] += cell.facts
    return counts


def sizes(counts: PairCounts) -> PairCounts:
    """Return the number of facts of each stratum, shape (..., 7)."""
    total: PairCounts = counts.sum(axis=-1)
    return total


def judged(counts: PairCounts) -> PairCounts:
    """Return the number of judged facts of each stratum, matched ones among them."""
    return sizes(counts[..., :_OPEN])


def true_facts(counts: PairCounts) -> Floats:
    """Return the number of true facts of each stratum; nan where it is not estimable."""
    unjudged = counts[..., _OPEN]
    expanded = np.where(unjudged > 0, unjudged * _shares(counts), 0.0)
    known: PairCounts = counts[..., _MATCHED] + counts[..., _ACCEPTED]
    return expanded + known


def figures(size: NDArray[np.number], true: Floats) -> Floats:
    """Return P, R and F of both systems, shape (3, 2, ...); nan where they are not estimable.

    Parameters
    ----------
    size, true
        Facts and true facts of each stratum, shape (..., 7).
    """
    found = []
    # Rows are chosen, not multiplied by 0: precision does not mind an unknown share of the others.
    for member in (FIRST, SECOND):
        facts, right = size[..., member].sum(axis=-1), true[..., member].sum(axis=-1)
        truth = true[..., member | CANDIDATE].sum(axis=-1)
        with np.errstate(invalid="ignore"):
            precision, recall, f1 = right / facts, right / truth, 2 * right / (facts + truth)
        undefined = np.isnan(precision) | np.isnan(recall)
        found.append([precision, recall, np.where(undefined, np.nan, f1)])
    return np.array(found).swapaxes(0, 1)


def resample(counts: PairCounts, *, draws: int, rng: np.random.Generator) -> PairCounts:
    """Draw as many facts with replacement, `draws` times."""
    drawn = np.zeros((draws, counts.size), dtype=np.int64)
    (held,) = counts.ravel().nonzero()
    if held.size:
        facts = counts.ravel()[held]
        drawn[:, held] = rng.multinomial(facts.sum(), facts / facts.sum(), size=draws)
    return drawn.reshape(draws, *counts.shape)


def swap(counts: PairCounts, *, draws: int, rng: np.random.Generator) -> PairCounts:
    """Deal out by a coin, `draws` times, which system states each fact that one alone states."""
    moved = rng.binomial(counts[:4], 0.5, size=(draws, 4, counts.shape[1]))
    swapped = np.broadcast_to(counts, (draws, *counts.shape)).copy()
    swapped[:, :4] += np.roll(moved, 2, axis=1) - moved
    return swapped


def studentised(counts: PairCounts) -> Floats:
    """Return the differences in P, R and F over their standard errors, shape (3, ...).

    The variance is Σ n·g², n the number of facts of each kind and g the derivative of the
    difference by n (delta method; Σ n·g = 0, for the figures stay when all numbers double).
    """
    size, true = sizes(counts), true_facts(counts)
    by_kind = _derivatives(counts)
    values = figures(size, true)
    slopes = []
    for place, member in enumerate((FIRST, SECOND)):
        stated = member[:, None].astype(np.float64)
        right = np.where(member[:, None], by_kind, 0.0)
        truth = np.where((member | CANDIDATE)[:, None], by_kind, 0.0)
        precision, recall, f1 = values[:, place, ..., None, None]
        facts = size[..., member].sum(axis=-1)[..., None, None]
        all_true = true[..., member | CANDIDATE].sum(axis=-1)[..., None, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            by_precision = (right - precision * stated) / facts
            by_recall = (right - recall * truth) / all_true
            by_f1 = (2 * right - f1 * (stated + truth)) / (facts + all_true)
        slopes.append(np.stack([by_precision, by_recall, by_f1]))
    # A kind without facts adds nothing, not even where its derivative is unknown.
    squares = np.where(counts > 0, counts * (slopes[0] - slopes[1]) ** 2, 0.0)
    error = np.sqrt(squares.sum(axis=(-1, -2)))
    difference = values[:, 0] - values[:, 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = difference / np.where(error < _ZERO, 0.0, error)
    return np.where(abs(difference) < _ZERO, 0.0, ratio)


def _shares(counts: PairCounts) -> Floats:
    """Return the accepted share of the judged facts of each stratum.

    A stratum so small that none of its facts is judged takes the share of the facts that the same
    systems state, failing that of those that either system states; nan where there is none.
    """
    accepted, rejected = counts[..., _ACCEPTED], counts[..., _REJECTED]
    known = accepted + rejected
    with np.errstate(invalid="ignore"):
        shares: Floats = accepted / known
        same = (np.equal.outer(FIRST, FIRST)) & (np.equal.outer(SECOND, SECOND))
        for alike in (same, np.logical_and.outer(STATED, STATED)):
            if (unknown := np.isnan(shares)).any():
                shares = np.where(unknown, (accepted @ alike) / (known @ alike), shares)
    return shares


def _derivatives(counts: PairCounts) -> Floats:
    """Return the derivatives of the true facts of each stratum by the number of each kind."""
    shares = _shares(counts)
    known = np.maximum(counts[..., _ACCEPTED] + counts[..., _REJECTED], 1)
    unjudged = counts[..., _OPEN] / known
    one = np.ones_like(shares)
    return np.stack([one, 1 + unjudged * (1 - shares), -unjudged * shares, shares], axis=-1)
