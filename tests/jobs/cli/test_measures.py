"""P, R and F on the terminal, with labels and without."""

import pytest

from evaluator.comparison.withheld import NO_LABELS
from evaluator.results.result import Result
from jobs.cli.measures import about_labels, measures_table, not_claimed
from jobs.cli.run import show_result
from tests.evaluator.report.test_labels import answer, labelled, labels
from tests.evaluator.report.test_page import estimate, result

SETTINGS = {"estimate.level": 0.95}


def rows(told):
    """Return the rows of a table as text."""
    columns = measures_table(Result.of(told | {"settings": told["settings"] | SETTINGS})).columns
    return [[str(cell) for cell in row] for row in zip(*(c.cells for c in columns), strict=True)]


def test_without_labels_there_is_a_row_a_system_and_a_hint():
    told = result()
    assert [row[0] for row in rows(told)] == ["ReVerb", "SONEX"]
    assert rows(told)[0][1] == "3.0 [2.8, 3.2]"
    assert list(about_labels(Result.of(told))) == [
        "annotator-relative; label 300 facts with distval label draw RUN "
        "to get true precision and recall"
    ]
    told["corpus"]["candidates"] = 40
    told["systems"]["SONEX"]["outside_candidates"] = 2
    told["systems"]["ReVerb"]["outside_candidates"] = 5
    (line,) = about_labels(Result.of(told), run="runs/nyt")
    assert "label 47 facts" in line  # all there are
    told["corpus"]["candidates"] = 1_000
    (line,) = about_labels(Result.of(told), run="runs/nyt")
    assert "distval label draw runs/nyt to get" in line


def test_where_every_fact_was_judged_the_table_says_so_and_what_it_means():
    told = result()
    told["settings"] |= SETTINGS
    assert "all judged" not in str(measures_table(Result.of(told)).title)
    told["systems"]["ReVerb"]["precision"] = estimate(0.5)
    assert rows(told)[0][1:3] == ["50.0 all judged", "3.9 [3.7, 4.1]"]
    title = str(measures_table(Result.of(told)).title)
    assert title.endswith("; all judged: every fact judged, no sampling error")


def test_what_may_not_be_claimed_is_told_with_its_reason():
    told = result()
    assert list(not_claimed(Result.of(told))) == [f"No order of the systems is stated. {NO_LABELS}"]
    assert "order" not in NO_LABELS  # said once
    told["order"] = None
    few, scope = "Only 6 of its facts have a verdict, fewer than 30.", "Out of scope."
    told["systems"]["ReVerb"]["withheld"] = dict.fromkeys(("precision", "recall", "f1"), few)
    told["systems"]["SONEX"]["withheld"] |= {"recall": scope, "f1": scope}
    assert list(not_claimed(Result.of(told))) == [
        f"No headline figure for ReVerb: {few}",
        f"No headline figure for SONEX (recall within G′, F): {scope}",
        "The tables have what was estimated all the same, with its interval: a first look, not a "
        "result to quote.",
    ]


def test_undefined_facts_have_columns_of_their_own(capsys):
    told = result() | {"settings": SETTINGS}
    one = told["systems"]["ReVerb"] | {"undefined_reasons": {"no pair": 4}}
    one["undefined_facts"] = {"system": estimate(53, 50, 56), "candidates": estimate(409)}
    told["systems"] = {"one": one | {"rejected": estimate(58)}}
    show_result(Result.of(told))
    (row,) = (line for line in capsys.readouterr().out.splitlines() if "53 [50, 56]" in line)
    assert [cell.strip() for cell in row.split("│")][6:9] == ["58", "53 [50, 56]", "409"]


def test_with_labels_both_estimates_stand_in_one_table():
    right = answer(precision_right_links=estimate(0.512, 0.46, 0.56))
    told = labelled(right, answer(0.37), truth={"ReVerb": dict.fromkeys(
        ("precision", "recall", "f1"), 0.4
    )})  # fmt: skip
    assert rows(told) == [
        ["ReVerb", "120 + 80", "42.0 [37.0, 47.0]", "30.0 [25.0, 35.0]", "35.0 [30.0, 40.0]", ""],
        ["  among facts with right links", "", "51.2 [46.0, 56.0]", "", "", ""],
        ["  stated by its sentence", "120 + 80", "37.0 [32.0, 42.0]", "30.0 [25.0, 35.0]",
         "35.0 [30.0, 40.0]", ""],
        ["  annotator-relative", "", *["50.0 [49.0, 51.0]"] * 3, "15.0"],
        ["  truth", "", "40.0", "40.0", "40.0", ""],
    ]  # fmt: skip


def test_what_to_know_of_labels_is_told_below():
    effects = {"precision": 1.31, "recall": 1.0, "f1": 1.2}
    lines = list(
        about_labels(Result.of(labelled(answer(design_effects=effects, notes=["A note."]))))
    )
    assert "ReVerb: A note." in lines
    assert "ReVerb: design effect of labels that share documents: precision 1.31, F 1.20" in lines
    assert (
        "Labelled 200 of 210 facts drawn, from 177 documents (a sentence is one where the corpus "
        "names none); by bob 130, ann 90" in lines[-1]
    )
    assert "two people agree on 81.0 [74.0, 86.0] % of 61 facts; 12 disputed" in lines[-1]
    assert lines[-1].endswith("7 with a wrong link; 6 answers rejected (skip)")


@pytest.mark.parametrize("corpus", [True, False])
def test_all_of_a_result_with_labels_is_printed(corpus, capsys):
    told = labelled(said=labels()) | {"settings": SETTINGS}
    told["systems"]["ReVerb"] |= {"undefined_reasons": {"no pair": 4}}
    if not corpus:
        told["corpus"] = None
        told["systems"]["ReVerb"]["with_labels"]["world"]["labels"][1] = None
    show_result(Result.of(told))
    shown = capsys.readouterr().out
    assert "From 200 labels of people by chain-rule" in shown
    assert "annotator-relative" in shown
    assert ("120 + 80" in shown) == corpus
