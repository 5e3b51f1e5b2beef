"""CoDEx as Wikidata's dumps: both forms hold what the benchmark and the names say."""

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from rdflib import Graph

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.dumps import wikidata_json, wikidata_truthy
from indexes.dumps.codex import CodexCounts, read_triples, write_json, write_truthy

FORMS = {
    "truthy": (write_truthy, wikidata_truthy.read, "codex.nt.gz"),
    "json": (write_json, wikidata_json.read, "codex.json.gz"),
}


@pytest.fixture(scope="module")
def names(data: Path) -> Path:
    return data / "fb15k237" / "entity2wikidata.json"


@pytest.fixture(scope="module", params=FORMS)
def dump(data, names, request, tmp_path_factory) -> tuple[Path, CodexCounts, pa.Table]:
    write, read, name = FORMS[request.param]
    out = tmp_path_factory.mktemp("codex") / name
    counts = write(data / "codex", names, out)
    return out, counts, statements(read, out)


def statements(read: Callable, path: Path) -> pa.Table:
    rejects = Rejects()
    batches = list(read(path, language="en", rejects=rejects, left_out=Rejects()))
    assert rejects.total == 0
    return pa.Table.from_batches(batches)


def rows(table: pa.Table, kind: str) -> list[tuple[str, str, str]]:
    columns = table.filter(pc.equal(table["kind"], kind)).drop("kind")
    return list(zip(*(column.to_pylist() for column in columns.columns), strict=True))


def test_all_triples_come_back(data, dump):
    # SOURCE.md of the data: 17,050 entities and 206,205 triples
    _, counts, table = dump
    assert (counts.items, counts.triples) == (17_050, 206_205)
    facts = rows(table, "fact")
    assert len(facts) == 206_205
    assert set(facts) == set(read_triples(data / "codex"))


def test_names_titles_and_freebase_ids_come_back(data, names, dump):
    _, counts, table = dump
    known = {
        about["wikidata_id"]: (mid, about)
        for mid, about in sorted(json.loads(names.read_bytes()).items())
        if about.get("wikidata_id")
    }
    items = {item for head, _, tail in read_triples(data / "codex") for item in (head, tail)}
    # a name has single blanks, where Wikidata's may have one that does not break
    labels = {(item, " ".join(known[item][1]["label"].split())) for item in items & known.keys()}
    assert counts.named == len(labels)
    read = {(subject, name) for subject, _, name in rows(table, "label")}
    assert labels <= read
    properties = {subject for subject, _ in read if subject.startswith("P")}
    assert len(properties) == counts.properties == 51
    assert ("P19", "place of birth") in read
    same = {(subject, other) for subject, _, other in rows(table, "same")}
    assert {(item, known[item][0]) for item in items & known.keys()} <= same
    assert ("Q76", "en:Barack_Obama") in same
    assert ("Q76", "", "Barry Obama") in rows(table, "alias")


def test_both_forms_say_the_same(data, names, tmp_path):
    tables = []
    for write, read, name in FORMS.values():
        write(data / "codex", names, tmp_path / name, size="s")
        tables.append(statements(read, tmp_path / name))
    truthy, from_json = (
        {kind: sorted(rows(table, kind)) for kind in ("fact", "label", "alias", "same")}
        for table in tables
    )
    assert truthy == from_json
    assert len(truthy["fact"]) == 36_543


def test_the_n_triples_are_those_that_rdflib_reads(data, names, tmp_path):
    counts = write_truthy(data / "codex", names, tmp_path / "s.nt.gz", size="s")
    graph = Graph().parse(data=gzip.decompress((tmp_path / "s.nt.gz").read_bytes()), format="nt")
    direct = "http://www.wikidata.org/prop/direct/"
    links = [p for _, p, o in graph if str(p).startswith(direct) and str(o).startswith("http")]
    assert len(links) == counts.triples == 36_543


def test_the_same_bytes_every_time(data, names, tmp_path):
    for write in (write_truthy, write_json):
        for name in ("one", "other"):
            write(data / "codex", names, tmp_path / name, size="s")
        digests = {
            hashlib.sha256((tmp_path / name).read_bytes()).digest() for name in ("one", "other")
        }
        assert len(digests) == 1


def test_a_folder_of_another_kind_is_refused(names, tmp_path):
    with pytest.raises(InputError, match=r"relations\.en\.json: cannot be read"):
        write_json(tmp_path, names, tmp_path / "out.json.gz")
    (tmp_path / "relations.en.json").write_text("{}")
    with pytest.raises(InputError, match=r"codex-m-train\.txt\.gz: cannot be read"):
        write_json(tmp_path, names, tmp_path / "out.json.gz")
    (tmp_path / "codex-m-train.txt.gz").write_bytes(b"<html>")
    with pytest.raises(InputError, match=r"codex-m-train\.txt\.gz:1: '<html>' is no"):
        write_json(tmp_path, names, tmp_path / "out.json.gz")
    assert not (tmp_path / "out.json.gz").exists()
