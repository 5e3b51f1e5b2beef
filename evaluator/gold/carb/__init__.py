"""CaRB: gold tuples by crowd workers, matched word by word, with a curve over confidences.

Gold tuple and extraction are made binary: all arguments after the first are the second. A pair must
share a word of the predicate ("be" stands for any form of it). Its precision is the share of the
extraction's words that the gold tuple has in the same part, its recall the share of the gold
tuple's. At a threshold on confidence, precision is the mean over the extractions kept, of which
each is matched with one gold tuple (greedily, the largest precision first); recall is the mean over
all gold tuples of the largest recall that any extraction kept gives. F1 is that of the best
threshold; the area lies under precision over recall from (0, 1), nothing added on the right.

That is the design, and the same in both modes. The released scorer also reads every format in a way
of its own (:mod:`evaluator.gold.released_formats`) and has the faults that :data:`MENDS` names.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path

import numpy as np

from evaluator.gold import (
    COVERED,
    LEFT_OUT,
    MATCHED,
    OUTSIDE,
    UNMATCHED,
    Judged,
    Mode,
    Output,
    Scored,
    conjunctions,
)
from evaluator.gold.carb.data import CarbGold, WordsOf, read
from evaluator.gold.carb.matching import Pair, once, pairs_of, words_of
from evaluator.gold.confidences import ranks
from evaluator.gold.joining import about
from evaluator.gold.one_to_one import greedy
from evaluator.gold.released_formats import (
    all_slots,
    by_sentence,
    by_sentence_as_read,
    left_out,
    slots_as_read,
)
from evaluator.gold.statistics import Change, Statistics
from evaluator.model import Rejects

NAME = "carb"
DESCRIPTION = "tuples of 1,272 sentences by crowd workers; overlap of words, curve over confidences"
SOURCE = (
    "Bhardwaj, Aggarwal and Mausam, CaRB: A Crowdsourced Benchmark for Open IE, EMNLP-IJCNLP 2019; "
    "github.com/dair-iitd/CaRB"
)
MODES: Sequence[Mode] = ("released", "corrected")
OPTIONS: Mapping[str, Sequence[str]] = {conjunctions.OPTION: conjunctions.VALUES}
CURVE = True
MENDS: Mapping[str, str] = {
    "sentence-keys": "sentences are told apart though they differ in punctuation only",
    "formats-alike": "every format is read alike: all arguments count, no extraction is left out, "
    "no context goes into an argument",
    "context-prefix": 'a gold argument is a context if it begins with "C: ", not if it has it',
    "labels": 'the labels "T: " and "L: " of gold arguments are no words',
    "empty-predicates": "gold tuples without predicate, which nothing can match, do not count",
    "saying": 'either order of arguments will do where a word of the gold predicate is "said", '
    'not where one contains it ("unsaid")',
    "be": "a form of be is found once, so recall cannot exceed 1",
    "surplus-arguments": "an argument that the gold tuple lacks costs precision",
    "repeats": "a gold tuple given twice counts once; an extraction said twice matches once and "
    "counts twice as said",
    "curve": "no area under a curve where all confidences are the same",
    "silence": "the precision of a system that says nothing is undefined, not 1",
}


def read_gold(
    path: Path,
    *,
    mode: Mode,
    options: Mapping[str, str],  # noqa: ARG001
    rejects: Rejects,
) -> CarbGold:
    """Read tab-separated sentence, predicate, arg1, arg2, …, one tuple a line.

    Raises
    ------
    InputError
        If the file is missing, or holds no gold tuple.
    """
    return read(path, mode=mode, rejects=rejects)


def score(
    gold: CarbGold,
    output: Output,
    *,
    mode: Mode,
    options: Mapping[str, str],  # noqa: ARG001
) -> Scored:
    """Score the output of one system; see the module for the rules."""
    corrected = mode == "corrected"
    extractions, form = output.extractions, output.format
    skipped = {} if corrected else left_out(extractions, form)
    places_of, lost = (
        about(by_sentence(extractions), gold.by_text.find, "all")
        if corrected
        else about(by_sentence_as_read(extractions, form, skipped), gold.find_key, "last")
    )
    slots_of = all_slots if corrected else slots_as_read(form)
    # The released scorer looks at the confidences of all that its reader takes from the file.
    read = [place for place in range(len(extractions)) if place not in skipped]
    skipped |= dict.fromkeys(lost, "a later line spells its sentence otherwise")
    inside = [place for places in places_of.values() for place in places]
    values, curve, told = ranks(extractions, inside, corrected=corrected)
    notes = list(told)
    if collisions := gold.counts["colliding_sentences"]:
        what = "are told apart by their text" if corrected else "are lost"
        notes.append(
            f"{collisions} gold sentences have the released key of a later one: they {what}"
        )
    if skipped:
        notes.append(f"{len(skipped):,} extractions are left out, as the released scorer does")

    words = WordsOf()
    changes: list[Change] = []
    judged = {
        place: Judged(extractions[place], LEFT_OUT, note=note) for place, note in skipped.items()
    }
    for sentence, places in places_of.items():
        said = [words_of(slots_of(extractions[place]), words) for place in places]
        of_said = [values[place] for place in places]
        numbered = once(said, of_said) if corrected else list(enumerate(said))
        pairs = pairs_of(numbered, gold.tuples[sentence], corrected=corrected)
        changes += _changes(sentence, pairs, of_said)
        matched = {pair.said: pair for pair in greedy(pairs)}
        possible = {pair.said for pair in pairs}
        distinct = {k for k, _ in numbered}
        for k, place in enumerate(places):
            if pair := matched.get(k):
                outcome = Judged(
                    extractions[place], MATCHED, sentence, pair.gold, pair.precision, pair.recall
                )
            else:
                missed = COVERED if k in possible else UNMATCHED
                note = "" if k in distinct else "says the same as another extraction"
                outcome = Judged(extractions[place], missed, sentence, note=note)
            judged[place] = outcome
    return Scored(
        statistics=Statistics.of(
            changes,
            np.array([len(tuples) for tuples in gold.tuples], dtype=np.float64),
            thresholds=None if corrected else np.array([values[place] for place in read]),
            empty_precision=float("nan") if corrected else 1.0,
            curve=curve,
        ),
        counts={
            "extractions": len(inside),
            "matches": sum(one.outcome == MATCHED for one in judged.values()),
            "covered_sentences": len(places_of),
            "outside": len(extractions) - len(judged),
            "left_out": len(skipped),
        },
        judged=[
            judged.get(place) or Judged(extraction, OUTSIDE)
            for place, extraction in enumerate(extractions)
        ],
        notes=notes,
    )


def _changes(sentence: int, pairs: Sequence[Pair], ranks: Sequence[float]) -> Iterator[Change]:
    """Yield what each confidence of a sentence adds when the threshold falls to it."""
    by_extraction: defaultdict[int, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_extraction[pair.said].append(pair)
    best: dict[int, float] = {}
    kept = 0
    right = found = 0.0
    order = sorted(range(len(ranks)), key=lambda k: -ranks[k])
    for level, new in groupby(order, key=lambda k: ranks[k]):
        places = list(new)
        kept += len(places)
        added = [pair for k in places for pair in by_extraction.get(k, ())]
        for pair in added:
            best[pair.gold] = max(best.get(pair.gold, 0.0), pair.recall)
        now_right, now_found = right, found
        if added:
            candidates = (pair for pair in pairs if ranks[pair.said] >= level)
            # There cannot be more, and to look for them would make many confidences slow.
            matched = islice(greedy(candidates), min(len(best), kept))
            now_right, now_found = sum(pair.precision for pair in matched), sum(best.values())
        yield Change(sentence, level, now_right - right, len(places), now_found - found)
        right, found = now_right, now_found
