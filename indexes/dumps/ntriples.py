"""N-Triples at the speed of a dump: whole columns where lines are of the usual form.

Freebase's dump has two thousand million lines, Wikidata's direct statements seven thousand
million. Nearly all are an IRI, an IRI, and an IRI or a literal, with single tabs or blanks
between. So a block of some megabytes is cut in columns by where its separators are; each distinct
predicate is looked up once; and subjects and objects are taken only of lines that matter, from
the block's own memory. Lines of any other form are read one by one, by a regular expression; what
that refuses is counted among the rejects. A dump of that size always holds lines that are cut or in
another encoding, and one of them must not cost its neighbours.

A fourth part (the graph, in N-Quads) is passed over. IRIs may hold what RDF forbids and dumps have
(two ``#``), but no blanks, quotes or angle brackets. Lines that are left out by their predicate,
or as the value of a literal, are not looked at any closer.
"""

import os
import re
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from io import BytesIO
from pathlib import Path
from threading import local
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.dumps.statements import (
    STATEMENTS,
    DumpStatement,
    NameKind,
    StatementKind,
    batches,
    clean_name,
    label_kind,
    languages,
)
from indexes.dumps.vocabulary import (
    LITERAL_VALUE,
    OTHER_LANGUAGE,
    Joins,
    LeftOut,
    LiteralOf,
    Meaning,
    Name,
    Prefix,
    Special,
    Triple,
    Type,
    Vocabulary,
    interpret,
)
from indexes.streams import TRUNCATED, blocks

INVALID_UTF8 = "invalid UTF-8"
CUT_LINE = "cut line"
MALFORMED = "not N-Triples"

_Positions = npt.NDArray[np.intp]
_Bytes = npt.NDArray[np.uint8]
_Mask = npt.NDArray[np.bool_]

_TAB, _NEWLINE, _RETURN, _BLANK = b"\t\n\r "
_QUOTE, _STOP, _AT, _OPEN, _CLOSE = b'".@<>'
_TAIL = 16  # bytes at the end of a literal in which its language tag must begin
_ALL = 2**64 - 1
_PART = 1 << 17  # bytes
_MOST_THREADS = 4  # from there on unpacking is the bound
_FORGET = 1 << 20  # distinct predicates remembered at most

# Possessive quantifiers, for no part of a triple can end elsewhere: twice as fast as greedy ones.
# A lone surrogate is no character, so its escape is none.
_CODE = r"\\(?>u(?![dD][89a-fA-F])[0-9A-Fa-f]{4}|U(?>000[1-9A-Fa-f]|0010)[0-9A-Fa-f]{4})"
_IRI = r'[^\x00-\x20<>"\\]++'
_ESCAPED_IRI = rf'<((?:[^\x00-\x20<>"\\]++|{_CODE})++)>'
_NODE = r'(_:[^\s<>".]++(?:\.++[^\s<>".]++)*+)'
_TEXT = rf"""[^"\\\n]*+(?:(?>\\[tbnrf"'\\]|{_CODE})[^"\\\n]*+)*+"""
_LITERAL_TEXT = re.compile(_TEXT)
_LINE = re.compile(
    rf"[ \t]*+(?>{_ESCAPED_IRI}|{_NODE})[ \t]*+{_ESCAPED_IRI}[ \t]*+"
    rf'(?>{_ESCAPED_IRI}|{_NODE}|"({_TEXT})"(?>@([A-Za-z0-9-]++)|\^\^{_ESCAPED_IRI})?+)'
    rf"(?:[ \t]*+(?>{_ESCAPED_IRI}|{_NODE}))?+[ \t]*+\.[ \t\r]*+(?:#.*+)?+",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(?:u(.{4})|U(.{8})|(.))", re.DOTALL)
_CONTROL = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_TAG = re.compile(rb"[A-Za-z]+(?:-[A-Za-z0-9]+)*")


def read_ntriples(
    path: Path,
    vocabulary: Vocabulary,
    *,
    language: str,
    rejects: Rejects,
    left_out: Rejects,
    byte_range: tuple[int, int] | None = None,
    threads: int | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the statements of an N-Triples file, a few batches for each block of it.

    Parameters
    ----------
    path, byte_range
        As for :func:`indexes.streams.blocks`.
    vocabulary
        What the predicates mean.
    language
        Language of the names that are wanted (``en``), or a chain of some (``de,en,mul``).
    rejects
        Receives each line that is not a triple: ``"invalid UTF-8"``, ``"cut line"`` (no final
        full stop), ``"not N-Triples"``; ``"truncated file"`` for the last line of the file where
        that is no triple and has no end; and how a damaged file ends. Blank lines and comments
        are no records.
    left_out
        Receives each triple that is no evidence, by reason. Of an entity's names in other
        languages, one in each block is the statement, the others are left out.
    threads
        Number of blocks that are read at once: by default as many as there are cores for this
        process, at most four. The statements and their order are the same.

    Raises
    ------
    InputError
        At the first step: a file that cannot be used at all. At the last: one without a triple.
    """
    refused, skipped = Rejects(), Rejects()
    found = False
    try:
        with _Readers(vocabulary, language, threads or _cores()) as readers:
            for batches_of_block, *accounts in readers.read(
                blocks(path, rejects=refused, byte_range=byte_range)
            ):
                for total, account in zip((refused, skipped), accounts, strict=True):
                    total.merge([account])
                for batch in batches_of_block:
                    found = True
                    yield batch
    finally:
        rejects.merge([refused])
        left_out.merge([skipped])
    if not found and not skipped.counts and byte_range is None:
        problem = "the file is empty or holds comments only"
        for reason, example in list(refused.examples.items())[:1]:
            problem = f"{reason}, first in {example[:80]!r}"
        raise InputError(path, f"no triple found: {problem}; give N-Triples")


def parse_line(line: str) -> Triple:
    """Return the triple of one line of N-Triples or N-Quads.

    Raises
    ------
    ValueError
        The line is no triple.
    """
    found = _LINE.fullmatch(line)
    if found is None:
        raise ValueError(line)
    subject, node, predicate, iri, object_node, text, tag = found.groups()[:7]
    subject, predicate = node or _iri(subject), _iri(predicate)
    if text is None:
        return Triple(subject, predicate, object_node or _iri(iri))
    return Triple(subject, predicate, unescape(text), literal=True, language=tag or "")


def _iri(escaped: str) -> str:
    if "\\" not in escaped:
        return escaped
    iri = unescape(escaped)
    if not re.fullmatch(_IRI, iri):
        raise ValueError(escaped)
    return iri


def unescape(text: str) -> str:
    """Undo the escapes of a literal's text."""
    return _ESCAPED.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    short, long, control = escape.groups()
    return _CONTROL.get(control, control) if control else chr(int(short or long, 16))


class _Lines(NamedTuple):
    """Where the parts of a block's lines are: the predicate between the two ends, and so on.

    Where `usual` is false, the parts are not to be relied on.
    """

    start: _Positions
    subject_end: _Positions
    predicate_end: _Positions
    object_end: _Positions
    end: _Positions
    usual: _Mask

    @property
    def object_start(self) -> _Positions:
        return self.predicate_end + 1


def _places(block: _Bytes, test: Callable[[_Bytes], _Mask]) -> _Positions:
    """Return where in a block a test of its bytes holds; in parts that stay in the cache."""
    return np.concatenate(
        [
            np.flatnonzero(test(block[start : start + _PART])) + start
            for start in range(0, len(block), _PART)
        ]
    )


def _locate(block: _Bytes) -> _Lines:
    """Find the separators of a block of whole lines."""
    separators = _places(block, lambda part: (part - _TAB) < 2)  # tabs and newlines
    if separators.size % 4 == 0:
        # Freebase's form: three tabs and a newline, and so for every line of the block.
        forms = block[separators].view("<u4")
        if (forms == int.from_bytes(b"\t\t\t\n", "little")).all():
            first, second, third, end = np.ascontiguousarray(separators.reshape(-1, 4).T)
            start = np.concatenate(([0], end[:-1] + 1))
            usual = (end - third == 2) & (block[end - 1] == _STOP)
            return _Lines(start, first, second, third, end, usual)
    end = _places(block, lambda part: part == _NEWLINE)
    start = np.concatenate(([0], end[:-1] + 1))
    gaps = _places(block, lambda part: (part == _BLANK) | (part == _TAB))
    gaps = np.concatenate((gaps, [len(block)] * 2))
    at = np.searchsorted(gaps, start)
    first, second = gaps[at], gaps[at + 1]
    stop = end - 1 - (block[end - 1] == _RETURN)
    before = block[stop - 1]
    object_end = stop - ((before == _BLANK) | (before == _TAB))
    usual = (block[stop] == _STOP) & (object_end > second + 1)
    return _Lines(start, first, second, object_end, end, usual)


class _Window:
    """A block of lines in memory that may be written to, and what is read off it at places."""

    def __init__(self, block: bytes) -> None:
        self.length = len(block)
        self.bytes = np.empty(self.length + 64, np.uint8)
        self.bytes[: self.length] = np.frombuffer(block, np.uint8)
        self.bytes[self.length :] = 0

    def words(self, at: _Positions, width: int) -> npt.NDArray[np.uint64]:
        """Return the `width` bytes (a multiple of 8) from each place on, in words of 8."""
        every = np.ndarray(self.length, f"V{width}", self.bytes, strides=(1,))
        words: npt.NDArray[np.uint64] = every[at].view("<u8").reshape(len(at), width // 8)
        return words

    def slices(self, start: _Positions, end: _Positions) -> pa.StringArray:
        """Return the text of each ``[start, end)``; the places ascend."""
        if not len(start):
            return pa.array([], pa.string())
        offsets = np.empty(2 * len(start), np.int32)
        offsets[0::2] = start
        offsets[1::2] = end
        every = pa.StringArray.from_buffers(
            len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(self.bytes)
        )
        return every.take(pa.array(np.arange(0, len(offsets), 2, dtype=np.int32)))


class _Ids:
    """Terms of the usual written forms, recognised and turned into ids, a column at a time."""

    def __init__(self, prefixes: tuple[Prefix, ...]) -> None:
        written = [f"<{prefix.written}".encode() for prefix in prefixes]
        ids = [prefix.id.encode() for prefix in prefixes]
        self._width = max([8, *(-(-len(form) // 8) * 8 for form in written)])
        self._forms = [
            (
                np.frombuffer(form.ljust(self._width, b"\0"), "<u8"),
                np.frombuffer((b"\xff" * len(form)).ljust(self._width, b"\0"), "<u8"),
            )
            for form in written
        ]
        self._written = written
        self._id = ids
        self._lengths = np.array([0, *map(len, written)])
        self._id_lengths = np.array([0, *map(len, ids)])
        self._plain = [_bytes_in(prefix.plain) for prefix in prefixes]

    def match(self, window: _Window, start: _Positions, end: _Positions) -> _Positions:
        """Return the number of the form that each term has, from 1; 0 for none."""
        found = np.zeros(len(start), np.intp)
        words = window.words(start, self._width)
        left = np.arange(len(start))
        for number, (form, mask) in enumerate(self._forms, start=1):
            same = np.ones(len(left), np.bool_)
            for column in range(self._width // 8):
                word = words[:, column]
                if mask[column] == _ALL:
                    same &= word == form[column]
                elif mask[column]:
                    same &= (word & mask[column]) == form[column]
            if same.all():
                found[left] = number
                break
            found[left[same]] = number
            left, words = left[~same], words[~same]
        found[(window.bytes[end - 1] != _CLOSE) | (end - 1 <= start + self._lengths[found])] = 0
        return found

    def take(
        self, window: _Window, start: _Positions, end: _Positions, forms: _Positions
    ) -> tuple[pa.StringArray, _Mask]:
        """Return the ids of terms that have a form, and which of them are sound."""
        id_start = start + self._lengths[forms] - self._id_lengths[forms]
        numbers = np.flatnonzero(np.bincount(forms))
        for number in numbers:
            written, id_ = self._written[number - 1], self._id[number - 1]
            rows = id_start if len(numbers) == 1 else id_start[forms == number]
            for offset, byte in enumerate(id_):
                if written[len(written) - len(id_) + offset] != byte:
                    window.bytes[rows + offset] = byte
        ids = window.slices(id_start, end - 1)
        sound = np.ones(len(start), np.bool_)
        offsets, data = _parts(ids)
        for number in numbers:
            plain, id_ = self._plain[number - 1], self._id[number - 1]
            mine = forms == number
            odd = ~plain[data]
            expected = int((~plain[np.frombuffer(id_, np.uint8)]).sum())
            if len(numbers) == 1 and np.count_nonzero(odd) == expected * len(start):
                # As many odd characters as all the prefixes have, and each id has its own.
                continue
            counts = np.add.reduceat(odd, offsets[:-1], dtype=np.intp)
            sound &= ~mine | (counts == expected)
        return ids, sound


def _bytes_in(characters: str) -> _Mask:
    table = np.zeros(256, np.bool_)
    table[list(characters.encode())] = True
    return table


# Bytes for which a name is looked at by itself: other than ASCII, control, quote, backslash.
_CAREFUL = ~_bytes_in("".join(map(chr, range(32, 127))).replace('"', "").replace("\\", ""))
_ESCAPED_BYTE = _bytes_in('"\\')


def _rows_with(table: _Mask, texts: pa.StringArray) -> _Mask:
    """Return in which rows of a column there is a byte of the table."""
    offsets, data = _parts(texts)
    found = np.zeros(len(texts), np.bool_)
    found[np.searchsorted(offsets, np.flatnonzero(table[data]), side="right") - 1] = True
    return found


def _parts(texts: pa.StringArray) -> tuple[npt.NDArray[np.int32], _Bytes]:
    """Return the offsets and the bytes of a column."""
    _, offsets, data = texts.buffers()
    places = np.frombuffer(offsets, np.int32, len(texts) + 1)
    length = int(places[-1])
    return places, np.frombuffer(data, np.uint8, length) if length else np.empty(0, np.uint8)


_SLOW, _LEFT_OUT, _FACT, _LABEL, _ALIAS, _TYPE, _VALUE = range(7)


class _Predicates:
    """What each distinct predicate does, numbered and remembered from block to block."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._numbers: dict[bytes, int] = {}
        self.meanings: list[Meaning | None] = []
        self._does: list[int] = []
        self.does = np.empty(0, np.intp)
        self.is_type = np.empty(0, np.bool_)
        self.relations = pa.array([], pa.string())

    def numbers(self, predicates: pa.BinaryArray) -> _Positions:
        """Return the number of each line's predicate."""
        if len(self._numbers) >= _FORGET:
            self.__init__(self._vocabulary)  # type: ignore[misc]
        coded = predicates.dictionary_encode()
        distinct = coded.dictionary.to_pylist()
        if new := [predicate for predicate in distinct if predicate not in self._numbers]:
            self._learn(new)
        numbers = np.array([self._numbers[predicate] for predicate in distinct], np.intp)
        found: _Positions = numbers[coded.indices.to_numpy()]
        return found

    def _learn(self, predicates: list[bytes]) -> None:
        for predicate in predicates:
            self._numbers[predicate] = len(self.meanings)
            does, meaning = self._find(predicate)
            self._does.append(does)
            self.meanings.append(meaning)
        self.does = np.array(self._does, np.intp)
        facts = [meaning if isinstance(meaning, Joins) else None for meaning in self.meanings]
        self.is_type = np.array([fact is not None and fact.is_type for fact in facts])
        self.relations = pa.array([fact and fact.relation for fact in facts], pa.string())

    def _find(self, predicate: bytes) -> tuple[int, Meaning | None]:
        if not re.fullmatch(f"<{_IRI}>", predicate.decode()):
            return _SLOW, None
        meaning = self._vocabulary.meaning(predicate[1:-1].decode())
        match meaning:
            case LeftOut():
                return _LEFT_OUT, meaning
            case Joins():
                return _FACT, meaning
            case Name(kind):
                return (_LABEL if kind == "label" else _ALIAS), meaning
            case Type():
                return _TYPE, meaning
            case LiteralOf():
                return _VALUE, meaning
            case Special():
                return _SLOW, meaning


def _cores() -> int:
    own = (
        os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    )
    return min(_MOST_THREADS, len(own))


type _Read = tuple[list[pa.RecordBatch], Rejects, Rejects]
"""The statements of a block, its rejects and what is left out of it."""


class _Readers:
    """Readers at work on several blocks at once; numpy and Arrow let threads run side by side."""

    def __init__(self, vocabulary: Vocabulary, language: str, threads: int) -> None:
        self._new = partial(_Reader, vocabulary, languages(language))
        self._threads = threads
        self._local = local()
        self._pool = ThreadPoolExecutor(threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def read(self, blocks: Iterator[bytes]) -> Iterator[_Read]:
        """Yield what each block holds, in their order; a few are read ahead."""
        if self._threads == 1:
            yield from map(self._read, blocks)
            return
        ahead: deque[Future[_Read]] = deque()
        for block in blocks:
            ahead.append(self._pool.submit(self._read, block))
            if len(ahead) > self._threads:
                yield ahead.popleft().result()
        for future in ahead:
            yield future.result()

    def _read(self, block: bytes) -> _Read:
        # Each thread keeps a reader, and with it what that has learned.
        reader: _Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = self._local.reader = self._new()
        return reader.read_block(block)


class _Reader:
    """Reads block after block; keeps what it learned of predicates and language tags."""

    def __init__(self, vocabulary: Vocabulary, wanted: tuple[str, ...]) -> None:
        self._vocabulary = vocabulary
        self._wanted = wanted
        self._rejects = Rejects()
        self._left_out = Rejects()
        self._cut = False
        self._predicates = _Predicates(vocabulary)
        self._entities = _Ids(vocabulary.entities)
        self._types = _Ids(vocabulary.types)
        self._tags: dict[bytes, int] = {}
        self._kinds: list[NameKind] = []  # what tags are, by the numbers in _tags

    def read_block(self, block: bytes) -> _Read:
        """Return what a block of whole lines holds; the last of the file may have no end."""
        self._rejects, self._left_out = Rejects(), Rejects()
        if unended := not block.endswith(b"\n"):
            block += b"\n"
        self._cut = unended
        return list(self._statements(block)), self._rejects, self._left_out

    def _statements(self, block: bytes) -> Iterator[pa.RecordBatch]:
        """Yield the statements of a block: by kind, then those of odd lines."""
        block = self._valid(block)
        if not block:
            return
        lines = _locate(np.frombuffer(block, np.uint8))
        if self._cut:
            # Columns are not looked at so closely that each cut would be seen.
            lines.usual[-1] = False
        window = _Window(block)
        odd = _Odd(~lines.usual)
        rows = np.flatnonzero(lines.usual)
        predicates = window.slices(lines.subject_end[rows] + 1, lines.predicate_end[rows])
        codes = self._predicates.numbers(predicates.cast(pa.binary()))
        does = self._predicates.does[codes]

        odd.add(rows[does == _SLOW])
        self._leave_out(block, lines, rows, codes, does)
        wanted = does >= _FACT
        if not wanted.all():
            rows, does, codes = rows[wanted], does[wanted], codes[wanted]
        subjects = self._entities.match(window, lines.start[rows], lines.subject_end[rows])
        first = window.bytes[lines.object_start[rows]]
        usual = subjects > 0
        odd.add(rows[~usual])
        literal = first == _QUOTE
        named = (does == _LABEL) | (does == _ALIAS)
        odd.add(rows[~literal & (named | (does == _VALUE))])

        table = _Table(block, window, lines, odd)
        joined = usual & ~literal
        for code in (_FACT, _TYPE):
            if (mine := np.flatnonzero(joined & (does == code))).size:
                yield from self._joined(table, code, rows[mine], subjects[mine], codes[mine])
        told = usual & literal
        if (mine := np.flatnonzero(told & ((does == _FACT) | (does == _TYPE)))).size:
            self._leave_literals(table, rows[mine])
        if (values := told & (does == _VALUE)).any():
            for number in np.unique(codes[values]):
                mine = np.flatnonzero(values & (codes == number))
                meaning = self._predicates.meanings[number]
                assert isinstance(meaning, LiteralOf)
                yield from self._values(table, meaning, rows[mine], subjects[mine])
        for code in (_LABEL, _ALIAS):
            if (mine := np.flatnonzero(told & (does == code))).size:
                yield from self._named(table, code, rows[mine], subjects[mine])
        yield from batches(self._one_by_one(block, lines, odd))

    def _valid(self, block: bytes) -> bytes:
        """Return the lines of a block that are UTF-8; count the others."""
        if block.isascii():
            return block
        try:
            offsets = pa.py_buffer(np.array([0, len(block)], np.int32))
            pa.StringArray.from_buffers(1, offsets, pa.py_buffer(block)).validate(full=True)
        except pa.ArrowInvalid:
            valid = []
            refused: list[tuple[int, str]] = []
            for number, line in enumerate(BytesIO(block), start=1):
                try:
                    line.decode()
                    valid.append(line)
                except UnicodeDecodeError:
                    refused.append((number, line.decode(errors="replace").rstrip()))
            last = len(valid) + len(refused)
            for number, text in refused:
                cut = self._cut and number == last
                self._rejects.add(TRUNCATED if cut else INVALID_UTF8, text)
            self._cut = self._cut and refused[-1][0] != last
            return b"".join(valid)
        return block

    def _leave_out(
        self, block: bytes, lines: _Lines, rows: _Positions, codes: _Positions, does: _Positions
    ) -> None:
        left = np.flatnonzero(does == _LEFT_OUT)
        if not len(left):
            return
        codes = codes[left]
        counts = np.bincount(codes)
        for code in np.flatnonzero(counts):
            meaning = self._predicates.meanings[code]
            assert isinstance(meaning, LeftOut)
            example = ""
            if meaning.reason not in self._left_out.examples:
                example = _line(block, lines, rows[left[np.argmax(codes == code)]])
            self._leave(meaning.reason, int(counts[code]), example)

    def _leave(self, reason: str, count: int, example: str) -> None:
        self._left_out.merge([Rejects({reason: count}, {reason: example[:200]})])

    def _leave_literals(self, table: "_Table", rows: _Positions) -> None:
        """Count values of literals; hand on those that do not end as a literal does."""
        block, window, lines, odd = table
        end = lines.object_end[rows]
        last = window.bytes[end - 1]
        whole = ((last == _QUOTE) & (end - lines.object_start[rows] > 1)) | (last == _CLOSE)
        rest = np.flatnonzero(~whole)
        whole[rest] = _tag_places(window, end[rest]) > lines.object_start[rows[rest]] + 1
        odd.add(rows[~whole])
        if count := int(np.count_nonzero(whole)):
            self._leave(LITERAL_VALUE, count, _line(block, lines, rows[np.argmax(whole)]))

    def _joined(
        self,
        table: "_Table",
        code: int,
        rows: _Positions,
        subjects: _Positions,
        codes: _Positions,
    ) -> Iterator[pa.RecordBatch]:
        """Yield facts, or types: lines of two terms of the usual forms."""
        _, window, lines, odd = table
        forms = self._entities if code == _FACT else self._types
        objects = forms.match(window, lines.object_start[rows], lines.object_end[rows])
        usual = objects > 0
        if not usual.all():
            odd.add(rows[~usual])
            rows, subjects = rows[usual], subjects[usual]
            objects, codes = objects[usual], codes[usual]
            if not len(rows):
                return
        subject, sound = self._entities.take(
            window, lines.start[rows], lines.subject_end[rows], subjects
        )
        object_, sound_object = forms.take(
            window, lines.object_start[rows], lines.object_end[rows], objects
        )
        sound &= sound_object
        if not sound.all():
            odd.add(rows[~sound])
            keep = pa.array(sound)
            subject, object_, codes = subject.filter(keep), object_.filter(keep), codes[sound]
        if code == _TYPE:
            yield _batch("type", subject, None, object_)
            return
        yield _batch("fact", subject, self._predicates.relations.take(pa.array(codes)), object_)
        if (is_type := self._predicates.is_type[codes]).any():
            keep = pa.array(is_type)
            yield _batch("type", subject.filter(keep), None, object_.filter(keep))

    def _values(
        self, table: "_Table", meaning: LiteralOf, rows: _Positions, subjects: _Positions
    ) -> Iterator[pa.RecordBatch]:
        """Yield what literals say of entities: those without escapes, tag or datatype."""
        block, window, lines, odd = table
        start, end = lines.object_start[rows] + 1, lines.object_end[rows] - 1
        subject, usual = self._entities.take(
            window, lines.start[rows], lines.subject_end[rows], subjects
        )
        whole = (window.bytes[end] == _QUOTE) & (end > start)
        texts = window.slices(np.where(whole, start, end), end)
        usual &= whole & ~_rows_with(_ESCAPED_BYTE, texts)
        odd.add(rows[~usual])
        asked = usual
        if meaning.prefix:
            asked = usual & pc.starts_with(texts, meaning.prefix).to_numpy(zero_copy_only=False)
        values = pa.array(map(meaning.read, texts.filter(pa.array(asked)).to_pylist()), pa.string())
        read = pc.replace_with_mask(pa.nulls(len(texts), pa.string()), pa.array(asked), values)
        keep = read.is_valid()
        if read.null_count:
            unread = rows[usual & ~np.asarray(keep)]
            if len(unread):
                self._leave(meaning.reason, len(unread), _line(block, lines, unread[0]))
        if read.null_count < len(read):
            yield _batch(meaning.kind, subject.filter(keep), None, read.filter(keep))

    def _named(
        self,
        table: "_Table",
        code: int,
        rows: _Positions,
        subjects: _Positions,
    ) -> Iterator[pa.RecordBatch]:
        """Yield names in the language, and once per entity that there are others."""
        block, window, lines, odd = table
        end = lines.object_end[rows]
        at = _tag_places(window, end)
        usual = at > lines.object_start[rows] + 1
        subject, sound = self._entities.take(
            window, lines.start[rows], lines.subject_end[rows], subjects
        )
        usual &= sound
        tags = window.slices(np.where(usual, at + 1, end), end).cast(pa.binary())
        tags = tags.dictionary_encode()
        kinds = np.array([self._tag(tag) for tag in tags.dictionary.to_pylist()], np.intp)
        kind = np.where(usual, kinds[tags.indices.to_numpy()], -1)
        odd.add(rows[kind < 0])
        for number, (name, language) in enumerate(self._kinds):
            mine = np.flatnonzero(kind == number)
            if not len(mine):
                continue
            of = subject.take(pa.array(mine))
            if name == "named":
                once = of.unique() if code == _LABEL else of.slice(0, 0)
                if len(once):
                    yield _batch("named", once, None, None)
                if repeated := len(of) - len(once):
                    self._leave(OTHER_LANGUAGE, repeated, _line(block, lines, rows[mine[-1]]))
                continue
            start = lines.object_start[rows[mine]] + 1
            names = self._names(window.slices(start, at[mine] - 1), rows[mine], odd)
            keep = names.is_valid()
            of, names = of.filter(keep), names.filter(keep)
            if len(of):
                alias = code == _ALIAS
                tag = pa.repeat(language, len(of)) if language and not alias else None
                yield _batch("alias" if alias else name, of, tag, names)

    def _tag(self, tag: bytes) -> int:
        known = self._tags.get(tag)
        if known is None:
            known = -1
            if _TAG.fullmatch(tag):
                kind = label_kind(tag.decode(), self._wanted)
                if kind not in self._kinds:
                    self._kinds.append(kind)
                known = self._kinds.index(kind)
            self._tags[tag] = known
        return known

    def _names(self, texts: pa.StringArray, rows: _Positions, odd: "_Odd") -> pa.StringArray:
        """Return names as they are kept; null for those of lines to be read one by one."""
        offsets, data = _parts(texts)
        blank = data == _BLANK
        at = np.flatnonzero(_CAREFUL[data] | (blank & np.append(blank[1:], True)))
        careful = np.zeros(len(texts), np.bool_)
        careful[np.searchsorted(offsets, at, side="right") - 1] = True
        careful |= offsets[:-1] == offsets[1:]
        inner = np.flatnonzero(~careful)
        careful[inner] = blank[offsets[inner]] | blank[offsets[inner + 1] - 1]
        if not careful.any():
            return texts
        mended: list[str | None] = []
        for row, text in zip(
            rows[careful], texts.filter(pa.array(careful)).to_pylist(), strict=True
        ):
            name = clean_name(unescape(text)) if _LITERAL_TEXT.fullmatch(text) else ""
            mended.append(name or None)
            if not name:
                odd.add(row)
        return pc.replace_with_mask(texts, pa.array(careful), pa.array(mended, pa.string()))

    def _one_by_one(self, block: bytes, lines: _Lines, odd: "_Odd") -> Iterator[DumpStatement]:
        for row in np.flatnonzero(odd.lines):
            line = _line(block, lines, row)
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            try:
                triple = parse_line(line)
            except ValueError:
                reason = MALFORMED if line.rstrip().endswith(".") else CUT_LINE
                if self._cut and row == len(lines.end) - 1:
                    reason = TRUNCATED
                self._rejects.add(reason, line.strip())
                continue
            found = interpret(triple, self._vocabulary, wanted=self._wanted)
            if isinstance(found, str):
                self._left_out.add(found, line)
            else:
                yield from found


class _Odd:
    """The lines of a block that are to be read one by one."""

    def __init__(self, lines: _Mask) -> None:
        self.lines = lines

    def add(self, rows: Any) -> None:
        self.lines[rows] = True


class _Table(NamedTuple):
    block: bytes
    window: _Window
    lines: _Lines
    odd: _Odd


def _line(block: bytes, lines: _Lines, row: Any) -> str:
    return block[lines.start[row] : lines.end[row]].decode()


def _tag_places(window: _Window, end: _Positions) -> _Positions:
    """Return where the ``@`` of each literal's language tag is; -1 where there is none near."""
    if not len(end):
        return end
    near = np.maximum(end - _TAIL, 0)  # no line with a literal is so short
    tail = window.words(near, _TAIL).view(np.uint8)
    begins = (tail[:, 1:] == _AT) & (tail[:, :-1] == _QUOTE)
    last = _TAIL - 1 - np.argmax(begins[:, ::-1], axis=1)
    return np.where(begins.any(axis=1), near + last, -1)


def _batch(
    kind: StatementKind, subject: pa.Array, predicate: pa.Array | None, object_: pa.Array | None
) -> pa.RecordBatch:
    empty = pa.repeat("", len(subject)) if predicate is None or object_ is None else None
    return pa.record_batch(
        [
            pa.repeat(kind, len(subject)),
            subject,
            empty if predicate is None else predicate,
            empty if object_ is None else object_,
        ],
        schema=STATEMENTS,
    )
