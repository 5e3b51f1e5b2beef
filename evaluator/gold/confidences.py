"""By what extractions are ranked: their confidences, where they have any.

No number is invented for an extraction without a confidence. One that lacks it leaves nothing to
rank by: all extractions count, at one operating point, and there is no curve.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from evaluator.model import Extraction


class Ranks(NamedTuple):
    """What ranks extractions.

    Attributes
    ----------
    values
        One number for each extraction; -inf for all where there is one operating point only.
    curve
        Whether there is a curve over them.
    notes
        What a reader of the figures should know.
    """

    values: Sequence[float]
    curve: bool
    notes: Sequence[str]


def ranks(
    extractions: Sequence[Extraction],
    inside: Sequence[int],
    *,
    corrected: bool,
    infinite: float | None = None,
) -> Ranks:
    """Return what ranks the extractions of a system.

    Parameters
    ----------
    extractions
        All of them.
    inside
        Places of those that are scored: what the others lack does no harm.
    corrected
        Whether there is no curve where all confidences are the same, which released scorers draw.
    infinite
        What "inf" and "nan" count as, if not as written.
    """
    given = [extraction.confidence for extraction in extractions]
    for place, confidence in enumerate(given):
        if confidence is None or not -math.inf < confidence < math.inf:
            given[place] = _as_written(extractions[place], infinite)
    if lacking := sum(given[place] is None for place in inside):
        note = f"{lacking:,} extractions lack a confidence: all count, at one operating point"
        return Ranks([-math.inf] * len(given), False, [note])
    values = [-math.inf if value is None else value for value in given]
    distinct = {values[place] for place in inside}
    return Ranks(values, not corrected or len(distinct) > 1, [])


def _as_written(extraction: Extraction, infinite: float | None) -> float | None:
    """Return a confidence that is no finite number; None where there is none."""
    confidence = extraction.confidence
    if confidence is None:
        # Readers keep as text what is no finite number: PropS writes the logarithm of 0.
        with suppress(ValueError):
            confidence = float(str(extraction.extra.get("confidence_text", "")))
    if confidence is None:
        return None
    if infinite is not None:
        return infinite
    return -math.inf if math.isnan(confidence) else confidence
