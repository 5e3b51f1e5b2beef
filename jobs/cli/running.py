"""Running a command: what a person has to mend is told in one line, exit code 2."""

import errno
import os
import re
import sys
from pathlib import Path

import typer

from evaluator.errors import DistvalError
from evaluator.printable import one_line
from jobs.cli.app import app
from jobs.cli.output import errors
from jobs.config import data_folder
from jobs.data.catalogue import set_of

LEFT_OUT = {"pyspark": "Spark is not installed: pip install pyspark==4.3.0"}
"""What an installation may lack, and what brings it, by the package that is missed."""

# How Python keeps the bytes of an argument that are no text: reports and JSON could not name it.
_NO_TEXT = re.compile(r"[\ud800-\udfff]")


def run() -> int:
    """Run the command that the arguments name, and return its exit code.

    Raises
    ------
    BrokenPipeError
        Where the reader of the output has gone.
    KeyboardInterrupt
        Where it was stopped.
    """
    try:
        folder = str(Path.cwd())
    except OSError:
        return _told("the current folder is not there any more; change to another")
    named = (*sys.argv[1:], folder)
    if unwritable := next((one for one in named if _NO_TEXT.search(one)), None):
        return _told(_no_text(unwritable))
    try:
        return int(app(prog_name="distval", standalone_mode=False) or 0)
    except DistvalError as error:
        return _told(str(error))
    except typer.TyperException as error:
        return _told_usage(error)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in LEFT_OUT:
            raise
        return _told(LEFT_OUT[package])
    except SystemExit:  # of Typer, for a broken pipe; but an exit code of 1 is an answer here
        raise BrokenPipeError from None
    except OSError as error:
        if error.filename is None and error.errno != errno.ENOSPC:
            raise
        full = "; free some" if error.errno == errno.ENOSPC else ""
        return _told(f"{error.filename or 'what is printed or written'}: {error.strerror}{full}")


def _no_text(name: str) -> str:
    """Return what is to be done about an argument of which Python keeps bytes that are no text."""
    written = os.fsencode(name)
    shown = written.decode(errors="backslashreplace")
    if shown.encode() == written:  # text, in a locale that has no such letters
        return f"{shown}: this locale has ASCII alone; set PYTHONUTF8=1, or LC_ALL=C.UTF-8"
    return f"{shown}: a byte in it is not UTF-8; rename what is called so"


def _told_usage(error: typer.TyperException) -> int:
    """Say in one line how a command was called wrongly; to a group of commands show its help."""
    message = error.format_message().replace("Value error, ", "")  # pydantic's prefix
    context = getattr(error, "ctx", None)
    if context is None:
        return _told(message)
    if message == context.get_help():
        typer.echo(message, err=True)
        return 2
    return _told(
        f"{' '.join(message.split()).rstrip('.')} ({context.command_path} --help says more)"
    )


def _told(message: str) -> int:
    """Tell what has to be mended in one line, and return the exit code."""
    line = one_line(f"distval: {message}{_brought_by(message)}")
    errors.print(line, markup=False, emoji=False, highlight=False, soft_wrap=True)
    return 2


def _brought_by(message: str) -> str:
    """Return what brings a file of a data set that a message names and that is not there."""
    try:
        folder = data_folder()
    except OSError:  # it is relative to a folder that is not there any more
        return ""
    for found in re.finditer(rf"{re.escape(str(folder))}(?:/[^\s:;,'\"]+)?", message):
        path = Path(found[0].rstrip("."))
        if path.exists():
            continue
        if data_set := set_of(path, folder):
            return f"; distval data fetch {data_set.name} brings it"
    return ""
