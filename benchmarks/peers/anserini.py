"""Anserini's own command for indexing."""

import subprocess
from pathlib import Path

from evaluator.errors import DistvalError
from indexes.jvm import java_home, lucene_jar


def index_collection(collection: Path, index: Path, *, threads: int, options: list[str]) -> None:
    """Run IndexCollection on a folder of JSON Lines, in a process of its own."""
    done = subprocess.run(
        [
            *(java_home() / "bin" / "java", "-Xmx2g", "-cp", lucene_jar()),
            "io.anserini.index.IndexCollection",
            *("-collection", "JsonCollection", "-input", collection, "-index", index),
            *("-generator", "DefaultLuceneDocumentGenerator", "-threads", str(threads)),
            *options,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise DistvalError(f"Anserini failed: {done.stderr.strip()[-500:]}")
