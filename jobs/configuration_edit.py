"""Settings put into a run configuration whose comments and layout stay as they are."""

import os
from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path

import tomlkit
from tomlkit.items import Comment, SingleKey, Table, Whitespace

from evaluator.inputs import read_bytes
from evaluator.whole_files import write_whole
from jobs.config import Configuration


def edit(path: Path, settings: Mapping[str, str | float | Path]) -> str:
    """Write settings into a configuration, whole or not at all, and return what that changes.

    What the file says already, or leaves to a default of that value, is not touched.

    Parameters
    ----------
    path
        The TOML file.
    settings
        As ``section.key`` or ``key``: value. A path is made relative to the file's folder.

    Returns
    -------
    A unified diff; empty where nothing changes.

    Raises
    ------
    InputError
        Where the file cannot be read or written, or is not TOML.
    ConfigurationError
        Where a setting is unknown or its value out of range.
    """
    # Before and after, the run must be one; the first also tells what is to be mended elsewhere.
    before = Configuration.load(path)
    plain = {
        name: str(value) if isinstance(value, Path) else value for name, value in settings.items()
    }
    assignments = [f"{key}={tomlkit.item(value).as_string()}" for key, value in plain.items()]
    Configuration.load(path, overrides=assignments)
    text = read_bytes(path).decode("utf-8")
    document = tomlkit.parse(text)
    # Keys outside sections last: they go past the books that tomlkit keeps.
    for name, value in sorted(settings.items(), key=lambda one: "." not in one[0]):
        section, _, key = name.rpartition(".")
        now = dict(getattr(before, section) if section else before).get(key)
        if now == value:
            continue
        if isinstance(value, Path):
            value = os.path.relpath(value, path.absolute().parent)
        into = document.setdefault(section, tomlkit.table()) if section else document
        if section or key in into:
            into[key] = value
        else:
            _add_above_sections(document, key, value)
    written = tomlkit.dumps(document)
    diff = "".join(
        unified_diff(
            text.splitlines(keepends=True),
            written.splitlines(keepends=True),
            str(path),
            f"{path} (written)",
        )
    )
    if diff:
        write_whole(path, written)
    return diff


def _add_above_sections(document: tomlkit.TOMLDocument, key: str, value: str | float) -> None:
    """Add a key below the other keys, but above the comment that the first section may have.

    tomlkit would put it between the two.
    """
    body = document.body
    place = next((i for i, (_, item) in enumerate(body) if isinstance(item, Table)), len(body))
    while place and isinstance(body[place - 1][1], Comment | Whitespace):
        place -= 1
    item = tomlkit.item(value)
    item.trivia.trail = "\n"
    body.insert(place, (SingleKey(key), item))
