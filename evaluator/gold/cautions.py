"""Where a figure means little: what to tell beside it.

Each caution answers a way in which benchmarks of open extraction have misled: an area under a curve
that is one point, confidences that run the wrong way, extractions as long as the sentence, which
scorers of overlapping words reward (WiRe57, Léchelle et al. 2019, section 2.2).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from evaluator.corpus.sentences import sentence_key
from evaluator.errors import excerpt
from evaluator.gold import MATCHED, OUTSIDE, Gold, GoldSentence, Judged, Scored
from evaluator.gold.joining import released_key
from evaluator.text import tokens

LONG = 0.8
"""Mean share of its sentence's words that an extraction may have before a caution."""

OTHERWISE = 0.25
"""Share of extractions that may write words otherwise than the gold data before a caution.

In published output it is 0 to 11 %.
"""


type _Placed = tuple[int, Judged]
"""An extraction with the place of its gold sentence."""


def cautions(gold: Gold, scored: Scored) -> list[str]:
    """Return what a reader of a system's figures should know, one line each."""
    inside = [(one.sentence, one) for one in scored.judged if one.sentence is not None]
    by_confidence = np.isfinite(scored.statistics.thresholds).any()
    return [
        *_about_sentences(gold, scored.judged, none=not inside),
        *_about_words(gold, inside),
        *_about_spelling(gold, inside),
        *(_about_confidence(inside) if by_confidence else ()),
        *_about_length(gold, inside),
    ]


def _about_sentences(gold: Gold, judged: Sequence[Judged], *, none: bool) -> Iterator[str]:
    """Extractors lower the case of sentences, or drop accents: released keys keep both."""
    outside = [one.extraction for one in judged if one.outcome == OUTSIDE]
    known = {sentence_key(one.text): one.text for one in gold.sentences} if outside else {}
    known.pop("", None)
    near = [
        (one.sentence, text)
        for one in outside
        if (text := known.get(sentence_key(one.sentence))) not in (None, one.sentence)
    ]
    if near:
        theirs, ours = map(excerpt, near[0])
        yield (
            f"{len(near):,} of {len(judged):,} extractions are left out only because they write "
            f"their sentence otherwise, in case, spacing or punctuation ({theirs} for {ours}): "
            "distval convert FILE --sentences LIST puts in the gold data's own sentences"
        )
    elif none and judged:
        named = any(one.extraction.sentence or one.extraction.sentence_id for one in judged)
        yield "no extraction is about a sentence of the gold data: " + (
            "another corpus, or split?"
            if named
            else "the file has neither sentences nor their identifiers, and nothing can put them "
            "in: have the system write them (Stanford's: -format reverb)"
        )


class _Written(NamedTuple):
    """How gold data write a sentence: its words, and its slots by what is left without spelling."""

    words: frozenset[str]
    slots: dict[str, str]
    text: str


def _written(sentence: GoldSentence) -> _Written:
    forms = [form[1:-1] for one in sentence.tuples for form in one.split(" | ")]
    slots = [slot.replace("[", "").replace("]", "") for form in forms for slot in form.split("; ")]
    words = {word for text in (sentence.text, *forms, *slots) for word in text.split()}
    return _Written(frozenset(words), {_bare(slot): slot for slot in slots}, _bare(sentence.text))


def _bare(text: str) -> str:
    return released_key(text).casefold()


def _about_spelling(gold: Gold, inside: Sequence[_Placed]) -> Iterator[str]:
    """Scorers compare words as they are written: another tokenisation, and hardly any is met."""
    written = {place: _written(gold.sentences[place]) for place, _ in inside}
    differing = 0
    example = ""
    for place, one in inside:
        ours = written[place]
        said = (one.extraction.relation, *one.extraction.arguments)
        strange = [slot for slot in said if _is_written_otherwise(slot, ours)]
        differing += bool(strange)
        for slot in strange:
            if not example and _bare(slot) in ours.slots:
                example = f" ({excerpt(slot)} for {excerpt(ours.slots[_bare(slot)])})"
    if differing and differing >= OTHERWISE * len(inside):
        yield (
            f"{differing:,} of {len(inside):,} extractions write words otherwise than the gold data"
            f"{example}, by tokenisation, case or escapes such as -LRB-, and scorers that compare "
            "words as written find few: write the output as the gold data are"
        )


def _is_written_otherwise(slot: str, ours: _Written) -> bool:
    """Tell whether a slot is in the sentence or a gold slot but for its words' spelling."""
    if ours.words.issuperset(slot.split()):
        return False
    bare = _bare(slot)
    # One word may stand inside another by chance: "is" in "this".
    return bool(bare) and (bare in ours.slots or (" " in slot.strip() and bare in ours.text))


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
