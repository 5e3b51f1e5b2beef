"""Many facts asked about at once: within limits, each answer on disk before the next request."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from queue import Empty, Full, Queue
from threading import Event
from typing import Any

from evaluator.errors import DistvalError
from evaluator.judges.answers import read_answer
from jobs.judging.answer_file import AnswerFile, AnswerKey
from jobs.judging.batches import request_body
from jobs.judging.chat_server import (
    ChatServer,
    NoMoreRequestsError,
    NoServerAnswerError,
)
from jobs.judging.prompts import JudgePrompt, PromptTemplate

ANSWER_TOKENS = 50
"""What an answer is taken to cost: the object that is asked for, and a sentence."""

_IN_A_ROW = 5  # facts without an answer, one after the other, after which the server is given up
_WAITS = 0.2  # seconds between looks at whether the work is stopped
_PATIENCE = 10.0  # seconds for the answers on their way, where a person stops the work


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a prompt has: one for four bytes, and a few around it."""
    return len(text.encode("utf-8", "replace")) // 4 + 8


@dataclass
class AskedFacts:
    """What asking came to.

    Attributes
    ----------
    answers
        Answers that came.
    yes, no
        Those that say so; of probabilities, 0.5 is a yes.
    unreadable
        Those that cannot be read, by reason.
    failed
        Facts without an answer, by reason.
    requests, retries
        Requests that were sent, and how many of them again.
    tokens
        Of prompts and answers, as the server counts them, or else estimated.
    limit
        The limit that ended the work; empty where none did.
    """

    answers: int = 0
    yes: int = 0
    no: int = 0
    unreadable: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    retries: int = 0
    tokens: int = 0
    limit: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {**asdict(self), "unreadable": dict(self.unreadable), "failed": dict(self.failed)}


class Asking:
    """Asks a server about facts and writes down what it answers.

    Parameters
    ----------
    server
        The server; its ``before_request`` is set here.
    file
        Takes the answers.
    model
        Name of the model.
    template
        What the prompts were made from.
    workers
        Requests at the same time.
    most_requests, most_tokens
        Limits of this call; None for none. Of tokens the last answers may go beyond by a little:
        what an answer costs is known when it has come.
    on_answer
        Told of each answer how many there are now.
    """

    def __init__(
        self,
        server: ChatServer,
        file: AnswerFile,
        *,
        model: str,
        template: PromptTemplate,
        workers: int = 4,
        most_requests: int | None = None,
        most_tokens: int | None = None,
        on_answer: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._server, self._file = server, file
        self._model, self._template = model, template
        self._workers, self._on_answer = workers, on_answer
        self._most_requests, self._most_tokens = most_requests, most_tokens
        self._reserved = self._largest = self._in_a_row = 0
        self._lock = threading.Lock()
        self._error: BaseException | None = None
        self.done = AskedFacts()
        server.before_request = self._count_request

    def ask(self, prompts: Iterable[JudgePrompt]) -> AskedFacts:
        """Ask about every prompt that is not answered in the file, and return what that came to.

        Raises
        ------
        DistvalError
            If the server refuses the requests, or cannot be reached; answers that came are kept.
        """
        # Prompts are made here, in the thread that may use the index.
        waiting: Queue[JudgePrompt | None] = Queue(self._workers)
        stopped = self._server.stopped
        threads = [
            threading.Thread(target=self._work, args=(waiting,), daemon=True)
            for _ in range(self._workers)
        ]
        for thread in threads:
            thread.start()
        try:
            for prompt in prompts:
                if self._key(prompt) not in self._file.known and not _put(waiting, prompt, stopped):
                    break
            for _ in threads:
                _put(waiting, None, stopped)
            for thread in threads:
                thread.join()
        except BaseException:
            stopped.set()
            until = time.monotonic() + _PATIENCE
            for thread in threads:
                thread.join(max(0.0, until - time.monotonic()))
            raise
        finally:
            self.done.retries = self._server.retries
        if self._error is not None:
            raise self._error
        return self.done

    def _key(self, prompt: JudgePrompt) -> AnswerKey:
        template = self._template
        return AnswerKey(self._model, template.digest, template.question, prompt.id)

    def _work(self, waiting: "Queue[JudgePrompt | None]") -> None:
        stopped = self._server.stopped
        try:
            while (prompt := _taken(waiting, stopped)) is not None:
                try:
                    self._one(prompt)
                except NoServerAnswerError as error:
                    self._fail(str(error))
        except NoMoreRequestsError as error:
            if not stopped.is_set():
                self.done.limit = str(error)
            stopped.set()
        except BaseException as error:  # raised again by who asked for the work
            self._error = self._error or error
            stopped.set()

    def _one(self, prompt: JudgePrompt) -> None:
        reserved = self._reserve(estimated_tokens(prompt.text) + ANSWER_TOKENS)
        spent = 0
        try:
            completion = self._server.ask(request_body(prompt, model=self._model))
            e1, r, e2 = prompt.item
            model, digest, question, identifier = self._key(prompt)
            self._file.add(
                {"id": identifier, "e1": e1, "r": r, "e2": e2, "question": question}
                | {"model": model, "prompt": digest, "answer": completion.text}
                | {"usage": dict(completion.usage), "documents": list(prompt.documents)}
            )
            told = completion.tokens
            texts = (prompt.text, completion.text)
            spent = sum(map(estimated_tokens, texts)) if told is None else told
        finally:
            with self._lock:
                self._reserved -= reserved
                self._largest = max(self._largest, spent)
                self.done.tokens += spent
        self._count_answer(completion.text)

    def _reserve(self, tokens: int) -> int:
        """Return how many tokens are kept for a request: as many as the dearest has cost."""
        with self._lock:
            tokens, most = max(tokens, self._largest), self._most_tokens
            if most is not None and self.done.tokens + self._reserved + tokens > most:
                raise NoMoreRequestsError(f"--max-tokens {most}")
            self._reserved += tokens
            return tokens

    def _count_answer(self, text: str) -> None:
        value, reason = read_answer(text)
        with self._lock:
            self._in_a_row = 0
            self.done.answers += 1
            if value is None:
                self.done.unreadable[reason] += 1
            elif value >= 0.5:
                self.done.yes += 1
            else:
                self.done.no += 1
            self._on_answer(self.done.answers)

    def _count_request(self) -> None:
        with self._lock:
            if self._most_requests is not None and self.done.requests >= self._most_requests:
                raise NoMoreRequestsError(f"--max-calls {self._most_requests}")
            self.done.requests += 1

    def _fail(self, reason: str) -> None:
        with self._lock:
            self.done.failed[reason] += 1
            self._in_a_row += 1
            if self._in_a_row >= _IN_A_ROW:
                raise DistvalError(
                    f"{self._server.name}: {reason}, for {self._in_a_row} facts one after the "
                    f"other; answers so far are in {self._file.path}: run the same command again "
                    "to go on"
                )


def _put(waiting: "Queue[JudgePrompt | None]", one: JudgePrompt | None, stopped: Event) -> bool:
    """Put something into a queue once there is room; tell whether the work still goes on."""
    while not stopped.is_set():
        with suppress(Full):
            waiting.put(one, timeout=_WAITS)
            return True
    return False


def _taken(waiting: "Queue[JudgePrompt | None]", stopped: Event) -> JudgePrompt | None:
    """Return what is next in a queue; None where there is no more, or the work is stopped."""
    while not stopped.is_set():
        with suppress(Empty):
            return waiting.get(timeout=_WAITS)
    return None
