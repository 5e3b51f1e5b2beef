"""ORE (Mesquita et al. 2013): relations between named entities, each with a trigger word.

The data come in two forms. What the authors annotated has entities, trigger and window marked in
the sentence (:mod:`evaluator.gold.annotated_relations`). What was distributed with OIE2016 is a
conversion to its form A: sentence, trigger, entity, entity. The only released scorer of the second
is that of OIE2016 with the rules ``supervised``; of the first there is none here.

Corrected, an extraction states a relation if

* each entity's tokens stand in a row in an argument of its own, whichever: systems write longer
  arguments, and turn relations round;
* the trigger's tokens stand in a row in its relation phrase: "run" is not in "prune tree of";
* where a window is marked, the phrase has no tokens but the window's, the trigger among them.

Annotators were asked about the marked entities only (an average of 0.6 relations a sentence, where
WiRe57 has 6; Léchelle et al. 2019, section 2.1). An extraction whose arguments do not hold two of
them is left out, where the released scorer counts it as wrong. In a sentence without a trigger
there is no relation to be found, and any that is said between its entities is wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evaluator.errors import ConfigurationError
from evaluator.gold import (
    LEFT_OUT,
    MATCHED,
    OUTSIDE,
    UNMATCHED,
    Judged,
    Mode,
    Output,
    Scored,
    oie2016,
)
from evaluator.gold.annotated_relations import Relation, Tokens, comparable
from evaluator.gold.confidences import ranks
from evaluator.gold.propositions import Propositions
from evaluator.gold.relations import Relations, is_annotated, read_relations
from evaluator.gold.statistics import Change, Statistics
from evaluator.model import Extraction, Rejects

NAME = "ore"
DESCRIPTION = "relations between named entities in 660 sentences; a trigger word, a window"
SOURCE = (
    "Mesquita, Schmidek and Barbosa, Effectiveness and Efficiency of Open Relation Extraction, "
    "2013; converted data: github.com/gabrielStanovsky/supervised-oie"
)
MODES: tuple[Mode, ...] = ("released", "corrected")
OPTIONS: Mapping[str, Sequence[str]] = {}
CURVE = True
MENDS = {
    "linear": oie2016.MENDS["linear"],
    "sentences": oie2016.MENDS["sentences"],
    "tokens": oie2016.MENDS["tokens"],
    "trigger": "the relation phrase has the trigger as whole tokens in a row",
    "window": "where a window is marked, the relation phrase has no token from outside it",
    "entities": "each entity stands in an argument of its own",
    "pairs": "extractions whose arguments do not hold two entities are left out, not wrong",
    "curve": oie2016.MENDS["curve"],
}

PAIR_NOT_ANNOTATED = "its arguments do not hold two of the entities that annotators looked at"

_RELEASED = {"rules": "supervised"}


def read_gold(
    path: Path,
    *,
    mode: Mode,
    options: Mapping[str, str],  # noqa: ARG001
    rejects: Rejects,
) -> Propositions | Relations:
    """Return the gold data: converted, or annotated in the binary or the n-ary form.

    Raises
    ------
    InputError
        If the file is missing, empty or damaged, or holds no relation.
    ConfigurationError
        If it is annotated and the mode is "released".
    """
    if mode == "released":
        if is_annotated(path):
            raise ConfigurationError(
                f"{path}: annotated sentences have no released scorer here; use --mode corrected"
            )
        return oie2016.read_gold(path, mode=mode, options=_RELEASED, rejects=rejects)
    return read_relations(path, rejects=rejects)


def score(
    gold: Propositions | Relations,
    output: Output,
    *,
    mode: Mode,
    options: Mapping[str, str],  # noqa: ARG001
) -> Scored:
    """Return what a system gets on gold data that were read with the same mode.

    Corrected, ``Scored.counts`` has "extractions", "outside", "left_out", "matched", "false",
    "total" (relations with a trigger), "missed" and "covered_sentences" (with an extraction that is
    not left out).
    """
    if isinstance(gold, Propositions):
        return oie2016.score(gold, output, mode=mode, options=_RELEASED)
    extractions = output.extractions
    found = {text: gold.index.find(text) for text in {one.sentence for one in extractions}}
    judged: list[Judged] = []
    stated: dict[int, list[tuple[int, _Said]]] = {}
    for i, one in enumerate(extractions):
        place = found[one.sentence]
        if place is None:
            judged.append(Judged(one, OUTSIDE))
            continue
        said = _said(one)
        if any(_concerns(relation, said) for relation in gold.relations[place]):
            stated.setdefault(place, []).append((i, said))
            judged.append(Judged(one, UNMATCHED, place))
        else:
            judged.append(Judged(one, LEFT_OUT, place, note=PAIR_NOT_ANNOTATED))
    inside = [i for candidates in stated.values() for i, _ in candidates]
    confidences, curve, notes = ranks(extractions, inside, corrected=True)
    for place, candidates in stated.items():
        for number, i in _first_matches(gold.relations[place], candidates):
            judged[i] = Judged(extractions[i], MATCHED, place, number)
    changes = []
    for i in inside:
        outcome, place = judged[i].outcome, judged[i].sentence
        assert place is not None
        right = float(outcome == MATCHED)
        changes.append(Change(place, confidences[i], right, 1, right))
    total = np.array([sum(bool(r.trigger) for r in rs) for rs in gold.relations], dtype=np.float64)
    outcomes = [one.outcome for one in judged]
    matched = outcomes.count(MATCHED)
    counts = {
        "extractions": len(extractions),
        "outside": outcomes.count(OUTSIDE),
        "left_out": outcomes.count(LEFT_OUT),
        "matched": matched,
        "false": outcomes.count(UNMATCHED),
        "total": int(total.sum()),
        "missed": int(total.sum()) - matched,
        "covered_sentences": len(stated),
    }
    return Scored(Statistics.of(changes, total, curve=curve), counts, judged, notes)


class _Said(NamedTuple):
    relation: Tokens
    arguments: tuple[Tokens, ...]


def _said(extraction: Extraction) -> _Said:
    arguments = (extraction.arg1, extraction.arg2, *extraction.more_arguments)
    return _Said(comparable(extraction.relation), tuple(map(comparable, arguments)))


def _concerns(relation: Relation, said: _Said) -> bool:
    return any(_hold(said.arguments, pair) for pair in combinations(relation.entities, 2))


def _states(relation: Relation, said: _Said) -> bool:
    return (
        bool(relation.trigger)
        and _has(said.relation, relation.trigger)
        and (relation.window is None or relation.window.issuperset(said.relation))
        and _hold(said.arguments, relation.entities)
    )


def _first_matches(
    relations: Sequence[Relation], candidates: Sequence[tuple[int, _Said]]
) -> Iterator[tuple[int, int]]:
    """Yield each relation that is stated, with the first extraction that is free to state it."""
    free = list(candidates)
    for number, relation in enumerate(relations):
        for at, (i, said) in enumerate(free):
            if _states(relation, said):
                yield number, i
                del free[at]
                break


def _hold(arguments: tuple[Tokens, ...], entities: tuple[Tokens, ...]) -> bool:
    """Tell whether each entity stands in an argument of its own."""
    if not entities:
        return True
    return any(
        _has(argument, entities[0]) and _hold(arguments[:at] + arguments[at + 1 :], entities[1:])
        for at, argument in enumerate(arguments)
    )


def _has(whole: Tokens, part: Tokens) -> bool:
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))
