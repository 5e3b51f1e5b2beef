"""What a run knows of who states a fact, and how, is what training takes of the fact, too."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaluator.annotators.evidence import COUNTS, STATED
from evaluator.annotators.sentence_evidence import FIELDS, encoded
from evaluator.errors import DistvalError
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.index import TextIndex
from jobs.config import Configuration
from jobs.evidence.labelled_evidence import gather
from jobs.evidence.stated import stated_in_run
from jobs.run.stages.tally import JUDGED, evidence, items
from jobs.rundir import RunDirectory

NOTHING: Mapping[str, Any] = dict.fromkeys(JUDGED.names)
CLOSE, FAR = np.full((1, len(FIELDS)), 3), np.full((1, len(FIELDS)), 9)


def a_run(folder: Path, *rows: Mapping[str, Any]) -> Path:
    """A finished run with these judged facts."""

    def build(out: Path) -> None:
        (out / "judged").mkdir()
        table = pa.Table.from_pylist([{**NOTHING, **row} for row in rows], schema=JUDGED)
        pq.write_table(table, out / "judged" / "part-0.parquet")

    RunDirectory(folder).stage("estimate", depends_on={}, build=build)
    return folder


def row(e1: str, r: str, e2: str, told: tuple[int, int, int], how: Any = None, **of: Any) -> Any:
    sentences, documents, systems = told
    return {
        "e1": e1, "r": r, "e2": e2, "negated": False, "sentences": sentences,
        "stating_documents": documents, "systems": [f"s{k}" for k in range(systems)],
        "closest": None if how is None else encoded(how)[0], **of,
    }  # fmt: skip


def test_a_fact_is_found_by_id_or_by_its_words(tmp_path: Path) -> None:
    run = a_run(
        tmp_path,
        row("Q42", "bear", "Q84", (3, 2, 1), CLOSE),
        row("green house", "stand", "main street", (1, 1, 2), FAR),
        row("Q42", "die", "Q84", (7, 7, 1), CLOSE, negated=True),
        row("Q42", "found", "Q5", (1, 1, 1), FAR),
        row("Q42", "find", "Q6", (2, 1, 1), FAR),
        row("Q42", "", "Q7", (1, 1, 1), FAR),
    )
    asked = [
        ("Q42", "bear", "Q84"),
        ("Green  House", "is standing in", "Main Street"),
        ("Q42", "die", "Q84"),  # the run has its negation only
        ("Q1", "bear", "Q84"),
        ("Q42", "not die", "Q84"),
        ("Q42", "found", "Q5"),  # the normal form of "founded"
        ("Q42", "found", "Q6"),
        ("Q42", "is of", "Q7"),  # no content word
        ("Q42", "", "Q7"),
    ]
    found = stated_in_run(run, asked, kb=None, key="head")
    assert found is not None
    assert found.items == [
        asked[0],
        ("green house", "stand", "main street"),
        None,
        None,
        None,
        asked[5],
        ("Q42", "find", "Q6"),
        ("Q42", "", "Q7"),
        ("Q42", "", "Q7"),
    ]
    assert found.closest[:, 0].tolist() == [3, 9, -1, -1, -1, 9, 9, 9, 9]
    assert {name: of.tolist() for name, of in found.columns.items()} == {
        "sentences": [3, 1, 0, 0, 0, 1, 2, 1, 1],
        "stating_documents": [2, 1, 0, 0, 0, 1, 1, 1, 1],
        "stated_by": ["s0", "s0\ts1", "", "", "", "s0", "s0", "s0", "s0"],
    }


def test_where_no_run_is_finished_nothing_is_known(tmp_path: Path) -> None:
    assert stated_in_run(tmp_path / "run", [("Q42", "bear", "Q84")], kb=None, key="head") is None


def test_a_table_of_an_older_version_is_refused_with_what_to_do(tmp_path: Path) -> None:
    def build(out: Path) -> None:
        (out / "judged").mkdir()
        pq.write_table(pa.table({"e1": ["Q42"]}), out / "judged" / "part-0.parquet")

    RunDirectory(tmp_path).stage("estimate", depends_on={}, build=build)
    with pytest.raises(DistvalError, match="run distval run again"):
        stated_in_run(tmp_path, [("Q42", "bear", "Q84")], kb=None, key="head")


def test_training_sees_of_a_fact_what_the_run_saw(finished: Configuration) -> None:
    """Facts as a label folder has them: by the run's own ids."""
    kb = KnowledgeBase.open(finished.kb.path)
    judged = pq.read_table(finished.run / "estimate" / "judged").filter(
        pa.compute.field("classic").is_valid() & ~pa.compute.field("negated")
    )
    [batch] = judged.sort_by([(of, "ascending") for of in ("e1", "r", "e2")]).to_batches()
    with TextIndex.open(finished.index.path) as index:
        asked = {"kb": kb, "index": index, "match": finished.match, "pmi": finished.pmi,
                 "relation": finished.relation}  # fmt: skip
        found = gather(items(batch), **asked, run=finished.run)
        without = gather(items(batch), **asked, run=finished.run / "not there")
        documents = index.manifest.documents
    expected = evidence(batch, documents)
    assert found.facts == items(batch)
    assert found.of_run == len(batch) > 50
    assert (expected.sentences > 0).any()
    for name in ("closest", "known", "relation", *STATED, *COUNTS):
        assert np.array_equal(getattr(found.evidence, name), getattr(expected, name)), name
    assert without.of_run is None
    assert not without.evidence.sentences.any()


def test_what_the_run_has_not_linked_is_unknown_in_training_too(
    finished: Configuration, tmp_path: Path
) -> None:
    kb = KnowledgeBase.open(finished.kb.path)
    assert kb.entity("bill gates") is not None
    run = a_run(tmp_path, row("bill gates", "start", "/m/s_microsoft", (1, 1, 1), CLOSE))
    facts = [("Bill Gates", "started", "/m/s_microsoft"), ("Bill Gates", "led", "/m/s_microsoft")]
    with TextIndex.open(finished.index.path) as index:
        found = gather(
            facts,
            kb=kb,
            index=index,
            match=finished.match,
            pmi=finished.pmi,
            relation=finished.relation,
            run=run,
        )
    known = dict(zip(found.facts, found.evidence.known.tolist(), strict=True))
    # The second is not in the run, and is looked up like any fact in words.
    assert known == {
        ("bill gates", "start", "/m/s_microsoft"): 1,
        ("/m/s_bill_gates", "lead", "/m/s_microsoft"): 2,
    }
