"""The answers that LightRAG and GraphRAG ask of a model: records of fields between ``<|#|>``.

Of the newer LightRAG, a record a line: ``relation``, two entities, keywords and a description::

    entity<|#|>Lena Marsh<|#|>person<|#|>Lena Marsh is a founder.
    relation<|#|>Lena Marsh<|#|>Kelp<|#|>founding<|#|>Lena Marsh founded Kelp.
    <|COMPLETE|>

Of the older one, with ``##`` between records, the description first and a strength at the end, and
of GraphRAG the same without keywords (where a prompt of one's own asks for more fields, nothing
tells which is which, and the relation is counted)::

    ("relationship"<|>"Lena"<|>"Kelp"<|>"Lena founded Kelp."<|>"founding"<|>9)##
    ("relationship"<|>LENA<|>KELP<|>Lena founded Kelp.<|>9)##

The relation is the keywords, which say in a word or two what it is, else the description; that goes
to ``extra`` where it is not. The strength is the confidence: it has a scale of its own. Records of
entities and of keywords of the whole text are passed over. Such an answer does not say what it is
about: where JSON holds it as a text (LightRAG's ``kv_store_llm_response_cache.json``), it is of the
format ``json``, and the chunk is named. So is what LightRAG asks for in JSON.

Guo et al., "LightRAG: Simple and Fast Retrieval-Augmented Generation", 2024; Edge et al., "From
Local to Global: A Graph RAG Approach to Query-Focused Summarization", 2024.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import is_number, mostly, parse_confidence
from evaluator.readers._answers import AnswerTriple, ParsedAnswer, read_answers

NAME = "lightrag"
KIND = "extractions"
DESCRIPTION = "LightRAG's and GraphRAG's answers: relation<|#|>entity<|#|>entity<|#|>keywords ..."
TOLD_BY = "records of entities and relations with <|#|> or <|> between their fields"
EXAMPLE = (
    "entity<|#|>Lena Marsh<|#|>person<|#|>Lena Marsh is a founder.\n"
    "entity<|#|>Kelp<|#|>organization<|#|>Kelp is a firm.\n"
    "relation<|#|>Lena Marsh<|#|>Kelp<|#|>founding<|#|>Lena Marsh founded Kelp.\n"
    "<|COMPLETE|>\n"
    '("relationship"<|>"Marek"<|>"Oslo"<|>"Marek left Oslo."<|>"departure"<|>7)##\n'
    '("content_keywords"<|>"founding, departure")<|COMPLETE|>\n'
)
MARK = re.compile(r"\b(?:entity|relation(?:ship)?)\W{0,2}<\|#?\|?>", re.IGNORECASE)

CUT = "a relation without all of its fields"
OTHER = "a relation with more fields than LightRAG and GraphRAG ask for"
ENTITIES = "records of entities, which are no relations"

_BETWEEN = re.compile(r"<\|#?\|>|<\|#?>")
_RECORD_ENDS = re.compile(r"##\s*(?=\(|<\||\Z)|\n")
_COMPLETE = re.compile(r"<\|COMPLETE\|>", re.IGNORECASE)


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction per relation; count what is no record, and relations that are cut."""
    return read_answers(lines, answer, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    records = [line for line in head if _COMPLETE.sub("", line).strip(" #")]
    return mostly(records, lambda line: bool(_BETWEEN.search(line))) and any(
        MARK.search(line) and not line.lstrip().startswith(("{", "[", '"')) for line in records
    )


def answer(text: str) -> ParsedAnswer:
    """Return the relations among the records of an answer."""
    triples: list[AnswerTriple] = []
    refused: list[str] = []
    notes: list[str] = []
    for record in _RECORD_ENDS.split(_COMPLETE.sub("", text)):
        fields = [field.strip() for field in _BETWEEN.split(record.strip().rstrip("#").strip())]
        kind = fields[0].strip("(\"' ").casefold()
        if kind == "entity":
            notes.append(ENTITIES)
        elif kind in ("relation", "relationship"):
            try:
                triples.append(_relation(fields, newer="<|#" in record))
            except ValueError as reason:
                refused.append(str(reason))
        elif fields != [""] and kind != "content_keywords":
            refused.append("neither an entity nor a relation")
    return ParsedAnswer(triples, refused, notes)


def _relation(fields: list[str], *, newer: bool) -> AnswerTriple:
    if fields[0].startswith("("):
        if not fields[-1].endswith(")"):
            raise ValueError(CUT)
        fields[-1] = fields[-1][:-1]
    _, source, target, *said = (field.strip(' "') for field in fields)
    strength = said.pop() if said and is_number(said[-1]) else ""
    if not (source and target and said and said[0]) or (newer and len(said) < 2):
        raise ValueError(CUT)
    if len(said) > 2:
        raise ValueError(OTHER)
    first, second = [*said, ""][:2]
    keywords, description = (first, second) if newer else (second, first)
    relation = keywords or description
    extra = {"description": description} if keywords and description else {}
    return AnswerTriple(source, relation, target, parse_confidence(strength), extra)
