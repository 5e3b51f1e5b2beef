"""OpenIE 4's output: the simple or the column format of :mod:`evaluator.readers._openie`.

Confidences are those of a logistic regression, between 0 and 1.

Mausam, "Open Information Extraction Systems and Downstream Applications", IJCAI 2016.
"""

from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers._blocks import recognised
from evaluator.readers._openie import has_spans_of_openie5, read_text

NAME = "openie4"
KIND = "extractions"
DESCRIPTION = "OpenIE 4: a sentence, then 0.93 (arg1; relation; arg2); or its 6 columns"
TOLD_BY = "below a sentence, a score and a tuple without a colon between; or Type(text,List(...))"
EXAMPLE = (
    "Lena Marsh gave a talk in Oslo\n"
    "0.93 (Lena Marsh; gave; a talk; L:in Oslo)\n"
    "0.88 (Marsh; [is] director [of]; Kelp)\n"
)


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction per line of one; count in `rejects` what is meant to be one only."""
    return read_text(lines, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format.

    OpenIE 5 writes the same two formats: what has no mark of that program is said to be of this.
    """
    return not has_spans_of_openie5(head) and recognised(read, head)
