"""What is true behind the answers of raters who err: a latent-class model, drawn from.

Each labelled fact is true with a share of its class. A rater calls a true fact true with a
probability of the rater's own, sensitivity, and a false one false with another, specificity,
whatever the class and whatever the other raters say. Facts that two raters answered, in classes
with different shares of true facts, tell all of these apart (Hui and Walter, "Estimating the error
rates of diagnostic tests", Biometrics 36, 1980); facts that three answered do so in one class
(Dawid and Skene, Applied Statistics 28(1), 1979). A fact that an adjudicator decided is known.

Where one candidate in a hundred is true, a specificity of 95 % means six times as many that are
called true: what the answers leave open of it is most of what is uncertain of recall. So truth is
drawn from the joint posterior of shares, sensitivities, specificities and facts (Joseph, Gyorkos
and Coupal, "Bayesian estimation of disease prevalence and the parameters of diagnostic tests in the
absence of a gold standard", American Journal of Epidemiology 141(3), 1995), and an estimator takes
each draw as if it were what people said (multiple imputation, Rubin 1987).

Raters who err on the same facts, because these are hard for everybody, look better than they are,
and nothing in their answers tells.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.intervals import Drawing

FEWEST_TWICE = 30
"""Facts with two answers from which on the model is measured to hold (`benchmarks/coverage.py`)."""

RIGHT, WRONG = 4.0, 1.0
"""Right and wrong answers that each rater is taken to have given beforehand to either kind of fact.

No rater is taken to do worse than chance: sensitivity + specificity ≥ 1, or true and false could
change places."""

# Beta shapes of each class's share, of true and of other facts: weak, and as true facts are rare in
# the classes that most facts are in, on the side of few. Where raters err more often than facts are
# true, Jeffreys' ½ and ½ found too many (precision too high in 7 % of the samples, not in 2.5 %).
_TRUE, _FALSE = 0.25, 0.5

# Many chains run side by side as one array. Each gives so many draws, so many steps apart, after
# steps that are thrown away. At 1 % true facts and 5 % wrong answers, the slowest figure's
# correlation with itself is .2 after five steps and .05 after ten.
_KEPT, _APART, _BEFORE = 20, 5, 100

_DIFFER = 0.05  # p-value below which classes differ in their answers
_EDGE = 1e-9


class RaterAnswers(NamedTuple):
    """What raters said of labelled facts.

    Attributes
    ----------
    fact, rater, said
        Of every answer: of which fact it is, whose, and whether it is "true"; shape (answers,).
    of_class
        Class of each fact; the facts of one are true with one share. Shape (facts,).
    decided
        1 or 0 for a fact whose truth is known from an adjudicator, else −1; shape (facts,).
    """

    fact: NDArray[np.int64]
    rater: NDArray[np.int64]
    said: NDArray[np.bool_]
    of_class: NDArray[np.int64]
    decided: NDArray[np.int64]


class LatentTruth(NamedTuple):
    """Joint posterior draws.

    Attributes
    ----------
    true
        Whether each fact is true; shape (facts, draws).
    sensitivity, specificity
        Of each rater; shape (raters, draws).
    """

    true: NDArray[np.bool_]
    sensitivity: NDArray[np.float64]
    specificity: NDArray[np.float64]


def unidentified(answers: RaterAnswers) -> str | None:
    """Return why answers do not tell raters' errors from the truth, in a clause; None if they do.

    There must be :data:`FEWEST_TWICE` facts with two answers or more, an adjudicator's among them.
    These tell if as many have three or are decided, if every dispute is decided, or if the classes'
    shares of "true" answers differ (a test of homogeneity at 5 %).
    """
    facts = answers.of_class.size
    number = np.bincount(answers.fact, minlength=facts)
    yes = np.bincount(answers.fact, answers.said, minlength=facts)
    decided = answers.decided >= 0
    disputed = (yes > 0) & (yes < number) & ~decided
    settled = bool(decided.any()) and not disputed.any()
    many = max(decided.sum(), (number >= 3).sum()) >= FEWEST_TWICE
    answered = number > 0
    # A fact counts once: its answers are not independent.
    share, of_class = yes[answered] / number[answered], answers.of_class[answered]
    raters = np.unique(answers.rater).size + int(decided.any())
    return _untold(raters, number + decided, not (settled or many), share, of_class)


def unidentified_by_design(
    raters: int,
    number: NDArray[np.int64],
    share: NDArray[np.float64],
    of_class: NDArray[np.int64],
) -> str | None:
    """Return why answers that are still to come will not tell errors from the truth.

    Parameters
    ----------
    raters
        How many there are.
    number
        Raters of each fact; shape (facts,).
    share
        The share of true facts that each fact's class is taken to have; shape (facts,).
    of_class
        Class of each fact; shape (facts,).

    Returns
    -------
    A clause as :func:`unidentified` returns it, or None; nobody adjudicates.
    """
    many = (number >= 3).sum() >= FEWEST_TWICE
    return _untold(raters, number, not many, share, of_class, expected=True)


def _untold(
    raters: int,
    number: NDArray[np.int64],
    by_classes: bool,
    share: NDArray[np.float64],
    of_class: NDArray[np.int64],
    *,
    expected: bool = False,
) -> str | None:
    """Return why so many answers a fact are not enough; `by_classes`: the classes have to tell."""
    twice = int((number >= 2).sum())
    if raters < 2:
        return "one rater answered all facts"
    if not twice:
        return "no fact has the answers of two raters"
    if twice < FEWEST_TWICE:
        return f"{twice} facts have the answers of two raters, fewer than {FEWEST_TWICE}"
    if by_classes and _homogeneous(share, of_class, expected=expected):
        return (
            "all classes have about the same share of true answers, which does not tell two "
            "raters' errors from the truth"
        )
    return None


def _homogeneous(
    share: NDArray[np.float64], of_class: NDArray[np.int64], *, expected: bool
) -> bool:
    """Return whether the classes' shares of true facts may be one: a likelihood-ratio test.

    Where shares are `expected` ones, nothing in them is by chance: what chance adds to the
    statistic on average is added here.
    """
    from scipy.special import chdtrc, xlogy

    table = np.stack([np.bincount(of_class, share), np.bincount(of_class, 1 - share)])
    table = table[:, table.sum(axis=0) > 0]
    of_one = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    statistic = 2 * float(xlogy(table, table / np.maximum(of_one, _EDGE)).sum())
    classes = table.shape[1]
    if expected and statistic > _EDGE:
        statistic += classes - 1
    return classes < 2 or float(chdtrc(classes - 1, max(statistic, 0.0))) > _DIFFER


def latent_truth(answers: RaterAnswers, drawing: Drawing) -> LatentTruth:
    """Draw truth and raters' quality from their posterior given the answers, by Gibbs sampling.

    In turn are drawn: each fact's truth given shares and raters; each class's share given its true
    facts, Beta; each rater's sensitivity and specificity given the true facts, Beta, or, where that
    gives a sum below 1, not changed.

    Parameters
    ----------
    answers
        At least one answer.
    drawing
        Number of draws and seed; one seed, one result.
    """
    rng = np.random.default_rng([drawing.seed, 2])  # not the stream of the estimators' draws
    asked = _Tables.of(answers)
    chains = -(-drawing.draws // _KEPT)
    share = np.full((chains, asked.classes), 0.5)
    right = rng.uniform(0.6, 1 - _EDGE, size=(2, chains, asked.raters))
    kept_true, kept_right = [], []
    for step in range(1, _BEFORE + _KEPT * _APART + 1):
        chance = _chance(asked, share, right)
        # Single precision is enough to compare with, and twice as fast.
        true = rng.random((chains, asked.kind.size), np.float32) < chance[:, asked.kind]
        yes = (true.astype(np.float32) @ asked.counted).astype(float)
        no = asked.total - yes
        ends = [asked.classes, asked.classes + asked.raters]
        (true_facts, hits, misses), (false_facts, alarms, rejections) = (
            np.split(of, ends, axis=1) for of in (yes, no)
        )
        share = _within(rng.beta(true_facts + _TRUE, false_facts + _FALSE))
        new = _within(
            np.stack(
                [
                    rng.beta(hits + RIGHT, misses + WRONG),
                    rng.beta(rejections + RIGHT, alarms + WRONG),
                ]
            )
        )
        right = np.where(new.sum(axis=0) >= 1, new, right)
        if step > _BEFORE and not (step - _BEFORE) % _APART:
            kept_true.append(true)
            kept_right.append(right)
    drawn = np.concatenate(kept_true)[: drawing.draws].T
    sensitivity, specificity = np.concatenate(kept_right, axis=1)[:, : drawing.draws]
    return LatentTruth(drawn, sensitivity.T, specificity.T)


class _Tables(NamedTuple):
    """Answers as matrices; facts of one class with the same answers are of one kind.

    Attributes
    ----------
    classes, raters
        Their numbers.
    kind
        Of each fact; shape (facts,).
    of_class, decided, yes, no
        Of each kind: its class, what was decided, and who says "true" and who "false", each of
        shape (raters, kinds).
    counted, total
        What is counted of facts, shape (facts, classes + 2 raters), and the sums over all: facts of
        each class, answers "true" of each rater, and answers "false".
    """

    classes: int
    raters: int
    kind: NDArray[np.int64]
    of_class: NDArray[np.int64]
    decided: NDArray[np.int64]
    yes: NDArray[np.float64]
    no: NDArray[np.float64]
    counted: NDArray[np.float32]
    total: NDArray[np.float64]

    @classmethod
    def of(cls, answers: RaterAnswers) -> "_Tables":
        """Return the matrices of answers."""
        facts, raters = answers.of_class.size, int(answers.rater.max()) + 1
        classes = int(answers.of_class.max()) + 1
        member = np.zeros((facts, classes), np.int64)
        member[np.arange(facts), answers.of_class] = 1
        said = np.zeros((2, raters, facts), np.int64)
        said[answers.said.astype(np.int64), answers.rater, answers.fact] = 1
        no, yes = said
        kinds, kind = np.unique(
            np.concatenate([answers.of_class[None], answers.decided[None], yes, no]),
            axis=1,
            return_inverse=True,
        )
        counted = np.concatenate([member, yes.T, no.T], axis=1)
        return cls(
            classes=classes,
            raters=raters,
            kind=kind.ravel(),
            of_class=kinds[0],
            decided=kinds[1],
            yes=kinds[2 : 2 + raters].astype(float),
            no=kinds[2 + raters :].astype(float),
            counted=counted.astype(np.float32),
            total=counted.sum(axis=0).astype(float),
        )


def _chance(
    asked: _Tables, share: NDArray[np.float64], right: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return the chance of a fact of each kind to be true, by Bayes' rule: (chains, kinds)."""
    sensitivity, specificity = right
    odds = (
        np.log(share / (1 - share))[:, asked.of_class]
        + np.log(sensitivity / (1 - specificity)) @ asked.yes
        + np.log((1 - sensitivity) / specificity) @ asked.no
    )
    chance = 1 / (1 + np.exp(-odds))
    return np.where(asked.decided < 0, chance, asked.decided).astype(np.float32)


def _within(share: NDArray[Any]) -> NDArray[np.float64]:
    """Keep shares off 0 and 1, where odds have no value."""
    return np.asarray(np.clip(share, _EDGE, 1 - _EDGE))
