"""Places in a text, and which of them one comes to by one more word or character of a gold slot.

Places are the bits of a number, so that a text is compared from all of them at once (the Shift-And
method; Baeza-Yates and Gonnet 1992, A New Approach to Text Searching): those at which a word
stands, among those one can be at, moved by one.

Within a slot there are three sets of places. In the first, nothing of the slot has been met yet.
What the others are is said where they are made.
"""

from collections.abc import Sequence

type States = tuple[int, ...]

_FEW = 4  # places that are quicker summed
_KEPT = 1 << 10  # words whose places are kept as bits, each as long as the text


class _Places:
    """At which places of a text a unit of it, a word or a character, stands.

    Attributes
    ----------
    length
        Number of units.
    """

    def __init__(self, units: Sequence[str]) -> None:
        self.length = len(units)
        self._places: dict[str, list[int]] = {}
        for place, unit in enumerate(units):
            self._places.setdefault(unit, []).append(place)
        self._bits: dict[str, int] = {}

    def _of(self, unit: str) -> int:
        bits = self._bits.get(unit)
        if bits is None:
            bits = _as_bits(self._places.get(unit, ()))
            if len(self._bits) < _KEPT:
                self._bits[unit] = bits
        return bits


def _as_bits(ascending: Sequence[int]) -> int:
    if len(ascending) <= _FEW:
        return sum(1 << place for place in ascending)
    # Each of these sums is as long as the text: for many places that would be its square.
    packed = bytearray(ascending[-1] // 8 + 1)
    for place in ascending:
        packed[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(packed, "little")


class WordPlaces(_Places):
    """The places between the words of a text, which are what single spaces separate.

    Parameters
    ----------
    text
        One slot, or more with a space between each two; one that is empty is an empty word.
    stripped
        Whether the slots of the text are without spaces at both ends, and those of a gold slot are
        not asked for.
    """

    def __init__(self, text: str, *, stripped: bool) -> None:
        super().__init__(text.split(" "))
        self._stripped = stripped

    def after(self, states: States, word: str) -> States:
        """Return the states after one more word of a slot.

        They are: at the beginning of the slot; behind a word of it, with all spaces; behind a word
        that the slot may end with, if all that comes is space.
        """
        start, inside, ended = states
        if not self._stripped or (word and word == word.strip()):
            behind = ((start | inside) & self._of(word)) << 1
            return 0, behind, behind
        if not word.strip():
            return start, (inside & self._of(word)) << 1, ended
        return (
            0,
            ((start & self._of(word.lstrip())) | (inside & self._of(word))) << 1,
            ((start & self._of(word.strip())) | (inside & self._of(word.rstrip()))) << 1,
        )

    def ends(self, states: States) -> int:
        """Return where the slot can end."""
        start, _, ended = states
        return ended | ((start & self._of("")) << 1)


class CharacterPlaces(_Places):
    """The places between the characters of a text, spaces left out.

    Parameters
    ----------
    text
        One slot with normal spaces, or more with a space between each two; one that is empty is
        an empty word, which counts as a character.
    """

    def __init__(self, text: str) -> None:
        words = [list(word) or [""] for word in text.split(" ")]
        super().__init__([character for word in words for character in word])
        ends = [0]
        for word in words:
            ends.append(ends[-1] + len(word))
        self._edges = _as_bits(ends)
        self._within = ((1 << self.length) - 1) & ~self._edges

    def after(self, states: States, character: str) -> States:
        """Return the states after one more character of a slot, or a space.

        They are: at the beginning of the slot; behind a character; behind a space, which is at the
        edge of a word.
        """
        start, behind, spaced = states
        if character == " ":
            return start, 0, (behind & self._edges) | spaced
        here = start | (behind & self._within) | spaced
        return 0, (here & self._of(character)) << 1, 0

    def ends(self, states: States) -> int:
        """Return where the slot can end: at the edge of a word."""
        start, behind, spaced = states
        return (behind & self._edges) | spaced | ((start & self._of("")) << 1)
