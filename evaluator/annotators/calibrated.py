"""The calibrated annotator: the probability that a fact is true, from all counts and the database.

Trained on facts with labels: a logistic regression over a few named features
(:mod:`evaluator.annotators.features`), its scores turned into probabilities by isotonic regression
(Zadrozny and Elkan, KDD 2002). Logistic, because its verdicts can be read, and because it carries
over: gradient boosting over the counts ranks FactBench no better, and on relations that it was not
trained on much worse (AUC 0.64 to 0.72 on facts with a pair, against 0.76). Where a relation has
labels enough, weights of its own are learnt (:mod:`evaluator.annotators.logistic`).

A probability is that of facts like those of the training set: where fewer are true it is too high.
Facts that were drawn by known probabilities are weighted by their inverse: the model is then that
of the population that they were drawn from.

The facts that it learnt from may be among those that it judges. It would know the answers there, so
the file also holds, for each of ten folds, the model trained without the fold; a fact of the
training set is scored by the model that has not seen it (cross-fitting).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evaluator.annotators.base import Kind, Part, check_single, check_threshold
from evaluator.annotators.evidence import Evidence, Floats
from evaluator.annotators.features import FEATURES, Feature, matrix, of_judges
from evaluator.annotators.items import digest_of
from evaluator.annotators.logistic import Logistic, Sample, fit
from evaluator.counting.occurrences import Booleans, Integers
from evaluator.errors import ConfigurationError, InputError
from evaluator.tuning.criteria import CRITERIA
from evaluator.tuning.thresholds import Sweep

NAME: Final = "calibrated"

FEWEST = 20
"""Labels of either kind that it takes at least."""

FOLDS = 10


class Training(NamedTuple):
    """What a model was trained on.

    Attributes
    ----------
    facts, true
        Labelled facts, and those labelled true.
    digest
        16 hexadecimal digits that change with any item or label.
    seed
        That dealt the items into folds.
    share
        Share of true facts among those that they stand for.
    """

    facts: int
    true: int
    digest: str
    seed: int
    share: float


class Fold(NamedTuple):
    """A model, and the items of the training set that it has not seen, by their digests."""

    model: Logistic
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """The annotator ``calibrated``: a trained model.

    Attributes
    ----------
    model
        Trained on all labelled facts.
    folds
        For the facts that `model` was trained on.
    training
        What it was trained on.
    judges
        The judges from outside whose answers are among the features.
    threshold
        Least probability of a fact that is accepted. That of :meth:`train` has the best balanced
        accuracy on the facts of the training set, each scored by the model that has not seen it.

    Raises
    ------
    ConfigurationError
        For a threshold that is none.
    ValueError
        If a model has not one weight for each feature.
    """

    NAME: ClassVar[str] = NAME

    model: Logistic
    folds: tuple[Fold, ...]
    training: Training
    threshold: float
    judges: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        for model in (self.model, *(fold.model for fold in self.folds)):
            model.check_features(len(self._features))

    @classmethod
    def train(
        cls,
        evidence: Evidence,
        labels: ArrayLike,
        items: Sequence[str],
        *,
        weights: ArrayLike | None = None,
        folds: int = FOLDS,
        seed: int = 0,
        threshold: float | None = None,
    ) -> "Calibrated":
        """Train on labelled facts; the same ones give the same model, in whatever order.

        Parameters
        ----------
        evidence
            Of the facts. Those that are not defined are left out.
        labels
            Whether each is true, shape (facts,).
        items
            Their digests, from :func:`digest_of`. What has the same one is in the same fold.
        weights
            How many facts of the population each stands for, shape (facts,): the inverse of its
            probability to be drawn. Equal by default.
        folds, seed
            The folds are dealt by a hash of seed and digest.
        threshold
            The best by balanced accuracy in the population if None.

        Raises
        ------
        ValueError
            If the lengths differ, or there are fewer than three folds.
        ConfigurationError
            For fewer than 20 labels of either kind, for labels of which some kind is in two folds
            only, if the facts do not differ in any feature, or if a similarity is infinite.
        """
        from threadpoolctl import threadpool_limits

        told = np.asarray(labels, bool)
        if not len(evidence) == told.size == len(items):
            raise ValueError(f"{len(evidence)} facts, {told.size} labels, {len(items)} items")
        if folds < 3:
            raise ValueError(
                f"{folds} folds: expected three at least, one trains and one calibrates"
            )
        names = np.array(items, np.str_)
        features = matrix(evidence, _features(evidence.judges))
        weight = np.ones(told.size) if weights is None else np.asarray(weights, float)
        rows = np.flatnonzero(evidence.defined)
        # Sums of floating point depend on the order: one order, whatever the input's.
        keys = (*features[rows].T, evidence.relation[rows], told[rows], weight[rows], names[rows])
        rows = rows[np.lexsort(keys)]
        items = names[rows].tolist()
        sample = Sample(
            features[rows],
            evidence.relation[rows],
            told[rows],
            _deal(items, folds, seed),
            weight[rows],
        )
        _check(sample)
        parts = [sample.fold == place for place in np.unique(sample.fold)]
        # The matrices are small: more threads only wait for each other, and sum in another order.
        with threadpool_limits(1):
            whole = fit(sample)
            folded = [
                Fold(fit(sample.take(~part)), tuple(np.unique(names[rows][part]).tolist()))
                for part in parts
            ]
        true = int(sample.labels.sum())
        model = cls(
            model=whole,
            folds=tuple(folded),
            training=Training(
                len(items),
                true,
                _digest(items, sample.labels),
                seed,
                float(np.average(sample.labels, weights=sample.weight)),
            ),
            threshold=0.5 if threshold is None else threshold,
            judges=evidence.judges,
        )
        if threshold is not None:
            return model
        scores = model.score(evidence.take(rows), items)
        chosen = Sweep(scores, sample.labels).choose(CRITERIA["balanced"], sample.weight)
        # Infinity, where nothing is better than to accept none, is no probability.
        return replace(model, threshold=0.5 if chosen is None else min(chosen, 1.0))

    def score(self, evidence: Evidence, items: Sequence[str] | None = None) -> Floats:
        """Return the probability of each fact, NaN where it is not defined.

        Parameters
        ----------
        evidence
            With its context.
        items
            Digests of the facts, from :func:`digest_of`: those that the model was trained on are
            scored by one that has not seen them. Without them all are taken as new.

        Raises
        ------
        ConfigurationError
            If the evidence was counted without its context.
        ValueError
            If there are not as many items as facts.
        """
        features, relation = matrix(evidence, self._features), evidence.relation
        scores = self.model.probability(features, relation)
        if items is not None:
            if len(items) != len(evidence):
                raise ValueError(f"{len(evidence)} facts, but {len(items)} items")
            known = {item: place for place, fold in enumerate(self.folds) for item in fold.items}
            fold = np.array([known.get(item, -1) for item in items], int)
            for place in np.unique(fold[fold >= 0]).tolist():
                held = fold == place
                model = self.folds[place].model
                scores[held] = model.probability(features[held], relation[held])
        return np.where(evidence.defined, scores, np.nan)

    def coefficients(self, relation: str | None = None) -> tuple[Part, ...]:
        """Return every feature with its mean as value and its weight per standard deviation.

        Those of a relation that has weights of its own, or else the shared ones.
        """
        return self.model.coefficients(self._features, relation)

    def parts(self, evidence: Evidence, items: Sequence[str] | None = None) -> tuple[Part, ...]:
        """Return what each feature of one fact adds to the log odds, before calibration.

        The weight is per unit of the value; contributions are relative to a fact with the mean
        values of the training set, whose log odds are the intercept. `items` as for :meth:`score`.
        """
        check_single(evidence)
        unseen = [fold.model for fold in self.folds if items and items[0] in fold.items]
        model = unseen[0] if unseen else self.model
        features = self._features
        return model.parts(features, matrix(evidence, features), str(evidence.relation[0]))

    @property
    def _features(self) -> dict[str, Feature]:
        return _features(self.judges)

    def describe(self) -> str:
        """Return for example "calibrated-1f6c2a90-t0.21", with a digest of all models."""
        models = {**self.as_json(), "threshold": None}
        return f"calibrated-{digest_of([json.dumps(models)])[:8]}-t{self.threshold:g}"

    def as_json(self) -> dict[str, Any]:
        """Return the parameters."""
        return {
            "threshold": self.threshold,
            "judges": list(self.judges),
            "features": list(self._features),
            "training": self.training._asdict(),
            "model": asdict(self.model),
            "folds": [{"model": asdict(f.model), "items": list(f.items)} for f in self.folds],
        }

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> "Calibrated":
        """Return the annotator with the parameters that :meth:`as_json` gave.

        Raises
        ------
        ValueError
            If it was trained on other features.
        """
        judges = tuple(saved.get("judges", ()))
        if saved["features"] != list(_features(judges)):
            raise ValueError("trained on other features than this version has: train it again")
        return cls(
            model=Logistic.from_json(saved["model"]),
            folds=tuple(
                Fold(Logistic.from_json(f["model"]), tuple(map(str, f["items"])))
                for f in saved["folds"]
            ),
            training=Training(**saved["training"]),
            threshold=saved["threshold"],
            judges=judges,
        )


def _features(judges: Sequence[str]) -> dict[str, Feature]:
    return {**FEATURES, **of_judges(judges)}


def _deal(items: Iterable[str], folds: int, seed: int) -> Integers:
    return np.array([int(digest_of((str(seed), item)), 16) % folds for item in items], np.int64)


def _digest(items: Iterable[str], labels: Booleans) -> str:
    return digest_of(f"{item} {label:d}" for item, label in zip(items, labels, strict=True))


def _check(sample: Sample) -> None:
    features, labels = sample.features, sample.labels
    if not np.isfinite(features).all():
        raise ConfigurationError("a feature is not finite: a similarity is infinite")
    true, false = int(labels.sum()), int((~labels).sum())
    if min(true, false) < FEWEST:
        raise ConfigurationError(
            f"{true} facts labelled true and {false} false: the calibrated annotator takes "
            f"{FEWEST} of either at least; label more facts"
        )
    # What calibrates the model of a fold was trained without one fold more.
    for kind, name in ((labels, "true"), (~labels, "false")):
        if np.unique(sample.fold[kind]).size < 3:
            raise ConfigurationError(f"all facts labelled {name} are in two folds: take more folds")
    if (np.ptp(features, axis=0) == 0).all():
        raise ConfigurationError("all labelled facts have the same evidence: nothing to learn from")


def _read(settings: Mapping[str, Any], _: object) -> Calibrated:
    from evaluator.annotators import read_annotator  # it finds this file, too

    model, path = read_annotator(settings["model"]), settings["model"]
    if not isinstance(model, Calibrated):
        problem = f'an annotator "{model.NAME}", where a trained one is expected'
        raise InputError(path, problem)
    threshold = settings["threshold"]
    return model if threshold is None else replace(model, threshold=threshold)


KIND = Kind(
    annotator=Calibrated,
    title="Calibrated",
    score="probability",
    section="calibrated",
    make=_read,
    needs={"model": "a file that distval tune LABELS --save wrote"},
    trained=True,
    context=True,
)
