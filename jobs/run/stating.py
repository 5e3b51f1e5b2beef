"""Which sentence of a run states a fact the closest, and where its elements stand in it."""

from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from evaluator.annotators.sentence_evidence import SPANS, encoded, evidence_and_spans
from evaluator.facts.superset import one_passage
from evaluator.model import Fact, Sentence
from indexes.engine import Batches, DuckEngine, Engine, Mapped
from jobs.config import SupersetSettings
from jobs.run.judged_table import FACTS
from jobs.run.stages.rows import FACT, FACT_COLUMNS, LATER, pairs, same_fact, sentences, suffixed
from jobs.rundir import files_of_table

WANTED = FACTS.insert(0, pa.field("place", pa.int64()))
LOCATED = pa.schema(
    [
        ("place", pa.int64()),
        ("document", pa.string()),
        ("number", pa.int64()),
        *((name, pa.int32()) for name in SPANS),  # null where r stands nowhere
    ]
)
_AT_ONCE = 1 << 18  # facts that are looked for together


def closest_sentences(run: Path, facts: Collection[Fact]) -> dict[Fact, Sentence]:
    """Return of each fact the sentence that states it the closest, annotated.

    Parameters
    ----------
    run
        Directory of a run with a corpus, whose superset is made.
    facts
        Any facts. Those that the run does not have, and those that no sentence states, are not in
        what is returned.

    Raises
    ------
    InputError
        Where a table of the run is missing or damaged.
    """
    places = list(dict.fromkeys(facts))
    superset = run / "superset" / "facts"
    with TemporaryDirectory() as scratch, DuckEngine(Path(scratch), threads=1) as engine:
        with files_of_table(superset):
            engine.read("superset", [superset])
        read_stating(engine, run)
        engine.table("asked", [(place, *fact) for place, fact in enumerate(places)], WANTED)
        same = same_fact("s", "a")
        engine.sql("wanted", f"SELECT a.*, s.closest FROM asked a JOIN superset s ON {same}")
        locate(engine)
        batches = list(engine.stream(_SENTENCES))
    return {
        places[place]: sentence
        for batch in batches
        for place, sentence in zip(batch["place"].to_pylist(), sentences(batch), strict=True)
        if sentence is not None
    }


def window_passages(
    run: Path, facts: Collection[Fact], settings: SupersetSettings
) -> dict[Fact, Sentence]:
    """Return of each fact the first two sentences of a window that state it, as one.

    Parameters and errors are those of :func:`closest_sentences`; `settings` are those of the run.
    Facts that no window states are not in what is returned.
    """
    places = list(dict.fromkeys(facts))
    ordered = "true" if settings.direction == "both" else "m1.number < m2.number"
    names = ("document", "number", "text", "mentions", "relation_words")
    with TemporaryDirectory() as scratch, DuckEngine(Path(scratch), threads=1) as engine:
        read_stating(engine, run)
        engine.table("asked", [(place, *fact) for place, fact in enumerate(places)], WANTED)
        batches = list(
            engine.stream(
                f"""
    WITH joined AS (
        SELECT a.place, min({{
            document: m1.document,
            first: least(m1.number, m2.number),
            second: greatest(m1.number, m2.number)
        }}) AS at
        FROM asked a JOIN mentioned m1 ON m1.entity = a.e1
        JOIN mentioned m2 ON m2.entity = a.e2 AND m2.document = m1.document
        WHERE abs(m1.number - m2.number) BETWEEN 1 AND {settings.window - 1} AND {ordered}
            AND (list_contains(m1.relation_words, a.r) OR list_contains(m2.relation_words, a.r))
        GROUP BY a.place
    )
    SELECT j.place, {suffixed("s", "", *names)}, {suffixed("t", LATER, *names)}
    FROM joined j
    JOIN sentences s ON s.document = j.at.document AND s.number = j.at.first
    JOIN sentences t ON t.document = j.at.document AND t.number = j.at.second
    """
            )
        )
    return {
        places[place]: one_passage(first, second)
        for batch in batches
        for place, (first, second) in zip(batch["place"].to_pylist(), pairs(batch), strict=True)
    }


def read_stating(engine: Engine, run: Path) -> None:
    """Make the tables that :func:`locate` reads of those of a run.

    ``linked``, ``sentences``, and ``mentioned``: the entities of sentences, with their words.

    Raises
    ------
    InputError
        Where one is missing or damaged.
    """
    for name, stage in (("linked", "superset"), ("sentences", "annotate")):
        with files_of_table(run / stage / name):
            engine.read(name, [run / stage / name])
    engine.view(
        "mentioned",
        """SELECT DISTINCT document, number, unnest(mentions).entity AS entity, relation_words
        FROM sentences""",
    )


def locate(engine: Engine, *, within: str = "") -> None:
    """Make of the table ``wanted`` the table ``located`` (``LOCATED``): where facts are stated.

    ``wanted`` has facts, each with its ``place``, a number, and ``closest``. Those that no sentence
    states are not in ``located``. Of several sentences that state a fact alike it is the first by
    document and number, so that it is always the same; sentences that are documents of their own
    ("news:17" is number 16) are in the order of their file.

    `within` stands before the names of the tables that are read, where others than those of
    :func:`read_stating` hold all that tells of these facts.
    """
    [(first, last)] = engine.rows("SELECT min(place), max(place) FROM wanted")
    slices = [] if first is None else range(first, last + 1, _AT_ONCE)
    # At least one, so that there is a table.
    names: list[str] = []
    for start in slices or [0]:
        names.append(f"located{len(names)}")
        told = f"closest IS NOT NULL AND place >= {start} AND place < {start + _AT_ONCE}"
        engine.view("told", f"SELECT place, {FACT_COLUMNS}, closest FROM wanted WHERE {told}")
        engine.view("alike", Mapped(_stating(within), locate_batches, LOCATED))
        engine.sql(names[-1], _FIRST)
    engine.view("located", " UNION ALL ".join(f"SELECT * FROM {name}" for name in names))


def locate_batches(batches: Batches) -> Batches:
    """Yield the facts of sentences that state them as their closest does (``LOCATED``)."""
    for batch in batches:
        of = batch["facts"].to_pylist()
        asked = [
            (sentence, [Fact(*(fact[name] for name in FACT)) for fact in facts])
            for sentence, facts in zip(sentences(batch), of, strict=True)
            if sentence is not None
        ]
        fields, spans = evidence_and_spans(asked)
        told = [fact for facts in of for fact in facts]
        alike = [
            place
            for place, (fact, evidence) in enumerate(zip(told, encoded(fields), strict=True))
            if fact["closest"] == evidence
        ]
        numbers = [len(facts) for facts in of]
        sentence = np.repeat(np.arange(len(of)), numbers)[alike]
        columns = [
            pa.array([told[place]["place"] for place in alike], pa.int64()),
            *(batch[name].take(pa.array(sentence)) for name in ("document", "number")),
            *(pa.array(span, pa.int32(), mask=span < 0) for span in spans[alike].T),
        ]
        yield pa.record_batch(columns, schema=LOCATED)


def wanted(facts: Collection[Fact]) -> pa.Table:
    """Return facts as a table (:data:`WANTED`), each with its place among them."""
    rows = [{"place": place, **fact._asdict()} for place, fact in enumerate(facts)]
    return pa.Table.from_pylist(rows, schema=WANTED)


# The order of sentences, of columns ``document`` and ``number``.
IN_ORDER = """{
    file: regexp_replace(document, concat(':', number + 1, '$'), ''),
    number: number,
    document: document
}"""


def _stating(within: str) -> str:
    """Return the query for the sentences that state facts of ``told``, each with its facts.

    A sentence states a fact where an extraction was linked to it there, or as a candidate: it then
    mentions both entities and has the word.
    """
    return f"""
    WITH stating AS (
        SELECT t.place, l.document, l.number
        FROM {within}linked l JOIN told t ON {same_fact("l", "t")} AND l.closest = t.closest
        UNION
        SELECT t.place, m1.document, m1.number
        FROM {within}mentioned m1 JOIN told t ON m1.entity = t.e1
        JOIN {within}mentioned m2
            ON m2.document = m1.document AND m2.number = m1.number AND m2.entity = t.e2
        WHERE list_contains(m1.relation_words, t.r)
    )
    SELECT document, number, any_value(s.text) AS text, any_value(s.mentions) AS mentions,
        any_value(s.relation_words) AS relation_words, list(t) AS facts
    FROM stating JOIN told t USING (place) JOIN {within}sentences s USING (document, number)
    GROUP BY document, number
    """


_FIRST = f"""
select place, unnest(arg_min(
    {{{", ".join(f"{name}: {name}" for name in LOCATED.names[1:])}}},
    {IN_ORDER}
)) from alike group by place
"""
_SENTENCES = """
select place, document, number, text, mentions, relation_words
from located join sentences using (document, number)
"""
