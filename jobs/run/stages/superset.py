"""Superset: the facts that the systems state (S) and those that the corpus could state (G')."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import batched, chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from evaluator.annotators.sentence_evidence import encoded, sentence_evidence
from evaluator.facts.sampling import sample_key
from evaluator.facts.superset import (
    candidate_superset,
    is_crowded,
    is_crowded_pair,
    window_candidates,
)
from evaluator.model import Fact, Sentence
from evaluator.wordnet.chosen import Lexicon
from indexes.engine import Batches, Engine, Mapped
from indexes.finished_parts import FinishedParts
from jobs.config import SupersetSettings
from jobs.run.stages.rows import (
    FACT,
    FACT_COLUMNS,
    FACT_FIELDS,
    LATER,
    WORDS,
    fact_arrays,
    facts,
    pairs,
    sentences,
    suffixed,
)

FACTS = pa.schema(
    [
        *FACT_FIELDS,
        ("candidate", pa.bool_()),
        ("systems", WORDS),
        ("closest", pa.binary()),  # how the closest sentence states it; null where none does
        ("sentences", pa.int64()),  # that state it,
        ("stating_documents", pa.int64()),  # and their documents
        ("sample_key", pa.int64()),
    ]
)
_POSSIBLE = pa.schema(
    [*FACT_FIELDS, ("document", pa.string()), ("number", pa.int64()), ("closest", pa.binary())]
)
_FACTS_ALONE = pa.schema(FACT_FIELDS)
_CROWDED = pa.schema([("document", pa.string())])
_DISTANCE = pa.schema([("distance", pa.int64())])
_HELD = 1 << 18  # candidates that a process holds, but for those of its last sentence


def save_superset(
    engine: Engine,
    out: Path,
    *,
    settings: SupersetSettings,
    lexicon: Lexicon,
    seed: int,
    corpus: bool,
    parts: FinishedParts,
) -> None:
    """Write the distinct facts of S ∪ G' (``FACTS``): who states them, and their sampling key.

    Parameters
    ----------
    engine
        With the tables ``linked`` and, with a corpus, ``annotated``.
    out
        The folder to write.
    settings
        Which facts are candidates. Those that only a window states are in no sentence.
    lexicon
        That relation words are from.
    seed
        Of the sampling keys.
    corpus
        Whether there is one. Without, G' is not known and no fact is marked as a candidate.
    parts
        Where finished parts are kept: of the candidates of sentences.
    """
    engine.view(
        "stated",
        f"""SELECT {FACT_COLUMNS}, sort_array(collect_set(system)) AS systems
        FROM linked WHERE reason IS NULL GROUP BY {FACT_COLUMNS}""",
    )
    whole = f"""SELECT {FACT_COLUMNS}, false AS candidate, systems, CAST(NULL AS BINARY) AS closest,
        CAST(0 AS BIGINT) AS sentences, CAST(0 AS BIGINT) AS stating_documents FROM stated"""
    if corpus:
        of_pairs = "SELECT * FROM annotated WHERE entities > 1"
        candidates = Candidates({**settings.in_sentence, "lexicon": lexicon})
        source = Mapped(of_pairs, candidates, _POSSIBLE)
        [(rows,)] = engine.rows("SELECT count_if(entities > 1) FROM annotated")
        possible = parts.divided(engine, "possible", source, by="key", rows=rows, unit="sentences")
        engine.view("possible", possible)
        places = f"{FACT_COLUMNS}, document, number"
        across = ""
        if settings.window > 1:
            pair_up(engine, settings.window)
            joined = Mapped("SELECT * FROM paired", JoinPairs(settings.direction), _FACTS_ALONE)
            engine.view("joined", joined)
            across = f"""UNION ALL SELECT {FACT_COLUMNS}, NULL AS document, NULL AS number,
                NULL AS closest, true AS candidate FROM joined"""
        engine.view(
            "in_sentences",
            f"""SELECT {places}, bool_or(candidate) AS candidate, min(closest) AS closest FROM (
                SELECT {places}, closest, true AS candidate FROM possible
                UNION ALL SELECT {places}, closest, false AS candidate FROM linked
                WHERE closest IS NOT NULL {across}
            ) GROUP BY {places}""",
        )
        engine.view(
            "in_corpus",
            f"""SELECT {FACT_COLUMNS}, bool_or(candidate) AS candidate, min(closest) AS closest,
                count(document) AS sentences, count(DISTINCT document) AS stating_documents
            FROM in_sentences GROUP BY {FACT_COLUMNS}""",
        )
        whole = f"""SELECT {FACT_COLUMNS}, coalesce(candidate, false) AS candidate, systems,
                closest, coalesce(sentences, 0) AS sentences,
                coalesce(stating_documents, 0) AS stating_documents
            FROM in_corpus FULL OUTER JOIN stated USING ({FACT_COLUMNS})"""
    engine.save(Mapped(whole, AddKeys(seed), FACTS), out)


def pair_up(engine: Engine, window: int) -> None:
    """Make of ``annotated`` the table ``paired``: sentences of a document within a window.

    The later one of two has the suffix ``LATER``. They meet by their exact distance, so
    that the work grows with the length of a document and not with its square.
    """
    engine.table("distances", [(distance,) for distance in range(1, window)], _DISTANCE)
    names = ("document", "number", "text", "mentions", "relation_words")
    mentioning = "(SELECT * FROM annotated WHERE entities > 0)"
    engine.view(
        "paired",
        f"""SELECT {suffixed("a", "", *names)}, {suffixed("b", LATER, *names)}
        FROM {mentioning} a CROSS JOIN distances d JOIN {mentioning} b
            ON b.document = a.document AND b.number = a.number + d.distance""",
    )


def crowded(engine: Engine) -> int:
    """Return how many sentences of ``annotated`` G' leaves out."""
    [(sentences_left_out,)] = engine.rows("SELECT count_if(crowded) FROM annotated")
    return int(sentences_left_out)


def crowded_pairs(engine: Engine, window: int) -> int:
    """Return how many pairs of sentences of ``annotated`` G' joins by nothing."""
    pair_up(engine, window)
    engine.view("crowded_pairs", Mapped("SELECT * FROM paired", keep_crowded, _CROWDED))
    [(pairs_left_out,)] = engine.rows("SELECT count(*) FROM crowded_pairs")
    return int(pairs_left_out)


@dataclass(frozen=True)
class Candidates:
    """Makes the candidate superset of sentences; what two of them give comes twice."""

    rule: Mapping[str, Any]

    def __call__(self, batches: Batches) -> Batches:
        """Yield the candidate facts of annotated sentences."""
        for batch in batches:
            held: list[tuple[Sentence, list[Fact]]] = []
            number = 0
            for sentence in sentences(batch):
                assert sentence is not None
                found = list(candidate_superset(sentence, **self.rule))
                held.append((sentence, found))
                number += len(found)
                if number >= _HELD:
                    yield _batch(held)
                    held, number = [], 0
            yield _batch(held)


@dataclass(frozen=True)
class JoinPairs:
    """Makes the candidates that join two sentences; what two pairs give comes twice."""

    direction: str

    def __call__(self, batches: Batches) -> Batches:
        """Yield the candidate facts of pairs of annotated sentences."""
        for batch in batches:
            found = chain.from_iterable(
                window_candidates(first, second, direction=self.direction)
                for first, second in pairs(batch)
            )
            for held in batched(found, _HELD):
                yield pa.record_batch(fact_arrays(held), schema=_FACTS_ALONE)


def keep_crowded(batches: Batches) -> Batches:
    """Yield the documents of those pairs that are left out and whose sentences are not."""
    for batch in batches:
        left_out = [
            first.document
            for first, second in pairs(batch)
            if is_crowded_pair(first, second) and not (is_crowded(first) or is_crowded(second))
        ]
        yield pa.record_batch([pa.array(left_out, pa.string())], schema=_CROWDED)


def _batch(held: Sequence[tuple[Sentence, Sequence[Fact]]]) -> pa.RecordBatch:
    """Return candidates with the sentences that they are of."""
    counts = [len(found) for _, found in held]
    documents = pa.array([sentence.document for sentence, _ in held], pa.string())
    numbers = pa.array([sentence.number for sentence, _ in held], pa.int64())
    places = pa.array(np.repeat(np.arange(len(held)), counts))
    return pa.record_batch(
        [
            *fact_arrays([fact for _, found in held for fact in found]),
            documents.take(places),
            numbers.take(places),
            pa.array(encoded(sentence_evidence(held)), pa.binary()),
        ],
        schema=_POSSIBLE,
    )


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
                    *(batch[name] for name in ("closest", "sentences", "stating_documents")),
                    pa.array(keys, pa.int64()),
                ],
                schema=FACTS,
            )
