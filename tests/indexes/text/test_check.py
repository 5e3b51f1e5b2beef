"""Checking an index: sound ones pass, and every kind of damage is found."""

import json
import shutil

import numpy as np
import pytest

import indexes.text.shard_writer
from evaluator.errors import InputError
from indexes.sums import sealed, sums_of
from indexes.text.build import build_collection
from indexes.text.check import check_index
from indexes.text.index import TextIndex
from indexes.text.plan import Pace


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    lines = (
        json.dumps({"id": str(n), "title": "T", "text": f"Obama visited Rome, word{n} " * (n % 7)})
        for n in range(200)
    )
    (folder / "c.jsonl").write_text("\n".join(lines))
    pace = Pace(batch_bytes=2_000)
    build_collection(folder / "c.jsonl", folder / "index", shards=2, workers=1, pace=pace)
    return folder / "index"


@pytest.fixture
def index(built, tmp_path):
    return shutil.copytree(built, tmp_path / "index")


def change_manifest(index, change):
    """Change a manifest as a faulty build would have written it, with the sums of what is there."""
    told = json.loads((index / "manifest.json").read_text())
    change(told)
    del told["sum"]
    told["sums"] = sums_of(index, but="manifest.json")
    (index / "manifest.json").write_text(json.dumps(sealed(told)))


@pytest.mark.parametrize("full", [False, True])
def test_a_sound_index(index, full):
    assert check_index(index, full=full) == []


@pytest.mark.parametrize("kind", ["fdt", "tim", "pos", "doc", "si"])
def test_a_flipped_bit_in_any_file_of_lucene(index, kind):
    [file] = (index / "shard-00001").glob(f"*.{kind}")
    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    file.write_bytes(damaged)
    [fault] = check_index(index)
    assert fault.startswith(f"shard-00001/{file.name}: damaged (its sum")
    with pytest.raises(InputError, match=rf"{file}: damaged .*: delete {index} and build"):
        TextIndex.open(index)
    # Lucene finds it too, where a faulty build wrote it so.
    change_manifest(index, lambda told: told)
    [fault] = check_index(index)
    assert fault.startswith("shard-00001: damaged")


def test_a_cut_file_and_a_lost_file(index):
    [file] = (index / "shard-00000").glob("*.pos")
    file.write_bytes(file.read_bytes()[:-5])
    [segments] = (index / "shard-00001").glob("segments_*")
    segments.unlink()
    first, second = check_index(index)
    assert first.startswith(f"shard-00000/{file.name}: damaged (")
    assert second == f"shard-00001/{segments.name}: missing"
    change_manifest(index, lambda told: told)
    first, second = check_index(index)
    assert first.startswith("shard-00000: damaged")
    assert second.startswith("shard-00001: damaged")


def test_shards_that_are_lost_or_not_known(index):
    (index / "shard-00000").rename(index / "shard-00005")
    assert check_index(index) == [
        "shard-00005: in the folder, but not in the manifest",
        "shard-00000: in the manifest, but not in the folder",
    ]


def test_a_manifest_that_tells_other_numbers(index):
    change_manifest(index, lambda told: told.update(tokens=7))
    [fault] = check_index(index)
    assert fault.startswith("manifest: 7 tokens, but ")


def test_a_shard_with_another_number_of_tokens(index):
    def change(told):
        told["tokens"] += 1
        told["shards"][0]["tokens"] += 1

    change_manifest(index, change)
    [fault] = check_index(index)
    assert "tokens indexed" in fault
    assert len(check_index(index, full=True)) == 2


def test_only_reading_all_documents_shows_another_checksum(index):
    def change(told):
        shard = told["shards"][0]
        shard["checksum"] = f"{(int(shard['checksum'], 16) + 1) % 2**128:032x}"
        told["checksum"] = f"{(int(told['checksum'], 16) + 1) % 2**128:032x}"

    change_manifest(index, change)
    assert check_index(index) == []
    assert check_index(index, full=True) == [
        "shard-00000: the checksum of its documents is not the manifest's"
    ]


def test_names_of_topics_that_are_not_those_of_the_documents(tmp_path, monkeypatch):
    (tmp_path / "c.jsonl").write_text('{"id": "1", "text": "Marie Curie was a physicist"}\n')
    monkeypatch.setattr(indexes.text.shard_writer, "OPENING", 3)  # as another version might have it
    build_collection(tmp_path / "c.jsonl", tmp_path / "index", workers=1)
    monkeypatch.undo()
    assert check_index(tmp_path / "index", full=True) == [
        "shard-00000: 3 names of topics indexed, 5 in its documents"
    ]


def test_notes_of_documents_that_are_wrong(index):
    file = index / "shard-00000" / "documents.npy"
    rows = np.load(file)
    rows["id"][0] += 1
    np.save(file, rows)
    change_manifest(index, lambda told: told)
    [fault] = check_index(index)
    assert "document 0 is '0', documents.npy notes another" in fault
    file.write_bytes(b"nothing")
    change_manifest(index, lambda told: told)
    [fault] = check_index(index)
    assert f"{file}: damaged" in fault


def test_an_id_in_two_shards(index):
    shutil.rmtree(index / "shard-00001")
    shutil.copytree(index / "shard-00000", index / "shard-00001")

    def change(told):
        first = told["shards"][0]
        told["shards"][1] = first | {"name": "shard-00001"}
        told["checksum"] = f"{2 * int(first['checksum'], 16) % 2**128:032x}"
        told |= {key: 2 * first[key] for key in ("documents", "tokens")}

    change_manifest(index, change)
    documents = json.loads((index / "manifest.json").read_text())["shards"][0]["documents"]
    assert check_index(index) == [
        f"shard-00001: {documents} documents have an id that another document has"
    ]
