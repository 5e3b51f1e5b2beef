"""Fact synsets: BenchIE's gold format, and whether an extraction is in one.

A fact synset lists all triples that state one fact (Gashteovski et al. 2022, section 2.1). Square
brackets mark what may be left out, so a line stands for many triples: the English data have 8,150
lines and 136,357 triples. Files look like this, with a blank line between sentences::

    sent_id:7<TAB>Ann , a doctor , moved to Oslo .
    7--> Cluster 1:
    Ann --> is --> [a] doctor
    7--> Cluster 2:
    Ann --> moved to --> Oslo
    Ann --> moved --> to Oslo

What brackets mean, and whether a text is what a slot stands for, is in
:mod:`evaluator.gold.benchie.optional_tokens`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from evaluator.errors import InputError, excerpt
from evaluator.gold.benchie.optional_tokens import realisations
from evaluator.model import Rejects

SEPARATOR = " --> "

# Why a gold file is refused at a line.
NOT_THREE_SLOTS = "not three slots"
OUTSIDE_A_CLUSTER = "outside a cluster"
NO_SUCH_LINE = "neither sentence, cluster nor triple"
_EXPECTED = "expected sent_id:N<tab>sentence, N--> Cluster 1: or subject --> relation --> object"

EMPTY_CLUSTER = "cluster without a triple"

# What is noted of sentences.
SHIFTED = "sentence with the gold of another, by a blank line too many or too few"
REPEATED = "sentence id that stands there before; its clusters were joined"
JUNK = "cluster line without the word Cluster, to the released scorer a triple"

_MARKS = "{}<>|*^~#="
"""Signs that other annotation schemes put into slots."""

_SENTENCE = re.compile(r"\s*sent_id:\s*(?P<id>\S+)(?P<text>.*)")
# "78-->Cluster 6:" and "14-> Cluster 6:" stand in the data, and once "2 0 6 :".
_CLUSTER = re.compile(r"\s*+Cluster\s*+\d*+\s*+:?+\s*+")
_CLUSTER_WITHOUT_WORD = re.compile(r"\s*+\d[\d\s]*+:\s*+")
type BenchieTriple = tuple[str, str, str]


class AnnotatedSentence(NamedTuple):
    """A sentence with its fact synsets.

    Attributes
    ----------
    id
        What the data call it.
    text
        The sentence.
    synsets
        For each fact its triples, with brackets, verbatim.
    """

    id: str
    text: str
    synsets: Sequence[Sequence[BenchieTriple]]


def read(
    lines: Iterable[tuple[int, str]],
    *,
    released: bool,
    rejects: Rejects,
    path: object = "gold data",
) -> list[AnnotatedSentence]:
    """Return the sentences of a gold file with their synsets.

    A synset belongs to the sentence line above it, whatever blank lines there are. The identifier
    in its own header is not asked: two headers of the English data carry another sentence's.

    Parameters
    ----------
    lines
        Lines with their numbers.
    released
        Read as the released scorer does: each blank line ends a block of synsets, and the first
        block goes to the first sentence line, the second to the second. A header without the word
        "Cluster" becomes a triple of its first three characters, and is noted.
    rejects
        Takes clusters without a triple.
    path
        Their file, for messages.

    Raises
    ------
    InputError
        At the first line that is none of the format: figures on gold data of which a part is not
        understood would be wrong.
    """
    headers: list[tuple[str, str]] = []
    blocks: list[list[list[BenchieTriple]]] = [[]]
    for number, line in lines:
        kind = _kind(line)
        problem = None
        if released and (as_released := _kind_as_released(line)) != kind:
            if kind == "cluster" and as_released == "other":
                rejects.note(JUNK)
                problem = _add(blocks[-1], list(line[:3]))
            else:
                problem = f"a {kind} line that the released scorer takes for a {as_released}"
        elif kind == "triple":
            slots = line.split(SEPARATOR)
            problem = _add(blocks[-1], slots) or _mark(slots, headers[-1][1] if headers else "")
        elif kind == "cluster":
            blocks[-1].append([])
        elif kind == "sentence" and (found := _SENTENCE.fullmatch(line)):
            headers.append((found["id"], found["text"].strip()))
            if not released:
                blocks.append([])
            elif len(blocks) != len(headers):
                rejects.note(SHIFTED)
        elif kind == "blank":
            if released:
                blocks.append([])
        else:
            problem = NO_SUCH_LINE
        if problem:
            raise InputError(path, f"{problem}: {excerpt(line)}; {_EXPECTED}", line=number)
    return _joined(zip(headers, blocks if released else blocks[1:], strict=False), rejects)


def _kind(line: str) -> str:
    if "sent_id:" in line and _SENTENCE.fullmatch(line):
        return "sentence"
    # "7 --> Cluster 1:" is a header too.
    if (SEPARATOR not in line or "Cluster" in line) and _is_header(line):
        return "cluster"
    if SEPARATOR in line:
        return "triple"
    return "other" if line.strip() else "blank"


def _is_header(line: str) -> bool:
    before, _, after = line.rpartition(">")
    if _CLUSTER.fullmatch(after):
        return before.endswith("-") and len(before.rstrip("-").split()) <= 1
    return bool(_CLUSTER_WITHOUT_WORD.fullmatch(line))


def _kind_as_released(line: str) -> str:
    if SEPARATOR in line:
        return "triple"
    if "sent_id:" in line:
        return "sentence" if _SENTENCE.fullmatch(line) else "other"
    if "Cluster" in line:
        return "cluster" if _is_header(line) else "other"
    return "other" if line.strip() else "blank"


def _add(block: list[list[BenchieTriple]], slots: list[str]) -> str | None:
    """Add a triple to the last synset of a block; return why it cannot be done."""
    if len(slots) != 3:
        return NOT_THREE_SLOTS
    if not block:
        return OUTSIDE_A_CLUSTER
    block[-1].append((slots[0], slots[1], slots[2]))
    return None


def _mark(slots: Sequence[str], sentence: str) -> str | None:
    """Return what is wrong with a triple that has signs of another annotation scheme.

    Some data mark references and alternatives as {a} or |OR|, which are no words. Where the
    sentence has the sign itself, it is one ("{ S&L sales }" of the English data).
    """
    foreign = set(_MARKS).intersection("".join(slots)).difference(sentence)
    return f"{min(foreign)!r} is no sign of the format, nor of the sentence" if foreign else None


def _joined(
    found: Iterable[tuple[tuple[str, str], list[list[BenchieTriple]]]], rejects: Rejects
) -> list[AnnotatedSentence]:
    sentences: dict[str, AnnotatedSentence] = {}
    for (name, text), block in found:
        synsets: list[Sequence[BenchieTriple]] = [synset for synset in block if synset]
        for _ in range(len(block) - len(synsets)):
            rejects.add(EMPTY_CLUSTER, f"sentence {name}")
        if name in sentences:
            rejects.note(REPEATED)
            synsets = [*sentences[name].synsets, *synsets]
        sentences[name] = AnnotatedSentence(name, text, synsets)
    return list(sentences.values())


def write(sentences: Iterable[AnnotatedSentence]) -> Iterator[str]:
    """Yield the lines of a gold file.

    Raises
    ------
    InputError
        If a text holds a line end, or a slot the separator.
    """
    for place, (name, text, synsets) in enumerate(sentences):
        if place:
            yield ""
        yield _line(name, f"sent_id:{name}\t{text}")
        for number, synset in enumerate(synsets, start=1):
            yield f"{name}--> Cluster {number}:"
            for triple in synset:
                line = _line(name, SEPARATOR.join(triple))
                if line.split(SEPARATOR) != list(triple):
                    problem = f"a slot holds {SEPARATOR!r}: {excerpt(triple)}"
                    raise InputError(f"sentence {excerpt(name)}", problem)
                yield line


def _line(name: str, line: str) -> str:
    if "\n" in line or "\r" in line:
        problem = "a line end inside a text, for which there is no form"
        raise InputError(f"sentence {excerpt(name)}", problem)
    return line


def triples(synset: Iterable[BenchieTriple], *, released: bool) -> set[BenchieTriple]:
    """Return all triples that the lines of a synset stand for.

    Their number doubles with every bracket: for counting and showing, never for scoring.
    """
    found: set[BenchieTriple] = set()
    for line in synset:
        subjects, relations, objects = (realisations(slot, released=released) for slot in line)
        found.update(product(subjects, relations, objects))
    return found
