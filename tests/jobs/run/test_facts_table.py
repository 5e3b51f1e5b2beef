"""The table of facts: against plain loops over the same Parquet, and as it is documented."""

import csv
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaluator.annotators.sentence_evidence import closest_spans
from evaluator.errors import InputError
from evaluator.labels.sheets import Answer
from evaluator.model import Fact, Sentence
from evaluator.results.result import Result
from indexes.kb.build import build_knowledge_base
from indexes.kb.knowledge_base import KnowledgeBase
from jobs.config import Configuration
from jobs.run.facts_condition import FactCondition
from jobs.run.facts_table import FACTS_TABLE, JUDGED_COLUMNS, REGIONS, FactsTable
from jobs.run.label_folder import words
from jobs.run.stating import closest_sentences
from tests.jobs.commands import refused, shown
from tests.jobs.sample_runs import SAMPLE, of_sample, run

DOCS = Path(__file__).parents[3] / "docs" / "facts.md"
UNDEFINED = {"no pair", "no answer", "no relation word", "negated"}


@pytest.fixture(scope="module")
def rows(finished: Configuration) -> list[dict]:
    with FactsTable.open(finished.run, workers=1) as table:
        return table.rows()


def fact_of(row: dict) -> Fact:
    return Fact(row["e1"], row["r"], row["e2"], row["negated"])


def read(folder: Path) -> list[dict]:
    return pq.read_table(folder).to_pylist()


def test_every_judged_fact_is_there_once_as_it_was_judged(
    finished: Configuration, rows: list[dict]
) -> None:
    judged = {fact_of(row): row for row in read(finished.run / "estimate" / "judged")}
    assert [fact_of(row) for row in rows] == sorted(judged)
    others = {"kb_relation": "relation", "kb_inverse": "inverse"}
    same = {*JUDGED_COLUMNS.names} & {*next(iter(judged.values()))} - {"e1", "r", "e2", "negated"}
    assert {"verdict", "score", "systems", "pair", "sentences", "similarity"} < same
    for row in rows:
        of = judged[fact_of(row)]
        for name in same:
            assert row[name] == of[name], (name, row)
        for name, theirs in others.items():
            assert row[name] == of[theirs]


def test_names_are_those_of_the_knowledge_base(finished: Configuration, rows: list[dict]) -> None:
    kb = KnowledgeBase.open(finished.kb.path)
    for row in rows:
        assert (row["name1"], row["name2"]) == (kb.label(row["e1"]), kb.label(row["e2"]))
        assert row["degree1"] == (kb.popularity(row["e1"])[1] if row["e1"] in kb else None)
        if row["kb_relation"] is not None:
            assert row["kb_label"] == kb.relation(row["kb_relation"]).label


def region(row: dict, system: str) -> str | None:
    """The region of Figure 1 of the paper that a fact is in, told anew."""
    verdict = row["verdict"]
    if system in row["systems"]:
        if verdict in UNDEFINED:
            return "undefined"
        return {"matched": "b", "accepted": "a", "rejected": "not correct", None: None}[verdict]
    if not row["candidate"]:
        return None
    if verdict in UNDEFINED:
        return "candidate undefined"
    return {"matched": "c", "accepted": "d"}.get(verdict)


def test_a_few_facts_are_opened_as_they_are_among_all(
    finished: Configuration, rows: list[dict]
) -> None:
    wanted = rows[::97]
    only = [fact_of(row) for row in wanted]
    with FactsTable.open(finished.run, workers=1, only=only) as table:
        assert table.rows() == wanted


def test_each_system_has_its_region(finished: Configuration, rows: list[dict]) -> None:
    systems = [source.name for source in finished.systems]
    seen = set()
    for row in rows:
        assert row["regions"] == {name: region(row, name) for name in systems}
        seen |= {*row["regions"].values()}
        first = next((name for name in systems if name in row["systems"]), None)
        assert row["system"] == first
        assert row["region"] == (None if first is None else region(row, first))
    assert seen == {*REGIONS, None}


def test_regions_of_a_census_are_those_of_the_result(evidence: Path, tmp_path: Path) -> None:
    everything = ("sample.system=10000", "sample.candidates=40000", "engine=local")
    run(of_sample(evidence, tmp_path / "run", *everything))
    result = Result.read(tmp_path / "run" / "result.json")
    with FactsTable.open(tmp_path / "run", workers=1) as table:
        counts = {
            name: Counter(row["regions"][name] for row in table.rows()) for name in result.systems
        }
    for name, system in result.systems.items():
        told = {letter: system.regions[letter].value for letter in "abcd"}
        assert {letter: counts[name][letter] for letter in "abcd"} == told
        assert counts[name]["not correct"] == system.rejected.value
        undefined = system.undefined_facts
        assert counts[name]["undefined"] == undefined["system"].value
        assert counts[name]["candidate undefined"] == undefined["candidates"].value


def test_the_sentence_is_the_closest_with_its_elements(
    finished: Configuration, rows: list[dict]
) -> None:
    sentences = {
        (row["document"], row["number"]): row["text"]
        for row in read(finished.run / "annotate" / "sentences")
    }
    linked = defaultdict(list)
    for row in read(finished.run / "superset" / "linked"):
        linked[fact_of(row)].append((row["document"], row["number"]))
    closest = closest_sentences(finished.run, [fact_of(row) for row in rows])
    elsewhere = 0
    for row in rows:
        place = row["document"], row["number"]
        assert row["sentence"] == sentences.get(place)
        of: Sentence | None = closest.get(fact_of(row))
        spans = sorted(
            (row[f"{name}_start"], row[f"{name}_end"], name)
            for name in ("e1", "r", "e2")
            if row[f"{name}_start"] is not None
        )
        if of is not None:
            assert place == (of.document, of.number)
            assert spans == closest_spans(of, fact_of(row))
            marked = {name: row["sentence"][start:end] for start, end, name in spans}
            assert {"e1", "e2"} <= {*marked}
        elif stated := [where for where in linked[fact_of(row)] if where[0] is not None]:
            elsewhere += 1
            assert place == min(stated)
            assert spans == []
        else:
            assert place == (None, None)
    assert len(closest) > 1000


def test_the_extraction_is_one_that_the_system_wrote_for_the_fact(
    finished: Configuration, rows: list[dict]
) -> None:
    written = {
        (row["system"], row["line"]): row for row in read(finished.run / "read" / "extractions")
    }
    linked = defaultdict(list)
    for row in read(finished.run / "superset" / "linked"):
        if row["reason"] is None:
            linked[fact_of(row), row["system"]].append(row)
    for row in rows:
        of = linked[fact_of(row), row["system"]]
        here = [
            one
            for one in of
            if (one["document"], one["number"]) == (row["document"], row["number"])
        ]
        chosen = min((one["line"] for one in here or of), default=None)
        assert row["line"] == chosen
        for name in ("arg1", "relation", "arg2", "confidence"):
            assert row[name] == (written[row["system"], chosen][name] if chosen else None)
    assert sum(row["line"] is not None for row in rows) > 100


def test_labels_are_those_of_the_folder(
    finished: Configuration, rows: list[dict], tmp_path: Path
) -> None:
    folder = tmp_path / "labels"
    folder.mkdir()
    one, two, three = (fact_of(row) for row in rows[:3])
    said = [
        (one, "ann", "true", True), (one, "bob", "true", None), (two, "ann", "link wrong", False),
        (three, "ann", "true", None), (three, "bob", "false", None), (three, "cat", "skip", None),
    ]  # fmt: skip
    answers = [
        Answer(f"{fact.r} {fact.e2}", *words(fact), word, stated, "", rater)
        for fact, rater, word, stated in said
    ]
    lines = [json.dumps(answer.as_json()) for answer in answers]
    (folder / "answers.jsonl").write_text("\n".join(lines))
    with FactsTable.open(finished.run, labels=folder, workers=1) as table:
        told = {fact_of(row): row for row in table.rows("labels IS NOT NULL")}
    assert {fact: row["label"] for fact, row in told.items()} == {
        one: "true", two: "link wrong", three: "disputed",
    }  # fmt: skip
    assert told[one]["labels"] == [
        {"rater": "ann", "label": "true", "stated": True},
        {"rater": "bob", "label": "true", "stated": None},
    ]
    assert [row["label"] for row in rows] == [None] * len(rows)


def test_records_that_share_a_line_keep_their_own_facts(
    evidence: Path, finished: Configuration, tmp_path: Path
) -> None:
    text = "Ada Lovelace was born in London and met with Charles Babbage."
    triples = [
        {"subject": "Ada Lovelace", "predicate": "met with", "object": "Charles Babbage"},
        {"subject": "Ada Lovelace", "predicate": "was born in", "object": "London"},
    ]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps([{"sentence": text, "triples": triples}]) + "\n")
    run(of_sample(evidence, tmp_path / "run", f'systems=["mine=json:{file}"]', "engine=local"))
    with FactsTable.open(tmp_path / "run", workers=1) as table:
        told = {row["r"]: (row["relation"], row["arg2"]) for row in table.rows("len(systems) > 0")}
    assert told == {"meet": ("met with", "Charles Babbage"), "bear": ("was born in", "London")}


def test_records_that_share_a_line_and_a_window_keep_their_own_facts(
    evidence: Path, tmp_path: Path
) -> None:
    """Both objects stand in the sentence before, and are found there again."""
    texts = ["Ada Lovelace met Charles Babbage in London.", "Later Alan Turing said so."]
    corpus = tmp_path / "sentences.jsonl"
    corpus.write_text(
        "".join(
            json.dumps({"document": "d", "number": number, "text": text}) + "\n"
            for number, text in enumerate(texts)
        )
    )
    triples = [
        {"subject": "Alan Turing", "predicate": "praised", "object": "Charles Babbage"},
        {"subject": "Alan Turing", "predicate": "visited", "object": "London"},
    ]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps([{"sentence": texts[1], "triples": triples}]) + "\n")
    overrides = [f'systems=["mine=json:{file}"]', f"corpus.sentences={corpus}", "engine=local"]
    run(of_sample(evidence, tmp_path / "run", *overrides, "superset.window=2"))
    with FactsTable.open(tmp_path / "run", workers=1) as table:
        told = {row["r"]: (row["relation"], row["arg2"]) for row in table.rows("len(systems) > 0")}
    assert told == {"praise": ("praised", "Charles Babbage"), "visit": ("visited", "London")}


def test_facts_that_are_given_without_sentences_have_their_names(
    evidence: Path, tmp_path: Path
) -> None:
    file = tmp_path / "given.tsv"
    file.write_text(
        "e1\tr\te2\tname1\tname2\n"
        "/m/s_ada_lovelace\twas born in\t/m/s_london\tAda\tLondon\n"
        "/m/nobody\tmet\t/m/s_london\tA Nobody\tLondon\n"
    )
    c = of_sample(evidence, tmp_path / "run", f'systems=["alpha=facts:{file}"]', "engine=local")
    run(c.model_copy(update={"corpus": None, "truth": None}))
    with FactsTable.open(tmp_path / "run", workers=1) as table:
        found = {row["r"]: row for row in table.rows()}
    assert found["bear"]["name1"] == "Ada Lovelace"
    assert found["meet"]["name1"] == "A Nobody"
    assert found["meet"]["arg1"] == "A Nobody"
    assert found["bear"]["relation"] == "was born in"
    assert found["bear"]["line"] == 2
    assert found["bear"]["sentence"] is None


def test_every_column_is_documented_with_its_type() -> None:
    _, _, section = DOCS.read_text(encoding="utf-8").partition("## Columns")
    types: dict[str, str] = {}
    for line in section.splitlines():
        names, _, rest = line.strip("| ").partition(" | ")
        kinds = [kind.strip() for kind in rest.partition(" | ")[0].split(",")]
        for place, name in enumerate(re.findall(r"`(\w+)`", names)):
            types[name] = kinds[min(place, len(kinds) - 1)]
    assert {*types} == {*FACTS_TABLE.names}
    for field in FACTS_TABLE:
        kind = str(field.type)
        if pa.types.is_map(field.type):
            kind = "map of string to string"
        elif pa.types.is_list(field.type):
            inner = field.type.value_type
            kind = f"list of {'struct' if pa.types.is_struct(inner) else inner}"
        assert types[field.name] == kind, field.name


def test_regions_are_documented() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z ]+)` \| (?:yes|no)", text, re.MULTILINE) == [
        "a", "b", "not correct", "undefined", "c", "d", "candidate undefined",
    ]  # fmt: skip


def test_files_hold_the_table(finished: Configuration, rows: list[dict], tmp_path: Path) -> None:
    shown("facts", finished.run, "--csv", tmp_path / "facts.csv")
    shown("facts", finished.run, "--parquet", tmp_path / "facts.parquet")
    table = pq.read_table(tmp_path / "facts.parquet")
    assert table.schema.names == FACTS_TABLE.names
    assert [row | {"regions": dict(row["regions"])} for row in table.to_pylist()] == rows
    with (tmp_path / "facts.csv").open(encoding="utf-8-sig", newline="") as stream:
        lines = list(csv.DictReader(stream))
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        assert line["sentence"] == (row["sentence"] or "")
        assert json.loads(line["regions"]) == row["regions"]
        assert json.loads(line["systems"]) == row["systems"]
        assert line["score"] == ("" if row["score"] is None else repr(row["score"]))
        assert line["negated"] == str(row["negated"]).lower()


def test_json_lines_hold_the_table(
    finished: Configuration, rows: list[dict], tmp_path: Path
) -> None:
    shown("facts", finished.run, "--jsonl", tmp_path / "facts.jsonl")
    lines = (tmp_path / "facts.jsonl").read_text(encoding="utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    assert told == [{**row, "regions": dict(row["regions"])} for row in rows]
    assert list(told[0]) == FACTS_TABLE.names


# Read by another library; the queries are those that a user of RDF-star would ask.
def test_rdf_says_of_each_fact_what_the_table_does(
    finished: Configuration, rows: list[dict], tmp_path: Path
) -> None:
    import pyoxigraph

    shown("facts", finished.run, "--rdf", tmp_path / "facts.ttl")
    store = pyoxigraph.Store()
    store.load(path=str(tmp_path / "facts.ttl"), format=pyoxigraph.RdfFormat.TURTLE)

    def asked(what: str, where: str) -> list[tuple[str, ...]]:
        prefixes = (
            "PREFIX dv: <urn:distval:term:> PREFIX prov: <http://www.w3.org/ns/prov#> "
            "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>"
        )
        found = store.query(f"{prefixes} SELECT {what} WHERE {{ {where} }}")
        return [tuple(term.value for term in row) for row in found]

    verdicts = asked("?s ?p ?o ?v", "<< ?s ?p ?o >> dv:verdict ?v")
    begins = "http://rdf.freebase.com/ns/m."
    assert Counter(verdicts) == Counter(
        (
            begins + row["e1"].removeprefix("/m/"),
            f"urn:distval:relation:{'not%20' * row['negated']}{row['r']}",
            begins + row["e2"].removeprefix("/m/"),
            row["verdict"] or "not judged",
        )
        for row in rows
    )
    scores = asked("?x", "<< ?s ?p ?o >> dv:score ?x ; dv:statedBy 'beta'")
    assert sorted(float(of) for (of,) in scores) == sorted(
        row["score"] for row in rows if row["score"] is not None and "beta" in row["systems"]
    )
    [(signature,)] = asked(
        "DISTINCT ?x", "<< ?s ?p ?o >> prov:wasGeneratedBy ?run . ?run dv:signature ?x"
    )
    assert signature == Result.read(finished.run / "result.json").signature
    names = {(begins + row["e1"].removeprefix("/m/"), row["name1"]) for row in rows}
    assert names <= set(asked("?e ?n", "?e rdfs:label ?n"))
    assert not asked("?s", "?s ?p ?o . FILTER(STRSTARTS(STR(?p), 'urn:distval:relation:'))")


@pytest.mark.parametrize(
    "name", ['a "b" \\ c', "<script>", "tab\tline\nend", "naïve 東京 \x7f", "a>b<c", "50%"]
)
def test_rdf_holds_whatever_a_name_holds(
    finished: Configuration, rows: list[dict], tmp_path: Path, name: str
) -> None:
    import pyoxigraph

    from jobs.run.facts_rdf import write_facts_turtle

    row = rows[0] | {"e1": name, "r": name, "name1": f"{name}!", "sentence": name}
    row |= {"document": name, "number": 0, "systems": [name]}
    batch = pa.RecordBatch.from_pylist([row], schema=FACTS_TABLE)
    result = Result.read(finished.run / "result.json")
    write_facts_turtle(tmp_path / "f.ttl", iter([batch]), result, None)
    store = pyoxigraph.Store()
    store.load(path=str(tmp_path / "f.ttl"), format=pyoxigraph.RdfFormat.TURTLE)
    literals = {quad.object.value for quad in store if hasattr(quad.object, "datatype")}
    assert {name, f"{name}!"} <= literals


def test_a_run_is_logged_to_mlflow_with_the_ends_of_its_intervals(
    finished: Configuration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mlflow = pytest.importorskip("mlflow", reason="MLflow is not installed: it is no dependency")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "tracked").as_uri())
    told = json.loads(shown("track", finished.run, "--experiment", "mine", "--json"))
    logged = mlflow.get_run(told["run_id"])
    result = Result.read(finished.run / "result.json")
    for name, system in result.systems.items():
        for end, value in zip(("", ".low", ".high"), system.precision[:3], strict=True):
            assert logged.data.metrics[f"{name}/precision{end}"] == value
    assert logged.data.tags["distval.signature"] == result.signature
    assert logged.data.params["pmi.threshold"] == str(result.settings["pmi.threshold"])


def test_without_mlflow_the_line_that_brings_it_is_told(
    finished: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mlflow", None)
    assert refused("track", finished.run).endswith("MLflow is not installed: pip install mlflow")


def test_options_choose_facts(finished: Configuration, rows: list[dict], tmp_path: Path) -> None:
    def written(*options: object) -> list[Fact]:
        shown("facts", finished.run, *options, "--parquet", tmp_path / "some.parquet")
        return [fact_of(row) for row in read(tmp_path / "some.parquet")]

    def expected(condition) -> list[Fact]:
        found = [fact_of(row) for row in rows if condition(row)]
        assert found
        return found

    assert written("--system", "beta") == expected(lambda row: "beta" in row["systems"])
    assert written("--system", "beta", "--region", "c,d") == expected(
        lambda row: row["regions"]["beta"] in ("c", "d")
    )
    assert written("--verdict", "not judged") == expected(lambda row: row["verdict"] is None)
    assert written("--where", "score > 0.5 and len(systems) = 1") == expected(
        lambda row: (row["score"] or 0) > 0.5 and len(row["systems"]) == 1
    )
    # The sentence is looked up before the condition is.
    said = "contains(sentence, 'Curie') and confidence > 0.5"
    assert written("--where", said) == expected(
        lambda row: "Curie" in (row["sentence"] or "") and (row["confidence"] or 0) > 0.5
    )
    assert written("--where", said, "--limit", 1) == written("--where", said)[:1]
    assert written("--system", "gamma", "--limit", 3) == written("--system", "gamma")[:3]


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "secret.csv"
    file.write_text("a\n1\n")
    yield file
    assert file.read_text() == "a\n1\n"


def test_a_run_that_lost_its_extractions_or_labels_that_are_none_are_told(
    finished: Configuration, tmp_path: Path
) -> None:
    copied = copytree(finished.run, tmp_path / "run")
    next((copied / "read" / "extractions").glob("*.parquet")).unlink()
    with pytest.raises(InputError, match="run/read"), FactsTable.open(copied, workers=1):
        pass
    nowhere = FactsTable.open(finished.run, workers=1, labels=tmp_path / "none")
    with pytest.raises(InputError, match="is no label folder"), nowhere:
        pass


def test_a_condition_reaches_nothing_but_the_columns(
    finished: Configuration, secret: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    out.write_text("old")
    for condition, told in {
        "score >": "syntax error",
        "scor > 0.5": "the columns are e1, name1",
        "score > 0.5; DROP TABLE facts": "Parser Error",
        "true) UNION SELECT * FROM (SELECT 1": "syntax error",
        f"(SELECT count(*) FROM read_csv('{secret}')) > 0": "disabled by configuration",
        f"(SELECT count(*) FROM '{secret}') > 0": "disabled by configuration",
        "(SELECT count(*) FROM batch) > 0": "does not exist",
        "sum(score) > 1": "aggregates",
        "name1": "BOOL",
    }.items():
        line = refused("facts", finished.run, "--where", condition, "--csv", out)
        assert told in line, line
        assert out.read_text() == "old"


def test_conditions_know_what_they_need() -> None:
    assert FactCondition("score > 0.5 or regions['alpha'] = 'a'").is_on_judged
    assert not FactCondition("sentence LIKE '%x%'").is_on_judged
    assert not FactCondition("confidence > 0.5").is_on_judged


def test_a_condition_that_does_not_end_is_told_in_one_line(
    finished: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobs.run.facts_condition._LONGEST", 1)
    endless = "levenshtein(repeat(name1, 3000), repeat('z', 30000)) > 0"
    line = refused("facts", finished.run, "--where", endless)
    assert line.startswith(f"distval: --where {endless}: takes more than 1 s; the columns are e1")


def test_names_are_those_of_the_knowledge_base_that_the_run_judged_by(
    evidence: Path, finished: Configuration, tmp_path: Path
) -> None:
    other = copytree(finished.run, tmp_path / "run")
    dump = tmp_path / "kb.nt"
    dump.write_text((SAMPLE / "kb.nt").read_text().replace('"Ada Lovelace"', '"Augusta King"'))
    kb = tmp_path / "kb"
    build_knowledge_base([dump], kb)
    settings = other / "configuration.json"
    settings.write_text(settings.read_text().replace(str(finished.kb.path), str(kb)))
    line = refused("facts", other)
    judged_by = Result.read(finished.run / "result.json").parts.kb
    assert line == (
        f"distval: {kb}: is not what the run judged by ({judged_by}); run distval run again"
    )


def test_bad_options_are_told_in_one_line(finished: Configuration, tmp_path: Path) -> None:
    assert "name one, with --system: alpha" in refused("facts", finished.run, "--region", "a")
    assert "no system delta" in refused("facts", finished.run, "--system", "delta")
    one = ("--system", "beta", "--region")
    assert "expected some of a, b, c, d" in refused("facts", finished.run, *one, "e")
    assert "expected some of matched" in refused("facts", finished.run, "--verdict", "good")
    both = ("--csv", tmp_path / "a", "--parquet", tmp_path / "b")
    assert "name one of them" in refused("facts", finished.run, *both)
    assert "no finished run" in refused("facts", tmp_path)


def test_what_begins_like_a_formula_is_guarded_in_csv(
    finished: Configuration, tmp_path: Path
) -> None:
    from jobs.run.facts_files import write_facts_csv

    with FactsTable.open(finished.run, workers=1) as table:
        [batch] = table.batches(limit=1)
    row = batch.to_pylist()[0] | {"name1": "=1+1", "arg1": "@SUM(A1)", "score": -0.5}
    told = pa.RecordBatch.from_pylist([row], schema=FACTS_TABLE)
    write_facts_csv(tmp_path / "f.csv", iter([told]))
    with (tmp_path / "f.csv").open(encoding="utf-8-sig", newline="") as stream:
        [line] = csv.DictReader(stream)
    assert (line["name1"], line["arg1"], line["score"]) == ("'=1+1", "'@SUM(A1)", "-0.5")
