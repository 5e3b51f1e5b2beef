"""How commands tell what a file of a system's output is taken for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console

from jobs.cli.output import console, errors, print_line, skipped

if TYPE_CHECKING:
    from evaluator.readers import SystemSource
    from evaluator.readers.look import Look


def print_look(file: str, seen: "Look", *, to: Console = console) -> None:
    """Print what a file is taken for, and its first records below."""
    from evaluator.readers.look import in_words

    print_line(f"{file}: {seen.format} ({seen.why})", to=to)
    for record in seen.records:
        print_line(f"    {in_words(record)}", to=to)
    for what, count in seen.rejects.notes.items():
        print_line(f"    {count:,} × {what}", to=to)
    skipped(seen.rejects.counts, f"of {file} so far")


def look_as_json(seen: "Look") -> dict[str, Any]:
    """Return why a file is taken for its format, and its first records, as part of an object."""
    from evaluator.readers.look import in_words

    first = [in_words(record) for record in seen.records]
    return {"why": seen.why, "first": first, **seen.rejects.as_json()}


def telling_systems(
    sources: Sequence["SystemSource"], on_stage: Callable[[str, bool], None]
) -> Callable[[str, bool], None]:
    """Return `on_stage`, before whose first call the error stream tells what each file is.

    All that a run refuses at once is checked by then, and nothing that takes long has begun.
    """
    from evaluator.readers.look import look

    untold = list(reversed(sources))

    def told(name: str, kept: bool) -> None:
        while untold:
            source = untold.pop()
            print_look(f"  {source.name}: {source.path}", look(source), to=errors)
        on_stage(name, kept)

    return told
