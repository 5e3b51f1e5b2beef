"""JSON objects that say a thing once: of a key given twice, Python's reader keeps the last one."""

from typing import Any


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
