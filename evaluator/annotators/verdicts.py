"""The verdict on a fact: what the database says, and where it is silent, the text.

The rule stands here alone (Bronzi et al. 2012, section 2.2): a fact that the database holds is
correct; of the others, one whose score reaches the annotator's threshold is accepted and one whose
score does not is rejected. Where there is no score the verdict names the reason.
"""

from collections.abc import Sequence

import numpy as np

from evaluator.annotators.evidence import Floats
from evaluator.counting.occurrences import Booleans
from evaluator.estimators.tallies import Verdict


def verdicts(
    scores: Floats,
    *,
    threshold: float,
    matched: Booleans,
    judged: Booleans,
    negated: Booleans,
    relation: Sequence[str],
    silence: Verdict = "no pair",
) -> list[Verdict | None]:
    """Return the verdict on each fact; None on one that is neither in D nor judged by the text.

    Parameters
    ----------
    scores
        The annotator's, shape (facts,); NaN where it has none.
    threshold
        Least score of a fact that is accepted.
    matched
        Whether D holds the fact.
    judged
        Whether the text is asked about it: it is in a sample.
    negated
        Whether it is a negation, which hit counts say nothing about.
    relation
        Relation normal form; empty where no content word is left.
    silence
        Why the annotator has no score of any other fact (:attr:`~evaluator.annotators.base.Kind`).
    """
    wordless = np.array([not r for r in relation], bool)
    kinds: list[tuple[Booleans, Verdict | None]] = [
        (matched, "matched"),
        (~judged, None),
        (negated, "negated"),
        (wordless, "no relation word"),
        (np.isnan(scores), silence),
        (scores >= threshold, "accepted"),
    ]
    first = np.select([of for of, _ in kinds], range(len(kinds)), default=len(kinds))
    named: list[Verdict | None] = [*(name for _, name in kinds), "rejected"]
    return [named[kind] for kind in first.tolist()]
