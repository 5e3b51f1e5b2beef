"""What stands in the place of a file that was written is said, and no reader waits for it.

Folders that were found sound are read again where anything may have changed, and only there.
"""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.errors import InputError
from indexes import sums
from indexes.sums import CHECKED, check_sums_once, faults, sums_of
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


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a settled folder of two files that was found sound, and how often files were read."""
    folder = tmp_path / "folder"
    (folder / "part").mkdir(parents=True)
    (folder / "part" / "_0.pos").write_bytes(b"positions")
    (folder / "rows").write_bytes(b"rows")
    stated = sums_of(folder)
    monkeypatch.setattr(sums, "_SETTLED", 0)
    time.sleep(0.02)  # the clock by which files are stamped ticks every few milliseconds
    reads: list[str] = []
    whole = sums.faults

    def told(*arguments, **options):
        reads.append("read")
        return whole(*arguments, **options)

    monkeypatch.setattr(sums, "faults", told)

    def check(of: Path = folder) -> int:
        reads.clear()
        check_sums_once(of, stated, remedy="mend it")
        return len(reads)

    assert check() == 1
    assert (folder / CHECKED).is_file()
    return folder, check


def test_what_was_found_sound_is_not_read_again(checked) -> None:
    _, check = checked
    assert [check(), check()] == [0, 0]


def _flip(file: Path) -> None:
    """Change a byte and hide it as well as a program can: size and time are as they were."""
    then = file.stat()
    content = bytearray(file.read_bytes())
    content[0] ^= 1
    file.write_bytes(content)
    os.utime(file, ns=(then.st_atime_ns, then.st_mtime_ns))


def _other(file: Path) -> None:
    other = file.with_name("other")
    shutil.copy2(file, other)
    _flip(other)
    other.replace(file)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_flip, "_0.pos: damaged (its sum is not that of what was written): mend it"),
        (_other, "_0.pos: damaged (its sum is not that of what was written): mend it"),
        (Path.unlink, "_0.pos: missing: mend it"),
        (
            lambda file: file.with_name("new").write_text("x"),
            "new: was not there when the folder was written: mend it",
        ),
    ],
)
def test_whatever_changed_since_is_noticed(checked, change: Callable[[Path], object], said: str):
    folder, check = checked
    change(folder / "part" / "_0.pos")
    for _ in range(2):
        with pytest.raises(InputError) as error:
            check()
        assert str(error.value) == f"{folder}/part/{said}"


def test_a_note_holds_for_a_week_and_for_the_folder_that_was_read(
    checked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, check = checked
    shutil.copytree(folder, tmp_path / "copy")  # times and all
    assert check(tmp_path / "copy") == 1
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 6.9 * 86_400)
    assert check() == 0
    monkeypatch.setattr(time, "time", lambda: now - 3_600)  # noted in what is the future now
    assert check() == 1
    monkeypatch.setattr(time, "time", lambda: now + 7.1 * 86_400)
    assert [check(), check()] == [1, 0]


@pytest.mark.parametrize("note", ["", "{}", "[]", '{"time": 1e99, "sums": "", "files": {}}'])
def test_a_damaged_note_is_none(checked, note: str) -> None:
    folder, check = checked
    (folder / CHECKED).write_text(note)
    assert [check(), check()] == [1, 0]


def test_what_may_be_changing_is_not_noted(checked, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, check = checked
    monkeypatch.setattr(sums, "_SETTLED", 60)
    (folder / CHECKED).unlink()
    assert [check(), check()] == [1, 1]


def test_where_no_note_can_be_written_all_is_read(checked) -> None:
    folder, check = checked
    (folder / CHECKED).unlink()
    (folder / CHECKED).mkdir()
    assert [check(), check()] == [1, 1]
