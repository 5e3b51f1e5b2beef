r"""URNS: the probability that a fact is true, from repetition alone, without labels.

Downey, Etzioni and Soderland, "A Probabilistic Model of Redundancy in Information Extraction"
(IJCAI 2005): an extraction is a ball drawn n times from an urn with balls for true labels, C, and
for errors, E. True labels are repeated more often, so that having been drawn k times tells
(Proposition 1, there equation 1):

    P(x ∈ C | k of n) = Σ_{r ∈ num(C)} (r/s)^k (1 − r/s)^(n−k)
                        / Σ_{r ∈ num(C ∪ E)} (r/s)^k (1 − r/s)^(n−k).

The paper draws all extractions of a relation from one urn. Hit counts tell more: in how many
documents a fact *could* have been stated. So here every fact has draws of its own, the n documents
with its pair, and the repetition rates r/s of the true and of the false facts follow two beta
distributions. The sums become integrals, and

    P(true | k of n) = 1 / (1 + (1 − π)/π · B(k; n, false)/B(k; n, true)),

B the beta-binomial probability. There are two urns, as with the paper's several extraction rules:
the documents with the pair, of which PROXIMITY says how many state the fact, and those about e1
that hold e2, for ANCHORED. Given whether the fact is true the two are taken as independent.

π and the distributions are fitted to the unlabelled facts that are judged, as the paper does, by
maximum likelihood; to the counts' histogram, so the order of facts does not matter. What keeps
"true" and "false" from changing places, and the probability rising with k, is that both rates of
an urn have the same strength and the true one the larger mean.

The paper's own model, one urn without n, was tried on FactBench: it ranks facts by k, whatever its
parameters. On facts with a pair the AUC is 0.54 at X = 4 and 0.59 at X = 16; here it is 0.63 and
0.65. Where hits are few or facts of more than two kinds the fit may separate something else than
true from false: see :attr:`Urns.tells_apart`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evaluator.annotators.base import Kind, Part, Population, check_single, check_threshold
from evaluator.annotators.evidence import Evidence, Floats
from evaluator.annotators.pmi import counts
from evaluator.counting.definition import Variant
from evaluator.counting.occurrences import Booleans, Integers
from evaluator.errors import ConfigurationError

NAME: Final = "urns"

URNS: tuple[Variant, ...] = ("proximity", "anchored")

FEWEST = 20
"""Facts with documents that an urn is fitted to at least; with fewer it is left out."""

# No text is so complete that one document decides: without these bounds a fact with a document
# about e1 in which r is not near e2 has a probability of 0.0003, and the Brier score is 0.23, not
# 0.17, on such facts of FactBench. A strength of 2 or more is that of a flat distribution or of one
# around its mean.
_MEANS = (0.001, 0.95)
_STRENGTHS = (2.0, 200.0)
_LOG_ODDS = (-8.0, 8.0)


class Urn(NamedTuple):
    """The beta distributions of the rates at which documents state facts.

    Attributes
    ----------
    true, false
        Mean rate of the true and of the false facts; the former is the larger.
    strength
        Sum of the two shapes of either distribution.
    """

    true: float
    false: float
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Urns:
    """The annotator ``urns``: the fitted model.

    Attributes
    ----------
    prior
        π, the share of true facts among those with documents.
    urns
        By variant of PMI: "proximity", "anchored", or one of them.
    facts
        Number of facts with documents, that the model was fitted to.
    gain
        By how many nats the log likelihood exceeds that of a single kind of facts.
    threshold
        Least probability of a fact that is accepted.

    Raises
    ------
    ConfigurationError
        For a threshold that is none.
    ValueError
        For parameters out of their range.
    """

    NAME: ClassVar[str] = NAME

    prior: float
    urns: Mapping[str, Urn]
    facts: int
    gain: float
    threshold: float = 0.5

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        if not self.urns or not set(self.urns) <= set(URNS):
            raise ValueError(f"urns {sorted(self.urns)}: expected some of {', '.join(URNS)}")
        if not 0 < self.prior < 1:
            raise ValueError(f"prior {self.prior}: expected a number between 0 and 1")
        for name, urn in self.urns.items():
            if not (0 < urn.false <= urn.true < 1 and 0 < urn.strength < np.inf):
                raise ValueError(f"{name}: {urn} is out of range")

    @classmethod
    def fit(
        cls, evidence: Evidence, *, facts: ArrayLike | None = None, threshold: float = 0.5
    ) -> "Urns":
        """Fit the model to the facts that are to be judged, without labels.

        The same facts give the same model, in whatever order; be they given one by one, or as rows
        of distinct counts with the number of `facts` that have each, shape (rows,).

        Raises
        ------
        ConfigurationError
            If no urn has 20 facts with documents, some of which state a fact and some do not.
        """
        from scipy.optimize import minimize

        number = np.ones(len(evidence), np.int64) if facts is None else np.asarray(facts, np.int64)
        names, hits, of, weight = _histogram(evidence, number)

        def fitted(kinds: int, starts: Sequence[list[float]]) -> tuple[float, Floats]:
            def loss(point: Floats) -> float:
                prior, urns = _model(point, names)
                true, false = _log_likelihoods(hits, of, list(urns.values()))
                if kinds == 1:
                    return -float(weight @ false)
                # One fact of either kind seen beforehand keeps π off 0 and 1.
                before = log(prior) + log(1 - prior)
                mixed = np.logaddexp(log(prior) + true, log(1 - prior) + false)
                return -float(weight @ mixed) - before

            strengths = log(_STRENGTHS[0]), log(_STRENGTHS[1])
            bounds = [_LOG_ODDS] + [_LOG_ODDS, _LOG_ODDS, strengths] * len(names)
            found = [minimize(loss, start, method="L-BFGS-B", bounds=bounds) for start in starts]
            best = min(found, key=lambda result: float(result.fun))
            return float(best.fun), best.x

        shares = [float(weight @ k / (weight @ n)) for k, n in zip(hits, of, strict=True)]
        # Half of the facts true, the false ones at half the mean rate, the true ones at two places.
        starts = [
            [0.0] + [x for p in shares for x in (_logit(p / 2), _logit(above * p), 2.0)]
            for above in (0.3, 0.9)
        ]
        alone, _ = fitted(1, starts[:1])
        together, point = fitted(2, starts)
        prior, urns = _model(point, names)
        return cls(
            prior=prior,
            urns=urns,
            facts=int(weight.sum()),
            gain=alone - together,
            threshold=threshold,
        )

    @property
    def tells_apart(self) -> bool:
        """Whether there are two kinds of facts rather than one, by the criterion BIC.

        If not, the scores mean little. (The second kind takes its share and a mean in each urn.)
        """
        return self.gain > (1 + len(self.urns)) * log(self.facts) / 2

    def score(self, evidence: Evidence) -> Floats:
        """Return the probability of each fact; NaN where no document holds its pair.

        (The model has a probability for those as well, π; but it would say nothing of the fact.)
        """
        odds = log(self.prior / (1 - self.prior)) + self._log_ratios(evidence).sum(axis=0)
        return np.where(self._drawn(evidence), 1 / (1 + np.exp(-odds)), np.nan)

    def parts(self, evidence: Evidence) -> tuple[Part, ...]:
        """Return the prior and each urn's share of hits, with what they add to the log odds."""
        check_single(evidence)
        prior = Part("prior", self.prior, None, log(self.prior / (1 - self.prior)))
        parts = [prior]
        for name, ratio in zip(self.urns, self._log_ratios(evidence)[:, 0], strict=True):
            k, n = (int(count[0]) for count in _draws(evidence, name))
            parts.append(Part(f"{name} PMI", k / n if n else None, None, float(ratio)))
        return tuple(parts)

    def describe(self) -> str:
        """Return for example "urns-proximity-anchored-t0.5"."""
        return f"urns-{'-'.join(self.urns)}-t{self.threshold:g}"

    def as_json(self) -> dict[str, Any]:
        """Return the parameters."""
        return {
            "prior": self.prior,
            "urns": {name: urn._asdict() for name, urn in self.urns.items()},
            "facts": self.facts,
            "gain": self.gain,
            "threshold": self.threshold,
        }

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> "Urns":
        """Return the annotator with the parameters that :meth:`as_json` gave."""
        return cls(**{**saved, "urns": {name: Urn(**u) for name, u in saved["urns"].items()}})

    def _log_ratios(self, evidence: Evidence) -> Floats:
        """Return log B(k; n, true) − log B(k; n, false), shape (urns, facts)."""
        draws = [_draws(evidence, name) for name in self.urns]
        return np.array(
            [
                _log_beta_binomial(k, n, urn.true, urn.strength)
                - _log_beta_binomial(k, n, urn.false, urn.strength)
                for (k, n), urn in zip(draws, self.urns.values(), strict=True)
            ]
        )

    def _drawn(self, evidence: Evidence) -> Booleans:
        """Tell which facts have documents in any urn."""
        drawn = np.any([_draws(evidence, name)[1] > 0 for name in self.urns], axis=0)
        return np.asarray(drawn & evidence.defined)


def _draws(evidence: Evidence, name: str) -> tuple[Integers, Integers]:
    """Return k and n of an urn; near pairs, which can be fewer than hits, bound them."""
    variant: Variant = "anchored" if name == "anchored" else "proximity"
    hits, of = counts(evidence, variant)
    return np.minimum(hits, of), of


def _histogram(
    evidence: Evidence, facts: Integers
) -> tuple[list[str], Integers, Integers, Integers]:
    """Return the urns that can be fitted, their distinct k and n, and how many facts have each.

    k and n have shape (urns, distinct).
    """
    defined, facts = evidence.take(evidence.defined), facts[evidence.defined]
    drawn = {name: _draws(defined, name) for name in URNS}
    drawn = {
        name: (k, n)
        for name, (k, n) in drawn.items()
        if facts[n > 0].sum() >= FEWEST and 0 < facts @ k < facts @ n
    }
    if not drawn:
        raise ConfigurationError(
            f"URNS cannot be fitted: it takes {FEWEST} facts with documents, of which some state "
            "the fact and some do not; judge more facts, or take another annotator"
        )
    table = np.concatenate([np.stack([k, n]) for k, n in drawn.values()])
    some = table[1::2].any(axis=0)
    distinct, place = np.unique(table[:, some], axis=1, return_inverse=True)
    number = np.zeros(distinct.shape[1], np.int64)
    np.add.at(number, place.ravel(), facts[some])
    return list(drawn), distinct[::2], distinct[1::2], number


def _model(point: Floats, names: list[str]) -> tuple[float, dict[str, Urn]]:
    """Return the parameters at a point of the space without constraints."""
    urns = {}
    least, most = _MEANS
    for name, (low, gap, strength) in zip(names, point[1:].reshape(-1, 3), strict=True):
        false = least + (most - least) * _expit(low)
        urns[name] = Urn(false + (most - false) * _expit(gap), false, exp(strength))
    return _expit(point[0]), urns


def _log_likelihoods(hits: Integers, of: Integers, urns: list[Urn]) -> tuple[Floats, Floats]:
    """Return log B of all urns' counts for true and for false facts, shapes (distinct,)."""
    true, false = (
        sum(
            (
                _log_beta_binomial(k, n, urn[kind], urn.strength)
                for k, n, urn in zip(hits, of, urns, strict=True)
            ),
            start=np.zeros(hits.shape[1]),
        )
        for kind in (0, 1)
    )
    return true, false


def _log_beta_binomial(hits: Integers, of: Integers, mean: float, strength: float) -> Floats:
    """Return log B(k; n) without the binomial coefficient, which all kinds have in common.

    The ratio of two beta functions is one of rising factorials, a(a + 1)…(a + k − 1) and so on:
    sums of logs that a table holds, without special functions.
    """
    a, b, both = mean * strength, (1 - mean) * strength, strength
    steps = np.arange(of.max(initial=0))
    up_to = [np.concatenate([[0.0], np.cumsum(np.log(shape + steps))]) for shape in (a, b, both)]
    return np.asarray(up_to[0][hits] + up_to[1][of - hits] - up_to[2][of])


def _logit(share: float) -> float:
    return log(share / (1 - share))


def _expit(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def _fitted(settings: Mapping[str, Any], population: Population) -> Urns:
    evidence, facts = population.histogram()
    return Urns.fit(evidence, facts=facts, threshold=settings["threshold"])


KIND = Kind(
    annotator=Urns, title="URNS", score="probability", section="urns", make=_fitted, fitted=True
)
