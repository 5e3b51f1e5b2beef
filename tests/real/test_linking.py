"""Linking with the names of FB15k-237, against annotated sentences that people made."""

from collections import Counter

import pytest

from benchmarks.linking import GOLD, read_gold, read_names, score, systems
from evaluator.intervals import wilson
from evaluator.text import tokens
from indexes.kb.entities import build_dictionary


@pytest.fixture(scope="module")
def names(data):
    return read_names(data)


@pytest.fixture(scope="module")
def dictionary(names, tmp_path_factory):
    folder = tmp_path_factory.mktemp("linking") / "dictionary"
    return build_dictionary(folder, names.names, names.degree, names.pairs)


@pytest.fixture(scope="module")
def gold(data, names):
    return {title: read_gold(data / file, names) for title, file in GOLD.items()}


@pytest.fixture(scope="module")
def scores(gold, names, dictionary):
    return {
        (name, title): score(system, sentences[::8] if len(sentences) > 10_000 else sentences)
        for name, system in systems(names, dictionary).items()
        for title, sentences in gold.items()
    }


def test_all_annotations_are_read(gold):
    # 880 links in Reuters-128 and 1,000 in RSS-500 by a count of taIdentRef; FewRel's NYT set has
    # 2,500 sentences of two entities. Splitting stories into sentences must not lose a mention.
    assert len(gold["FewRel, New York Times"]) == 2500
    assert len(gold["FewRel, Wikipedia"]) == 11200
    for title, links in (("Reuters-128", 880), ("RSS-500", 1000)):
        read = sum(len(sentence.mentions) for sentence in gold[title])
        assert 0.99 * links <= read <= links


def test_annotated_spans_are_those_of_the_annotated_words(gold, names):
    # Most mentions of an entity are one of its names: if spans were off by one, hardly any were.
    known = {(entity, tuple(tokens(name))) for entity, name, _ in names.names}
    for title, sentences in gold.items():
        found = [
            (entity, tuple(tokens(text)[start:end])) in known
            for text, mentions in sentences
            for start, end, entity in mentions
            if entity is not None
        ]
        assert sum(found) > 0.6 * len(found), title


@pytest.mark.parametrize("title", GOLD)
def test_the_rules_raise_precision_far_beyond_chance(scores, title):
    plain, rules = scores["plain", title], scores["rules", title]
    assert rules.precision.low > plain.precision.high
    assert rules.precision_of_all.low > 3 * plain.precision_of_all.high


@pytest.mark.parametrize("title", ["Reuters-128", "RSS-500"])
def test_in_news_the_rules_cost_no_recall_beyond_chance(scores, title):
    # FewRel also marks what is written without a capital ("soprano"), which the rules leave out.
    assert scores["rules", title].recall.high > scores["plain", title].recall.value


def test_whoever_is_found_by_name_is_mostly_right(scores):
    # In the New York Times four of five mentions on annotated ground are right; FACC1, the
    # annotation of ClueWeb with Freebase, gives 80 to 85 % for itself.
    found = scores["context", "FewRel, New York Times"]
    assert found.precision.value > 0.75
    assert found.right > 0.9 * found.right_spans


def test_context_corrects_more_than_it_spoils(gold, dictionary):
    changed = Counter()
    for sentences in gold.values():
        for text, mentions in sentences:
            annotated = {(start, end): entity for start, end, entity in mentions}
            for by_prior, by_context in zip(
                dictionary.mentions(text, context=False),
                dictionary.mentions(text, context=True),
                strict=True,
            ):
                assert by_prior[:2] == by_context[:2]
                entity = annotated.get(by_prior[:2])
                if by_prior != by_context and entity in (by_prior.entity, by_context.entity):
                    changed[entity == by_context.entity] += 1
    assert wilson(changed[True], changed.total()).low > 0.5
