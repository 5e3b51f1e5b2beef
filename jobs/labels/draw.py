"""Drawing facts to label from a finished run: the design, and a sheet for every rater."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from evaluator.errors import ConfigurationError, InputError
from evaluator.estimators.claims import Claim
from evaluator.estimators.tallies import CANDIDATES_REST, system_rest
from evaluator.facts.sampling import sample_key
from evaluator.labels.answers import ANSWERS, read_answers
from evaluator.labels.design import (
    JudgedFact,
    LabelCell,
    LabelledFact,
    Place,
    Stratification,
    enough,
    group_name,
    label_cells,
    stratifications,
    thousandths,
)
from evaluator.labels.design_file import (
    DESIGN,
    FactPart,
    LabelDesign,
    read_design,
    write_design,
)
from evaluator.labels.plan import (
    ClassPlan,
    Enough,
    enough_labels,
    expected_claims,
    expected_differences,
    expected_widths,
    plan,
)
from evaluator.labels.questions import Question
from evaluator.labels.rater_model import why_not_expected
from evaluator.labels.raters import ADJUDICATOR, combine
from evaluator.labels.sheet_formats import SHEET_FORMATS
from evaluator.labels.sheets import write_sheet
from evaluator.model import Fact, Rejects
from evaluator.whole_files import write_whole
from jobs.config import Configuration
from jobs.labels.about import beside
from jobs.labels.fact_places import NamedFact, places_of
from jobs.run.judged_table import JudgedTable
from jobs.run.label_folder import words
from jobs.rundir import STAMP, finished_stage

SHEETS = "sheets"
# docs/labels.md quotes the rule of facts without a relation word from here.
INSTRUCTIONS = """\
What to answer

label    Is the fact true in the world? One of
           true        it is
           false       it is not, or nobody can tell what it should mean
           link wrong  it is not, because a name is linked to another entity than the sentence
                       means: about1 and about2 say to which
           skip        you cannot find out
stated   Does this sentence state it? yes or no, whatever the names are linked to; leave it empty
         where you did not look.
comment  Anything.

The fact is read from name1 over r to name2: "Ada, bear, London" is that Ada was born in London,
"London, bear, Ada" is false. r is the head word of the relation, in its dictionary form; what it
means the sentence shows, and extracted: the fact as systems wrote it. A fact without a relation
word is false unless the sentence gives it one. Look things up where you do not know them. An empty
label is one that you have not answered yet. Do not talk to other raters about single facts before
all are done.
"""
_ANY = 1 << 63
# So many labels are tried, to tell how many are enough.
_MOST = 10_000


class DrawChoice(NamedTuple):
    """What is asked of a draw.

    Attributes
    ----------
    budget
        Facts to label, those of an earlier draw into the same folder included.
    raters
        Who labels; every fact goes to one of them, in turn.
    double
        Share of the facts that a second rater labels too, in [0, 1].
    each
        Raters of such a fact.
    assumed
        Share of true facts by verdict that the plan assumes.
    format
        Of the sheets (:data:`evaluator.labels.sheet_formats.SHEET_FORMATS`).
    """

    budget: int
    raters: tuple[str, ...] = ("rater1",)
    double: float = 0.0
    each: int = 2
    assumed: Mapping[str, float] | None = None
    format: str = "csv"

    def check(self) -> None:
        """Refuse what cannot be.

        Raises
        ------
        ConfigurationError
            Where it contradicts itself.
        """
        if self.budget < 1:
            raise ConfigurationError(f"--budget {self.budget}: label at least one fact")
        if not 0 <= self.double <= 1:
            raise ConfigurationError(f"--double {self.double:g}: a share from 0 to 1")
        # Sheets are files: some systems do not tell "Ann" from "ann", and reading strips names.
        names = {name.strip().casefold() for name in self.raters}
        if len(names) < len(self.raters) or "" in names:
            raise ConfigurationError("--rater: give every rater another name")
        if ADJUDICATOR in names:
            raise ConfigurationError(f"--rater {ADJUDICATOR}: is the one who settles disputes")
        if any(set(name) & set("/\\:\0") or name.startswith(".") for name in self.raters):
            raise ConfigurationError("--rater: a name of a sheet; without / \\ : and a leading dot")
        if self.double and not 2 <= self.each <= len(self.raters):
            raise ConfigurationError(
                f"--each {self.each}: {len(self.raters)} rater(s) cannot label a fact "
                f"{self.each} times; name more with --rater"
            )


def draw(run: Path, out: Path, choice: DrawChoice) -> dict[str, Any]:
    """Draw facts to label, and write the design and the sheets.

    A folder that holds a draw from the same run gets more: what was drawn stays, and where there
    are answers, they say which classes need labels most.

    Parameters
    ----------
    run
        Directory of a finished run.
    out
        The label folder.
    choice
        How many, for whom.

    Returns
    -------
    The content of ``design.json``, and under "sheets" the files that were written.

    Raises
    ------
    InputError
        Where `run` is no finished run, or the folder holds a draw from another.
    ConfigurationError
        Where the choice cannot be.
    """
    choice.check()
    c = Configuration.of_run(run)
    earlier = _earlier(out)
    systems = [source.name for source in c.systems]
    cuts = _cuts(run, systems)
    for stage in ("estimate", "superset", *(("annotate",) if c.corpus is not None else ())):
        finished_stage(run / stage)
    table = JudgedTable(run, Stratification(tuple(systems), cuts).known_cuts())
    kinds = table.kinds()
    if earlier is None:
        stratification, cells = _stratified(kinds, cuts, systems, choice.budget)
    else:
        stratification = earlier.division
        cells = label_cells(kinds, stratification)
        _check_same(out, earlier, cells)
    done = {fact.id: fact for fact in earlier.facts} if earlier else {}
    answered = _answered(out, earlier)

    def planned(budget: int, drawn: Mapping[Place, int]) -> list[ClassPlan]:
        return plan(
            cells,
            systems=systems,
            budget=budget,
            assumed=choice.assumed,
            drawn=drawn,
            answered=answered,
        )

    def chosen(classes: Sequence[ClassPlan]) -> _Draw:
        drawn = _drawn(table, kinds, stratification, classes)
        shown = places_of(run, c, [fact for fact, _ in drawn])
        return _Draw(drawn, shown, _unanswered(drawn, stratification, shown))

    classes = planned(choice.budget, Counter(fact.place for fact in done.values()))
    found = chosen(classes)
    told = beside(run, c, {fact: (of.name1, of.name2) for fact, of in found.shown.items()})
    facts = _told(found.facts, stratification, classes, found.shown, told, done, choice)
    corpus = c.corpus is not None
    widths = expected_widths(
        cells,
        found.labelled,
        classes,
        systems=systems,
        corpus=corpus,
        drawing=replace(c.drawing, draws=4_000),
    )
    claims = expected_claims(cells, found.labelled, classes, systems=systems, corpus=corpus)

    differences = expected_differences(cells, found.labelled, classes, claims)

    def more() -> dict[str, dict[str, Enough]]:
        """Return how many labels make the intervals claim something that will claim nothing."""
        if not any(one.kind == "few labels" for of in claims.values() for one in of.values()):
            return {}
        kept = {one.place: one.labels for one in classes}
        budget, most = len(facts), max(len(facts), _MOST)
        largest = chosen(planned(most, kept)).labelled

        @cache
        def at(budget: int) -> tuple[list[ClassPlan], list[LabelledFact]]:
            classes = planned(budget, kept)
            return classes, _first(largest, classes)

        @cache
        def claims_of(budget: int, system: str) -> Mapping[str, Claim]:
            classes, labelled = at(budget)
            return expected_claims(cells, labelled, classes, systems=[system], corpus=corpus)[
                system
            ]

        return enough_labels(claims, claims_of, budget=budget, most=most)

    needed = more()
    rounds = (earlier.rounds if earlier else 0) + 1
    design = {
        "distval": version("distval"),
        "run": c.name,
        "rounds": rounds,
        "stratification": stratification.as_json(),
        "classes": [one.as_json() for one in classes],
        "level": c.estimate.level,
        "expected_widths": widths,
        "expected_claims": {
            system: {measure: one.kind for measure, one in of.items()}
            for system, of in claims.items()
        },
        "expected_differences": [
            {"first": first, "second": second, "withheld": withheld}
            for (first, second), withheld in differences.items()
        ],
        "why_no_model_expected": why_not_expected(
            [(Place(fact["group"], fact["class"]), fact["raters"]) for fact in facts],
            {one.place: one.assumed for one in classes},
            estimator=c.labels.estimator,
        ),
        "enough_labels": {
            system: {measure: one._asdict() for measure, one in of.items()}
            for system, of in needed.items()
        },
        "facts": facts,
    }
    new = [fact for fact in facts if fact["id"] not in done]
    sheets = write_sheets(out, new, choice, rounds)
    write_design(out, design)
    return {**design, "sheets": [str(sheet) for sheet in sheets], "new": len(new)}


class _Draw(NamedTuple):
    """Facts to label as the table has them, as people see them, and as labels without answers."""

    facts: list[tuple[Fact, JudgedFact]]
    shown: Mapping[Fact, NamedFact]
    labelled: list[LabelledFact]


def _drawn(
    table: JudgedTable,
    kinds: Iterable[JudgedFact],
    stratification: Stratification,
    classes: Iterable[ClassPlan],
) -> list[tuple[Fact, JudgedFact]]:
    """Return the facts of a plan: of each class those with the smallest keys."""
    names = {one.place: str(number) for number, one in enumerate(classes)}
    return table.smallest(
        {
            kind: names[place]
            for kind in kinds
            if (place := stratification.place(kind)).name is not None
        },
        {names[one.place]: one.labels for one in classes},
    )


def _unanswered(
    drawn: Iterable[tuple[Fact, JudgedFact]],
    stratification: Stratification,
    shown: Mapping[Fact, NamedFact],
) -> list[LabelledFact]:
    """Return drawn facts as labels whose answers are still to come, by their sampling keys."""
    return [
        LabelledFact(
            stratification.place(judged),
            judged.candidate,
            judged.systems,
            thousandths(judged),
            0,
            0,
            shown[fact].document,
        )
        for fact, judged in sorted(drawn, key=lambda one: (one[1].key, one[0]))
    ]


def _first(labelled: Iterable[LabelledFact], classes: Iterable[ClassPlan]) -> list[LabelledFact]:
    """Return as many of each class as a plan has, in their order."""
    left = {one.place: one.labels for one in classes}
    found = []
    for fact in labelled:
        if left[fact.place] > 0:
            left[fact.place] -= 1
            found.append(fact)
    return found


def _earlier(out: Path) -> LabelDesign | None:
    if out.exists() and not out.is_dir():
        raise InputError(out, "not a folder; name another one with --out")
    for parent in out.absolute().parents:
        if (parent / STAMP).exists():
            raise InputError(out, "is inside a stage of a run, which may be made anew; use another")
    return read_design(out) if (out / DESIGN).exists() else None


def _stratified(
    kinds: Mapping[JudgedFact, int],
    cuts: Mapping[str, int | None],
    systems: Sequence[str],
    budget: int,
) -> tuple[Stratification, list[LabelCell]]:
    """Return the finest stratification whose classes get labels enough, with its cells."""
    facts: Counter[str] = Counter()
    for kind, number in kinds.items():
        facts.update(dict.fromkeys(kind.systems, number))
    by_size = sorted(systems, key=lambda name: (facts[name], name))
    for stratification in stratifications(kinds, systems=by_size, cuts=cuts):
        cells = label_cells(kinds, stratification)
        if enough(cells, budget):
            break
    return stratification, cells


def _cuts(run: Path, systems: Sequence[str]) -> dict[str, int | None]:
    """Return for every group the largest sampling key of its judged facts."""
    cuts = finished_stage(run / "score").notes.get("cuts", {})
    if missing := [name for name in systems if system_rest(name) not in cuts]:
        raise InputError(
            run / "score", f"holds no sample of {', '.join(missing)}; run distval run again"
        )
    by_group = {group_name(name, matched=False): cuts[system_rest(name)] for name in systems}
    if CANDIDATES_REST in cuts:
        by_group[group_name(None, matched=False)] = cuts[CANDIDATES_REST]
    return by_group


def _check_same(out: Path, earlier: LabelDesign, cells: Iterable[LabelCell]) -> None:
    now: Counter[Place] = Counter()
    for cell in cells:
        if cell.place.name is not None:
            now[cell.place] += cell.facts
    then = {one.place: one.judged for one in earlier.classes}
    if now != then:
        raise InputError(
            out / DESIGN, "holds a draw from another run, or from other settings; use another --out"
        )


def _answered(out: Path, earlier: LabelDesign | None) -> dict[Place, tuple[float, int]]:
    """Return by class what people have said so far: the sum, and the number of facts."""
    if earlier is None or not (out / ANSWERS).exists():
        return {}
    truth = combine(read_answers(out, rejects=Rejects()), method="majority")
    sums: dict[Place, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for fact in earlier.facts:
        said = truth.get((fact.e1, fact.r, fact.e2))
        if said is not None:
            true, number = sums[fact.place]
            sums[fact.place] = true + said.true, number + 1
    return dict(sums)


def _told(
    drawn: Iterable[tuple[Fact, JudgedFact]],
    stratification: Stratification,
    classes: Iterable[ClassPlan],
    shown: Mapping[Fact, NamedFact],
    told: Mapping[Fact, Mapping[str, str]],
    done: Mapping[str, FactPart],
    choice: DrawChoice,
) -> list[dict[str, Any]]:
    """Return the facts of the design: those of an earlier draw keep their raters."""
    chances = {one.place: one.inclusion for one in classes}
    facts: list[dict[str, Any]] = []
    # In the order of their digests nothing tells a rater of what class a fact is.
    for identity, fact, judged in sorted((fact_id(fact), fact, judged) for fact, judged in drawn):
        place, (e1, r, e2) = stratification.place(judged), words(fact)
        facts.append(
            {
                "id": identity,
                "e1": e1,
                "r": r,
                "e2": e2,
                **shown[fact]._asdict(),
                **told[fact],
                "group": place.group,
                "class": place.name,
                "inclusion": chances[place],
                "raters": done[identity].raters
                if identity in done
                else raters_of(fact, len(facts), choice),
            }
        )
    return facts


def fact_id(fact: Fact) -> str:
    """Return the id of a fact in sheets; their order tells a rater nothing of the facts."""
    return f"{sample_key(0, fact):016x}"


def raters_of(fact: Fact, number: int, choice: DrawChoice) -> list[str]:
    """Return who labels a fact: all take turns, and some facts go to several."""
    chance = sample_key(1, fact) / _ANY
    raters = choice.each if choice.double and chance < choice.double else 1
    return [choice.raters[(number + k) % len(choice.raters)] for k in range(raters)]


def write_sheets(
    out: Path, facts: Sequence[Mapping[str, Any]], choice: DrawChoice, round_number: int
) -> list[Path]:
    """Write a sheet for every rater who has facts to label; none that stands is replaced."""
    folder = out / (SHEETS if round_number == 1 else f"{SHEETS}-{round_number}")
    paths = {rater: folder / f"{rater}{SHEET_FORMATS[choice.format]}" for rater in choice.raters}
    for sheet in paths.values():
        if sheet.exists():
            raise InputError(sheet, "stands already, maybe with answers; move it away first")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(folder, f"cannot be made ({error.strerror})") from None
    write_whole(folder / "instructions.txt", INSTRUCTIONS)
    sheets = []
    for rater, sheet in paths.items():
        mine = [
            Question(**{name: fact[name] for name in Question._fields})
            for fact in facts
            if rater in fact["raters"]
        ]
        if mine:
            write_sheet(sheet, mine, rater=rater, form=choice.format)
            sheets.append(sheet)
    return sheets
