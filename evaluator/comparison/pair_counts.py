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

from evaluator.estimators.tallies import CANDIDATES_REST, Cell, system_rest

Floats = NDArray[np.float64]
PairCounts = NDArray[np.int64]

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
