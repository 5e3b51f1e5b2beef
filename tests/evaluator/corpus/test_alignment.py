"""Extractions find their sentence by id, by text, by the key of the text, or are counted."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.corpus.alignment import ALIGNED, ListedSentence, align, read_list
from evaluator.errors import InputError
from evaluator.model import Extraction, Rejects

LENA = ListedSentence("a", "Lena Marsh (born 1970) founded Kelp.")
MAREK = ListedSentence("b", "Marek didn't leave.")
OSLO = ListedSentence("c", "Oslo is cold.")
LIST = [LENA, MAREK, OSLO]


def extraction(sentence: str = "", sentence_id: str = "", **more: object) -> Extraction:
    return Extraction("system", 3, sentence, "x", "r", "y", sentence_id=sentence_id, **more)


def aligned(given_extraction: Extraction, sentences: list[ListedSentence] = LIST) -> tuple:
    """Return the id and text an extraction gets, and by what."""
    ((found, how),), _ = align([given_extraction], sentences)
    return found.sentence_id, found.sentence, how


def test_a_text_that_stands_twice_is_one_sentence():
    _, report = align([extraction(OSLO.text)], [*LIST, OSLO._replace(id="d")])
    assert (report.sentences, report.repeated, report.covered) == (3, 1, 1)


# ----- how a sentence is found


def test_an_id_fills_in_the_sentence():
    assert aligned(extraction(sentence_id="b")) == (*MAREK, "id")


def test_a_text_fills_in_the_id():
    assert aligned(extraction(OSLO.text)) == (*OSLO, "exact text")
    assert aligned(extraction(f" {OSLO.text} ")) == (*OSLO, "exact text")


def test_spacing_escapes_quotes_and_case_do_not_matter():
    treebank = "lena marsh -LRB- born 1970 -RRB- founded Kelp ."
    assert aligned(extraction(treebank)) == (*LENA, "normalised text")
    assert aligned(extraction("Marek did n't leave .")) == (*MAREK, "normalised text")


def test_an_id_counts_where_the_text_is_of_no_sentence():
    # OpenIE 5 takes a sentence apart first.
    assert aligned(extraction("Lena Marsh founded Kelp .", "a")) == (*LENA, "id")


def test_a_text_counts_where_the_id_is_of_another_sentence():
    # The numbers of ReVerb's output on OIE2016 do not meet the sentence list.
    ((found, how),), report = align([extraction(OSLO.text, "a")], LIST)
    assert (found.sentence_id, how) == ("c", "exact text")
    assert found.extra == {"given_sentence_id": "a"}
    assert report.other_id == 1


def test_an_unknown_id_leaves_the_text():
    assert aligned(extraction(OSLO.text, "77")) == (*OSLO, "exact text")
    assert aligned(extraction("", "77")) == ("77", "", "not in the list")


def test_texts_of_one_key_are_ambiguous_but_for_the_exact_one():
    twins = [ListedSentence("1", "He is in, the U.S."), ListedSentence("2", "He is in the U.S.")]
    assert aligned(extraction("He is in the U.S."), twins) == (*twins[1], "exact text")
    assert aligned(extraction("he is in the U.S."), twins) == ("", "he is in the U.S.", "ambiguous")
    assert aligned(extraction("he is in the U.S.", "1"), twins) == (*twins[0], "id")


def test_of_equal_sentences_the_first_stands_for_all():
    twice = [OSLO, OSLO._replace(id="d")]
    ((found, how), (second, _)), report = align(
        [extraction(OSLO.text), extraction(sentence_id="d")], twice
    )
    assert (found.sentence_id, how) == ("c", "exact text")
    assert second.sentence_id == "d"
    assert (report.sentences, report.covered) == (1, 1)


def test_an_extraction_without_sentence_and_id_cannot_be_aligned():
    assert aligned(extraction()) == ("", "", "names no sentence")


def test_texts_without_words_are_nobodys():
    assert aligned(extraction("..."), [ListedSentence("1", "!!!")])[2] == "not in the list"


def test_spans_go_where_the_sentence_is_written_differently():
    extra = {"spans": {"arg1": [0, 4]}, "span_unit": "character", "file": "f"}
    same, other = extraction(OSLO.text, extra=extra), extraction("Oslo is cold .", extra=extra)
    ((kept, _), (lost, _)), report = align([same, other], LIST)
    assert kept.extra == extra
    assert lost.extra == {"file": "f", "given_sentence": "Oslo is cold ."}
    assert report.spans_dropped == 1


# ----- the count


def test_the_report_counts_extractions_and_sentences():
    found, report = align(
        [
            extraction(sentence_id="a"),
            extraction(LENA.text),
            extraction("oslo is cold"),
            extraction("It rains ."),
            extraction("It snows ."),
            extraction(),
        ],
        LIST,
    )
    assert [one.how for one in found if one.found] == ["id", "exact text", "normalised text"]
    assert (report.extractions, report.aligned) == (6, 3)
    assert report.outcomes == {
        **dict.fromkeys(ALIGNED, 1),
        "ambiguous": 0,
        "not in the list": 2,
        "names no sentence": 1,
    }
    assert report.examples == {
        "not in the list": "line 3: (x; r; y) It rains .",
        "names no sentence": "line 3: (x; r; y)",
    }
    # Recall is of all sentences: nothing was said of Marek.
    assert (report.sentences, report.covered) == (3, 2)
    assert report.describe()["without_extraction"] == 1


texts = st.text(alphabet="aB .,'", max_size=6)


@given(st.lists(texts, max_size=6), st.lists(st.tuples(texts, st.sampled_from("0123")), max_size=8))
def test_every_extraction_has_one_outcome_and_keeps_what_it_says(listed, said):
    sentences = [ListedSentence(str(n), text) for n, text in enumerate(listed) if text.strip()]
    extractions = [extraction(text, id_) for text, id_ in said]
    found, report = align(extractions, sentences)
    assert sum(report.outcomes.values()) == report.extractions == len(extractions)
    assert report.covered <= report.sentences
    for before, (after, how) in zip(extractions, found, strict=True):
        if how in ALIGNED:
            assert (after.sentence_id, after.sentence) in sentences
            # By id or by text: something of the extraction is the sentence's own.
            assert after.sentence_id == before.sentence_id or before.sentence
        else:
            assert after is before


# ----- the list


def read(tmp_path, text: str) -> tuple[list, Rejects]:
    path = tmp_path / "sentences"
    path.write_text(text)
    rejects = Rejects()
    return read_list(path, rejects=rejects), rejects


def test_lines_are_numbered_from_one(tmp_path):
    listed, rejects = read(tmp_path, "Oslo is cold.\n\n Marek left. \n")
    assert listed == [("1", "Oslo is cold."), ("3", "Marek left.")]
    assert rejects.counts == {"blank line": 1}


def test_a_column_may_name_the_sentences(tmp_path):
    listed, rejects = read(tmp_path, "TO 1\tOslo is cold.\n\tMarek left.\nTO 3\tA\nTO 4\tB\nC\n")
    assert listed == [("TO 1", "Oslo is cold."), ("2", "Marek left."), ("TO 3", "A"), ("TO 4", "B")]
    assert rejects.counts == {"not id⇥sentence": 1}


def test_objects_may_name_the_sentences(tmp_path):
    records = [{"text": "A", "id": 7}, {"sentence": "B", "sentence_id": "b"}, {"text": "C"}]
    bad = [{"id": 1}, {"text": "D", "id": [1]}]
    listed, rejects = read(tmp_path, "".join(f"{json.dumps(r)}\n" for r in records + bad))
    assert listed == [("7", "A"), ("b", "B"), ("3", "C")]
    assert rejects.total == 2


def test_an_id_that_is_given_twice_is_counted(tmp_path):
    listed, rejects = read(tmp_path, "1\tA\n1\tB\n")
    assert listed == [("1", "A")]
    assert rejects.examples == {"a sentence with the id of another": "1: B"}


def test_a_list_without_a_sentence_is_refused(tmp_path):
    with pytest.raises(InputError, match="nothing could be read: blank line"):
        read(tmp_path, "\n\n")
