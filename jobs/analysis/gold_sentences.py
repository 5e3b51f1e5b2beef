"""What a finished run holds of some sentences: annotations, stated facts, candidates."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

from evaluator.facts.superset import candidate_superset
from evaluator.gold.against_corpus.sentence_regions import SentenceFacts
from evaluator.model import Fact, Mention, Sentence
from jobs.analysis.comparison import FinishedRun
from jobs.rundir import files_of_table, finished_stage

_SENTENCES = """
select key, document, number, text, mentions, relation_words from sentences join wanted using (key)
"""
_STATED = """
select document, number, system, line, alone, e1, r, e2, negated
from (select *, count(*) over (partition by system, line) = 1 as alone from linked)
join wanted using (document, number) where reason is null
"""


class StatedFact(NamedTuple):
    """An extraction in scope: its sentence, its system, its line in the system's file, its fact.

    Attributes
    ----------
    alone
        Whether the system's file has no other extraction on that line.
    """

    document: str
    number: int
    system: str
    line: int
    alone: bool
    fact: Fact


def corpus_sentences(run: FinishedRun, keys: Sequence[str]) -> list[Sentence | None]:
    """Return the annotated sentence of the corpus for each key; None where there is none.

    Where a key is given twice, the first has the sentence: the corpus holds it once.

    Raises
    ------
    InputError
        Where the run's tables cannot be read.
    """
    wanted = pa.table({"key": pa.array(sorted(set(keys)), pa.string())})
    rows = _query(run, "annotate", "sentences", _SENTENCES, wanted)
    found = {
        key: Sentence(document, number, text, tuple(Mention(**m) for m in mentions), tuple(words))
        for key, document, number, text, mentions, words in rows
    }
    return [found.pop(key, None) for key in keys]


def stated_facts(run: FinishedRun, sentences: Sequence[Sentence]) -> list[StatedFact]:
    """Return the extractions in scope of all systems that are about the sentences.

    Raises
    ------
    InputError
        Where the run's tables cannot be read.
    """
    wanted = pa.table(
        {
            "document": pa.array([one.document for one in sentences], pa.string()),
            "number": pa.array([one.number for one in sentences], pa.int64()),
        }
    )
    rows = _query(run, "superset", "linked", _STATED, wanted)
    return [
        StatedFact(document, number, system, line, alone, Fact(*fact))
        for document, number, system, line, alone, *fact in rows
    ]


def sentence_facts(
    sentences: Sequence[Sentence], stated: Sequence[StatedFact], *, rule: Mapping[str, Any]
) -> list[SentenceFacts]:
    """Return, for each sentence, what is stated in it and what G′ has of it.

    Parameters
    ----------
    sentences
        Annotated sentences.
    stated
        What systems state in them.
    rule
        Which facts are candidates: the settings ``superset`` of the run, and its lexicon.
    """
    by_place: dict[tuple[str, int], dict[str, set[Fact]]] = defaultdict(lambda: defaultdict(set))
    for one in stated:
        by_place[one.document, one.number][one.system].add(one.fact)
    return [
        SentenceFacts(
            {name: frozenset(of) for name, of in by_place[one.document, one.number].items()},
            frozenset(candidate_superset(one, **rule)),
        )
        for one in sentences
    ]


def _query(
    run: FinishedRun, stage: str, table: str, query: str, wanted: pa.Table
) -> list[tuple[Any, ...]]:
    """Return rows of a stage's table, which the query calls by its name, that are `wanted`."""
    folder = finished_stage(run.path / stage).path / table
    with duckdb.connect() as connection, files_of_table(folder) as files:
        connection.register("wanted", wanted)
        connection.read_parquet(files).create_view(table)
        return connection.execute(query).fetchall()
