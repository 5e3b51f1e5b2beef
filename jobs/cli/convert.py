"""``distval convert``: a system's output in another format, aligned with sentences."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evaluator.errors import ConfigurationError, choices
from evaluator.wordings import plural
from jobs.bounds import FACTS
from jobs.cli.checks import within
from jobs.cli.counted import Counted
from jobs.cli.files import READS, WRITES
from jobs.cli.looks import look_as_json, print_look
from jobs.cli.output import (
    Json,
    console,
    number,
    print_json,
    print_line,
    table,
    worth_telling,
)

if TYPE_CHECKING:
    from evaluator.corpus.alignment import AlignmentReport, SentenceAligner
    from evaluator.model import Extraction, Rejects

# What the fields of an extraction are called that a format may not be able to hold.
_LOST = {
    "negated": "negation",
    "modality": "modality",
    "attribution": "attribution",
    "condition": "condition",
    "asserted": "that it is not asserted",
    "confidence": "confidence",
}


def convert(
    file: Annotated[Path, typer.Argument(help="A system's output."), READS],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The file to write; not needed with --show."),
        WRITES,
    ] = None,
    source: Annotated[
        str, typer.Option("--from", metavar="FORMAT", help="Its format; auto finds it out.")
    ] = "auto",
    to: Annotated[
        str,
        typer.Option(
            "--to", metavar="FORMAT", help="jsonl, which loses nothing, tabbed or benchie."
        ),
    ] = "jsonl",
    system: Annotated[
        str, typer.Option(help="Name of the system; of a wire57 file, the extractor to read.")
    ] = "system",
    sentences: Annotated[
        Path | None,
        typer.Option(
            help="The sentences: one a line, id TAB sentence, or JSON Lines. "
            "Extractions get the one they are about."
        ),
        READS,
    ] = None,
    only_aligned: Annotated[
        bool, typer.Option("--only-aligned", help="Leave out what no sentence is found for.")
    ] = False,
    keys: Annotated[
        str | None,
        typer.Option(
            "--map",
            metavar="FIELD=KEY,...",
            help="The file's own keys, for JSON: subject=who,relation=does,object=whom. Those that "
            "are known stay known.",
        ),
    ] = None,
    show: Annotated[
        int | None,
        within(
            FACTS,
            metavar="N",
            help="Tell first what the file is taken for and why, with its first N records as read.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a system's output in another format.

    With --sentences it is aligned with sentences on the way.
    """
    from evaluator.corpus.alignment import SentenceAligner, read_list
    from evaluator.model import Rejects
    from evaluator.readers import (
        AUTO,
        SystemSource,
        formats,
        parse_keys,
        read_extractions,
        write_extractions,
    )
    from evaluator.readers.look import look

    if out is None and show is None:
        raise ConfigurationError("nothing to do: name a file to write, --out FILE, or --show N")
    if only_aligned and sentences is None:
        raise ConfigurationError("--only-aligned needs the sentences: --sentences FILE")
    mapping = parse_keys(keys) if keys is not None else ()
    if source not in (AUTO, *formats()):
        raise ConfigurationError(
            f"--from: unknown format {source!r}; {choices(source, [*formats(), AUTO])}"
        )
    read_from = SystemSource(system, source, file, mapping)
    read_from.check()
    taken = {"format": read_from.format, "keys": dict(read_from.keys)}
    shown = look(read_from, most=show) if show else None
    if shown and not as_json:
        print_look(str(file), shown)
    if out is None:
        if shown and as_json:
            print_json({"file": str(file), **taken, **look_as_json(shown)})
        return
    rejects, list_rejects = Rejects(), Rejects()
    aligner = SentenceAligner(read_list(sentences, rejects=list_rejects)) if sentences else None
    extractions = read_extractions(read_from, rejects=rejects)
    counted = Counted(extractions)
    aligned = _aligned(counted, aligner, only_aligned=only_aligned) if aligner else counted
    losing: Sequence[str] = getattr(formats().get(to), "LOSES", ())
    lost: Counter[str] = Counter()
    nameless = 0

    def kept() -> "Iterator[Extraction]":
        nonlocal nameless
        for extraction in aligned:
            nameless += not extraction.sentence.strip() and not extraction.sentence_id
            lost.update(field for field in losing if _says(extraction, field))
            yield extraction

    written = write_extractions(kept(), out, format=to, source=file)
    alignment = aligner.report() if aligner else None
    if as_json:
        print_json(
            {
                "file": str(file),
                **taken,
                **(look_as_json(shown) if shown else {}),
                "system": system,
                "out": str(out),
                "to": to,
                "read": counted.count,
                "written": written,
                "without_sentence": nameless,
                "lost": dict(lost),
                **rejects.as_json(),
                "sentences": None
                if sentences is None
                else {"file": str(sentences), **list_rejects.as_json()},
                "alignment": None if alignment is None else alignment.describe(),
            }
        )
        return
    print_line(
        f"{file} ({read_from.form}): {plural(counted.count, 'extraction')} read, "
        f"{written:,} written to {out} ({to})"
    )
    if lost:
        told = ", ".join(f"{_LOST[field]} ({lost[field]:,})" for field in _LOST if lost[field])
        print_line(f"lost, for {to} cannot hold it (extractions): {told}")
    if nameless:
        print_line(
            f"{plural(nameless, 'extraction')} without a sentence or its id: a run skips "
            f"{'it' if nameless == 1 else 'them'}; have the system write the sentence or its id"
        )
    _show_rejects("Lines skipped", rejects)
    _show_rejects(f"Lines of {sentences} skipped", list_rejects)
    if rejects.notes:
        rows = [(what, number(count)) for what, count in rejects.notes.items()]
        console.print(table("Kept, but not all of it", ["what", "records"], rows))
    if alignment:
        _show_alignment(alignment)


def _aligned(
    extractions: "Iterable[Extraction]", aligner: "SentenceAligner", *, only_aligned: bool
) -> "Iterator[Extraction]":
    for aligned in map(aligner.align, extractions):
        if aligned.found or not only_aligned:
            yield aligned.extraction


def _says(extraction: "Extraction", field: str) -> bool:
    """Tell whether something is lost of an extraction with this field."""
    value = getattr(extraction, field)
    if isinstance(value, bool):
        return value == (field == "negated")  # what is asserted, and not negated, is usual
    return value is not None


def _show_rejects(title: str, rejects: "Rejects") -> None:
    if worth_telling(rejects.counts):
        rows = [(r, number(n), rejects.examples.get(r, "")) for r, n in rejects.counts.items()]
        console.print(table(title, ["reason", "lines", "first example"], rows))


def _show_alignment(report: "AlignmentReport") -> None:
    rows = [
        (how, number(count), report.examples.get(how, ""))
        for how, count in report.outcomes.items()
        if count
    ]
    title = f"Alignment: {report.aligned:,} of {plural(report.extractions, 'extraction')}"
    console.print(table(title, ["by", "extractions", "first example"], rows))
    print_line(
        f"with an extraction: {report.covered:,} of {plural(report.sentences, 'sentence')}; "
        "recall is of all of them"
    )
    if report.repeated:
        print_line(f"the list repeats the text of {plural(report.repeated, 'sentence')}")
    if report.other_id:
        print_line(
            f"with the id of another sentence than theirs: {plural(report.other_id, 'extraction')}"
        )
    if report.spans_dropped:
        print_line(
            "left out, for the sentence is written differently: spans of "
            f"{plural(report.spans_dropped, 'extraction')}"
        )
