"""Downloads that go on where they were cut: a downloader for pooch."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

from evaluator.errors import InputError, SetupError

_CHUNK = 1 << 16
_TIMEOUT = (10, 60)
"""Seconds to wait for a connection, and for the next bytes."""

# identity: a range is of the file's own bytes. The kind: GitHub's interface serves a blob's bytes
# only to those who ask for them.
_HEADERS = {"Accept-Encoding": "identity", "Accept": "application/vnd.github.raw, */*"}

_PASSING = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
)


class _AgainError(Exception):
    """The attempt failed; another one may not."""


@dataclass(kw_only=True)
class ResumingDownloader:
    """Download a file into `part`, going on after the bytes that are there already.

    Attributes
    ----------
    part : Path
        File that grows; it stays when the download is cut, and the next one goes on from it. Beside
        it, ``.etag`` keeps which version of the file it is a part of.
    attempts : int
        How often to try before giving up.
    pause : float
        Seconds to wait after the first failure; doubled after each further one.
    on_bytes : callable
        Told how many bytes are there.
    resumed : bool
        Set when bytes of an earlier download were used.
    """

    part: Path
    attempts: int = 4
    pause: float = 1.0
    on_bytes: Callable[[int], None] = lambda _: None
    resumed: bool = field(default=False, init=False)

    def __call__(self, url: str, output_file: str, _: Any) -> None:
        """Download `url` to `output_file`: the call that pooch makes.

        Raises
        ------
        InputError
            If the server does not have the file, or refuses it.
        SetupError
            If the server cannot be reached, or breaks off again and again.
        """
        for attempt in range(self.attempts):
            try:
                self._attempt(url)
                break
            except (_AgainError, *_PASSING) as error:
                if attempt + 1 == self.attempts:
                    raise SetupError(
                        f"{url}: {_reason(error)}; tried {self.attempts} times, {self._have():,} "
                        "bytes are kept: run the same command again, or name a mirror"
                    ) from None
                time.sleep(self.pause * 2**attempt)
            except requests.RequestException as error:
                raise InputError(url, _reason(error)) from None
        self.part.replace(output_file)
        self._etag.unlink(missing_ok=True)

    @property
    def _etag(self) -> Path:
        return self.part.with_name(self.part.name + ".etag")

    def _have(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _discard(self, why: str) -> _AgainError:
        self.part.unlink(missing_ok=True)
        self._etag.unlink(missing_ok=True)
        return _AgainError(why)

    def _attempt(self, url: str) -> None:
        """Get the rest of the file, or all of it where the server serves no part."""
        have = self._have()
        asked = dict(_HEADERS)
        if have:
            asked["Range"] = f"bytes={have}-"
            if self._etag.exists():
                asked["If-Range"] = self._etag.read_text()
        with requests.get(url, headers=asked, stream=True, timeout=_TIMEOUT) as response:
            status, span = response.status_code, response.headers.get("Content-Range", "")
            if status == requests.codes.requested_range_not_satisfiable and have:
                if span == f"bytes */{have}":
                    self.resumed = True
                    return  # the part was the whole
                raise self._discard("its size has changed")
            if status == requests.codes.too_many_requests or status >= 500:
                raise _AgainError(f"the server answers {status} {response.reason}")
            if status not in (requests.codes.ok, requests.codes.partial_content):
                raise InputError(url, f"the server answers {status} {response.reason}")
            goes_on = status == requests.codes.partial_content
            if goes_on and not span.startswith(f"bytes {have}-"):
                raise self._discard(f"asked for bytes from {have}, got {span or 'others'}")
            self._write(response, goes_on=goes_on)

    def _write(self, response: requests.Response, *, goes_on: bool) -> None:
        self.resumed = goes_on
        etag = response.headers.get("ETag", "")
        if etag and not etag.startswith("W/"):  # a weak one does not tell bytes apart (RFC 9110)
            self._etag.write_text(etag)
        elif not goes_on:
            self._etag.unlink(missing_ok=True)
        with self.part.open("ab" if goes_on else "wb") as out:
            done = out.tell()
            for chunk in response.iter_content(_CHUNK):
                out.write(chunk)
                done += len(chunk)
                self.on_bytes(done)


def _reason(error: Exception) -> str:
    """Return what went wrong, without the objects that requests tells of."""
    if isinstance(error, requests.Timeout):
        return "the server does not answer in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection was cut"
    if isinstance(error, requests.ConnectionError):
        kind = "" if type(error) is requests.ConnectionError else f" ({type(error).__name__})"
        return f"the connection failed{kind}"
    return str(error).partition("\n")[0]
