"""What the annotators know of facts that people have labelled."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

import numpy as np

from evaluator.annotators import Population
from evaluator.annotators.evidence import Evidence
from evaluator.counting.elements import relation_element
from evaluator.counting.occurrences import Booleans, Integers
from evaluator.errors import ConfigurationError
from evaluator.judges.source import JudgeSource
from evaluator.model import Item
from evaluator.relations.matching import INVERSE, best_relation, is_match
from evaluator.relations.normal_form import relation_form, relation_key
from evaluator.wordnet.chosen import ENGLISH, Lexicon
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.index import TextIndex
from jobs.config import MatchSettings, PmiSettings, RelationSettings
from jobs.evidence.fact_evidence import CountedFacts
from jobs.evidence.given_facts import Elements
from jobs.evidence.judge_panel import panel_of, with_judges
from jobs.evidence.stated import stated_in_run
from jobs.evidence.widening import further_words


@dataclass(frozen=True)
class LabelledEvidence:
    """The evidence for labelled facts, one row each.

    Attributes
    ----------
    items
        The facts, in words or by entity id.
    facts
        The facts as a run has them: entities by id where D knows them, relations in normal form.
    of_run
        How many of them the finished run has, whose sentences and systems are in the evidence;
        None where no run is named, or none is finished.
    evidence
        Counts, with their context, and similarities.
    relation
        Relation normal form of each fact.
    matched
        Whether the database holds the fact, which decides.
    degree
        Triples of the entity that has fewer of them in the database; -1 where one is not there.
    """

    items: Sequence[Item]
    facts: Sequence[Item]
    evidence: Evidence
    relation: Sequence[str]
    matched: Booleans
    degree: Integers
    of_run: int | None = None

    def take(self, facts: Booleans) -> "LabelledEvidence":
        """Return the evidence for some of the facts."""
        places = np.flatnonzero(facts).tolist()
        return LabelledEvidence(
            [self.items[i] for i in places],
            [self.facts[i] for i in places],
            self.evidence.take(facts),
            [self.relation[i] for i in places],
            self.matched[facts],
            self.degree[facts],
        )

    def population(self) -> Population:
        """Return these facts, without their labels, as what an annotator is fitted to.

        Raises
        ------
        ConfigurationError
            Where it asks for examples: a database decides of few of the facts that people label.
        """
        of_text = self.evidence.take(self.evidence.defined & ~self.matched)

        def examples() -> NoReturn:
            raise ConfigurationError(
                "the annotator learns from the facts of a run: run it first (distval run CONF)"
            )

        return Population(lambda: (of_text, np.ones(len(of_text), np.int64)), examples)


def gather(
    items: Iterable[Item],
    *,
    kb: KnowledgeBase | None,
    index: TextIndex,
    match: MatchSettings,
    pmi: PmiSettings,
    relation: RelationSettings,
    lexicon: Lexicon = ENGLISH,
    run: Path | None = None,
    judges: Iterable[JudgeSource] = (),
) -> LabelledEvidence:
    """Return the evidence for facts given in words or by entity id.

    Parameters
    ----------
    items
        (e1, r, e2): entities by id or name, the relation as a phrase. What the knowledge base does
        not know is looked for in the text by its own words.
    kb, match
        The database and what counts as a match; without `kb` nothing matches.
    index, pmi
        The text, and the distances and variants of the counts.
    relation
        Relation normal form, and further words of relations.
    lexicon
        What is known of the words of relations.
    run
        The directory of a run. Where it is finished, it tells which sentences and systems state the
        facts, and how.
    judges
        Judges from outside.
    """
    items = sorted(items)
    stated = (
        None if run is None else stated_in_run(run, items, kb=kb, key=relation.key, lexicon=lexicon)
    )
    of_run: Sequence[Item | None] = [None] * len(items) if stated is None else stated.items
    keys = {r: _key(r, relation.key, lexicon) for _, r, _ in items}
    relations = [of[1] if of else keys[r] for of, (_, r, _) in zip(of_run, items, strict=True)]
    words = further_words(
        {key for key in relations if key},
        widening=relation.widening,
        match=match,
        kb=kb,
        index=index.path,
    )
    linked, unlinked = (cache(Elements(of, pmi.names).entity) for of in (kb, None))
    relation_of = {
        key: relation_element(key, [word.word for word in words.get(key, ())], lexicon=lexicon)
        for key in set(relations)
    }
    entities = [
        tuple(_known(kb, (told or item)[place], in_run=told is not None) for place in (0, 2))
        for item, told in zip(items, of_run, strict=True)
    ]
    joinable = np.array([None not in pair for pair in entities], bool)
    known = [sum(bool(kb and e and kb.query_names(e)) for e in pair) for pair in entities]
    similarity = np.full(len(items), np.nan)
    degree = np.full(len(items), -1)
    if kb is not None:
        for place in np.flatnonzero(joinable):
            e1, e2 = (entity for entity in entities[place] if entity is not None)
            similarity[place] = _similarity(e1, relations[place], e2, kb, match, lexicon)
            degree[place] = min(kb.popularity(entity)[1] for entity in (e1, e2))
    elements = [
        (
            linked(e1) if e1 else unlinked(given1),
            relation_of[of],
            linked(e2) if e2 else unlinked(given2),
        )
        for (given1, _, given2), (e1, e2), of in zip(items, entities, relations, strict=True)
    ]
    facts = [
        told or (e1 or given1, of, e2 or given2)
        for told, (given1, _, given2), (e1, e2), of in zip(
            of_run, items, entities, relations, strict=True
        )
    ]
    counted = CountedFacts.of(
        elements,
        index=index,
        pmi=pmi,
        context=True,
        similarity=similarity,
        known=known,
        relation=relations,
    )
    evidence = counted.evidence
    if stated is not None:
        evidence = stated.beside(evidence)
    evidence = with_judges(
        evidence, panel_of(judges, kb=kb, key=relation.key, lexicon=lexicon), facts
    )
    matched = np.array([is_match(one, match.threshold) for one in similarity.tolist()], bool)
    return LabelledEvidence(
        items,
        facts,
        evidence,
        relations,
        matched,
        degree,
        None if stated is None else sum(one is not None for one in of_run),
    )


def _known(kb: KnowledgeBase | None, entity: str, *, in_run: bool) -> str | None:
    """Return the id of an entity in the database; None where it does not know it.

    What a run has not linked is unknown to it, though the database may have something so called.
    """
    if kb is None:
        return None
    return kb.by_id(entity) if in_run else kb.entity(entity)


def _key(r: str, key: str, lexicon: Lexicon) -> str:
    """Return the normal form of a relation.

    Neither source says anything for a negation: an element without words is not defined.
    """
    form = relation_form(r, lexicon)
    return "" if form.negated else relation_key(form, key=key)


def _similarity(
    e1: str, relation: str, e2: str, kb: KnowledgeBase, match: MatchSettings, lexicon: Lexicon
) -> float:
    """Return the similarity of the best relation of the database between the two.

    NaN where it has none whose words can be compared.
    """
    between = kb.relations_between(e1, e2, direction=match.direction)
    if not relation or not between:
        return np.nan
    known = [kb.relation(mark.removeprefix(INVERSE)) for mark in between]
    words = {one.id: match.words(one, lexicon) for one in known}
    best = best_relation(
        lexicon.compared(relation), between, words, match.measure(lexicon)
    ).similarity
    return np.nan if best is None else best
