"""Multi2OIE: the tabbed format of CaRB, or a dictionary.

Its ``extraction.txt`` has the columns of the format ``tabbed``: sentence, confidence, relation,
arg1, arg2, and so on. In its binary mode every confidence is 1.0; that is kept, and means nothing.
The dictionaries of its data have sentences as keys and arguments that are numbered from ``arg0``,
the subject: they are of the format ``json``. Nothing tells such files from others of these formats,
so they are recognised as ``tabbed`` and ``json``; this name is for configurations that want to say
where a file comes from.

Ro, Lee and Kang, "Multi^2OIE: Multilingual Open Information Extraction Based on Multi-Head
Attention with BERT", Findings of EMNLP 2020.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from evaluator.model import Extraction, Rejects
from evaluator.readers import json_triples, tabbed
from evaluator.readers.tabbed import LOSES as LOSES
from evaluator.readers.tabbed import line_of as line_of

NAME = "multi2oie"
KIND = "extractions"
DESCRIPTION = "Multi2OIE: sentence, confidence, relation, arg1, ... as tabbed; or JSON with arg0"
TOLD_BY = ""
EXAMPLE = "Lena Marsh founded Kelp .\t1.0\tfounded\tLena Marsh\tKelp\n"

_HEAD = 200


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return the extractions of either: a file whose first lines have columns is tabbed."""
    lines = iter(lines)
    head = list(islice(lines, _HEAD))
    if any("\t" in line.strip() for _, line in head):
        return tabbed.read(chain(head, lines), system=system, rejects=rejects)
    return json_triples.read(chain(head, lines), system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:  # noqa: ARG001
    """Return False: a file like this is recognised as ``tabbed`` or ``json``."""
    return False
