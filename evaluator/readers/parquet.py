"""Triples in a table in Parquet: columns that are called as the keys of the format ``json``.

A row is an object, and read as one (:mod:`evaluator.readers.json_triples`): its columns have any of
the known names, or are named. The line of an extraction is the number of its row.
"""

from collections.abc import Sequence

from evaluator.readers import json_triples
from evaluator.readers._rows import PARQUET, rows
from evaluator.readers.json_triples import KEYS as KEYS
from evaluator.readers.json_triples import read as read

NAME = "parquet"
KIND = "extractions"
DESCRIPTION = "a table in Parquet with columns such as subject, relation, object, sentence"
TOLD_BY = "Parquet with columns for a subject and a relation"
EXAMPLE = (
    '{"subject": "Lena Marsh", "relation": "founded", "object": "Kelp", "sentence": "Lena Marsh '
    'founded Kelp ."}\n'
    '{"subject": "Marek", "relation": "left", "object": "Oslo", "sentence": "Marek left Oslo ."}\n'
)
MAGIC = PARQUET

lines = rows


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first rows of a table are triples."""
    return json_triples.recognises(head)
