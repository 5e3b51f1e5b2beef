"""``distval simulate``: worlds whose truth is known, to see whether intervals hold it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated

import typer

from evaluator.errors import ConfigurationError
from evaluator.estimators import WITH_LABELS
from evaluator.intervals import Drawing
from evaluator.simulation import CountsWorld
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
from jobs.cli.checks import Settings, settings_of, within
from jobs.cli.commands import Commands
from jobs.cli.files import FILLS
from jobs.cli.output import Json, console, errors, print_json
from jobs.cli.simulation_tables import coverage_json, coverage_table, show_worlds
from jobs.worlds.settings import Extractor, World

simulate = Commands(
    help="Made worlds with known truth, to test intervals on.",
    no_args_is_help=True,
)

_COUNTS: Settings = {
    "facts": (COUNTED, "Facts of the system, |S|."),
    "candidates": (COUNTED, "Candidates that it lacks, |G′ ∖ S|."),
    "true": (SHARE, "Share of true facts in S."),
    "true_candidates": (SHARE, "Share of true facts in G′ ∖ S."),
    "coverage": (SHARE, "Share of the true facts that the knowledge base holds."),
    "match_precision": (SHARE, "Share of true facts among those that match it."),
    "sensitivity": (SHARE, "Share of the other true facts that the text accepts."),
    "specificity": (SHARE, "Share of the other false facts that the text rejects."),
    "judged": (COUNTED, "Judged facts of S ∖ D."),
    "judged_candidates": (COUNTED, "Judged facts of G′ ∖ (S ∪ D)."),
    "labels": (LABELS, "Facts that people label."),
    "together": (TIMES, "Labelled facts of one document; 1 draws facts one by one."),
    "correlation": (SHARE, "Correlation of the truth of facts of one document."),
    "rater_error": (SHARE, "Chance that an answer is wrong."),
}
_TEXT: Settings = {
    "entities": (MADE, "Entities of the world."),
    "relations": (TIMES, "Relations of the world."),
    "facts": (MADE, "True facts of the world."),
    "sentences": (MADE, "Sentences of the corpus."),
    "documents": (MADE, "Documents of the background text."),
    "coverage": (SHARE, "Share of the true facts that the knowledge base holds."),
    "kb_wrong": (SHARE, "Share of the knowledge base that is not true."),
    "repeats": (SHARE, "Share of the true candidates that background text states."),
    "misleads": (SHARE, "Share of the likely false ones that it seems to state."),
    "besides": (SHARE, "Share of the true candidates named together besides."),
    "untrue": (SHARE, "Share of the statements of the corpus that are not true."),
    "unstated": (SHARE, "How often a sentence holds a true fact that it does not state."),
    "fronted": (SHARE, "How often an object comes first: true, and no candidate."),
    "wrong_links": (SHARE, "Share of the statements whose subject is linked wrongly."),
}
_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@simulate.command("counts", example="distval simulate counts --labels 300 --replicates 500")
@settings_of(CountsWorld, _COUNTS)
def simulate_counts(
    *,
    world: CountsWorld,
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
        within(
            PROCESSES,
            help="Processes side by side; they change no figure.",
            show_default="one a core",
        ),
    ] = _CORES,
    as_json: Json = False,
) -> None:
    """Measure how often intervals hold the truth, on made counts.

    The counts are those of a world that the options describe.
    """
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
@settings_of(World, _TEXT)
def simulate_text(
    *,
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
    world: World,
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
    """Compare whole runs with the truth, on made worlds of text.

    Each world is made, evaluated, labelled and evaluated again.
    """
    from jobs.analysis.simulation import Labelling, summarise
    from jobs.analysis.simulation import simulate as simulate_worlds

    if system:
        world = replace(world, extractors=tuple(map(_extractor, system)))
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
