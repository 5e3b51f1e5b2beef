"""Match: a census of S and G' against the knowledge base."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from evaluator.relations.matching import INVERSE, best_relations, is_match
from evaluator.wordnet.chosen import Lexicon, Measure
from indexes.engine import Batches, Engine, Mapped
from indexes.finished_parts import FinishedParts
from indexes.kb.knowledge_base import BUCKET
from jobs.run.stages.rows import FACT, FACT_COLUMNS, FACT_FIELDS, fact_arrays, facts
from jobs.run.stages.superset import FACTS

_BEST = [
    ("relation", pa.string()),
    ("similarity", pa.float64()),
    ("word", pa.string()),
    ("relation_word", pa.string()),
    ("inverse", pa.bool_()),
    ("matched", pa.bool_()),
]
MATCHED = pa.schema([*FACTS, *_BEST])


def save_matched(
    engine: Engine,
    triples: Path,
    relation_words: Mapping[str, Sequence[str]],
    lexicon: Lexicon,
    similarity: Measure,
    out: Path,
    *,
    buckets: int,
    direction: str,
    threshold: float,
    parts: FinishedParts,
) -> None:
    """Write the table ``facts`` with the best relation of the knowledge base (``MATCHED``).

    Parameters
    ----------
    engine
        With the table ``facts`` (``FACTS``).
    triples
        The triples of the knowledge base, in folders by `buckets` hexadecimal digits of pair
        buckets.
    relation_words
        What each relation is compared by, by relation id.
    lexicon
        What is known of the words of a fact's relation.
    similarity
        The measure; processes make it anew from its parameters.
    out
        The folder to write.
    buckets
        See `triples`.
    direction
        ``"forward"``: relations from e1 to e2. ``"both"``: also those from e2 to e1, flagged.
    threshold
        Least similarity at which two relations are taken for the same.
    parts
        Where finished parts are kept: of the best relations.
    """
    open_facts = "FROM facts WHERE NOT negated AND r <> ''"
    engine.view("open_pairs", f"SELECT DISTINCT e1, e2 {open_facts}")
    asked = [f"SELECT e1, e2, '' AS mark, {_place('e1', 'e2', buckets)} FROM open_pairs"]
    if direction == "both":
        asked.append(
            f"SELECT e1, e2, '{INVERSE}' AS mark, {_place('e2', 'e1', buckets)} FROM open_pairs"
        )
    engine.sql("asked", " UNION ALL ".join(asked))
    # Only the buckets that the facts ask for: a dump has far more, and most of them none.
    wanted = [bucket for (bucket,) in engine.rows(f"SELECT DISTINCT {BUCKET} FROM asked")]
    folders = [triples / f"{BUCKET}={bucket}" for bucket in sorted(wanted)]
    held = [folder for folder in folders if folder.is_dir()]
    if held:
        engine.read("triples", held, base=triples)
        engine.view(
            "between",
            f"""SELECT a.e1, a.e2, sort_array(collect_set(concat(a.mark, t.relation))) AS relations
            FROM asked a JOIN triples t
                ON t.{BUCKET} = a.{BUCKET} AND t.e1 = a.subject AND t.e2 = a.object
            GROUP BY a.e1, a.e2""",
        )
    else:
        engine.table("between", [], _BETWEEN)
    related = f"""SELECT {FACT_COLUMNS}, relations FROM facts JOIN between USING (e1, e2)
        WHERE NOT negated AND r <> ''"""
    function = FindBest(relation_words, lexicon, similarity, threshold)
    source = Mapped(related, function, pa.schema([*FACT_FIELDS, *_BEST]))
    [(rows,)] = engine.rows("SELECT count(*) FROM facts")
    engine.view("best", parts.divided(engine, "best", source, by="e1", rows=rows, unit="facts"))
    of_facts = ", ".join(f"f.{name}" for name in FACTS.names)
    of_best = ", ".join(f"b.{name}" for name, _ in _BEST if name != "matched")
    same = " AND ".join(f"b.{name} = f.{name}" for name in FACT)
    engine.save(
        f"""SELECT {of_facts}, {of_best}, coalesce(b.matched, false) AS matched
        FROM facts f LEFT JOIN best b ON {same}""",
        out,
    )


_BETWEEN = pa.schema(
    [("e1", pa.string()), ("e2", pa.string()), ("relations", pa.list_(pa.string()))]
)


def _place(subject: str, object_: str, buckets: int) -> str:
    """Return bucket, subject and object of a pair as the knowledge base keeps it."""
    digest = f"md5(concat({subject}, chr(9), {object_}))"
    return (
        f"concat('p', substr({digest}, 1, {buckets})) AS {BUCKET}, "
        f"{subject} AS subject, {object_} AS object"
    )


@dataclass(frozen=True)
class FindBest:
    """Finds the relation of the knowledge base that says what a fact's relation says."""

    words: Mapping[str, Sequence[str]]
    lexicon: Lexicon
    similarity: Measure
    threshold: float

    def __call__(self, batches: Batches) -> Batches:
        """Yield facts with their best relation."""
        for batch in batches:
            of = facts(batch)
            asked = [
                (self.lexicon.compared(fact.r), between)
                for fact, between in zip(of, batch["relations"].to_pylist(), strict=True)
            ]
            best = [
                (*match, is_match(match.similarity, self.threshold))
                for match in best_relations(asked, self.words, self.similarity)
            ]
            arrays = zip(*best, strict=True) if best else ((),) * len(_BEST)
            yield pa.record_batch(
                [
                    *fact_arrays(of),
                    *(pa.array(one, kind) for one, (_, kind) in zip(arrays, _BEST, strict=True)),
                ],
                schema=pa.schema([*FACT_FIELDS, *_BEST]),
            )


@dataclass(frozen=True)
class MatchAt:
    """Tells of facts with their best relation whether they match at another threshold."""

    threshold: float

    def __call__(self, batches: Batches) -> Batches:
        """Yield facts as ``MATCHED``."""
        for batch in batches:
            similarity = batch["similarity"].to_pylist()
            told = [is_match(one, self.threshold) for one in similarity]
            kept = batch.select(MATCHED.names[:-1]).columns
            arrays = [one.cast(of.type) for one, of in zip(kept, MATCHED, strict=False)]
            yield pa.record_batch([*arrays, pa.array(told, pa.bool_())], schema=MATCHED)
