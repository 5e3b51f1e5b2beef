"""The words of made worlds: relations, patterns of sentences, syllables of names.

Relations are worded by real English words, since it is WordNet that compares them with the labels
of the knowledge base. Some labels use the same word ("Organizations founded"), some another
("Place of residence"), and some are not similar enough to match ("Educated at" and "attended").
No relation's word stands in a pattern, so that what a sentence states is what was put into it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from jobs.worlds.statements import WorldRelation, listed, rows


def _relations(table: str) -> Iterator[WorldRelation]:
    for subject, object_, phrases, label in rows(table, 4):
        name = label.lower().replace(" ", "_")
        yield WorldRelation(
            name=name,
            phrases=listed(phrases),
            predicate=f"made.{subject}.{name}",
            label=label,
            subject=subject,
            object=object_,
        )


# subject | object | phrases, each with a word that no other relation has | label in the knowledge
# base; any beginning of the list is a world
RELATIONS = tuple(
    _relations("""
person | place        | was born in                         | Place of birth
person | organisation | founded, established                | Organizations founded
person | work         | wrote, is the author of             | Works written
organisation | place  | is based in, has its headquarters in | Headquarters
person | person       | advised                             | Adviser to
organisation | work   | published, issued                   | Publications
person | award        | won, received                       | Prizes won
person | organisation | studied at, attended                | Educated at
organisation | organisation | acquired, bought              | Companies acquired
person | place        | died in                             | Place of death
person | work         | painted                             | Paintings
person | organisation | led, headed                         | Leader of
organisation | person | hired, employed                     | Employees
person | work         | composed                            | Compositions
person | place        | governed, ruled                     | Governor of
person | person       | defeated, beat                      | Opponents defeated
organisation | organisation | financed, funded              | Financial backer of
person | place        | settled in                          | Place of residence
person | work         | edited                              | Editor of
person | organisation | taught at, lectured at              | Teaching post
person | person       | succeeded, replaced                 | Successor of
organisation | award  | sponsors, endowed                   | Sponsor of
person | work         | translated                          | Translations
organisation | organisation | owns, controls                | Owner of
""")
)

KINDS = {"person": 0.45, "place": 0.2, "organisation": 0.2, "work": 0.1, "award": 0.05}
"""Kinds of entities and the share of each."""

NAMES = {
    "person": ("{0} {1}",),
    "place": ("{0}",),
    "organisation": ("{0} Institute", "{0} Company", "{0} Society", "{0} Group"),
    "work": ("{0} Sonata", "{0} Landscape", "{0} Chronicle", "{0} Stories"),
    "award": ("{0} Medal", "{0} Prize"),
}
"""Names of a kind; each begins with a word that no other name has."""

ONSETS = ("b", "br", "d", "dr", "f", "g", "gr", "h", "k", "kr", "l", "m", "n", "p", "r", "s", "t",
          "tr", "v", "z")  # fmt: skip
VOWELS = ("a", "e", "i", "o", "u", "ae", "io")
CODAS = ("k", "l", "n", "r", "s", "th", "x", "m")


class Pattern(NamedTuple):
    """A sentence with slots.

    S V O is a statement; V2 O2, with S2 or else with S, is another. X and Y are entities that are
    mentioned besides.

    Attributes
    ----------
    states
        Whether the sentence says that it is so.
    """

    text: str
    states: bool = True


PATTERNS = (
    Pattern("{S} {V} {O}."),
    Pattern("{S} {V} {O}, says a report on {X}."),
    Pattern("After a journey with {X}, {S} {V} {O}."),
    Pattern("{S} {V} {O} in the summer in which {X} travelled with {Y}."),
    Pattern("A letter about {X} shows that {S} {V} {O}."),
    Pattern("{S}, a neighbour of {X}, {V} {O} in a cold winter."),
    Pattern("According to {X}, {S} {V} {O} without a word to {Y}."),
    Pattern("{X} and {Y} heard that {S} {V} {O}."),
    Pattern("{S} {V} {O} and later {V2} {O2}."),
    Pattern("While {S} {V} {O}, {S2} {V2} {O2}."),
    Pattern("{S} {V} {O}, and in the same week {S2} {V2} {O2} with help from {X}."),
    Pattern("{X} asked whether {S} {V} {O}.", states=False),
    Pattern("The news about {X} came from {Y} in a long telegram.", states=False),
)

FRONTED = Pattern("{P} {O}, {S} {V}.")
"""A statement whose phrase ends in a preposition, P, with its object first."""

FRONTED_PREPOSITIONS = ("in", "at")

# The background text. Four words between two names and a relation are PROXIMITY's default.

CLAIMS = (
    "{A} {V} {B}.",
    "Everybody remembers that {A} {V} {B}.",
    "In those years {A} {V} {B}.",
    "It is no secret that {A} {V} {B}, as every child could tell.",
)
"""What text states."""

RUMOURS = (
    "It is only a rumour that {A} {V} {B}.",
    "A cousin of {A} {V} {B}.",
    "Nobody ever proved that {A} {V} {B}.",
)
"""Patterns that hold the words of a fact and do not state it."""

BESIDES = (
    "{A} is listed here next to {B}.",
    "The catalogue names {A}, then {B}, and then the others in alphabetical order.",
    "You find {A} on the left of the map and {B} on the other half of it.",
)
"""Patterns that name two entities and no relation."""

FILLERS = (
    "The rain kept falling on the roofs until the lamps went out.",
    "Old bridges creak in the wind when the river is high.",
    "A clock struck five while the cat slept near the stove.",
    "Fresh bread and salted butter stood on every kitchen shelf.",
    "Snow covered the orchards, and the ponds were frozen by noon.",
    "Nothing but dust and dry leaves lay along the empty road.",
)
"""Sentences about nothing, long enough to keep what stands around them apart."""
