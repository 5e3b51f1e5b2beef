"""Many facts at once: nothing is asked twice, no limit is passed, no answer is lost."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluator.errors import DistvalError, InputError, SetupError
from evaluator.judges.judgements import read_judgements
from jobs.judging.answer_file import AnswerFile
from jobs.judging.asking import AskedFacts, Asking, estimated_tokens
from jobs.judging.chat_server import ChatServer, ServerRefusalError
from jobs.judging.prompts import FactInWords, JudgePrompt, PromptTemplate
from tests.jobs.judging.servers import Asked, Reply, said, serving

TEMPLATE = PromptTemplate("world", "{fact}?")
YES, NO = '{"output": "yes"}', '{"output": "no"}'


def prompts(count: int) -> list[JudgePrompt]:
    return [
        TEMPLATE.about(FactInWords((f"a{n}", "r", f"b{n}"), (f"a{n}", "r", f"b{n}"), ""))
        for n in range(count)
    ]


def ask(
    asked: Asked,
    path: Path,
    of: Iterable[JudgePrompt],
    *,
    attempts: int = 4,
    template: PromptTemplate = TEMPLATE,
    model: str = "m",
    **options: Any,
) -> AskedFacts:
    server = ChatServer(endpoint=asked.url, pause=0.01, timeout=(1.0, 1.0), attempts=attempts)
    with AnswerFile.open(path) as file:
        return Asking(server, file, model=model, template=template, **options).ask(of)


def written(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_fact_gets_its_own_answer(tmp_path: Path) -> None:
    def answer(prompt: str, _: int) -> Reply:
        number = int(prompt.split()[0][1:])
        return said([YES, NO, "I cannot tell.", ""][number % 4], 10)

    path = tmp_path / "judges" / "m.jsonl"
    with serving(answer) as asked:
        done = ask(asked, path, prompts(20))
    assert (done.answers, done.yes, done.no) == (20, 5, 5)
    assert done.unreadable == {"no answer in it": 5, "empty": 5}
    assert (done.requests, done.retries, done.tokens) == (20, 0, 200)
    assert 1 < asked.most_at_once <= 4
    rows = written(path)
    assert {*rows[0]} == {
        *("id", "e1", "r", "e2", "question", "model", "prompt", "answer", "usage", "documents")
    }
    found = read_judgements(path)
    assert (found.model, found.prompt) == ("m", TEMPLATE.digest)
    values = {row.item[0]: row.value for row in found.rows if row.item}
    assert values == {f"a{n}": [1.0, 0.0, None, None][n % 4] for n in range(20)}
    assert {row.id for row in found.rows} == {prompt.id for prompt in prompts(20)}


def test_what_is_answered_is_not_asked_again_but_for_another_model_prompt_or_question(
    tmp_path: Path,
) -> None:
    path = tmp_path / "answers.jsonl"
    with serving(lambda *_: said(YES)) as asked:
        ask(asked, path, prompts(3))
        assert ask(asked, path, prompts(5)).answers == 2
        assert {*asked.counts.values()} == {1}
        assert ask(asked, path, prompts(5), model="n").answers == 5
        other = PromptTemplate("world", "{fact}!")
        assert ask(asked, path, prompts(5), template=other).answers == 5
        sentence = PromptTemplate("sentence", "{fact} {sentence}?")
        assert ask(asked, path, prompts(5), template=sentence).answers == 5
    assert len(written(path)) == 20


def test_failures_on_the_way_cost_no_answer(tmp_path: Path) -> None:
    failures = [
        Reply(b"", status=429, headers={"Retry-After": "0"}),
        Reply(b"", status=500),
        Reply(b"{"),
        Reply(b'{"choi', missing=40),
    ]

    def answer(prompt: str, nth: int) -> Reply:
        number = int(prompt.split()[0][1:])
        return said(NO) if nth > number % 3 else failures[number % 4]

    path = tmp_path / "answers.jsonl"
    with serving(answer) as asked:
        done = ask(asked, path, prompts(12))
    assert (done.answers, done.no, done.retries) == (12, 12, 12)  # 0, 1, 2, four times
    assert done.requests == len(asked.prompts) == 24
    assert len(written(path)) == 12


def test_an_interruption_waits_for_the_answers_on_their_way(tmp_path: Path) -> None:
    def some(of: list[JudgePrompt]) -> Iterator[JudgePrompt]:
        yield from of[:6]
        raise KeyboardInterrupt

    path = tmp_path / "answers.jsonl"
    with serving(lambda *_: said(YES)._replace(after=0.1)) as asked:
        with pytest.raises(KeyboardInterrupt):
            ask(asked, path, some(prompts(10)), workers=3)
        assert len(written(path)) == len(asked.prompts) < 10
        ask(asked, path, prompts(10))
        assert asked.counts == {prompt.text: 1 for prompt in prompts(10)}
    assert len(written(path)) == 10


# Asks about ten facts, one at a time.
CHILD = """
import sys
from pathlib import Path
from tests.jobs.judging.test_asking import TEMPLATE, prompts
from jobs.judging.answer_file import AnswerFile
from jobs.judging.asking import Asking
from jobs.judging.chat_server import ChatServer
with AnswerFile.open(Path(sys.argv[2])) as file:
    server = ChatServer(endpoint=sys.argv[1])
    Asking(server, file, model="m", template=TEMPLATE, workers=1).ask(prompts(10))
"""


def test_a_kill_in_the_middle_loses_no_answer_that_was_paid_for(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    killed = False

    def answer(_: str, nth: int) -> Reply:
        # The fifth request is on its way when the process is killed.
        waits = 2.0 if len(asked.prompts) == 5 and not killed else 0.0
        return said(YES)._replace(after=waits)

    with serving(answer) as asked:
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, asked.url, path],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        while len(asked.prompts) < 5:
            assert child.poll() is None
            time.sleep(0.02)
        child.send_signal(signal.SIGKILL)
        child.wait()
        killed = True
        four = path.read_bytes()
        assert len(four.splitlines()) == 4
        path.write_bytes(four[:-30])  # and the last line did not reach the disk whole
        done = ask(asked, path, prompts(10), workers=1)
    assert done.answers == 7
    ids = [row["id"] for row in written(path)]
    assert sorted(ids) == sorted({prompt.id for prompt in prompts(10)})
    assert path.read_bytes().startswith(b"".join(four.splitlines(keepends=True)[:3]))
    # Twice: the one whose answer was lost, and the one that was on its way.
    assert sorted(asked.counts.values()) == [1] * 8 + [2] * 2


def test_a_last_line_that_lacks_its_end_alone_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with serving(lambda *_: said(YES)) as asked:
        ask(asked, path, prompts(2))
        path.write_bytes(path.read_bytes()[:-1])
        assert ask(asked, path, prompts(3)).answers == 1
    assert len({row["id"] for row in written(path)}) == 3


def test_no_more_requests_than_allowed_those_sent_again_included(tmp_path: Path) -> None:
    def answer(_: str, nth: int) -> Reply:
        return said(YES) if nth > 1 else Reply(b"", status=500)

    path = tmp_path / "answers.jsonl"
    with serving(answer) as asked:
        done = ask(asked, path, prompts(20), most_requests=7)
        assert len(asked.prompts) == done.requests == 7
        assert done.limit == "--max-calls 7"
        assert done.answers == len(written(path)) <= 3
        done = ask(asked, path, prompts(20))
        assert not done.limit
    assert len(written(path)) == 20


@pytest.mark.parametrize("told", [True, False])
def test_no_more_tokens_than_allowed(tmp_path: Path, told: bool) -> None:
    path = tmp_path / "answers.jsonl"
    with serving(lambda *_: said(YES, 100 if told else None)) as asked:
        done = ask(asked, path, prompts(100), most_tokens=1000)
    assert done.limit == "--max-tokens 1000"
    assert done.tokens <= 1000
    assert done.answers == len(written(path)) > 5
    if told:
        assert done.tokens == 100 * done.answers
    else:
        parts = (estimated_tokens(p.text) + estimated_tokens(YES) for p in prompts(done.answers))
        assert done.tokens == sum(parts)


def test_a_fact_that_always_fails_does_not_hold_up_the_others(tmp_path: Path) -> None:
    def answer(prompt: str, _: int) -> Reply:
        return Reply(b"", status=500) if prompt.startswith("a3 ") else said(YES)

    path = tmp_path / "answers.jsonl"
    with serving(answer) as asked:
        done = ask(asked, path, prompts(10), attempts=2)
    assert (done.answers, done.failed) == (9, {"the server answered 500": 1})


def test_a_server_that_is_down_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with (
        serving(lambda *_: Reply(b"", status=503)) as asked,
        pytest.raises(DistvalError, match=r"answered 503, for 5 facts one after the other"),
    ):
        ask(asked, path, prompts(50), attempts=1)
    assert len(asked.prompts) < 15


def test_a_refusal_ends_the_work_and_keeps_the_answers(tmp_path: Path) -> None:
    def answer(prompt: str, _: int) -> Reply:
        return Reply(b"", status=401) if prompt.startswith("a5 ") else said(YES)

    path = tmp_path / "answers.jsonl"
    with serving(answer) as asked, pytest.raises(ServerRefusalError, match="401"):
        ask(asked, path, prompts(50), workers=2)
    assert 5 <= len(written(path)) < 12


def test_without_an_answer_no_file_is_left(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with AnswerFile.open(path):
        assert path.exists()
    assert not path.exists()


def test_one_process_at_a_time_asks_into_a_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with (
        AnswerFile.open(path),
        pytest.raises(SetupError, match="is being asked into it"),
        AnswerFile.open(path),
    ):
        pass


@pytest.mark.parametrize(
    "content", ['{"id": "f", "verdict": "yes"}\n', "e1\tr\te2\n", "[]", '{"name": "x"}', "half"]
)
def test_a_file_of_something_else_is_refused_and_left_as_it_is(
    tmp_path: Path, content: str
) -> None:
    path = tmp_path / "other"
    path.write_text(content)
    with pytest.raises(InputError, match="other:1: no answer of a judge"), AnswerFile.open(path):
        pass
    assert path.read_text() == content


def test_a_damaged_line_in_the_middle_is_told(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with serving(lambda *_: said(YES)) as asked:
        ask(asked, path, prompts(2))
    one, two = path.read_text().splitlines()
    path.write_text(f"{one}\n{two[:20]}\n{two}\n")
    with pytest.raises(InputError, match="jsonl:2: no answer"), AnswerFile.open(path):
        pass
