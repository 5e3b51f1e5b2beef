"""MinIE's demo: blocks of triple, factuality and attribution below a sentence."""

from hypothesis import given

from evaluator.model import Extraction
from evaluator.readers import minie
from tests.evaluator.readers.block_texts import almost, known_as, read

SENTENCE = "Bo says that Lena Marsh may not lead at least 20 labs ."
OUTPUT = f"""
Input sentence: {SENTENCE}
=============================
Extractions:
\tTriple: "Lena Marsh"\t"may lead"\t"QUANT_O_1 labs"
\tFactuality: (-,PS)\tAttribution: (Bo,+,CT)
\t----------
\tTriple: "Bo"\t"says"
\tFactuality: (+,CT)\tAttribution: NONE
\t----------

Input sentence: Kelp grows .
=============================
Extractions:


DONE!
"""


def test_a_block_is_one_extraction():
    extractions, rejects = read("minie", OUTPUT)
    assert extractions == [
        Extraction(
            system="system",
            line=5,
            sentence=SENTENCE,
            arg1="Lena Marsh",
            relation="may lead",
            arg2="QUANT_O_1 labs",
            negated=True,
            modality="PS",
            attribution="(Bo,+,CT)",
            asserted=False,
        ),
        Extraction(
            system="system",
            line=8,
            sentence=SENTENCE,
            arg1="Bo",
            relation="says",
            arg2="",
            negated=False,
            modality="CT",
        ),
    ]
    assert (rejects.total, rejects.notes) == (0, {})


def test_words_that_show_the_factuality_are_kept_as_written():
    lines = ['Triple: "a"\t"b"\t"c"', "Factuality: (- (not), PS (may))\tAttribution: NONE"]
    [extraction], _ = read("minie", "\n".join(lines))
    assert (extraction.negated, extraction.modality) == (True, "PS")
    assert extraction.attribution is None
    assert extraction.extra == {"factuality": "(- (not), PS (may))"}


def test_quotes_inside_a_slot_stay():
    [extraction], _ = read(
        "minie", "\n".join(['Triple: "the "Kelp" lab"\t"is"\t"new "', "Factuality: (+,CT)"])
    )
    assert (extraction.arg1, extraction.arg2) == ('the "Kelp" lab', "new ")
    assert extraction.asserted


def test_a_triple_without_factuality_is_kept_and_noted():
    triple = 'Triple: "a"\t"b"\t"c"'
    extractions, rejects = read("minie", "\n".join([triple, "-----", triple, triple]))
    assert [(e.line, e.negated, e.modality) for e in extractions] == [
        (1, None, None),
        (3, None, None),
        (4, None, None),
    ]
    assert (rejects.total, rejects.notes) == (0, {"triple without factuality": 3})


def test_what_is_no_part_of_a_block_is_counted():
    wrong = {
        "Adding annotator parse": "neither a triple nor its factuality",
        "Factuality: (+,CT)\tAttribution: NONE": "neither a triple nor its factuality",
        'Triple: "a"': "fewer than 2 slots",
        "Triple: a\tb\tc": "a slot is not in double quotes",
    }
    extractions, rejects = read("minie", "\n".join(wrong))
    assert extractions == []
    assert rejects.total == len(wrong)


def test_the_word_before_a_triple_decides():
    assert known_as(OUTPUT) == ["minie"]
    assert not minie.recognises(["12\tLena Marsh\tis director of\tKelp"])
    assert not minie.recognises(["Triple: of what?"])


@given(almost(OUTPUT))
def test_every_triple_is_an_extraction_or_counted(text):
    extractions, rejects = read("minie", text)
    lines = text.split("\n")
    triples = {n for n, line in enumerate(lines, start=1) if line.strip().startswith("Triple:")}
    assert {extraction.line for extraction in extractions} <= triples
    assert len(triples) <= len(extractions) + rejects.total <= len(lines)
    minie.recognises(text.split("\n"))
