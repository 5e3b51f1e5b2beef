"""The file of a judge's answers: one JSON object a line, on disk as soon as it is there.

What it holds is not asked for again. A line that was being written when the work was cut off goes
when the file is opened again.
"""

import fcntl
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

from evaluator.errors import InputError, SetupError
from evaluator.inputs import numbered_lines, open_file
from evaluator.json_objects import parse_json

_KEY = ("model", "prompt", "question", "id")
_FIELDS = {*_KEY, "answer"}
_BEGINS = b'{"id": "'  # what half a line of ours begins with: no other file is cut


class AnswerKey(NamedTuple):
    """What an answer is to: the model and digest of the prompt, the question, the fact's digest."""

    model: str
    prompt: str
    question: str
    id: str


class AnswerFile:
    """Answers, known and to come. Threads may share it.

    Attributes
    ----------
    path
        The file.
    known
        What is answered.
    healed
        Whether half a line was taken away.
    """

    def __init__(self, path: Path, file: FileIO) -> None:
        self.path, self._file = path, file
        self._lock = threading.Lock()
        self.known, end = _known(path)
        self.healed = file.seek(0, os.SEEK_END) > end
        file.truncate(end)
        if end and os.pread(file.fileno(), 1, end - 1) != b"\n":
            file.seek(end)
            file.write(b"\n")  # all that was missing of the last line
        file.seek(0, os.SEEK_END)

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator["AnswerFile"]:
        """Open a file of answers, or begin one; without an answer none is left.

        Raises
        ------
        InputError
            If it is no such file, is damaged, or cannot be written.
        SetupError
            If another process adds to it.
        """
        is_new = not path.exists()
        if not (is_new or path.is_file()):
            raise InputError(path, "no file; name a file of answers with --out")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise InputError(path, f"cannot be written ({error.strerror})") from None
        with FileIO(number, "r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                message = f"{path}: a judge is being asked into it; wait, or name another --out"
                raise SetupError(message) from None
            try:
                yield cls(path, file)
            finally:
                if is_new and not os.fstat(number).st_size:
                    path.unlink(missing_ok=True)

    def add(self, answer: dict[str, Any]) -> None:
        """Append an answer; it is on disk when this returns.

        Raises
        ------
        InputError
            If it cannot be written.
        """
        line = memoryview(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        with self._lock:
            try:
                while line:
                    line = line[self._file.write(line) or 0 :]
                os.fsync(self._file.fileno())
            except OSError as error:
                raise InputError(self.path, f"cannot be written ({error.strerror})") from None
            self.known.add(AnswerKey(*(answer[name] for name in _KEY)))


def _known(path: Path) -> tuple[set[AnswerKey], int]:
    """Return what is answered in a file, and where its last whole line ends."""
    known, end = set(), 0
    with open_file(path) as file:
        for number, line in numbered_lines(file, path):
            if not line.endswith(b"\n") and not _is_whole(line):
                if not line.startswith(_BEGINS[: len(line)]):
                    raise _no_answer(path, number)
                break
            end += len(line)
            if line.strip():
                known.add(_key_of(path, number, line))
    return known, end


def _is_whole(line: bytes) -> bool:
    with suppress(ValueError):
        parse_json(line)
        return True
    return False


def _key_of(path: Path, number: int, line: bytes) -> AnswerKey:
    try:
        answer = parse_json(line)
    except ValueError:
        raise _no_answer(path, number) from None
    if not isinstance(answer, dict) or not answer.keys() >= _FIELDS:
        raise _no_answer(path, number)
    return AnswerKey(*(str(answer[name]) for name in _KEY))


def _no_answer(path: Path, number: int) -> InputError:
    what = f"no answer of a judge, with {', '.join(sorted(_FIELDS))}; name another --out"
    return InputError(path, what, line=number)
