"""The model of Dawid and Skene: how good each rater is, and what is true, from the labels alone.

Dawid and Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm",
Applied Statistics 28(1), 1979; here for two classes. A rater calls a true fact true with a
probability of the rater's own, sensitivity, and a false one false with another, specificity,
whatever the other raters say of it. Where facts are hard for everybody raters err together, and the
model takes them for better than they are.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.errors import ConfigurationError

FEWEST_RATERS = 3
"""With two raters every fact they differ on could be either's error: nothing tells which."""

PRIOR = 0.5
"""Right and wrong answers that each rater is taken to have given beforehand to facts of either
class, and true and false facts seen beforehand: keeps shares off 0 and 1 where labels are few."""

_TOLERANCE = 1e-10
_MOST_STEPS = 10_000


class RaterQuality(NamedTuple):
    """How often a rater is right.

    Attributes
    ----------
    sensitivity, specificity
        Probability of "true" for a true fact, of "false" for a false one.
    labels
        Number of facts that the rater labelled.
    """

    sensitivity: float
    specificity: float
    labels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DawidSkene[I: Hashable]:
    """The model of Dawid and Skene, fitted to labels.

    Attributes
    ----------
    posterior
        Fact to the probability that it is true.
    raters
        Rater to quality.
    prevalence
        Share of true facts among those labelled.
    steps
        Steps of the EM algorithm taken.
    converged
        Whether the last step moved no probability by more than 1e-10.
    """

    posterior: Mapping[I, float]
    raters: Mapping[str, RaterQuality]
    prevalence: float
    steps: int
    converged: bool


def dawid_skene[I: Hashable](
    ratings: Mapping[str, Mapping[I, bool]], *, most_steps: int = _MOST_STEPS
) -> DawidSkene[I]:
    """Fit the model of Dawid and Skene for two classes; return probabilities and raters' qualities.

    The EM algorithm starts where every fact is true with the share of its raters who say so. Each
    step takes as prevalence, sensitivity and specificity the modes of their posteriors, Beta with
    :data:`PRIOR` counts on either side, and then by Bayes' rule the probability of each fact.

    The likelihood is the same if true and false change places and all raters err more often than
    not. Here no rater does worse than chance: sensitivity + specificity ≥ 1, in each step the mode
    under that constraint. So classes cannot change places; a rater who contradicts the others is
    one who says nothing (sensitivity + specificity = 1).

    Parameters
    ----------
    ratings
        Rater to fact to judgement. The order does not matter; raters need not have judged the same
        facts.
    most_steps
        Where to stop if the probabilities have not settled.

    Raises
    ------
    ConfigurationError
        If there are fewer than three raters, or no fact has two.
    """
    raters = sorted(rater for rater, judged in ratings.items() if judged)
    items: list[I] = sorted({item for rater in raters for item in ratings[rater]}, key=_order)
    if len(raters) < FEWEST_RATERS:
        raise ConfigurationError(
            f"dawid-skene needs labels of {FEWEST_RATERS} raters or more, and there are "
            f"{len(raters)} ({', '.join(raters)}); use majority or adjudicated"
        )
    place = {item: number for number, item in enumerate(items)}
    votes = [
        (place[item], number, ratings[rater][item])
        for number, rater in enumerate(raters)
        for item in sorted(ratings[rater], key=_order)
    ]
    if len(votes) == len(items):
        raise ConfigurationError(
            "dawid-skene learns from facts that two raters labelled, and there is none; "
            "use majority"
        )
    cast = _Votes(
        np.array([item for item, _, _ in votes]),
        np.array([rater for _, rater, _ in votes]),
        np.array([said for _, _, said in votes]),
    )
    true = np.bincount(cast.item, weights=cast.said) / np.bincount(cast.item)
    prevalence, says_true = _most_likely(true, cast)
    steps, converged = 0, False
    while steps < most_steps and not converged:
        before, true = true, _posterior(prevalence, says_true, cast)
        prevalence, says_true = _most_likely(true, cast)
        steps += 1
        converged = bool(np.abs(true - before).max() <= _TOLERANCE)
    labelled = np.bincount(cast.rater)
    return DawidSkene(
        posterior=dict(zip(items, true.tolist(), strict=True)),
        raters={
            name: RaterQuality(float(says_true[1, j]), 1 - float(says_true[0, j]), int(labelled[j]))
            for j, name in enumerate(raters)
        },
        prevalence=prevalence,
        steps=steps,
        converged=converged,
    )


class _Votes(NamedTuple):
    """All labels; every array has shape (labels,)."""

    item: NDArray[np.int64]
    rater: NDArray[np.int64]
    said: NDArray[np.bool_]


def _most_likely(true: NDArray[np.float64], votes: _Votes) -> tuple[float, NDArray[np.float64]]:
    """Return the prevalence, and how often each rater says "true" of false and of true facts.

    The second has shape (2, raters): 1 − specificity, sensitivity.
    """
    prevalence = (float(true.sum()) + PRIOR) / (true.size + 2 * PRIOR)
    of_class = (1 - true[votes.item], true[votes.item])
    yes = np.stack([np.bincount(votes.rater, w * votes.said) for w in of_class]) + PRIOR
    said = np.stack([np.bincount(votes.rater, w) for w in of_class]) + 2 * PRIOR
    share = yes / said
    # At the edge of the constraint both shares are one: that of "true" among all answers.
    return prevalence, np.where(share[1] >= share[0], share, yes.sum(axis=0) / said.sum(axis=0))


def _posterior(
    prevalence: float, says_true: NDArray[np.float64], votes: _Votes
) -> NDArray[np.float64]:
    """Return the probability of each fact by Bayes' rule, from the log odds of its votes."""
    yes = np.log(says_true[1]) - np.log(says_true[0])
    no = np.log1p(-says_true[1]) - np.log1p(-says_true[0])
    told = np.where(votes.said, yes[votes.rater], no[votes.rater])
    odds = np.log(prevalence) - np.log1p(-prevalence) + np.bincount(votes.item, told)
    return np.asarray(np.exp(-np.logaddexp(0, -odds)))


def _order(item: Hashable) -> str:
    return repr(item)
