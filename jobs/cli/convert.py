"""``distval convert``: a system's output in another format, aligned with sentences."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evaluator.errors import ConfigurationError
from jobs.cli.output import Json, console, number, print_json, table

if TYPE_CHECKING:
    from evaluator.model import Extraction, Rejects
    from evaluator.sentence_alignment import AlignmentReport, SentenceAligner


def convert(
    file: Annotated[Path, typer.Argument(help="A system's output.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write.")],
    source: Annotated[
        str, typer.Option("--from", metavar="FORMAT", help="Its format; auto finds it out.")
    ] = "auto",
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="jsonl loses nothing; tabbed, benchie.")
    ] = "jsonl",
    system: Annotated[str, typer.Option(help="Name of the system.")] = "system",
    sentences: Annotated[
        Path | None,
        typer.Option(
            help="The sentences: one a line, id TAB sentence, or JSON Lines. "
            "Extractions get the one they are about."
        ),
    ] = None,
    only_aligned: Annotated[
        bool, typer.Option("--only-aligned", help="Leave out what no sentence is found for.")
    ] = False,
    keys: Annotated[
        str | None,
        typer.Option(
            "--map",
            metavar="FIELD=KEY,...",
            help="The file's own keys, for the format json: subject=who,relation=does,object=whom.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Read a system's output, align it with sentences, and write it in another format."""
    from evaluator.model import Rejects
    from evaluator.readers import SystemSource, read_extractions, write_extractions
    from evaluator.sentence_alignment import SentenceAligner, read_list

    if only_aligned and sentences is None:
        raise ConfigurationError("--only-aligned needs the sentences: --sentences FILE")
    mapping = _mapping(keys) if keys is not None else None
    # Nothing recognises keys that have yet to be mapped.
    named = "json" if mapping and source == "auto" else source
    read_from = SystemSource(system, named, file)
    read_from.check()
    rejects, list_rejects = Rejects(), Rejects()
    aligner = SentenceAligner(read_list(sentences, rejects=list_rejects)) if sentences else None
    extractions = read_extractions(read_from, rejects=rejects, keys=mapping)
    counted = _Counted(extractions)
    aligned = _aligned(counted, aligner, only_aligned=only_aligned) if aligner else counted
    nameless = 0

    def kept() -> "Iterator[Extraction]":
        nonlocal nameless
        for extraction in aligned:
            nameless += not extraction.sentence.strip() and not extraction.sentence_id
            yield extraction

    written = write_extractions(kept(), out, format=to)
    alignment = aligner.report() if aligner else None
    if as_json:
        print_json(
            {
                "file": str(file),
                "format": read_from.format,
                "system": system,
                "out": str(out),
                "to": to,
                "read": counted.count,
                "written": written,
                "without_sentence": nameless,
                "rejected": _described(rejects),
                "notes": rejects.notes,
                "sentences": None if sentences is None else str(sentences),
                "sentences_rejected": _described(list_rejects),
                "alignment": None if alignment is None else alignment.describe(),
            }
        )
        return
    console.print(
        f"{file} ({read_from.format}): {counted.count:,} extractions read, "
        f"{written:,} written to {out} ({to})",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    if nameless:
        console.print(
            f"{nameless:,} extractions have neither a sentence nor its id: nothing can be said of "
            "them, and jsonl and tabbed files are read without them",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    _show_rejects("Lines skipped", rejects)
    _show_rejects(f"Lines of {sentences} skipped", list_rejects)
    if rejects.notes:
        rows = [(what, number(count)) for what, count in rejects.notes.items()]
        console.print(table("Kept, but not all of it", ["what", "records"], rows))
    if alignment:
        _show_alignment(alignment)


class _Counted:
    """Iterates once and keeps the count."""

    def __init__(self, extractions: "Iterable[Extraction]") -> None:
        self._extractions = extractions
        self.count = 0

    def __iter__(self) -> "Iterator[Extraction]":
        for extraction in self._extractions:
            self.count += 1
            yield extraction


def _aligned(
    extractions: "Iterable[Extraction]", aligner: "SentenceAligner", *, only_aligned: bool
) -> "Iterator[Extraction]":
    for aligned in map(aligner.align, extractions):
        if aligned.found or not only_aligned:
            yield aligned.extraction


def _mapping(text: str) -> dict[str, str]:
    """Return what ``FIELD=KEY,...`` says."""
    pairs = [pair.partition("=") for pair in text.split(",")]
    mapping = {field.strip(): key.strip() for field, _, key in pairs}
    if not all(mapping) or not all(mapping.values()) or len(mapping) < len(pairs):
        raise ConfigurationError(
            f"--map {text!r}: expected FIELD=KEY,... with each field once, "
            "such as subject=head,relation=rel,object=tail"
        )
    return mapping


def _described(rejects: "Rejects") -> dict[str, Any]:
    return {
        reason: {"count": count, "example": rejects.examples.get(reason, "")}
        for reason, count in rejects.counts.items()
    }


def _show_rejects(title: str, rejects: "Rejects") -> None:
    if rejects.counts:
        rows = [(r, number(n), rejects.examples.get(r, "")) for r, n in rejects.counts.items()]
        console.print(table(title, ["reason", "lines", "the first"], rows))


def _show_alignment(report: "AlignmentReport") -> None:
    rows = [
        (how, number(count), report.examples.get(how, "")) for how, count in report.outcomes.items()
    ]
    title = f"Alignment: {report.aligned:,} of {report.extractions:,} extractions"
    console.print(table(title, ["by", "extractions", "the first"], rows))
    lines = [
        f"{report.covered:,} of {report.sentences:,} sentences have an extraction; "
        "recall is of all of them"
    ]
    if report.other_id:
        lines.append(f"{report.other_id:,} extractions give the id of another sentence than theirs")
    if report.spans_dropped:
        lines.append(
            f"{report.spans_dropped:,} spans left out: the sentence is written differently"
        )
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
