"""ORE (Mesquita et al. 2013): relations between named entities, each with a trigger word.

The data come in two forms. What the authors annotated has entities, trigger and window marked in
the sentence (:mod:`evaluator.gold.ore.annotated_relations`). What was distributed with OIE2016 is a
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

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from evaluator.gold.confidences import ranks
from evaluator.gold.oie2016.assignment import counts_of
from evaluator.gold.oie2016.propositions import Propositions
from evaluator.gold.one_to_one import first_free
from evaluator.gold.ore.annotated_relations import AnnotatedRelation, Tokens, comparable
from evaluator.gold.ore.relations import Relations, is_annotated, read_relations
from evaluator.gold.statistics import Change, Statistics
from evaluator.model import Extraction, Rejects

NAME = "ore"
DESCRIPTION = "relations between named entities in 660 sentences; a trigger word, a window"
SOURCE = (
    "Mesquita, Schmidek and Barbosa, Effectiveness and Efficiency of Open Relation Extraction, "
    "EMNLP 2013; converted by github.com/gabrielStanovsky/supervised-oie"
)
MODES: Sequence[Mode] = ("released", "corrected")
OPTIONS: Mapping[str, Sequence[str]] = {}
CURVE = True
MENDS: Mapping[str, str] = {
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
        said_there = [said for _, said in candidates]
        for number, which in first_free(gold.relations[place], said_there, _states):
            i, _ = candidates[which]
            judged[i] = Judged(extractions[i], MATCHED, place, number)
    changes = [
        Change(place, confidences[i], right, 1, right)
        for place, candidates in stated.items()
        for i, _ in candidates
        for right in [float(judged[i].outcome == MATCHED)]
    ]
    total = np.array([sum(bool(r.trigger) for r in rs) for rs in gold.relations], dtype=np.float64)
    matched = sum(one.outcome == MATCHED for one in judged)
    counts = counts_of(judged, total, matched=matched)
    return Scored(Statistics.of(changes, total, curve=curve), counts, judged, notes)


class _Said(NamedTuple):
    relation: Tokens
    arguments: tuple[Tokens, ...]


def _said(extraction: Extraction) -> _Said:
    return _Said(comparable(extraction.relation), tuple(map(comparable, extraction.arguments)))


def _concerns(relation: AnnotatedRelation, said: _Said) -> bool:
    """Tell whether two of the entities stand in arguments, each in one of its own."""
    return _two_apart(one for one in _holders(said, relation.entities) if one)


def _states(relation: AnnotatedRelation, said: _Said) -> bool:
    return (
        bool(relation.trigger)
        and _has(said.relation, relation.trigger)
        and (relation.window is None or relation.window.issuperset(said.relation))
        and _all_apart(list(_holders(said, relation.entities)))
    )


def _holders(said: _Said, entities: Sequence[Tokens]) -> Iterator[list[int]]:
    """Yield, for each entity, the indexes of the arguments that it stands in."""
    for entity in entities:
        yield [at for at, argument in enumerate(said.arguments) if _has(argument, entity)]


def _two_apart(holders: Iterable[list[int]]) -> bool:
    # Among pairs, there are two that share nothing unless one entity or argument is in all (König).
    found = list(holders)
    return len(found) > 1 and len(set().union(*found)) > 1


def _all_apart(holders: Sequence[list[int]]) -> bool:
    """Tell whether each entity can be given an argument of its own: a matching in the graph."""
    if not all(holders):
        return False
    if len(holders) == 2:
        return _two_apart(holders)
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    columns = [at for one in holders for at in one]
    starts = np.cumsum([0, *map(len, holders)])
    graph = csr_array((np.ones(len(columns)), columns, starts))
    return bool((maximum_bipartite_matching(graph, perm_type="column") >= 0).all())


def _has(whole: Tokens, part: Tokens) -> bool:
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))
