"""Estimates from human labels: from the strata of a system to its regions, P, R and F.

An estimator turns the strata of one domain into joint posterior draws of the number of true facts
in it. Precision, recall and F follow from the same draws, so that what they share (labels, sizes of
classes) makes them vary together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evaluator.design_effect import design_effects
from evaluator.estimators.strata import SYSTEM, Estimator, Stratum, TrueFacts, of_domain
from evaluator.intervals import Estimate, from_draws
from evaluator.regions import Regions

FEW = (100, 40)
"""Labels of S, and of G′ ∖ S, from which on intervals were measured to cover near their level."""

type Claim = Literal["nominal", "at least", "few labels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledEstimate:
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
        What each measure's interval claims. "nominal": to hold the truth as often as its level
        says. "at least": more often, because no label contradicts the annotator. "few labels":
        nothing, there are too few of them (`FEW`).
    design_effects
        Of precision, recall and F: the variance from labels that share documents over that of as
        many labels from as many documents; 1 where no two labels share one.
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
    claims: Mapping[str, Claim]
    design_effects: Mapping[str, float]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the estimate as a JSON object."""

        def told(estimate: Estimate | None) -> dict[str, Any] | None:
            return None if estimate is None else estimate.as_json()

        return {
            "estimator": self.estimator,
            "facts": self.facts,
            "labels": list(self.labels),
            "regions": {name: told(size) for name, size in self.regions.items()},
            "precision": told(self.precision),
            "recall": told(self.recall),
            "f1": told(self.f1),
            "precision_right_links": told(self.precision_right_links),
            "claims": dict(self.claims),
            "design_effects": dict(self.design_effects),
            "notes": list(self.notes),
        }


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
    strata: Sequence[Stratum],
    *,
    name: str,
    estimator: Estimator,
    corpus: bool,
    level: float,
    draws: int,
    seed: int,
) -> LabelledEstimate:
    """Return what an estimator makes of the strata of one system.

    Parameters
    ----------
    strata
        All strata, in any order.
    name, estimator
        The estimator's NAME and function.
    corpus
        Whether G′ is known; without it recall is not.
    level, draws, seed
        Nominal coverage, posterior draws, and their seed: one seed, one answer.
    """
    domains = ("a", "b", "c", "d") if corpus else SYSTEM
    by_domain = {domain: of_domain(strata, domain) for domain in domains}
    facts = sum(s.population for domain in SYSTEM for s in by_domain[domain])
    effects = design_effects(by_domain, facts)
    method = f"{name}, joint posterior"

    def true_facts(effect: float) -> dict[str, TrueFacts]:
        # The same seed for every design effect: figures that share one come from the same draws.
        rng = np.random.default_rng(seed)
        found = {
            domain: estimator(of, everything=strata, draws=draws, rng=rng, design_effect=effect)
            if of
            else TrueFacts(0.0, np.zeros(draws))
            for domain, of in by_domain.items()
        }
        for domain, like in borrowed.items():
            scale = sizes[domain] / sizes[like]
            value, drawn, reason = found[like]
            found[domain] = TrueFacts(value and value * scale, drawn * scale, reason)
        return found

    labels = {domain: sum(s.labels for s in of) for domain, of in by_domain.items()}
    sizes = {domain: sum(s.population for s in of) for domain, of in by_domain.items()}
    borrowed = {
        domain: like
        for domain, like in _ALIKE.items()
        if sizes.get(domain) and not labels[domain] and labels.get(like)
    }
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
        return from_draws(value, drawn, method=method, level=level, n=n)

    known = _MEASURES if corpus else _MEASURES[:1]
    reasons = dict.fromkeys(t.reason for t in made[1.0].values() if t.reason)
    return LabelledEstimate(
        estimator=name,
        facts=facts,
        labels=(of_system, of_rest if corpus else None),
        regions={
            region: from_draws(
                made[1.0][region].value,
                made[1.0][region].draws,
                method=method,
                level=level,
                n=labels[region],
            )
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
            method=method,
            level=level,
            rng=np.random.default_rng([seed, 1]),
        ),
        claims={
            key: _claim(by_domain if key != "precision" else {d: by_domain[d] for d in SYSTEM})
            for key in known
        },
        design_effects={key: effects[key] for key in known},
        notes=(
            *reasons,
            *(
                f"No label in region {domain}: its share of true facts is taken from region {like}."
                for domain, like in borrowed.items()
            ),
            *_notes(by_domain),
        ),
    )


# Regions that only text and labels tell about.
_OPEN = {"a", "d"}
# What the base matches is right or wrong for the same reasons, whoever states it.
_ALIKE = {"b": "c", "c": "b"}
_MEASURES = ("precision", "recall", "f1")


def _known(estimate: Estimate | None) -> Estimate:
    assert estimate is not None
    return estimate


def _right_links(
    strata: Sequence[Stratum],
    found: Mapping[str, TrueFacts],
    facts: int,
    *,
    method: str,
    level: float,
    rng: np.random.Generator,
) -> Estimate | None:
    """Return precision among the facts of S whose links are right.

    A fact with a wrong link is not true, so its share is that of the wrong links among the facts
    that are not: it is drawn given the draws of true facts.
    """
    wrong = rest = 0.0
    n = 0
    for stratum in strata:
        for c, size in zip(stratum.classes, stratum.sizes(), strict=True):
            if c.labels and c.link_wrong.size:
                wrong += size * float(c.link_wrong.mean())
                rest += size * float(1 - c.truth.mean())
                n += c.labels
    false = sum(float((1 - c.truth).sum()) for s in strata for c in s.classes)
    if not wrong or any(found[domain].value is None for domain in SYSTEM):
        return None
    share = min(wrong / rest, 1.0)
    true = np.sum([found[domain].draws for domain in SYSTEM], axis=0)
    value = sum(found[domain].value or 0.0 for domain in SYSTEM)
    drawn = rng.beta(share * false + 0.5, (1 - share) * false + 0.5, size=true.shape)
    right = facts - (facts - true) * drawn
    return from_draws(
        value / (facts - (facts - value) * share),
        true / np.maximum(right, 1e-9),
        method=method,
        level=level,
        n=n,
    )


def _claim(by_domain: Mapping[str, Sequence[Stratum]]) -> Claim:
    """Return what an interval over these regions claims (see :class:`LabelledEstimate`)."""
    for inside, few in zip((True, False), FEW, strict=True):
        strata = [s for domain, of in by_domain.items() if (domain in SYSTEM) == inside for s in of]
        # Where all judged facts have a label nothing is left to be uncertain of.
        judged = sum(s.judged for s in strata)
        if sum(s.labels for s in strata) < min(few, judged):
            return "few labels"
    # Without one error of the annotator to be seen the posterior still expects some.
    for domain in _OPEN & by_domain.keys():
        labelled = [c.truth for s in by_domain[domain] for c in s.classes if c.labels]
        if labelled and all(np.ptp(truth) == 0 for truth in labelled):
            return "at least"
    return "nominal"


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
