"""Which gold sentence an extraction is about.

Released scorers of OIE2016 and CaRB know a sentence by what is left of it without spaces and
punctuation. Two sentences may be left with the same, and then one of them is lost. The corrected
modes take the text itself first, and such a key only where it names one sentence.
"""

import re
import string
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

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


class SentenceIndex:
    """Finds a gold sentence by its text, else by a released key that no two sentences share.

    Attributes
    ----------
    repeated
        Gold sentences whose text, but for spacing and escapes, stands there before.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._exactly: dict[str, int] = {}
        self._by_text: dict[str, int] = {}
        by_key: dict[str, list[int]] = defaultdict(list)
        self.repeated = 0
        for place, text in enumerate(texts):
            first = self._exactly[text] = self._by_text.setdefault(_plain(text), place)
            if first == place:
                by_key[released_key(text)].append(place)
            else:
                self.repeated += 1
        self._by_key = {key: places[0] for key, places in by_key.items() if len(places) == 1}

    def find(self, text: str) -> int | None:
        """Return the index of the sentence that `text` is; None where none or several could be."""
        # Most texts are spelled as in the gold data, and need no key.
        found = self._exactly.get(text)
        if found is None:
            found = self._by_text.get(_plain(text))
        return found if found is not None else self._by_key.get(released_key(text))


def _plain(text: str) -> str:
    return " ".join(normalise(unescape_treebank(text)).split())


type Staying = Literal["all", "first", "last"]
"""Which of several texts of one sentence stay; the released scorers know one."""


@dataclass(frozen=True, slots=True)
class KeyRule:
    """How a released scorer of OIE2016 knows a sentence: by its key (:func:`released_key`).

    Attributes
    ----------
    ascii_only
        Whether other characters than ASCII play no part.
    staying
        Which of several texts with one key stays.
    """

    ascii_only: bool
    staying: Staying

    def key(self, text: str) -> str:
        """Return the key of a sentence."""
        return released_key(text.strip(), ascii_only=self.ascii_only)


class KeyIndex:
    """Finds a gold sentence by its key, among those that stay.

    Attributes
    ----------
    kept
        The texts of the gold data that stay, in their order.
    """

    def __init__(self, texts: Sequence[str], rule: KeyRule) -> None:
        self._rule = rule
        by_key = _those_staying({text: rule.key(text) for text in texts}, rule.staying)
        staying = set(by_key.values())
        self.kept = [text for text in texts if text in staying]
        self._exactly = {text: place for place, text in enumerate(self.kept)}
        self._by_key = {key: self._exactly[text] for key, text in by_key.items()}

    def find(self, text: str) -> int | None:
        """Return the index of the sentence that has the key of `text`, among those kept."""
        # Most texts are spelled as in the gold data, and need no key.
        found = self._exactly.get(text)
        return self._by_key.get(self._rule.key(text)) if found is None else found


def _those_staying[Same](texts: Mapping[str, Same], staying: Staying) -> dict[Same, str]:
    """Return the text that stays, by what it has in common with others."""
    items = list(texts.items())
    ordered = reversed(items) if staying == "first" else items
    return {same: text for text, same in ordered}


class About(NamedTuple):
    """Which extractions, by their places in the output, are about which gold sentence.

    Attributes
    ----------
    by_sentence
        Those about each sentence that has any; both in ascending order.
    lost
        The sentence of those that another text of it displaces.
    """

    by_sentence: Mapping[int, Sequence[int]]
    lost: Mapping[int, int]


def about(
    by_text: Mapping[str, Sequence[int]], find: Callable[[str], int | None], staying: Staying
) -> About:
    """Return which extractions are about which gold sentence.

    Parameters
    ----------
    by_text
        Places of extractions by their sentence.
    find
        Returns the index of the gold sentence that a text is, if any.
    staying
        Which texts stay that are one gold sentence.
    """
    found = {text: place for text in by_text if (place := find(text)) is not None}
    winners = found if staying == "all" else set(_those_staying(found, staying).values())
    by_sentence: dict[int, list[int]] = {}
    lost: dict[int, int] = {}
    for text, sentence in found.items():
        if text in winners:
            by_sentence.setdefault(sentence, []).extend(by_text[text])
        else:
            lost |= dict.fromkeys(by_text[text], sentence)
    return About({place: sorted(by_sentence[place]) for place in sorted(by_sentence)}, lost)
