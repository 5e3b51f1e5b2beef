"""Gold data of one benchmark are told from those of the others by their rows."""

from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.gold.recognition import recognised_benchmark

NAMES = ("Ann", "Ben", "Eva", "Tom", "Ida", "Leo", "Mia", "Max", "Zoe", "Kai")
PLACES = ("Oslo", "Bergen", "Moss", "Hamar", "Molde", "Narvik")
PEOPLE = [(who, where) for who in NAMES for where in PLACES]  # 60

CARB = [
    f"{who} , a vet of {where} , met Lena .\t{predicate}\t{arguments}"
    for who, where in PEOPLE
    for predicate, arguments in [("met", f"{who}\tLena"), ("is a vet of", f"{who}\t{where}")]
]
FORM_A = [
    f"{who} of {where} moved from the farm to the coast .\tmoved\t{who} of {where}\t{rest}"
    for who, where in PEOPLE
    for rest in ["from the farm\tto the coast", "from the farm to the coast"]
]
FORM_B = [
    f"{who} has never moved to {where} .\tmove\thas never moved to\t{who}\t{where}"
    for who, where in PEOPLE
]
ORE = [f"{who} has moved to {where} .\tmoved\t{who}\t{where}" for who, where in PEOPLE]
MARKED = ["[[[PER Ann]]] ---> {{{met}}} <--- [[[PER Lena]]] ."]
BENCHIE = ["sent_id:1\tAnn met Lena .", "1--> Cluster 1:", "Ann --> met --> Lena"]
WIRE57 = ['{"d": [{"id": "1", "sent": "x", "tuples": [{"arg1": {"words_indexes": [0]}}]}]}']


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (CARB, "carb"),
        (FORM_A, "oie2016"),
        (FORM_B, "oie2016"),
        (FORM_B[:3], "oie2016"),
        (ORE, "ore"),
        (MARKED, "ore"),
        (BENCHIE, "benchie"),
        (WIRE57, "wire57"),
    ],
)
def test_rows_tell_their_benchmark(tmp_path: Path, lines: list[str], name: str) -> None:
    path = tmp_path / "gold"
    path.write_text("\n".join(lines) + "\n")
    found = recognised_benchmark(path)
    assert found is not None
    assert found[0] == name


@pytest.mark.parametrize("lines", [CARB, FORM_A, ORE])
def test_a_few_rows_of_common_columns_tell_nothing(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "gold"
    path.write_text("\n".join(lines[:20]) + "\n")
    assert recognised_benchmark(path) is None


def test_own_rows_between_two_benchmarks_tell_nothing(tmp_path: Path) -> None:
    # One-word predicates, four columns and long arguments: anybody may annotate so.
    row = "{} of {} saw the old farm near the coast .\tsaw\t{} of {}\tthe old farm near the coast"
    path = tmp_path / "gold"
    path.write_text("".join(row.format(*pair, *pair) + "\n" for pair in PEOPLE))
    assert recognised_benchmark(path) is None


def test_a_header_is_no_tuple(tmp_path):
    path = tmp_path / "gold.tsv"
    path.write_text("sentence\trelation\targ1\targ2\nLena founded Kelp .\tfounded\tLena\tKelp\n")
    with pytest.raises(InputError, match=r"gold.tsv:1: a header \('sentence.*take it out"):
        recognised_benchmark(path)
