"""Figures in tables of the command line."""

import re

import pytest

from jobs.cli import output
from jobs.cli.output import coefficient, percent


def test_what_rounds_to_zero_has_no_sign() -> None:
    assert [percent(share) for share in (-0.0004, -0.0, 0.0004, -0.0006, None)] == [
        "0.0", "0.0", "0.0", "-0.1", "–",
    ]  # fmt: skip
    assert [coefficient(value) for value in (-0.004, -0.006, -1.0)] == ["0.00", "-0.01", "-1.00"]


def test_no_figure_is_broken_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output.console, "width", 12)
    rows = [["alpha", 430, "31.7 [29.5, 33.8]", "1,243"]]
    with output.console.capture() as shown:
        output.console.print(output.table("t", ["system", "read", "recall", "facts"], rows))
    words = re.split(r"[\s│]+", shown.get())
    assert {"430", "31.7", "[29.5,", "33.8]", "1,243"} <= set(words)
