"""A cluster without executors is told, once for each time."""

import threading
import time

from pyspark.sql import SparkSession

from jobs.spark.preflight import by_host, look_here
from jobs.spark.waiting import executors, watched


def test_that_there_is_no_executor_is_told_once(spark: SparkSession) -> None:
    context = spark.sparkContext  # on one machine the driver does all, and there is none
    assert executors(context) == 0
    said: list[str] = []
    with watched(context, patience=0.2, tell=said.append):
        end = time.monotonic() + 20
        while not said and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(0.5)
    [line] = said
    assert "has given no executor yet" in line
    assert "\n" not in line
    assert not [thread for thread in threading.enumerate() if thread.name == "executors"]


def test_a_slot_tells_what_it_has_and_what_it_cannot_read(tmp_path) -> None:
    (tmp_path / "index" / "shard-0").mkdir(parents=True)
    (tmp_path / "index" / "shard-0" / "a.pos").write_bytes(b"x")
    paths = {"index": str(tmp_path / "index"), "kb": str(tmp_path / "nothing")}
    found = look_here(paths)
    assert found["lucene"].startswith("10.")
    assert found["problems"] == [f"kb {tmp_path / 'nothing'}: No such file or directory"]
    [host] = by_host([found, {**found, "free_disk": 1, "problems": ["x"]}])
    assert host["slots"] == 2
    assert host["free_disk"] == 1
    assert len(host["problems"]) == 2
