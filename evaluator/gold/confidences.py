"""By what extractions are ranked: their confidences, where they have any.

No number is invented for an extraction without a confidence. One that lacks it leaves nothing to
rank by: all extractions count, at one operating point, and there is no curve.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np

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
    values = np.array([extraction.confidence for extraction in extractions], dtype=np.float64)
    lacking: set[int] = set()
    for place in np.flatnonzero(~np.isfinite(values)).tolist():
        written = _as_written(extractions[place], infinite)
        values[place] = -math.inf if written is None else written
        if written is None:
            lacking.add(place)
    if lacking and (without := len(lacking.intersection(inside))):
        note = f"{without:,} extractions lack a confidence: all count, at one operating point"
        return Ranks([-math.inf] * len(values), False, [note])
    curve = not corrected or len(np.unique(values[inside])) > 1
    return Ranks(values.tolist(), curve, [])


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
