"""The main job: from sentences and extractions to true precision and recall.

:func:`run` reads like the method (DESIGN section 1; Bronzi et al. 2012, section 2): read, annotate,
build the candidate superset, match against the database, count over the text, estimate the regions.
Facts that are given without sentences need no corpus; then nothing is annotated, and the superset
is S alone.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property, reduce
from pathlib import Path
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from evaluator.annotators import read_annotator, write_annotator
from evaluator.inputs import read_json
from evaluator.model import Fact
from evaluator.superset import CROWDED
from evaluator.whole_files import whole_binary_file, write_whole
from indexes.index_manifest import read_manifest
from indexes.memory import memory_bytes
from jobs import evidence
from jobs.annotator import ANNOTATOR, annotator_figures, make_annotator, needs_context
from jobs.config import CONFIGURATION, Configuration, Corpus
from jobs.evidence import Evidence
from jobs.label_folder import LabelFolder, results_with_labels
from jobs.report import write_report
from jobs.result import (
    Inputs,
    Match,
    accounting,
    assemble,
    check_inputs,
    corpus_digest,
    match_figures,
    read_truth,
    short_digests,
    true_figures,
)
from jobs.rundir import RunDirectory, Stage, content_digest
from jobs.session import spark_session
from jobs.stages import annotate, documents, label, match, read, score, superset, tally
from jobs.widening import run_words, words_fingerprint


def run(
    configuration: Configuration,
    *,
    on_stage: Callable[[str, bool], None] = lambda _name, _kept: None,
    submitted: bool = False,
) -> dict[str, Any]:
    """Evaluate the systems of a configuration and return the result.

    Parameters
    ----------
    configuration
        The run.
    on_stage
        Told each stage as it begins, and whether it is taken from an earlier run.
    submitted
        True inside spark-submit, which has chosen the cluster.

    Returns
    -------
    The content of ``result.json``, which is written to the run directory with ``report.html``.
    """
    check_inputs(configuration)  # before anything is written
    with ExitStack() as stack:
        directory = RunDirectory(configuration.run, on_stage)
        stack.enter_context(directory.locked())
        return Job(configuration, stack, submitted, directory).run()


@dataclass
class Job:
    """One run under way: its configuration, its directory, and Spark, started at first need."""

    configuration: Configuration
    stack: ExitStack
    submitted: bool
    directory: RunDirectory
    systems: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.systems = [source.name for source in self.configuration.systems]

    @cached_property
    def spark(self) -> SparkSession:
        """The Spark session; a run whose stages all stand never starts it."""
        settings = self.configuration.spark
        return self.stack.enter_context(
            spark_session(
                name=self.configuration.name,
                master=None if self.submitted else settings.master,
                partitions=settings.partitions,
                settings=settings.settings,
            )
        )

    def run(self) -> dict[str, Any]:
        """Run the stages in the order of the method."""
        found = evidence.prepare(self.configuration, on_stage=self.directory.on_stage)
        source = self.read()
        annotated = self.annotate(source, found)
        facts = self.superset(source, annotated, found)
        matched = self.match(facts, found)
        counted = self.score(facts, matched, found)
        estimated = self.estimate(source, annotated, facts, matched, counted, found)
        self.report(estimated, facts, found)
        result: dict[str, Any] = read_json(estimated.path / "result.json")
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

        formats = {source.name: source.format for source in systems}
        return self.directory.stage(
            "read",
            depends_on={"digests": digests, "formats": formats, "corpus": corpus and corpus.format},
            build=build,
        )

    def split(self, corpus: Corpus, out: Path) -> dict[str, Any]:
        """Write the distinct sentences of a corpus of documents; return notes on them."""
        rejected = documents.write_documents(corpus, out / "documents")
        texts = self.spark.read.parquet(str(out / "documents")).repartition(self.partitions)
        self.write(documents.split(texts), out / "split")
        pieces = self.spark.read.parquet(str(out / "split"))
        self.write(documents.distinct(pieces), out / "sentences")
        kept = self.spark.read.parquet(str(out / "sentences"))
        notes = documents.account(pieces, kept, rejected)
        for table in ("documents", "split"):  # the sentences hold all that is needed of them
            shutil.rmtree(out / table)
        return notes

    def annotate(self, source: Stage, found: Evidence) -> Stage | None:
        """Give sentences their entity mentions and relation words; None without a corpus."""
        link = self.configuration.link
        if self.configuration.corpus is None:
            return None

        def build(out: Path) -> None:
            sentences = self.table(source, "sentences").repartition(self.partitions, "key")
            given = None
            if source.notes["sentences"]["annotated"]:
                given = annotate.resolve_given(sentences, *self.entities_and_ids(found))
            annotated = annotate.annotate(
                sentences,
                found.dictionary,
                given,
                proper_only=link.proper_only,
                context=link.context,
            )
            self.write(annotated, out / "sentences")

        return self.directory.stage(
            "annotate",
            depends_on={
                "sentences": source.fingerprint,
                "kb": found.kb_digest,
                "link": [link.proper_only, link.context],
            },
            build=build,
        )

    def superset(self, source: Stage, annotated: Stage | None, found: Evidence) -> Stage:
        """Make facts of the extractions; make S and G' one table of distinct facts."""
        c = self.configuration

        def build(out: Path) -> Mapping[str, Any]:
            sentences = self.table(annotated, "sentences") if annotated else None
            if c.gives_facts:
                given = superset.resolve_facts(
                    self.table(source, "given"), *self.entities_and_ids(found)
                )
                self.write(given.repartition(self.partitions, "e1", "e2"), out / "given")
                given = self.spark.read.parquet(str(out / "given"))
                self.write(superset.given_names(given), out / "names")
                linked = superset.link_facts(given, c.link, c.relation)
            else:
                assert sentences is not None  # extractions come with a corpus
                linked = self.link(source, sentences)
            self.write(linked, out / "linked")
            linked = self.spark.read.parquet(str(out / "linked"))
            facts = superset.superset(
                sentences, linked, direction=c.superset.direction, seed=c.sample.seed
            )
            self.write(facts, out / "facts")
            return {"crowded": superset.crowded(sentences) if sentences else 0}

        return self.directory.stage(
            "superset",
            depends_on={
                "source": source.fingerprint,
                "annotated": annotated and annotated.fingerprint,
                "baselines": {name: str(baseline) for name, baseline in c.baselines.items()},
                "kb": found.kb_digest,
                "link": c.link.model_dump(),
                "relation": c.relation.model_dump(),
                "superset": c.superset.model_dump(),
                "seed": c.sample.seed,
            },
            build=build,
        )

    def link(self, source: Stage, sentences: DataFrame) -> DataFrame:
        """Return the extractions of all systems as facts, or with the reason why not."""
        c, linked = self.configuration, []
        if c.files:
            extractions = self.table(source, "extractions").repartition(self.partitions, "key")
            linked.append(superset.link(extractions, sentences, c.link, c.relation))
        if c.baselines:
            linked.append(superset.extract(sentences, c.baselines, c.link, c.relation))
        return reduce(DataFrame.unionByName, linked)

    def match(self, facts: Stage, found: Evidence) -> Stage:
        """Take the census against the database: regions b and c."""
        settings = self.configuration.match

        def build(out: Path) -> None:
            words = self.spark.sparkContext.broadcast(found.relation_words(settings))
            matched = match.match(
                self.table(facts, "facts"),
                self.spark.read.parquet(str(found.kb.triples_path)),
                words,
                settings.measure(),
                buckets=found.kb.manifest.buckets,
                direction=settings.direction,
                threshold=settings.threshold,
            )
            self.write(matched, out / "facts")

        return self.directory.stage(
            "match",
            depends_on={
                "facts": facts.fingerprint,
                "kb": found.kb_digest,
                "match": {**settings.model_dump(exclude={"ic"}), "measure": settings.measure_name},
            },
            build=build,
        )

    def score(self, facts: Stage, matched: Stage, found: Evidence) -> Stage:
        """Count hits for the sampled facts that the database leaves open."""
        c = self.configuration

        def build(out: Path) -> Mapping[str, Any]:
            known = self.table(matched, "facts")
            members = self.populations()
            cuts = score.sampling_cuts(
                known, members, system=c.sample.system, candidates=c.sample.candidates
            )
            entities = self.spark.read.parquet(str(found.kb.entities_path))
            asked = score.to_count(known, members, cuts)
            counted = score.score(
                asked,
                score.query_names(entities, self.given_names(facts)),
                found.index_path,
                run_words(c, lambda: score.relations(asked), found.kb),
                shards=read_manifest(found.index_path).shards,
                **c.pmi.counting,
                context=needs_context(c),
                parallelism=self.partitions,
                memory=memory_bytes(c.index.memory),
            )
            self.write(counted, out / "counts")
            return {"cuts": cuts}

        return self.directory.stage(
            "score",
            depends_on={
                "matched": matched.fingerprint,
                "kb": found.kb_digest,
                "index": found.index_digest,
                "counting": c.pmi.counting,
                "context": needs_context(c),
                "words": words_fingerprint(c),
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
        found: Evidence,
    ) -> Stage:
        """Judge, tally and estimate: regions a-d, precision, recall and F in ``result.json``."""
        c = self.configuration
        folder = None if c.labels.path is None else LabelFolder.open(c.labels.path)

        documents = found.index_manifest["documents"]

        def build(out: Path) -> None:
            counts = self.table(counted, "counts")
            annotator = make_annotator(
                c, histogram=lambda: tally.histogram(counts, documents=documents)
            )
            write_annotator(out / ANNOTATOR, annotator)
            judged = tally.judge(
                self.table(matched, "facts"),
                counts,
                counted.notes["cuts"],
                self.populations(),
                annotator,
                documents=documents,
            )
            self.write(judged, out / "judged")
            judged = self.spark.read.parquet(str(out / "judged"))
            matching, matches = match_figures(how_matched(judged), self.systems)
            of_labels = with_labels = pairs = None
            if folder is not None:
                of_labels, with_labels, pairs = results_with_labels(
                    folder,
                    label.cells(judged, folder.stratification),
                    label.look_up(judged, folder.facts()),
                    c,
                )
            inputs = Inputs(
                corpus=None
                if annotated is None
                else {
                    **corpus_figures(self.table(annotated, "sentences")),
                    "cut_sentences": source.notes["sentences"]["cut"],
                },
                digests=self.digests(source, found),
                knowledge_base=found.kb_figures,
                index=found.index_figures,
                extractions=extraction_figures(
                    self.table(facts, "linked"), source.notes["extractions"], self.systems
                ),
                rejects=rejects(source, facts, found),
                matching={**self.entity_figures(judged, found), **matching},
                matches=matches,
                annotator=annotator_figures(annotator),
                labels=of_labels,
            )
            truth = None if c.truth is None else self.truth(c.truth, judged)
            result = assemble(c, inputs, tally.tally(judged), truth, with_labels, pairs)
            text = json.dumps(result, indent=1, ensure_ascii=False, allow_nan=False)
            (out / "result.json").write_text(text + "\n", encoding="utf-8")

        return self.directory.stage(
            "estimate",
            depends_on={
                "facts": facts.fingerprint,
                "counts": counted.fingerprint,
                "settings": c.flat(),
                "names": [c.name, self.systems, found.kb_figures, found.index_figures],
                "rejects": [dict(found.kb_rejects), dict(found.index_rejects)],
                "truth": None if c.truth is None else content_digest(c.truth),
                "labels": folder and folder.digest,
            },
            build=build,
        )

    def report(self, estimated: Stage, facts: Stage, found: Evidence) -> Stage:
        """Write ``report.html``, and put ``result.json`` beside it."""

        def build(out: Path) -> None:
            result = read_json(estimated.path / "result.json")
            judged = self.table(estimated, "judged")
            given = self.given_names(facts)
            write_report(
                result,
                judged,
                given,
                found,
                self.configuration,
                out / "report.html",
                annotator=read_annotator(estimated.path / ANNOTATOR),
            )

        stage = self.directory.stage(
            "report", depends_on={"estimated": estimated.fingerprint}, build=build
        )
        settings = self.configuration.model_dump_json(indent=1)
        write_whole(self.configuration.run / CONFIGURATION, settings + "\n")
        for name in (ANNOTATOR, "result.json"):
            publish(estimated.path / name, self.configuration.run / name)
        publish(stage.path / "report.html", self.configuration.run / "report.html")
        return stage

    @property
    def partitions(self) -> int:
        """Number of partitions of the wide stages."""
        wanted = self.configuration.spark.partitions
        return wanted or self.spark.sparkContext.defaultParallelism

    def populations(self) -> dict[str, Column]:
        """Return what is sampled: S of every system, and G' where there is a corpus."""
        return score.populations(self.systems, corpus=self.configuration.corpus is not None)

    def given_names(self, facts: Stage) -> DataFrame | None:
        """Return what the systems' facts call their entities; None for extractions."""
        return self.table(facts, "names") if self.configuration.gives_facts else None

    def entity_figures(self, facts: DataFrame, found: Evidence) -> dict[str, int]:
        """Return the number of entities in facts, and of those that are unknown."""
        known, _ = self.entities_and_ids(found)
        row = (
            facts.select(f.explode(f.array("e1", "e2")).alias("entity"))
            .distinct()
            .join(known.select("entity", f.lit(1).alias("known")), "entity", "left")
            .agg(f.count("*").alias("entities"), f.count("known").alias("known"))
            .collect()[0]
        )
        return {"entities": row.entities, "unknown_entities": row.entities - row.known}

    def entities_and_ids(self, found: Evidence) -> tuple[DataFrame, DataFrame]:
        """Return those tables of the knowledge base."""
        paths = found.kb.entities_path, found.kb.ids_path
        entities, ids = (self.spark.read.parquet(str(path)) for path in paths)
        return entities, ids

    def table(self, stage: Stage, name: str) -> DataFrame:
        """Return one of a stage's tables."""
        return self.spark.read.parquet(str(stage.path / name))

    def write(self, table: DataFrame, path: Path) -> None:
        """Write a table into the folder of a stage under way."""
        table.write.parquet(str(path))

    def digests(self, source: Stage, found: Evidence) -> Mapping[str, Any]:
        """Return the digests that the signature shows, eight characters each."""
        read_from = source.notes["digests"]
        baselines = self.configuration.baselines
        return short_digests(read_from["corpus"], read_from["systems"], baselines, found)

    def truth(self, path: Path, judged: DataFrame) -> dict[str, dict[str, float | None]]:
        """Return the true figures of every system on a corpus whose truth is known."""
        known = read_truth(path)
        found: dict[str, set[Fact]] = {name: set() for name in self.systems}
        by_system = judged.select(f.explode("systems").alias("system"), *superset.FACT)
        for system, *fact in by_system.collect():
            found[system].add(Fact(*fact))
        return {name: true_figures(facts, known) for name, facts in found.items()}


def corpus_figures(annotated: DataFrame) -> dict[str, int]:
    """Return the figures of an annotated corpus that a result shows."""
    row = annotated.agg(
        f.count("*").alias("sentences"),
        f.countDistinct("document").alias("documents"),
        f.coalesce(f.sum(f.size("mentions")), f.lit(0)).alias("mentions"),
        f.coalesce(
            f.sum((f.size(f.array_distinct("mentions.entity")) > 1).cast("int")), f.lit(0)
        ).alias("sentences_with_pair"),
    ).collect()[0]
    words = annotated.select(f.explode("relation_words").alias("word")).distinct().count()
    return {**row.asDict(), "relation_words": words}


def how_matched(judged: DataFrame) -> list[Match]:
    """Return in what ways facts match, and how many."""
    mediator = f.col("relation").contains("..").alias("mediator")
    groups = judged.where("matched").groupBy("systems", "inverse", mediator).count()
    return [
        Match(tuple(row.systems), row.inverse, row.mediator, row["count"])
        for row in groups.collect()
    ]


def extraction_figures(
    linked: DataFrame, notes: Mapping[str, Mapping[str, Any]], systems: Iterable[str]
) -> dict[str, dict[str, Any]]:
    """Return what became of each system's extractions: every line of its file is in one count."""
    counted: dict[str, dict[str | None, int]] = {name: {} for name in systems}
    for row in linked.groupBy("system", "reason").count().collect():
        counted[row.system][row.reason] = row["count"]
    return {name: accounting(notes.get(name), outcomes) for name, outcomes in counted.items()}


def rejects(source: Stage, facts: Stage, found: Evidence) -> dict[str, dict[str, int]]:
    """Return all records that were skipped, by source and reason."""
    skipped: dict[str, Mapping[str, int]] = {}
    if "sentences" in source.notes:
        crowded = {CROWDED: facts.notes["crowded"]} if facts.notes["crowded"] else {}
        skipped["corpus"] = source.notes["sentences"]["rejected"] | crowded
    notes = source.notes["extractions"]
    skipped |= {f"system {name}": note["rejected"] for name, note in notes.items()}
    skipped |= {"knowledge base": found.kb_rejects, "text index": found.index_rejects}
    return {name: dict(sorted(reasons.items())) for name, reasons in skipped.items() if reasons}


def publish(file: Path, target: Path) -> None:
    """Copy a finished file to where people look for it, whole or not at all."""
    with whole_binary_file(target) as copy:
        copy.write(file.read_bytes())
