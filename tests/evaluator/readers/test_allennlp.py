"""AllenNLP's frames: from BIO tags and descriptions to slots."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.readers._json_values import CUT
from tests.evaluator.readers.block_texts import almost, known_as, read, triple

FOUNDED = {
    "words": ["Lena", "Marsh", "founded", "Kelp", "in", "Oslo", "."],
    "verbs": [
        {
            "verb": "founded",
            "description": "[ARG0: Lena Marsh] [V: founded] [ARG1: Kelp] [ARGM-LOC: in Oslo] .",
            "tags": ["B-ARG0", "I-ARG0", "B-V", "B-ARG1", "B-ARGM-LOC", "I-ARGM-LOC", "O"],
        }
    ],
}
SENTENCE = "Lena Marsh founded Kelp in Oslo ."
SLOTS = ("Lena Marsh", "founded", "Kelp", "in Oslo")


def frame(tagged: str) -> str:
    """Return the record of one frame, written as ``word/TAG word/TAG``."""
    words, tags = zip(*(pair.rsplit("/", 1) for pair in tagged.split()), strict=True)
    return json.dumps({"words": words, "verbs": [{"verb": "", "tags": tags}]})


def triples(text: str) -> list[tuple[str, ...]]:
    return [triple(extraction) for extraction in read("allennlp", text)[0]]


def test_tags_become_slots_and_spans_of_words():
    (extraction,), rejects = read("allennlp", json.dumps(FOUNDED))
    assert triple(extraction) == SLOTS
    assert extraction.sentence == SENTENCE
    assert extraction.confidence is None
    assert extraction.extra == {
        "roles": {"ARG0": ["Lena Marsh"], "ARG1": ["Kelp"], "ARGM-LOC": ["in Oslo"]},
        "spans": {"arg1": [0, 2], "relation": [2, 3], "arg2": [3, 4]},
        "span_unit": "token",
    }
    assert (rejects.total, rejects.notes) == (0, {})


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([FOUNDED, FOUNDED]),
        json.dumps([FOUNDED, FOUNDED], indent=2),
        f"{json.dumps(FOUNDED)}\n\n{json.dumps(FOUNDED)}\n",
        f"[\n{json.dumps(FOUNDED)},\n{json.dumps(FOUNDED)},\n]",
        f"{json.dumps(FOUNDED, indent=1)}\n{json.dumps(FOUNDED, indent=1)}",
        f"{FOUNDED}\n{FOUNDED}",  # as Python prints it
    ],
    ids=["array", "indented", "lines", "line of an array", "indented objects", "python"],
)
def test_records_come_in_lines_or_in_one_array(text):
    assert triples(text) == [SLOTS, SLOTS]


def test_a_frame_with_one_argument_is_counted():
    # The frame of AllenNLP issue 4857, written by Python.
    text = "{'verbs':[{'verb':'ran','tags':['B-ARG0','B-V','O']}],'words':['Marek','ran','.']}"
    extractions, rejects = read("allennlp", text)
    assert extractions == []
    assert rejects.counts == {"a frame with fewer than 2 arguments": 1}
    # Place and time alone are no arguments of an extraction.
    assert triples(frame("yesterday/B-ARGM-TMP rained/B-V here/B-ARGM-LOC")) == []
    assert triples(frame("Lena/B-ARG0 slept/B-V here/B-ARGM-LOC")) == [("Lena", "slept", "here")]


def test_parts_before_and_after_the_verb_belong_to_the_predicate():
    tagged = "Lena/B-ARG0 has/B-BV been/I-BV named/B-V head/B-ARG1 of/B-AV"
    assert triples(frame(tagged)) == [("Lena", "has been named of", "head")]


def test_a_relation_in_two_pieces_has_no_span():
    (extraction,), _ = read("allennlp", frame("has/B-BV Lena/B-ARG0 left/B-V Oslo/B-ARG1"))
    assert triple(extraction) == ("Lena", "has left", "Oslo")
    assert extraction.extra["spans"] == {"arg1": [1, 2], "arg2": [3, 4]}


def test_repeated_labels_are_choices_and_give_their_product():
    # The sentence of supervised-oie issue 16: two choices of ARG2 times two of ARG0.
    text = (
        "[ARG1: Malta] is [V: separated] [ARG2: from X] [ARG0: by S1] [ARG2: to the east] "
        "[ARG0: S2]"
    )
    assert triples(text) == [
        ("Malta", "separated", "from X", "by S1"),
        ("Malta", "separated", "from X", "S2"),
        ("Malta", "separated", "to the east", "by S1"),
        ("Malta", "separated", "to the east", "S2"),
    ]


def test_a_product_is_cut_at_64_and_noted():
    def product(choices: int) -> str:
        pieces = [f"a{n}/B-ARG0 b{n}/B-ARG1" for n in range(choices)]
        return frame(f"{' '.join(pieces)} is/B-V")

    extractions, rejects = read("allennlp", product(8))
    assert (len(extractions), rejects.notes) == (64, {})
    extractions, rejects = read("allennlp", product(9))
    assert len(extractions) == 64
    assert rejects.notes == {"a frame of more than 64 extractions, cut to these": 1}
    assert len(read("allennlp", product(2_000))[0]) == 64


def test_numbered_arguments_come_in_text_order_before_modifiers():
    tagged = (
        "yesterday/B-ARGM-TMP Oslo/B-ARG1 drew/B-V Lena/B-ARG0 here/B-ARGM-LOC again/B-ARGM-TMP"
    )
    assert triples(frame(tagged)) == [("Oslo", "drew", "Lena", "yesterday", "here", "again")]


def test_negation_and_modal_verbs_are_no_arguments():
    tagged = "Lena/B-ARG0 may/B-ARGM-MOD not/B-ARGM-NEG leave/B-V Oslo/B-ARG1"
    (extraction,), _ = read("allennlp", frame(tagged))
    assert triple(extraction) == ("Lena", "leave", "Oslo")
    assert (extraction.negated, extraction.modality) == (True, "may")
    assert extraction.extra["roles"]["ARGM-NEG"] == ["not"]
    (plain,), _ = read("allennlp", json.dumps(FOUNDED))
    assert (plain.negated, plain.modality) == (None, None)


def test_continuations_are_joined_and_references_left_out():
    tagged = "firms/B-ARG1 who/B-R-ARG1 Lena/B-ARG0 led/B-V in/B-C-ARG1 Oslo/I-C-ARG1"
    extractions, rejects = read("allennlp", frame(tagged))
    assert triple(extractions[0]) == ("firms in Oslo", "led", "Lena")
    assert "arg1" not in extractions[0].extra["spans"]
    assert rejects.notes == {"a reference to an argument (R-...) left out": 1}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"verbs": [{"description": FOUNDED["verbs"][0]["description"]}]}),
        FOUNDED["verbs"][0]["description"],
    ],
    ids=["record", "line"],
)
def test_a_description_alone_says_as_much_as_tags(text):
    (extraction,), _ = read("allennlp", text)
    assert (extraction.sentence, triple(extraction)) == (SENTENCE, SLOTS)
    assert extraction.extra["spans"] == {"arg1": [0, 2], "relation": [2, 3], "arg2": [3, 4]}


def test_words_of_a_description_may_be_brackets():
    (extraction,), _ = read("allennlp", "[ARG0: x [ 1 ] y] [V: [is]] [ARG1: z]")
    assert triple(extraction) == ("x [ 1 ] y", "[is]", "z")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"words": ["a"]}', 'no list under "verbs"'),
        ('{"words": ["a"], "verbs": [1]}', "a frame is not an object"),
        ('{"words": ["a"], "verbs": [{"tags": []}]}', "not as many tags as words"),
        ('{"words": ["a"], "verbs": [{"tags": [1]}]}', "a tag is not text"),
        ('{"words": [1], "verbs": [{"tags": ["O"]}]}', "a word is not text"),
        ('{"words": ["a"], "verbs": [{"tags": ["B-ARG0"]}]}', "a frame without a predicate"),
        ('{"verbs": [{}]}', "a frame without words and tags, and without a description"),
        ('{"words": ["a"], "verbs"', CUT),
        ("Internal error", "not JSON"),
    ],
)
def test_what_is_no_frame_is_counted(text, reason):
    extractions, rejects = read("allennlp", f"{text}\n{json.dumps(FOUNDED)}")
    assert rejects.counts == {reason: 1}
    assert rejects.examples[reason].startswith("line 1: ")
    assert [extraction.line for extraction in extractions] == [2]


def test_keys_that_are_not_read_are_noted():
    extractions, rejects = read("allennlp", json.dumps(FOUNDED | {"logits": [0.5]}))
    assert len(extractions) == 1
    assert rejects.notes == {"further keys left out: logits": 1}


def test_frames_are_recognised():
    assert known_as(json.dumps([FOUNDED], indent=4)) == ["allennlp"]


labels = st.sampled_from(["O", "V", "BV", "ARG0", "ARG1", "C-ARG0", "R-ARG0", "ARGM-NEG", "ARGM-X"])
tags = st.lists(st.builds("{}-{}".format, st.sampled_from("BI"), labels), max_size=12)


@given(tags)
def test_whatever_the_tags_each_frame_is_read_or_counted(tags):
    words = [f"w{place}" for place in range(len(tags))]
    record = {"words": words, "verbs": [{"tags": tags}]}
    extractions, rejects = read("allennlp", json.dumps(record))
    assert bool(extractions) != bool(rejects.total)
    for extraction in extractions:
        for slot, (start, end) in extraction.extra["spans"].items():
            assert getattr(extraction, slot) == " ".join(words[start:end])


@given(almost("\n".join([json.dumps(FOUNDED), json.dumps([FOUNDED], indent=1)])))
def test_any_text_is_read_or_counted(text):
    extractions, rejects = read("allennlp", text)
    assert extractions or rejects.total or not text.strip(" \n[]`~")
