"""Telling the format of a collection by how its first file begins."""

import re
from collections.abc import Sequence
from pathlib import Path

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.collections.files import collection_files, first_path, read_entries, unmatched

_BEGINS = 1 << 18  # bytes: the first record of a web archive only describes it
# In this order; the pages of a web archive may hold what would say another format.
_SIGNS = (
    ("clueweb09", rb"WARC/0\.18\s(?s:.*)^WARC-TREC-ID:\s*clueweb09-"),
    ("clueweb12", rb"WARC/\d(?s:.*)^WARC-TREC-ID:\s*clueweb12-"),
    ("wet", rb"WARC/\d(?s:.*)^WARC-Type:\s*conversion\b"),
    ("warc", rb"WARC/\d"),
    ("mediawiki", rb"(?:<\?xml[^<]*)?<mediawiki\b"),
    ("nitf", rb"(?:<\?xml[^<]*)?(?:<!DOCTYPE\s+nitf\b|<nitf\b)"),
    ("wikiextractor", rb"<doc[ \t]\w+=\""),
    ("trecweb", rb"(?i)<DOC>(?s:.{0,2000})<DOCHDR>"),
    ("trectext", rb"(?i)<DOC(?:>|[ \t][^<>\n]*>)"),
    ("jsonl", rb"\{\s*\""),
)


def detect_format(path: Path, *, select: Sequence[str] = ()) -> str:
    """Return the format of a collection, by the first bytes of its first file that has any.

    Plain text has no sign, and is never guessed.

    Raises
    ------
    InputError
        No such collection, no file, or none of the signs.
    """
    for file in collection_files(path, select=select):
        for name, stream in read_entries(file, root=path, select=select, rejects=Rejects()):
            begins = stream.read(_BEGINS).lstrip()
            for format_name, sign in _SIGNS:
                if re.match(sign, begins, re.MULTILINE):
                    return format_name
            raise InputError(
                path,
                f"the format cannot be told from {name!r}, which begins with"
                f" {begins[:20].decode('latin-1')!r}; name it: "
                + ", ".join([*(name for name, _ in _SIGNS), "text"])
                + "; or select the files that are of the collection",
            )
    raise InputError(
        path, unmatched(select, first_path(path)) if select else "no file with anything in it"
    )
