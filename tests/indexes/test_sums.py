"""What stands in the place of a file that was written is said, and no reader waits for it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.errors import InputError
from indexes.sums import faults, sums_of
from indexes.text.manifest import MANIFEST, read_manifest


def _circle(file: Path) -> None:
    file.symlink_to(file.name)


def _dangling(file: Path) -> None:
    file.symlink_to("nowhere")


INSTEAD: list[tuple[Callable[[Path], object], str, str]] = [
    (lambda file: None, "missing", "an empty folder, no text index"),
    (_dangling, "a link that leads to no file", "no text index (no manifest.json)"),
    (Path.mkdir, "a folder, where a file was written", "cannot be read (Is a directory)"),
    (
        _circle,
        "a link that leads to no file",
        "cannot be read (Too many levels of symbolic links)",
    ),
    (
        os.mkfifo,
        "a device or a pipe, where a file was written",
        "cannot be read (a device or a pipe; save what it gives as a file first)",
    ),
]


@pytest.mark.parametrize(("put", "said", "_"), INSTEAD)
def test_of_a_file_that_is_gone_it_is_said_what_is_there(tmp_path: Path, put, said: str, _) -> None:
    file = tmp_path / "file"
    file.write_text("content")
    sums = sums_of(tmp_path)
    file.unlink()
    put(file)
    assert list(faults(tmp_path, sums)) == [(file, said)]


@pytest.mark.parametrize(("put", "_", "said"), INSTEAD)
def test_so_it_is_of_a_manifest(tmp_path: Path, put, _, said: str) -> None:
    put(tmp_path / MANIFEST)
    with pytest.raises(InputError) as error:
        read_manifest(tmp_path)
    (line,) = str(error.value).splitlines()
    assert said in line
    assert "distval index build" in line
