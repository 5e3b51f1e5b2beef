"""Bounds of memory as people write them: 2GB, 500MiB."""

import re

from evaluator.errors import ConfigurationError

MEMORY = r"[1-9][0-9]{0,14} ?[KMGT]i?B"
"""A bound of memory, as a regular expression."""

LEAST, MOST = "1MB", "64TB"
"""The bounds of a bound: more than that no machine has."""

_POWERS = {"K": 1, "M": 2, "G": 3, "T": 4}


def memory_bytes(text: str) -> int:
    """Return a bound of memory in bytes.

    Raises
    ------
    ConfigurationError
        Where `text` is none, or is not from :data:`LEAST` to :data:`MOST`.
    """
    if not re.fullmatch(MEMORY, text):
        raise ConfigurationError(f"memory {text!r}: expected a size such as 2GB")
    if not _bytes(LEAST) <= _bytes(text) <= _bytes(MOST):
        raise ConfigurationError(f"memory {text!r}: expected a size from {LEAST} to {MOST}")
    return _bytes(text)


def _bytes(text: str) -> int:
    number, unit = re.findall(r"\d+|[A-Za-z]+", text)
    scale: int = (1024 if "i" in unit else 1000) ** _POWERS[unit[0]]
    return int(number) * scale
