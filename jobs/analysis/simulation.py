"""Worlds of known truth through the whole pipeline: whether estimates hold what they say.

For every seed a world is made (:mod:`jobs.worlds`) and evaluated like any corpus: the pipeline
runs, facts are drawn, raters fill the sheets, the answers are taken in, and the pipeline runs again
with them. Nothing is told to any of these steps but files. What comes out is compared with what is
true.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from evaluator.errors import ConfigurationError, InputError
from evaluator.estimators.labelled import LabelledEstimate
from evaluator.intervals import Estimate
from evaluator.labels.answers import gather
from evaluator.labels.design_file import read_questions
from evaluator.labels.label import LINK_WRONG, Label, stated_word
from evaluator.labels.questions import Question
from evaluator.labels.sheet_formats import write_cells
from evaluator.labels.sheets import COLUMNS, read_rows
from evaluator.model import Rejects
from evaluator.report.labels import known
from evaluator.results.result import SystemResult
from jobs.config import Configuration
from jobs.labels.draw import DrawChoice, draw
from jobs.run.pipeline import run
from jobs.run.result import true_figures
from jobs.worlds.making import Made, make_world
from jobs.worlds.raters import rate
from jobs.worlds.settings import Rater, World

MEASURES = ("precision", "recall", "f1")


@dataclass(frozen=True, kw_only=True)
class Labelling:
    """How much is labelled, and by whom.

    Attributes
    ----------
    budget
        Facts to label.
    raters
        Number of raters; they take turns.
    error
        Probability of each answer to be the wrong one.
    double
        Share of the facts that all raters label.
    """

    budget: int = 200
    raters: int = 1
    error: float = 0.0
    double: float = 0.0

    def __post_init__(self) -> None:
        if self.raters < 1:
            raise ConfigurationError(f"{self.raters} raters: somebody has to label")
        self.choice.check()
        Rater(name="rater", error=self.error)

    @property
    def choice(self) -> DrawChoice:
        """What is asked of the draw."""
        names = tuple(f"rater{number}" for number in range(1, self.raters + 1))
        return DrawChoice(self.budget, names, double=self.double, each=max(self.raters, 2))

    @property
    def folder(self) -> str:
        """Name of the label folder."""
        return f"labels-{self.budget}-{self.raters}-{self.error:g}-{self.double:g}"

    def __str__(self) -> str:
        """Say it in a few words."""
        raters = "1 rater" if self.raters == 1 else f"{self.raters} raters"
        double = f", {self.double:.0%} of the facts by all" if self.double else ""
        return f"{self.budget:,} facts labelled by {raters} with {self.error:.0%} error{double}"


class Outcome(NamedTuple):
    """What came out for one system of one world with one labelling.

    Attributes
    ----------
    seed, system
        The world and the system.
    labelling
        How it was labelled.
    labels
        Labelled facts in S, and in G′ ∖ S.
    truth
        The true precision, recall and F, within the system's own G′ ∪ S.
    annotator, labelled
        The estimates without and with labels, by measure, as in a result.
    claims
        What the intervals with labels claim, by measure.
    """

    seed: int
    system: str
    labelling: Labelling
    labels: tuple[int, int | None]
    truth: Mapping[str, float]
    annotator: Mapping[str, Estimate]
    labelled: Mapping[str, Estimate]
    claims: Mapping[str, str]

    def holds(self, measure: str) -> bool:
        """Tell whether the interval from labels holds the truth."""
        return self.labelled[measure].holds(self.truth[measure])

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as a JSON object."""
        return {
            **self._asdict(),
            "labelling": vars(self.labelling),
            "labels": list(self.labels),
            "annotator": {measure: one.as_json() for measure, one in self.annotator.items()},
            "labelled": {measure: one.as_json() for measure, one in self.labelled.items()},
            "holds": {measure: self.holds(measure) for measure in MEASURES},
        }


class Summary(NamedTuple):
    """One measure of one system over all seeds.

    Attributes
    ----------
    labelling, system, measure
        Of what.
    seeds
        Number of worlds.
    truth
        Mean true value.
    held, held_by_annotator
        Worlds whose truth is inside the interval from labels, and inside the annotator-relative
        one.
    error, annotator_error
        Mean difference from the truth of the estimates with and without labels; None where none
        could be made.
    width
        Mean width of the intervals from labels; None where there are none.
    few
        Worlds whose labels are too few to claim the level for the interval.
    """

    labelling: Labelling
    system: str
    measure: str
    seeds: int
    truth: float
    held: int
    held_by_annotator: int
    error: float | None
    annotator_error: float | None
    width: float | None
    few: int

    def as_json(self) -> dict[str, Any]:
        """Return the summary as a JSON object."""
        return {**self._asdict(), "labelling": vars(self.labelling)}


def simulate(
    world: World,
    labellings: Sequence[Labelling],
    *,
    seeds: Iterable[int],
    out: Path,
    overrides: Sequence[str] = (),
    on_stage: Callable[[int, str], None] = lambda _seed, _stage: None,
) -> Iterator[Outcome]:
    """Yield what comes out, world by world.

    Parameters
    ----------
    world
        The settings of the worlds but for their seed.
    labellings
        Each world is run through the pipeline once, and then once with each of these.
    seeds
        One world each.
    out
        Folder that receives a folder for each world.
    overrides
        Settings of the runs, as :meth:`jobs.config.Configuration.load` takes them.
    on_stage
        Told the seed and what is done now.

    Raises
    ------
    InputError, ConfigurationError
        What a world, a run or a draw refuses.
    """
    for seed in seeds:
        on_stage(seed, "world")
        made = make_world(replace(world, seed=seed), out / f"seed-{seed}")
        yield from _evaluated(made, labellings, overrides, partial(on_stage, seed))


def _evaluated(
    made: Made,
    labellings: Sequence[Labelling],
    settings: Sequence[str],
    on_stage: Callable[[str], None],
) -> Iterator[Outcome]:
    def tell(name: str, kept: bool) -> None:
        if not kept:
            on_stage(name)

    configuration = Configuration.load(made.configuration, overrides=settings)
    run(configuration, on_stage=tell, page=False)
    for labelling in labellings:
        folder = made.folder / labelling.folder
        on_stage("labels")
        shutil.rmtree(folder, ignore_errors=True)  # or the same facts would be drawn to it again
        design = draw(configuration.run, folder, labelling.choice)
        answer(made, folder, map(Path, design["sheets"]), error=labelling.error)
        with_labels = [*settings, f"labels.path={json.dumps(str(folder.resolve()))}"]
        again = Configuration.load(made.configuration, overrides=with_labels)
        result = run(again, on_stage=tell, page=False)
        for name, system in result.systems.items():
            if system.world is not None:
                yield _outcome(made, name, labelling, system, system.world)


def answer(made: Made, folder: Path, sheets: Iterable[Path], *, error: float) -> None:
    """Fill the sheets of a label folder as raters with a chance of `error` do, and take them in.

    A rater sees what the sheet says, and knows what is true of the world.

    Raises
    ------
    InputError
        Where an answer is not taken in.
    """

    def labels(name: str, asked: Sequence[Question]) -> list[Label]:
        return rate(made, asked, Rater(name=name, error=error), made.world.random(f"rater {name}"))

    fill_sheets(folder, sheets, labels)


def fill_sheets(
    folder: Path,
    sheets: Iterable[Path],
    labels: Callable[[str, Sequence[Question]], Iterable[Label]],
) -> None:
    """Fill the sheets of a label folder, and take them in.

    Parameters
    ----------
    folder, sheets
        The label folder and its sheets, which are named after their raters.
    labels
        What a rater, given by name, says of questions; a label for each.

    Raises
    ------
    InputError
        Where an answer is not taken in.
    """
    questions = {question.id: question for question in read_questions(folder)}
    paths = list(sheets)
    rejects = Rejects()
    for path in paths:
        rows = read_rows(path, rejects=rejects)
        asked = [questions[row.id] for row in rows]
        said = {label.item: label for label in labels(path.stem, asked)}
        filled = (_row(question, said[question[1:4]]) for question in asked)
        write_cells(path, COLUMNS, filled)
    gather(folder, paths, rejects=rejects)
    if rejects.total:
        raise InputError(folder, f"answers were not taken in: {dict(rejects.counts)}")


def _row(question: Question, label: Label) -> dict[str, str]:
    said = LINK_WRONG if label.link_wrong else "true" if label.label else "false"
    return {
        **question._asdict(),
        "label": said,
        "stated": stated_word(label.stated),
        "rater": label.rater,
    }


def truth_of(made: Made, system: str) -> dict[str, float]:
    """Return the true precision, recall and F of a system of a world.

    Recall is of the true facts in the candidates and in the system itself: what another system
    states besides, no estimate of this one knows of.
    """
    facts = set(made.systems[system])
    figures = true_figures(facts, set(made.true & (made.candidates | facts)))
    return {measure: figures[measure] or 0.0 for measure in MEASURES}


def _outcome(
    made: Made, name: str, labelling: Labelling, system: SystemResult, labelled: LabelledEstimate
) -> Outcome:
    return Outcome(
        seed=made.world.seed,
        system=name,
        labelling=labelling,
        labels=labelled.labels,
        truth=truth_of(made, name),
        annotator=known({measure: getattr(system, measure) for measure in MEASURES}),
        labelled=known({measure: getattr(labelled, measure) for measure in MEASURES}),
        claims=labelled.claims,
    )


def summarise(outcomes: Iterable[Outcome]) -> list[Summary]:
    """Return the outcomes of all seeds together: by labelling, system and measure."""
    together: dict[tuple[Labelling, str], list[Outcome]] = {}
    for outcome in outcomes:
        together.setdefault((outcome.labelling, outcome.system), []).append(outcome)
    return [
        _summary(labelling, system, measure, of)
        for (labelling, system), of in together.items()
        for measure in MEASURES
    ]


def _summary(labelling: Labelling, system: str, measure: str, of: Sequence[Outcome]) -> Summary:
    widths = [width for o in of if (width := o.labelled[measure].width) is not None]
    return Summary(
        labelling,
        system,
        measure,
        seeds=len(of),
        truth=sum(o.truth[measure] for o in of) / len(of),
        held=sum(o.holds(measure) for o in of),
        held_by_annotator=sum(o.annotator[measure].holds(o.truth[measure]) for o in of),
        error=_mean_error(of, lambda o: o.labelled[measure], measure),
        annotator_error=_mean_error(of, lambda o: o.annotator[measure], measure),
        width=sum(widths) / len(widths) if widths else None,
        few=sum(o.claims[measure] == "few labels" for o in of),
    )


def _mean_error(
    of: Iterable[Outcome], estimate: Callable[[Outcome], Estimate], measure: str
) -> float | None:
    errors = [value - o.truth[measure] for o in of if (value := estimate(o).value) is not None]
    return sum(errors) / len(errors) if errors else None
