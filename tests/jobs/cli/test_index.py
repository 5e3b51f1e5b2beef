"""``distval index``: building, adding, checking, and counting a file of facts from end to end."""

import gzip
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from indexes.collections import FORMATS
from tests.jobs.commands import command, refused, told

pytestmark = pytest.mark.jvm

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "docs" / "text.md"

TEXTS = {
    "1": "Ada Lovelace visited London.",
    "2": "In London, Ada Lovelace was visited by Charles Babbage.",
    "3": "London is in England. Ada Lovelace wrote notes about Mr Babbage's engine.",
    "4": "London " + "and so on " * 5 + "Ada Lovelace",
    "5": "Lady Lovelace visited London.",
}
HEADER = "e1\tr\te2\tpair\tclassic\tproximity\ttopic\tanchored\n"
FACT = "Ada Lovelace\tvisits\tLondon"
# Documents 1 to 4; 1 and 2; 1, and 2 with three words between "London" and "visited"; and 1, which
# opens with her name.
COUNTED = f"{FACT}\t4\t2\t2\t1\t1\n"


def json_lines(file: Path, texts: dict[str, str]) -> Path:
    records = ({"id": id_, "text": text} for id_, text in texts.items())
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return file


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the texts, ``index``, and a knowledge base, ``kb``, that knows two names."""
    folder = tmp_path_factory.mktemp("evidence")
    documents = json_lines(folder / "docs.jsonl", TEXTS)
    built = told("index", "build", documents, "--format", "jsonl", "--out", folder / "index")
    assert built["documents"] == len(TEXTS)
    namespace = "http://rdf.freebase.com/ns"
    birth = "people.person.place_of_birth"
    (folder / "kb.nt").write_text(
        f'<{namespace}/m.0ada> <{namespace}/type.object.name> "Ada Lovelace"@en .\n'
        f'<{namespace}/m.0ada> <{namespace}/common.topic.alias> "Lady Lovelace"@en .\n'
        f"<{namespace}/m.0ada> <{namespace}/{birth}> <{namespace}/m.0london> .\n"
    )
    told("kb", "build", folder / "kb.nt", "--out", folder / "kb")
    return folder


@pytest.fixture
def index(place: Path) -> Path:
    return place / "index"


def write(file: Path, content: str | bytes) -> Path:
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def sheet(folder: Path, rows: Sequence[str], *, extra: str = "") -> Path:
    """Write a file of facts."""
    return write(folder / "facts.tsv", "\n".join([f"e1\tr\te2{extra}", *rows, ""]))


# Counting


def test_rows_and_columns_keep_their_order_and_counts_are_added(
    index: Path, tmp_path: Path
) -> None:
    facts = write(
        tmp_path / "facts.tsv",
        "note\te2\tr\te1\nb\\n\tLondon\tvisits\tAda Lovelace\n\tEngland\tvisits\tNobody\n"
        '"a"\tLondon\tvisits\tAda Lovelace\n',
    )
    done = command("index", "count", facts, "--index", index)
    assert done.out == (
        "note\te2\tr\te1\tpair\tclassic\tproximity\ttopic\tanchored\n"
        "b\\n\tLondon\tvisits\tAda Lovelace\t4\t2\t2\t1\t1\n"
        "\tEngland\tvisits\tNobody\t0\t0\t0\t0\t0\n"
        '"a"\tLondon\tvisits\tAda Lovelace\t4\t2\t2\t1\t1\n'
    )


def test_what_has_no_words_has_no_counts(index: Path, tmp_path: Path) -> None:
    facts = sheet(tmp_path, ["!!!\tvisits\tLondon", "Ada Lovelace\tbe in\tLondon", "\t\t"])
    assert command("index", "count", facts, "--index", index).out == (
        HEADER
        + "!!!\tvisits\tLondon\t\t\t\t\t\nAda Lovelace\tbe in\tLondon\t4\t\t\t1\t\n\t\t\t\t\t\t\t\n"
    )
    rows = json.loads(command("index", "count", facts, "--index", index, "--json").out)
    assert [(row["pair"], row["classic"], row["proximity"]) for row in rows] == [
        (None, None, None),
        (4, None, None),
        (None, None, None),
    ]


@pytest.mark.parametrize(
    ("options", "pair", "classic", "proximity"),
    [
        ("--x 2", 4, 2, 1),  # document 2 has three words between "London" and "visited"
        ("--x 3", 4, 2, 2),
        ("--ordered", 4, 2, 1),  # and London comes first in it
        ("--denominator near", 3, 2, 2),  # 15 words in document 4, where 4 + 1 + 4 are near
    ],
)
@pytest.mark.parametrize("engine", ["direct", "bulk"])
def test_options_change_the_counts_and_engines_do_not(
    index: Path,
    tmp_path: Path,
    engine: str,
    options: str,
    pair: int,
    classic: int,
    proximity: int,
) -> None:
    asked = ("index", "count", sheet(tmp_path, [FACT]), "--index", index)
    done = command(*asked, *options.split(), "--engine", engine, "--memory", "1MB")
    assert done.out == f"{HEADER}{FACT}\t{pair}\t{classic}\t{proximity}\t1\t1\n", done.err


def test_a_negation_counts_its_pair_only(index: Path, tmp_path: Path) -> None:
    facts = sheet(tmp_path, ["Ada Lovelace\tnever visited\tLondon"])
    assert command("index", "count", facts, "--index", index).out == (
        HEADER + "Ada Lovelace\tnever visited\tLondon\t4\t\t\t1\t\n"
    )


def test_a_knowledge_base_gives_entities_all_their_names(place: Path, tmp_path: Path) -> None:
    facts = sheet(tmp_path, [FACT, "m.0ada\tvisits\tLondon"])
    asked = ("index", "count", facts, "--index", place / "index")
    # Without one, an identifier is a name like any other.
    assert command(*asked).out == COUNTED.join([HEADER, "m.0ada\tvisits\tLondon\t0\t0\t0\t0\t0\n"])
    # Document 5 calls her Lady Lovelace.
    assert command(*asked, "--kb", place / "kb").out == (
        HEADER + f"{FACT}\t5\t3\t3\t2\t2\nm.0ada\tvisits\tLondon\t5\t3\t3\t2\t2\n"
    )


def test_parquet_in_and_tab_separated_out(index: Path, tmp_path: Path) -> None:
    columns = {
        "id": pa.array([7, 8], pa.int32()),
        "e1": pa.array(["Ada\tLovelace", None]).dictionary_encode(),
        "r": pa.array(["visits", "visits"], pa.large_string()),
        "e2": ["London", "London"],
        "score": [0.25, None],
    }
    pq.write_table(pa.table(columns), tmp_path / "facts.parquet")
    done = command("index", "count", tmp_path / "facts.parquet", "--index", index)
    assert done.out == (
        "id\te1\tr\te2\tscore\tpair\tclassic\tproximity\ttopic\tanchored\n"
        "7\tAda Lovelace\tvisits\tLondon\t0.25\t4\t2\t2\t1\t1\n"
        "8\t\tvisits\tLondon\t\t\t\t\t\t\n"
    )


def test_parquet_out_keeps_the_types_of_all_columns(index: Path, tmp_path: Path) -> None:
    table = pa.table(
        {
            "e1": ["Ada Lovelace", "!!!"],
            "r": ["visits", "visits"],
            "e2": ["London", "London"],
            "at": pa.array([1, None], pa.timestamp("ns")),
            "none": pa.nulls(2),
            "names": [["a\\", "b"], []],
        }
    )
    pq.write_table(table, tmp_path / "facts.parquet")
    out = tmp_path / "counted.parquet"
    done = told("index", "count", tmp_path / "facts.parquet", "--index", index, "--out", out)
    assert done == {"facts": 2, "out": str(out)}
    written = pq.read_table(out)
    assert written.select(table.column_names).equals(table)
    assert written.select(["pair", "classic", "proximity"]).to_pylist() == [
        {"pair": 4, "classic": 2, "proximity": 2},
        {"pair": None, "classic": None, "proximity": None},
    ]


def test_json_has_a_record_for_each_fact(index: Path, tmp_path: Path) -> None:
    columns = {"e1": ["Ada Lovelace"], "r": ["visits"], "e2": ["London"], "raw": [b"x"]}
    table = pa.table(columns | {"score": [float("nan")]})
    pq.write_table(table, tmp_path / "facts.parquet")
    done = command("index", "count", tmp_path / "facts.parquet", "--index", index, "--json")
    assert json.loads(done.out, parse_constant=pytest.fail) == [
        {"e1": "Ada Lovelace", "r": "visits", "e2": "London", "raw": "b'x'", "score": None}
        | {"pair": 4, "classic": 2, "proximity": 2, "topic": 1, "anchored": 1}
    ]


@pytest.mark.parametrize(
    "content",
    [
        "e1\tr\te2\r\n" + FACT + "\r\n\r\n",
        "\ufeffe1\tr\te2\n" + FACT,
        "e1\tr\te2\n" + FACT.replace(" ", "\r") + "\n",
    ],
    ids=["CRLF", "BOM and no line end", "stray carriage return"],
)
def test_line_ends_and_marks_of_other_systems(index: Path, tmp_path: Path, content: str) -> None:
    facts = write(tmp_path / "facts.tsv", content)
    out = tmp_path / "counted.tsv"
    assert command("index", "count", facts, "--index", index, "--out", out).code == 0
    assert out.read_bytes().decode() == HEADER + COUNTED


def test_no_facts_give_a_header(index: Path, tmp_path: Path) -> None:
    assert command("index", "count", sheet(tmp_path, []), "--index", index).out == HEADER
    pq.write_table(pa.table({"e1": [""], "r": [""], "e2": [""]})[:0], tmp_path / "none.parquet")
    asked = ("index", "count", tmp_path / "none.parquet", "--index", index)
    assert command(*asked).out == HEADER
    assert json.loads(command(*asked, "--json").out) == []


# What cannot be counted


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "facts: empty; expected a header with the columns e1, r, e2"),
        (b"e1\tr\nA\tis\n", "facts:1: expected a header with the columns e1, r, e2"),
        (b"A\tvisits\tB\n", "facts:1: expected a header with the columns e1, r, e2"),
        (b"e1\tr\te2\nA\tis\tB\n\nA\tis\n", "facts:4: expected 3 columns, found 2"),
        (b"e1\tr\te2\nA\tis\tB\tC\n", "facts:2: expected 3 columns, found 4"),
        (b"e1\tr\te2\nA\tis\t\xff\n", "facts:2: not UTF-8 text; save it as such"),
        ("e1\tr\te2\n".encode("utf-16"), "facts:1: not UTF-8 text; save it as such"),
        (b"e1\tr\te2\tpair\n", "facts:1: has a column pair already; leave it out"),
        (b"e1\tr\te2\te1\n", "facts:1: has several columns e1; name each once"),
        (b"PAR1 and no more", "facts: cannot read facts: damaged Parquet ("),
    ],
)
def test_facts_that_cannot_be_read(index: Path, tmp_path: Path, content: bytes, line: str) -> None:
    facts = write(tmp_path / "facts", content)
    out = tmp_path / "out.tsv"
    assert line in refused("index", "count", facts, "--index", index, "--out", out)
    assert list(tmp_path.iterdir()) == [facts]


def test_what_is_no_file_of_facts_is_refused_before_an_index_is_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "facts")
    line = refused("index", "count", tmp_path / "facts", "--index", tmp_path / "none")
    assert f"{tmp_path / 'facts'}: cannot read facts: a device or a pipe" in line


def test_parquet_that_cannot_be_counted(index: Path, tmp_path: Path) -> None:
    facts = tmp_path / "facts.parquet"
    names = {"e1": ["A"], "r": ["visits"], "e2": ["B"]}
    for change, expected in (
        ({"e2": [1]}, "column e2 holds int64; expected strings"),
        ({"pair": [1]}, "has a column pair already; leave it out"),
    ):
        pq.write_table(pa.table(names | change), facts)
        assert f"{facts}: {expected}" in refused("index", "count", facts, "--index", index)
    pq.write_table(pa.table({"e1": ["A"]}), facts)
    assert "expected the columns e1, r, e2" in refused("index", "count", facts, "--index", index)

    pq.write_table(pa.table({name: [f"{n:06}" for n in range(9999)] for name in names}), facts)
    content = bytearray(facts.read_bytes())
    content[1000:1100] = bytes(100)
    facts.write_bytes(content)
    assert "damaged Parquet (" in refused("index", "count", facts, "--index", index)


def test_parquet_strings_that_are_not_utf8(index: Path, tmp_path: Path) -> None:
    facts = tmp_path / "facts.parquet"
    bad = pa.array([b"\xff"]).view(pa.string())
    pq.write_table(pa.table({"e1": ["A"], "r": ["visits"], "e2": bad}), facts)
    assert "damaged Parquet (" in refused("index", "count", facts, "--index", index)


def test_places_that_are_none(place: Path, tmp_path: Path) -> None:
    facts = sheet(tmp_path, [FACT])
    asked = ("index", "count", facts, "--index")
    assert f"{tmp_path}: no text index (no manifest.json)" in refused(*asked, tmp_path)
    assert "is not of a text index: build one there with" in refused(*asked, place / "kb")
    assert "no such folder" in refused(*asked, tmp_path / "none")
    index = place / "index"
    assert f"{index}" in refused(*asked, index, "--kb", index)
    missing = tmp_path / "none.tsv"
    asked = ("index", "count", missing, "--index", index)
    assert f"{missing}: cannot read facts: No such file or directory" in refused(*asked)
    asked = ("index", "count", tmp_path, "--index", index)
    assert f"{tmp_path}: a folder without .parquet files" in refused(*asked)


@pytest.mark.parametrize("name", ["none/out.tsv", "none/out.parquet", "facts.tsv/out.tsv", "."])
def test_output_that_cannot_be_written(index: Path, tmp_path: Path, name: str) -> None:
    facts, out = sheet(tmp_path, [FACT]), tmp_path / name
    line = refused("index", "count", facts, "--index", index, "--out", out)
    assert f"{out}: cannot be written" in line
    assert list(tmp_path.iterdir()) == [facts]


@pytest.mark.parametrize(
    ("option", "value", "line"),
    [
        ("--memory", "lots", "memory 'lots': expected a size such as 2GB"),
        ("--engine", "fast", 'engine "fast": expected auto, direct or bulk'),
        ("--denominator", "or", "denominator"),
    ],
)
def test_options_that_are_none(
    index: Path, tmp_path: Path, option: str, value: str, line: str
) -> None:
    assert line in refused(
        "index", "count", sheet(tmp_path, [FACT]), "--index", index, option, value
    )


# Building


def test_collections_of_several_formats_become_one_index(tmp_path: Path) -> None:
    folder = tmp_path / "collections"
    folder.mkdir()
    files = [
        json_lines(folder / "one", {"1": "Ada visited London."}),
        write(folder / "two", '<doc id="2" title="T">\nAda visited London.\n</doc>\n'),
        write(folder / "three", "<DOC><DOCNO>3</DOCNO><TEXT>Ada visited Rome.</TEXT></DOC>\n"),
    ]
    out = tmp_path / "index"
    manifest = told("index", "build", *files, "--format", "auto", "--out", out)
    assert manifest["documents"] == 3
    assert [(source["collection"], source["format"]) for source in manifest["sources"]] == [
        ("one", "jsonl"),
        ("two", "wikiextractor"),
        ("three", "trectext"),
    ]
    counted = command(
        "index", "count", sheet(tmp_path, ["Ada\tvisits\tLondon", "Ada\tvisits\tRome"]),
        "--index", out,
    )  # fmt: skip
    # The second is about T, which its title says; the others about Ada, whom they open with.
    assert counted.out == (
        HEADER + "Ada\tvisits\tLondon\t2\t2\t2\t1\t1\nAda\tvisits\tRome\t1\t1\t1\t1\t1\n"
    )


def test_records_lost_to_damage_are_said_and_the_exit_code_is_one(tmp_path: Path) -> None:
    lines = [json.dumps({"id": str(n), "text": f"Rome {n}"}) + "\n" for n in range(3)]
    pieces = [gzip.compress(line.encode()) for line in lines]
    sound, damaged = tmp_path / "sound.jsonl.gz", tmp_path / "damaged.jsonl.gz"
    sound.write_bytes(b"".join(pieces))
    damaged.write_bytes(pieces[0] + b"\x1f\x8b\x07" + pieces[1][3:] + pieces[2])
    index = tmp_path / "index"
    done = command("index", "build", damaged, "--out", index, "--json")
    assert done.code == 1
    assert json.loads(done.out)["documents"] == 2
    assert "records were lost to damage (1 damaged part of a file)" in done.err
    # What is added is sound: what was lost before is not lost again.
    added = told("index", "add", sound, "--index", index)
    assert added["documents"] == 3


def test_select_takes_a_part_of_a_folder(tmp_path: Path) -> None:
    for name in ("AA", "AB"):
        (tmp_path / "in" / name).mkdir(parents=True)
        json_lines(tmp_path / "in" / name / "wiki_00", {name: "Ada visited London."})
    asked = ("index", "build", tmp_path / "in", "--out", tmp_path / "index", "--select")
    manifest = told(*asked, "AB/*")
    assert (manifest["documents"], manifest["sources"][0]["select"]) == (1, ["AB/*"])
    shown = command("index", "info", tmp_path / "index").out
    assert "from in jsonl --select AB/*" in shown
    assert "no file matches 'AC/*'; there is, for example, 'AA/wiki_00'" in refused(*asked, "AC/*")


def test_adding_leaves_what_is_there_and_check_tells_damage(tmp_path: Path) -> None:
    index = tmp_path / "index"
    told("index", "build", json_lines(tmp_path / "one.jsonl", TEXTS), "--out", index)
    more = json_lines(tmp_path / "more.jsonl", {"5": "Another.", "6": TEXTS["1"]})
    more.write_text(more.read_text() + "{broken\n")
    added = told("index", "add", more, "--index", index)
    assert (added["documents"], len(added["shards"])) == (6, 2)
    assert added["rejects"] == {"broken JSON": 1, "duplicate id": 1}
    assert told("index", "info", index) == added
    counted = command("index", "count", sheet(tmp_path, [FACT]), "--index", index)
    assert counted.out == f"{HEADER}{FACT}\t5\t3\t3\t2\t2\n"
    shown = command("index", "info", index)
    assert "skipped records: 1 × broken JSON, 1 × duplicate id" in shown.err
    assert "shard-00001" in shown.out

    sound = command("index", "check", index, "--full")
    assert (sound.code, sound.out) == (0, f"{index}: sound\n")
    (index / "shard-00001" / "documents.npy").write_bytes(b"nothing")
    done = command("index", "check", index, "--json")
    assert done.code == 1
    verdict = json.loads(done.out)
    assert verdict["sound"] is False
    assert "documents.npy" in verdict["faults"][0]


def test_collections_that_cannot_be_built(tmp_path: Path) -> None:
    documents = json_lines(tmp_path / "docs.jsonl", TEXTS)
    out = ("--out", tmp_path / "index")
    assert "of a collection; known: auto, wikiextractor, jsonl," in refused(
        "index", "build", documents, "--format", "html", *out
    )
    assert "the format cannot be told from 'notes'" in refused(
        "index", "build", write(tmp_path / "notes", "Ada visited London."), *out
    )
    assert "no such file or folder" in refused("index", "build", tmp_path / "none", *out)
    assert "--workers is for a build without --spark" in refused(
        "index", "build", documents, *out, "--spark", "local[1]", "--workers", 2
    )
    assert "no such folder; expected a text index" in refused(
        "index", "add", documents, "--index", tmp_path / "index"
    )
    assert not (tmp_path / "index").exists()


# What the guide says


def guide_table(section: str) -> list[list[str]]:
    """Return the rows of the table in a section of the guide."""
    text = GUIDE.read_text(encoding="utf-8").partition(f"\n## {section}\n")[2].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows if set(row[0]) != {"-"}]


def test_the_guide_names_all_formats() -> None:
    _, *rows = guide_table("Collections")
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row[0])) == sorted(
        FORMATS
    )


def test_the_guide_shows_counts_as_they_are(tmp_path: Path) -> None:
    index = tmp_path / "index"
    sample = ROOT / "conf" / "sample"
    told("index", "build", sample / "background.jsonl", "--out", index)
    header, *rows = guide_table("Counting")
    assert len(rows) == 4
    facts = sheet(tmp_path, ["\t".join(row[:4]) for row in rows], extra="\tsource")
    done = command("index", "count", facts, "--index", index)
    assert [line.split("\t") for line in done.out.splitlines()] == [header, *rows]

    told("kb", "build", sample / "kb.nt", "--out", tmp_path / "kb")
    done = command("index", "count", facts, "--index", index, "--kb", tmp_path / "kb")
    _, first, second, *_ = (line.split("\t")[4:] for line in done.out.splitlines())
    assert first == second == rows[0][4:]
