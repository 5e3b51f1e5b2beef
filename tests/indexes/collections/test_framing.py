"""Framing: the same records whatever the size of the blocks, and never more held than allowed."""

import io
import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import Rejects
from indexes.collections import framing
from indexes.collections.framing import frame_lines, frame_marked

MARK = re.compile(rb"<(?<=^<)(?:doc |(/doc>))", re.MULTILINE)


def frame(content: bytes, **options):
    rejects = Rejects()
    return list(frame_marked(io.BytesIO(content), "f", rejects, mark=MARK, **options)), rejects


def by_lines(text: str) -> tuple[list[tuple[str, bytes]], dict[str, int]]:
    """Frame as :func:`frame_marked` does, a line at a time."""
    records, counts, opened = [], {}, None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("<doc "):
            if opened:
                counts["document without end"] = counts.get("document without end", 0) + 1
            opened = (number, [line])
        elif line.startswith("</doc>"):
            if opened:
                content = "\n".join([*opened[1], "</doc>"])
                records.append((f"f:{opened[0]}", content.encode()))
                opened = None
            else:
                counts["end without document"] = counts.get("end without document", 0) + 1
        elif opened:
            opened[1].append(line)
    if opened:
        counts["document without end"] = counts.get("document without end", 0) + 1
    return records, counts


pieces = st.sampled_from(["<doc ", "</doc>", "\n", "\n", "a", "<", "</doc", "\n<doc ", "\n</doc>"])


@given(text=st.lists(pieces, max_size=30).map("".join), block=st.integers(1, 40))
def test_marks_are_found_across_blocks(text, block):
    records, rejects = frame(text.encode(), block=block)
    assert (records, rejects.counts) == by_lines(text)


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_a_record_that_is_too_large_is_passed_over_and_counted_once(block):
    large = b"<doc 1\n" + b"x" * 2000 + b"\n</doc>\n"
    content = large + b"<doc 2\n</doc>\n" + large + b"</doc>\n" + b"<doc 3\n</doc>"
    records, rejects = frame(content, block=block, largest=1000)
    assert records == [("f:4", b"<doc 2\n</doc>"), ("f:10", b"<doc 3\n</doc>")]
    assert rejects.counts == {"record of more than 64 MiB": 2, "end without document": 1}
    assert rejects.examples["record of more than 64 MiB"] == "f:1"


def test_no_more_is_held_of_a_record_that_is_too_large():
    class Stream(io.RawIOBase):
        left = 100

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            return b"<doc " if self.left == 99 else b"x" * size if self.left > 0 else b""

    tracemalloc.start()
    records = frame_marked(Stream(), "f", rejects := Rejects(), mark=MARK, largest=1 << 16)
    assert list(records) == []
    assert tracemalloc.get_traced_memory()[1] < 1 << 23  # of 100 MB
    tracemalloc.stop()
    assert rejects.counts == {"record of more than 64 MiB": 1}


def test_lines():
    content = b"one\n\n \t\r\ntwo\r\n" + b"x" * 30 + b"\nlast"
    rejects = Rejects()
    lines = frame_lines(io.BytesIO(content), "f", rejects, largest=10)
    assert list(lines) == [("f:1", b"one\n"), ("f:4", b"two\r\n"), ("f:6", b"last")]
    assert rejects.counts == {"record of more than 64 MiB": 1}
    assert rejects.examples["record of more than 64 MiB"] == "f:5"


def test_a_line_without_an_end_ends_the_reading_of_its_file(monkeypatch):
    monkeypatch.setattr(framing, "ENDLESS", 1 << 20)
    rejects = Rejects()
    content = io.BytesIO(b"one\n" + b"x" * (3 << 20) + b"\nlast")
    assert list(frame_lines(content, "f", rejects, largest=10)) == [("f:1", b"one\n")]
    assert rejects.counts == {framing.NO_LINES: 1}
