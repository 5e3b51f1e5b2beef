"""``distval judge`` on a finished run: the facts it asks about, and what becomes of the answers."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from evaluator.annotators.items import digest_of
from evaluator.judges.judgements import read_judgements
from jobs.config import Configuration
from jobs.judging.chat_server import KEY
from tests.jobs.commands import command, refused, shown, told
from tests.jobs.judging.servers import Asked, Reply, said, serving
from tests.jobs.sample_runs import CONF

type Row = tuple[str, str, str, bool, str | None, int]


@pytest.fixture(scope="module")
def run(finished: Configuration, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the run: answers are written into it."""
    return shutil.copytree(finished.run, tmp_path_factory.mktemp("judged") / "run")


@pytest.fixture(scope="module")
def judged(run: Path) -> list[Row]:
    """Every fact of the run: e1, r, e2, whether a system states it, its verdict and its key."""
    return duckdb.execute(
        "select e1, r, e2, len(systems) > 0, verdict, sample_key from read_parquet($1)",
        [f"{run}/estimate/judged/*.parquet"],
    ).fetchall()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A template without snippets, for which nothing is looked up."""
    path = tmp_path_factory.mktemp("prompt") / "plain.txt"
    path.write_text("{fact}\n{sentence}")
    return path


@pytest.fixture
def asked() -> Iterator[Asked]:
    def answer(prompt: str, _: int) -> Reply:
        return said('{"output": "yes"}' if "was born" in prompt else '{"output": "no"}', 200)

    with serving(answer) as found:
        yield found


def exported(*arguments: object) -> list[dict]:
    return [json.loads(line) for line in shown("judge", "export", *arguments).splitlines()]


def test_the_facts_asked_about_are_those_that_the_text_judged_in_a_random_order(
    run: Path, judged: list[Row], plain: Path
) -> None:
    requests = exported(run, "--prompt", plain)
    open_facts = sorted(
        (key, digest_of((e1, r, e2)))
        for e1, r, e2, stated, verdict, key in judged
        if stated and verdict in ("accepted", "rejected", "no pair")
    )
    ids = [request["custom_id"].split("-")[0] for request in requests]
    assert ids == [identifier for _, identifier in open_facts]
    assert {request["custom_id"].split("-")[1] for request in requests} == {"world"}


def test_all_judged_facts_and_those_of_a_table(
    run: Path, judged: list[Row], plain: Path, tmp_path: Path
) -> None:
    every = [row for row in judged if row[4] not in (None, "no relation word")]
    assert len(exported(run, "--facts", "all", "--prompt", plain)) == len(every)
    assert not all(row[3] for row in every)  # candidates that no system states, too
    table = tmp_path / "facts.tsv"
    e1, r, e2, *_ = every[0]
    table.write_text(f"e1\tr\te2\n{e1}\t{r}\t{e2}\nnobody\tlike\tnothing\n")
    done = command("judge", "export", run, "--facts", table, "--prompt", plain)
    assert json.loads(done.out)["custom_id"].startswith(digest_of((e1, r, e2)))
    assert "skipped facts: 1 × not a fact of the run (first: nobody like nothing)" in done.err


def test_facts_drawn_for_labels(run: Path) -> None:
    line = refused("judge", "export", run, "--facts", "labels")
    assert "no facts were drawn; use distval label draw" in line
    shown("label", "draw", run, "--budget", "12")
    design = json.loads((run / "labels" / "design.json").read_text())
    drawn = {digest_of((fact["e1"], fact["r"], fact["e2"])) for fact in design["facts"]}
    requests = exported(run, "--facts", "labels", "--question", "sentence")
    assert {request["custom_id"].split("-")[0] for request in requests} == drawn
    sentences = {fact["sentence"] for fact in design["facts"]}  # those that people are shown
    for request in requests:
        text = request["body"]["messages"][0]["content"]
        assert any(" ".join(sentence.split()) in text for sentence in sentences)


def test_a_fact_is_in_words_with_its_sentence_and_snippets(run: Path, tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("{fact}\n{sentence}\n{snippets}")
    table = tmp_path / "facts.tsv"
    table.write_text("e1\tr\te2\n/m/s_paul_allen\tfounder\t/m/s_microsoft\n")
    (request,) = exported(run, "--prompt", prompt, "--facts", table, "--model", "large")
    fact, sentence, *snippets = request["body"]["messages"][0]["content"].splitlines()
    # The words of an extraction, not the relation's key.
    assert fact == "Paul Allen | is a founder of | Microsoft"
    assert sentence == "Paul Allen died in Seattle and is a founder of Microsoft."
    assert snippets[0].startswith("[")
    assert "Paul Allen is a founder of Microsoft" in snippets[0]
    assert request["body"]["model"] == "large"


def test_export_into_a_file_tells_what_it_wrote(run: Path, plain: Path, tmp_path: Path) -> None:
    out = tmp_path / "batch.jsonl"
    line = shown("judge", "export", run, "--out", out, "--prompt", plain)
    assert f"batch.jsonl: {len(out.read_text().splitlines())} requests, prompt " in line


def test_asking_in_two_goes_asks_nothing_twice(
    run: Path, asked: Asked, plain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, "sk-very-secret")
    options = ["judge", "ask", run, "--endpoint", asked.url, "--model", "org/large", "--yes"]
    options += ["--prompt", plain, "--concurrency", 8]
    first = command(*options, "--max-calls", 10)
    assert first.code == 0
    requests = exported(run, "--prompt", plain)
    facts = len(requests)
    assert f"{facts} facts to ask org/large about at {asked.url}/chat" in first.err
    assert "0 answered already: 10 requests, about " in first.err
    assert "Stopped at --max-calls 10." in first.out
    rest = told(*options)
    assert rest["answered_before"] == 10
    assert rest["answers"] == facts - 10
    assert rest["tokens"] == 200 * rest["answers"]
    path = run / "judges" / "org-large.jsonl"
    assert rest["file"] == str(path)
    assert len(asked.prompts) == facts
    again = told(*options)
    assert (again["answers"], again["answered_before"]) == (0, facts)
    assert len(asked.prompts) == facts
    found = read_judgements(path)
    assert {row.id for row in found.rows} == {r["custom_id"].split("-")[0] for r in requests}
    assert found.model == "org/large"
    assert [*found.unreadable] == []
    for text in (path.read_text(), first.out, first.err):
        assert "secret" not in text


def test_a_server_that_refuses_is_told_in_one_line(run: Path, plain: Path, tmp_path: Path) -> None:
    told = b'{"error": {"message": "The model `large` does not exist"}}'
    with serving(lambda *_: Reply(told, status=404)) as asked:
        arguments = ["--endpoint", asked.url, "--model", "large", "--out", tmp_path / "a.jsonl"]
        arguments += ["--prompt", plain, "--yes", "--concurrency", 2]
        done = command("judge", "ask", run, *arguments)
    assert done.code == 2
    line = done.err.strip().splitlines()[-1]
    assert "the server answered 404 ('The model `large` does not exist')" in line
    assert len(asked.prompts) <= 2


def test_nobody_is_asked_without_leave(
    run: Path, asked: Asked, plain: Path, tmp_path: Path
) -> None:
    arguments = [
        "--prompt",
        plain,
        "--endpoint",
        asked.url,
        "--model",
        "large",
        "--out",
        tmp_path / "a.jsonl",
    ]
    done = command("judge", "ask", run, *arguments)
    assert done.code == 2
    assert "say --yes" in done.err
    assert not asked.prompts


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--endpoint", "localhost"], "--endpoint: expected an address"),
        (["--endpoint", "http://h/v1", "--facts", "nothing.tsv"], "nothing.tsv: no such file"),
        (["--endpoint", "http://h/v1", "--prompt", "none.txt"], "none.txt: cannot be read"),
        (
            ["--endpoint", "http://h/v1", "--prompt", str(CONF)],
            f"{CONF}: the prompt has no place {{fact}}",
        ),
        (["--endpoint", "http://h/v1", "--model", " "], "--model: a name is expected"),
    ],
)
def test_what_cannot_be_asked_is_refused(run: Path, arguments: list[str], problem: str) -> None:
    assert problem in refused("judge", "ask", run, "--model", "m", "--yes", *arguments)


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    assert "no finished run is here" in refused("judge", "export", tmp_path)
