"""The share of true facts behind an annotator that errs at known rates (Rogan and Gladen 1978).

An annotator of sensitivity Se and specificity Sp accepts a share q = π·Se + (1 − π)(1 − Sp) of the
facts, whatever it is that it gets wrong; solved for π, the accepted share tells the true one.

This holds only where Se and Sp are those of the very facts that were judged. They are not carried
from one set to another: an annotator that accepts 3 % of a corpus has a specificity of at least
97 % there, whatever it had on a hand-made set. And it divides by J = Se + Sp − 1: the closer the
annotator is to chance, the less it tells, so that labels taken from the facts themselves, by
verdict, mostly tell more (at 558 labels the interval here is two to eight times as wide).
"""

from dataclasses import dataclass
from math import hypot, sqrt
from typing import NamedTuple

from evaluator.interval_ends import normal_quantile
from evaluator.intervals import Estimate, wilson

METHOD = "Rogan-Gladen, Lang-Reiczigel interval"
# Whether anything can be estimated does not hang on the level that is asked for.
RELIABLE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How the annotator judged facts that people labelled.

    Attributes
    ----------
    true, false
        Facts labelled true and false.
    true_accepted, false_rejected
        Those of them that the annotator judged alike.

    Raises
    ------
    ValueError
        If the counts do not fit into each other.
    """

    true: int
    true_accepted: int
    false: int
    false_rejected: int

    def __post_init__(self) -> None:
        if not (0 <= self.true_accepted <= self.true and 0 <= self.false_rejected <= self.false):
            raise ValueError(f"the counts do not fit into each other: {self}")

    @property
    def sensitivity(self) -> Estimate:
        """Share of the true facts that are accepted, Se."""
        return wilson(self.true_accepted, self.true, level=RELIABLE)

    @property
    def specificity(self) -> Estimate:
        """Share of the false facts that are rejected, Sp."""
        return wilson(self.false_rejected, self.false, level=RELIABLE)

    @property
    def youden(self) -> Estimate:
        """J = Se + Sp − 1, 0 for an annotator that decides by chance.

        It is a difference of two shares, Se and 1 − Sp; the interval is Newcombe's from their
        Wilson intervals (Statistics in Medicine 17, 1998, 873-890, method 10).
        """
        n = self.true + self.false
        hits, rejections = self.sensitivity, self.specificity
        se, se_low, se_high = hits.value, hits.low, hits.high
        sp, sp_low, sp_high = rejections.value, rejections.low, rejections.high
        if se is None or se_low is None or se_high is None:
            return Estimate(None, None, None, "Newcombe", RELIABLE, n)
        if sp is None or sp_low is None or sp_high is None:
            return Estimate(None, None, None, "Newcombe", RELIABLE, n)
        value = se + sp - 1
        low, high = hypot(se - se_low, sp - sp_low), hypot(se_high - se, sp_high - sp)
        return Estimate(value, value - low, value + high, "Newcombe", RELIABLE, n)


class Corrected(NamedTuple):
    """A share corrected for the annotator's errors.

    Attributes
    ----------
    estimate
        Share of true facts, in [0, 1], with its interval; without figures if not estimable.
    variance
        Of the estimator before it is cut to [0, 1]; None if not estimable.
    reason
        Why the share is not estimable, in a sentence; None if it is.
    """

    estimate: Estimate
    variance: float | None
    reason: str | None


def rogan_gladen(
    accepted: int, judged: int, *, calibration: Calibration, level: float = 0.95
) -> Corrected:
    """Estimate the share of true facts from the share accepted: π = (q + Sp − 1)/J.

    Not estimable, and then without any figure, is the share

    * if no fact was judged, or none of those labelled is true, or none false;
    * if the annotator is not reliably better than chance: the lower 95 % limit of J is not above 0;
    * if the interval lies outside [0, 1] as a whole: the facts judged are not like those labelled.

    Parameters
    ----------
    accepted, judged
        Facts that the annotator accepted, of how many.
    calibration
        Facts of the same population with labels, independent of those judged.
    level
        Nominal coverage.

    Returns
    -------
    Corrected
        With the interval of Lang and Reiczigel (Preventive Veterinary Medicine 113, 2014, 13-22,
        equations 6, 7, 16 and 17), widened to hold the estimate where it would not.

    Raises
    ------
    ValueError
        If `accepted` is outside [0, `judged`] or `level` outside (0, 1).
    """
    share, chance = wilson(accepted, judged, level=level).value, calibration.youden
    if share is None:
        return _not_estimable("no fact was judged", judged, level)
    if chance.value is None or chance.low is None:
        kind = "false" if calibration.true else "true"
        return _not_estimable(f"no fact that is {kind} was labelled", judged, level)
    if chance.low <= 0:
        reason = (
            f"the annotator is not reliably better than chance: Se + Sp − 1 is {chance.value:.2f}, "
            f"its lower {RELIABLE:.0%} limit {chance.low:.2f}"
        )
        return _not_estimable(reason, judged, level)
    low, high = lang_reiczigel(share, judged, calibration, level)
    if high < 0 or low > 1:
        reason = (
            f"the facts judged are not like those labelled: with their Se and Sp, {share:.1%} "
            f"accepted would mean between {low:.1%} and {high:.1%} true"
        )
        return _not_estimable(reason, judged, level)
    se = calibration.true_accepted / calibration.true
    sp = calibration.false_rejected / calibration.false
    true = (share + sp - 1) / chance.value
    variance = (
        share * (1 - share) / judged
        + true**2 * se * (1 - se) / calibration.true
        + (1 - true) ** 2 * sp * (1 - sp) / calibration.false
    ) / chance.value**2
    value = _within(true)
    ends = min(value, _within(low)), max(value, _within(high))
    return Corrected(Estimate(value, *ends, METHOD, level, judged), variance, None)


def lang_reiczigel(
    share: float, judged: int, calibration: Calibration, level: float
) -> tuple[float, float]:
    """Return the ends of the Lang-Reiczigel interval of the share, not cut to [0, 1].

    Parameters
    ----------
    share, judged
        Share of the judged facts that the annotator accepted, and their number.
    calibration, level
        As for :func:`rogan_gladen`; J must be above 0.
    """
    z = normal_quantile((1 + level) / 2)
    size, trues, falses = judged + z**2, calibration.true + 2, calibration.false + 2
    q = (judged * share + z**2 / 2) / size
    se, sp = (calibration.true_accepted + 1) / trues, (calibration.false_rejected + 1) / falses
    true = (q + sp - 1) / (se + sp - 1)
    of_true, of_false = se * (1 - se) / trues, sp * (1 - sp) / falses
    centre = true + 2 * z**2 * (true * of_true - (1 - true) * of_false)
    # The paper prints (1 + π)² in equation 4; its examples, and the derivation, have (1 − π)².
    variance = q * (1 - q) / size + true**2 * of_true + (1 - true) ** 2 * of_false
    half = z * sqrt(variance) / (se + sp - 1)
    return centre - half, centre + half


def _not_estimable(reason: str, judged: int, level: float) -> Corrected:
    return Corrected(Estimate(None, None, None, METHOD, level, judged), None, reason)


def _within(share: float) -> float:
    return min(1.0, max(0.0, share))
