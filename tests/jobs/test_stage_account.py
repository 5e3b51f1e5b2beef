"""What stages took: kept over runs, and not believed where it is damaged."""

import json
from pathlib import Path

import pytest

from evaluator.errors import InputError
from jobs.stage_account import FILE, StageAccounts, skipped_records


def made(run: Path) -> dict:
    accounts = StageAccounts(run)
    with accounts.timed("read", run / "read") as told:
        (run / "read").mkdir(parents=True, exist_ok=True)
        (run / "read" / "a.txt").write_text("abc")
        told["notes"] = {"systems": {"a": {"rejected": {"not JSON": 2}}}, "rejected": {"x": 1}}
    return json.loads((run / FILE).read_text())[0]


def again(run: Path) -> dict:
    StageAccounts(run).kept("read", run / "read", {})
    return json.loads((run / FILE).read_text(), parse_constant=pytest.fail)[0]


def test_a_stage_that_is_kept_keeps_what_it_took(tmp_path: Path) -> None:
    first = made(tmp_path)
    assert (first["bytes"], first["skipped"]) == (3, {"not JSON": 2, "x": 1})
    kept = again(tmp_path)
    assert kept["kept"]
    assert (kept["seconds"], kept["peak_memory"]) == (first["seconds"], first["peak_memory"])


@pytest.mark.parametrize("odd", ["NaN", "1e999", '"\\u001b[31m"', "true", "null", "[1]"])
def test_what_is_no_number_is_not_carried_on(tmp_path: Path, odd: str) -> None:
    made(tmp_path)
    text = json.dumps([{"stage": "read", "rows": {}, "seconds": 0.125, "peak_memory": 0.125}])
    (tmp_path / FILE).write_text(text.replace("0.125", odd))
    kept = again(tmp_path)
    assert (kept["seconds"], kept["peak_memory"]) == (None, None)


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(InputError, match=r"stages\.json: is a folder: delete it"):
        made(tmp_path)


def test_skipped_records_are_counted_over_all_inputs() -> None:
    notes = {"a": {"rejected": {"x": 1}}, "b": {"c": {"rejected": {"x": 2, "y": 3}}}}
    assert skipped_records(notes) == {"x": 3, "y": 3}
