"""What a capital letter says of a word: that it is a name, part of a longer one, or nothing."""

import re
from collections.abc import Sequence

from evaluator.function_words import FUNCTION_WORDS
from evaluator.text import Token

# Dates are no entities: Freebase's months have statements (what is in season), and as mentions they
# would pair with everything in a newspaper.
CALENDAR = frozenset({
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january",
    "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
})  # fmt: skip
ARTICLES = frozenset(("the", "a", "an"))

# What makes the next word begin with a capital, as the start of a sentence does.
_OPENING = re.compile(r"[\"“:]|``")

# What may stand between two words of one longer name: "J. C. Penney", "O'Neill", "Knight-Ridder",
# "Simon & Schuster". Not so the apostrophe of a plural ("the Boys ' Wilson"), nor a full stop that
# stands apart, unless what it abbreviates is short ("in Paris . Wilson", "St . Louis").
_TOUCH = re.compile(r"[^\S\n]*(?:['’](?!\s)|[.&-])?[^\S\n]*")
_FULL_STOP = re.compile(r"\s+\.\s*")

# Capitalised words that make no longer name of the one beside them: titles before it; offices,
# legal forms, the Penn Treebank's brackets, days and months on either side.
TITLES = frozenset({
    "mr", "mrs", "ms", "miss", "dr", "sir", "dame", "lord", "lady", "king", "queen", "prince",
    "princess", "emperor", "empress", "pope", "cardinal", "judge", "justice", "general", "gen",
    "colonel", "col", "captain", "capt", "major", "maj", "lieutenant", "lt", "sergeant", "sgt",
    "admiral", "adm", "commander", "professor", "prof", "rep", "sen", "gov", "actor", "actress",
    "singer", "author",
})  # fmt: skip
OFFICES = frozenset({
    "president", "chancellor", "premier", "minister", "secretary", "ambassador", "senator",
    "representative", "governor", "congressman", "congresswoman", "mayor", "coach", "chairman",
    "director", "ceo",
})  # fmt: skip
BESIDE_NAMES = OFFICES | {
    "co", "inc", "corp", "corporation", "ltd", "plc", "jr", "sr",
    "lrb", "rrb", "lsb", "rsb", "lcb", "rcb",
}  # fmt: skip


def opens_text(text: str, tokens: Sequence[Token], place: int) -> bool:
    """Whether a token begins the sentence, or one quoted in it."""
    if place == 0:
        return True
    return _OPENING.search(text, tokens[place - 1].end, tokens[place].start) is not None


def touches(text: str, tokens: Sequence[Token], neighbour: int, edge: int) -> bool:
    """Whether a capitalised word may belong to the name at whose `edge` it stands.

    `neighbour` and `edge` are places of two tokens side by side.
    """
    form, first, _ = tokens[neighbour]
    return (
        text[first].isupper()
        and form not in CALENDAR
        and form not in BESIDE_NAMES
        and not (neighbour < edge and form in TITLES)
        and are_joined(text, tokens, min(neighbour, edge))
        and not (form in FUNCTION_WORDS and opens_text(text, tokens, neighbour))
    )


def are_joined(text: str, tokens: Sequence[Token], left: int) -> bool:
    """Whether what stands between a token and the next lets both be words of one name."""
    end, start = tokens[left].end, tokens[left + 1].start
    return _TOUCH.fullmatch(text, end, start) is not None and (
        len(tokens[left].form) < 3 or _FULL_STOP.fullmatch(text, end, start) is None
    )
