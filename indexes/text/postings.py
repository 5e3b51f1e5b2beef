"""Postings out of Lucene in bulk, and phrases joined in numpy.

A count needs every position of every word of every element. One call through pyjnius for each
brings half a million a second; so the loop over them is put together inside the JVM
(:class:`PostingsExport`): one call for any number of words, whose output numpy reads. Names of
several words are then joined from the positions of their words (:func:`occurrences`).
"""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from evaluator.counting.definition import Element, full_names, short_forms
from evaluator.counting.occurrences import (
    ADDRESS_BITS,
    Integers,
    ManyOccurrences,
    Occurrences,
    distinct,
    longest,
)
from indexes.jvm import Java

_FILE = "positions"
_END_OF_TERM = -1

_CLASSES = {
    "bytes": "org.apache.lucene.util.BytesRef",
    "characters": "java.lang.CharSequence",
    "iterator": "java.util.Iterator",
    "output": "org.apache.lucene.store.DataOutput",
    "postings": "org.apache.lucene.index.PostingsEnum",
    "range": "java.time.temporal.ValueRange",
    "string": "java.lang.String",
    "terms": "org.apache.lucene.index.TermsEnum",
}
_DESCRIPTORS = {
    **{name: f"L{owner.replace('.', '/')};" for name, owner in _CLASSES.items()},
    "boolean": "Z",
    "int": "I",
    "long": "J",
    "void": "V",
}


class PostingsExport:
    """Reads the positions of terms in one field of one segment of an index.

    Parameters
    ----------
    java
        The running JVM.
    leaf
        The segment: a Lucene ``LeafReaderContext``.
    field
        Name of the field.
    """

    def __init__(self, java: Java, leaf: Any, field: str) -> None:
        self._java = java
        self._terms = leaf.reader().terms(field)
        self._write = _export_loop(java)

    def positions(self, terms: Iterable[str], first: int, last: int) -> dict[str, Integers]:
        """Return the addresses of `terms` in the segment's documents `first` to `last`, inclusive.

        The documents, and those of the addresses
        (:data:`evaluator.counting.occurrences.ADDRESS_BITS`), count from the segment's first.
        """
        wanted = sorted(set(terms))
        if self._terms is None or not wanted:
            return dict.fromkeys(wanted, np.zeros(0, dtype=np.int64))
        with tempfile.TemporaryDirectory(prefix="distval-") as folder:
            self._export(wanted, first, last, folder)
            # Mapped, as reading would copy what memory holds already; the file goes with the array.
            mapped = np.memmap(Path(folder) / _FILE, dtype="<i8", mode="r")
            addresses = np.asarray(mapped).astype(np.int64, copy=False)
        ends = np.flatnonzero(addresses == _END_OF_TERM)
        starts = np.append(0, ends[:-1] + 1)
        return {
            term: addresses[start:end]
            for term, start, end in zip(wanted, starts, ends, strict=True)
        }

    def _export(self, terms: Sequence[str], first: int, last: int, folder: str) -> None:
        autoclass = self._java.autoclass
        path = autoclass("java.nio.file.Paths").get(folder)
        context = autoclass("org.apache.lucene.store.IOContext").DEFAULT
        with (
            closing(autoclass("org.apache.lucene.store.FSDirectory").open(path)) as directory,
            closing(directory.createOutput(_FILE, context)) as output,
        ):
            arguments = autoclass("java.util.ArrayList")()
            arguments.add(autoclass("java.util.StringTokenizer")(" ".join(terms)).asIterator())
            arguments.add(output)
            arguments.add(self._terms.iterator())
            arguments.add(autoclass("java.time.temporal.ValueRange").of(first, last))
            arguments.add(autoclass("java.lang.Integer")(first))
            self._write.invokeWithArguments(arguments)


def occurrences(element: Element, positions: Mapping[str, Integers]) -> Occurrences:
    """Return where an element stands, from the addresses of its words.

    Parameters
    ----------
    element
        In canonical form (:func:`evaluator.counting.definition.alternatives`), not empty.
    positions
        Sorted addresses of every word in it. With a short form they must be those of whole
        documents.
    """
    if len(element) == 1:
        (words,) = element
        start = _phrase(words, positions)
        return Occurrences(start, start + len(words))
    full, short = full_names(element), short_forms(element)
    found = [_phrase(words, positions) for words in full]
    if short:
        named = distinct(np.concatenate(found) >> ADDRESS_BITS)
        for words in short:
            places = _phrase(words, positions)
            found.append(places[np.isin(places >> ADDRESS_BITS, named)])
    start = np.concatenate(found)
    lengths = [len(words) for words in (*full, *short)]
    if len(set(lengths)) == 1:  # as of nearly all relations: none can lie inside another
        start.sort()
        return Occurrences(start, start + lengths[0])
    return longest(start, start + np.repeat(lengths, [len(some) for some in found]))


def find_all(elements: Sequence[Element], positions: Mapping[str, Integers]) -> ManyOccurrences:
    """Return where each of many elements stands; as :func:`occurrences` does for one."""
    starts: list[Integers] = []
    lengths: list[int] = []  # of the words of each element's only phrase
    others: dict[int, Integers] = {}  # the ends of elements that have several
    for number, element in enumerate(elements):
        if len(element) == 1:
            starts.append(_phrase(element[0], positions))
            lengths.append(len(element[0]))
        else:
            start, others[number] = occurrences(element, positions)
            starts.append(start)
            lengths.append(0)
    sizes = [len(start) for start in starts]
    start = np.concatenate([np.zeros(0, dtype=np.int64), *starts])
    end = start + np.repeat(lengths, sizes)
    first = np.cumsum([0, *sizes])
    for number, ends in others.items():
        end[first[number] : first[number + 1]] = ends
    return ManyOccurrences(np.repeat(np.arange(len(elements)), sizes), start, end)


def _phrase(words: Sequence[str], positions: Mapping[str, Integers]) -> Integers:
    """Return the addresses at which `words` stand one after the other: the rarest word leads."""
    if len(words) == 1:
        return positions[words[0]]
    places = [positions[word] for word in words]
    rarest, *others = sorted(range(len(words)), key=[len(each) for each in places].__getitem__)
    found = places[rarest] - rarest
    for number in others:
        if not len(found):
            break
        there, wanted = places[number], found + number
        found = found[there.take(there.searchsorted(wanted), mode="clip") == wanted]
    return found


def _export_loop(java: Java) -> Any:
    """Compose the export: (Iterator, DataOutput, TermsEnum, ValueRange, int) -> void.

    A method handle composed of others, since a Java runtime has no compiler. In Java it reads::

        for (String term : terms) {
            if (termsEnum.seekExact(new BytesRef(term))) {
                PostingsEnum postings = termsEnum.postings(null, PostingsEnum.POSITIONS);
                int document = postings.advance(first);
                while (range.isValidValue(document)) {
                    for (int i = 0; i < postings.freq(); i++) {
                        output.writeInt(postings.nextPosition());
                        output.writeInt(document);
                    }
                    document = postings.nextDoc();
                }
            }
            output.writeLong(-1);
        }

    Lucene writes little-endian, so that the position is the low half of an address. Numbers are
    handed over boxed: pyjnius crashes on a plain one where Java takes any object.
    """
    handles = java.autoclass("java.lang.invoke.MethodHandles")
    describe = java.autoclass("java.lang.invoke.MethodType").fromMethodDescriptorString
    find_class = java.autoclass("java.lang.Class").forName
    lookup = handles.publicLookup()

    def signature(result: str, parameters: str) -> Any:
        types = "".join(_DESCRIPTORS[name] for name in parameters.split())
        return describe(f"({types}){_DESCRIPTORS[result]}", None)

    def method(owner: str, name: str, result: str, parameters: str = "") -> Any:
        return lookup.findVirtual(find_class(_CLASSES[owner]), name, signature(result, parameters))

    def given(parameters: str, handle: Any, result: str, *used: int) -> Any:
        """Lengthen the parameter list of `handle`, which gets only those `used`."""
        return handles.permuteArguments(handle, signature(result, parameters), *used)

    def in_turn(first: Any, second: Any) -> Any:
        return handles.foldArguments(second, first)

    write_int = method("output", "writeInt", "void", "int")
    next_position = method("postings", "nextPosition", "int")
    write_position = handles.filterArguments(write_int, 1, next_position)

    document = "output postings int"
    write_occurrence = in_turn(
        given(document, write_position, "void", 0, 1), given(document, write_int, "void", 0, 2)
    )
    write_document = handles.countedLoop(
        given(document, method("postings", "freq", "int"), "int", 1),
        None,
        given(f"int {document}", write_occurrence, "void", 1, 2, 3),
    )
    next_document = in_turn(
        write_document, given(document, method("postings", "nextDoc", "int"), "int", 1)
    )

    term = "output postings range int"
    is_in_range = method("range", "isValidValue", "boolean", "long").asType(
        signature("boolean", "range int")
    )
    write_documents = handles.whileLoop(
        given(term, method("postings", "advance", "int", "int"), "int", 1, 3),
        given(
            f"int {term}", is_in_range.asType(signature("boolean", "range int")), "boolean", 3, 0
        ),
        given(f"int {term}", next_document, "int", 1, 2, 0),
    ).asType(signature("void", term))

    flags = java.autoclass("java.lang.Integer")(java.autoclass(_CLASSES["postings"]).POSITIONS)
    postings = method("terms", "postings", "postings", "postings int")
    postings = handles.insertArguments(handles.insertArguments(postings, 2, flags), 1, None)
    to_bytes = lookup.findConstructor(
        find_class(_CLASSES["bytes"]), signature("void", "characters")
    )
    seek = handles.filterArguments(method("terms", "seekExact", "boolean", "bytes"), 1, to_bytes)
    terminator = java.autoclass("java.lang.Long")(_END_OF_TERM)
    write_end = handles.insertArguments(
        method("output", "writeLong", "void", "long"), 1, terminator
    )

    each = "output terms range int string"
    write_term = handles.guardWithTest(
        given(each, seek.asType(signature("boolean", "terms string")), "boolean", 1, 4),
        given(each, handles.filterArguments(write_documents, 1, postings), "void", 0, 1, 2, 3),
        handles.empty(signature("void", each)),
    )
    everything = "iterator output terms range int"
    return handles.iteratedLoop(
        given(everything, handles.identity(find_class(_CLASSES["iterator"])), "iterator", 0),
        None,
        given(
            f"string {everything}",
            in_turn(write_term, given(each, write_end, "void", 0)),
            "void",
            *(2, 3, 4, 5, 0),
        ),
    )
