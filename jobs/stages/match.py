"""Match: a census of S and G' against the knowledge base."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

import pandas as pd
from pyspark.broadcast import Broadcast
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from evaluator.matching import INVERSE, RelationMatch, best_relations
from evaluator.similarity import JiangConrath
from indexes.knowledge_base import BUCKET
from jobs.stages.superset import FACT, FACTS

MATCHED = (
    FACTS
    + """,
    relation string, similarity double, word string, relation_word string, inverse boolean,
    matched boolean
"""
)


def match(
    facts: DataFrame,
    triples: DataFrame,
    relation_words: "Broadcast[Mapping[str, Sequence[str]]]",
    similarity: JiangConrath,
    *,
    buckets: int,
    direction: str,
    threshold: float,
) -> DataFrame:
    """Return the facts with the best relation of the knowledge base (``MATCHED``).

    Parameters
    ----------
    facts
        Distinct facts (``FACTS``).
    triples
        The knowledge base: ``e1, relation, e2``, in `buckets` hexadecimal digits of pair buckets.
    relation_words
        Content words of each relation's name, by relation id.
    similarity
        The measure; workers make it anew from its parameters.
    direction
        ``"forward"``: relations from e1 to e2. ``"both"``: also those from e2 to e1, flagged.
    threshold
        Least Jiang-Conrath similarity at which two relations are taken for the same.
    """

    def find_best(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            asked = zip(batch.r.str.split(), batch.between, strict=True)
            best = best_relations(list(asked), relation_words.value, similarity)
            yield pd.concat(
                [batch[FACT], pd.DataFrame(best, columns=RelationMatch._fields)], axis="columns"
            )

    # Only the pairs that the facts ask for: a dump has far more, and most of its buckets none.
    pairs = facts.where("not negated and r != ''").select("e1", "e2").distinct()
    asked = [pairs.select("e1", "e2", f.lit("").alias("mark"), *_pair("e1", "e2", buckets))]
    if direction == "both":
        asked.append(
            pairs.select("e1", "e2", f.lit(INVERSE).alias("mark"), *_pair("e2", "e1", buckets))
        )
    held = triples.withColumnsRenamed({"e1": "subject", "e2": "object"})
    found = [
        held.join(one, [BUCKET, "subject", "object"]).select(
            "e1", "e2", f.concat("mark", "relation").alias("relation")
        )
        for one in asked
    ]
    between = (
        reduce(DataFrame.union, found)
        .groupBy("e1", "e2")
        .agg(f.sort_array(f.collect_set("relation")).alias("between"))
    )
    best = (
        facts.where("not negated and r != ''")
        .join(between, ["e1", "e2"])
        .select(*FACT, "between")
        .mapInPandas(find_best, schema=_BEST)
    )
    return facts.join(best, FACT, "left").withColumn(
        "matched", f.coalesce(f.col("similarity") >= threshold, f.lit(False))
    )


def _pair(subject: str, object_: str, buckets: int) -> list[Column]:
    """Return bucket, subject and object of a pair as the knowledge base keeps it."""
    digest = f.md5(f.concat(f.col(subject), f.lit("\t"), f.col(object_)))
    bucket = f.concat(f.lit("p"), f.substring(digest, 1, buckets))
    return [bucket.alias(BUCKET), f.col(subject).alias("subject"), f.col(object_).alias("object")]


_BEST = """
    e1 string, r string, e2 string, negated boolean,
    relation string, similarity double, word string, relation_word string, inverse boolean
"""
