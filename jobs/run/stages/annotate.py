"""Annotate: sentences get their entity mentions and relation words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from evaluator.facts.superset import is_crowded
from evaluator.wordnet.chosen import Lexicon
from indexes.engine import Batches, Engine, Mapped
from indexes.finished_parts import FinishedParts
from indexes.identifiers import canonical_id
from indexes.kb.annotation import annotate_sentence
from indexes.kb.entities import EntityDictionary
from jobs.config import LinkSettings
from jobs.run.stages.rows import MENTIONS, WORDS, mention_array, sentences

ANNOTATED = pa.schema(
    [
        ("document", pa.string()),
        ("number", pa.int64()),
        ("key", pa.string()),
        ("text", pa.string()),
        ("mentions", MENTIONS),
        ("relation_words", WORDS),
        ("entities", pa.int32()),  # how many distinct ones
        ("crowded", pa.bool_()),  # whether G' leaves the sentence out
    ]
)
_WRITTEN = pa.schema([("id", pa.string()), ("written", pa.string())])


def save_annotated(
    engine: Engine,
    dictionary: EntityDictionary,
    link: LinkSettings,
    lexicon: Lexicon,
    out: Path,
    *,
    given: bool,
    parts: FinishedParts,
) -> None:
    """Write the table ``sentences`` with mentions and relation words (``ANNOTATED``).

    Parameters
    ----------
    engine
        With the tables ``sentences``, ``entities`` and ``ids``.
    dictionary
        The entity dictionary; processes map it into their memory from its place.
    link
        How the dictionary is asked.
    lexicon
        What is known of relation words.
    out
        The folder to write.
    given
        Whether some sentences come with mentions.
    parts
        Where finished parts are kept.
    """
    meaning: dict[str, str] = {}
    if given:
        engine.view("asked", "SELECT explode(mentions) AS mention FROM sentences")
        engine.view("asked_ids", "SELECT DISTINCT mention.entity AS id FROM asked")
        resolve(engine)
        meaning = dict(engine.rows("SELECT id, entity FROM resolved"))
    function = Annotate(dictionary, link.proper_only, link.context, link.scope, lexicon, meaning)
    source = Mapped("SELECT /*+ REPARTITION(key) */ * FROM sentences", function, ANNOTATED)
    [(rows,)] = engine.rows("SELECT count(*) FROM sentences")
    annotated = parts.divided(engine, "annotated", source, by="key", rows=rows, unit="sentences")
    engine.save(annotated, out)


def resolve(engine: Engine) -> None:
    """Make of ``asked_ids`` the table ``resolved``: ``id, entity``, what each identifier means.

    One that the knowledge base does not know means itself, in its one written form.
    """
    engine.view("written", Mapped("SELECT id FROM asked_ids", write_canonically, _WRITTEN))
    engine.sql(
        "resolved",
        """SELECT w.id, coalesce(e.entity, i.entity, w.written) AS entity FROM written w
        LEFT JOIN entities e ON e.entity = w.written LEFT JOIN ids i ON i.id = w.written""",
    )


def write_canonically(batches: Batches) -> Batches:
    """Add to identifiers their one written form."""
    for batch in batches:
        written = [canonical_id(id_) or id_ for id_ in batch["id"].to_pylist()]
        yield pa.record_batch([batch["id"], pa.array(written, pa.string())], schema=_WRITTEN)


@dataclass(frozen=True)
class Annotate:
    """Annotates sentences (:func:`indexes.kb.annotation.annotate_sentence`)."""

    dictionary: EntityDictionary
    proper_only: bool
    context: bool
    scope: str
    lexicon: Lexicon
    meaning: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, batches: Batches) -> Batches:
        """Yield the sentences of batches as ``ANNOTATED``."""
        for batch in batches:
            annotated = [
                annotate_sentence(
                    sentence,
                    self.dictionary,
                    proper_only=self.proper_only,
                    context=self.context,
                    scope=self.scope,
                    meaning=self.meaning,
                    lexicon=self.lexicon,
                )
                for sentence in sentences(batch)
                if sentence is not None
            ]
            mentions = [sentence.mentions or () for sentence in annotated]
            entities = [len({mention.entity for mention in of}) for of in mentions]
            yield pa.record_batch(
                [
                    *(batch[name] for name in ("document", "number", "key", "text")),
                    mention_array(mentions),
                    pa.array([list(s.relation_words or ()) for s in annotated], WORDS),
                    pa.array(entities, pa.int32()),
                    pa.array(list(map(is_crowded, annotated)), pa.bool_()),
                ],
                schema=ANNOTATED,
            )
