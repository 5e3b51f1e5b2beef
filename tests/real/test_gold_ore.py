"""ORE on the converted gold data and the systems distributed with it."""

from pathlib import Path

import pytest

from evaluator.gold import LEFT_OUT, Output, ore
from evaluator.model import Rejects
from evaluator.readers import SystemSource, read_extractions

SYSTEMS = {"props": "tabbed", "oie4": "openie4", "clausie": "clausie", "ollie": "ollie"}


@pytest.fixture(scope="session")
def folder(data: Path) -> Path:
    if not (data / "mesquita2013/processed").is_dir():
        pytest.skip("no data of Mesquita et al. 2013")
    return data / "mesquita2013/processed"


@pytest.fixture(scope="session")
def score(folder: Path):
    def run(part: str, system: str, mode: str):
        source = SystemSource("s", SYSTEMS[system], folder / f"{part}.{system}")
        output = Output("s", source.format, list(read_extractions(source, rejects=Rejects())))
        path = folder / f"{part}.oie"
        gold = ore.read_gold(path, mode=mode, options={}, rejects=Rejects())
        return ore.score(gold, output, mode=mode, options={})

    return run


@pytest.mark.parametrize(
    ("part", "tuples", "sentences"), [("nyt", 150, 150), ("penn", 52, 52), ("web", 461, 455)]
)
def test_relations_of_each_part(folder, part, tuples, sentences):
    rejects = Rejects()
    path = folder / f"{part}.oie"
    gold = ore.read_gold(path, mode="corrected", options={}, rejects=rejects)
    assert (gold.counts["tuples"], gold.counts["sentences"]) == (tuples, sentences)
    assert (gold.counts["without_trigger"], rejects.total) == (0, 0)


def test_props_on_the_web_part_has_the_official_area_as_the_first_of_two_sentences_stays(score):
    # .48212 if the last one stayed; .48007 if the lines with "-inf" for a confidence were lost.
    scored = score("web", "props", "released")
    assert round(scored.statistics.figures.auc, 5) == 0.48038
    assert [one.outcome for one in scored.judged].count(LEFT_OUT) == 1
    assert len(scored.notes) == 1


def test_penn_has_one_relation_a_sentence_so_that_nothing_is_squared(score):
    assert score("penn", "oie4", "released").counts["total"] == 52


def test_sentences_without_openie4_extraction_count_squared_on_the_web_part(score):
    counts = score("web", "oie4", "released").counts
    # 454 sentences, 138 of them silent; of 460 relations those that share a silent sentence add.
    assert 454 - counts["covered_sentences"] == 138
    assert counts["total"] > 460


@pytest.mark.parametrize("part", ["nyt", "penn"])
@pytest.mark.parametrize("system", ["props", "oie4", "clausie"])
def test_corrected_judges_only_what_concerns_the_entities(score, part, system):
    scored = score(part, system, "corrected")
    counts = scored.counts
    assert sum(counts[k] for k in ("outside", "left_out", "matched", "false")) == len(scored.judged)
    assert 0 < counts["matched"] <= counts["total"]
    figures = scored.statistics.figures
    assert figures.precision > 0
    assert counts["left_out"] > counts["matched"]
