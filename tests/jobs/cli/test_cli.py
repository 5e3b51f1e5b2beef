"""The command line as people meet it: what it prints, its exit codes, how it takes bad input."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.annotators import Calibrated, read_annotator
from jobs.cli import output
from jobs.config import Configuration
from tests import plain_path
from tests.jobs.commands import Done, command
from tests.jobs.sample_runs import SMALL

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "conf" / "sample"


def distval(*arguments: object) -> Done:
    """Run the command, wide enough that no line is wrapped."""
    with pytest.MonkeyPatch.context() as patched:
        for console in (output.console, output.errors):
            patched.setattr(console, "width", 200)
        return command(*arguments)


def in_a_process(*arguments: object) -> Done:
    """Run the command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", "from jobs.cli import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=ROOT,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def refused(*arguments: object) -> str:
    """Run a command that must refuse its input, and return the one line that it says."""
    done = command(*arguments)
    lines = [line for line in done.err.splitlines() if line.startswith("distval: ")]
    assert done.code == 2, done.err
    assert len(lines) == 1
    return lines[0]


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base and a text index of the sample, built by the commands."""
    folder = tmp_path_factory.mktemp("evidence")
    built = distval("kb", "build", SAMPLE / "kb.nt", "--out", folder / "kb", "--json")
    assert built.code == 0, built.err
    built = distval(
        "index",
        "build",
        SAMPLE / "background.jsonl",
        "--format",
        "jsonl",
        "--out",
        folder / "index",
    )
    assert built.code == 0, built.err
    return folder


def test_explain_shows_both_kinds_of_evidence(evidence: Path) -> None:
    places = ["--kb", evidence / "kb", "--index", evidence / "index"]
    done = distval("explain", "Marie Curie", "was born in", "Warsaw", *places, "--json")
    told = json.loads(done.out)
    assert done.code == 0
    assert told["verdict"] is True
    assert told["r"]["key"] == "bear"
    assert told["text"]["proximity"] <= told["text"]["classic"] <= told["text"]["pair"]
    assert "NEAR:4" in told["text"]["queries"]["proximity"]
    assert len(told["text"]["snippets"]) <= 3
    kinds = {kind for snippet in told["text"]["snippets"] for _, kind in snippet["parts"]}
    assert {"e1", "r", "e2"} <= kinds
    shown = distval("explain", "Marie Curie", "was born in", "Warsaw", *places)
    assert "correct" in shown.out
    assert "PROXIMITY" in shown.out


def test_a_fact_matches_from_either_side_of_the_database(evidence: Path) -> None:
    # The base says ⟨Finland, capital, Helsinki⟩, and nothing from Helsinki to Finland.
    places = ["--kb", evidence / "kb", "--index", evidence / "index"]
    told = json.loads(
        distval("explain", "Helsinki", "is the capital of", "Finland", *places, "--json").out
    )
    matched = [(row["relation"], row["inverse"]) for row in told["database"] if row["matched"]]
    assert matched == [("location.country.capital", True)]


def test_explain_answers_no_with_exit_code_1(evidence: Path) -> None:
    places = ["--kb", evidence / "kb", "--index", evidence / "index"]
    assert distval("explain", "Marie Curie", "was born in", "Vienna", *places).code == 1


def test_explain_refuses_a_name_without_letters(evidence: Path) -> None:
    places = ["--kb", evidence / "kb", "--index", evidence / "index"]
    for fact in (("", "was born in", "Vienna"), ("Marie Curie", "was born in", " -")):
        done = distval("explain", *fact, *places)
        assert done.code == 2
        assert "has no letter or digit: expected a name" in done.err


def test_explain_takes_a_sentence_of_no_run(evidence: Path) -> None:
    places = ["--kb", evidence / "kb", "--index", evidence / "index"]
    said = ("--sentence", "Marie Curie was, they say, born in Warsaw.")
    asked = ("explain", "Marie Curie", "was born in", "Warsaw", *places, *said)
    told = json.loads(distval(*asked, "--json").out)["sentence"]
    assert [told[of] for of in ("sentences", "stating_documents")] == [1, 1]
    assert told["systems"] == ["unnamed"]
    # was , they say , | born | in
    closest = told["closest"]
    assert (closest["gap1"], closest["gap2"], closest["order"]) == (3, 1, "between")
    assert [kind for _, kind in told["shown"]["parts"] if kind] == ["e1", "r", "e2"]
    shown = distval(*asked).out
    assert "Stated by 1 sentence, 1 document, 1 system (unnamed)." in shown
    assert "words from e1 to the relation word: 3" in shown
    elsewhere = distval("explain", "Marie Curie", "was born in", "Paris", *places, *said)
    assert elsewhere.code == 2
    assert "does not mention 'Paris'; it mentions Marie Curie, Warsaw" in elsewhere.err


def test_tune_chooses_shows_saves_and_writes(evidence: Path, tmp_path: Path, conf: Path) -> None:
    made = tmp_path / "page.html", tmp_path / "model.json"
    done = distval(
        *("tune", SAMPLE / "labels.tsv", "--conf", conf, "--x", 10, "--json"),
        *("--annotator", "pmi-proximity-lower", "--annotator", "calibrated"),
        *("--html", made[0], "--save", made[1], "--write", conf),
    )
    assert done.code == 0, done.err
    told = json.loads(done.out)
    rows = (SAMPLE / "labels.tsv").read_text().splitlines()[1:]
    assert told["facts"] + told["ties"] == len({tuple(row.split("\t")[:3]) for row in rows})
    assert told["open"] + told["matched"] == told["facts"]
    assert set(told["annotators"]) == {"pmi-proximity-lower", "calibrated"}
    for of in told["annotators"].values():
        # Better than a coin, on facts that it was made for.
        assert of["held_out"]["balanced_accuracy"]["low"] > 0.5
    best = told["annotators"][told["recommended"]]
    written = Configuration.load(conf)
    threshold = (
        written.calibrated if told["recommended"] == "calibrated" else written.pmi
    ).threshold
    assert threshold == best["choice"]["threshold"]
    assert written.pmi.x == 10
    assert f"+threshold = {threshold}" in told["written"]["diff"]
    assert made[0].read_text().startswith("<!DOCTYPE html>")
    assert isinstance(read_annotator(made[1]), Calibrated)


@pytest.mark.slow
def test_tune_shows_the_recommended_annotator(evidence: Path) -> None:
    places = ["--kb", evidence / "kb", "--index", evidence / "index"]
    command = ("tune", SAMPLE / "labels.tsv", *places, "--per", "relation")
    done = distval(*command, "--annotator", "pmi-proximity")
    assert done.code == 0, done.err
    assert "Recommended: pmi-proximity" in done.out
    assert "of equal ones prefer the simplest" in " ".join(done.out.split())
    assert "◀" in done.out
    assert "documents with the pair" in done.out
    assert "Thresholds per relation" in done.out


def test_agree_on_the_labels_of_the_sample(evidence: Path) -> None:
    places = ["--kb", evidence / "kb", "--index", evidence / "index"]
    done = distval("agree", SAMPLE / "labels.tsv", *places, "--json")
    told = json.loads(done.out)
    assert told["raters"] == 3
    assert {"A (annotator)"} < {pair["rater1"] for pair in told["pairs"]}
    assert any("=" in pair["rater2"] for pair in told["consensus"])


def test_count_adds_the_counts_to_a_sheet(evidence: Path, tmp_path: Path) -> None:
    facts = tmp_path / "facts.tsv"
    facts.write_text(
        "e1\tr\te2\tnote\nMarie Curie\twas born in\tWarsaw\tkept\nNobody\tis in\tWarsaw\t\n"
    )
    done = distval("index", "count", facts, "--index", evidence / "index")
    header, first, second = (line.split("\t") for line in done.out.splitlines())
    assert header == ["e1", "r", "e2", "note", "pair", "classic", "proximity", "topic", "anchored"]
    assert int(first[4]) >= int(first[5]) >= int(first[6]) > 0
    assert second[4:] == ["0", "", "", "0", ""]  # an emptied relation is undefined, not zero


def test_lookup_says_no_for_an_unknown_entity(evidence: Path) -> None:
    assert distval("kb", "lookup", "Marie Curie", "--kb", evidence / "kb").code == 0
    assert distval("kb", "lookup", "Nobody At All", "--kb", evidence / "kb").code == 1


@pytest.mark.jvm
def test_doctor_finds_all_that_is_needed() -> None:
    done = in_a_process("doctor", "--json")
    states = {check["what"]: check["state"] for check in json.loads(done.out)}
    assert done.code == 0, done.out
    assert {states[what] for what in ("Python", "Java", "Lucene", "Spark", "WordNet")} == {"ok"}


@pytest.mark.spark
def test_a_submitted_run_gives_what_the_plain_path_gives(evidence: Path, tmp_path: Path) -> None:
    """On two executors, each a process of its own as on two machines."""
    places = [f"kb.path={evidence / 'kb'}", f"index.path={evidence / 'index'}"]
    places += [f"run={tmp_path / 'run'}", "spark.partitions=2"]
    settings = [f"--set={place}" for place in places]
    settings += [f"--conf={name}={value}" for name, value in SMALL.items()]
    master = ("--master", "local-cluster[2,1,1024]")
    done = in_a_process("submit", "conf/demo.toml", *master, *settings, "--json")
    assert done.code == 0, done.err
    expected = plain_path.evaluate(Configuration.load(ROOT / "conf/demo.toml", overrides=places))
    assert json.loads(done.out) == json.loads(json.dumps(expected))
    assert (tmp_path / "run" / "report.html").is_file()


# Bad input: one clear line, exit code 2.


@pytest.fixture
def conf(tmp_path: Path, evidence: Path) -> Path:
    path = tmp_path / "run.toml"
    path.write_text(
        f"""
        name = "small"
        run = "run"
        systems = ["one=tabbed:one.tabbed"]
        [corpus]
        sentences = "{SAMPLE / "sentences.jsonl"}"
        format = "jsonl"
        [kb]
        path = "{evidence / "kb"}"
        [index]
        path = "{evidence / "index"}"
        """
    )
    return path


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "one.tabbed: no such file"),
        (b"", "one.tabbed: empty file"),
        (b"A sentence .\t0.5\tis\n", "fewer than 4 columns"),
        (b"A sentence .\t0.5\t\xff\xfe\tone\ttwo\n", "invalid UTF-8"),
    ],
)
def test_system_output_of_which_nothing_can_be_used(
    conf: Path, content: bytes | None, told: str
) -> None:
    if content is not None:
        (conf.parent / "one.tabbed").write_bytes(content)
    assert told in refused("run", conf)


def test_a_configuration_with_an_unknown_key(conf: Path) -> None:
    conf.write_text(conf.read_text() + "\nthreshold = 1\n")
    assert (
        "unknown key index.threshold; known: path, collection, format, select, memory"
        in refused("run", conf)
    )


def test_a_configuration_that_is_not_there(tmp_path: Path) -> None:
    assert "missing.toml" in refused("run", tmp_path / "missing.toml")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run"], "Missing argument 'CONF' (distval run --help says more)"),
        (["gold", "carb", "--gold", "g"], "Missing option '--system' ("),
        (["gold", "--of"], "No such option: --of"),
        (["glod"], "No such command 'glod'. Did you mean 'gold'?"),
        (["run", "run.toml", "--set"], "Option '--set' requires an argument"),
        (["kb", "build", "d.nt", "--out", "kb", "--mediators", "q"], "'q' is not one of"),
    ],
)
def test_a_wrong_call_is_told_in_one_line(arguments: list[str], told: str) -> None:
    assert told in refused(*arguments)


def test_a_group_of_commands_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    done = command("kb")
    assert done.code == 2
    assert "build" in done.err + capsys.readouterr().err


def test_a_folder_that_is_no_index(tmp_path: Path) -> None:
    assert str(tmp_path) in refused("index", "info", tmp_path)


def test_a_knowledge_base_from_a_dump_cut_short_is_built_and_the_answer_is_no(
    tmp_path: Path,
) -> None:
    lines = (SAMPLE / "kb.nt").read_text().splitlines(keepends=True)
    (tmp_path / "cut.nt").write_text("".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])
    command = ("kb", "build", tmp_path / "cut.nt", "--out", tmp_path / "kb", "--json")
    done = distval(*command)
    assert done.code == 1, done.err
    assert "cut.nt was cut short" in done.err
    assert json.loads(done.out)["rejects"] == {"truncated file": 1}
    assert json.loads(done.out)["incomplete"] == ["cut.nt"]
    assert distval(*command, "--allow-truncated").code == 0


def test_tune_without_evidence_says_how_to_name_it() -> None:
    assert "--index" in refused("tune", SAMPLE / "labels.tsv")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--criterion", "best"], "criterion best is unknown"),
        (["--criterion", "precision=2"], "expected a precision above 0, at most 1"),
        (["--per", "subject"], "--per subject: expected relation"),
        (["--annotator", "oracle"], "no annotator is called oracle: there are pmi-classic, "),
        (["--annotator", "pmi", "--save", "m.json"], "--save: no annotator is trained"),
        (
            [
                *("--annotator", "pmi-proximity-lower"),
                *("--criterion", "surely-precision=1", "--write", "CONF"),
            ],
            "has no threshold to write: the criterion takes none",
        ),
    ],
)
def test_what_tune_cannot_do_is_told_in_one_line(conf: Path, options: list[str], told: str) -> None:
    before = conf.read_text()
    options = [str(conf) if option == "CONF" else option for option in options]
    assert told in refused("tune", SAMPLE / "labels.tsv", "--conf", conf, *options)
    assert conf.read_text() == before
