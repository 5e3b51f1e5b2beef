"""``distval extract``: the output of a baseline, as a file like any other system's."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jobs.cli.counted import Counted
from jobs.cli.files import READS, WRITES
from jobs.cli.output import Json, console, number, print_json, skipped, table

if TYPE_CHECKING:
    from evaluator.facts.baselines import Baseline
    from evaluator.model import Extraction, Rejects, Sentence


def extract(
    sentences: Annotated[
        Path, typer.Argument(metavar="SENTENCES", help="File of sentences."), READS
    ],
    baseline: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="naive (splits at each verb), trivial (every split of the sentence), or between "
            "or between@N (each pair of entities at most N tokens apart; annotated sentences).",
        ),
    ],
    out: Annotated[Path, typer.Option(help="File to write."), WRITES],
    format_: Annotated[
        str, typer.Option("--format", help="Format to write: jsonl, tabbed or benchie.")
    ] = "jsonl",
    sentences_format: Annotated[
        str,
        typer.Option(
            help="lines (one sentence a line, or id TAB sentence), or jsonl (annotated corpus)."
        ),
    ] = "lines",
    as_json: Json = False,
) -> None:
    """Run a baseline over sentences.

    A baseline is the least that a real extractor must beat.

    A sentence has the id of its line, or else the number of the line, from 1. In a jsonl file it
    has its number (from 0) plus 1, after its document if it names one (d1:1). Of equal sentences
    the first counts.
    """
    from evaluator.facts.baselines import Baseline
    from evaluator.model import Rejects
    from evaluator.readers import write_extractions

    chosen = Baseline.parse(baseline)
    rejects = Rejects()
    read = Counted(_sentences(sentences, sentences_format, rejects))
    written = write_extractions(_extractions(chosen, read, path=sentences), out, format=format_)
    if as_json:
        print_json(
            {
                "baseline": str(chosen),
                "sentences": read.count,
                "extractions": written,
                "format": format_,
                "out": str(out),
                **rejects.as_json(),
            }
        )
        return
    rows = [("sentences", number(read.count)), ("extractions", number(written))]
    console.print(table(f"{chosen}: {out}", ["what", "number"], rows))
    skipped(rejects.counts, "sentences")


def _sentences(
    path: Path, sentences_format: str, rejects: "Rejects"
) -> Iterator[tuple[str, "Sentence"]]:
    """Yield the sentences of a file with their ids."""
    from evaluator.corpus.alignment import read_list
    from evaluator.corpus.sentences import (
        LONG_SENTENCE,
        NO_WORD,
        REPEATED,
        document_name,
        read_sentences,
        sentence_key,
    )
    from evaluator.model import MOST_TOKENS, Sentence
    from evaluator.text import has_more_tokens

    if sentences_format != "lines":
        own = f"{document_name(path)}:"  # how a sentence is called that names no document
        for sentence in read_sentences(path, format=sentences_format, rejects=rejects):
            # Every document has a first sentence.
            within = "" if sentence.document.startswith(own) else f"{sentence.document}:"
            yield f"{within}{sentence.number + 1}", sentence
        return
    seen: set[str] = set()
    for place, (id_, text) in enumerate(read_list(path, rejects=rejects)):
        key = sentence_key(text)
        long = has_more_tokens(text, MOST_TOKENS)
        if long or not key or key in seen:
            reason = LONG_SENTENCE if long else REPEATED if key else NO_WORD
            rejects.add(reason, f"{id_}: {text}")
            continue
        seen.add(key)
        yield id_, Sentence(path.stem, place, text)


def _extractions(
    baseline: "Baseline", sentences: Iterable[tuple[str, "Sentence"]], *, path: Path
) -> Iterator["Extraction"]:
    from dataclasses import replace
    from itertools import count

    from evaluator.errors import InputError

    lines = count(1)
    for id_, sentence in sentences:
        try:
            for extraction in baseline.extractions(sentence, system=str(baseline)):
                yield replace(extraction, line=next(lines), sentence_id=id_)
        except ValueError as error:
            raise InputError(
                path,
                f"{error}: {baseline} takes pairs of entities, so give annotated sentences "
                '(--sentences-format jsonl, with "mentions")',
            ) from error
