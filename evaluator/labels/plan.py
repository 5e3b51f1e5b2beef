"""The plan of a draw: how many facts of each class, and what intervals to expect of them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from evaluator.estimators.allocation import PlannedClass, allocate
from evaluator.estimators.claims import Claim, claims
from evaluator.estimators.labelled import estimate
from evaluator.intervals import Drawing
from evaluator.labels.comparison import expected_withheld
from evaluator.labels.design import (
    LabelCell,
    LabelledFact,
    Place,
    assumed_share,
    order,
    system_strata,
)

# Weight of the assumed share beside the answers of an earlier draw, in labels.
_PRIOR = 2
_ESTIMATOR = "chain-rule"


class ClassPlan(NamedTuple):
    """What is to be drawn from a class.

    Attributes
    ----------
    place
        Group and class.
    population
        Facts of the group, known exactly.
    judged
        Judged facts of the class, from which the labels are drawn.
    judged_group
        Judged facts of the group: a simple random sample of it.
    labels
        Facts to label.
    assumed
        Share of true facts that the plan assumes, or that earlier answers tell.
    """

    place: Place
    population: int
    judged: int
    judged_group: int
    labels: int
    assumed: float

    @property
    def inclusion(self) -> float:
        """Chance of a fact of the class to be drawn."""
        return self.labels / self.judged * (self.judged_group / self.population)

    def as_json(self) -> dict[str, Any]:
        """Return the plan of the class as a JSON object."""
        told = {"group": self.place.group, "class": self.place.name, **self._asdict()}
        del told["place"]
        return {**told, "inclusion": self.inclusion}


def plan(
    cells: Sequence[LabelCell],
    *,
    systems: Sequence[str],
    budget: int,
    assumed: Mapping[str, float] | None = None,
    drawn: Mapping[Place, int] | None = None,
    answered: Mapping[Place, tuple[float, int]] | None = None,
) -> list[ClassPlan]:
    """Return how many facts to draw from each class.

    Parameters
    ----------
    cells
        The facts of S ∪ G′.
    systems
        The systems whose precision and recall are to be estimated.
    budget
        Facts to label, those of an earlier draw included.
    assumed
        Share of true facts by verdict ("matched", "accepted", "rejected", "undefined"), where it is
        not to be the default.
    drawn
        Facts drawn earlier, by class.
    answered
        Sum of what people said of them, and their number, by class.
    """
    population: dict[tuple[str, str, bool], int] = defaultdict(int)
    judged: dict[tuple[str, str, bool], int] = defaultdict(int)
    of_class: dict[tuple[Place, str, bool], int] = defaultdict(int)
    groups: dict[str, int] = defaultdict(int)
    judged_groups: dict[str, int] = defaultdict(int)
    classes: dict[Place, int] = defaultdict(int)
    for cell in cells:
        place = cell.place
        framed = cell.facts if place.name is not None else 0
        groups[place.group] += cell.facts
        judged_groups[place.group] += framed
        if framed:
            classes[place] += framed
        for system in systems:
            inside = system in cell.systems
            if inside or cell.candidate:
                population[place.group, system, inside] += cell.facts
                judged[place.group, system, inside] += framed
                of_class[place, system, inside] += framed
    places = sorted(classes, key=lambda p: (p.group, order(str(p.name))))

    def sizes(place: Place, *, inside: bool) -> dict[str, float]:
        return {
            system: population[place.group, system, inside]
            * of_class[place, system, inside]
            / max(judged[place.group, system, inside], 1)
            for system in systems
        }

    shares = {place: _share(place, assumed or {}, answered or {}) for place in places}
    numbers = allocate(
        [
            PlannedClass(
                judged=classes[place],
                of_system=sizes(place, inside=True),
                of_rest=sizes(place, inside=False),
                assumed=shares[place],
            )
            for place in places
        ],
        budget,
        drawn=[(drawn or {}).get(place, 0) for place in places],
    )
    return [
        ClassPlan(
            place,
            groups[place.group],
            classes[place],
            judged_groups[place.group],
            number,
            shares[place],
        )
        for place, number in zip(places, numbers, strict=True)
    ]


def _share(
    place: Place, assumed: Mapping[str, float], answered: Mapping[Place, tuple[float, int]]
) -> float:
    name = str(place.name)
    share = assumed.get(name.partition(",")[0], assumed_share(name))
    true, labels = answered.get(place, (0.0, 0))
    return (true + _PRIOR * share) / (labels + _PRIOR)


def expected_widths(
    cells: Sequence[LabelCell],
    drawn: Iterable[LabelledFact],
    classes: Iterable[ClassPlan],
    *,
    systems: Sequence[str],
    corpus: bool,
    drawing: Drawing,
) -> dict[str, dict[str, float | None]]:
    """Return the widths of the intervals to expect, by system and measure.

    `drawn` are the facts to label; of each class, people are taken to call the share true that the
    plan assumes.
    """
    labelled = _as_assumed(drawn, classes)
    widths = {}
    for system in systems:
        of = system_strata(cells, labelled, system)
        made = estimate(of, _ESTIMATOR, drawing, corpus=corpus)
        figures = {"precision": made.precision, "recall": made.recall, "f1": made.f1}
        widths[system] = {name: figure and figure.width for name, figure in figures.items()}
    return widths


def expected_claims(
    cells: Sequence[LabelCell],
    drawn: Iterable[LabelledFact],
    classes: Iterable[ClassPlan],
    *,
    systems: Iterable[str],
    corpus: bool,
) -> dict[str, dict[str, Claim]]:
    """Return what the intervals will claim if all facts get an answer, by system and measure.

    It is the rule that judges them afterwards. Answers that all agree make "nominal" "at least".
    """
    labelled = _as_assumed(drawn, classes)
    return {
        system: claims(
            system_strata(cells, labelled, system),
            estimator=_ESTIMATOR,
            corpus=corpus,
            answered=False,
        )
        for system in systems
    }


def expected_differences(
    cells: Sequence[LabelCell],
    drawn: Iterable[LabelledFact],
    classes: Iterable[ClassPlan],
    claims: Mapping[str, Mapping[str, Claim]],
) -> dict[tuple[str, str], dict[str, str | None]]:
    """Return why differences will be withheld if all facts get an answer, by pair and measure.

    `claims` is what the intervals of the systems will claim (:func:`expected_claims`).
    """
    labelled = _as_assumed(drawn, classes)
    kinds = {system: {m: one.kind for m, one in of.items()} for system, of in claims.items()}
    return {
        pair: expected_withheld(cells, labelled, pair, estimator=_ESTIMATOR, claims=kinds)
        for pair in combinations(kinds, 2)
    }


class Enough(NamedTuple):
    """From how many labels on an interval claims something.

    Attributes
    ----------
    budget
        Facts to label in all; None where the most that were tried are not enough.
    reason
        Why fewer are not, or why not even the most are.
    """

    budget: int | None
    reason: str


def enough_labels(
    lacking: Mapping[str, Mapping[str, Claim]],
    claims_of: Callable[[int, str], Mapping[str, Claim]],
    *,
    budget: int,
    most: int,
) -> dict[str, dict[str, Enough]]:
    """Return the least number of labels with which intervals claim something that now do not.

    Parameters
    ----------
    lacking
        What the intervals of each system will claim with `budget` labels; those with "few labels"
        are looked at.
    claims_of
        What they will claim with so many labels, of one system.
    budget, most
        Labels that are not enough, and the most that are tried.
    """
    found: dict[str, dict[str, Enough]] = {}
    for system, of in lacking.items():
        for measure, claim in of.items():
            if claim.kind != "few labels":
                continue
            at_most = claims_of(most, system)[measure]
            if at_most.kind == "few labels":
                enough = Enough(None, at_most.reason)
            else:
                low, high = budget, most
                while high - low > 1:
                    middle = (low + high) // 2
                    few = claims_of(middle, system)[measure].kind == "few labels"
                    low, high = (middle, high) if few else (low, middle)
                enough = Enough(high, claim.reason)
            found.setdefault(system, {})[measure] = enough
    return found


def _as_assumed(drawn: Iterable[LabelledFact], classes: Iterable[ClassPlan]) -> list[LabelledFact]:
    shares = {one.place: one.assumed for one in classes}
    return [fact._replace(truth=shares[fact.place]) for fact in drawn]
