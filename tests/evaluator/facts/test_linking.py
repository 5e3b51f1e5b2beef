"""An argument links to the entity that it is, not to one that it mentions."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import ConfigurationError
from evaluator.facts.linking import (
    REASONS,
    LinkedExtraction,
    _held_mentions,
    link_argument,
    link_extraction,
    neighbouring,
)
from evaluator.facts.phrases import find_elements
from evaluator.model import Extraction, Fact, Mention, Sentence
from evaluator.text import tokens


def marked(text):
    """Return the sentence of a text in which [brackets] mark mentions; the name is the entity."""
    mentions, plain = [], ""
    for piece in re.split(r"(\[.*?\])", text):
        start = len(tokens(plain))
        plain += piece.strip("[]") if piece.startswith("[") else piece
        if piece.startswith("["):
            mentions.append(Mention(start, len(tokens(plain)), piece.strip("[]")))
    return Sentence("d", 0, plain, tuple(mentions), ())


def linked(text, argument, mode="head"):
    mention = link_argument(marked(text), argument, mode=mode)
    return mention and mention.entity


# ----- the head of the base noun phrase


@pytest.mark.parametrize(
    ("text", "argument", "entity"),
    [
        # The name itself, with what stands before or after it.
        ("[Barack Obama] left .", "Barack Obama", "Barack Obama"),
        ("the [White House] burned .", "the White House", "White House"),
        ("former president [Barack Obama] left .", "former president Barack Obama", "Barack Obama"),
        ("[Apple] founder [Steve Jobs] left .", "Apple founder Steve Jobs", "Steve Jobs"),
        ("[Obama] , the president , left .", "Obama , the president ,", "Obama"),
        ("[Barack Obama] (born 1961) left .", "Barack Obama (born 1961)", "Barack Obama"),
        ("[Barack Obama] , who won , left .", "Barack Obama , who won", "Barack Obama"),
        ("[Barack Obama] himself left .", "Barack Obama himself", "Barack Obama"),
        ("the two other [Beatles] sang .", "the two other Beatles", "Beatles"),
        ("[Obama] , not [Biden] , won .", "Obama , not Biden", "Obama"),
        ("[Rome] in summer is hot .", "Rome in summer", "Rome"),
        ("It is in [Rome] .", "in Rome", "Rome"),
        ("It goes to the [White House] .", "to the White House", "White House"),
        ("[Obama] 's visit to [Rome] was short .", "Obama 's", "Obama"),
        ("[Obama] and [Merkel] met .", "Obama and Merkel", "Obama"),
        ("20 investors including [Alan Bond] came .", "including Alan Bond", "Alan Bond"),
        ("The reigning [Miss World] came .", "The reigning Miss World", "Miss World"),
        # Words inside a mention do not cut it.
        ("the [Bank of America] rose .", "the Bank of America", "Bank of America"),
        ("[Washington , D.C.] slept .", "Washington , D.C.", "Washington , D.C."),
        ("[The The] played .", "The The", "The The"),
        # The argument is something else.
        ("The president of [France] left .", "The president of France", None),
        ("[France] 's president left .", "France 's president", None),
        ("the [Obama] administration fell .", "the Obama administration", None),
        ("The [White House] meeting ended .", "The White House meeting", None),
        ("the company , owned by [Apple] , left .", "the company , owned by Apple", None),
        ("[Obama] and [Merkel] met .", "met", None),
        ("[Obama] left .", "", None),
        # The argument is a clause.
        ("He says [Obama] is visiting [Rome] .", "Obama is visiting Rome", None),
        ("He says that [Obama] visited [Rome] .", "that Obama visited Rome", None),
        ("He wants to visit [Rome] .", "to visit Rome", None),
        ("He enjoyed visiting [Rome] .", "visiting Rome", None),
        ("He visited [Rome] .", "He visited Rome", None),
        ("[Obama] wasn't in [Rome] .", "Obama wasn't in Rome", None),
        ("No [Obama] won .", "No Obama", None),
        # A participle after the name.
        ("[Obama] visiting the [White House] smiled .", "Obama visiting the White House", "Obama"),
        ("the German-speaking [Tyrol] slept .", "the German-speaking Tyrol", "Tyrol"),
    ],
)  # fmt: skip
def test_an_argument_links_to_the_head_of_its_base_noun_phrase(text, argument, entity):
    assert linked(text, argument) == entity


def test_spelling_does_not_matter():
    assert linked("[Zoë Bell] left (today) .", "zoe\u0308  BELL -LRB-today-RRB-") == "Zoë Bell"


# ----- exact and contains


@pytest.mark.parametrize(
    ("argument", "entity"),
    [
        ("Barack Obama", "Barack Obama"),
        ("the Barack Obama", "Barack Obama"),
        ("Barack Obama 's", "Barack Obama"),
        ("president Barack Obama", None),
        ("Barack Obama , the president", None),
        ("Obama", None),
    ],
)
def test_exact_allows_determiners_before_and_a_possessive_after(argument, entity):
    text = "The president [Barack Obama] , the president , left ."
    assert linked(text, argument, "exact") == entity


@pytest.mark.parametrize(
    ("argument", "entity"),
    [
        (
            "The visit of Obama to New York City",
            "New York City",
        ),  # neither is the head: the longest
        ("The visit of Obama to Rome", "Obama"),  # equally long: the first
        ("Obama on a visit to New York City", "Obama"),  # the head
        ("nothing", None),
    ],
)
def test_contains_prefers_the_head_then_the_longest_then_the_first(argument, entity):
    text = "The visit of [Obama] to [New York City] and [Rome] ."
    assert linked(text, argument, "contains") == entity


# ----- where the argument stands in the sentence


def test_the_first_place_that_links_counts():
    sentence = marked("[Michelle Obama] met [Obama] and [Obama] .")
    assert link_argument(sentence, "Obama") == Mention(3, 4, "Obama")


def test_the_place_tells_equal_names_apart():
    sentence = Sentence(
        "d", 0, "Washington left Washington state .", (Mention(0, 1, "man"), Mention(2, 3, "state"))
    )
    assert link_argument(sentence, "Washington state", mode="contains") == Mention(2, 3, "state")


def test_an_argument_that_rewords_the_sentence_links_by_the_name_in_it():
    # ClausIE drops the commas and words between: the tokens do not stand in the sentence as one.
    text = "[Barack Obama] , elected twice , the president , met [Obama] fans ."
    assert linked(text, "Barack Obama the president") == "Barack Obama"


# ----- all modes


@given(
    before=st.lists(st.sampled_from(["the", "of", "said", "old", "Paris", ","]), max_size=3),
    after=st.lists(st.sampled_from(["'s", "of", "said", ",", "is", "Paris"]), max_size=3),
)
def test_a_looser_mode_links_whatever_a_stricter_one_links(before, after):
    argument = " ".join([*before, "New Paris", *after])
    text = f"It is said {argument} ended ."
    sentence = marked(text.replace("New Paris", "[New Paris]"))
    exact, head, contains = (
        link_argument(sentence, argument, mode=mode) for mode in ("exact", "head", "contains")
    )
    assert exact in (None, head)
    assert head in (None, contains)
    assert contains is not None


def test_bad_use_is_refused():
    with pytest.raises(ConfigurationError, match=r"link.arguments 'tail'.*exact, head, contains"):
        linked("[Rome] waits", "Rome", "tail")
    with pytest.raises(ValueError, match="d, sentence 2: not annotated"):
        link_argument(Sentence("d", 2, "Rome waits"), "Rome")


# ----- from an extraction to a fact

SENTENCE = marked("[Barack Obama] is visiting [Rome] to attend the [G8 Summit] .")


def link(arg1, relation, arg2, sentence=SENTENCE, negated=None, asserted=True, **policy):
    extraction = Extraction(
        "system", 1, sentence.text, arg1, relation, arg2, negated=negated, asserted=asserted
    )
    return link_extraction(sentence, extraction, **policy)


def test_an_extraction_states_a_fact_about_entities():
    assert link("President Barack Obama", "is visiting", "Rome") == LinkedExtraction(
        fact=Fact("Barack Obama", "visit", "Rome"),
        reason=None,
        mention1=Mention(0, 2, "Barack Obama"),
        mention2=Mention(4, 5, "Rome"),
        hedged=False,
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("Barack Obama", "is visiting", ""), "one argument"),
        (("``", "is visiting", "Rome"), "one argument"),
        (("Barack Obama", "is not visiting", "Rome"), "negated"),
        (("He", "is visiting", "a city"), "no linked pair"),
        (("He", "is visiting", "Rome"), "no linked first argument"),
        (("Barack Obama", "is visiting", "a city"), "no linked second argument"),
        (("Barack Obama", "is", "Barack Obama"), "same entity"),
    ],
)
def test_an_extraction_out_of_scope_has_a_reason(arguments, reason):
    out = link(*arguments)
    assert out.fact is None
    assert out.reason == reason
    assert reason in REASONS


def test_kept_negation_is_part_of_the_fact():
    out = link("Barack Obama", "is not visiting", "Rome", negation="keep")
    assert out.fact == Fact("Barack Obama", "visit", "Rome", negated=True)
    assert out.fact != link("Barack Obama", "is visiting", "Rome").fact


def test_a_system_can_negate_beside_the_relation():
    arguments = "Barack Obama", "is visiting", "Rome"
    assert link(*arguments, negated=True).reason == "negated"
    kept = link(*arguments, negated=True, negation="keep").fact
    assert kept == Fact("Barack Obama", "visit", "Rome", negated=True)


def test_what_the_sentence_does_not_assert_can_be_left_out():
    arguments = "Barack Obama", "is visiting", "Rome"
    assert link(*arguments, asserted=False).fact == Fact("Barack Obama", "visit", "Rome")
    assert link(*arguments, asserted=False, unasserted="exclude").reason == "not asserted"
    assert link(*arguments, unasserted="exclude").fact == Fact("Barack Obama", "visit", "Rome")


def test_hedging_is_told():
    assert link("Barack Obama", "may visit", "Rome").hedged
    assert not link("Barack Obama", "will visit", "Rome").hedged


def test_a_relation_without_a_content_word_stays_in_scope():
    assert link("Barack Obama", "is in", "Rome").fact == Fact("Barack Obama", "", "Rome")


def test_all_content_words_can_make_the_key():
    out = link("Barack Obama", "is visiting Rome to attend", "the G8 Summit", key="all")
    assert out.fact.r.split()[0] == "visit"
    assert out.fact.r.split()[-1] == "attend"


def with_phrases(text, arg1, relation, arg2):
    found = find_elements(text, (), scope="phrases")
    mentions = tuple(sorted((*found.names, *found.phrases)))
    extraction = Extraction("system", 1, text, arg1, relation, arg2)
    return link_extraction(Sentence("d", 0, text, mentions, ()), extraction, scope="phrases")


@pytest.mark.parametrize(
    ("text", "slots", "fact"),
    [
        # Wherever an extractor cuts a statement, it is one fact.
        *(
            ("Smith is the president of Freedonia .", slots, ("smith", "president", "freedonia"))
            for slots in (
                ("Smith", "is", "the president of Freedonia"),
                ("Smith", "is the president of", "Freedonia"),
            )
        ),
        *(
            ("The city has a population of 4,000 .", slots, ("city", "population", "4 000"))
            for slots in (
                ("The city", "has", "a population of 4,000"),
                ("The city", "has a population of", "4,000"),
            )
        ),
        *(
            ("The race took place in Freedonia .", slots, ("race", "place", "freedonia"))
            for slots in (
                ("The race", "took", "place in Freedonia"),
                ("The race", "took place in", "Freedonia"),
            )
        ),
        # A verb that says something itself keeps its object.
        (
            "Smith met the president of Freedonia .",
            ("Smith", "met", "the president of Freedonia"),
            ("smith", "meet", "president"),
        ),
        (
            "Smith made a film in Freedonia .",
            ("Smith", "made", "a film in Freedonia"),
            ("smith", "make", "film"),
        ),
        # A noun without one has "be" and "have" for a relation.
        ("Smith is a painter .", ("Smith", "is", "a painter"), ("smith", "be", "painter")),
        ("Smith has a dog .", ("Smith", "has", "a dog"), ("smith", "have", "dog")),
    ],
)
def test_a_relation_finds_its_noun_in_the_second_argument(text, slots, fact):
    assert with_phrases(text, *slots).fact == Fact(*fact)


@pytest.mark.parametrize(
    ("argument", "entity"),
    [
        ("its main local rival in Freedonia", "main local rival"),
        ("rival", "main local rival"),
        ("local rival", "main local rival"),
        ("main rival", "main local rival"),  # not word for word
        ("the rival that he knew", "main local rival"),
        ("main", None),  # the head is what it is
        ("early and strong resistance", "strong resistance"),
    ],
)
def test_an_argument_may_shorten_a_noun_phrase_to_its_head(argument, entity):
    text = "Smith met its main local rival in Freedonia , and early and strong resistance ."
    fact = with_phrases(text, "Smith", "met", argument).fact
    assert (fact and fact.e2) == entity


def test_an_argument_does_not_shorten_an_entity_of_the_database():
    sentence = Sentence("d", 0, "Ann Smith left .", (Mention(0, 2, "/m/1"),), ())
    assert link_argument(sentence, "Smith") is None


@pytest.mark.parametrize(
    ("text", "slots", "reason"),
    [
        ("He met Smith .", ("He", "met", "Smith"), "an argument is a pronoun"),
        ("Smith got angry .", ("Smith", "got", "angry"), "an argument is no noun phrase"),
        ("Smith said dogs are big .", ("Smith", "said", "dogs are big"), "an argument is a clause"),
        ("A man saw a man .", ("A man", "saw", "a man"), "same entity"),
    ],
)
def test_with_phrases_in_scope_what_is_none_has_a_reason(text, slots, reason):
    assert with_phrases(text, *slots).reason == reason
    assert reason in REASONS


@pytest.mark.parametrize(
    ("policy", "setting"),
    [
        ({"scope": "all"}, "link.scope"),
        ({"negation": "drop"}, "link.negation"),
        ({"unasserted": "drop"}, "link.unasserted"),
        ({"arguments": "tail"}, "link.arguments"),
        ({"key": "tail"}, "relation.key"),
    ],
)
def test_an_unknown_policy_is_refused(policy, setting):
    with pytest.raises(ConfigurationError, match=setting):
        link("Barack Obama", "is visiting", "Rome", **policy)


def test_a_slot_longer_than_any_sentence_links_to_nothing():
    longest, longer = "a " * 999 + "Rome", "a " * 1000 + "Rome"
    assert link("Barack Obama", "visits", longest).fact is not None
    for slots in (("Barack Obama", "visits", longer), ("Barack Obama", longer, "Rome")):
        assert link(*slots) == LinkedExtraction(None, "a slot longer than any sentence")


def held_by_definition(mentions, forms, argument):
    """Return the mentions in a reworded argument: all places, the longest first, none twice."""
    places = [
        (start, start + m.end - m.start, m)
        for m in mentions
        for start in range(len(argument))
        if argument[start : start + m.end - m.start] == forms[m.start : m.end]
    ]
    kept = []
    for one in sorted(places, key=lambda one: one[0] - one[1]):
        if all(one[1] <= other[0] or other[1] <= one[0] for other in kept):
            kept.append(one)
    return sorted(kept)


words = st.lists(st.sampled_from("ab"), min_size=1, max_size=8)


@given(forms=words, argument=words, cuts=st.sets(st.integers(0, 8)))
def test_the_mentions_of_a_reworded_argument(forms, argument, cuts):
    edges = sorted({0, len(forms)} | {cut for cut in cuts if cut < len(forms)})
    mentions = [Mention(*edge, f"Q{place}") for place, edge in enumerate(pairwise(edges))]
    forms, argument = tuple(forms), (*argument, "c")  # so that the sentence does not hold it
    (held,) = _held_mentions(forms, mentions, argument)
    assert held == held_by_definition(mentions, forms, argument)


# ----- neighbours


def test_an_argument_that_the_sentence_lacks_may_stand_in_a_neighbour():
    before = Sentence("d", 0, "Ann met Bob.", mentions=(Mention(0, 1, "A"), Mention(2, 3, "B")))
    here = Sentence("d", 1, "She settled in Paris.", mentions=(Mention(3, 4, "P"),))
    after = Sentence("d", 2, "Ann left Rome.", mentions=(Mention(0, 1, "A2"), Mention(2, 3, "R")))

    def fact(arg1, arg2, neighbours, **policy):
        said = Extraction("s", 1, here.text, arg1, "settled in", arg2)
        return link_extraction(here, said, neighbours=neighbours, **policy)

    assert fact("Ann", "Paris", []).reason == "no linked first argument"
    assert fact("Ann", "Paris", [before, after]).fact == Fact("A", "settle", "P")
    assert fact("Ann", "Paris", [after, before]).fact == Fact("A2", "settle", "P")
    assert fact("Paris", "Rome", [before, after]).fact == Fact("P", "settle", "R")
    assert fact("Ann", "Rome", [before, after]).reason == "no linked pair"  # neither is here
    assert fact("She", "Paris", [before, after]).reason == "no linked first argument"
    of_phrases = fact("Ann", "Paris", [before], scope="phrases")
    assert of_phrases.reason == "an argument is no noun phrase"


def test_the_nearest_sentences_of_a_window_come_first():
    assert neighbouring(1) == []
    assert neighbouring(3) == [-1, 1, -2, 2]
