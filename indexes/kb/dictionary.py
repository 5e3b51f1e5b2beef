"""Storage of the entity dictionary: an automaton over names, and columns beside it.

A folder that workers map into memory, so that all processes of a machine share one copy and opening
it reads next to nothing. Each Arrow file holds one uncompressed batch:

======================  ===========================================================================
``forms.marisa``        a trie of the search forms of names, a blank after each token
``forms.arrow``         first, count: the candidates of each form, by its number in the trie
``folded.marisa``       a trie of forms that have diacritics, without them
``folded.arrow``        first, count: the rows of ``unfolded`` for each of those
``unfolded.arrow``      form: numbers of the forms that a folded one stands for
``candidates.arrow``    written: a name as written; entity: the row of one that it may mean
``entities.arrow``      id
``near.arrow``          first, count: the neighbours of each entity
``neighbours.arrow``    entity: their rows
======================  ===========================================================================
"""

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

import marisa_trie
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.errors import InputError
from evaluator.text import fold
from indexes.kb.dictionary_names import is_proper

CANDIDATES = 32
"""Entities kept for a name as written, the best; context decides among no more."""

LONGEST = 500
"""Characters of a form; longer names are left out, so that a search looks no further ahead."""

_FORMS, _FOLDED = "forms.marisa", "folded.marisa"
_LOOKED_AT = 1 << 10  # forms that begin with a token, to see whether one may be meant
_CACHED = 1 << 17  # forms whose candidates, and tokens whose forms, a process remembers


class EntityCandidate(NamedTuple):
    """What a form may mean.

    Attributes
    ----------
    written
        A name as written.
    proper
        :func:`indexes.kb.dictionary_names.is_proper` of it.
    capital
        Whether it begins with a capital letter.
    entity
        The row of an entity.
    """

    written: str
    proper: bool
    capital: bool
    entity: int


def write_dictionary(
    folder: Path,
    *,
    names: Iterable[pa.RecordBatch],
    entities: Iterable[pa.RecordBatch],
    neighbours: Iterable[pa.RecordBatch],
) -> None:
    """Write a dictionary to `folder`, which must not exist.

    Rows stream to disk; what is held is the trie, and some 30 bytes for each form and entity.

    Parameters
    ----------
    names
        form, written (:func:`indexes.kb.entities.name_row`), entity (row). Sorted by form, then the
        better candidate first. Of each name as written the best :data:`CANDIDATES` are kept, of
        each form that has no more than :data:`LONGEST` characters. Columns beside those named here
        are ignored, in all three.
    entities
        id, popularity, in row order. Of forms that differ in diacritics the one with the more
        popular best candidate comes first; the order within a form is that of `names`.
    neighbours
        entity, neighbour: rows of entities that share a statement, in both directions, sorted and
        distinct.

    Raises
    ------
    ValueError
        Names that are not sorted by form.
    """
    folder.mkdir(parents=True)
    scratch = Path(tempfile.mkdtemp(prefix=".columns-", dir=folder))
    try:
        ids, popularity = _Column(scratch, pa.large_string()), _Column(scratch, pa.int64())
        for batch in entities:
            ids.append(batch["id"])
            popularity.append(batch["popularity"])
        known = ids.close()
        _write_arrow(folder / "entities.arrow", id=known)
        _write_names(folder, scratch, names, popularity.close().to_numpy())
        _write_neighbours(folder, scratch, len(known), neighbours)
    finally:
        shutil.rmtree(scratch)


class Dictionary:
    """A dictionary on disk, mapped into memory.

    Raises
    ------
    InputError
        A folder that is no dictionary, or a damaged one.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self._forms = marisa_trie.Trie().mmap(str(folder / _FORMS))
            self._folded = marisa_trie.Trie().mmap(str(folder / _FOLDED))
            self._of_form = _Lists(folder / "forms.arrow", folder / "candidates.arrow", "entity")
            self._of_folded = _Lists(folder / "folded.arrow", folder / "unfolded.arrow", "form")
            self._of_entity = _Lists(folder / "near.arrow", folder / "neighbours.arrow", "entity")
            self._written = _Texts(_map(folder / "candidates.arrow")["written"])
            self._ids = _Texts(_map(folder / "entities.arrow")["id"])
        except (OSError, RuntimeError, KeyError, pa.ArrowInvalid) as error:
            raise InputError(
                folder, f"not an entity dictionary, or a damaged one ({error}); rebuild it"
            ) from None
        self.candidates = lru_cache(maxsize=_CACHED)(self._candidates)
        self.begins = lru_cache(maxsize=_CACHED)(self._begins)

    def __len__(self) -> int:
        return len(self._forms)

    def _begins(self, token: str, capital: bool, proper_only: bool) -> tuple[bool, bool]:
        """Whether names begin with a token as it stands, and whether with it without diacritics.

        Parameters
        ----------
        token
            In search form.
        capital
            Whether the text gives it a capital. Without, no name is meant that begins with one.
        proper_only
            Whether only proper names are meant.

        Of a token that very many names begin with, some name is taken to be meant.
        """
        same, plain = f"{token} ", f"{fold(token)} "
        forms = map(self._forms.__getitem__, self._forms.iterkeys(same))
        meant = any(
            (capital or not name.capital) and (name.proper or not proper_only)
            for form in islice(forms, _LOOKED_AT)
            for name in self._candidates(form)
        )
        other = self._folded.iterkeys(plain)
        if plain != same:
            other = chain(other, self._forms.iterkeys(plain))
        return meant or any(True for _ in forms), next(other, None) is not None

    def prefixes(self, text: str) -> list[tuple[str, int]]:
        """Return the forms that `text` begins with, the shortest first, and their numbers.

        `text` is tokens with a blank after each, and so are the forms.
        """
        forms = self._forms
        return [(form, forms[form]) for form in forms.prefixes(text)]

    def folded_prefixes(self, text: str) -> list[tuple[str, int]]:
        """Return the forms with diacritics that `text`, without any, begins with, folded."""
        folded = self._folded
        return [
            (form, int(number))
            for form in folded.prefixes(text)
            for number in self._of_folded[folded[form]]
        ]

    def _candidates(self, form: int) -> tuple[EntityCandidate, ...]:
        """Return the candidates of the form of a number, the best first."""
        rows = self._of_form.rows(form)
        names = (self._written[row] for row in rows)
        entities = self._of_form[form].tolist()
        return tuple(
            EntityCandidate(name, is_proper(name), name[0].isupper(), entity)
            for name, entity in zip(names, entities, strict=True)
        )

    def id(self, entity: int) -> str:
        """Return the identifier of the entity in a row."""
        return self._ids[entity]

    def neighbours(self, entity: int) -> NDArray[np.int32]:
        """Return the rows of the entities that share a statement with one, ascending."""
        return self._of_entity[entity]

    def are_neighbours(self, one: int, other: int) -> bool:
        """Whether two entities share a statement."""
        near, far = self.neighbours(one), self.neighbours(other)
        if len(near) > len(far):
            near, other = far, one
        place = int(near.searchsorted(other))
        return place < len(near) and bool(near[place] == other)


class _Lists:
    """Lists of numbers: where each begins and how long it is, and all of them in one column."""

    def __init__(self, places: Path, values: Path, column: str) -> None:
        batch = _map(places)
        self._first = memoryview(batch["first"].to_numpy())
        self._count = memoryview(batch["count"].to_numpy())
        self._values = _map(values)[column].to_numpy()

    def rows(self, number: int) -> range:
        first = self._first[number]
        return range(first, first + self._count[number])

    def __getitem__(self, number: int) -> NDArray[np.int32]:
        rows = self.rows(number)
        values: NDArray[np.int32] = self._values[rows.start : rows.stop]
        return values


class _Texts:
    """A column of strings; its values are decoded one by one, faster than Arrow's scalars."""

    def __init__(self, column: pa.Array) -> None:
        _, offsets, data = column.buffers()
        self._offsets = memoryview(offsets).cast("q")
        self._data = memoryview(data or b"")

    def __getitem__(self, row: int) -> str:
        return str(self._data[self._offsets[row] : self._offsets[row + 1]], "utf-8")


class _Column:
    """A column of unknown length, kept in a file while it grows."""

    def __init__(self, scratch: Path, kind: pa.DataType) -> None:
        self._kind = kind
        self._values = _Bytes(scratch)
        self._offsets = _Bytes(scratch) if kind == pa.large_string() else None
        self._end = 0
        self._rows = 0
        if self._offsets:
            self._offsets.write(np.zeros(1, np.int64))

    def append(self, values: pa.Array) -> None:
        values = values.cast(self._kind)
        self._rows += len(values)
        if self._offsets is None:
            self._values.write(values.to_numpy(zero_copy_only=False))
        elif len(values):
            _, offsets, data = values.buffers()
            ends = np.frombuffer(offsets, np.int64)[values.offset :][: len(values) + 1]
            self._values.write(memoryview(data or b"")[ends[0] : ends[-1]])
            self._offsets.write(ends[1:] - ends[0] + self._end)
            self._end += int(ends[-1] - ends[0])

    def close(self) -> pa.Array:
        """Return the column, mapped from its file."""
        buffers = [file.close() for file in (self._offsets, self._values) if file]
        return pa.Array.from_buffers(self._kind, self._rows, [None, *buffers])


class _Bytes:
    """A file of bytes that is mapped into memory when it is complete."""

    def __init__(self, scratch: Path) -> None:
        number, path = tempfile.mkstemp(dir=scratch)
        self._path = path
        self._stream: BinaryIO = open(number, "wb")  # noqa: PTH123, SIM115

    def write(self, values: memoryview | NDArray[np.int64]) -> None:
        self._stream.write(np.ascontiguousarray(values).data)

    def close(self) -> pa.Buffer:
        self._stream.close()
        if not Path(self._path).stat().st_size:
            return pa.py_buffer(b"")  # which cannot be mapped
        with pa.memory_map(self._path) as mapped:
            return mapped.read_buffer()


def _write_names(
    folder: Path,
    scratch: Path,
    names: Iterable[pa.RecordBatch],
    popularity: NDArray[np.int64],
) -> None:
    written, meant = _Column(scratch, pa.large_string()), _Column(scratch, pa.int32())
    forms, counts = _Column(scratch, pa.large_string()), _Column(scratch, pa.int64())
    for whole in _whole_forms(names):
        kept = whole.take(_best(whole))
        written.append(kept["written"])
        meant.append(kept["entity"])
        runs = pc.run_end_encode(kept["form"], pa.int64())
        forms.append(runs.values)
        counts.append(pa.array(np.diff(runs.run_ends.to_numpy(), prepend=0)))
    entities = meant.close()
    _write_arrow(folder / "candidates.arrow", written=written.close(), entity=entities)
    known = forms.close()
    trie = marisa_trie.Trie(f"{form} " for form in _each(known))
    trie.save(str(folder / _FORMS))
    numbers = np.fromiter((trie[f"{form} "] for form in _each(known)), np.int64, len(known))
    count = counts.close().to_numpy()
    first = np.cumsum(count) - count
    place = np.empty_like(numbers)  # of each number, for the trie has an order of its own
    place[numbers] = np.arange(len(numbers))
    _write_lists(folder / "forms.arrow", first[place], count[place])
    _write_folded(folder, known, numbers, popularity[entities.to_numpy()[first[place]]])


def _write_folded(
    folder: Path, forms: pa.Array, numbers: NDArray[np.int64], popularity: NDArray[np.int64]
) -> None:
    """Write the folded forms; `popularity` is that of each form's best candidate, by number."""

    def folded() -> Iterator[tuple[str, int]]:
        for form, number in zip(_each(forms), numbers, strict=True):
            if not form.isascii() and (without := fold(form)) != form:
                yield f"{without} ", int(number)

    trie = marisa_trie.Trie(form for form, _ in folded())
    trie.save(str(folder / _FOLDED))
    of = np.fromiter((number for _, number in folded()), np.int64)
    number = np.fromiter((trie[form] for form, _ in folded()), np.int64)
    count = np.bincount(number, minlength=len(trie))
    _write_lists(folder / "folded.arrow", np.cumsum(count) - count, count)
    _write_arrow(
        folder / "unfolded.arrow", form=pa.array(of[np.lexsort((of, -popularity[of], number))])
    )


def _write_neighbours(
    folder: Path, scratch: Path, entities: int, neighbours: Iterable[pa.RecordBatch]
) -> None:
    near = _Column(scratch, pa.int32())
    count = np.zeros(entities, np.int64)
    for batch in neighbours:
        near.append(batch["neighbour"])
        rows, times = np.unique(batch["entity"].to_numpy(), return_counts=True)
        count[rows] += times
    _write_arrow(folder / "neighbours.arrow", entity=near.close())
    _write_lists(folder / "near.arrow", np.cumsum(count) - count, count)


def _whole_forms(names: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the names in batches that end where a form does."""
    held: list[pa.RecordBatch] = []
    for batch in names:
        if not batch.num_rows:
            continue
        held.append(batch.select(["form", "written", "entity"]))
        rows = _joined(held)
        form = rows["form"]
        if not pc.all(pc.less_equal(form[:-1], form[1:])).as_py() and len(form) > 1:
            raise ValueError("names are not sorted by form")
        last = pc.index(form, form[-1]).as_py()
        if last:
            yield rows.slice(0, last)
        held = [rows.slice(last)]
    if held:
        yield _joined(held)


def _joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    return pa.Table.from_batches(batches).combine_chunks().to_batches()[0]


def _best(names: pa.RecordBatch) -> NDArray[np.int64]:
    """Return the rows to keep: each entity of a name as written once, and the best of them."""
    form = pc.rank(names["form"], tiebreaker="dense").to_numpy()
    written = names["written"].dictionary_encode().indices.to_numpy()
    entity = names["entity"].to_numpy()
    fits = pc.less_equal(pc.utf8_length(names["form"]), LONGEST).to_numpy(zero_copy_only=False)
    order = np.flatnonzero(fits)
    order = order[np.lexsort((order, entity[order], written[order], form[order]))]
    order = order[_starts(form[order], written[order], entity[order])]
    order = order[np.lexsort((order, written[order], form[order]))]
    starts = _starts(form[order], written[order])
    place = np.arange(len(order))
    rank = place - np.maximum.accumulate(np.where(starts, place, 0))
    return np.sort(order[rank < CANDIDATES])


def _starts(*columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether a row differs from the one before it."""
    starts = np.ones(len(columns[0]), np.bool_)
    starts[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return starts


def _each(strings: pa.Array) -> Iterator[str]:
    for start in range(0, len(strings), 1 << 16):
        yield from strings.slice(start, 1 << 16).to_pylist()


def _write_lists(path: Path, first: NDArray[np.int64], count: NDArray[np.int64]) -> None:
    _write_arrow(path, first=pa.array(first), count=pa.array(count.astype(np.int32)))


def _write_arrow(path: Path, **columns: pa.Array) -> None:
    batch = pa.record_batch(list(columns.values()), names=list(columns))
    with pa.ipc.new_file(str(path), batch.schema) as writer:
        writer.write_batch(batch)


def _map(path: Path) -> pa.RecordBatch:
    with pa.memory_map(str(path)) as mapped:
        return pa.ipc.open_file(mapped).get_batch(0)
