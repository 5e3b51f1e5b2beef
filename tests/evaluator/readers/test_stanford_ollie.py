"""Stanford in OLLIE's notation: a triple in parentheses a line, and nothing else."""

from hypothesis import given

from evaluator.model import Extraction
from evaluator.readers import stanford_ollie
from tests.evaluator.readers.block_texts import almost, known_as, read

LINES = ["1.000: (Lena Marsh; founded; Kelp)", "0.881: (Kelp (1990); is in; Oslo; Norway)"]


def test_a_line_is_confidence_and_triple():
    extractions, rejects = read("stanford-ollie", LINES[0])
    assert extractions == [
        Extraction("system", 1, "", "Lena Marsh", "founded", "Kelp", confidence=1.0)
    ]
    assert (rejects.total, rejects.notes) == (0, {})


def test_what_follows_the_second_semicolon_is_the_second_argument_and_noted():
    [extraction], rejects = read("stanford-ollie", LINES[1])
    assert (extraction.arg1, extraction.arg2) == ("Kelp (1990)", "Oslo; Norway")
    assert rejects.notes == {"more than two semicolons": 1}


def test_slots_may_be_empty():
    extractions, rejects = read(
        "stanford-ollie", "\n".join(["1.000: (X; ; Y)", "1.000: (X; ran; )"])
    )
    assert [(e.arg1, e.relation, e.arg2) for e in extractions] == [("X", "", "Y"), ("X", "ran", "")]
    assert rejects.notes == {"empty relation": 1}


def test_wrong_lines_are_counted_by_reason():
    wrong = {
        "": "blank line",
        "Lena Marsh founded Kelp .": "not a confidence and a triple in parentheses",
        "0.7: (a; b; c)[enabler=if so]": "not a confidence and a triple in parentheses",
        "1.000: (a; b)": "fewer than 3 slots",
        "one: (a; b; c)": "confidence is not a number",
        "No extractions in: Lena .": "notice of a sentence without extractions",
    }
    extractions, rejects = read("stanford-ollie", "\n".join(wrong))
    assert extractions == []
    assert rejects.total == len(wrong)
    assert set(rejects.counts) == set(wrong.values())


def test_other_systems_put_the_sentence_above():
    assert known_as("\n".join(LINES)) == ["stanford-ollie"]
    assert not stanford_ollie.recognises(["Lena Marsh founded Kelp .", *LINES, *LINES, *LINES])
    assert not stanford_ollie.recognises(["0.93 (Lena; gave; a talk)"])
    assert not stanford_ollie.recognises([])


@given(almost("\n".join(LINES)))
def test_every_line_is_an_extraction_or_counted(text):
    extractions, rejects = read("stanford-ollie", text)
    assert len(extractions) + rejects.total == text.count("\n") + 1
    stanford_ollie.recognises(text.split("\n"))
