"""Runs over German text: refused by default, by words alone, and with a WordNet of a few lines."""

import json
from pathlib import Path

import duckdb
import pytest

from jobs.config import Configuration
from tests import plain_path
from tests.jobs.commands import refused, shown, told
from tests.jobs.sample_runs import run

SENTENCES = """\
Anna Berg wurde in Wien geboren.
Am Rhein leitet Carl Dorn seit gestern Nordbank AG.
Carl Dorn ist Präsident von Nordbank AG.
"""
EXTRACTIONS = (
    ("Anna Berg", "wurde geboren in", "Wien", 0),
    ("Carl Dorn", "leitet", "Nordbank AG", 1),
    ("Carl Dorn", "ist Präsident von", "Nordbank AG", 2),
    ("Carl Dorn", "ist nicht Präsident von", "Nordbank AG", 2),
)
NAMES = {
    "anna": ["Anna Berg"],
    "wien": ["Wien"],
    "carl": ["Carl Dorn"],
    "bank": ["Nordbank AG"],
    "ort": ["Geburtsort", "wurde geboren in"],
    "chef": ["Direktor"],
}
FACTS = ("anna ort wien", "carl chef bank")
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
WORDNET = """\
# president.n.01 and director.n.01
10468559-n\tdeu:lemma\tPräsident
10014939-n\tdeu:lemma\tDirektor
"""
BASE = "http://example.org/"
MATCHED = """SELECT r, relation, word, relation_word, matched, len(systems)
FROM read_parquet('{}/match/facts/*.parquet')"""


@pytest.fixture(scope="module")
def conf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("german")
    sentences = SENTENCES.splitlines()
    lines = [
        f'<{BASE}{id_}> <{ALIAS if place else LABEL}> "{name}"@de .'
        for id_, names in NAMES.items()
        for place, name in enumerate(names)
    ]
    lines += [" ".join(f"<{BASE}{part}>" for part in fact.split()) + " ." for fact in FACTS]
    (folder / "kb.nt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "sentences.txt").write_text(SENTENCES, encoding="utf-8")
    (folder / "wn-data-deu.tab").write_text(WORDNET, encoding="utf-8")
    (folder / "one.jsonl").write_text(
        "".join(
            json.dumps({"sentence": sentences[of], "arg1": e1, "relation": r, "arg2": e2}) + "\n"
            for e1, r, e2, of in EXTRACTIONS
        )
    )
    conf = folder / "german.toml"
    conf.write_text(
        """
name = "German"
run = "out"
engine = "local"
language = "de"
systems = ["one=jsonl:one.jsonl"]
relation.wordnet = "none"
[corpus]
sentences = "sentences.txt"
[kb]
path = "kb"
sources = ["kb.nt"]
format = "rdf"
language = "de"
[index]
path = "index"
collection = "sentences.txt"
format = "text"
"""
    )
    return conf


@pytest.fixture(scope="module", params=["none", "wn-data-deu.tab"])
def finished(conf: Path, request: pytest.FixtureRequest) -> Configuration:
    """A run with each lexicon."""
    words = conf.parent / request.param if request.param != "none" else "none"
    places = [f"run={conf.parent / f'out-{request.param}'}", f"relation.wordnet={words}"]
    configuration = Configuration.load(conf, overrides=places)
    run(configuration, page=True)
    return configuration


def test_a_run_is_what_the_plain_path_gives(finished: Configuration):
    result = json.loads((finished.run / "result.json").read_text())
    assert result == json.loads(json.dumps(plain_path.evaluate(finished)))


def test_relations_match_by_words_and_by_the_senses_that_are_known(finished: Configuration):
    matched = {
        r: (relation and relation.removeprefix(BASE), *rest)
        for r, relation, *rest, systems in duckdb.sql(MATCHED.format(finished.run)).fetchall()
        if systems
    }
    with_senses = finished.relation.wordnet != "none"
    assert matched == {
        # By the second name of the relation, which is asked where no sense can be.
        "wurde geboren in": ("ort", "wurde geboren in", "geburtsort", False)
        if with_senses
        else ("ort", "wurde geboren in", "wurde geboren in", True),
        "leitet": ("chef", "leitet", "direktor", False),
        "ist präsident von": ("chef", "präsident", "direktor", True)
        if with_senses
        else ("chef", "ist präsident von", "direktor", False),
        # Nobody knows that "nicht" says no.
        "ist nicht präsident von": ("chef", "präsident", "direktor", True)
        if with_senses
        else ("chef", "ist nicht präsident von", "direktor", False),
    }


def test_the_settings_of_a_run_are_read_again(finished: Configuration):
    assert Configuration.of_run(finished.run) == finished


def test_candidates_have_every_word_outside_the_mentions(finished: Configuration):
    result = json.loads((finished.run / "result.json").read_text())
    # "wurde in geboren"; "am rhein leitet seit gestern"; "ist präsident von": one pair each.
    assert result["corpus"]["candidates"] == 3 + 5 + 3
    # Facts of several words are none of them; only "leitet" is.
    assert result["systems"]["one"]["outside_candidates"] == 3


def test_signature_and_page_say_how_relations_were_matched(finished: Configuration):
    result = json.loads((finished.run / "result.json").read_text())
    page = (finished.run / "report.html").read_text()
    if finished.relation.wordnet == "none":
        assert "|match:equal-words-aliases>=0.4,both|" in result["signature"]
        assert "Without a WordNet relations were compared by their words alone" in page
        assert "Jiang" not in page
        settings = [f"run={finished.run}", "relation.wordnet=none"]
        given = [part for one in settings for part in ("--set", one)]
        assert "relations compared by their words alone" in shown(
            "run", finished.run.parent / "german.toml", *given
        )
    else:
        assert "|match:jcn-semcor-wn-data-deu.tab." in result["signature"]
        assert "Jiang" in page
        assert "words alone" not in page
    assert "|relation:all|" in result["signature"]


def test_a_fact_is_explained_as_the_run_has_it(finished: Configuration, tmp_path: Path):
    words = finished.relation.wordnet
    fact = ("Carl Dorn", "ist Präsident von", "Nordbank AG")
    source = finished.run.parent / "german.toml"
    settings = tmp_path / "german.toml"
    text = source.read_text().replace('"out"', f'"{finished.run}"')
    for name in ("one.jsonl", "sentences.txt", "kb.nt"):
        text = text.replace(f'"{name}"', f'"{source.parent / name}"')
    text = text.replace("jsonl:one.jsonl", f"jsonl:{source.parent / 'one.jsonl'}")
    text = text.replace('path = "kb"', f'path = "{source.parent / "kb"}"')
    text = text.replace('path = "index"', f'path = "{source.parent / "index"}"')
    settings.write_text(text.replace('wordnet = "none"', f'wordnet = "{words}"'))
    found = told("explain", *fact, "--conf", settings)
    assert found["r"]["key"] == "ist präsident von"
    assert found["sentence"]["sentences"] == 1
    [row] = found["database"]
    assert row["matched"] == (words != "none")
    assert found["verdict"] is True


def test_the_text_is_refused_without_a_lexicon_of_its_language(conf: Path):
    out = f"run={conf.parent / 'refused'}"
    many = conf.parent / "many.txt"
    many.write_text("Die alte Brücke war wegen der großen Schäden lange gesperrt worden.\n" * 40)
    auto = [
        "--set",
        out,
        "--set",
        "language=auto",
        "--set",
        "kb.language=mul",
        "--set",
        f"index.collection={many}",
    ]
    for wordnet in ("english", "none"):
        line = refused("run", conf, *auto, "--set", f"relation.wordnet={wordnet}")
        assert f"{many}: is not in English" in line
    line = refused("run", conf, "--set", out, "--set", "relation.wordnet=english")
    assert line == (
        f'distval: {conf}: configuration: language = "de": the shipped WordNet is English; set '
        'relation.wordnet = "none", or to a WordNet of that language in the format of the Open '
        "Multilingual WordNet"
    )
    assert not (conf.parent / "refused").exists()


def test_further_words_are_english_alone(conf: Path):
    line = refused("words", "leitet", "--conf", conf)
    assert line == (
        f"distval: {conf}: further words are from the shipped WordNet, and relation.wordnet is "
        "another"
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["relation.wordnet=wn.tab", "language=en"], "say the language of both"),
        (["relation.wordnet=wn.tab"], "wn.tab: No such file or directory; expected a file of the"),
        (["relation.widen=['derivations']"], "widen takes further words from the shipped WordNet"),
        (["match.ic=ic.dat"], 'match.ic is for a WordNet, and relation.wordnet is "none"'),
        (["language=auto"], 'kb.language = "de" and no language of the text: set language = "de"'),
        (["language=de,en"], "'de,en' are several languages; a text is read in one"),
        (["language=pt_BR.UTF-8"], "no tag of one, such as en, pt-br, mul: write pt-br"),
        (["language=Deutsch!"], "language 'deutsch!' is no tag of one"),
    ],
)
def test_settings_that_do_not_fit_are_refused_in_one_line(
    conf: Path, settings: list[str], said: str
):
    given = [part for one in settings for part in ("--set", one)]
    assert said in refused("run", conf, *given)


def test_names_of_relations_are_compared_unless_the_settings_say_otherwise(conf: Path):
    assert Configuration.load(conf).match.aliases
    assert not Configuration.load(conf, overrides=["match.aliases=false"]).match.aliases
    assert not Configuration.load(
        conf, overrides=["relation.wordnet=english", "language=en"]
    ).match.aliases


def test_a_changed_file_has_relations_matched_anew(conf: Path, tmp_path: Path):
    words = tmp_path / "wn.tab"
    words.write_text(WORDNET, encoding="utf-8")
    settings = [f"run={tmp_path / 'run'}", f"relation.wordnet={words}"]
    first = run(Configuration.load(conf, overrides=settings))
    words.write_text(WORDNET.replace("10014939", "10780632"), encoding="utf-8")  # wife.n.01
    second = Configuration.load(conf, overrides=settings)
    assert first["signature"].count("wn.tab.") == 1
    assert second.measure_name not in first["signature"]
    assert second.lexicon_digest != Configuration.load(conf).lexicon_digest
