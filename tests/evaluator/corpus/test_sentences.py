"""Sentences are read once each, and found again whatever the extractor did to their spelling."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.corpus.sentences import read_sentences, sentence_key
from evaluator.errors import ConfigurationError, InputError
from evaluator.model import Mention, Rejects, Sentence
from evaluator.text import tokens


@pytest.fixture
def read(tmp_path):
    """Return a function that reads content as a corpus: (sentences, rejects)."""

    def read_content(format_name, content, name="news.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        rejects = Rejects()
        return list(read_sentences(path, format=format_name, rejects=rejects)), rejects

    return read_content


@pytest.fixture
def read_records(read):
    """Return a function that reads JSON records: (sentences, rejects)."""
    return lambda *records: read("jsonl", "\n".join(map(json.dumps, records)))


# ----- the key of a sentence


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('He said, "No."', "He said , `` No . ''"),
        ("Oslo (Norway) and/or Rome", "oslo -LRB- norway -RRB- and \\/ or rome"),
        ("Obama's U.S. visit cost $10.", "Obama 's U.S. visit cost $ 10 ."),
        ("They don't, can't and cannot.", "They do n't , ca n't and can not ."),
        ("'Twas what I'm gonna say", "'T was what I 'm gon na say"),
        ("Zoe\u0308 left", "Zoë left ."),
        ("two-part offering", "two - part offering"),
    ],
)
def test_spelling_does_not_change_the_key(one, other):
    assert sentence_key(one) == sentence_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The score was 3-2.", "The score was 32."),
        ("Bank of America rose.", "Bank in America rose."),
        ("They can wait.", "They cannot wait."),
    ],
)
def test_other_words_change_the_key(one, other):
    assert sentence_key(one) != sentence_key(other)


@given(st.lists(st.sampled_from(["can", "not", "n", "t", "is", "gon", "na", "Don't"])))
def test_a_key_is_the_key_of_itself(words):
    text = " ".join(words)
    assert sentence_key(sentence_key(text)) == sentence_key(text)


# ----- one sentence a line


def test_lines_are_numbered_from_zero_and_unescaped(read):
    sentences, rejects = read("lines", "Obama -LRB- left -RRB- .\n\n 4 1\\/2 years \r\n")
    assert sentences == [
        Sentence("news:1", 0, "Obama ( left ) ."),
        Sentence("news:3", 2, "4 1/2 years"),
    ]
    assert rejects.counts == {"no word": 1}


def test_of_equal_sentences_the_first_wins(read):
    sentences, rejects = read("lines", "Obama left.\nRome waits .\nobama left .\n")
    assert [sentence.number for sentence in sentences] == [0, 1]
    assert rejects.counts == {"duplicate sentence": 1}
    assert rejects.examples == {"duplicate sentence": "line 3: obama left ."}


def test_texts_are_in_normal_form_c(read):
    assert read("lines", "Zoe\u0308 left")[0][0].text == "Zo\u00eb left"


def test_a_packed_corpus_has_the_name_of_its_text(read):
    [sentence], _ = read("lines", gzip.compress(b"Obama left"), name="nyt.2007.txt.gz")
    assert sentence.document == "nyt.2007:1"


# ----- JSON Lines


def test_a_sentence_that_names_no_document_is_one_of_its_own(read_records):
    sentences, _ = read_records(
        {"text": "Obama left", "document": "d"},
        {"text": "Rome waits", "document": "d"},
        {"text": "He came"},
        {"text": "She went", "document": ""},
        {"text": "They stayed", "document": None, "number": 0},
    )
    assert [s.document for s in sentences] == ["d", "d", "news:3", "news:4", "news:5"]


def test_a_record_needs_text_only(read_records):
    sentences, _ = read_records({"text": "Obama left"}, {"text": "Rome waits", "mentions": []})
    assert sentences == [
        Sentence("news:1", 0, "Obama left"),
        Sentence("news:2", 1, "Rome waits", mentions=()),
    ]


def test_an_annotated_record_keeps_its_annotation(read_records):
    text = "Barack Obama is visiting Rome ."
    [sentence], _ = read_records(
        {
            "document": "d",
            "number": 7,
            "text": text,
            "mentions": [
                {"start": 25, "end": 29, "entity": "/m/rome"},
                {"start": 0, "end": 12, "entity": "/m/obama"},
            ],
            "relation_words": ["visit", "visit"],
        }
    )
    mentions = (Mention(0, 2, "/m/obama"), Mention(4, 5, "/m/rome"))
    assert sentence == Sentence("d", 7, text, mentions, ("visit",))


def test_spans_count_the_characters_of_the_file(read_records):
    # Undoing "-LRB-" and composing "e\u0308" moves every character after them.
    text = "-LRB- Zoe\u0308 -RRB- left Rome"
    start = text.index("Rome")
    [sentence], _ = read_records(
        {
            "text": text,
            "mentions": [
                {"start": 6, "end": 10, "entity": "zoe"},
                {"start": start, "end": start + 4, "entity": "rome"},
            ],
        }
    )
    assert sentence.text == "( Zoë ) left Rome"
    assert sentence.mentions == (Mention(0, 1, "zoe"), Mention(2, 3, "rome"))


@pytest.mark.parametrize(
    ("mentions", "reason"),
    [
        ([{"start": 0, "end": 3}], "a mention is not {start, end, entity} inside the text"),
        ([{"start": 0, "end": 0}], "a mention is not {start, end, entity} inside the text"),
        ([{"start": -5, "end": 5}], "a mention is not {start, end, entity} inside the text"),
        ([{"start": 0, "end": 99}], "a mention is not {start, end, entity} inside the text"),
        ([{"start": 0, "end": 3, "entity": "a"}], "a mention does not meet token boundaries"),
        ([{"start": 1, "end": 5, "entity": "a"}], "a mention does not meet token boundaries"),
        ([{"start": 10, "end": 12, "entity": "a"}], "a mention without a word"),
        (
            [{"start": 0, "end": 10, "entity": "a"}, {"start": 6, "end": 10, "entity": "b"}],
            "overlapping mentions",
        ),
        ([7], "a mention is not {start, end, entity} inside the text"),
        ({}, "'mentions' is not a list"),
    ],
)
def test_a_wrong_mention_rejects_its_sentence(read_records, mentions, reason):
    good = {"text": "Rome waits"}
    sentences, rejects = read_records(good, {"text": "Obama left .", "mentions": mentions})
    assert len(sentences) == 1
    assert rejects.counts == {reason: 1}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": None}, "no text under 'text'"),
        ({"text": "..."}, "no word"),
        ({"document": 3}, "'document' is not text"),
        ({"number": -1}, "'number' is not a whole number from 0"),
        ({"number": True}, "'number' is not a whole number from 0"),
        ({"relation_words": "visit"}, "'relation_words' is not a list of texts"),
    ],
)
def test_a_wrong_record_is_counted_by_reason(read_records, change, reason):
    _, rejects = read_records({"text": "Rome waits"}, {"text": "Obama left ."} | change)
    assert rejects.counts == {reason: 1}


words = st.text("ab\u0308É'-", min_size=1, max_size=4).filter(tokens)


@given(before=st.lists(words, max_size=3), name=words, after=st.lists(words, max_size=3))
def test_a_mention_covers_the_tokens_of_its_characters(tmp_path_factory, before, name, after):
    text = " ".join([*before, name, *after])
    start = len(" ".join([*before, ""]))
    mention = {"start": start, "end": start + len(name), "entity": "x"}
    path = tmp_path_factory.mktemp("corpus") / "c.jsonl"
    path.write_text(json.dumps({"text": text, "mentions": [mention]}))
    [sentence] = read_sentences(path, format="jsonl", rejects=Rejects())
    [found] = sentence.mentions
    assert tokens(sentence.text)[found.start : found.end] == tokens(name)


# ----- files


def test_a_useless_corpus_is_refused(read):
    with pytest.raises(InputError, match="empty file"):
        read("lines", "")
    with pytest.raises(InputError, match="nothing could be read: not JSON, 'line 1: Obama left'"):
        read("jsonl", "Obama left\n")
    with pytest.raises(ConfigurationError, match="corpus format 'xml' is unknown"):
        read("xml", "<x/>")


def test_a_sentence_that_is_too_long_is_left_out_and_counted(read, read_records):
    longest, longer = "word " * 999 + "end", "word " * 1000 + "end"
    sentences, rejects = read("lines", f"{longest}\n{longer}\nLena is here .\n")
    assert [sentence.number for sentence in sentences] == [0, 2]
    assert rejects.counts == {"sentence of more than 1,000 tokens": 1}
    sentences, rejects = read("jsonl", json.dumps({"text": longer}) + "\n" + '{"text": "short"}')
    assert [sentence.text for sentence in sentences] == ["short"]
    assert rejects.counts == {"sentence of more than 1,000 tokens": 1}
