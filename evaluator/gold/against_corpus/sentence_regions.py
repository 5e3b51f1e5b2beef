"""The figures of distant validation as sums over sentences, as gold benchmarks have them.

A fact counts once however many sentences hold it, so figures over distinct facts are no sums over
sentences. They become sums when each of a fact's k sentences has 1/k of it. The totals are those of
the distinct facts; and sentences can be drawn, left out and paired like those of a benchmark
(:mod:`evaluator.gold.statistics`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evaluator.errors import ConfigurationError
from evaluator.gold.statistics import Change, Statistics
from evaluator.labels.design import JudgedFact
from evaluator.model import Fact


class SentenceFacts(NamedTuple):
    """The facts of one sentence: what each system states, and what G′ has of it."""

    stated: Mapping[str, frozenset[Fact]]
    candidates: frozenset[Fact]


def true_shares(judged: Mapping[Fact, JudgedFact]) -> dict[Fact, float]:
    """Return how true each fact is, by the annotator: 1, 0, or where it was not judged a share.

    Facts in the same systems that are all in G′, or all not, were sampled alike, so the judged
    among them stand for the others (:mod:`evaluator.comparison.two_systems`). Undefined is not
    true.

    Raises
    ------
    ConfigurationError
        If facts were not judged, and none of their like either.
    """
    seen: dict[tuple[bool, frozenset[str]], list[float]] = defaultdict(list)
    for fact in judged.values():
        if not fact.matched and fact.verdict is not None:
            seen[fact.candidate, fact.systems].append(float(fact.verdict == "accepted"))
    alike = {kind: sum(accepted) / len(accepted) for kind, accepted in seen.items()}

    def share(fact: JudgedFact) -> float:
        if fact.matched or fact.verdict is not None:
            return float(fact.matched or fact.verdict == "accepted")
        like = alike.get((fact.candidate, fact.systems))
        if like is None:
            raise ConfigurationError(
                "too few facts of the gold data's sentences were judged; raise sample.system and "
                "sample.candidates and run distval run again"
            )
        return like

    return {key: share(fact) for key, fact in judged.items()}


def sentence_statistics(
    sentences: Sequence[SentenceFacts], true: Mapping[Fact, float], system: str
) -> Statistics:
    """Return the sums of one system by sentence: P = (a+b)/|S|, R = (a+b)/(a+b+c+d).

    Parameters
    ----------
    sentences
        The facts of each sentence.
    true
        How true each fact of them is, from 0 to 1.
    system
        Name of the system; what others state outside G′ plays no part.
    """
    stated = [sentence.stated.get(system, frozenset()) for sentence in sentences]
    known = [sentence.candidates | own for sentence, own in zip(sentences, stated, strict=True)]
    times_stated, times_known = _times(stated), _times(known)
    changes = [
        Change(place, -np.inf, right, sum(1 / times_stated[fact] for fact in own), right)
        for place, own in enumerate(stated)
        if own
        for right in [sum(true[fact] / times_stated[fact] for fact in own)]
    ]
    gold = np.array([sum(true[fact] / times_known[fact] for fact in facts) for facts in known])
    return Statistics.of(changes, gold)


def _times(facts: Iterable[frozenset[Fact]]) -> Counter[Fact]:
    return Counter(fact for of_sentence in facts for fact in of_sentence)
