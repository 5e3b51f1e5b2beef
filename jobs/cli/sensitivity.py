"""``distval sensitivity``."""

from collections.abc import Iterable, Iterator
from typing import Annotated, get_args

import typer
from rich.table import Table

from evaluator.errors import ConfigurationError
from evaluator.estimators.sensitivity import Curve, Name
from jobs.cli.output import Json, console, errors, percent, print_json, progress, table
from jobs.cli.run import Conf, Set
from jobs.config import Configuration

_MEASURES = {"P": "precision", "R": "recall", "F": "f1"}


def sensitivity(
    conf: Conf,
    t: Annotated[
        str | None, typer.Option("--t", metavar="V,V,…", help="Values of the threshold t.")
    ] = None,
    match: Annotated[
        str | None, typer.Option("--match", metavar="V,V,…", help="Values of the match threshold.")
    ] = None,
    x: Annotated[
        str | None, typer.Option("--x", metavar="V,V,…", help="Values of the distance X.")
    ] = None,
    link: Annotated[
        str | None,
        typer.Option("--link", metavar="V,V,…", help="Precisions of links to assume."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="t, match, x or link; may be repeated."),
    ] = None,
    override: Set = None,
    as_json: Json = False,
) -> None:
    """Show how the figures of a run move with its settings.

    The run must be finished. Its thresholds, the distance X and the precision of links are varied.
    """
    from jobs.analysis.sensitivity import sensitivity as vary

    given: dict[Name, str | None] = {"t": t, "match": match, "x": x, "link": link}
    values = {name: _numbers(name, text) for name, text in given.items() if text is not None}
    configuration = Configuration.load(conf, overrides=override or ())
    with progress() as on_stage:
        found = vary(
            configuration,
            values=values,
            only=_names(only or ()),
            on_step=lambda step: on_stage(step, False),
        )
    for note in found.notes:
        errors.print(note, highlight=False, soft_wrap=True)
    if as_json:
        print_json(found.as_json())
        return
    for curve in found.curves:
        console.print(_shown(curve))
    console.print(
        "All figures are annotator-relative, and recall is within G′; intervals are in the plots."
    )
    console.print(str(found.plot), markup=False, highlight=False, soft_wrap=True)


def _shown(curve: Curve) -> Table:
    """Return a curve as a table: a row a figure, a column a value, the configured one marked."""
    columns = [
        f"{point.value:g}" + ("*" if point.value == curve.configured else "")
        for point in curve.points
    ]
    title = f"{curve.parameter.label}: figures in %, * the run"
    return table(title, ["system", *columns], _rows(curve))


def _rows(curve: Curve) -> Iterator[list[str]]:
    for name in curve.points[0].systems:
        for sign, measure in _MEASURES.items():
            estimates = [getattr(point.systems[name], measure) for point in curve.points]
            if estimates[0] is not None:  # without a corpus there is no recall
                shown = (percent(estimate.value) for estimate in estimates)
                yield [f"{name} {sign}", *shown]


def _numbers(name: str, text: str) -> list[float]:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise ConfigurationError(
            f"--{name} {text}: expected numbers with commas between them"
        ) from None
    return numbers


def _names(only: Iterable[str]) -> list[Name]:
    known: tuple[Name, ...] = get_args(Name)
    for name in only:
        if name not in known:
            raise ConfigurationError(f"--only {name}: expected one of {', '.join(known)}")
    return [name for name in known if name in set(only)]
