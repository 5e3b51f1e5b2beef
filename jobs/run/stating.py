"""Which sentence of a run states a fact the closest, and where its elements stand in it."""

from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from evaluator.annotators.sentence_evidence import SPANS, encoded, evidence_and_spans
from evaluator.model import Fact, Sentence
from indexes.engine import Batches, DuckEngine, Engine, Mapped
from jobs.run.judged_table import FACTS
from jobs.run.stages.rows import FACT, FACT_COLUMNS, same_fact, sentences
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


def read_stating(engine: Engine, run: Path, *, often: bool = False) -> None:
    """Make the tables that :func:`locate` reads of those of a run.

    ``linked``, ``sentences``, and ``mentioned``: the entities of sentences, with their words.

    Parameters
    ----------
    engine, run
        The engine, and the directory of the run.
    often
        Whether they are asked so often that it is worth the while to keep them in the engine.

    Raises
    ------
    InputError
        Where one is missing or damaged.
    """
    make = engine.sql if often else engine.view
    for name, stage in (("linked", "superset"), ("sentences", "annotate")):
        with files_of_table(run / stage / name):
            engine.read(f"{name}_read", [run / stage / name])
            make(name, f"SELECT * FROM {name}_read")
    make(
        "mentioned",
        """SELECT DISTINCT document, number, unnest(mentions).entity AS entity, relation_words
        FROM sentences""",
    )


def locate(engine: Engine) -> None:
    """Make of the table ``wanted`` the table ``located`` (``LOCATED``): where facts are stated.

    ``wanted`` has facts, each with its ``place``, a number, and ``closest``. Those that no sentence
    states are not in ``located``. Of several sentences that state a fact alike it is the first by
    document and number, so that it is always the same; sentences that are documents of their own
    ("news:17" is number 16) are in the order of their file.
    """
    [(first, last)] = engine.rows("SELECT min(place), max(place) FROM wanted")
    slices = [] if first is None else range(first, last + 1, _AT_ONCE)
    # At least one, so that there is a table.
    names: list[str] = []
    for start in slices or [0]:
        names.append(f"located{len(names)}")
        told = f"closest IS NOT NULL AND place >= {start} AND place < {start + _AT_ONCE}"
        engine.view("told", f"SELECT place, {FACT_COLUMNS}, closest FROM wanted WHERE {told}")
        engine.view("alike", Mapped(_STATING, locate_batches, LOCATED))
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

# A sentence states a fact where an extraction was linked to it there, or as a candidate: it then
# mentions both entities and has the word.
_STATING = f"""
with stating as (
    select t.place, l.document, l.number
    from linked l join told t on {same_fact("l", "t")} and l.closest = t.closest
    union
    select t.place, m1.document, m1.number
    from mentioned m1 join told t on m1.entity = t.e1
    join mentioned m2 on m2.document = m1.document and m2.number = m1.number and m2.entity = t.e2
    where list_contains(m1.relation_words, t.r)
)
select document, number, any_value(s.text) as text, any_value(s.mentions) as mentions,
    any_value(s.relation_words) as relation_words, list(t) as facts
from stating join told t using (place) join sentences s using (document, number)
group by document, number
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
