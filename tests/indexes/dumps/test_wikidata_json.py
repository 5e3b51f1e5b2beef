"""Wikidata's JSON dump: what of an entity is evidence, and what a damaged file still gives."""

import bz2
import gzip
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
import zstandard

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.dumps import wikidata_json
from indexes.streams import splits


def read(path: Path, language: str = "en", byte_range=None) -> tuple[list[tuple], Rejects, Rejects]:
    rejects, left_out = Rejects(), Rejects()
    batches = wikidata_json.read(
        path, language=language, rejects=rejects, left_out=left_out, byte_range=byte_range
    )
    rows = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    return rows, rejects, left_out


@pytest.fixture
def written(tmp_path):
    """Write records as an array, an entity on each line, as the dump is."""

    def write(*records: dict, name: str = "dump.json") -> Path:
        path = tmp_path / name
        path.write_text(array(records), encoding="utf-8")
        return path

    return write


def array(records: Iterable[dict]) -> str:
    return (
        "[\n" + ",\n".join(json.dumps(record, ensure_ascii=False) for record in records) + "\n]\n"
    )


def item(identifier: str = "Q42", **parts) -> dict:
    empty = {"labels": {}, "descriptions": {}, "aliases": {}, "claims": {}, "sitelinks": {}}
    return {"type": "item", "id": identifier, **empty, **parts}


def texts(**by_language: str) -> dict:
    return {
        (tag := name.replace("_", "-")): {"language": tag, "value": text}
        for name, text in by_language.items()
    }


def statement(target: str, rank: str = "normal") -> dict:
    value = {"entity-type": "item", "numeric-id": int(target[1:]), "id": target}
    return valued(value, "wikibase-entityid", rank)


def valued(value: object, kind: str, rank: str = "normal") -> dict:
    snak = {"snaktype": "value", "datavalue": {"value": value, "type": kind}}
    return {"mainsnak": snak, "type": "statement", "rank": rank}


def empty(snaktype: str, rank: str = "normal") -> dict:
    return {"mainsnak": {"snaktype": snaktype}, "type": "statement", "rank": rank}


# --- What an item says -----------------------------------------------------------------------


def test_a_person_in_full(written):
    adams = item(
        labels=texts(en="Douglas  Adams", en_gb="Douglas Adams", de="D. Adams", fr="D. Adams"),
        descriptions=texts(en="English writer", de="Autor"),
        aliases={
            "en": [{"language": "en", "value": "DNA"}],
            "en-ca": [{"language": "en-ca", "value": "Bop Ad"}],
            "de": [{"language": "de", "value": "DNA"}],
        },
        claims={
            "P31": [statement("Q5")],
            "P19": [statement("Q350")],
            "P646": [valued("/m/0282x", "string")],
            "P569": [valued({"time": "+1952-03-11T00:00:00Z"}, "time")],
        },
        sitelinks={
            "enwiki": {"site": "enwiki", "title": "Douglas Adams"},
            "dewiki": {"site": "dewiki", "title": "Douglas Adams"},
            "enwikiquote": {"site": "enwikiquote", "title": "Douglas Adams"},
        },
    )
    rows, rejects, left_out = read(written(adams))
    assert sorted(rows) == [
        ("alias", "Q42", "", "Bop Ad"),
        ("alias", "Q42", "", "DNA"),
        ("fact", "Q42", "P19", "Q350"),
        ("fact", "Q42", "P31", "Q5"),
        ("label", "Q42", "", "Douglas Adams"),
        ("named", "Q42", "", ""),
        ("same", "Q42", "", "/m/0282x"),
        ("same", "Q42", "", "en:Douglas_Adams"),
        ("sitelinks", "Q42", "", "3"),
        ("type", "Q42", "", "Q5"),
        ("variant", "Q42", "", "Douglas Adams"),
    ]
    assert rejects.total == 0
    # of two labels in other languages one is the row "named"; one German alias
    assert left_out.counts == {"literal value": 1, "other language": 2, "description": 2}


def test_another_language_has_other_names_and_its_own_wikipedia(written):
    record = item(
        labels=texts(de="München", en="Munich", de_at="München"),
        sitelinks={"enwiki": {"title": "Munich"}, "dewiki": {"title": "München (Stadt)"}},
    )
    rows, _, _ = read(written(record), language="de")
    assert sorted(rows) == [
        ("label", "Q42", "", "München"),
        ("named", "Q42", "", ""),
        ("same", "Q42", "", "de:München_(Stadt)"),
        ("sitelinks", "Q42", "", "2"),
        ("variant", "Q42", "", "München"),
    ]


def test_statements_of_the_best_rank_count(written):
    claims = {
        "P36": [
            statement("Q1", "normal"),
            statement("Q2", "preferred"),
            statement("Q3", "preferred"),
        ],
        "P17": [statement("Q4", "deprecated"), statement("Q5", "normal")],
        "P30": [statement("Q6", "deprecated")],
    }
    rows, _, left_out = read(written(item(claims=claims)))
    assert [(relation, target) for _, _, relation, target in rows] == [
        ("P36", "Q2"), ("P36", "Q3"), ("P17", "Q5"),
    ]  # fmt: skip
    assert left_out.counts == {"not best rank": 1, "deprecated rank": 2}
    assert left_out.examples["deprecated rank"] == "Q42"


def test_no_value_and_unknown_value_are_no_facts(written):
    # wptools#98: P576 with snaktype novalue has no datavalue
    claims = {
        "P576": [empty("novalue")],
        "P22": [empty("somevalue")],
        # what is preferred is best, even where it says that there is none
        "P26": [empty("novalue", "preferred"), statement("Q7")],
    }
    rows, rejects, left_out = read(written(item(claims=claims), item("Q1", claims=claims)))
    assert rows == []
    assert rejects.total == 0
    assert left_out.counts == {"no value": 4, "unknown value": 2, "not best rank": 2}


def test_old_dumps_give_the_number_of_an_entity_only(written):
    old = valued({"entity-type": "item", "numeric-id": 585}, "wikibase-entityid")
    rows, rejects, _ = read(written(item(claims={"P19": [old]})))
    assert rows == [("fact", "Q42", "P19", "Q585")]
    assert rejects.total == 0


def test_values_that_are_no_items_make_no_facts(written):
    claims = {
        "P1659": [valued({"entity-type": "property", "numeric-id": 19, "id": "P19"}, "")],
        "P5137": [valued({"entity-type": "lexeme", "numeric-id": 7, "id": "L7"}, "")],
        "P5831": [valued({"entity-type": "form", "id": "L7-F2"}, "")],
        "P1476": [valued({"text": "Title", "language": "en"}, "monolingualtext")],
        "P646": [valued("not an id", "string")],
    }
    rows, rejects, left_out = read(written(item(claims=claims)))
    assert rows == []
    assert rejects.total == 0
    assert left_out.counts == {"schema": 1, "lexeme": 2, "literal value": 2}


def test_empty_arrays_stand_for_empty_objects(written):
    nothing = item(labels=[], descriptions=[], aliases=[], claims=[], sitelinks=[])
    bare = {"id": "Q2", "type": "item"}
    rows, rejects, left_out = read(written(nothing, bare))
    assert (rows, rejects.total, left_out.total) == ([], 0, 0)


def test_names_are_in_normal_form_and_empty_ones_are_left_out(written):
    record = item(labels=texts(en="Cafe\u0301  Noir\n"), aliases={"en": [{"value": " \t"}]})
    rows, _, left_out = read(written(record))
    assert rows == [("label", "Q42", "", "Café Noir")]
    assert left_out.counts == {"empty name": 1}


# --- Other records ---------------------------------------------------------------------------


def test_properties_have_names_and_inverses(written):
    inverse = valued({"entity-type": "property", "numeric-id": 40, "id": "P40"}, "")
    father = {
        "type": "property",
        "id": "P22",
        "labels": texts(en="father", de="Vater"),
        "aliases": {"en": [{"language": "en", "value": "dad"}]},
        "claims": {
            "P1696": [inverse],
            "P31": [statement("Q18608871")],
            "P1793": [valued("Q[0-9]+", "string")],
        },
    }
    rows, _, left_out = read(written(father))
    assert rows == [
        ("label", "P22", "", "father"),
        ("alias", "P22", "", "dad"),
        ("inverse", "P22", "", "P40"),
    ]
    assert left_out.counts == {"other language": 1, "schema": 1, "literal value": 1}


def test_redirects_are_read_where_a_dump_has_them(written):
    rows, _, _ = read(written(item("Q2"), {"entity": "Q16231742", "redirect": "Q2"}))
    assert rows == [("redirect", "Q16231742", "", "Q2")]


def test_lexemes_and_other_entities_are_left_out(written):
    lexeme = {"type": "lexeme", "id": "L1", "lemmas": {}, "claims": {}}
    media = {"type": "mediainfo", "id": "M7", "labels": texts(en="A photo"), "statements": []}
    rows, rejects, left_out = read(written(lexeme, media))
    assert (rows, rejects.total) == ([], 0)
    assert left_out.counts == {"lexeme": 1, "no item or property": 1}


@pytest.mark.parametrize(
    "record",
    [
        [],
        [1],
        7,
        None,
        {},
        {"id": "Q1"},
        {"id": 1, "type": "item"},
        {"id": "Douglas", "labels": {}},
        {"id": "Q1", "labels": {"en": "simplified"}},
        {"id": "Q1", "labels": {}, "claims": [1]},
        {"id": "Q1", "claims": {"P1": [{"rank": "normal"}]}},
        {"entities": {"Q1": {}}},
        {"entity": "Q1", "redirect": None},
    ],
)
def test_records_of_another_shape_are_rejects_and_cost_nothing_else(tmp_path, record):
    path = tmp_path / "lines.json"
    good = item(claims={"P19": [statement("Q1")]})
    path.write_text(f"{json.dumps(good)}\n{json.dumps(record)}\n{json.dumps(good)}\n")
    rows, rejects, left_out = read(path)
    assert rows == [("fact", "Q42", "P19", "Q1")] * 2
    # an empty array is what is left of an array form without entities
    assert rejects.counts == ({} if record == [] else {"not a Wikidata entity": 1})
    assert left_out.total == 0


def test_lines_that_are_not_json_are_rejects_with_an_example(tmp_path):
    path = tmp_path / "lines.json"
    good = json.dumps(item(labels=texts(en="x"))).encode()
    path.write_bytes(b"\n".join([good, b'{"id": "Q1", ', b'{"id": "Q\xff"}', b"", good, b""]))
    rows, rejects, _ = read(path)
    assert rows == [("label", "Q42", "", "x")] * 2
    assert rejects.counts == {"not JSON": 2}
    assert rejects.examples["not JSON"] == '{"id": "Q1"'


# --- Files -----------------------------------------------------------------------------------

FIVE = [item(f"Q{n}", claims={"P19": [statement(f"Q{100 + n}")]}) for n in range(1, 6)]
FACTS = [("fact", f"Q{n}", "P19", f"Q{100 + n}") for n in range(1, 6)]


@pytest.mark.parametrize(
    "text",
    [
        array(FIVE),
        array(FIVE).rstrip("\n"),
        array(FIVE).replace("\n", "\r\n"),
        "\ufeff" + array(FIVE),
        "[" + ",\n".join(map(json.dumps, FIVE)) + "]",
        "\n".join(map(json.dumps, FIVE)),
        "\n\n".join(map(json.dumps, FIVE)) + "\n",
    ],
    ids=["array", "no-last-newline", "crlf", "mark", "brackets-beside", "lines", "blank-lines"],
)
def test_the_array_and_plain_lines_are_the_same(tmp_path, text):
    # qwikidata#28
    path = tmp_path / "dump.json"
    path.write_bytes(text.encode())
    rows, rejects, _ = read(path)
    assert rows == FACTS
    assert rejects.total == 0


PACK = {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress}


@pytest.mark.parametrize("suffix", PACK)
def test_packed_dumps_are_read(tmp_path, suffix):
    path = tmp_path / f"dump.json.{suffix}"
    path.write_bytes(PACK[suffix](array(FIVE).encode()))
    rows, rejects, _ = read(path)
    assert (rows, rejects.total) == (FACTS, 0)


@pytest.mark.parametrize("suffix", PACK)
def test_a_packed_dump_cut_short_gives_all_whole_entities_and_says_so(tmp_path, suffix):
    # wdumper#22, Wikidata-Toolkit#512. Pieces of 20 entities; the cut is inside the second.
    many = [
        item(f"Q{n}", labels=texts(en=f"name {n * n * 7919}")) for n in range(1, 41)
    ]  # fmt: skip
    lines = [json.dumps(record).encode() + b",\n" for record in many]
    pieces = [PACK[suffix](b"".join([b"[\n", *lines[:20]])), PACK[suffix](b"".join(lines[20:]))]
    path = tmp_path / f"dump.json.{suffix}"
    path.write_bytes(pieces[0] + pieces[1][: len(pieces[1]) // 2])
    rows, rejects, _ = read(path)
    assert rows == [("label", f"Q{n}", "", f"name {n * n * 7919}") for n in range(1, len(rows) + 1)]
    assert 20 <= len(rows) < 40
    assert rejects.counts == {"truncated file": 1}


@pytest.mark.parametrize("form", [array(FIVE), "\n".join(map(json.dumps, FIVE))])
def test_half_a_line_at_the_end_is_a_truncated_file(tmp_path, form):
    path = tmp_path / "dump.json"
    path.write_text(form[: form.index('"Q105"')])
    rows, rejects, _ = read(path)
    assert rows == FACTS[:4]
    assert rejects.counts == {"truncated file": 1}
    assert rejects.examples["truncated file"].startswith('{"type": "item", "id": "Q5"')


def test_an_array_that_is_never_closed_is_a_truncated_file(tmp_path):
    path = tmp_path / "dump.json"
    path.write_text(array(FIVE).removesuffix("\n]\n") + "\n")
    rows, rejects, _ = read(path)
    assert rows == FACTS
    assert rejects.counts == {"truncated file": 1}


@pytest.mark.parametrize("size", [1, 100, 333, 10_000])
@pytest.mark.parametrize("closed", [True, False])
def test_byte_ranges_give_each_entity_once(tmp_path, size, closed):
    path = tmp_path / "dump.json"
    path.write_text(array(FIVE) if closed else array(FIVE).removesuffix("]\n"))
    rows, cut = [], 0
    for byte_range in splits(path, size):
        more, rejects, _ = read(path, byte_range=byte_range)
        rows += more
        cut += rejects.counts.get("truncated file", 0)
        assert rejects.counts.keys() <= {"truncated file"}
    assert rows == FACTS
    assert cut == (0 if closed else 1)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "<!DOCTYPE html>\n<html><body>404</body></html>\n",
            r"not JSON, first in '<!DOCTYPE html>'",
        ),
        ("[\n]\n", "it holds no records"),
        ('{"a": 1}\n', "not a Wikidata entity"),
        (json.dumps(item(), indent=2), "an entity goes over many lines; expected one entity a"),
        (json.dumps([item(), item("Q1")]), "several entities on a line, .*expected one entity a"),
    ],
)
def test_a_file_without_an_entity_is_refused(tmp_path, text, problem):
    path = tmp_path / "dump.json"
    path.write_text(text)
    with pytest.raises(InputError, match=f"dump.json: no Wikidata entity found: {problem}"):
        read(path)


def test_an_html_page_saved_as_a_packed_dump_is_refused(tmp_path):
    # wdumper#22
    path = tmp_path / "latest-all.json.gz"
    path.write_text("<!DOCTYPE html>\n<html></html>\n")
    with pytest.raises(InputError, match=r"latest-all\.json\.gz: is named \.gz but is not"):
        read(path)


def test_claims_of_an_unknown_form_are_rejects_by_reason(written):
    sound = statement("Q5")
    odd = [statement("Q6", rank="best"), {**sound, "mainsnak": {"snaktype": "maybe"}}]
    path = written(item("Q1", claims={"P19": [sound, *odd], "born in": [sound], "Q2": [sound]}))
    rows, rejects, _ = read(path)
    assert rows == [("fact", "Q1", "P19", "Q5")]
    assert rejects.counts == {"unknown rank": 1, "unknown snak type": 1, "not a property": 2}


@pytest.mark.parametrize(
    "value",
    [
        {"id": "Q2"},
        {"numeric-id": 2, "entity-type": "item"},
        {"entity-type": "item", "numeric-id": 2, "id": "Q2"},
    ],
)
def test_the_type_of_a_value_says_that_it_is_an_entity(tmp_path, value):
    snak = {"snaktype": "value", "datavalue": {"type": "wikibase-entityid", "value": value}}
    record = {"type": "item", "id": "Q1", "claims": {"P19": [{"mainsnak": snak}]}}
    (tmp_path / "dump.json").write_text(json.dumps(record) + "\n")
    rows, rejects, left_out = read(tmp_path / "dump.json")
    assert rows == [("fact", "Q1", "P19", "Q2")]
    assert rejects.total == left_out.total == 0
