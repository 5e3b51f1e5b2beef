"""``distval simulate``: worlds whose truth is known, to see whether intervals hold it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated, Any

import typer

from evaluator.errors import ConfigurationError
from evaluator.estimators import WITH_LABELS
from evaluator.intervals import Drawing
from evaluator.simulation import World as CountsWorld
from jobs.analysis.simulated_coverage import ANNOTATOR_ALONE, coverage_of
from jobs.bounds import (
    COUNTED,
    DRAWS,
    LABELS,
    LEVEL,
    MADE,
    PROCESSES,
    RESAMPLES,
    SEED,
    SHARE,
    TIMES,
)
from jobs.cli.checks import within
from jobs.cli.commands import Commands
from jobs.cli.files import FILLS
from jobs.cli.output import Json, console, errors, print_json
from jobs.cli.simulation_tables import coverage_json, coverage_table, show_worlds
from jobs.worlds.settings import Extractor, World

simulate = Commands(
    help="Worlds whose truth is known, to try intervals on.",
    no_args_is_help=True,
)

_COUNTS, _TEXT = CountsWorld(), World()
_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@simulate.command("counts", example="distval simulate counts --labels 300 --replicates 500")
def simulate_counts(
    facts: Annotated[int, within(COUNTED, help="Facts of the system, |S|.")] = _COUNTS.facts,
    candidates: Annotated[
        int,
        within(COUNTED, help="Candidates that it lacks, |G′ ∖ S|."),
    ] = _COUNTS.candidates,
    true: Annotated[float, within(SHARE, help="Share of true facts in S.")] = _COUNTS.true,
    true_candidates: Annotated[
        float, within(SHARE, help="Share of true facts in G′ ∖ S.")
    ] = _COUNTS.true_candidates,
    coverage: Annotated[
        float, within(SHARE, help="Share of the true facts that the knowledge base holds.")
    ] = _COUNTS.coverage,
    match_precision: Annotated[
        float,
        within(SHARE, help="Share of true facts among those that match it."),
    ] = _COUNTS.match_precision,
    sensitivity: Annotated[
        float, within(SHARE, help="Share of the other true facts that the text accepts.")
    ] = _COUNTS.sensitivity,
    specificity: Annotated[
        float, within(SHARE, help="Share of the other false facts that the text rejects.")
    ] = _COUNTS.specificity,
    judged: Annotated[int, within(COUNTED, help="Judged facts of S ∖ D.")] = _COUNTS.judged,
    judged_candidates: Annotated[
        int, within(COUNTED, help="Judged facts of G′ ∖ (S ∪ D).")
    ] = _COUNTS.judged_candidates,
    labels: Annotated[int, within(LABELS, help="Facts that people label.")] = _COUNTS.labels,
    together: Annotated[
        int, within(TIMES, help="Labelled facts of one document; 1 draws facts one by one.")
    ] = _COUNTS.together,
    correlation: Annotated[
        float, within(SHARE, help="Correlation of the truth of facts of one document.")
    ] = _COUNTS.correlation,
    rater_error: Annotated[
        float, within(SHARE, help="Chance that an answer is wrong.")
    ] = _COUNTS.rater_error,
    estimator: Annotated[
        list[str] | None,
        typer.Option(
            help=f"{', '.join([*WITH_LABELS, ANNOTATOR_ALONE])}; may be repeated.",
            show_default=False,
        ),
    ] = None,
    replicates: Annotated[int, within(RESAMPLES, help="Times that labels are drawn.")] = 2_000,
    seed: Annotated[int, within(SEED, help="Seed of the first replicate.")] = 1,
    level: Annotated[float, within(LEVEL, help="Level of the intervals.")] = 0.95,
    draws: Annotated[int, within(DRAWS, help="Posterior draws of an estimate.")] = 1_000,
    processes: Annotated[
        int,
        within(PROCESSES, help="Side by side; changes no figure."),
    ] = _CORES,
    as_json: Json = False,
) -> None:
    """Tell how often intervals hold the truth of counts.

    The counts are those of a world that the options describe.
    """
    world = CountsWorld(
        facts=facts,
        candidates=candidates,
        true=true,
        true_candidates=true_candidates,
        coverage=coverage,
        match_precision=match_precision,
        sensitivity=sensitivity,
        specificity=specificity,
        judged=judged,
        judged_candidates=judged_candidates,
        labels=labels,
        together=together,
        correlation=correlation,
        rater_error=rater_error,
    )
    names = list(dict.fromkeys(estimator or ("chain-rule", "labels-only", ANNOTATOR_ALONE)))
    known = (*WITH_LABELS, ANNOTATOR_ALONE)
    for name in names:
        if name not in known:
            raise ConfigurationError(f"--estimator {name}: expected one of {', '.join(known)}")
    begun = perf_counter()
    with errors.status(f"{replicates:,} replicates …"):
        found = coverage_of(
            world,
            names,
            Drawing(level=level, draws=draws, seed=seed),
            replicates=replicates,
            processes=processes,
        )
    seconds = perf_counter() - begun
    if as_json:
        print_json(
            {
                "world": asdict(world),
                "replicates": replicates,
                "seed": seed,
                "level": level,
                "draws": draws,
                "truth": world.truth(),
                "estimators": {
                    name: {measure: coverage_json(name, c) for measure, c in of.items()}
                    for name, of in found.items()
                },
            }
        )
        return
    console.print(coverage_table(world, found, replicates=replicates, level=level))
    made = len(names) * replicates
    errors.print(
        f"{made:,} estimates in {seconds:.1f} s, {60 * made / seconds:,.0f} a minute",
        highlight=False,
    )


@simulate.command("text", example="distval simulate text --seeds 5 --budget 200")
def simulate_text(
    seeds: Annotated[int, within(MADE, help="Number of worlds: seeds 1, 2, 3, …")] = 20,
    seed: Annotated[
        int | None,
        within(SEED, help="Only the world of this seed.", show_default=False),
    ] = None,
    budget: Annotated[
        list[int] | None, within(LABELS, help="Facts to label; may be repeated.  [default: 200]")
    ] = None,
    raters: Annotated[int, within(TIMES, help="Raters; they take turns.")] = 1,
    rater_error: Annotated[float, within(SHARE, help="Chance that an answer is wrong.")] = 0.0,
    double: Annotated[
        float,
        within(SHARE, help="Share of the facts that all raters label."),
    ] = 0.0,
    system: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=P,R",
            help="A system with its precision and recall; may be repeated.  "
            "[default: careful=0.8,0.3 greedy=0.45,0.6]",
        ),
    ] = None,
    entities: Annotated[int, within(MADE, help="Entities of the world.")] = _TEXT.entities,
    relations: Annotated[int, within(TIMES, help="Relations of the world.")] = _TEXT.relations,
    facts: Annotated[int, within(MADE, help="True facts of the world.")] = _TEXT.facts,
    sentences: Annotated[int, within(MADE, help="Sentences of the corpus.")] = _TEXT.sentences,
    documents: Annotated[
        int, within(MADE, help="Documents of the background text.")
    ] = _TEXT.documents,
    coverage: Annotated[
        float, within(SHARE, help="Share of the true facts that the knowledge base holds.")
    ] = _TEXT.coverage,
    kb_wrong: Annotated[
        float,
        within(SHARE, help="Share of the knowledge base that is not true."),
    ] = _TEXT.kb_wrong,
    repeats: Annotated[
        float, within(SHARE, help="Share of the true candidates that background text states.")
    ] = _TEXT.repeats,
    misleads: Annotated[
        float, within(SHARE, help="Share of the likely false ones that it seems to state.")
    ] = _TEXT.misleads,
    besides: Annotated[
        float, within(SHARE, help="Share of the true candidates named together besides.")
    ] = _TEXT.besides,
    untrue: Annotated[
        float, within(SHARE, help="Share of the statements of the corpus that are not true.")
    ] = _TEXT.untrue,
    unstated: Annotated[
        float, within(SHARE, help="How often a sentence holds a true fact that it does not state.")
    ] = _TEXT.unstated,
    fronted: Annotated[
        float, within(SHARE, help="How often an object comes first: true, and no candidate.")
    ] = _TEXT.fronted,
    wrong_links: Annotated[
        float, within(SHARE, help="Share of the statements whose subject is linked wrongly.")
    ] = _TEXT.wrong_links,
    override: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of the runs; as for run."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder to keep worlds and runs in.", show_default=False),
        FILLS,
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare whole runs on worlds of text with the truth.

    Each world is made, evaluated, labelled and evaluated again.
    """
    from jobs.analysis.simulation import Labelling, summarise
    from jobs.analysis.simulation import simulate as simulate_worlds

    settings: dict[str, Any] = {"extractors": tuple(map(_extractor, system))} if system else {}
    world = World(
        entities=entities,
        relations=relations,
        facts=facts,
        sentences=sentences,
        documents=documents,
        coverage=coverage,
        kb_wrong=kb_wrong,
        repeats=repeats,
        misleads=misleads,
        besides=besides,
        untrue=untrue,
        unstated=unstated,
        fronted=fronted,
        wrong_links=wrong_links,
        **settings,
    )
    labellings = [
        Labelling(budget=size, raters=raters, error=rater_error, double=double)
        for size in dict.fromkeys(budget or [200])
    ]
    chosen = range(1, seeds + 1) if seed is None else [seed]
    with _folder(out) as folder, errors.status("starting") as status:
        outcomes = list(
            simulate_worlds(
                world,
                labellings,
                seeds=chosen,
                out=folder,
                overrides=override or (),
                on_stage=lambda s, stage: status.update(f"seed {s}: {stage} …"),
            )
        )
    summaries = summarise(outcomes)
    if as_json:
        print_json(
            {
                "world": asdict(world),
                "outcomes": [outcome.as_json() for outcome in outcomes],
                "summaries": [summary.as_json() for summary in summaries],
            }
        )
        return
    show_worlds(outcomes, summaries)


def _extractor(text: str) -> Extractor:
    """Return the system of ``NAME=P,R``."""
    name, _, figures = text.partition("=")
    try:
        precision, recall = map(float, figures.split(","))
    except ValueError:
        raise ConfigurationError(f"--system {text}: expected NAME=P,R, e.g. mine=0.6,0.3") from None
    return Extractor(name=name, precision=precision, recall=recall)


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    if out is not None:
        yield out
        return
    with TemporaryDirectory(prefix="distval-") as folder:
        yield Path(folder)
