"""Examples: the facts from which an annotator learns without people.

Facts that the database holds by the same word, with the smallest sampling keys; those that the text
judges anyway, stated ones and others apart; and, where no corpus makes a candidate superset, made
ones: a stated fact with the subject, object or relation of another.
"""

from collections.abc import Callable, Iterable, Mapping

import pyarrow as pa

from evaluator.annotators import Examples
from evaluator.model import Item
from evaluator.wordnet.similarity import IDENTICAL
from indexes.engine import Engine
from jobs.run.stages.match import MATCHED
from jobs.run.stages.rows import FACT, FACT_COLUMNS
from jobs.run.stages.score import COUNTED, Cuts, asked
from jobs.run.stages.tally import booleans, evidence, items

_HELD = 10_000  # examples of each kind, at most
_OPEN = 30_000
_EXCHANGED = 10_000  # stated facts of which parts are exchanged

_SURE = f"(matched AND similarity >= {IDENTICAL!r})"  # by the same word, not a similar one
_KIND = ("matched", "candidate", "systems")


def to_count(engine: Engine, matched: str, *, corpus: bool) -> str:
    """Return the query for the examples that must be counted beside what the text judges.

    Without a `corpus` it makes the table ``exchanged``.
    """
    held_facts = f"SELECT {FACT_COLUMNS} FROM ({_held_examples(matched)})"
    if corpus:
        return held_facts
    exchange(engine, matched)
    return f"{held_facts} UNION ALL SELECT {FACT_COLUMNS} FROM exchanged"


def exchange(engine: Engine, matched: str) -> None:
    """Make the table ``exchanged`` of facts that nobody states: the table's, but for one part.

    A fact gets the subject or the object of the next one with its relation, in the order of the
    sampling keys, or the relation of the next one of all; the last one that of the first.
    """
    engine.view(
        "stated_examples",
        f"""SELECT {FACT_COLUMNS}, sample_key FROM {matched} WHERE NOT negated AND r <> ''
        ORDER BY sample_key, {FACT_COLUMNS} LIMIT {_EXCHANGED}""",
    )
    order = "ORDER BY sample_key, e1, e2"

    def following(part: str, of: str) -> str:
        window = f"OVER ({of} {order})"
        return f"coalesce(lead({part}) {window}, first_value({part}) {window}) AS {part}"

    same = "PARTITION BY r"
    made = " UNION ALL ".join(
        f"SELECT {parts}, negated FROM stated_examples"
        for parts in (
            f"{following('e1', same)}, r, e2",
            f"e1, r, {following('e2', same)}",
            f"e1, {following('r', '')}, e2",
        )
    )
    of_made = ", ".join(f"x.{name}" for name in FACT)
    same_fact = " AND ".join(f"m.{name} = x.{name}" for name in FACT)
    engine.sql(
        "exchanged",
        f"""SELECT {of_made} FROM (SELECT DISTINCT {FACT_COLUMNS} FROM ({made}) WHERE e1 <> e2) x
        ANTI JOIN {matched} m ON {same_fact}""",
    )


def examples(
    engine: Engine,
    matched: str,
    counted: str,
    members: Mapping[str, str],
    cuts: Cuts,
    *,
    documents: int,
    corpus: bool,
    name_of: Callable[[Item], str],
) -> Examples:
    """Return the facts that an annotator learns from, by what the database decides of them.

    A fact stands for as many as there are of its class, for one that is here: of those that D
    holds, or leaves open, and that the same systems state, in G' or not.

    Parameters
    ----------
    engine, matched, counted
        The engine, and its tables of the census against the database and of the hit counts.
    members, cuts
        The populations and their samples.
    documents
        Size of the collection.
    corpus
        Whether there is a corpus; without one, exchanged facts are among the examples.
    name_of
        What a fact is dealt into folds by.
    """
    names = ", ".join(MATCHED.names)
    open_facts = f"SELECT {names} FROM {matched} WHERE {asked(members, cuts)}"
    engine.sql(
        "learnt_from",
        " UNION ALL ".join(
            f"SELECT {names} FROM ({of})"
            for of in (
                _held_examples(matched),
                *(
                    f"{open_facts} AND {of} ORDER BY sample_key, {FACT_COLUMNS} LIMIT {_OPEN}"
                    for of in ("size(systems) > 0", "size(systems) = 0")
                ),
            )
        ),
    )
    kinds = ", ".join(_KIND)
    engine.view(
        "sizes",
        f"""SELECT {kinds}, count(*) AS facts FROM (
            SELECT {kinds} FROM {matched} WHERE NOT matched AND NOT negated
            UNION ALL SELECT {kinds} FROM ({_held(matched)})
        ) GROUP BY {kinds}""",
    )
    of_size = ", ".join(f"s.{name}" for name in _KIND)
    engine.view(
        "weights",
        f"""SELECT {of_size}, s.facts / count(*) AS weight
        FROM learnt_from l JOIN sizes s ON {_same(_KIND, "s")} GROUP BY {of_size}, s.facts""",
    )
    of_facts = ", ".join(f"l.{name}" for name in MATCHED.names)
    of_counts = ", ".join(f"c.{name}" for name in COUNTED.names if name not in FACT)
    told = f"""SELECT {of_facts}, {of_counts}, w.weight, false AS made
        FROM learnt_from l JOIN {counted} c ON {_same(FACT, "c")}
        JOIN weights w ON {_same(_KIND, "w")}"""
    if not corpus:
        exchange(engine, matched)
        blank = {of.name: f"CAST(NULL AS {_SQL[of.type]})" for of in MATCHED if of.type in _SQL}
        blank |= {name: f"l.{name}" for name in FACT}
        blank |= dict.fromkeys(("candidate", "matched", "inverse"), "false")
        blank |= dict.fromkeys(("sentences", "stating_documents", "sample_key"), "0")
        blank["systems"] = engine.array([])
        nothing = ", ".join(f"{blank[name]} AS {name}" for name in MATCHED.names)
        told += f""" UNION ALL SELECT {nothing}, {of_counts}, 1.0, true
            FROM exchanged l JOIN {counted} c ON {_same(FACT, "c")}"""
    [batch] = pa.Table.from_batches(engine.stream(told)).combine_chunks().to_batches()
    return Examples(
        evidence(batch, documents),
        booleans(batch["matched"]),
        booleans(batch["made"]),
        batch["weight"].to_numpy(),
        list(map(name_of, items(batch))),
    )


_SQL = {pa.string(): "STRING", pa.float64(): "DOUBLE", pa.binary(): "BINARY"}


def _held_examples(matched: str) -> str:
    """Return the query for the facts that D holds and that an annotator learns from."""
    return f"{_held(matched)} ORDER BY sample_key, {FACT_COLUMNS} LIMIT {_HELD}"


def _held(matched: str) -> str:
    """Return the query for the facts that D surely holds.

    Of facts that match by a similar word alone few are true where no system states them.
    """
    return f"SELECT * FROM {matched} WHERE {_SURE}"


def _same(names: Iterable[str], table: str) -> str:
    """Return the condition that a row of a table agrees with an example."""
    return " AND ".join(f"{table}.{name} = l.{name}" for name in names)
