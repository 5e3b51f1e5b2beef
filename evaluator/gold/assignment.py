"""Which extraction a gold tuple takes: the counting that OIE2016 and ORE share.

Gold tuples are gone through in file order, and for each the extractions about its sentence in file
order; the first that matches is taken. Nothing is optimised: another order gives other figures.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluator.gold import LEFT_OUT, MATCHED, OUTSIDE, UNMATCHED, Judged, Output, Scored
from evaluator.gold.confidences import ranks
from evaluator.gold.joining import KeyIndex
from evaluator.gold.one_to_one import first_free
from evaluator.gold.overlap import Match
from evaluator.gold.propositions import Propositions, Slots, slots_of
from evaluator.gold.released_formats import left_out, released_arguments, stripped
from evaluator.gold.statistics import Change, Floats, Statistics
from evaluator.model import Extraction

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
    keys: KeyIndex | None = None
    many: bool = False
    squared: bool = False
    infinite: float | None = None


def score_propositions(gold: Propositions, output: Output, rules: Rules) -> Scored:
    """Return what a system gets on gold tuples that were read for the same rules.

    ``Scored.counts`` has "extractions", "outside", "left_out", "matched" (gold tuples), "false"
    (extractions that match none), "total" (the denominator of recall), "missed" (the rest of it)
    and "covered_sentences" (those with an extraction).
    """
    extractions = output.extractions
    released = rules.keys is not None
    taken_as = stripped(extractions, output.format) if released else extractions
    by_sentence, verdicts = _about(gold, output, taken_as, rules)
    inside = [i for places in by_sentence for i in places]
    confidences, curve, told = ranks(
        extractions, inside, corrected=not released, infinite=rules.infinite
    )
    notes = list(told)
    total = np.array([len(views) for views in gold.views], dtype=np.float64)
    view, slots = rules.match.said, _slots_of(output, rules)
    changes: list[Change] = []
    matched = 0
    for place, candidates in enumerate(by_sentence):
        if not candidates:
            if rules.squared:
                total[place] **= 2
            continue
        said = [view(slots(taken_as[i])) for i in candidates]
        served: dict[int, int] = {}
        for number, taken in first_free(
            gold.views[place], said, rules.match.agree, many=rules.many
        ):
            changes.append(Change(place, confidences[candidates[taken]], 1, 1, 1))
            served.setdefault(candidates[taken], number)
            matched += 1
        for i in candidates:
            if i in served:
                verdicts[i] = Judged(extractions[i], MATCHED, place, served[i])
            else:
                verdicts[i] = Judged(extractions[i], UNMATCHED, place)
                changes.append(Change(place, confidences[i], 0, 1, 0))
    judged = [verdicts[i] for i in range(len(extractions))]
    counts = counts_of(judged, total, matched=matched)
    if lost := gold.counts.get("lost_sentences"):
        notes.append(f"gold sentences left out: {lost}; {SAME_KEY}")
    return Scored(Statistics.of(changes, total, curve=curve), counts, judged, notes)


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


def _about(
    gold: Propositions, output: Output, taken_as: Sequence[Extraction], rules: Rules
) -> tuple[list[list[int]], dict[int, Judged]]:
    """Return the places of the extractions about each sentence, and what became of the others."""
    skipped = {} if rules.keys is None else left_out(output.extractions, output.format)
    texts = [one.sentence for one in taken_as]
    # What a reader skips is not there when one of two sentences with the same key is lost.
    read = dict.fromkeys(text for i, text in enumerate(texts) if i not in skipped)
    staying = set(read if rules.keys is None else rules.keys.winners(list(read)).values())
    found = {text: gold.index.find(text) for text in dict.fromkeys(texts)}
    by_sentence: list[list[int]] = [[] for _ in gold.sentences]
    others: dict[int, Judged] = {}
    for i, text in enumerate(texts):
        place = found[text]
        if place is None:
            others[i] = Judged(output.extractions[i], OUTSIDE)
        elif i in skipped:
            others[i] = Judged(output.extractions[i], LEFT_OUT, place, note=skipped[i])
        elif text not in staying:
            others[i] = Judged(output.extractions[i], LEFT_OUT, place, note=SAME_KEY)
        else:
            by_sentence[place].append(i)
    return by_sentence, others


def _slots_of(output: Output, rules: Rules) -> Callable[[Extraction], Slots]:
    if rules.keys is None:
        return slots_of
    return lambda extraction: (
        extraction.relation,
        *released_arguments(extraction, output.format),
    )
