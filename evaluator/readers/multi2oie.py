"""Multi2OIE: the tabbed format of CaRB.

Its ``extraction.txt`` has the columns of the format ``tabbed``: sentence, confidence, relation,
arg1, arg2, and so on. In its binary mode every confidence is 1.0; that is kept, and means nothing.
Nothing tells such a file from another of that format, so it is recognised as ``tabbed``; this
name is for configurations that want to say where the file comes from.

Ro, Lee and Kang, "Multi^2OIE: Multilingual Open Information Extraction Based on Multi-Head
Attention with BERT", Findings of EMNLP 2020.
"""

from collections.abc import Sequence

from evaluator.readers.tabbed import LOSES as LOSES
from evaluator.readers.tabbed import line_of as line_of
from evaluator.readers.tabbed import read as read

NAME = "multi2oie"
KIND = "extractions"
DESCRIPTION = (
    "Multi2OIE's extraction.txt, which is tabbed: sentence, confidence, relation, arg1, ..."
)
TOLD_BY = ""
EXAMPLE = "Lena Marsh founded Kelp .\t1.0\tfounded\tLena Marsh\tKelp\n"


def recognises(head: Sequence[str]) -> bool:  # noqa: ARG001
    """Return False: a file like this is recognised as ``tabbed``."""
    return False
