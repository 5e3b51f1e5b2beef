"""Stanford's qa_srl columns: the heads of the slots first."""

from hypothesis import given

from evaluator.model import Extraction
from evaluator.readers import stanford_qasrl
from tests.evaluator.readers.block_texts import almost, known_as, read

SENTENCE = "Lena Marsh founded Kelp ."
LINES = [
    f"1.2.3\tLena Marsh\tfounded\tKelp\t1.0\t{SENTENCE}",
    f"1.2.3\tMarsh\tfounded\tKelp\t1.0\t{SENTENCE}",
]


def test_a_line_has_heads_triple_confidence_and_sentence():
    extractions, rejects = read("stanford-qasrl", LINES[0])
    assert extractions == [
        Extraction(
            system="system",
            line=1,
            sentence=SENTENCE,
            arg1="Lena Marsh",
            relation="founded",
            arg2="Kelp",
            confidence=1.0,
            extra={"heads": "1.2.3"},
        )
    ]
    assert rejects.total == 0


def test_variants_of_a_triple_have_the_same_heads():
    extractions, _ = read("stanford-qasrl", "\n".join(LINES))
    assert len(extractions) == 2
    assert len({(e.sentence, e.extra["heads"]) for e in extractions}) == 1


def test_an_empty_relation_without_head_is_accepted_and_noted():
    [extraction], rejects = read("stanford-qasrl", f"1.-1.3\tMarsh\t\tKelp\t1.0\t{SENTENCE}")
    assert (extraction.relation, extraction.extra) == ("", {"heads": "1.-1.3"})
    assert (rejects.total, rejects.notes) == (0, {"empty relation": 1})


def test_wrong_lines_are_counted_by_reason():
    wrong = {
        "": "blank line",
        "1.2.3\tLena\tfounded\tKelp\t1.0": "not 6 columns",
        f"1.2\tLena\tfounded\tKelp\t1.0\t{SENTENCE}": "no head indexes such as 2.3.4",
        "1.2.3\tLena\tfounded\tKelp\t1.0\t": "no sentence",
        f"1.2.3\tLena\tfounded\tKelp\thigh\t{SENTENCE}": "confidence is not a number",
        f"No extractions in: {SENTENCE}": "notice of a sentence without extractions",
    }
    extractions, rejects = read("stanford-qasrl", "\n".join(wrong))
    assert extractions == []
    assert rejects.total == len(wrong)
    assert set(rejects.counts) == set(wrong.values())


def test_the_heads_decide():
    assert known_as("\n".join(LINES)) == ["stanford-qasrl"]
    graphene = f"{SENTENCE}\tab12\t0\tLena Marsh\tfounded\tKelp"
    assert not stanford_qasrl.recognises([graphene])
    assert not stanford_qasrl.recognises(["1.0\tLena Marsh\tfounded\tKelp"])


@given(almost("\n".join(LINES)))
def test_every_line_is_an_extraction_or_counted(text):
    extractions, rejects = read("stanford-qasrl", text)
    assert len(extractions) + rejects.total == text.count("\n") + 1
    stanford_qasrl.recognises(text.split("\n"))
