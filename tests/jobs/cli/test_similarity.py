"""``distval similarity``: what it shows of two phrases, and what it counts in an index."""

import json
import math
from pathlib import Path

import pytest

from evaluator.model import Rejects
from evaluator.wordnet.lexicon import wordnet
from evaluator.wordnet.similarity import InformationContent, similarity
from indexes.collections import Document
from indexes.text.build import build_index
from tests.jobs.cli.test_cli import distval, refused


def told(*arguments: object) -> dict:
    done = distval("similarity", *arguments, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out, parse_constant=pytest.fail)  # strict: no Infinity, no NaN


def test_two_phrases_are_compared_word_by_word() -> None:
    found = told("was visited by the president", "leader or marriage", "--no-derivations")
    assert found["phrase"]["words"] == ["visit", "president"]
    assert found["relation"]["words"] == ["leader.n", "marriage.n"]
    assert [(pair["word"], pair["relation_word"]) for pair in found["pairs"]] == [
        ("visit", "leader.n"),
        ("visit", "marriage.n"),
        ("president", "leader.n"),
        ("president", "marriage.n"),
    ]
    best = found["best"]
    assert [pair for pair in found["pairs"] if pair["best"]] == [best]
    assert best["verdict"] == "related"
    assert best["sense"]["name"] == "president.n.01"
    assert best["relation_sense"]["name"] == best["subsumer"]["name"] == "leader.n.01"
    informations = [best[key]["information"] for key in ("sense", "relation_sense", "subsumer")]
    assert 1 / (informations[0] + informations[1] - 2 * informations[2]) == best["score"]


def test_identical_words_have_a_flag_in_place_of_a_score() -> None:
    found = told("was born in", "place of birth", "--derivations")["best"]
    assert found["identical"] is True
    assert found["score"] is None
    assert found["relation_word"] == "birth.n"
    shown = distval("similarity", "was born in", "place of birth", "--derivations").out
    (line,) = (line for line in shown.splitlines() if "* bear" in line)
    assert "identical" in line
    assert "give_birth.v.01" in line


def test_what_is_no_match_is_told_apart() -> None:
    shown = distval("similarity", "thinks", "visited by, president", "--no-derivations").out
    assert "no common subsumer" in shown  # to think, to visit
    (pair,) = told("levitated", "candidate", "--no-derivations")["pairs"]
    assert (pair["verdict"], pair["score"], pair["sense"]) == ("nothing in common", 0, None)


def test_options_change_the_senses() -> None:
    (found,) = told("makes", "held", "--sense-share", "0")["pairs"]
    (strict,) = told("makes", "held")["pairs"]
    assert found["identical"]
    assert not strict["identical"]
    assert "--sense-share" in refused("similarity", "makes", "held", "--sense-share", "2")
    assert "give one of NLTK's" in refused("similarity", "makes", "held", "--ic", "/none.dat")


def test_phrases_without_content_words() -> None:
    assert told("is in", "place")["best"] is None
    done = distval("similarity", "is in", "place")
    assert "no content word" in done.out


@pytest.mark.slow
@pytest.mark.jvm
def test_a_collection_of_ones_own_gives_the_information_content(tmp_path: Path) -> None:
    texts = ["The president visited the city.", "Presidents visit cities; the visits of presidents"]
    documents = [Document(str(number), "", text) for number, text in enumerate(texts)]
    build_index(documents, tmp_path / "news", source={}, rejects=Rejects())
    out = tmp_path / "ic-news.dat"
    counted = told("ic", tmp_path / "news", "--out", out)
    assert counted["occurrences"] == 8  # "the" and "of" are none
    assert counted["seen"] == 7

    counts = {"president": 1, "presidents": 2, "visited": 1, "visit": 1, "visits": 1}
    counts |= {"city": 1, "cities": 1}
    expected = InformationContent.from_word_counts(counts, wordnet())
    written = InformationContent.from_nltk_file(out, wordnet())
    assert (written.counts == expected.counts).all()
    best = told("visits the president of", "leader", "--ic", out)["best"]
    score = similarity(out, derivations=True, sense_share=0.1).words("president", "leader.n").score
    assert best["score"] == score
    assert 0 < score < math.inf
    assert "no such folder" in refused("similarity", "ic", tmp_path / "none", "--out", out)
