"""What trained annotators look at: a list of numbers with a meaning.

Logs, because counts are spread over magnitudes; log odds of k of n with half a document added on
either side, so that 0 of 1 and 0 of 100 differ. A ratio without a denominator is 0, and the column
that tells whether there is one takes its place in the sum.

How often the entities occur counts twice, for facts with and without a pair. With a pair, the more
documents either of them is in the more likely the pair is chance: "pair", "documents1" and
"documents2" together are the association log(pair · N/(documents1 · documents2)), each with a
weight of its own, so that the association itself would add nothing. Without, it tells how much
silence means.

Of the sentence that states a fact come logs of distances and flags, all 0 where no sentence does
(:class:`~evaluator.annotators.sentence_evidence.SentenceEvidence`).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np

from evaluator.annotators.evidence import Evidence, Floats
from evaluator.annotators.sentence_evidence import AFTER, BEFORE, BETWEEN, FLAGS
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
            f"a trained annotator needs {name}: count the facts with their context"
        )
    return counted


def _similarity(evidence: Evidence) -> Floats:
    """Return s/(1 + s): from 0 for nothing in common to 1 for identity, with a score of 1e300."""
    known = np.nan_to_num(evidence.similarity, nan=0.0)
    return np.asarray(1 - 1 / (1 + known))


def _stated(name: str, evidence: Evidence) -> Floats:
    count: Integers = getattr(evidence, name)
    return _log(count)


def _of_sentence(field: str, evidence: Evidence) -> Floats:
    return np.asarray(np.log1p(np.maximum(evidence.of_sentence(field), 0)))


def _flag(field: str, evidence: Evidence) -> Floats:
    return np.asarray(evidence.of_sentence(field) > 0, float)


def _stands(order: int, evidence: Evidence) -> Floats:
    return np.asarray(evidence.of_sentence("order") == order, float)


TEXT: Mapping[str, Feature] = {
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
}
"""What a collection says: the hit counts of a fact."""

DATABASE: Mapping[str, Feature] = {
    "both known": lambda e: _found(e.known - 1),
    "joined": lambda e: (~np.isnan(e.similarity)).astype(np.float64),
    "similarity": _similarity,
}
"""What the database says: that it knows both entities, joins them by some relation, and by how
similar a one."""

_LOGS = (
    "distance", "gap", "gap1", "gap2", "words1", "words2", "mentions1", "mentions2", "clauses1",
    "clauses2", "place1", "place2", "length",
)  # fmt: skip

SENTENCE: Mapping[str, Feature] = {
    "stated": lambda e: (e.of_sentence("length") >= 0).astype(np.float64),
    "r between": partial(_stands, BETWEEN),
    "r before": partial(_stands, BEFORE),
    "r after": partial(_stands, AFTER),
    **{field: partial(_of_sentence, field) for field in _LOGS},
    **{field: partial(_flag, field) for field in FLAGS},
    "reversed, not by": lambda e: _flag("reversed", e) * (1 - _flag("by", e)),
}
"""How the closest sentence states the fact."""

_STATING = ("sentences", "stating_documents", "systems")

AGREEMENT: Mapping[str, Feature] = {name: partial(_stated, name) for name in _STATING}
"""How many sentences, documents and systems state it."""

FEATURES: Mapping[str, Feature] = {**TEXT, **DATABASE, **SENTENCE, **AGREEMENT}
"""All of them, by name: the column of a feature, shape (facts,)."""


LOGARITHMIC = frozenset({
    *("pair", "documents1", "documents2", "documents1 with pair", "documents2 with pair"),
    *_LOGS,
    *_STATING,
})  # fmt: skip
"""Those that are log(1 + n) of a number n."""


def of_judges(judges: Iterable[str]) -> dict[str, Feature]:
    """Return two features of each judge: what it says, from -1 to 1, and whether it does."""
    features: dict[str, Feature] = {}
    for judge in judges:
        features[f"{judge} says"] = partial(_says, judge)
        features[f"{judge} answers"] = partial(_answers, judge)
    return features


def _says(judge: str, evidence: Evidence) -> Floats:
    return np.nan_to_num(2 * evidence.said_by(judge) - 1, nan=0.0)


def _answers(judge: str, evidence: Evidence) -> Floats:
    return (~np.isnan(evidence.said_by(judge))).astype(np.float64)


def matrix(evidence: Evidence, features: Mapping[str, Feature] = FEATURES) -> Floats:
    """Return features, shape (facts, features); by default all.

    Raises
    ------
    ConfigurationError
        If the evidence was counted without its context.
    """
    return np.stack([feature(evidence) for feature in features.values()], axis=1)
