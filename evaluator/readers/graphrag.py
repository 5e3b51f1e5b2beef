"""GraphRAG's table of relationships: ``relationships.parquet``, or ``create_final_...``.

Its columns are ``source``, ``target`` and ``description``, a sentence or more that a model wrote,
which is the relation: there is no other. ``weight`` is the confidence, on a scale of its own: it is
the sum of strengths. ``text_unit_ids`` names the texts that a relationship was found in: it is
given to the first of them, and ``extra`` has all where there are several, with the other columns.

Names are in capitals, as GraphRAG writes them. The answers of the model themselves are of the
format ``lightrag``, where each relation is said by one text only.

Edge et al., "From Local to Global: A Graph RAG Approach to Query-Focused Summarization", 2024.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from evaluator.model import Extraction, Rejects
from evaluator.readers import RecordError, mostly, one_per_line
from evaluator.readers._rows import PARQUET, rows
from evaluator.readers.jsonl import json_confidence, need_finite, parse_object

NAME = "graphrag"
KIND = "extractions"
DESCRIPTION = "GraphRAG's relationships.parquet: source, target, description, weight, text_unit_ids"
SPECIAL_CASE = "parquet"
TOLD_BY = "Parquet with the columns source, target, description and text_unit_ids"
EXAMPLE = (
    '{"id": "0a", "human_readable_id": 0, "source": "LENA MARSH", "target": "KELP", "description": '
    '"Lena Marsh founded Kelp", "weight": 8.0, "combined_degree": 2, "text_unit_ids": ["t1"]}\n'
)
MAGIC = PARQUET

SEVERAL_TEXTS = "a relationship from several texts, given to the first"

_SLOTS = ("source", "description", "target")
_TEXTS = "text_unit_ids"

lines = rows


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Return one extraction per row; count the others in `rejects`."""

    def extraction(line: str, system: str, number: int) -> Extraction:
        row = parse_object(line)
        slots: list[str] = []
        for name in _SLOTS:
            slot = row.pop(name, None)
            if not isinstance(slot, str) or not slot.strip():
                raise RecordError(f"no text under {name!r}")
            slots.append(slot)
        texts = row.pop(_TEXTS, None) or [""]
        if not isinstance(texts, list):
            raise RecordError(f"no list under {_TEXTS!r}")
        if len(texts) > 1:
            rejects.note(SEVERAL_TEXTS)
            row[_TEXTS] = texts
        weight = json_confidence(row.pop("weight", None), name="weight")
        need_finite(row)
        sentence_id = str(texts[0])
        return Extraction.of_slots(
            system, number, "", slots, confidence=weight, sentence_id=sentence_id, extra=row
        )

    return one_per_line(lines, extraction, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first rows of a table are of this format."""
    return mostly(head, _is_row)


def _is_row(line: str) -> bool:
    with suppress(RecordError):
        return {*_SLOTS, _TEXTS} <= parse_object(line).keys()
    return False
