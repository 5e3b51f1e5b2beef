"""MinIE, as the demo in its documentation prints it: blocks of lines below each sentence.

``Input sentence: ...`` opens a sentence. A block is a triple with its annotations, and a line of
hyphens ends it::

    Triple: "Lena Marsh"⇥"is director of"⇥"Kelp"
    Factuality: (+,CT)⇥Attribution: NONE
    ----------

Factuality is polarity ("-" where MinIE took a negation out of the relation) and modality, certainty
(CT) or possibility (PS). Attribution names who says so, as MinIE writes it; such a triple is not
asserted by the sentence. A triple may have two slots. Placeholders for quantities (``QUANT_O_1``)
stay in the slots. MinIE gives no confidence.

Gashteovski, Gemulla and Del Corro, "MinIE: Minimizing Facts in Open Information Extraction", EMNLP
2017. Its output in the columns of BenchIE is of the format ``benchie``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, refuse

NAME = "minie"
KIND = "extractions"
DESCRIPTION = "the blocks of MinIE's demo: Triple: ..., Factuality: ... Attribution: ..., ------"
TOLD_BY = 'lines that begin with Triple: "'
EXAMPLE = (
    'Triple: "Lena Marsh"\t"is director of"\t"Kelp"\n'
    "Factuality: (+,CT)\tAttribution: NONE\n"
    "----------\n"
    'Triple: "Marek"\t"slept"\n'
    "Factuality: (-,PS)\tAttribution: NONE\n"
    "----------\n"
)

_SENTENCE = "Input sentence:"
_TRIPLE = "Triple:"
_ANNOTATIONS = re.compile(
    r"Factuality:\s*(?P<factuality>\(\s*(?P<polarity>[+-])[^,]*,\s*(?P<modality>\w+).*?\))"
    r"(?:\s+Attribution:\s*(?P<attribution>.*))?"
)
_FRAME = re.compile(r"-+|=+|Extractions:|DONE!")


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction per triple; count in `rejects` what is neither part of one nor frame.

    Where factuality says more than polarity and modality (the words that show them), it goes to
    ``extra`` ("factuality") as it is written.
    """
    sentence, above = "", 0
    triple: Extraction | None = None
    for number, raw in lines:
        line = raw.strip()
        annotations = _ANNOTATIONS.fullmatch(line)
        if triple and annotations:
            rejects.settle([number])
            yield _annotated(triple, annotations)
            triple = None
        elif line.startswith((_SENTENCE, _TRIPLE)) or _FRAME.fullmatch(line):
            if triple:
                rejects.note("triple without factuality")
                yield triple
            triple = None
            if line.startswith(_SENTENCE):
                sentence, above = line.removeprefix(_SENTENCE).strip(), number
            elif line.startswith(_TRIPLE):
                rejects.settle([above])
                try:
                    triple = _triple(line.removeprefix(_TRIPLE), sentence, system, number)
                except RecordError as reason:
                    refuse(rejects, str(reason), number, raw)
            else:
                rejects.settle([number])
        elif line:
            refuse(rejects, "neither a triple nor its factuality", number, raw)
    if triple:
        rejects.note("triple without factuality")
        yield triple


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    return any(line.lstrip().startswith(f'{_TRIPLE} "') for line in head)


def _triple(text: str, sentence: str, system: str, number: int) -> Extraction:
    slots = text.strip().split("\t")
    if len(slots) < 2:
        raise RecordError("fewer than 2 slots")
    if any(len(slot) < 2 or slot[0] != '"' or slot[-1] != '"' for slot in slots):
        raise RecordError("a slot is not in double quotes")
    return Extraction.of_slots(system, number, sentence, [slot[1:-1] for slot in slots])


def _annotated(triple: Extraction, annotations: re.Match[str]) -> Extraction:
    factuality, polarity, modality, attribution = annotations.groups()
    if attribution in (None, "", "NONE"):
        attribution = None
    plain = factuality.replace(" ", "") == f"({polarity},{modality})"
    return replace(
        triple,
        negated=polarity == "-",
        modality=modality,
        attribution=attribution,
        asserted=attribution is None,
        extra={} if plain else {"factuality": factuality},
    )
