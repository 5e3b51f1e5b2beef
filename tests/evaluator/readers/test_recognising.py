"""How the formats of the house are known: keys, a header, and columns of ReVerb."""

from hypothesis import given
from hypothesis import strategies as st

from evaluator.readers import formats, is_number, mostly
from tests.evaluator.readers.block_texts import known_as

JSONL = '{"sentence": "Lena ran .", "arg1": "Lena", "relation": "ran", "confidence": 0.5}'
FACTS = "name1\te1\tr\te2\nLena\t/m/0a\tfounded\t/m/0b"
CESI = '{"triple": ["lena", "found", "kelp"], "true_link": {"subject": "/m/0a", "object": "NULL"}}'


def test_json_lines_are_known_by_the_keys_that_each_must_have():
    assert known_as(f"{JSONL}\n\n{JSONL}") == ["jsonl"]
    assert "jsonl" not in known_as('{"arg1": "Lena", "relation": {"text": "ran"}}')


def test_facts_are_known_by_their_header():
    assert known_as(FACTS) == ["facts"]
    assert "facts" not in known_as("e1\tr\te2\tr\nx\ty\tz\ty")
    assert "facts" not in known_as("/m/0a\tfounded\t/m/0b")


def test_an_archive_is_not_known_by_lines():
    assert not formats()["cesi"].recognises([CESI])


def test_three_quarters_of_the_lines_that_are_not_blank_are_most():
    assert mostly(["1", "2", "", "3", " ", "x"], str.isdecimal)
    assert not mostly(["1", "2", "x"], str.isdecimal)
    assert not mostly(["", " "], str.isspace)
    assert not mostly([], str.isdecimal)


def test_a_number_is_finite_and_written_in_digits():
    for text in ("1", " -184.33 ", "1e-3"):
        assert is_number(text)
    for text in ("", " ", "nan", "-inf", "0,5", "one"):
        assert not is_number(text)


@given(st.lists(st.text(st.sampled_from('\t"{}[]():;,. 01aE-#'), max_size=30), max_size=4))
def test_no_lines_stop_any_format_from_saying_yes_or_no(lines):
    assert {type(known.recognises(lines)) for known in formats().values()} == {bool}
