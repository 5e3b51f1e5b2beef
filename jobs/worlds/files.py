"""The files of a run about a made world, as text, and how they are written."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from evaluator.errors import InputError
from evaluator.model import Extraction, Sentence
from evaluator.whole_files import write_whole
from jobs.worlds.statements import Entity, Statement, WorldRelation

_FREEBASE = "http://rdf.freebase.com/ns/"


def write(out: Path, contents: Mapping[str, str], *, what: str) -> None:
    """Write files, each as a whole, into a folder that is made where it is missing.

    Raises
    ------
    InputError
        If `out` is a file, or cannot be written to; `what` says what was to stand there.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(out, f"cannot write the {what} here: {problem.strerror}") from None
    for name, content in contents.items():
        write_whole(out / name, content)


def sentences(corpus: Iterable[Sentence]) -> str:
    """Return a corpus."""
    return _json_lines(
        {"document": sentence.document, "number": sentence.number, "text": sentence.text}
        for sentence in corpus
    )


def background(pages: Iterable[tuple[str, str]], *, digits: int) -> str:
    """Return a text collection: the title and text of each document, with ids of so many digits."""
    return _json_lines(
        {"id": f"b{number:0{digits}}", "title": title, "text": text}
        for number, (title, text) in enumerate(pages)
    )


def _json_lines(records: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def extractions(output: Iterable[Extraction], line_of: Callable[[Extraction], str]) -> str:
    """Return the output of a system, in the format that has those lines."""
    return "".join(f"{line_of(extraction)}\n" for extraction in output)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a tab-separated table with a header."""
    return "".join("\t".join(row) + "\n" for row in (columns, *rows))


def knowledge_base(
    relations: Iterable[WorldRelation],
    entities: Iterable[Entity],
    statements: Iterable[Statement],
    *,
    types: Mapping[str, str],
) -> str:
    """Return a knowledge base in the form of the Freebase dump.

    It knows every entity by its names, and of `statements` those whose relation has a predicate.
    `types` has the dump's types by the entities' kinds.
    """
    lines = {
        _named(relation.predicate, "type.object.name", relation.label)
        for relation in relations
        if relation.label
    }
    for entity in entities:
        key = _key(entity)
        lines.add(_related(key, "type.object.type", types[entity.kind]))
        lines.add(_named(key, "type.object.name", entity.name))
        for alias in (*entity.aliases, *entity.shared_aliases):
            lines.add(_named(key, "common.topic.alias", alias.removeprefix("the ")))
    for subject, relation, object_ in statements:
        if relation.predicate:
            lines.add(_related(_key(subject), relation.predicate, _key(object_)))
        if relation.inverse:
            lines.add(_related(_key(object_), relation.inverse, _key(subject)))
    return "".join(sorted(lines))


def _key(entity: Entity) -> str:
    return entity.id[1:].replace("/", ".")


def _named(subject: str, predicate: str, name: str) -> str:
    return f'<{_FREEBASE}{subject}>\t<{_FREEBASE}{predicate}>\t"{name}"@en\t.\n'


def _related(subject: str, predicate: str, value: str) -> str:
    return f"<{_FREEBASE}{subject}>\t<{_FREEBASE}{predicate}>\t<{_FREEBASE}{value}>\t.\n"
