"""A run whose evidence bears no claim: 200 documents, a base of 30 facts, most of it out of scope.

Fifteen documents say that a person of the base visited a town of it; the others name nobody. The
text collection holds six of the fifteen pairs, four of them with the visit.
"""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from evaluator.comparison.withheld import NO_LABELS
from evaluator.errors import InputError
from evaluator.estimators.base import RECALL_WITHIN
from evaluator.results.result import Result
from jobs.cli.run import show_result
from jobs.config import Configuration
from tests.evaluator.report.test_page import Page, drawn
from tests.jobs.sample_runs import run

pytestmark = pytest.mark.jvm

PEOPLE = [f"Ada {first}{last}" for first, last in product(
    ("Bar", "Cel", "Dor", "Fen", "Gal"), ("dan", "mor", "nik", "sol", "tur", "wen")
)]  # fmt: skip
TOWNS = ("Norwick", "Eastham", "Sudford", "Westley", "Midholm", "Overby")
VISITS = [(person, TOWNS[place % 6]) for place, person in enumerate(PEOPLE[:15])]
WHY = (
    "Only 6 of its facts have a verdict, fewer than 30; 9 of the 15 facts left to the text are "
    "undefined; 185 of its 200 aligned extractions are out of scope."
)

CONF = """
name = "thin"
run = "run"
systems = ["all=jsonl:all.jsonl", "some=jsonl:some.jsonl"]
[corpus]
collection = "corpus.jsonl"
format = "jsonl"
[kb]
path = "kb"
sources = ["kb.nt"]
[index]
path = "index"
collection = "background.jsonl"
format = "jsonl"
"""


def rdf(name: str) -> str:
    return f"<http://rdf.freebase.com/ns/{name}>"


def write_kb(path: Path) -> None:
    ids = {name: f"m.{name.lower().replace(' ', '_')}" for name in (*PEOPLE, *TOWNS)}
    lines = [f'{rdf(ids[name])}\t{rdf("type.object.name")}\t"{name}"@en\t.' for name in ids]
    born = rdf("people.person.place_of_birth")
    lines += [  # nobody was born in the town that the person visited
        f"{rdf(ids[person])}\t{born}\t{rdf(ids[TOWNS[n % 6 - 1]])}\t."
        for n, person in enumerate(PEOPLE)
    ]
    path.write_text("\n".join(lines) + "\n")


def write_lines(path: Path, records: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Configuration:
    folder = tmp_path_factory.mktemp("thin")
    said = [(f"{person} visited {town} .", person, "visited", town) for person, town in VISITS]
    said += [
        (f"The keeper mended lamp {number} near a pier .", "The keeper", "mended", f"lamp {number}")
        for number in range(185)
    ]
    documents = [{"id": f"d{n}", "text": sentence} for n, (sentence, *_) in enumerate(said)]
    write_lines(folder / "corpus.jsonl", documents)
    keys = ("sentence", "arg1", "relation", "arg2")
    extractions = [dict(zip(keys, one, strict=True)) for one in said]
    write_lines(folder / "all.jsonl", extractions)
    write_lines(folder / "some.jsonl", extractions[:6] + extractions[15:])
    background = [f"{person} visited {town} in spring." for person, town in VISITS[:4]]
    background += [f"{person} has never heard of {town}." for person, town in VISITS[4:6]]
    background += [f"{person} likes tea." for person, _ in VISITS[6:]]
    write_lines(
        folder / "background.jsonl",
        [{"id": f"b{n}", "text": text} for n, text in enumerate(background)],
    )
    write_kb(folder / "kb.nt")
    (folder / "thin.toml").write_text(CONF)
    return Configuration.load(folder / "thin.toml")


@pytest.fixture(scope="module")
def result(configuration: Configuration) -> dict[str, Any]:
    return run(configuration, page=True)


def test_a_base_without_names_in_its_language_is_refused(configuration: Configuration) -> None:
    kb = configuration.kb.path
    changes = {
        "run": kb.parent / "run-de",
        "language": "en",
        "kb": {"language": "de", "path": kb.parent / "kb-de"},
    }
    settings = configuration.model_dump(exclude_unset=True)
    settings |= changes | {"kb": settings["kb"] | changes["kb"]}
    with pytest.raises(InputError, match='kb-de: has no name in "de" of any entity'):
        run(Configuration(**settings))


def test_the_result_withholds_headlines_and_order_and_says_why(result: dict[str, Any]) -> None:
    assert (result["corpus"]["documents"], result["knowledge_base"]["triples"]) == (200, 30)
    of_all = result["systems"]["all"]
    assert of_all["basis"] == {
        "verdicts": 6, "open": 15, "undefined": 9, "extractions": 200, "out_of_scope": 185,
    }  # fmt: skip
    assert of_all["withheld"] == dict.fromkeys(("precision", "recall", "f1"), WHY)
    assert result["order"] == {"by": "f1", "first": None, "withheld": NO_LABELS}
    told = result["recall_within"]
    assert told["set"] == "G′"
    assert told["means"].startswith(RECALL_WITHIN)
    # All four true facts of the systems are candidates; four facts do not say that all are.
    share = told["coverage"]["share"]
    assert (share["value"], share["high"]) == (1, 1)
    assert share["low"] < 0.7
    assert result["systems"]["all"]["recall_corrected"]["low"] < 0.7


def test_the_result_counts_undefined_facts_apart(result: dict[str, Any]) -> None:
    for name, rejected, undefined, missed in (("all", 2, 9, 0), ("some", 2, 0, 9)):
        told = result["systems"][name]
        assert (told["regions"]["a"]["value"], told["regions"]["b"]["value"]) == (4, 0)
        assert told["rejected"]["value"] == rejected
        assert told["undefined_facts"]["system"]["value"] == undefined
        assert told["undefined_facts"]["candidates"]["value"] == missed


@pytest.mark.usefixtures("result")
def test_the_report_has_no_headline_and_draws_undefined_facts_as_undefined(
    configuration: Configuration,
) -> None:
    shown = Page((configuration.run / "report.html").read_text(encoding="utf-8"))
    lede = shown.text.partition("These figures are annotator-relative.")[0]
    assert f"No order of the systems is stated. {NO_LABELS}" in lede
    assert f"No headline figure for all. {WHY}" in lede
    assert "No headline figure for some. Only 6 of its facts" in lede
    assert "has the highest" not in shown.text
    assert not shown.find("dl", "headline")
    assert shown.text.count("No headline figures.") == 2
    for name in ("all", "some"):
        venn = drawn(shown, f"Venn diagram of S, D and G for {name} ")
        assert "2 not correct" in venn
        assert venn.count("9 undefined") == 1  # inside S for the first, outside for the second
    assert len(shown.find("g", "undefined-region")) == 2
    assert RECALL_WITHIN in shown.text


def test_the_terminal_says_so_above_the_figures(
    result: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    show_result(Result.of(result))
    said = capsys.readouterr().out
    above, _, below = said.partition("Annotator-relative, in %")
    assert f"No headline figure for all: {WHY}" in above
    assert f"No order of the systems is stated. {NO_LABELS}" in above
    assert "recall within G′" in below
    assert RECALL_WITHIN in below
