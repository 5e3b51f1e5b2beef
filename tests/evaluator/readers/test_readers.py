"""Every line of a system's output becomes an extraction or is counted, and nothing is changed."""

import bz2
import csv
import gzip
import json
import lzma
import pickle
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import ConfigurationError, InputError
from evaluator.facts.given import GivenFact
from evaluator.model import Extraction, Rejects
from evaluator.readers import (
    SystemSource,
    formats,
    parse_confidence,
    read_extractions,
    read_facts,
    text_lines,
    write_extractions,
)
from evaluator.readers._accounts import is_no_relation
from evaluator.readers._cells import UNQUOTED

SENTENCE = "Barack Obama is visiting Rome ."
TABBED = f"{SENTENCE}\t0.71\tis visiting\tBarack Obama\tRome\n"
REVERB = "\t".join(
    [
        *["news.txt", "3", "Barack Obama", "is visiting", "Rome", *"022445", "0.84", SENTENCE],
        *["NNP NNP VBZ VBG NNP .", "B-NP I-NP B-VP I-VP B-NP O"],
        *["barack obama", "be visit", "rome"],
    ]
)


@pytest.fixture
def read(tmp_path):
    """Return a function that reads content as a file of a format: (extractions, rejects)."""

    def read_content(format_name, content):
        path = tmp_path / "output"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        rejects = Rejects()
        source = SystemSource("system", format_name, path)
        return list(read_extractions(source, rejects=rejects)), rejects

    return read_content


@pytest.fixture
def rewrite(tmp_path, read):
    """Return a function that reads content and writes it in the same format."""

    def rewrite_content(format_name, content):
        extractions, _ = read(format_name, content)
        out = tmp_path / "written"
        assert write_extractions(extractions, out, format=format_name) == len(extractions)
        return out.read_bytes().decode()

    return rewrite_content


# ----- what a source is


def test_a_source_is_named_on_the_command_line_and_prints_as_it_is_written():
    source = SystemSource.parse("OpenIE-4=tabbed:out/c:d=e.txt")
    assert source == SystemSource("OpenIE-4", "tabbed", Path("out/c:d=e.txt"))
    assert str(source) == "OpenIE-4=tabbed:out/c:d=e.txt"


def test_keys_of_a_file_stand_after_the_format():
    source = SystemSource.parse("own=json( subject = who,relation=does:so ):out/a(b):c.json")
    assert source.keys == (("relation", "does:so"), ("subject", "who"))
    assert (source.format, source.path) == ("json", Path("out/a(b):c.json"))
    assert str(source) == "own=json(relation=does:so,subject=who):out/a(b):c.json"
    assert SystemSource.parse(str(source)) == source
    with pytest.raises(ConfigurationError, match=r"tabbed has no keys to map; these have: json"):
        SystemSource.parse("own=tabbed(subject=who):a.tsv")
    with pytest.raises(ConfigurationError, match=r"mapping 'subject': expected FIELD=KEY"):
        SystemSource.parse("own=json(subject):a.json")


@pytest.mark.parametrize("text", ["", "ollie", "ollie=tabbed", "ollie=tabbed:", "tabbed:ollie.txt"])
def test_a_malformed_source_is_explained(text):
    with pytest.raises(ConfigurationError, match=r"expected NAME=FORMAT:PATH.*jsonl.*tabbed"):
        SystemSource.parse(text)


@pytest.mark.parametrize("name", ["", "a/b", "..", "a=b"])
def test_a_system_name_can_name_a_file(name):
    with pytest.raises(ConfigurationError, match="system name"):
        SystemSource(name, "tabbed", Path("x"))


def test_an_unknown_format_names_the_known_ones():
    with pytest.raises(
        ConfigurationError, match=r"unknown format 'csv'; known: .*cesi, .*facts, .*jsonl, "
    ):
        SystemSource.parse("ollie=csv:ollie.csv")


def test_every_format_says_what_it_is():
    assert {"jsonl", "reverb", "tabbed"} <= set(formats())
    for name, known in formats().items():
        assert name == known.NAME
        assert known.DESCRIPTION
        assert known.KIND in ("extractions", "facts")


# ----- lines and files


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_read_like_plain_ones(read, pack):
    extractions, _ = read("tabbed", pack(TABBED.encode()))
    assert [extraction.arg2 for extraction in extractions] == ["Rome"]


def test_only_line_feeds_end_lines(tmp_path):
    # Form feed, next line and line separator end lines for str.splitlines; so does a bare return.
    path = tmp_path / "lines"
    path.write_text("\ufeffa\x0cb\x85c\u2028d\re\r\nf\n\ng", encoding="utf-8", newline="")
    assert list(text_lines(path, rejects=Rejects())) == [
        (1, "a\x0cb\x85c\u2028d\re"),
        (2, "f"),
        (3, ""),
        (4, "g"),
    ]


def test_a_line_that_is_not_utf8_is_counted(read):
    extractions, rejects = read("tabbed", b"caf\xe9\t1\tis\ta\n" + TABBED.encode())
    assert [extraction.line for extraction in extractions] == [2]
    assert rejects.counts == {"invalid UTF-8": 1}
    assert rejects.examples["invalid UTF-8"].startswith("line 1: caf\ufffd")


def test_rejects_add_up_over_files(tmp_path):
    path = tmp_path / "output"
    path.write_text(TABBED + "x\n")
    rejects = Rejects()
    for _ in range(2):
        list(read_extractions(SystemSource("system", "tabbed", path), rejects=rejects))
    assert rejects.counts == {"fewer than 4 columns": 2}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "empty file"),
        (gzip.compress(b""), "empty file"),
        (gzip.compress(TABBED.encode() * 9000)[:-100], r"output:\d+: .*damaged or cut"),
        (gzip.compress(TABBED.encode())[:12] + b"damaged" * 9, "damaged or cut"),
        (bz2.compress(TABBED.encode())[:-9], "damaged or cut"),
        (lzma.compress(TABBED.encode())[:-9], "damaged or cut"),
        (TABBED.encode("utf-16-le"), "looks like UTF-16LE without its mark; convert it: iconv -f"),
        (TABBED.encode("utf-16")[:-1], "damaged or cut UTF-16"),
        (TABBED.encode("utf-32"), "UTF-32"),
        (b"PK\x03\x04rest", "a zip archive or a spreadsheet; .*tab-separated"),
        (b"PAR1rest", "a Parquet file: .*JSON Lines"),
        (
            "Caf\u00e9 opens .\t1\topens\tcaf\u00e9\n".encode("latin-1"),
            "Latin-1 or Windows-1252; con",
        ),
        (
            "\u041e\u043d \u043f\u0440\u0438\u0448\u0451\u043b".encode("cp1251"),
            "another script, such",
        ),
        (b"one\ntwo\t2\n", "nothing could be read: fewer than 4 columns, 'line 1: one'; expected"),
    ],
)
def test_a_useless_file_is_refused_in_one_line(read, content, problem):
    with pytest.raises(InputError, match=problem) as refusal:
        read("tabbed", content)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode("utf-16"),
        lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: gzip.compress(text.encode("utf-16")),
    ],
)
def test_text_is_read_in_any_of_these_encodings(read, encode):
    lines = [f"Zo\u00eb bakes {n} \u2028 .\t0.5\tbakes\tZo\u00eb\t{n}\n" for n in range(9_000)]
    extractions, rejects = read("tabbed", encode("".join(lines)))
    assert [extraction.arg2 for extraction in extractions] == [str(n) for n in range(9_000)]
    assert {extraction.arg1 for extraction in extractions} == {"Zo\u00eb"}
    assert rejects.total == 0


def test_a_line_with_a_nul_byte_is_counted(read):
    extractions, rejects = read("tabbed", f"{TABBED}S .\t1\tis\ta\0b\n".encode())
    assert (len(extractions), rejects.counts) == (1, {"a NUL byte": 1})


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    for path, problem in [(tmp_path / "none", "no such file"), (tmp_path, "a folder")]:
        with pytest.raises(InputError, match=problem):
            list(read_extractions(SystemSource("system", "tabbed", path), rejects=Rejects()))


# ----- tabbed


def test_a_tabbed_line_is_sentence_confidence_relation_arguments(read):
    content = "A sold B C .\t0.50\tsold\tA \tB\t C\tin D\n"
    assert read("tabbed", content)[0] == [
        Extraction(
            system="system",
            line=1,
            sentence="A sold B C .",
            arg1="A ",
            relation="sold",
            arg2="B",
            more_arguments=(" C", "in D"),
            confidence=0.5,
            extra={"confidence_text": "0.50"},
        )
    ]


def test_a_tabbed_line_may_lack_confidence_and_second_argument(read):
    [extraction], _ = read("tabbed", "It rains .\t\trains\tIt\n")
    assert (extraction.confidence, extraction.arg2) == (None, "")


def test_wrong_tabbed_lines_are_counted_by_reason(read):
    wrong = [
        ("blank line", ""),
        ("blank line", " \t\t\t "),
        ("fewer than 4 columns", "sentence\t1\trelation"),
        ("no sentence", " \t1\trelation\targument"),
        ("confidence is not a number", "sentence\t0,71\trelation\targument"),
        ("confidence is not a number", "sentence\tconfidence\trelation\targ1"),
    ]
    extractions, rejects = read("tabbed", TABBED + "".join(f"{line}\n" for _, line in wrong))
    assert len(extractions) == 1
    assert sum(rejects.counts.values()) == len(wrong)
    assert set(rejects.counts) == {reason for reason, _ in wrong}
    assert rejects.examples["fewer than 4 columns"] == "line 4: sentence\t1\trelation"


def test_a_confidence_is_a_finite_decimal_number():
    assert parse_confidence(" -184.33 ") == -184.33
    assert parse_confidence("1e-3") == 0.001
    assert parse_confidence(".5") == 0.5
    assert parse_confidence(" ") is None
    for text in ["nan", "inf", "1e999", "0,5", "1_0", "½", "٣", "0x1", "--1", "."]:
        with pytest.raises(ValueError, match="confidence is not a number"):
            parse_confidence(text)


# Cells in quotes lose these, and "na" says that there is no relation.
field = st.text(st.characters(codec="utf-8", exclude_characters='\t\n\r\0"'), max_size=8).filter(
    lambda text: not is_no_relation(text)
)
confidence_text = st.one_of(
    st.just(""), st.floats(allow_nan=False, allow_infinity=False).map(repr), st.just("0.50")
)


@given(
    rows=st.lists(
        st.tuples(
            field.filter(lambda text: text.strip() and not text.startswith("\ufeff")),
            confidence_text,
            field,
            field,
            st.lists(field, max_size=3).filter(lambda others: others != [""]),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_writing_what_was_read_gives_the_same_bytes(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("tabbed")
    content = "".join(
        "\t".join([sentence, confidence, relation, arg1, *others]) + "\n"
        for sentence, confidence, relation, arg1, others in rows
    )
    (folder / "read").write_bytes(content.encode())
    source = SystemSource("system", "tabbed", folder / "read")
    extractions = list(read_extractions(source, rejects=Rejects()))
    write_extractions(extractions, folder / "written", format="tabbed")
    assert (folder / "written").read_bytes().decode() == content


@pytest.mark.parametrize(
    "content",
    [
        TABBED.replace("0.71", "0.710"),
        TABBED.replace("0.71", ""),
        TABBED.replace("0.71", " 7.1E-1 "),
        "It rains .\t1\trains\tIt\n",
        "It rains .\t1\trains\tIt\t\tnow\t\n",
    ],
)
def test_tabbed_keeps_how_a_line_was_written(rewrite, content):
    assert rewrite("tabbed", content) == content


@pytest.mark.parametrize("field", ["a\tb", "a\nb", "b\r"])
def test_tabbed_refuses_what_it_could_not_read_back(tmp_path, field):
    extraction = Extraction("system", 7, SENTENCE, "a", "b", field)
    with pytest.raises(InputError, match=r"system:7: .*write jsonl"):
        write_extractions([extraction], tmp_path / "out", format="tabbed")
    assert list(tmp_path.iterdir()) == []


def test_tabbed_refuses_what_has_no_sentence_and_names_the_file_it_is_from(tmp_path):
    extraction = Extraction("system", 7, " ", "a", "b", "c", sentence_id="1")
    with pytest.raises(InputError, match=r"of\.txt:7: .*--sentences FILE"):
        write_extractions(
            [extraction], tmp_path / "out", format="tabbed", source=tmp_path / "of.txt"
        )
    assert list(tmp_path.iterdir()) == []


# ----- JSON Lines


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_jsonl_refuses_numbers_that_json_does_not_have(read, number):
    line = f'{{"sentence": "{SENTENCE}", "arg1": "a", "relation": "r", "why": [{number}]}}'
    fine = line.replace(number, "1")
    (extraction,), rejects = read("jsonl", f"{line}\n{fine}\n")
    assert (extraction.line, extraction.extra) == (2, {"why": [1]})
    assert rejects.counts == {"a number that JSON does not have": 1}


def test_a_json_line_keeps_every_further_key(read):
    record = {
        "sentence": SENTENCE,
        "arg1": "Barack Obama",
        "relation": "is visiting",
        "arg2": "Rome",
        "more_arguments": ["today"],
        "confidence": 1,
        "tense": {"name": "present"},
    }
    [extraction], _ = read("jsonl", json.dumps(record))
    assert extraction == Extraction(
        system="system",
        line=1,
        sentence=SENTENCE,
        arg1="Barack Obama",
        relation="is visiting",
        arg2="Rome",
        more_arguments=("today",),
        confidence=1.0,
        extra={"tense": {"name": "present"}},
    )


def test_wrong_json_lines_are_counted_by_reason(read):
    wrong = {
        "": "blank line",
        "{": "not JSON",
        "[" * 100_000: "not JSON",
        "[]": "not a JSON object",
        '{"sentence": "s", "arg1": "a"}': "no text under 'relation'",
        '{"sentence": "s", "arg1": null, "relation": "r"}': "no text under 'arg1'",
        '{"sentence": " ", "arg1": "a", "relation": "r"}': "no sentence",
        '{"sentence": "s", "arg1": "a", "relation": "r", "arg2": 2}': "'arg2' is not text",
        '{"sentence": "s", "arg1": "a", "relation": "r", "more_arguments": "x"}': (
            "'more_arguments' is not a list of texts"
        ),
        '{"sentence": "\\ud800", "arg1": "a", "relation": "r"}': "unpaired surrogate",
        '{"sentence": "s", "arg1": "a", "relation": "r", "confidence": NaN}': (
            "confidence is not a number"
        ),
    }
    good = '{"sentence": "\\ud83d\\ude00", "arg1": "a", "relation": "r", "arg2": null}'
    [extraction], rejects = read("jsonl", "\n".join([good, *wrong]) + "\n")
    assert (extraction.sentence, extraction.arg2) == ("😀", "")
    assert rejects.total == len(wrong)
    assert set(rejects.counts) == set(wrong.values())


@pytest.mark.parametrize("confidence", ['"0.5"', "true", "Infinity", "1" + "0" * 400])
def test_a_json_confidence_is_a_finite_number(read, confidence):
    good = '{"sentence": "s", "arg1": "a", "relation": "r"}'
    _, rejects = read("jsonl", f"{good}\n{good[:-1]}, " + f'"confidence": {confidence}' + "}")
    assert rejects.counts == {"confidence is not a number": 1}


@pytest.mark.parametrize(
    "record",
    [
        {"sentence": "Zoë left .", "arg1": "Zoë", "relation": "left"},
        {"sentence": "s\tt\nu", "arg1": "a", "relation": "", "arg2": "b", "confidence": -184.33},
        {"sentence": "s", "arg1": "a", "relation": "r", "more_arguments": ["", "c"], "id": [1]},
    ],
)
def test_writing_json_lines_gives_equal_objects(rewrite, record):
    assert json.loads(rewrite("jsonl", json.dumps(record))) == record


def test_tabbed_survives_json_lines(tmp_path, read):
    content = "A sold B C .\t0.50\tsold\tA \tB\t C\n"
    extractions, _ = read("tabbed", content)
    write_extractions(extractions, tmp_path / "as.jsonl", format="jsonl")
    again, _ = read("jsonl", (tmp_path / "as.jsonl").read_bytes())
    write_extractions(again, tmp_path / "as.txt", format="tabbed")
    assert (tmp_path / "as.txt").read_text() == content


# ----- ReVerb


def test_reverb_takes_the_sentence_from_column_13(read):
    assert read("reverb", REVERB)[0] == [
        Extraction(
            system="system",
            line=1,
            sentence=SENTENCE,
            arg1="Barack Obama",
            relation="is visiting",
            arg2="Rome",
            confidence=0.84,
            extra={"file": "news.txt", "sentence_number": "3"},
        )
    ]


def test_wrong_reverb_lines_are_counted_by_reason(read):
    columns = REVERB.split("\t")
    no_chunks = "\t".join(columns[:14] + columns[15:])  # Stanford's imitation: 17 columns
    wrong = [no_chunks, REVERB.replace("0.84", "?"), REVERB.replace(SENTENCE, ""), ""]
    _, rejects = read("reverb", "\n".join([REVERB, *wrong]) + "\n")
    assert rejects.counts == {
        "not 18 columns": 1,
        "confidence is not a number": 1,
        "no sentence": 1,
        "blank line": 1,
    }


# ----- cells in quotes


@pytest.mark.parametrize(
    ("format_name", "line"),
    [
        ("tabbed", '"the ""Kelp"", a ship"\t0.5\tcalls\tLena\t"the ""Kelp"", a ship"'),
        ("benchie", '7\tLena\tcalls\t"the ""Kelp"", a ship"'),
        ("stanford", '0.5\tLena\tcalls\t"the ""Kelp"", a ship"'),
        ("stanford-qasrl", '1.2.3\tLena\tcalls\t"the ""Kelp"", a ship"\t1.0\tS .'),
        ("props", '-2.5\tLena calls .\tcalls\tsubj\tLena\tdobj\t"the ""Kelp"", a ship"'),
        ("reverb", REVERB.replace("Rome\t0", '"the ""Kelp"", a ship"\t0')),
    ],
)
def test_cells_in_quotes_are_read_by_the_rules_of_csv_and_counted(read, format_name, line):
    [extraction], rejects = read(format_name, f"{line}\n")
    assert extraction.arg2 == 'the "Kelp", a ship'
    assert extraction.arg2 in next(csv.reader([line], delimiter="\t"))
    assert rejects.notes[UNQUOTED] == 1


def test_a_tab_in_quotes_is_no_column(read):
    [extraction], _ = read("benchie", '7\t"Lena\tMarsh"\tcalls\tKelp\n')
    assert (extraction.arg1, extraction.arg2) == ("Lena\tMarsh", "Kelp")


@pytest.mark.parametrize("slot", ['" Kelp "', '"Kelp" is "so"', '"', 'the "Kelp"', '"Kelp', "''"])
def test_quotes_that_are_words_stay(read, slot):
    [extraction], rejects = read("tabbed", f"S .\t1\tis\tLena\t{slot}\n")
    assert (extraction.arg2, rejects.notes) == (slot, {})


@pytest.mark.parametrize("slot", ['"Kelp"', '"a ""b"""', '""', '" Kelp "'])
def test_a_slot_that_looks_quoted_is_read_back_as_it_was(tmp_path, read, slot):
    extraction = Extraction("s", 1, "S .", "Lena", "is", slot)
    write_extractions([extraction], tmp_path / "out", format="tabbed")
    assert read("tabbed", (tmp_path / "out").read_bytes())[0][0].arg2 == slot


# ----- writing


def test_a_format_that_cannot_be_written_says_which_can(tmp_path):
    for name in ["reverb", "csv"]:
        with pytest.raises(ConfigurationError, match=r"jsonl, .*tabbed"):
            write_extractions([], tmp_path / "out", format=name)


def test_an_unwritable_place_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    for out in [tmp_path / "none" / "out", tmp_path / "file" / "out"]:
        with pytest.raises(InputError, match="cannot be written"):
            write_extractions([], out, format="jsonl")


def test_extractions_travel_between_processes(read):
    for format_name, content in [("tabbed", TABBED), ("reverb", REVERB)]:
        extractions, _ = read(format_name, content)
        assert pickle.loads(pickle.dumps(extractions)) == extractions


# ----- facts without sentences


@pytest.fixture
def read_given(tmp_path):
    """Return a function that reads content as a file of facts: (facts, rejects)."""

    def read_content(content):
        path = tmp_path / "facts.tsv"
        path.write_text(content)
        rejects = Rejects()
        return list(read_facts(SystemSource("system", "facts", path), rejects=rejects)), rejects

    return read_content


def test_facts_come_with_or_without_names(read_given):
    facts, _ = read_given("e1\tr\te2\n/m/1\tis visiting\t/m/2\n")
    assert facts == [GivenFact("system", 2, "/m/1", "is visiting", "/m/2")]
    facts, _ = read_given("e1\tr\te2\tname1\tname2\n/m/1\tvisits\t/m/2\tObama\tRome\n")
    assert facts == [GivenFact("system", 2, "/m/1", "visits", "/m/2", "Obama", "Rome")]


def test_columns_are_found_by_their_header(read_given):
    facts, _ = read_given("id\tname2\te2\tr\te1\n17\tRome\t/m/2\tvisits\t/m/1\n")
    assert facts == [GivenFact("system", 2, "/m/1", "visits", "/m/2", name2="Rome")]


def test_lines_that_are_no_facts_are_counted(read_given):
    facts, rejects = read_given("e1\tr\te2\n\n/m/1\tvisits\n/m/1\tvisits\t/m/2\n")
    assert len(facts) == 1
    assert rejects.counts == {"blank line": 1, "not as many columns as the header": 1}


@pytest.mark.parametrize("header", ["/m/1\tvisits\t/m/2", "e1\te2", "e1\tr\te2\te2"])
def test_facts_without_a_header_are_refused(read_given, header):
    with pytest.raises(InputError, match="no header with the columns e1, r, e2"):
        read_given(f"{header}\n/m/1\tvisits\t/m/2\n")


def test_a_format_is_read_as_what_it_gives(tmp_path):
    with pytest.raises(ConfigurationError, match="format facts gives facts, not extractions"):
        list(read_extractions(SystemSource("a", "facts", tmp_path / "f"), rejects=Rejects()))
    with pytest.raises(ConfigurationError, match="format tabbed gives extractions, not facts"):
        list(read_facts(SystemSource("a", "tabbed", tmp_path / "f"), rejects=Rejects()))


def cesi_row(triple, subject, object_):
    link = {"subject": subject, "object": object_}
    return json.dumps({"triple": triple, "true_link": link, "src_sentences": [" ".join(triple)]})


@pytest.fixture
def archives(tmp_path):
    """A folder of two archives, as CESI distributes them."""
    folder = tmp_path / "cesi"
    folder.mkdir()
    visit, unlinked = ["Obama", "visit", "Rome"], ["Obama", "visit", "the place"]
    members = {
        ("base", "base_test"): [cesi_row(visit, "/m/1", "/m/2"), "{}"],
        ("base", "base_valid"): [cesi_row(unlinked, "/m/1", "NULL"), "[1]"],
        ("ambiguous", "test"): [cesi_row(visit, "/m/1", "/m/2"), cesi_row(visit, "/m/3", "/m/2")],
    }
    for archive in ("base", "ambiguous"):
        with zipfile.ZipFile(folder / f"{archive}.zip", "w") as zipped:
            zipped.mkdir(archive)
            for (name, member), lines in members.items():
                if name == archive:
                    zipped.writestr(f"{archive}/{member}", "\n".join(lines) + "\n\n")
    return folder


def test_cesi_is_read_across_its_archives_each_triple_once(archives):
    rejects = Rejects()
    source = SystemSource("ReVerb", "cesi", archives)
    source.check()
    facts = list(read_facts(source, rejects=rejects))
    assert [(f.e1, f.name1, f.relation, f.name2, f.e2) for f in facts] == [
        ("/m/1", "Obama", "visit", "Rome", "/m/2"),
        ("/m/3", "Obama", "visit", "Rome", "/m/2"),
        ("/m/1", "Obama", "visit", "the place", ""),
    ]
    assert rejects.counts == {
        "repeated triple": 1,
        "'triple' is not three texts": 1,
        "not a JSON object": 1,
    }


def test_one_archive_of_cesi_can_be_read_by_itself(archives):
    source = SystemSource("ReVerb", "cesi", archives / "ambiguous.zip")
    assert len(list(read_facts(source, rejects=Rejects()))) == 2


def test_a_damaged_archive_is_refused(archives):
    whole = (archives / "base.zip").read_bytes()
    (archives / "base.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"base\.zip: cannot be read as a zip archive"):
        list(read_facts(SystemSource("ReVerb", "cesi", archives), rejects=Rejects()))


def test_a_folder_without_archives_is_refused(tmp_path):
    with pytest.raises(InputError, match="no zip archive"):
        list(read_facts(SystemSource("ReVerb", "cesi", tmp_path), rejects=Rejects()))


def test_only_a_format_of_folders_takes_a_folder(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        SystemSource("a", "cesi", tmp_path / "none").check()
    with pytest.raises(InputError, match="not a file"):
        SystemSource("a", "tabbed", tmp_path).check()
