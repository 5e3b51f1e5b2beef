"""REBEL's answers: tags and words in a row, cut off or whole, typed or not, alone or in JSON."""

import json

import pytest

from evaluator.readers.rebel import CUT
from tests.evaluator.readers.block_texts import known_as, read, triple

FOUNDER = ("Lena Marsh", "founder of", "Kelp")


def test_a_head_has_any_number_of_tails_with_their_relations():
    text = (
        "<s><triplet> Lena Marsh <subj> Kelp <obj> founder of <triplet> Bo <subj> Oslo <obj> "
        "place of birth <subj> Norway <obj> country of citizenship</s><pad><pad>"
    )
    extractions, rejects = read("rebel", f"{text}\n{text}")
    assert known_as(text) == ["rebel"]
    wanted = [
        FOUNDER,
        ("Bo", "place of birth", "Oslo"),
        ("Bo", "country of citizenship", "Norway"),
    ]
    assert [triple(e) for e in extractions] == 2 * wanted
    # A model answers line by line: the second answer is about the second sentence.
    assert [(e.line, e.sentence, e.sentence_id) for e in extractions[2:4]] == [
        (1, "", "1"),
        (2, "", "2"),
    ]
    assert not rejects.total


def test_the_sentence_stands_before_a_tab():
    line = "A <b> in \t Lena 's text\t<triplet> Lena Marsh <subj> Kelp <obj> founder of"
    (extraction,), rejects = read("rebel", line)
    assert triple(extraction) == FOUNDER
    assert (extraction.sentence, extraction.sentence_id) == ("A <b> in \t Lena 's text", "")
    assert not rejects.total


def test_mrebel_names_the_types_of_head_and_tail():
    line = "tp_XX<triplet> Lena Marsh <per> Kelp <org> founder of <loc> Oslo <loc> residence "
    line += "</triplet></s>"
    extractions, _ = read("rebel", line)
    assert [(triple(e), e.extra) for e in extractions] == [
        (FOUNDER, {"types": ["per", "org"]}),
        (("Lena Marsh", "residence", "Oslo"), {"types": ["loc", "loc"]}),
    ]


@pytest.mark.parametrize(
    "end",
    ["<triplet> Bo", "<triplet> Bo <subj>", "<triplet> Bo <subj> Oslo", "<subj> Oslo <obj>"],
)
def test_a_triplet_that_is_cut_off_is_counted_and_the_whole_ones_kept(end):
    line = f"<s><triplet> Lena Marsh <subj> Kelp <obj> founder of {end}</s>"
    extractions, rejects = read("rebel", line)
    assert [triple(e) for e in extractions] == [FOUNDER]
    assert rejects.counts == {CUT: 1}


def test_a_line_without_a_triplet_is_counted():
    assert read("rebel", "<s></s>\n\nfounder of")[1].counts == {"no triplet": 2}


def test_answers_in_json_are_read_too():
    record = {"text": "Lena Marsh founded Kelp .", "generated_text": "<s><triplet> Lena Marsh "
              "<subj> Kelp <obj> founder of <triplet> Bo <subj></s>"}  # fmt: skip
    text = json.dumps(record)
    (extraction,), rejects = read("json", text)
    assert known_as(text) == ["json"]
    assert (triple(extraction), extraction.sentence) == (FOUNDER, "Lena Marsh founded Kelp .")
    assert rejects.counts == {CUT: 1}
