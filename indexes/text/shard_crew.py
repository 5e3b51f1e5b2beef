"""Who writes the shards of a build: this process alone, or processes beside it.

Processes are spawned, never forked, since a JVM does not survive a fork. They end with this one,
however it ends: each waits on a connection, whose end is the end of its work.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

from evaluator.counting.occurrences import Integers
from evaluator.errors import SetupError
from evaluator.model import Rejects
from indexes.collections import Record, decode
from indexes.jvm import Java, running
from indexes.processes import Worker, requests, starting, that_travels
from indexes.text.manifest import PLACE_BITS, ShardManifest
from indexes.text.plan import Batch, BuildPlan, Framed, frame
from indexes.text.shard_writer import Pacemaker, ShardWriter

type BuildProgress = Callable[[str, int], None]
"""Told what is being done, and how many documents are in."""
type Finished = list[tuple[ShardManifest, Rejects]]

_BUFFER = 192.0  # megabytes in each process
_PLACE = (1 << PLACE_BITS) - 1
_FRAMED = "framed.json"


class ShardCrew(Protocol):
    """Who writes the shards of a plan into a folder."""

    def write(self) -> Framed:
        """Write all records; what is done already is passed over."""

    def finish(self, duplicates: Sequence[Integers]) -> Finished:
        """Take out the duplicates of each shard, merge it, say what is in it."""


type OpenCrew = Callable[[BuildPlan, Path, BuildProgress], AbstractContextManager[ShardCrew]]


class Desk:
    """The writers of some of the shards, in one process."""

    def __init__(self, java: Java, plan: BuildPlan, folder: Path, shards: Sequence[int]) -> None:
        self._closing = ExitStack()
        self._writers: dict[int, ShardWriter] = {}
        self._pace = Pacemaker(plan.pace.commit_seconds)
        buffer = max(16.0, _BUFFER / len(shards))
        with ExitStack() as opening:
            for shard in shards:
                writer = ShardWriter(java, folder / plan.names[shard], buffer=buffer)
                opening.callback(writer.close)
                self._writers[shard] = writer
            self._closing = opening.pop_all()

    def close(self) -> None:
        """Close the writers; what was not committed is lost."""
        self._closing.close()

    @property
    def batches(self) -> dict[int, int]:
        """How many batches each shard has, for good."""
        return {shard: writer.batches for shard, writer in self._writers.items()}

    @property
    def documents(self) -> int:
        """How many documents there are in these shards."""
        return sum(writer.documents for writer in self._writers.values())

    def take(self, shard: int, batch: Batch) -> None:
        """Decode the records of a batch and add them to a shard."""
        writer = self._writers[shard]
        for ordinal, where, content in batch.records:
            record = Record(ordinal & _PLACE, where, content)
            document = decode(record, format=batch.format, rejects=writer.rejects)
            if document is not None:
                writer.add(ordinal, document)
        writer.batches += 1
        if self._pace.due:
            for each in self._writers.values():
                each.commit()

    def complete(self) -> None:
        """Commit that all records are in."""
        for writer in self._writers.values():
            if not writer.complete:
                writer.commit(complete=True)

    def finish(self, duplicates: dict[int, Integers]) -> dict[int, tuple[ShardManifest, Rejects]]:
        """Finish the shards; see :class:`ShardCrew`."""
        return {shard: self._writers[shard].finish(rows) for shard, rows in duplicates.items()}


class _Alone:
    """The crew of one: all shards are written in this process."""

    def __init__(self, desk: Desk, plan: BuildPlan, folder: Path, progress: BuildProgress) -> None:
        self._desk, self._plan, self._folder, self._progress = desk, plan, folder, progress

    def write(self) -> Framed:
        def hand_over(shard: int, batch: Batch) -> None:
            self._desk.take(shard, batch)
            self._progress("indexing", self._desk.documents)

        done = self._desk.batches
        return _deal(self._plan, self._folder, done, hand_over, self._desk.complete)

    def finish(self, duplicates: Sequence[Integers]) -> Finished:
        self._progress("merging", self._desk.documents)
        finished = self._desk.finish(dict(enumerate(duplicates)))
        return [finished[shard] for shard in range(self._plan.shards)]


class _Team:
    """Processes write the shards, each some of them."""

    def __init__(self, plan: BuildPlan, folder: Path, progress: BuildProgress) -> None:
        self._plan, self._folder, self._progress = plan, folder, progress
        self._workers: list[Worker] = []
        self._documents = [0] * plan.workers

    def start(self) -> None:
        for number in range(self._plan.workers):
            shards = range(number, self._plan.shards, self._plan.workers)
            with starting():
                self._workers.append(Worker(_work, self._plan, self._folder, list(shards)))

    def close(self) -> None:
        self._all("close")
        for worker in self._workers:
            worker.join()

    def kill(self) -> None:
        for worker in self._workers:
            worker.kill()

    def write(self) -> Framed:
        done: dict[int, int] = {}
        for worker in range(self._plan.workers):
            done |= self._answer(worker)

        def hand_over(shard: int, batch: Batch) -> None:
            self._ask(shard % self._plan.workers, "take", shard, batch)
            for number, worker in enumerate(self._workers):
                while worker.connection.poll():
                    self._receive(number)
            self._progress("indexing", sum(self._documents))

        return _deal(self._plan, self._folder, done, hand_over, lambda: self._all("complete"))

    def finish(self, duplicates: Sequence[Integers]) -> Finished:
        self._progress("merging", sum(self._documents))
        shares: list[dict[int, Integers]] = [{} for _ in self._workers]
        for shard, rows in enumerate(duplicates):
            shares[shard % self._plan.workers][shard] = rows
        finished: dict[int, tuple[ShardManifest, Rejects]] = {}
        for worker, share in enumerate(shares):
            self._ask(worker, "finish", share)
        for worker in range(len(shares)):
            finished |= self._answer(worker)
        return [finished[shard] for shard in range(self._plan.shards)]

    def _all(self, what: str) -> None:
        for worker in range(len(self._workers)):
            self._ask(worker, what)
        for worker in range(len(self._workers)):
            self._answer(worker)

    def _ask(self, worker: int, what: str, *arguments: object) -> None:
        try:
            self._workers[worker].connection.send((what, *arguments))
        except OSError:
            while True:  # until it says why, or that it died
                self._receive(worker)

    def _answer(self, worker: int) -> Any:
        """Wait for the answer of a worker; on the way, hear how far it has come."""
        while True:
            kind, told = self._receive(worker)
            if kind == "answer":
                return told
            self._progress("indexing", sum(self._documents))

    def _receive(self, worker: int) -> tuple[str, Any]:
        try:
            kind, told = self._workers[worker].connection.recv()
        except (EOFError, OSError):
            raise SetupError(
                f"{self._folder.parent}: {self._workers[worker].died()}: run the same command to "
                "go on, with fewer --workers if need be"
            ) from None
        if kind == "error":
            raise told
        if kind == "documents":
            self._documents[worker] = told
        return kind, told


@contextmanager
def local_crew(plan: BuildPlan, folder: Path, progress: BuildProgress) -> Iterator[ShardCrew]:
    """Give out the crew of this machine: one process, or as many as the plan says."""
    if plan.workers == 1:
        with running() as java, closing(Desk(java, plan, folder, range(plan.shards))) as desk:
            yield _Alone(desk, plan, folder, progress)
        return
    team = _Team(plan, folder, progress)
    try:
        team.start()
        yield team
        team.close()
    except BaseException:
        team.kill()
        raise


def _deal(
    plan: BuildPlan,
    folder: Path,
    done: dict[int, int],
    hand_over: Callable[[int, Batch], None],
    complete: Callable[[], None],
) -> Framed:
    """Hand the batches of a plan to its shards in turn, but for those that they have."""
    kept = Framed.load(folder.parent / _FRAMED)
    if kept is not None:
        return kept
    framed = Framed()
    for batch in frame(plan.files, framed, batch_bytes=plan.pace.batch_bytes):
        turn, shard = divmod(batch.number, plan.shards)
        if turn >= done[shard]:
            hand_over(shard, batch)
    complete()
    framed.save(folder.parent / _FRAMED)
    return framed


def _work(connection: Connection, plan: BuildPlan, folder: Path, shards: Sequence[int]) -> None:
    """Do, in a process of its own, what comes over the connection."""
    try:
        with running() as java, closing(Desk(java, plan, folder, shards)) as desk:
            connection.send(("answer", desk.batches))
            for what, *arguments in requests(connection, most=2):
                told = getattr(desk, what)(*arguments)
                kind = "documents" if what == "take" else "answer"
                connection.send((kind, desk.documents if what == "take" else told))
    except Exception as error:
        with suppress(OSError):
            connection.send(("error", that_travels(error)))
