"""Annotators and estimators by name, and estimators with settings as keywords."""

from collections.abc import Iterable, Sequence

from distval._tables import Comparisons
from evaluator.annotators import ANNOTATORS
from evaluator.comparison import two_systems
from evaluator.comparison.two_systems import Comparison
from evaluator.errors import ConfigurationError
from evaluator.estimators import WITH_LABELS, SystemEstimate, Tally, methods
from evaluator.estimators.census import census as _census
from evaluator.estimators.labelled import LabelledEstimate, estimate
from evaluator.estimators.paper import paper as _paper
from evaluator.estimators.strata import Stratum
from evaluator.estimators.tallies import Cell
from evaluator.intervals import Drawing


def annotators() -> dict[str, str]:
    """Return the annotators by name, each with its title in reports."""
    return {name: kind.title for name, kind in ANNOTATORS.items()}


def estimators() -> dict[str, str]:
    """Return the estimators by name, each with a line about it."""
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
    drawing = Drawing(level=level, draws=draws, seed=seed)
    return estimate(strata, estimator, drawing, corpus=corpus)


def census(
    *,
    b: int,
    system_rest: Tally,
    c: int | None = None,
    candidate_rest: Tally | None = None,
    outside_candidates: int | None = None,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int,
) -> SystemEstimate:
    """Estimate a system from exact b and c: :func:`evaluator.estimators.census.census`."""
    return _census(
        Drawing(level=level, draws=draws, seed=seed),
        b=b,
        system_rest=system_rest,
        c=c,
        candidate_rest=candidate_rest,
        outside_candidates=outside_candidates,
    )


def paper(
    *,
    system: Tally,
    candidates: Tally | None = None,
    outside_candidates: int | None = None,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int,
) -> SystemEstimate:
    """Estimate a system as Bronzi et al. did: :func:`evaluator.estimators.paper.paper`."""
    return _paper(
        Drawing(level=level, draws=draws, seed=seed),
        system=system,
        candidates=candidates,
        outside_candidates=outside_candidates,
    )


def compare(
    cells: Iterable[Cell],
    first: str,
    second: str,
    *,
    seed: int,
    corpus: bool = True,
    level: float = 0.95,
    draws: int = 10_000,
) -> Comparison:
    """Compare two systems: :func:`evaluator.comparison.two_systems.compare`."""
    drawing = Drawing(level=level, draws=draws, seed=seed)
    return two_systems.compare(cells, first, second, drawing, corpus=corpus)


def compare_all(
    cells: Iterable[Cell],
    systems: Sequence[str],
    *,
    seed: int,
    corpus: bool = True,
    level: float = 0.95,
    draws: int = 10_000,
) -> Comparisons:
    """Return :func:`compare` for all pairs, a list that shows itself as a table."""
    drawing = Drawing(level=level, draws=draws, seed=seed)
    return Comparisons(two_systems.compare_all(cells, systems, drawing, corpus=corpus))
