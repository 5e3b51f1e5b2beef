"""What a report counts from a run's tables, against a count by hand."""

import json
from types import SimpleNamespace

import pyarrow as pa
import pytest

from evaluator.intervals import Estimate
from evaluator.results.result import Result
from indexes.engine import DuckEngine
from jobs.run.pipeline import keep_previous, standing_result
from jobs.run.report_data import (
    SENSITIVITY,
    change,
    previous_figures,
    read_sensitivity,
    report_data,
)
from jobs.run.stages.rows import FACT_FIELDS, MENTIONS, WORDS
from tests.evaluator.report.test_breakdowns import curve
from tests.evaluator.report.test_page import SIGNATURE, result

JUDGED = pa.schema(
    [
        *FACT_FIELDS, ("systems", WORDS), ("matched", pa.bool_()), ("samples", WORDS),
        ("verdict", pa.string()), ("score", pa.float64()), ("sample_key", pa.int64()),
        *((name, pa.int64()) for name in ("pair", "classic", "proximity", "topic", "anchored")),
    ]
)  # fmt: skip
LINKED = pa.schema(
    [
        ("system", pa.string()), ("line", pa.int64()), ("document", pa.string()),
        ("number", pa.int64()), *FACT_FIELDS, ("reason", pa.string()),
    ]
)  # fmt: skip
ANNOTATED = pa.schema(
    [
        ("document", pa.string()),
        ("number", pa.int64()),
        ("text", pa.string()),
        ("mentions", MENTIONS),
    ]
)
EXTRACTIONS = pa.schema(
    [("system", pa.string()), ("line", pa.int64()), ("confidence", pa.float64())]
)
WORDS_OF = {"news": 12, "wiki": 5}


def fact(number, relation="visit"):
    return (f"e{number}", relation, f"f{number}", False)


UNDEFINED = "no pair", "no relation word"  # of even numbers, and of odd ones


def judged(number, *, verdict, matched=False, system="one", sampled=True, pair=0, proximity=0):
    samples = [rf"S\D:{system}"] if sampled and not matched else []
    score = {"accepted": 0.9, "rejected": 0.1}.get(verdict)
    hits = (pair, 0, proximity, 0, 0)
    return (*fact(number), [system], matched, samples, verdict, score, number, *hits)


@pytest.fixture
def engine(tmp_path):
    """100 facts in documents "news" (number < 60) and "wiki"; confidences 0.8 and 0.4.

    By number: 0-9 match, 10-39 are accepted, 40-79 rejected, 80-89 undefined, the others outside
    the sample.
    """
    rows, links, confidences = [], [], []
    for number in range(100):
        verdict = (
            "matched" if number < 10 else "accepted" if number < 40
            else "rejected" if number < 80 else UNDEFINED[number % 2] if number < 90 else None
        )  # fmt: skip
        rows.append(
            judged(
                number, verdict=verdict, matched=number < 10, sampled=number < 90,
                pair=number % 2, proximity=1 if 10 <= number < 40 else 0,
            )
        )  # fmt: skip
        document = "news" if number < 60 else "wiki"
        links.append(("one", number, document, 0, *fact(number), None))
        confidences.append(("one", number, 0.8 if number < 40 else 0.4))
    # The same fact once more, less sure; and a record that is no fact.
    links += [("one", 100, "news", 0, *fact(0), None), ("one", 101, "news", 0, *[None] * 4, "x")]
    confidences += [("one", 100, 0.1), ("one", 101, 1.0)]
    mentions = [
        {"start": 0, "end": 1, "entity": f"{kind}{number}"}
        for number in range(100)
        for kind in "ef"
    ]
    sentences = [
        (document, 0, " ".join(["word"] * words), mentions) for document, words in WORDS_OF.items()
    ]
    with DuckEngine(tmp_path) as made:
        made.table("judged", rows, JUDGED)
        made.table("linked", links, LINKED)
        made.table("annotated", sentences, ANNOTATED)
        made.table("extractions", confidences, EXTRACTIONS)
        yield made


@pytest.fixture
def data(engine, tmp_path):
    sizes = {
        name: Estimate(size, None, None, "", 0.95, 0)
        for name, size in {"a": 40, "b": 10, "c": 0, "d": 50}.items()
    }
    result = SimpleNamespace(
        systems={"one": SimpleNamespace(regions=sizes)}, signature="s", parts=None
    )
    configuration = SimpleNamespace(
        run=tmp_path, corpus=object(), files=[1], gives_facts=False,
        estimate=SimpleNamespace(level=0.95),
    )  # fmt: skip
    return report_data(result, engine, configuration)


def test_facts_by_relation(data):
    [group] = data.groups["relation"]["one"].groups
    assert group.name == "visit"
    assert group.counts == (100, 10, 80, 30, 10)
    # 10 match; of the 90 others 80 were judged, 30 accepted.
    assert group.precision.value == pytest.approx((10 + 90 * 30 / 80) / 100)


def test_facts_by_document_and_length_of_the_sentence(data):
    documents = {g.name: g.counts for g in data.groups["document"]["one"].groups}
    assert documents["news"] == (60, 10, 50, 30, 0)
    # 20 verdicts: too few for a figure.
    assert "wiki" not in documents
    assert data.groups["document"]["one"].others.counts == (40, 0, 30, 0, 10)
    lengths = {g.name: g.counts for g in data.groups["length"]["one"].groups}
    assert lengths["11 to 20"] == (60, 10, 50, 30, 0)
    assert data.groups["length"]["one"].others.counts.facts == 40  # at most 10 words


def test_facts_by_how_often_their_rarer_entity_is_mentioned(data):
    [group] = data.groups["popularity"]["one"].groups
    assert (group.name, group.counts.facts) == ("2 to 3", 100)  # each in both sentences


def test_facts_by_where_the_evidence_came_from(data):
    assert data.sources["one"] == {
        "knowledge base": {"correct": 10},
        "all three near each other in a document": {"correct": 30},
        # 40-79: the odd ones have a pair. 80-89 are undefined, each for its own reason.
        "only the two entities in a document": {"not correct": 20},
        "no document with both entities": {"not correct": 20, "undefined": 5},
        "no relation word, or negated": {"undefined": 5},
        "not judged": {"not judged": 10},
    }


def test_a_curve_has_a_step_for_each_confidence_and_the_surest_extraction_counts(data):
    high, low = data.curves["one"]
    assert (high.confidence, high.facts, high.precision.value) == (0.8, 40, 1.0)
    assert high.recall == pytest.approx(40 / 100)  # of a + b + c + d = 100
    assert (low.confidence, low.facts) == (0.4, 100)
    assert low.precision.value == pytest.approx((10 + 90 * 30 / 80) / 100)


def test_scores_are_those_of_the_systems_own_sample(data):
    assert len(data.scores["one"]) == 80
    assert data.scores["one"].count(0.9) == 30
    assert data.scores["one"].count(None) == 10


# --- the run before ------------------------------------------------------------------------------


def test_the_result_before_is_kept_when_figures_or_the_signature_change(tmp_path):
    first, same = Result.of(result()), Result.of(result())
    changed = result()
    changed["systems"]["SONEX"]["precision"]["value"] = 0.5
    second = Result.of(changed)
    assert standing_result(tmp_path) is None
    first.write(tmp_path / "result.json")
    assert standing_result(tmp_path) == first
    keep_previous(tmp_path, first, same)
    assert previous_figures(tmp_path, same) is None
    keep_previous(tmp_path, first, second)
    before = previous_figures(tmp_path, second)
    assert before.differing == []
    assert before.figures["SONEX"]["precision"].value == pytest.approx(263 / 3288)
    second.write(tmp_path / "result.json")
    keep_previous(tmp_path, second, second)  # the same again: what was before is still that
    assert previous_figures(tmp_path, second) == before


def test_the_parts_of_the_signature_that_changed_are_named():
    changed = result()
    changed["parts"]["match"]["threshold"] = 0.7
    changed["signature"] = changed["signature"].replace("jcn>=0.5", "jcn>=0.7")
    found = change(Result.of(result()), Result.of(changed))
    assert found.differing == [("match", "jcn>=0.5,both", "jcn>=0.7,both")]


def test_sensitivity_of_another_result_is_not_shown(tmp_path):
    told = {"signature": SIGNATURE, "curves": {"t": curve().as_json()}}
    (tmp_path / SENSITIVITY).write_text(json.dumps(told))
    assert read_sensitivity(tmp_path, Result.of(result())) == [curve()]
    (tmp_path / SENSITIVITY).write_text(json.dumps({**told, "signature": "another"}))
    assert read_sensitivity(tmp_path, Result.of(result())) is None
    (tmp_path / SENSITIVITY).write_text("no JSON")
    assert read_sensitivity(tmp_path, Result.of(result())) is None
