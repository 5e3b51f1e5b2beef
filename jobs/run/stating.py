"""Which sentence of a run's corpus states a fact the closest."""

from collections.abc import Collection
from pathlib import Path

import duckdb
import pyarrow as pa

from evaluator.annotators.sentence_evidence import encoded, sentence_evidence
from evaluator.model import Fact, Sentence
from jobs.run.judged_table import FACTS
from jobs.run.stages.rows import sentences
from jobs.rundir import files_of_table

WANTED = FACTS.insert(0, pa.field("place", pa.int64()))


def closest_sentences(run: Path, facts: Collection[Fact]) -> dict[Fact, Sentence]:
    """Return of each fact the sentence that states it the closest, annotated.

    Of several that state it alike it is the first by document and number, so that it is always the
    same; sentences that are documents of their own ("news:17" is number 16) are in the order of
    their file.

    Parameters
    ----------
    run
        Directory of a run with a corpus, whose superset is made.
    facts
        Any facts. Those that the run does not have, and those that no sentence states, are not in
        what is returned.

    Raises
    ------
    InputError
        Where a table of the run is missing or damaged.
    """
    places = list(dict.fromkeys(facts))
    with (
        duckdb.connect() as connection,
        files_of_table(run / "superset" / "facts") as superset,
        files_of_table(run / "superset" / "linked") as linked,
        files_of_table(run / "annotate" / "sentences") as annotated,
    ):
        connection.register("wanted", wanted(places))
        files = {"facts": superset, "linked": linked, "sentences": annotated}
        table = connection.sql(_SENTENCES, params=files).to_arrow_table()
    asked = [
        (sentence, of)
        for batch in table.to_batches()
        for sentence, of in zip(sentences(batch), batch["facts"].to_pylist(), strict=True)
        if sentence is not None
    ]
    told = iter(
        encoded(
            sentence_evidence(
                (sentence, [places[fact["place"]] for fact in of]) for sentence, of in asked
            )
        )
    )
    found: dict[Fact, Sentence] = {}
    for sentence, of in asked:
        for fact in of:
            if next(told) == fact["closest"]:
                found.setdefault(places[fact["place"]], sentence)
    return found


def wanted(facts: Collection[Fact]) -> pa.Table:
    """Return facts as a table (:data:`WANTED`), each with its place among them."""
    rows = [{"place": place, **fact._asdict()} for place, fact in enumerate(facts)]
    return pa.Table.from_pylist(rows, schema=WANTED)


# A sentence states a fact where an extraction was linked to it there, or as a candidate: it then
# mentions both entities and has the word.
_SENTENCES = """
with told as (
    select w.*, f.closest from read_parquet($facts) f join wanted w using (e1, r, e2, negated)
    where f.closest is not null
), mentioned as (
    select document, number, unnest(mentions).entity as entity, relation_words
    from read_parquet($sentences)
), stating as (
    select w.place, w.closest, l.document, l.number
    from read_parquet($linked) l join told w using (e1, r, e2, negated, closest)
    union
    select w.place, w.closest, m1.document, m1.number
    from mentioned m1 join told w on m1.entity = w.e1
    join mentioned m2 on m2.document = m1.document and m2.number = m1.number and m2.entity = w.e2
    where list_contains(m1.relation_words, w.r)
)
select document, number, any_value(s.text) as text, any_value(s.mentions) as mentions,
    any_value(s.relation_words) as relation_words,
    list({place: f.place, closest: f.closest} order by f.place) as facts
from stating f join read_parquet($sentences) s using (document, number)
group by document, number
order by regexp_replace(document, concat(':', number + 1, '$'), ''), number, document
"""
