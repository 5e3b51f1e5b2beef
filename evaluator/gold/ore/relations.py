"""Relations between named entities, as ORE (Mesquita et al. 2013) has them, converted or marked.

A converted line is tab-separated: sentence, trigger, entity, entity. For sentences with marks see
:mod:`evaluator.gold.ore.annotated_relations`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from evaluator.errors import InputError
from evaluator.gold import GoldSentence
from evaluator.gold.joining import SentenceIndex
from evaluator.gold.oie2016.propositions import gold_rows, readable
from evaluator.gold.ore.annotated_relations import (
    AnnotatedRelation,
    comparable,
    has_entity,
    read_annotated,
)
from evaluator.model import Rejects
from evaluator.readers import text_lines

_HEAD = 200
"""Lines in which the marks of an entity tell the annotated forms."""


@dataclass(frozen=True, slots=True)
class Relations:
    """Relations by sentence, read for the mode "corrected".

    Attributes
    ----------
    sentences
        In file order.
    relations
        For each sentence, what is annotated between its entities.
    counts
        "sentences", "tuples" (relations with a trigger), "without_trigger".
    index
        Finds the sentence that a text is.
    """

    sentences: Sequence[GoldSentence]
    relations: Sequence[Sequence[AnnotatedRelation]]
    counts: Mapping[str, int]
    index: SentenceIndex


class _Row(NamedTuple):
    text: str
    relation: AnnotatedRelation
    tuple: str


def is_annotated(path: Path) -> bool:
    """Tell whether an entity is marked in the first lines of a file.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    return any(has_entity(line) for _, line in islice(text_lines(path, rejects=Rejects()), _HEAD))


def read_relations(path: Path, *, rejects: Rejects) -> Relations:
    """Return the relations of a file of any form.

    Raises
    ------
    InputError
        If the file is missing, empty or damaged, or holds no relation.
    """
    own = Rejects()
    read = _annotated_rows if is_annotated(path) else _converted_rows
    relations = _by_sentence(list(read(path, rejects=own)))
    rejects.merge([own])
    if not relations.counts["tuples"]:
        raise InputError(
            path,
            f"no relation could be read: {own.first('no trigger')}; expected tab-separated "
            "sentence, trigger, entity, entity, or sentences with [[[TYPE entities]]] and a "
            "{{{trigger}}}",
        )
    return relations


def _converted_rows(path: Path, *, rejects: Rejects) -> Iterator[_Row]:
    for columns in gold_rows(path, least=4, rejects=rejects):
        text, trigger, *entities = columns
        relation = AnnotatedRelation(tuple(map(comparable, entities)), comparable(trigger))
        yield _Row(text, relation, readable(columns[1:]))


def _annotated_rows(path: Path, *, rejects: Rejects) -> Iterator[_Row]:
    for one in read_annotated(text_lines(path, rejects=rejects), rejects=rejects):
        yield _Row(one.text, one.relation, readable([one.trigger or "---", *one.entities]))


def _by_sentence(rows: Sequence[_Row]) -> Relations:
    index = SentenceIndex([row.text for row in rows])
    grouped: dict[int, list[_Row]] = {}
    for place, row in enumerate(rows):
        first = index.find(row.text)
        grouped.setdefault(place if first is None else first, []).append(row)
    groups = list(grouped.values())
    relations = [[row.relation for row in group] for group in groups]
    stated = sum(bool(relation.trigger) for group in relations for relation in group)
    return Relations(
        sentences=[
            GoldSentence(str(number), group[0].text, [row.tuple for row in group])
            for number, group in enumerate(groups, start=1)
        ],
        relations=relations,
        counts={
            "sentences": len(groups),
            "tuples": stated,
            "without_trigger": len(rows) - stated,
        },
        index=SentenceIndex([group[0].text for group in groups]),
    )
