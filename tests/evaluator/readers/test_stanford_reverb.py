"""Stanford in ReVerb's columns: indexes from 0, positions -1 where no token stands for a slot."""

from hypothesis import given

from evaluator.model import Extraction
from evaluator.readers import stanford_reverb
from tests.evaluator.readers.block_texts import almost, known_as, read

SENTENCE = "Lena Marsh founded Kelp ."
TAIL = ["NNP NNP VBD NNP .", "Lena Marsh", "found", "Kelp"]


def line(*, document="doc7", index="0", slots=("Lena Marsh", "founded", "Kelp"), spans="022334"):
    spans = spans.split() if " " in spans else list(spans)
    return "\t".join([document, index, *slots, *spans, "1.000", SENTENCE, *TAIL])


PLAIN = line()
LINES = [PLAIN, line(document="no_doc_id"), line(slots=("X", "", "Y"), spans="0 1 -1 -1 3 4")]


def test_the_seventeen_columns():
    [extraction], rejects = read("stanford-reverb", PLAIN)
    assert extraction == Extraction(
        system="system",
        line=1,
        sentence=SENTENCE,
        arg1="Lena Marsh",
        relation="founded",
        arg2="Kelp",
        confidence=1.0,
        sentence_id="doc7:0",
        extra={
            "file": "doc7",
            "sentence_number": "0",
            "spans": {"arg1": [0, 2], "relation": [2, 3], "arg2": [3, 4]},
            "span_unit": "token",
        },
    )
    assert (rejects.total, rejects.notes) == (0, {})


def test_only_a_named_document_makes_an_identifier():
    lines = [
        line(document=document, index=index)
        for document, index in [("no_doc_id", "0"), ("", "0"), ("doc7", "-1"), ("doc7", "12")]
    ]
    extractions, rejects = read("stanford-reverb", "\n".join(lines))
    assert [extraction.sentence_id for extraction in extractions] == ["", "", "", "doc7:12"]
    assert rejects.total == 0


def test_an_empty_relation_without_position_is_accepted_and_noted():
    # CoreNLP issue 443: nominal triples without a token for the relation.
    [extraction], rejects = read(
        "stanford-reverb",
        line(index="-1", slots=("Lena Marsh", "", "Kelp"), spans="0 2 -1 -1 3 4"),
    )
    assert (extraction.arg1, extraction.relation, extraction.arg2) == ("Lena Marsh", "", "Kelp")
    assert extraction.extra["spans"] == {"arg1": [0, 2], "arg2": [3, 4]}
    assert rejects.total == 0
    assert rejects.notes == {"empty relation": 1, "slot without position (-1)": 1}


def test_an_implied_relation_has_words_but_no_position():
    [extraction], rejects = read(
        "stanford-reverb",
        line(slots=("Lena Marsh", "is with", "Kelp"), spans="0 2 -1 -1 3 4"),
    )
    assert extraction.relation == "is with"
    assert rejects.notes == {"slot without position (-1)": 1}


def test_positions_are_kept_only_where_the_sentence_has_the_words_there():
    lines = [
        line(slots=("Lena Kelp", "founded", "Kelp"), spans="042334"),  # skips two words
        line(spans="1 9 x 3 3 2"),
        line(spans="0 2 2 3 3 " + "9" * 5000),
    ]
    extractions, rejects = read("stanford-reverb", "\n".join(lines))
    assert extractions[0].extra["spans"] == {"relation": [2, 3], "arg2": [3, 4]}
    assert "spans" not in extractions[1].extra
    assert extractions[2].extra["spans"] == {"arg1": [0, 2], "relation": [2, 3]}
    assert rejects.notes == {"positions that do not fit the sentence": 3}


def test_wrong_lines_are_counted_by_reason():
    wrong = {
        "": "blank line",
        f"{PLAIN}\tx": "not 17 columns",
        PLAIN.replace(SENTENCE, ""): "no sentence",
        PLAIN.replace("1.000", "1,000"): "confidence is not a number",
        "No extractions in: Lena .": "notice of a sentence without extractions",
    }
    extractions, rejects = read("stanford-reverb", "\n".join(wrong))
    assert extractions == []
    assert rejects.total == len(wrong)
    assert set(rejects.counts) == set(wrong.values())


def test_seventeen_columns_are_stanfords_and_eighteen_are_reverbs():
    chunked = ["\t".join([*each.split("\t")[:14], "B-NP O", *TAIL[1:]]) for each in LINES]
    assert known_as("\n".join(LINES)) == ["stanford-reverb"]
    assert known_as("\n".join(chunked)) == ["reverb"]


@given(almost("\n".join(LINES)))
def test_every_line_is_an_extraction_or_counted(text):
    extractions, rejects = read("stanford-reverb", text)
    assert len(extractions) + rejects.total == text.count("\n") + 1
    stanford_reverb.recognises(text.split("\n"))
    stanford_reverb.recognises(text.split("\n"))
