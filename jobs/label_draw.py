"""Drawing facts to label from a finished run: the design, and a sheet for every rater."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.dataset as ds

from evaluator.answers import ANSWERS, DESIGN, read_answers
from evaluator.errors import ConfigurationError, InputError
from evaluator.label_design import (
    Judged,
    LabelCell,
    LabelledFact,
    Place,
    Stratification,
    enough,
    group_name,
    label_cells,
    score,
    stratifications,
)
from evaluator.label_plan import ClassPlan, expected_widths, plan
from evaluator.label_sheets import Question, write_sheet
from evaluator.labels import write_whole
from evaluator.model import Fact, Rejects
from evaluator.raters import combine
from evaluator.sampling import sample_key
from evaluator.tallies import CANDIDATES_REST, system_rest
from jobs.config import Configuration
from jobs.fact_places import Shown, places_of
from jobs.label_folder import judged_facts, read_design, words

SHEETS = "sheets"
_ANY = 1 << 63


class Choice(NamedTuple):
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
    seed
        Of the draw; None for one that follows from the run's.
    format
        Suffix of the sheets: "csv", "tsv", "jsonl" or "json" (Label Studio).
    """

    budget: int
    raters: tuple[str, ...] = ("rater1",)
    double: float = 0.0
    each: int = 2
    assumed: Mapping[str, float] | None = None
    seed: int | None = None
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
        if len(set(self.raters)) < len(self.raters) or not all(r.strip() for r in self.raters):
            raise ConfigurationError("--rater: give every rater another name")
        if any(set(name) & set("/\\:\0") or name.startswith(".") for name in self.raters):
            raise ConfigurationError("--rater: a name of a sheet; without / \\ : and a leading dot")
        if self.double and not 2 <= self.each <= len(self.raters):
            raise ConfigurationError(
                f"--each {self.each}: {len(self.raters)} rater(s) cannot label a fact "
                f"{self.each} times; name more with --rater"
            )


@dataclass(frozen=True)
class JudgedTable:
    """The judged facts of a run, read anew each time they are gone through."""

    folder: Path

    def rows(self) -> Iterator[tuple[Fact, Judged]]:
        """Yield every fact and how it was judged."""
        columns = [
            "e1", "r", "e2", "negated",
            "candidate", "systems", "matched", "verdict", "pmi", "pair", "sample_key",
        ]  # fmt: skip
        table = ds.dataset(self.folder, format="parquet")
        for batch in table.to_batches(columns=columns, batch_size=1 << 16):
            rows = batch.to_pylist()
            facts = (Fact(row["e1"], row["r"], row["e2"], row["negated"]) for row in rows)
            yield from zip(facts, judged_facts(rows), strict=True)

    def __iter__(self) -> Iterator[Judged]:
        """Yield how every fact was judged."""
        return (judged for _, judged in self.rows())


def draw(run: Path, out: Path, choice: Choice) -> dict[str, Any]:
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
    table = JudgedTable(run / "estimate" / "judged")
    earlier = _earlier(out)
    seed = _seed(c, choice, earlier)
    if earlier is None:
        stratification, cells = _stratified(table, _cuts(run, c), _by_size(table, c), choice.budget)
    else:
        stratification = Stratification.from_json(earlier["stratification"])
        cells = label_cells(table, stratification)
        _check_same(out, earlier, cells)
    known = {Place(f["group"], f["class"]): 0 for f in earlier["facts"]} if earlier else {}
    for fact in earlier["facts"] if earlier else ():
        known[Place(fact["group"], fact["class"])] += 1
    systems = [source.name for source in c.systems]
    classes = plan(
        cells,
        systems=systems,
        budget=choice.budget,
        assumed=choice.assumed,
        drawn=known,
        answered=_answered(out, earlier),
    )
    drawn = _smallest(table, stratification, classes, seed)
    shown = places_of(run, c, [fact for fact, _ in drawn])
    done = {f["id"]: f for f in earlier["facts"]} if earlier else {}
    facts = _told(drawn, stratification, classes, shown, done, choice, seed)
    labelled = [
        LabelledFact(
            stratification.place(judged), judged.candidate, judged.systems, score(judged), 0, 0, ""
        )
        for _, judged in drawn
    ]
    design = {
        "distval": version("distval"),
        "run": c.name,
        "seed": seed,
        "rounds": (earlier["rounds"] if earlier else 0) + 1,
        "stratification": stratification.as_json(),
        "classes": [one.as_json() for one in classes],
        "level": c.estimate.level,
        "expected_widths": expected_widths(
            cells,
            labelled,
            classes,
            systems=systems,
            corpus=c.corpus is not None,
            level=c.estimate.level,
            seed=c.sample.seed,
        ),
        "facts": facts,
    }
    new = [fact for fact in facts if fact["id"] not in done]
    sheets = _write_sheets(out, new, choice, design["rounds"])
    text = json.dumps(design, ensure_ascii=False, indent=1, allow_nan=False)
    write_whole(out / DESIGN, text + "\n")
    return {**design, "sheets": [str(sheet) for sheet in sheets], "new": len(new)}


def _earlier(out: Path) -> dict[str, Any] | None:
    if out.exists() and not out.is_dir():
        raise InputError(out, "not a folder; name another one with --out")
    if not (out / DESIGN).exists():
        return None
    design = read_design(out)
    if not {"stratification", "classes", "facts", "seed", "rounds"} <= design.keys():
        raise InputError(out / DESIGN, "no design of labels; name another folder with --out")
    return design


def _seed(c: Configuration, choice: Choice, earlier: Mapping[str, Any] | None) -> int:
    """Return the seed of the draw, which must not be that of the judged samples."""
    if earlier is not None:
        if choice.seed not in (None, earlier["seed"]):
            raise ConfigurationError(
                f"--seed {choice.seed}: this folder was drawn with {earlier['seed']}"
            )
        return int(earlier["seed"])
    seed = c.sample.seed + 1 if choice.seed is None else choice.seed
    if seed == c.sample.seed:
        raise ConfigurationError(
            f"--seed {seed}: is the seed of the run's own samples; use another"
        )
    return seed


def _stratified(
    table: JudgedTable, cuts: Mapping[str, int | None], systems: Sequence[str], budget: int
) -> tuple[Stratification, list[LabelCell]]:
    """Return the finest stratification whose classes get labels enough, with its cells."""
    for stratification in stratifications(table, systems=systems, cuts=cuts):
        cells = label_cells(table, stratification)
        if enough(cells, budget):
            break
    return stratification, cells


def _by_size(table: JudgedTable, c: Configuration) -> list[str]:
    """Return the systems from the one with the fewest facts to the one with the most."""
    facts = Counter(name for judged in table for name in judged.systems)
    return sorted((source.name for source in c.systems), key=lambda name: (facts[name], name))


def _cuts(run: Path, c: Configuration) -> dict[str, int | None]:
    """Return for every group the largest sampling key of its judged facts."""
    stamp = json.loads((run / "score" / "_stage.json").read_text(encoding="utf-8"))
    cuts = stamp["notes"]["cuts"]
    by_group = {
        group_name(source.name, matched=False): cuts[system_rest(source.name)]
        for source in c.systems
    }
    if CANDIDATES_REST in cuts:
        by_group[group_name(None, matched=False)] = cuts[CANDIDATES_REST]
    return by_group


def _check_same(out: Path, earlier: Mapping[str, Any], cells: Iterable[LabelCell]) -> None:
    now: Counter[Place] = Counter()
    for cell in cells:
        if cell.place.name is not None:
            now[cell.place] += cell.facts
    then = {Place(c["group"], c["class"]): c["judged"] for c in earlier["classes"]}
    if now != then:
        raise InputError(
            out / DESIGN, "holds a draw from another run, or from other settings; use another --out"
        )


def _answered(out: Path, earlier: Mapping[str, Any] | None) -> dict[Place, tuple[float, int]]:
    """Return by class what people have said so far: the sum, and the number of facts."""
    if earlier is None or not (out / ANSWERS).exists():
        return {}
    truth = combine(read_answers(out, rejects=Rejects()), method="majority")
    sums: dict[Place, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for fact in earlier["facts"]:
        said = truth.get((fact["e1"], fact["r"], fact["e2"]))
        if said is not None:
            place = Place(fact["group"], fact["class"])
            true, number = sums[place]
            sums[place] = true + said.true, number + 1
    return dict(sums)


def _smallest(
    table: JudgedTable, stratification: Stratification, classes: Iterable[ClassPlan], seed: int
) -> list[tuple[Fact, Judged]]:
    """Return the facts with the smallest keys of each class, in the order of their keys."""
    wanted = {one.place: one.labels for one in classes}
    kept: dict[Place, list[tuple[int, Fact, Judged]]] = defaultdict(list)
    for fact, judged in table.rows():
        place = stratification.place(judged)
        if wanted.get(place, 0):
            of = kept[place]
            of.append((sample_key(seed, fact), fact, judged))
            if len(of) > 2 * wanted[place] + 1_000:
                kept[place] = nsmallest(wanted[place], of, key=lambda x: x[:2])
    chosen = [
        x for place, of in kept.items() for x in nsmallest(wanted[place], of, key=lambda x: x[:2])
    ]
    return [(fact, judged) for _, fact, judged in sorted(chosen, key=lambda x: x[:2])]


def _told(
    drawn: Iterable[tuple[Fact, Judged]],
    stratification: Stratification,
    classes: Iterable[ClassPlan],
    shown: Mapping[Fact, Shown],
    done: Mapping[str, Mapping[str, Any]],
    choice: Choice,
    seed: int,
) -> list[dict[str, Any]]:
    """Return the facts of the design: those of an earlier draw keep their raters."""
    chances = {one.place: one.inclusion for one in classes}
    facts = []
    for fact, judged in drawn:
        identity = f"{sample_key(seed, fact):016x}"
        place, (e1, r, e2) = stratification.place(judged), words(fact)
        facts.append(
            {
                "id": identity,
                "e1": e1,
                "r": r,
                "e2": e2,
                **shown[fact]._asdict(),
                "group": place.group,
                "class": place.name,
                "inclusion": chances[place],
                "raters": done[identity]["raters"]
                if identity in done
                else _raters(fact, len(facts), choice, seed),
            }
        )
    return facts


def _raters(fact: Fact, number: int, choice: Choice, seed: int) -> list[str]:
    """Return who labels a fact: all take turns, and some facts go to several."""
    chance = sample_key(seed + 1, fact) / _ANY
    raters = choice.each if choice.double and chance < choice.double else 1
    return [choice.raters[(number + k) % len(choice.raters)] for k in range(raters)]


def _write_sheets(
    out: Path, facts: Sequence[Mapping[str, Any]], choice: Choice, round_number: int
) -> list[Path]:
    """Write a sheet for every rater who has facts to label."""
    folder = out / SHEETS
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(folder, f"cannot be made ({error.strerror})") from None
    sheets = []
    for rater in choice.raters:
        mine = [
            Question(**{name: fact[name] for name in Question._fields})
            for fact in facts
            if rater in fact["raters"]
        ]
        if mine:
            name = rater if round_number == 1 else f"{rater}-{round_number}"
            sheets.append(folder / f"{name}.{choice.format}")
            write_sheet(sheets[-1], mine, rater=rater)
    return sheets
