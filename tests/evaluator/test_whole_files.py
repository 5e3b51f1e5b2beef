"""A file is written whole or not at all, and nothing but a file is written over."""

import os
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.labels import write_whole
from evaluator.whole_files import whole_file


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    target.parent.mkdir()
    link.symlink_to(target)
    for text in ("made\r\n", "made again\n"):
        write_whole(link, text)
        assert link.is_symlink()
        assert target.read_bytes() == text.encode()
    assert list(target.parent.iterdir()) == [target]


def test_a_file_that_is_not_finished_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("before")

    def lines():
        yield "half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), whole_file(path) as file:
        file.writelines(lines())
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_file_is_refused_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("to pipe").symlink_to("pipe")
    Path("loop").symlink_to("loop")
    Path("folder").mkdir()
    before = sorted(tmp_path.iterdir())
    for name, why in {
        "": "a folder",
        ".": "a folder",
        "..": "a folder",
        "folder": "a folder",
        "pipe": "a device or a pipe",
        "to pipe": "a device or a pipe",
        "loop": "leads nowhere",
        "none/out": "No such file",
        "n" * 300: "too long",
    }.items():
        with pytest.raises(InputError, match=f"cannot be written.*{why}"):
            write_whole(Path(name), "text")
    assert sorted(tmp_path.iterdir()) == before
    assert Path("pipe").is_fifo()
