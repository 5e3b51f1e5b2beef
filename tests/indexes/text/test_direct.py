"""The engine that asks Lucene one fact at a time, against the definition and the other engine."""

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.counting.definition import (
    IF_NAMED,
    Counts,
    may_overlap,
)
from evaluator.counting.topics import topics
from tests.brute_force import brute_force_context, brute_force_counts
from tests.indexes.engines import InText, element, engines

# --- All engines say the same


# A tiny vocabulary, so that occurrences overlap, nest and repeat; "z" is in no document.
DOCUMENTS = st.lists(
    st.lists(st.sampled_from("abcx"), max_size=14).map(" ".join), min_size=1, max_size=40
)
ALTERNATIVE = st.lists(st.sampled_from("aaabbbccz"), max_size=3).map(tuple)
SHORT_FORM = ALTERNATIVE.map(lambda words: (IF_NAMED, *words))
SHARING_WORDS = st.tuples(
    *[st.lists(ALTERNATIVE | SHORT_FORM, min_size=1, max_size=5).map(tuple)] * 3
)
APART = st.tuples(
    *(
        st.lists(st.lists(st.just(word), min_size=1, max_size=3).map(tuple), max_size=3).map(tuple)
        for word in "abc"
    )
)
TITLES = st.sampled_from(["", "a", "b", "c", "a a (b)", "(c)", "x"])
OPTIONS = st.fixed_dictionaries(
    {
        "x": st.integers(0, 10),
        "reach": st.integers(0, 10),
        "ordered": st.booleans(),
        "denominator": st.sampled_from(["and", "near"]),
    }
)


@settings(max_examples=12)
@given(
    documents=DOCUMENTS,
    titles=st.lists(TITLES, min_size=40, max_size=40),
    asked=st.lists(st.tuples(SHARING_WORDS | APART, OPTIONS), min_size=20, max_size=20),
)
def test_both_engines_equal_brute_force(tmp_path_factory, documents, titles, asked):
    split = [text.split() for text in documents]
    about = [topics(title, words) for title, words in zip(titles, split, strict=False)]
    with engines(tmp_path_factory.mktemp("direct"), documents, titles=titles) as both:
        for fact, options in asked:
            expected = brute_force_counts(split, *fact, topics=about, **options)
            assert both.counts(fact, **options) == expected
            distances = {name: options[name] for name in ("x", "reach")}
            context = brute_force_context(split, *fact, topics=about, **distances)
            assert [*both.context(fact, **distances)] == [count or 0 for count in context]


@pytest.mark.slow
@pytest.mark.parametrize("shards", [1, 3])
def test_both_engines_equal_brute_force_on_longer_texts(tmp_path, shards):
    generator = random.Random(2012)
    documents = [generator.choices("abcdefxxxx", k=40) for _ in range(70)]
    titles = generator.choices(["", "a", "b (c)", "a b", "c"], k=70)
    about = [topics(title, words) for title, words in zip(titles, documents, strict=True)]

    def made(letters):
        return tuple(
            tuple(generator.choices(letters, k=generator.choice([1, 1, 2, 2, 3])))
            for _ in range(generator.choice([1, 2, 4]))
        )

    facts = [tuple(map(made, letters)) for letters in [("ab", "cd", "ef"), ("abc",) * 3] * 6]
    with engines(tmp_path, map(" ".join, documents), titles=titles, shards=shards) as both:
        for x, ordered, denominator in product((0, 3), (False, True), ("and", "near")):
            options = {"x": x, "reach": 2 * x, "ordered": ordered, "denominator": denominator}
            expected = [
                brute_force_counts(documents, *fact, topics=about, **options) for fact in facts
            ]
            assert both.direct(facts, **options) == expected
            assert both.bulk(facts, **options) == expected


# --- Documents about e1


def test_an_article_states_facts_of_its_topic_without_naming_it(tmp_path):
    titles = ["Abraham Lincoln", "Lincoln (film)", "Washington, D.C.", ""]
    texts = [
        "He died in Washington.",
        "Lincoln dies in it, but not in Washington.",
        "Lincoln died in Washington",
        "Abraham Lincoln, shot in a theatre in Washington, died",
    ]
    dies, washington = element("dies", "died"), element("Washington")
    with engines(tmp_path, texts, titles=titles) as both:
        lincoln = element("Lincoln", "Abraham Lincoln")
        assert both.counts((lincoln, dies, washington), x=3) == Counts(3, 3, 1, 3, 3)
        assert both.counts((lincoln, dies, washington), x=3, reach=4).anchored == 2
        ordered = both.counts((lincoln, dies, washington), x=3, ordered=True)
        assert ordered == Counts(3, 3, 1, 3, 2)
        assert both.counts((element("Lincoln"), dies, washington), x=3).topic == 1


def test_words_of_a_mention_of_e1_are_neither_e2_nor_the_relation(tmp_path):
    bank, operates, america = element("Bank of America"), element("operates"), element("America")
    texts = ["The Bank of America operates widely"]
    with engines(tmp_path / "one", texts, titles=["Bank of America"]) as both:
        assert both.counts((bank, operates, america), x=9) == Counts(0, 0, 0, 0, 0)
    texts = ["Bank of America operates in America"]
    with engines(tmp_path / "two", texts, titles=["Bank of America"]) as both:
        assert both.counts((bank, operates, america), x=9) == Counts(1, 1, 1, 1, 1)
        assert both.counts((bank, element("bank"), america), x=9) == Counts(1, 0, 0, 1, 0)


def test_a_topic_too_long_for_a_term_names_nothing_and_hides_nothing(tmp_path):
    long = " ".join(["x" * 99] * 40)
    texts = [f"Rome {long}", f"{long} Rome", "Rome"]
    titles = [long, "", "x" * 99]
    with engines(tmp_path, texts, titles=titles) as both:
        fact = element("x" * 99), element("x" * 99), element("Rome")
        assert both.counts(fact, x=0) == Counts(2, 2, 2, 2, 0)
        assert both.counts((element(long), (), element("Rome")), x=0).topic == 0


# --- What a query makes hard


def test_an_element_that_overlaps_itself_is_two_only_where_it_stands_apart(tmp_path):
    fact = element("x y x"), element("r"), element("x y x")
    with engines(tmp_path, ["x y x y x r", "x y x r x y x", "x y x"]) as both:
        assert both.agreed(fact, x=9) == InText(1, 1, 1)
    thrice = (element("a"),) * 3
    with engines(tmp_path / "thrice", ["a", "a a", "a a a", "a x a x x a"]) as both:
        assert both.agreed(thrice, x=1) == InText(3, 2, 1)


def test_entities_on_one_side_of_the_relation_leave_room_for_each_other(tmp_path):
    fact = element("obama", "michelle obama"), element("met"), element("barack obama", "obama")
    texts = ["met michelle obama", "met obama barack obama", "met x barack obama x obama"]
    with engines(tmp_path, texts) as both:
        assert both.agreed(fact, x=1) == InText(2, 2, 1)
        assert both.agreed(fact, x=4) == InText(2, 2, 2)
        assert both.agreed(fact, x=4, ordered=True) == InText(2, 2, 0)


@pytest.mark.parametrize(("x", "near"), [(0, 0), (1, 2), (2, 4)])
def test_either_entity_may_be_the_outer_one_on_either_side(tmp_path, x, near):
    texts = ["york city new york", "new york city york", "york new york city", "city new york york"]
    with engines(tmp_path, texts) as both:
        fact = element("new york"), element("york"), element("city")
        assert both.agreed(fact, x=x) == InText(4, 4, near)


def test_a_name_at_the_very_beginning_has_nothing_before_it(tmp_path):
    fact = element("new york"), element("york"), element("city")
    with engines(tmp_path, ["new york x x x x york city", "city new york york"]) as both:
        assert both.agreed(fact, x=1) == InText(2, 2, 0)
        assert both.agreed(fact, x=2) == InText(2, 2, 1)


def test_an_alternative_of_twenty_words(tmp_path):
    long = " ".join(f"w{number}" for number in range(20))
    fact = element(long, "w19"), element("of"), element("rome")
    with engines(tmp_path, [f"{long} of rome", f"rome of x {long}", "w18 of rome"]) as both:
        assert both.agreed(fact, x=0) == InText(2, 2, 1)
        assert both.agreed(fact, x=1) == InText(2, 2, 2)


def test_more_alternatives_than_lucene_has_clauses(tmp_path):
    numbers = [f"n{one} m{other}" for one in range(40) for other in range(40)]
    fact = element("rome"), element(*numbers), element("obama", "barack obama")
    with engines(tmp_path, ["rome n39 m7 barack obama", "rome n39 x m7 obama"]) as both:
        assert both.agreed(fact, x=0) == InText(2, 1, 1)


def test_words_that_are_nowhere_match_nothing_and_hide_nothing(tmp_path):
    with engines(tmp_path, ["rome visit obama"]) as both:
        some = element("obama", "obama zzyzx", "zzyzx")
        assert both.agreed((some, element("visit", "visiting"), element("rome")), x=0).proximity
        assert both.agreed((element("zzyzx"),) * 3, x=0) == InText(0, 0, 0)
        assert both.agreed((some, element("zzyzx"), element("rome")), x=0) == InText(1, 0, 0)


def test_emptied_elements_are_undefined(tmp_path):
    with engines(tmp_path, ["rome obama", "obama x x x x x rome"]) as both:
        rome, obama = element("rome"), element("obama")
        assert both.agreed((rome, (), obama), x=2) == InText(2, None, None)
        assert both.agreed((rome, ((),), obama), x=1, denominator="near") == InText(1, None, None)
        assert both.agreed(((), rome, obama), x=2) == InText(None, None, None)
        assert both.agreed((rome, obama, ((),)), x=2) == InText(None, None, None)


def test_threads_share_a_counter(tmp_path):
    facts = [
        ((element("a", "a b"), element("b"), element(last)), Counts(1, 1, near, 1, 1))
        for last, near in (("c", 1), ("d", 0))
    ]
    with engines(tmp_path, ["a b x b c x x d"]) as both, ThreadPoolExecutor(4) as pool:
        asked = [(pool.submit(both.direct, [fact], x=1), said) for fact, said in facts * 20]
        assert all(future.result() == [said] for future, said in asked)


# --- When two names can overlap


@pytest.mark.parametrize(
    ("a", "b", "overlap"),
    [
        ("obama", "obama", True),
        ("obama", "barack obama", True),
        ("b c", "a b c d", True),
        ("new york", "york city", True),
        ("a b a", "b a b", True),
        ("bank of america", "united states of america", False),
        ("a b", "c a d", False),
        ("rome", "obama", False),
    ],
)
def test_names_can_overlap_where_one_continues_or_holds_the_other(a, b, overlap):
    assert may_overlap(element(a), element(b)) == overlap
    assert may_overlap(element("rest", b), element(a)) == overlap


@settings(max_examples=50)
@given(a=ALTERNATIVE.filter(len), b=ALTERNATIVE.filter(len))
def test_names_can_overlap_where_some_text_holds_them_so(a, b):
    """Two names of up to 3 words overlap, if they can, in a text of 5 of their words."""

    def spans(text, words):
        starts = range(len(text) - len(words) + 1)
        return [
            set(range(start, start + len(words)))
            for start in starts
            if text[start : start + len(words)] == words
        ]

    texts = product(sorted({*a, *b}), repeat=5)
    found = any(one & other for text in texts for one in spans(text, a) for other in spans(text, b))
    assert may_overlap((a,), (b,)) == found
