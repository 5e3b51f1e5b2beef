"""The shipped WordNet against NLTK's reader, and the rules by which words are found in it."""

import os
import pickle
import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.wordnet.compiling import compile_wordnet, open_dict
from evaluator.wordnet.lexicon import WordNet, wordnet

_WORDS = (
    "visit",
    "bear",
    "find",
    "leave",
    "president",
    "city",
    "marry",
    "building",
    "play",
    "x-ray",
)


def names(shipped: WordNet, rows) -> list[str]:
    return [shipped.sense_name(row) for row in rows]


def some_lemmas(nltk_wordnet, pos: str, most: int) -> list[str]:
    lemmas = sorted(nltk_wordnet.all_lemma_names(pos))
    return [*(set(lemmas) & set(_WORDS)), *random.Random(2012).sample(lemmas, most)]


# Against NLTK -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pos", ["n", "v"])
def test_the_senses_of_a_lemma_stand_in_wordnets_order(nltk_wordnet, pos):
    for lemma in some_lemmas(nltk_wordnet, pos, 400):
        theirs = [
            entry.synset().name() for entry in nltk_wordnet.lemmas(lemma, pos)
            if entry.name().lower() == lemma
        ]  # fmt: skip
        assert names(wordnet(), wordnet().senses(lemma, pos)) == list(dict.fromkeys(theirs))


@pytest.mark.parametrize("pos", ["n", "v"])
def test_ancestors_are_all_hypernyms_and_instance_hypernyms(nltk_wordnet, pos):
    def above(synset):
        return synset.hypernyms() + synset.instance_hypernyms()

    for lemma in some_lemmas(nltk_wordnet, pos, 100):
        for row in wordnet().senses(lemma, pos):
            synset = nltk_wordnet.synset(wordnet().sense_name(row))
            theirs = {synset.name(), *(other.name() for other in synset.closure(above))}
            ours = names(wordnet(), wordnet().ancestors(row))
            assert ours[0] == synset.name()
            assert len(ours) == len(theirs)
            assert set(ours) == theirs


@pytest.mark.parametrize("pos", ["n", "v"])
def test_candidates_of_a_form_are_those_of_morphy(nltk_wordnet, pos):
    # NLTK's synsets(form) are the senses of every candidate of morphy, in order.
    endings = ("", "s", "es", "ed", "ing", "ies", "men", "ves", "d")
    irregular = ("found", "born", "left", "lives", "bases", "axes", "saw", "men", "went", "lay")
    forms = {lemma + ending for lemma in some_lemmas(nltk_wordnet, pos, 200) for ending in endings}
    for form in (*irregular, *sorted(forms)):
        ours = [
            name
            for part, lemma in wordnet().lemmas(form)
            if part == pos
            for name in names(wordnet(), wordnet().senses(lemma, pos))
        ]
        assert ours == [synset.name() for synset in nltk_wordnet.synsets(form, pos)], form


def test_sense_counts_are_those_of_the_tagged_corpora(nltk_wordnet):
    for pos in ("n", "v"):
        for lemma in ("visit", "play", "head", "work"):
            theirs = sum(entry.count() for entry in nltk_wordnet.lemmas(lemma, pos))
            assert wordnet().sense_count(lemma, pos) == theirs > 0


def test_every_synset_is_there(nltk_wordnet):
    # Figures of wnstats(7WN) for WordNet 3.0.
    assert len(wordnet().rows("n")) == 82_115
    assert len(wordnet().rows("v")) == 13_767
    for name in ("entity.n.01", "visit.v.01", "einstein.n.01", "living_thing.n.01"):
        synset = nltk_wordnet.synset(name)
        row = wordnet().row(synset.pos(), synset.offset())
        assert wordnet().sense_name(row) == name
        assert wordnet().offset(row) == synset.offset()


# Content words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "lemma"),
    [
        ("visiting", "visit"),
        ("attend", "attend"),
        ("born", "bear"),
        ("founded", "found"),
        ("found", "find"),
        ("married", "marry"),
        ("located", "locate"),
        ("left", "leave"),
        ("lives", "live"),  # "life" is tagged 256 times, "live" 240 times
        ("wives", "wife"),
        ("women", "woman"),
        ("president", "president"),
        ("building", "build"),
        ("evening", "evening"),
        ("cities", "city"),
        ("starring", "star"),
    ],
)
def test_content_lemma(token, lemma):
    assert wordnet().content_lemma(token) == lemma


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("has", "auxiliary"),
        ("might", "auxiliary, though also a noun"),
        ("the", "determiner"),
        ("including", "preposition"),
        ("never", "negation"),
        ("two", "numeral"),
        ("2012", "number"),
        ("20th", "number"),
        ("x", "one letter"),
        ("paris", "WordNet has only Paris"),
        ("new", "adjective"),
        ("quickly", "adverb"),
        ("interesting", "adjective rather than a form of interest"),
        ("zzyzx", "unknown"),
        ("", "empty"),
    ],
)
def test_no_content_word(token, reason):
    assert wordnet().content_lemma(token) is None


@pytest.mark.parametrize(
    ("token", "wrong"),
    [("bees", "be"), ("sited", "sit"), ("spines", "spin"), ("striped", "strip")],
)
def test_a_lemma_that_english_inflects_otherwise_is_no_candidate(token, wrong):
    assert wrong in {lemma for _, lemma in wordnet().lemmas(token)}
    assert wordnet().content_lemma(token) != wrong


# Forms --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lemma", "forms"),
    [
        ("visit", "visit visited visiting visits"),
        ("bear", "bear bearing bears bore born borne"),
        ("find", "find finding finds found"),
        ("found", "found founded founding founds"),
        ("marry", "married marries marry marrying"),
        ("write", "write writes writing written wrote"),
        ("stop", "stop stopped stopping stops"),
        ("travel", "travel traveled traveling travelled travelling travels"),
        ("die", "die died dies dying"),
        ("begin", "began begin beginning begins begun"),
        ("president", "president presidents"),
        ("wife", "wife wives"),
        ("woman", "woman women"),
        ("human", "human humans"),
        ("city", "cities city"),
        ("child", "child children"),
        ("hero", "hero heroes"),
        ("photo", "photo photos"),
        ("go", "go goes going gone went"),
        ("zzyzx", "zzyzx"),
        ("attorney_general", "attorney_general attorney_generals"),
    ],
)
def test_forms(lemma, forms):
    assert wordnet().forms(lemma) == tuple(forms.split())


@given(st.integers(min_value=0, max_value=10**9))
def test_each_form_leads_back_to_its_lemma(seed):
    pool = ("own", "close", "lie", "lead", "leaf", "axis", "wind", "saw", "mean", "basis", "cook")
    lemma = wordnet().sense_name(seed % len(wordnet())).split(".")[0]
    for word in (lemma, pool[seed % len(pool)]):
        forms = wordnet().forms(word)
        assert word in forms
        assert list(forms) == sorted(set(forms))
        for form in forms:
            candidates = {candidate for _, candidate in wordnet().lemmas(form)}
            assert word == form or word in candidates


# The compiled file --------------------------------------------------------------------------------


def test_a_pickled_wordnet_is_a_reference():
    assert len(pickle.dumps(wordnet())) < 200
    assert pickle.loads(pickle.dumps(wordnet())) is wordnet()


def test_a_small_wordnet_by_hand(small_wordnet):
    (president,) = small_wordnet.senses("president", "n")
    (obama,) = small_wordnet.senses("obama", "n")
    above = names(small_wordnet, small_wordnet.ancestors(obama))
    assert above[:2] == ["obama.n.01", "president.n.01"]
    assert above[2:] == ["leader.n.01", "official.n.01", "person.n.01", "entity.n.01"]
    assert small_wordnet.pos(president) == "n"
    assert names(small_wordnet, small_wordnet.senses("go", "v")) == ["go.v.01", "lead.v.01"]
    assert small_wordnet.sense_count("go") == 3
    assert small_wordnet.sense_counts.sum() == 8 + 8
    assert small_wordnet.content_lemma("went") == "go"
    assert small_wordnet.content_lemma("people") == "person"
    assert small_wordnet.content_lemma("obama") is None  # a name
    assert small_wordnet.content_lemma("wandering") is None  # six times an adjective
    assert small_wordnet.forms("go") == ("go", "goes", "going", "gone", "went")


@pytest.mark.slow
def test_the_same_folder_gives_the_same_bytes_whatever_the_hash_seed(small_dict, tmp_path):
    command = "import sys, pathlib, evaluator.wordnet.compiling as c; "
    command += "c.compile_wordnet(*map(pathlib.Path, sys.argv[1:]))"
    for seed in "12":
        subprocess.run(
            [sys.executable, "-c", command, small_dict, tmp_path / f"{seed}.npz"],
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
        )
    assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "2.npz").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.npz", "2.npz"]


def test_a_folder_without_wordnet_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no file cntlist.rev; give a WordNet 3.0 dict folder"):
        compile_wordnet(tmp_path, tmp_path / "out.npz")
    assert not list(tmp_path.iterdir())


def test_another_version_of_wordnet_is_refused(small_dict, tmp_path):
    for file in small_dict.iterdir():
        text = file.read_text().replace("WordNet 3.0 Copy", "WordNet 2.1 Copy")
        (tmp_path / file.name).write_text(text)
    with pytest.raises(InputError, match=r"WordNet 2.1; a WordNet 3.0 dict"), open_dict(tmp_path):
        pass


# Derivations --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pos", ["n", "v"])
def test_derivations_are_the_links_of_a_lemma_to_the_other_part_of_speech(nltk_wordnet, pos):
    linked = 0
    for lemma in some_lemmas(nltk_wordnet, pos, 200):
        theirs = {}
        for entry in nltk_wordnet.lemmas(lemma, pos):
            if entry.name().lower() == lemma:
                related = {other.synset() for other in entry.derivationally_related_forms()}
                theirs.setdefault(entry.synset().name(), set()).update(
                    synset.name()
                    for synset in related
                    if synset.pos() in "nv" and synset.pos() != pos
                )
        ours = [names(wordnet(), rows) for rows in wordnet().derivations(lemma, pos)]
        assert ours == [
            sorted(rows, key=ours[place].index) for place, rows in enumerate(theirs.values())
        ]
        linked += sum(map(len, ours))
    assert linked > 30


def test_a_link_is_the_words_own():
    # Both are one sense: to bear and to birth. Only the verb "birth" is linked to the noun.
    birth = wordnet().senses("birth", "n")
    assert set(birth[:2]) <= {row for rows in wordnet().derivations("birth", "v") for row in rows}
    assert not {row for rows in wordnet().derivations("bear", "v") for row in rows} & set(birth)
    assert wordnet().derivations("zzyzx", "n") == wordnet().tags("zzyzx", "n") == ()


def test_tags_are_those_of_each_sense_of_a_word(small_wordnet):
    assert small_wordnet.tags("go", "v") == (2, 1)
    assert small_wordnet.tags("lead", "v") == (0,)
    assert small_wordnet.derivations("go", "v") == ((), ())


@pytest.mark.slow
def test_content_forms_are_every_form_but_function_words(small_wordnet):
    forms = small_wordnet.content_forms()
    assert forms == sorted(set(forms))
    assert {"go", "went", "gone", "visits", "president", "presidents"} <= set(forms)
    assert {"indium", "inch", "found", "founded"} < set(wordnet().content_forms())
    assert not {"in", "as", "a", "he", "have"} & set(wordnet().content_forms())


# WordNet lists "wrought", "learnt", "shown" and leaves out the regular past that stands beside it.
@pytest.mark.parametrize(
    ("verb", "past"),
    [("work", "worked"), ("learn", "learned"), ("show", "showed"), ("prove", "proved"),
     ("light", "lighted"), ("plead", "pleaded"), ("dive", "dived"), ("dream", "dreamed")],
)  # fmt: skip
def test_a_verb_with_two_pasts_has_both(verb: str, past: str) -> None:
    assert past in wordnet().forms(verb)
    assert wordnet().lemmas(past)[-1] == ("v", verb)


def test_other_irregular_verbs_get_no_regular_past() -> None:
    assert wordnet().forms("see") == ("saw", "see", "seeing", "seen", "sees")
    assert wordnet().forms("find") == ("find", "finding", "finds", "found")
