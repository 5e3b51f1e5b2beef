"""Opening files: what a file is, where its lines end, and what is left of a damaged one."""

import bz2
import gzip
import io
import lzma
import os
import random
import tracemalloc
import zlib
from pathlib import Path, PurePosixPath

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.inputs import LONG_LINE
from evaluator.model import Rejects
from indexes import streams
from indexes.streams import blocks, head, open_unpacked, splits, unpack

LINES = b"one\ntwo\nthree\n"
COMPRESS = {
    ".gz": gzip.compress,
    ".bz2": lambda text: bz2.compress(text, 1),  # in blocks of 100 kB
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


def random_lines(count: int) -> bytes:
    draw = random.Random(237)
    return b"".join(b"%x\n" % draw.getrandbits(64) for _ in range(count))


def read(path: Path, **options) -> tuple[bytes, dict[str, int]]:
    rejects = Rejects()
    return b"".join(blocks(path, rejects=rejects, **options)), rejects.counts


@pytest.mark.parametrize("suffix", COMPRESS)
def test_every_compression_is_read_in_one_piece_or_many(tmp_path, suffix):
    path = tmp_path / f"dump{suffix}"
    path.write_bytes(b"".join(COMPRESS[suffix](LINES) for _ in range(3)))
    assert read(path) == (LINES * 3, {})


@pytest.mark.parametrize("suffix", COMPRESS)
def test_the_first_bytes_tell_the_compression_and_not_the_name(tmp_path, suffix):
    path = tmp_path / "dump.nt"
    path.write_bytes(COMPRESS[suffix](LINES))
    assert read(path) == (LINES, {})


def test_zeros_after_the_end_are_padding(tmp_path):
    path = tmp_path / "tape.gz"
    path.write_bytes(gzip.compress(LINES) + b"\0" * 300_000 + gzip.compress(LINES) + b"\0")
    assert read(path) == (LINES * 2, {})


def test_a_line_may_end_in_the_next_piece(tmp_path):
    path = tmp_path / "dump.gz"
    path.write_bytes(gzip.compress(b"one\ntw") + gzip.compress(b"o\nthree\n"))
    assert read(path) == (LINES, {})


@given(
    text=st.binary(max_size=60).map(lambda text: text.replace(b"\r", b"\n")), size=st.integers(1, 9)
)
def test_blocks_are_whole_lines(tmp_path_factory, text, size):
    path = tmp_path_factory.mktemp("blocks") / "lines"
    path.write_bytes(b"x" + text)
    found = list(blocks(path, rejects=Rejects(), size=size))
    assert b"".join(found) == b"x" + text
    assert all(block.endswith(b"\n") for block in found[:-1])
    assert all(found)


@given(text=st.text(alphabet="ab\n", min_size=1, max_size=60), size=st.integers(1, 70))
def test_byte_ranges_give_every_line_once(tmp_path_factory, text, size):
    path = tmp_path_factory.mktemp("ranges") / "lines"
    path.write_bytes(text.encode())
    pieces = splits(path, size)
    assert b"".join(read(path, byte_range=piece)[0] for piece in pieces) == text.encode()
    begins = [0] + [at + 1 for at, character in enumerate(text[:-1]) if character == "\n"]
    for start, end in pieces:
        lines = read(path, byte_range=(start, end))[0]
        first = next((at for at in begins if at >= start), len(text))
        assert lines == b"" or (first < end and text.encode()[first:].startswith(lines))


def test_a_compressed_file_is_one_piece(tmp_path):
    path = tmp_path / "dump.gz"
    path.write_bytes(gzip.compress(LINES))
    assert splits(path, 2) == [None]
    with pytest.raises(InputError, match="no byte ranges"):
        read(path, byte_range=(0, 2))


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_truncated_file_gives_every_whole_line(tmp_path, suffix):
    text = random_lines(100_000)
    packed = COMPRESS[suffix](text)
    cut = packed[: len(packed) // 2]
    path = tmp_path / f"dump{suffix}"
    path.write_bytes(cut)
    rejects = Rejects()
    found = b"".join(blocks(path, rejects=rejects))
    assert text.startswith(found)
    assert found.endswith(b"\n")
    assert rejects.counts == {"truncated file": 1}
    lines = found.count(b"\n")
    assert f"{lines:,} whole lines" in rejects.examples["truncated file"]
    if suffix == ".gz":
        unpacked = zlib.decompressobj(wbits=31).decompress(cut)
        assert lines == unpacked.count(b"\n")


def test_lines_before_a_damaged_place_are_kept(tmp_path):
    text = random_lines(100_000)
    first, second = gzip.compress(text), bytearray(gzip.compress(text))
    second[-8:-4] = b"\0\0\0\0"  # the checksum
    path = tmp_path / "dump.gz"
    path.write_bytes(first + bytes(second))
    found, rejected = read(path)
    assert (text * 2).startswith(found)
    assert len(text * 2) - len(found) < 2**14 + 20  # the last step of unpacking, and a line
    assert rejected == {"damaged file": 1}


@pytest.mark.parametrize("place", [-6, -2], ids=["checksum", "length"])
def test_where_only_the_trailer_is_wrong_every_line_is_kept(tmp_path, place):
    text = random_lines(5_000)
    packed = bytearray(gzip.compress(text))
    packed[place] ^= 0xFF
    path = tmp_path / "dump.gz"
    path.write_bytes(packed)
    assert read(path) == (text, {"damaged file": 1})


def test_headers_of_gzip_with_names_and_comments_are_read(tmp_path):
    packed = gzip.compress(LINES)
    extra = b"\x04\0abcd" + b"dump.nt\0" + b"a comment\0" + b"\0\0"
    path = tmp_path / "dump.gz"
    path.write_bytes((packed[:3] + b"\x1e" + packed[4:10] + extra + packed[10:]) * 2)
    assert read(path) == (LINES * 2, {})


def test_a_skippable_frame_may_come_first(tmp_path):
    path = tmp_path / "dump.zst"
    path.write_bytes(b"\x53\x2a\x4d\x18\x04\0\0\0abcd" + zstandard.compress(LINES))
    assert read(path) == (LINES, {})


def test_what_follows_the_end_is_damage(tmp_path):
    path = tmp_path / "dump.gz"
    path.write_bytes(gzip.compress(LINES) + b"<html>and an error page</html>")
    assert read(path) == (LINES, {"damaged file": 1})


def test_only_a_newline_ends_a_line(tmp_path):
    path = tmp_path / "lines"
    text = "a\rb\x0bc\x0cd\x85e\u2028f\n".encode()
    path.write_bytes(text * 2)
    assert list(blocks(path, rejects=Rejects(), size=1)) == [text * 2]
    assert head(path, 1) == text * 2


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("dump.nt", b"", "empty"),
        ("dump.nt.gz", b"<html>moved</html>", "named .gz but is not compressed.*'<html>mo'"),
        ("dump.nt.gz", b"PK\x03\x04 and so on", "zip archive"),
        ("dump.nt.gz", gzip.compress(LINES)[:12], "truncated file: no whole line"),
        ("dump.nt.bz2", b"BZh9 and no more", "damaged file: no whole line"),
        ("dump.nt.gz", b"\x1f\x8b and no more", "damaged file: no whole line"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_clear_line(tmp_path, name, content, problem):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=problem) as error:
        read(path)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "missing.nt")
    with pytest.raises(InputError, match="a folder"):
        read(tmp_path)


def read_stream(path: Path) -> tuple[bytes, bool, dict[str, int]]:
    rejects = Rejects()
    with open_unpacked(path, rejects=rejects) as stream:
        return stream.read(), stream.complete, rejects.counts


@pytest.mark.parametrize("pack", [bytes, *COMPRESS.values()], ids=["plain", *COMPRESS])
def test_a_stream_is_the_unpacked_bytes_without_a_mark(tmp_path, pack):
    path = tmp_path / "file"
    path.write_bytes(pack(b"\xef\xbb\xbfone\ntwo"))
    assert read_stream(path) == (b"one\ntwo", True, {})
    stream = unpack(
        io.BufferedReader(io.BytesIO(pack(LINES))), PurePosixPath("member"), rejects=Rejects()
    )
    assert list(stream) == [b"one\n", b"two\n", b"three\n"]


def test_an_empty_file_is_an_empty_stream(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    assert read_stream(path) == (b"", True, {})
    path.write_bytes(gzip.compress(b""))
    assert read_stream(path) == (b"", True, {})


@pytest.mark.parametrize("suffix", COMPRESS)
def test_cut_anywhere_a_stream_is_a_prefix_or_refused(tmp_path, suffix):
    text = random_lines(30)
    packed = COMPRESS[suffix](text)
    path = tmp_path / f"file{suffix}"
    for length in range(1, len(packed)):
        path.write_bytes(packed[:length])
        try:
            found, complete, rejected = read_stream(path)
        except InputError:
            continue
        assert text.startswith(found)
        assert not complete
        assert rejected == {"truncated file": 1}


def test_what_can_be_read_of_a_damaged_file_is_given_and_the_damage_counted_once(tmp_path):
    text = random_lines(50_000)
    packed = bytearray(lzma.compress(text))
    packed[len(packed) // 2] ^= 0xFF  # the lines are random: they are half of the text, too
    path = tmp_path / "file.xz"
    path.write_bytes(packed)
    found, complete, rejected = read_stream(path)
    sound = len(text) * 45 // 100
    assert found[:sound] == text[:sound]
    assert not complete
    assert rejected == {"damaged file": 1}


@pytest.fixture
def short_lines(monkeypatch):
    """Let a line have a thousand bytes, so that a test need not write megabytes."""
    monkeypatch.setattr(streams, "LONGEST_LINE", 1000)


LONG = b"%b\n" % (b"x" * 5000)


@pytest.mark.parametrize("suffix", ["", *COMPRESS])
@pytest.mark.parametrize("size", [10, 1 << 22])
def test_a_line_that_is_too_long_is_left_out_and_counted(tmp_path, short_lines, suffix, size):
    path = tmp_path / f"dump{suffix}"
    content = b"one\n" + LONG + b"two\n" + LONG + LONG + b"z" * 999 + b"\n" + b"last" + b"l" * 996
    path.write_bytes(COMPRESS.get(suffix, bytes)(content))
    expected = b"one\ntwo\n" + b"z" * 999 + b"\n" + b"last" + b"l" * 996
    assert read(path, size=size) == (expected, {LONG_LINE: 3})


def test_a_long_line_is_left_out_once_whatever_the_byte_ranges(tmp_path, short_lines, monkeypatch):
    monkeypatch.setattr(streams, "BLOCK", 700)
    path = tmp_path / "dump"
    path.write_bytes(b"one\n" + LONG + b"two\n" + LONG + b"three\n")
    for width in (31, 64, 900, 4999, 20_000):
        found = [read(path, byte_range=byte_range) for byte_range in splits(path, width)]
        assert b"".join(lines for lines, _ in found) == LINES
        assert sum(counts.get(LONG_LINE, 0) for _, counts in found) == 2


@pytest.mark.parametrize(
    ("suffix", "unpacked", "most"),
    # A KiB of Zstandard can hold 32 MiB, and xz remembers 8.
    [(".gz", 40, 12), (".bz2", 40, 12), (".xz", 40, 12), (".zst", 250, 110)],
)
def test_what_unpacks_to_far_more_than_it_is_does_not_fill_memory(
    tmp_path, suffix, unpacked, most, monkeypatch
):
    monkeypatch.setattr(streams, "LONGEST_LINE", 1 << 20)
    path = tmp_path / f"bomb{suffix}"
    path.write_bytes(COMPRESS[suffix](b"one\n" + bytes(unpacked << 20) + b"\ntwo\n"))
    tracemalloc.start()
    assert read(path) == (b"one\ntwo\n", {LONG_LINE: 1})
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert held < most << 20


@pytest.mark.parametrize("suffix", ["", *COMPRESS])
def test_a_file_of_which_a_line_has_no_end_is_refused(tmp_path, short_lines, monkeypatch, suffix):
    monkeypatch.setattr(streams, "ENDLESS", 1 << 20)
    path = tmp_path / f"dump{suffix}"
    path.write_bytes(COMPRESS.get(suffix, bytes)(b"one\n" + bytes(3 << 20)))
    with pytest.raises(InputError, match=r"a line without an end in .*; is it a file of lines"):
        read(path)


@pytest.mark.parametrize("open_it", [head, lambda path: splits(path, 10), read])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path, open_it):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"a device or a pipe; save what it gives as a file first"):
        open_it(tmp_path / "pipe")
