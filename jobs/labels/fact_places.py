"""Where facts of a run are from: their entities' names, and a sentence, with where they stand."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb

from evaluator.annotators.sentence_evidence import all_closest_spans, mentions_both
from evaluator.facts.phrases import normal_form
from evaluator.labels.questions import ElementSpan
from evaluator.model import Fact, Sentence
from jobs.config import Configuration
from jobs.evidence.entity_names import EntityNames
from jobs.run.stages.rows import sentences
from jobs.run.stating import closest_sentences, wanted, window_passages
from jobs.rundir import files_of_table


class NamedFact(NamedTuple):
    """A fact as people see it.

    Attributes
    ----------
    name1, name2
        What its entities are called; words that are linked to none, as the sentence has them.
    sentence, document
        The first sentence that a system took it from, or, for a candidate that no system states,
        the sentence that states it the closest; both sentences where only a window states it.
        Empty where facts are given without sentences.
    spans
        Where its elements stand in the sentence; empty where that does not mention both entities.
    """

    name1: str
    name2: str
    sentence: str
    document: str
    spans: tuple[ElementSpan, ...] = ()


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
    shown = {} if configuration.corpus is None else _sentences(run, facts)
    if configuration.corpus is not None and configuration.superset.window > 1:
        apart = [f for f in facts if f not in shown or not mentions_both(shown[f], f)]
        shown |= window_passages(run, apart, configuration.superset)
    entities = {entity for fact in facts for entity in (fact.e1, fact.e2)}
    name = EntityNames.of_run(run, configuration, entities).label

    known = [fact for fact, sentence in shown.items() if mentions_both(sentence, fact)]
    spans = dict(zip(known, all_closest_spans((shown[f], [f]) for f in known), strict=True))

    def named(fact: Fact) -> NamedFact:
        if (sentence := shown.get(fact)) is None:
            return NamedFact(name(fact.e1), name(fact.e2), "", "")
        places = tuple(spans.get(fact, ()))
        words = {element: sentence.text[start:end] for start, end, element in places}
        names = (
            _as_written(fact.e1, words.get("e1"), name),
            _as_written(fact.e2, words.get("e2"), name),
        )
        return NamedFact(*names, sentence.text, sentence.document, places)

    return {fact: named(fact) for fact in facts}


def _as_written(entity: str, words: str | None, name: Callable[[str], str]) -> str:
    """Return the words of a sentence that are an element by themselves, or what it is called."""
    return words if words and normal_form(words) == entity else name(entity)


def _sentences(run: Path, facts: Sequence[Fact]) -> dict[Fact, Sentence]:
    """Return a sentence for each fact that has one, annotated."""
    with (
        duckdb.connect() as connection,
        files_of_table(run / "superset" / "linked") as linked,
        files_of_table(run / "annotate" / "sentences") as annotated,
    ):
        connection.register("wanted", wanted(facts))
        files = {"linked": linked, "sentences": annotated}
        table = connection.sql(_STATED, params=files).to_arrow_table()
    stated = {
        facts[place]: sentence
        for batch in table.to_batches()
        for place, sentence in zip(batch["place"].to_pylist(), sentences(batch), strict=True)
        if sentence is not None
    }
    return stated | closest_sentences(run, [fact for fact in facts if fact not in stated])


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
select f.place, s.*
from first f join read_parquet($sentences) s
on s.number = f.best[2] and s.document = f.best[3]
"""
