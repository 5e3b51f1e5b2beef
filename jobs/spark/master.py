"""Spark masters: which there are, and whether one answers, before Spark is started."""

import re
import socket
import struct
import time

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
    """Return when a standalone master answers; of several, one is enough.

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
            if _answers(place, timeout=left):
                return
        if time.monotonic() >= end:
            raise SetupError(
                f"the Spark master {text} did not answer in {seconds:g} s; start it, or name "
                "another (spark.master, --master)"
            )
        time.sleep(min(0.5, seconds / 10))


def _answers(place: tuple[str, int], *, timeout: float) -> bool:
    """Return whether what listens there speaks Spark's protocol.

    It is asked for a stream that it does not have (``StreamRequest`` of Spark's network-common: the
    length of the frame in 8 bytes, the type 6, and a string). The answer begins with a length, too.
    A proxy takes any connection and answers in a protocol of its own.
    """
    name = b"/files/distval"
    body = struct.pack(">BI", 6, len(name)) + name
    try:
        with socket.create_connection(place, timeout=timeout) as connection:
            connection.sendall(struct.pack(">Q", 8 + len(body)) + body)
            answer = connection.recv(8)
    except OSError:
        return False
    encrypted = answer[:2] == b"\x15\x03"  # an alert of TLS, with spark.ssl.rpc.enabled
    return encrypted or (len(answer) == 8 and struct.unpack(">Q", answer)[0] < 1 << 31)


def _places(text: str) -> list[tuple[str, int]]:
    """Return host and port of each standalone master that a URL names."""
    if not text.startswith("spark://"):
        return []
    pairs = (place.rpartition(":") for place in text.removeprefix("spark://").split(","))
    return [(host.strip("[]"), int(port)) for host, _, port in pairs]
