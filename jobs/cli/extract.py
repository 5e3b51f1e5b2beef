"""``distval extract``: the output of a baseline, as a file like any other system's."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jobs.cli.output import Json, console, number, print_json, skipped, table

if TYPE_CHECKING:
    from evaluator.baselines import Baseline
    from evaluator.model import Extraction, Sentence


def extract(
    sentences: Annotated[Path, typer.Argument(metavar="SENTENCES", help="File of sentences.")],
    baseline: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="naive (splits at each verb), trivial (every split of the sentence), or between "
            "or between@N (each pair of entities at most N tokens apart; annotated sentences).",
        ),
    ],
    out: Annotated[Path, typer.Option(help="File to write.")],
    format_: Annotated[
        str, typer.Option("--format", help="Format to write: jsonl, tabbed, benchie, ...")
    ] = "jsonl",
    sentences_format: Annotated[
        str, typer.Option(help="lines (one sentence a line), or jsonl.")
    ] = "lines",
    as_json: Json = False,
) -> None:
    """Run a baseline over sentences: what a real extractor must be better than.

    Sentences are numbered from 1 in the file's order, or as a jsonl file numbers them (from 0)
    plus 1; benchie names them so.
    """
    from evaluator.baselines import Baseline
    from evaluator.corpus import read_sentences
    from evaluator.model import Rejects
    from evaluator.readers import write_extractions

    chosen = Baseline.parse(baseline)
    rejects = Rejects()
    read = _Counted(read_sentences(sentences, format=sentences_format, rejects=rejects))
    written = write_extractions(_extractions(chosen, read, path=sentences), out, format=format_)
    if as_json:
        print_json(
            {
                "baseline": str(chosen),
                "sentences": read.count,
                "extractions": written,
                "format": format_,
                "out": str(out),
                "rejects": rejects.counts,
            }
        )
        return
    rows = [("sentences", number(read.count)), ("extractions", number(written))]
    console.print(table(f"{chosen}: {out}", ["", ""], rows))
    skipped(rejects.counts, "sentences")


class _Counted:
    """Sentences, counted as they go by."""

    def __init__(self, sentences: Iterable["Sentence"]) -> None:
        self.sentences, self.count = sentences, 0

    def __iter__(self) -> Iterator["Sentence"]:
        for sentence in self.sentences:
            self.count += 1
            yield sentence


def _extractions(
    baseline: "Baseline", sentences: Iterable["Sentence"], *, path: Path
) -> Iterator["Extraction"]:
    from dataclasses import replace
    from itertools import count

    from evaluator.errors import InputError

    lines = count(1)
    for sentence in sentences:
        try:
            for extraction in baseline.extractions(sentence, system=str(baseline)):
                yield replace(extraction, line=next(lines), sentence_id=str(sentence.number + 1))
        except ValueError as error:
            raise InputError(
                path,
                f"{error}: {baseline} takes pairs of entities, so give annotated sentences "
                '(--sentences-format jsonl, with "mentions")',
            ) from error
