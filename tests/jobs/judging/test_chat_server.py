"""One server: asked again where that may help, told of where it does not, never told on."""

import logging
import threading
import time
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from evaluator.errors import ConfigurationError
from jobs.judging.chat_server import (
    KEY,
    ChatServer,
    Completion,
    NoMoreRequestsError,
    NoServerAnswerError,
    ServerRefusalError,
)
from tests.jobs.judging.servers import Asked, Reply, said, serving

YES = '{"output": "yes"}'
SECRET = "sk-a1b2c3-secret"


def body(text: str = "is it so?") -> dict[str, Any]:
    return {"model": "m", "temperature": 0, "messages": [{"role": "user", "content": text}]}


def server_of(asked: Asked, **options: Any) -> ChatServer:
    return ChatServer(endpoint=asked.url, **{"pause": 0.01, "timeout": (1.0, 0.3)} | options)


def test_an_answer_comes_with_its_tokens() -> None:
    with serving(lambda *_: said(YES, 21)) as asked:
        found = server_of(asked).ask(body())
    assert found == Completion(YES, {"total_tokens": 21, "prompt_tokens": 1})
    assert found.tokens == 21
    assert asked.bodies == [body()]
    assert asked.headers[0]["path"] == "/v1/chat/completions"
    assert "Authorization" not in asked.headers[0]


def test_a_refusal_to_speak_is_an_empty_answer() -> None:
    with serving(lambda *_: said(None)) as asked:
        assert server_of(asked).ask(body()) == Completion("", {})


FAILURES = {
    "no answer in time": Reply(b"", after=0.6),
    "the server answered 429": Reply(b"", status=429),
    "the server answered 500": Reply(b"<html>", status=500),
    "the server answered 503": Reply(b"", status=503),
    "an answer in broken JSON": Reply(b'{"choices": [{"mess'),
    "the answer was cut off": Reply(said(YES).body[:30], missing=50),
    "an answer of another form": Reply(b'{"error": {"message": "busy"}}'),
}


@pytest.mark.parametrize("reason", FAILURES)
def test_what_may_pass_is_asked_again(reason: str) -> None:
    def answer(_: str, nth: int) -> Reply:
        return FAILURES[reason] if nth < 3 else said(YES)

    with serving(answer) as asked:
        server = server_of(asked)
        assert server.ask(body()).text == YES
        assert (len(asked.prompts), server.retries) == (3, 2)


@pytest.mark.parametrize("reason", FAILURES)
def test_what_does_not_pass_is_told_after_the_last_attempt(reason: str) -> None:
    with serving(lambda *_: FAILURES[reason]) as asked:
        with pytest.raises(NoServerAnswerError, match=f"^{reason}$"):
            server_of(asked, attempts=2).ask(body())
        assert len(asked.prompts) == 2


def test_waits_grow() -> None:
    with serving(lambda *_: Reply(b"", status=500)) as asked, pytest.raises(NoServerAnswerError):
        server_of(asked, pause=0.1, attempts=4).ask(body())
    waits = [after - before for before, after in zip(asked.times, asked.times[1:], strict=False)]
    assert [wait >= least for wait, least in zip(waits, (0.1, 0.2, 0.4), strict=True)] == [True] * 3


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_the_server_says_how_long_to_wait(form: str) -> None:
    def answer(_: str, nth: int) -> Reply:
        if nth > 1:
            return said(YES)
        until = "1" if form == "seconds" else formatdate(time.time() + 2, usegmt=True)
        return Reply(b"", status=429, headers={"Retry-After": until})

    with serving(answer) as asked:
        server = server_of(asked)
        assert server.ask(body()).text == YES
    assert asked.times[1] - asked.times[0] >= 0.9  # a date is in whole seconds


def test_while_one_request_has_to_wait_so_do_the_others() -> None:
    def answer(prompt: str, nth: int) -> Reply:
        busy = Reply(b"", status=429, headers={"Retry-After": "1"})
        return busy if (prompt, nth) == ("first", 1) else said(YES)

    with serving(answer) as asked:
        server = server_of(asked)
        first = threading.Thread(target=server.ask, args=(body("first"),))
        first.start()
        while not asked.prompts:
            time.sleep(0.01)
        time.sleep(0.1)
        server.ask(body("second"))
        first.join()
    assert asked.times[asked.prompts.index("second")] - asked.times[0] >= 0.9


def test_a_server_that_asks_to_wait_for_an_hour_is_given_up() -> None:
    busy = Reply(b"", status=429, headers={"Retry-After": "3600"})
    with (
        serving(lambda *_: busy) as asked,
        pytest.raises(ServerRefusalError, match="429, and asks to wait for 3,600 seconds"),
    ):
        server_of(asked).ask(body())


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_is_told_in_one_line_at_once(status: int) -> None:
    reply = Reply(b'{"error": {"message": "no model\\nof that name"}}', status=status)
    with serving(lambda *_: reply) as asked:
        with pytest.raises(ServerRefusalError) as error:
            server_of(asked).ask(body())
        assert len(asked.prompts) == 1
    line = str(error.value)
    assert f"/v1/chat/completions: the server answered {status} ('no model\\nof that" in line
    assert "\n" not in line


def test_requests_keep_the_rate() -> None:
    with serving(lambda *_: said(YES)) as asked:
        server = server_of(asked, per_minute=600)
        for _ in range(4):
            server.ask(body())
    assert asked.times[-1] - asked.times[0] >= 0.28  # three times a tenth of a second


def test_no_request_is_sent_once_the_work_is_stopped() -> None:
    with serving(lambda *_: said(YES)) as asked:
        server = server_of(asked)
        server.stopped.set()
        with pytest.raises(NoMoreRequestsError):
            server.ask(body())
        assert not asked.prompts


def test_the_key_is_in_the_header_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(KEY, SECRET)
    caplog.set_level(logging.DEBUG)
    told = f'{{"error": {{"message": "wrong key {SECRET}"}}}}'.encode()
    with serving(lambda *_: Reply(told, status=401)) as asked:
        server = server_of(asked)
        with pytest.raises(ServerRefusalError, match="wrong key …") as error:
            server.ask(body())
    assert asked.headers[0]["Authorization"] == f"Bearer {SECRET}"
    for text in (str(error.value), repr(server), caplog.text, str(asked.bodies)):
        assert SECRET not in text


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_other_host_is_sent_the_key(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    monkeypatch.setenv(KEY, SECRET)
    with serving(lambda *_: said(YES)) as other:
        to = other.url.replace("127.0.0.1", "localhost") + "/chat/completions?token=x"
        sends_on = Reply(b"", status=status, headers={"Location": to})
        with (
            serving(lambda *_: sends_on) as asked,
            pytest.raises(ServerRefusalError, match="sends on to http://localhost; name"),
        ):
            server_of(asked).ask(body())
        assert not other.prompts


def test_netrc_does_not_tell_a_server_who_we_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login ann password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with serving(lambda *_: said(YES)) as asked:
        server_of(asked).ask(body())
    assert "Authorization" not in asked.headers[0]


@pytest.mark.parametrize("key", ["two words", "line\nend", "schlüssel"])
def test_what_cannot_be_a_key_is_refused_without_being_shown(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv(KEY, key)
    with pytest.raises(ConfigurationError, match=KEY) as error:
        ChatServer(endpoint="http://localhost/v1")
    assert key not in str(error.value)


@pytest.mark.parametrize(
    "endpoint",
    ["localhost:8000", "ftp://host/v1", "http://", "http://a:secret@host/v1", "http://h/v1?key=s"],
)
def test_an_endpoint_is_an_address_without_secrets(endpoint: str) -> None:
    with pytest.raises(ConfigurationError, match="--endpoint") as error:
        ChatServer(endpoint=endpoint)
    assert "secret" not in str(error.value)


def test_nobody_at_home_is_no_answer() -> None:
    with serving(lambda *_: said(YES)) as asked:
        pass  # it has gone
    with pytest.raises(NoServerAnswerError, match="the connection failed"):
        server_of(asked, attempts=2).ask(body())
