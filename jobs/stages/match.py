"""Match: a census of S and G' against the knowledge base."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd
from pyspark.broadcast import Broadcast
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from evaluator.matching import best_relation
from evaluator.similarity import default_similarity
from jobs.stages.superset import FACT, FACTS

MATCHED = (
    FACTS
    + """,
    relation string, similarity double, word string, relation_word string, matched boolean
"""
)


def match(
    facts: DataFrame,
    triples: DataFrame,
    relation_words: "Broadcast[Mapping[str, Sequence[str]]]",
    *,
    threshold: float,
) -> DataFrame:
    """Return the facts with the best relation of the knowledge base (``MATCHED``).

    Parameters
    ----------
    facts
        Distinct facts (``FACTS``).
    triples
        The knowledge base: ``e1, relation, e2``.
    relation_words
        Content words of each relation's name, by relation id.
    threshold
        Least Jiang-Conrath similarity at which two relations are taken for the same.
    """

    def best_relations(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        jiang_conrath = default_similarity()
        for batch in batches:
            rows = []
            for row in batch.itertuples(index=False):
                best = best_relation(
                    row.r.split(), row.relations, relation_words.value, jiang_conrath
                )
                rows.append((row.e1, row.r, row.e2, row.negated, *best))
            yield pd.DataFrame(rows, columns=_BEST_COLUMNS)

    # Only the pairs that the facts ask for: a dump has far more.
    pairs = facts.select("e1", "e2").distinct()
    between = (
        triples.join(pairs, ["e1", "e2"], "left_semi")
        .groupBy("e1", "e2")
        .agg(f.sort_array(f.collect_set("relation")).alias("relations"))
    )
    best = (
        facts.where("not negated and r != ''")
        .join(between, ["e1", "e2"])
        .mapInPandas(best_relations, schema=_BEST)
    )
    return facts.join(best, FACT, "left").withColumn(
        "matched", f.coalesce(f.col("similarity") >= threshold, f.lit(False))
    )


_BEST_COLUMNS = [*FACT, "relation", "similarity", "word", "relation_word"]
_BEST = """
    e1 string, r string, e2 string, negated boolean,
    relation string, similarity double, word string, relation_word string
"""
