"""What the distant annotator learns from: three lessons, and how each is corrected.

``held``
    For runs with a corpus. Facts that the database holds by the same word are examples of true
    ones; facts that match by a similar word are none, and all others are unlabelled. Most of these
    are false, since the candidate superset exchanges every subject, relation and object of a
    sentence; some are true and missing in the database. The model learns P(held); where the
    database holds a share c of the true facts, P(true) = P(held)/c. c is the share of held facts
    among those that the model is surest of: above the top fifth of held facts. Only facts whose
    entities the database knows both are examples. Relations of which it holds no fact are among
    them: many are words that state nothing, and learnt without them too many of their facts in the
    candidate superset come out as true. Beside the number of systems that state a fact it learns
    which ones: the database holds more of what a careful system states.
``agreed``
    For runs with a corpus and a database that holds hardly any fact of it. Facts that two systems
    or more state are examples; all others are unlabelled. Given whether a fact is true, who states
    it is taken to be independent of what the model sees (class-conditional noise, Menon et al.,
    ICML 2015): P(two or more) is b where surely true, a where surely false, and a + (b - a)·P(true)
    between. b and a are the shares among the surest facts, above the top fifth of the examples, and
    among the least sure, below the last twentieth. Of these two come the shares of facts that no
    system states and that one does as well, so that Bayes' rule adds to P(true) who states the
    fact. What systems state and what nobody does are learnt apart, and a last model joins the two.
``exchanged``
    For runs on facts without a corpus. Facts that are made, with the subject, object or relation of
    another, are examples of false ones; what systems state is unlabelled. The log odds by which the
    model tells the two apart are, among the stated facts, taken for a mixture of two normal
    distributions, and P(true) is that of the upper one. A system's errors look more like its true
    facts than made ones do, so the lower one is fitted to both, where made facts together weigh a
    fifth of the stated.

The first takes nearly all of the surest facts for true, and the database for a fair choice among
true facts (selected completely at random). Where it holds plainly stated ones more often, c is too
large and the probabilities are too low. The second takes systems for independent: errors that two
share count as true, and of facts that no system states it knows little. The third finds two hills
where there is one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from evaluator.annotators.base import Examples
from evaluator.annotators.evidence import NOBODY, Evidence, Floats, separate
from evaluator.annotators.features import AGREEMENT, SENTENCE, TEXT, Feature
from evaluator.annotators.logistic import Logistic, Sample, fit
from evaluator.counting.occurrences import Booleans, Integers
from evaluator.errors import ConfigurationError

_LOOKED_AT: Final[Mapping[str, Mapping[str, Feature]]] = {
    "held": {**TEXT, **SENTENCE, **AGREEMENT},
    "agreed": {
        **TEXT,
        **SENTENCE,
        "a system states it": lambda e: (e.systems > 0).astype(np.float64),
        "two systems state it": lambda e: (e.systems > 1).astype(np.float64),
    },
    "exchanged": TEXT,
}


def looked_at(lesson: str, groups: Sequence[str]) -> dict[str, Feature]:
    """Return the features that the annotator sees in a lesson, by name.

    Not those of the database, which chooses the examples of the lesson "held", nor in "exchanged"
    who states a fact, since nobody states the made ones.

    Parameters
    ----------
    lesson
        Its name.
    groups
        Of systems (:func:`groups_of`), each with a column of its own.
    """
    named = {f"only {' and '.join(map(repr, separate(of)))}": of for of in groups}
    return {**_LOOKED_AT[lesson], **{name: partial(_stated_by, of) for name, of in named.items()}}


def groups_of(lesson: str, evidence: Evidence) -> tuple[str, ...]:
    """Return the groups of systems that together, and without others, state enough facts.

    How often the database holds what a group states tells how much it can be trusted: the number of
    systems alone takes the facts of a careful system for as doubtful as those of a careless one.
    Where all stated facts are stated by one group, the number says as much.

    Parameters
    ----------
    lesson
        None has groups but "held".
    evidence
        Of the facts that the lesson is learnt from.
    """
    named, facts = np.unique(evidence.stated_by, return_counts=True)
    enough = named[(facts >= FEWEST) & (named != NOBODY)].tolist()
    return tuple(enough) if lesson == "held" and (named != NOBODY).sum() > 1 else ()


def _stated_by(group: str, evidence: Evidence) -> Floats:
    return np.asarray(evidence.stated_by == group, float)


FEWEST = 30
"""Facts of either kind that it learns from at least."""

FOLDS = 5
"""Into which facts are dealt, by their subject."""

_REGULARISATION = 0.01  # there are few held facts where a corpus or a database is small
_SUREST = 0.2  # of the facts of a kind: what lies beyond them is taken for pure
_LEAST_SURE = 0.05
ENDS = (0.001, 0.999)
"""Of a probability."""

_MADE = 0.2  # weight of all made facts, in that of the stated
_ROUNDS = 300  # of expectation and maximisation
_KNOTS = 101


def learn_lesson(sample: Sample) -> Logistic:
    """Return a model learnt from examples, with the same weights for every relation."""
    return fit(sample, own=False, regularisation=_REGULARISATION)


def folds_of(names: Sequence[str]) -> Integers:
    """Return the fold of each fact, shape (facts,), by what it is dealt by."""
    return np.array([int(name, 16) % FOLDS for name in names], np.int64)


def log_odds(model: Logistic, features: Floats) -> Floats:
    """Return the log odds of each fact, shape (facts,), before any correction."""
    return model.contributions(features, [""] * len(features)).sum(axis=1)


def lesson_of(examples: Examples) -> tuple[str, Booleans, Booleans]:
    """Return the lesson of a run, which facts it is learnt from, and which are its examples."""
    evidence, matched = examples.evidence, examples.matched
    if examples.made.any():
        return "exchanged", evidence.defined, ~examples.made
    told = evidence.defined & (evidence.known == 2)
    if min((told & matched).sum(), (told & ~matched).sum()) < FEWEST:
        one, more = ((evidence.defined & of).sum() for of in _by_one_and_more(evidence.systems))
        if min(one, more) >= FEWEST:
            return "agreed", evidence.defined, evidence.systems > 1
    return "held", told, matched


def _by_one_and_more(systems: Integers) -> tuple[Booleans, Booleans]:
    return systems == 1, systems > 1


def _by_agreement(sample: Sample) -> Floats:
    """Return the probability of each fact by the lesson "agreed", shape (facts,)."""
    number = sample.features[:, -2:].sum(axis=1).astype(int)  # of systems: 0, 1, or 2 and more
    blind = sample._replace(features=sample.features[:, :-2])
    probability = np.empty(number.size)
    for stated in (True, False):
        rows = np.flatnonzero(number > 0) if stated else np.arange(number.size)
        judged, seen = blind.take(rows), number[rows]
        odds, agreed = np.empty(rows.size), np.empty(rows.size)
        surest, least = np.zeros(rows.size, bool), np.zeros(rows.size, bool)
        for k in range(FOLDS):
            part = judged.fold == k
            model = learn_lesson(judged.take(~part))
            odds[part] = log_odds(model, judged.features[part])
            agreed[part] = model.probability(judged.features[part], [""] * int(part.sum()))
            low, high = np.quantile(odds[part & judged.labels], (_LEAST_SURE, 1 - _SUREST))
            surest |= part & (odds >= high)
            least |= part & (odds <= low)
        if_true, if_false = (_shares(seen[of], judged.weight[of]) for of in (surest, least))
        if if_true[2] <= if_false[2]:
            raise ConfigurationError(
                "nothing in the text or the sentences tells facts that two systems state from "
                'others: the distant annotator cannot learn here; annotator = "pmi" learns nothing'
            )
        true = np.clip((agreed - if_false[2]) / (if_true[2] - if_false[2]), *ENDS)
        true = if_true[seen] * true / (if_true[seen] * true + if_false[seen] * (1 - true))
        asked = seen > 0 if stated else seen == 0
        probability[rows[asked]] = true[asked]
    return probability


def _shares(number: Integers, weight: Floats) -> Floats:
    """Return which share of facts 0, 1 and 2 systems state, with half a fact added to each."""
    counted = np.bincount(number, weight, minlength=3) + weight.mean() / 2
    return np.asarray(counted / counted.sum())


def softened_by_agreement(sample: Sample) -> Sample:
    """Return each fact twice, as a true and as a false one, by its probability from agreement."""
    probability = _by_agreement(sample)
    return Sample(
        np.vstack([sample.features, sample.features]),
        np.concatenate([sample.relation, sample.relation]),
        np.repeat([True, False], probability.size),
        np.concatenate([sample.fold, sample.fold]),
        np.concatenate([sample.weight * probability, sample.weight * (1 - probability)]),
    )


type _Correction = tuple[float, Callable[[Logistic], Logistic]]
"""The estimated share of a lesson, and what turns its models into those of P(true)."""


def _held(odds: Floats, sample: Sample) -> _Correction:
    """Return the share of held facts among the surest, above the top fifth of held facts.

    Of each fold by itself: the model of a fold that has more held facts has seen fewer of them, and
    gives all facts of the fold lower odds.
    """
    surest = np.zeros(odds.size, bool)
    for k in range(FOLDS):
        part = sample.fold == k
        surest[part] = odds[part] >= np.quantile(odds[part & sample.labels], 1 - _SUREST)
    held = float(np.average(sample.labels[surest], weights=sample.weight[surest]))

    def correct(model: Logistic) -> Logistic:
        knots = tuple((x, float(np.clip(p / held, *ENDS))) for x, p in model.shared_knots)
        return replace(model, shared_knots=knots)

    return held, correct


def _stated(odds: Floats, sample: Sample) -> _Correction:
    """Return the share of true facts among the stated, by a mixture of their log odds."""
    stated = sample.labels
    weight = np.where(stated, 1.0, _MADE * stated.sum() / (~stated).sum())
    upper = np.where(stated, odds > np.median(odds[stated]), 0.0)  # P(true), by turns with these:
    share, normals = 0.5, [(0.0, 1.0), (0.0, 1.0)]
    for _ in range(_ROUNDS):
        normals = [_normal(odds, weight * of) for of in (1 - upper, upper)]
        share = float(upper[stated].mean())
        upper = np.where(stated, _posterior(odds, share, normals), 0.0)
    grid = np.quantile(odds[stated], np.linspace(0, 1, _KNOTS))
    rising = _posterior(grid, share, normals)
    # The wider of two normal distributions is above the other at both ends.
    lowest = int(rising[: _KNOTS // 2].argmin())
    rising[:lowest] = rising[lowest]
    rising = np.clip(np.maximum.accumulate(rising), *ENDS)
    knots = tuple(zip(grid.tolist(), rising.tolist(), strict=True))
    return share, lambda model: replace(model, shared_knots=knots)


def _agreed(_: Floats, sample: Sample) -> _Correction:
    """Return the share of true facts among the stated; the models need no correction."""
    stated = sample.features[:, -2] > 0
    return float(np.average(sample.labels[stated], weights=sample.weight[stated])), lambda m: m


def _normal(values: Floats, weight: Floats) -> tuple[float, float]:
    """Return the mean and standard deviation of values."""
    mean = float(np.average(values, weights=weight))
    return mean, max(float(np.average((values - mean) ** 2, weights=weight)) ** 0.5, 0.1)


def _posterior(odds: Floats, share: float, normals: Sequence[tuple[float, float]]) -> Floats:
    """Return the probability of the second of two normal distributions, which has this share."""
    lower, upper = (-0.5 * ((odds - mean) / sd) ** 2 - np.log(sd) for mean, sd in normals)
    return np.asarray(1 / (1 + (1 - share) / share * np.exp(np.clip(lower - upper, -500, 500))))


CORRECTIONS: Final[Mapping[str, Callable[[Floats, Sample], _Correction]]] = {
    "held": _held,
    "agreed": _agreed,
    "exchanged": _stated,
}
"""By lesson: what makes of log odds and examples the lesson's share and the models of P(true)."""


def check_lesson(lesson: str, sample: Sample) -> None:
    """Refuse, with a ConfigurationError, too few examples, or too few subjects, to learn from."""
    first, second = _KINDS[lesson]
    kinds = {first: sample.labels, second: ~sample.labels}
    if min(kind.sum() for kind in kinds.values()) < FEWEST:
        counts = " and ".join(f"{kind.sum():,} {name}" for name, kind in kinds.items())
        raise ConfigurationError(
            f"{counts}: the distant annotator learns from {FEWEST} of either at least, or from "
            f"{FEWEST} facts of two systems and {FEWEST} of one; "
            'annotator = "pmi" learns from none'
        )
    for name, kind in kinds.items():
        if np.unique(sample.fold[kind]).size < FOLDS:
            raise ConfigurationError(
                f"all {name} are about a few subjects: the distant annotator cannot judge facts by "
                "what it has learnt of other subjects"
            )


_KINDS = {
    "held": ("facts that the database holds", "others about entities that it knows"),
    "agreed": ("facts that two systems state", "others"),
    "exchanged": ("stated facts", "made ones"),
}
