"""``distval index`` and ``distval explain``."""

import csv
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from evaluator.errors import ConfigurationError, InputError
from jobs.cli.output import (
    Json,
    console,
    errors,
    figure,
    number,
    print_json,
    show_manifest,
    table,
)
from jobs.config import Configuration, Match, Pmi

index = typer.Typer(
    help="The text index: hit counts over a large collection.", no_args_is_help=True
)

Index = Annotated[Path, typer.Argument(metavar="INDEX", help="Folder of a text index.")]
_STYLES = {"e1": "bold blue", "e2": "bold magenta", "r": "bold green"}


@index.command("build")
def index_build(
    collection: Annotated[Path, typer.Argument(help="File, folder or archive of documents.")],
    out: Annotated[Path, typer.Option(help="Folder of the index, made anew.")],
    format: Annotated[str, typer.Option(help="wikiextractor or jsonl.")] = "wikiextractor",  # noqa: A002
    as_json: Json = False,
) -> None:
    """Build a text index with positions over a collection."""
    from jobs.evidence import build_text_index

    with errors.status("indexing the collection …"):
        manifest = build_text_index(collection, format=format, out=out)
    show_manifest(manifest, as_json=as_json, title=f"Text index {out}")


@index.command("info")
def index_info(folder: Index, as_json: Json = False) -> None:
    """Show what an index holds."""
    from indexes.text_index import TextIndex

    with TextIndex.open(folder) as opened:
        show_manifest(asdict(opened.manifest), as_json=as_json, title=f"Text index {folder}")


@index.command("count")
def index_count(
    facts: Annotated[Path, typer.Argument(metavar="FACTS", help="TSV with the header e1 r e2.")],
    folder: Annotated[Path, typer.Option("--index", help="Folder of a text index.")],
    x: Annotated[int, typer.Option("--x", min=0, help="NEAR distance in words.")] = Pmi().x,
    ordered: Annotated[bool, typer.Option(help="e1 before r before e2 only.")] = False,
    denominator: Annotated[str, typer.Option(help="and, or near.")] = "and",
    out: Annotated[Path | None, typer.Option(help="Write here instead of printing.")] = None,
) -> None:
    """Count the documents that hold each fact: pair, CLASSIC and PROXIMITY."""
    from evaluator.elements import entity_element, relation_element
    from evaluator.relation import relation_form, relation_key
    from indexes.text_index import TextIndex

    if denominator not in ("and", "near"):
        raise ConfigurationError(f"--denominator {denominator}: expected and, or near")
    header, rows = _read_facts(facts)
    place = {name: header.index(name) for name in ("e1", "r", "e2")}
    elements = [
        (
            entity_element(row[place["e1"]], None),
            relation_element(relation_key(relation_form(row[place["r"]]))),
            entity_element(row[place["e2"]], None),
        )
        for row in rows
    ]
    with TextIndex.open(folder) as opened, errors.status(f"counting {len(rows):,} facts …"):
        counts = opened.count(elements, x=x, ordered=ordered, denominator=denominator)
    partial = out and out.with_name(f".{out.name}.partial")
    stream = partial.open("w", encoding="utf-8", newline="") if partial else sys.stdout
    writer = csv.writer(
        stream, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None
    )
    writer.writerow([*header, "pair", "classic", "proximity"])
    for row, count in zip(rows, counts, strict=True):
        writer.writerow([*row, *("" if c is None else c for c in count)])
    if partial and out:
        stream.close()
        partial.replace(out)


def explain(
    e1: Annotated[str, typer.Argument(metavar="E1", help="Name or id of the first entity.")],
    r: Annotated[str, typer.Argument(metavar="R", help="Relation phrase.")],
    e2: Annotated[str, typer.Argument(metavar="E2", help="Name or id of the second entity.")],
    conf: Annotated[
        Path | None, typer.Option("--conf", help="Take evidence and settings from a run.")
    ] = None,
    kb: Annotated[Path | None, typer.Option("--kb", help="Folder of a knowledge base.")] = None,
    index_folder: Annotated[
        Path | None, typer.Option("--index", help="Folder of a text index.")
    ] = None,
    x: Annotated[int | None, typer.Option("--x", min=0, help="NEAR distance in words.")] = None,
    as_json: Json = False,
) -> None:
    """Show all the evidence for one fact. Exit code 1: judged not correct, or undecided."""
    from contextlib import nullcontext

    from indexes.knowledge_base import KnowledgeBase
    from indexes.text_index import TextIndex
    from jobs.explanation import explain as gather

    settings = Configuration.load(conf) if conf else None
    kb = kb or (settings and settings.kb.path)
    index_folder = index_folder or (settings and settings.index.path)
    if kb is None and index_folder is None:
        raise ConfigurationError("name the evidence: --conf CONF, or --kb DIR and --index DIR")
    pmi = settings.pmi if settings else Pmi()
    match = settings.match if settings else Match()
    with TextIndex.open(index_folder) if index_folder else nullcontext() as opened:
        told = gather(
            e1,
            r,
            e2,
            kb=KnowledgeBase.open(kb) if kb else None,
            index=opened,
            match=match,
            variant=pmi.variant,
            x=pmi.x if x is None else x,
            threshold=pmi.threshold,
            ordered=pmi.ordered,
            denominator=pmi.denominator,
            key=settings.relation.key if settings else "head",
        )
    if as_json:
        print_json(told)
    else:
        _show_explanation(told)
    if not told["verdict"]:
        raise typer.Exit(1)


def _show_explanation(told: dict[str, Any]) -> None:
    verdict = {True: "[green]correct", False: "[red]not correct", None: "[yellow]undecided"}
    first, relation, second = told["e1"], told["r"], told["e2"]
    console.print(
        Text.assemble(
            ("⟨", ""), (first["label"] or first["given"], _STYLES["e1"]),
            (", ", ""), (relation["key"] or "no content word", _STYLES["r"]),
            (", ", ""), (second["label"] or second["given"], _STYLES["e2"]), ("⟩", ""),
        )
    )  # fmt: skip
    console.print(f"{verdict[told['verdict']]}[/]: {told['why']}\n", highlight=False)
    if not (first["id"] and second["id"]):
        console.print("Database: not both entities are known to it.")
    elif not told["database"]:
        console.print("Database: no relation between the two, in the direction asked for.")
    else:
        console.print(
            table(
                "Database",
                ["relation", "similarity", "by the words", "senses", "common subsumer", "match"],
                [
                    [
                        row["relation"] + (" (inverse)" if row["inverse"] else ""),
                        figure(row["similarity_score"]),
                        f"{row['word1']} ~ {row['word2']}" if row["word1"] else "–",
                        f"{row['sense1']} ~ {row['sense2']}" if row["sense1"] else "–",
                        row["subsumer"] or "–",
                        "yes" if row["matched"] else "no",
                    ]
                    for row in told["database"]
                ],
            )
        )
    text = told["text"]
    if text is None:
        return
    console.print(
        table(
            "Text",
            ["count", "documents", "PMI", "query"],
            [
                ["pair", number(text["pair"]), "", text["queries"]["pair"]],
                *(
                    [
                        name.upper(),
                        number(text[name]),
                        figure(text["pmi"][name]),
                        text["queries"][name],
                    ]
                    for name in ("classic", "proximity")
                ),
            ],
        )
    )
    for snippet in text["snippets"]:
        shown = Text.assemble(*((part, _STYLES.get(kind, "")) for part, kind in snippet["parts"]))
        console.print(
            Text.assemble((f"\n{snippet['title']} ", "bold"), (f"[{snippet['document']}]", "dim"))
        )
        console.print(shown)


def _read_facts(path: Path) -> tuple[list[str], list[list[str]]]:
    """Read a TSV of facts; every line must have the columns of the header."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise InputError(path, f"cannot read facts: {reason}") from None
    header = lines[0].split("\t") if lines else []
    if not {"e1", "r", "e2"} <= set(header):
        raise InputError(
            path, "expected a header with the columns e1, r, e2 (tab-separated)", line=1
        )
    rows = [line.split("\t") for line in lines[1:] if line]
    for place, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise InputError(path, f"expected {len(header)} columns, found {len(row)}", line=place)
    return header, rows
