"""The main job over the embedded sample, on both engines: the plain path is their oracle."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import batched
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest

from evaluator.annotators import Calibrated, digest_of, write_annotator
from evaluator.annotators.evidence import CONTEXT, COUNTS, Evidence
from evaluator.annotators.sentence_evidence import FIELDS
from evaluator.corpus.sentences import read_sentences, sentence_key
from evaluator.counting.elements import entity_element, relation_element
from evaluator.counting.topics import topics
from evaluator.facts.linking import link_extraction
from evaluator.model import Rejects
from evaluator.readers import read_extractions
from evaluator.text import tokens
from indexes.kb.annotation import annotate_sentence
from indexes.kb.knowledge_base import KnowledgeBase
from jobs.config import Configuration, CorpusSettings
from jobs.stage_account import StageAccount
from tests import plain_path
from tests.brute_force import brute_force_counts
from tests.jobs.sample_runs import CONF, SAMPLE, SMALL_TOO, of_sample, run


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trained") / "model.json"
    write_annotator(path, trained())
    return path


def trained() -> Calibrated:
    """A model, trained on numbers drawn at random: what it says of a fact is of no matter here."""
    rng = np.random.default_rng(2012)
    hits = rng.integers(0, 9, (200, len(COUNTS) + len(CONTEXT)))
    relation = rng.choice(["visit", "lead"], 200).tolist()
    evidence = Evidence.of(
        hits,
        documents=1_000,
        relation=relation,
        closest=rng.integers(0, 9, (200, len(FIELDS))),
        stated={
            "sentences": rng.integers(0, 4, 200),
            "stating_documents": rng.integers(0, 4, 200),
            "stated_by": rng.choice(["", "alpha", "alpha\tbeta"], 200),
        },
    )
    return Calibrated.train(evidence, rng.random(200) < 0.5, list(map(str, range(200))))


@pytest.fixture(params=["local", "spark"])
def configured(
    request: pytest.FixtureRequest, tmp_path: Path, evidence: Path, model: Path
) -> Callable[..., Configuration]:
    """Configurations of the sample, for both engines: each run in a directory of its own."""
    if request.param == "spark":
        request.getfixturevalue("spark")

    def load(*overrides: str, partitions: int = 1) -> Configuration:
        overrides = (f"engine={request.param}", f"calibrated.model={model}", *overrides)
        return of_sample(evidence, tmp_path / "run", *overrides, partitions=partitions)

    return load


SETTINGS = {  # beside those of the file, which killed, continued and submitted runs have
    "samples smaller than the populations, in parts": [
        "part_rows=90",
        "sample.system=20",
        "sample.candidates=300",
        "annotator=urns",
    ],
    "learnt from what the database decides": [
        "annotator=distant",
        "sample.system=60",
        "sample.candidates=200",
    ],
    "the paper's estimator": [
        "estimate.method=paper",
        "sample.system=30",
        "sample.candidates=200",
        "pmi.variant=classic",
        "pmi.smoothing=lower",
        "relation.widen=['derivations']",
        "match.direction=forward",
        "superset.words=between",
    ],
    "words alone": [
        "relation.wordnet=none",
        "superset.words=between",
        "sample.system=60",
        "sample.candidates=200",
    ],
    "everything in scope, both directions": [
        "link.scope=phrases",
        "link.negation=keep",
        "link.arguments=contains",
        "relation.widen=['derivations']",
        "superset.direction=both",
        "superset.words=near",
        "relation.key=all",
        "annotator=calibrated",
        "sample.system=60",
        "sample.candidates=200",
    ],
}
LOCAL_ALONE = "the paper's estimator"  # whose queries are those of other settings


@pytest.mark.parametrize(
    ("configured", "name"),
    [
        (engine, name)
        for engine in ("local", "spark")
        for name in SETTINGS
        if (engine, name) != ("spark", LOCAL_ALONE)
    ],
    indirect=["configured"],
)
def test_an_engine_gives_what_the_plain_path_gives(
    configured: Callable[..., Configuration], name: str
) -> None:
    configuration = configured(*SETTINGS[name], partitions=2)
    assert run(configuration) == json.loads(json.dumps(plain_path.evaluate(configuration)))


@pytest.mark.parametrize(
    "workers",
    [pytest.param(1, marks=pytest.mark.slow), 2, pytest.param(3, marks=pytest.mark.slow)],
)
def test_the_result_does_not_depend_on_the_number_of_processes(
    evidence: Path,
    tmp_path: Path,
    oracle: dict[str, Any],
    workers: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Little enough is done by one process before others have started: here they start at once.
    monkeypatch.setattr("indexes.engine._SOON", 0.0)
    monkeypatch.setattr("indexes.engine._BYTES", 10_000)
    monkeypatch.setattr("jobs.run.stages.score._LEAST", 100)
    local = ("engine=local", f"local.workers={workers}")
    assert run(of_sample(evidence, tmp_path, *local)) == oracle


@pytest.mark.usefixtures("spark")
def test_spark_goes_on_with_what_the_local_engine_began(
    evidence: Path, tmp_path: Path, oracle: dict[str, Any]
) -> None:
    """The other way round, a run that was killed is taken up."""
    run(of_sample(evidence, tmp_path, "engine=local", "match.threshold=0.3"))
    stages: dict[str, bool] = {}
    kept = of_sample(evidence, tmp_path, "engine=spark")
    assert run(kept, on_stage=stages.__setitem__) == oracle
    assert [name for name, stands in stages.items() if stands][-3:] == [
        "read",
        "annotate",
        "superset",
    ]


@pytest.mark.parametrize(
    ("configured", "annotator"),
    [("local", "external"), ("spark", "external:second")],
    indirect=["configured"],
)
def test_judges_from_outside_are_taken_like_any_annotator(
    configured: Callable[..., Configuration],
    finished: Configuration,
    tmp_path: Path,
    annotator: str,
) -> None:
    """One names facts by digest, one by their parts; both contradict themselves here and there."""
    table = duckdb.sql(
        f"select e1, r, e2 from '{finished.run}/estimate/judged/*.parquet' order by all"
    )
    facts = [fact for fact in table.fetchall() if int(digest_of(fact), 16) % 5]
    first, second = tmp_path / "first.jsonl", tmp_path / "second.tsv"
    says = {fact: int(digest_of(("says", *fact)), 16) for fact in facts}
    first.write_text(
        "".join(
            json.dumps({"id": digest_of(fact), "answer": answer}) + "\n"
            for fact in facts
            for answer in ["Yes.", "{'output': 'no'}", "Yes.", "perhaps"][: says[fact] % 5]
        )
    )
    second.write_text(
        "e1\tr\te2\tprobability\n"
        + "".join("\t".join([*f, str(says[f] % 100 / 100)]) + "\n" for f in facts if all(f))
    )
    judges = json.dumps([f"first={first}", f"second={second}"])
    configuration = configured(f"annotator={annotator}", f"external.judges={judges}")
    result = run(configuration)
    assert result == json.loads(json.dumps(plain_path.evaluate(configuration)))
    assert result["annotator"]["signature"].startswith("external-")
    assert result["systems"]["alpha"]["rejected"]


@pytest.fixture(scope="module")
def oracle(evidence: Path) -> dict[str, Any]:
    return json.loads(json.dumps(plain_path.evaluate(of_sample(evidence, evidence / "none"))))


def test_a_second_run_keeps_every_stage_and_another_threshold_counts_nothing_again(
    finished: Configuration, evidence: Path, oracle: dict[str, Any]
) -> None:
    assert json.loads((finished.run / "result.json").read_text()) == oracle
    before = {p.name: p.read_bytes() for p in finished.run.glob("re*.*")}
    stages: dict[str, bool] = {}
    run(finished, on_stage=stages.__setitem__, page=True)
    assert set(before) == {"result.json", "report.html"}
    assert all(stages.values()), stages
    assert {p.name: p.read_bytes() for p in finished.run.glob("re*.*")} == before
    other = of_sample(evidence, finished.run, "pmi.threshold=0.5")
    run(other, on_stage=stages.__setitem__, page=True)
    assert stages["score"]
    assert not stages["estimate"]


@pytest.mark.parametrize("killed", ["local", "spark"])
def test_a_killed_run_is_taken_up_where_it_stood(
    evidence: Path, tmp_path: Path, oracle: dict[str, Any], killed: str
) -> None:
    """By the local engine, whichever engine it was killed in."""
    configuration = of_sample(evidence, tmp_path / "run", "engine=local")
    command = "from tests.jobs.run.test_pipeline import *; import sys; victim(sys.argv[1:])"
    places = configuration.run, configuration.kb.path, configuration.index.path
    arguments = [*map(str, places), killed]
    process = subprocess.Popen(
        [sys.executable, "-c", command, *arguments], start_new_session=True, cwd=CONF.parents[1]
    )
    deadline = time.monotonic() + 300  # a loaded machine takes long to start Spark
    while not (configuration.run / "superset").exists() and time.monotonic() < deadline:
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (configuration.run / "result.json").exists()
    stages: dict[str, bool] = {}
    assert run(configuration, on_stage=stages.__setitem__) == oracle
    assert stages["superset"]


def victim(arguments: list[str]) -> None:
    """Run the sample; for the process that is killed."""
    named = zip(("run", "kb.path", "index.path", "engine"), arguments, strict=True)
    overrides = [f"{key}={value}" for key, value in named]
    run(Configuration.load(CONF, overrides=[*overrides, "spark.master=local[1]", SMALL_TOO]))


def test_the_counts_are_those_of_a_brute_force_count(finished: Configuration) -> None:
    """Every tenth counted fact of the sample, against the tokens of its background documents."""
    kb = KnowledgeBase.open(finished.kb.path)
    counted = pq.read_table(finished.run / "score" / "counts").to_pylist()
    assert finished.index.collection is not None
    background = map(json.loads, finished.index.collection.read_text().splitlines())
    texts = [(document.get("title", ""), tokens(document["text"])) for document in background]
    for row in sorted(counted, key=lambda row: (row["e1"], row["r"], row["e2"]))[::10]:
        e1, e2 = (entity_element(e, kb.query_names(e)) for e in (row["e1"], row["e2"]))
        expected = brute_force_counts(
            [words for _, words in texts],
            e1,
            relation_element(row["r"]),
            e2,
            x=finished.pmi.x,
            reach=finished.pmi.reach,
            topics=[topics(title, words) for title, words in texts],
        )
        assert {name: row[name] for name in COUNTS} == expected._asdict()


def test_a_corpus_without_facts_has_nothing_to_estimate(
    configured: Callable[..., Configuration], tmp_path: Path
) -> None:
    (tmp_path / "sentences.txt").write_text("It rained .\n")
    (tmp_path / "none.tabbed").write_text("It rained .\t0.5\trained\tIt\t\n")
    result = run(
        configured(
            f"corpus.sentences={tmp_path / 'sentences.txt'}",
            "corpus.format=lines",
            f'systems=["none=tabbed:{tmp_path / "none.tabbed"}"]',
            partitions=3,
        )
    )
    system = result["systems"]["none"]
    assert system["facts"] == 0
    assert system["precision"]["value"] is None
    assert system["recall"]["value"] is None


def test_every_line_of_a_system_is_in_one_count(oracle: dict[str, Any]) -> None:
    for source in Configuration.load(CONF).systems:
        account = oracle["systems"][source.name]["extractions"]
        lines = len(source.path.read_text().splitlines())
        assert account["read"] + sum(account["rejected"].values()) == lines
        accounted = (
            account["unaligned"] + account["in_scope"] + sum(account["out_of_scope"].values())
        )
        assert accounted == account["read"]


# ----- documents, and baselines over their sentences


@pytest.fixture(scope="module")
def articles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sentences of the sample as documents: two a paragraph, ten an article, a file each.

    With headings, one article that repeats another, one paragraph of 450 words without an end, one
    of no word, and one file of another format, which is not to be selected.
    """
    folder = tmp_path_factory.mktemp("articles")
    sentences = [json.loads(line)["text"] for line in (SAMPLE / "sentences.jsonl").open()]
    words = tokens(" ".join(sentences))[:450]
    texts = [
        "\n\n".join(["History.", *(" ".join(pair) for pair in batched(article, 2))])
        for article in batched(sentences[:100], 10)
    ]
    texts += [texts[3], "?!\n\n" + " ".join(words)]
    for number, text in enumerate(texts):
        document = {"id": f"article {number}", "title": "", "text": text}
        (folder / f"{number:02d}.jsonl").write_text(json.dumps(document) + "\n")
    (folder / "README").write_text("Not an article.")
    return folder


@pytest.fixture
def of_documents(
    configured: Callable[..., Configuration], articles: Path
) -> Callable[..., Configuration]:
    systems = [f"alpha=tabbed:{SAMPLE / 'alpha.tabbed'}"]
    systems += [f"{name}=baseline:{name}" for name in ("between", "naive", "trivial")]
    overrides = [f"systems={json.dumps(systems)}", 'sample.candidates="all"']
    corpus = CorpusSettings(collection=articles, select=("*.jsonl",))

    def load(**where: Any) -> Configuration:
        configuration = configured(*overrides, **where)
        return configuration.model_copy(update={"corpus": corpus, "truth": None})

    return load


def test_documents_and_baselines_go_as_through_the_plain_path(
    of_documents: Callable[..., Configuration],
) -> None:
    configuration = of_documents(partitions=7)
    result = json.loads(json.dumps(plain_path.evaluate(configuration)))
    assert run(configuration) == result

    # Two cuts of 450 words; "?!"; an article and its heading again, and 9 headings more.
    assert result["corpus"]["cut_sentences"] == 2
    assert result["rejects"]["corpus"]["no word"] == 1
    assert result["rejects"]["corpus"]["duplicate sentence"] >= 10 + 1 + 9
    assert "between.between@10+naive.naive+trivial.trivial" in result["signature"]
    assert "G'=all" in result["signature"]
    found = result["systems"]["between"]
    assert found["facts"] > 20
    assert found["outside_candidates"] == 0
    assert found["extractions"]["read"] == found["extractions"]["in_scope"] + sum(
        found["extractions"]["out_of_scope"].values()
    )


def test_windows_go_as_through_the_plain_path(
    configured: Callable[..., Configuration], tmp_path: Path
) -> None:
    """A system that puts a name for "he" states a fact of two sentences."""
    settled = '"Ernest Hemingway settled in Paris ."'
    lines = (SAMPLE / "sentences.jsonl").read_text().splitlines()[:90]
    kept = [line for line in lines if settled not in line]
    assert len(kept) == len(lines) - 1
    # Two sentences of 100 mentions, of 60 and 41 relation words, are too much together.
    for number, (name, words) in enumerate({"Ulm": 60, "Oslo": 41}.items()):
        step = len(name) + 1
        crowded = {
            "document": "lists",
            "number": number,
            "text": f"{name} " * 100,
            "mentions": [
                {"start": start, "end": start + len(name), "entity": f"/m/{name}"}
                for start in range(0, 100 * step, step)
            ],
            "relation_words": [f"r{word}" for word in range(words)],
        }
        kept.append(json.dumps(crowded))
    (tmp_path / "sentences.jsonl").write_text("\n".join(kept))
    resolved = ("He settled in Paris.", "0.9", "settled in", "Ernest Hemingway", "Paris")
    (tmp_path / "resolving.tabbed").write_text("\t".join(resolved) + "\n")
    systems = [f"alpha=tabbed:{SAMPLE / 'alpha.tabbed'}", "naive=baseline:naive"]
    systems += [f"resolving=tabbed:{tmp_path / 'resolving.tabbed'}"]
    configuration = configured(
        "superset.window=2",
        "superset.direction=both",
        f"corpus.sentences={tmp_path / 'sentences.jsonl'}",
        f"systems={json.dumps(systems)}",
        "sample.system=50",
        "sample.candidates=300",
        partitions=3,
    )
    result = run(configuration)
    assert result == json.loads(json.dumps(plain_path.evaluate(configuration)))

    assert "|superset:both,sentence,window-2|" in result["signature"]
    assert result["settings"]["superset.window"] == 2
    too_much = "two sentences of more than 1,000,000 candidate facts together"
    assert result["rejects"]["corpus"][too_much] == 1
    assert result["systems"]["resolving"]["extractions"]["in_scope"] == 1
    assert result["systems"]["resolving"]["outside_candidates"] == 0
    parts = result["recall_within"]["by_span"]
    facts = result["corpus"]["candidates"]
    assert sum(part["candidates"] for part in parts.values()) == facts
    recalls = {name: part["recall"] for name, part in parts.items()}
    assert recalls["window"]["resolving"]["value"] > 0
    assert recalls["sentence"]["resolving"]["value"] == 0
    for name in ("alpha", "naive"):
        assert recalls["window"][name]["value"] == 0
        assert recalls["sentence"][name]["value"] > 0


def test_a_window_of_one_sentence_is_no_setting(oracle: dict[str, Any], evidence: Path) -> None:
    one = of_sample(evidence, evidence / "none", "superset.window=1")
    assert one.flat() == of_sample(evidence, evidence / "none").flat() == oracle["settings"]
    assert "superset.window" not in oracle["settings"]
    assert "by_span" not in oracle["recall_within"]
    assert oracle["parts"]["superset"] == {"direction": "text", "words": "sentence", "gap": 3}
    assert "|superset:text,sentence|" in oracle["signature"]


def test_sentences_beyond_the_limits_and_what_a_system_does_not_assert_are_counted(
    configured: Callable[..., Configuration], tmp_path: Path
) -> None:
    *records, cut = (SAMPLE / "beta.jsonl").read_text(encoding="utf-8").splitlines()
    assert not cut.endswith("}")  # the sample's last record is damaged on purpose
    told = [
        json.dumps(json.loads(record) | {"negated": n % 3 == 0, "asserted": n % 5 != 0})
        for n, record in enumerate(records)
    ]
    (tmp_path / "told.jsonl").write_text("\n".join(told))
    corpus = tmp_path / "sentences.jsonl"
    # 200 mentions with 51 relation words have 19,900 × 51 candidates.
    names = [f"N{number}" for number in range(200)]
    places = [(5 * number, 5 * number + len(name)) for number, name in enumerate(names)]
    crowded = {
        "text": "".join(f"{name:5}" for name in names),
        "mentions": [
            {"start": start, "end": end, "entity": f"/m/{name}"}
            for (start, end), name in zip(places, names, strict=True)
        ],
        "relation_words": [f"r{number}" for number in range(51)],
    }
    extra = [crowded, {"text": "word " * 1_000_000}]
    lines = "".join(json.dumps(sentence) + "\n" for sentence in extra)
    corpus.write_text((SAMPLE / "sentences.jsonl").read_text() + lines)
    configuration = configured(
        f"corpus.sentences={corpus}",
        f"systems=['beta=jsonl:{tmp_path / 'told.jsonl'}']",
        "link.unasserted=exclude",
        partitions=2,
    )
    result = run(configuration)
    assert result == json.loads(json.dumps(plain_path.evaluate(configuration)))
    beyond = {
        "sentence of more than 1,000 tokens": 1,
        "sentence of more than 1,000,000 candidate facts": 1,
    }
    assert beyond.items() <= result["rejects"]["corpus"].items()
    left_out = result["systems"]["beta"]["extractions"]["out_of_scope"]
    # Every third is negated; of the others every fifth is not asserted. Extractions with one
    # argument or of no sentence of the corpus are told apart before.
    assert 0 < left_out["not asserted"] < left_out["negated"]
    assert "unasserted-exclude" in result["signature"]


# ----- facts without sentences


@pytest.fixture(scope="module")
def stated(evidence: Path, oracle: dict[str, Any]) -> list[dict[str, str]]:
    """The extractions of a system as facts: linked as a run links them, without the sentences."""
    assert oracle  # has built the evidence
    demo = Configuration.load(CONF)
    assert demo.corpus is not None
    dictionary = KnowledgeBase.open(evidence / "kb").dictionary
    sentences = {
        sentence_key(sentence.text): annotate_sentence(sentence, dictionary)
        for sentence in read_sentences(
            demo.corpus.sentences, format=demo.corpus.format, rejects=Rejects()
        )
    }
    facts = []
    for one in read_extractions(demo.systems[0], rejects=Rejects()):
        sentence = sentences.get(sentence_key(one.sentence))
        if sentence is None:  # the sample has some: a run counts them as without a sentence
            continue
        linked = link_extraction(sentence, one)
        e1, e2 = (m.entity if m else "NULL" for m in (linked.mention1, linked.mention2))
        names = {"name1": one.arg1, "name2": one.arg2}
        facts.append({"e1": e1, "r": one.relation, "e2": e2, **names})
    return facts


def write_facts(facts: list[dict[str, str]], path: Path) -> Path:
    lines = [facts[0].keys(), *(fact.values() for fact in facts)]
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    return path


def without_corpus(configuration: Configuration, facts: Path) -> Configuration:
    changed = {"corpus": None, "truth": None, "systems": [f"alpha=facts:{facts}"]}
    return Configuration.model_validate({**dict(configuration), **changed})


def test_a_fact_is_judged_like_the_extraction_that_states_it(
    evidence: Path, oracle: dict[str, Any], stated: list[dict[str, str]], tmp_path: Path
) -> None:
    """With the corpus all figures are those of the extractions; without it, those of S alone.

    On the plain path, which both engines are compared with.
    """
    facts = write_facts(stated, tmp_path / "facts.tsv")
    expected = oracle["systems"]["alpha"]
    configuration = of_sample(evidence, tmp_path / "run", f'systems=["alpha=facts:{facts}"]')
    given = plain_path.evaluate(configuration)["systems"]["alpha"]
    # The coverage of G' is estimated from all systems, which are more there.
    apart = dict.fromkeys(("extractions", "recall_bounds", "recall_corrected"))
    assert {**given, **apart} == {**expected, **apart}
    alone = plain_path.evaluate(without_corpus(configuration, facts))["systems"]["alpha"]
    assert alone["facts"] == expected["facts"]
    assert alone["precision"] == expected["precision"]
    assert {**alone["regions"], "c": None, "d": None} == alone["regions"]
    assert alone["recall"] is None
    assert alone["f1"] is None


@pytest.mark.parametrize(
    ("configured", "annotator"),
    [("local", "pmi"), ("local", "distant"), ("spark", "distant")],
    indirect=["configured"],
)
def test_facts_without_a_corpus_go_as_through_the_plain_path(
    configured: Callable[..., Configuration],
    annotator: str,
    stated: list[dict[str, str]],
    tmp_path: Path,
) -> None:
    """One entity is unknown to the knowledge base: the text counts the names that are given.

    What learns does so from exchanged facts.
    """
    known, unknown = "/m/s_london", "/m/0unknown"
    swapped = [{k: v.replace(known, unknown) for k, v in fact.items()} for fact in stated]
    next(fact for fact in swapped if fact["e2"] == unknown)["name2"] = "Great Britain"
    facts = write_facts(swapped, tmp_path / "facts.tsv")
    configuration = without_corpus(configured(f"annotator={annotator}", partitions=3), facts)
    result = run(configuration, page=True)
    assert result == json.loads(json.dumps(plain_path.evaluate(configuration)))
    if annotator == "distant":
        assert result["annotator"]["parameters"]["lesson"] == "exchanged"
    assert "|corpus:none|" in result["signature"]
    assert "Recall needs the corpus" in (configuration.run / "report.html").read_text()

    kb = KnowledgeBase.open(configuration.kb.path)
    names = {
        fact[name]
        for fact in swapped
        for side, name in (("e1", "name1"), ("e2", "name2"))
        if fact[side] == unknown
    }
    assert len(names) == 2
    assert configuration.index.collection is not None
    background = configuration.index.collection.read_text().splitlines()
    documents = [tokens(json.loads(line)["text"]) for line in background]
    counted = pq.read_table(configuration.run / "score" / "counts").to_pylist()
    rows = [row for row in counted if unknown in (row["e1"], row["e2"])]
    assert any(row["pair"] for row in rows)
    for row in rows:
        e1, e2 = (
            entity_element(e, kb.query_names(e) or tuple(names)) for e in (row["e1"], row["e2"])
        )
        expected = brute_force_counts(
            documents, e1, relation_element(row["r"]), e2, x=configuration.pmi.x
        )
        assert (row["pair"], row["classic"], row["proximity"]) == expected[:3]


def test_a_run_tells_what_its_stages_took_and_may_leave_out_the_report(
    evidence: Path, tmp_path: Path
) -> None:
    configuration = of_sample(evidence, tmp_path / "run", "engine=local")
    accounts: list[StageAccount] = []
    run(configuration, on_account=accounts.append)
    assert not (configuration.run / "report.html").exists()
    names = ["read", "annotate", "superset", "match", "score", "estimate"]
    assert [one.stage for one in accounts] == names
    told = json.loads((configuration.run / "stages.json").read_text())
    assert told == json.loads(json.dumps([one._asdict() for one in accounts]))
    read, *_, estimate = accounts
    lines = (CONF.parent / "sample" / "sentences.jsonl").read_text().splitlines()
    assert read.rows["sentences"] == len(lines)
    assert sum(read.skipped.values()) == 3  # one broken line in the output of each system
    assert all(one.seconds > 0 and one.peak_memory > 1 << 20 and one.bytes for one in accounts)
    judged = pq.read_table(configuration.run / "estimate" / "judged")
    assert estimate.rows == {"judged": judged.num_rows}
    # What is kept keeps what it took.
    run(configuration)
    again = json.loads((configuration.run / "stages.json").read_text())
    assert again == [one | {"kept": True} for one in told]
