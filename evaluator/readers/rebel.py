"""REBEL and mREBEL: triplets as the model writes them, in a row of words between tags.

``<triplet> Lena Marsh <subj> Kelp <obj> founder of <subj> Oslo <obj> residence``: the head, then
any number of pairs of a tail and a relation. mREBEL writes the types of head and tail in place of
``<subj>`` and ``<obj>``; they go to ``extra`` ("types"). The tags of a sequence (``<s>``,
``<pad>``), those that close (``</triplet>``) and languages (``tp_XX``, ``__en__``) are no words.

A line is an answer, after its sentence and a tab; or alone, and then about the sentence of its
number, for the model answers line by line. A triplet without all of its parts is counted: a model
that is cut off leaves one. There is no confidence.

Triplets that REBEL's own function has parsed are of the format ``json``, and so are answers like
these that JSON holds as texts.

Huguet Cabot and Navigli, "REBEL: Relation Extraction By End-to-end Language generation", Findings
of EMNLP 2021; Huguet Cabot et al., "REDFM: a Filtered and Multilingual Relation Extraction
Dataset", ACL 2023.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import mostly
from evaluator.readers._answers import AnswerTriple, ParsedAnswer, read_answers

NAME = "rebel"
KIND = "extractions"
DESCRIPTION = "REBEL's answers: sentence?, then <triplet> head <subj> tail <obj> relation ..."
TOLD_BY = "<triplet> on three quarters of its lines"
EXAMPLE = (
    "Lena Marsh founded Kelp in Oslo .\t<s><triplet> Lena Marsh <subj> Kelp <obj> founder of "
    "<triplet> Kelp <subj> Oslo <obj> headquarters location</s>\n"
    "Marek left Oslo .\ttp_XX<triplet> Marek <per> Oslo <loc> residence</s>\n"
)
MARK = re.compile(r"<triplet>")

CUT = "a triplet without all of its parts"

_TAG = re.compile(r"<([\w-]+)>")
_NO_WORDS = re.compile(r"<s>|</\w+>|<pad>|<unk>|\btp_XX\b|__\w{2,4}__")
_PLAIN = {"subj", "obj"}


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction per tail of a triplet; count triplets that lack a part."""
    return read_answers(lines, answer, system=system, rejects=rejects, sentence_id=str)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    return mostly(head, lambda line: bool(MARK.search(line)) and not line.lstrip().startswith("{"))


def answer(text: str) -> ParsedAnswer:
    """Return the triplets of an answer, which may stand after its sentence and a tab."""
    found = MARK.search(text)
    if not found:
        return ParsedAnswer([], ["no triplet"] if text.strip() else [])
    sentence = text[: found.start()].rpartition("\t")[0]
    _, *pieces = _TAG.split(_NO_WORDS.sub(" ", text[found.start() :]))
    triples: list[AnswerTriple] = []
    refused: list[str] = []
    head: str | None = None
    tail: str | None = None
    head_type, finished = "", True
    for tag, words in zip(pieces[::2], map(str.strip, pieces[1::2]), strict=True):
        if tag == "triplet":
            refused += [] if finished else [CUT]
            head, tail, finished = words, None, False
        elif head is None:
            finished = False
        elif tail is None:
            tail, head_type, finished = words, tag, False
        else:
            if head and tail and words:
                types = [] if {head_type, tag} <= _PLAIN else [head_type, tag]
                extra = {"types": types} if types else {}
                triples.append(AnswerTriple(head, words, tail, None, extra, sentence))
            else:
                refused.append(CUT)
            tail, finished = None, True
    if not finished:
        refused.append(CUT)
    return ParsedAnswer(triples, refused)
