"""Where facts of a run are from: what their entities are called, and a sentence that holds them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow as pa

from evaluator.model import Fact
from indexes.kb.knowledge_base import KnowledgeBase
from jobs.config import Configuration
from jobs.run.judged_table import FACTS
from jobs.rundir import files_of_table


class NamedFact(NamedTuple):
    """A fact as people see it.

    Attributes
    ----------
    name1, name2
        What its entities are called.
    sentence, document
        The first sentence that a system took it from, or, for a candidate that no system states,
        the first that holds both entities and the relation word. Empty where facts are given
        without sentences.
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
    kb = KnowledgeBase.open(configuration.kb.path)
    given = _given_names(run, facts) if configuration.gives_facts else {}

    def name(entity: str) -> str:
        label = kb.label(entity)
        return given.get(entity, label) if label == entity else label

    return {
        fact: NamedFact(name(fact.e1), name(fact.e2), *sentences.get(fact, ("", "")))
        for fact in facts
    }


def _sentences(run: Path, facts: Sequence[Fact]) -> dict[Fact, tuple[str, str]]:
    """Return a sentence and its document for each fact that has one."""
    wanted = pa.Table.from_pylist(
        [{"place": place, **fact._asdict()} for place, fact in enumerate(facts)],
        schema=FACTS.insert(0, pa.field("place", pa.int64())),
    )
    with (
        duckdb.connect() as connection,
        files_of_table(run / "superset" / "linked") as linked,
        files_of_table(run / "annotate" / "sentences") as annotated,
    ):
        connection.register("wanted", wanted)
        rows = connection.execute(_QUERY, {"linked": linked, "sentences": annotated}).fetchall()
    return {facts[place]: (text, document) for place, document, text in rows}


# Stated facts are found by the extractions that they were made from, the others by the mentions of
# both entities; of all sentences the first by document and number, so that it is always the same.
# Sentences that are documents of their own ("news:17" is number 16) are in the order of their file.
_QUERY = """
with stated as (
    select w.place, l.document, l.number, 0 as rank
    from read_parquet($linked) l join wanted w using (e1, r, e2, negated)
    where l.document is not null
), mentioned as (
    select s.document, s.number, unnest(s.mentions).entity as entity, s.relation_words
    from read_parquet($sentences) s
), held as (
    select w.place, m1.document, m1.number, 1 as rank
    from mentioned m1 join wanted w on m1.entity = w.e1
    join mentioned m2 on m2.document = m1.document and m2.number = m1.number and m2.entity = w.e2
    where list_contains(m1.relation_words, w.r)
), first as (
    select place, min((rank, file, number, document)) as best
    from (
        select *, regexp_replace(document, concat(':', number + 1, '$'), '') as file
        from (from stated union all from held)
    ) group by place
)
select f.place, s.document, s.text
from first f join read_parquet($sentences) s
on s.number = f.best[3] and s.document = f.best[4]
"""


def _given_names(run: Path, facts: Iterable[Fact]) -> dict[str, str]:
    entities = sorted({entity for fact in facts for entity in (fact.e1, fact.e2)})
    query = "select entity, label from read_parquet($1) where list_contains($2, entity)"
    with duckdb.connect() as connection, files_of_table(run / "superset" / "names") as names:
        return dict(connection.execute(query, [names, entities]).fetchall())
