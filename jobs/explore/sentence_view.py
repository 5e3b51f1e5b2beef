"""One sentence of the corpus with what each system made of it (as in WiRe57's Figure 2)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from jobs.run.facts_table import FactsTable

_MOST_CANDIDATES = 200


class SeenExtraction(NamedTuple):
    """What a system made of a sentence, and what became of it.

    Attributes
    ----------
    line, arg1, relation, arg2, confidence
        As the system wrote it; the slots are None of a baseline.
    reason
        Why it is no fact; None where it is.
    fact
        The fact, as the table of facts has it; None where it is none.
    """

    line: int | None
    arg1: str | None
    relation: str | None
    arg2: str | None
    confidence: float | None
    reason: str | None
    fact: dict[str, Any] | None


class SentenceView(NamedTuple):
    """A sentence of the corpus.

    Attributes
    ----------
    document, number, text
        The sentence.
    by_system
        What each system extracted, in the order of its file.
    missed
        Candidate facts that are correct by the run and that none of these systems states, the
        first of them.
    more
        How many more there are.
    """

    document: str
    number: int
    text: str
    by_system: dict[str, list[SeenExtraction]]
    missed: list[dict[str, Any]]
    more: int


def view_sentence(
    table: FactsTable, document: str, number: int, systems: Sequence[str]
) -> SentenceView | None:
    """Return a sentence with what `systems` made of it; None where the corpus has none such."""
    engine = table.engine
    here = f"document = {engine.text(document)} AND number = {number}"
    texts = engine.rows(f"SELECT text FROM sentences WHERE {here}")
    if not texts:
        return None
    named = ", ".join(map(engine.text, systems))
    taken = engine.rows(
        f"""SELECT x.system, x.line, x.arg1, x.relation, x.arg2, x.confidence, x.reason, f.place
        FROM (SELECT * FROM extracted WHERE {here} AND system IN ({named})) x
        LEFT JOIN facts f ON f.e1 = x.e1 AND f.r = x.r AND f.e2 = x.e2 AND f.negated = x.negated
        ORDER BY x.line, x.arg1, x.relation, x.arg2, f.place"""
    )
    facts = _by_place(table, {row[-1] for row in taken if row[-1] is not None})
    by_system: dict[str, list[SeenExtraction]] = {name: [] for name in systems}
    for system, *written, place in taken:
        by_system[system].append(SeenExtraction._make([*written, facts.get(place)]))
    stated = " OR ".join(f"list_contains(systems, {engine.text(name)})" for name in systems)
    missed = f"verdict IN ('matched', 'accepted') AND NOT ({stated}) AND {table.stated_by(here)}"
    count = table.count(missed)
    rows = table.judged_rows(missed, order="score DESC NULLS FIRST", limit=_MOST_CANDIDATES)
    return SentenceView(document, number, texts[0][0], by_system, rows, count - len(rows))


def _by_place(table: FactsTable, places: set[int]) -> dict[int, dict[str, Any]]:
    if not places:
        return {}
    listed = ", ".join(map(str, sorted(places)))
    return {row["place"]: row for row in table.judged_rows(f"place IN ({listed})")}
