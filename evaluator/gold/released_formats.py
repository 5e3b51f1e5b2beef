"""What the released scorers take of an extraction, by the format that it was written in.

The released scorers of CaRB and OIE2016 have a reader for each format, and the readers differ. This
project has readers of its own, which lose nothing; these functions take from an extraction what
those would have taken. The reader of OpenIE 5 is CaRB's only, and serves for OIE2016 as well.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import cast

from evaluator.model import Extraction

# These take three columns whatever they hold; the others strip the line first, so that empty
# columns at its end are no arguments.
_THREE_COLUMNS = frozenset(("clausie", "ollie", "openie4", "reverb", "stanford-reverb"))


def left_out(extractions: Sequence[Extraction], form: str) -> dict[int, str]:
    """Return the places of the extractions that the reader of format `form` skips, and why.

    Those of OpenIE skip an extraction with an empty part; that of ClausIE takes lines of five
    columns only, three slots and a confidence.
    """
    if form in ("openie4", "openie5"):
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


def stripped(extractions: Sequence[Extraction], form: str) -> Sequence[Extraction]:
    """Return the extractions as lines give them that are stripped before they are split at tabs.

    The column that begins or ends a line loses its spaces, and blank columns at the end go, and
    then the spaces before them. An extraction of which nothing goes is returned itself.
    """
    if form in ("tabbed", "multi2oie"):
        return [
            _tabbed(one) if one.sentence[:1].isspace() or _ends_blank(one) else one
            for one in extractions
        ]
    if form == "props":
        return [_props(one) if _ends_blank(one) else one for one in extractions]
    if form == "clausie":  # the sentence has a line of its own
        return [_of_sentence(one, one.sentence.strip()) for one in extractions]
    if form in ("openie4", "openie5"):  # it is the last column
        return [_of_sentence(one, one.sentence.rstrip()) for one in extractions]
    return extractions


def released_arguments(extraction: Extraction, form: str) -> Sequence[str]:
    """Return the arguments that the reader of format `form` takes.

    That of OpenIE 4 takes the first of several second arguments only. That of OpenIE 5 puts the
    context before arg1, unless arg1 and relation begin with it.
    """
    arg1, context = extraction.arg1, extraction.attribution
    if form in _THREE_COLUMNS:
        return arg1, extraction.arg2
    if form == "openie5":
        if context and not f"{arg1} {extraction.relation}".startswith(context):
            arg1 = f"{context} {arg1}"
        return arg1, extraction.arg2, *extraction.more_arguments
    return all_arguments(extraction)


def all_arguments(extraction: Extraction) -> Sequence[str]:
    """Return the arguments but for blank ones at the end."""
    given = extraction.arguments
    while given and not given[-1].strip():
        given = given[:-1]
    return given


def _ends_blank(extraction: Extraction) -> bool:
    last = extraction.more_arguments[-1] if extraction.more_arguments else extraction.arg2
    return not last or last[-1].isspace()


def _tabbed(extraction: Extraction) -> Extraction:
    # The confidence is not blank: nothing before it is stripped from the right.
    columns = [extraction.sentence, "0", extraction.relation, *extraction.arguments]
    sentence, _, *slots = "\t".join(columns).strip().split("\t")
    return _with_slots(extraction, sentence, slots)


def _props(extraction: Extraction) -> Extraction:
    labels = cast(Sequence[str], extraction.extra.get("labels", ()))
    pairs = zip(labels, extraction.arguments, strict=False)
    columns = ["0", extraction.sentence, extraction.relation, *chain.from_iterable(pairs)]
    columns = "\t".join(columns).rstrip().split("\t")
    return _with_slots(extraction, extraction.sentence, [*columns[2:3], *columns[4::2]])


def _with_slots(extraction: Extraction, sentence: str, slots: Sequence[str]) -> Extraction:
    relation, arg1, arg2, *more = (*slots, "", "", "")[: max(3, len(slots))]
    return replace(
        extraction,
        sentence=sentence,
        arg1=arg1,
        relation=relation,
        arg2=arg2,
        more_arguments=tuple(more),
    )


def _of_sentence(extraction: Extraction, sentence: str) -> Extraction:
    if sentence == extraction.sentence:
        return extraction
    return replace(extraction, sentence=sentence)
