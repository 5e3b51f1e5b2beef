"""Thresholds for single groups of facts, such as relations, and whether they help."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluator.intervals import Estimate
from evaluator.tuning.choice import Plan, json_number
from evaluator.tuning.held_out import Folds, Scorer, held_out, one_per_group
from evaluator.tuning.thresholds import Mask, Scores
from evaluator.tuning.verdict_figures import VerdictFigures, Verdicts, Weights


@dataclass(frozen=True)
class PerGroup:
    """Thresholds for single groups, such as relations, and whether they help.

    Attributes
    ----------
    thresholds
        Of the groups that have labels enough, by name.
    labels
        True and false facts with a defined score of each group.
    least
        True and false facts that a group needs for a threshold of its own.
    held_out
        On all facts, each judged by thresholds chosen without it.
    gain
        What they add, on held-out facts, to the measure of the criterion; paired by fact.
    """

    thresholds: dict[str, float | None]
    labels: dict[str, tuple[int, int]]
    least: int
    held_out: VerdictFigures
    gain: Estimate

    def as_json(self) -> dict[str, Any]:
        """Return the thresholds as a JSON object."""
        return {
            **vars(self),
            "thresholds": {name: json_number(t) for name, t in self.thresholds.items()},
            "held_out": self.held_out.as_json(),
            "gain": self.gain.as_json(),
        }


def per_group(
    scorer: Scorer,
    label: Mask,
    partitions: Sequence[Folds],
    *,
    groups: Sequence[str],
    least: int,
    plan: Plan,
    weights: Weights,
    weight: Scores,
    global_verdicts: Verdicts,
) -> PerGroup:
    """Choose thresholds for groups, and compare their held-out verdicts with those of one for all.

    Parameters
    ----------
    scorer, label
        As for :func:`evaluator.tuning.tuning.tune`.
    partitions
        The folds of each repeat.
    groups
        The group of each fact.
    least
        True and false facts that a group needs for a threshold of its own.
    plan, weights
        How, and the resamples.
    weight
        How much each fact counts.
    global_verdicts
        Held-out verdicts of one threshold for all facts, on the same partitions.
    """
    choose = one_per_group(plan.criterion, groups, least=least)
    verdicts = held_out(scorer, label, partitions, choose=choose, weight=weight)
    everything = np.ones(label.size, bool)
    score = scorer(everything)
    own = dict(zip(groups, choose(score, label, weight).tolist(), strict=True))
    group, defined = np.asarray(groups, dtype=object), ~np.isnan(score)
    labels = {
        name: (
            int((defined & (group == name) & label).sum()),
            int((defined & (group == name) & ~label).sum()),
        )
        for name in sorted(own)
    }
    gain = verdicts.merit(plan.criterion, weights).minus(
        global_verdicts.merit(plan.criterion, weights), level=plan.level
    )
    return PerGroup(
        {name: own[name] for name, counts in labels.items() if min(counts) >= least},
        labels,
        least,
        verdicts.figures(weights, level=plan.level),
        gain,
    )
