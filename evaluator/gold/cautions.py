"""Where a figure means little: what to tell beside it.

Each caution answers a way in which benchmarks of open extraction have misled: an area under a curve
that is one point, confidences that run the wrong way, extractions as long as the sentence, which
scorers of overlapping words reward (WiRe57, Léchelle et al. 2019, section 2.2).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from evaluator.gold import MATCHED, Gold, Judged, Scored
from evaluator.text import tokens

LONG = 0.8
"""Mean share of its sentence's words that an extraction may have before a caution."""


type _Placed = tuple[int, Judged]
"""An extraction with the place of its gold sentence."""


def cautions(gold: Gold, scored: Scored) -> list[str]:
    """Return what a reader of a system's figures should know, one line each."""
    inside = [(one.sentence, one) for one in scored.judged if one.sentence is not None]
    by_confidence = np.isfinite(scored.statistics.thresholds).any()
    return [
        *(_about_sentences(scored.judged) if not inside else ()),
        *_about_words(gold, inside),
        *(_about_confidence(inside) if by_confidence else ()),
        *_about_length(gold, inside),
    ]


def _about_sentences(judged: Sequence[Judged]) -> Iterator[str]:
    if not judged:
        return
    named = any(one.extraction.sentence or one.extraction.sentence_id for one in judged)
    yield "no extraction is about a sentence of the gold data: " + (
        "another corpus, or split?"
        if named
        else "the file has neither sentences nor their identifiers (distval convert --sentences)"
    )


def _about_words(gold: Gold, inside: Sequence[_Placed]) -> Iterator[str]:
    """Files in which extractions stand beside wrong sentences have been published."""
    words = {place: set(tokens(gold.sentences[place].text)) for place, _ in inside}
    strange = 0
    for place, one in inside:
        said = tokens(f"{one.extraction.arg1} {one.extraction.relation}")
        strange += 2 * sum(word in words[place] for word in said) < len(said)
    if strange > len(inside) / 2:
        yield (
            f"most words of {strange:,} of {len(inside):,} extractions are not in their sentences: "
            "do they stand beside the wrong ones?"
        )


def _about_confidence(inside: Sequence[_Placed]) -> Iterator[str]:
    given = [one for _, one in inside if one.extraction.confidence is not None]
    confidences = np.array([one.extraction.confidence for one in given], dtype=np.float64)
    if len(given) > 1 and np.ptp(confidences) == 0:
        yield (
            f"all confidences are {confidences[0]:g}: there is one operating point, and an area "
            "under the curve means nothing"
        )
    correlation, p = _correlation(confidences, np.array([_right(one) for one in given]))
    if correlation < 0:
        yield (
            f"confidence runs against correctness (rank correlation {correlation:.3f}, p {p:.2g}): "
            "is it a cost, or a logarithm with its sign lost?"
        )


def _right(one: Judged) -> float:
    if one.precision is not None:
        return one.precision
    return float(one.outcome == MATCHED)


def _correlation(confidences: np.ndarray, right: np.ndarray) -> tuple[float, float]:
    """Return Spearman's rank correlation and its p; NaN where one of the two does not vary."""
    if len(right) < 3 or np.ptp(confidences) == 0 or np.ptp(right) == 0:
        return float("nan"), float("nan")
    from scipy.stats import spearmanr

    found = spearmanr(confidences, right)
    return float(found.statistic), float(found.pvalue)


def _about_length(gold: Gold, inside: Sequence[_Placed]) -> Iterator[str]:
    lengths = {place: len(gold.sentences[place].text.split()) for place, _ in inside}
    shares = []
    for place, one in inside:
        said = [one.extraction.relation, *one.extraction.arguments]
        if lengths[place]:
            shares.append(sum(len(slot.split()) for slot in said) / lengths[place])
    if shares and (mean := sum(shares) / len(shares)) >= LONG:
        yield (
            f"extractions have {mean:.0%} of the words of their sentences on average: scorers of "
            "overlapping words reward length"
        )
