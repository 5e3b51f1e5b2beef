"""What the tests of collections share: writing files and archives, and reading collections."""

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Mapping
from pathlib import Path

import zstandard

from evaluator.model import Rejects
from indexes.collections import Document, read_collection

COMPRESS = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


def tar(files: Mapping[str, bytes], *, format: int = tarfile.PAX_FORMAT) -> bytes:  # noqa: A002
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=format) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def write(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def read(path: Path, **options) -> tuple[list[Document], dict[str, int]]:
    rejects = Rejects()
    return list(read_collection(path, rejects=rejects, **options)), rejects.counts


def ids(path: Path, **options) -> list[str]:
    return [document.id for document in read(path, **options)[0]]


def wiki(*names: str) -> bytes:
    """Return a file of WikiExtractor with a document of each name."""
    return "".join(
        f'<doc id="{name}" url="u" title="{name}">\n{name}\n\ntext of {name}\n</doc>\n'
        for name in names
    ).encode()
