"""The threshold t of the annotator, "determined experimentally" (Bronzi et al. 2012, section 2.2).

Given scores and human labels of the same facts, t is the value that a criterion takes
(:mod:`evaluator.tuning.criteria`). On the labels that chose it any t looks better than it is:
beside those figures stand the ones of facts held out of the choice
(:mod:`evaluator.tuning.held_out`), and an interval for t itself. t is chosen on the facts with a
defined score. Those without stand apart: a second set of figures counts them as judged "not
correct", and in these annotators are compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from evaluator.model import Item
from evaluator.tuning.choice import Choice, Plan, choose
from evaluator.tuning.groups import PerGroup, per_group
from evaluator.tuning.held_out import (
    Scorer,
    deal_out,
    held_out,
    one_for_all,
    remembering,
)
from evaluator.tuning.thresholds import Mask, Scores, Sweep
from evaluator.tuning.verdict_figures import Merit, VerdictFigures, Verdicts, resamples

FEW_LABELS = 30
"""Labels of a class below which a threshold is mostly chance."""


@dataclass(frozen=True)
class Tuning:
    """The chosen threshold, and how it does on the labelled facts.

    Attributes
    ----------
    choice
        The threshold with its interval.
    in_sample
        On the facts with a defined score that chose the threshold: too good to be true.
    held_out_defined, held_out
        Each fact judged without its label: the facts with a defined score; all facts, those
        without one judged "not correct". None where there are too few labels to hold any out.
    majority_share
        Share of the commoner label among all facts: the accuracy of always saying the same.
    undefined, undefined_true
        Facts with an undefined score, and those among them labelled true.
    per_group
        Where thresholds for single groups were asked for.
    warnings
        Why the choice is not to be trusted, in sentences.
    score
        Of each fact, without its label; NaN where undefined.
    verdicts
        Held-out ones, on all facts.
    merit
        By which annotators are ranked: of the held-out verdicts, and in every resample.
    """

    choice: Choice
    in_sample: VerdictFigures | None
    held_out_defined: VerdictFigures | None
    held_out: VerdictFigures | None
    majority_share: float | None
    undefined: int
    undefined_true: int
    per_group: PerGroup | None
    warnings: tuple[str, ...]
    score: Scores = field(repr=False)
    verdicts: Verdicts | None = field(repr=False)
    merit: Merit | None = field(repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return the tuning, without the single facts, as a JSON object."""
        told = {key: value for key, value in vars(self).items() if key not in _SINGLE_FACTS}
        parts = ("choice", "in_sample", "held_out_defined", "held_out", "per_group")
        return told | {part: told[part] and told[part].as_json() for part in parts}


_SINGLE_FACTS = ("score", "verdicts", "merit")


def tune(
    scorer: Scorer,
    items: Sequence[Item],
    labels: Sequence[bool] | Mask,
    *,
    plan: Plan | None = None,
    groups: Sequence[str] | None = None,
    least: int = 20,
    weight: Scores | None = None,
) -> Tuning:
    """Choose the threshold that the criterion of `plan` takes, and try it on held-out facts.

    Parameters
    ----------
    scorer
        The annotator: from the facts to train on to the scores of all facts; those to train on by
        models that have not seen them. :func:`evaluator.tuning.held_out.untrained` makes one of
        scores.
    items
        The labelled facts, sorted, each once: results do not depend on any other order.
    labels
        Whether each is true.
    plan
        How; balanced accuracy, ten folds, five times, by default.
    groups
        The group of each fact, for thresholds of single groups too.
    least
        True and false facts that a group needs for a threshold of its own.
    weight
        How many facts of a population each stands for, shape (facts,): the choice and all figures
        are then those of the population. All alike by default.

    Raises
    ------
    ValueError
        If the lengths differ, the facts are not sorted, or one is there twice.
    """
    plan = plan or Plan()
    label = np.asarray(labels, bool)
    _check(items, label, groups)
    if weight is not None:
        weight = weight * effective(weight) / weight.sum()
    counts = np.ones(label.size) if weight is None else weight
    scorer = remembering(scorer)
    everything = np.ones(label.size, bool)
    score = scorer(everything)
    defined = ~np.isnan(score)
    weights = resamples(label.size, count=plan.resamples, seed=plan.seed)
    verdicts = of_groups = None
    # A fact of either label has to remain where one is held out.
    if min(label.sum(), (~label).sum()) > 1:
        partitions = [
            deal_out(items, label, folds=plan.folds, seed=plan.seed + repeat)
            for repeat in range(plan.repeats)
        ]
        verdicts = held_out(
            scorer, label, partitions, choose=one_for_all(plan.criterion), weight=weight
        )
        if groups is not None:
            of_groups = per_group(
                scorer,
                label,
                partitions,
                groups=groups,
                least=least,
                plan=plan,
                weights=weights,
                weight=counts,
                global_verdicts=verdicts,
            )
    choice = choose(Sweep(score, label), plan, weights, weight=weight)
    threshold = np.nan if choice.threshold is None else choice.threshold
    seen = Verdicts(score[None], (score >= threshold)[None], label, weight)
    share = float(np.average(label, weights=counts)) if label.size else None

    def figures(of: Verdicts | None, among: Mask) -> VerdictFigures | None:
        if of is None:
            return None
        return of.among(among).figures(weights[:, among], level=plan.level)

    tried = figures(verdicts, everything)
    return Tuning(
        choice=choice,
        in_sample=figures(seen, defined),
        held_out_defined=figures(verdicts, defined),
        held_out=tried,
        majority_share=None if share is None else max(share, 1 - share),
        undefined=int((~defined).sum()),
        undefined_true=int((label & ~defined).sum()),
        per_group=of_groups,
        warnings=tuple(_warnings(choice, label[defined], tried)),
        score=score,
        verdicts=verdicts,
        merit=None if verdicts is None else verdicts.merit(plan.criterion, weights),
    )


def effective(weight: Scores) -> float:
    """Return the number of equally weighted facts that tell as much (Kish 1965, section 11.7)."""
    return float(weight.sum() ** 2 / (weight**2).sum())


def _check(items: Sequence[Item], label: Mask, groups: Sequence[str] | None) -> None:
    if len(items) != label.size or (groups is not None and len(groups) != label.size):
        raise ValueError(f"{len(items)} facts, but {label.size} labels, or not as many groups")
    if any(one >= other for one, other in pairwise(items)):
        raise ValueError("the facts are not sorted, or one is there twice")


def _warnings(choice: Choice, label: Mask, tried: VerdictFigures | None) -> list[str]:
    true, false = int(label.sum()), int((~label).sum())
    told = []
    if min(true, false) < FEW_LABELS:
        told.append(
            f"Few labels: {true:,} true and {false:,} false facts have a defined score; below "
            f"{FEW_LABELS} of either, t is mostly chance."
        )
    if choice.accept_none + choice.accept_all > 0.05:
        told.append(
            f"In {100 * choice.accept_all:.0f} % of the resamples the choice is to accept all, in "
            f"{100 * choice.accept_none:.0f} % to accept none: these labels hardly decide on t."
        )
    low = tried and tried.balanced_accuracy.low
    if low is not None and low <= 0.5:
        told.append("On held-out facts its verdicts are not surely better than those of a coin.")
    return told
