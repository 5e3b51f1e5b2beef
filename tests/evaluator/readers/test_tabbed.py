"""The tabbed format is known by its second column, a number or blank, and by no other number."""

import pytest
from hypothesis import given

from evaluator.readers import tabbed
from tests.evaluator.readers.block_texts import almost, known_as, read

SENTENCE = "Lena Marsh founded Kelp ."
LINES = [
    f"{SENTENCE}\t0.71\tfounded\tLena Marsh\tKelp",
    f"{SENTENCE}\t\tfounded\tLena Marsh \tKelp \tin 1990 ",
    f"{SENTENCE}\t-inf\tfounded\tLena Marsh",
    f"{SENTENCE}\t-184.33\tfounded\tLena Marsh\tKelp",
]
POSITIONS = ["Lena Marsh", "founded", "Kelp", *"022334", "0.8", SENTENCE, "NNP"]


@pytest.mark.parametrize("lines", [LINES, [line for line in LINES for _ in range(50)], LINES[2:3]])
def test_scores_of_any_sign_none_and_negative_infinity_are_confidences(lines):
    assert known_as("\n".join(lines)) == ["tabbed"]


@pytest.mark.parametrize(
    "line",
    [
        f"{SENTENCE}\t founded \t Lena Marsh \t Kelp ",  # the gold data of CaRB
        f"{SENTENCE}\t0.71\tfounded",
        "\t".join(["a.txt", "3", *POSITIONS, "B-NP", "lena", "found", "kelp"]),  # ReVerb
        "\t".join(["a.txt", "3", *POSITIONS, "lena", "found", "kelp"]),  # Stanford's imitation
        "0.9\t\tSimpleArgument(Lena,List([0, 4)))\tRelation(ran,List([5, 8)))\t\tLena ran",
        f"{SENTENCE}\t1\t0\tLena Marsh\tfounded\tKelp",  # flat Graphene: id and layer
        f"-227.49\t{SENTENCE}\tfounded\tsubj\tLena Marsh\tdobj\tKelp",  # PropS
        "12\t1990\tis the year of\tKelp",  # BenchIE, with a number as first argument
        "e1\tr\te2\tname1\tname2",
    ],
)
def test_other_tables_are_not_tabbed(line):
    assert not tabbed.recognises([line])


@given(almost("\n".join(LINES)))
def test_every_line_is_an_extraction_or_counted(text):
    extractions, rejects = read("tabbed", text)
    assert len(extractions) + rejects.total == text.count("\n") + 1
    tabbed.recognises(text.split("\n"))
