"""``distval compare --gold`` over a run directory, gold data and output files written by hand.

Gold data have three sentences of the corpus, with a tuple each, and one that it lacks. X finds all
three tuples; Z the first, and says something else of the second with less confidence; Y none.
Distant validation accepts ⟨Ada, meet, Bob⟩, and the database has ⟨Bob, leave, Oslo⟩: X states both
and a rejected fact, Z the first alone, Y a rejected fact, and the accepted one where gold data do
not look.
"""

import json
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from evaluator.comparison.withheld import NO_LABELS
from evaluator.corpus.sentences import sentence_key
from evaluator.errors import DistvalError
from evaluator.gold import benchmarks
from jobs.cli.app import app
from jobs.config import CONFIGURATION, Configuration
from jobs.rundir import RunDirectory, content_digest
from tests.evaluator.report.test_page import result
from tests.evaluator.report.test_page import system as of_system

CONF = """
name = "made"
run = "run"
systems = ["X=tabbed:x.txt", "Y=tabbed:y.txt", "Z=tabbed:z.txt", "B=baseline:between"]
[corpus]
sentences = "sentences.txt"
[kb]
path = "kb"
[index]
path = "index"
"""
# Text, entities in their order, and the relation word.
CORPUS = [
    ("Ada met Bob in Rome .", "ABR", "meet"),
    ("Ada met Cid .", "AC", "meet"),
    ("Bob left Oslo .", "BO", "leave"),
    ("Ada met Bob at home .", "AB", "meet"),
]
GOLD = [
    ("Ada met Bob in Rome.", "met", "Ada", "Bob"),
    ("Ada met Cid .", "met", "Ada", "Cid"),
    ("Bob left Oslo .", "left", "Bob", "Oslo"),
    ("Cid slept at home .", "slept", "Cid", "at home"),
]
# Sentence, confidence, predicate, arguments, and the fact that the run made of it.
OUTPUT = {
    "X": [
        (0, 0.9, "met", "Ada", "Bob", "A meet B"),
        (1, 0.8, "met", "Ada", "Cid", "A meet C"),
        (2, 0.7, "left", "Bob", "Oslo", "B leave O"),
    ],
    "Y": [
        (0, 0.9, "saw", "Ada", "Rome", "A meet R"),
        (3, 0.8, "met", "Ada", "Bob", "A meet B"),
    ],
    "Z": [
        (0, 0.9, "met", "Ada", "Bob", "A meet B"),
        (1, 0.2, "saw", "Dan", "Cid", None),
    ],
}
VERDICTS = {
    "A meet B": "accepted",
    "A meet R": "rejected",
    "B meet R": "rejected",
    "A meet C": "rejected",
    "B leave O": "matched",
}


def fact(text: str | None) -> dict:
    e1, r, e2 = text.split() if text else (None, None, None)
    return {"e1": e1, "r": r, "e2": e2, "negated": None if text is None else False}


def lines(rows: list[tuple], reader: str) -> list[list[tuple]]:
    """Return what stands on each line of a system's file: OpenIE 5 has a sentence on one."""
    if reader == "openie5":
        return [list(of) for _, of in groupby(rows, key=lambda row: row[0])]
    return [[row] for row in rows]


def written(line: list[tuple], reader: str) -> str:
    """Return a line of a system's file; what has a context is not asserted."""
    if reader == "openie5":
        return json.dumps([served(*row) for row in line])
    ((n, confidence, predicate, arg1, arg2, _),) = line
    return f"{CORPUS[n][0]}\t{confidence}\t{predicate}\t{arg1}\t{arg2}"


def served(n: int, confidence: float, predicate: str, arg1: str, arg2: str, _, context="") -> dict:
    said = {"arg1": {"text": arg1}, "rel": {"text": predicate}, "arg2s": [{"text": arg2}]}
    said["context"] = {"text": context} if context else None
    return {"confidence": confidence, "sentence": CORPUS[n][0], "extraction": said}


def tables(verdicts: dict, output: dict, reader: str) -> dict[str, list[dict]]:
    """Return the rows of the run's tables, as Spark writes them."""
    sentences = [
        {
            "document": "d",
            "number": number,
            "key": sentence_key(text),
            "text": text,
            "mentions": [{"start": n, "end": n + 1, "entity": e} for n, e in enumerate(entities)],
            "relation_words": [word],
        }
        for number, (text, entities, word) in enumerate(CORPUS)
    ]
    linked = [
        {"system": system, "line": number, "document": "d", "number": row[0], **fact(row[5])}
        | {"reason": None if row[5] else "no linked pair"}
        for system, rows in output.items()
        for number, line in enumerate(lines(rows, reader), start=1)
        for row in line
    ]
    judged = [
        {
            **fact(text),
            "candidate": True,
            "systems": [name for name, rows in output.items() if text in [r[5] for r in rows]],
            "matched": verdict == "matched",
            "verdict": verdict,
            "score": None,
            "pair": None,
            "sample_key": 1,
        }
        for text, verdict in verdicts.items()
    ]
    return {"annotate/sentences": sentences, "superset/linked": linked, "estimate/judged": judged}


def write(
    folder: Path,
    *,
    verdicts: dict = VERDICTS,
    corpus: bool = True,
    output: dict = OUTPUT,
    reader: str = "tabbed",
) -> Path:
    """Write the run, its systems' output and the gold data; return the run directory."""
    folder.mkdir(exist_ok=True)
    (folder / "run.toml").write_text(CONF.replace("tabbed", reader))
    (folder / "gold.oie").write_text("".join("\t".join(row) + "\n" for row in GOLD))
    for system, rows in output.items():
        text = "".join(f"{written(line, reader)}\n" for line in lines(rows, reader))
        (folder / f"{system.lower()}.txt").write_text(text)
    configuration = Configuration.load(folder / "run.toml")
    run = RunDirectory(folder / "run")
    digests = {s.name: content_digest(s.path) for s in configuration.systems if not s.baseline}
    read = {"digests": {"systems": digests}}
    run.stage("read", depends_on={}, build=lambda _out: read)
    for name, rows in tables(verdicts, output, reader).items():
        stage, table = name.split("/")

        def build(out: Path, rows: list = rows, table: str = table) -> None:
            (out / table).mkdir()
            pq.write_table(pa.Table.from_pylist(rows), out / table / "part-0.parquet")

        run.stage(stage, depends_on={}, build=build)
    (run.path / CONFIGURATION).write_text(configuration.model_dump_json())
    figures = of_system(1, 1, 1, 1, facts=5)
    systems = {source.name: figures for source in configuration.systems}
    told = result(settings=configuration.flat(), systems=systems)
    told |= {} if corpus else {"corpus": None}
    (run.path / "result.json").write_text(json.dumps(told))
    return run.path


def invoke(run: Path, *arguments: object):
    gold = () if "--gold" in arguments else ("--gold", f"oie2016:{run.parent / 'gold.oie'}")
    command = ["compare", str(run), *gold, "--draws", "40", *map(str, arguments)]
    return CliRunner().invoke(app, command)


def compared(run: Path, *arguments: object) -> dict:
    done = invoke(run, *arguments, "--json")
    assert done.exit_code == 0, done.exception
    return json.loads(done.stdout, parse_constant=pytest.fail)


def refusal(run: Path, *arguments: object) -> str:
    error = invoke(run, *arguments).exception
    assert isinstance(error, DistvalError), error
    assert "\n" not in str(error)
    return str(error)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("made"))


def values(told: dict, side: str) -> dict[str, tuple]:
    return {
        name: tuple(of[side][measure]["value"] for measure in ("precision", "recall", "f1"))
        for name, of in told["systems"].items()
    }


def test_gold_figures_are_of_the_sentences_in_common(run: Path) -> None:
    """Of three tuples X finds three, Z one; the fourth gold sentence would lower recall."""
    told = compared(run)
    assert told["sentences"] == {"gold": 4, "shared": 3, "in_scope": 3}
    gold = values(told, "gold")
    assert gold["X"] == pytest.approx((1, 1, 1))
    assert gold["Y"] == pytest.approx((0, 0, 0))
    assert [of["extractions"] for of in told["systems"].values()] == [3, 1, 2]


def test_the_point_of_the_curve_is_the_best_or_the_last(run: Path) -> None:
    """With confidence 0.9 or more Z says one thing, and it is right; of all it is half."""
    precision, recall, _ = values(compared(run), "gold")["Z"]
    assert precision == 1
    of_all = compared(run, "--point", "all")
    assert values(of_all, "gold")["Z"][:2] == pytest.approx((1 / 2, recall))
    assert of_all["point"] == "all"


def test_distant_figures_are_of_the_same_sentences(run: Path) -> None:
    """G has two facts there. That Y states one of them elsewhere does not count."""
    told = compared(run)
    distant = values(told, "distant")
    assert distant["X"] == pytest.approx((2 / 3, 1, 4 / 5))
    assert distant["Y"] == pytest.approx((0, 0, 0))
    assert distant["Z"] == pytest.approx((1, 1 / 2, 2 / 3))
    assert [(of["facts"], of["true"]) for of in told["systems"].values()] == [
        (3, 2),
        (1, 0),
        (1, 1),
    ]


def test_agreement_on_the_order(run: Path) -> None:
    """By precision gold data have X, Z, Y and the corpus Z, X, Y: one pair of three differs.

    By F they agree; of 3! orders two agree or disagree as much.
    """
    told = compared(run, "--point", "all")
    places = [
        [of[side]["precision"]["rank"] for of in told["systems"].values()]
        for side in ("gold", "distant")
    ]
    assert places == [[1, 3, 2], [None] * 3]  # the annotator's order is none of the systems
    assert told["withheld"] == NO_LABELS
    assert told["agreement"]["precision"]["tau"]["value"] == pytest.approx(1 / 3)
    assert told["agreement"]["f1"]["tau"]["value"] == 1
    assert told["agreement"]["f1"]["tau"]["n"] == 3
    assert told["agreement"]["f1"]["p"] == pytest.approx(2 / 6)
    assert compared(run, "--point", "all") == told  # one seed, one result


def test_extractions_that_both_judge(run: Path) -> None:
    """X and Z are matched for three facts that are accepted or in D, X for a rejected one."""
    told = compared(run)["judged_by_both"]
    assert told == {
        "matched_accepted": 3,
        "matched_rejected": 1,
        "unmatched_accepted": 0,
        "unmatched_rejected": 1,
        "matched_undefined": 0,
        "unmatched_undefined": 0,
        "kappa": pytest.approx((0.8 - 0.56) / 0.44),
    }


def test_what_was_not_judged_counts_by_its_like(tmp_path: Path) -> None:
    """⟨Ada, meet, Cid⟩ and ⟨Bob, leave, Oslo⟩ are X's alone, and not both were sampled."""
    run = write(tmp_path / "a", verdicts=VERDICTS | {"A meet C": None, "B leave O": "accepted"})
    told = compared(run)
    assert told["unjudged"] == 1
    assert values(told, "distant")["X"][0] == pytest.approx((1 + 1 + 1) / 3)
    none = write(tmp_path / "b", verdicts=VERDICTS | {"A meet C": None})
    assert "raise sample.system" in refusal(none)


FACTS = """sent_id:1\tAda met Bob in Rome .
1--> Cluster 1:
Ada --> met --> Bob

sent_id:2\tAda met Cid .
2--> Cluster 1:
Ada --> met --> Cid
"""


def test_repeats_of_what_is_wrong_can_be_dropped(tmp_path: Path) -> None:
    """X is right once and says one wrong thing twice: precision is 1 of 3, or of 2."""
    wrong = (0, 0.8, "saw", "Ada", "Rome", "A meet R")
    run = write(tmp_path, output=OUTPUT | {"X": [OUTPUT["X"][0], wrong, wrong]})
    (tmp_path / "facts.txt").write_text(FACTS)
    gold = ("--gold", f"benchie:{tmp_path / 'facts.txt'}")
    kept = compared(run, *gold)
    dropped = compared(run, *gold, "--duplicates", "drop")
    assert values(kept, "gold")["X"][:2] == pytest.approx((1 / 3, 1 / 2))
    assert values(dropped, "gold")["X"][:2] == pytest.approx((1 / 2, 1 / 2))
    assert dropped["options"] == {"match": "slot", "duplicates": "drop"}
    assert dropped["gold_signature"].endswith("|duplicates:drop")
    assert values(dropped, "distant") == values(kept, "distant")
    assert "--duplicates: oie2016 has no such option" in refusal(run, "--duplicates", "drop")


SERVED = {
    "X": [
        (0, 0.9, "met", "Ada", "Bob", "A meet B"),
        (0, 0.9, "saw", "Ada", "Rome", "A meet R", "Bob said"),
        (1, 0.8, "met", "Ada", "Cid", "A meet C", "Bob said"),
    ],
    "Y": [(0, 0.9, "saw", "Ada", "Rome", "A meet R")],
    "Z": [(0, 0.9, "met", "Ada", "Bob", "A meet B")],
}


def test_what_a_system_does_not_assert_can_be_left_out(tmp_path: Path) -> None:
    """X finds two of three gold tuples, one of them by what Bob said; two of its three go."""
    run = write(tmp_path, output=SERVED, reader="openie5")
    everything = compared(run, "--point", "all")
    asserted = compared(run, "--point", "all", "--asserted")
    assert values(everything, "gold")["X"][:2] == pytest.approx((2 / 3, 2 / 3))
    assert values(asserted, "gold")["X"][:2] == pytest.approx((1, 1 / 3))
    assert values(asserted, "distant") == values(everything, "distant")
    assert [of["rejects"] for of in asserted["systems"].values()] == [{"not asserted": 2}, {}, {}]
    assert asserted["gold_signature"].endswith("|asserted-only")
    assert any("leave out what systems mark as not asserted" in n for n in asserted["notes"])
    assert not any("not asserted" in note for note in everything["notes"])


def test_of_extractions_on_one_line_none_is_taken_for_another(tmp_path: Path) -> None:
    """⟨Ada, meet, Bob⟩ is alone on its line when scored, but the run has two facts of this line."""
    run = write(tmp_path, output=SERVED, reader="openie5")
    both = compared(run, "--asserted")["judged_by_both"]
    # Z's alone, which is right, and Y's, which is wrong.
    assert (both["matched_accepted"], both["unmatched_rejected"]) == (1, 1)
    assert both["matched_rejected"] == both["unmatched_accepted"] == 0


def test_tables_and_page(run: Path, tmp_path: Path) -> None:
    done = invoke(run, "--measure", "f1", "--html", tmp_path / "page.html")
    assert done.exit_code == 0, done.exception
    assert "Kendall's τ" in done.stdout
    assert "Left out, for want of an output file: B." in done.stdout
    assert "Precision" not in done.stdout
    page = (tmp_path / "page.html").read_text()
    assert "Do gold data and the corpus" in page


def test_chosen_systems(run: Path) -> None:
    assert list(compared(run, "X", "Z")["systems"]) == ["X", "Z"]


# Bad input: one clear line.


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--gold", "gold.oie"], "expected BENCHMARK:FILE"),
        (["--gold", "none:gold.oie"], "benchmark 'none' is unknown"),
        (["--gold", "oie2016:missing.oie"], "missing.oie: no such file"),
        (["--rules", "none"], "--rules none: expected one of"),
        (["--mode", "none"], "--mode none"),
        (["--match", "slot"], "no such option"),
        (["--mode", ""], "--mode : oie2016 has"),
        (["--point", "first"], "--point first: expected one of best, all"),
        (["X", "B"], "needs two systems with output files"),
    ],
)
def test_what_cannot_be_compared(run: Path, arguments: list[str], told: str) -> None:
    assert told in refusal(run, *arguments)


def test_its_options_need_gold_data(run: Path) -> None:
    valued = ("--mode", "--rules", "--match", "--duplicates", "--point", "--html")
    for option in (*((name, "x") for name in valued), ("--asserted",)):
        error = CliRunner().invoke(app, ["compare", str(run), *option]).exception
        assert f"{option[0]}: only with --gold" in str(error)


def test_the_page_is_not_written_over_the_gold_data_or_the_run(run: Path) -> None:
    stage = next(run.rglob("*.parquet"))
    for read in (run.parent / "gold.oie", run / "result.json", stage):
        assert "would be written over what is read" in refusal(run, "--html", read)
    assert (run.parent / "gold.oie").read_text().startswith(GOLD[0][0])


@pytest.mark.parametrize("command", ["gold", "compare"])
def test_every_option_of_a_benchmark_is_one_of_the_command(command: str) -> None:
    help_ = CliRunner().invoke(app, [command, "--help"]).stdout
    for option in {name for benchmark in benchmarks().values() for name in benchmark.OPTIONS}:
        assert f"--{option} " in help_


def test_gold_data_of_another_corpus(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.oie"
    other.write_text("\t".join(GOLD[3]) + "\n")
    assert "none of its sentences is in the corpus" in refusal(run, "--gold", f"oie2016:{other}")


def test_runs_that_do_not_fit(tmp_path: Path) -> None:
    run = write(tmp_path / "without", corpus=False)
    assert "given without sentences" in refusal(run)
    run = write(tmp_path / "changed")
    (run.parent / "x.txt").write_text("Ada met Cid .\t1\tmet\tAda\tCid\n")
    assert "x.txt: has changed since the run" in refusal(run)
    run = write(tmp_path / "mixed", verdicts={"A meet B": "accepted"})
    assert "its stages are of different runs" in refusal(run)
    run = write(tmp_path / "older")
    (run / CONFIGURATION).unlink()
    assert "run distval run CONF first" in refusal(run)
