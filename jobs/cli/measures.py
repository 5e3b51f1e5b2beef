"""Precision, recall and F of a result on the terminal, with human labels and without."""

from collections.abc import Iterator, Mapping, Sequence

from rich.table import Table

from evaluator.intervals import Estimate
from evaluator.report.labels import LabelledSystem, People, remarks
from evaluator.results.result import Result, WithLabels
from evaluator.wordings import FIRST_LOOK, MEASURES, plural
from jobs.cli.output import number, percent, table, with_interval

_ALL_JUDGED = "all judged"
_QUESTIONS = {"world": "true in the world", "sentence": "stated by its sentence"}


def measures_table(result: Result) -> Table:
    """Return the table of P, R and F of every system.

    With labels the figures that they give come first, and the annotator-relative ones below them.
    """
    labels = result.labels
    measures = _measures(result)
    level = result.settings["estimate.level"]
    columns = ["system", *measures.values(), "P if undefined were true"]
    if labels is None:
        title = f"Annotator-relative, in %, [{level:.0%} sampling interval]"
    else:
        title = (
            f"From {plural(labels.labelled, 'label')} of people by {labels.estimator}, in %, "
            f"[{level:.0%} interval], and annotator-relative"
        )
        columns.insert(1, "labels")
    rows = list(_rows(result, measures))
    if any(_ALL_JUDGED in cell for row in rows for cell in row[1:]):
        title += f"; {_ALL_JUDGED}: every fact judged, no sampling error"
    return table(title, columns, rows)


def _measures(result: Result) -> Mapping[str, str]:
    return MEASURES if result.corpus else {"precision": "precision"}


def _rows(result: Result, measures: Mapping[str, str]) -> Iterator[list[str]]:
    truth = result.truth or {}
    for name, s in result.systems.items():
        labelled = s.with_labels
        own = [_share(s.figure(measure)) for measure in measures]
        best = percent(s.precision_bounds and s.precision_bounds[1])
        blank = [] if labelled is None else [""]
        if labelled is None:
            yield [name, *own, best]
        else:
            yield from _labelled_rows(name, labelled, measures)
            yield ["  annotator-relative", "", *own, best]
        if name in truth:
            true = (percent(getattr(truth[name], measure)) for measure in measures)
            yield ["  truth", *blank, *true, ""]


def _labelled_rows(
    name: str, labelled: WithLabels, measures: Mapping[str, str]
) -> Iterator[list[str]]:
    titles = name, f"  {_QUESTIONS['sentence']}"
    for answer, title in zip((labelled.world, labelled.sentence), titles, strict=True):
        if answer is None:
            continue
        given = " + ".join(number(n) for n in answer.labels if n is not None)
        yield [title, given, *(_share(getattr(answer, m)) for m in measures), ""]
        if answer.precision_right_links is not None:
            links = _share(answer.precision_right_links)
            yield ["  among facts with right links", "", links, *[""] * len(measures)]


def _share(estimate: Estimate | None) -> str:
    """Return a share with its interval, or with what it means that the interval has no width."""
    shown = with_interval(estimate, percent)
    return f"{shown} {_ALL_JUDGED}" if estimate and estimate.all_judged else shown


def not_claimed(result: Result) -> Iterator[str]:
    """Yield which headline and which order the figures do not allow, and why, a line each."""
    for name, s in result.systems.items():
        by_reason: dict[str, list[str]] = {}
        for measure, reason in s.withheld.items():
            if reason is not None:
                by_reason.setdefault(reason, []).append(MEASURES[measure])
        for reason, of in by_reason.items():
            which = "" if len(of) == len(s.withheld) else f" ({', '.join(of)})"
            yield f"No headline figure for {name}{which}: {reason}"
    if any(reason is not None for s in result.systems.values() for reason in s.withheld.values()):
        yield FIRST_LOOK
    if result.order is not None and result.order.withheld is not None:
        yield f"No order of the systems is stated. {result.order.withheld}"


def about_labels(result: Result, *, run: str = "RUN") -> Iterator[str]:
    """Yield what to know of the labels and of the estimates from them, a line each.

    `run` is the directory of the run, as a command names it.
    """
    people = People.read(result.labels)
    if people is None:
        recall = " and recall" if result.corpus else ""
        yield (
            f"annotator-relative; label {result.budget} facts with distval label draw {run} to get "
            f"true precision{recall}"
        )
        return
    measures = _measures(result)
    for name, s in result.systems.items():
        answers = {
            title: answer
            for question, title in _QUESTIONS.items()
            if (
                answer := LabelledSystem.read(
                    getattr(s.with_labels, question),
                    measures=list(measures),
                    regions="abcd" if result.corpus else "ab",
                )
            )
        }
        for remark in remarks(answers):
            yield f"{name}: {remark}"
        effects = answers[_QUESTIONS["world"]].design_effects
        if effects:
            told = ", ".join(f"{measures[m]} {effect:.2f}" for m, effect in effects.items())
            yield f"{name}: design effect of labels that share documents: {told}"
    yield _people(people)
    for rater, of in people.quality.items():
        hits, rejections = (with_interval(one, percent) for one in (of.sensitivity, of.specificity))
        yield f"{rater} is right on {hits} % of true facts and {rejections} % of false ones"


def _people(people: People) -> str:
    """Return who labelled and how far they agree, in one line."""
    parts: Sequence[str] = [
        f"Labelled {people.labelled:,} of {people.drawn:,} facts drawn"
        + (
            ""
            if people.documents is None
            else f", from {plural(people.documents, 'document')} (a sentence is one where the "
            "corpus names none)"
        ),
        "by " + ", ".join(f"{rater} {n:,}" for rater, n in people.by_rater),
        people.combined,
    ]
    if people.agreement.value is not None:
        agreed = with_interval(people.agreement, percent)
        parts = [*parts, f"two people agree on {agreed} % of {plural(people.agreement.n, 'fact')}"]
    for count, what in (
        (people.disputed, "disputed"),
        (people.undecided, "undecided"),
        (people.link_wrong, "with a wrong link"),
    ):
        parts = [*parts, f"{count:,} {what}"] if count else parts
    parts = [*parts, *(f"{n:,} answers rejected ({reason})" for reason, n in people.rejects)]
    return "; ".join(parts)
