"""What Python's reader of JSON leaves open.

Of a key given twice it keeps the last one, and a text that nests deeply ends it with an error of
its own, or ends whoever walks through the value.
"""

import json
from typing import Any

DEEPEST = 100
"""How deep values may nest: no file of the project or of a data set comes near it."""

_TOO_DEEP = f"values nested more than {DEEPEST} deep"


class RepeatedKeyError(ValueError):
    """A key stands twice in one object. The message is the key."""


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of its keys and values, as ``object_pairs_hook`` of :func:`json.loads`.

    Raises
    ------
    RepeatedKeyError
        If a key stands there twice.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RepeatedKeyError(next(key for key in made if keys.count(key) > 1))
    return made


def parse_json(text: str | bytes) -> Any:
    """Return what a JSON text says.

    Raises
    ------
    ValueError
        If it is none, or nests values more than :data:`DEEPEST` deep.
    """
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if is_too_deep(value):
        raise ValueError(_TOO_DEEP)
    return value


def is_too_deep(value: object) -> bool:
    """Tell whether a value nests more than :data:`DEEPEST` deep."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [
            part
            for whole in level
            if isinstance(whole, dict | list)
            for part in (whole.values() if isinstance(whole, dict) else whole)
        ]
        if not level:
            return False
    return True
