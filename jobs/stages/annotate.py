"""Annotate: sentences get their entity mentions and relation words."""

from collections.abc import Iterator

import pandas as pd
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from indexes.annotation import annotate_sentence
from indexes.entities import EntityDictionary
from indexes.identifiers import canonical_id
from jobs.stages.rows import rows_of, sentence_of

ANNOTATED = """
    document string, number long, key string, text string,
    mentions array<struct<start: int, end: int, entity: string>>, relation_words array<string>
"""


def annotate(
    sentences: DataFrame,
    dictionary: EntityDictionary,
    given: DataFrame | None,
    *,
    proper_only: bool,
    context: bool,
) -> DataFrame:
    """Return the sentences with mentions and relation words (schema ``ANNOTATED``).

    Parameters
    ----------
    sentences
        As read; those that are annotated keep their mentions.
    dictionary
        The entity dictionary; workers map it into their memory from its place.
    given
        ``id, entity``: what the identifiers of given mentions mean (:func:`resolve_given`); None
        where no sentence has any.
    proper_only, context
        How the dictionary is asked (``link.proper_only``, ``link.context``).
    """
    meaning = sentences.sparkSession.sparkContext.broadcast(
        {row.id: row.entity for row in given.collect()} if given else {}
    )

    def annotate_batches(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            annotated = [
                annotate_sentence(
                    sentence_of(row),
                    dictionary,
                    proper_only=proper_only,
                    context=context,
                    meaning=meaning.value,
                )
                for row in rows_of(batch)
            ]
            yield pd.DataFrame(
                {
                    **{name: batch[name] for name in ("document", "number", "key", "text")},
                    "mentions": [[m._asdict() for m in s.mentions or ()] for s in annotated],
                    "relation_words": [list(s.relation_words or ()) for s in annotated],
                }
            )

    return sentences.mapInPandas(annotate_batches, schema=ANNOTATED)


def resolve_given(sentences: DataFrame, entities: DataFrame, ids: DataFrame) -> DataFrame:
    """Return what the identifiers of given mentions mean: ``id, entity, known``.

    Parameters
    ----------
    sentences
        As read.
    entities, ids
        Those tables of the knowledge base.
    """

    def canonical(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            batch["written"] = [canonical_id(id_) or id_ for id_ in batch["id"]]
            yield batch

    mentions = sentences.select(f.explode("mentions.entity").alias("id")).distinct()
    written = mentions.mapInPandas(canonical, schema="id string, written string")
    own = entities.select(f.col("entity").alias("written"), f.lit(True).alias("own"))
    other = ids.select(f.col("id").alias("written"), f.col("entity").alias("other"))
    return (
        written.join(own, "written", "left")
        .join(other, "written", "left")
        .select(
            "id",
            f.when(f.col("own"), f.col("written"))
            .otherwise(f.coalesce("other", "written"))
            .alias("entity"),
            (f.coalesce("own", f.lit(False)) | f.col("other").isNotNull()).alias("known"),
        )
    )
