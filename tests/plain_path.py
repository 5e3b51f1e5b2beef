"""The plain path: the whole evaluation over small data in loops and dictionaries.

It is the oracle of both engines: records are carried to the functions of the science by loops
instead of joins, with rules of its own for what matches, which facts are sampled, and what the
verdict is. The result must be the same to the bit. It holds everything in memory.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isnan, nan
from typing import Any

import numpy as np

from evaluator.annotators import ANNOTATORS, Annotator, Examples, Population
from evaluator.annotators.evidence import Evidence as Found
from evaluator.annotators.items import digest_of
from evaluator.annotators.sentence_evidence import FIELDS, sentence_evidence
from evaluator.corpus.sentences import NO_WORD, REPEATED, read_sentences, sentence_key
from evaluator.corpus.splitting import split_sentences
from evaluator.counting.definition import Element
from evaluator.counting.elements import entity_element, relation_element
from evaluator.counting.fact_table import FactTable
from evaluator.counting.occurrences import Integers
from evaluator.estimators.tallies import (
    CANDIDATES,
    CANDIDATES_REST,
    Cell,
    Verdict,
    system_population,
    system_rest,
)
from evaluator.facts.given import link_given, names_of
from evaluator.facts.linking import link_extraction
from evaluator.facts.sampling import sample, sample_key
from evaluator.facts.superset import (
    CROWDED,
    CROWDED_PAIR,
    candidate_superset,
    is_crowded,
    is_crowded_pair,
    window_candidates,
)
from evaluator.judges.source import JudgeSource
from evaluator.labels.design import JudgedFact, label_cells
from evaluator.model import Extraction, Fact, Rejects, Sentence
from evaluator.readers import SystemSource, read_extractions, read_facts
from evaluator.relations.matching import RelationMatch, best_relation
from evaluator.results.result import Matching
from indexes.collections import read_collection
from indexes.identifiers import canonical_id
from indexes.kb.annotation import annotate_sentence
from indexes.text.index import TextIndex
from jobs.config import Configuration, CorpusSettings
from jobs.evidence.annotator import annotator_figures, fact_scores, make_annotator, needs_context
from jobs.evidence.sources import RunEvidence, prepare
from jobs.evidence.widening import run_words
from jobs.run.label_folder import LabelFolder, results_with_labels
from jobs.run.result import (
    UNALIGNED,
    Inputs,
    MatchCount,
    accounting,
    corpus_digest,
    make_result,
    match_figures,
    read_truth,
    short_digests,
    true_figures,
)
from jobs.rundir import content_digest

type _Stating = dict[tuple[str, int], tuple[int, ...]]
"""How each sentence, by document and number, states a fact (the fields of SentenceEvidence)."""


@dataclass(frozen=True)
class _Known:
    """A fact of S ∪ G' and all that is found out about it."""

    fact: Fact
    candidate: bool
    systems: frozenset[str]
    stating: _Stating
    match: RelationMatch
    matched: bool


def evaluate(configuration: Configuration) -> dict[str, Any]:
    """Return the result of a run (:func:`jobs.run.pipeline.run`) as JSON, without an engine."""
    c = configuration
    found = prepare(c.kb, c.index, on_stage=lambda _name, _kept: None)
    corpus_rejects, rejects = Rejects(), {}
    sentences, cut = _sentences(c, found, corpus_rejects)
    names: dict[str, set[str]] = defaultdict(set)
    stated: dict[Fact, set[str]] = defaultdict(set)
    stating: dict[Fact, _Stating] = defaultdict(dict)
    extractions = {}
    for source in c.systems:
        rejects[source.name] = Rejects()
        outcomes: Counter[str | None] = Counter()
        for fact, reason, sentence in (
            _given(source, rejects[source.name], names, c, found)
            if c.gives_facts
            else _linked(_extractions(source, rejects[source.name], sentences, c), sentences, c)
        ):
            outcomes[reason] += 1
            if fact is not None:
                stated[fact].add(source.name)
                if sentence is not None:
                    _state(stating, sentence, fact)
        notes = {"read": outcomes.total(), "rejected": rejects[source.name].counts}
        extractions[source.name] = accounting(notes, outcomes)
    candidates = set()
    for sentence in sentences.values():
        rule = {name: of for name, of in c.superset if name != "window"}
        for fact in candidate_superset(sentence, **rule, lexicon=c.lexicon):
            candidates.add(fact)
            _state(stating, sentence, fact)
    for _ in filter(is_crowded, sentences.values()):
        corpus_rejects.add(CROWDED)
    for first, second in _windows(sentences.values(), c.superset.window):
        candidates.update(window_candidates(first, second, direction=c.superset.direction))
        if not (is_crowded(first) or is_crowded(second)) and is_crowded_pair(first, second):
            corpus_rejects.add(CROWDED_PAIR)
    words = found.relation_words(c.match, c.lexicon)
    known = [
        _look_up(
            fact,
            fact in candidates,
            frozenset(stated.get(fact, ())),
            stating.get(fact, {}),
            words,
            c,
            found,
        )
        for fact in sorted(candidates | stated.keys())
    ]
    matching, matches = match_figures(
        (
            MatchCount(tuple(k.systems), bool(k.match.inverse), ".." in str(k.match.relation), 1)
            for k in known
            if k.matched
        ),
        [source.name for source in c.systems],
    )
    entities = {entity for k in known for entity in (k.fact.e1, k.fact.e2)}
    unknown = sum(entity not in found.kb for entity in entities)
    cells, judged, annotator = _judge(
        known, {entity: sorted(forms) for entity, forms in names.items()}, c, found
    )
    of_labels = with_labels = pairs = None
    if c.labels.path is not None:
        folder = LabelFolder.open(c.labels.path)
        of_labels, with_labels, pairs = results_with_labels(
            folder, label_cells(judged.values(), folder.stratification), judged, c
        )
    inputs = Inputs(
        corpus=None
        if c.corpus is None
        else {**_corpus_figures(sentences.values()), "cut_sentences": cut},
        digests=short_digests(
            None if c.corpus is None else corpus_digest(c.corpus),
            {source.name: content_digest(source.path) for source in c.files},
            c.baselines,
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
                *((f"judge {source.name}", _unread(source)) for source in c.external.judges),
            )
            if reasons
        },
        matching=Matching(entities=len(entities), unknown_entities=unknown, **dict(matching)),
        matches=matches,
        annotator=annotator_figures(annotator),
        labels=of_labels,
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
    return make_result(c, inputs, cells, truth, with_labels, pairs).as_json()


def _sentences(
    c: Configuration, found: RunEvidence, rejects: Rejects
) -> tuple[dict[str, Sentence], int]:
    """Return the annotated sentences of the corpus by their key, and how often one was cut.

    There are none without a corpus.
    """
    if c.corpus is None:
        return {}, 0
    cut = 0
    if c.corpus.collection is not None:
        read, cut = _split(c.corpus, rejects)
    else:
        read = list(read_sentences(c.corpus.path, format=c.corpus.format, rejects=rejects))
    given = {mention.entity for sentence in read for mention in sentence.mentions or ()}
    meaning = {entity: _identify(entity, found) or entity for entity in given}
    return {
        sentence_key(sentence.text): annotate_sentence(
            sentence,
            found.dictionary,
            proper_only=c.link.proper_only,
            context=c.link.context,
            scope=c.link.scope,
            meaning=meaning,
            lexicon=c.lexicon,
        )
        for sentence in read
    }, cut


def _windows(sentences: Iterable[Sentence], window: int) -> Iterator[tuple[Sentence, Sentence]]:
    """Yield each two sentences of a document that are fewer than `window` apart, in its order."""
    of_document: dict[str, list[Sentence]] = defaultdict(list)
    for sentence in sentences:
        of_document[sentence.document].append(sentence)
    for of in of_document.values():
        for first in of:
            for second in of:
                if first.number < second.number < first.number + window:
                    yield first, second


def _split(corpus: CorpusSettings, rejects: Rejects) -> tuple[list[Sentence], int]:
    """Return the distinct sentences of a corpus of documents, and how often one was cut."""
    sentences: dict[str, Sentence] = {}
    cut = 0
    for document in read_collection(
        corpus.path, format=corpus.format, select=corpus.select, rejects=rejects
    ):
        for number, piece in enumerate(split_sentences(document.text)):
            cut += piece.cut
            key = sentence_key(piece.text)
            if not key:
                rejects.add(NO_WORD)
            elif key in sentences:
                rejects.add(REPEATED)
            else:
                sentences[key] = Sentence(document.id, number, piece.text)
    return list(sentences.values()), cut


def _identify(text: str, found: RunEvidence) -> str | None:
    """Return the entity that an identifier means, or its one written form; None for no such."""
    return found.kb.by_id(text) or canonical_id(text)


def _extractions(
    source: SystemSource, rejects: Rejects, sentences: Mapping[str, Sentence], c: Configuration
) -> Iterator[Extraction]:
    """Yield the extractions of a system: of its file, or of a baseline over all sentences."""
    if source.baseline is None:
        yield from read_extractions(source, rejects=rejects)
    else:
        for sentence in sentences.values():
            yield from source.baseline.extractions(sentence, system=source.name, lexicon=c.lexicon)


def _linked(
    extractions: Iterable[Extraction], sentences: Mapping[str, Sentence], c: Configuration
) -> Iterator[tuple[Fact | None, str | None, Sentence | None]]:
    """Yield for each extraction its fact, or the reason why it has none, and its sentence."""
    places: dict[tuple[str, int], Sentence] = {}
    for _, of in sorted(sentences.items()):
        places.setdefault((of.document, of.number), of)
    for extraction in extractions:
        sentence = sentences.get(sentence_key(extraction.sentence))
        if sentence is None:
            yield None, UNALIGNED, None
            continue
        linked = link_extraction(
            sentence,
            extraction,
            arguments=c.link.arguments,
            scope=c.link.scope,
            negation=c.link.negation,
            unasserted=c.link.unasserted,
            key=c.relation.key,
            neighbours=[
                places[sentence.document, number]
                for distance in range(1, c.superset.window)
                for number in (sentence.number - distance, sentence.number + distance)
                if (sentence.document, number) in places
            ],
            lexicon=c.lexicon,
        )
        yield linked.fact, linked.reason, sentence


def _given(
    source: SystemSource,
    rejects: Rejects,
    names: dict[str, set[str]],
    c: Configuration,
    found: RunEvidence,
) -> Iterator[tuple[Fact | None, str | None, None]]:
    """Yield for each given fact the fact that it is, or the reason; add its names to `names`."""
    identify = partial(_identify, found=found)
    for given in read_facts(source, rejects=rejects):
        for entity, name in names_of(given, identify=identify, scope=c.link.scope):
            names[entity].add(name)
        linked = link_given(
            given,
            identify=identify,
            key=c.relation.key,
            scope=c.link.scope,
            negation=c.link.negation,
            lexicon=c.lexicon,
        )
        yield linked.fact, linked.reason, None


def _state(stating: Mapping[Fact, _Stating], sentence: Sentence, fact: Fact) -> None:
    """Take down how a sentence states a fact, if it mentions both of its entities."""
    if {fact.e1, fact.e2} <= {mention.entity for mention in sentence.mentions or ()}:
        [fields] = sentence_evidence([(sentence, [fact])]).tolist()
        stating[fact][sentence.document, sentence.number] = tuple(fields)


def _look_up(
    fact: Fact,
    candidate: bool,
    systems: frozenset[str],
    stating: _Stating,
    relation_words: Mapping[str, Sequence[str]],
    c: Configuration,
    found: RunEvidence,
) -> _Known:
    match = RelationMatch(None, None, None, None)
    if not fact.negated and fact.r:
        between = found.kb.relations_between(fact.e1, fact.e2, direction=c.match.direction)
        match = best_relation(
            c.lexicon.compared(fact.r), between, relation_words, c.match.measure(c.lexicon)
        )
    matched = match.similarity is not None and match.similarity >= c.match.threshold
    return _Known(fact, candidate, systems, stating, match, matched)


def _judge(
    known: list[_Known], names: Mapping[str, Sequence[str]], c: Configuration, found: RunEvidence
) -> tuple[list[Cell], dict[Fact, JudgedFact], Annotator]:
    """Return the cells of all facts, the facts, and what judged them by the text.

    The text is asked about the facts in a sample.

    `names` stand for the entities that the knowledge base has no name for.
    """
    sampled = _samples(known, c)
    asked = [k for k in known if sampled[k.fact] and not (k.matched or k.fact.negated)]
    learns = ANNOTATORS[c.annotator].examples
    held = _held(known, c) if learns else []
    made = _exchanged(known, c) if learns and c.corpus is None else []
    hits, of_all = _count([*asked, *held, *made], names, c, found)
    counted = of_all.take(np.arange(len(asked)))
    of_text = counted.take(counted.defined)
    annotator = make_annotator(
        c,
        Population(
            lambda: (of_text, np.ones(len(of_text), np.int64)),
            lambda: _examples(of_all, asked, held, made, known, c),
        ),
    )
    counted = _with_judges(counted, [k.fact[:3] for k in asked], c)
    scores = fact_scores(counted, annotator, [k.fact[:3] for k in asked])
    told = {
        k.fact: (None if isnan(score) else score, pair)
        for k, score, pair in zip(
            asked, scores.tolist(), hits[: len(asked), 0].tolist(), strict=True
        )
    }
    cells: Counter[tuple[Any, ...]] = Counter()
    judged = {}
    for k in known:
        verdict: Verdict | None = None
        score, pair = told.get(k.fact, (None, None))
        if k.matched:
            verdict = "matched"
        elif sampled[k.fact]:
            verdict = _verdict(k.fact, score, annotator)
        key = sample_key(c.sample.seed, k.fact)
        judged[k.fact] = JudgedFact(k.candidate, k.systems, k.matched, verdict, score, pair, key)
        across = k.candidate and not k.stating
        kind = (k.candidate, k.systems, k.matched, verdict, frozenset(sampled[k.fact]))
        cells[kind, across] += 1
    found = [Cell(*kind, number, across) for (kind, across), number in cells.items()]
    return found, judged, annotator


def _with_judges(counted: Found, facts: list[tuple[str, str, str]], c: Configuration) -> Found:
    """Return evidence with the answers of files that name facts as the run does."""
    judged = np.full((len(facts), len(c.external.judges)), nan)
    for column, source in enumerate(c.external.judges):
        rows = [row for row in source.read().rows if row.value is not None]
        for place, fact in enumerate(facts):
            said = [r.value for r in rows if r.item == fact or r.id == digest_of(fact)]
            if said and (len(said) == 1 or 2 * sum(said) != len(said)):
                judged[place, column] = sum(said) / len(said)
    names = tuple(source.name for source in c.external.judges)
    return replace(counted, judges=names, judged=judged)


def _unread(source: JudgeSource) -> Counter[str]:
    """Return how many rows say nothing of a fact, and how many facts have as many yes as no."""
    said: dict[object, list[float]] = defaultdict(list)
    for row in source.read().rows:
        if row.value is not None:
            said[digest_of(row.item) if row.item else row.id].append(row.value)
    tied = sum(len(of) > 1 and 2 * sum(of) == len(of) for of in said.values())
    reasons = Counter(row.reason for row in source.read().rows if row.value is None)
    return reasons + Counter({"yes and no": tied}) + Counter(source.read().rejects.counts)


def _held(known: list[_Known], c: Configuration) -> list[_Known]:
    """Return the facts that D holds by the same word, by their sampling keys."""
    held = [k for k in known if k.matched and k.match.similarity == 1e300]
    return sorted(held, key=lambda k: sample_key(c.sample.seed, k.fact))


def _examples(
    evidence: Found,
    asked: list[_Known],
    held: list[_Known],
    made: list[_Known],
    known: list[_Known],
    c: Configuration,
) -> Examples:
    """Return what the database decides of those that are judged and of the facts that it holds.

    Without a corpus, exchanged facts follow. `evidence` is of all of them.
    """
    facts = [*asked, *held, *made]
    of_all = Counter(
        (k.matched, k.candidate, k.systems)
        for k in [*held, *(k for k in known if not k.matched and not k.fact.negated)]
    )
    kinds = [(k.matched, k.candidate, k.systems) for k in [*asked, *held]]
    here = Counter(kinds)
    name_of = ANNOTATORS[c.annotator].names
    assert name_of is not None
    return Examples(
        evidence,
        np.array([k.matched for k in facts]),
        np.array([*(False for _ in kinds), *(True for _ in made)]),
        np.array([*(of_all[kind] / here[kind] for kind in kinds), *(1.0 for _ in made)]),
        [name_of(k.fact[:3]) for k in facts],
    )


def _exchanged(known: list[_Known], c: Configuration) -> list[_Known]:
    """Return facts that nobody states: stated ones, but for one part of the next one's.

    Subjects and objects are those of the next fact with the relation, relations those of the next
    of all, by the sampling keys and round again.
    """
    facts = [k.fact for k in known if not k.fact.negated and k.fact.r]
    facts.sort(key=lambda fact: (sample_key(c.sample.seed, fact), fact.e1, fact.e2))
    alike: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        alike[fact.r].append(fact)
    made = set()
    for group, parts in [*((group, ("e1", "e2")) for group in alike.values()), (facts, ("r",))]:
        for fact, following in zip(group, [*group[1:], group[0]], strict=True):
            made |= {fact._replace(**{part: getattr(following, part)}) for part in parts}
    stated = {k.fact for k in known}
    return [
        _Known(fact, False, frozenset(), {}, RelationMatch(None, None, None, None), False)
        for fact in sorted(made - stated)
        if fact.e1 != fact.e2
    ]


def _samples(known: list[_Known], c: Configuration) -> dict[Fact, set[str]]:
    """Return, for every fact, the names of the populations in whose samples it is."""
    populations: list[tuple[str, str, list[_Known], int]] = []
    if c.corpus is not None:
        candidates = [k for k in known if k.candidate]
        populations.append((CANDIDATES, CANDIDATES_REST, candidates, c.sample.candidates))
    for name in (source.name for source in c.systems):
        stated = [k for k in known if name in k.systems]
        populations.append((system_population(name), system_rest(name), stated, c.sample.system))
    samples: dict[Fact, set[str]] = {k.fact: set() for k in known}
    for whole, rest, members, size in populations:
        for fact in sample((k.fact for k in members), seed=c.sample.seed, size=size):
            samples[fact].add(whole)
        open_facts = (k.fact for k in members if not k.matched)
        for fact in sample(open_facts, seed=c.sample.seed, size=size):
            samples[fact].add(rest)
    return samples


def _count(
    asked: list[_Known], names: Mapping[str, Sequence[str]], c: Configuration, found: RunEvidence
) -> tuple[Integers, Found]:
    """Return the hit counts of facts, and all that is known of them."""

    def element(entity: str) -> Element:
        known = found.kb.query_names(entity)
        return entity_element(entity, known or names.get(entity), variants=c.pmi.names)

    facts = [k.fact for k in asked]
    words = run_words(c, lambda: sorted({fact.r for fact in facts}), found.kb)
    table = FactTable.of(
        (element(f.e1), relation_element(f.r, words.get(f.r, ()), lexicon=c.lexicon), element(f.e2))
        for f in facts
    )
    with TextIndex(found.index_path) as index:
        hits = index.hits(
            table,
            **c.pmi.counting,
            context=needs_context(c.annotator),
            engine="direct",  # the score stage takes the other
        )
    similarity = [k.match.similarity for k in asked]
    return hits, Found.of(
        hits,
        documents=found.index_manifest.documents,
        defined=table.defined[:, 1],
        similarity=[nan if score is None else score for score in similarity],
        known=[sum(bool(found.kb.query_names(e)) for e in (f.e1, f.e2)) for f in facts],
        relation=[fact.r for fact in facts],
        closest=[min(k.stating.values(), default=(-1,) * len(FIELDS)) for k in asked],
        stated={
            "sentences": [len(k.stating) for k in asked],
            "stating_documents": [len({document for document, _ in k.stating}) for k in asked],
            "stated_by": ["\t".join(sorted(k.systems)) for k in asked],
        },
    )


def _verdict(fact: Fact, score: float | None, annotator: Annotator) -> Verdict:
    if fact.negated:
        return "negated"
    if not fact.r:
        return "no relation word"
    if score is None:
        return "no answer" if annotator.NAME == "external" else "no pair"
    return "accepted" if score >= annotator.threshold else "rejected"


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
