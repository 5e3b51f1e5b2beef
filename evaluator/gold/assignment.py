"""Which extraction a gold tuple takes: the counting that OIE2016 and ORE share.

Gold tuples are gone through in file order, and for each the extractions about its sentence in file
order; the first that matches is taken. Nothing is optimised: another order gives other figures.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluator.gold import LEFT_OUT, MATCHED, OUTSIDE, UNMATCHED, Judged, Output, Scored
from evaluator.gold.confidences import ranks
from evaluator.gold.overlap import Match
from evaluator.gold.propositions import KeyIndex, Propositions, Slots, slots_of
from evaluator.gold.statistics import Change, Statistics
from evaluator.model import Extraction

INCOMPLETE = "the released reader skips an extraction with an empty slot"
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
    """

    match: Match[Any, Any]
    keys: KeyIndex | None = None
    many: bool = False
    squared: bool = False


def score_propositions(gold: Propositions, output: Output, rules: Rules) -> Scored:
    """Return what a system gets on gold tuples that were read for the same rules.

    ``Scored.counts`` has "extractions", "outside", "left_out", "matched" (gold tuples), "false"
    (extractions that match none), "total" (the denominator of recall), "missed" (the rest of it)
    and "covered_sentences" (those with an extraction).
    """
    extractions = output.extractions
    by_sentence, verdicts = _about(gold, output, rules)
    inside = [i for places in by_sentence for i in places]
    released = rules.keys is not None
    # The released scorer takes 0 for what is no finite number.
    infinite = 0.0 if released else None
    confidences, curve, told = ranks(extractions, inside, corrected=not released, infinite=infinite)
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
        said = [view(slots(extractions[i])) for i in candidates]
        served: dict[int, int] = {}
        for number, taken in _first_matches(gold.views[place], said, rules):
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
    outcomes = [one.outcome for one in judged]
    counts = {
        "extractions": len(extractions),
        "outside": outcomes.count(OUTSIDE),
        "left_out": outcomes.count(LEFT_OUT),
        "matched": matched,
        "false": outcomes.count(UNMATCHED),
        "total": int(total.sum()),
        "missed": int(total.sum()) - matched,
        "covered_sentences": sum(map(bool, by_sentence)),
    }
    if lost := gold.counts.get("lost_sentences"):
        notes.append(f"gold sentences left out: {lost}; {SAME_KEY}")
    return Scored(Statistics.of(changes, total, curve=curve), counts, judged, notes)


def _first_matches(
    wanted: Sequence[Any], said: Sequence[Any], rules: Rules
) -> Iterator[tuple[int, int]]:
    """Yield the gold tuples that are matched, with the first extraction that may serve them."""
    agree = rules.match.agree
    free = list(range(len(said)))
    for number, view in enumerate(wanted):
        for mine in free:
            if agree(view, said[mine]):
                yield number, mine
                if not rules.many:
                    free.remove(mine)
                break


def _about(
    gold: Propositions, output: Output, rules: Rules
) -> tuple[list[list[int]], dict[int, Judged]]:
    """Return the places of the extractions about each sentence, and what became of the others."""
    texts = list(dict.fromkeys(one.sentence for one in output.extractions))
    found = {text: gold.index.find(text) for text in texts}
    staying = set(texts if rules.keys is None else rules.keys.winners(texts).values())
    may_skip = rules.keys is not None and output.format in ("clausie", "openie4")
    by_sentence: list[list[int]] = [[] for _ in gold.sentences]
    others: dict[int, Judged] = {}
    for i, one in enumerate(output.extractions):
        place = found[one.sentence]
        if place is None:
            others[i] = Judged(one, OUTSIDE)
        elif one.sentence not in staying:
            others[i] = Judged(one, LEFT_OUT, place, note=SAME_KEY)
        elif may_skip and _is_skipped(one, output.format):
            others[i] = Judged(one, LEFT_OUT, place, note=INCOMPLETE)
        else:
            by_sentence[place].append(i)
    return by_sentence, others


def _is_skipped(extraction: Extraction, format_name: str) -> bool:
    """Tell whether the released reader of a format reads no extraction there."""
    if format_name == "clausie":  # a row of two slots
        return not extraction.arg2
    return not (extraction.arg1 and extraction.relation and extraction.arg2)


def _slots_of(output: Output, rules: Rules) -> Callable[[Extraction], Slots]:
    if rules.keys is None or output.format != "openie4":
        return slots_of
    # The released reader of OpenIE 4's own format takes one second argument.
    return lambda extraction: (extraction.relation, extraction.arg1, extraction.arg2)
