"""BenchIE's system files: identifier, subject, relation, object."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.model import Extraction, Rejects
from evaluator.readers import SystemSource, benchie, formats, read_extractions, write_extractions

LINES = ["12\tLena Marsh\tis director of\tKelp", "12\tLena Marsh\tis\tdirector", "13\tIt\train\t"]


def read(*lines: str) -> tuple[list[Extraction], Rejects]:
    rejects = Rejects()
    numbered = enumerate(lines, start=1)
    return list(benchie.read(numbered, system="it", rejects=rejects)), rejects


def test_a_line_is_an_extraction_of_a_sentence_that_is_named_not_quoted() -> None:
    (first, *_), rejects = read(*LINES)
    assert first == Extraction(
        "it", 1, "", "Lena Marsh", "is director of", "Kelp", sentence_id="12"
    )
    assert not rejects.counts


def test_a_line_of_two_slots_is_counted_with_its_number() -> None:
    found, rejects = read(LINES[0], "1\tHe\tran", "", "\ta\tb\tc", "3\t\t \t")
    assert len(found) == 1
    assert rejects.counts == {
        "fewer than 4 columns": 1,
        "blank line": 1,
        "no sentence id": 1,
        "empty slots": 1,
    }
    assert rejects.examples["fewer than 4 columns"] == "line 2: 1\tHe\tran"


def test_slots_are_verbatim_and_further_columns_further_arguments() -> None:
    ((spaced, more, empty), _) = read(
        "1\t He \tran \tto  Rome ", "1\tHe\tran\tto\tRome\tin May", "1\tHe\tran\t\t"
    )
    assert (spaced.arg1, spaced.relation, spaced.arg2) == (" He ", "ran ", "to  Rome ")
    assert (more.arg2, more.more_arguments) == ("to", ("Rome", "in May"))
    assert (empty.arg2, empty.more_arguments) == ("", ())


def test_a_file_is_written_as_it_was_read(tmp_path: Path) -> None:
    path, out = tmp_path / "in", tmp_path / "out"
    path.write_text("\n".join([*LINES, "1\t He\tran\tto\tRome"]) + "\n")
    source = SystemSource("it", "benchie", path)
    assert write_extractions(read_extractions(source, rejects=Rejects()), out, format="benchie")
    assert out.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("extraction", "problem"),
    [
        (Extraction("it", 4, "He ran .", "He", "ran", ""), "it:4: .* identifier of its sentence"),
        (Extraction("it", 4, "", "He", "r\tan", "", sentence_id="1"), "it:4: a field holds a tab"),
        (Extraction("it", 4, "", "He", "r\nan", "", sentence_id="1"), "it:4: a field holds"),
    ],
)
def test_what_the_format_cannot_hold_is_not_written(
    extraction: Extraction, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=problem):
        write_extractions([extraction], tmp_path / "out", format="benchie")
    assert list(tmp_path.iterdir()) == []


def recognised_as(*lines: str) -> list[str]:
    known = formats().items()
    return [name for name, known in known if getattr(known, "recognises", lambda _: False)(lines)]


def test_the_format_is_told_from_others() -> None:
    assert recognised_as(*LINES) == ["benchie"]
    assert recognised_as(LINES[0]) == ["benchie"]
    for other in (
        "It rains .\t0.7\train\tIt",  # tabbed
        "1\t0.7\train\tIt",  # tabbed, about a sentence of one number
        "1.0\tIt\train\ttoday",  # Stanford's
        "1\tIt\train",
        "one\tIt\train\ttoday",
    ):
        assert not benchie.recognises([other])
    assert not benchie.recognises([])


@given(st.lists(st.text("12ab \t\u00a0\r", max_size=12)))
def test_no_line_is_lost(lines: list[str]) -> None:
    found, rejects = read(*lines)
    assert len(found) + rejects.total == len(lines)
    assert isinstance(benchie.recognises(lines), bool)
