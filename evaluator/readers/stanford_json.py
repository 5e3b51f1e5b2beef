"""Stanford's Open IE as the CoreNLP server answers: JSON documents with ``sentences[].openie[]``.

One document in the whole file, on however many lines, or one on each line. A triple has
``subject``, ``relation`` and ``object``, and half-open token spans under ``subjectSpan`` and so on;
there is no confidence. The sentence is put together from ``tokens`` where the answer has them. An
argument may skip words of the sentence: only spans that the tokens bear out are kept.
"""

import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, refuse
from evaluator.readers._json_values import CutObject, json_values
from evaluator.readers.stanford_reverb import of_triple

NAME = "stanford-json"
KIND = "extractions"
DESCRIPTION = "JSON of the CoreNLP server: sentences, each with openie {subject, relation, object}"
SPECIAL_CASE = "json"
TOLD_BY = "JSON with sentences that have openie"
EXAMPLE = (
    '{"sentences": [{"index": 0, "openie": [{"subject": "Lena Marsh", "subjectSpan": [0, 2], '
    '"relation": "founded", "relationSpan": [2, 3], "object": "Kelp", "objectSpan": [3, '
    "4]}]}]}\n"
)

_SPANS = ("subjectSpan", "relationSpan", "objectSpan")
_SLOTS = ("arg1", "relation", "arg2")
_SENTENCES = re.compile(r'"sentences"\s*:\s*\[')
_OF_A_SENTENCE = re.compile(r'"(?:index|openie)"\s*:')


class _Document(NamedTuple):
    line: int
    name: str
    sentences: Sequence[object]


class _Sentence(NamedTuple):
    number: str
    text: str
    words: Sequence[str]
    triples: Sequence[object]


class _Triple(NamedTuple):
    slots: Sequence[str]
    spans: Sequence[object]


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield the triples of all documents; count in `rejects` what is none.

    An extraction's line is the one on which its document begins. ``sentence_id`` is the index of
    the sentence in the document, behind the ``docId`` of the document and a colon where it has one;
    it is left empty where the file holds several documents without. Token spans go to ``extra``
    ("spans", with "span_unit"); an empty relation, and spans that are missing or do not fit the
    tokens, are noted in `rejects`.
    """
    documents = _documents(lines, rejects)
    first = list(islice(documents, 2))
    for document in chain(first, documents):
        line = document.line
        prefix = f"{document.name}:" if document.name else ""
        named = document.name or len(first) == 1
        for sentence in _parsed(document.sentences, _sentence, line, rejects):
            identifier = prefix + sentence.number if named and sentence.number else ""
            for triple in _parsed(sentence.triples, _triple, line, rejects):
                yield of_triple(
                    system,
                    line,
                    sentence.text,
                    triple.slots,
                    None,
                    rejects=rejects,
                    sentence_id=identifier,
                    extra=_spans(triple, sentence.words, rejects),
                )


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format.

    The triples of a long answer may stand behind the first lines; the list of sentences does not.
    """
    text = "\n".join(head)
    opened = text.lstrip().startswith(("{", "[")) and _SENTENCES.search(text)
    return bool(opened and _OF_A_SENTENCE.search(text))


def _parsed[Part](
    items: Iterable[object], parse: Callable[[object], Part], line: int, rejects: Rejects
) -> Iterator[Part]:
    for item in items:
        try:
            part = parse(item)
        except RecordError as reason:
            if not isinstance(item, CutObject):  # that is counted
                refuse(rejects, str(reason), line, reprlib.repr(item))
        else:
            yield part


def _documents(lines: Iterable[tuple[int, str]], rejects: Rejects) -> Iterator[_Document]:
    for line, _, value in json_values(lines, rejects=rejects):
        several = value if isinstance(value, list) else [value]
        for name, sentences in _parsed(several, _document, line, rejects):
            yield _Document(line, name, sentences)


def _document(record: object) -> tuple[str, Sequence[object]]:
    match record:
        case {"docId": str(name), "sentences": [*sentences]}:
            return name, sentences
        case {"sentences": [*sentences]}:
            return "", sentences
    raise RecordError("no list under 'sentences'")


def _sentence(record: object) -> _Sentence:
    match record:
        case {"index": int(index), "openie": [*triples]}:
            number = str(index)
        case {"openie": [*triples]}:
            number = ""
        case _:
            raise RecordError("a sentence without a list under 'openie'")
    match record:
        case {"tokens": [*tokens]}:
            texts = [_token(token) for token in tokens]
        case _:
            texts = []
    text = "".join(written for _, written in texts).strip()
    return _Sentence(number, text, [word for word, _ in texts], triples)


def _token(record: object) -> tuple[str, str]:
    """Return the word of a token, and what stands for it in the text, the space behind it too."""
    match record:
        case {"word": str(word), "originalText": str(written), "after": str(after)} if written:
            return word, written + (" " if after else "")
        case {"word": str(word)}:
            return word, f"{word} "
    raise RecordError("a token without a word")


def _triple(record: object) -> _Triple:
    match record:
        case {"subject": str(arg1), "relation": str(relation), "object": str(arg2), **others}:
            return _Triple((arg1, relation, arg2), [others.get(key) for key in _SPANS])
    raise RecordError("a triple without subject, relation and object")


def _spans(triple: _Triple, words: Sequence[str], rejects: Rejects) -> Mapping[str, object]:
    spans = {}
    for name, slot, span in zip(_SLOTS, triple.slots, triple.spans, strict=True):
        match span:
            case [int(start), int(end)] if 0 <= start < end:
                if not words or " ".join(words[start:end]) == slot:
                    spans[name] = [start, end]
    if len(spans) < len(_SLOTS):
        rejects.note("spans that are missing or do not fit the tokens")
    return {"spans": spans, "span_unit": "token"} if spans else {}
