"""What wrong answers would make of figures that take all answers for right.

Of facts with a true share p, raters who are wrong on a share e of either kind call
q = p (1 − e) + (1 − p) e true. So the q that they gave stands for p = (q − e) / (1 − 2e): where few
facts are true, most of those called true may be wrong.
"""

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any

from evaluator.named_objects import ClosedModel
from evaluator.wordings import MEASURES

SHARES = (0.01, 0.02, 0.05)
"""The shares of wrong answers that a result tells about."""


class WrongAnswers(ClosedModel):
    """By how much figures are too high if some answers are wrong; too low where below 0.

    Attributes
    ----------
    share
        Of the labels, true and false ones alike, that are wrong.
    precision, recall, f1
        The figure less what it would be; None where there is no figure.
    """

    share: float
    precision: float | None
    recall: float | None
    f1: float | None


def if_wrong(
    true: Mapping[str, float],
    sizes: Mapping[str, int],
    figures: Callable[[Mapping[str, float]], tuple[Any, Any | None, Any | None]],
) -> tuple[WrongAnswers, ...]:
    """Return what each of :data:`SHARES` of wrong answers would make of figures.

    Parameters
    ----------
    true, sizes
        True facts of each region as its labels have them, and all its facts. Where fewer are true
        than would be called so by mistake, none is.
    figures
        Precision, recall and F of true facts by region; nan or None where there is none.
    """
    as_told = figures(true)
    found = []
    for share in SHARES:
        meant = {
            region: min(max((value - share * sizes[region]) / (1 - 2 * share), 0.0), sizes[region])
            for region, value in true.items()
        }
        found.append(
            WrongAnswers.model_validate(
                {"share": share}
                | {
                    name: None if a is None or b is None or isnan(a - b) else float(a - b)
                    for name, a, b in zip(MEASURES, as_told, figures(meant), strict=True)
                }
            )
        )
    return tuple(found)


def in_words(found: Sequence[WrongAnswers]) -> str:
    """Return the same in a sentence."""
    shares = [f"{100 * one.share:g}" for one in found]
    told = []
    for name, words in MEASURES.items():
        values = [getattr(one, name) for one in found]
        if None not in values:
            points = [f"{100 * value:+z.1f}" for value in values]
            told.append(f"{words} by {', '.join(points[:-1])} or {points[-1]} points")
    return (
        f"Intervals do not hold raters' errors: {', '.join(shares[:-1])} or {shares[-1]} % of "
        f"wrong answers change {'; '.join(told)}."
    )
