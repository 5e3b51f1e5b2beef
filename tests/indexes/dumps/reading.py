"""What the tests of the dump readers share: a dump in, rows and both accounts out."""

from pathlib import Path

from evaluator.model import Rejects
from indexes.dumps import read_dump
from indexes.dumps.statements import STATEMENTS

Row = tuple[str, str, str, str]


def read(path: Path, **options) -> tuple[list[Row], dict[str, int], dict[str, int]]:
    rejects, left_out = Rejects(), Rejects()
    rows: list[Row] = []
    for batch in read_dump(path, rejects=rejects, left_out=left_out, **options):
        assert batch.schema == STATEMENTS
        batch.validate(full=True)
        rows += zip(*(column.to_pylist() for column in batch.columns), strict=True)
    return rows, rejects.counts, left_out.counts


def read_text(folder: Path, text: str | bytes, **options):
    path = folder / options.pop("name", "dump.nt")
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read(path, **options)
