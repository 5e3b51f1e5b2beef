"""``distval data qa-srl``: gold tuples made of QA-SRL's questions and answers."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from evaluator.errors import InputError
from evaluator.model import Rejects
from evaluator.whole_files import write_whole
from evaluator.wordings import plural
from jobs.cli.files import READS, WRITES
from jobs.cli.output import Json, errors, print_json, print_line, skipped


def qa_srl(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File of QA-SRL 1.0 (*.qa)."), READS],
    out: Annotated[Path, typer.Option(help="File to write, as the corpus of OIE2016 is."), WRITES],
    embedded: Annotated[
        Literal["exclude", "keep"],
        typer.Option(help="Verbs inside answers about other verbs: exclude or keep."),
    ] = "exclude",
    auxiliaries: Annotated[
        Literal["paper", "corpus"],
        typer.Option(help="Auxiliaries as in the paper's example, or as in its corpus."),
    ] = "paper",
    pronouns: Annotated[
        Literal["drop", "keep"],
        typer.Option(
            help="Answers that are pronouns alone: drop, as in the paper, or keep. What is left "
            "moves up."
        ),
    ] = "drop",
    as_json: Json = False,
) -> None:
    """Make gold tuples of QA-SRL's questions.

    They are made of questions and answers as OIE2016's were. A line is a sentence, the verb's word,
    the predicate and the arguments, with tabs: what distval gold oie2016 --rules 2019 takes.
    """
    from evaluator.gold.oie2016.qa_srl import gold_tuples, read_qa_srl

    rejects = Rejects()
    sentences = list(read_qa_srl(file, rejects=rejects))
    lines = [
        found.line
        for sentence in sentences
        for found in gold_tuples(
            sentence,
            embedded=embedded,
            auxiliaries=auxiliaries,
            pronouns=pronouns,
            rejects=rejects,
        )
    ]
    if not lines:
        reason, first = next(iter(rejects.examples.items()), ("no verb with an answer", ""))
        raise InputError(file, f"gives no tuple: {reason}{first and f', {first!r}'}")
    write_whole(out, "".join(f"{line}\n" for line in lines))
    predicates = [predicate for sentence in sentences for predicate in sentence.predicates]
    counts = {
        "sentences": len(sentences),
        "predicates": len(predicates),
        "questions": sum(len(predicate.questions) for predicate in predicates),
        "tuples": len(lines),
    }
    skipped(rejects.counts, "lines")
    for what, number in sorted(rejects.notes.items()):
        print_line(f"{number:,} {what}", to=errors)
    if as_json:
        print_json({"out": str(out), **counts, **rejects.as_json()})
    else:
        told = ", ".join(plural(number, what.removesuffix("s")) for what, number in counts.items())
        print_line(f"{out}: {told}")
