"""Compile a WordNet 3.0 ``dict`` folder: the array file of :mod:`evaluator.wordnet.lexicon`.

The method needs the noun and verb hypernym graph, the lemmas in sense order, the sense counts, the
derivations between nouns and verbs and the irregular forms; it needs no glosses. Compiled, that is
a file of two megabytes which every executor can carry, so nobody has to install NLTK's data.

The ``dict`` folder is Debian's ``/usr/share/wordnet`` (package wordnet-base), NLTK's corpus folder
or Princeton's own; all three hold the same database.
"""

import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from evaluator.errors import InputError
from evaluator.inputs import read_text
from evaluator.whole_files import whole_binary_file

type Arrays = dict[str, NDArray[Any]]

_NEEDED = (
    "cntlist.rev",
    *(f"{kind}.{part}" for kind in ("index", "data") for part in ("noun", "verb", "adj", "adv")),
    *(f"{part}.exc" for part in ("noun", "verb", "adj", "adv")),
)

_PARTS = ("n", "v")

# The digit after the % of a sense key: adjective, adverb, adjective satellite (senseidx(5WN)).
_ADJECTIVE_OR_ADVERB = frozenset("345")

# The oldest date that a zip archive can hold: the same content gives the same bytes at any time.
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


def compile_wordnet(dict_folder: Path, out: Path) -> None:
    """Write the noun and verb part of a WordNet 3.0 database as one compressed array file.

    The same folder always gives the same bytes (with the same zlib).

    Parameters
    ----------
    dict_folder
        Folder that holds ``data.noun``, ``index.noun``, ``cntlist.rev``, ``noun.exc`` and so on.
    out
        The ``.npz`` file to write; :class:`evaluator.wordnet.lexicon.WordNet` describes its arrays.

    Raises
    ------
    InputError
        Where the folder lacks a file or holds another version of WordNet, or `out` cannot be
        written.
    """
    with open_dict(dict_folder) as reader:
        counts = _sense_counts(dict_folder)
        arrays = _graph_arrays(reader, counts)
    arrays |= _form_arrays(dict_folder, counts)
    with whole_binary_file(out) as file:
        _write_arrays(file, arrays)


@contextmanager
def open_dict(dict_folder: Path) -> Iterator[Any]:
    """Open a ``dict`` folder, wherever it is, with NLTK's WordNet reader.

    NLTK reads only below the folders of ``nltk.data.path``, asks for the file ``lexnames``, which
    Debian leaves out, and looks for a second WordNet to map versions; none of that is needed for
    hypernyms, lemmas and similarities.

    Yields
    ------
    nltk.corpus.reader.WordNetCorpusReader

    Raises
    ------
    InputError
        Where the folder lacks a file or holds another version of WordNet.
    """
    import nltk.data
    from nltk.corpus.reader import WordNetCorpusReader

    for name in _NEEDED:
        if not (dict_folder / name).is_file():
            raise InputError(dict_folder, f"no file {name}; give a WordNet 3.0 dict folder")

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        def map_wn(self, version: str = "wordnet") -> None:  # noqa: ARG002
            return None

        def open(self, file: str) -> Any:
            if file == "lexnames" and not (dict_folder / file).is_file():
                # Sense keys hold the number of the lexicographer file, never its name.
                return io.StringIO("".join(f"{n:02d}\tfile{n:02d}\t0\n" for n in range(45)))
            return super().open(file)

    folder = str(dict_folder.resolve())
    nltk.data.path.append(folder)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The multilingual functions")
            reader = Reader(folder, None)
        if (version := reader.get_version()) != "3.0":
            raise InputError(dict_folder, f"WordNet {version}; a WordNet 3.0 dict folder is needed")
        yield reader
        for file in reader._data_file_map.values():
            file.close()
    finally:
        nltk.data.path.remove(folder)


def _sense_counts(dict_folder: Path) -> dict[str, int]:
    """Return the tag count of each sense key, from lines ``sense_key sense_number count``."""
    path = dict_folder / "cntlist.rev"
    counts = {}
    for number, line in enumerate(read_text(path, encoding="ascii").splitlines(), start=1):
        try:
            key, _, count = line.split()
            counts[key] = int(count)
        except ValueError:
            raise InputError(
                path, "expected: sense key, sense number, count", line=number
            ) from None
    return counts


def _graph_arrays(reader: Any, counts: Mapping[str, int]) -> Arrays:
    """Rows of synsets by offset and of lemmas by name, nouns before verbs; edges between rows."""
    synsets = [
        (pos, synset)
        for pos in _PARTS
        for synset in sorted(reader.all_synsets(pos), key=lambda synset: int(synset.offset()))
    ]
    lemmas = [(pos, name) for pos in _PARTS for name in sorted(reader.all_lemma_names(pos))]
    synset_row = {(pos, synset.offset()): row for row, (pos, synset) in enumerate(synsets)}
    lemma_row = {lemma: row for row, lemma in enumerate(lemmas)}

    # Sorted: NLTK keeps pointers in sets, whose order changes with the hash seed.
    hypernyms = [
        sorted(
            synset_row[pos, above.offset()]
            for above in synset.hypernyms() + synset.instance_hypernyms()
        )
        for pos, synset in synsets
    ]
    entries = [reader.lemmas(name, pos) for pos, name in lemmas]
    # By synset, since one synset may list both "Earth" and "earth": that is one sense.
    senses = [
        {synset_row[pos, entry.synset().offset()]: counts.get(entry.key(), 0) for entry in group}
        for (pos, _), group in zip(lemmas, entries, strict=True)
    ]
    derivations = [
        sorted(targets)
        for (pos, _), group in zip(lemmas, entries, strict=True)
        for targets in _derivations(pos, group, synset_row).values()
    ]
    return {
        "noun_synsets": _integers([sum(pos == "n" for pos, _ in synsets)]),
        "synset_offset": _integers(offset for _, offset in synset_row),
        "synset_lemma": _integers(
            lemma_row[pos, synset.lemma_names()[0].lower()] for pos, synset in synsets
        ),
        "hypernym_start": _starts(hypernyms),
        "hypernym": _integers(chain.from_iterable(hypernyms)),
        "noun_lemmas": _integers([sum(pos == "n" for pos, _ in lemmas)]),
        "lemma": _text(name for _, name in lemmas),
        "lemma_common": np.array(
            [any(entry.name().islower() for entry in group) for group in entries], dtype=np.bool_
        ),
        "sense_start": _starts(senses),
        "sense_synset": _integers(chain.from_iterable(senses)),
        "sense_count": _integers(chain.from_iterable(group.values() for group in senses)),
        "derivation_start": _starts(derivations),
        "derivation": _integers(chain.from_iterable(derivations)),
    }


def _derivations(
    pos: str, entries: Iterable[Any], synset_row: Mapping[tuple[str, int], int]
) -> dict[int, set[int]]:
    """Return, by sense of a lemma, the senses of the other part of speech that it is linked to.

    These are WordNet's pointers "+", which tie words: only those of this lemma are taken.
    """
    found: dict[int, set[int]] = {}
    other = "v" if pos == "n" else "n"
    for entry in entries:
        targets = found.setdefault(synset_row[pos, entry.synset().offset()], set())
        for related in entry.derivationally_related_forms():
            if related.synset().pos() == other:
                targets.add(synset_row[other, related.synset().offset()])
    return found


def _form_arrays(dict_folder: Path, counts: Mapping[str, int]) -> Arrays:
    """Irregular nouns and verbs, and how often a form is an adjective or an adverb."""
    noun, verb, adjective, adverb = (
        _exceptions(dict_folder / f"{part}.exc") for part in ("noun", "verb", "adj", "adv")
    )
    modifiers: dict[str, int] = {}
    for key, count in counts.items():
        lemma, _, sense = key.partition("%")
        if sense[0] in _ADJECTIVE_OR_ADVERB:
            modifiers[lemma] = modifiers.get(lemma, 0) + count
    for form, lemmas in (adjective | adverb).items():  # "better": as often as "good"
        count = max(modifiers.get(lemma, 0) for lemma in (form, *lemmas))
        if count:
            modifiers[form] = count
    forms = sorted(modifiers)
    return {
        "noun_exception": _text(" ".join((form, *noun[form])) for form in sorted(noun)),
        "verb_exception": _text(" ".join((form, *verb[form])) for form in sorted(verb)),
        "modifier": _text(forms),
        "modifier_count": _integers(modifiers[form] for form in forms),
    }


def _exceptions(path: Path) -> dict[str, tuple[str, ...]]:
    """Read lines ``form lemma...``; of a form that is listed twice the last line counts (NLTK)."""
    lines = (line.split() for line in read_text(path, encoding="ascii").splitlines())
    return {words[0]: tuple(words[1:]) for words in lines if words}


def _integers(values: Iterable[int]) -> NDArray[np.int32]:
    return np.fromiter(values, dtype=np.int32)


def _starts(groups: Iterable[Sized]) -> NDArray[np.int32]:
    """Where each group begins in the groups' concatenation, and where the last one ends."""
    return _integers(accumulate((len(group) for group in groups), initial=0))


def _text(lines: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode("ascii"), dtype=np.uint8)


def _write_arrays(file: BinaryIO, arrays: Arrays) -> None:
    """Write an ``.npz`` file without :func:`numpy.savez`, which stamps it with the time."""
    with zipfile.ZipFile(file, "w") as archive:
        for name in sorted(arrays):
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, arrays[name], version=(1, 0), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=_ZIP_EPOCH)
            entry.create_system = 3  # the default differs between systems
            archive.writestr(entry, buffer.getvalue(), zipfile.ZIP_DEFLATED, compresslevel=9)
