"""An annotator made elsewhere, audited on the facts of a run, and the run that tells it."""

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from evaluator.annotators import digest_of
from evaluator.errors import InputError
from evaluator.labels.answers import gather
from evaluator.labels.design_file import read_design
from evaluator.labels.sheets import COLUMNS
from evaluator.model import Rejects
from evaluator.results.result import Result
from jobs.config import Configuration
from jobs.run.verification import verify
from tests.jobs.commands import command, refused, shown, told
from tests.jobs.sample_runs import of_sample, run

RUN = "run.j"


@pytest.fixture(scope="module")
def judged(finished: Configuration, tmp_path_factory: pytest.TempPathFactory) -> Configuration:
    """The sample, judged from outside by probabilities from 0 to 1."""
    folder = tmp_path_factory.mktemp("audited")
    facts = duckdb.sql(f"select distinct e1, r, e2 from '{finished.run}/estimate/judged/*.parquet'")
    judge = folder / "judge.tsv"
    lines = ["e1\tr\te2\tprobability"]
    lines += [
        "\t".join([*fact, str(int(digest_of(fact), 16) % 1000 / 1000)])
        for fact in sorted(facts.fetchall())
        if all(fact)
    ]
    judge.write_text("\n".join(lines) + "\n")
    return with_judge(finished.run.parent, folder / RUN, judge)


def with_judge(evidence: Path, folder: Path, judge: Path, *overrides: str) -> Configuration:
    judges = [f'external.judges=["judge={judge}"]', "annotator=external:judge"]
    configuration = of_sample(evidence, folder, *judges, "engine=local", *overrides)
    if not overrides:
        run(configuration, page=True)
    return configuration


def scores(configuration: Configuration) -> dict[tuple[str, ...], float]:
    rows = duckdb.sql(
        f"select e1, if(negated, 'not ' || r, r), e2, score "
        f"from '{configuration.run}/estimate/judged/*.parquet' "
        "where len(systems) > 0 and verdict in ('accepted', 'rejected')"
    )
    return {row[:3]: row[3] for row in rows.fetchall()}


def answer(configuration: Configuration, folder: Path, *, right: bool) -> None:
    """Answer all facts: of each class as many are true as the judge says, or none."""
    score, classes = scores(configuration), dict[str, list[Any]]()
    for fact in read_design(folder).facts:
        classes.setdefault(fact.name, []).append(fact)
    lines = ["\t".join(COLUMNS)]
    for facts in classes.values():
        expected = sum(score[fact.e1, fact.r, fact.e2] for fact in facts)
        for place, fact in enumerate(facts):
            told = {**fact.question._asdict(), "rater": "rater1"}
            told["label"] = "true" if right and place < round(expected) else "false"
            lines.append("\t".join(str(told.get(column, "")) for column in COLUMNS))
    sheet = folder / "filled.tsv"
    sheet.write_text("\n".join(lines) + "\n")
    gather(folder, [sheet], rejects=Rejects())


@pytest.fixture(scope="module")
def drawn(judged: Configuration) -> dict[str, Any]:
    return told("label", "audit", judged.run, "--facts", "100")


def test_the_draw_takes_equally_many_facts_of_each_fifth_of_the_probabilities(
    judged: Configuration, drawn: dict[str, Any]
) -> None:
    values = sorted(scores(judged).values())
    assert drawn["facts"] == len(values)
    assert [of["drawn"] for of in drawn["strata"]] == [20] * 5
    ends = [tuple(map(float, of["name"].split(" to "))) for of in drawn["strata"]]
    assert (ends[0][0], ends[-1][1]) == (values[0], values[-1])
    for (low, high), of in zip(ends, drawn["strata"], strict=True):
        assert of["facts"] == sum(low <= value <= high for value in values)
        assert of["facts"] == pytest.approx(len(values) / 5, abs=3)
    facts = read_design(judged.run / "audit").facts
    assert len(facts) == 100
    for fact in facts:
        (of,) = (of for of in drawn["strata"] if of["name"] == fact.name)
        assert fact.inclusion == 20 / of["facts"]
        low, high = map(float, fact.name.split(" to "))
        assert low <= scores(judged)[fact.e1, fact.r, fact.e2] <= high


def test_what_is_not_audited_says_so(judged: Configuration) -> None:
    result = Result.read(judged.run / "result.json")
    assert result.annotator.audited is None
    assert result.parts.annotator.endswith("-t0.5,not-audited")
    assert "Not audited" in (judged.run / "report.html").read_text()


def test_without_answers_there_is_no_test(judged: Configuration, drawn: dict[str, Any]) -> None:
    assert drawn["drawn"] == 100
    assert "no answers yet; take them in" in refused("label", "audit", judged.run)
    assert "are for another --out" in refused("label", "audit", judged.run, "--facts", "50")


@pytest.mark.parametrize(("right", "word"), [(True, "audited"), (False, "audit-failed")])
def test_a_later_run_tells_what_the_answers_say(
    judged: Configuration, drawn: dict[str, Any], right: bool, word: str
) -> None:
    folder = judged.run / "audit"
    answer(judged, folder, right=right)
    done = command("label", "audit", judged.run, "--model", judged.run / "annotator.json", "--json")
    assert done.code == (0 if right else 1)
    outcome = json.loads(done.out)
    assert outcome["holds"] is right
    assert (outcome["answered"], outcome["drawn"], outcome["undecided"]) == (100, 100, 0)
    assert abs(outcome["difference"]) < 0.03 if right else outcome["difference"] < -0.4
    said = "the labels do not contradict it" if right else "it does not hold for these facts"
    result = run(judged, page=True)
    assert result["parts"]["annotator"].endswith(f",{word}")
    audited = result["annotator"]["audited"]
    assert audited == {name: outcome[name] for name in audited}
    assert f"Audited: {said}" in (judged.run / "report.html").read_text()
    assert verify(judged, Result.of(result)).equal


def test_an_audit_is_of_the_facts_and_the_annotator_that_it_names(
    judged: Configuration, finished: Configuration, tmp_path: Path, drawn: dict[str, Any]
) -> None:
    answer(judged, judged.run / "audit", right=True)
    shown("label", "audit", judged.run)
    judge = judged.external.judges[0].path

    def word(*overrides: str) -> str:
        folder = Path(shutil.copytree(judged.run, tmp_path / str(len(list(tmp_path.iterdir())))))
        result = run(with_judge(finished.run.parent, folder, judge, *overrides))
        return str(result["parts"]["annotator"].rpartition(",")[2])

    assert word("estimate.level=0.9") == "audited"
    # Another threshold makes other verdicts of the same probabilities.
    assert word("external.threshold=0.7") == "audited"
    assert word("sample.seed=5") == "not-audited"


def test_what_is_no_audit_of_this_run_is_refused_in_one_line(
    judged: Configuration, tmp_path: Path, drawn: dict[str, Any]
) -> None:
    other = tmp_path / "other.json"
    saved = json.loads((judged.run / "annotator.json").read_text())
    saved["origins"][0]["file"] = "0" * 32
    other.write_text(json.dumps(saved))
    line = refused("label", "audit", judged.run, "--model", other)
    assert f"{other}: is not the annotator that judged" in line
    line = refused("label", "audit", judged.run, "--expect", "accepted=0.5")
    assert "was drawn from other facts, or for another annotator or other shares" in line
    labels = tmp_path / "labels"
    shown("label", "draw", judged.run, "--budget", "40", "--out", labels)
    line = refused("label", "audit", judged.run, "--out", labels)
    assert f"{labels / 'design.json'}: was not drawn for an audit" in line
    copied = Path(shutil.copytree(judged.run, tmp_path / "copied"))
    for damage in ("{", '{"subject": 1}'):
        (copied / "audit.json").write_text(damage)
        with pytest.raises(InputError, match=r"audit\.json: is no audit"):
            run(judged.model_copy(update={"run": copied}))


def test_shares_by_verdict_are_tested_where_scores_are_no_probabilities(
    finished: Configuration, tmp_path: Path
) -> None:
    copied = Path(shutil.copytree(finished.run, tmp_path / "run"))
    assert "whose score is no probability" in refused("label", "audit", copied)
    out = tmp_path / "audit"
    asked = ["label", "audit", copied, "--expect", "accepted=0.5", "--out", out]
    drawn = told(*asked, "--facts", "40")
    (stratum,) = drawn["strata"]
    assert (stratum["name"], stratum["drawn"]) == ("accepted", 40)
    lines = ["\t".join(COLUMNS)]
    for place, fact in enumerate(read_design(out).facts):
        said = {**fact.question._asdict(), "rater": "a", "label": str(place < 30).lower()}
        lines.append("\t".join(str(said.get(column, "")) for column in COLUMNS))
    (tmp_path / "a.tsv").write_text("\n".join(lines) + "\n")
    gather(out, [tmp_path / "a.tsv"], rejects=Rejects())
    done = command(*asked, "--json")
    # 30 of 40 where half are expected: twice P(B(40, 0.5) >= 30) is 0.00222.
    assert json.loads(done.out)["strata"][0]["p"] == pytest.approx(0.00222, rel=1e-2)
    assert done.code == 1
