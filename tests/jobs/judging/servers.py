"""A chat-completions server on this machine that answers as it is told, and fails as it is told."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Reply(NamedTuple):
    """What the server sends: a status, a body, headers; fewer bytes than promised; late."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = {}
    missing: int = 0
    after: float = 0.0


def said(text: str | None, tokens: int | None = None) -> Reply:
    """Return the reply of a model."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    usage = {} if tokens is None else {"usage": {"total_tokens": tokens, "prompt_tokens": 1}}
    return Reply(json.dumps({"model": "m", "choices": [choice], **usage}).encode())


@dataclass
class Asked:
    """A server that is running, and what it was asked.

    `answer` makes the reply to a prompt, and to which time it is asked (from 1).
    """

    answer: Callable[[str, int], Reply]
    prompts: list[str] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def counts(self) -> Counter[str]:
        return Counter(self.prompts)


@contextmanager
def serving(answer: Callable[[str, int], Reply]) -> Iterator[Asked]:
    asked = Asked(answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = body["messages"][-1]["content"]
            with asked.lock:
                asked.prompts.append(prompt)
                asked.bodies.append(body)
                asked.headers.append({**self.headers, "path": self.path})
                asked.times.append(time.monotonic())
                nth = asked.counts[prompt]
                asked.at_once += 1
                asked.most_at_once = max(asked.most_at_once, asked.at_once)
            reply = asked.answer(prompt, nth)
            time.sleep(reply.after)
            with asked.lock:
                asked.at_once -= 1
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body) + reply.missing))
            self.end_headers()
            self.wfile.write(reply.body)
            if reply.missing:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

        def handle(self) -> None:
            with suppress(ConnectionError):  # who asked has given up
                super().handle()

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        asked.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield asked
        finally:
            server.shutdown()
            thread.join()
