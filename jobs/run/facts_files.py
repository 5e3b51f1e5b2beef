"""The table of facts as a file: CSV for spreadsheets, Parquet and JSON Lines for programs."""

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.labels.sheet_formats import guarded
from evaluator.whole_files import whole_binary_file, whole_file
from indexes.engine import Batches
from jobs.run.facts_table import FACTS_TABLE


def write_facts_csv(path: Path, batches: Batches) -> int:
    """Write facts as CSV, like a label sheet, whole or not at all; return how many.

    Lists and maps are JSON, what is null is empty, and text that begins like a formula is guarded
    by an apostrophe.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    written = 0
    with whole_file(path) as file:
        file.write("\ufeff")  # without it Excel takes the file for another encoding
        sheet = csv.writer(file, lineterminator="\r\n")
        sheet.writerow(FACTS_TABLE.names)
        for batch in batches:
            columns = (map(_cell, column.to_pylist()) for column in batch.columns)
            sheet.writerows(zip(*columns, strict=True))
            written += batch.num_rows
    return written


def write_facts_parquet(path: Path, batches: Batches) -> int:
    """Write facts as Parquet (``FACTS_TABLE``), whole or not at all; return how many.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    written = 0
    with (
        whole_binary_file(path) as file,
        pq.ParquetWriter(file, FACTS_TABLE, compression="zstd") as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)
            written += batch.num_rows
    return written


def write_facts_jsonl(path: Path, batches: Batches) -> int:
    """Write facts as JSON Lines, whole or not at all; return how many.

    The keys are the columns of ``FACTS_TABLE``; maps are objects.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    maps = [field.name for field in FACTS_TABLE if pa.types.is_map(field.type)]
    written = 0
    with whole_file(path) as file:
        for batch in batches:
            for row in batch.to_pylist():
                told = row | {name: dict(row[name] or ()) for name in maps}
                file.write(f"{json.dumps(told, ensure_ascii=False)}\n")
            written += batch.num_rows
    return written


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return guarded(value)
        case bool():
            return "true" if value else "false"
        case list():
            # Arrow gives a map as pairs.
            is_map = bool(value) and isinstance(value[0], tuple)
            return json.dumps(dict(value) if is_map else value, ensure_ascii=False)
    return repr(value)
