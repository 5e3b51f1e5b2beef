"""What the released scorer of CaRB takes of an extraction, by the format that it was written in.

The released scorer has a reader for each format, and they differ. This project has readers of its
own, which lose nothing; these functions take from an extraction what those would have taken.
"""

from collections.abc import Sequence

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
            if one.more_arguments or one.confidence is None or not one.arg2
        }
    return {}


def released_arguments(extraction: Extraction, form: str) -> list[str]:
    """Return the arguments that the reader of format `form` takes.

    That of OpenIE 4 takes the first of several second arguments only. That of OpenIE 5 puts the
    context before arg1, unless arg1 and relation begin with it.
    """
    arg1, context = extraction.arg1, extraction.attribution
    if form in _THREE_COLUMNS:
        return [arg1, extraction.arg2]
    if form == "openie5":
        if context and not f"{arg1} {extraction.relation}".startswith(context):
            arg1 = f"{context} {arg1}"
        return [arg1, extraction.arg2, *extraction.more_arguments]
    return all_arguments(extraction)


def all_arguments(extraction: Extraction) -> list[str]:
    """Return the arguments but for empty ones at the end."""
    given = [extraction.arg1, extraction.arg2, *extraction.more_arguments]
    while given and not given[-1].strip():
        given.pop()
    return given
