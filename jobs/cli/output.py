"""How commands print: tables for people, JSON for programs, progress on the error stream."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.status import Status
from rich.table import Table
from rich.text import Text

from evaluator.intervals import Estimate
from evaluator.model import Rejects
from evaluator.printable import json_printable, printable
from evaluator.wordnet.similarity import IDENTICAL
from jobs.stage_account import StageAccount

if TYPE_CHECKING:  # it takes long to load
    from indexes.finished_parts import PartsProgress

_LONGEST_FIGURE = 20  # characters
_EVERY = 60.0  # seconds between two lines of a log
# A file or a pipe has no width: leave room, so that no figure is broken over two lines.
_WIDTH = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 140


class _Terminal(Console):
    """A console that obeys no control character of what it shows."""

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(printable(text), **options)

    def print(self, *objects: Any, crop: bool = False, **options: Any) -> None:
        """Print, and cut off nothing that is wider than the terminal."""
        super().print(*objects, crop=crop, **options)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # Rich would exit with 1, which is an answer here

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment  # Rich's own, which moves the cursor
            else:
                yield Segment(printable(segment.text), segment.style)


console = _Terminal(width=_WIDTH)
errors = _Terminal(stderr=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]


def print_json(value: object) -> None:
    """Print `value` as one JSON document, numbers in full precision."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    sys.stdout.write(json_printable(text) + "\n")


def print_line(text: str, *, to: Console = console) -> None:
    """Print a line as it is: nothing in it is markup, and the width does not break it."""
    to.print(text, markup=False, emoji=False, highlight=False, soft_wrap=True)


def table(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> Table:
    """Return a table whose first column is text and whose others are figures."""
    # Text: what people call things may look like markup.
    made = Table(title=_plain(title), title_justify="left", title_style="bold", header_style="bold")
    for place, column in enumerate(columns):
        # Fold: a name that lost its end may be another's.
        made.add_column(_plain(column), justify="left" if place == 0 else "right", overflow="fold")
    for row in rows:
        cells = [cell if isinstance(cell, Text) else _plain(str(cell)) for cell in row]
        made.add_row(*cells)
        for cell, of in zip(cells[1:], made.columns[1:], strict=False):
            # No figure is broken, however narrow the terminal: 43 over 0 reads as 43.
            figures = (len(word) for word in cell.plain.split() if word.strip("[(-+")[:1].isdigit())
            of.min_width = max(of.min_width or 1, min(max(figures, default=1), _LONGEST_FIGURE))
    return made


def _plain(text: str) -> Text:
    return Text(printable(text))  # here already, for the width that it takes


def number(value: float | None) -> str:
    """Return a count, or a dash where there is none."""
    return "–" if value is None else f"{value:,.0f}"


def percent(value: float | None) -> str:
    """Return a share in percent, or a dash."""
    return "–" if value is None else f"{100 * value:z.1f}"


def figure(value: float | None) -> str:
    """Return a PMI or a similarity, or a dash."""
    if value is None:
        return "–"
    return "identical" if value >= IDENTICAL else f"{value:.4g}"


def coefficient(value: float | None) -> str:
    """Return a coefficient of agreement to two decimals, or a dash."""
    return "–" if value is None else f"{value:z.2f}"


def with_interval(
    estimate: Estimate | Mapping[str, Any] | None, show: Callable[[float | None], str]
) -> str:
    """Return an estimate as ``value [low, high]``; the interval is left out where it is exact."""
    told = estimate._asdict() if isinstance(estimate, Estimate) else estimate or {}
    value, low, high = (told.get(key) for key in ("value", "low", "high"))
    if value is None or low is None or low == high:
        return show(value)
    return f"{show(value)} [{show(low)}, {show(high)}]"


def skipped(rejects: Mapping[str, int], what: str) -> None:
    """Tell on the error stream how many records were skipped, by reason."""
    if worth_telling(rejects):
        reasons = ", ".join(f"{count:,} × {reason}" for reason, count in sorted(rejects.items()))
        print_line(f"skipped {what}: {reasons}", to=errors)


def skipped_with_first(rejects: Rejects, what: str) -> None:
    """Tell on the error stream what was skipped: a line for each reason, with the first record."""
    for reason, count in sorted(rejects.counts.items()):
        if reason == "blank line":
            continue
        first = " ".join(rejects.examples.get(reason, "").split())
        told = f" (first: {first})" if first else ""
        print_line(f"skipped {what}: {count:,} × {reason}{told}", to=errors)


def worth_telling(rejects: Mapping[str, int]) -> bool:
    """Tell whether more was skipped than blank lines."""
    return any(reason != "blank line" for reason in rejects)


class Stages:
    """Shows which stage is at work and how far it is, on one line; a log gets lines now and then.

    Parameters
    ----------
    status
        The line of a terminal.
    """

    def __init__(self, status: Status) -> None:
        self._status = status
        self._told = 0.0  # when a log got its last line

    def __call__(self, name: str, kept: bool) -> None:
        """Tell that a stage begins, or that it is kept."""
        if kept:
            print_line(f"  {name}: kept from an earlier run", to=errors)
            return
        self._status.update(f"{name} …")
        if not errors.is_terminal:
            print_line(f"  {name} …", to=errors)

    def on_progress(self, name: str, progress: "PartsProgress") -> None:
        """Tell how far the parts of a stage are."""
        begins = progress.seconds == 0
        if begins and (progress.kept or progress.damaged):
            damaged = f", {progress.damaged:,} damaged and made again" if progress.damaged else ""
            kept = f"{progress.kept:,} of {progress.of:,} parts kept from an interrupted run"
            print_line(f"  {name}: {kept}{damaged}", to=errors)
        if errors.is_terminal:
            self._status.update(f"{name} … {how_far(progress)}")
            return
        now = time.monotonic()
        if begins:
            self._told = now
        elif now >= self._told + _EVERY and progress.done < progress.of:
            self._told = now
            print_line(f"  {name}: {how_far(progress)}", to=errors)


def how_far(progress: "PartsProgress") -> str:
    """Return the share of a stage that is done, its rate, and the time left."""
    told = [f"{progress.done:,} of {progress.of:,} parts"]
    told.append(f"{progress.done / progress.of:.0%}")
    if progress.rate is not None and progress.left is not None:
        told.append(f"{progress.rate:,.0f} {progress.unit}/s")
        told.append(f"{span(progress.left)} left")
    return ", ".join(told)


def span(seconds: float) -> str:
    """Return a time to wait: ``40 s``, ``12 min``, ``3 h 5 min``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours:,} h {minutes} min" if hours else f"{minutes} min"


@contextmanager
def progress() -> Iterator[Stages]:
    """Show which stage is at work; yield what a run tells its stages to."""
    with errors.status("starting") as status:
        yield Stages(status)


def show_account(account: StageAccount) -> None:
    """Tell what a stage took, once it is done."""
    if account.kept:
        return
    told = [f"{account.seconds:,.1f} s"]
    told += [f"{rows:,} rows of {table}" for table, rows in account.rows.items()]
    if skipped_ := sum(account.skipped.values()):
        told.append(f"{skipped_:,} skipped")
    if account.peak_memory is not None:
        told.append(f"at most {account.peak_memory / 1e6:,.0f} MB so far")
    print_line(f"  {account.stage}: {', '.join(told)}", to=errors)


def show_manifest(manifest: Mapping[str, Any], *, as_json: bool, title: str) -> None:
    """Show what a piece of evidence holds."""
    if as_json:
        print_json(manifest)
        return
    rows = [(k, v) for k, v in manifest.items() if not isinstance(v, dict | list | tuple)]
    console.print(table(title, ["", ""], rows))
    skipped(manifest.get("rejects") or {}, "records")
