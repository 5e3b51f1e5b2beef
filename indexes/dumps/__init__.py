"""Dumps of knowledge bases: each format in its own module, one stream of statements out of all.

Reading order: :mod:`~indexes.dumps.statements` says what readers yield,
:mod:`~indexes.streams` opens files of any compression and any damage,
:mod:`~indexes.dumps.vocabulary` says what a triple means, and :mod:`~indexes.dumps.ntriples` does
it at the speed of a dump. The rest are formats: Freebase, Wikidata as RDF and as JSON, any other
RDF, and files of identities and redirects. Each has ``NAME``, ``DESCRIPTION`` and ``read``, and is
imported when it is needed.

Readers decide nothing about entities: they do not resolve a redirect, join two steps through a
nameless node or choose among names. That takes the whole dump and is done where a knowledge base
is built. A reader sees one record at a time, in flat memory, and accounts for every one: it is
among the statements, or counted as a reject (bad), or as left out (sound, and no evidence here).
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa

from evaluator.errors import ConfigurationError, InputError
from evaluator.model import Rejects
from indexes import streams

FORMATS = {
    "freebase": "freebase",
    "wikidata-truthy": "wikidata_truthy",
    "wikidata-json": "wikidata_json",
    "rdf": "rdf",
    "redirects": "identities:REDIRECTS",
    "identities": "identities:IDENTITIES",
}
"""The name of each format, and what reads it: a module of this package, or an object in one."""

AUTO = "auto"
SPLIT = 1 << 27  # bytes
_BY_LINE = ("freebase", "wikidata-truthy", "wikidata-json")


def read_dump(
    path: Path,
    *,
    format: str = AUTO,  # noqa: A002
    language: str = "en",
    rejects: Rejects,
    left_out: Rejects,
    byte_range: tuple[int, int] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the statements of a dump.

    Parameters
    ----------
    path
        The file, plain or compressed by gzip, bzip2 or Zstandard.
    format
        One of :data:`FORMATS`, or ``auto`` to look at the file.
    language
        Language of names and of Wikipedia (``en``), or a chain of some (``de,en,mul``).
    rejects
        Receives the bad records by reason.
    left_out
        Receives, by reason, the sound records that are no evidence.
    byte_range
        Read only the lines that begin in ``[start, end)``: one of :func:`splits`.

    Returns
    -------
    Iterator of pyarrow.RecordBatch
        Of schema :data:`indexes.dumps.statements.STATEMENTS`, in the order of the file but for
        the records of one block.

    Raises
    ------
    InputError
        A file that cannot be used as a whole; single bad records are no errors.
    ConfigurationError
        No such format.
    """
    read = reader(detect_format(path) if format == AUTO else format).read
    batches: Iterator[pa.RecordBatch] = read(
        path, language=language, rejects=rejects, left_out=left_out, byte_range=byte_range
    )
    return batches


def reader(format: str) -> Any:  # noqa: A002
    """Return what reads a format: it has ``NAME``, ``DESCRIPTION`` and ``read``."""
    if format not in FORMATS:
        names = ", ".join([AUTO, *FORMATS])
        raise ConfigurationError(f"dump format {format!r} is none of {names}")
    module, _, name = FORMATS[format].partition(":")
    found = import_module(f"indexes.dumps.{module}")
    return getattr(found, name) if name else found


def splits(
    path: Path,
    size: int = SPLIT,
    *,
    format: str = AUTO,  # noqa: A002
) -> list[tuple[int, int] | None]:
    """Return the pieces of a file that workers can read at once; ``[None]`` for a single one."""
    named = detect_format(path) if format == AUTO else format
    if named in _BY_LINE or (named == "rdf" and reader("rdf").by_line(path)):
        return streams.splits(path, size)
    return [None]


def detect_format(path: Path) -> str:
    """Return the format of a file by its first lines, or else by the ending of its name.

    Raises
    ------
    InputError
        A file that cannot be read, or of none of the formats.
    """
    begins = streams.head(path).lstrip(b"\xef\xbb\xbf \t\r\n")
    suffixes = [suffix.lower() for suffix in path.suffixes]
    rdf = reader("rdf")
    in_memory = any(suffix in rdf.SYNTAXES for suffix in suffixes)
    if begins.startswith((b"{", b"[")) and not in_memory:
        return "wikidata-json"
    if begins.startswith((b"<", b"_:", b"#")) and not in_memory:
        lines = [line for line in begins.splitlines() if not line.lstrip().startswith(b"#")]
        text = b"\n".join(lines)
        if b"<http://rdf.freebase.com/" in text or b"</m." in text or b"</g." in text:
            return "freebase"
        if b"<http://www.wikidata.org/prop/direct/" in text or text.startswith(_WIKIDATA):
            return "wikidata-truthy"
    if in_memory or any(suffix in rdf.LINE_SUFFIXES for suffix in suffixes):
        return "rdf"
    raise InputError(
        path,
        f"its format is not known (begins with {begins[:20].decode('latin-1')!r}); name it, one of"
        f" {', '.join(FORMATS)}",
    )


_WIKIDATA = (
    b"<http://www.wikidata.org/entity/",
    b"<https://www.wikidata.org/wiki/Special:EntityData/",
    b"<http://wikiba.se/ontology#Dump>",
)
