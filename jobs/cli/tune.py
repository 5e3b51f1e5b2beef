"""``distval tune``: an annotator and its threshold, chosen by labels."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version as installed
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from evaluator.errors import ConfigurationError
from evaluator.labels.rating_files import read_ratings
from evaluator.model import Rejects
from evaluator.tuning.criteria import Criterion, criterion
from jobs.bounds import MADE, SEED, WORDS
from jobs.cli.checks import within
from jobs.cli.files import READS, WRITES, Writes
from jobs.cli.judged import Conf, Distance, Index, KnowledgeBaseFolder, labelled_evidence, places
from jobs.cli.output import (
    Json,
    coefficient,
    console,
    errors,
    number,
    percent,
    print_json,
    skipped_with_first,
    table,
)
from jobs.cli.output import with_interval as interval

if TYPE_CHECKING:
    from evaluator.tuning.choice import Choice
    from evaluator.tuning.groups import PerGroup
    from evaluator.tuning.slices import Slice
    from jobs.analysis.tuning import Trial

_MEASURES = {
    "accuracy": "accuracy %",
    "balanced_accuracy": "balanced %",
    "f1": "F1 %",
    "precision": "precision %",
    "recall": "recall %",
}

_NONE_RECOMMENDED = (
    "without two true and two false facts that the knowledge base leaves open, none can be held "
    "out to try an annotator on; label more facts"
)


def tune(
    labels: Annotated[
        Path,
        typer.Argument(metavar="LABELS", help="Sheet (e1 r e2 label [rater]), or a label folder."),
        READS,
    ],
    conf: Conf = None,
    kb: KnowledgeBaseFolder = None,
    index: Index = None,
    x: Distance = None,
    reach: Annotated[int | None, within(WORDS, help="Distance of ANCHORED in words.")] = None,
    criterion_name: Annotated[
        str,
        typer.Option(
            "--criterion",
            metavar="NAME",
            help="balanced, accuracy, f1, youden, precision=0.9, surely-precision=0.9.",
        ),
    ] = "balanced",
    annotators: Annotated[
        list[str] | None,
        typer.Option(
            "--annotator",
            metavar="NAME",
            help='Try only these: "pmi", "pmi-anchored", "calibrated" …; repeatable.',
        ),
    ] = None,
    per: Annotated[
        str | None, typer.Option(metavar="relation", help="Thresholds for each relation, too.")
    ] = None,
    least: Annotated[
        int, within(MADE, help="Least true and false facts of a relation for --per.")
    ] = 20,
    seed: Annotated[int, within(SEED, help="Seed of folds and resamples.")] = 2012,
    html: Annotated[
        Path | None, typer.Option(help="Draw the curves into this file."), WRITES
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(metavar="CONF", help="Put the choice into this configuration."),
        Writes(edits="conf"),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="MODEL.json", help="Save the trained annotator."), WRITES
    ] = None,
    as_json: Json = False,
) -> None:
    """Choose the annotator and the threshold by labels.

    The choice is what agrees best with people's labels; several raters of a fact count by majority.
    Facts that the knowledge base holds are left to it. t is chosen on the others, and tested on
    facts held out of the choice.
    """
    import numpy as np

    from evaluator.annotators import ANNOTATORS
    from evaluator.tuning.choice import Plan
    from jobs.analysis import tuning
    from jobs.evidence.annotator import fitted_annotator

    if per not in (None, "relation"):
        raise ConfigurationError(f"--per {per}: expected relation")
    run, kb, index, pmi = places(conf, kb, index, x=x, reach=reach)
    judges = [judge.name for judge in run.external.judges] if run else []
    tuning.check_names(annotators or (), judges)
    trained = [name for name, kind in ANNOTATORS.items() if kind.trained]
    if save and not any(tuning.is_wanted(name, annotators or ()) for name in trained):
        raise ConfigurationError(
            f"--save: no annotator is trained; ask for --annotator {' or '.join(trained)}"
        )
    plan = Plan(criterion(criterion_name), seed=seed)
    rejects = Rejects()
    by_item = tuning.majority(read_ratings([labels], rejects=rejects))
    truth = {item: said for item, said in by_item.items() if said is not None}
    if (stands_for := tuning.standing(labels, truth)) is not None:
        for item in sorted(truth.keys() - stands_for.keys()):
            rejects.add("not drawn", "\t".join(item))
        truth = {item: truth[item] for item in stands_for}
    if not truth:
        raise ConfigurationError(f"{labels}: no fact has a label that raters agree on")
    found = labelled_evidence(truth, run, kb, index, pmi)
    left = found.take(~found.matched)
    if not left.items:
        raise ConfigurationError(f"{labels}: the knowledge base holds all these facts, and decides")
    label = tuning.labels_of(left, truth)
    weight = None if stands_for is None else np.array([stands_for[item] for item in left.items])
    left_out: list[str] = []
    with errors.status("trying annotators …") as status:
        trials = tuning.try_out(
            left,
            label,
            plan=plan,
            weight=weight,
            wanted=annotators or (),
            per_relation=per is not None,
            least=least,
            fitted=fitted_annotator(run) if run else None,
            on_step=lambda name: status.update(f"trying {name} …"),
            on_left_out=left_out.append,
        )
        status.update("drawing curves …")
        parts = tuning.slices(trials[0], left, plan=plan, knows_entities=kb is not None)
        curves = {
            trial.name: tuning.curves_of(trial, label, plan=plan, weight=weight) for trial in trials
        }
    told: dict[str, Any] = {
        "labels": str(labels),
        "facts": len(truth),
        "true": sum(truth.values()),
        "ties": len(by_item) - len(truth),
        "matched": int(found.matched.sum()),
        "matched_true": sum(truth[i] for i in found.take(found.matched).items),
        "open": len(left.items),
        "open_true": int(label.sum()),
        "of_run": found.of_run,
        "population": None
        if weight is None
        else {"facts": float(weight.sum()), "true": float(weight[label].sum())},
        "x": pmi.x,
        "reach": pmi.reach,
        **rejects.as_json(),
        "left_out": left_out,
        **tuning.as_json(trials, curves, parts, plan=plan),
    }
    if html:
        from evaluator.report.tuning import render_tuning
        from evaluator.whole_files import write_whole

        write_whole(html, render_tuning(told, distval=installed("distval")))
    if save:
        told["saved"] = str(_saved(save, trials))
    if write:
        distances = {"pmi.x": x, "pmi.reach": reach}
        asked = {name: value for name, value in distances.items() if value is not None}
        told["written"] = {"path": str(write), "diff": _written(write, trials, save, asked)}
    if as_json:
        print_json(told)
        return
    skipped_with_first(rejects, "labels")
    for reason in left_out:
        errors.print(f"left out: {reason}", markup=False, highlight=False, soft_wrap=True)
    _show(told, trials, parts, plan.criterion)
    if html:
        console.print(f"Curves: {html}", markup=False, highlight=False, soft_wrap=True)
    if save:
        console.print(f"Trained annotator: {save}", markup=False, highlight=False, soft_wrap=True)
    if write:
        diff = told["written"]["diff"] or f"{write} says so already."
        console.print(diff, markup=False, highlight=False, soft_wrap=True)


def _saved(path: Path, trials: Sequence["Trial"]) -> Path:
    """Save the trained annotator with its threshold."""
    from evaluator.annotators import write_annotator

    trained = next((trial for trial in trials if trial.candidate.trained), None)
    if trained is None:
        raise ConfigurationError("--save: there are too few labels to train an annotator")
    write_annotator(path, trained.candidate.at(_finite(trained)))
    return path


def _written(
    conf: Path, trials: Sequence["Trial"], model: Path | None, distances: Mapping[str, int]
) -> str:
    """Put the recommended annotator into a configuration and return what that changes."""
    from jobs.configuration_edit import edit

    best = trials[0]
    if best.tuning.held_out is None:
        raise ConfigurationError(f"--write: {_NONE_RECOMMENDED}")
    settings: dict[str, str | float | Path] = {**best.candidate.settings, **distances}
    settings[f"{best.candidate.section}.threshold"] = _finite(best)
    if best.candidate.trained:
        if model is None:
            raise ConfigurationError(f"--write: {best.name} needs its model: --save MODEL.json")
        settings[f"{best.candidate.section}.model"] = model.absolute()
    return edit(conf, settings)


def _finite(trial: "Trial") -> float:
    threshold = trial.tuning.choice.threshold
    if threshold is None or not isfinite(threshold):
        raise ConfigurationError(
            f"{trial.name} has no threshold to write: "
            + ("the criterion takes none" if threshold is None else "to accept none is best")
        )
    if threshold <= 0:
        raise ConfigurationError(
            f"{trial.name} has no threshold to write: to accept every fact is best (t = 0)"
        )
    return threshold


def _show(
    told: Mapping[str, Any],
    trials: Sequence["Trial"],
    parts: Mapping[str, Sequence["Slice"]],
    wanted: Criterion,
) -> None:
    best = trials[0].tuning
    console.print(
        f"{told['facts']:,} labelled facts, {told['true']:,} true; left out for a tie of raters: "
        f"{told['ties']:,}; "
        f"{told['matched']:,} in the knowledge base ({told['matched_true']:,} of them true). For "
        f"{percent(best.majority_share)} % of the others, the commoner label is right.",
        highlight=False,
    )
    if population := told["population"]:
        share = percent(population["true"] / population["facts"])
        console.print(
            f"Drawn by class: the {told['open']:,} others stand for {population['facts']:,.0f} "
            f"facts of the run, {share} % of them true. Models, thresholds and figures are of "
            "those.",
            highlight=False,
        )
    for shown in _tables(told, trials, wanted):
        console.print(shown)
    console.print(
        "Figures are of held-out facts, all of them: an undefined score is judged not correct. "
        "seen → held out: on the facts with a defined score, as t saw them when it was chosen, "
        "and held out. ≈: not surely worse than the best; of equal ones prefer the simplest."
        + (" –: misses the precision asked for." if wanted.measure == "precision" else ""),
        highlight=False,
    )
    for warning in best.warnings:
        console.print(warning, highlight=False)
    for name, of in parts.items():
        rows = [
            [
                part.name,
                number(part.facts),
                number(part.true),
                interval(part.agreement.as_json(), percent),
                interval(part.balanced_accuracy.as_json(), percent),
            ]
            for part in of
        ]
        columns = [name, "facts", "true", "agreement %", "balanced %"]
        console.print(table(f"{trials[0].name}, held out", columns, rows))
    if best.per_group is not None:
        _show_relations(best.per_group, wanted)
    if best.held_out is None:
        console.print(f"None is recommended: {_NONE_RECOMMENDED}.", highlight=False)
        return
    threshold = _threshold(best.choice.threshold)
    console.print(
        f"Recommended: [bold]{trials[0].name}[/bold], t = {threshold}; --write CONF puts it there.",
        highlight=False,
    )


def _tables(
    told: Mapping[str, Any], trials: Sequence["Trial"], wanted: Criterion
) -> tuple[Table, Table]:
    """Return what decides between annotators, and their other figures: one table is too wide."""
    shown = dict.fromkeys([wanted.measure, "accuracy", "balanced_accuracy", "f1"])
    if wanted.measure == "precision":
        shown = dict.fromkeys(["precision", "recall", "balanced_accuracy", "f1"])
    elif wanted.measure == "youden":
        shown.pop("youden")
    main = wanted.measure if wanted.measure in shown else "balanced_accuracy"
    others = [measure for measure in _MEASURES if measure in shown and measure != main]
    choices, figures = [], []
    for place, trial in enumerate(trials):
        of, json = trial.tuning, told["annotators"][trial.name]
        held_out, name = json["held_out"], trial.name + (" ◀" if place == 0 else "")
        choices.append(
            [
                name,
                _with_ends(of.choice),
                interval(held_out[main], percent) if held_out else "–",
                _behind(json["behind"]) if place else "",
                number(of.score.size - of.undefined),
            ]
        )
        figures.append(
            [
                name,
                *(percent(held_out[measure]["value"]) if held_out else "–" for measure in others),
                coefficient(held_out["auc"]["value"]) if held_out else "–",
                _seen_and_held_out(json["in_sample"], json["held_out_defined"], main),
            ]
        )
    return (
        table(
            f"Thresholds by {wanted.name}, best first",
            ["annotator", "t", _MEASURES[main], "behind", "defined"],
            choices,
        ),
        table(
            "Their other figures",
            ["annotator", *(_MEASURES[measure] for measure in others), "AUC", "seen → held out %"],
            figures,
        ),
    )


def _seen_and_held_out(
    seen: Mapping[str, Any] | None, held_out: Mapping[str, Any] | None, measure: str
) -> str:
    return " → ".join(percent(of[measure]["value"]) if of else "–" for of in (seen, held_out))


def _behind(difference: Mapping[str, Any] | None) -> str:
    """Return by how much an annotator is behind the best, ≈ where that may be chance."""
    if difference is None or difference["value"] is None:
        return "–"
    mark = "≈ " if difference["low"] <= 0 else ""
    return f"{mark}{percent(difference['value'])}"


def _show_relations(of: "PerGroup", wanted: Criterion) -> None:
    rows = [
        [name, _threshold(t), *(number(count) for count in of.labels[name])]
        for name, t in of.thresholds.items()
    ]
    if rows:
        title = f"Relations with {of.least} true and false facts"
        console.print(table(title, ["relation", "t", "true", "false"], rows))
    gain = of.gain
    told = "make no sure difference"
    if gain.low is not None and gain.low > 0:
        told = "help"
    elif gain.high is not None and gain.high < 0:
        told = "do harm"
    console.print(
        f"Thresholds per relation ({len(rows):,} of {len(of.labels):,} have labels enough) {told}: "
        f"{interval(gain.as_json(), percent)} points of {wanted.measure.replace('_', ' ')}.",
        highlight=False,
    )


def _with_ends(choice: "Choice") -> str:
    ends = [_threshold(t) for t in (choice.threshold, choice.low, choice.high)]
    return ends[0] if choice.low is None else f"{ends[0]} [{ends[1]}, {ends[2]}]"


def _threshold(t: float | None) -> str:
    return "none" if t is None else f"{t:g}" if isfinite(t) else "∞"
