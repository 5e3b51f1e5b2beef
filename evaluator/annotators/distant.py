"""The distant annotator: the probability that a fact is true, learnt from what D decides.

Distant supervision (Mintz et al., ACL 2009) inside the run, without people, with a correction for
examples that are not pure (positive-unlabelled learning, Elkan and Noto, KDD 2008). There are three
lessons:

``held``
    For runs with a corpus. Facts that the database holds by the same word are examples of true
    ones; facts that match by a similar word are none, and all others are unlabelled. Most of these
    are false, since the candidate superset exchanges every subject, relation and object of a
    sentence; some are true and missing in the database. The model learns P(held); where the
    database holds a share c of the true facts, P(true) = P(held)/c. c is the share of held facts
    among those that the model is surest of: above the top fifth of held facts. Only facts whose
    entities the database knows both are examples. Relations of which it holds no fact are among
    them: many are words that state nothing, and learnt without them too many of their facts in the
    candidate superset come out as true.
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

The model sees the text and the sentence, not what the database says, nor which relation it is. A
fact is judged by a model that has seen no fact of its subject (cross-fitting in folds). The
threshold is in the first lesson the one at which as many facts are accepted as are expected to be
true, in the others 0.5.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np

from evaluator.annotators.base import (
    Examples,
    Kind,
    Part,
    Population,
    check_single,
    check_threshold,
)
from evaluator.annotators.evidence import Evidence, Floats
from evaluator.annotators.features import AGREEMENT, SENTENCE, TEXT, Feature, matrix
from evaluator.annotators.items import digest_of
from evaluator.annotators.logistic import Logistic, Sample, fit
from evaluator.counting.occurrences import Booleans, Integers
from evaluator.errors import ConfigurationError
from evaluator.model import Item

NAME: Final = "distant"

LOOKED_AT: Final[Mapping[str, Mapping[str, Feature]]] = {
    "held": {**TEXT, **SENTENCE, **AGREEMENT},
    "agreed": {
        **TEXT,
        **SENTENCE,
        "a system states it": lambda e: (e.systems > 0).astype(np.float64),
        "two systems state it": lambda e: (e.systems > 1).astype(np.float64),
    },
    "exchanged": TEXT,
}
"""The features that it sees in each lesson: not those of the database, which chooses examples of
the first, nor in the last who states a fact, since nobody states the made ones."""

FEWEST = 30
"""Facts of either kind that it learns from at least."""

LEARNT: Final = ("lesson", "share", "examples", "true")
"""What a result tells of how it has learnt."""

FOLDS = 5
_REGULARISATION = 0.01  # there are few held facts where a corpus or a database is small
_SUREST = 0.2  # of the facts of a kind: what lies beyond them is taken for pure
_LEAST_SURE = 0.05
_ENDS = (0.001, 0.999)  # of a probability
_MADE = 0.2  # weight of all made facts, in that of the stated
_ROUNDS = 300  # of expectation and maximisation
_KNOTS = 101


@dataclass(frozen=True, slots=True, kw_only=True)
class Distant:
    """A model learnt from what the database decides.

    Attributes
    ----------
    model
        Learnt from all examples.
    folds
        Those that judge: the model of fold k has seen no fact of fold k.
    lesson
        What it learnt from: "held", "agreed" or "exchanged".
    share
        The estimated share of true facts that the database holds, or of stated ones that are true.
    examples, true
        Facts that it learnt from, and how many of them are held, stated by two systems, or stated.
    threshold
        Least probability of a fact that is accepted.

    Raises
    ------
    ConfigurationError
        For a threshold that is none.
    ValueError
        If a model has not one weight for each feature.
    """

    NAME: ClassVar[str] = NAME

    model: Logistic
    folds: tuple[Logistic, ...]
    lesson: str
    share: float
    examples: int
    true: int
    threshold: float

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        for model in (self.model, *self.folds):
            model.check_features(len(LOOKED_AT[self.lesson]))

    @classmethod
    def fit(cls, examples: Examples, *, threshold: float | None = None) -> "Distant":
        """Learn from what the database decides; the same examples in any order give the same model.

        Parameters
        ----------
        examples
            What it decides.
        threshold
            By default that of the lesson.

        Raises
        ------
        ConfigurationError
            For fewer than 30 facts of either kind, or where agreement is all there is to learn
            from and nothing tells of it.
        """
        from threadpoolctl import threadpool_limits

        evidence, made = examples.evidence, examples.made
        matched, weight, fold = examples.matched, examples.weight, _fold(examples.names)
        lesson, told, labels = _lesson(examples)
        features = matrix(evidence, LOOKED_AT[lesson])
        if lesson == "exchanged":
            weight = np.where(made, weight[~made].sum() / made.sum(), weight)  # as many as stated
        rows = np.flatnonzero(told)
        # Sums of floating point depend on the order: one order, whatever the input's.
        rows = rows[np.lexsort((*features[rows].T, weight[rows], labels[rows], fold[rows]))]
        sample = Sample(
            features[rows], np.full(rows.size, ""), labels[rows], fold[rows], weight[rows]
        )
        _check(sample, *_KINDS[lesson])
        true = int(sample.labels.sum())
        with threadpool_limits(1):  # as for the calibrated annotator
            if lesson == "agreed":
                sample = _softened(sample, _by_agreement(sample))
            fitted = _learn(sample)
            folds = [_learn(sample.take(sample.fold != k)) for k in range(FOLDS)]
        odds = np.empty(sample.fold.size)
        for k, model in enumerate(folds):
            part = sample.fold == k
            odds[part] = _odds(model, sample.features[part])
        share, correct = _CORRECTIONS[lesson](odds, sample)
        annotator = cls(
            model=correct(fitted),
            folds=tuple(map(correct, folds)),
            lesson=lesson,
            share=share,
            examples=rows.size,
            true=true,
            threshold=0.5 if threshold is None else threshold,
        )
        if threshold is not None or lesson != "held":
            return annotator
        open_facts = evidence.defined & ~matched
        scores = annotator.score(evidence, examples.names)[open_facts].round(3)
        return replace(annotator, threshold=_threshold(scores, examples.weight[open_facts]))

    def score(self, evidence: Evidence, names: Sequence[str] | None = None) -> Floats:
        """Return the probability of each fact, NaN where it is not defined.

        Parameters
        ----------
        evidence
            With its context.
        names
            Of the facts (:func:`subject_of`): each is judged by a model that has seen none of its
            subject. Without them all are taken as new.
        """
        features = matrix(evidence, LOOKED_AT[self.lesson])
        nameless = [""] * len(evidence)
        if names is None:
            scores = self.model.probability(features, nameless)
        else:
            fold, scores = _fold(names), np.empty(len(evidence))
            for k, model in enumerate(self.folds):
                part = fold == k
                scores[part] = model.probability(features[part], nameless[: part.sum()])
        return np.where(evidence.defined, scores, np.nan)

    def coefficients(self, relation: str | None = None) -> tuple[Part, ...]:
        """Return every feature with its mean as value and its weight per standard deviation.

        They are those of the log odds of the lesson, before its correction, and alike for every
        `relation`.
        """
        return self.model.coefficients(LOOKED_AT[self.lesson], relation)

    def parts(self, evidence: Evidence, names: Sequence[str] | None = None) -> tuple[Part, ...]:
        """Return what each feature of one fact adds to the log odds, before the correction.

        Parameters as for :meth:`score`; contributions are relative to the mean of the examples.
        """
        check_single(evidence)
        model = self.model if names is None else self.folds[_fold(names)[0]]
        features = LOOKED_AT[self.lesson]
        return model.parts(features, matrix(evidence, features), "")

    def describe(self) -> str:
        """Return for example "distant-1f6c2a90-t0.41", with a digest of all models."""
        models = {**self.as_json(), "threshold": None}
        return f"{NAME}-{digest_of([repr(models)])[:8]}-t{self.threshold:g}"

    def as_json(self) -> dict[str, Any]:
        """Return the parameters."""
        return {
            "threshold": self.threshold,
            **{name: getattr(self, name) for name in LEARNT},
            "features": list(LOOKED_AT[self.lesson]),
            "model": asdict(self.model),
            "folds": [asdict(model) for model in self.folds],
        }

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> "Distant":
        """Return the annotator with the parameters that :meth:`as_json` gave.

        Raises
        ------
        ValueError
            If it looks at other features.
        """
        if saved["features"] != list(LOOKED_AT[saved["lesson"]]):
            raise ValueError("fitted to other features than this version has: run again")
        return cls(
            model=Logistic.from_json(saved["model"]),
            folds=tuple(map(Logistic.from_json, saved["folds"])),
            **{name: saved[name] for name in (*LEARNT, "threshold")},
        )


def subject_of(item: Item) -> str:
    """Return what a fact is dealt into a fold by: its subject."""
    return digest_of(item[:1])


def _learn(sample: Sample) -> Logistic:
    return fit(sample, own=False, regularisation=_REGULARISATION)


def _fold(names: Sequence[str]) -> Integers:
    return np.array([int(name, 16) % FOLDS for name in names], np.int64)


def _odds(model: Logistic, features: Floats) -> Floats:
    return model.contributions(features, [""] * len(features)).sum(axis=1)


def _lesson(examples: Examples) -> tuple[str, Booleans, Booleans]:
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
            model = _learn(judged.take(~part))
            odds[part] = _odds(model, judged.features[part])
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
        true = np.clip((agreed - if_false[2]) / (if_true[2] - if_false[2]), *_ENDS)
        true = if_true[seen] * true / (if_true[seen] * true + if_false[seen] * (1 - true))
        asked = seen > 0 if stated else seen == 0
        probability[rows[asked]] = true[asked]
    return probability


def _shares(number: Integers, weight: Floats) -> Floats:
    """Return which share of facts 0, 1 and 2 systems state, with half a fact added to each."""
    counted = np.bincount(number, weight, minlength=3) + weight.mean() / 2
    return np.asarray(counted / counted.sum())


def _softened(sample: Sample, probability: Floats) -> Sample:
    """Return each fact twice, as a true one and as a false one, by its probability."""
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
        knots = tuple((x, float(np.clip(p / held, *_ENDS))) for x, p in model.shared_knots)
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
    rising = np.clip(np.maximum.accumulate(rising), *_ENDS)
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


_CORRECTIONS = {"held": _held, "agreed": _agreed, "exchanged": _stated}


def _threshold(scores: Floats, weight: Floats) -> float:
    """Return the score from which on as many facts lie as are expected to be true."""
    order = np.argsort(-scores, kind="stable")
    accepted = np.cumsum(weight[order])
    place = int(np.searchsorted(accepted, (scores * weight).sum()))
    return float(scores[order[min(place, scores.size - 1)]]) or _ENDS[0]


def _check(sample: Sample, first: str, second: str) -> None:
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


def _fitted(settings: Mapping[str, Any], population: Population) -> Distant:
    return Distant.fit(population.examples(), threshold=settings["threshold"])


KIND = Kind(
    annotator=Distant,
    title="Distant",
    about=(
        "Learnt without people, from facts that the database holds, that systems agree on, or "
        "that are exchanged, corrected for what the database lacks or the systems get wrong."
    ),
    score="probability",
    section="distant",
    make=_fitted,
    fitted=True,
    context=True,
    examples=True,
    names=subject_of,
)
