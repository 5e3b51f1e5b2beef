"""Information content: by hand, against NLTK's counts, and as files."""

import math
import pickle
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import ConfigurationError, InputError
from evaluator.wordnet.compiling import open_dict
from evaluator.wordnet.information_content import InformationContent
from evaluator.wordnet.lexicon import wordnet
from evaluator.wordnet.similarity import JiangConrath


@pytest.fixture(scope="module")
def small(small_wordnet) -> JiangConrath:
    return JiangConrath(small_wordnet, InformationContent.from_sense_counts(small_wordnet))


# By hand: the small WordNet of conftest.py --------------------------------------------------------


def test_a_tag_counts_once_for_each_ancestor(small_wordnet):
    content = InformationContent.from_sense_counts(small_wordnet)
    expected = {
        "obama": 0, "president": 4, "official": 4, "leader": 6, "person": 8, "entity": 8,
        "visit": 1, "wander": 0, "move": 4, "think": 3, "lead": 1,
    }  # fmt: skip
    for word, count in expected.items():
        (row, *_) = small_wordnet.senses(word, "n") + small_wordnet.senses(word, "v")
        assert content.counts[row] == count
        assert content.content[row] == (pytest.approx(math.log(8 / count)) if count else math.inf)
    assert content.totals == {"n": 8, "v": 8}


def test_an_occurrence_is_spread_over_the_senses_of_all_its_lemmas(small_wordnet):
    # "went" is "go": two senses, half an occurrence each; "people" is "person".
    counts = {"went": 3, "people": 2, "official": 1, "zzyzx": 50}
    content = InformationContent.from_word_counts(counts, small_wordnet, smoothing=0)
    expected = {"go": 1.5, "lead": 1.5, "move": 1.5, "visit": 0, "person": 3, "official": 1}
    for word, count in expected.items():
        (row, *_) = small_wordnet.senses(word, "n") + small_wordnet.senses(word, "v")
        assert content.counts[row] == count
    assert content.totals == {"n": 3, "v": 3}


def test_smoothing_is_an_occurrence_of_every_sense(small_wordnet):
    content = InformationContent.from_word_counts({"went": 3}, small_wordnet, source="mine")
    # Six nouns and eight verbs; move, go, visit, wander, drift and rove are below move.
    move = small_wordnet.senses("move", "v")[0]
    assert content.totals == {"n": 6, "v": 8 + 3}
    assert content.counts[move] == 6 + 1.5
    assert content.source == "mine (+1)"


def test_information_without_any_occurrence_is_refused(small_wordnet):
    with pytest.raises(ConfigurationError, match="no noun or no verb was seen"):
        InformationContent.from_word_counts({"visits": 4}, small_wordnet, smoothing=0)
    for smoothing in (-1, math.inf, math.nan):
        with pytest.raises(ConfigurationError, match="smoothing is"):
            InformationContent.from_word_counts({}, small_wordnet, smoothing=smoothing)


# What holds of every source -----------------------------------------------------------------------


def check(content: InformationContent, shipped) -> None:
    total = np.empty(len(shipped))
    for pos, occurrences in content.totals.items():
        total[shipped.rows(pos)] = occurrences
    share = content.counts / total
    assert ((share >= 0) & (share <= 1)).all()
    assert (content.content >= 0).all()
    assert not math.copysign(1, content.content.min()) < 0
    assert (np.isinf(content.content) == (content.counts == 0)).all()
    (root,) = (row for row in shipped.rows("n") if not shipped.hypernyms(row))
    assert content.content[root] == 0
    for row in range(len(shipped)):
        for above in shipped.hypernyms(row):
            assert content.counts[above] >= content.counts[row]


FORMS = st.sampled_from(["go", "went", "visits", "people", "official", "leads", "zzyzx"])


@given(
    st.dictionaries(FORMS, st.integers(0, 10**9) | st.floats(0, 1e9), max_size=8),
    st.sampled_from([1.0, 0.1, 1e-9, 1e9]),
)
def test_shares_are_shares_whatever_was_counted(small_wordnet, counts, smoothing):
    content = InformationContent.from_word_counts(counts, small_wordnet, smoothing=smoothing)
    check(content, small_wordnet)
    assert (content.counts > 0).all()


def test_shares_are_shares_in_the_whole_wordnet():
    # Thirds and sevenths, which do not add up exactly, on a tiny collection as in nltk#2721.
    counts = {"visit": 1, "bear": 1, "run": 1, "entity": 3, "set": 1}
    for smoothing in (1.0, 0.1):
        content = InformationContent.from_word_counts(counts, wordnet(), smoothing=smoothing)
        check(content, wordnet())
    check(InformationContent.from_sense_counts(wordnet()), wordnet())


def test_the_order_of_the_words_does_not_matter():
    words = ["visit", "bear", "set", "run", "break"]
    forward, backward = (
        InformationContent.from_word_counts(dict.fromkeys(order, 0.1), wordnet())
        for order in (words, words[::-1])
    )
    assert (forward.counts == backward.counts).all()


# Against NLTK -------------------------------------------------------------------------------------


class Words:
    """What NLTK's wn.ic asks of a corpus."""

    def __init__(self, counts: dict[str, int]) -> None:
        self._counts = Counter(counts)

    def words(self) -> list[str]:
        return list(self._counts.elements())


TEXT = {"visits": 3, "president": 7, "born": 2, "cities": 5, "married": 2, "wrote": 4, "zebra": 1}


def test_counts_are_those_of_nltk(small_dict, small_wordnet):
    # No president here: two paths lead from it to person.
    counts = {"went": 3, "visits": 2, "people": 4, "official": 1, "leads": 1, "wandered": 7}
    ours = InformationContent.from_word_counts(counts, small_wordnet, smoothing=0)
    with open_dict(small_dict) as reader:
        theirs = reader.ic(Words(counts), smoothing=0.0)
    for row in range(len(small_wordnet)):
        count = theirs[small_wordnet.pos(row)].get(small_wordnet.offset(row), 0.0)
        assert ours.counts[row] == pytest.approx(count, rel=1e-12)
    for pos, total in ours.totals.items():
        assert total == pytest.approx(theirs[pos][0], rel=1e-12)


def test_shares_of_nltk_can_exceed_one(small_dict, small_wordnet):
    # Every president is counted twice as a person, and the one of smoothing once in the total.
    counts = {"president": 10}
    person = small_wordnet.senses("person", "n")[0]
    with open_dict(small_dict) as reader:
        theirs = reader.ic(Words(counts), smoothing=1.0)["n"]
    assert theirs[small_wordnet.offset(person)] / theirs[0] > 1
    ours = InformationContent.from_word_counts(counts, small_wordnet)
    assert ours.counts[person] == 10 + 5  # persons are all nouns but "entity"
    assert ours.totals["n"] == 10 + 6
    check(ours, small_wordnet)


def test_nltk_reads_the_files_and_scores_alike(nltk_wordnet, tmp_path, monkeypatch):
    import nltk.data
    from nltk.corpus.reader import WordNetICCorpusReader

    monkeypatch.setattr(nltk.data, "path", [*nltk.data.path, str(tmp_path)])

    sources = {
        "tags": InformationContent.from_sense_counts(wordnet()),
        "words": InformationContent.from_word_counts(TEXT | {"run": 50, "be": 9}, wordnet()),
        "unsmoothed": InformationContent.from_word_counts(TEXT, wordnet(), smoothing=0),
    }
    rows = [
        row
        for pos, lemmas in (("n", "city president birth run"), ("v", "visit bear run marry write"))
        for lemma in lemmas.split()
        for row in wordnet().senses(lemma, pos)
    ]
    for name, content in sources.items():
        content.write_nltk_file(tmp_path / f"{name}.dat", wordnet())
        theirs = WordNetICCorpusReader(str(tmp_path), [f"{name}.dat"]).ic(f"{name}.dat")
        for pos, total in content.totals.items():
            assert theirs[pos][0] == pytest.approx(total, rel=1e-12)
        measure = JiangConrath(wordnet(), content)
        synset = {
            row: nltk_wordnet.synset_from_pos_and_offset(wordnet().pos(row), wordnet().offset(row))
            for row in rows
        }
        compared = 0
        for row1, row2 in combinations(rows, 2):
            if wordnet().pos(row1) != wordnet().pos(row2):
                continue
            if not content.counts[[row1, row2]].all():
                continue  # unseen: the documented deviation
            expected = synset[row1].jcn_similarity(synset[row2], theirs)
            assert measure.senses(row1, row2) == pytest.approx(expected, rel=1e-9)
            compared += 1
        assert compared > 100


def test_a_written_file_is_read_back_the_same(tmp_path, small_wordnet):
    for shipped in (small_wordnet, wordnet()):
        content = InformationContent.from_word_counts({"go": 0.1, "lead": 3}, shipped)
        content.write_nltk_file(tmp_path / "ic.dat", shipped)
        again = InformationContent.from_nltk_file(tmp_path / "ic.dat", shipped)
        assert (again.counts == content.counts).all()
        assert again.totals == pytest.approx(content.totals, rel=1e-14)
    with pytest.raises(InputError, match="cannot be written"):
        content.write_nltk_file(tmp_path / "none" / "ic.dat", wordnet())


# Information content files ------------------------------------------------------------------------


def ic_file(small_wordnet, path):
    """An ic-*.dat file with the counts of the test by hand, halved."""
    lines = ["wnver::made"]
    content = InformationContent.from_sense_counts(small_wordnet)
    for row, count in enumerate(content.counts.tolist()):
        sense = f"{small_wordnet.offset(row)}{small_wordnet.pos(row)}"
        root = " ROOT" if not small_wordnet.hypernyms(row) else ""
        lines.append(f"{sense} {count / 2:g}{root}")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_an_nltk_file_replaces_the_sense_counts(small_wordnet, small, tmp_path):
    path = ic_file(small_wordnet, tmp_path / "ic-made.dat")
    content = InformationContent.from_nltk_file(path, small_wordnet)
    assert content.source == "ic-made.dat"
    assert content.totals == {"n": 4, "v": 4}
    halved = JiangConrath(small_wordnet, content)
    assert halved.words("visit", "travel") == small.words("visit", "travel")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", r":1: no header wnver::"),
        ("1740n 12\n", r":1: no header wnver::"),
        ("wnver::x\n1740n\n", r':2: expected: "<offset><n or v> <count>", .*found \'1740n\''),
        ("wnver::x\n1740a 3\n", r":2: expected"),
        ("wnver::x\n\n", r":2: expected"),
        ("wnver::x\n1740n nan\n", r":2: expected"),
        ("wnver::x\n3n 4\n", r":2: WordNet 3.0 has no synset 3n"),
        ("wnver::x\n1740n 4 ROOT\n", r"ic.dat: no count at a ROOT of nouns or of verbs"),
        (
            "wnver::x\n1740n 4 ROOT\n1930n 5\n1740v 1 ROOT\n",
            r"5 occurrences of 1930n, 4 at ROOT lines",
        ),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, text, problem):
    path = tmp_path / "ic.dat"
    path.write_text(text)
    with pytest.raises(InputError, match=problem):
        InformationContent.from_nltk_file(path, wordnet())


def test_a_missing_file_is_refused(tmp_path):
    (tmp_path / "latin.dat").write_bytes(b"wnver::\xe9\n")
    for path in (tmp_path / "none.dat", tmp_path, tmp_path / "latin.dat"):
        with pytest.raises(InputError, match="give one of NLTK's"):
            InformationContent.from_nltk_file(path, wordnet())


def test_pickled_content_is_a_reference_where_its_counts_can_be_had_again(small_wordnet, tmp_path):
    path = ic_file(small_wordnet, tmp_path / "ic-made.dat")
    of_words = InformationContent.from_word_counts({"visit": 1}, small_wordnet)
    for content, most in (
        (InformationContent.from_sense_counts(small_wordnet), 300),
        (InformationContent.from_nltk_file(path, small_wordnet), 400),
        (of_words, 2_000),
    ):
        pickled = pickle.dumps(content)
        again = pickle.loads(pickled)
        assert len(pickled) < most
        assert again.source == content.source
        assert again.totals == content.totals
        assert (again.content == content.content).all()
        assert not again.content.flags.writeable
