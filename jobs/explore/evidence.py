"""What the knowledge base and the text say of a fact or a sentence, while somebody looks."""

from collections.abc import Mapping
from functools import cached_property
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np

from evaluator.annotators import ANNOTATORS
from evaluator.annotators.evidence import joined, stated_columns
from evaluator.annotators.sentence_evidence import decoded
from evaluator.annotators.verdicts import verdicts
from evaluator.counting.elements import relation_element
from evaluator.errors import ConfigurationError, DistvalError
from evaluator.facts.superset import candidate_superset
from evaluator.model import Fact, Sentence
from evaluator.relations.matching import INVERSE, best_relation, is_match
from evaluator.results.result import Result
from evaluator.text import normalise
from indexes.kb.annotation import annotate_sentence
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.index import TextIndex
from jobs.config import Configuration
from jobs.evidence.annotator import (
    fact_scores,
    knows_matched,
    needs_context,
    score_name,
    settled_annotator,
)
from jobs.evidence.entity_names import EntityNames
from jobs.evidence.explanation import explain
from jobs.evidence.fact_evidence import CountedFacts
from jobs.evidence.judge_panel import panel_of, with_judges
from jobs.evidence.sources import check_unchanged
from jobs.evidence.stated import StatedFacts, stated_here
from jobs.evidence.widening import run_words

_MOST_WORDS = 200
_MOST_CANDIDATES = 1_000
_SNIPPETS = 5


class JudgedCandidate(NamedTuple):
    """A candidate fact of a typed sentence, judged.

    Attributes
    ----------
    name1, r, name2
        The fact as people read it.
    fact
        The fact.
    verdict, score
        As a run has them.
    relation, similarity
        The most similar relation of the knowledge base; None where there is none.
    """

    name1: str
    r: str
    name2: str
    fact: Fact
    verdict: str | None
    score: float | None
    relation: str | None
    similarity: float | None


class LiveEvidence:
    """The evidence of a run, opened when it is first asked for.

    Attributes
    ----------
    configuration
        The settings of the run.
    """

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration

    def of_fact(self, row: Mapping[str, Any], closest: bytes | None) -> dict[str, Any]:
        """Return what decides a fact of the run (:func:`jobs.evidence.explanation.explain`).

        Parameters
        ----------
        row
            The fact, as the table of facts has it.
        closest
            How its closest sentence states it.

        Raises
        ------
        DistvalError
            Where the evidence is not there any more.
        """
        c = self.configuration
        stated = StatedFacts(
            [(row["e1"], row["r"], row["e2"])],
            decoded([closest]),
            stated_columns(
                {
                    "sentences": [row["sentences"]],
                    "stating_documents": [row["stating_documents"]],
                    "stated_by": [joined(row["systems"])],
                },
                1,
            ),
        )
        return explain(
            row["e1"],
            f"not {row['r']}" if row["negated"] else row["r"],
            row["e2"],
            kb=self._kb,
            index=self._index,
            match=c.match,
            annotator=self._annotator,
            pmi=c.pmi,
            relation_settings=c.relation,
            lexicon=c.lexicon,
            stated=stated,
            panel=self._panel,
            snippets=_SNIPPETS,
        )

    def annotated(self, text: str) -> Sentence:
        """Return a typed sentence with its mentions and relation words, as the run has them.

        Raises
        ------
        ConfigurationError
            Where it is longer than a sentence.
        """
        if len(text.split()) > _MOST_WORDS:
            raise ConfigurationError(f"more than {_MOST_WORDS} words: type one sentence")
        link = self.configuration.link
        return annotate_sentence(
            Sentence("", 0, normalise(text)),
            self._kb.dictionary,
            proper_only=link.proper_only,
            context=link.context,
            scope=link.scope,
            lexicon=self.configuration.lexicon,
        )

    def name(self, entity: str) -> str:
        """Return what people call an entity."""
        return self._kb.label(entity)

    def candidates(self, sentence: Sentence) -> list[JudgedCandidate]:
        """Return the candidate superset of an annotated sentence, judged; the likeliest first.

        Raises
        ------
        ConfigurationError
            Where it has too many candidates to judge while somebody waits.
        DistvalError
            Where the evidence is not there any more.
        """
        c, kb = self.configuration, self._kb
        facts = list(candidate_superset(sentence, **c.superset.in_sentence, lexicon=c.lexicon))
        if len(facts) > _MOST_CANDIDATES:
            raise ConfigurationError(
                f"{len(facts):,} candidate facts, and {_MOST_CANDIDATES:,} can be judged here: "
                "type a shorter sentence"
            )
        if not facts:
            return []
        best = [self._best(fact) for fact in facts]
        similarity = [nan if found is None else found[1] for found in best]
        matched = np.array([is_match(one, c.match.threshold) for one in similarity], bool)
        words = run_words(c, lambda: {fact.r for fact in facts}, kb)
        names = EntityNames(kb, {}, c.pmi.names)
        counted = CountedFacts.of(
            [
                (
                    names.element(fact.e1),
                    relation_element(fact.r, words.get(fact.r, ()), lexicon=c.lexicon),
                    names.element(fact.e2),
                )
                for fact in facts
            ],
            index=self._index,
            pmi=c.pmi,
            context=needs_context(c.annotator),
            similarity=similarity,
            known=[sum(bool(kb.query_names(e)) for e in (fact.e1, fact.e2)) for fact in facts],
            relation=[fact.r for fact in facts],
        )
        items = [fact[:3] for fact in facts]
        evidence = stated_here(sentence, facts).beside(counted.evidence)
        annotator = self._annotator
        scores = fact_scores(with_judges(evidence, self._panel, items), annotator, items)
        told = verdicts(
            scores,
            threshold=annotator.threshold,
            matched=matched,
            judged=np.ones(len(facts), bool),
            negated=np.zeros(len(facts), bool),
            relation=[fact.r for fact in facts],
            silence=ANNOTATORS[annotator.NAME].silence,
        )
        judged = [
            JudgedCandidate(
                kb.label(fact.e1),
                fact.r,
                kb.label(fact.e2),
                fact,
                verdict,
                None
                if isnan(score) or (verdict == "matched" and not knows_matched(annotator))
                else score,
                *(found or (None, None)),
            )
            for fact, verdict, score, found in zip(facts, told, scores.tolist(), best, strict=True)
        ]
        return sorted(
            judged,
            key=lambda of: (of.verdict != "matched", -(-1e9 if of.score is None else of.score)),
        )

    @property
    def score(self) -> str:
        """What the annotator's score is called."""
        return score_name(self._annotator)

    def _best(self, fact: Fact) -> tuple[str, float] | None:
        """Return the most similar relation between the entities of a fact."""
        kb, match = self._kb, self.configuration.match
        lexicon = self.configuration.lexicon
        between = kb.relations_between(fact.e1, fact.e2, direction=match.direction)
        if not between:
            return None
        known = [kb.relation(mark.removeprefix(INVERSE)) for mark in between]
        words = {one.id: match.words(one, lexicon) for one in known}
        best = best_relation(lexicon.compared(fact.r), between, words, match.measure(lexicon))
        if best.relation is None or best.similarity is None:
            return None
        return kb.relation(best.relation).label, best.similarity

    @cached_property
    def _kb(self) -> KnowledgeBase:
        return KnowledgeBase.open(self.configuration.kb.path, known_sound=True)

    @cached_property
    def _index(self) -> TextIndex:
        index = TextIndex.open(self.configuration.index.path)
        judged_by = Result.read(self.configuration.run / "estimate" / "result.json").parts
        try:
            check_unchanged(index.path, index.manifest.checksum, judged_by.index)
        except DistvalError:
            index.close()
            raise
        return index

    @cached_property
    def _annotator(self) -> Any:
        return settled_annotator(self.configuration)

    @cached_property
    def _panel(self) -> Any:
        c = self.configuration
        return panel_of(c.external.judges, kb=self._kb, key=c.relation.key, lexicon=c.lexicon)

    def close(self) -> None:
        """Close the text index."""
        if "_index" in vars(self):
            self._index.close()
