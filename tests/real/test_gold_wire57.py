"""WiRe57 on its own data: Table 3 of the paper, and the figures of the released scorer."""

import json

import pytest

from evaluator.gold import MATCHED, Output
from evaluator.gold.wire57 import read_gold, score
from evaluator.model import Rejects
from evaluator.readers import SystemSource, read_extractions

# Léchelle et al. 2019, Table 3: extractions, matches, exact matches, precision and recall of
# matches, precision, recall, F1. Ollie's precision is printed as .347, which does not give its F1.
TABLE_3 = {
    "reverb": (79, 54, 13, ".83", ".77", ".569", ".121", ".200"),
    "ollie": (145, 74, 8, ".73", ".81", ".374", ".175", ".239"),
    "clausie": (223, 121, 24, ".74", ".84", ".401", ".298", ".342"),
    "stanford": (371, 99, 2, ".79", ".65", ".210", ".188", ".198"),
    "openie": (101, 74, 5, ".68", ".84", ".501", ".182", ".267"),
    "props": (184, 69, 0, ".59", ".80", ".222", ".162", ".187"),
    "minie": (252, 134, 10, ".75", ".83", ".400", ".323", ".358"),
}


@pytest.fixture(scope="module")
def gold(data):
    rejects = Rejects()
    path = data / "gold/wire57/WiRe57_343-manual-oie.json"
    read = read_gold(path, mode="released", options={}, rejects=rejects)
    assert rejects.total == 0
    return read


@pytest.fixture(scope="module")
def systems(data):
    (path,) = (data / "gold/wire57").glob("WiRe57_extractions_by_*.json")
    rejects = Rejects()
    outputs = {
        name: list(read_extractions(SystemSource(name, "wire57", path), rejects=rejects))
        for name in TABLE_3
    }
    assert rejects.total == 0
    return outputs


@pytest.fixture
def scored(gold, systems):
    def score_system(name, mode="released"):
        return score(gold, Output(name, "wire57", systems[name]), mode=mode, options={})

    return score_system


def test_the_gold_data_hold_what_table_1_says(gold):
    assert gold.counts == {
        "sentences": 57,
        "tuples": 343,
        "words": 2974,
        "inferred_words": 347,
    }
    arities = [len(parts) for tuples in gold.tuples for parts in tuples]
    assert [arities.count(arity) for arity in (3, 4, 5, 6)] == [254, 72, 16, 1]


@pytest.mark.parametrize("system", TABLE_3)
def test_released_gives_table_3_as_printed(scored, system):
    result = scored(system)
    counts, figures = result.counts, result.statistics.figures

    def printed(value, digits):
        return f"{value:.{digits}f}".lstrip("0")

    assert (
        counts["extractions"],
        counts["matches"],
        counts["exact_matches_pred"],
        printed(counts["precision_of_matches"], 2),
        printed(counts["recall_of_matches"], 2),
        printed(figures.precision, 3),
        printed(figures.recall, 3),
        printed(figures.f1, 3),
    ) == TABLE_3[system]


@pytest.mark.parametrize("system", ["clausie", "reverb", "ollie", "props"])
def test_released_gives_the_scorers_figures_in_full_precision(data, scored, system):
    reference = data.parent / "reference/scores-public.json"
    if not reference.exists():
        pytest.skip("no reference figures beside the data")
    expected = json.loads(reference.read_text())["wire57"][system]
    result = scored(system)
    ours = {**result.counts, **result.statistics.figures._asdict()}
    assert {key: ours[key] for key in expected} == pytest.approx(expected, abs=1e-9)


def test_released_recall_exceeds_one_in_61_pairs_and_corrected_in_none(scored):
    def over_one(mode):
        judged = [one for system in TABLE_3 for one in scored(system, mode).judged]
        return sum(one.outcome == MATCHED and one.recall > 1 for one in judged)

    assert over_one("released") == 61
    assert over_one("corrected") == 0


def test_the_formula_of_the_paper_gives_clausie_870_of_2627_words_twice(scored):
    statistics = scored("clausie", "paper").statistics
    right, said, found = statistics.sums()[0]
    assert (right, said, found, statistics.gold.sum()) == (870, 2627, 870, 2627)
    assert statistics.figures.precision == pytest.approx(0.331, abs=5e-4)
    assert statistics.figures.recall == pytest.approx(0.331, abs=5e-4)


@pytest.mark.parametrize("system", TABLE_3)
def test_corrected_lies_in_bounds_and_keeps_who_said_what(scored, systems, system):
    result = scored(system, "corrected")
    assert 0 <= result.statistics.figures.precision <= 1
    assert 0 <= result.statistics.figures.recall <= 1
    assert [one.extraction for one in result.judged] == systems[system]
    # What the mends take away, they take from every system.
    assert result.statistics.figures.f1 <= scored(system).statistics.figures.f1
