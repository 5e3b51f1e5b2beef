"""Building an index: the same documents whatever the shards, and whatever stopped the build."""

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest

import indexes.text.build
from evaluator.errors import ConfigurationError, InputError, SetupError
from evaluator.model import Rejects
from evaluator.text import tokens
from indexes.collections import Document
from indexes.jvm import running
from indexes.locks import folder_lock
from indexes.text.build import add_collection, build_collection, build_index
from indexes.text.manifest import ROW, open_reader, read_manifest, read_rows
from indexes.text.plan import BuildPlan, CollectionFiles, Pace, duplicates

ROOT = Path(__file__).parents[3]
QUICK = Pace(batch_bytes=700, commit_seconds=1)


def line(id_, text, title=""):
    return json.dumps({"id": str(id_), "title": title, "text": text}) + "\n"


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    """Three files, 120 documents, 10 ids twice (far apart), 2 broken lines."""
    folder = tmp_path_factory.mktemp("collection")
    words = ["Barack Obama", "visited", "Rome", "café", "the The", "U.S.", "北京"]
    generator = random.Random(2012)
    lines = [
        line(n, " ".join(generator.choices(words, k=n % 40)), f"Document {n}") for n in range(120)
    ]
    (folder / "a.jsonl").write_text("".join(lines[:60]) + "{broken\n", encoding="utf-8")
    (folder / "b.jsonl").write_text("".join(lines[60:]), encoding="utf-8")
    repeated = "".join(line(n, "another text of the same id") for n in range(0, 100, 10))
    (folder / "c.jsonl").write_text(repeated + "[]\n", encoding="utf-8")
    return folder


def documents(index):
    """What the shards of an index hold, by ordinal: ids, titles and texts as they are stored."""
    found = {}
    with running() as java:
        for shard in read_manifest(index).shards:
            with ExitStack() as opening:
                reader = open_reader(java, index / shard.name, opening)
                assert reader.leaves().size() == 1
                ordinals = read_rows(index / shard.name)["ordinal"].tolist()
                assert len(ordinals) == reader.numDocs() == reader.maxDoc() == shard.documents
                assert ordinals == sorted(ordinals)
                for number, ordinal in enumerate(ordinals):
                    stored = reader.storedFields().document(number)
                    names = ("id", "raw.title", "raw.contents")
                    found[ordinal] = tuple(stored.get(name) for name in names)
    return [found[ordinal] for ordinal in sorted(found)]


def content(manifest):
    return replace(manifest, shards=())


@pytest.fixture(scope="module")
def whole(collection, tmp_path_factory):
    index = tmp_path_factory.mktemp("whole") / "index"
    return build_collection(collection, index), documents(index)


def test_one_shard_holds_the_collection_in_its_order(collection, whole):
    manifest, held = whole
    lines = [*open(collection / "a.jsonl"), *open(collection / "b.jsonl")]  # noqa: PTH123, SIM115
    expected = [json.loads(text) for text in lines if text != "{broken\n"]
    assert held == [(each["id"], each["title"], each["text"]) for each in expected]
    assert manifest.documents == 120
    assert manifest.tokens == sum(len(tokens(each["text"])) for each in expected)
    assert manifest.rejects == {"broken JSON": 1, "duplicate id": 10, "not a JSON object": 1}
    total = 0
    for id_, title, text in held:
        head = f"{len(id_)} {len(title)} "
        digest = blake2b((head + id_ + title + text).encode(), digest_size=16).digest()
        total += int.from_bytes(digest)
    assert manifest.checksum == f"{total % 2**128:032x}"
    [source] = manifest.sources
    assert (source["collection"], source["format"]) == (collection.name, "jsonl")


@pytest.mark.parametrize(("shards", "workers"), [(2, 1), (3, 2)])
def test_shards_together_hold_what_one_holds(tmp_path, collection, whole, shards, workers):
    manifest = build_collection(
        collection, tmp_path / "index", shards=shards, workers=workers, pace=QUICK
    )
    assert content(manifest) == content(whole[0])
    assert documents(tmp_path / "index") == whole[1]
    assert len(manifest.shards) == shards
    assert not list(tmp_path.glob(".*"))


def test_more_shards_than_batches_leave_no_empty_shard(tmp_path, collection, whole):
    manifest = build_collection(collection, tmp_path / "index", shards=4)
    assert content(manifest) == content(whole[0])
    assert [shard.name for shard in manifest.shards] == ["shard-00000"]


def test_select_and_several_collections(tmp_path, collection, whole):
    first = build_collection(collection, tmp_path / "a", select=("a.*",))
    assert (first.documents, first.rejects) == (60, {"broken JSON": 1})
    files = [collection / name for name in ("a.jsonl", "b.jsonl", "c.jsonl")]
    manifest = build_collection(files, tmp_path / "all")
    assert (manifest.checksum, documents(tmp_path / "all")) == (whole[0].checksum, whole[1])
    assert [source["collection"] for source in manifest.sources] == [f.name for f in files]


# --- Stopped and started again --------------------------------------------------------------------

BUILD = """
import sys
from pathlib import Path
from indexes.text.build import {build}
from indexes.text.plan import Pace

{build}(
    Path(sys.argv[1]),
    Path(sys.argv[2]),
    shards=int(sys.argv[3]),
    workers=int(sys.argv[3]),
    pace=Pace(batch_bytes=20_000, commit_seconds=0),
)
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    file = tmp_path_factory.mktemp("large") / "large.jsonl"
    texts = ["Barack Obama visited Rome. " * (n % 30) for n in range(9_000)]
    file.write_text("".join(line(n % 8_990, text) for n, text in enumerate(texts)))
    return file


def start(script, file, index, workers):
    return subprocess.Popen(
        [sys.executable, str(script), str(file), str(index), str(workers)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )


def committed(folder, number=2):
    """Wait until some shard in the folder has so many commits, in Lucene's counting."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        names = [path.name for path in folder.glob("index/*/segments_*")]
        if any(int(name[9:], 36) > number for name in names):
            return
        time.sleep(0.01)
    raise AssertionError("nothing was committed")


def lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_build_that_was_killed_goes_on(tmp_path, large, workers):
    script = tmp_path / "build.py"
    script.write_text(BUILD.format(build="build_collection"))
    build = start(script, large, tmp_path / "index", workers)
    work = tmp_path / ".index.building"
    committed(work)
    os.killpg(build.pid, signal.SIGKILL)
    build.wait()
    assert not (tmp_path / "index").exists()
    kept = sum(path.stat().st_size // 16 for path in work.glob("index/*/documents.rows"))
    assert 0 < kept < 9_000
    pace = Pace(batch_bytes=20_000)
    options = {"shards": workers, "workers": 1, "pace": pace}
    first = []
    told = lambda _doing, documents: first.append(documents)  # noqa: E731
    manifest = build_collection(large, tmp_path / "index", **options, progress=told)
    assert first[0] > 0  # it did not begin anew
    assert manifest == build_collection(large, tmp_path / "again", **options)
    assert (manifest.documents, manifest.rejects) == (8_990, {"duplicate id": 10})
    assert documents(tmp_path / "index") == documents(tmp_path / "again")


def test_interrupting_leaves_no_process(tmp_path, large):
    script = tmp_path / "build.py"
    script.write_text(BUILD.format(build="build_collection"))
    build = start(script, large, tmp_path / "index", 2)
    committed(tmp_path / ".index.building", 1)
    os.killpg(build.pid, signal.SIGINT)
    build.wait(timeout=60)
    end = time.monotonic() + 20
    while lives(build.pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert not lives(build.pid)


def test_a_process_that_dies_is_told_with_what_to_do(tmp_path, large):
    def kill_one(*_):
        for process in multiprocessing.active_children()[:1]:
            process.kill()

    line = r"index\.building: a worker process died \(exit code -9; .*with fewer --workers"
    with pytest.raises(SetupError, match=line):
        build_collection(large, tmp_path / "index", shards=2, workers=2, progress=kill_one)
    assert not multiprocessing.active_children()


def test_a_changed_collection_is_begun_anew(tmp_path, large):
    script = tmp_path / "build.py"
    script.write_text(BUILD.format(build="build_collection"))
    build = start(script, large, tmp_path / "index", 1)
    committed(tmp_path / ".index.building")
    os.killpg(build.pid, signal.SIGKILL)
    build.wait()
    other = tmp_path / "other.jsonl"
    other.write_text(line("only", "one two three"))
    assert build_collection(other, tmp_path / "index").documents == 1
    assert not (tmp_path / ".index.building").exists()


# --- Adding ---------------------------------------------------------------------------------------


def test_adding_gives_what_building_at_once_gives(tmp_path, collection, whole):
    index = tmp_path / "index"
    build_collection(collection / "a.jsonl", index, shards=2, pace=QUICK)
    before = {path: path.stat().st_mtime_ns for path in index.glob("shard-*/*")}
    add_collection(collection / "b.jsonl", index, shards=2, pace=QUICK)
    manifest = add_collection(collection / "c.jsonl", index)
    assert (manifest.checksum, documents(index)) == (whole[0].checksum, whole[1])
    assert manifest.rejects == whole[0].rejects
    assert [source["collection"] for source in manifest.sources] == [
        "a.jsonl", "b.jsonl", "c.jsonl",
    ]  # fmt: skip
    assert len(manifest.shards) == 4  # c brought none
    assert manifest == read_manifest(index)
    assert before.items() <= {p: p.stat().st_mtime_ns for p in index.glob("shard-*/*")}.items()


@pytest.mark.slow
def test_an_addition_that_was_killed_leaves_the_index_and_goes_on(tmp_path, collection, large):
    index, script = tmp_path / "index", tmp_path / "add.py"
    small = build_collection(collection / "b.jsonl", index)
    script.write_text(BUILD.format(build="add_collection"))
    adding = start(script, large, index, 1)
    committed(tmp_path / ".index.building")
    os.killpg(adding.pid, signal.SIGKILL)
    adding.wait()
    assert read_manifest(index) == small
    # Stopped at the worst moment, new shards stand in the index, and the manifest knows of none.
    (tmp_path / ".index.building/index/shard-00001").rename(index / "shard-00001")
    (index / "shard-00007").mkdir()
    pace = Pace(batch_bytes=20_000)
    manifest = add_collection(large, index, shards=1, pace=pace)
    assert manifest.documents == 60 + 8_990 - 60
    assert sorted(p.name for p in index.iterdir()) == [
        "manifest.json",
        "shard-00000",
        "shard-00001",
    ]


# --- Refused --------------------------------------------------------------------------------------


def test_what_is_no_index_is_left_alone(tmp_path, collection):
    (tmp_path / "mine.txt").touch()
    with pytest.raises(InputError, match="exists and is not a text index"):
        build_collection(collection, tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": "distval knowledge base 3"}')
    with pytest.raises(InputError, match="exists and is not a text index"):
        build_collection(collection, tmp_path)
    with pytest.raises(InputError, match="is not of a text index"):
        read_manifest(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        add_collection(collection, tmp_path / "nowhere")


def test_two_builds_at_once_are_refused(tmp_path, collection):
    with (
        folder_lock(tmp_path / ".index.building", "taken"),
        pytest.raises(SetupError, match="another process is building it"),
    ):
        build_collection(collection, tmp_path / "index")


def test_a_collection_without_a_document_leaves_nothing(tmp_path):
    (tmp_path / "c.jsonl").write_text('{"id": 1}\n')
    with pytest.raises(InputError, match=r"no jsonl document found \(missing text: 1"):
        build_collection(tmp_path / "c.jsonl", tmp_path / "out" / "index")
    assert list((tmp_path / "out").iterdir()) == []
    with pytest.raises(ConfigurationError, match="named twice"):
        build_collection([tmp_path / "c.jsonl"] * 2, tmp_path / "index")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"analysis": "other-1"}, 'has the analysis "other-1"'),
        ({"format": "distval text index 9"}, 'has the format "distval text index 9"'),
        ({"format": None}, "has an older format"),
        ({"tokens": None}, "damaged"),
    ],
)
def test_another_index_is_refused(tmp_path, change, message):
    index = tmp_path / "index"
    build_index([Document("a", "", "one")], index, source={}, rejects=Rejects())
    told = json.loads((index / "manifest.json").read_text()) | change
    kept = {key: value for key, value in told.items() if value is not None}
    (index / "manifest.json").write_text(json.dumps(kept))
    with pytest.raises(InputError, match=message):
        read_manifest(index)


# --- The pieces -----------------------------------------------------------------------------------


def test_build_index_takes_documents_from_anywhere(tmp_path):
    given = [Document("a", "A", "one two"), Document("b", "", ""), Document("a", "", "again")]
    rejects = Rejects({"broken": 2})
    manifest = build_index(given, tmp_path / "index", source={"collection": "c"}, rejects=rejects)
    assert documents(tmp_path / "index") == [("a", "A", "one two"), ("b", "", "")]
    assert (manifest.tokens, manifest.rejects) == (2, {"broken": 2, "duplicate id": 1})
    assert manifest.sources == ({"collection": "c"},)


def test_duplicates_are_the_later_documents_over_all_tables():
    generator = np.random.default_rng(2012)
    order = generator.permutation(300)
    ids = generator.integers(0, 2**64, 200, dtype=np.uint64)[generator.integers(0, 200, 300)]
    tables = []
    for part in np.array_split(order, 4):
        tables.append(np.array([(n, ids[n]) for n in sorted(part.tolist())], ROW))
    first = {}
    for number, id_ in enumerate(ids.tolist()):
        first.setdefault(id_, number)
    expected = [
        [row for row, (n, id_) in enumerate(table.tolist()) if first[id_] != n] for table in tables
    ]
    assert [rows.tolist() for rows in duplicates(tables)] == expected
    assert sum(map(len, expected)) > 50


def test_files_are_dealt_out_whole_the_largest_first(tmp_path):
    for name, size in (("a", 10), ("b", 50), ("c", 20), ("d", 30)):
        (tmp_path / name).write_bytes(b"x" * size)
    files = tuple(tmp_path / name for name in "abcd")
    plan = BuildPlan((CollectionFiles(tmp_path, "text", (), files),), shards=2, by_file=True)
    dealt = [[file.name for _, _, file in plan.files_of(shard)] for shard in range(2)]
    assert dealt == [["a", "b"], ["c", "d"]]


def test_a_folder_that_holds_something_else_too_is_not_replaced(tmp_path, collection):
    build_collection(collection, tmp_path / "index")
    (tmp_path / "index" / "thesis.txt").write_text("of value")
    with pytest.raises(InputError, match=r"index: holds thesis\.txt, which is not of an index"):
        build_collection(collection, tmp_path / "index")
    assert (tmp_path / "index" / "thesis.txt").read_text() == "of value"


def test_what_was_built_outlives_a_manifest_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "texts.jsonl").write_text('{"id": "1", "text": "one"}\n')

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(indexes.text.build, "write_manifest", killed)
    with pytest.raises(KeyboardInterrupt):
        build_collection(tmp_path / "texts.jsonl", tmp_path / "index")
    monkeypatch.undo()
    built = tmp_path / ".index.building" / "index"
    (built / "manifest.json").mkdir()
    with pytest.raises(IsADirectoryError):
        build_collection(tmp_path / "texts.jsonl", tmp_path / "index")
    assert sorted(path.name for path in built.iterdir()) == ["manifest.json", "shard-00000"]
    (built / "manifest.json").rmdir()
    assert build_collection(tmp_path / "texts.jsonl", tmp_path / "index").documents == 1


def test_what_an_addition_left_is_not_taken_for_that_of_another(tmp_path, monkeypatch):
    for name, ids in (("base", "x"), ("a", "abcde"), ("b", "1234567")):
        lines = (json.dumps({"id": each, "text": f"{name} {each}"}) + "\n" for each in ids)
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
    build_collection(tmp_path / "base.jsonl", tmp_path / "index")

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(indexes.text.build, "write_manifest", killed)
    with pytest.raises(KeyboardInterrupt):
        add_collection(tmp_path / "a.jsonl", tmp_path / "index")
    monkeypatch.undo()
    assert len(list((tmp_path / "index").glob("shard-*"))) == 2
    manifest = add_collection(tmp_path / "b.jsonl", tmp_path / "index")
    whole = build_collection([tmp_path / "base.jsonl", tmp_path / "b.jsonl"], tmp_path / "whole")
    assert (manifest.documents, manifest.checksum) == (8, whole.checksum)


@pytest.mark.parametrize("options", [{"shards": 100_000}, {"workers": 129}, {"shards": 129}])
def test_more_writers_than_one_machine_can_keep_open_are_refused_at_once(tmp_path, options):
    ((name, number),) = options.items()
    expected = f"{name} {number}: expected at most 128, since each stays open till the end"
    with pytest.raises(ConfigurationError, match=expected):
        build_collection(tmp_path / "not looked at", tmp_path / "out", **options)
