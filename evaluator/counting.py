"""Counting facts in a text collection: CLASSIC and PROXIMITY hit counts, and the PMI of the two.

For a fact ⟨e1, r, e2⟩ (Bronzi et al. 2012, section 2.2) a document counts

* for the *pair* when it holds an occurrence of e1 and one of e2 that do not overlap;
* for *CLASSIC* when it holds occurrences of e1, r and e2, no two of which overlap;
* for *PROXIMITY* (``e1 NEAR:X r NEAR:X e2``) when three such occurrences also stand so that at most
  X words are between e1 and r, and at most X between r and e2, each counted from the end of the
  one to the start of the other. Any order will do, unless the order e1, r, e2 is asked for.

Occurrences must not overlap because one mention cannot serve two elements: "Michelle Obama" is not
a second Obama, and "Bank of America" is no statement about a bank.

:func:`brute_force_counts` says the same in a dozen lines and is the oracle of the tests;
:mod:`evaluator.bulk_counting` gives the same numbers for very many facts. Counts are additive over
documents, so a collection may be cut into shards of documents in any way.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Literal, NamedTuple

from evaluator.errors import ConfigurationError

type Element = tuple[tuple[str, ...], ...]
"""Alternatives of an element, each a sequence of tokens; any of them is an occurrence."""

type FactElements = tuple[Element, Element, Element]
"""The elements e1, r, e2 of a fact."""

type Denominator = Literal["and", "near"]

MOST_WORDS_BETWEEN = 1_000_000


class Counts(NamedTuple):
    """Document counts of a fact; None where an element has no words to look for.

    A relation that was emptied ("be in" without its function words) leaves `pair` defined and the
    other two undefined: the count of a triple never turns into the count of its pair.
    """

    pair: int | None
    classic: int | None
    proximity: int | None


def pmi(counts: Counts, variant: Literal["classic", "proximity"] = "proximity") -> float | None:
    """Return the PMI of a fact: documents with the triple over documents with the pair.

    0 where the triple is found nowhere; None, undefined, where the pair is found nowhere or an
    element is empty. Pairs counted as "near" go with PROXIMITY: CLASSIC may exceed them.
    """
    triple = counts.classic if variant == "classic" else counts.proximity
    if triple is None or not counts.pair:
        return None
    return triple / counts.pair


def alternatives(element: Element) -> Element:
    """Return the canonical form of `element`: alternatives distinct, sorted, none empty."""
    return tuple(sorted({words for words in element if words}))


def pair_width(relation: Element, x: int) -> int:
    """Return how many words may stand between e1 and e2 for a pair that counts as near.

    The words that PROXIMITY allows around the relation, and the relation: 2X + its longest
    alternative, at least one word. A triple in proximity is thus always a pair that is near, in
    whatever order the three stand, and the ratio of the two never exceeds 1.
    """
    return 2 * x + max((len(words) for words in relation), default=1)


def brute_force_counts(
    documents: Iterable[Sequence[str]],
    e1: Element,
    r: Element,
    e2: Element,
    *,
    x: int,
    ordered: bool = False,
    denominator: Denominator = "and",
) -> Counts:
    """Count one fact by trying every triple of occurrences in every document.

    Parameters
    ----------
    documents
        Token sequences.
    e1, r, e2
        The elements.
    x
        The X of NEAR:X, in words.
    ordered
        PROXIMITY asks for e1 before r before e2.
    denominator
        "and": the pair anywhere in the document; "near": at most :func:`pair_width` words between
        the two, in either order.
    """
    e1, r, e2 = alternatives(e1), alternatives(r), alternatives(e2)
    width = pair_width(r, x)
    pair = classic = proximity = 0
    for document in documents:
        firsts, relations, seconds = (_spans(document, element) for element in (e1, r, e2))
        pair += any(
            _gap(a, b) >= 0 and (denominator == "and" or _gap(a, b) <= width)
            for a, b in product(firsts, seconds)
        )
        triples = [
            (a, m, b)
            for a, m, b in product(firsts, relations, seconds)
            if min(_gap(a, m), _gap(m, b), _gap(a, b)) >= 0
        ]
        classic += bool(triples)
        proximity += any(
            max(_gap(a, m), _gap(m, b)) <= x and (not ordered or a < m < b) for a, m, b in triples
        )
    if not (e1 and e2):
        return Counts(None, None, None)
    return Counts(pair, classic, proximity) if r else Counts(pair, None, None)


def check_options(*, x: int, denominator: str) -> None:
    """Refuse options of a count that are out of range.

    Raises
    ------
    ConfigurationError
        For an `x` or a `denominator` that is none.
    """
    if not 0 <= x <= MOST_WORDS_BETWEEN:
        raise ConfigurationError(f"X is {x}: expected 0 to {MOST_WORDS_BETWEEN} words")
    if denominator not in ("and", "near"):
        raise ConfigurationError(f'denominator is "{denominator}": expected "and" or "near"')


def may_overlap(one: Element, other: Element) -> bool:
    """Tell whether an occurrence of one element can share a word with one of the other.

    It can where one alternative holds the other, or begins with the other's end: "New York" and
    "New York City" can, "New York City" and "New York Times" cannot.
    """
    if {w for words in one for w in words}.isdisjoint(w for words in other for w in words):
        return False
    return any(
        a[max(0, shift) : shift + len(b)] == b[max(0, -shift) : len(a) - shift]
        for a, b in product(one, other)
        for shift in range(1 - len(b), len(a))
    )


# --- What brute force is made of --------------------------------------------------------------


def _spans(document: Sequence[str], element: Element) -> list[tuple[int, int]]:
    return [
        (start, start + len(words))
        for words in element
        for start in range(len(document) - len(words) + 1)
        if tuple(document[start : start + len(words)]) == words
    ]


def _gap(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Return the number of words between two spans; negative where they overlap."""
    return max(a[0], b[0]) - min(a[1], b[1])
