"""CaRB on its own data and on BenchIE's: the figures of the released scorer and of two papers."""

import json
from functools import cache

import pytest

from evaluator.gold import Output
from evaluator.gold.carb import read_gold, score
from evaluator.model import Extraction, Rejects
from evaluator.readers import SystemSource, read_extractions


@pytest.fixture(scope="module")
def gold(data):
    """Return a function that gives the gold data of a file, each read once."""

    @cache
    def read_file(name, mode="released"):
        rejects = Rejects()
        read = read_gold(data / "gold" / name, mode=mode, options={}, rejects=rejects)
        assert rejects.total == 0
        return read

    return read_file


@pytest.fixture(scope="module")
def output(data):
    """Return a function that gives the output in a file, each read once."""

    @cache
    def read_output(form, name):
        source = SystemSource(form, form, data / "gold" / name)
        return Output(form, form, list(read_extractions(source, rejects=Rejects())))

    return read_output


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        # Lines, sentences, lines with "C: " in an argument, repeated lines, empty predicates.
        ("carb/test.tsv", (2715, 634, 89, 3, 14)),
        ("carb/dev.tsv", (2548, 638, 102, 4, 0)),
    ],
)
def test_the_gold_data_have_as_many_tuples_as_their_description_says(gold, name, counts):
    found = gold(name).counts
    keys = ("tuples", "sentences", "contexts", "repeated", "empty_predicates")
    assert tuple(found[key] for key in keys) == counts
    assert found["colliding_sentences"] == 0


def test_of_102_lines_with_a_context_one_only_has_the_mark_inside_an_argument(gold):
    assert gold("carb/dev.tsv", "corrected").counts["contexts"] == 101  # counted with grep


def test_the_explicit_tuples_of_benchie_are_783_of_291_sentences(gold):
    counts = gold("benchie/carb_explicit.txt").counts
    assert (counts["tuples"], counts["sentences"]) == (783, 291)


@pytest.mark.parametrize(
    ("system", "form", "name"),
    [
        ("ClausIE", "clausie", "carb/clausie_output.txt"),
        ("ClausIE", "tabbed", "oie2016/clausie_tabbed.txt"),
        ("OpenIE-4", "openie4", "carb/openie4_output.txt"),
        ("OpenIE-4", "tabbed", "oie2016/openie4_tabbed.txt"),
        ("PropS", "props", "carb/props_output.txt"),
    ],
)
def test_released_gives_the_scorers_figures_in_full_precision(
    data, gold, output, system, form, name
):
    reference = data.parent / "reference/scores-public.json"
    if not reference.exists():
        pytest.skip("no reference figures beside the data")
    expected = json.loads(reference.read_text())["carb"][f"test/{system}"]
    said = output(form, name)
    figures = score(gold("carb/test.tsv"), said, mode="released", options={}).statistics.figures
    assert {key: getattr(figures, key) for key in expected} == pytest.approx(expected, abs=1e-9)


def test_released_gives_reverbs_figures_by_its_own_sentences(gold, output):
    said = output("reverb", "carb/reverb_output.txt")
    figures = score(gold("carb/test.tsv"), said, mode="released", options={}).statistics.figures
    printed = [round(value, 4) for value in (figures.auc, *figures[:3])]
    assert printed == [0.2022, 0.7569, 0.2432, 0.3681]


@pytest.mark.parametrize("form", ["openie4", "clausie", "props", "reverb"])
def test_corrected_lies_in_bounds_and_judges_every_extraction(gold, output, form):
    said = output(form, f"carb/{form}_output.txt")
    read = gold("carb/test.tsv", "corrected")
    # 14 tuples have no predicate, 3 are repeated.
    assert read.counts["tuples"] == 2715 - 14 - 3
    result = score(read, said, mode="corrected", options={})
    assert all(0 <= figure <= 1 for figure in (*result.statistics.figures[:3],))
    assert [one.extraction for one in result.judged] == list(said.extractions)
    assert result.counts["left_out"] == 0


# BenchIE (Gashteovski et al. 2022), Table 4, rows CaRB: P, R, F1. Three cells differ from those of
# the paper: it has .28 as Stanford's recall, and .19 and .35 as precision and F1 of Naive OIE.
TABLE_4 = {
    "clausie": (".58", ".53", ".56"),
    "minie": (".45", ".44", ".44"),
    "stanford": (".17", ".29", ".22"),
    "roi_t": (".48", ".28", ".36"),
    "naive_oie": (".24", ".70", ".36"),
    "m2oie_en": (".60", ".61", ".61"),
}


@pytest.mark.parametrize("system", TABLE_4)
def test_the_carb_rows_of_benchies_table(data, gold, system):
    folder = data / "gold/benchie"
    sentences = (folder / "sample300_en.txt").read_text().split("\n")
    lines = (folder / f"extractions/{system}_explicit.txt").read_text().splitlines()
    extractions = []
    for number, line in enumerate(lines, start=1):
        sentence, arg1, relation, arg2 = line.strip().split("\t")
        text = sentences[int(sentence) - 1]
        extractions.append(Extraction(system, number, text, arg1, relation, arg2, confidence=1.0))
    figures = score(
        gold("benchie/carb_explicit.txt"),
        Output(system, "tabbed", extractions),
        mode="released",
        options={},
    ).statistics.figures
    assert tuple(f"{value:.2f}".lstrip("0") for value in figures[:3]) == TABLE_4[system]
