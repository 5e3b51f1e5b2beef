"""Options of the commands that score systems on a benchmark: its rules, and what is scored."""

from collections.abc import Sequence
from typing import Annotated

import typer

from evaluator.errors import ConfigurationError

Mode = Annotated[
    str | None,
    typer.Option(
        help="released (default): the authors' scorer, faults included. corrected: without the "
        "known faults. paper: the paper's formula, where it differs (wire57)."
    ),
]
Rules = Annotated[
    str | None, typer.Option(help="oie2016: supervised (default), 2019, or the paper's head.")
]
Match = Annotated[
    str | None, typer.Option(help="benchie: by slot (default) or lexical, slots joined.")
]
Duplicates = Annotated[
    str | None, typer.Option(help="benchie: keep (default) or drop identical repeats.")
]
Conjunctions = Annotated[
    str | None,
    typer.Option(
        help="carb, oie2016, wire57: as-gold (default), or joined: extractions that say the "
        "conjuncts of a gold part one by one are scored as one."
    ),
]
Option = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Any option of the benchmark by its name."),
]
Asserted = Annotated[
    bool,
    typer.Option("--asserted", help="Leave out what the system itself marks as not asserted."),
]


def benchmark_options(by_name: Sequence[str] | None, **given: str | None) -> dict[str, str]:
    """Return the options that were given, as :func:`evaluator.gold.scoring.evaluate` takes them."""
    found = {name: value for name, value in given.items() if value is not None}
    for text in by_name or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigurationError(f"--option {text}: expected NAME=VALUE")
        if found.setdefault(name, value) != value:
            raise ConfigurationError(f"--option {text}: {name} is {found[name]} by another option")
    return found
