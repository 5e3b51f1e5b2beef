"""One server that speaks the chat-completions protocol: asked, paced, and asked again.

The key stands in the environment and in the header of requests, and nowhere else: no redirect is
followed, and what a server says of a refused key is shown without it.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import requests

from evaluator.errors import ConfigurationError, DistvalError, excerpt
from evaluator.judges.judgements import content_of

KEY = "DISTVAL_JUDGE_KEY"
"""The environment variable that holds the key."""

_PATH = "/chat/completions"
_TIMEOUT = (10.0, 300.0)
_PASSING = {408, 429}  # of the refusals; what is 500 or more is passing too
_LONGEST_WAIT = 600.0  # seconds; whoever asks for more is busy for long


class ServerRefusalError(DistvalError):
    """The server does not answer such requests, however often they are sent."""


class NoServerAnswerError(DistvalError):
    """No answer, though the request was sent as often as is allowed. The message is the reason."""


class NoMoreRequestsError(DistvalError):
    """A request was not sent: a limit is reached, or the work is stopped."""


class _AgainError(Exception):
    """The attempt failed; another one may not."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


class Completion(NamedTuple):
    """What a server answered.

    Attributes
    ----------
    text
        The model's words.
    usage
        What the server says of tokens; empty where it says nothing.
    """

    text: str
    usage: Mapping[str, int]

    @property
    def tokens(self) -> int | None:
        """Tokens of prompt and answer together; None where the server does not tell."""
        if "total_tokens" in self.usage:
            return self.usage["total_tokens"]
        parts = [self.usage.get(f"{part}_tokens") for part in ("prompt", "completion")]
        return None if None in parts else sum(part or 0 for part in parts)


@dataclass(kw_only=True)
class ChatServer:
    """A chat-completions server.

    Attributes
    ----------
    endpoint
        Its address, such as http://localhost:8000/v1.
    per_minute
        Requests a minute at most; None for no limit.
    attempts
        How often one request is sent.
    pause
        Seconds to wait after the first failure; doubled after each further one. Where the server
        says how long to wait, no request is sent for so long.
    timeout
        Seconds for a connection, and for the next bytes of an answer.
    before_request
        Called before each request; raises NoMoreRequestsError where none may be sent.
    stopped
        Set to send no further request.
    retries
        Requests that were sent again.

    Raises
    ------
    ConfigurationError
        If the address is none of http or https, or holds a password, or the key cannot be one.
    """

    endpoint: str
    per_minute: float | None = None
    attempts: int = 6
    pause: float = 1.0
    timeout: tuple[float, float] = _TIMEOUT
    before_request: Callable[[], None] = lambda: None
    stopped: threading.Event = field(default_factory=threading.Event)
    retries: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._url = _address(self.endpoint)
        self._key = _key()
        self._pace = _Pace(self.per_minute, self.stopped)
        self._of_thread, self._lock = threading.local(), threading.Lock()

    @property
    def name(self) -> str:
        """What messages call it: its address, without what may be secret in it."""
        parts = urlsplit(self._url)
        return f"{parts.scheme}://{parts.netloc}{parts.path}"

    def ask(self, body: Mapping[str, Any]) -> Completion:
        """Return the answer to a request.

        Raises
        ------
        ServerRefusalError
            If the server refuses it for good.
        NoServerAnswerError
            If it fails as often as it may be sent.
        NoMoreRequestsError
            If it may not be sent.
        """
        for attempt in range(1, self.attempts + 1):
            self._pace.wait()
            if self.stopped.is_set():
                break
            self.before_request()
            with self._lock:
                self.retries += attempt > 1
            try:
                return self._attempt(body)
            except _AgainError as error:
                if error.wait > _LONGEST_WAIT:
                    said = f"asks to wait for {error.wait:,.0f} seconds; ask again then"
                    raise ServerRefusalError(f"{self.name}: {error}, and {said}") from None
                if attempt == self.attempts:
                    raise NoServerAnswerError(str(error)) from None
                self._pace.hold(error.wait)
                self.stopped.wait(min(self.pause * 2 ** (attempt - 1), _LONGEST_WAIT))
        raise NoMoreRequestsError("stopped")

    def _attempt(self, body: Mapping[str, Any]) -> Completion:
        try:
            response = self._session.post(
                self._url,
                json=body,
                timeout=self.timeout,
                allow_redirects=False,  # another host would be sent the key
                auth=self._authorised,  # also where there is no key: or ~/.netrc would be asked
            )
        except requests.Timeout:
            raise _AgainError("no answer in time") from None
        except requests.exceptions.ChunkedEncodingError:
            raise _AgainError("the answer was cut off") from None
        except (requests.ConnectionError, requests.exceptions.ContentDecodingError):
            raise _AgainError("the connection failed") from None
        except requests.RequestException as error:
            # Without its message, which may hold the address as it was given.
            raise ServerRefusalError(f"{self.name}: {type(error).__name__}") from None
        status = response.status_code
        if status in _PASSING or status >= 500:
            raise _AgainError(f"the server answered {status}", _wait_of(response))
        if response.is_redirect:
            place = urlsplit(response.headers["Location"])
            to = f"{place.scheme}://{place.hostname}" if place.hostname else "another path"
            raise ServerRefusalError(f"{self.name}: sends on to {to}; name that address")
        if status != requests.codes.ok:
            remedy = f"check --endpoint, --model and {KEY}"
            said = self._without_key(_problem(response))
            raise ServerRefusalError(f"{self.name}: the server answered {status}{said}; {remedy}")
        try:
            told = response.json()
        except ValueError:
            raise _AgainError("an answer in broken JSON") from None
        try:
            return Completion(content_of(told), _usage(told.get("usage")))
        except (LookupError, TypeError, AttributeError):
            raise _AgainError("an answer of another form") from None

    @property
    def _session(self) -> requests.Session:
        if not hasattr(self._of_thread, "session"):
            self._of_thread.session = requests.Session()
        session: requests.Session = self._of_thread.session
        return session

    def _authorised(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._key:
            request.headers["Authorization"] = f"Bearer {self._key}"
        return request

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "…") if self._key else text


class _Pace:
    """Keeps requests apart, and all of them back while the server asks for it."""

    def __init__(self, per_minute: float | None, stopped: threading.Event) -> None:
        self._apart = 60 / per_minute if per_minute else 0.0
        self._lock, self._stopped = threading.Lock(), stopped
        self._next = self._held = time.monotonic()

    def wait(self) -> None:
        """Wait for one's turn, or until the work is stopped."""
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self._apart
        while (left := max(turn, self._held) - time.monotonic()) > 0:
            if self._stopped.wait(left):
                return

    def hold(self, seconds: float) -> None:
        """Let nobody ask for so many seconds."""
        with self._lock:
            self._held = max(self._held, time.monotonic() + seconds)
            self._next = max(self._next, self._held)


def _address(endpoint: str) -> str:
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError(
            "--endpoint: expected an address such as http://localhost:8000/v1 or https://HOST/v1"
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ConfigurationError(
            f"--endpoint: an address without name, password and query; the key stands in {KEY}"
        )
    path = parts.path.rstrip("/")
    return parts._replace(path=path if path.endswith(_PATH) else path + _PATH).geturl()


def _key() -> str:
    key = os.environ.get(KEY, "").strip()
    if not (key.isascii() and key.isprintable() and " " not in key):
        # Or the library would, and show it.
        raise ConfigurationError(
            f"{KEY} holds what cannot be a key: a space or a strange character"
        )
    return key


def _wait_of(response: requests.Response) -> float:
    """Return for how many seconds a server asks to be left alone."""
    said = response.headers.get("Retry-After", "").strip()
    if said.isdecimal():
        return float(said)
    try:
        until = parsedate_to_datetime(said)
    except ValueError:
        return 0.0
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


def _problem(response: requests.Response) -> str:
    """Return what a server says of a request that it refuses."""
    try:
        told = response.json()["error"]
        message = told["message"] if isinstance(told, dict) else told
    except (ValueError, LookupError, TypeError):
        message = response.reason
    return f" ({excerpt(message)})" if message else ""


def _usage(told: object) -> dict[str, int]:
    """Return the counts in what a server says of tokens."""
    items = told.items() if isinstance(told, dict) else ()
    return {name: count for name, count in items if type(count) is int and count >= 0}
