"""Counting facts in a text collection: CLASSIC, PROXIMITY and ANCHORED hit counts, and their PMIs.

For a fact ⟨e1, r, e2⟩ (Bronzi et al. 2012, section 2.2) a document counts

* for the *pair* when it holds an occurrence of e1 and one of e2 that do not overlap;
* for *CLASSIC* when it holds occurrences of e1, r and e2, no two of which overlap;
* for *PROXIMITY* (``e1 NEAR:X r NEAR:X e2``) when three such occurrences also stand so that at most
  X words are between e1 and r, and at most X between r and e2, each counted from the end of the
  one to the start of the other. Any order will do, unless the order e1, r, e2 is asked for.

An article about e1 states its facts without repeating its name. A document whose *topic* is one of
e1's names (:mod:`evaluator.counting.topics`) counts, whether or not it holds e1,

* for the *topic* when it holds an occurrence of e2;
* for *ANCHORED* when an occurrence of r stands at most `reach` words from it, before it or after,
  unless the order r, e2 is asked for.

Neither may overlap an occurrence of e1, nor the other.

The *context* of a fact is what there is of its elements by one and by two: the documents that hold
e1, that hold e2, and that are about e1; those in which r stands at most X words from e1, and from
e2; those in which e1 and e2 stand at most `reach` words apart.

Occurrences must not overlap because one mention cannot serve two elements: "Michelle Obama" is not
a second Obama, and "Bank of America" is no statement about a bank.

:mod:`evaluator.counting.bulk` counts very many facts; ``tests/brute_force.py`` says the same in a
dozen lines and is the oracle of every counter. Counts are additive over documents, so a collection
may be cut into shards of documents in any way.
"""

from itertools import product
from typing import Literal, NamedTuple

from evaluator.errors import ConfigurationError

type Element = tuple[tuple[str, ...], ...]
"""Alternatives of an element, each a sequence of tokens; any of them is an occurrence.

One that begins with :data:`IF_NAMED` is a *short form*.
"""

IF_NAMED = ""
"""Begins a short form: an alternative that occurs only in documents that hold one without it.

"Obama" stands for Barack Obama where the document says who is meant. No token is empty.
"""

type FactElements = tuple[Element, Element, Element]
"""The elements e1, r, e2 of a fact."""

type Denominator = Literal["and", "near"]

type Variant = Literal["classic", "proximity", "anchored"]

MOST_WORDS_BETWEEN = 1_000_000

REACH = 32
"""Most words between r and e2 for ANCHORED, and between e1 and e2 in the context, unless told.

Chosen on FactBench's training part, by facts with a document about e1 that holds e2: balanced
accuracy .75 at 8 words, .78 at 16, .81 at 32. The test part, kept back, has .72, .77 and .74:
nothing speaks for 32 over 16, nor surely against it.
"""


class Counts(NamedTuple):
    """Document counts of a fact; None if an element has no words to look for.

    A relation that was emptied ("be in" without its function words) leaves `pair` and `topic`
    defined and the others undefined: the count of a triple never turns into the count of its pair.
    """

    pair: int | None
    classic: int | None
    proximity: int | None
    topic: int | None
    anchored: int | None


class Context(NamedTuple):
    """Document counts of what a fact consists of.

    None where e1 or e2 has no words to look for; `near1` and `near2` also where r has none.

    Attributes
    ----------
    documents1, documents2
        Documents that hold e1, and e2.
    about
        Documents about e1, whether or not they hold e2.
    near1, near2
        Documents in which r stands at most X words from e1, and from e2.
    beside
        Documents in which e1 and e2 stand at most `reach` words apart, in either order.
    """

    documents1: int | None
    documents2: int | None
    about: int | None
    near1: int | None
    near2: int | None
    beside: int | None


def pmi(counts: Counts, variant: Variant = "proximity") -> float | None:
    """Return the PMI of a fact: documents with the triple over those that could have it.

    These are the documents with the pair; for ANCHORED the documents about e1 that hold e2. 0 where
    the triple is found nowhere; None, undefined, where the denominator is 0 or an element is empty.
    Pairs counted as "near" go with PROXIMITY: CLASSIC may exceed them.
    """
    triple: int | None = getattr(counts, variant)
    possible = counts.topic if variant == "anchored" else counts.pair
    if triple is None or not possible:
        return None
    return triple / possible


def alternatives(element: Element) -> Element:
    """Return the canonical form of `element`: alternatives distinct, sorted, none empty.

    A short form that is an alternative anyway, or that has no other beside it, is none.
    """
    full, short = set(full_names(element)), set(short_forms(element))
    kept = {(IF_NAMED, *words) for words in short - full} if full else set()
    return tuple(sorted(full | kept))


def full_names(element: Element) -> Element:
    """Return the alternatives of an element that occur in any document."""
    return tuple(words for words in element if words and words[0] != IF_NAMED)


def short_forms(element: Element) -> Element:
    """Return the words of an element's short forms."""
    return tuple(words[1:] for words in element if len(words) > 1 and words[0] == IF_NAMED)


def phrases(element: Element) -> Element:
    """Return the words of all alternatives of an element, whatever documents they occur in."""
    return full_names(element) + short_forms(element)


def pair_width(relation: Element, x: int) -> int:
    """Return how many words may stand between e1 and e2 for a pair that counts as near.

    The words that PROXIMITY allows around the relation, and the relation: 2X + its longest
    alternative, at least one word. A triple in proximity is thus always a pair that is near, in
    whatever order the three stand, and the ratio of the two never exceeds 1.
    """
    return 2 * x + max((len(words) for words in phrases(relation)), default=1)


def check_options(*, x: int, denominator: str, reach: int = REACH) -> None:
    """Refuse options of a count that are out of range.

    Raises
    ------
    ConfigurationError
        For an `x`, a `denominator` or a `reach` that is none.
    """
    for name, words in (("X", x), ("reach", reach)):
        if not 0 <= words <= MOST_WORDS_BETWEEN:
            raise ConfigurationError(f"{name} is {words}: expected 0 to {MOST_WORDS_BETWEEN} words")
    if denominator not in ("and", "near"):
        raise ConfigurationError(f'denominator is "{denominator}": expected "and" or "near"')


def may_overlap(one: Element, other: Element) -> bool:
    """Tell whether an occurrence of one element can share a word with one of the other.

    It can where one alternative holds the other, or begins with the other's end: "New York" and
    "New York City" can, "New York City" and "New York Times" cannot.
    """
    return any(
        _begins_inside(a, b) or _begins_inside(b, a)
        for a, b in product(phrases(one), phrases(other))
    )


def _begins_inside(outer: tuple[str, ...], inner: tuple[str, ...]) -> bool:
    """Tell whether an occurrence of `inner` can begin inside one of `outer`."""
    return any(
        word == inner[0] and outer[at : at + len(inner)] == inner[: len(outer) - at]
        for at, word in enumerate(outer)
    )
