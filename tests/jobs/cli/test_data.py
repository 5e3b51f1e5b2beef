"""``distval data``: public sets are listed, fetched and checked, and become label sheets."""

import json
from pathlib import Path

import pytest

from evaluator.labels.label import Label, read_labels
from evaluator.model import Rejects
from tests.evaluator.datasets.test_factbench import ADA, turtle
from tests.jobs.cli.test_cli import distval, refused
from tests.jobs.commands import told
from tests.jobs.data.test_public_data import Server, files_under, server  # noqa: F401


def test_factbench_becomes_a_label_sheet_with_the_kind_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTVAL_DATA", str(tmp_path))
    made = {
        "correct/birth/1.ttl": ADA,
        "wrong/range/birth/1.ttl": turtle("Ada", "birthPlace", "Rome"),
        "wrong/date/birth/1.ttl": ADA,
    }
    for name, text in made.items():
        path = tmp_path / "factbench" / "test" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    sheet = tmp_path / "labels.tsv"
    done = distval("data", "factbench", "--part", "test", "--out", sheet)
    assert done.code == 0, done.err
    assert "2 labels" in done.out
    assert "skipped facts: 1 × wrong by its date, maybe true without" in done.err
    assert sheet.read_text().splitlines() == [
        "e1\tr\te2\tlabel\trater\tkind",
        "Ada\twas born in\tLondon\ttrue\tfactbench\tcorrect",
        "Ada\twas born in\tRome\tfalse\tfactbench\trange",
    ]
    assert read_labels(sheet, rejects=Rejects()) == [
        Label("Ada", "was born in", "London", True, "factbench"),
        Label("Ada", "was born in", "Rome", False, "factbench"),
    ]
    made = told("data", "factbench", "--part", "test", "--out", sheet)
    assert (made["out"], made["labels"], made["notes"]) == (str(sheet), 2, {})
    ((reason, count),) = made["rejects"].items()
    assert (reason.partition(",")[0], count) == ("wrong by its date", 1)
    assert "wrong/date/birth/1" in made["examples"][reason]
    assert "no folder train" in refused("data", "factbench", "--out", tmp_path / "no.tsv")
    assert not (tmp_path / "no.tsv").exists()


NOTES = "wikidata_properties/wikidata-properties.csv"
TEST, TRAIN = "reverb_mturk/reverb_ratings_test.tsv", "reverb_mturk/reverb_ratings_train.tsv"


def folder_with(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("not it")
    return folder


def test_list_tells_what_is_there_and_under_which_licence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTVAL_DATA", str(folder_with(tmp_path, NOTES, TEST)))
    done = distval("data", "list", "--json")
    assert done.code == 1
    rows = {row["name"]: row for row in json.loads(done.out)}
    assert {name: row["present"] for name, row in rows.items() if row["present"] != "no"} == {
        "wikidata_properties": "yes",
        "reverb_mturk": "partly",
    }
    assert rows["benchie"]["licence"].startswith("CC BY 4.0")
    assert rows["reverb_mturk"]["files"] == 2
    assert rows["reverb_mturk"]["published"] == 0
    assert rows["wire57"]["version"] == "rali-udem/WiRe57@9273758"


def test_verify_tells_wrong_missing_and_unknown_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTVAL_DATA", str(folder_with(tmp_path, TEST, "reverb_mturk/more.tsv")))
    done = distval("data", "verify", "reverb-mturk", "--json")
    assert done.code == 1
    (found,) = json.loads(done.out).values()
    assert found["missing"] == [TRAIN]
    assert found["extra"] == ["reverb_mturk/more.tsv"]
    assert "(458,277 bytes), found" in found["wrong"][TEST]
    assert found["wrong"][TEST].endswith("(6 bytes)")
    assert "no data set reverb; did you mean cesi_reverb? known: benchie, " in refused(
        "data", "verify", "reverb"
    )


def test_fetch_tells_failures_in_one_line_and_keeps_what_was_there(
    server: Server,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DISTVAL_DATA", str(folder_with(tmp_path, NOTES)))
    server.files["b/" + NOTES] = b"neither"
    command = ("data", "fetch", "wikidata_properties", "--mirror")
    assert "the server answers 404" in refused(*command, f"{server.address}/a")
    assert "does not match the known hash: expected " in refused(*command, f"{server.address}/b")
    (tmp_path / "empty").mkdir()
    assert "not in the mirror" in refused(*command, tmp_path / "empty")
    assert "none: no such folder" in refused(*command, tmp_path / "none")
    assert "no data set wikidata; known: benchie, " in refused("data", "fetch", "wikidata")
    assert files_under(tmp_path) == [NOTES]
    assert (tmp_path / NOTES).read_text() == "not it"


def test_list_is_short_and_tells_all_of_a_set_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTVAL_DATA", str(folder_with(tmp_path, NOTES, TEST)))
    shown = distval("data", "list").out
    header = next(line for line in shown.splitlines() if line.startswith("┃"))
    assert header.replace("┃", " ").split() == ["set", "here", "MB", "what", "for"]
    assert "wikidata_properties" in shown
    told = distval("data", "list", "wire57").out
    assert "licence: no licence file" in told
    assert "https://raw.githubusercontent.com/rali-udem/WiRe57/" in told
    assert "did you mean wire57? known: benchie, " in refused("data", "list", "wire58")


def test_fetch_refuses_what_is_no_mirror_and_places_that_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTVAL_DATA", str(tmp_path / "none"))
    command = ("data", "fetch", "wikidata_properties", "--to", tmp_path / "to", "--mirror")
    for mirror in ("", "ftp://host/data", "file:///data"):
        assert "http:// or https://" in refused(*command, mirror)
    assert "not in the mirror" in refused(*command, tmp_path)
    assert files_under(tmp_path) == []
    (tmp_path / "to" / NOTES).mkdir(parents=True)
    assert f"{NOTES}: a folder is where the file has to be" in refused(*command, tmp_path)
    file = tmp_path / "file"
    file.write_text("a file")
    for to in (file, file / "below"):
        line = refused(*command[:3], "--to", to, "--mirror", tmp_path)
        assert f"{file}: a file is where a folder has to be" in line


def test_fetch_says_where_files_come_from_that_are_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTVAL_DATA", str(tmp_path))
    done = distval("data", "fetch", "reverb_mturk", "--json")
    assert done.code == 1
    told = json.loads(done.out)
    assert told["counts"] == {"not published as such": 2}
    assert "gangeli/NaturalLI@2174b42: re-tabulated from etc/mturk" in told["files"][0]["problem"]
    assert distval("data", "fetch").code == 2


def test_nothing_is_written_over_what_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTVAL_DATA", str(tmp_path))
    ratings = tmp_path / "reverb_mturk" / "reverb_ratings_train.tsv"
    ratings.parent.mkdir()
    ratings.write_text("kept")
    told = refused("data", "reverb-mturk", "--out", ratings)
    assert f"--out {ratings}: would be written over what is read" in told
    assert ratings.read_text() == "kept"
