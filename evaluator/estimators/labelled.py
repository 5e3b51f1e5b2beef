"""Estimates from human labels: from the strata of a system to its regions, P, R and F.

An estimator turns the strata of one domain into joint posterior draws of the number of true facts
in it. Precision, recall and F follow from the same draws, so that what they share (labels, sizes of
classes) makes them vary together.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluator.estimators import WITH_LABELS
from evaluator.estimators.claims import ClaimKind, claims
from evaluator.estimators.design_effect import design_effects
from evaluator.estimators.labels_only import weighted_share
from evaluator.estimators.regions import Regions
from evaluator.estimators.strata import (
    SYSTEM,
    Asked,
    Stratum,
    TrueFacts,
    by_region,
)
from evaluator.estimators.wrong_answers import WrongAnswers, if_wrong, in_words
from evaluator.intervals import Drawing, Estimate, from_draws
from evaluator.named_objects import ClosedModel


class LabelledEstimate(ClosedModel):
    """What human labels tell about one system.

    Attributes
    ----------
    estimator
        NAME of the estimator.
    facts
        |S|.
    labels
        Labelled facts in S, and in G′ ∖ S (None where there is no corpus).
    regions
        "a" to "d" in facts; c and d are None where there is no corpus.
    precision, recall, f1
        Shares; recall and F are None without a corpus. A value of None is "not estimable".
    precision_right_links
        Precision among the facts whose links are right; None where no rater called a link wrong.
    claims
        What each measure's interval claims (:mod:`evaluator.estimators.claims`): "nominal", "at
        least", "few labels" or "by assumption".
    design_effects
        Of precision, recall and F: the variance from labels that share documents over that of as
        many labels from as many documents; 1 where no two labels share one.
    wrong_answers
        What 1, 2 and 5 % of wrong answers would make of precision, recall and F; empty where the
        intervals hold raters' errors.
    notes
        What a reader of the figures should know, in sentences.
    """

    estimator: str
    facts: int
    labels: tuple[int, int | None]
    regions: Mapping[str, Estimate | None]
    precision: Estimate
    recall: Estimate | None
    f1: Estimate | None
    precision_right_links: Estimate | None
    claims: Mapping[str, ClaimKind]
    design_effects: Mapping[str, float]
    wrong_answers: tuple[WrongAnswers, ...]
    notes: tuple[str, ...]


def measures(
    regions: Mapping[str, Any], facts: float | NDArray[np.float64]
) -> tuple[Any, Any | None, Any | None]:
    """Return precision, recall and F of numbers, or arrays of draws, of true facts by region.

    Recall and F are None where the regions lack "c" and "d".
    """
    correct = sum(regions[name] for name in SYSTEM)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.divide(correct, facts)
        if "d" not in regions:
            return precision, None, None
        truth = correct + regions["c"] + regions["d"]
        return precision, np.divide(correct, truth), np.divide(2 * correct, facts + truth)


def estimate(
    strata: Sequence[Stratum], name: str, drawing: Drawing, *, corpus: bool
) -> LabelledEstimate:
    """Return what an estimator makes of the strata of one system.

    Parameters
    ----------
    strata
        All strata, in any order.
    name
        NAME of the estimator.
    drawing
        How the posterior is drawn.
    corpus
        Whether G′ is known; without it recall is not.
    """
    draws = drawing.draws
    by_domain = by_region(strata, corpus=corpus)
    domains = tuple(by_domain)
    everything = [s for of in by_domain.values() for s in of]
    facts = sum(s.population for domain in SYSTEM for s in by_domain[domain])
    effects = design_effects(by_domain, facts, level=drawing.level)
    of_draws = partial(from_draws, method=f"{name}, joint posterior", level=drawing.level)

    def true_facts(effect: float) -> dict[str, TrueFacts]:
        # The same seed for every design effect: figures that share one come from the same draws.
        rng = drawing.rng()
        found = {
            domain: WITH_LABELS[name](Asked(of, draws, rng, everything, effect))
            if of
            else TrueFacts(0.0, np.zeros(draws))
            for domain, of in by_domain.items()
        }
        for domain, like in borrowed.items():
            share = weighted_share(by_domain[like])
            n, told = share.effective / effect, share.in_draws(draws)
            drawn = rng.beta(told * n + 0.5, (1 - told) * n + 0.5)
            found[domain] = TrueFacts(sizes[domain] * share.value, sizes[domain] * drawn)
        for domain in unlabelled:
            found[domain] = TrueFacts(sizes[domain], sizes[domain] * rng.beta(0.5, 0.5, draws))
        return found

    labels = {domain: sum(s.labels for s in of) for domain, of in by_domain.items()}
    sizes = {domain: sum(s.population for s in of) for domain, of in by_domain.items()}
    borrowed = {
        domain: like
        for domain, like in _ALIKE.items()
        if sizes.get(domain) and not labels[domain] and labels.get(like)
    }
    unlabelled = [
        domain
        for domain in _ALIKE
        if sizes.get(domain) and not labels[domain] and domain not in borrowed
    ]
    made = {effect: true_facts(effect) for effect in sorted({1.0, *effects.values()})}
    of_system = sum(labels[domain] for domain in SYSTEM)
    of_rest = sum(labels.values()) - of_system

    def figure(measure: int, domains: Sequence[str], key: str) -> Estimate | None:
        found = made[effects[key]]
        known = all(found[domain].value is not None for domain in domains)
        values = measures({d: found[d].value for d in domains}, facts)[measure] if known else None
        drawn = np.asarray(measures({d: found[d].draws for d in domains}, facts)[measure])
        n = sum(labels[domain] for domain in domains)
        value = None if values is None or isnan(values) else float(values)
        return of_draws(value, drawn, n=n)

    claimed = claims(strata, estimator=name, corpus=corpus)
    reasons = dict.fromkeys(t.reason for t in made[1.0].values() if t.reason)
    known = {domain: t.value for domain, t in made[1.0].items() if t.value is not None}
    held = any(c.drawn is not None for s in everything for c in s.classes)
    wrong = (
        ()
        if held or len(known) < len(domains)
        else if_wrong(known, sizes, partial(measures, facts=facts))
    )
    return LabelledEstimate(
        estimator=name,
        facts=facts,
        labels=(of_system, of_rest if corpus else None),
        regions={
            region: of_draws(made[1.0][region].value, made[1.0][region].draws, n=labels[region])
            if region in by_domain
            else None
            for region in Regions._fields
        },
        precision=_known(figure(0, SYSTEM, "precision")),
        recall=figure(1, domains, "recall") if corpus else None,
        f1=figure(2, domains, "f1") if corpus else None,
        precision_right_links=_right_links(
            [s for domain in SYSTEM for s in by_domain[domain]],
            made[effects["precision"]],
            facts,
            effect=effects["precision"],
            of_draws=of_draws,
            rng=np.random.default_rng([drawing.seed, 1]),
        ),
        claims={measure: of.kind for measure, of in claimed.items()},
        design_effects={measure: effects[measure] for measure in claimed},
        wrong_answers=wrong,
        notes=(
            *reasons,
            *(
                f"No label in region {domain}: its share of true facts is taken from region {like}."
                for domain, like in borrowed.items()
            ),
            *(
                f"No label in region {domain}: what the base holds is taken to be correct, as "
                "without labels, and the interval allows for any share of it."
                for domain in unlabelled
            ),
            *_notes(by_domain),
            *([in_words(wrong)] if wrong else []),
            *dict.fromkeys(of.reason for of in claimed.values()),
        ),
    )


# What the base matches is right or wrong for the same reasons, whoever states it.
_ALIKE = {"b": "c", "c": "b"}


def _known(estimate: Estimate | None) -> Estimate:
    assert estimate is not None
    return estimate


def _right_links(
    strata: Sequence[Stratum],
    found: Mapping[str, TrueFacts],
    facts: int,
    *,
    effect: float,
    of_draws: Callable[..., Estimate],
    rng: np.random.Generator,
) -> Estimate | None:
    """Return precision among the facts of S whose links are right.

    A fact with a wrong link is not true, so its share is that of the wrong links among the facts
    that are not: it is drawn given the draws of true facts.
    """
    classes = [
        (c, float(size))
        for s in strata
        for c, size in zip(s.classes, s.sizes(), strict=True)
        if c.labels and c.link_wrong.size
    ]
    wrong = sum(size * float(c.link_wrong.mean()) for c, size in classes)
    false = sum(size * float(1 - c.truth.mean()) for c, size in classes)
    if not wrong or any(found[domain].value is None for domain in SYSTEM):
        return None
    share = min(wrong / false, 1.0) if false else 0.0
    labelled = sum(float((1 - c.truth).sum()) for c, _ in classes)
    called = sum(float(c.link_wrong.sum()) for c, _ in classes)
    n = labelled / effect
    true = np.sum([found[domain].draws for domain in SYSTEM], axis=0)
    value = sum(found[domain].value or 0.0 for domain in SYSTEM)
    # What people called a wrong link is known; of the other facts that are not true a share is.
    others = np.maximum(facts - true - labelled, 0)
    drawn = called + others * rng.beta(share * n + 0.5, (1 - share) * n + 0.5, size=true.shape)
    return of_draws(
        value / max(facts - (facts - value) * share, 1e-9),
        true / np.maximum(facts - drawn, 1e-9),
        n=sum(c.labels for c, _ in classes),
    )


def _notes(by_domain: Mapping[str, Sequence[Stratum]]) -> list[str]:
    notes = []
    for domain, strata in by_domain.items():
        size = sum(s.population for s in strata)
        blank = sum(
            float(n)
            for s in strata
            for c, n in zip(s.classes, s.sizes(), strict=True)
            if not c.labels
        )
        if blank and any(s.labels for s in strata):
            notes.append(
                f"No label in classes with {blank / size:.1%} of region {domain}'s facts: they are "
                "taken to be like the nearest class."
            )
    return notes
