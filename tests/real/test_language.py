"""The corpora of the public data are English to the check, BenchIE's other languages are not."""

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from evaluator.corpus.language import require_english
from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.collections import read_collection
from jobs.config import Configuration
from jobs.run import pipeline
from tests.jobs.commands import refused


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def fewrel(path: Path) -> list[str]:
    relations = json.loads(path.read_text(encoding="utf-8"))
    return [" ".join(each["tokens"]) for of in relations.values() for each in of]


def documents(path: Path) -> list[str]:
    found = read_collection(path, format="auto", select=(), rejects=Rejects())
    return [next(found).text for _ in range(200)]


@pytest.mark.parametrize(
    ("path", "read"),
    [
        ("gold/benchie/sample300_en.txt", lines),
        ("gold/oie2016/raw_sentences_all.txt", lines),
        ("gold/carb/test.tsv", lines),
        ("clausie_labelled/reverb/sentences.txt", lines),
        ("fb15k237/kgbert_FB15K_relation2text.txt", lines),
        ("fewrel/val_nyt.json", fewrel),
        ("wikipedia2015/enwiki2015_AA_AC.tar.xz", documents),
    ],
)
def test_english_is_read(data: Path, path: str, read: Callable[[Path], list[str]]):
    require_english(read(data / path), data / path)


@pytest.mark.parametrize("language", ["de", "zh"])
def test_other_languages_are_refused(data: Path, language: str):
    path = data / "gold" / "benchie" / f"sample300_{language}.txt"
    with pytest.raises(InputError, match="is not in English"):
        require_english(lines(path), path)


NAMES = {
    "baker": ("Mr. Baker",),
    "kases": ("Kentucky Association of Science Educators and Skeptics",),
    "hofmann": ("Hofmann",),
    "slc": ("Salt Lake City",),
    "trek": ("Trek", "Treks"),
    "burke": ("Dick Burke",),
    "leiter": ("Leiter", "leitet"),
    "ort": ("Geburtsort", "geboren in"),
    "chef": ("Direktor",),
}
FACTS = ("baker leiter kases", "hofmann ort slc", "trek chef burke")
WORDS = """\
10468559-n\tdeu:lemma\tPräsident
10014939-n\tdeu:lemma\tDirektor
"""
SETTINGS = """
name = "BenchIE German"
run = "out"
engine = "local"
systems = ["m2oie=jsonl:m2oie.jsonl"]
corpus.sentences = "s.txt"
kb = {path = "kb", sources = ["kb.nt"], format = "rdf", language = "de"}
index = {path = "index", collection = "s.txt", format = "text"}
"""


def test_german_is_evaluated_by_words_or_by_senses_that_a_file_gives(data: Path, tmp_path: Path):
    """BenchIE's sentences and Multi2OIE's extractions, with a database of three facts of theirs.

    "Mr. Baker leitet die Kentucky Association …"; "sagt Treks Präsident Dick Burke"; and "Hofmann
    wurde in Salt Lake City, Utah, geboren", whose extractions lack the place or the verb.
    """
    gold = data / "gold" / "benchie"
    sentences = lines(gold / "sample300_de.txt")
    (tmp_path / "s.txt").write_text("\n".join(sentences) + "\n", encoding="utf-8")
    with (tmp_path / "m2oie.jsonl").open("w") as file:
        for line in lines(gold / "extractions" / "m2oie_de_explicit.txt"):
            number, *slots = line.split("\t")
            said = dict(zip(("arg1", "relation", "arg2"), slots, strict=True))
            print(json.dumps({"sentence": sentences[int(number) - 1], **said}), file=file)
    label, alias = "2000/01/rdf-schema#label", "2004/02/skos/core#altLabel"
    statements = [
        f'<http://e/{id_}> <http://www.w3.org/{alias if place else label}> "{name}"@de .'
        for id_, names in NAMES.items()
        for place, name in enumerate(names)
    ]
    statements += [" ".join(f"<http://e/{part}>" for part in of.split()) + " ." for of in FACTS]
    (tmp_path / "kb.nt").write_text("\n".join(statements), encoding="utf-8")
    (tmp_path / "words.tab").write_text(WORDS, encoding="utf-8")
    conf = tmp_path / "german.toml"
    conf.write_text(SETTINGS)

    def matched(wordnet: Path | str) -> tuple[set[tuple[str, ...]], int]:
        settings = ("language=de", f"relation.wordnet={wordnet}")
        configuration = Configuration.load(conf, overrides=settings)
        result = pipeline.run(configuration, page=False)
        rows = duckdb.sql(
            "SELECT e1, r, e2, relation, matched "
            f"FROM read_parquet('{configuration.run}/match/facts/*.parquet')"
        ).fetchall()
        found = [tuple(part.removeprefix("http://e/") for part in of) for *of, yes in rows if yes]
        assert all(r for _, r, _, _, _ in rows)
        return set(found), result.systems["m2oie"].extractions.in_scope

    assert "no language of the text" in refused("run", conf)
    assert "is not in English" in refused("run", conf, "--set", "kb.language=mul")
    assert "the shipped WordNet is English" in refused("run", conf, "--set", "language=de")
    by_words = {("baker", "leitet", "kases", "leiter")}
    assert matched("none") == (by_words, 2)
    by_senses = {("trek", "präsident", "burke", "chef")}
    assert matched(tmp_path / "words.tab") == (by_senses, 2)
