"""The baselines, by their definitions; and that what they extract is linked and is in G'."""

import pytest

from evaluator.errors import ConfigurationError
from evaluator.facts.baselines import Baseline, between, naive, trivial
from evaluator.facts.linking import link_argument, link_extraction
from evaluator.facts.superset import candidate_superset
from evaluator.model import Fact, Mention, Rejects, Sentence
from evaluator.readers import SystemSource, read_extractions
from evaluator.relations.normal_form import relation_words
from evaluator.text import tokens


def annotated(text: str, **entities: str) -> Sentence:
    """A sentence in which each keyword's value is the name of that entity, where it stands."""
    forms = tokens(text)
    mentions = []
    for entity, name in entities.items():
        size = len(tokens(name))
        places = [i for i in range(len(forms)) if forms[i : i + size] == tokens(name)]
        mentions += [Mention(place, place + size, entity) for place in places]
    covered = {place for m in mentions for place in range(m.start, m.end)}
    outside = [form for place, form in enumerate(forms) if place not in covered]
    return Sentence("d", 0, text, tuple(sorted(mentions)), relation_words(outside))


MEETING = annotated(
    "Obama met Angela Merkel in Rome, Italy.", O="Obama", M="Angela Merkel", R="Rome", I="Italy"
)


def test_between_takes_each_pair_with_what_stands_between_and_no_other_name() -> None:
    assert [triple[:3] for triple in between(MEETING)] == [
        ("Obama", "met", "Angela Merkel"),
        ("Obama", "met in", "Rome"),
        ("Obama", "met in ,", "Italy"),
        # Merkel and Rome have "in" between them, Rome and Italy a comma: no content word.
    ]


def test_between_counts_the_tokens_between_those_of_other_mentions_too() -> None:
    """Obama met Merkel: 1 token apart; Obama and Rome: met, angela, merkel, in: 4; Italy: 5."""
    assert [len(list(between(MEETING, apart=n))) for n in (0, 1, 3, 4, 5)] == [0, 1, 1, 2, 3]
    twelve = "Obama met one two three four five six seven eight nine Merkel"
    assert len(list(between(annotated(twelve, o="Obama", m="Merkel")))) == 1
    thirteen = twelve.replace("nine", "nine or")
    assert not list(between(annotated(thirteen, o="Obama", m="Merkel")))


def test_between_needs_two_different_entities() -> None:
    assert not list(between(annotated("Obama met Obama.", o="Obama")))
    assert not list(between(annotated("Obama spoke.", o="Obama")))
    with pytest.raises(ValueError, match="d, sentence 0: not annotated"):
        list(between(Sentence("d", 0, "Obama met Merkel.")))


def test_naive_splits_at_every_verb_and_at_no_modal() -> None:
    sentence = Sentence("d", 0, "Obama has visited Rome and will meet Merkel.")
    assert [triple[:3] for triple in naive(sentence)] == [
        ("Obama", "has", "visited Rome and will meet Merkel"),
        ("Obama has", "visited", "Rome and will meet Merkel"),
        ("Obama has visited Rome and will", "meet", "Merkel"),
    ]


def test_trivial_gives_the_first_word_and_every_split_of_the_others() -> None:
    assert [triple[:3] for triple in trivial(Sentence("d", 0, "He met her in Rome."))] == [
        ("He", "met", "her in Rome"),
        ("He", "met her", "in Rome"),
        ("He", "met her in", "Rome"),
    ]
    assert not list(trivial(Sentence("d", 0, "He left.")))


def test_trivial_is_less_and_less_confident_and_the_others_do_not_say() -> None:
    found = Baseline.parse("trivial").extractions(Sentence("d", 0, "He met her."), system="it")
    assert [extraction.confidence for extraction in found] == [1.0]
    sentence = Sentence("d", 0, "He met her in Rome.")
    found = Baseline.parse("trivial").extractions(sentence, system="it")
    assert [extraction.confidence for extraction in found] == [1, 1 / 2, 1 / 3]
    found = Baseline.parse("naive").extractions(sentence, system="it")
    assert [extraction.confidence for extraction in found] == [None]


def linked(name: str, sentence: Sentence) -> list[Fact | str | None]:
    found = Baseline.parse(name).extractions(sentence, system="it")
    links = [link_extraction(sentence, extraction) for extraction in found]
    return [link.fact or link.reason for link in links]


def test_what_a_baseline_extracts_is_linked_like_any_extraction() -> None:
    facts = [Fact("O", "meet", "M"), Fact("O", "meet", "R"), Fact("O", "meet", "I")]
    assert linked("between", MEETING) == facts
    assert set(facts) <= set(candidate_superset(MEETING))
    # Neither knows of mentions: "Obama | met | Angela Merkel in Rome, Italy" has a head, though.
    assert linked("naive", MEETING) == facts[:1]
    assert "no linked second argument" in linked("trivial", MEETING)
    assert linked("between", annotated("Obama never met Merkel", o="Obama", m="Merkel")) == [
        "negated"
    ]


def test_between_knows_its_mentions_where_names_alone_do_not_tell() -> None:
    """Two of one name, as a corpus annotated by hand can have them."""
    text = "George Bush followed George Bush"
    sentence = Sentence("d", 0, text, (Mention(0, 2, "son"), Mention(3, 5, "father")), ("follow",))
    assert linked("between", sentence) == [Fact("son", "follow", "father")]
    found = link_argument(sentence, "George Bush")
    assert found is not None
    assert found.entity == "son"


@pytest.mark.parametrize(
    ("text", "name"),
    [("between", "between@10"), ("between@3", "between@3"), ("naive",) * 2, ("trivial",) * 2],
)
def test_a_baseline_stands_in_the_place_of_a_file(text: str, name: str) -> None:
    source = SystemSource.parse(f"It=baseline:{text}")
    assert str(source.baseline) == name
    assert source.kind == "extractions"
    assert str(source) == f"It=baseline:{text}"
    source.check()
    with pytest.raises(ConfigurationError, match="It: a baseline has no file to read"):
        list(read_extractions(source, rejects=Rejects()))


@pytest.mark.parametrize("text", ["betwixt", "between@", "between@x", "naive@3"])
def test_an_unknown_baseline_is_refused_with_the_known_ones(text: str) -> None:
    with pytest.raises(
        ConfigurationError, match=r"unknown; known: between, between@N, naive, triv"
    ):
        SystemSource.parse(f"It=baseline:{text}")
