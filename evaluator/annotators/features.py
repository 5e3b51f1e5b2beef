"""What the calibrated annotator looks at: a short list of numbers with a meaning.

Logs, because counts are spread over magnitudes; log odds of k of n with half a document added on
either side, so that 0 of 1 and 0 of 100 differ. A ratio without a denominator is 0, and the column
that tells whether there is one takes its place in the sum.

How often the entities occur counts twice, for facts with and without a pair. With a pair, the more
documents either of them is in the more likely the pair is chance: "pair", "documents1" and
"documents2" together are the association log(pair · N/(documents1 · documents2)), each with a
weight of its own, so that the association itself would add nothing. Without, it tells how much
silence means.
"""

from collections.abc import Callable, Mapping

import numpy as np

from evaluator.annotators.evidence import Evidence, Floats
from evaluator.counting.occurrences import Integers
from evaluator.errors import ConfigurationError

type Feature = Callable[[Evidence], Floats]


def _found(count: Integers) -> Floats:
    return (count > 0).astype(np.float64)


def _log_odds(hits: Integers, of: Integers) -> Floats:
    """Return the smoothed log odds of `hits` of `of`, 0 where `of` is."""
    k = np.minimum(hits, of)
    return np.where(of > 0, np.log((k + 0.5) / (of - k + 0.5)), 0.0)


def _log(count: Integers) -> Floats:
    return np.asarray(np.log1p(count))


def _context(evidence: Evidence, name: str) -> Integers:
    counted: Integers | None = getattr(evidence, name)
    if counted is None:
        raise ConfigurationError(
            f"the calibrated annotator needs {name}: count the facts with their context"
        )
    return counted


def _similarity(evidence: Evidence) -> Floats:
    """Return s/(1 + s): from 0 for nothing in common to 1 for identity, with a score of 1e300."""
    known = np.nan_to_num(evidence.similarity, nan=0.0)
    return np.asarray(1 - 1 / (1 + known))


FEATURES: Mapping[str, Feature] = {
    "pair found": lambda e: _found(e.pair),
    "pair": lambda e: _log(e.pair),
    "classic": lambda e: _log_odds(e.classic, e.pair),
    "proximity": lambda e: _log_odds(e.proximity, e.pair),
    "beside": lambda e: _log_odds(_context(e, "beside"), e.pair),
    "topic found": lambda e: _found(e.topic),
    "anchored": lambda e: _log_odds(e.anchored, e.topic),
    "about found": lambda e: _found(_context(e, "about")),
    "documents1": lambda e: _log(_context(e, "documents1")),
    "documents2": lambda e: _log(_context(e, "documents2")),
    "documents1 with pair": lambda e: _log(_context(e, "documents1")) * _found(e.pair),
    "documents2 with pair": lambda e: _log(_context(e, "documents2")) * _found(e.pair),
    "near1": lambda e: _log_odds(_context(e, "near1"), _context(e, "documents1")),
    "near2": lambda e: _log_odds(_context(e, "near2"), _context(e, "documents2")),
    "both known": lambda e: _found(e.known - 1),
    "joined": lambda e: (~np.isnan(e.similarity)).astype(np.float64),
    "similarity": _similarity,
}
"""By name: the column of a feature, shape (facts,). The last three are what the database says: that
it knows both entities, joins them by some relation, and by how similar a one."""


def matrix(evidence: Evidence) -> Floats:
    """Return all features, shape (facts, features).

    Raises
    ------
    ConfigurationError
        If the evidence was counted without its context.
    """
    return np.stack([feature(evidence) for feature in FEATURES.values()], axis=1)
