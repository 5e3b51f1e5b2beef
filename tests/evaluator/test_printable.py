"""What a terminal is shown: no character of a file moves its cursor or turns its text around."""

import json

import pytest

from evaluator.printable import json_printable, one_line, printable


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b31mred", r"\x9b31mred"),
        ("over\rwritten\x08", r"over\x0dwritten\x08"),
        ("safe\u202etxt.exe\u2066", r"safe\u202etxt.exe\u2066"),
        ("\x7f\u200f\u061c\u2028", r"\x7f\u200f\u061c\u2028"),
        ("Zoë\tनमस्ते 👩\u200d🚀\n", "Zoë\tनमस्ते 👩\u200d🚀\n"),  # what writing needs stays
    ],
)
def test_control_characters_are_shown(raw: str, shown: str) -> None:
    assert printable(raw) == shown
    assert printable(shown) == shown


def test_a_message_is_one_line() -> None:
    assert one_line("a\nfile\r\n: no\x1b[2J ") == r"a file : no\x1b[2J"


def test_json_holds_the_same_text_in_its_own_escapes() -> None:
    text = {"a\x9b": "\u202e\x7f\x1bé"}
    written = json_printable(json.dumps(text, ensure_ascii=False))
    assert json.loads(written) == text
    assert written == r'{"a\u009b": "\u202e\u007f\u001bé"}'
