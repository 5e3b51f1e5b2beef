"""Verdicts on facts by a threshold that was chosen without them: nested cross-validation.

A threshold looks best on the labels that chose it. Here every fact is judged by a threshold, and by
an annotator, that were made without its label: facts are dealt out to folds, and each fold is
judged by what the others say.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.model import Item
from evaluator.tuning.criteria import Criterion
from evaluator.tuning.thresholds import Mask, Scores, Sweep
from evaluator.tuning.verdict_figures import Verdicts

Folds = NDArray[np.int64]

type Scorer = Callable[[Mask], Scores]
"""From the facts to train on to the scores of all facts, NaN where undefined.

A fact to train on is scored by a model that has not seen it (cross-fitting), as a threshold is
chosen on these scores.
"""

type Chooser = Callable[[Scores, Mask, Scores], Scores]
"""From scores, labels and how much each fact counts to the threshold of each fact.

A fact that is held out counts 0. A threshold of NaN accepts none."""


class HeldOut(NamedTuple):
    """What was said of each fact without its label.

    Attributes
    ----------
    score
        Shape (facts,), NaN where undefined.
    verdict
        Shape (facts,); an undefined score is judged "not correct".
    threshold
        That the fact was judged by, shape (facts,).
    """

    score: Scores
    verdict: Mask
    threshold: Scores


def untrained(score: Scores) -> Scorer:
    """Return the scorer of an annotator that no label changes."""
    return lambda _: score


def remembering(scorer: Scorer) -> Scorer:
    """Return a scorer that trains once on the same facts, whoever asks."""
    known: dict[bytes, Scores] = {}

    def remembered(train: Mask) -> Scores:
        key = train.tobytes()
        if key not in known:
            known[key] = scorer(train)
        return known[key]

    return remembered


def deal_out(items: Sequence[Item], label: Mask, *, folds: int, seed: int) -> Folds:
    """Return the fold of each fact: a function of the facts, not of their order.

    Within each label, facts are dealt out in turn by a hash of `seed` and fact, so folds have the
    same number of facts and of true ones, to within one.
    """
    keys = [_key(seed, item) for item in items]
    order = sorted(range(len(items)), key=lambda i: (label[i], keys[i], items[i]))
    fold = np.empty(len(items), np.int64)
    fold[order] = np.arange(len(items)) % folds
    return fold


def _key(seed: int, item: Item) -> bytes:
    text = "\t".join((str(seed), *item))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def cross_validate(
    scorer: Scorer, label: Mask, fold: Folds, *, choose: Chooser, weight: Scores | None = None
) -> HeldOut:
    """Judge each fold by a threshold and an annotator that the other folds made.

    `weight` is how much each fact counts in the choice; all alike by default.
    """
    counts = np.ones(label.size) if weight is None else weight
    score, threshold = np.full(label.size, np.nan), np.full(label.size, np.nan)
    for held in np.unique(fold).tolist():
        out = fold == held
        scores = scorer(~out)
        score[out] = scores[out]
        threshold[out] = choose(scores, label, np.where(out, 0.0, counts))[out]
    return HeldOut(score, score >= threshold, threshold)


def held_out(
    scorer: Scorer,
    label: Mask,
    partitions: Iterable[Folds],
    *,
    choose: Chooser,
    weight: Scores | None = None,
) -> Verdicts:
    """Return the verdicts of cross-validations, one for each partition into folds.

    `weight` is how much each fact counts, in the choice and in figures; all alike by default.
    """
    said = [cross_validate(scorer, label, f, choose=choose, weight=weight) for f in partitions]
    score, verdict = np.stack([s.score for s in said]), np.stack([s.verdict for s in said])
    return Verdicts(score, verdict, label, weight)


def one_for_all(criterion: Criterion) -> Chooser:
    """Return the chooser of one threshold for all facts."""

    def choose(score: Scores, label: Mask, counts: Scores) -> Scores:
        chosen = Sweep(score, label).choose(criterion, counts)
        return np.full(label.size, np.nan if chosen is None else chosen)

    return choose


def one_per_group(criterion: Criterion, groups: Sequence[str], *, least: int) -> Chooser:
    """Return the chooser of a threshold for each group.

    Groups with fewer than `least` true or false facts with a defined score have that of all facts.
    """
    _, group = np.unique(np.asarray(groups, dtype=str), return_inverse=True)
    large = np.flatnonzero(np.bincount(group) >= 2 * least)
    everywhere = one_for_all(criterion)

    def choose(score: Scores, label: Mask, counts: Scores) -> Scores:
        threshold = everywhere(score, label, counts)
        counted = (counts > 0) & ~np.isnan(score)
        for number in large:
            of = group == number
            if min((of & counted & label).sum(), (of & counted & ~label).sum()) >= least:
                threshold[of] = everywhere(score[of], label[of], counts[of])[0]
        return threshold

    return choose
