"""Nothing of a file vanishes: every line is part of a record or is counted, in every format."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.model import Rejects
from evaluator.readers import SystemSource, formats, read_extractions, read_facts
from evaluator.readers._accounts import NO_RELATION, NOTHING_READ, is_no_relation
from tests.evaluator.readers.examples import example_bytes

# A foreign row of a table has its columns: no line of text is in it.
TEXTS = {
    name: known.EXAMPLE.rstrip("\n")
    for name, known in formats().items()
    if not hasattr(known, "MAGIC")
}
FOREIGN = (
    '{{"foreign": {}}}',
    'A foreign line of prose , number {} .',
    '{{"foreign": "half a line {}',
    '[{{"foreign": {}}}, {{"for',
    "half ; a tuple) {}",
    "",
)  # fmt: skip


def read_all(name: str, content: str, folder: Path) -> tuple[list, list[tuple[str, str]]]:
    """Return the records of a file, and each reject with its example."""
    path = folder / "output"
    path.write_bytes(example_bytes(name, content))
    seen: list[tuple[str, str]] = []
    add = Rejects.add

    def spy(self: Rejects, reason: str, example: str = "") -> None:
        seen.append((reason, example))
        add(self, reason, example)

    source = SystemSource("clausie", name, path)
    read = read_facts if source.kind == "facts" else read_extractions
    rejects = Rejects()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rejects, "add", spy)
        records = list(read(source, rejects=rejects))
    assert sum(rejects.counts.values()) == len(seen)
    return records, seen


def line_numbers(seen: list[tuple[str, str]]) -> set[int]:
    found = (re.match(r"line (\d+): ", example) for _, example in seen)
    return {int(match[1]) for match in found if match}


@pytest.mark.parametrize("name", sorted(TEXTS))
@settings(max_examples=60)
@given(
    inserted=st.lists(
        st.tuples(st.integers(0, 12), st.sampled_from(FOREIGN)), min_size=1, max_size=8
    )
)
def test_foreign_lines_are_counted_and_no_record_is_lost(tmp_path_factory, name, inserted):
    folder = tmp_path_factory.mktemp("output")
    own = TEXTS[name].split("\n")
    lines: list[tuple[str, bool]] = [(line, False) for line in own]
    for place, text in inserted:
        lines.insert(min(place, len(lines)), (text.format(len(lines)), True))
    try:
        records, seen = read_all(name, "\n".join(text for text, _ in lines) + "\n", folder)
    except InputError:
        # A foreign line breaks what is one value of JSON or XML or has a header; a blank one ends
        # a block.
        whole = name in ("wire57", "stanford-json", "facts", "graphml", "table")
        assert whole or any(not text for text, foreign in lines if foreign)
        return
    if name == "cesi":  # its blank lines are not numbered
        lines = [line for line in lines if line[0]]
    refused_lines = line_numbers(seen)
    sentences = {getattr(record, "sentence", "") for record in records}
    for number, (text, foreign) in enumerate(lines, start=1):
        if foreign and text:
            assert number in refused_lines or text in sentences, (number, text)
    before, _ = read_all(name, TEXTS[name] + "\n", folder)
    places = [number for number, (_, foreign) in enumerate(lines, start=1) if not foreign]
    read = {record.line for record in records} | refused_lines
    if name not in ("stanford-json", "wire57"):
        assert {places[record.line - 1] for record in before} <= read


@pytest.mark.parametrize("name", ["openie4", "openie5", "openie6", "clausie", "ollie"])
def test_json_lines_are_never_the_sentence_of_an_extraction(tmp_path, name):
    rows = {
        "clausie": '1\t"Lena"\t"ran"\t"home"\t-1.5',
        "ollie": "0.715: (Lena; ran; home)",
        "openie6": "0.71: (Lena; ran; home)",
    }
    row = rows.get(name, "0.71 (Lena; ran; home)")
    block = f'Lena ran home .\n{{"foreign": [1]}}\n{row}\n\n'
    records, seen = read_all(name, 20 * block, tmp_path)
    assert [record.sentence for record in records] == ["Lena ran home ."] * 20
    assert len(seen) == 20


def test_a_sentence_without_extractions_is_counted_as_such(tmp_path):
    content = "Lena ran home .\n0.71: (Lena; ran; home)\n\nMarek slept .\n\nNobody came .\n"
    records, seen = read_all("openie6", content, tmp_path)
    assert len(records) == 1
    assert seen == [
        (NOTHING_READ, "line 4: Marek slept ."),
        (NOTHING_READ, "line 6: Nobody came ."),
    ]
    assert read_all("ollie", "Marek slept .\nNo extractions found.\n\n" + content, tmp_path)[1] == [
        (NOTHING_READ, "line 7: Marek slept ."),
        (NOTHING_READ, "line 9: Nobody came ."),
    ]


def test_prose_above_a_row_that_brings_its_sentence_is_counted(tmp_path):
    tagged = "Lena ran .\t<arg1> Lena </arg1> <rel> ran </rel> <arg2> </arg2>\t0.5"
    records, seen = read_all("openie6", f"What a file !\n{tagged}\n", tmp_path)
    assert len(records) == 1
    assert seen == [(NOTHING_READ, "line 1: What a file !")]


# ----- no relation


@pytest.mark.parametrize(
    "relation",
    [
        "no relation",
        "no_relation",
        "No-Relation",
        "NA",
        "N/A",
        "None",
        "null",
        "nil",
        "<NA>",
        "nan",
    ],
)
def test_no_relation_is_counted_and_is_no_extraction(tmp_path, relation):
    assert is_no_relation(relation)
    content = f"S .\t0.5\tled\tLena\tKelp\nS .\t0.5\t{relation}\tKelp\tLena\n"
    records, seen = read_all("tabbed", content, tmp_path)
    assert [record.relation for record in records] == ["led"]
    assert seen == [(NO_RELATION, f"line 2: {relation}")]


@pytest.mark.parametrize("relation", ["has no relation to", "is related to", "nato", "no", "named"])
def test_a_relation_that_holds_such_a_word_stays(relation):
    assert not is_no_relation(relation)


def test_a_word_of_the_sentence_is_a_relation_whatever_the_word():
    # PropS on OIE2016: "none longer than five minutes".
    assert not is_no_relation("none", "Pieces , none longer than five minutes .")
    assert is_no_relation("none", "Pieces , nonetheless long .")
    assert is_no_relation("None", "Pieces , none longer than five minutes .")


def test_a_file_that_says_no_relation_only_is_read_as_that(tmp_path):
    records, seen = read_all("tabbed", "S .\t0.5\tno_relation\tKelp\tLena\n", tmp_path)
    assert (records, seen) == ([], [(NO_RELATION, "line 1: no_relation")])
