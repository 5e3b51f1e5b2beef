"""What several commands check of their options."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any

import typer

from jobs.bounds import Bound

type Settings = Mapping[str, tuple[Bound[int] | Bound[float], str]]
"""By the name of a setting: its bound, and the help of its option."""


def within(bound: Bound[int] | Bound[float], *names: str, help: str, **options: Any) -> Any:  # noqa: A002
    """Return a numeric option that is refused outside a bound, which its help tells."""
    return typer.Option(*names, min=bound.least, max=bound.most, help=help, **options)


def settings_of(
    kind: Callable[..., object], settings: Settings
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that makes the parameter ``world`` of a command of options.

    Parameters
    ----------
    kind
        Makes the world of its settings; each has a default.
    settings
        Those that have an option.
    """
    defaults = kind()
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=getattr(defaults, name),
            annotation=Annotated[type(bound.least), within(bound, help=told)],
        )
        for name, (bound, told) in settings.items()
    ]

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def command(**values: Any) -> Any:
            world = kind(**{name: values.pop(name) for name in settings})
            return function(world=world, **values)

        own = inspect.signature(function)
        parameters = list(own.parameters.values())
        place = list(own.parameters).index("world")
        parameters[place : place + 1] = options
        vars(command)["__signature__"] = own.replace(parameters=parameters)
        command.__annotations__ = {one.name: one.annotation for one in parameters}
        return command

    return declare
