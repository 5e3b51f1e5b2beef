"""Hit counts: the definitions by hand, and the joins against brute force."""

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluator.counting.bulk
import evaluator.counting.occurrences
from evaluator.counting.bulk import count_facts, count_shards
from evaluator.counting.definition import (
    IF_NAMED,
    Context,
    Counts,
    may_overlap,
    pair_width,
    pmi,
)
from evaluator.counting.fact_table import FactTable
from evaluator.counting.occurrences import ADDRESS_BITS, ManyOccurrences, Occurrences
from evaluator.counting.topics import topics
from evaluator.errors import ConfigurationError
from evaluator.text import tokens
from tests.brute_force import brute_force_context, brute_force_counts, spans

FIGURE_2 = tokens("Valerie Jarrett was appointed as senior advisor by Barack Obama")


def name(text):
    return (tuple(text.split()),)


def one_of(*texts):
    return tuple(tuple(text.split()) for text in texts)


class InText(NamedTuple):
    """The counts that ask for an occurrence of each element."""

    pair: int | None
    classic: int | None
    proximity: int | None


class Text:
    """A shard that holds some documents, about what these topics name."""

    def __init__(self, documents, topics=()):
        self.held = documents
        self.topics = topics
        self.documents = len(documents)
        self.tokens = sum(map(len, documents))

    def find(self, elements, first, last):
        found = []
        for element in elements:
            places = [
                (number << ADDRESS_BITS | start, number << ADDRESS_BITS | end)
                for number, document in enumerate(self.held)
                if first <= number <= last
                for start, end in spans(document, element)
            ]
            columns = np.array(places, dtype=np.int64).reshape(-1, 2)
            found.append(Occurrences(columns[:, 0], columns[:, 1]))
        return ManyOccurrences.of(found)

    def about(self, elements):
        return [
            np.array([n for n, names in enumerate(self.topics) if {*names} & {*element}], np.int64)
            for element in elements
        ]


def counted(documents, fact, about=None, **options):
    """Count a fact by both ways, which must agree."""
    expected = brute_force_counts(documents, *fact, topics=about, **options)
    assert count_facts([fact], [Text(documents, about or ())], **options) == [expected]
    return expected


def count(text, e1, r, e2, **options):
    """Count a fact in a text that is about something else: pair, CLASSIC and PROXIMITY."""
    *counts, topic, anchored = counted([text.split()], (e1, r, e2), **options)
    assert not topic
    assert not anchored
    return InText(*counts)


def anchored(title, text, e1, r, e2, **options):
    """Count a fact in an article: documents about e1 with e2, and ANCHORED."""
    words = tokens(text)
    return counted([words], (e1, r, e2), [topics(title, words)], **{"x": 4, **options})[3:]


def test_figure_2_matches_at_4_words_and_not_at_3():
    fact = name("valerie jarrett"), one_of("advisor", "advisors"), name("barack obama")
    assert count(" ".join(FIGURE_2), *fact, x=4) == InText(pair=1, classic=1, proximity=1)
    assert count(" ".join(FIGURE_2), *fact, x=3) == InText(pair=1, classic=1, proximity=0)


def test_each_distance_is_bounded_by_itself_not_their_sum():
    fact = name("a"), name("r"), name("b")
    assert count("a x x r b", *fact, x=1).proximity == 0
    assert count("a x r x b", *fact, x=1).proximity == 1


def test_any_occurrence_of_the_relation_will_do():
    # The first r is 7 words from "c d"; the second is 4 from "a b" and 3 from "c d".
    fact = name("a b"), name("r"), name("c d")
    assert count("a b r x x x r x x x c d", *fact, x=4).proximity == 1
    assert count("a b r x x x r x x x c d", *fact, x=3).proximity == 0


def test_order_does_not_matter_unless_asked_for():
    fact = name("a"), name("r"), name("b")
    for text in ("a r b", "b r a", "r a b", "r b a", "a b r", "b a r"):
        assert count(text, *fact, x=1).proximity == 1
        assert count(text, *fact, x=1, ordered=True).proximity == (text == "a r b")


def test_one_mention_cannot_serve_both_entities():
    fact = name("obama"), name("visit"), name("michelle obama")
    assert count("michelle obama visit", *fact, x=5) == InText(0, 0, 0)
    assert count("michelle obama visit obama", *fact, x=5) == InText(1, 1, 1)


def test_a_relation_word_inside_a_name_does_not_count():
    fact = name("bank of america"), name("bank"), name("boston")
    assert count("bank of america boston", *fact, x=5) == InText(1, 0, 0)
    assert count("bank of america bank boston", *fact, x=5) == InText(1, 1, 1)


def test_the_longer_alternative_may_be_the_nearer():
    fact = one_of("a", "a x"), name("r"), name("b")
    assert count("a x r b", *fact, x=0).proximity == 1


def test_alternatives_are_one_element():
    fact = name("a"), one_of("r", "s"), name("b")
    assert count("a r s b", *fact, x=5) == InText(1, 1, 1)


def test_an_emptied_element_leaves_counts_undefined():
    assert count("a b", name("a"), (), name("b"), x=2) == InText(1, None, None)
    assert count("a b", name("a"), ((),), name("b"), x=2) == InText(1, None, None)
    assert count("a b", (), name("r"), name("b"), x=2) == InText(None, None, None)


def test_near_pairs_leave_room_for_the_relation():
    fact = name("a"), name("r"), name("b")
    assert pair_width(name("r"), 1) == 3
    assert count("a x x x b", *fact, x=1, denominator="near").pair == 1
    assert count("b x x x a", *fact, x=1, denominator="near").pair == 1
    assert count("a x x x x b", *fact, x=1, denominator="near").pair == 0


def test_pmi_is_a_share_zero_or_undefined():
    counts = Counts(pair=8, classic=4, proximity=2, topic=5, anchored=1)
    assert pmi(counts) == 0.25
    assert pmi(counts, "classic") == 0.5
    assert pmi(counts, "anchored") == 0.2
    assert pmi(Counts(8, 0, 0, 1, 0)) == 0.0
    assert pmi(Counts(8, 0, 0, 1, 0), "anchored") == 0.0
    assert pmi(Counts(0, 0, 0, 1, 1)) is None
    assert pmi(Counts(8, 4, 2, 0, 0), "anchored") is None
    for undefined in (Counts(8, None, None, 2, None), Counts(*[None] * 5)):
        assert pmi(undefined) is None
        assert pmi(undefined, "anchored") is None


# --- ANCHORED


LINCOLN = name("abraham lincoln")
DIE = one_of("die", "died", "dies", "dying")


def test_an_article_states_facts_of_its_topic_without_naming_it():
    fact = LINCOLN, DIE, name("washington")
    article = "Lincoln was born in Kentucky. He died in Washington."
    assert anchored("Abraham Lincoln", article, *fact) == (1, 1)
    assert anchored("Abraham Lincoln (president)", article, *fact) == (1, 1)
    assert anchored("Mary Todd Lincoln", article, *fact) == (0, 0)
    assert anchored("Abraham Lincoln", article, LINCOLN, name("visit"), fact[2]) == (1, 0)
    assert anchored("Abraham Lincoln", article, LINCOLN, DIE, name("springfield")) == (0, 0)


def test_any_name_of_e1_may_be_the_title():
    fact = one_of("abe", "abraham lincoln"), DIE, name("washington")
    assert anchored("Abe", "He died in Washington", *fact) == (1, 1)


@pytest.mark.parametrize(("reach", "within"), [(2, 0), (3, 1)])
def test_reach_is_the_words_between_the_relation_and_e2(reach, within):
    fact = LINCOLN, DIE, name("washington")
    for text in ("He died in rainy old Washington", "In Washington there he then died"):
        assert anchored("Abraham Lincoln", text, *fact, reach=reach) == (1, within)


def test_where_order_is_asked_for_the_relation_stands_before_e2():
    fact = LINCOLN, DIE, name("washington")
    for text, in_order in (("He died in Washington", 1), ("In Washington he died", 0)):
        assert anchored("Abraham Lincoln", text, *fact) == (1, 1)
        assert anchored("Abraham Lincoln", text, *fact, ordered=True) == (1, in_order)


def test_words_of_a_mention_of_e1_are_neither_e2_nor_the_relation():
    bank, america = name("bank of america"), name("america")
    title, text = "Bank of America", "Bank of America operates widely"
    assert anchored(title, text, bank, name("operates"), america) == (0, 0)
    assert anchored(title, f"{text} in America", bank, name("operates"), america) == (1, 1)
    assert anchored(title, f"{text} in America", bank, name("bank"), america) == (1, 0)


def test_one_mention_serves_the_relation_or_e2():
    fact = LINCOLN, name("state"), name("united states of state")
    assert anchored("Abraham Lincoln", "united states of state", *fact) == (1, 0)
    assert anchored("Abraham Lincoln", "united states of state state", *fact) == (1, 1)


def test_a_text_without_a_title_is_about_what_it_opens_with():
    fact = LINCOLN, DIE, name("washington")
    assert anchored("", "Abraham Lincoln died in Washington", *fact) == (1, 1)
    assert anchored("!!!", "Abraham Lincoln died in Washington", *fact) == (1, 1)
    assert anchored("", "In 1865 Abraham Lincoln died in Washington", *fact) == (0, 0)
    assert anchored("Obituary", "Abraham Lincoln died in Washington", *fact) == (0, 0)


def test_anchored_counts_are_undefined_where_their_elements_are_empty():
    text = "died in Washington"
    assert anchored("Abraham Lincoln", text, LINCOLN, (), name("washington")) == (1, None)
    assert anchored("Abraham Lincoln", text, LINCOLN, DIE, ()) == (None, None)
    assert anchored("Abraham Lincoln", text, (), DIE, name("washington")) == (None, None)


# --- Context


def test_the_context_is_what_there_is_of_its_elements():
    documents = [text.split() for text in ("a r b", "r x x a", "b b r", "a b", "r a x r b")]
    about = [topics("", words) for words in documents]
    a, r, b = name("a"), name("r"), name("b")

    def context(e1, r, e2, **distances):
        return brute_force_context(documents, e1, r, e2, topics=about, **distances)

    # "a" is in all but the third, two of them open with it; "b" is in all but the second. "r" is
    # next to "a" in the first and the last. Between "a" and "b" are 1, 0 and 2 words.
    assert context(a, r, b, x=1, reach=1) == Context(4, 4, 2, 2, 3, 2)
    assert context(a, r, b, x=2, reach=2) == Context(4, 4, 2, 3, 3, 3)
    assert context(a, (), b, x=1, reach=0) == Context(4, 4, 2, None, None, 1)
    assert context((), r, b, x=1) == Context(*[None] * 6)


# --- Many facts


def test_counts_are_exact_beyond_a_thousand_documents():
    documents = [["a", "r", "b"]] * 1500 + [["a", "b"]] * 700 + [["r", *"xxxxx", "a", "b"]] * 1100
    fact = name("a"), name("r"), name("b")
    about = [name("a")] * 2000 + [name("b")] * 1300
    assert count_facts([fact], [Text(documents, about)], x=4, reach=1) == [
        Counts(3300, 2600, 1500, 2000, 1500)
    ]


def test_each_fact_gets_its_counts_whatever_stands_beside_it():
    documents = [["a", "r", "b"], ["a", "s"], ["b", "a"]]
    facts = [
        (name("a"), name("s"), name("b")),
        ((), name("r"), name("b")),
        (name("a"), name("r"), name("b")),
        (name("a"), (), name("b")),
        (name("b"), name("r"), name("a")),
        (name("a"), name("r"), name("b")),
    ]
    about = [name("a"), name("a"), name("b")]
    assert count_facts(facts, [Text(documents, about)], x=3) == [
        Counts(2, 0, 0, 1, 0),
        Counts(None, None, None, None, None),
        Counts(2, 1, 1, 1, 1),
        Counts(2, None, None, 1, None),
        Counts(2, 1, 1, 1, 0),
        Counts(2, 1, 1, 1, 1),
    ]


def test_no_facts_no_documents():
    assert count_facts([], [Text([["a"]])], x=3) == []
    fact = name("a"), name("r"), name("b")
    assert count_facts([fact], [Text([])], x=3) == [Counts(0, 0, 0, 0, 0)]
    assert count_facts([fact], [], x=3) == [Counts(0, 0, 0, 0, 0)]


def test_options_out_of_range_are_refused():
    with pytest.raises(ConfigurationError, match="X is -1"):
        count_facts([], [], x=-1)
    with pytest.raises(ConfigurationError, match="reach is -1"):
        count_facts([], [], x=1, reach=-1)
    with pytest.raises(ConfigurationError, match="denominator"):
        count_facts([], [], x=1, denominator="or")


# A tiny vocabulary, so that occurrences overlap, nest and repeat.
WORDS = st.sampled_from("abcx")
DOCUMENTS = st.lists(st.lists(WORDS, max_size=12), max_size=6)
TITLES = st.sampled_from(["", "a", "b (c)", "a b", "(c)", "x"])
ALTERNATIVES = st.lists(st.sampled_from("abc"), max_size=3).map(tuple)
ELEMENTS = st.lists(ALTERNATIVES, min_size=1, max_size=3).map(tuple)
SHORT_FORMS = ALTERNATIVES.map(lambda words: (IF_NAMED, *words))
ENTITIES = st.lists(ALTERNATIVES | SHORT_FORMS, min_size=1, max_size=4).map(tuple)
FACTS = st.lists(st.tuples(ENTITIES, ELEMENTS, ENTITIES), min_size=1, max_size=4)
OPTIONS = st.fixed_dictionaries(
    {
        "x": st.integers(0, 6),
        "reach": st.integers(0, 6),
        "ordered": st.booleans(),
        "denominator": st.sampled_from(["and", "near"]),
    }
)


@pytest.mark.parametrize(
    ("rows", "memory"), [(1, 1), (1 << 21, 1 << 30)], ids=["one by one", "all at once"]
)
@given(
    documents=DOCUMENTS,
    titles=st.lists(TITLES, min_size=6, max_size=6),
    facts=FACTS,
    options=OPTIONS,
    cut=st.integers(0, 6),
)
def test_joins_equal_brute_force(rows, memory, documents, titles, facts, options, cut):
    about = [topics(title, words) for title, words in zip(titles, documents, strict=False)]
    shards = [Text(documents[:cut], about[:cut]), Text(documents[cut:], about[cut:])]
    table = FactTable.of(facts)
    with pytest.MonkeyPatch.context() as patch:
        for module in (evaluator.counting.occurrences, evaluator.counting.bulk):
            patch.setattr(module, "_ROWS", rows)
        patch.setattr(evaluator.counting.bulk, "_BITMAPS", rows)
        one = count_facts(facts, [Text(documents, about)], **options)
        two = count_facts(facts, shards, memory=memory, **options)
        context = count_shards(table, shards, context=True, memory=memory, **options)[:, 5:]
    expected = [brute_force_counts(documents, *fact, topics=about, **options) for fact in facts]
    assert one == two == expected
    assert context.tolist() == [
        [
            count or 0
            for count in brute_force_context(
                documents, *fact, x=options["x"], reach=options["reach"], topics=about
            )
        ]
        for fact in facts
    ]


@given(documents=DOCUMENTS, fact=st.tuples(ELEMENTS, ELEMENTS, ELEMENTS), x=st.integers(0, 6))
def test_proximity_never_exceeds_classic_nor_the_near_pairs(documents, fact, x):
    anywhere = brute_force_counts(documents, *fact, x=x)
    near = brute_force_counts(documents, *fact, x=x, denominator="near")
    if anywhere.proximity is not None:
        assert anywhere.proximity <= anywhere.classic <= anywhere.pair
        assert near.proximity <= near.pair <= anywhere.pair


def test_names_overlap_where_one_ends_as_the_other_begins_or_holds_it():
    assert may_overlap(name("new york"), name("new york city"))
    assert may_overlap(name("city of london"), name("london bridge"))
    assert not may_overlap(name("new york city"), name("new york times"))
    assert may_overlap(one_of("nyc", "new york city"), one_of("times", "city"))


@given(documents=DOCUMENTS, fact=st.tuples(ELEMENTS, ELEMENTS, ELEMENTS), reach=st.integers(0, 6))
def test_anchored_never_exceeds_its_topic_and_grows_with_reach(documents, fact, reach):
    about = [topics("", words) for words in documents]
    counts, wider = (
        brute_force_counts(documents, *fact, x=0, reach=words, topics=about)
        for words in (reach, reach + 1)
    )
    if counts.anchored is not None:
        assert counts.anchored <= wider.anchored <= counts.topic


@given(documents=DOCUMENTS, one=ELEMENTS, other=ELEMENTS)
def test_what_overlaps_may_overlap(documents, one, other):
    for document in documents:
        for a, b in product(one, other):
            places = [
                {range(at, at + len(words)) for at in range(len(document))
                 if tuple(document[at : at + len(words)]) == words}
                for words in (a, b)
            ]  # fmt: skip
            if any(set(first) & set(second) for first, second in product(*places)):
                assert may_overlap(one, other)
