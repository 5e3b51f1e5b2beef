"""What a run and its labels tell a plan of costs: the classes of the judge, and their worth."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from evaluator.errors import ConfigurationError
from evaluator.intervals import Drawing
from evaluator.labels.cost_plan import PILOT, PricedClass
from jobs.analysis.comparison import FinishedRun, one_system
from jobs.config import LabelsSettings
from jobs.run.judged_table import JudgedTable
from jobs.run.label_folder import LabelFolder

_PRIOR = 1.0  # labels' worth of the share over all classes, for a class with few labels


class Pilot(NamedTuple):
    """What is known of a system before a plan.

    Attributes
    ----------
    system
        Its name.
    annotator
        The judge: the annotator of the run, as signatures name it.
    population
        Facts of the system.
    labels
        Of these, so many have an answer.
    classes
        Of the judge.
    """

    system: str
    annotator: str
    population: int
    labels: int
    classes: list[PricedClass]


def pilot(run: Path, folder: Path, system: str | None) -> Pilot:
    """Return what the labels so far tell of the annotator of a run.

    Raises
    ------
    ConfigurationError
        If the run has no such system, or several and none is named, or there are fewer labels of
        its facts than a plan can rest on.
    InputError
        Where run or labels cannot be used.
    """
    finished = FinishedRun.open(run)
    name = one_system(finished.result.systems, system or "", run, "with --system")
    labels = LabelFolder.open(folder)
    table = JudgedTable(run, labels.stratification.known_cuts())
    judged: Counter[str] = Counter()
    matched = unjudged = 0
    for fact, number in table.kinds().items():
        if name not in fact.systems:
            continue
        place = labels.stratification.place(fact).name
        if fact.matched:
            matched += number
        elif place is None:
            unjudged += number
        else:
            judged[place] += number
    settings = LabelsSettings(raters="majority")
    said = labels.told(table.look_up(labels.facts()), settings, Drawing(seed=0))
    answers: dict[str, list[float]] = defaultdict(list)
    for labelled in said.world:
        if name in labelled.systems:
            answers[str(labelled.place.name)].append(labelled.truth)
    total = sum(map(len, answers.values()))
    if total < PILOT:
        raise ConfigurationError(
            f"{folder}: {total} labelled facts of {name}; a plan takes {PILOT} at least. Label a "
            f"pilot first: distval label draw {run} --budget {2 * PILOT}"
        )
    rest = sum(judged.values())
    sizes = {place: (rest + unjudged) * number / rest for place, number in judged.items()}
    if matched:
        sizes["matched"] = float(matched)
    population = matched + rest + unjudged
    known = {place: sum(of) / len(of) for place, of in answers.items() if place in sizes}
    weight = sum(sizes[place] for place in known) or 1
    overall = sum(sizes[place] * share for place, share in known.items()) / weight
    classes = [
        PricedClass(
            place,
            size / population,
            (sum(answers[place]) + _PRIOR * overall) / (len(answers[place]) + _PRIOR),
        )
        for place, size in sorted(sizes.items())
    ]
    return Pilot(name, finished.result.annotator.signature, population, total, classes)
