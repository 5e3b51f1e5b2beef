"""Which sentence of a list an extraction is about.

Extractors name sentences by a number, quote them, or change them on the way (spacing, escapes,
case); some do neither. An extraction is aligned

1. by the id it gives, unless its text is that of another sentence: then its ids number something
   else, and the text counts;
2. by its text as it stands, else by the text's key
   (:func:`evaluator.corpus.sentences.sentence_key`), where that is the key of one sentence only.

Of equal sentences the first stands for all. Whatever cannot be aligned is counted, and so are the
sentences about which there is no extraction: recall is of all sentences, not of those in a file.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from evaluator.corpus.sentences import sentence_key
from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, at_least_one, mostly, one_per_line, text_lines
from evaluator.readers.jsonl import parse_object

How = Literal[
    "id", "exact text", "normalised text", "ambiguous", "not in the list", "names no sentence"
]
ALIGNED: tuple[How, ...] = ("id", "exact text", "normalised text")
UNALIGNED: tuple[How, ...] = ("ambiguous", "not in the list", "names no sentence")

_FORMS = "one sentence a line, id⇥sentence, or JSON objects with text and id?"


class ListedSentence(NamedTuple):
    """A sentence of the list, with what it goes by there; its line number where it has no id."""

    id: str
    text: str


class Aligned(NamedTuple):
    """An extraction with the sentence it is about, as the list gives it, and how that was found."""

    extraction: Extraction
    how: How

    @property
    def found(self) -> bool:
        """Whether a sentence was found."""
        return self.how in ALIGNED


@dataclass(frozen=True, slots=True)
class AlignmentReport:
    """What became of the extractions, and of the sentences.

    Attributes
    ----------
    extractions
        Number of extractions.
    outcomes
        Their number by how they were aligned, or why not.
    examples
        The first extraction of each outcome that is no alignment.
    other_id
        How many of the aligned ones gave the id of another sentence than that of their text.
    spans_dropped
        How many lost their spans because the list writes the sentence differently.
    sentences, covered
        Number of different sentences in the list, and of those that an extraction was aligned with.
    repeated
        How many further times the list holds the text of one of them.
    """

    extractions: int
    outcomes: dict[How, int]
    examples: dict[How, str]
    other_id: int
    spans_dropped: int
    sentences: int
    covered: int
    repeated: int

    @property
    def aligned(self) -> int:
        """Number of extractions that were aligned."""
        return sum(self.outcomes[how] for how in ALIGNED)

    def describe(self) -> dict[str, object]:
        """Return the report as JSON writes it."""
        return asdict(self) | {
            "aligned": self.aligned,
            "without_extraction": self.sentences - self.covered,
        }


def read_list(path: Path, *, rejects: Rejects) -> list[ListedSentence]:
    """Return the sentences of a file: one a line, ``id⇥sentence``, or JSON Lines.

    A JSON object has its sentence under ``text`` or ``sentence``, its id under ``sentence_id`` or
    ``id``. The first lines tell which form it is.

    Raises
    ------
    InputError
        If the file cannot be read or holds no sentence.
    """
    lines = list(text_lines(path, rejects=rejects))
    head = [line for _, line in islice(lines, 200)]
    if mostly(head, lambda line: line.lstrip().startswith("{")):
        parse = _of_object
    elif mostly(head, lambda line: line.count("\t") == 1):
        parse = _of_columns
    else:
        parse = _of_line
    own = Rejects()
    found = one_per_line(lines, parse, system="", rejects=own)
    listed: dict[str, ListedSentence] = {}
    for sentence in at_least_one(found, path, expected=_FORMS, own=own, rejects=rejects):
        if listed.setdefault(sentence.id, sentence) is not sentence:
            rejects.add("a sentence with the id of another", f"{sentence.id}: {sentence.text}")
    return list(listed.values())


class SentenceAligner:
    """Aligns extractions, one at a time, with a list of sentences and keeps the count."""

    def __init__(self, sentences: Sequence[ListedSentence]) -> None:
        self._sentences = sentences
        self._by_id = {sentence.id: place for place, sentence in enumerate(sentences)}
        self._by_text: dict[str, int] = {}
        for place, sentence in enumerate(sentences):
            self._by_text.setdefault(sentence.text.strip(), place)
        self._outcomes: Counter[How] = Counter()
        self._examples: dict[How, str] = {}
        self._other_id = self._spans_dropped = 0
        self._covered: set[int] = set()

    def align(self, extraction: Extraction) -> Aligned:
        """Return `extraction` with its sentence; unchanged where none is found."""
        place, how = self._find(extraction)
        self._outcomes[how] += 1
        if place is None:
            self._examples.setdefault(how, _shown(extraction))
            return Aligned(extraction, how)
        self._covered.add(self._by_text[self._sentences[place].text.strip()])
        return Aligned(self._with_sentence(extraction, self._sentences[place]), how)

    def report(self) -> AlignmentReport:
        """Return what has become of the extractions so far."""
        return AlignmentReport(
            extractions=self._outcomes.total(),
            outcomes={how: self._outcomes[how] for how in (*ALIGNED, *UNALIGNED)},
            examples=dict(self._examples),
            other_id=self._other_id,
            spans_dropped=self._spans_dropped,
            sentences=len(self._by_text),
            covered=len(self._covered),
            repeated=len(self._sentences) - len(self._by_text),
        )

    def _find(self, extraction: Extraction) -> tuple[int | None, How]:
        by_id = self._by_id.get(extraction.sentence_id) if extraction.sentence_id else None
        by_text, how = self._find_text(extraction.sentence)
        if by_id is None:
            if by_text is None and not extraction.sentence.strip() and not extraction.sentence_id:
                how = "names no sentence"
            return by_text, how
        if by_text is None or self._key(by_text) == self._key(by_id):
            return by_id, "id"
        self._other_id += 1
        return by_text, how

    def _find_text(self, text: str) -> tuple[int | None, How]:
        if not (text := text.strip()):
            return None, "not in the list"
        if (exact := self._by_text.get(text)) is not None:
            return exact, "exact text"
        places = self._by_key.get(_key(text), [])
        if len(places) == 1:
            return places[0], "normalised text"
        return None, "ambiguous" if places else "not in the list"

    @cached_property
    def _by_key(self) -> dict[str, list[int]]:
        by_key: dict[str, list[int]] = {}
        for text, place in self._by_text.items():
            by_key.setdefault(sentence_key(text), []).append(place)
        by_key.pop("", None)  # of a text without a word
        return by_key

    def _key(self, place: int) -> str:
        return _key(self._sentences[place].text)

    def _with_sentence(self, extraction: Extraction, sentence: ListedSentence) -> Extraction:
        extra = dict(extraction.extra)
        if extraction.sentence not in ("", sentence.text):
            extra["given_sentence"] = extraction.sentence
            if extra.pop("spans", None) is not None:
                extra.pop("span_unit", None)
                self._spans_dropped += 1
        if extraction.sentence_id not in ("", sentence.id):
            extra["given_sentence_id"] = extraction.sentence_id
        return replace(extraction, sentence=sentence.text, sentence_id=sentence.id, extra=extra)


_key = lru_cache(maxsize=4096)(sentence_key)  # extractions of a sentence stand together


def align(
    extractions: Iterable[Extraction], sentences: Sequence[ListedSentence]
) -> tuple[list[Aligned], AlignmentReport]:
    """Return the extractions with their sentences, in their order, and what became of them."""
    aligner = SentenceAligner(sentences)
    return [aligner.align(extraction) for extraction in extractions], aligner.report()


def _shown(extraction: Extraction) -> str:
    slots = (extraction.arg1, extraction.relation, extraction.arg2, *extraction.more_arguments)
    named = extraction.sentence_id and f"{extraction.sentence_id}: "
    return f"line {extraction.line}: {named}({'; '.join(slots)}) {extraction.sentence}".strip()[
        :200
    ]


def _of_line(line: str, _: str, number: int) -> ListedSentence:
    return _sentence(str(number), line)


def _of_columns(line: str, _: str, number: int) -> ListedSentence:
    id_, tab, text = line.partition("\t")
    if not tab and line.strip():
        raise RecordError("not id⇥sentence")
    return _sentence(id_.strip() or str(number), text)


def _of_object(line: str, _: str, number: int) -> ListedSentence:
    record = parse_object(line)
    text = record.get("text", record.get("sentence"))
    id_ = record.get("sentence_id", record.get("id", number))
    if not isinstance(text, str):
        raise RecordError("no text under 'text'")
    if not isinstance(id_, str | int) or isinstance(id_, bool):
        raise RecordError("the id is neither text nor a whole number")
    return _sentence(str(id_), text)


def _sentence(id_: str, text: str) -> ListedSentence:
    if not text.strip():
        raise RecordError("blank line")
    return ListedSentence(id_, text.strip())
