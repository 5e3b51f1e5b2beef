"""Where a figure means little: what to tell beside it.

Each caution answers a way in which benchmarks of open extraction have misled: an area under a curve
that is one point, confidences that run the wrong way, extractions as long as the sentence, which
scorers of overlapping words reward (WiRe57, Léchelle et al. 2019, section 2.2).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from evaluator.gold import MATCHED, OUTSIDE, Gold, Judged, Scored

LONG = 0.8
"""Mean share of its sentence's words that an extraction may have before a caution."""


def cautions(gold: Gold, scored: Scored) -> list[str]:
    """Return what a reader of a system's figures should know, one line each."""
    inside = [one for one in scored.judged if one.sentence is not None]
    return [
        *_about_sentences(scored.judged, inside),
        *(_about_confidence(inside) if np.isfinite(scored.statistics.thresholds).any() else ()),
        *_about_length(gold, inside),
    ]


def _about_sentences(judged: Sequence[Judged], inside: Sequence[Judged]) -> Iterator[str]:
    if judged and not inside:
        yield "no extraction is about a sentence of the gold data: another corpus, or split?"


def _about_confidence(inside: Sequence[Judged]) -> Iterator[str]:
    given = [one for one in inside if one.extraction.confidence is not None]
    confidences = np.array([one.extraction.confidence for one in given], dtype=np.float64)
    if len(given) > 1 and np.ptp(confidences) == 0:
        yield (
            f"all confidences are {confidences[0]:g}: there is one operating point, and an area "
            "under the curve means nothing"
        )
    right = np.array([_right(one) for one in given])
    correlation = _correlation(confidences, right)
    if correlation < 0:
        yield (
            f"confidence runs against correctness (rank correlation {correlation:.2f}): is it a "
            "cost, or a logarithm with its sign lost?"
        )


def _right(one: Judged) -> float:
    if one.precision is not None:
        return one.precision
    return float(one.outcome == MATCHED)


def _correlation(confidences: np.ndarray, right: np.ndarray) -> float:
    """Return Spearman's rank correlation; NaN where one of the two does not vary."""
    if len(right) < 2 or np.ptp(confidences) == 0 or np.ptp(right) == 0:
        return float("nan")
    from scipy.stats import spearmanr

    return float(spearmanr(confidences, right).statistic)


def _about_length(gold: Gold, inside: Sequence[Judged]) -> Iterator[str]:
    words = {}
    shares = []
    for one in inside:
        if one.sentence is None or one.outcome == OUTSIDE:
            continue
        if one.sentence not in words:
            words[one.sentence] = len(gold.sentences[one.sentence].text.split())
        of = one.extraction
        said = [of.arg1, of.relation, of.arg2, *of.more_arguments]
        length = sum(len(slot.split()) for slot in said)
        if words[one.sentence]:
            shares.append(length / words[one.sentence])
    if shares and (mean := sum(shares) / len(shares)) >= LONG:
        yield (
            f"extractions have {mean:.0%} of the words of their sentences on average: scorers of "
            "overlapping words reward length"
        )
