"""The command line: ``distval``.

Exit codes: 0 done; 1 the answer is no; 2 bad input, said in one line. A command prints a table for
people or, with ``--json``, one JSON document; progress goes to the error stream.
"""

import errno
import os
import re
import sys
from io import TextIOWrapper
from typing import NoReturn

import typer

from evaluator.errors import DistvalError
from jobs.cli.output import errors

_INTERRUPTED = 130


def main() -> NoReturn:
    """Run the command line; what a person has to mend is told in one line, exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter is no reason
    try:
        from jobs.cli.app import app

        code = app(prog_name="distval", standalone_mode=False)
    except DistvalError as error:
        _stop(str(error))
    except typer.TyperException as error:
        _stop_usage(error)
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) has gone: nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.filename is None and error.errno != errno.ENOSPC:
            raise
        _stop(f"{error.filename or 'what is printed'}: {error.strerror}")
    except Exception as error:
        told = _told_by_worker(str(error))
        if told is None and type(error).__module__.partition(".")[0] in ("pyspark", "py4j"):
            told = f"Spark: {str(error).strip().partition(chr(10))[0]}"
        if told is None:
            raise
        _stop(told)
    if code == _INTERRUPTED:
        _stop("interrupted; run the same command again: what was finished is kept", code=code)
    sys.exit(code)


def _told_by_worker(text: str) -> str | None:
    """Return the message of one of our errors that a Spark worker raised, if this is one."""
    found = re.search(r"^evaluator\.errors\.\w+: (.+)$", text, re.MULTILINE)
    return found[1] if found else None


def _stop_usage(error: typer.TyperException) -> NoReturn:
    """Say in one line how a command was called wrongly; to a group of commands show its help."""
    message = error.format_message().replace("Value error, ", "")  # pydantic's prefix
    context = getattr(error, "ctx", None)
    if context is None:
        _stop(message)
    if message == context.get_help():
        typer.echo(message, err=True)
        sys.exit(2)
    _stop(f"{' '.join(message.split()).rstrip('.')} ({context.command_path} --help says more)")


def _stop(message: str, *, code: int = 2) -> NoReturn:
    errors.print(f"distval: {message}", markup=False, emoji=False, highlight=False, soft_wrap=True)
    sys.exit(code)
