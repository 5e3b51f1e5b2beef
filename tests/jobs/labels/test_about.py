"""What raters see beside a fact: how it was extracted, and what its entities are."""

import csv
from pathlib import Path

import pytest

from evaluator.labels.design_file import read_design
from jobs.config import Configuration
from jobs.labels.about import NOT_LINKED, phrases_of
from jobs.labels.draw import DrawChoice, draw
from jobs.run.facts_table import FactsTable
from jobs.run.label_folder import bare_fact
from tests.jobs.sample_runs import of_sample, run

MERKEL = "/m/s_angela_merkel", "bear", "/m/s_hamburg"
PAGE = "https://www.wikidata.org/wiki/Special:Search?search=haswbstatement%3AP646%3D"


@pytest.fixture(scope="module")
def rows(finished: Configuration, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    folder = tmp_path_factory.mktemp("about") / "labels"
    [sheet] = draw(finished.run, folder, DrawChoice(300))["sheets"]
    with Path(sheet).open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def test_a_sheet_says_how_a_fact_was_extracted_and_what_its_entities_are(
    rows: list[dict[str, str]],
) -> None:
    [row] = [x for x in rows if (x["e1"], x["r"], x["e2"]) == MERKEL]
    # The first by beta and gamma, the second by beta alone.
    assert (
        row["extracted"] == "Angela Merkel ; was born in ; Hamburg | Merkel ; was born in ; Hamburg"
    )
    assert row["about1"] == f"people.person; also Merkel; {PAGE}/m/s_angela_merkel"
    assert row["about2"] == f"location.location; {PAGE}/m/s_hamburg"


def test_what_is_extracted_is_what_the_facts_of_the_run_have(
    finished: Configuration, rows: list[dict[str, str]]
) -> None:
    facts = [bare_fact(row["e1"], row["r"], row["e2"]) for row in rows]
    found = phrases_of(finished.run, finished, facts)
    written: dict[tuple[str, str, str], set[tuple[str, str, str]]] = {}
    with FactsTable.open(finished.run, workers=1) as table:
        for system in table.systems:
            for row in table.rows(system=system):
                if row["arg1"] is not None:
                    fact = bare_fact(row["e1"], row["r"], row["e2"])
                    phrase = row["arg1"], row["relation"], row["arg2"]
                    written.setdefault(fact[:3], set()).add(phrase)
    assert len(found) > 100
    for fact, phrases in found.items():
        # The table has one extraction of each system for a fact.
        assert written[fact[:3]] <= phrases.keys()


def test_words_that_are_linked_to_nothing_are_shown_as_the_sentence_has_them(
    evidence: Path, tmp_path: Path
) -> None:
    configuration = of_sample(evidence, tmp_path / "run", "link.scope=phrases", "engine=local")
    run(configuration)
    draw(configuration.run, tmp_path / "labels", DrawChoice(300))
    facts = read_design(tmp_path / "labels").facts
    told = {
        (entity, name, about)
        for fact in facts
        for entity, name, about in (
            (fact.e1, fact.name1, fact.about1),
            (fact.e2, fact.name2, fact.about2),
        )
    }
    assert {about == NOT_LINKED for entity, _, about in told if not entity.startswith("/m/")} == {
        True
    }
    assert NOT_LINKED not in {about for entity, _, about in told if entity.startswith("/m/")}
    capital = [(entity, name) for entity, name, _ in told if name.lower() == entity != name]
    assert capital
    assert all(any(name in fact.sentence for fact in facts) for _, name in capital)
