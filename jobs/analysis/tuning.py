"""Choosing an annotator and its threshold beside people's labels.

Facts that the database holds are left to it, as in a run: annotators are tried on the others. Each
is tried on the same folds and resamples, so that they can be compared fact by fact.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from evaluator.annotators import ANNOTATORS, Annotator, Kind, Trained, digest_of
from evaluator.annotators.external import TOGETHER
from evaluator.counting.occurrences import Booleans
from evaluator.errors import ConfigurationError
from evaluator.labels.design_file import DESIGN, read_design
from evaluator.model import Item
from evaluator.tuning.choice import Plan
from evaluator.tuning.criteria import WantedPrecision
from evaluator.tuning.curves import Curves, curves
from evaluator.tuning.held_out import Scorer, remembering, untrained
from evaluator.tuning.slices import NamedFacts, Slice, by_counts, by_thirds, sliced
from evaluator.tuning.thresholds import Mask, Scores
from evaluator.tuning.tuning import Tuning, tune
from evaluator.tuning.verdict_figures import resamples
from jobs.evidence.annotator import fact_scores
from jobs.evidence.labelled_evidence import LabelledEvidence

# A model takes dozens of fits; more of them would tell little more.
_REPEATS_OF_TRAINED = 1
_FOLDS_WITHIN = 5


@dataclass(frozen=True)
class Candidate:
    """An annotator to try.

    Attributes
    ----------
    name
        As in a signature, without its threshold: "pmi-proximity-lower".
    scorer
        Its scores; see :data:`evaluator.tuning.held_out.Scorer`.
    at
        Gives the annotator with a threshold, trained on all facts if it is trained.
    settings
        What a run configuration has to say for it, beside the threshold.
    section
        The section of a configuration that holds its ``threshold`` and, if trained, its ``model``.
    trained, probabilities
        Whether it learns from labels, and whether its scores are probabilities.
    """

    name: str
    scorer: Scorer
    at: Callable[[float], Annotator]
    settings: Mapping[str, str]
    section: str
    trained: bool
    probabilities: bool


@dataclass(frozen=True)
class Trial:
    """An annotator that was tried."""

    candidate: Candidate
    tuning: Tuning

    @property
    def name(self) -> str:
        """The annotator's."""
        return self.candidate.name

    @property
    def merit(self) -> float:
        """On held-out facts, to rank by; none is the lowest."""
        merit = self.tuning.merit
        return -np.inf if merit is None or np.isnan(merit.value) else merit.value


def majority(
    ratings: Mapping[str, Mapping[tuple[str, ...], bool]],
) -> dict[Item, bool | None]:
    """Return what most raters say of each fact; None where as many say true as false.

    Raises
    ------
    ConfigurationError
        If something else than facts was judged.
    """
    votes: Counter[Item] = Counter()
    for of in ratings.values():
        for item, said in of.items():
            if len(item) != 3:
                raise ConfigurationError("labels are of facts: e1, r and e2 in place of item")
            votes[item[0], item[1], item[2]] += 1 if said else -1
    return {item: said > 0 if said else None for item, said in votes.items()}


def standing(labels: Path, truth: Mapping[Item, bool]) -> Mapping[Item, float] | None:
    """Return how many facts of its run each labelled fact of a label folder stands for.

    None for a sheet, whose facts were not drawn and stand for themselves.

    Raises
    ------
    InputError
        Where the design of the folder is damaged.
    """
    return read_design(labels).standing(truth) if (labels / DESIGN).exists() else None


def labels_of(found: LabelledEvidence, truth: Mapping[Item, bool]) -> Mask:
    """Return whether each of the facts is true, shape (facts,)."""
    return np.array([truth[item] for item in found.items], bool)


def candidates(
    found: LabelledEvidence,
    label: Mask,
    *,
    weight: Scores | None,
    wanted: Sequence[str],
    seed: int,
    fitted: Annotator | None,
    on_left_out: Callable[[str], None],
) -> Iterator[Candidate]:
    """Yield the wanted annotators that can be tried on labelled facts, the simplest kinds first.

    Every kind that there is, in each of its variants. What is fitted is fitted to the facts without
    their labels; what learns from examples is taken as a run has `fitted` it, since labelled facts
    are not what the database decides. `on_left_out` is told what cannot be made of these facts, and
    why.
    """
    for kind, variant in _kinds(found.evidence.judges):
        name = kind.name_of(variant)
        if not is_wanted(name, wanted):
            continue
        try:
            candidate = (
                _trained(kind, name, found, label, weight=weight, seed=seed)
                if kind.trained
                else _untrained(kind, name, variant, found, fitted)
            )
        except ConfigurationError as error:
            on_left_out(f"{name}: {error}")
        else:
            yield candidate


def _kinds(judges: Sequence[str]) -> Iterator[tuple[Kind, Mapping[str, str]]]:
    together = TOGETHER if len(judges) > 1 else ()
    of_judges = [{"use": use} for use in (*judges, *together)]
    for kind in sorted(ANNOTATORS.values(), key=lambda kind: (kind.trained, kind.fitted)):
        for variant in of_judges if kind.judges else kind.variants:
            yield kind, variant


def _untrained(
    kind: Kind,
    name: str,
    variant: Mapping[str, str],
    found: LabelledEvidence,
    fitted: Annotator | None,
) -> Candidate:
    for setting, what in kind.needs.items():
        raise ConfigurationError(f"it needs {kind.section}.{setting}: {what}")
    annotator: Annotator
    if not kind.examples:
        annotator = kind.made({**variant, "threshold": 0.5}, found.population())
    elif isinstance(fitted, kind.annotator):
        annotator = fitted
    else:
        raise ConfigurationError(
            f'no run has fitted it: distval run CONF with annotator = "{name}", then name CONF'
        )
    return _candidate(
        kind,
        name,
        untrained(fact_scores(found.evidence, annotator, found.facts)),
        lambda t: replace(cast(Any, annotator), threshold=t),
        variant,
    )


def _trained(
    kind: Kind,
    name: str,
    found: LabelledEvidence,
    label: Mask,
    *,
    weight: Scores | None,
    seed: int,
) -> Candidate:
    digests = [digest_of(fact) for fact in found.facts]

    def train(facts: Mask, threshold: float, **options: Any) -> Annotator:
        if weight is not None:
            options["weights"] = weight[facts]
        return cast(type[Trained], kind.annotator).train(
            found.evidence.take(facts),
            label[facts],
            [digests[i] for i in np.flatnonzero(facts)],
            seed=seed,
            threshold=threshold,
            **options,
        )

    @remembering
    def score(facts: Mask) -> Scores:
        return fact_scores(found.evidence, train(facts, 0.5, folds=_FOLDS_WITHIN), found.facts)

    everything = np.ones(label.size, bool)
    score(everything)  # whether there are labels enough
    return _candidate(kind, name, score, lambda t: train(everything, t), {})


def _candidate(
    kind: Kind,
    name: str,
    scorer: Scorer,
    at: Callable[[float], Annotator],
    variant: Mapping[str, str],
) -> Candidate:
    settings = {f"{kind.section}.{setting}": value for setting, value in variant.items()}
    return Candidate(
        name=name,
        scorer=scorer,
        at=at,
        settings={"annotator": kind.annotator.NAME, **settings},
        section=kind.section,
        trained=kind.trained,
        probabilities=kind.score == "probability",
    )


def is_wanted(name: str, wanted: Sequence[str]) -> bool:
    """Tell whether an annotator is among those wanted: "pmi" stands for all its variants."""
    return not wanted or any(name == one or name.startswith(f"{one}-") for one in wanted)


def check_names(wanted: Iterable[str], judges: Sequence[str]) -> None:
    """Refuse names, or beginnings of names, that no annotator has, with a ConfigurationError."""
    names = [kind.name_of(variant) for kind, variant in _kinds(judges)]
    for one in wanted:
        if not any(is_wanted(name, [one]) for name in names):
            raise ConfigurationError(f"no annotator is called {one}: there are {', '.join(names)}")


def try_out(
    found: LabelledEvidence,
    label: Booleans,
    *,
    plan: Plan,
    weight: Scores | None = None,
    wanted: Sequence[str] = (),
    per_relation: bool = False,
    least: int = 20,
    fitted: Annotator | None = None,
    on_step: Callable[[str], None] = lambda _: None,
    on_left_out: Callable[[str], None] = lambda _: None,
) -> list[Trial]:
    """Return the annotators with their thresholds, the best on held-out facts first.

    Parameters
    ----------
    found, label
        Evidence and labels of the facts that the database does not hold.
    plan
        How thresholds are chosen and tried.
    weight
        How many facts of a population each stands for, shape (facts,): what is trained, chosen and
        told is then of the population. All alike by default.
    wanted
        Names of annotators, or what they begin with; all if empty.
    per_relation, least
        Whether to try thresholds for each relation, where it has so many true and false facts.
    fitted
        The annotator that a run has fitted to its facts.
    on_step
        Is told the annotator that is tried.
    on_left_out
        Is told which cannot be, and why.

    Raises
    ------
    ConfigurationError
        If no annotator is called so, or none of these can be tried.
    """
    check_names(wanted, found.evidence.judges)
    trials, reasons = [], []

    def leave_out(reason: str) -> None:
        reasons.append(reason)
        on_left_out(reason)

    tried = candidates(
        found,
        label,
        weight=weight,
        wanted=wanted,
        seed=plan.seed,
        fitted=fitted,
        on_left_out=leave_out,
    )
    for candidate in tried:
        on_step(candidate.name)
        repeats = _REPEATS_OF_TRAINED if candidate.trained else plan.repeats
        try:
            tuning = tune(
                candidate.scorer,
                found.items,
                label,
                plan=replace(plan, repeats=repeats),
                groups=found.relation if per_relation else None,
                least=least,
                weight=weight,
            )
        except ConfigurationError as error:  # labels enough to train, but not without a fold
            leave_out(f"{candidate.name}: {error}")
            continue
        trials.append(Trial(candidate, tuning))
    if not trials:
        raise ConfigurationError(f"no annotator can be tried on these labels: {'; '.join(reasons)}")
    # Of equally good ones the simplest, which comes first.
    return sorted(trials, key=lambda trial: -trial.merit)


def slices(
    trial: Trial, found: LabelledEvidence, *, plan: Plan, knows_entities: bool
) -> dict[str, list[Slice]]:
    """Return held-out figures of the facts by what is known of them.

    By the documents that hold the pair; and, with a knowledge base, by its triples of the entity
    that has fewer of them.
    """
    verdicts = trial.tuning.verdicts
    if verdicts is None:
        return {}
    parts = {"documents with the pair": by_counts(found.evidence.pair)}
    if knows_entities:
        unknown = found.degree < 0
        parts["triples of the lesser known entity"] = [
            NamedFacts("not both known", unknown),
            *by_thirds(found.degree, among=~unknown),
        ]
    weights = resamples(len(found.items), count=plan.resamples, seed=plan.seed)
    return {name: sliced(verdicts, of, weights=weights) for name, of in parts.items()}


def curves_of(trial: Trial, label: Booleans, *, plan: Plan, weight: Scores | None = None) -> Curves:
    """Return the curves of an annotator, on scores that have not seen the label.

    `weight` as for :func:`try_out`.
    """
    return curves(
        trial.tuning.score,
        label,
        criterion=plan.criterion,
        weights=resamples(label.size, count=plan.resamples, seed=plan.seed),
        weight=weight,
        probabilities=trial.candidate.probabilities,
        level=plan.level,
    )


def as_json(
    trials: Sequence[Trial],
    curves: Mapping[str, Curves],
    parts: Mapping[str, Sequence[Slice]],
    *,
    plan: Plan,
) -> dict[str, Any]:
    """Return what was found as a JSON object."""
    best = trials[0]
    return {
        "criterion": plan.criterion.name,
        "measure": plan.criterion.measure,
        "level": plan.level,
        "folds": plan.folds,
        "resamples": plan.resamples,
        "seed": plan.seed,
        "recommended": best.name if best.tuning.held_out is not None else None,
        "annotators": {
            trial.name: {
                **trial.tuning.as_json(),
                "behind": _behind(best, trial, plan),
                "curves": curves[trial.name].as_json(),
            }
            for trial in trials
        },
        "slices": {name: [part.as_json() for part in of] for name, of in parts.items()},
    }


def _behind(best: Trial, trial: Trial, plan: Plan) -> dict[str, Any] | None:
    """Return by how much an annotator is behind; None where no measure says it."""
    if best.tuning.merit is None or trial.tuning.merit is None:
        return None
    if isinstance(plan.criterion, WantedPrecision):
        # What misses the precision has no recall to compare: its merit is only an order.
        for figures in (best.tuning.held_out, trial.tuning.held_out):
            reached = figures and figures.precision.value
            if reached is None or reached < plan.criterion.wanted:
                return None
    return best.tuning.merit.minus(trial.tuning.merit, level=plan.level).as_json()
