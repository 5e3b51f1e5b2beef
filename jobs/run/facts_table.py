"""The facts of a finished run as one table, with all that there is to read about each.

Reports, exports and pages that show facts take them from here. docs/facts.md tells what every
column means.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from evaluator.annotators.evidence import CONTEXT, COUNTS
from evaluator.annotators.sentence_evidence import SPANS
from evaluator.errors import InputError
from evaluator.estimators.tallies import UNDEFINED
from evaluator.labels.answers import ANSWERS, read_answers
from evaluator.labels.design_file import DESIGN
from evaluator.labels.label import word_of
from evaluator.model import Fact, Rejects
from evaluator.results.result import Result
from indexes.engine import Batches, DuckEngine, Mapped
from indexes.kb.knowledge_base import RELATIONS_FILE, KnowledgeBase
from jobs.config import Configuration
from jobs.evidence.sources import check_unchanged
from jobs.run.label_folder import bare_fact
from jobs.run.stages.annotate import ANNOTATED
from jobs.run.stages.link import LINKED, LinkExtractions, LinkFacts, with_sentences
from jobs.run.stages.rows import FACT_COLUMNS, FACT_FIELDS, WORDS, same_fact
from jobs.run.stating import IN_ORDER, LOCATED, locate, read_stating
from jobs.rundir import files_of_table, finished_stage

REGIONS = ("a", "b", "c", "d", "not correct", "undefined", "candidate undefined")
"""What a fact is to a system; docs/facts.md tells which facts are in none."""

_LABELS = pa.list_(
    pa.struct([("rater", pa.string()), ("label", pa.string()), ("stated", pa.bool_())])
)
JUDGED_COLUMNS = pa.schema(
    [
        ("e1", pa.string()),
        ("name1", pa.string()),
        ("r", pa.string()),
        ("e2", pa.string()),
        ("name2", pa.string()),
        ("negated", pa.bool_()),
        ("candidate", pa.bool_()),
        ("systems", WORDS),
        ("regions", pa.map_(pa.string(), pa.string())),
        ("system", pa.string()),
        ("region", pa.string()),
        ("verdict", pa.string()),
        ("score", pa.float64()),
        ("kb_relation", pa.string()),
        ("kb_label", pa.string()),
        ("kb_inverse", pa.bool_()),
        ("similarity", pa.float64()),
        *((name, pa.int64()) for name in (*COUNTS, *CONTEXT)),
        ("degree1", pa.int64()),
        ("degree2", pa.int64()),
        ("sentences", pa.int64()),
        ("stating_documents", pa.int64()),
        ("label", pa.string()),
        ("labels", _LABELS),
    ]
)
"""What a run has of every fact at once."""

SENTENCE_COLUMNS = pa.schema(
    [
        ("document", pa.string()),
        ("number", pa.int64()),
        ("sentence", pa.string()),
        *((name, pa.int32()) for name in SPANS),
    ]
)
"""The sentence that states a fact the closest, looked up for the facts that are asked for."""

EXTRACTION_COLUMNS = pa.schema(
    [
        ("line", pa.int64()),
        ("arg1", pa.string()),
        ("relation", pa.string()),
        ("arg2", pa.string()),
        ("confidence", pa.float64()),
    ]
)
"""The extraction as the system wrote it, looked up as well."""

FACTS_TABLE = pa.schema([*JUDGED_COLUMNS, *SENTENCE_COLUMNS, *EXTRACTION_COLUMNS])

DISPUTED = "disputed"
"""What the column ``label`` says where raters differ."""

BY_FACT = "place"
"""The order of facts where no other is asked for: by e1, r, e2 and negated."""

_FEW = 500

_EXTRACTED = pa.schema([*LINKED, *list(EXTRACTION_COLUMNS)[1:]])


class FactsTable:
    """The facts of a finished run, in DuckDB beside the run's Parquet.

    Not for several threads at once.

    Attributes
    ----------
    systems
        Names of the run's systems, in its order.
    configuration
        The settings of the run.
    label_folder
        Where labels are looked for; there may be none.
    engine
        With the table ``facts``: the columns of :data:`JUDGED_COLUMNS` but for those that depend
        on a system, ``closest``, and ``searched``: the names and the relation in small letters.
    """

    def __init__(self, engine: DuckEngine, run: Path, configuration: Configuration) -> None:
        self.engine, self.run, self.configuration = engine, run, configuration
        self.label_folder = configuration.labels.path or run / "labels"
        self.systems = [source.name for source in configuration.systems]

    @classmethod
    @contextmanager
    def open(
        cls,
        run: Path,
        *,
        labels: Path | None = None,
        workers: int | None = None,
        often: bool = False,
        configuration: Configuration | None = None,
        only: Collection[Fact] | None = None,
    ) -> Iterator["FactsTable"]:
        """Open the facts of a run.

        Parameters
        ----------
        run
            Directory of the finished run.
        labels
            The label folder; by default that of the run's settings, or ``labels`` in the run
            directory. Without one there are no labels.
        workers
            Threads of DuckDB, and processes where there is much to do; all cores by default.
        often
            Whether a few facts are asked for again and again: what that takes is prepared.
        configuration
            The settings of the run, where it is not finished but for its report.
        only
            The facts that will be asked for; all by default. A few are opened sooner.

        Raises
        ------
        InputError
            Where the run is not finished, or damaged, or its knowledge base is gone, or
            another one by now.
        """
        # A run may have been moved.
        c = configuration or Configuration.of_run(run).model_copy(update={"run": run})
        for stage in ("read", "superset", "estimate", *(("annotate",) if c.corpus else ())):
            finished_stage(run / stage)
        kb = KnowledgeBase.open(c.kb.path)
        judged_by = Result.read(run / "estimate" / "result.json").parts
        check_unchanged(c.kb.path, kb.manifest.checksum, judged_by.kb)
        with (
            TemporaryDirectory(prefix="distval-facts-") as scratch,
            DuckEngine(
                Path(scratch), memory=c.local.memory, threads=workers, on_disk=not often
            ) as engine,
        ):
            table = cls(engine, run, c)
            table._read(kb)
            if only is not None:
                engine.table("asked_for", sorted({*only}), pa.schema(FACT_FIELDS))
                engine.sql(
                    "judged", f"SELECT * FROM judged SEMI JOIN asked_for USING ({FACT_COLUMNS})"
                )
            table._read_labels(labels)
            table._join()
            table._read_extractions()
            if often:
                table._index()
            yield table

    def region(self, system: str) -> str:
        """Return the expression for the region (:data:`REGIONS`) of a fact for a system.

        Undefined facts of a system are S undefined in a result, other candidates G′∖S undefined.
        """
        return _region(f"list_contains(systems, {self.engine.text(system)})", "candidate")

    def count(self, where: str = "true") -> int:
        """Return how many facts there are of which a condition on ``facts`` is true."""
        [(number,)] = self.engine.rows(f"SELECT count(*) FROM facts WHERE {where}")
        return int(number)

    def stated_by(self, sentences: str) -> str:
        """Return the condition that a sentence states a fact; it holds until this is asked again.

        Parameters
        ----------
        sentences
            The condition on ``sentences`` that it is one of those.
        """
        if self.configuration.corpus is None:
            return "false"
        here = f"SELECT document, number FROM sentences WHERE {sentences}"
        self.engine.sql(
            "stated_there",
            f"""SELECT f.place FROM facts f JOIN linked l ON {same_fact("l", "f")}
            SEMI JOIN ({here}) USING (document, number)
            UNION SELECT f.place FROM facts f JOIN (
                SELECT a.entity AS e1, b.entity AS e2, a.relation_words AS words
                FROM ({here}) JOIN mentioned a USING (document, number)
                JOIN mentioned b USING (document, number)
            ) m ON f.e1 = m.e1 AND f.e2 = m.e2 AND list_contains(m.words, f.r)""",
        )
        return "place IN (SELECT place FROM stated_there)"

    def keep(self, judged: Batches) -> str:
        """Return the condition that a fact is among those of :meth:`judged` that are given."""
        places = pa.schema([("place", pa.int64())])
        kept = ((place,) for batch in judged for place in batch["place"].to_pylist())
        self.engine.table("kept", kept, places)
        return "place IN (SELECT place FROM kept)"

    def judged(self, where: str = "true", *, system: str | None = None) -> Batches:
        """Yield ``place`` and :data:`JUDGED_COLUMNS` of facts, in any order.

        Parameters
        ----------
        where
            A condition on ``facts``.
        system
            The system that the columns ``system`` and ``region`` are of; by default each fact's
            first.
        """
        yield from self.engine.stream(
            f"SELECT place, {self._judged(system)} FROM facts WHERE {where}"
        )

    def judged_rows(
        self, where: str, *, order: str = BY_FACT, limit: int | None = None
    ) -> list[dict[str, Any]]:
        """Return a few facts as :meth:`judged` yields them, sorted, one mapping each."""
        most = "" if limit is None else f"LIMIT {limit}"
        return _rows(
            self.engine.stream(
                f"""SELECT place, {self._judged(None)} FROM facts WHERE {where}
                ORDER BY {order} {most}"""
            )
        )

    def batches(
        self,
        where: str = "true",
        *,
        system: str | None = None,
        order: str = BY_FACT,
        limit: int | None = None,
        offset: int = 0,
    ) -> Batches:
        """Yield facts as :data:`FACTS_TABLE`.

        Parameters
        ----------
        where, system
            As for :meth:`judged`.
        order
            What they are sorted by: columns of ``facts``. Should tell any two facts apart.
        limit, offset
            How many at most, and how many before them are left out.
        """
        engine = self.engine
        most = "" if limit is None else f" ORDER BY {order} LIMIT {limit} OFFSET {offset}"
        engine.sql(
            "wanted",
            f"""SELECT place, {FACT_COLUMNS}, closest, {self._system(system)} AS system
            FROM facts WHERE {where}{most}""",
        )
        within = self._find_sentences()
        self._find_extractions(within)
        sentences = "sentences" if self.configuration.corpus is None else f"{within}sentences"
        looked_up = ", ".join(
            [
                "s.document, s.number, s.text AS sentence",
                *(f"l.{name}" for name in SPANS),
                *(f"x.{name}" for name in EXTRACTION_COLUMNS.names),
            ]
        )
        for batch in engine.stream(
            f"""SELECT * FROM (
                SELECT place, {self._judged(system)} FROM facts SEMI JOIN wanted USING (place)
            ) f JOIN (
                SELECT w.place, {looked_up} FROM wanted w
                LEFT JOIN placed l ON l.place = w.place
                LEFT JOIN {sentences} s ON s.document = l.document AND s.number = l.number
                LEFT JOIN taken x ON x.place = w.place
            ) USING (place) ORDER BY {order}"""
        ):
            told = pa.Table.from_batches([batch]).select(FACTS_TABLE.names)
            yield from told.cast(FACTS_TABLE).to_batches()

    def rows(self, where: str = "true", **options: Any) -> list[dict[str, Any]]:
        """Return a few facts as :meth:`batches` yields them, one mapping each."""
        return _rows(self.batches(where, **options))

    def _read(self, kb: KnowledgeBase) -> None:
        """Read what the facts are made of: ``judged``, ``entities``, ``relations`` and so on."""
        folders = {"judged": self.run / "estimate" / "judged"}
        if self.configuration.gives_facts:
            folders["given_names"] = self.run / "superset" / "names"
            folders["written"] = self.run / "superset" / "given"
        elif self.configuration.files:  # baselines write nothing
            folders["written"] = self.run / "read" / "extractions"
        if self.configuration.corpus is None:
            folders["linked"] = self.run / "superset" / "linked"
        for name, folder in folders.items():
            with files_of_table(folder):
                self.engine.read(name, [folder])
        if self.configuration.corpus is not None:
            read_stating(self.engine, self.run)
        else:
            self.engine.table("sentences", [], ANNOTATED)
        for name, path in (
            ("entities", kb.entities_path),
            ("relations", kb.path / RELATIONS_FILE),
        ):
            with files_of_table(path):
                self.engine.read(name, [path])

    def _read_labels(self, folder: Path | None) -> None:
        """Make the table ``people``: what raters say of the facts that were drawn for them."""
        if folder is not None and not any((folder / name).is_file() for name in (DESIGN, ANSWERS)):
            raise InputError(folder, "is no label folder: distval label draw makes one")
        self.label_folder = folder = folder or self.label_folder
        said: dict[Fact, list[dict[str, Any]]] = {}
        if (folder / ANSWERS).is_file():
            for label in read_answers(folder, rejects=Rejects()):
                told = {"rater": label.rater, "label": word_of(label), "stated": label.stated}
                said.setdefault(bare_fact(*label.item), []).append(told)
        rows = []
        for fact, labels in said.items():
            words = {label["label"] for label in labels}
            rows.append((*fact, words.pop() if len(words) == 1 else DISPUTED, labels))
        schema = pa.schema([*FACT_FIELDS, ("label", pa.string()), ("labels", _LABELS)])
        self.engine.table("people", rows, schema)

    def _join(self) -> None:
        """Make the table ``facts`` and what extractions are looked up in, ``extracted``."""
        engine = self.engine
        engine.sql(
            "named",
            """SELECT entity, label, degree FROM entities SEMI JOIN (
                SELECT e1 AS entity FROM judged UNION SELECT e2 FROM judged
            ) USING (entity)""",
        )
        given = "given_names" if self.configuration.gives_facts else "(SELECT '' entity, '' label)"
        joins = " ".join(
            f"""LEFT JOIN named k{n} ON k{n}.entity = j.e{n}
            LEFT JOIN {given} g{n} ON g{n}.entity = j.e{n}"""
            for n in (1, 2)
        )
        names = ", ".join(
            f"coalesce(nullif(nullif(k{n}.label, ''), j.e{n}), g{n}.label, j.e{n}) AS name{n}, "
            f"k{n}.degree AS degree{n}"
            for n in (1, 2)
        )
        counts = ", ".join(f"j.{name}" for name in (*COUNTS, *CONTEXT))
        facts = f"""SELECT j.e1, j.r, j.e2, j.negated, {names},
                j.candidate, j.systems, j.verdict, j.score, j.relation AS kb_relation,
                r.label AS kb_label, j.inverse AS kb_inverse, j.similarity, {counts},
                j.sentences, j.stating_documents, j.closest, p.label, p.labels,
                lower(concat_ws(' ', name1, j.r, name2)) AS searched
            FROM judged j {joins} LEFT JOIN relations r ON r.id = j.relation
            LEFT JOIN people p ON {same_fact("p", "j")}"""
        engine.sql(
            "facts",
            f"""SELECT row_number() OVER (ORDER BY {FACT_COLUMNS}) AS place, * FROM ({facts})
            ORDER BY place""",
        )

    def _read_extractions(self) -> None:
        """Make the table ``extracted``: what is linked, as the system wrote it.

        Records that share a line number (triples in one JSON document) are linked again, which
        tells whose facts are whose. Baselines write nothing.
        """
        engine, c = self.engine, self.configuration
        slots = "arg1, relation, arg2, confidence"
        if c.gives_facts:
            slots = """coalesce(nullif(name1, ''), e1) AS arg1, relation,
                coalesce(nullif(name2, ''), e2) AS arg2, CAST(NULL AS DOUBLE) AS confidence"""
        elif not c.files:
            engine.table("written", [], _EXTRACTED)
        engine.sql(
            "shared", "SELECT system, line FROM written GROUP BY system, line HAVING count(*) > 1"
        )
        engine.view(
            "alone",
            f"SELECT system, line, {slots} FROM written ANTI JOIN shared USING (system, line)",
        )
        parts = [
            f"""SELECT l.system, l.line, l.document, l.number, {FACT_COLUMNS}, reason, closest,
                arg1, relation, arg2, confidence
            FROM linked l LEFT JOIN alone a ON a.system = l.system AND a.line = l.line
            WHERE (l.system, l.line) NOT IN (SELECT system, line FROM shared)"""
        ]
        [(several,)] = engine.rows("SELECT count(*) FROM shared")
        if several:
            link: LinkFacts | LinkExtractions = LinkFacts(c.link, c.relation, c.lexicon)
            query = "SELECT w.* FROM written w SEMI JOIN shared s USING (system, line)"
            if not c.gives_facts:
                window = c.superset.window
                link = LinkExtractions(c.link, c.relation, c.lexicon, window)
                query = with_sentences(engine, f"({query})", "sentences", window=window)
            else:
                query = f"SELECT *, {slots.replace('relation,', '')} FROM ({query})"
            engine.view("relinked", Mapped(query, Relink(link), _EXTRACTED))
            parts.append("SELECT * FROM relinked")
        engine.view("extracted", " UNION ALL ".join(parts))

    def _index(self) -> None:
        """Keep what is asked for fact by fact, and have it found without a scan."""
        engine = self.engine
        kept = {"extracted": "e1"}
        if self.configuration.corpus is not None:
            kept |= {"mentioned": "entity", "sentences": "document"}
        for name, column in kept.items():
            engine.sql(name, f"SELECT * FROM {name} ORDER BY {column}")
            engine.index(name, column)
        engine.view("linked", "SELECT * FROM extracted")

    def _system(self, system: str | None) -> str:
        """Return the expression for the system that a fact's extraction is of."""
        if system is not None:
            return self.engine.text(system)
        names = self.engine.array(map(self.engine.text, self.systems))
        return f"list_filter({names}, lambda x: list_contains(systems, x))[1]"

    def _judged(self, system: str | None) -> str:
        """Return the expressions for :data:`JUDGED_COLUMNS`."""
        regions = ", ".join(
            f"{self.engine.text(name)}: {self.region(name)}" for name in self.systems
        )
        made = {
            "regions": f"MAP {{{regions}}}",
            "system": self._system(system),
            "region": self.region(system) if system else _region("len(systems) > 0", "false"),
        }
        return ", ".join(
            f"{made[name]} AS {name}" if name in made else name for name in JUDGED_COLUMNS.names
        )

    def _find_sentences(self) -> str:
        """Make of ``wanted`` the table ``placed``: the closest sentence, or one it was taken from.

        Returns
        -------
        What stands before the names of the tables that have all that tells of ``wanted``.
        """
        within = self._narrow()
        if self.configuration.corpus is None:
            self.engine.table("placed", [], LOCATED)
            return within
        locate(self.engine, within=within)
        self.engine.sql(
            "placed",
            f"""SELECT * FROM located UNION ALL BY NAME
            SELECT w.place, unnest(arg_min(
                {{document: document, number: number}}, {IN_ORDER}
            )) FROM (SELECT * FROM wanted ANTI JOIN located USING (place)) w
            JOIN {within}linked l ON {same_fact("l", "w")}
            WHERE document IS NOT NULL GROUP BY w.place""",
        )
        return within

    def _narrow(self) -> str:
        """Make tables of what tells of few facts ``wanted``; of many, take the whole ones.

        A few literals are looked for much faster than a join is made.
        """
        engine = self.engine
        pairs = engine.rows(f"SELECT DISTINCT e1, e2 FROM wanted LIMIT {_FEW + 1}")
        if len(pairs) > _FEW:
            return ""
        first = ", ".join(engine.text(e1) for e1, _ in pairs) or "''"
        both = ", ".join({engine.text(entity) for pair in pairs for entity in pair}) or "''"
        engine.sql("near_extracted", f"SELECT * FROM extracted WHERE e1 IN ({first})")
        engine.view("near_linked", "SELECT * FROM near_extracted")
        if self.configuration.corpus is not None:
            engine.sql("near_mentioned", f"SELECT * FROM mentioned WHERE entity IN ({both})")
            here = "SELECT document FROM near_mentioned UNION SELECT document FROM near_linked"
            documents = [d for (d,) in engine.rows(here) if d is not None]
            listed = ", ".join(map(engine.text, documents)) or "''"
            where = f"document IN ({listed})" if len(documents) <= _FEW else "true"
            make = engine.sql if len(documents) <= _FEW else engine.view
            make("near_sentences", f"SELECT * FROM sentences WHERE {where}")
        return "near_"

    def _find_extractions(self, within: str) -> None:
        """Make of ``wanted`` the table ``taken``: the extraction of its system.

        That from the sentence that is shown, if there is one; then the first in its file.
        """
        slots = ", ".join(f"{name}: {name}" for name in EXTRACTION_COLUMNS.names)
        self.engine.sql(
            "taken",
            f"""SELECT w.place, unnest(arg_min({{{slots}}}, {{
                elsewhere: x.document IS DISTINCT FROM p.document
                    OR x.number IS DISTINCT FROM p.number,
                line: line, arg1: arg1, relation: relation, arg2: arg2
            }})) FROM wanted w
            JOIN {within}extracted x ON {same_fact("x", "w")} AND x.system = w.system
            LEFT JOIN placed p ON p.place = w.place GROUP BY w.place""",
        )


@dataclass(frozen=True)
class Relink:
    """Links extractions again, and keeps what they were made of."""

    link: LinkExtractions | LinkFacts

    def __call__(self, batches: Batches) -> Batches:
        """Yield extractions with their facts (``_EXTRACTED``)."""
        for batch in batches:
            [linked] = self.link(iter([batch]))
            slots = (batch[name] for name in EXTRACTION_COLUMNS.names[1:])
            yield pa.record_batch([*linked.columns, *slots], schema=_EXTRACTED)


def sentence_spans(row: Mapping[str, Any]) -> list[tuple[int, int, str]]:
    """Return where the elements of a fact (a row of the table) stand in its sentence, in order."""
    ends = ((row[f"{name}_start"], row[f"{name}_end"], name) for name in ("e1", "r", "e2"))
    return sorted((start, end, name) for start, end, name in ends if start is not None)


def _rows(batches: Batches) -> list[dict[str, Any]]:
    return [
        row | {"regions": dict(row["regions"])} for batch in batches for row in batch.to_pylist()
    ]


def _region(stated: str, candidate: str) -> str:
    """Return the expression for the region of a fact under the conditions that it is S's, or G′'s.

    What a result counts (:func:`evaluator.estimators.tallies.system_tallies`), fact by fact.
    """
    undefined = ", ".join(f"'{verdict}'" for verdict in UNDEFINED)
    return f"""CASE
        WHEN {stated} THEN CASE WHEN verdict = 'matched' THEN 'b' WHEN verdict = 'accepted' THEN 'a'
            WHEN verdict = 'rejected' THEN 'not correct'
            WHEN verdict IN ({undefined}) THEN 'undefined' END
        WHEN {candidate} THEN CASE WHEN verdict = 'matched' THEN 'c'
            WHEN verdict = 'accepted' THEN 'd'
            WHEN verdict IN ({undefined}) THEN 'candidate undefined' END
    END"""
