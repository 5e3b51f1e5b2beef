"""WiRe57: 57 sentences, 343 tuples of two to five arguments, matched word by word.

An extraction may match a gold tuple of its sentence if they share a word in each of arg1, relation
and arg2. Of the pairs that may match, the one with the largest F1 of its words is taken, then the
next of what is left, one to one.

released
    The means of the pairs' precision over the extractions and of their recall over the gold tuples.
    The released scorer counts every word of an extraction that stands anywhere in the gold part,
    however often; words that the annotators inferred may be found, but need not, so recall can
    exceed 1. A part that is inferred as a whole need not share a word. This gives the paper's
    Table 3, except the precision of Ollie, .374, which is printed as .347.
paper
    The formula of section 4.1: the same pairs and counts of words, but their sums over the words of
    all extractions and over all gold words that are not inferred. ClausIE has 870 of 2,627 and of
    2,627 (.331, .331). Of a sentence no more words are found than it has, which never comes to bear
    on the published data. Read to the letter (shared words as bags, and one in each part even where
    it is inferred as a whole), the section would give 811 of 2,627 (.309, .309); the scorer that
    made the paper's table counts in neither way.
corrected
    The means of "released", with the faults of :data:`MENDS` mended: both lie in [0, 1].

Confidences play no part. Case and punctuation count.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np

from evaluator.gold import (
    COVERED,
    MATCHED,
    OUTSIDE,
    UNMATCHED,
    Judged,
    Mode,
    Output,
    Scored,
    conjunctions,
)
from evaluator.gold.one_to_one import greedy
from evaluator.gold.statistics import Change, Floats, Statistics
from evaluator.gold.wire57.data import Wire57Gold, read
from evaluator.gold.wire57.matching import (
    ExtractionWords,
    PairWords,
    candidates_of,
    is_exact,
    once,
    words_of,
)
from evaluator.model import Rejects

NAME = "wire57"
DESCRIPTION = "343 n-ary tuples of 57 sentences by experts; overlap of words, one to one"
SOURCE = (
    "Léchelle, Gotti and Langlais, WiRe57: A Fine-Grained Benchmark for Open Information "
    "Extraction, LAW 2019; github.com/rali-udem/WiRe57"
)
MODES: Sequence[Mode] = ("released", "corrected", "paper")
OPTIONS: Mapping[str, Sequence[str]] = {conjunctions.OPTION: conjunctions.VALUES}
CURVE = False
MENDS: Mapping[str, str] = {
    "multiset": "a word counts as often as the gold part has it, not as often as it is said",
    "inferred": "recall counts the gold words that are not inferred, above the line as below",
    "surplus-arguments": "arguments beyond those of the gold tuple cost precision, and are no "
    "exact match",
    "repeats": "an extraction said twice matches one gold tuple and counts twice as said",
    "empty-sentences": "what is said of a sentence without gold tuples is wrong, and no error",
}


def read_gold(
    path: Path,
    *,
    mode: Mode,  # noqa: ARG001
    options: Mapping[str, str],  # noqa: ARG001
    rejects: Rejects,
) -> Wire57Gold:
    """Read the benchmark's JSON: from a document to its sentences with id, sent and tuples.

    Raises
    ------
    InputError
        If the file is missing, no such JSON, or holds no gold tuple.
    """
    return read(path, rejects=rejects)


def score(
    gold: Wire57Gold,
    output: Output,
    *,
    mode: Mode,
    options: Mapping[str, str],  # noqa: ARG001
) -> Scored:
    """Score the output of one system; see the module for the modes."""
    judged = [Judged(extraction, OUTSIDE) for extraction in output.extractions]
    by_sentence: dict[int, list[int]] = {}
    for place, extraction in enumerate(output.extractions):
        sentence = gold.place(extraction)
        if sentence is not None:
            by_sentence.setdefault(sentence, []).append(place)

    denominators = _denominators(gold, mode=mode)
    changes: list[Change] = []
    pairs: list[PairWords] = []
    exact_said = exact_gold = 0
    for sentence, places in sorted(by_sentence.items()):
        tuples = gold.tuples[sentence]
        said = [words_of(output.extractions[place]) for place in places]
        distinct = once(said) if mode == "corrected" else range(len(said))
        candidates = candidates_of(said, distinct, tuples, mode=mode)
        matched = {candidate.said: candidate for candidate in greedy(candidates)}
        repeats = set(range(len(said))).difference(distinct)
        possible = {candidate.said for candidate in candidates}
        for index, place in enumerate(places):
            extraction = output.extractions[place]
            if index in matched:
                which, _, pair = matched[index]
                judged[place] = Judged(
                    extraction, MATCHED, sentence, which, pair.precision, pair.recall
                )
            else:
                outcome = COVERED if index in possible else UNMATCHED
                note = "says the same as another extraction" if index in repeats else ""
                judged[place] = Judged(extraction, outcome, sentence, note=note)
        chosen = [candidate.pair for candidate in matched.values()]
        pairs += chosen
        changes.append(_change(sentence, said, chosen, denominators[sentence], mode=mode))
        exact = [[is_exact(one, parts, mode=mode) for parts in tuples] for one in said]
        exact_said += sum(map(any, exact))
        exact_gold += sum(map(any, zip(*exact, strict=True)))

    extractions = sum(map(len, by_sentence.values()))
    return Scored(
        statistics=Statistics.of(changes, denominators),
        counts={
            "extractions": extractions,
            "matches": len(pairs),
            "exact_matches_pred": exact_said,
            "exact_matches_gold": exact_gold,
            "precision_of_matches": _mean([pair.precision for pair in pairs]),
            "recall_of_matches": _mean([pair.recall for pair in pairs]),
            "covered_sentences": len(by_sentence),
            "outside": len(judged) - extractions,
        },
        judged=judged,
        notes=_about_recall(pairs),
    )


def _change(
    sentence: int,
    said: Sequence[ExtractionWords],
    pairs: Sequence[PairWords],
    stated: float,
    *,
    mode: Mode,
) -> Change:
    if mode == "paper":
        length = sum(one.length for one in said)
        right, found = sum(pair.right for pair in pairs), sum(pair.found for pair in pairs)
        return Change(sentence, -np.inf, right, length, min(found, stated))
    right_share = sum(pair.precision for pair in pairs)
    return Change(sentence, -np.inf, right_share, len(said), sum(pair.recall for pair in pairs))


def _denominators(gold: Wire57Gold, *, mode: Mode) -> Floats:
    if mode == "paper":
        stated = [sum(part.stated for one in tuples for part in one) for tuples in gold.tuples]
        return np.array(stated, dtype=np.float64)
    return np.array([len(tuples) for tuples in gold.tuples], dtype=np.float64)


def _about_recall(pairs: Sequence[PairWords]) -> list[str]:
    beyond = sum(pair.recall > 1 for pair in pairs)
    if not beyond:
        return []
    return [
        f"{beyond:,} of {len(pairs):,} pairs have a recall above 1, by words that are repeated or "
        "inferred; corrected, none has"
    ]


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else float("nan")
