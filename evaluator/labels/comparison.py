"""Two systems compared by human labels, by the joint posterior of what each has alone."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from evaluator.comparison.two_systems import Comparison, StatedBy, compare_draws, with_holm
from evaluator.comparison.withheld import difference
from evaluator.estimators import WITH_LABELS
from evaluator.estimators.claims import ClaimKind, claim
from evaluator.estimators.regions import Regions
from evaluator.estimators.strata import SYSTEM, Asked, Stratum, TrueFacts, of_domain
from evaluator.intervals import Drawing
from evaluator.labels.design import MATCHED, LabelCell, LabelledFact, strata

_Domain = tuple[bool, tuple[str, ...]]


def compare_labelled(
    cells: Sequence[LabelCell],
    labelled: Sequence[LabelledFact],
    systems: Iterable[str],
    *,
    estimator: str,
    claims: Mapping[str, Mapping[str, ClaimKind]],
    drawing: Drawing,
    corpus: bool = True,
) -> list[Comparison]:
    """Return the difference of every two systems, with p-values corrected over all pairs.

    The facts that both state are drawn once and count for both, so that what they share cancels. A
    difference claims no more than the figures of both systems do, and no more than their labels
    do when they are divided by who of the two states the fact.

    Parameters
    ----------
    cells, labelled
        The facts of S ∪ G′ and the labelled ones.
    systems
        Names of the systems.
    estimator
        NAME of an estimator with labels.
    claims
        By system and measure, what the interval of the figure claims.
    drawing
        How the posterior is drawn.
    corpus
        Whether G′ is known; without it precision alone is compared.
    """
    compared = partial(
        _compare, cells, labelled, estimator=estimator, drawing=drawing, corpus=corpus
    )
    pairs = combinations(systems, 2)
    return with_holm([compared(pair, claims=[claims[name] for name in pair]) for pair in pairs])


def expected_withheld(
    cells: Sequence[LabelCell],
    labelled: Sequence[LabelledFact],
    pair: tuple[str, str],
    *,
    estimator: str,
    claims: Mapping[str, Mapping[str, ClaimKind]],
) -> dict[str, str | None]:
    """Return why the differences of a pair will be withheld if all facts get an answer, by measure.

    It is the rule of :func:`compare_labelled`, asked before there are answers.

    Parameters
    ----------
    cells, labelled
        The facts of S ∪ G′ and those to label, with the share of true facts assumed of them.
    pair
        Names of the systems.
    estimator
        NAME of the estimator.
    claims
        By system and measure, what the interval of the figure is expected to claim.
    """
    by_region: dict[str, list[Stratum]] = {region: [] for region in Regions._fields}
    divided = strata(cells, labelled, domain=lambda fact: _domain(fact, pair))
    for of in sorted({d for fact in cells if (d := _domain(fact, pair)) is not None}):
        for stratum in of_domain(divided, of):
            by_region[_region(stratum, stated=bool(of[1]))].append(stratum)
    of_pair = _claims(by_region, estimator=estimator, answered=False)
    return {
        measure: difference([of_pair[measure], *(claims[name][measure] for name in pair)])
        for measure in claims[pair[0]]
    }


def _compare(
    cells: Sequence[LabelCell],
    labelled: Sequence[LabelledFact],
    pair: tuple[str, str],
    *,
    estimator: str,
    claims: Sequence[Mapping[str, ClaimKind]],
    drawing: Drawing,
    corpus: bool,
) -> Comparison:
    divided = strata(cells, labelled, domain=lambda fact: _domain(fact, pair))
    found_domains = {d for fact in cells if (d := _domain(fact, pair)) is not None}
    patterns = {(c, names): StatedBy(c, frozenset(names)) for c, names in sorted(found_domains)}
    rng = drawing.rng()
    true, sizes, judged, point = {}, {}, {}, {}
    by_region: dict[str, list[Stratum]] = {region: [] for region in Regions._fields}
    for of, pattern in patterns.items():
        members = of_domain(divided, of)
        found = _true_facts(members, divided, estimator=estimator, draws=drawing.draws, rng=rng)
        sizes[pattern] = sum(s.population for s in members)
        judged[pattern] = sum(s.labels for s in members)
        true[pattern], point[pattern] = found.draws, found.value or 0.0
        for stratum in members:
            by_region[_region(stratum, stated=bool(pattern.systems))].append(stratum)
    pair_claims = _claims(by_region, estimator=estimator)
    compared = compare_draws(
        true, sizes, *pair, judged=judged, point=point, corpus=corpus, level=drawing.level
    )
    return compared._replace(
        measures={
            name: one._replace(
                withheld=difference([pair_claims[name], *(of_one[name] for of_one in claims)])
            )
            for name, one in compared.measures.items()
        }
    )


def _domain(fact: LabelCell | LabelledFact, pair: tuple[str, str]) -> _Domain | None:
    """Return whether a fact is a candidate and who of a pair states it; None where neither."""
    of_pair = tuple(name for name in pair if name in fact.systems)
    return (fact.candidate, of_pair) if fact.candidate or of_pair else None


def _region(stratum: Stratum, *, stated: bool) -> str:
    """Return the region of a stratum where what either of a pair states is S."""
    matched = any(one.name == MATCHED for one in stratum.classes)
    if stated:
        return "b" if matched else "a"
    return "c" if matched else "d"


def _claims(
    by_region: Mapping[str, Sequence[Stratum]], *, estimator: str, answered: bool = True
) -> dict[str, ClaimKind]:
    """Return what intervals claim that rest on the labels of a pair, by measure."""
    own = {region: by_region[region] for region in SYSTEM}
    stated = claim(own, estimator=estimator, answered=answered).kind
    everything = claim(by_region, estimator=estimator, answered=answered).kind
    return {"precision": stated, "recall": everything, "f1": everything}


def _true_facts(
    members: Sequence[Stratum],
    everything: Sequence[Stratum],
    *,
    estimator: str,
    draws: int,
    rng: np.random.Generator,
) -> TrueFacts:
    """Return the true facts of a domain; one without labels has the share of the others."""
    made = WITH_LABELS[estimator](Asked(members, draws, rng, everything))
    if made.value is not None or not any(s.labels for s in everything):
        return made
    known = [s for s in everything if s.labels]
    whole = WITH_LABELS[estimator](Asked(known, draws, rng, everything))
    scale = sum(s.population for s in members) / sum(s.population for s in known)
    return TrueFacts(whole.value and whole.value * scale, whole.draws * scale, whole.reason)
