"""How a command is declared: with an example in its help, and with files that are looked after."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import typer

from jobs.cli.files import check_call, marks_of


class Commands(typer.Typer):
    """A group of commands; each has an example, and none writes over what it reads."""

    def command(self, name: str, *, example: str, **options: Any) -> Callable[..., Any]:  # type: ignore[override]
        """Declare a command, as :meth:`typer.Typer.command` does.

        Parameters
        ----------
        name
            Its name.
        example
            A call of it, which its help ends with.
        options
            As Typer takes them.
        """
        # \b keeps the lines as they are: an example is to be copied.
        register = super().command(name, epilog=f"\b\nExample:\n  {example}", **options)

        def declare(function: Callable[..., Any]) -> Callable[..., Any]:
            marks = marks_of(function)

            @wraps(function)
            def checked(**values: Any) -> Any:
                check_call(marks, values)
                return function(**values)

            register(checked)
            return function

        return declare
