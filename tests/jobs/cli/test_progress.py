"""How far a long stage is: one line on a terminal, a line now and then in a log."""

import io

import pytest
from rich.console import Console

from indexes.finished_parts import PartsProgress
from jobs.cli import output

BEGUN = PartsProgress(10, 40, 10, 1, rows=4_000, unit="sentences", seconds=0.0)
# Six parts of 100 sentences in 12 s: 50 a second, and 24 parts of 2 s are left.
LATER = BEGUN._replace(done=16, seconds=12.0)
TOLD = "16 of 40 parts, 40%, 50 sentences/s, 48 s left"


def shown(monkeypatch: pytest.MonkeyPatch, told: list[PartsProgress], *, terminal: bool) -> str:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=terminal, width=120)
    monkeypatch.setattr(output, "errors", console)
    with output.progress() as stages:
        stages("annotate", False)
        for progress in told:
            stages.on_progress("annotate", progress)
    return stream.getvalue()


def test_a_log_says_what_is_kept_and_now_and_then_how_far_the_stage_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = "  annotate: 10 of 40 parts kept from an interrupted run, 1 damaged and made again\n"
    text = shown(monkeypatch, [BEGUN, LATER], terminal=False)
    assert text == f"  annotate …\n{kept}"
    monkeypatch.setattr(output, "_EVERY", 0.0)
    ended = LATER._replace(done=40)
    text = shown(monkeypatch, [BEGUN, LATER, ended], terminal=False)
    assert text == f"  annotate …\n{kept}  annotate: {TOLD}\n"


def test_a_terminal_shows_it_on_the_line_of_the_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, [LATER], terminal=True)
    assert f"annotate … {TOLD}" in text


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (3_599, "1 h 0 min"), (11_100, "3 h 5 min")],
)
def test_a_time_to_wait_is_told_as_people_say_it(seconds: float, told: str) -> None:
    assert output.span(seconds) == told
