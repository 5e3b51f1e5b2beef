"""Facts to label one after another: order, blindness, and answers that are on disk at once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from shutil import copytree

import pytest

from evaluator.errors import ConfigurationError, InputError
from evaluator.labels.answers import add_answer, read_answers
from evaluator.labels.raters import ADJUDICATOR
from evaluator.labels.sheets import Answer, read_rows
from evaluator.model import Rejects
from evaluator.readers import SystemSource, read_extractions
from indexes.locks import folder_lock
from jobs.config import Configuration
from jobs.labels.desk import AskedFact, LabelDesk
from jobs.labels.draw import DrawChoice, draw
from jobs.run.facts_table import FactsTable
from jobs.run.result import read_truth
from tests.jobs.sample_runs import SAMPLE

TRUTH = {fact[:3] for fact in read_truth(SAMPLE / "truth.tsv")}


@pytest.fixture(scope="module")
def drawn(finished: Configuration, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk") / "labels"
    draw(finished.run, folder, DrawChoice(200, raters=("ann", "bob"), double=0.5))
    return folder


@pytest.fixture(scope="module")
def table(finished: Configuration) -> Iterator[FactsTable]:
    with FactsTable.open(finished.run, workers=1) as table:
        yield table


@pytest.fixture
def folder(drawn: Path, tmp_path: Path) -> Path:
    """A folder that nobody has answered yet."""
    return copytree(drawn, tmp_path / "labels")


@pytest.fixture
def desk(table: FactsTable, folder: Path) -> LabelDesk:
    return LabelDesk(table, folder)


def words(one: AskedFact) -> tuple[str, str, str]:
    return one.fact.e1, one.fact.r, one.fact.e2


def labels(folder: Path) -> set[tuple[str, tuple[str, str, str], bool]]:
    return {(x.rater, x.item, x.label) for x in read_answers(folder, rejects=Rejects())}


def test_a_rater_is_asked_what_the_sheet_asks_sentence_by_sentence(
    desk: LabelDesk, folder: Path
) -> None:
    for rater in ("ann", "bob"):
        asked = desk.facts(rater)
        sheet = read_rows(folder / "sheets" / f"{rater}.csv", rejects=Rejects())
        assert {one.fact.id for one in asked} == {row.id for row in sheet}
        places = [(one.fact.document, one.fact.sentence) for one in asked]
        runs = sum(a != b for a, b in pairwise(places)) + 1
        assert runs == len(set(places))
        assert len(set(places)) < len(places)


def test_a_fact_shows_what_was_extracted_and_what_its_entities_are(desk: LabelDesk) -> None:
    asked = [one for rater in ("ann", "bob") for one in desk.facts(rater)]
    phrases = {phrase for one in asked for phrase in one.phrases}
    written = {
        (x.arg1, x.relation, x.arg2)
        for name in ("alpha.tabbed", "beta.jsonl", "gamma.tabbed")
        for x in read_extractions(SystemSource.parse(f"S=auto:{SAMPLE / name}"), rejects=Rejects())
    }
    assert phrases
    assert phrases <= written
    person = next(one.first for one in asked if "people.person" in one.first.types)
    assert person.link == (
        "https://www.wikidata.org/wiki/Special:Search?search=haswbstatement%3AP646%3D" + person.id
    )


def test_every_answer_is_in_the_folder_when_the_call_returns(desk: LabelDesk, folder: Path) -> None:
    first, second = desk.facts("ann")[:2]
    desk.answer("ann", first.fact.id, "true", stated=True, comment="seen")
    assert labels(folder) == {("ann", words(first), True)}
    desk.answer("ann", second.fact.id, "skip")
    desk.answer("ann", first.fact.id, "link wrong")
    assert labels(folder) == {("ann", words(first), False)}
    assert {one.said for one in desk.answers("ann").values()} == {"skip", "link wrong"}
    desk.answer("ann", first.fact.id, "")
    assert [*desk.answers("ann")] == [second.fact.id]
    assert [(p.rater, p.answered) for p in desk.progress()] == [("ann", 1), ("bob", 0)]


def test_two_raters_at_once_lose_nothing(desk: LabelDesk, folder: Path) -> None:
    def answer_all(rater: str) -> None:
        for one in desk.facts(rater)[:25]:
            desk.answer(rater, one.fact.id, "true" if words(one) in TRUTH else "false")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(answer_all, ("ann", "bob")))
    assert labels(folder) == {
        (rater, words(one), words(one) in TRUTH)
        for rater in ("ann", "bob")
        for one in desk.facts(rater)[:25]
    }


def test_an_answer_waits_for_an_import(desk: LabelDesk, folder: Path) -> None:
    one = desk.facts("ann")[0]
    with ThreadPoolExecutor(1) as pool:
        with folder_lock(folder, "busy"):
            waiting = pool.submit(desk.answer, "ann", one.fact.id, "true")
            assert not (folder / "answers.jsonl").exists()
        waiting.result()
    assert labels(folder) == {("ann", words(one), True)}


def test_a_folder_that_is_another_by_now_takes_no_answer(desk: LabelDesk, folder: Path) -> None:
    one = desk.facts("ann")[0]
    (folder / "design.json").rename(folder / "elsewhere.json")
    with pytest.raises(InputError, match="is gone, or another than before"):
        desk.answer("ann", one.fact.id, "true")
    assert not (folder / "answers.jsonl").exists()


def test_answers_to_facts_of_another_draw_do_not_count(desk: LabelDesk, folder: Path) -> None:
    other = Answer("0" * 16, "a", "r", "b", "true", None, "", "ann")
    add_answer(folder, other)
    assert [p.answered for p in desk.progress()] == [0, 0]
    assert desk.standing() == (0, {}, {}, "there are no answers yet.", [])


def test_the_adjudicator_is_asked_where_raters_differ(desk: LabelDesk) -> None:
    both = [one for one in desk.facts("ann") if "bob" in one.fact.raters][:3]
    for number, one in enumerate(both):
        desk.answer("ann", one.fact.id, "true")
        desk.answer("bob", one.fact.id, "false" if number else "true")
    assert desk.facts(ADJUDICATOR) == both[1:]
    assert desk.progress()[-1] == (ADJUDICATOR, 0, 2)
    desk.answer(ADJUDICATOR, both[1].fact.id, "true")
    assert desk.progress()[-1] == (ADJUDICATOR, 1, 2)


@pytest.mark.parametrize("rater", ["cyd", "Ann", ""])
def test_a_rater_whom_the_draw_does_not_ask_is_refused(desk: LabelDesk, rater: str) -> None:
    with pytest.raises(ConfigurationError, match=r"asks no rater .*ann, bob"):
        desk.facts(rater)
    one = next(one for one in desk.facts("ann") if "bob" not in one.fact.raters)
    with pytest.raises(ConfigurationError, match="asks bob about no fact"):
        desk.answer("bob", one.fact.id, "true")
