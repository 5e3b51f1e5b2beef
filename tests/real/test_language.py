"""The corpora of the public data are English to the check, BenchIE's other languages are not."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.corpus.language import require_english
from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.collections import read_collection


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
