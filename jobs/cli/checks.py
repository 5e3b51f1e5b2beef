"""What several commands check of their options."""

from typing import Any

import typer

from jobs.bounds import Bound


def within(bound: Bound[int] | Bound[float], *names: str, help: str, **options: Any) -> Any:  # noqa: A002
    """Return a numeric option that is refused outside a bound, which its help tells."""
    return typer.Option(*names, min=bound.least, max=bound.most, help=help, **options)
