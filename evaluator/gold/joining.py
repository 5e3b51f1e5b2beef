"""Which gold sentence an extraction is about.

Released scorers of OIE2016 and CaRB know a sentence by what is left of it without spaces and
punctuation. Two sentences may be left with the same, and then one of them is lost. The corrected
modes take the text itself first, and such a key only where it names one sentence.
"""

import re
import string
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from evaluator.text import normalise, unescape_treebank

_BRACKETS = re.compile("-(?:L|R)(?:R|S|C)B-")
_PUNCTUATION = string.punctuation.encode()


def released_key(text: str, *, ascii_only: bool = False) -> str:
    """Return the key of the released scorers: no spaces, no bracket escapes, no ASCII punctuation.

    With `ascii_only` every other character than ASCII goes too, as in the scorer of OIE2016 that
    runs on Python 2. An escaped bracket becomes a bracket there, and so is punctuation.
    """
    # Deleting from bytes is ten times as fast as from text.
    key = _BRACKETS.sub("", text.replace(" ", "")).encode(errors="surrogatepass")
    key = key.translate(None, _PUNCTUATION)
    return key.decode("ascii", "ignore") if ascii_only else key.decode(errors="surrogatepass")


class TextIndex:
    """Finds a gold sentence by its text, else by a released key that no two sentences share.

    Attributes
    ----------
    repeated
        Gold sentences whose text, but for spacing and escapes, stands there before.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._by_text: dict[str, int] = {}
        by_key: dict[str, list[int]] = defaultdict(list)
        self.repeated = 0
        for place, text in enumerate(texts):
            if self._by_text.setdefault(_plain(text), place) == place:
                by_key[released_key(text)].append(place)
            else:
                self.repeated += 1
        self._by_key = {key: places[0] for key, places in by_key.items() if len(places) == 1}

    def find(self, text: str) -> int | None:
        """Return the index of the sentence that `text` is; None where none or several could be."""
        found = self._by_text.get(_plain(text))
        return found if found is not None else self._by_key.get(released_key(text))


def _plain(text: str) -> str:
    return " ".join(normalise(unescape_treebank(text)).split())


@dataclass(frozen=True, slots=True)
class KeyIndex:
    """Finds a gold sentence by its released key (:func:`released_key`).

    Attributes
    ----------
    ascii_only
        Whether other characters than ASCII play no part.
    last_wins
        Of two sentences with one key, whether the last one stays; the first does otherwise.
    """

    ascii_only: bool
    last_wins: bool
    places: dict[str, int] = field(default_factory=dict)

    def key(self, text: str) -> str:
        """Return the key of a sentence."""
        return _key(text.strip(), self.ascii_only)

    def find(self, text: str) -> int | None:
        """Return the index of the sentence that has the key of `text`."""
        return self.places.get(self.key(text))

    def winners(self, texts: Sequence[str]) -> dict[str, str]:
        """Return the text that stays for each key."""
        ordered = texts if self.last_wins else reversed(texts)
        return {self.key(text): text for text in ordered}


@lru_cache(maxsize=1 << 14)
def _key(text: str, ascii_only: bool) -> str:
    # The sentences of a system are for the most part those of the gold data.
    return released_key(text, ascii_only=ascii_only)
