"""Figures of a result as text."""

import json
import math
from collections.abc import Mapping

# What evaluator.wordnet.similarity gives two relations that share a word or a sense.
_IDENTICAL = 1e300
_NARROW_SPACE = "\u202f"


def falling(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return counts from the largest to the smallest, equal ones by name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def count(number: float | None) -> str:
    """Return a number of facts, documents or words: ``1,944,213``."""
    return "not known" if number is None else _signed(f"{float(number):,.0f}")


def compact(number: float) -> str:
    """Return a count in at most three figures, for places where there is little room: ``1.94M``."""
    for unit, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= unit * 0.9995:  # what rounds to the unit
            return _signed(f"{number / unit:.3g}{suffix}")
    return _signed(f"{number:.0f}")


def percent(share: float | None, places: int = 1, sign: str = f"{_NARROW_SPACE}%") -> str:
    """Return a share as a per cent, ``31.2 %``; one that is small but not zero stays so."""
    if share is None:
        return "not estimable"
    least = 10.0**-places
    if 0 < share * 100 < least / 2:
        return f"<{_NARROW_SPACE}{least:.{places}f}{sign}"
    return _signed(f"{share * 100:.{places}f}{sign}")


def score(number: float | None) -> str:
    """Return a PMI or a setting to three significant figures."""
    return "undefined" if number is None or math.isnan(number) else f"{number:.3g}"


def added(number: float) -> str:
    """Return what something adds, to two decimals and with its sign: ``+0.31``, ``−1.20``."""
    return f"{number:+z.2f}".replace("-", "−")


def similarity(number: float | None) -> str:
    """Return a Jiang-Conrath similarity; a shared word or sense has no finite one."""
    if number is None:
        return ""
    return "identical" if number >= _IDENTICAL else f"{number:.3g}"


def setting(value: object) -> str:
    """Return a setting as a configuration file would have it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _signed(text: str) -> str:
    """Return `text` with a minus sign in place of a hyphen, and none before zero."""
    return text.lstrip("-") if not any(c in "123456789" for c in text) else text.replace("-", "−")
