"""Optional tokens: what the square brackets in BenchIE's gold slots leave open.

"[the] [first] Prime Minister" stands for four texts (Gashteovski et al. 2022, appendix A.1.3). A
text is compared with a slot by walking both at once (:func:`matches`): after each step of the slot
the places of the text are kept that one can have come to, with and without what may be left out.
There are few of them, while the texts that a slot stands for double with every bracket. Places are
the bits of a number (:mod:`evaluator.gold.benchie.text_places`), so that a step takes all of them
at once.

The released scorer reads brackets token by token; :func:`parse_released` says what that makes of
the less usual ones. :func:`parse` reads them as they are written.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from operator import or_
from typing import Literal, NamedTuple

from evaluator.gold.benchie.text_places import CharacterPlaces, WordPlaces

_BRACKETS = re.compile(r"([\[\]])")
_GROUP = re.compile(r"\[[^\[\]]*\]")
# A bracket with text on its outer side, with no space between.
_GLUED = re.compile(r"[^ \[]\[|\][^ \]]")

_PARSED = 1 << 16  # slots whose steps are kept: the English data have a tenth of that

Spacing = Literal["exact", "stripped", "normalised"]
"""What spaces count in a comparison: all; none at the two ends; a run of them as one besides."""

OPEN, CLOSE = "[", "]"
"""Steps that begin and end what may be left out."""

type Steps = tuple[str, ...]
"""A slot: words, or characters, between which are OPEN and CLOSE; no other step has a bracket."""


@lru_cache(maxsize=_PARSED)
def parse_released(slot: str) -> Steps:
    """Return a slot as the released scorer has it, word by word.

    Words are what single spaces separate, empty ones too. A word with both brackets may be left out
    as a whole ("Crozier[,]"). One that only opens begins a group, which runs to the next word that
    closes: groups do not nest. What only closes, or opens and is not closed, is lost.
    """
    steps: list[str] = []
    group: list[str] = []
    for word in slot.split(" "):
        if group or "[" in word:
            group.append(word)
            if "]" in word:
                steps += [OPEN, *_without_brackets(" ".join(group)).split(" "), CLOSE]
                group = []
        elif "]" not in word:
            steps.append(word)
    # No word closes from here on.
    return *steps, *(word for word in group if "[" not in word)


@lru_cache(maxsize=_PARSED)
def parse(slot: str, *, by_character: bool) -> Steps:
    """Return a slot with normal spaces as it is written: what is inside brackets may be left out.

    Brackets nest, and may be glued to a word. One without its partner is dropped, but not the text.

    Parameters
    ----------
    slot
        With single spaces.
    by_character
        Whether steps are characters, spaces among them; they are words otherwise, which is right
        for slots that are not glued (:func:`is_glued`).
    """
    steps: list[str] = []
    for part in _BRACKETS.split(_paired(slot)):
        if part in (OPEN, CLOSE):
            steps.append(part)
        else:
            steps += part if by_character else part.split()
    return tuple(steps)


@lru_cache(maxsize=_PARSED)
def is_glued(slot: str) -> bool:
    """Tell whether a bracket of a slot, as it is written, stands inside or at a word."""
    return bool(_GLUED.search(_paired(slot)))


def _paired(slot: str) -> str:
    """Return a slot without the brackets that have no partner."""
    parts = _BRACKETS.split(slot)
    opened: list[int] = []
    paired: set[int] = set()
    for place, part in enumerate(parts):
        if part == "[":
            opened.append(place)
        elif part == "]" and opened:
            paired |= {opened.pop(), place}
    return "".join(p for i, p in enumerate(parts) if i in paired or p not in ("[", "]"))


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
    outer = [_outside(slot) for slot in slots]
    words = max(chain.from_iterable(outer), key=len)
    longest = len(_without_brackets(" ".join(slots)))
    return Outline(outer[0][0].strip(), outer[-1][-1].strip(), words.strip(), longest)


def _outside(slot: str) -> list[str]:
    """Return the texts between groups, without what is glued to one; none where groups nest."""
    first, *others = _GROUP.split(slot)
    if any("[" in part or "]" in part for part in (first, *others)):
        return [""]  # nested, or without a partner
    parts = [first]
    for part in others:
        parts[-1] = parts[-1][: parts[-1].rfind(" ") + 1]
        parts.append("".join(part.partition(" ")[1:]))
    return parts


def is_tidy(slot: str) -> bool:
    """Tell whether no realisation of a slot has other spaces than single ones between words."""
    text = _without_brackets(slot)
    return text == " ".join(text.split())


def _without_brackets(text: str) -> str:
    return text.replace("[", "").replace("]", "")


def matches(slots: Sequence[str], text: str, *, spacing: Spacing) -> bool:
    """Tell whether `text` is a realisation of `slots`, with one space between each two.

    Parameters
    ----------
    slots
        One slot, or all three of a triple to compare it as one string.
    text
        With the spaces of each slot stripped or normalised where `spacing` says so.
    spacing
        "exact" and "stripped" by the rules of :func:`parse_released`, "normalised" by those of
        :func:`parse`, for slots with normal spaces.
    """
    by_character = spacing == "normalised" and any(map(is_glued, slots))
    places = _places(text, by_character, spacing == "stripped")
    reached = 1
    for slot in slots:
        if spacing == "normalised":
            steps = parse(slot, by_character=by_character)
        else:
            steps = parse_released(slot)
        reached = places.ends(_walk(steps, (reached, 0, 0), places.after))
    return bool(reached >> places.length)


@lru_cache(maxsize=16)
def _places(text: str, by_character: bool, stripped: bool) -> WordPlaces | CharacterPlaces:
    # A text is compared with one slot after another.
    return CharacterPlaces(text) if by_character else WordPlaces(text, stripped=stripped)


def _walk[State: (int, set[str])](
    steps: Steps,
    states: tuple[State, ...],
    after: Callable[[tuple[State, ...], str], tuple[State, ...]],
) -> tuple[State, ...]:
    """Return the states after `steps`, with and without what may be left out."""
    outside: list[tuple[State, ...]] = []
    for step in steps:
        if step == OPEN:
            outside.append(states)
        elif step == CLOSE:
            states = tuple(map(or_, outside.pop(), states))
        elif any(states):
            states = after(states, step)
        elif not outside:
            break
    return states


def realisations(slot: str, *, released: bool) -> set[str]:
    """Return all texts that a slot stands for.

    Their number doubles with every bracket: for counting and showing, never for scoring.
    """
    if released:
        # Without the space after the last word that is there.
        return {text[:-1] for text in _texts(parse_released(slot), " ")}
    steps = parse(" ".join(slot.split()), by_character=True)
    return {" ".join(text.split()) for text in _texts(steps, "")}


def _texts(steps: Steps, end: str) -> set[str]:
    (found,) = _walk(
        steps, ({""},), lambda states, step: ({f"{text}{step}{end}" for text in states[0]},)
    )
    return found
