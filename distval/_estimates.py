"""Annotators and estimators by name."""

from collections.abc import Sequence

from evaluator.annotators import ANNOTATORS
from evaluator.errors import ConfigurationError
from evaluator.estimators import WITH_LABELS, methods
from evaluator.estimators.labelled import LabelledEstimate, estimate
from evaluator.estimators.strata import Stratum


def annotators() -> dict[str, str]:
    """Return the annotators: what a report calls each, by name."""
    return {name: kind.title for name, kind in ANNOTATORS.items()}


def estimators() -> dict[str, str]:
    """Return the estimators, with and without human labels: a line on each, by name."""
    return {name: method.DESCRIPTION for name, method in methods().items()}


def with_labels(
    strata: Sequence[Stratum],
    estimator: str = "chain-rule",
    *,
    corpus: bool = True,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> LabelledEstimate:
    """Estimate the regions, precision, recall and F of a system from human labels.

    Parameters
    ----------
    strata
        The facts of S ∪ G′, or of S alone: how many there are, how many were judged and labelled,
        and what people said.
    estimator
        NAME of an estimator with labels.
    corpus
        Whether G′ is known; without it recall is not.
    level, draws, seed
        Nominal coverage, posterior draws, and their seed: one seed, one answer.

    Raises
    ------
    ConfigurationError
        If there is no such estimator.
    """
    if estimator not in WITH_LABELS:
        known = ", ".join(WITH_LABELS)
        raise ConfigurationError(f"estimator {estimator!r} is unknown; known: {known}")
    return estimate(
        strata,
        name=estimator,
        estimator=WITH_LABELS[estimator],
        corpus=corpus,
        level=level,
        draws=draws,
        seed=seed,
    )
