"""What several raters' labels say together of each fact.

Three ways, from the plainest to the most demanding. *Majority* counts votes. *Adjudicated* trusts
agreement, and where raters differ a further rater called "adjudicator". *Dawid-Skene* weighs each
rater by how often that rater is right (:mod:`evaluator.labels.dawid_skene`). What a model that
knows the classes of the facts makes of them (:mod:`evaluator.labels.rater_model`) is taken as it is
(:func:`as_modelled`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from evaluator.errors import ConfigurationError
from evaluator.labels.dawid_skene import dawid_skene
from evaluator.labels.label import Label, ratings
from evaluator.model import Item

ADJUDICATOR = "adjudicator"
"""The rater whose answer decides a dispute."""

type Combination = Literal["majority", "adjudicated", "dawid-skene"]


class JointJudgement(NamedTuple):
    """What the raters say together of one fact; probabilities or shares in [0, 1].

    Attributes
    ----------
    true
        That the fact is true in the world.
    raters
        Number of raters who labelled it.
    stated
        That its sentence states it; None if nobody was asked, or if raters differ and the
        adjudicator is silent ("adjudicated").
    link_wrong
        That the fact is not true because a link is wrong: at most 1 − `true`.
    """

    true: float
    raters: int
    stated: float | None
    link_wrong: float


def combine(labels: Iterable[Label], *, method: Combination) -> dict[Item, JointJudgement]:
    """Return what the raters say together of each fact, in the order of the facts.

    "majority"
        `true` and `stated` are 1 or 0 as most raters say, and 1/2 where as many say one as the
        other.
    "adjudicated"
        1 or 0 as the adjudicator says, else as all raters say. Facts on whose label they differ
        without the adjudicator (:func:`undecided`) are left out.
    "dawid-skene"
        Posterior probabilities from all raters but the adjudicator, who saw disputes alone; for
        `stated` too where three raters or more answered that question, else as by majority.

    `link_wrong` is the part of 1 − `true` that falls to it: the share, among the raters who say
    "not true", of those who say that a link is wrong (with "adjudicated", the adjudicator alone
    where there is one).

    Parameters
    ----------
    labels
        At most one of each rater for a fact, as :func:`evaluator.labels.label.first_labels` leaves
        them.
    method
        One of the three.

    Raises
    ------
    ConfigurationError
        If the method is none of the three, or "dawid-skene" has too little to go by: fewer than
        three raters, or no fact that two of them labelled.
    """
    by_item = _by_item(labels)
    deciding: Mapping[Item, Sequence[Label]] = by_item
    true: Mapping[Item, float | None]
    stated: Mapping[Item, float | None]
    match method:
        case "majority":
            true = {item: _most(_labels(given)) for item, given in by_item.items()}
            stated = _most_stated(by_item)
        case "adjudicated":
            deciding = {item: _adjudicated(given) for item, given in by_item.items()}
            true = {item: _all(_labels(given)) for item, given in deciding.items()}
            stated = {
                item: _all(_stated(deciding[item]) or _stated(given))
                for item, given in by_item.items()
            }
        case "dawid-skene":
            # The adjudicator saw disputes alone: no rater whose reliability the others tell.
            everything = [
                label for given in by_item.values() for label in given if label.rater != ADJUDICATOR
            ]
            true = dawid_skene(ratings(everything)).posterior
            stated = _stated_by_model(everything) or _most_stated(by_item)
        case _:
            known = ", ".join(get_args(Combination.__value__))
            raise ConfigurationError(f'no way to combine raters is called "{method}": {known}')
    return _joint(by_item, deciding, true, stated)


def as_modelled(
    labels: Iterable[Label], true: Mapping[Item, float], stated: Mapping[Item, float] | None
) -> dict[Item, JointJudgement]:
    """Return what the raters say together of each fact as a model of them has it.

    Parameters
    ----------
    labels
        As for :func:`combine`.
    true, stated
        Probabilities of each fact; `stated` is by majority where it is None.
    """
    by_item = _by_item(labels)
    deciding = {item: _adjudicated(given) for item, given in by_item.items()}
    return _joint(by_item, deciding, true, _most_stated(by_item) if stated is None else stated)


def _joint(
    by_item: Mapping[Item, Sequence[Label]],
    deciding: Mapping[Item, Sequence[Label]],
    true: Mapping[Item, float] | Mapping[Item, float | None],
    stated: Mapping[Item, float] | Mapping[Item, float | None],
) -> dict[Item, JointJudgement]:
    return {
        item: JointJudgement(
            share, len(given), stated.get(item), (1 - share) * _wrong_links(deciding[item])
        )
        for item, given in by_item.items()
        if (share := true.get(item)) is not None
    }


def _most_stated(by_item: Mapping[Item, Sequence[Label]]) -> dict[Item, float | None]:
    return {item: _most(_stated(given)) for item, given in by_item.items()}


def disputes(labels: Iterable[Label]) -> list[Item]:
    """Return the facts of which raters, the adjudicator apart, say different things.

    They differ on the label, on whether a link is wrong, or on whether the sentence states it.
    """
    found = []
    for item, given in _by_item(labels).items():
        others = [label for label in given if label.rater != ADJUDICATOR]
        answers = {(label.label, label.link_wrong) for label in others}
        if len(answers) > 1 or len(set(_stated(others))) > 1:
            found.append(item)
    return found


def undecided(labels: Iterable[Label]) -> list[Item]:
    """Return the facts that "adjudicated" leaves out: labels differ, the adjudicator is silent."""
    decided = {item: _adjudicated(given) for item, given in _by_item(labels).items()}
    return [item for item, given in decided.items() if _all(_labels(given)) is None]


def _by_item(labels: Iterable[Label]) -> dict[Item, list[Label]]:
    by_item = defaultdict(list)
    for label in sorted(labels, key=lambda label: (label.item, label.rater)):
        by_item[label.item].append(label)
    return dict(by_item)


def _adjudicated(given: Sequence[Label]) -> Sequence[Label]:
    return [label for label in given if label.rater == ADJUDICATOR] or given


def _labels(given: Sequence[Label]) -> list[bool]:
    return [label.label for label in given]


def _stated(given: Sequence[Label]) -> list[bool]:
    return [label.stated for label in given if label.stated is not None]


def _wrong_links(given: Sequence[Label]) -> float:
    wrong = [label.link_wrong for label in given if not label.label]
    return sum(wrong) / len(wrong) if wrong else 0.0


def _most(votes: Sequence[bool]) -> float | None:
    if not votes:
        return None
    balance = 2 * sum(votes) - len(votes)
    return 0.5 if balance == 0 else float(balance > 0)


def _all(votes: Sequence[bool]) -> float | None:
    return float(votes[0]) if len(set(votes)) == 1 else None


def _stated_by_model(labels: Sequence[Label]) -> Mapping[Item, float] | None:
    said: dict[str, dict[Item, bool]] = defaultdict(dict)
    for label in labels:
        if label.stated is not None:
            said[label.rater][label.item] = label.stated
    try:
        return dawid_skene(said).posterior
    except ConfigurationError:  # too few raters answered this question
        return None
