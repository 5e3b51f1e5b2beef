"""The main job: from sentences and extractions to true precision and recall.

:func:`run` reads like the method (DESIGN section 1; Bronzi et al. 2012, section 2): read, annotate,
build the candidate superset, match against the database, count over the text, estimate the regions.
Facts that are given without sentences need no corpus; then nothing is annotated, and the superset
is S alone.
"""

import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from evaluator.annotators import (
    ANNOTATORS,
    Examples,
    Population,
    read_annotator,
    write_annotator,
)
from evaluator.annotators.judge_panel import JudgePanel
from evaluator.errors import ConfigurationError, InputError
from evaluator.facts.superset import CROWDED, CROWDED_PAIR
from evaluator.labels.design import label_cells
from evaluator.model import Fact
from evaluator.results.result import Matching, Result
from evaluator.whole_files import whole_binary_file, write_whole
from indexes.engine import Engine
from indexes.finished_parts import FinishedParts, PartsProgress
from indexes.memory import memory_bytes
from jobs.config import CONFIGURATION, Configuration, CorpusSettings
from jobs.evidence import sources
from jobs.evidence.annotator import ANNOTATOR, annotator_figures, make_annotator, needs_context
from jobs.evidence.judge_panel import panel_of
from jobs.evidence.sources import RunEvidence
from jobs.evidence.widening import run_words, words_fingerprint
from jobs.run.audit_file import audit_digest
from jobs.run.engines import open_engine
from jobs.run.judged_table import JudgedFacts
from jobs.run.label_folder import LabelFolder, results_with_labels
from jobs.run.report import write_report
from jobs.run.report_data import PREVIOUS, SENSITIVITY, change, tables
from jobs.run.result import (
    Digests,
    Inputs,
    accounting,
    check_inputs,
    corpus_digest,
    make_result,
    match_figures,
    read_truth,
    short_digests,
    true_figures,
)
from jobs.run.stages import (
    annotate,
    documents,
    examples,
    link,
    match,
    read,
    score,
    superset,
    tally,
)
from jobs.run.stages.rows import FACT_COLUMNS
from jobs.rundir import RunDirectory, Stage, content_digest, finished_result
from jobs.stage_account import StageAccount


def run(
    configuration: Configuration,
    *,
    on_stage: Callable[[str, bool], None] = lambda _name, _kept: None,
    on_engine: Callable[[str], None] = lambda _why: None,
    on_account: Callable[[StageAccount], None] = lambda _account: None,
    on_progress: Callable[[str, PartsProgress], None] = lambda _name, _progress: None,
    submitted: bool = False,
    page: bool = True,
) -> Result:
    """Evaluate the systems of a configuration and return the result.

    Parameters
    ----------
    configuration
        The run.
    on_stage
        Told each stage as it begins, and whether it is taken from an earlier run.
    on_engine
        Told, when an engine is started, which one and why.
    on_account
        Told, after each stage, what it took.
    on_progress
        Told, about every second of a stage that is made in parts, its name and how far it is.
    submitted
        True inside spark-submit, which has chosen the cluster.
    page
        Whether ``report.html`` is written; without it an older one goes.

    Returns
    -------
    The result, which is written to the run directory with ``report.html``.
    """
    check_inputs(configuration)  # before anything is written
    with ExitStack() as stack:
        directory = RunDirectory(configuration.run, on_stage, on_account, on_progress)
        stack.enter_context(directory.locked())
        return Job(configuration, stack, submitted, directory, on_engine, page).run()


@dataclass
class Job:
    """One run under way: its configuration, its directory, and an engine, started at first need."""

    configuration: Configuration
    stack: ExitStack
    submitted: bool
    directory: RunDirectory
    on_engine: Callable[[str], None]
    page: bool
    systems: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.systems = [source.name for source in self.configuration.systems]

    @cached_property
    def engine(self) -> Engine:
        """The engine; a run whose stages all stand never starts it."""
        opened = open_engine(
            self.configuration,
            scratch=self.directory.path,
            submitted=self.submitted,
            tell=self.on_engine,
        )
        return self.stack.enter_context(opened)

    def run(self) -> Result:
        """Run the stages in the order of the method."""
        before = standing_result(self.configuration.run)  # while its stage can still vouch for it
        found = sources.prepare(
            self.configuration.kb, self.configuration.index, on_stage=self.directory.on_stage
        )
        source = self.read()
        annotated = self.annotate(source, found)
        facts = self.superset(source, annotated, found)
        matched = self.match(facts, found)
        counted = self.score(facts, matched, found)
        estimated = self.estimate(source, annotated, facts, matched, counted, found)
        result = Result.read(estimated.path / "result.json")
        if before is not None:
            keep_previous(self.configuration.run, before, result)
        page = self.report(result, estimated, found) if self.page else None
        self.publish(estimated, page)
        return result

    def read(self) -> Stage:
        """Put sentences and extractions (or facts) into Parquet; count bad records."""
        corpus, systems = self.configuration.corpus, self.configuration.files
        digests = {
            "corpus": None if corpus is None else corpus_digest(corpus),
            "systems": {source.name: content_digest(source.path) for source in systems},
        }

        def build(out: Path) -> Mapping[str, Any]:
            notes: dict[str, Any] = {"digests": digests}
            if corpus is not None and corpus.collection is not None:
                notes["sentences"] = self.split(corpus, out)
            elif corpus is not None:
                notes["sentences"] = read.write_sentences(
                    corpus.path, format=corpus.format, out=out / "sentences"
                )
            if self.configuration.gives_facts:
                notes["extractions"] = read.write_facts(systems, out=out / "given")
            else:
                notes["extractions"] = read.write_extractions(systems, out=out / "extractions")
            return notes

        formats = {source.name: source.form for source in systems}
        return self.directory.stage(
            "read",
            depends_on={"digests": digests, "formats": formats, "corpus": corpus and corpus.format},
            build=build,
        )

    def split(self, corpus: CorpusSettings, out: Path) -> dict[str, Any]:
        """Write the distinct sentences of a corpus of documents; return notes on them."""
        rejected = documents.write_documents(corpus, out / "documents")
        self.engine.read("documents", [out / "documents"])
        documents.split(self.engine)
        documents.save_distinct(self.engine, out / "sentences")
        self.engine.read("sentences", [out / "sentences"])
        shutil.rmtree(out / "documents")  # the sentences hold all that is needed of them
        return documents.account(self.engine, rejected)

    def annotate(self, source: Stage, found: RunEvidence) -> Stage | None:
        """Give sentences their entity mentions and relation words; None without a corpus."""
        link = self.configuration.link
        if self.configuration.corpus is None:
            return None
        kb = found.kb.manifest
        if not (kb.names or source.notes["sentences"]["annotated"]):
            raise InputError(
                self.configuration.kb.path,
                f'has no name in "{kb.language}" of any entity, so that no sentence mentions one: '
                "set kb.language to that of its names (distval kb info shows what it holds), and "
                "for text that is not English language and relation.wordnet, too",
            )

        def build(out: Path) -> None:
            self.open("sentences", source)
            self.open_entities(found)
            annotate.save_annotated(
                self.engine,
                found.dictionary,
                link,
                self.configuration.lexicon,
                out / "sentences",
                given=bool(source.notes["sentences"]["annotated"]),
                parts=self.parts("annotate"),
            )

        return self.directory.stage(
            "annotate",
            depends_on={
                "sentences": source.fingerprint,
                "kb": found.kb_digest,
                "link": [link.proper_only, link.context, link.scope],
                "lexicon": self.configuration.lexicon_digest,
            },
            build=build,
        )

    def superset(self, source: Stage, annotated: Stage | None, found: RunEvidence) -> Stage:
        """Make facts of the extractions; make S and G' one table of distinct facts."""
        c = self.configuration

        def build(out: Path) -> Mapping[str, Any]:
            if annotated is not None:
                self.open("annotated", annotated, "sentences")
            self.engine.save(self.linked(source, found, out), out / "linked")
            self.engine.read("linked", [out / "linked"])
            superset.save_superset(
                self.engine,
                out / "facts",
                settings=c.superset,
                lexicon=c.lexicon,
                seed=c.sample.seed,
                corpus=annotated is not None,
                parts=self.parts("superset"),
            )
            notes = {"crowded": superset.crowded(self.engine) if annotated else 0}
            if annotated and c.superset.window > 1:
                notes["crowded_pairs"] = superset.crowded_pairs(self.engine, c.superset.window)
            return notes

        return self.directory.stage(
            "superset",
            depends_on={
                "source": source.fingerprint,
                "annotated": annotated and annotated.fingerprint,
                "baselines": {name: str(baseline) for name, baseline in c.baselines.items()},
                "kb": found.kb_digest,
                "link": c.link.model_dump(),
                "relation": c.relation.model_dump(exclude={"wordnet"}),
                "lexicon": c.lexicon_digest,
                "superset": c.superset.model_dump(),
                "seed": c.sample.seed,
            },
            build=build,
        )

    def linked(self, source: Stage, found: RunEvidence, out: Path) -> str:
        """Return the query for what all systems state: facts, or the reason why it is none."""
        c, engine, tables = self.configuration, self.engine, []
        if c.gives_facts:
            self.open("read_facts", source, "given")
            self.open_entities(found)
            link.resolve_facts(engine, out / "given")
            engine.read("given", [out / "given"])
            link.save_names(engine, c.link, out / "names")
            link.link_facts(engine, c.link, c.relation, c.lexicon)
            return "SELECT * FROM linked_facts"
        if c.files:
            self.open("extractions", source)
            link.link_extractions(engine, c.link, c.relation, c.lexicon, window=c.superset.window)
            tables.append("linked_extractions")
        if c.baselines:
            link.extract(engine, c.baselines, c.link, c.relation, c.lexicon)
            tables.append("extracted")
        return " UNION ALL ".join(f"SELECT * FROM {table}" for table in tables)

    def match(self, facts: Stage, found: RunEvidence) -> Stage:
        """Take the census against the database: regions b and c."""
        settings, lexicon = self.configuration.match, self.configuration.lexicon

        def build(out: Path) -> None:
            self.open("facts", facts)
            match.save_matched(
                self.engine,
                found.kb.triples_path,
                found.relation_words(settings, lexicon),
                lexicon,
                settings.measure(lexicon),
                out / "facts",
                buckets=found.kb.manifest.buckets,
                direction=settings.direction,
                threshold=settings.threshold,
                parts=self.parts("match"),
            )

        return self.directory.stage(
            "match",
            depends_on={
                "facts": facts.fingerprint,
                "kb": found.kb_digest,
                "match": {
                    **settings.model_dump(exclude={"ic"}),
                    "measure": self.configuration.measure_name,
                },
            },
            build=build,
        )

    def score(self, facts: Stage, matched: Stage, found: RunEvidence) -> Stage:
        """Count hits for the sampled facts that the database leaves open."""
        c = self.configuration

        def build(out: Path) -> Mapping[str, Any]:
            self.open("matched", matched, "facts")
            members = self.populations()
            cuts = score.sampling_cuts(
                self.engine,
                "matched",
                members,
                system=c.sample.system,
                candidates=c.sample.candidates,
            )
            asked = score.to_count("matched", members, cuts)
            if ANNOTATORS[c.annotator].examples:
                others = examples.to_count(self.engine, "matched", corpus=c.corpus is not None)
                asked = f"{asked} UNION ALL {others}"
            self.engine.sql("asked", asked)
            self.open_entities(found)
            if c.gives_facts:
                self.open("names", facts)
            counted = score.counted(
                self.engine,
                "asked",
                found.index_path,
                run_words(c, lambda: score.relations(self.engine, "asked"), found.kb),
                shards=found.index_manifest.shards,
                **c.pmi.counting,
                variants=c.pmi.names,
                lexicon=c.lexicon,
                context=needs_context(c.annotator),
                memory=memory_bytes(c.index.memory) // self.engine.sharing,
                given=c.gives_facts,
                parts=self.parts("score"),
            )
            self.engine.save(counted, out / "counts")
            return {"cuts": cuts}

        return self.directory.stage(
            "score",
            depends_on={
                "matched": matched.fingerprint,
                "kb": found.kb_digest,
                "index": found.index_digest,
                "counting": c.pmi.counting,
                "names": c.pmi.names,
                "context": needs_context(c.annotator),
                "examples": ANNOTATORS[c.annotator].examples,
                "words": words_fingerprint(c),
                "lexicon": c.lexicon_digest,
                "sample": c.sample.model_dump(),
            },
            build=build,
        )

    def estimate(
        self,
        source: Stage,
        annotated: Stage | None,
        facts: Stage,
        matched: Stage,
        counted: Stage,
        found: RunEvidence,
    ) -> Stage:
        """Judge, tally and estimate: regions a-d, precision, recall and F in ``result.json``."""
        c = self.configuration
        folder = None if c.labels.path is None else LabelFolder.open(c.labels.path)

        documents = found.index_manifest.documents

        def build(out: Path) -> Mapping[str, Any]:
            engine = self.engine
            self.open("matched", matched, "facts")
            self.open("counts", counted)
            annotator = make_annotator(c, self.population(counted, documents))
            panel = panel_of(c.external.judges, kb=found.kb, key=c.relation.key, lexicon=c.lexicon)
            write_annotator(out / ANNOTATOR, annotator)
            judged = tally.judged(
                engine,
                "matched",
                "counts",
                counted.notes["cuts"],
                self.populations(),
                annotator,
                documents=documents,
                panel=panel,
            )
            engine.save(judged, out / "judged")
            engine.read("judged", [out / "judged"])
            if ANNOTATORS[c.annotator].judges:
                check_answers(tally.answers(engine, "judged"), c)
            matching, matches = match_figures(tally.how_matched(engine, "judged"), self.systems)
            of_labels = with_labels = pairs = None
            if folder is not None:
                seen = JudgedFacts(engine, folder.stratification.known_cuts())
                of_labels, with_labels, pairs = results_with_labels(
                    folder,
                    label_cells(seen.kinds(), folder.stratification),
                    seen.look_up(folder.facts()),
                    c,
                )
            self.open_entities(found)
            self.open("linked", facts)
            inputs = Inputs(
                corpus=None if annotated is None else self.corpus_figures(source, annotated),
                digests=self.digests(source, found),
                knowledge_base=found.kb_figures,
                index=found.index_figures,
                extractions={
                    name: accounting(source.notes["extractions"].get(name), by_reason)
                    for name, by_reason in tally.outcomes(engine, self.systems).items()
                },
                rejects=rejects(source, facts, found, panel),
                matching=Matching(**tally.entity_figures(engine, "judged"), **dict(matching)),
                matches=matches,
                annotator=annotator_figures(annotator),
                labels=of_labels,
            )
            truth = None if c.truth is None else self.truth(c.truth)
            cells = tally.tally(engine, "judged")
            result = make_result(c, inputs, cells, truth, with_labels, pairs)
            result.write(out / "result.json")
            return {"date": datetime.now(UTC).date().isoformat()}

        return self.directory.stage(
            "estimate",
            depends_on={
                "facts": facts.fingerprint,
                "counts": counted.fingerprint,
                "settings": c.flat(),
                "names": [
                    c.name,
                    self.systems,
                    found.kb_figures.as_json(),
                    found.index_figures.as_json(),
                ],
                "rejects": [dict(found.kb_rejects), dict(found.index_rejects)],
                "truth": None if c.truth is None else content_digest(c.truth),
                "labels": folder and folder.digest,
                "audit": audit_digest(c),
            },
            build=build,
        )

    def report(self, result: Result, estimated: Stage, found: RunEvidence) -> Stage:
        """Write ``report.html``."""
        c = self.configuration

        def build(out: Path) -> None:
            for name, folder in tables(c).items():
                self.engine.read(name, [folder])
            write_report(
                result,
                self.engine,
                found,
                c,
                out / "report.html",
                annotator=read_annotator(estimated.path / ANNOTATOR),
                date=estimated.notes["date"],
            )

        beside = (c.run / name for name in (PREVIOUS, SENSITIVITY))
        return self.directory.stage(
            "report",
            depends_on={
                "estimated": estimated.fingerprint,
                "beside": [content_digest(file) if file.exists() else None for file in beside],
            },
            build=build,
        )

    def publish(self, estimated: Stage, page: Stage | None) -> None:
        """Put the result, what it rests on, and the report into the run directory."""
        settings = self.configuration.model_dump_json(indent=1)
        write_whole(self.configuration.run / CONFIGURATION, settings + "\n")
        for name in (ANNOTATOR, "result.json"):
            publish(estimated.path / name, self.configuration.run / name)
        report = self.configuration.run / "report.html"
        if page is None:
            report.unlink(missing_ok=True)  # it is of another result
        else:
            publish(page.path / "report.html", report)

    def population(self, counted: Stage, documents: int) -> Population:
        """Return what an annotator is fitted to."""
        name_of = ANNOTATORS[self.configuration.annotator].names

        def learnt_from() -> Examples:
            assert name_of is not None
            return examples.examples(
                self.engine,
                "matched",
                "counts",
                self.populations(),
                counted.notes["cuts"],
                documents=documents,
                corpus=self.configuration.corpus is not None,
                name_of=name_of,
            )

        return Population(
            lambda: tally.histogram(self.engine, "counts", documents=documents), learnt_from
        )

    def populations(self) -> dict[str, str]:
        """Return what is sampled: S of every system, and G' where there is a corpus."""
        corpus = self.configuration.corpus is not None
        return score.populations(self.engine, self.systems, corpus=corpus)

    def corpus_figures(self, source: Stage, annotated: Stage) -> dict[str, int]:
        """Return the figures of the corpus that a result shows."""
        self.open("annotated", annotated, "sentences")
        cut = source.notes["sentences"]["cut"]
        return {**tally.corpus_figures(self.engine), "cut_sentences": cut}

    def parts(self, stage: str) -> FinishedParts:
        """Return where a stage that is being built keeps its finished parts."""
        return self.directory.parts(stage, rows=self.configuration.part_rows)

    def open(self, name: str, stage: Stage, table: str | None = None) -> None:
        """Give the engine one of a stage's tables, by default the one of that name."""
        self.engine.read(name, [stage.path / (table or name)])

    def open_entities(self, found: RunEvidence) -> None:
        """Give the engine the tables ``entities`` and ``ids`` of the knowledge base."""
        self.engine.read("entities", [found.kb.entities_path])
        self.engine.read("ids", [found.kb.ids_path])

    def digests(self, source: Stage, found: RunEvidence) -> Digests:
        """Return the digests that the signature shows, eight characters each."""
        read_from = source.notes["digests"]
        baselines = self.configuration.baselines
        return short_digests(read_from["corpus"], read_from["systems"], baselines, found)

    def truth(self, path: Path) -> dict[str, dict[str, float | None]]:
        """Return the true figures of every system on a corpus whose truth is known."""
        known = read_truth(path)
        stated: dict[str, set[Fact]] = {name: set() for name in self.systems}
        for system, *fact in self.engine.rows(
            f"SELECT explode(systems) AS system, {FACT_COLUMNS} FROM judged"
        ):
            stated[system].add(Fact(*fact))
        return {name: true_figures(facts, known) for name, facts in stated.items()}


def check_answers(found: tuple[int, int], configuration: Configuration) -> None:
    """Refuse judges that answer nothing: a figure would be the database's alone."""
    asked, answered = found
    if asked and not answered:
        files = ", ".join(dict.fromkeys(str(of.path) for of in configuration.external.judges))
        raise ConfigurationError(
            f"{files}: no answer to any of the {asked:,} facts that the run asks judges about; "
            "name facts by id, as distval judge export RUN does, or by e1, r, e2 as the run has "
            "them, and give answers that say yes, no or a number from 0 to 1"
        )


def rejects(
    source: Stage, facts: Stage, found: RunEvidence, panel: JudgePanel
) -> dict[str, dict[str, int]]:
    """Return all records that were skipped, by source and reason."""
    skipped: dict[str, Mapping[str, int]] = {}
    if "sentences" in source.notes:
        left_out = {CROWDED: "crowded", CROWDED_PAIR: "crowded_pairs"}
        crowded = {why: n for why, note in left_out.items() if (n := facts.notes.get(note))}
        skipped["corpus"] = source.notes["sentences"]["rejected"] | crowded
    notes = source.notes["extractions"]
    skipped |= {f"system {name}": note["rejected"] for name, note in notes.items()}
    skipped |= {"knowledge base": found.kb_rejects, "text index": found.index_rejects}
    skipped |= {f"judge {name}": reasons for name, reasons in panel.unread.items()}
    return {name: dict(sorted(reasons.items())) for name, reasons in skipped.items() if reasons}


def standing_result(run: Path) -> Result | None:
    """Return the result that stands in a run directory; None where it is not as a run wrote it."""
    try:
        return finished_result(run)
    except InputError:  # none yet, another version's, or edited since
        return None


def keep_previous(run: Path, before: Result, result: Result) -> None:
    """Keep the result that a run has, if `result`, which takes its place, says something else."""
    if change(before, result) is not None:
        publish(run / "result.json", run / PREVIOUS)


def publish(file: Path, target: Path) -> None:
    """Copy a finished file to where people look for it, whole or not at all."""
    with whole_binary_file(target) as copy:
        copy.write(file.read_bytes())
