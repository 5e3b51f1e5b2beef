"""Why a system got its figures: one row an extraction, one row a sentence.

A gold tuple is named by its number in the sentence, from 1: "2: (she; met; Lena)". BenchIE's facts
have several forms, with " | " between them.
"""

import math
from collections.abc import Iterator, Mapping

from evaluator.gold import Gold, GoldSentence, Judged, Scored
from evaluator.model import Extraction
from evaluator.text import tokens

EXTRACTION_COLUMNS = (
    "system",
    "line",
    "sentence_id",
    "sentence",
    "arg1",
    "relation",
    "arg2",
    "more_arguments",
    "confidence",
    "negated",
    "asserted",
    "outcome",
    "note",
    "kept",
    "gold",
    "nearest",
    "precision",
    "recall",
)
SENTENCE_COLUMNS = (
    "system",
    "sentence_id",
    "sentence",
    "right",
    "said",
    "found",
    "gold",
    "precision",
    "recall",
    "missed",
)


def extraction_rows(gold: Gold, systems: Mapping[str, Scored]) -> Iterator[list[str]]:
    """Yield what became of every extraction (:class:`~evaluator.gold.Judged`).

    ``kept`` says whether its confidence reaches the threshold of the best F; ``nearest`` is, for
    one that met no gold tuple of its sentence, the tuple that shares most words.
    """
    for system, scored in systems.items():
        threshold = scored.statistics.figures.threshold
        for one in scored.judged:
            of = one.extraction
            sentence = None if one.sentence is None else gold.sentences[one.sentence]
            yield [
                system,
                str(of.line),
                sentence.id if sentence else of.sentence_id,
                sentence.text if sentence else of.sentence,
                of.arg1,
                of.relation,
                of.arg2,
                "; ".join(of.more_arguments),
                _number(of.confidence),
                "" if of.negated is None else _yes(of.negated),
                _yes(of.asserted),
                one.outcome,
                one.note,
                "" if sentence is None else _yes(_is_kept(one, threshold)),
                "" if sentence is None or one.gold is None else _numbered(sentence, one.gold),
                "" if sentence is None or one.gold is not None else _nearest(sentence, of),
                _number(one.precision),
                _number(one.recall),
            ]


def sentence_rows(gold: Gold, systems: Mapping[str, Scored]) -> Iterator[list[str]]:
    """Yield the sums of every gold sentence at the threshold of each system's best F.

    ``missed`` lists the gold tuples that no extraction was matched with, at any confidence.
    """
    for system, scored in systems.items():
        matched: dict[int, set[int]] = {}
        for one in scored.judged:
            if one.sentence is not None and one.gold is not None:
                matched.setdefault(one.sentence, set()).add(one.gold)
        sums = scored.statistics.by_sentence().tolist()
        for place, (sentence, (right, said, found, total)) in enumerate(
            zip(gold.sentences, sums, strict=True)
        ):
            hit = matched.get(place, set())
            missed = (_numbered(sentence, n) for n in range(len(sentence.tuples)) if n not in hit)
            yield [
                system,
                sentence.id,
                sentence.text,
                _number(right),
                _number(said),
                _number(found),
                _number(total),
                _number(right / said if said else None),
                _number(found / total if total else None),
                "; ".join(missed),
            ]


def _is_kept(one: Judged, threshold: float) -> bool:
    confidence = one.extraction.confidence
    return threshold == -math.inf or (confidence is not None and confidence >= threshold)


def _numbered(sentence: GoldSentence, place: int) -> str:
    return f"{place + 1}: {sentence.tuples[place]}"


def _nearest(sentence: GoldSentence, extraction: Extraction) -> str:
    """Return the form of a gold tuple that shares most words; of equal ones the first."""
    slots = (extraction.arg1, extraction.relation, extraction.arg2, *extraction.more_arguments)
    said = set(tokens(" ".join(slots)))
    best, found = 0.0, ""
    for number, forms in enumerate(sentence.tuples, start=1):
        for form in forms.split(" | "):
            words = set(tokens(form))
            if common := len(said & words):
                share = 2 * common / (len(said) + len(words))
                if share > best:
                    best, found = share, f"{number}: {form}"
    return found


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _number(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.12g}"
