"""Graphene's RDF-NL: what is asserted, what is context, and how extractions are linked."""

import pytest
from hypothesis import given

from tests.evaluator.readers.block_texts import almost, known_as, read, triple

SENTENCE = "Although Kelp grew in 2003 , Lena Marsh will leave if the board agrees ."
DEFAULT = f"""# {SENTENCE}

c0\t0\tKelp\tgrew\t
\tS:TEMPORAL\tin 2003 .
\tL:CONTRAST\tc1

c1\t0\tLena Marsh\twill leave\tKelp
    L:CONDITION c2
\tL:CONTRAST\tc0

c2\t1\tthe board\tagrees\t

# Marek said that it rained .

m0\t0\tit\trained\t
\tS:ATTRIBUTION\tMarek said .
"""
FLAT = (
    f"{SENTENCE}\tc0\t0\tKelp\tgrew\t\tS:TEMPORAL(in 2003 .)\tL:CONTRAST(c1)\n"
    f"{SENTENCE}\tc1\t0\tLena Marsh\twill leave\tKelp\tL:CONDITION(c2)\tL:CONTRAST(c0)\n"
    f"{SENTENCE}\tc2\t1\tthe board\tagrees\n"
    "Marek said that it rained .\tm0\t0\tit\trained\t\tS:ATTRIBUTION(Marek said .)\n"
)


@pytest.mark.parametrize("text", [DEFAULT, FLAT], ids=["default", "flat"])
def test_both_forms_say_the_same(text):
    extractions, rejects = read("graphene", text.rstrip("\n"))
    assert [triple(e) for e in extractions] == [
        ("Kelp", "grew", ""),
        ("Lena Marsh", "will leave", "Kelp"),
        ("the board", "agrees", ""),
        ("it", "rained", ""),
    ]
    assert [e.sentence for e in extractions] == [SENTENCE] * 3 + ["Marek said that it rained ."]
    assert [e.extra["id"] for e in extractions] == ["c0", "c1", "c2", "m0"]
    assert [e.extra["layer"] for e in extractions] == [0, 0, 1, 0]
    assert extractions[0].extra["contexts"] == [{"type": "TEMPORAL", "text": "in 2003 ."}]
    assert extractions[0].extra["links"] == [{"type": "CONTRAST", "id": "c1"}]
    assert [link["id"] for link in extractions[1].extra["links"]] == ["c2", "c0"]
    assert (rejects.total, rejects.notes) == (0, {})


def test_graphene_gives_no_confidence_and_none_is_made_up():
    extractions, _ = read("graphene", DEFAULT)
    assert {e.confidence for e in extractions} == {None}


def test_context_conditions_and_attributions_are_not_asserted():
    extractions, _ = read("graphene", DEFAULT)
    assert [e.asserted for e in extractions] == [True, False, False, False]
    # The condition is another extraction of the sentence, the attribution a text.
    assert [e.condition for e in extractions] == [None, "the board agrees", None, None]
    assert [e.attribution for e in extractions] == [None, None, None, "Marek said ."]


def test_ids_name_extractions_of_their_sentence_only():
    other = "# One .\n1\t0\tLena\tleft\t\n\tL:CONDITION\t2\n# Two .\n2\t1\tMarek\tpaid\t"
    (extraction, _), _ = read("graphene", other)
    assert extraction.condition == "2"
    assert not extraction.asserted


@pytest.mark.parametrize(
    "text",
    [
        "# Lena left .\n1\t0\tLena\tleft\t\n\tL:CONDITION\tMarek\tpaid\tthe bill",
        "Lena left .\t1\t0\tLena\tleft\t\tL:CONDITION(Marek\tpaid\tthe bill)",
    ],
    ids=["default", "flat"],
)
def test_links_may_be_resolved(text):
    (extraction,), rejects = read("graphene", text)
    assert extraction.condition == "Marek paid the bill"
    assert extraction.extra["links"] == [
        {"type": "CONDITION", "extraction": ["Marek", "paid", "the bill"]}
    ]
    assert rejects.total == 0


def test_a_context_may_hold_brackets_and_look_like_two():
    text = "S .\t1\t0\tLena\tleft\tOslo\tS:TIME(in (or near) 2003)\tS:PLACE(L:x (y))"
    (extraction,), _ = read("graphene", text)
    assert [context["text"] for context in extraction.extra["contexts"]] == [
        "in (or near) 2003",
        "L:x (y)",
    ]


def test_lines_that_are_part_of_nothing_are_counted():
    text = (
        "\tS:TEMPORAL\tin 2003 .\n# Lena left .\n1\t0\tLena\tleft\t\n\tnonsense\n"
        "2\tcore\tLena\tleft\t\n\tS:TEMPORAL\tof the damaged line\n3\t0\t\t\t\n"
    )
    extractions, rejects = read("graphene", text)
    assert [e.line for e in extractions] == [3]
    assert "contexts" not in extractions[0].extra
    assert rejects.counts == {
        "a context without an extraction": 2,
        "an indented line that is no context": 1,
        "neither a sentence nor an extraction": 2,
    }
    assert rejects.examples["a context without an extraction"].startswith("line 1: ")


@pytest.mark.parametrize("text", [DEFAULT, FLAT], ids=["default", "flat"])
def test_both_forms_are_recognised(text):
    assert known_as(text) == ["graphene"]


@given(almost(DEFAULT))
def test_any_text_is_read_and_each_line_is_accounted_for(text):
    extractions, rejects = read("graphene", text)
    lines = [line for line in text.split("\n") if line.strip()]
    indented = sum(line[0].isspace() for line in lines)
    sentences = sum(line.startswith("# ") for line in lines)
    no_extraction = rejects.counts.get("neither a sentence nor an extraction", 0)
    assert len(extractions) + no_extraction == len(lines) - indented - sentences
    kept = sum(
        len(e.extra.get("contexts", ())) + len(e.extra.get("links", ())) for e in extractions
    )
    # An extraction that a change made flat has contexts on its own line.
    assert kept + rejects.total - no_extraction >= indented
