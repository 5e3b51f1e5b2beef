"""Hit counts: the definitions by hand, and the joins against brute force."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluator.bulk_counting
import evaluator.occurrences
from evaluator.bulk_counting import count_facts
from evaluator.counting import Counts, brute_force_counts, may_overlap, pair_width, pmi
from evaluator.errors import ConfigurationError
from evaluator.occurrences import ADDRESS_BITS, Occurrences
from evaluator.text import tokens

FIGURE_2 = tokens("Valerie Jarrett was appointed as senior advisor by Barack Obama")


def name(text):
    return (tuple(text.split()),)


def one_of(*texts):
    return tuple(tuple(text.split()) for text in texts)


class Text:
    """A shard that holds some documents."""

    def __init__(self, documents):
        self.held = documents
        self.documents = len(documents)
        self.tokens = sum(map(len, documents))

    def find(self, elements, first, last):
        found = []
        for element in elements:
            places = sorted(
                (number << ADDRESS_BITS | at, number << ADDRESS_BITS | (at + len(words)))
                for number, document in enumerate(self.held)
                if first <= number <= last
                for words in element
                for at in range(len(document))
                if tuple(document[at : at + len(words)]) == words
            )
            columns = np.array(places, dtype=np.int64).reshape(-1, 2)
            found.append(Occurrences(columns[:, 0], columns[:, 1]))
        return found


def count(text, e1, r, e2, **options):
    """Count by both ways, which must agree."""
    document = text.split()
    expected = brute_force_counts([document], e1, r, e2, **options)
    assert count_facts([(e1, r, e2)], [Text([document])], **options) == [expected]
    return expected


def test_figure_2_matches_at_4_words_and_not_at_3():
    fact = name("valerie jarrett"), one_of("advisor", "advisors"), name("barack obama")
    assert count(" ".join(FIGURE_2), *fact, x=4) == Counts(pair=1, classic=1, proximity=1)
    assert count(" ".join(FIGURE_2), *fact, x=3) == Counts(pair=1, classic=1, proximity=0)


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
    assert count("michelle obama visit", *fact, x=5) == Counts(0, 0, 0)
    assert count("michelle obama visit obama", *fact, x=5) == Counts(1, 1, 1)


def test_a_relation_word_inside_a_name_does_not_count():
    fact = name("bank of america"), name("bank"), name("boston")
    assert count("bank of america boston", *fact, x=5) == Counts(1, 0, 0)
    assert count("bank of america bank boston", *fact, x=5) == Counts(1, 1, 1)


def test_the_longer_alternative_may_be_the_nearer():
    fact = one_of("a", "a x"), name("r"), name("b")
    assert count("a x r b", *fact, x=0).proximity == 1


def test_alternatives_are_one_element():
    fact = name("a"), one_of("r", "s"), name("b")
    assert count("a r s b", *fact, x=5) == Counts(1, 1, 1)


def test_an_emptied_element_leaves_counts_undefined():
    assert count("a b", name("a"), (), name("b"), x=2) == Counts(1, None, None)
    assert count("a b", name("a"), ((),), name("b"), x=2) == Counts(1, None, None)
    assert count("a b", (), name("r"), name("b"), x=2) == Counts(None, None, None)


def test_near_pairs_leave_room_for_the_relation():
    fact = name("a"), name("r"), name("b")
    assert pair_width(name("r"), 1) == 3
    assert count("a x x x b", *fact, x=1, denominator="near").pair == 1
    assert count("b x x x a", *fact, x=1, denominator="near").pair == 1
    assert count("a x x x x b", *fact, x=1, denominator="near").pair == 0


def test_pmi_is_a_share_zero_or_undefined():
    counts = Counts(pair=8, classic=4, proximity=2)
    assert pmi(counts) == 0.25
    assert pmi(counts, "classic") == 0.5
    assert pmi(Counts(8, 0, 0)) == 0.0
    assert pmi(Counts(0, 0, 0)) is None
    assert pmi(Counts(8, None, None)) is None
    assert pmi(Counts(None, None, None)) is None


def test_counts_are_exact_beyond_a_thousand_documents():
    documents = [["a", "r", "b"]] * 1500 + [["a", "b"]] * 700 + [["r", *"xxxxx", "a", "b"]] * 1100
    fact = name("a"), name("r"), name("b")
    assert count_facts([fact], [Text(documents)], x=4) == [Counts(3300, 2600, 1500)]


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
    assert count_facts(facts, [Text(documents)], x=3) == [
        Counts(2, 0, 0),
        Counts(None, None, None),
        Counts(2, 1, 1),
        Counts(2, None, None),
        Counts(2, 1, 1),
        Counts(2, 1, 1),
    ]


def test_no_facts_no_documents():
    assert count_facts([], [Text([["a"]])], x=3) == []
    fact = name("a"), name("r"), name("b")
    assert count_facts([fact], [Text([])], x=3) == [Counts(0, 0, 0)]
    assert count_facts([fact], [], x=3) == [Counts(0, 0, 0)]


def test_options_out_of_range_are_refused():
    with pytest.raises(ConfigurationError, match="X is -1"):
        count_facts([], [], x=-1)
    with pytest.raises(ConfigurationError, match="denominator"):
        count_facts([], [], x=1, denominator="or")


# A tiny vocabulary, so that occurrences overlap, nest and repeat.
WORDS = st.sampled_from("abcx")
DOCUMENTS = st.lists(st.lists(WORDS, max_size=12), max_size=6)
ELEMENTS = st.lists(
    st.lists(st.sampled_from("abc"), max_size=3).map(tuple), min_size=1, max_size=3
).map(tuple)
FACTS = st.lists(st.tuples(ELEMENTS, ELEMENTS, ELEMENTS), min_size=1, max_size=4)
OPTIONS = st.fixed_dictionaries(
    {
        "x": st.integers(0, 6),
        "ordered": st.booleans(),
        "denominator": st.sampled_from(["and", "near"]),
    }
)


@pytest.mark.parametrize(
    ("rows", "memory"), [(1, 1), (1 << 21, 1 << 30)], ids=["one by one", "all at once"]
)
@given(documents=DOCUMENTS, facts=FACTS, options=OPTIONS, cut=st.integers(0, 6))
def test_joins_equal_brute_force(rows, memory, documents, facts, options, cut):
    shards = [Text(documents[:cut]), Text(documents[cut:])]
    with pytest.MonkeyPatch.context() as patch:
        for module in (evaluator.occurrences, evaluator.bulk_counting):
            patch.setattr(module, "_ROWS", rows)
        one = count_facts(facts, [Text(documents)], **options)
        two = count_facts(facts, shards, memory=memory, **options)
    assert one == two == [brute_force_counts(documents, *fact, **options) for fact in facts]


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
