"""The example of each format, as a file."""

import io
import json
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.readers import formats

PARQUET = b"PAR1"


def example_bytes(name: str, content: str | None = None) -> bytes:
    """Return the example of a format, or other lines of it, as a file of that format holds them."""
    known = formats()[name]
    lines = known.EXAMPLE if content is None else content
    packed = io.BytesIO()
    if name == "cesi":
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("member", lines)
    elif getattr(known, "MAGIC", None) == PARQUET:
        rows = [json.loads(line) for line in lines.splitlines()]
        pq.write_table(pa.Table.from_pylist(rows), packed)
    else:
        return lines.encode()
    return packed.getvalue()


def example_file(name: str, folder: Path) -> Path:
    """Write the example of a format into a folder."""
    path = folder / f"{name}.example"
    path.write_bytes(example_bytes(name))
    return path


def told_by_themselves() -> list[str]:
    """Return the formats that some file is recognised to have."""
    return [name for name, known in formats().items() if known.TOLD_BY]
