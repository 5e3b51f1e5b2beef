"""Table 1 of Bronzi et al. 2012: every two raters, and raters made of several.

H12, the paper's most reliable rater, is what H1 and H2 agree on. Where there are many raters, their
majority and those facts on which all agree are such raters too. Who is part of a joint rater is
never compared with it as it stands: with a consensus not at all, with a majority only with that of
the others, or each would agree with itself.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from evaluator.errors import ConfigurationError
from evaluator.labels.agreement import (
    JointAgreement,
    PairAgreement,
    Ratings,
    Votes,
    compare,
    consensus,
    joint_agreement,
    majority,
    pairwise_agreement,
    unanimous,
    votes,
)
from evaluator.labels.rating_files import RatedItem

MAJORITY = "majority of raters"
UNANIMOUS = "raters who all agree"


_CROWDS = {"majority": MAJORITY, "unanimous": UNANIMOUS}
_FEW_RATERS = 3


@dataclass(frozen=True, kw_only=True)
class AgreementTable:
    """How far raters agree.

    Attributes
    ----------
    judged
        Rater to how many items, and how many of them the rater calls true.
    pairs
        Every two raters with a common item, those with most first.
    joint
        Raters beside joint raters: consensus, majority, those who all agree.
    together
        All people together.
    """

    judged: Mapping[str, Votes]
    pairs: Sequence[PairAgreement]
    joint: Sequence[PairAgreement]
    together: JointAgreement

    def as_json(self) -> dict[str, Any]:
        """Return the table as a JSON object."""
        return {
            "by_rater": {
                rater: {"items": true + false, "true": true}
                for rater, (true, false) in self.judged.items()
            },
            "together": self.together.as_json(),
            "pairs": [pair.as_json() for pair in self.pairs],
            "consensus": [pair.as_json() for pair in self.joint],
        }


def agreement_table(
    ratings: Ratings[RatedItem],
    *,
    apart: Collection[str] = (),
    groups: Sequence[tuple[str, ...]] = (),
    reference: str | None = None,
) -> AgreementTable:
    """Return the table of all raters, or of all beside one.

    Parameters
    ----------
    ratings
        Rater to item to judgement.
    apart
        Raters who are compared with the others but are none of them: automatic annotators, and who
        judged disputes alone. They are in no joint rater and not in `together`.
    groups
        Raters whose consensus is a joint rater, beside each two of the three people with most
        judgements.
    reference
        A rater, a consensus ("H1=H2"), "majority" or "unanimous": only rows beside this one.

    Raises
    ------
    ConfigurationError
        If there is no such rater, or a group has fewer than two.
    """
    people = {name: judged for name, judged in sorted(ratings.items()) if name not in apart}
    for group in groups:
        _known(group, ratings)
    few = sorted(people, key=lambda name: (-len(people[name]), name))[:_FEW_RATERS]
    few_and_apart = sorted({*few, *apart})
    own = {tuple(sorted(group)): sorted(ratings) for group in groups}
    beside = dict.fromkeys(combinations(sorted(few), 2), few_and_apart) | own
    pairs: list[PairAgreement] = []
    if reference is None or reference in ratings:
        pairs = [
            pair
            for pair in pairwise_agreement(ratings)
            if reference in (None, pair.rater1, pair.rater2)
        ]
        joint = [
            row
            for group, others in beside.items()
            for row in _beside_consensus(
                ratings, group, others if reference is None else [reference]
            )
        ]
        joint += _beside_crowd(ratings, people, sorted(apart) if reference is None else [reference])
    elif crowd := _CROWDS.get(reference):
        rows = _beside_crowd(ratings, people, sorted(ratings))
        joint = [row for row in rows if row.rater2 == crowd]
    else:
        group = tuple(re.split("[,=]", reference))
        _known(group, ratings)
        joint = _beside_consensus(ratings, tuple(sorted(group)), sorted(ratings))
    return AgreementTable(
        judged={
            name: Votes(sum(of.values()), len(of) - sum(of.values()))
            for name, of in sorted(ratings.items())
        },
        pairs=sorted(pairs, key=lambda pair: (-pair.items, pair.rater1, pair.rater2)),
        joint=[row for row in joint if row.items],
        together=joint_agreement(people),
    )


def _known(group: Sequence[str], ratings: Ratings[RatedItem]) -> None:
    for name in group:
        if name not in ratings:
            some = ", ".join(sorted(ratings)[:10]) + (", …" if len(ratings) > 10 else "")
            raise ConfigurationError(f'no rater is called "{name}"; there are {some}')
    if len({*group}) < 2:
        raise ConfigurationError(f'"{",".join(group)}": the consensus of two raters or more')


def _beside_consensus(
    ratings: Ratings[RatedItem], group: tuple[str, ...], raters: Iterable[str]
) -> list[PairAgreement]:
    joint = consensus(ratings, *group)
    rows = (
        compare(rater, ratings[rater], "=".join(group), joint)
        for rater in raters
        if rater not in group
    )
    return sorted(rows, key=lambda row: (-row.items, row.rater1))


def _beside_crowd(
    ratings: Ratings[RatedItem], people: Ratings[RatedItem], raters: Iterable[str]
) -> list[PairAgreement]:
    """Return each rater beside the majority, and the unanimity, of all other people."""
    counts = votes(people)
    rows = []
    for rater in raters:
        judged = ratings[rater]
        others = {item: counts[item] for item in judged if item in counts}
        if rater in people:
            others = {
                item: Votes(true - judged[item], false - (not judged[item]))
                for item, (true, false) in others.items()
            }
        rows += [
            compare(rater, judged, MAJORITY, majority(others)),
            compare(rater, judged, UNANIMOUS, unanimous(others)),
        ]
    return rows
