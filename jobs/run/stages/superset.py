"""Superset: the facts that the systems state (S) and those that the corpus could state (G')."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from evaluator.facts.sampling import sample_key
from evaluator.facts.superset import candidate_superset
from evaluator.model import Fact
from indexes.engine import Batches, Engine, Mapped
from jobs.run.stages.rows import (
    FACT,
    FACT_COLUMNS,
    FACT_FIELDS,
    WORDS,
    fact_arrays,
    facts,
    sentences,
)

FACTS = pa.schema(
    [
        *FACT_FIELDS,
        ("candidate", pa.bool_()),
        ("systems", WORDS),
        ("sample_key", pa.int64()),
    ]
)
_HELD = 1 << 18  # candidates that a process holds, but for those of its last sentence


def save_superset(
    engine: Engine, out: Path, *, rule: Mapping[str, Any], seed: int, corpus: bool
) -> None:
    """Write the distinct facts of S ∪ G' (``FACTS``): who states them, and their sampling key.

    Parameters
    ----------
    engine
        With the tables ``linked`` and, with a corpus, ``annotated``.
    out
        The folder to write.
    rule
        Which facts are candidates (:func:`evaluator.facts.superset.candidate_superset`).
    seed
        Of the sampling keys.
    corpus
        Whether there is one. Without, G' is not known and no fact is marked as a candidate.
    """
    engine.view(
        "stated",
        f"""SELECT {FACT_COLUMNS}, sort_array(collect_set(system)) AS systems
        FROM linked WHERE reason IS NULL GROUP BY {FACT_COLUMNS}""",
    )
    whole = f"SELECT {FACT_COLUMNS}, false AS candidate, systems FROM stated"
    if corpus:
        pairs = "SELECT * FROM annotated WHERE entities > 1"
        engine.view("possible", Mapped(pairs, Candidates(rule), pa.schema(FACT_FIELDS)))
        engine.view(
            "candidates", f"SELECT DISTINCT {FACT_COLUMNS}, true AS candidate FROM possible"
        )
        whole = f"""SELECT {FACT_COLUMNS}, coalesce(candidate, false) AS candidate, systems
            FROM candidates FULL OUTER JOIN stated USING ({FACT_COLUMNS})"""
    engine.save(Mapped(whole, AddKeys(seed), FACTS), out)


def crowded(engine: Engine) -> int:
    """Return how many sentences of ``annotated`` G' leaves out."""
    [(sentences_left_out,)] = engine.rows("SELECT count_if(crowded) FROM annotated")
    return int(sentences_left_out)


@dataclass(frozen=True)
class Candidates:
    """Makes the candidate superset of sentences; what two of them give comes twice."""

    rule: Mapping[str, Any]

    def __call__(self, batches: Batches) -> Batches:
        """Yield the candidate facts of annotated sentences."""
        for batch in batches:
            found: list[Fact] = []
            for sentence in sentences(batch):
                assert sentence is not None
                found.extend(candidate_superset(sentence, **self.rule))
                if len(found) >= _HELD:
                    yield _batch(found)
                    found = []
            yield _batch(found)


def _batch(found: Sequence[Fact]) -> pa.RecordBatch:
    return pa.record_batch(fact_arrays(found), schema=pa.schema(FACT_FIELDS))


@dataclass(frozen=True)
class AddKeys:
    """Adds to facts their sampling keys, and to those that nobody states that no system does."""

    seed: int

    def __call__(self, batches: Batches) -> Batches:
        """Yield facts as ``FACTS``."""
        for batch in batches:
            keys = [sample_key(self.seed, fact) for fact in facts(batch)]
            systems = [of or [] for of in batch["systems"].to_pylist()]
            yield pa.record_batch(
                [
                    *(batch[name] for name in (*FACT, "candidate")),
                    pa.array(systems, WORDS),
                    pa.array(keys, pa.int64()),
                ],
                schema=FACTS,
            )
