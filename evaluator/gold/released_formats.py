"""What the released scorers take of an extraction, by the format that it was written in.

The released scorers of CaRB and OIE2016 have a reader for each format, and the readers differ. This
project has readers of its own, which lose nothing; these functions take from an extraction what
those would have taken. The reader of OpenIE 5 is CaRB's only, and serves for OIE2016 as well.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Sequence
from itertools import chain, zip_longest
from typing import cast

from evaluator.model import Extraction

_OF_OPENIE = frozenset(("openie4", "openie5"))
_BEGINS_WITH_SENTENCE = frozenset(("tabbed", "multi2oie"))

# These take three columns whatever they hold; with the others, empty columns at the end of a line
# are no arguments.
_THREE_COLUMNS = frozenset(("clausie", "ollie", "openie4", "reverb", "stanford-reverb"))


def left_out(extractions: Sequence[Extraction], form: str) -> dict[int, str]:
    """Return the places of the extractions that the reader of format `form` skips, and why.

    Those of OpenIE skip an extraction with an empty part; that of ClausIE takes lines of five
    columns only, three slots and a confidence.
    """
    if form in _OF_OPENIE:
        return {
            place: "a part is empty"
            for place, one in enumerate(extractions)
            if not (one.arg1 and one.relation and one.arg2)
        }
    if form == "clausie":
        return {
            place: "not three slots and a confidence"
            for place, one in enumerate(extractions)
            if one.more_arguments or one.confidence is None or one.extra.get("two_slots")
        }
    return {}


def by_sentence_as_read(
    extractions: Sequence[Extraction], form: str, skipped: Container[int] = ()
) -> dict[str, list[int]]:
    """Return the places of the extractions of each sentence, as the reader of `form` takes it."""
    found: dict[str, list[int]] = {}
    for text, places in by_sentence(extractions, skipped).items():
        found.setdefault(sentence_as_read(text, form), []).extend(places)
    return found


def by_sentence(
    extractions: Sequence[Extraction], skipped: Container[int] = ()
) -> dict[str, list[int]]:
    """Return the places of the extractions of each sentence, without those that are skipped."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for place, extraction in enumerate(extractions):
        if place not in skipped:
            found[extraction.sentence].append(place)
    return found


def sentence_as_read(text: str, form: str) -> str:
    """Return a sentence as the reader of format `form` takes it.

    Most strip a line before they split it at tabs: a column that begins or ends it loses spaces.
    """
    if form in _BEGINS_WITH_SENTENCE:
        return text.lstrip()
    if form in _OF_OPENIE:  # the last column
        return text.rstrip()
    return text.strip() if form == "clausie" else text  # a line of its own


def slots_as_read(form: str) -> Callable[[Extraction], Sequence[str]]:
    """Return the function that gives the predicate and the arguments that a reader takes.

    That of OpenIE 4 takes the first of several second arguments only. That of OpenIE 5 puts the
    context before arg1, unless arg1 and relation begin with it. Those that strip a line lose blank
    columns at its end, and then the spaces before them.
    """
    if form in _BEGINS_WITH_SENTENCE:
        return _tabbed
    if form == "props":
        return _props
    if form in _THREE_COLUMNS:
        return _three_columns
    return _openie5 if form == "openie5" else all_slots


def all_slots(extraction: Extraction) -> Sequence[str]:
    """Return the predicate and the arguments but for blank ones at the end."""
    slots = (extraction.relation, *extraction.arguments)
    while len(slots) > 1 and not slots[-1].strip():
        slots = slots[:-1]
    return slots


def _tabbed(extraction: Extraction) -> Sequence[str]:
    return _without_end([extraction.relation, *extraction.arguments])


def _props(extraction: Extraction) -> Sequence[str]:
    labels = cast(Sequence[str], extraction.extra.get("labels", ()))
    pairs = zip_longest(labels, extraction.arguments, fillvalue="")
    # The line may end with a label, and then its arguments keep their spaces.
    return _without_end([extraction.relation, *chain.from_iterable(pairs)])[::2]


def _without_end(columns: list[str]) -> list[str]:
    while len(columns) > 1 and not columns[-1].strip():
        columns.pop()
    columns[-1] = columns[-1].rstrip()
    return columns


def _three_columns(extraction: Extraction) -> Sequence[str]:
    return extraction.relation, extraction.arg1, extraction.arg2


def _openie5(extraction: Extraction) -> Sequence[str]:
    arg1, relation, context = extraction.arg1, extraction.relation, extraction.attribution
    if context and not f"{arg1} {relation}".startswith(context):
        arg1 = f"{context} {arg1}"
    return relation, arg1, extraction.arg2, *extraction.more_arguments
