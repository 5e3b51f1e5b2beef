"""The gold data of WiRe57: sentences with tuples of words, some of them inferred."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from evaluator.errors import InputError, excerpt
from evaluator.gold import GoldSentence
from evaluator.gold.bags import Bag, bag
from evaluator.gold.joining import SentenceIndex
from evaluator.inputs import held_whole
from evaluator.json_objects import RepeatedKeyError, unique_keys
from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, text_lines
from evaluator.readers.jsonl import is_encodable

SLOTS = ("arg1", "rel", "arg2")
"""The parts that every tuple has; "arg3+" is a list."""

_INFERRED = "inf"


class GoldPart(NamedTuple):
    """A part of a gold tuple.

    Attributes
    ----------
    text
        Its words, inferred ones with them, joined by spaces.
    shown
        The same with [inferred] words in brackets.
    words, bag
        The set and the multiset of all of them.
    stated_bag, stated
        The multiset and the number of those that are not inferred.
    """

    text: str
    shown: str
    words: frozenset[str]
    bag: Bag
    stated_bag: Bag
    stated: int


type Wire57Tuple = tuple[GoldPart, ...]


@dataclass(frozen=True, slots=True)
class Wire57Gold:
    """Sentences, the parts of their tuples, and how to find a sentence."""

    sentences: Sequence[GoldSentence]
    tuples: Sequence[Sequence[Wire57Tuple]]
    counts: Mapping[str, int]
    by_id: Mapping[str, int]
    by_text: SentenceIndex

    def place(self, extraction: Extraction) -> int | None:
        """Return the index of the sentence that an extraction names, else gives as text."""
        found = self.by_id.get(extraction.sentence_id)
        return self.by_text.find(extraction.sentence) if found is None else found


def read(path: Path, *, rejects: Rejects) -> Wire57Gold:
    """Read the benchmark's JSON: from a document to its sentences with id, sent and tuples.

    Raises
    ------
    InputError
        If the file is missing, no such JSON, or holds no gold tuple.
    """
    sentences: list[GoldSentence] = []
    tuples: list[list[Wire57Tuple]] = []
    by_id: dict[str, int] = {}
    for record in _sentence_records(_parse(path, rejects)):
        try:
            name, text, records = _sentence(record)
            if name in by_id:
                raise RecordError("a sentence of this id stands before")
        except RecordError as reason:
            rejects.add(str(reason), json.dumps(record))
            continue
        by_id[name] = len(sentences)
        tuples.append(list(_tuples(records, rejects)))
        shown = [f"({'; '.join(part.shown for part in one)})" for one in tuples[-1]]
        sentences.append(GoldSentence(name, text, shown))
    if not any(tuples):
        raise InputError(
            path,
            f"no gold tuple: {rejects.first('no sentence has one')}; expected WiRe57's JSON: "
            "documents of sentences with id and tuples",
        )
    parts = [part for of_sentence in tuples for one in of_sentence for part in one]
    return Wire57Gold(
        sentences=sentences,
        tuples=tuples,
        counts={
            "sentences": len(sentences),
            "tuples": sum(map(len, tuples)),
            "words": sum(len(part.bag) for part in parts),
            "inferred_words": sum(len(part.bag) - part.stated for part in parts),
        },
        by_id=by_id,
        by_text=SentenceIndex([sentence.text for sentence in sentences]),
    )


def _parse(path: Path, rejects: Rejects) -> object:
    text = "\n".join(line for _, line in held_whole(text_lines(path, rejects=rejects), path))
    try:
        documents: object = json.loads(text, object_pairs_hook=unique_keys)
        encodable = is_encodable(documents)
    except json.JSONDecodeError as error:
        raise InputError(path, f"not JSON ({error.msg})", line=error.lineno) from None
    except RepeatedKeyError as key:
        problem = f"the key {excerpt(str(key))} stands twice in one object: which counts?"
        raise InputError(path, problem) from None
    except (ValueError, RecursionError):
        raise InputError(path, "not JSON") from None
    if not encodable:
        raise InputError(path, "holds an unpaired surrogate")
    return documents


def _sentence_records(documents: object) -> Iterator[object]:
    for records in documents.values() if isinstance(documents, dict) else []:
        yield from records if isinstance(records, list) else [records]


def _sentence(record: object) -> tuple[str, str, list[object]]:
    if not isinstance(record, dict):
        raise RecordError("not a sentence with id, sent and tuples")
    name, text, tuples = record.get("id"), record.get("sent"), record.get("tuples")
    if not isinstance(name, str) or not isinstance(text, str) or not isinstance(tuples, list):
        raise RecordError("not a sentence with id, sent and tuples")
    return name, text, tuples


def _tuples(records: list[object], rejects: Rejects) -> Iterator[Wire57Tuple]:
    for record in records:
        try:
            if not isinstance(record, dict):
                raise RecordError("a gold tuple that is no JSON object")
            more = record.get("arg3+") or []
            if not isinstance(more, list):
                raise RecordError("a gold tuple whose arg3+ is no list")
            yield tuple(_part(part) for part in [*(record.get(slot) for slot in SLOTS), *more])
        except RecordError as reason:
            rejects.add(str(reason), json.dumps(record))


def _part(part: object) -> GoldPart:
    words = part.get("words") if isinstance(part, dict) else None
    places = part.get("words_indexes") if isinstance(part, dict) else None
    if (
        not isinstance(words, list)
        or not isinstance(places, list)
        or len(words) != len(places)
        or not all(isinstance(word, str) for word in words)
    ):
        raise RecordError("a gold tuple with a part without words and as many words_indexes")
    if not all(map(_is_place, places)):
        raise RecordError(f"a gold tuple with words_indexes that are no numbers, nor {_INFERRED!r}")
    marked = [(word, place == _INFERRED) for word, place in zip(words, places, strict=True)]
    stated = [word for word, inferred in marked if not inferred]
    return GoldPart(
        text=" ".join(words),
        shown=" ".join(f"[{word}]" if inferred else word for word, inferred in marked),
        words=frozenset(words),
        bag=bag(words),
        stated_bag=bag(stated),
        stated=len(stated),
    )


def _is_place(place: object) -> bool:
    if isinstance(place, list):  # the place of a word, and a second number
        return bool(place) and all(map(_is_finite, place))
    return place == _INFERRED or _is_finite(place)


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
