"""What goes wrong inside Spark is told in one line, and nothing else is printed."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import os, sys
from pathlib import Path
from evaluator.errors import DistvalError, InputError
from jobs.spark.session import spark_session
from tests.jobs.sample_runs import SMALL

def end_java(spark):
    os.kill(int(spark._jvm.java.lang.ProcessHandle.current().pid()), 9)
    spark.range(3).count()

def end_worker(spark):
    spark.sparkContext.parallelize([1], 1).map(lambda _: os.kill(os.getpid(), 9)).collect()

def full_disk(spark):
    def full(_):
        with open("/dev/full", "w") as device:
            device.write("x")
    spark.sparkContext.parallelize([1], 1).map(full).collect()

def ours(spark):
    def refuse(_):
        raise InputError("facts.tsv", "is odd", line=3)
    spark.sparkContext.parallelize([1], 1).map(refuse).collect()

def table(spark, name):
    folder = Path(sys.argv[1]) / name
    spark.range(1000).write.parquet(str(folder))
    for file in folder.glob(".*.crc"):
        file.unlink()
    return folder, next(folder.glob("*.parquet"))

def cut_file(spark):
    folder, file = table(spark, "cut_file")
    file.write_bytes(file.read_bytes()[:-20])
    spark.read.parquet(str(folder)).count()

def flipped_file(spark):
    folder, file = table(spark, "flipped_file")
    content = bytearray(file.read_bytes())
    content[4:200] = bytes(reversed(content[4:200]))  # of the first page; the footer is whole
    file.write_bytes(content)
    spark.read.parquet(str(folder)).selectExpr("sum(id)").collect()

def lost_file(spark):
    folder, file = table(spark, "lost_file")
    rows = spark.read.parquet(str(folder))
    file.unlink()
    rows.count()

def no_table(spark):
    spark.read.parquet(sys.argv[1] + "/nothing").count()

def full_heap(spark):
    spark._jvm.java.util.ArrayList(2_000_000_000)

def own_mistake(spark):
    raise KeyError("a mistake of ours")

for ending in sys.argv[2].split():
    try:
        with spark_session(name="t", master="local[1]", partitions=1, settings=SMALL) as spark:
            for fault in sys.argv[3:] if ending == "end_java" else ():
                try:
                    with spark_session(name="t", master="local[1]", settings={}) as held:
                        globals()[fault](held)
                except DistvalError as error:
                    print(fault, error, sep=": ")
            globals()[ending](spark)
    except (DistvalError, KeyError) as error:
        print(type(error).__name__, error, sep=": ")
"""


FAULTS = {
    "full_disk": "no space is left on the disk of the run directory",
    "ours": "facts.tsv:3: is odd",
    "flipped_file": ".parquet: damaged: delete the folder that holds it",
    "full_heap": "Spark's Java process has too little memory: set spark.driver.memory",
    "no_table": "/nothing",
    "end_worker": "a Python worker was killed, perhaps for want of memory",
}

ENDS = {  # of sessions, one after the other; the last ends Java
    "cut_file": "InputError: {}/cut_file/part-",
    "lost_file": "is gone: delete the folder that held it",
    "own_mistake": "KeyError: 'a mistake of ours'",  # which is no fault of Spark's
    "end_java": "SetupError: Spark's Java process has ended",
}


def test_each_fault_inside_spark_is_one_line_with_its_cause(tmp_path: Path) -> None:
    """Whether the session goes on, in the last one, or ends with it; and nothing else is said."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), " ".join(ENDS), *FAULTS],
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == len(ENDS) + len(FAULTS), lines
    *ended, last = ENDS.values()
    goes_on = [f"{fault}: " for fault in FAULTS]
    for line, start in zip(lines[len(ended) : -1], goes_on, strict=True):
        assert line.startswith(start)
    for line, cause in zip(lines, [*ended, *FAULTS.values(), last], strict=True):
        assert cause.format(tmp_path) in line
