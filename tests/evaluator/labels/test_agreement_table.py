"""Table 1 of Bronzi et al. 2012, and who is compared with whom."""

import pytest

from evaluator.errors import ConfigurationError
from evaluator.labels.agreement_table import agreement_table
from tests.evaluator.paper_table import TABLE_1, paper_ratings


def rows_of(pairs):
    return {(pair.rater1, pair.rater2): pair for pair in pairs}


@pytest.fixture
def ratings():
    """Return the paper's ratings, of items as files have them."""
    return {
        rater: {(str(fact),): judged for fact, judged in of.items()}
        for rater, of in paper_ratings().items()
    }


def test_the_table_of_the_paper(ratings):
    table = agreement_table(ratings, apart={"A"})
    rows = rows_of((*table.pairs, *table.joint))
    rows["A", "H12"] = rows["A", "H1=H2"]
    assert {pair: round(100 * rows[pair].agreement, 1) for pair in TABLE_1} == TABLE_1


def test_an_annotator_is_none_of_the_people(ratings):
    table = agreement_table(ratings, apart={"A"})
    assert table.together.raters == 3
    assert {row.rater2 for row in table.joint} == {
        "H0=H1", "H0=H2", "H1=H2", "majority of raters", "raters who all agree",
    }  # fmt: skip
    assert {row.rater1 for row in table.joint if "=" not in row.rater2} == {"A"}
    # H1 and H2 differ from H0 on the same 60 facts, and one of them alone on 47 + 63.
    assert rows_of(table.joint)["A", "raters who all agree"].items == 558 - 60 - 47 - 63


def test_nobody_is_compared_with_a_consensus_of_which_he_is_part(ratings):
    table = agreement_table(ratings, groups=[("H2", "A", "H1")])
    assert [row.rater1 for row in table.joint if row.rater2 == "A=H1=H2"] == ["H0"]


def test_only_rows_beside_one_rater(ratings):
    table = agreement_table(ratings, apart={"A"}, reference="H0")
    assert {frozenset(row[:2]) - {"H0"} for row in table.pairs} == {
        frozenset({name}) for name in ("A", "H1", "H2")
    }
    assert [row[:2] for row in table.joint] == [
        ("H0", "H1=H2"), ("H0", "majority of raters"), ("H0", "raters who all agree"),
    ]  # fmt: skip


def test_all_beside_a_consensus(ratings):
    table = agreement_table(ratings, reference="H2,H1")
    assert not table.pairs
    assert [row[:2] for row in table.joint] == [("A", "H1=H2"), ("H0", "H1=H2")]
    assert agreement_table(ratings, reference="H1=H2").joint == table.joint


# p: the others of each say true, so all agree with them. q: one and two say true, three false: one
# and two have a tie beside them, and three differs from both.
def test_a_person_is_compared_with_the_majority_of_the_others():
    people = {"one": [True, True], "two": [True, True], "three": [True, False]}
    ratings = {rater: {("p",): said[0], ("q",): said[1]} for rater, said in people.items()}
    table = agreement_table(ratings, reference="majority")
    assert not table.pairs
    rows = {row.rater1: row[2:6] for row in table.joint}
    assert rows == {"one": (1, 0, 0, 0), "two": (1, 0, 0, 0), "three": (1, 0, 1, 0)}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"reference": "H9"}, 'no rater is called "H9"; there are A, H0, H1, H2'),
        ({"groups": [("H1", "H9")]}, 'no rater is called "H9"'),
        ({"groups": [("H1",)]}, '"H1": the consensus of two raters or more'),
    ],
)
def test_unknown_raters(ratings, settings, told):
    with pytest.raises(ConfigurationError, match=told):
        agreement_table(ratings, **settings)
