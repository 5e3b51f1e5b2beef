"""Explanation: all the evidence for one fact, from the database and from the text."""

from collections.abc import Mapping
from math import isnan, nan
from typing import Any

import numpy as np

from evaluator.annotators import ANNOTATORS, Annotator
from evaluator.annotators.evidence import separate
from evaluator.annotators.judge_panel import JudgePanel
from evaluator.annotators.sentence_evidence import closest_spans, named
from evaluator.annotators.verdicts import verdicts
from evaluator.counting.definition import Context
from evaluator.counting.definition import pmi as ratio
from evaluator.counting.elements import relation_element
from evaluator.marked_text import marked_parts
from evaluator.model import Fact, Sentence
from evaluator.relations.expansion import WeightedWord
from evaluator.relations.matching import INVERSE, is_match
from evaluator.relations.normal_form import relation_form, relation_key
from evaluator.text import search_form
from evaluator.wordnet.chosen import ENGLISH, Lexicon
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.index import TextIndex
from indexes.text.snippets import Snippet
from jobs.config import MatchSettings, PmiSettings, RelationSettings
from jobs.evidence.annotator import fact_parts, fact_scores, knows_matched, score_name
from jobs.evidence.fact_evidence import CountedFacts
from jobs.evidence.given_facts import Elements
from jobs.evidence.judge_panel import with_judges
from jobs.evidence.stated import StatedFacts
from jobs.evidence.widening import further_words


def explain(
    e1: str,
    r: str,
    e2: str,
    *,
    kb: KnowledgeBase | None,
    index: TextIndex | None,
    match: MatchSettings,
    annotator: Annotator,
    pmi: PmiSettings,
    relation_settings: RelationSettings,
    lexicon: Lexicon = ENGLISH,
    stated: StatedFacts | None = None,
    sentence: Sentence | None = None,
    panel: JudgePanel | None = None,
    snippets: int = 3,
) -> dict[str, Any]:
    """Return everything that decides the verdict on ⟨e1, r, e2⟩, JSON-like.

    Parameters
    ----------
    e1, e2
        Entities: an id or a name of the knowledge base, else a surface string.
    r
        Relation phrase.
    kb, index
        The evidence; None leaves that side out.
    match
        What counts as a database match.
    annotator
        Judges what the database leaves open.
    pmi
        How to count: the distances and their variants.
    relation_settings
        Relation normal form, and further words.
    lexicon
        What is known of the words of relations.
    stated
        How sentences and systems state the fact; None where that is not known.
    sentence
        The sentence that states it the closest, annotated.
    panel
        What judges from outside say; none by default.
    snippets
        Number of documents to show.
    """
    form = relation_form(r, lexicon)
    of_run = stated and stated.items[0]
    relation = of_run[1] if of_run else relation_key(form, key=relation_settings.key)
    first = _entity(e1, kb, of_run and of_run[0])
    second = _entity(e2, kb, of_run and of_run[2])
    told: dict[str, Any] = {
        "e1": first,
        "r": {
            "phrase": r,
            "lemmas": list(form.lemmas),
            "key": relation,
            "negated": form.negated,
            "words": [],
        },
        "e2": second,
        "database": [],
        "sentence": None,
        "text": None,
        "annotator": None,
    }
    item = of_run or (first["id"] or e1, relation, second["id"] or e2)
    if stated is not None:
        told["sentence"] = _stated(Fact(*item), stated, sentence)
    if kb is not None and first["id"] and second["id"]:
        told["database"] = _database(first["id"], second["id"], relation, kb, match, lexicon)
    matched = not form.negated and any(row["matched"] for row in told["database"])
    score: float | None = None
    if index is not None:
        words: tuple[WeightedWord, ...] = ()
        if relation_settings.widen:
            widening = relation_settings.widening
            words = further_words(
                [relation], widening=widening, match=match, kb=kb, index=index.path
            )[relation]
            told["r"]["words"] = [word._asdict() for word in words]
        # What the run has not linked has its own words alone, whatever the base has of that name.
        of_1, of_2 = (Elements(kb if e["id"] else None, pmi.names) for e in (first, second))
        elements = (
            of_1.entity(item[0]),
            ()
            if form.negated
            else relation_element(relation, [word.word for word in words], lexicon=lexicon),
            of_2.entity(item[2]),
        )
        similar = [row["similarity_score"] for row in told["database"] if row["word1"]]
        counted = CountedFacts.of(
            [elements],
            index=index,
            pmi=pmi,
            context=True,
            similarity=[max(similar, default=nan)],
            known=[sum(bool(entity["id"] and entity["names"]) for entity in (first, second))],
            relation=[relation],
        )
        (counts,), evidence = counted.counts, counted.evidence
        if stated is not None:
            evidence = stated.beside(evidence)
        evidence = with_judges(evidence, panel or JudgePanel(), [item])
        context = Context._make(counted.hits[0, len(counts) :].tolist())
        (judged,) = fact_scores(evidence, annotator, [item]).tolist()
        kind = ANNOTATORS[annotator.NAME]
        silent = matched and not knows_matched(annotator)
        score = None if silent or isnan(judged) else judged
        told["text"] = {
            "queries": index.queries(*elements, x=pmi.x, reach=pmi.reach),
            **counts._asdict(),
            "context": context._asdict(),
            "pmi": {name: ratio(counts, name) for name in ("classic", "proximity", "anchored")},
            "snippets": [
                snippet_parts(snippet)
                for snippet in index.snippets(*elements, x=pmi.x, reach=pmi.reach, most=snippets)
            ],
        }
        parts = [] if score is None and not kind.judges else fact_parts(evidence, annotator, item)
        told["annotator"] = {
            "name": annotator.NAME,
            "signature": annotator.describe(),
            "threshold": annotator.threshold,
            "score": score,
            "parts": [part._asdict() for part in parts],
        }
    told["verdict"], told["why"] = _verdict(told, matched, score, annotator)
    return told


def _verdict(
    told: Mapping[str, Any], matched: bool, score: float | None, annotator: Annotator
) -> tuple[bool | None, str]:
    """Return whether the fact is correct, None where nothing decides, and why."""
    if told["e1"]["id"] is not None and told["e1"]["id"] == told["e2"]["id"]:
        return None, "both arguments are the same entity: no fact"
    [verdict] = verdicts(
        np.array([nan if score is None else score]),
        threshold=annotator.threshold,
        matched=np.array([matched]),
        judged=np.array([True]),
        negated=np.array([told["r"]["negated"]]),
        relation=[told["r"]["key"]],
        silence=ANNOTATORS[annotator.NAME].silence,
    )
    if verdict == "matched":
        return True, "in the knowledge base"
    if verdict == "negated":
        return None, "negated: hit counts say nothing against a fact"
    if score is None:
        why = "" if verdict == "no pair" else f": {verdict}"
        return None, f"not in the knowledge base, and {score_name(annotator)} is undefined{why}"
    accepted = verdict == "accepted"
    sign = "≥" if accepted else "<"
    why = f"{score_name(annotator)} {score:.4g} {sign} t = {annotator.threshold:g}"
    return accepted, why


def snippet_parts(snippet: Snippet) -> dict[str, Any]:
    """Return a snippet as JSON: its document, and its text cut where an element stands."""
    parts = [list(part) for part in snippet.parts()]
    return {"document": snippet.document, "title": snippet.title, "parts": parts}


def sentence_parts(sentence: Sentence, fact: Fact) -> dict[str, Any]:
    """Return a sentence that states a fact as JSON: its place, and its text cut at the elements."""
    parts = marked_parts(sentence.text, closest_spans(sentence, fact))
    return {"document": sentence.document, "number": sentence.number, "parts": parts}


def _stated(fact: Fact, stated: StatedFacts, sentence: Sentence | None) -> dict[str, Any]:
    """Return how a fact is stated, the closest sentence by its evidence and its text."""
    [closest] = stated.closest.tolist()
    return {
        "sentences": int(stated.columns["sentences"][0]),
        "stating_documents": int(stated.columns["stating_documents"][0]),
        "systems": list(separate(str(stated.columns["stated_by"][0]))),
        "closest": None if min(closest) < 0 else named(closest),
        "shown": None if sentence is None else sentence_parts(sentence, fact),
    }


def _entity(text: str, kb: KnowledgeBase | None, of_run: str | None) -> dict[str, Any]:
    """Return what an entity is; `of_run` is what the run that has the fact calls it.

    What a run has not linked is unknown to it, though the database may have something so called.
    """
    found = None
    if kb is not None:
        found = kb.entity(text) if of_run is None else kb.by_id(of_run)
    if kb is None or found is None:
        return {"given": text, "id": None, "label": None, "names": [search_form(text)]}
    names = [*map(search_form, kb.query_names(found))]
    return {"given": text, "id": found, "label": kb.label(found), "names": names}


def _database(
    e1: str, e2: str, relation: str, kb: KnowledgeBase, match: MatchSettings, lexicon: Lexicon
) -> list[dict[str, Any]]:
    """Return the relations between two entities, most similar first."""
    measure = match.measure(lexicon)
    rows = []
    for found in kb.relations_between(e1, e2, direction=match.direction):
        known = kb.relation(found.removeprefix(INVERSE))
        words = match.words(known, lexicon)
        similarity = measure.relations(lexicon.compared(relation), words)
        rows.append(
            {
                "relation": known.id,
                "inverse": found.startswith(INVERSE),
                "label": known.label,
                "words": list(words),
                **{
                    f"similarity_{k}" if k == "score" else k: v
                    for k, v in similarity._asdict().items()
                },
                "matched": is_match(similarity.score, match.threshold),
            }
        )
    return sorted(rows, key=lambda row: (-row["similarity_score"], row["inverse"], row["relation"]))
