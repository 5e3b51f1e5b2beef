"""A file is written whole or not at all, and nothing but a file is written over."""

import os
import resource
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.whole_files import whole_binary_file, whole_file, write_whole


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    target.parent.mkdir()
    link.symlink_to(target)
    for text in ("made\r\n", "made again\n"):
        write_whole(link, text)
        assert link.is_symlink()
        assert target.read_bytes() == text.encode()
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize(("opened", "half"), [(whole_file, "half"), (whole_binary_file, b"half")])
def test_a_file_that_is_not_finished_leaves_what_was_there(tmp_path: Path, opened, half) -> None:
    path = tmp_path / "out"
    path.write_text("before")

    def lines():
        yield half
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), opened(path) as file:
        file.writelines(lines())
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("size", [1 << 16, 10], ids=["in the block", "at its end"])
@pytest.mark.parametrize(("opened", "more"), [(whole_file, "m"), (whole_binary_file, b"m")])
def test_a_full_disk_is_told_and_leaves_what_was_there(
    tmp_path: Path, opened, more, size: int
) -> None:
    path = tmp_path / "out"
    path.write_text("before")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5, limits[1]))  # bytes of any file
    try:
        with (
            pytest.raises(InputError, match=r"out: cannot be written \(File too large\)$"),
            opened(path) as file,
        ):
            file.write(more * size)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_wrong_with_another_file_is_not_laid_on_this_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="source"), whole_file(tmp_path / "out") as file:
        file.write((tmp_path / "source").read_text())
    assert list(tmp_path.iterdir()) == []


def test_two_who_write_one_file_at_once_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with whole_file(path) as first:
        first.write("first ")
        with whole_file(path) as second:
            second.write("second")
        assert path.read_text() == "second"
        first.write("and last")
    assert path.read_text() == "first and last"
    assert list(tmp_path.iterdir()) == [path]


def test_half_a_surrogate_pair_stays_the_escape_that_it_was(tmp_path: Path) -> None:
    write_whole(tmp_path / "out", '"é\ud800"')
    assert (tmp_path / "out").read_bytes() == '"é\\ud800"'.encode()


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
        for opened in (whole_file, whole_binary_file):
            with pytest.raises(InputError, match=f"cannot be written.*{why}"), opened(Path(name)):
                pass
    assert sorted(tmp_path.iterdir()) == before
    assert Path("pipe").is_fifo()
