"""What may be opened, and how much of a file is ever held."""

import bz2
import gzip
import io
import lzma
import os
import tracemalloc
import zipfile
from contextlib import suppress
from itertools import repeat
from pathlib import Path

import pytest

from evaluator import inputs
from evaluator.annotators import read_annotator
from evaluator.corpus.sentences import read_sentences
from evaluator.errors import InputError
from evaluator.inputs import (
    LARGEST_WHOLE,
    LONG_LINE,
    held_whole,
    numbered_lines,
    open_file,
    open_packed,
    read_bytes,
    read_unpacked,
    zipped_lines,
)
from evaluator.labels.label import read_labels
from evaluator.labels.rating_files import read_ratings
from evaluator.model import Rejects
from evaluator.readers import SystemSource, _json_values, read_extractions, text_lines
from evaluator.relations.alignments import read_alignments
from evaluator.wordnet.information_content import InformationContent
from evaluator.wordnet.lexicon import wordnet

MIB = 1 << 20
PACKERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


@pytest.fixture
def peak():
    """Give the most bytes that Python has held since the peak was last reset."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


@pytest.fixture(params=["pipe", "device", "link to a pipe", "socket"])
def no_file(request, tmp_path) -> Path:
    path = tmp_path / "input"
    match request.param:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path = Path("/dev/zero")
        case "link to a pipe":
            os.mkfifo(tmp_path / "pipe")
            path.symlink_to("pipe")
        case "socket":
            import socket

            with socket.socket(socket.AF_UNIX) as made:
                made.bind(str(path))
    return path


def test_only_a_file_is_opened_and_nothing_is_waited_for(no_file):
    with pytest.raises(OSError, match=r"a device or a pipe|No such device") as error:
        open_file(no_file)
    assert error.value.strerror


@pytest.mark.parametrize(
    "read",
    [
        lambda path: list(text_lines(path, rejects=Rejects())),
        lambda path: SystemSource("s", "auto", path),
        lambda path: list(read_extractions(SystemSource("s", "tabbed", path), rejects=Rejects())),
        lambda path: list(read_sentences(path, format="lines", rejects=Rejects())),
        lambda path: read_labels(path, rejects=Rejects()),
        lambda path: read_ratings([path], rejects=Rejects()),
        lambda path: read_alignments(path),
        lambda path: read_annotator(path),
        lambda path: InformationContent.from_nltk_file(path, wordnet()),
    ],
)
def test_every_reader_refuses_what_is_no_file_in_one_line(no_file, read):
    with pytest.raises(InputError) as error:
        read(no_file)
    message = str(error.value)
    assert message.startswith(str(no_file))
    assert "device" in message
    assert "\n" not in message


def test_a_link_to_a_file_and_a_folder_are_what_they_are(tmp_path):
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to("file")
    assert read_bytes(tmp_path / "link") == b"x"
    with pytest.raises(IsADirectoryError):
        open_file(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_file(tmp_path / "nothing")


def test_a_line_that_is_too_long_is_passed_over_and_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "LONGEST_LINE", 10)
    content = b"0123456789\n012345678\n" + b"y" * 30 + b"\nlast"
    rejects = Rejects()
    lines = list(numbered_lines(io.BytesIO(content), "f", rejects=rejects))
    assert lines == [(2, b"012345678\n"), (4, b"last")]  # the end of a line counts
    assert rejects.counts == {LONG_LINE: 2}
    assert rejects.examples == {LONG_LINE: "line 1: 0123456789\n"}
    with pytest.raises(InputError, match=r"f:1: a line of more than 64 MiB"):
        list(numbered_lines(io.BytesIO(content), "f"))


@pytest.mark.parametrize("suffix", ["", *PACKERS])
def test_a_long_line_is_not_held_however_it_is_packed(tmp_path, suffix, monkeypatch, peak):
    monkeypatch.setattr(inputs, "LONGEST_LINE", MIB)
    path = tmp_path / f"sentences{suffix}"
    with PACKERS.get(suffix, open)(path, "wb") as file:
        file.write(b"Lena is here .\n")
        for _ in range(40):
            file.write(b"x" * MIB)
        file.write(b"\nMax is there .\n")
    rejects = Rejects()
    tracemalloc.reset_peak()
    sentences = list(read_sentences(path, format="lines", rejects=rejects))
    assert [(one.number, one.text) for one in sentences] == [
        (0, "Lena is here ."),
        (2, "Max is there ."),
    ]
    assert rejects.counts == {LONG_LINE: 1}
    assert peak() < 16 * MIB


class Endless(io.RawIOBase):
    """Bytes without an end."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        buffer[:] = bytes(len(buffer))
        return len(buffer)


def test_a_line_without_an_end_is_given_up(monkeypatch):
    monkeypatch.setattr(inputs, "LONGEST_LINE", 10)
    monkeypatch.setattr(inputs, "ENDLESS", 1 << 24)
    with pytest.raises(InputError, match=r"f:1: a line without an end in .*; is it a file of lin"):
        list(numbered_lines(io.BufferedReader(Endless()), "f", rejects=Rejects()))


@pytest.mark.parametrize("suffix", PACKERS)
def test_of_what_is_held_whole_no_more_is_unpacked_than_the_limit(
    tmp_path, suffix, monkeypatch, peak
):
    path = tmp_path / f"file{suffix}"
    with PACKERS[suffix](path, "wb") as file:
        for part in repeat(bytes(MIB), 40):
            file.write(part)
    monkeypatch.setattr(inputs, "LARGEST_WHOLE", MIB)
    tracemalloc.reset_peak()
    with pytest.raises(OSError, match="the most that is held of such a file"):
        read_unpacked(path)
    assert peak() < 16 * MIB  # xz itself takes 8


def test_a_file_that_is_too_large_to_be_held_is_not_read(tmp_path):
    path = tmp_path / "model.json"
    with path.open("wb") as file:
        file.truncate(LARGEST_WHOLE + 1)
    with pytest.raises(InputError, match=r"more than 256 MiB, the most that is held"):
        read_annotator(path)


def test_a_file_of_one_long_line_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "LONGEST_LINE", MIB)
    path = tmp_path / "output.txt"
    path.write_bytes(b"x" * (MIB + 1))
    with pytest.raises(InputError, match=r"nothing could be read: line of more than 64 MiB"):
        SystemSource("s", "auto", path)
    with pytest.raises(InputError, match=r"nothing could be read: line of more than 64 MiB"):
        list(read_sentences(path, format="lines", rejects=Rejects()))


def test_plain_bytes_are_opened_as_they_are(tmp_path):
    path = tmp_path / "file.gz"  # the name does not tell
    path.write_bytes(b"plain\n")
    with open_packed(path) as file:
        assert file.read() == b"plain\n"


def test_of_lines_that_are_held_together_no_more_are_held_than_the_limit(monkeypatch):
    monkeypatch.setattr(inputs, "LARGEST_WHOLE", 8)
    assert list(held_whole([(1, "abc"), (2, "def")], "f")) == [(1, "abc"), (2, "def")]
    with pytest.raises(InputError, match="f:2: more than 256 MiB, the most that is held"):
        list(held_whole([(1, "abc"), (2, "defg")], "f"))


def test_a_json_value_that_is_too_large_is_counted_line_by_line(monkeypatch):
    monkeypatch.setattr(_json_values, "LARGEST_WHOLE", 8)
    lines = ["[", "[1, 2, 3],", "[4]", "]", '{"a": 1}']
    rejects = Rejects()
    values = _json_values.json_values(enumerate(lines, start=1), rejects=rejects)
    assert [value.value for value in values] == [[4], {"a": 1}]
    assert rejects.counts == {_json_values.TOO_LARGE: 2, "not JSON": 1}


def _zipped(packing: int = zipfile.ZIP_DEFLATED) -> bytearray:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", packing) as archive:
        archive.writestr("b/", "")
        archive.writestr("b/lines", "three\n")
        archive.writestr("a", "one\ntwo")
    return bytearray(made.getvalue())


def _marked(place: int, value: int) -> bytearray:
    """Return an archive whose members say something else of themselves, at a place of a header."""
    made = _zipped()
    for magic, shift in ((b"PK\3\4", 0), (b"PK\1\2", 2)):
        begin = made.find(magic)
        while begin >= 0:
            made[begin + place + shift] = value
            begin = made.find(magic, begin + 1)
    return made


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_lines_of_an_archive_come_by_the_names_of_its_members(tmp_path, packing):
    (tmp_path / "zip").write_bytes(_zipped(packing))
    found = [*zipped_lines(tmp_path / "zip", rejects=Rejects())]
    assert found == [b"one\n", b"two", b"three\n"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (_marked(6, 1), "File 'a' is encrypted, password required for extraction"),
        (_marked(8, 97), "That compression method is not supported"),
        (_marked(6, 32), "compressed patched data (flag bit 5)"),
        (_zipped()[:60], "File is not a zip file"),
        (b"no zip", "File is not a zip file"),
    ],
)
def test_an_odd_archive_is_told_in_one_line(tmp_path, content, said):
    (tmp_path / "zip").write_bytes(content)
    with pytest.raises(InputError) as error:
        [*zipped_lines(tmp_path / "zip", rejects=Rejects())]
    assert str(error.value) == f"{tmp_path}/zip: cannot be read as a zip archive ({said})"


def test_no_damage_of_an_archive_is_a_traceback(tmp_path):
    for packing in (zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA):
        for place in range(len(_zipped(packing))):
            damaged = _zipped(packing)
            damaged[place] ^= 0xFF
            (tmp_path / "zip").write_bytes(damaged)
            with suppress(InputError):
                [*zipped_lines(tmp_path / "zip", rejects=Rejects())]
