"""Explanation: all the evidence for one fact, from the database and from the text."""

from typing import Any

from evaluator.counting import pmi
from evaluator.elements import entity_element, relation_element
from evaluator.matching import INVERSE
from evaluator.relation import relation_form, relation_key
from evaluator.text import tokens
from indexes.knowledge_base import KnowledgeBase
from indexes.snippets import Snippet
from indexes.text_index import TextIndex
from jobs.config import Match


def explain(
    e1: str,
    r: str,
    e2: str,
    *,
    kb: KnowledgeBase | None,
    index: TextIndex | None,
    match: Match,
    variant: str,
    x: int,
    threshold: float,
    ordered: bool = False,
    denominator: str = "and",
    key: str = "head",
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
    variant, x, threshold, ordered, denominator
        The PMI and t, as in a run.
    key
        Relation normal form, ``"head"`` or ``"all"``.
    snippets
        Number of documents to show.
    """
    form = relation_form(r)
    relation = relation_key(form, key=key)
    first, second = _entity(e1, kb), _entity(e2, kb)
    told: dict[str, Any] = {
        "e1": first,
        "r": {"phrase": r, "lemmas": list(form.lemmas), "key": relation, "negated": form.negated},
        "e2": second,
        "database": [],
        "text": None,
    }
    if kb is not None and first["id"] and second["id"]:
        told["database"] = _database(first["id"], second["id"], relation, kb, match)
    matched = not form.negated and any(row["matched"] for row in told["database"])
    score = None
    if index is not None:
        elements = (
            entity_element(e1, first["names"]),
            () if form.negated else relation_element(relation),
            entity_element(e2, second["names"]),
        )
        counts = index.count([elements], x=x, ordered=ordered, denominator=denominator)[0]
        score = pmi(counts, variant=variant)
        told["text"] = {
            "queries": index.queries(*elements, x=x),
            **counts._asdict(),
            "pmi": {name: pmi(counts, variant=name) for name in ("classic", "proximity")},
            "variant": variant,
            "threshold": threshold,
            "snippets": [
                snippet_parts(snippet) for snippet in index.snippets(*elements, x=x, most=snippets)
            ],
        }
    if first["id"] is not None and first["id"] == second["id"]:
        told["verdict"], told["why"] = None, "both arguments are the same entity: no fact"
    elif matched:
        told["verdict"], told["why"] = True, "in the database"
    elif form.negated:
        told["verdict"], told["why"] = None, "negated: hit counts say nothing against a fact"
    elif score is None:
        told["verdict"], told["why"] = None, "not in the database, PMI undefined"
    else:
        sign = "≥" if score >= threshold else "<"
        told["verdict"] = score >= threshold
        told["why"] = f"{variant.upper()} PMI {score:.4g} {sign} t = {threshold:g}"
    return told


def snippet_parts(snippet: Snippet) -> dict[str, Any]:
    """Return a snippet as JSON: its document, and its text cut where an element stands."""
    parts = [list(part) for part in snippet.parts()]
    return {"document": snippet.document, "title": snippet.title, "parts": parts}


def _entity(text: str, kb: KnowledgeBase | None) -> dict[str, Any]:
    found = kb.entity(text) if kb is not None else None
    if kb is None or found is None:
        return {"given": text, "id": None, "label": None, "names": [" ".join(tokens(text))]}
    names = [" ".join(name) for name in kb.query_names(found)]
    return {"given": text, "id": found, "label": kb.label(found), "names": names}


def _database(
    e1: str, e2: str, relation: str, kb: KnowledgeBase, match: Match
) -> list[dict[str, Any]]:
    """Return the relations between two entities, most similar first."""
    jiang_conrath = match.measure()
    rows = []
    for found in kb.relations_between(e1, e2, direction=match.direction):
        known = kb.relation(found.removeprefix(INVERSE))
        words = match.words(known)
        similarity = jiang_conrath.relations(relation.split(), words)
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
                "matched": similarity.score >= match.threshold,
            }
        )
    return sorted(rows, key=lambda row: (-row["similarity_score"], row["inverse"], row["relation"]))
