"""``distval explain``: all the evidence for one fact."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from evaluator.errors import ConfigurationError
from evaluator.model import Fact, Sentence
from evaluator.report.parts import how_stated, words
from evaluator.text import search_form
from evaluator.wordings import CORRECT, COUNTS, NO_RELATION_WORD, plural
from evaluator.wordnet.chosen import ENGLISH
from jobs.bounds import WORDS
from jobs.cli.checks import within
from jobs.cli.files import READS
from jobs.cli.output import (
    Json,
    console,
    figure,
    number,
    print_json,
    print_line,
    table,
)
from jobs.config import Configuration, LinkSettings, MatchSettings, PmiSettings, RelationSettings

STYLES = {"e1": "bold blue", "e2": "bold magenta", "r": "bold green"}


def explain(
    e1: Annotated[str, typer.Argument(metavar="E1", help="Name or id of the first entity.")],
    r: Annotated[str, typer.Argument(metavar="R", help="Relation phrase.")],
    e2: Annotated[str, typer.Argument(metavar="E2", help="Name or id of the second entity.")],
    conf: Annotated[
        Path | None, typer.Option("--conf", help="Take evidence and settings from a run."), READS
    ] = None,
    kb: Annotated[
        Path | None, typer.Option("--kb", help="Folder of a knowledge base."), READS
    ] = None,
    index_folder: Annotated[
        Path | None, typer.Option("--index", help="Folder of a text index."), READS
    ] = None,
    x: Annotated[int | None, within(WORDS, "--x", help="NEAR distance in words.")] = None,
    sentence: Annotated[
        str | None,
        typer.Option("--sentence", metavar="TEXT", help="The sentence that a system took it from."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Replace a setting of CONF."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show all the evidence for one fact. Exit code 1: judged not correct, or undefined."""
    from contextlib import nullcontext

    from evaluator.annotators import Pmi
    from indexes.kb.knowledge_base import KnowledgeBase
    from indexes.text.index import TextIndex
    from jobs.evidence.annotator import settled_annotator
    from jobs.evidence.explanation import explain as gather
    from jobs.evidence.judge_panel import panel_of
    from jobs.evidence.stated import StatedFacts, stated_by, stated_in_run
    from jobs.run.stating import closest_sentences

    for name, given in (("E1", e1), ("E2", e2)):
        if not search_form(given):
            raise ConfigurationError(f"{name} {given!r} has no letter or digit: expected a name")
    if settings and conf is None:
        raise ConfigurationError("--set replaces settings of a configuration: name it with --conf")
    run = Configuration.load(conf, overrides=settings or ()) if conf else None
    if run:
        kb, index_folder = kb or run.kb.path, index_folder or run.index.path
    if kb is None and index_folder is None:
        raise ConfigurationError("name the evidence: --conf CONF, or --kb DIR and --index DIR")
    known = KnowledgeBase.open(kb) if kb else None
    link = run.link if run else LinkSettings()
    relation = run.relation if run else RelationSettings()
    lexicon = run.lexicon if run else ENGLISH
    stated: StatedFacts | None = None
    shown: Sentence | None = None
    if sentence is not None:
        if known is None:
            raise ConfigurationError("--sentence needs the names of a knowledge base: --kb DIR")
        stated, shown = stated_by(
            sentence, (e1, r, e2), kb=known, link=link, key=relation.key, lexicon=lexicon
        )
    elif run:
        stated = stated_in_run(run.run, [(e1, r, e2)], kb=known, key=relation.key, lexicon=lexicon)
        if stated and (of_run := stated.items[0]) and run.corpus is not None:
            fact = Fact(*of_run)
            shown = closest_sentences(run.run, [fact]).get(fact)
    pmi = run.pmi if run else PmiSettings()
    match = run.match if run else MatchSettings()
    with TextIndex.open(index_folder) if index_folder else nullcontext() as opened:
        told = gather(
            e1,
            r,
            e2,
            kb=known,
            index=opened,
            match=match,
            annotator=settled_annotator(run) if run else Pmi(threshold=pmi.threshold),
            pmi=pmi if x is None else pmi.model_copy(update={"x": x}),
            relation_settings=relation,
            lexicon=lexicon,
            stated=stated,
            sentence=shown,
            panel=panel_of(run.external.judges, kb=known, key=relation.key, lexicon=lexicon)
            if run
            else None,
        )
    if as_json:
        print_json(told)
    else:
        _show_explanation(told)
    if not told["verdict"]:
        raise typer.Exit(1)


def _show_explanation(told: dict[str, Any]) -> None:
    colour = {True: "green", False: "red", None: "yellow"}[told["verdict"]]
    first, relation, second = told["e1"], told["r"], told["e2"]
    console.print(
        Text.assemble(
            ("⟨", ""), (first["label"] or first["given"], STYLES["e1"]),
            (", not " if relation["negated"] else ", ", ""),
            (relation["key"] or NO_RELATION_WORD, STYLES["r"]),
            (", ", ""), (second["label"] or second["given"], STYLES["e2"]), ("⟩", ""),
        )
    )  # fmt: skip
    verdict = CORRECT[told["verdict"]]
    console.print(f"[{colour}]{verdict}[/]: {told['why']}\n", highlight=False)
    if not (first["id"] and second["id"]):
        console.print("Knowledge base: not both entities are known to it.")
    elif not told["database"]:
        console.print(
            "Knowledge base: no relation between the two, on the sides that match.direction asks "
            "for."
        )
    else:
        console.print(
            table(
                "Knowledge base",
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
    _show_statement(told["sentence"])
    text = told["text"]
    if text is None:
        return
    console.print(
        table(
            "Text",
            ["count", "documents", "PMI", "query"],
            [
                [
                    called,
                    number(text[name]),
                    figure(text["pmi"][name]) if name in text["pmi"] else "",
                    text["queries"][name],
                ]
                for name, called in COUNTS.items()
            ],
        )
    )
    if told["r"]["words"]:
        listed = ", ".join(
            f"{word['word']} ({figure(word['weight'])}, {word['source']})"
            for word in told["r"]["words"]
        )
        console.print(f"Words that stand for the relation too: {listed}.", highlight=False)
    context = text["context"]
    console.print(
        f"Documents: e1 is in {number(context['documents1'])}, e2 in "
        f"{number(context['documents2'])}; about e1 are {number(context['about'])}. The two stand "
        f"near each other in {number(context['beside'])}, r near e1 in {number(context['near1'])}, "
        f"near e2 in {number(context['near2'])}.",
        highlight=False,
    )
    _show_annotator(told["annotator"])
    for snippet in text["snippets"]:
        console.print(
            Text.assemble((f"\n{snippet['title']} ", "bold"), (f"[{snippet['document']}]", "dim"))
        )
        console.print(marked(snippet["parts"]))


def marked(parts: Iterable[Sequence[str]]) -> Text:
    """Return a text with its elements in their styles."""
    return Text.assemble(*((part, STYLES.get(kind, "")) for part, kind in parts))


def _show_statement(told: dict[str, Any] | None) -> None:
    """Show how the fact is stated: by how many, and how the closest sentence does."""
    if told is None:
        console.print("\nSentence: not known (distval run first, or --sentence TEXT).")
        return
    systems = told["systems"]
    counts = (
        plural(told["sentences"], "sentence"),
        plural(told["stating_documents"], "document"),
        plural(len(systems), "system") + (f" ({', '.join(systems)})" if systems else ""),
    )
    console.print(f"\nStated by {', '.join(counts)}.", highlight=False)
    if told["closest"] is None:
        return
    if shown := told["shown"]:
        place = f" [{shown['document']}, sentence {shown['number']}]" if shown["document"] else ""
        console.print(Text.assemble(("The closest sentence", "bold"), (place, "dim")))
        console.print(marked(shown["parts"]))
    for title, of in how_stated(told["closest"]):
        console.print(Text.assemble((f"  {title}: ", "dim"), "; ".join(of)))
    console.print()


def _show_annotator(annotator: dict[str, Any]) -> None:
    """Show what the score is made of, the parts that move it most first."""
    from evaluator.annotators import ANNOTATORS

    parts = annotator["parts"]
    if ANNOTATORS[annotator["name"]].judges:
        said = (
            f"{part['name']} " + ("no answer" if part["value"] is None else figure(part["value"]))
            for part in parts
        )
        print_line(f"\nJudges, from 0 (no) to 1 (yes): {', '.join(said)}.")
        return
    if not parts or all(part["contribution"] is None for part in parts):
        return  # a ratio of two counts, which stand above
    parts = sorted(parts, key=lambda part: -abs(part["contribution"] or 0))
    console.print()
    console.print(
        table(
            f"Annotator {annotator['signature']}",
            ["part", "value", "weight", "adds to the log odds"],
            [
                [
                    words(part["name"]),
                    figure(part["value"]),
                    figure(part["weight"]),
                    figure(part["contribution"]),
                ]
                for part in parts
            ],
        )
    )
