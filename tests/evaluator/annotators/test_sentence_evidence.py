"""How sentences state facts: counted by hand, and by a slow reader that looks at each choice."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.annotators.sentence_evidence import (
    FIELDS,
    SentenceEvidence,
    closest_spans,
    decoded,
    encoded,
    named,
    sentence_evidence,
)
from evaluator.facts.superset import candidate_superset
from evaluator.function_words import AUXILIARIES, CONJUNCTIONS, DETERMINERS, PREPOSITIONS
from evaluator.model import Fact, Mention, Sentence
from evaluator.text import spans
from evaluator.wordnet.lexicon import wordnet

BEAN = Sentence(
    "moon",
    0,
    "Alan Bean, who was born in Wheeler, Texas, served as a crew member of Apollo 12.",
    (
        Mention(0, 2, "Bean"),
        Mention(6, 7, "Wheeler"),
        Mention(7, 8, "Texas"),
        Mention(14, 16, "12"),
    ),
    ("bear", "serve", "crew", "member"),
)
DENIAL = Sentence(
    "moon",
    1,
    "According to Ann, Bob did not marry Cid; the Eva that Bob may have met didn't leave by Dan.",
    tuple(
        Mention(place, place + 1, name)
        for place, name in (
            (2, "Ann"),
            (3, "Bob"),
            (7, "Cid"),
            (9, "Eva"),
            (11, "Bob"),
            (19, "Dan"),
        )
    ),
    ("marry", "meet", "leave"),
)


def stated(sentence: Sentence, *fact: str) -> SentenceEvidence:
    [fields] = sentence_evidence([(sentence, [Fact(*fact)])]).tolist()
    return SentenceEvidence(*fields)


def test_a_word_between_its_elements():
    told = stated(BEAN, "Bean", "bear", "Wheeler")
    # Alan Bean [, who was] born [in] Wheeler
    assert (told.order, told.gap1, told.gap2, told.gap, told.distance) == (0, 2, 1, 4, 3)
    assert (told.words1, told.words2, told.words) == (0, 0, 1)
    assert (told.clauses1, told.clauses2, told.clauses) == (2, 0, 2)  # the comma and "who"
    assert (told.auxiliary, told.following, told.verb, told.preposition2) == (1, 1, 1, 1)
    assert (told.length1, told.length2, told.place1, told.place2, told.length) == (2, 1, 0, 1, 16)
    assert (told.reversed, told.negated, told.hedged, told.attributed, told.by) == (0,) * 5


def test_a_word_behind_other_mentions():
    told = stated(BEAN, "Bean", "serve", "12")
    # Alan Bean [, who was born in Wheeler, Texas,] served [as a crew member of] Apollo 12
    assert (told.gap1, told.mentions1, told.words1, told.clauses1) == (6, 2, 1, 4)
    assert (told.gap2, told.mentions2, told.words2, told.clauses2) == (5, 0, 2, 0)
    assert (told.gap, told.mentions, told.words) == (12, 2, 4)


def test_a_word_on_either_side():
    assert stated(BEAN, "Wheeler", "bear", "Texas").order == 1
    assert stated(BEAN, "Wheeler", "crew", "Texas").order == 2
    nowhere = stated(BEAN, "Wheeler", "visit", "Texas")
    assert (nowhere.order, nowhere.gap1, nowhere.gap2, nowhere.clauses1) == (3, 0, 0, 1)
    assert nowhere.distance == 2 * 16


def test_what_takes_a_fact_back():
    denied = stated(DENIAL, "Bob", "marry", "Cid")
    assert (denied.negated, denied.hedged, denied.attributed) == (1, 0, 1)
    met = stated(DENIAL, "Eva", "meet", "Bob")
    assert (met.order, met.hedged, met.negated, met.reversed) == (2, 1, 0, 0)
    left = stated(DENIAL, "Dan", "leave", "Eva")
    assert (left.negated, left.reversed, left.by, left.preposition1) == (1, 1, 1, 1)  # "didn't"


def test_of_several_choices_the_closest_counts():
    # The first Bob is two tokens from "marry", the second stands behind Cid.
    assert stated(DENIAL, "Bob", "marry", "Cid").distance == 2
    assert stated(DENIAL, "Bob", "marry", "Cid").reversed == 0


def test_what_a_sentence_does_not_mention_is_refused():
    with pytest.raises(ValueError, match="not both mentioned"):
        stated(BEAN, "Bean", "bear", "Rome")
    with pytest.raises(ValueError, match="not annotated"):
        stated(Sentence("moon", 2, "Nobody."), "a", "r", "b")
    assert sentence_evidence([]).shape == (0, len(FIELDS))


FORMS = [
    "ann",
    "marry",
    "visited",
    "by",
    "the",
    "who",
    "was",
    "not",
    "may",
    "said",
    ",",
    "in",
    "of",
]


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    words = draw(st.lists(st.sampled_from(FORMS), min_size=4, max_size=14))
    text = " ".join(words)
    count = len(spans(text))
    mentions, place = [], 0
    while place < count:
        length = draw(st.integers(1, 2))
        if draw(st.booleans()) and place + length <= count:
            mentions.append(Mention(place, place + length, draw(st.sampled_from("ABC"))))
        place += length
    return Sentence("d", 0, text, tuple(mentions), ("marry", "visit", "say"))


@given(st.lists(sentences(), max_size=4))
def test_a_slow_reader_agrees(drawn: list[Sentence]):
    asked = [(one, list(candidate_superset(one, direction="both"))) for one in drawn]
    slow = [min(_choices(one, fact)) for one, facts in asked for fact in facts]
    assert [tuple(row) for row in sentence_evidence(asked).tolist()] == slow


def _choices(sentence: Sentence, fact: Fact) -> list[SentenceEvidence]:
    """Every choice of occurrences, read token by token."""
    tokens = spans(sentence.text)
    mentions = sentence.mentions or ()
    inside = {p for m in mentions for p in range(m.start, m.end)}
    forms = ["" if p in inside else t.form for p, t in enumerate(tokens)]
    # A token outside mentions or within, as long as its lemma is the word.
    places = [p for p, t in enumerate(tokens) if wordnet().content_lemma(t.form) == fact.r]

    def comma(p: int) -> bool:
        return 0 < p < len(tokens) and "," in sentence.text[tokens[p - 1].end : tokens[p].start]

    def stretch(a: int, b: int) -> tuple[int, int, int, int]:
        among = range(a, b)
        marks = [p for p in range(a, b + 1) if comma(p)]
        clauses = [p for p in among if forms[p] in CONJUNCTIONS | {"who"}]
        return (
            len(among),
            sum(wordnet().content_lemma(forms[p]) is not None for p in among),
            sum(m.start in among for m in mentions),
            len(clauses) + len(marks),
        )

    def apart(m: Mention, p: int) -> tuple[int, int, int, int]:
        return stretch(m.end, p) if p >= m.end else stretch(p + 1, m.start)

    def before(m: Mention, words: frozenset[str]) -> int:
        p = m.start - 1
        while p >= 0 and tokens[p].form in DETERMINERS:
            p -= 1
        return int(p >= 0 and tokens[p].form in words and p not in inside)

    found = []
    for m1, m2, w in product(mentions, mentions, places or [None]):
        if (m1.entity, m2.entity) != (fact.e1, fact.e2):
            continue
        first, second = sorted((m1, m2))
        gap, words, others, clauses = stretch(first.end, second.start)
        low, high = first.start, second.end
        order, near1, near2 = 3, (gap, words, others, clauses), (gap, words, others, clauses)
        if w is not None:
            low, high = min(low, w), max(high, w + 1)
            order = 1 if w < first.end else 0 if w < second.start else 2
            near1, near2 = apart(m1, w), apart(m2, w)
        span = range(max(0, low - 2), high)
        following = w is not None and w + 1 < len(forms) and forms[w + 1] in PREPOSITIONS
        length = len(tokens)
        said = [p for p, form in enumerate(forms) if form == "said"]
        found.append(
            SentenceEvidence(
                distance=near1[0] + near2[0] if w is not None else 2 * length + gap,
                order=order,
                reversed=int(m2.start < m1.start),
                gap=gap,
                gap1=near1[0],
                gap2=near2[0],
                words1=near1[1],
                words2=near2[1],
                mentions1=near1[2],
                mentions2=near2[2],
                clauses1=near1[3],
                clauses2=near2[3],
                words=words,
                mentions=others,
                clauses=clauses,
                length1=m1.end - m1.start,
                length2=m2.end - m2.start,
                place1=mentions.index(m1),
                place2=mentions.index(m2),
                preposition1=before(m1, PREPOSITIONS),
                preposition2=before(m2, PREPOSITIONS),
                by=before(second, frozenset({"by"})),
                following=int(following),
                auxiliary=int(w is not None and w > 0 and forms[w - 1] in AUXILIARIES),
                verb=int(w is not None and w not in inside),
                negated=int(any(forms[p] == "not" for p in span)),
                hedged=int(any(forms[p] == "may" for p in span)),
                attributed=int(any(not low <= p < high for p in said)),
                length=length,
            )
        )
    return found


@given(st.lists(st.lists(st.integers(0, 3000), min_size=len(FIELDS), max_size=len(FIELDS))))
def test_fields_are_written_so_that_they_sort(rows: list[list[int]]):
    fields = np.array(rows, np.int64).reshape(-1, len(FIELDS))
    written = encoded(fields)
    assert decoded(written).tolist() == rows
    assert [tuple(row) for row in decoded(sorted(written)).tolist()] == sorted(map(tuple, rows))
    assert decoded([None, *written])[0].tolist() == [-1] * len(FIELDS)


def marked(sentence: Sentence, *fact: str) -> list[tuple[str, str]]:
    found = closest_spans(sentence, Fact(*fact))
    return [(sentence.text[start:end], kind) for start, end, kind in found]


def test_the_closest_elements_are_marked_where_they_stand() -> None:
    assert marked(BEAN, "Bean", "bear", "Wheeler") == [
        ("Alan Bean", "e1"),
        ("born", "r"),
        ("Wheeler", "e2"),
    ]
    # Bob is mentioned twice: the second stands next to "met".
    assert marked(DENIAL, "Eva", "meet", "Bob") == [("Eva", "e1"), ("Bob", "e2"), ("met", "r")]
    [(start, _, _)] = [
        span for span in closest_spans(DENIAL, Fact("Eva", "meet", "Bob")) if span[2] == "e2"
    ]
    assert start == DENIAL.text.rindex("Bob")
    assert marked(BEAN, "Bean", "visit", "12") == [("Alan Bean", "e1"), ("Apollo 12", "e2")]


def test_a_word_of_a_name_is_not_marked_where_the_relation_stands_elsewhere() -> None:
    text = "In criminal law the intoxication defense is a defense by which one may claim less."
    #       0  1        2   3   4            5       6  7 8
    mentions = (Mention(1, 3, "law"), Mention(4, 6, "intoxication"))
    sentence = Sentence("d", 0, text, mentions, ())
    found = closest_spans(sentence, Fact("intoxication", "defense", "law"))
    assert [(text[start:end], kind) for start, end, kind in found] == [
        ("criminal law", "e2"),
        ("intoxication defense", "e1"),
        ("defense", "r"),
    ]
    # What stands nowhere else is the name's own, and not marked.
    found = closest_spans(sentence, Fact("intoxication", "intoxication", "law"))
    assert [kind for *_, kind in found] == ["e2", "e1"]


def test_fields_are_named_as_people_read_them() -> None:
    told = named(stated(BEAN, "Bean", "bear", "Wheeler"))
    assert list(told) == list(FIELDS)
    assert (told["order"], told["distance"], told["auxiliary"], told["by"]) == (
        "between",
        3,
        True,
        False,
    )
