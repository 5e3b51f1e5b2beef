"""``distval words``: the words that stand for a relation in a text, beyond its own."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from evaluator.errors import ConfigurationError
from evaluator.relations.expansion import SOURCES, WeightedWord, Widening, WordSource
from evaluator.relations.normal_form import relation_form, relation_key
from jobs.bounds import SHARE, TIMES
from jobs.cli.checks import within
from jobs.cli.files import READS
from jobs.cli.output import Json, console, errors, figure, print_json, table
from jobs.config import Configuration, MatchSettings

DEFAULTS = Widening()


def words(
    relations: Annotated[
        list[str] | None, typer.Argument(metavar="RELATION...", help="Relation phrases.")
    ] = None,
    conf: Annotated[
        Path | None, typer.Option("--conf", help="Take evidence and settings from a run."), READS
    ] = None,
    kb: Annotated[
        Path | None, typer.Option("--kb", help="Folder of a knowledge base."), READS
    ] = None,
    index: Annotated[
        Path | None, typer.Option("--index", help="Folder of a text index."), READS
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option(help=f"{', '.join(SOURCES)}; several may be named. Default: all there are."),
    ] = None,
    least: Annotated[float, within(SHARE, help="Least weight of a word.")] = DEFAULTS.least,
    most: Annotated[int, within(TIMES, help="Words for a relation at most.")] = DEFAULTS.most,
    names: Annotated[
        Path | None,
        typer.Option("--names", help="Folder of Wikidata's names of properties."),
        READS,
    ] = None,
    mine: Annotated[
        bool,
        typer.Option("--mine", help="First mine the words that known facts are stated with."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Show further words that stand for a relation.

    Each has its weight and the source that it comes from.
    """
    from indexes.kb.knowledge_base import KnowledgeBase
    from jobs.evidence.widening import further_words

    settings = Configuration.load(conf) if conf else None
    if settings:
        kb, index = kb or settings.kb.path, index or settings.index.path
    if settings and not settings.lexicon.is_shipped:
        raise ConfigurationError(
            f"{conf}: further words are from the shipped WordNet, and relation.wordnet is another"
        )
    match = settings.match if settings else MatchSettings()
    if not relations and not mine:
        raise ConfigurationError("name a relation, such as: distval words married --conf CONF")
    opened = KnowledgeBase.open(kb) if kb else None
    mined = _mine(opened, index) if mine else None
    names = names or (settings.relation.properties if settings else None)
    sources = cast("tuple[WordSource, ...]", tuple(source or _available(opened, index, names)))
    widening = Widening(sources, least, most, names)
    key = settings.relation.key if settings else "head"
    keys = [relation_key(relation_form(phrase), key=key) for phrase in relations or ()]
    found = further_words(keys, widening=widening, match=match, kb=opened, index=index)
    rows = list(zip(relations or (), keys, (found[key] for key in keys), strict=True))
    if as_json:
        print_json(
            {
                "words": widening.describe(),
                "mined": mined,
                "relations": [
                    {"phrase": phrase, "key": key, "words": [word._asdict() for word in there]}
                    for phrase, key, there in rows
                ],
            }
        )
        return
    if mined:
        console.print(
            f"{mined['path']}: mined from {mined['documents']:,} documents by "
            f"{mined['facts']:,} facts, {mined['relations']:,} relations have words",
            markup=False,
            soft_wrap=True,
        )
    for row in rows:
        _show(*row)


def _available(kb: Any, index: Path | None, names: Path | None) -> Sequence[WordSource]:
    """Return the sources that the evidence at hand can give."""
    from indexes.text.patterns import patterns_path

    by_name = SOURCES[4:] if names else ()
    if kb is None:
        return SOURCES[:2] + by_name
    if index is not None and patterns_path(kb, index).exists():
        return SOURCES[:4] + by_name
    errors.print("without patterns: none have been mined (--mine, with an index)", markup=False)
    return SOURCES[:3] + by_name


def _mine(kb: Any, index: Path | None) -> dict[str, Any]:
    from evaluator.relations.patterns import characteristic_words
    from indexes.text.index import TextIndex
    from indexes.text.patterns import mine, patterns_path, write_patterns

    if kb is None or index is None:
        raise ConfigurationError(
            "--mine needs facts and texts: --conf CONF, or --kb DIR and --index DIR"
        )
    path = patterns_path(kb, index)
    with TextIndex.open(index) as texts, errors.status("mining words …") as status:
        patterns = mine(
            kb,
            texts,
            on_progress=lambda done, total: status.update(
                f"mining words: {done:,} of {total:,} documents …"
            ),
        )
    write_patterns(path, patterns)
    telling = len(characteristic_words(patterns.counts))
    return {"path": str(path), "relations": telling, **asdict(patterns.manifest)}


def _show(phrase: str, key: str, there: Sequence[WeightedWord]) -> None:
    title = f'"{phrase}" ({key or "no content word"})'
    if not there:
        console.print(f"{title}: no further words", markup=False)
        return
    rows = [(word.word, figure(word.weight), word.source) for word in there]
    console.print(table(title, ["word", "weight", "source"], rows))
