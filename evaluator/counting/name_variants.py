"""Variants of a name: how else a text writes it, and by what shorter form it goes on.

A name is judged by its shape: nothing here knows who is a person or what is a company. Each kind
of variant is asked for by itself (:data:`NAME_VARIANTS`); ``docs/text.md`` says what each brings.
"""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Literal, get_args

from evaluator.counting.definition import IF_NAMED, Element
from evaluator.function_words import FUNCTION_WORDS
from evaluator.text import fold, tokens
from evaluator.wordnet.lexicon import is_common

type NameVariant = Literal["qualifier", "article", "legal", "initials", "family", "plain"]
NAME_VARIANTS: tuple[NameVariant, ...] = get_args(NameVariant.__value__)
"""What may stand for an entity beside its names.

``qualifier``
    The name less what is in brackets at its end, or after its only comma: "Portland, Oregon".
``article``
    The name less a "The" at its beginning: "The Beatles".
``legal``
    The name of a company less its legal form: "Apple Inc.".
``initials``
    Further first names as initials or not at all: "John Ronald Reuel Tolkien", "J. R. R. Tolkien"
    and "JRR Tolkien"; "George Walker Bush", "George W. Bush" and "George Bush".
``family``
    The family name of what has the shape of a person's name, in documents that hold the name.
``plain``
    The name without diacritics: "Jose" for "José".

What is left by ``article`` and ``legal`` is, if it is a common word ("Apple", "Office"), a short
form: it counts in documents that hold the name.
"""

type _Words = tuple[str, ...]

_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*\Z")
_GENERATIONS = frozenset({"jr", "sr", "junior", "senior", "ii", "iii", "iv"})
_LEGAL_FORMS = frozenset({
    "inc", "incorporated", "corp", "corporation", "co", "company", "ltd", "limited", "plc", "llc",
    "llp", "lp", "gmbh", "ag", "se", "nv", "bv", "oyj", "ab", "asa", "spa",
})  # fmt: skip
_PARTICLES = frozenset({
    "al", "bin", "da", "dal", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "el",
    "la", "le", "ten", "ter", "van", "von",
})  # fmt: skip
_MOST_IN_A_PERSONS_NAME = 5


def variants_of(name: str, kinds: Collection[NameVariant]) -> Element:
    """Return the alternatives that stand for a name beside itself; some may repeat it.

    Parameters
    ----------
    name
        As written: a search form has no punctuation that tells a qualifier.
    kinds
        Which kinds of variants. Those of words are of the name less its qualifier, and ``plain``
        is of them all.
    """
    words = tokens(_less_qualifier(name))
    found = [tuple(words)] if "qualifier" in kinds else []
    for kind, variants in _OF_WORDS.items():
        if kind in kinds:
            found += variants(words)
    if "plain" in kinds and not name.isascii():
        found += [tuple(map(fold, each)) for each in (tokens(name), *found)]
    return tuple(found)


def _less_qualifier(name: str) -> str:
    bare = _BRACKETS.sub("", name)
    head, *rest = bare.split(",")
    if len(rest) == 1 and _is_qualifier(rest[0]):
        bare = head
    return bare if _is_name(tokens(bare)) else name


def _is_qualifier(text: str) -> bool:
    """Tell whether a name is qualified by what follows its comma: "Oregon", "1st Earl Haig"."""
    words = tokens(text)
    return (
        bool(words)
        and not text.strip()[0].islower()  # "So Long, and Thanks for All the Fish"
        and "&" not in text  # "Earth, Wind & Fire"
        and "and" not in words
        and (_GENERATIONS | _LEGAL_FORMS).isdisjoint(words)
    )


def _is_name(words: list[str]) -> bool:
    """Tell whether words may be a name by themselves: not "I" of "I, Robot"."""
    return len("".join(words)) > 2 and not FUNCTION_WORDS.issuperset(words)


def _alone(words: list[str]) -> Iterator[_Words]:
    """Yield what is left of a name; as a short form where it is one word, and a common one."""
    if _is_name(words):
        common = len(words) == 1 and is_common(words[0])
        yield (IF_NAMED, *words) if common else tuple(words)


def _less_article(words: list[str]) -> Iterator[_Words]:
    if words[:1] == ["the"]:
        yield from _alone(words[1:])


def _less_legal_form(words: list[str]) -> Iterator[_Words]:
    least = len(words)
    while least > 1 and words[least - 1] in _LEGAL_FORMS:
        least -= 1
    if least < len(words):
        yield from _alone(words[:least])


def _with_initials(words: list[str]) -> Iterator[_Words]:
    first, family = _person(words)
    if len(first) > 1:
        initials = [word[0] for word in first]
        yield (*initials, *family)
        yield ("".join(initials), *family)
        if len(first[0]) > 1:
            yield (first[0], *initials[1:], *family)
            yield (first[0], *family)


def _family_name(words: list[str]) -> Iterator[_Words]:
    _, family = _person(words)
    if family:
        yield (IF_NAMED, *family)


def _person(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the first names and the family name of a name in the shape of a person's, or none."""
    while len(words) > 2 and words[-1] in _GENERATIONS:
        words = words[:-1]
    place = len(words) - 1
    while place > 1 and words[place - 1] in _PARTICLES:
        place -= 1
    first, family = words[:place], words[place:]
    if (
        2 <= len(words) <= _MOST_IN_A_PERSONS_NAME
        and all(word.isalpha() for word in words)
        and len(words[-1]) > 2
        and not any(len(word) > 1 and word in FUNCTION_WORDS for word in (*first, words[-1]))
        and _LEGAL_FORMS.isdisjoint(words)
    ):
        return first, family
    return [], []


_OF_WORDS: dict[NameVariant, Callable[[list[str]], Iterator[_Words]]] = {
    "article": _less_article,
    "legal": _less_legal_form,
    "initials": _with_initials,
    "family": _family_name,
}
