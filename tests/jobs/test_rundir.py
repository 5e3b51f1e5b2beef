import fcntl
import json
import re
import shutil
from functools import partial
from pathlib import Path
from typing import TextIO

import pytest

from evaluator.errors import InputError, SetupError
from jobs.rundir import RunDirectory, content_digest, finished_stage


def counting_stage(runs: list[str], text: str = "content"):
    def build(out: Path) -> dict[str, int]:
        runs.append(text)
        (out / "file").write_text(text)
        return {"files": 1}

    return build


def test_a_stage_is_kept_while_what_it_depends_on_is_the_same(tmp_path: Path) -> None:
    directory, runs = RunDirectory(tmp_path), []
    first = directory.stage("match", depends_on={"threshold": 1}, build=counting_stage(runs))
    again = directory.stage("match", depends_on={"threshold": 1}, build=counting_stage(runs))
    assert runs == ["content"]
    assert again == first
    assert again.notes == {"files": 1}


def test_a_stage_is_built_anew_when_a_dependency_changes(tmp_path: Path) -> None:
    directory, runs = RunDirectory(tmp_path), []
    directory.stage("match", depends_on={"threshold": 1}, build=counting_stage(runs, "old"))
    stage = directory.stage("match", depends_on={"threshold": 2}, build=counting_stage(runs, "new"))
    assert runs == ["old", "new"]
    assert (stage.path / "file").read_text() == "new"


def test_an_interrupted_stage_leaves_the_earlier_one_whole(tmp_path: Path) -> None:
    directory = RunDirectory(tmp_path)
    directory.stage("match", depends_on={"threshold": 1}, build=counting_stage([], "old"))

    def interrupted(out: Path) -> None:
        (out / "file").write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        directory.stage("match", depends_on={"threshold": 2}, build=interrupted)
    assert (tmp_path / "match" / "file").read_text() == "old"
    runs: list[str] = []
    directory.stage("match", depends_on={"threshold": 1}, build=counting_stage(runs))
    assert runs == []


def test_a_folder_of_others_in_the_place_of_a_stage_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "match").mkdir()
    (tmp_path / "match" / "part-0.parquet").write_text("of unknown origin")
    with pytest.raises(InputError, match="is no stage of a run"):
        RunDirectory(tmp_path).stage("match", depends_on={}, build=counting_stage([]))
    assert (tmp_path / "match" / "part-0.parquet").exists()


def lost(folder: Path) -> None:
    (folder / "file").unlink()


def flipped(folder: Path) -> None:
    (folder / "file").write_text("contens")  # as long as before


def cut(folder: Path) -> None:
    (folder / "file").write_text("conten")


def added(folder: Path) -> None:
    (folder / "part-1.parquet").touch()


def with_other_notes(folder: Path) -> None:
    stamp = json.loads((folder / "_stage.json").read_text())
    stamp["notes"]["files"] = 2
    (folder / "_stage.json").write_text(json.dumps(stamp))


def without_its_sum(folder: Path) -> None:
    stamp = json.loads((folder / "_stage.json").read_text())
    del stamp["sum"]
    (folder / "_stage.json").write_text(json.dumps(stamp))


def with_half_a_stamp(folder: Path) -> None:
    file = folder / "_stage.json"
    file.write_text(file.read_text()[:-9])


def with_a_list_for_a_stamp(folder: Path) -> None:
    (folder / "_stage.json").write_text("[1]")


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (lost, "file: missing"),
        (flipped, "file: damaged (its sum is not that of what was written)"),
        (cut, "file: damaged (6 bytes, of 7 that were written)"),
        (added, "part-1.parquet: was not there when the folder was written"),
        (with_other_notes, "_stage.json: damaged, or edited by hand"),
        (without_its_sum, "_stage.json: an older version wrote it, or somebody edited it"),
        (with_half_a_stamp, "_stage.json: damaged, or edited by hand"),
        (with_a_list_for_a_stamp, "_stage.json: damaged, or edited by hand"),
    ],
)
def test_a_damaged_stage_is_refused_until_it_is_deleted(tmp_path: Path, damage, named: str) -> None:
    directory, runs = RunDirectory(tmp_path), []
    stage = directory.stage("match", depends_on={}, build=counting_stage(runs))
    damage(stage.path)
    refusal = re.escape(f"{stage.path}/{named}: delete {stage.path}; the next run makes it again")
    with pytest.raises(InputError, match=f"^{refusal}$"):
        directory.stage("match", depends_on={}, build=counting_stage(runs))
    with pytest.raises(InputError, match=f"^{refusal}$"):
        finished_stage(stage.path)
    assert runs == ["content"]
    shutil.rmtree(stage.path)
    directory.stage("match", depends_on={}, build=counting_stage(runs))
    assert runs == ["content", "content"]


def test_a_digest_is_of_names_and_content(tmp_path: Path) -> None:
    for folder, name in (("one", "a"), ("two", "a"), ("three", "b")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text("text")
    one, two, three = (content_digest(tmp_path / f) for f in ("one", "two", "three"))
    assert one == two
    assert one != three


def test_two_runs_do_not_share_a_directory(tmp_path: Path) -> None:
    with (
        RunDirectory(tmp_path).locked(),
        pytest.raises(SetupError, match="another run is at work here"),
        RunDirectory(tmp_path).locked(),
    ):
        pass
    with RunDirectory(tmp_path).locked():
        pass


def test_a_lock_that_was_deleted_since_it_was_opened_holds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock

    def after_another_run_has_ended(lock: TextIO, how: int) -> None:
        (tmp_path / ".lock").unlink()
        flock(lock, how)

    monkeypatch.setattr(fcntl, "flock", after_another_run_has_ended)
    with (
        pytest.raises(SetupError, match="another run is at work here"),
        RunDirectory(tmp_path).locked(),
    ):
        pass


def test_a_file_in_the_place_of_the_run_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run").touch()
    with (
        pytest.raises(InputError, match="is not a folder; name another"),
        RunDirectory(tmp_path / "run").locked(),
    ):
        pass


@pytest.mark.parametrize("name", [".words.partial", ".words.old"])
def test_a_file_in_the_place_of_a_folder_of_work_is_refused(tmp_path: Path, name: str) -> None:
    run = RunDirectory(tmp_path / "run")
    run.stage("words", depends_on={"n": 1}, build=lambda _: {})
    (run.path / name).write_text("mine")
    with pytest.raises(InputError, match=rf"{re.escape(name)}: is in the way.*; move it"):
        run.stage("words", depends_on={"n": 2}, build=lambda _: {})
    assert (run.path / name).read_text() == "mine"
    assert finished_stage(run.path / "words").notes == {}


def test_finished_parts_stay_until_the_stage_is_whole(tmp_path: Path) -> None:
    directory = RunDirectory(tmp_path)
    seen: list[list[str]] = []

    def build(out: Path, *, fails: bool = False) -> None:
        folder = directory.parts("match", rows=10).folder
        folder.mkdir(parents=True, exist_ok=True)
        seen.append(sorted(file.name for file in folder.iterdir()))
        (folder / f"part {len(seen)}").touch()
        (out / "file").touch()
        if fails:
            raise KeyboardInterrupt

    def interrupted(threshold: int) -> None:
        with pytest.raises(KeyboardInterrupt):
            directory.stage(
                "match", depends_on={"threshold": threshold}, build=partial(build, fails=True)
            )

    interrupted(1)
    interrupted(1)
    interrupted(2)
    assert len(list((tmp_path / ".match.parts").iterdir())) == 1
    directory.stage("match", depends_on={"threshold": 2}, build=build)
    assert seen == [[], ["part 1"], [], ["part 3"]]
    assert not (tmp_path / ".match.parts").exists()
    # Who was killed between the two steps left them beside the finished stage.
    (tmp_path / ".match.parts" / "left").mkdir(parents=True)
    directory.stage("match", depends_on={"threshold": 2}, build=build)
    assert len(seen) == 4
    assert not (tmp_path / ".match.parts").exists()
