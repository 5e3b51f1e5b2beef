"""Why a system got its figures: one row an extraction, one row a sentence."""

from collections.abc import Iterator, Mapping

import numpy as np

from evaluator.gold import Gold, Scored

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
    "outcome",
    "note",
    "gold",
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
    """Yield what became of every extraction (:class:`~evaluator.gold.Judged`)."""
    for system, scored in systems.items():
        for one in scored.judged:
            of = one.extraction
            sentence = None if one.sentence is None else gold.sentences[one.sentence]
            matched = sentence.tuples[one.gold] if sentence and one.gold is not None else ""
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
                one.outcome,
                one.note,
                matched,
                _number(one.precision),
                _number(one.recall),
            ]


def sentence_rows(gold: Gold, systems: Mapping[str, Scored]) -> Iterator[list[str]]:
    """Yield the sums of every gold sentence at the threshold of each system's best F.

    ``missed`` lists the gold tuples that no extraction was matched with.
    """
    for system, scored in systems.items():
        sums = scored.statistics.by_sentence()
        matched: dict[int, set[int]] = {}
        for one in scored.judged:
            if one.sentence is not None and one.gold is not None:
                matched.setdefault(one.sentence, set()).add(one.gold)
        for place, (sentence, (right, said, found, total)) in enumerate(
            zip(gold.sentences, sums.tolist(), strict=True)
        ):
            hit = matched.get(place, set())
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
                " | ".join(one for n, one in enumerate(sentence.tuples) if n not in hit),
            ]


def _number(value: float | None) -> str:
    return "" if value is None or np.isnan(value) else f"{value:.12g}"
