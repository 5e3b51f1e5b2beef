"""Running commands of distval in this process: one of its own takes two seconds to start."""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

import pytest

from jobs.cli import main


class Done(NamedTuple):
    code: int
    out: str
    err: str


def command(*arguments: object) -> Done:
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patched,
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        patched.setattr(sys, "argv", ["distval", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
    return Done(int(stopped.value.code or 0), out.getvalue(), err.getvalue())


def shown(*arguments: object) -> str:
    """Return what a command prints that succeeds."""
    done = command(*arguments)
    assert done.code == 0, done.err
    return done.out


def told(*arguments: object) -> dict:
    """Return what a command tells as JSON."""
    return json.loads(shown(*arguments, "--json"))


def refused(*arguments: object) -> str:
    """Run what must be refused, and return the one line that says why."""
    done = command(*arguments)
    assert done.code == 2, done
    assert done.out == ""
    (line,) = done.err.strip().splitlines()
    assert line.startswith("distval: ")
    return line
