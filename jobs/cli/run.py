"""``distval run`` and ``distval submit``."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table

from evaluator.errors import ConfigurationError
from evaluator.results.result import Matching, Result, SystemResult
from evaluator.wordings import plural
from jobs.cli.files import READS
from jobs.cli.looks import telling_systems
from jobs.cli.measures import about_labels, measures_table, not_claimed
from jobs.cli.output import (
    Json,
    console,
    errors,
    number,
    print_json,
    print_line,
    progress,
    show_account,
    skipped,
    table,
    with_interval,
)
from jobs.config import Configuration

Conf = Annotated[Path, typer.Argument(metavar="CONF", help="Run configuration (TOML)."), READS]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Replace a setting, e.g. pmi.threshold=0.2."),
]


def run(
    conf: Conf,
    override: Set = None,
    verify: Annotated[
        Path | None,
        typer.Option(
            metavar="RESULT",
            help="Recompute everything in a folder of its own and compare with this result.json; "
            "exit code 1 where it differs.",
        ),
        READS,
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(help="Label folder: take people's answers into the estimate."),
        READS,
    ] = None,
    engine: Annotated[
        Literal["auto", "local", "spark"] | None,
        typer.Option(
            help="What runs the job: this machine's processes, or Spark. No figure changes."
        ),
    ] = None,
    no_report: Annotated[
        bool, typer.Option("--no-report", help="Leave out report.html: figures alone, sooner.")
    ] = False,
    submitted: Annotated[bool, typer.Option(hidden=True)] = False,
    as_json: Json = False,
) -> None:
    """Evaluate the systems of a configuration.

    Stages whose inputs, settings and code have not changed are kept.
    """
    overrides = _with_labels(override, labels)
    overrides += [f"engine={engine}"] if engine else []
    configuration = Configuration.load(conf, overrides=overrides)
    if verify is not None:
        _verify(verify, configuration, as_json=as_json)
        return
    from jobs.run.pipeline import run as run_pipeline

    with progress() as on_stage:
        run_pipeline(
            configuration,
            on_stage=telling_systems(configuration.files, on_stage),
            on_engine=lambda chosen: errors.print(f"  engine {chosen}", highlight=False),
            on_account=show_account,
            on_progress=on_stage.on_progress,
            submitted=submitted,
            page=not no_report,
        )
    if not submitted:  # else the command that submitted shows the result
        _show(configuration, as_json=as_json)


def submit(
    conf: Conf,
    master: Annotated[
        str | None, typer.Option(help="Spark master URL: spark://host:7077, yarn, k8s://…")
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A profile of the cluster: a TOML file, or one of local, standalone, yarn, "
            "kubernetes, slurm (conf/cluster).",
        ),
    ] = None,
    storage: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A folder that all nodes reach, for a cluster that shares no other: hdfs://…, "
            "s3a://…, or a path. Wins over the profile's.",
        ),
    ] = None,
    override: Set = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--conf", metavar="KEY=VALUE", help="A Spark setting; may be repeated."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the command, and do nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Run CONF on a cluster, through spark-submit."""
    from jobs.spark import submission
    from jobs.spark.environment import cache_folder
    from jobs.spark.profile import read_profile
    from jobs.spark.settings import storage_url
    from jobs.spark.slurm import beside_run, run_in_slurm, slurm_script

    overrides = [*(override or ())]
    overrides += [] if storage is None else [f"spark.storage={json.dumps(storage)}"]
    configuration = Configuration.load(conf, overrides=overrides)
    for setting in option or ():
        if "=" not in setting:
            raise ConfigurationError(f"--conf {setting}: expected KEY=VALUE")
    if (master is None) == (profile is None):
        raise ConfigurationError("name the cluster: --master URL, or --profile NAME")
    cluster = None if profile is None else read_profile(profile, beside=conf)
    place = configuration.spark.storage
    if place is None and cluster is not None and cluster.storage is not None:
        place = cluster.storage
        overrides.append(f"spark.storage={json.dumps(place)}")
    asked = submission.submission(
        conf.stem,
        master=master,
        profile=cluster,
        settings=dict(setting.partition("=")[::2] for setting in option or ()),
        index_memory=configuration.index.memory,
        archives=cache_folder(),
        storage=place is not None,
        dry=dry_run,
    )
    job = ["run", str(conf.absolute()), "--submitted"]
    job += [part for one in overrides for part in ("--set", one)]
    slurm = cluster is not None and cluster.slurm is not None
    if dry_run:
        if place is not None:
            _tell_places(storage_url(place))
        files = Path("distval-submit")
        if slurm:
            assert cluster is not None
            print_line(slurm_script(cluster, asked, job, files, name=conf.stem).rstrip())
        else:
            command = submission.command_line(asked, job, files)
            print_line(submission.as_shell(command, asked.environment))
        return
    if slurm:
        assert cluster is not None
        code = run_in_slurm(cluster, asked, job, beside_run(configuration.run), name=conf.stem)
    else:
        code = submission.run_submitted(asked, job)
    if code:
        raise typer.Exit(code)
    _show(configuration, as_json=as_json)


def _tell_places(storage: str) -> None:
    """Say what a run would put into its storage, beside the command that is printed."""
    what = {
        "evidence": "knowledge base and index, to stay",
        "runs": "tables of the run, until it ends",
    }
    for folder, put in what.items():
        print_line(f"  {storage}/{folder}  {put}", to=errors)


def _with_labels(override: Sequence[str] | None, labels: Path | None) -> list[str]:
    """Return the settings to replace; ``--labels`` is short for one of them."""
    given = list(override or ())
    return (
        given
        if labels is None
        else [*given, f"labels.path={json.dumps(str(labels), ensure_ascii=False)}"]
    )


def _verify(path: Path, configuration: Configuration, *, as_json: bool) -> None:
    """Compare a result with what is recomputed; exit with 1 where they differ."""
    from jobs.run.verification import read_result
    from jobs.run.verification import verify as recompute

    claimed = read_result(path)

    def tell(differing: Sequence[object]) -> None:
        errors.print("differs, by the signature:", highlight=False)
        for one in differing:
            errors.print(f"  {one}", markup=False, highlight=False, soft_wrap=True)

    with progress() as on_stage:
        found = recompute(configuration, claimed, on_stage=on_stage, on_differing=tell)
    if as_json:
        print_json(found.as_json())
    elif found.equal:
        console.print(
            f"{path}: recomputed, {found.compared:,} values equal", markup=False, soft_wrap=True
        )
    else:
        for one in (*found.signature, *found.figures):
            console.print(str(one), markup=False, highlight=False, soft_wrap=True)
    if not found.equal:
        raise typer.Exit(1)


def _show(configuration: Configuration, *, as_json: bool) -> None:
    result = Result.read(configuration.run / "result.json")
    if as_json:
        print_json(result.as_json())
        return
    show_result(result, run=str(configuration.run))
    for file in (configuration.run / name for name in ("report.html", "result.json")):
        if file.exists():
            console.print(str(file), markup=False, highlight=False, soft_wrap=True)


def show_result(result: Result, *, run: str = "RUN") -> None:
    """Print the tables of a result; `run` is the directory of its run, as a command names it."""
    from evaluator.report.annotator import score_word

    undefined = f"{score_word(result.annotator.name)} undefined"
    systems, corpus = result.systems, result.corpus
    console.print(_accounts(systems, corpus=corpus is not None))
    regions = "abcd" if corpus else "ab"
    paper = result.settings.get("estimate.method") == "paper"
    rest = "G′ undefined" if paper else "G′∖S undefined"
    title = "Regions, in facts" + (", annotator-relative" if result.labels else "")
    console.print(
        table(
            f"{title} (|G′| = {corpus.candidates:,})" if corpus else title,
            ["system", *regions, "S not correct", "S undefined", *([rest] if corpus else [])],
            [
                [
                    name,
                    *(with_interval(s.regions[region], number) for region in regions),
                    with_interval(s.rejected, number),
                    *(with_interval(of, number) for of in s.undefined_facts.values() if of),
                ]
                for name, s in systems.items()
            ],
        )
    )
    for name, s in systems.items():
        reasons = ", ".join(f"{n:,} {why}" for why, n in s.undefined_reasons.items())
        if reasons:
            console.print(f"{undefined} for {name}: {reasons}", highlight=False)
    console.print(_matching(result.matching, by_words=result.by_words), highlight=False)
    for line in not_claimed(result):
        print_line(line)
    console.print(measures_table(result))
    if result.recall_within is None:
        console.print("Recall needs the corpus, and these facts are given without it.")
    else:
        print_line(result.recall_within.means)
    if result.truth:
        console.print("This corpus is made: its truth is known and stands below each estimate.")
    for line in about_labels(result, run=run):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    for source, skipped_there in result.rejects.items():
        skipped(skipped_there, f"records of {source}")
    console.print(f"[bold]Signature[/bold] {result.signature}", soft_wrap=True, highlight=False)


def _accounts(systems: Mapping[str, SystemResult], *, corpus: bool) -> Table:
    """Return the table of what became of each system's records."""
    columns: dict[str, Callable[[SystemResult], float | None]] = {
        "read": lambda s: s.extractions.read,
        "rejected": lambda s: sum(s.extractions.rejected.values()),
        "no sentence": lambda s: s.extractions.unaligned,
        "out of scope": lambda s: sum(s.extractions.out_of_scope.values()),
        "in scope": lambda s: s.extractions.in_scope,
        "facts S": lambda s: s.facts,
        "S∖G′": lambda s: s.outside_candidates,
    }
    if not corpus:
        del columns["no sentence"], columns["S∖G′"]
    return table(
        "What became of the extractions" if corpus else "What became of the given facts",
        ["system", *columns],
        [[name, *(number(count(s)) for count in columns.values())] for name, s in systems.items()],
    )


def _matching(figures: Matching, *, by_words: bool) -> str:
    """Return how facts matched in the database, in one line."""
    told = f"In the knowledge base: {plural(figures.matched, 'fact')} of S and G′"
    ways = [
        f"{facts:,} {way}"
        for facts, way in (
            (figures.inverse, "by an inverse"),
            (figures.through_mediators, "through a mediator"),
        )
        if facts
    ]
    told += f", {', '.join(ways)}" if ways else ""
    told += ", relations compared by their words alone" if by_words else ""
    unknown, entities = figures.unknown_entities, figures.entities
    return f"{told}; {unknown:,} of {entities:,} entities unknown to it" if unknown else told
