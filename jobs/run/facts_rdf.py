"""Judged facts as RDF 1.2 (RDF-star): a statement about each triple, with evidence and provenance.

A fact is a triple term, << e1 r e2 >>, which nobody asserts: what is said of it is the verdict, its
score, who states it and where. Entities have the IRIs of their dumps
(:func:`indexes.identifiers.iri_of`), relations and the terms that describe a verdict those of
distval. The run, with the signature of its result, is a PROV activity.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import quote

from evaluator.results.result import Result
from evaluator.whole_files import whole_file
from indexes.engine import Batches
from indexes.identifiers import iri_of

_PREFIXES = """\
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix dv: <urn:distval:term:> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
_COUNTS = ("pair", "classic", "proximity", "sentences")


def write_facts_turtle(path: Path, batches: Batches, result: Result, date: str | None) -> int:
    """Write facts as Turtle 1.2, whole or not at all; return how many.

    Parameters
    ----------
    path
        The file.
    batches
        Facts as ``FACTS_TABLE``.
    result
        Of the run that judged them.
    date
        The day of it, as ISO 8601 has it.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    run = f"<urn:distval:run:{blake2b(result.signature.encode(), digest_size=8).hexdigest()}>"
    named: set[str] = set()
    written = 0
    with whole_file(path) as file:
        file.write(_PREFIXES)
        file.write(f"\n{run} a prov:Activity ;\n  rdfs:label {_text(result.name)} ;\n")
        file.write(f"  dv:signature {_text(result.signature)}")
        if date is not None:
            file.write(f" ;\n  dcterms:date {_text(date)}^^xsd:date")
        file.write(" .\n")
        for batch in batches:
            for row in batch.to_pylist():
                for entity, name in ((row["e1"], row["name1"]), (row["e2"], row["name2"])):
                    if entity not in named and name != entity:
                        file.write(f"<{iri_of(entity)}> rdfs:label {_text(name)} .\n")
                    named.add(entity)
                told = " ;\n".join(f"  {about}" for about in _about(row))
                file.write(f"{_triple(row)}\n{told} ;\n  prov:wasGeneratedBy {run} .\n")
            written += batch.num_rows
    return written


def _triple(row: Mapping[str, Any]) -> str:
    relation = f"not {row['r']}" if row["negated"] else row["r"]
    relation = f"urn:distval:relation:{quote(relation, safe='')}"
    return f"<< <{iri_of(row['e1'])}> <{relation}> <{iri_of(row['e2'])}> >>"


def _about(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is said of a fact, as predicates and objects."""
    yield f"dv:verdict {_text(row['verdict'] or 'not judged')}"
    if row["negated"]:
        yield "dv:negated true"
    if row["score"] is not None:
        yield f'dv:score "{row["score"]!r}"^^xsd:double'
    for name in row["systems"]:
        yield f"dv:statedBy {_text(name)}"
    for count in _COUNTS:
        if row[count] is not None:
            yield f"dv:{count} {row[count]}"
    if row["kb_relation"] is not None:
        yield f"dv:closestRelation {_text(row['kb_relation'])}"
        yield f'dv:similarity "{row["similarity"]!r}"^^xsd:double'
    if row["label"] is not None:
        yield f"dv:peopleSay {_text(row['label'])}"
    if row["sentence"] is not None:
        yield f"dv:document {_text(row['document'])}"
        yield f"dv:sentenceNumber {row['number']}"
        yield f"dv:sentence {_text(row['sentence'])}"


def _text(text: str) -> str:
    """Return a literal: JSON's escapes are Turtle's, but for characters beyond the first plane."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
