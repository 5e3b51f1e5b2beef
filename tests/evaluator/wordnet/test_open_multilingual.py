"""Words of another language over the shipped WordNet's senses. The offsets are WordNet 3.0's."""

import pickle
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.wordnet.lexicon import wordnet
from evaluator.wordnet.open_multilingual import OpenWordNet, open_multilingual
from evaluator.wordnet.similarity import IDENTICAL, similarity

# president.n.01, director.n.01, wife.n.01, spouse.n.01, marry.v.01, and "German" the adjective.
LINES = """\
# Made by hand\tdeu\thttps://example.org/\tnone

10468559-n\tdeu:lemma\tPräsident
10014939-n\tdeu:lemma\tDirektor
10014939-n\tdeu:lemma\tLeiter
10468559-n\tdeu:lemma\tLeiter
10780632-n\tdeu:lemma\tEhefrau
10640620-n\tdeu:lemma\tEhegatte
02488834-v\tdeu:lemma\theiraten
02488834-v\tdeu:lemma\tzur Frau nehmen
02488834-v\tdeu:def\t0\tsich ehelich verbinden
02488834-v\tdeu:count\theiraten\t4
02488834-v\tdeu:lemma:root\theirat
02957276-a\tdeu:lemma\tdeutsch
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "wn-data-deu.tab"
    path.write_text(LINES, encoding="utf-8")
    return path


def test_words_have_the_senses_that_the_file_gives_them(file: Path):
    german = OpenWordNet(file)

    def names(lemma: str, pos: str) -> list[str]:
        return [german.sense_name(row) for row in german.senses(lemma, pos)]

    assert names("leiter", "n") == ["director.n.01", "president.n.01"]  # in the file's order
    assert names("heiraten", "v") == ["marry.v.01"]
    assert names("heiraten", "n") == names("president", "n") == []
    assert "präsident" in german
    assert all(
        word not in german for word in ("deutsch", "zur frau nehmen", "frau", "heirat", "Präsident")
    )
    assert german.tags("leiter", "n") == (0, 0)
    assert german.derivations("leiter", "n") == ((), ())


def test_similarities_are_those_of_the_same_senses_in_english(file: Path):
    english = similarity()
    president, director, wife, spouse = (
        wordnet().row("n", offset) for offset in (10468559, 10014939, 10780632, 10640620)
    )
    german = similarity(words=file, derivations=True, sense_share=0.1)
    assert german.words("präsident", "direktor").score == english.senses(president, director)
    assert german.words("ehefrau", "ehegatte") == (
        english.senses(wife, spouse), "ehefrau", "ehegatte", "wife.n.01", "spouse.n.01",
        "spouse.n.01",
    )  # fmt: skip
    # No sense is left out: none is known to be rare.
    assert german.words("leiter", "präsident").score == IDENTICAL
    assert german.words("leiter", "direktor").score == IDENTICAL
    # A noun and a verb have nothing in common, and an English word is unknown.
    assert german.words("heiraten", "ehefrau").score == 0
    assert german.words("wife", "ehefrau").score == 0
    assert english.words("wife", "spouse").score == english.senses(wife, spouse)  # as before


def test_other_processes_read_the_file_themselves(file: Path):
    german = open_multilingual(file)
    assert pickle.loads(pickle.dumps(german)) is german
    assert len(pickle.dumps(similarity(words=file))) < 400


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("10468559-n deu:lemma Präsident\n", ":1", "expected a file of the Open Multilingual"),
        ("# deu\n10468559n\tdeu:lemma\tPräsident\n", ":2", "expected a file of the Open"),
        ("10468559-n\tdeu:lemma\n", ":1", "expected a file of the Open Multilingual WordNet"),
        ("10468559-n\tdeu:lemma\tLeiter\n10468559-n\tfra:lemma\tchef\n", ":2", '"fra" after "deu"'),
        ("99999999-n\tdeu:lemma\tLeiter\n", ":1", "WordNet 3.0 has no synset 99999999-n"),
        ("02957276-a\tdeu:lemma\tdeutsch\n", "", "has no noun or verb of one word"),
        ("", "", "has no noun or verb of one word"),
    ],
)
def test_what_is_no_such_file_is_refused(tmp_path: Path, text: str, line: str, said: str):
    path = tmp_path / "wn.tab"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        OpenWordNet(path)
    assert str(error.value).startswith(f"{path}{line}: {said}")


def test_a_file_that_is_missing_or_not_text_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="No such file or directory; expected a file of the Open"):
        OpenWordNet(tmp_path / "wn.tab")
    (tmp_path / "wn.tab").write_bytes(b"10468559-n\tdeu:lemma\tPr\xe4sident\n")
    with pytest.raises(InputError, match="not UTF-8 text"):
        OpenWordNet(tmp_path / "wn.tab")
