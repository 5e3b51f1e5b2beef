"""Spark masters: which there are, and whether one answers, before Spark is started."""

import re
import socket
import time
from contextlib import suppress

from evaluator.errors import ConfigurationError, SetupError

WAIT = 20
"""Seconds that a master is waited for; Spark itself tries on for minutes and prints traces."""

_PORT = r":(\d{1,5})"
_HOST = r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+)"
_STANDALONE = re.compile(rf"spark://{_HOST}{_PORT}(,{_HOST}{_PORT})*")
_KUBERNETES = re.compile(rf"k8s://(https?://)?{_HOST}({_PORT})?(/\S*)?")
_LOCAL = re.compile(
    r"local|local\[(\*|[1-9]\d{0,3})(,[1-9]\d{0,2})?\]|local-cluster\[ *\d+ *, *\d+ *, *\d+ *\]"
)
_KNOWN = "local[N], local[*], spark://HOST:PORT, yarn or k8s://HOST:PORT"


def known_master(text: str) -> str:
    """Return `text`, the URL of a Spark master.

    Raises
    ------
    ConfigurationError
        Where Spark would not know it.
    """
    known = any(kind.fullmatch(text) for kind in (_LOCAL, _STANDALONE, _KUBERNETES))
    if not known and text != "yarn":
        raise ConfigurationError(f"master {text!r} is none of Spark's: expected {_KNOWN}")
    if wrong := [port for _, port in _places(text) if not 0 < port < 1 << 16]:
        raise ConfigurationError(f"master {text!r}: there is no port {wrong[0]}")
    return text


def await_master(text: str, *, seconds: float = WAIT) -> None:
    """Return when a standalone master takes connections; of several, one is enough.

    Others are Spark's to find.

    Raises
    ------
    ConfigurationError
        As :func:`known_master`.
    SetupError
        Where none did within so many seconds.
    """
    places = _places(known_master(text))
    end = time.monotonic() + seconds
    while places:
        for place in places:
            left = max(end - time.monotonic(), 0.1) / len(places)
            with suppress(OSError), socket.create_connection(place, timeout=left):
                return
        if time.monotonic() >= end:
            raise SetupError(
                f"the Spark master {text} took no connection in {seconds:g} s; start it, or name "
                "another (spark.master, --master)"
            )
        time.sleep(min(0.5, seconds / 10))


def _places(text: str) -> list[tuple[str, int]]:
    """Return host and port of each standalone master that a URL names."""
    if not text.startswith("spark://"):
        return []
    pairs = (place.rpartition(":") for place in text.removeprefix("spark://").split(","))
    return [(host.strip("[]"), int(port)) for host, _, port in pairs]
