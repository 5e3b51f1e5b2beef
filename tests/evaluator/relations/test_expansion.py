"""The words that stand for a relation: which, with what weight, and from where."""

import math
from collections import Counter
from pathlib import Path

import pytest

from evaluator.counting.elements import relation_element
from evaluator.errors import ConfigurationError
from evaluator.relations.expansion import (
    SOURCES,
    KnownRelation,
    WeightedWord,
    Widening,
    similarity_weight,
    widened,
)
from evaluator.relations.patterns import (
    ContextCounts,
    MinedWord,
    characteristic_words,
    context_lemmas,
)
from evaluator.wordnet.lexicon import wordnet
from evaluator.wordnet.similarity import similarity

MEASURE = similarity(derivations=True, sense_share=0.1)

SPOUSE = KnownRelation("spouse", ("marry.v",), (("spouse.n",), ("marriage.n", "partner.n")))
ACTOR = KnownRelation("actor", ("performance.n",), (("performance.n",),))
PATTERNS = {
    "spouse": (MinedWord("divorce", 0.9, 30), MinedWord("wife", 0.8, 40)),
    "actor": (MinedWord("star", 0.5, 20), MinedWord("role", 0.8, 10), MinedWord("place", 0.9, 9)),
    "film": (MinedWord("star", 0.5, 30), MinedWord("scene", 0.9, 10)),
}


BIRTH = ("place of birth", "born in", "birthplace")
PROPERTIES = (BIRTH, ("date of birth", "born on"), *((f"place {n}",) for n in range(18)))


def words(
    relation,
    *sources,
    least=0.01,
    most=1000,
    known=(SPOUSE, ACTOR),
    patterns=PATTERNS,
    properties=PROPERTIES,
):
    found = widened(
        [relation],
        widening=Widening(sources, least, most, Path("names") if "properties" in sources else None),
        measure=MEASURE,
        threshold=0.4,
        known=known,
        patterns=patterns,
        properties=properties,
    )
    return found[relation]


def weights(relation, *sources, **options):
    return {word.word: word.weight for word in words(relation, *sources, **options)}


# Sources


def test_a_property_gives_the_words_of_its_names_where_one_says_the_relation():
    # Of 20 properties, 19 have "place" in a name: ten of them are free, a name of two words halves.
    assert weights("birth place", "properties") == {
        "birth": 0.5,
        "bear": 1.0,
        "birthplace": 1.0,
        "place": 0.5 * 10 / 19,
    }
    assert "date" not in weights("birth place", "properties")
    # "born on" says "bear" as well: text alone cannot tell the two apart.
    assert weights("bear", "properties").keys() == {"birth", "birthplace", "place", "date"}
    assert words("govern", "properties") == words("", "properties") == ()


def test_properties_need_their_names():
    with pytest.raises(ConfigurationError, match=r"relation\.properties"):
        Widening(("properties",))


def test_without_a_source_there_are_no_words():
    assert words("marry") == ()


def test_a_neighbour_weighs_by_the_information_between_it_and_the_relation():
    found = weights("marry", "neighbours")
    # The closest senses are marry.v.01 and, right above it, unite.v.01.
    score = MEASURE.words("marry", "unite").score
    assert found["unite"] == pytest.approx(math.exp(-1 / score / 2))
    assert weights("die", "neighbours")["death"] == 1  # by derivation they share a sense


def test_the_closer_a_neighbour_the_more_it_weighs():
    for relation in ("acquire", "lead", "write"):
        found = words(relation, "neighbours")
        scores = [MEASURE.words(relation, word.word).score for word in found]
        assert len(found) > 50
        assert scores == sorted(scores, reverse=True)
        assert all(0 < word.weight <= 1 for word in found)


def test_the_weight_is_the_mean_share_of_what_both_are():
    # Of the words for a common subsumer, a quarter are the one, and one in nine the other:
    # -ln(1/4 · 1/9) nats are between them, and the geometric mean of the shares is 1/6.
    assert similarity_weight(math.log(4 * 9)) == pytest.approx(1 / 6)


def test_a_derived_word_weighs_by_the_occurrences_of_the_senses_it_is_linked_to():
    # WordNet's tags of "marry" are 44 (take in marriage) and 2 (perform a marriage): one more each.
    assert wordnet().tags("marry", "v") == (44, 2)
    assert weights("marry", "derivations") == {
        "marriage": 48 / 48,  # both senses
        "married": 45 / 48,  # the first
        "wedding": 45 / 48,
    }


def test_a_derived_word_is_one_token():
    assert "ill-treat" in wordnet().derived("abuse")
    assert "ill-treat" not in weights("abuse", "derivations")


def test_the_words_of_an_alias_share_the_weight_of_its_match():
    # "married to" is identical, so the match weighs 1; "performance" is far from it.
    assert weights("marry", "aliases") == {"spouse": 1, "marriage": 1 / 2, "partner": 1 / 2}


def test_a_relation_below_the_threshold_gives_no_alias():
    there = KnownRelation("unite", ("unite.v",), (("union.n",),))
    score = MEASURE.words("marry", "unite").score

    def found(threshold):
        options = {"widening": Widening(("aliases",), 0.01), "measure": MEASURE, "known": [there]}
        return [word.word for word in widened(["marry"], threshold=threshold, **options)["marry"]]

    assert found(score) == ["union"]
    assert found(score * 1.01) == []


def test_what_the_facts_of_a_match_are_stated_with_stands_for_the_relation():
    assert weights("marry", "patterns") == {"divorce": 0.9, "wife": 0.8}


def test_a_relation_that_known_facts_are_stated_with_is_a_bridge_to_their_words():
    # "star" stands as strongly with "actor" and "film", in more contexts with "film": .5 · .9.
    assert weights("star", "patterns", known=()) == {"scene": 0.45}


def test_a_relation_of_several_lemmas_is_bridged_by_all_of_them_only():
    assert weights("star role", "patterns", known=()) == {"place": 0.45}
    assert weights("star divorce", "patterns", known=()) == {}


def test_what_is_near_one_lemma_of_several_is_not_near_the_relation():
    assert words("take place", "neighbours", "derivations") == ()


# What is kept


def test_a_word_of_several_sources_has_the_greatest_weight():
    patterns = {"spouse": (MinedWord("wedding", 0.99, 9), MinedWord("married", 0.5, 9))}
    found = words("marry", "derivations", "patterns", patterns=patterns)
    assert WeightedWord("wedding", 0.99, "patterns") in found
    assert WeightedWord("married", 45 / 48, "derivations") in found


def test_words_come_by_weight_and_are_cut_by_it_and_in_number():
    every = words("marry", *SOURCES)
    assert [(word.weight, word.word) for word in every] == sorted(
        ((word.weight, word.word) for word in every), key=lambda pair: (-pair[0], pair[1])
    )
    assert words("marry", *SOURCES, least=0.9) == tuple(w for w in every if w.weight >= 0.9)
    assert words("marry", *SOURCES, most=3) == every[:3]


def test_a_relation_is_not_among_its_words():
    patterns = {"spouse": (MinedWord("marry", 0.9, 9),)}
    assert "marry" not in weights("marry", *SOURCES, patterns=patterns)


def test_an_empty_relation_and_an_unknown_word_have_no_words():
    assert words("", *SOURCES) == ()
    assert words("zzyzx", *SOURCES) == ()


def test_a_word_that_wordnet_lacks_may_have_patterns():
    patterns = {"search": (MinedWord("googled", 0.9, 50), MinedWord("query", 0.8, 20))}
    assert weights("googled", *SOURCES, patterns=patterns) == {"query": pytest.approx(0.72)}


def test_many_relations_get_what_each_gets_alone():
    relations = ["marry", "star", "", "take place", "lead", "marry"]
    together = widened(
        relations,
        widening=Widening(SOURCES, names=Path("names")),
        measure=MEASURE,
        threshold=0.4,
        known=(SPOUSE, ACTOR),
        patterns=PATTERNS,
        properties=PROPERTIES,
    )
    assert together == {r: words(r, *SOURCES, least=0.3, most=12) for r in relations}


def test_a_signature_names_the_sources_whatever_their_order():
    assert Widening().describe() == "words-none"
    one, other = (
        Widening(sources, 0.3, 12)
        for sources in (("patterns", "derivations"), ("derivations", "patterns"))
    )
    assert one.describe() == other.describe() == "words-derivations+patterns-0.3-12"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sources": ("oracle",)}, "oracle"),
        ({"least": 0}, "least weight"),
        ({"least": 1.1}, "least weight"),
        ({"most": 0}, "at most"),
    ],
)
def test_a_widening_that_is_none_is_refused(options, said):
    with pytest.raises(ConfigurationError, match=said):
        Widening(**options)


# In a query


def test_further_words_are_alternatives_in_all_their_forms():
    one, other = set(relation_element("die")), set(relation_element("death"))
    assert set(relation_element("die", ["death"])) == one | other
    assert len(relation_element("die", ["death", "die"])) == len(one | other)
    assert ("deaths",) in other
    assert relation_element("die", []) == relation_element("die")
    assert relation_element("", ["death"]) == ()


# Patterns


def test_the_lemmas_of_a_context_stand_between_the_two_and_around_them():
    text = "one two sang danced wrote played Ann often Married her boss Bob left cried won fell ran"
    written = text.split()
    ann, bob = (written.index(name) for name in ("Ann", "Bob"))
    # Four words before and four after; "Married" may be a name, "often" and "her" say nothing.
    assert context_lemmas(written, (ann, ann + 1), (bob, bob + 1)) == {
        "sing", "dance", "write", "play", "boss", "leave", "cry", "win", "fall",
    }  # fmt: skip


def counts(**relations):
    return {name: ContextCounts(n, Counter(words)) for name, (n, words) in relations.items()}


def test_a_word_weighs_by_what_other_relations_do_not_explain():
    found = characteristic_words(
        counts(
            spouse=(20, {"marry": 10, "wed": 8, "son": 7, "year": 18}),
            birth=(80, {"year": 70, "wed": 3}),
        )
    )
    # marry: 10 of 20 contexts, elsewhere 0 of 80; one context more smooths that to 1 of 81.
    # wed: 8 of 20, and 3 + 1 of 81. "son" is in too few contexts, "year" as common elsewhere.
    assert found == {
        "spouse": (
            MinedWord("marry", pytest.approx(1 - (1 / 81) / (10 / 20)), 10),
            MinedWord("wed", pytest.approx(1 - (4 / 81) / (8 / 20)), 8),
        )
    }


def test_a_relation_of_few_contexts_has_no_words():
    many = {"birth": (1000, {"bear": 900})}
    assert "spouse" not in characteristic_words(counts(spouse=(19, {"marry": 19}), **many))
    assert "spouse" in characteristic_words(counts(spouse=(20, {"marry": 20}), **many))


def test_a_context_counts_each_word_once():
    count = ContextCounts()
    count.add(["marry", "marry", "wed"])
    count.add(["marry"])
    assert (count.contexts, count.words) == (2, {"marry": 2, "wed": 1})
