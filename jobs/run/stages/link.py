"""Link: what systems state becomes facts, or gets the reason why it is none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from pathlib import Path

import pyarrow as pa

from evaluator.annotators.sentence_evidence import encoded, mentions_both, sentence_evidence
from evaluator.facts.baselines import Baseline
from evaluator.facts.given import GivenFact, link_given, names_of
from evaluator.facts.linking import LinkedExtraction, link_extraction, neighbouring
from evaluator.model import Extraction, Fact, Sentence
from evaluator.wordnet.chosen import Lexicon
from indexes.engine import Batches, Engine, Mapped
from indexes.identifiers import canonical_id
from jobs.config import LinkSettings, RelationSettings
from jobs.run.result import UNALIGNED
from jobs.run.stages.annotate import resolve
from jobs.run.stages.read import GIVEN
from jobs.run.stages.rows import FACT_FIELDS, columns, fact_arrays, sentences, suffixed

LINKED = pa.schema(
    [
        ("system", pa.string()),
        ("line", pa.int64()),
        ("document", pa.string()),
        ("number", pa.int64()),
        *FACT_FIELDS,
        ("reason", pa.string()),
        ("closest", pa.binary()),  # how the sentence states the fact, where it mentions both
    ]
)
_NAMED = pa.schema([("entity", pa.string()), ("name", pa.string())])

type _Row = tuple[str, int, str | None, int | None, Fact | None, str | None]


def link_extractions(
    engine: Engine,
    link: LinkSettings,
    relation: RelationSettings,
    lexicon: Lexicon,
    *,
    window: int = 1,
) -> None:
    """Make of ``extractions`` and ``annotated`` the table ``linked_extractions`` (``LINKED``).

    Extractions meet their sentence by its alignment key, which the reader keeps distinct. With a
    `window` of more than one sentence, the others of it come along for arguments that it lacks.
    """
    joined = with_sentences(engine, "extractions", "annotated", window=window)
    function = LinkExtractions(link, relation, lexicon, window)
    engine.view("linked_extractions", Mapped(joined, function, LINKED))


def with_sentences(engine: Engine, extractions: str, annotated: str, *, window: int) -> str:
    """Return the query for what :class:`LinkExtractions` takes: extractions with their sentences.

    `extractions` and `annotated` are tables or queries in parentheses. The other sentences of a
    `window` have suffixes, the nearest ``_0``.
    """
    names = ("document", "number", "text", "mentions")
    selected = ["e.*, a.document, a.number, a.text, a.mentions, a.relation_words"]
    joins = [f"FROM {extractions} e LEFT JOIN {annotated} a ON a.key = e.key"]
    if window > 1:  # a file may give two sentences of a document one number
        engine.view(
            "beside",
            f"""SELECT document, number, min_by(text, key) AS text,
                min_by(mentions, key) AS mentions
            FROM {annotated} GROUP BY document, number""",
        )
    for i, place in enumerate(neighbouring(window)):
        selected.append(suffixed(f"n{i}", f"_{i}", *names))
        joins.append(
            f"""LEFT JOIN beside n{i}
            ON n{i}.document = a.document AND n{i}.number = a.number + {place}"""
        )
    return f"SELECT {', '.join(selected)} {' '.join(joins)}"


def extract(
    engine: Engine,
    baselines: Mapping[str, Baseline],
    link: LinkSettings,
    relation: RelationSettings,
    lexicon: Lexicon,
) -> None:
    """Make of ``annotated`` the table ``extracted``: what baselines state (``LINKED``)."""
    function = Extract(link, relation, lexicon, dict(baselines))
    needed = (
        "entities > 1" if all(baseline.needs_pair for baseline in baselines.values()) else "true"
    )
    engine.view("extracted", Mapped(f"SELECT * FROM annotated WHERE {needed}", function, LINKED))


def resolve_facts(engine: Engine, out: Path) -> None:
    """Write the table ``read_facts`` with identifiers as the knowledge base has them.

    Those that it does not know stay as written.
    """
    engine.view(
        "asked_ids", "SELECT e1 AS id FROM read_facts UNION SELECT e2 AS id FROM read_facts"
    )
    resolve(engine)
    kept = ", ".join(f"f.{name}" for name in GIVEN.names if name not in ("e1", "e2"))
    engine.save(
        f"""SELECT {kept}, a.entity AS e1, b.entity AS e2 FROM read_facts f
        JOIN resolved a ON a.id = f.e1 JOIN resolved b ON b.id = f.e2""",
        out,
    )


def link_facts(
    engine: Engine, link: LinkSettings, relation: RelationSettings, lexicon: Lexicon
) -> None:
    """Make of ``given`` (:func:`resolve_facts`) the table ``linked_facts`` (``LINKED``)."""
    function = LinkFacts(link, relation, lexicon)
    engine.view("linked_facts", Mapped("SELECT * FROM given", function, LINKED))


def save_names(engine: Engine, link: LinkSettings, out: Path) -> None:
    """Write what the facts of ``given`` call each entity: ``entity, label, names``.

    ``names`` holds the distinct names as written, sorted; ``label`` is the first of them.
    """
    engine.view(
        "named", Mapped("SELECT * FROM given", partial(name_entities, scope=link.scope), _NAMED)
    )
    engine.save(
        """SELECT entity, min(name) AS label, sort_array(collect_set(name)) AS names
        FROM named GROUP BY entity""",
        out,
    )


@dataclass(frozen=True)
class _Linking:
    link: LinkSettings
    relation: RelationSettings
    lexicon: Lexicon

    def linked(
        self, sentence: Sentence, extraction: Extraction, neighbours: Sequence[Sentence] = ()
    ) -> LinkedExtraction:
        return link_extraction(
            sentence,
            extraction,
            arguments=self.link.arguments,
            scope=self.link.scope,
            negation=self.link.negation,
            unasserted=self.link.unasserted,
            key=self.relation.key,
            neighbours=neighbours,
            lexicon=self.lexicon,
        )


@dataclass(frozen=True)
class LinkExtractions(_Linking):
    """Links extractions in their sentences, and in the others of a window."""

    window: int = 1

    def __call__(self, batches: Batches) -> Batches:
        """Yield the extractions of batches as ``LINKED``."""
        for batch in batches:
            of = sentences(batch)
            beside = [sentences(batch, f"_{i}") for i, _ in enumerate(neighbouring(self.window))]
            near = zip(*beside, strict=True) if beside else repeat(())
            rows = list(map(self._row, of, _extractions(batch), near))
            yield _linked_batch(rows, of)

    def _row(
        self,
        sentence: Sentence | None,
        extraction: Extraction,
        near: Iterable[Sentence | None],
    ) -> _Row:
        if sentence is None:
            return extraction.system, extraction.line, None, None, None, UNALIGNED
        linked = self.linked(sentence, extraction, [one for one in near if one is not None])
        place = sentence.document, sentence.number
        return extraction.system, extraction.line, *place, linked.fact, linked.reason


def _extractions(batch: pa.RecordBatch) -> list[Extraction]:
    slots = ("system", "line", "sentence", "arg1", "relation", "arg2")
    said = columns(batch, "negated", "asserted")
    return [
        Extraction(system, line, sentence, arg1, relation, arg2, negated=negated, asserted=asserted)
        for (system, line, sentence, arg1, relation, arg2), (negated, asserted) in zip(
            columns(batch, *slots), said, strict=True
        )
    ]


@dataclass(frozen=True)
class Extract(_Linking):
    """Lets baselines extract from sentences; what they state is linked like any extraction."""

    baselines: Mapping[str, Baseline]

    def __call__(self, batches: Batches) -> Batches:
        """Yield the extractions of batches as ``LINKED``."""
        for batch in batches:
            rows: list[_Row] = []
            of: list[Sentence] = []
            for sentence in sentences(batch):
                assert sentence is not None
                for system, baseline in self.baselines.items():
                    for extraction in baseline.extractions(
                        sentence, system=system, lexicon=self.lexicon
                    ):
                        linked = self.linked(sentence, extraction)
                        place = sentence.document, sentence.number
                        rows.append((system, extraction.line, *place, linked.fact, linked.reason))
                        of.append(sentence)
            yield _linked_batch(rows, of)


@dataclass(frozen=True)
class LinkFacts:
    """Links facts that are given without sentences."""

    link: LinkSettings
    relation: RelationSettings
    lexicon: Lexicon

    def __call__(self, batches: Batches) -> Batches:
        """Yield the facts of batches as ``LINKED``."""
        for batch in batches:
            rows: list[_Row] = []
            for given in _given(batch):
                linked = link_given(
                    given,
                    identify=canonical_id,
                    scope=self.link.scope,
                    negation=self.link.negation,
                    key=self.relation.key,
                    lexicon=self.lexicon,
                )
                rows.append((given.system, given.line, None, None, linked.fact, linked.reason))
            yield _linked_batch(rows, [None] * len(rows))


def name_entities(batches: Batches, *, scope: str) -> Batches:
    """Yield what given facts call their entities."""
    for batch in batches:
        named = {
            row
            for given in _given(batch)
            for row in names_of(given, identify=canonical_id, scope=scope)
        }
        arrays = zip(*sorted(named), strict=True) if named else ([], [])
        yield pa.record_batch([pa.array(array, pa.string()) for array in arrays], schema=_NAMED)


def _given(batch: pa.RecordBatch) -> list[GivenFact]:
    return [
        GivenFact(system, line, e1, relation, e2, name1=name1, name2=name2)
        for system, line, e1, relation, e2, name1, name2 in columns(batch, *GIVEN.names)
    ]


def _linked_batch(rows: list[_Row], of: Sequence[Sentence | None]) -> pa.RecordBatch:
    """Return what is linked, with how the sentences `of` the rows state it."""
    systems, lines, documents, numbers, facts, reasons = (
        zip(*rows, strict=True) if rows else ((),) * 6
    )
    return pa.record_batch(
        [
            pa.array(systems, pa.string()),
            pa.array(lines, pa.int64()),
            pa.array(documents, pa.string()),
            pa.array(numbers, pa.int64()),
            *fact_arrays(facts),
            pa.array(reasons, pa.string()),
            pa.array(_closest(facts, of), pa.binary()),
        ],
        schema=LINKED,
    )


def _closest(facts: Sequence[Fact | None], of: Sequence[Sentence | None]) -> list[bytes | None]:
    """Return how each sentence states its fact; None where it does not mention both entities."""
    closest: list[bytes | None] = [None] * len(facts)
    asked = {
        place: (sentence, [fact])
        for place, (fact, sentence) in enumerate(zip(facts, of, strict=True))
        if fact is not None and sentence is not None and mentions_both(sentence, fact)
    }
    for place, told in zip(asked, encoded(sentence_evidence(asked.values())), strict=True):
        closest[place] = told
    return closest
