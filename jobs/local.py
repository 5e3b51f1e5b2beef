"""The plain path: the whole evaluation over small data in one Python process, without Spark.

It is the oracle of the Spark path: records are carried to the same functions by loops and
dictionaries instead of joins, and the result is the same to the bit. It holds everything in memory.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from evaluator.corpus import read_sentences, sentence_key
from evaluator.counting import Counts, Element, pmi
from evaluator.elements import entity_element, relation_element
from evaluator.linking import link_extraction
from evaluator.matching import RelationMatch, best_relation
from evaluator.model import Fact, Rejects, Sentence
from evaluator.readers import read_extractions
from evaluator.sampling import sample
from evaluator.similarity import default_similarity
from evaluator.superset import candidate_superset
from evaluator.tallies import (
    CANDIDATES,
    CANDIDATES_REST,
    Cell,
    Verdict,
    system_population,
    system_rest,
)
from indexes.annotation import annotate_sentence
from indexes.text_index import TextIndex
from jobs.config import Configuration
from jobs.evidence import Evidence, prepare
from jobs.result import (
    UNALIGNED,
    Inputs,
    accounting,
    assemble,
    read_truth,
    short_digests,
    true_figures,
)
from jobs.rundir import content_digest


@dataclass(frozen=True)
class _Known:
    """A fact of S ∪ G' and all that is found out about it."""

    fact: Fact
    candidate: bool
    systems: frozenset[str]
    match: RelationMatch
    matched: bool


def evaluate(configuration: Configuration) -> dict[str, Any]:
    """Return the result of a run (:func:`jobs.pipeline.run`) computed without Spark."""
    c = configuration
    found = prepare(c, on_stage=lambda _name, _kept: None)
    corpus_rejects, rejects = Rejects(), {}
    dictionary = found.dictionary(proper_only=c.link.proper_only)
    sentences = {
        sentence_key(sentence.text): annotate_sentence(sentence, dictionary)
        for sentence in read_sentences(
            c.corpus.sentences, format=c.corpus.format, rejects=corpus_rejects
        )
    }
    stated: dict[Fact, set[str]] = defaultdict(set)
    extractions = {}
    for source in c.systems:
        rejects[source.name] = Rejects()
        outcomes: Counter[str | None] = Counter()
        for extraction in read_extractions(source, rejects=rejects[source.name]):
            sentence = sentences.get(sentence_key(extraction.sentence))
            if sentence is None:
                outcomes[UNALIGNED] += 1
                continue
            linked = link_extraction(
                sentence,
                extraction,
                arguments=c.link.arguments,
                scope=c.link.scope,
                negation=c.link.negation,
                key=c.relation.key,
            )
            outcomes[linked.reason] += 1
            if linked.fact is not None:
                stated[linked.fact].add(source.name)
        notes = {"read": outcomes.total(), "rejected": rejects[source.name].counts}
        extractions[source.name] = accounting(notes, outcomes)
    candidates = {
        fact
        for sentence in sentences.values()
        for fact in candidate_superset(sentence, direction=c.superset.direction)
    }
    known = [
        _look_up(fact, fact in candidates, frozenset(stated.get(fact, ())), c, found)
        for fact in sorted(candidates | stated.keys())
    ]
    cells = _judge(known, c, found)
    inputs = Inputs(
        corpus=_corpus_figures(sentences.values()),
        digests=short_digests(
            content_digest(c.corpus.sentences),
            {source.name: content_digest(source.path) for source in c.systems},
            found,
        ),
        knowledge_base=found.kb_figures,
        index=found.index_figures,
        extractions=extractions,
        rejects={
            name: dict(sorted(reasons.items()))
            for name, reasons in (
                ("corpus", corpus_rejects.counts),
                *((f"system {name}", reject.counts) for name, reject in rejects.items()),
                ("knowledge base", found.kb_rejects),
                ("text index", found.index_rejects),
            )
            if reasons
        },
    )
    truth = None
    if c.truth is not None:
        true_facts = read_truth(c.truth)
        truth = {
            source.name: true_figures(
                {fact for fact, systems in stated.items() if source.name in systems}, true_facts
            )
            for source in c.systems
        }
    return assemble(c, inputs, cells, truth)


def _look_up(
    fact: Fact, candidate: bool, systems: frozenset[str], c: Configuration, found: Evidence
) -> _Known:
    match = RelationMatch(None, None, None, None)
    if not fact.negated and fact.r:
        between = found.kb.relations_between(fact.e1, fact.e2)
        match = best_relation(fact.r.split(), between, found.relation_words, default_similarity())
    matched = match.similarity is not None and match.similarity >= c.match.threshold
    return _Known(fact, candidate, systems, match, matched)


def _judge(known: list[_Known], c: Configuration, found: Evidence) -> list[Cell]:
    """Return the cells of all facts; the text is asked about those that are in a sample."""
    sampled = _samples(known, c)
    open_facts = [k.fact for k in known if sampled[k.fact] and not (k.matched or k.fact.negated)]
    counts = dict(zip(open_facts, _count(open_facts, c, found), strict=True))
    cells: Counter[tuple[Any, ...]] = Counter()
    for k in known:
        verdict: Verdict | None = None
        if k.matched:
            verdict = "matched"
        elif sampled[k.fact]:
            verdict = _verdict(k.fact, counts.get(k.fact), c)
        cells[(k.candidate, k.systems, k.matched, verdict, frozenset(sampled[k.fact]))] += 1
    return [Cell(*cell, facts=number) for cell, number in cells.items()]


def _samples(known: list[_Known], c: Configuration) -> dict[Fact, set[str]]:
    """Return, for every fact, the names of the populations in whose samples it is."""
    members: dict[str, Callable[[_Known], bool]] = {
        CANDIDATES: lambda k: k.candidate,
        CANDIDATES_REST: lambda k: k.candidate and not k.matched,
    }
    for source in c.systems:
        name = source.name
        members[system_population(name)] = lambda k, name=name: name in k.systems
        members[system_rest(name)] = lambda k, name=name: name in k.systems and not k.matched
    samples: dict[Fact, set[str]] = {k.fact: set() for k in known}
    for name, member in members.items():
        size = c.sample.candidates if name in (CANDIDATES, CANDIDATES_REST) else c.sample.system
        for fact in sample((k.fact for k in known if member(k)), seed=c.sample.seed, size=size):
            samples[fact].add(name)
    return samples


def _count(facts: list[Fact], c: Configuration, found: Evidence) -> list[Counts]:
    def element(entity: str) -> Element:
        return found.kb.query_names(entity) or entity_element(entity, None)

    elements = [(element(f.e1), relation_element(f.r), element(f.e2)) for f in facts]
    with TextIndex.open(found.index_path) as index:
        return index.count(
            elements, x=c.pmi.x, ordered=c.pmi.ordered, denominator=c.pmi.denominator
        )


def _verdict(fact: Fact, counts: Counts | None, c: Configuration) -> Verdict:
    if fact.negated:
        return "negated"
    if not fact.r:
        return "no relation word"
    score = None if counts is None else pmi(counts, c.pmi.variant)
    if score is None:
        return "no pair"
    return "accepted" if score >= c.pmi.threshold else "rejected"


def _corpus_figures(sentences: Collection[Sentence]) -> dict[str, int]:
    return {
        "sentences": len(sentences),
        "documents": len({s.document for s in sentences}),
        "mentions": sum(len(s.mentions or ()) for s in sentences),
        "sentences_with_pair": sum(
            len({m.entity for m in s.mentions or ()}) > 1 for s in sentences
        ),
        "relation_words": len({word for s in sentences for word in s.relation_words or ()}),
    }
