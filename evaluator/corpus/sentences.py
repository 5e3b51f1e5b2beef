"""The input corpus: its sentences, bare or annotated, and the key that finds a sentence again.

Two forms are read. ``lines`` is plain text, one sentence a line. ``jsonl`` is one object a line::

    {"document": "d1", "number": 0, "text": "Barack Obama is visiting Rome .",
     "mentions": [{"start": 0, "end": 12, "entity": "/m/02mjmr"}, ...],
     "relation_words": ["visit"]}

where only ``text`` must be there. A sentence that names no document is a document of its own,
called by the file and the line (:func:`own_document`): what stands side by side in a list of
sentences need not come from one text, and labels that share no document tell more. ``number``
defaults to the line's index; without ``mentions`` or ``relation_words`` the sentence is still to be
annotated.
``start`` and ``end`` are character positions in ``text`` as the file gives it, half open, and
must meet token boundaries (:mod:`evaluator.text`).

A sentence of more than 1,000 tokens (:data:`evaluator.model.MOST_TOKENS`) is a document or a table
on one line. It is left out and counted: it would have as many candidate facts as thousands of
others.

The texts of an extractor and of the corpus differ in spacing, escapes, quotes and case, so
extractions are aligned by :func:`sentence_key`. Two sentences with one key are one sentence.
"""

import re
from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import accumulate, chain, pairwise
from pathlib import Path

from evaluator.errors import ConfigurationError, choices
from evaluator.model import MOST_TOKENS, Mention, Rejects, Sentence
from evaluator.readers import RecordError, at_least_one, example, text_lines
from evaluator.readers.jsonl import parse_object
from evaluator.text import has_more_tokens, normalise, search_form, tokens, unescape_treebank

FORMATS = {
    "lines": "text, one sentence a line",
    "jsonl": "JSON objects, one a line: text, document?, number?, mentions?, relation_words?",
}

# Why a sentence is left out.
NO_WORD = "no word"
REPEATED = "duplicate sentence"

LONG_SENTENCE = f"sentence of more than {MOST_TOKENS:,} tokens"

# Where the Penn Treebank's tokenizer splits a word inside its letters: "do n't" for "don't", and a
# fixed list. These spaces go from a key, so that both spellings have the same one.
_SPLIT_WORDS = ("can not", "gim me", "gon na", "got ta", "lem me", "t is", "t was", "wan na")
_SPLIT = re.compile(
    r" (?:(?=n t\b)|"
    + "|".join(
        rf"(?<=\b{left} )(?={right}\b)" for left, right in (word.split() for word in _SPLIT_WORDS)
    )
    + ")"
)
_SPLIT_ANYWHERE = (" n t", *_SPLIT_WORDS)


def sentence_key(text: str) -> str:
    """Return the key under which a sentence of the corpus and of an extractor's output meet.

    The tokens of the text after undoing the Penn Treebank's escapes and splits, so spacing,
    punctuation, quotes and case do not matter. Empty for a text without a word.
    """
    key = search_form(unescape_treebank(text))
    # Few texts have such words, and to look for them as they stand is quicker.
    return _SPLIT.sub("", key) if any(words in key for words in _SPLIT_ANYWHERE) else key


def read_sentences(
    path: Path,
    *,
    format: str,  # noqa: A002
    rejects: Rejects,
) -> Iterator[Sentence]:
    """Yield the sentences of a corpus file, in file order.

    Of sentences with equal keys the first wins.

    Parameters
    ----------
    path
        UTF-8 text, plain or packed with gzip, bzip2 or xz.
    format
        "lines" or "jsonl".
    rejects
        Takes the lines that give no sentence, by reason, once the file is read.

    Raises
    ------
    ConfigurationError
        If the format is unknown.
    InputError
        If the file is missing, empty, damaged, or if not one sentence could be read from it.
    """
    if format not in FORMATS:
        raise ConfigurationError(f"corpus format {format!r} is unknown; {choices(format, FORMATS)}")
    parse = _json_sentence if format == "jsonl" else _bare_sentence
    own = Rejects()
    sentences = _distinct_sentences(path, parse, own)
    yield from at_least_one(sentences, path, expected=FORMATS[format], own=own, rejects=rejects)


type _Parse = Callable[[str, str, int], Sentence]


def _distinct_sentences(path: Path, parse: _Parse, rejects: Rejects) -> Iterator[Sentence]:
    file = document_name(path)
    seen: set[bytes] = set()
    for number, line in text_lines(path, rejects=rejects):
        try:
            sentence = parse(line, own_document(file, number), number - 1)
            if has_more_tokens(sentence.text, MOST_TOKENS):
                raise RecordError(LONG_SENTENCE)
            key = sentence_key(sentence.text)
            if not key:
                raise RecordError(NO_WORD)
            # Keys of millions of sentences are held as digests of 16 bytes.
            digest = blake2b(key.encode(), digest_size=16).digest()
            if digest in seen:
                raise RecordError(REPEATED)
        except RecordError as reason:
            rejects.add(str(reason), example(number, line))
            continue
        seen.add(digest)
        yield sentence


def document_name(path: Path) -> str:
    """Return what a file of sentences is called: its name, unpacked, without its suffix."""
    name = path.name
    for packing in (".gz", ".bz2", ".xz"):
        name = name.removesuffix(packing)
    return Path(name).stem


def own_document(file: str, line: int) -> str:
    """Return what a sentence is called as a document of its own: the file, and the line from 1."""
    return f"{file}:{line}"


def _text(line: str) -> str:
    return normalise(unescape_treebank(line.strip()))


def _bare_sentence(line: str, document: str, number: int) -> Sentence:
    return Sentence(document, number, _text(line))


def _json_sentence(line: str, document: str, number: int) -> Sentence:
    record = parse_object(line)
    text = record.get("text")
    given_document = record.get("document")
    if given_document in (None, ""):
        given_document = document
    given_number = record.get("number", number)
    if not isinstance(text, str):
        raise RecordError("no text under 'text'")
    if not isinstance(given_document, str):
        raise RecordError("'document' is not text")
    if not isinstance(given_number, int) or isinstance(given_number, bool):
        raise RecordError("'number' is not a whole number from 0")
    if not 0 <= given_number < 1 << 63:  # a signed 64-bit column holds it
        raise RecordError("'number' is not a whole number from 0")
    return Sentence(
        given_document,
        given_number,
        _text(text),
        mentions=_mentions(record.get("mentions"), text),
        relation_words=_relation_words(record.get("relation_words")),
    )


def _relation_words(words: object) -> tuple[str, ...] | None:
    if words is None:
        return None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise RecordError("'relation_words' is not a list of texts")
    return tuple(dict.fromkeys(words))


def _mentions(mentions: object, text: str) -> tuple[Mention, ...] | None:
    """Return the mentions given as character spans of `text` as token spans of its tokens."""
    if mentions is None:
        return None
    if not isinstance(mentions, list):
        raise RecordError("'mentions' is not a list")
    found = sorted(_character_span(mention, text) for mention in mentions)
    if any(first[1] > second[0] for first, second in pairwise(found)):
        raise RecordError("overlapping mentions")
    # Cut the text at every boundary: if all of them lie between tokens, the tokens of the pieces
    # are the tokens of the text. This holds whatever normalising does to character positions.
    cuts = sorted({0, len(text), *(cut for start, end, _ in found for cut in (start, end))})
    pieces = [tokens(unescape_treebank(text[start:end])) for start, end in pairwise(cuts)]
    if list(chain.from_iterable(pieces)) != tokens(unescape_treebank(text)):
        raise RecordError("a mention does not meet token boundaries")
    place = dict(zip(cuts, accumulate(map(len, pieces), initial=0), strict=True))
    spans = tuple(Mention(place[start], place[end], entity) for start, end, entity in found)
    if any(mention.start == mention.end for mention in spans):
        raise RecordError("a mention without a word")
    return spans


def _character_span(mention: object, text: str) -> tuple[int, int, str]:
    match mention:
        case {"start": int(start), "end": int(end), "entity": str(entity)} if (
            entity and 0 <= start < end <= len(text)
        ):
            return start, end, entity
    raise RecordError("a mention is not {start, end, entity} inside the text")
