"""Which sentence is shown of a fact: the one whose evidence the run has of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.annotators.sentence_evidence import encoded, mentions_both, sentence_evidence
from evaluator.model import Fact, Mention, Sentence
from evaluator.text import spans
from jobs.config import Configuration, SupersetSettings
from jobs.labels.fact_places import places_of
from jobs.run.stages.annotate import ANNOTATED
from jobs.run.stages.link import LINKED
from jobs.run.stages.rows import sentences
from jobs.run.stages.superset import FACTS
from jobs.run.stating import closest_sentences, window_passages


def said(number: int, text: str, ann: int, bob: int) -> Sentence:
    mentions = sorted([Mention(ann, ann + 1, "Ann"), Mention(bob, bob + 1, "Bob")])
    return Sentence("news", number, text, tuple(mentions), ("meet",))


FAR = said(0, "They met where Ann once saw Bob.", 3, 6)
NEAR = said(1, "Ann met Bob.", 0, 2)
AGAIN = said(2, "Ann met Bob!", 0, 2)
BETWEEN = said(3, "Ann, it seems, met Bob.", 0, 4)
ALL = (FAR, NEAR, AGAIN, BETWEEN)
MEET = Fact("Ann", "meet", "Bob")


def evidence_of(sentence: Sentence, fact: Fact = MEET) -> bytes:
    return encoded(sentence_evidence([(sentence, [fact])]))[0]


def a_run(
    folder: Path,
    closest: Sentence | None,
    taken_from: Sentence | None = None,
    corpus: Sequence[Sentence] = ALL,
) -> Path:
    """A run of four sentences that has the fact with the evidence of one of them."""
    annotated = [
        {
            "document": s.document, "number": s.number, "text": s.text, "entities": 2,
            "mentions": [mention._asdict() for mention in s.mentions or ()],
            "relation_words": s.relation_words, "crowded": False, "key": s.text,
        }
        for s in corpus
    ]  # fmt: skip
    closest_of = None if closest is None else evidence_of(closest)
    fact = MEET._asdict() | {"candidate": True, "systems": [], "closest": closest_of}
    linked = [
        MEET._asdict()
        | {"system": "s", "document": of.document, "number": of.number, "closest": evidence_of(of)}
        for of in (taken_from,)
        if of is not None
    ]
    for place, rows, schema in (
        ("annotate/sentences", annotated, ANNOTATED),
        ("superset/facts", [fact], FACTS),
        ("superset/linked", linked, LINKED),
    ):
        (folder / place).mkdir(parents=True)
        table = pa.Table.from_pylist(
            [dict.fromkeys(schema.names) | row for row in rows], schema=schema
        )
        pq.write_table(table, folder / place / "part-0.parquet")
    return folder


def test_the_sentence_of_the_evidence_is_shown_and_the_first_of_equal_ones(tmp_path: Path) -> None:
    assert closest_sentences(a_run(tmp_path / "a", NEAR), [MEET]) == {MEET: NEAR}
    # superset.words or a crowded sentence may leave out one that would be closer.
    assert closest_sentences(a_run(tmp_path / "b", BETWEEN), [MEET]) == {MEET: BETWEEN}


def test_a_fact_that_no_sentence_states_has_none(tmp_path: Path) -> None:
    run = a_run(tmp_path, None)
    assert closest_sentences(run, [MEET, Fact("Bob", "meet", "Ann")]) == {}


def test_a_sentence_that_a_system_took_it_from_counts_too(tmp_path: Path) -> None:
    assert closest_sentences(a_run(tmp_path, AGAIN, taken_from=AGAIN), [MEET]) == {MEET: NEAR}


def test_a_fact_of_two_sentences_is_shown_in_the_first_two_that_a_window_joins(
    tmp_path: Path,
) -> None:
    def alone(document: str, number: int, text: str, entity: str, *words: str) -> Sentence:
        return Sentence(document, number, text, (Mention(0, 1, entity),), words)

    corpus = [
        alone("a", 0, "Bob was there.", "Bob"),
        alone("a", 1, "Ann came to meet him.", "Ann", "meet"),
        alone("b", 3, "Ann came.", "Ann"),
        alone("b", 5, "Bob had hoped to meet her.", "Bob", "hope", "meet"),
        alone("b", 9, "Ann left.", "Ann", "leave"),
    ]
    run = a_run(tmp_path, None, corpus=corpus)
    missing = Fact("Ann", "hope", "Cy")
    asked = [MEET, Fact("Ann", "leave", "Bob"), missing]

    def shown(window: int, direction: Literal["text", "both"] = "text") -> dict[Fact, str]:
        settings = SupersetSettings(window=window, direction=direction)
        return {f: of.text for f, of in window_passages(run, asked, settings).items()}

    assert shown(2) == {}
    assert shown(2, "both") == {MEET: "Bob was there. Ann came to meet him."}
    assert shown(3) == {MEET: "Ann came. Bob had hoped to meet her."}
    assert shown(5, "both")[asked[1]] == "Bob had hoped to meet her. Ann left."
    [passage] = window_passages(run, [MEET], SupersetSettings(window=3)).values()
    assert passage.mentions == (Mention(0, 1, "Ann"), Mention(2, 3, "Bob"))


def test_each_fact_of_a_run_is_shown_in_a_sentence_with_the_runs_evidence(
    finished: Configuration,
) -> None:
    """A plain loop over all sentences finds the same ones."""
    table = pq.read_table(finished.run / "annotate" / "sentences")
    corpus = [s for batch in table.to_batches() for s in sentences(batch) if s is not None]
    rows = duckdb.sql(
        f"""select e1, r, e2, negated, closest, len(systems) from
        read_parquet('{finished.run}/superset/facts/*.parquet')
        where closest is not null order by sample_key limit 150"""
    ).fetchall()
    facts = {Fact(*row[:4]): row[4] for row in rows}
    found = closest_sentences(finished.run, facts)
    assert found.keys() == facts.keys()
    for fact, closest in facts.items():
        told = [s for s in corpus if mentions_both(s, fact) and evidence_of(s, fact) == closest]
        assert found[fact] in told
    candidates = [Fact(*row[:4]) for row in rows if row[5] == 0]
    shown = places_of(finished.run, finished, candidates)
    assert len(candidates) > 50
    assert {fact: of.sentence for fact, of in shown.items()} == {
        fact: found[fact].text for fact in candidates
    }
    for fact, of in shown.items():
        at = spans(of.sentence)
        mentions = found[fact].mentions or ()
        standing = {(at[m.start].start, at[m.end - 1].end, m.entity) for m in mentions}
        where = {element: span for *span, element in of.spans}
        assert {(*where["e1"], fact.e1), (*where["e2"], fact.e2)} <= standing
    words = [
        of.sentence[start:end] for of in shown.values() for start, end, r in of.spans if r == "r"
    ]
    assert len(words) > 50
    assert all(word.isalpha() for word in words)
