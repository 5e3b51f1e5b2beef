"""Optional tokens: what the square brackets in BenchIE's gold slots leave open.

"[the] [first] Prime Minister" stands for four texts (Gashteovski et al. 2022, appendix A.1.3). A
text is compared with a slot by walking both at once (:func:`matches`): after each piece of the slot
the places of the text are kept that one can have come to, with and without what may be left out.
There are few of them, while the texts that a slot stands for double with every bracket.

The released scorer reads brackets token by token; :func:`parse_released` says what that makes of
the less usual ones. :func:`parse` reads them as they are written.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Literal, NamedTuple, Self

_BRACKETS = re.compile(r"([\[\]])")
_GROUP = re.compile(r"[^ ]*\[[^\[\]]*\][^ ]*")  # with what is glued to it

_PARSED = 1 << 16  # slots whose pieces are kept: the English data have a tenth of that

Spacing = Literal["exact", "stripped", "normalised"]
"""What spaces count in a comparison: all; none at the two ends; a run of them as one besides."""


class Words(NamedTuple):
    """Text that must be there: words, and the spaces before and after them; all before if blank."""

    before: str
    words: str
    after: str

    @classmethod
    def of(cls, text: str) -> Self:
        """Return a text with its spaces taken apart."""
        words = text.strip()
        before, _, after = text.partition(words) if words else (text, "", "")
        return cls(before, words, after)


# Words, or pieces that may be left out together.
type Piece = Words | tuple[Piece, ...]
type Pieces = tuple[Piece, ...]


@lru_cache(maxsize=_PARSED)
def parse_released(slot: str) -> Pieces:
    """Return the pieces of a slot as the released scorer has them, each with a space after it.

    Tokens are what single spaces separate, empty ones too. A token with both brackets may be left
    out as a whole ("Crozier[,]"). One that only opens begins a group, which runs to the next token
    that closes: groups do not nest. What only closes, or opens and is not closed, is lost.
    """
    pieces: list[Piece] = []
    tokens = slot.split(" ")
    place, kept = 0, ""
    while place < len(tokens):
        end = place + 1
        if "[" in tokens[place]:
            closing = next((i for i in range(place, len(tokens)) if "]" in tokens[i]), None)
            if closing is not None:
                end = closing + 1
                text = _without_brackets(" ".join(tokens[place:end]))
                pieces += [Words.of(kept), (Words.of(f"{text} "),)]
                kept = ""
        elif "]" not in tokens[place]:
            kept += f"{tokens[place]} "
        place = end
    pieces.append(Words.of(kept))
    return tuple(pieces)


@lru_cache(maxsize=_PARSED)
def parse(slot: str) -> Pieces:
    """Return the pieces of a slot: what is inside brackets, and only that, may be left out.

    Brackets nest, and may be glued to a word. One without its partner is dropped, but not the text.
    Of the slot spaces are normalised; those around a piece that is left out count as one.
    """
    parts = _BRACKETS.split(slot)
    partners = _partners(parts)
    stack: list[list[Piece]] = [[]]
    for place, part in enumerate(parts):
        if part not in ("", "[", "]"):
            stack[-1].append(Words.of(part))
        elif place in partners and part == "[":
            stack.append([])
        elif place in partners:
            group = tuple(stack.pop())
            stack[-1].append(group)
    return tuple(stack[0])


def _partners(parts: Sequence[str]) -> set[int]:
    """Return the places of the brackets that have a partner."""
    opened: list[int] = []
    paired: set[int] = set()
    for place, part in enumerate(parts):
        if part == "[":
            opened.append(place)
        elif part == "]" and opened:
            paired |= {opened.pop(), place}
    return paired


class Outline(NamedTuple):
    """What every realisation of slots has, by which most texts are told to be none unparsed.

    Attributes
    ----------
    first, last
        How they begin and end.
    words
        What they hold somewhere.
    most
        The length of the longest.
    """

    first: str
    last: str
    words: str
    most: int

    def allows(self, text: str) -> bool:
        """Tell whether `text` may be a realisation."""
        return (
            len(text) <= self.most
            and self.words in text
            and text.startswith(self.first)
            and text.endswith(self.last)
        )


@lru_cache(maxsize=_PARSED)
def outline(slots: tuple[str, ...]) -> Outline:
    """Return the outline of one slot, or of three with a space between each two."""
    outer = [_GROUP.split(slot) for slot in slots]
    for place, parts in enumerate(outer):
        text = " ".join(parts)
        if "[" in text or "]" in text:  # nested, or without a partner
            outer[place] = [""]
    words = max(chain.from_iterable(outer), key=len)
    longest = len(_without_brackets(" ".join(slots)))
    return Outline(outer[0][0].strip(), outer[-1][-1].strip(), words.strip(), longest)


def is_tidy(slot: str) -> bool:
    """Tell whether no realisation of a slot has other spaces than single ones between words."""
    text = _without_brackets(slot)
    return text == " ".join(text.split())


def _without_brackets(text: str) -> str:
    return text.replace("[", "").replace("]", "")


def matches(slots: Iterable[Pieces], text: str, *, spacing: Spacing) -> bool:
    """Tell whether `text` is a realisation of `slots`, with one space between each two.

    Parameters
    ----------
    slots
        One slot, or all three of a triple to compare it as one string.
    text
        With the spaces of each slot stripped or normalised where `spacing` says so.
    spacing
        "exact" and "stripped" for pieces of :func:`parse_released`, "normalised" for those of
        :func:`parse`.
    """
    # From before the text on, so that there is a space before each slot.
    text = f" {text}"
    reached = {0}
    for pieces in slots:
        starts = [place + 1 for place in reached if text.startswith(" ", place)]
        reached = {end for start in starts for end in _ends(pieces, text, start, spacing)}
    return len(text) in reached


type _State = tuple[int, str | None]
"""A place in the text, and the spaces that are due there; None at the beginning of a slot."""


def _ends(pieces: Pieces, text: str, start: int, spacing: Spacing) -> Iterator[int]:
    """Yield where a slot that begins at `start` can end."""
    if spacing != "exact":
        # Spaces that are due at the end of a slot are not asked for, nor those at its beginning.
        yield from {place for place, _ in _walk(pieces, text, {(start, None)}, spacing)}
        return
    for place, due in _walk(pieces, text, {(start, "")}, spacing):
        if due is not None and text.startswith(due[:-1], place):  # no space after the last token
            yield place + len(due[:-1])


def _walk(pieces: Pieces, text: str, states: set[_State], spacing: Spacing) -> set[_State]:
    """Return where one can be in `text` after `pieces`, having been in one of `states`."""
    for piece in pieces:
        if not isinstance(piece, Words):
            states = states | _walk(piece, text, states, spacing)
            continue
        after: set[_State] = set()
        for place, due in states:
            gap = "" if due is None else due + piece.before
            if spacing == "normalised":
                gap = gap[:1]
            if not piece.words:
                after.add((place, due if due is None else gap))
            elif text.startswith(gap + piece.words, place):
                after.add((place + len(gap) + len(piece.words), piece.after))
        if not after:
            return after
        states = after
    return states


def realisations(slot: str, *, released: bool) -> set[str]:
    """Return all texts that a slot stands for.

    Their number doubles with every bracket: for counting and showing, never for scoring.
    """
    if released:
        # Without the space after the last token that is there.
        return {text[:-1] for text in _texts(parse_released(slot))}
    return {" ".join(text.split()) for text in _texts(parse(slot))}


def _texts(pieces: Pieces) -> set[str]:
    found = {""}
    for piece in pieces:
        ends = {"".join(piece)} if isinstance(piece, Words) else _texts(piece)
        longer = {text + end for text in found for end in ends}
        found = longer if isinstance(piece, Words) else found | longer
    return found
