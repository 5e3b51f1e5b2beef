"""Where facts of a run are from: what their entities are called, and a sentence that holds them."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb

from evaluator.model import Fact
from jobs.config import Configuration
from jobs.evidence.entity_names import EntityNames
from jobs.run.stating import closest_sentences, wanted
from jobs.rundir import files_of_table


class NamedFact(NamedTuple):
    """A fact as people see it.

    Attributes
    ----------
    name1, name2
        What its entities are called.
    sentence, document
        The first sentence that a system took it from, or, for a candidate that no system states,
        the sentence that states it the closest. Empty where facts are given without sentences.
    """

    name1: str
    name2: str
    sentence: str
    document: str


def places_of(
    run: Path, configuration: Configuration, facts: Sequence[Fact]
) -> dict[Fact, NamedFact]:
    """Return what to show of `facts`.

    Parameters
    ----------
    run
        Directory of the finished run.
    configuration
        Its settings.
    facts
        Any facts of S ∪ G′.
    """
    sentences = {} if configuration.corpus is None else _sentences(run, facts)
    entities = {entity for fact in facts for entity in (fact.e1, fact.e2)}
    name = EntityNames.of_run(run, configuration, entities).label
    return {
        fact: NamedFact(name(fact.e1), name(fact.e2), *sentences.get(fact, ("", "")))
        for fact in facts
    }


def _sentences(run: Path, facts: Sequence[Fact]) -> dict[Fact, tuple[str, str]]:
    """Return a sentence and its document for each fact that has one."""
    with (
        duckdb.connect() as connection,
        files_of_table(run / "superset" / "linked") as linked,
        files_of_table(run / "annotate" / "sentences") as annotated,
    ):
        connection.register("wanted", wanted(facts))
        rows = connection.execute(_STATED, {"linked": linked, "sentences": annotated}).fetchall()
    stated = {facts[place]: (text, document) for place, document, text in rows}
    others = [fact for fact in facts if fact not in stated]
    held = closest_sentences(run, others)
    return stated | {fact: (of.text, of.document) for fact, of in held.items()}


# Of all sentences of a fact the first by document and number, so that it is always the same.
# Sentences that are documents of their own ("news:17" is number 16) are in the order of their file.
_STATED = """
with first as (
    select w.place, min((
        regexp_replace(l.document, concat(':', l.number + 1, '$'), ''), l.number, l.document
    )) as best
    from read_parquet($linked) l join wanted w using (e1, r, e2, negated)
    where l.document is not null group by w.place
)
select f.place, s.document, s.text
from first f join read_parquet($sentences) s
on s.number = f.best[2] and s.document = f.best[3]
"""
