"""The files of a run about the closed world, and what is true in it."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from benchmarks.webnlg.entries import (
    Triple,
    iri_of,
    is_literal,
    label_of,
    read_entries,
    share_of,
    short_label,
)
from benchmarks.webnlg.lexicon import Lexicon, read_lexicon, stated_facts
from benchmarks.webnlg.sentences import Said, corpus_of
from benchmarks.webnlg.systems import SYSTEMS, extractions
from evaluator.readers import tabbed
from jobs.worlds import files

SALT = "closed world"


@dataclass(frozen=True)
class ClosedWorld:
    """The closed world: where its files are, and what is true in it.

    Attributes
    ----------
    folder
        Where the files are.
    corpus
        The sentences and what they state.
    lexicon
        Which words stand for which property.
    known
        The triples that the knowledge base holds.
    true
        ⟨e1, r, e2⟩ that a sentence of the corpus states by a word that it has, by identifiers.
    true_by_name
        These, and the same with entities called as the sentence calls them.
    """

    folder: Path
    corpus: Sequence[Said]
    lexicon: Lexicon
    known: frozenset[Triple]
    true: frozenset[tuple[str, str, str]]
    true_by_name: frozenset[tuple[str, str, str]]

    @property
    def configuration(self) -> Path:
        """The configuration of the run."""
        return self.folder / "run.toml"


def make_world(
    data: Path,
    out: Path,
    *,
    most: int | None = None,
    given: bool = False,
    held: float = 0.5,
    salt: str = SALT,
) -> ClosedWorld:
    """Write the files of a run about WebNLG into the folder `out`, made where it is missing.

    ===================== ======================================================================
    ``run.toml``          the configuration; everything is judged
    ``sentences.jsonl``   the corpus
    ``A.jsonl``           the output of system A, as JSON Lines
    ``B.tabbed``          the output of system B
    ``kb.nt``             the knowledge base
    ``background.jsonl``  the background text
    ``statements.jsonl``  what each sentence states: document, number, text, triples, places
    ``truth.tsv``         the true facts, by the identifiers of the knowledge base
    ``truth_by_name.tsv`` these, and the same with entities called as sentences call them
    ===================== ======================================================================

    Parameters
    ----------
    data
        The folder of WebNLG.
    out
        The folder to write to.
    most
        Entries at most.
    given
        The corpus tells where entities stand; else the dictionary of the knowledge base has to.
    held
        Share of the distinct triples that the knowledge base holds.
    salt
        Decides on which side an entry, and a triple, is.
    """
    entries = read_entries(data, most=most)
    lexicon = read_lexicon()
    corpus = corpus_of(e for e in entries if share_of(e.name, salt) < 0.5)
    background = [
        (f"{entry.name}/{number}", text.text)
        for entry in entries
        if share_of(entry.name, salt) >= 0.5
        for number, text in enumerate(entry.texts)
    ]
    triples = sorted({triple for entry in entries for triple in entry.triples})
    known = frozenset(triple for triple in triples if share_of("\t".join(triple), salt) < held)
    outputs = {profile.name: extractions(profile, corpus, lexicon) for profile in SYSTEMS}
    true, true_by_name = (
        frozenset(f for said in corpus for f in stated_facts(said, lexicon, by_name=by_name))
        for by_name in (False, True)
    )
    files.write(
        out,
        {
            "run.toml": _CONFIGURATION,
            "sentences.jsonl": _lines(_sentence(said, given=given) for said in corpus),
            "A.jsonl": _lines(
                {"sentence": e.sentence, "arg1": e.arg1, "relation": e.relation, "arg2": e.arg2}
                for e in outputs["A"]
            ),
            "B.tabbed": files.extractions(outputs["B"], tabbed.line_of),
            "kb.nt": _knowledge_base(triples, known),
            "background.jsonl": _lines({"id": name, "text": text} for name, text in background),
            "statements.jsonl": _lines(_statement(said) for said in corpus),
            "truth.tsv": files.table(("e1", "r", "e2"), sorted(true)),
            "truth_by_name.tsv": files.table(("e1", "r", "e2"), sorted(true_by_name)),
        },
        what="world",
    )
    return ClosedWorld(out, corpus, lexicon, known, true, true_by_name)


def _sentence(said: Said, *, given: bool) -> dict[str, object]:
    record: dict[str, object] = {
        "document": said.document,
        "number": said.number,
        "text": said.text,
    }
    if given:
        record["mentions"] = [
            {"start": start, "end": end, "entity": iri_of(entity)}
            for start, end, entity in said.places
            if not is_literal(entity)
        ]
    return record


def _statement(said: Said) -> dict[str, object]:
    return {
        "document": said.document,
        "number": said.number,
        "text": said.text,
        "triples": sorted(said.stated),
        "places": said.places,
    }


def _lines(records: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_OTHER_NAME = "http://www.w3.org/2004/02/skos/core#altLabel"


def _knowledge_base(triples: Iterable[Triple], known: Collection[Triple]) -> str:
    """Return the known triples, and the names of all entities and properties, as N-Triples."""
    lines = set()
    for triple in triples:
        subject, property_, object_ = triple
        predicate = "http://dbpedia.org/ontology/" + quote(property_.replace(" ", "_"))
        lines.add(_named(predicate, _LABEL, property_label(property_)))
        for entity in (subject, object_):
            if not is_literal(entity):
                lines.add(_named(iri_of(entity), _LABEL, label_of(entity)))
                if short_label(entity) != label_of(entity):
                    lines.add(_named(iri_of(entity), _OTHER_NAME, short_label(entity)))
        if triple in known:
            value = (
                json.dumps(object_.strip('"'), ensure_ascii=False)
                if is_literal(object_)
                else f"<{iri_of(object_)}>"
            )
            lines.add(f"<{iri_of(subject)}> <{predicate}> {value} .\n")
    return "".join(sorted(lines))


def property_label(property_: str) -> str:
    """Return the name of a property: "birth place" for ``birthPlace``."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", property_)
    return " ".join(w if w.isupper() else w.lower() for w in words.split())


def _named(subject: str, predicate: str, name: str) -> str:
    return f"<{subject}> <{predicate}> {json.dumps(name, ensure_ascii=False)}@en .\n"


_CONFIGURATION = """\
# WebNLG as a closed world, whose truth is known (truth.tsv).
name = "closed world (WebNLG)"
run = "run"
truth = "truth.tsv"
systems = ["A=jsonl:A.jsonl", "B=tabbed:B.tabbed", "C=baseline:between"]

[corpus]
sentences = "sentences.jsonl"
format = "jsonl"

[kb]
path = "kb"
sources = ["kb.nt"]

[index]
path = "index"
collection = "background.jsonl"
format = "jsonl"

[sample]
system = "all"
candidates = "all"
"""
