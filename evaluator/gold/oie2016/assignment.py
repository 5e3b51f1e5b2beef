"""Which extraction a gold tuple takes: the counting that OIE2016 and ORE share.

Gold tuples are gone through in file order, and for each the extractions about its sentence in file
order; the first that matches is taken. Nothing is optimised: another order gives other figures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluator.gold import LEFT_OUT, MATCHED, OUTSIDE, UNMATCHED, Judged, Output, Scored
from evaluator.gold.confidences import ranks
from evaluator.gold.joining import KeyRule, about
from evaluator.gold.oie2016.overlap import Match
from evaluator.gold.oie2016.propositions import Propositions
from evaluator.gold.one_to_one import first_free
from evaluator.gold.released_formats import (
    all_slots,
    by_sentence,
    by_sentence_as_read,
    left_out,
    sentence_as_read,
    slots_as_read,
)
from evaluator.gold.statistics import Floats, Statistics

SAME_KEY = "another sentence has the same letters and digits, and the released scorer knows one"


@dataclass(frozen=True, slots=True)
class Rules:
    """How extractions are matched and counted.

    Attributes
    ----------
    match
        When an extraction matches a gold tuple.
    keys
        How a released scorer knows a sentence; None in a corrected mode. With it come that scorer's
        views of files and confidences.
    many
        Whether an extraction may match several gold tuples, and then counts as often.
    squared
        Whether a sentence of n gold tuples without an extraction adds n * n to what is to be found,
        as by the nested loop of the released scorer.
    infinite
        What a confidence counts as that is no finite number, if not as written.
    """

    match: Match[Any, Any]
    keys: KeyRule | None = None
    many: bool = False
    squared: bool = False
    infinite: float | None = None


def score_propositions(gold: Propositions, output: Output, rules: Rules) -> Scored:
    """Return what a system gets on gold tuples that were read for the same rules.

    ``Scored.counts`` has "extractions", "outside", "left_out", "matched" (gold tuples), "false"
    (extractions that match none), "total" (the denominator of recall), "missed" (the rest of it)
    and "covered_sentences" (those with an extraction).
    """
    extractions, form = output.extractions, output.format
    released = rules.keys is not None
    skipped = left_out(extractions, form) if released else {}
    sentences, lost = about(
        by_sentence_as_read(extractions, form, skipped) if released else by_sentence(extractions),
        gold.index.find,
        rules.keys.staying if rules.keys else "all",
    )
    inside = [i for candidates in sentences.values() for i in candidates]
    confidences, curve, told = ranks(
        extractions, inside, corrected=not released, infinite=rules.infinite
    )
    right, served = _matched(gold, output, sentences, rules)
    wrong = [i for i in inside if i not in served]
    total = np.array([len(views) for views in gold.views], dtype=np.float64)
    if rules.squared:
        silent = np.array([place not in sentences for place in range(len(total))])
        total[silent] **= 2

    judged = {
        i: Judged(extractions[i], LEFT_OUT, place, note=SAME_KEY) for i, place in lost.items()
    }
    for i, note in skipped.items():
        place = gold.index.find(sentence_as_read(extractions[i].sentence, form))
        if place is not None:
            judged[i] = Judged(extractions[i], LEFT_OUT, place, note=note)
    for place, candidates in sentences.items():
        for i in candidates:
            outcome = MATCHED if i in served else UNMATCHED
            judged[i] = Judged(extractions[i], outcome, place, served.get(i))
    all_judged = [judged.get(i) or Judged(one, OUTSIDE) for i, one in enumerate(extractions)]
    notes = list(told)
    if lost_gold := gold.counts.get("lost_sentences"):
        notes.append(f"gold sentences left out: {lost_gold}; {SAME_KEY}")
    return Scored(
        Statistics.of(_changes(sentences, right, wrong, confidences), total, curve=curve),
        counts_of(all_judged, total, matched=len(right)),
        all_judged,
        notes,
    )


def _matched(
    gold: Propositions, output: Output, sentences: Mapping[int, Sequence[int]], rules: Rules
) -> tuple[list[int], dict[int, int]]:
    """Return the extraction that each matched gold tuple takes, and the first tuple it serves."""
    slots_of = all_slots if rules.keys is None else slots_as_read(output.format)
    taken: list[int] = []
    served: dict[int, int] = {}
    for place, candidates in sentences.items():
        said = [rules.match.said(slots_of(output.extractions[i])) for i in candidates]
        matches = first_free(gold.views[place], said, rules.match.agree, many=rules.many)
        for number, which in matches:
            taken.append(candidates[which])
            served.setdefault(candidates[which], number)
    return taken, served


def _changes(
    sentences: Mapping[int, Sequence[int]],
    right: Sequence[int],
    wrong: Sequence[int],
    confidences: Sequence[float],
) -> Floats:
    """Return the fields of a :class:`~evaluator.gold.statistics.Change` for each that is said."""
    place_of = np.zeros(len(confidences))
    for place, candidates in sentences.items():
        place_of[candidates] = place
    at = np.array([*right, *wrong], dtype=np.intp)
    is_right = np.arange(len(at)) < len(right)
    return np.column_stack(
        [place_of[at], np.asarray(confidences)[at], is_right, np.ones(len(at)), is_right]
    )


def counts_of(judged: Sequence[Judged], total: Floats, *, matched: int) -> dict[str, int]:
    """Return the counts that are shown; see :func:`score_propositions`.

    Parameters
    ----------
    judged
        What became of each extraction.
    total
        Denominator of recall of each sentence.
    matched
        Number of gold tuples that are matched.
    """
    outcomes = [one.outcome for one in judged]
    covered = {one.sentence for one in judged if one.outcome in (MATCHED, UNMATCHED)}
    return {
        "extractions": len(judged),
        "outside": outcomes.count(OUTSIDE),
        "left_out": outcomes.count(LEFT_OUT),
        "matched": matched,
        "false": outcomes.count(UNMATCHED),
        "total": int(total.sum()),
        "missed": int(total.sum()) - matched,
        "covered_sentences": len(covered),
    }
