"""The command line: ``distval``.

Exit codes: 0 done; 1 the answer is no; 2 bad input, said in one line. A command prints a table for
people or, with ``--json``, one JSON document; progress goes to the error stream.
"""

import errno
import os
import re
import sys
from importlib.metadata import version as installed
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer

from evaluator.errors import DistvalError
from jobs.cli import (
    agree,
    alignments,
    compare,
    convert,
    data,
    doctor,
    evidence,
    extract,
    gold,
    index,
    kb,
    labelling,
    qa_srl,
    run,
    sensitivity,
    similarity,
    simulate,
    tune,
    words,
)
from jobs.cli.output import errors

app = typer.Typer(
    name="distval",
    no_args_is_help=True,
    rich_markup_mode=None,  # "[rater]" is no markup
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


_INTERRUPTED = 130


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"distval {installed('distval')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """True precision and recall of open relation extractors, by distant validation."""  # noqa: D401


app.command("run")(run.run)
app.command("submit")(run.submit)
app.command("sensitivity")(sensitivity.sensitivity)
app.command("gold")(gold.gold)
app.command("compare")(compare.compare)
app.command("convert")(convert.convert)
app.command("extract")(extract.extract)
app.command("explain")(evidence.explain)
app.command("tune")(tune.tune)
app.command("agree")(agree.agree)
app.command("words")(words.words)
app.command("doctor")(doctor.doctor)
app.add_typer(index.index, name="index")
app.add_typer(kb.knowledge_base, name="kb")
app.add_typer(labelling.label, name="label")
app.add_typer(simulate.simulate, name="simulate")
app.add_typer(data.data, name="data")
app.add_typer(data.sample, name="sample")
app.add_typer(data.wordnet, name="wordnet")
app.add_typer(similarity.similarity, name="similarity")
similarity.similarity.command("curve")(alignments.curve)
data.data.command("wikidata-properties")(alignments.wikidata_alignments)
data.data.command("fewrel-relations")(alignments.fewrel_alignments)
data.data.command("reverb-freebase")(alignments.reverb_alignments)
data.data.command("qa-srl")(qa_srl.qa_srl)


def main() -> NoReturn:
    """Run the command line; what a person has to mend is told in one line, exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter is no reason
    try:
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
