"""What a run says of a closed world beside what is true there: WebNLG (:mod:`benchmarks.webnlg`).

The world is made, and evaluated by the local engine like any corpus: nothing is told to the
pipeline but files. For every annotator:

* precision, recall and F of three systems, estimated and true. Recall is of the true facts in G′
  and the system's own, as the estimate is; "of all" is of everything that the corpus states by a
  word that it has, of entities that it names.
* the pairs of systems that the estimates put in the right order.
* how the scores tell true from false facts: area under the ROC curve and average precision, over
  the facts that the database leaves open, over those of them whose pair is in no document, and over
  those of S. A fact without a score ranks lowest. Facts whose labels an annotator was trained on
  are left out.
* what share of the accepted facts is true.
* the funnel: what becomes of each statement of each sentence, and of the facts of S.

With ``link.scope`` "names" or "phrases", a fact is true too where an entity is called as its
sentence calls it; of literals too. A statement "of two entities" is then one of a literal that was
found. Noun phrases that say more than a name ("the dish bandeja paisa") count as wrong.

`calibrated` is trained on labels: drawn by ``distval label draw`` and answered with the truth,
then ``distval tune``. With `--seeds`, intervals from labels are tried: as many draws of as many
labels, each from a run with a seed of its own.

    .venv/bin/python benchmarks/closed_world.py
    .venv/bin/python benchmarks/closed_world.py --annotator calibrated --seeds 20
    .venv/bin/python benchmarks/closed_world.py --words between --set pmi.x=8 --out /tmp/world
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import duckdb
import numpy as np
from numpy.typing import NDArray

from benchmarks.webnlg.entries import Triple, is_literal
from benchmarks.webnlg.lexicon import elements_of
from benchmarks.webnlg.sentences import Place, Said
from benchmarks.webnlg.world import SALT, ClosedWorld, make_world
from evaluator.errors import DistvalError
from evaluator.intervals import Estimate
from evaluator.labels.design_file import read_questions
from evaluator.labels.label import Label
from evaluator.labels.questions import Question
from evaluator.results.result import Result
from evaluator.text import spans
from evaluator.tuning.verdict_figures import lowest_where_undefined
from jobs.analysis.simulation import MEASURES, fill_sheets
from jobs.config import Configuration, data_folder
from jobs.labels.draw import DrawChoice, draw
from jobs.run.pipeline import run
from jobs.run.result import true_figures
from jobs.rundir import files_of_table

ANNOTATORS = ("distant", "pmi", "urns", "calibrated")
NEAR = 0.08
"""How far an estimate without labels may be from the truth."""

type Bare = tuple[str, str, str]
"""⟨e1, r, e2⟩ by identifiers and relation key."""


# --- A run, and what is true of its facts ------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """The facts of S and G′ as a run judged them, each in a row of every array.

    Attributes
    ----------
    facts
        ⟨e1, r, e2⟩.
    systems
        The systems that state each.
    true, candidate, matched, accepted
        Whether it is true, in G′, in the database, and accepted by the text.
    score, pair
        The annotator's, NaN where undefined; documents that hold both entities, 0 where not asked.
    """

    facts: Sequence[Bare]
    systems: Sequence[frozenset[str]]
    true: NDArray[np.bool_]
    candidate: NDArray[np.bool_]
    matched: NDArray[np.bool_]
    accepted: NDArray[np.bool_]
    score: NDArray[np.float64]
    pair: NDArray[np.int64]

    @classmethod
    def of_run(cls, directory: Path, true: Collection[Bare]) -> "Judged":
        """Read the judged facts of a finished run."""
        with (
            duckdb.connect() as connection,
            files_of_table(directory / "estimate" / "judged") as files,
        ):
            rows = connection.execute(_JUDGED, [files]).fetchall()
        facts = [row[:3] for row in rows]
        candidate, matched, accepted = (
            np.array([row[column] for row in rows], bool) for column in (4, 5, 6)
        )
        return cls(
            facts,
            [frozenset(row[3]) for row in rows],
            np.array([fact in true for fact in facts], bool),
            candidate,
            matched,
            accepted,
            np.array([np.nan if row[7] is None else row[7] for row in rows], float),
            np.array([row[8] or 0 for row in rows], np.int64),
        )

    def of(self, system: str) -> NDArray[np.bool_]:
        """Return which facts a system states."""
        return np.array([system in told for told in self.systems], bool)

    @cached_property
    def of_any(self) -> NDArray[np.bool_]:
        """Which facts any system states."""
        return np.array([bool(told) for told in self.systems], bool)

    def truth(self, system: str) -> dict[str, float]:
        """Return the true figures of a system, within G′ and its own facts."""
        stated = self.of(system)
        known = self.true & (self.candidate | stated)
        places = {*np.flatnonzero(stated).tolist()}, {*np.flatnonzero(known).tolist()}
        return {measure: value or 0.0 for measure, value in true_figures(*places).items()}


_JUDGED = """
select e1, r, e2, systems, candidate, matched, verdict = 'accepted', score, pair
from read_parquet($1) where not negated order by e1, r, e2
"""


def evaluated(world: ClosedWorld, settings: Sequence[str]) -> Result:
    """Run the world with settings; return the result."""
    return run(Configuration.load(world.configuration, overrides=settings), page=False)


def labelled(world: ClosedWorld, folder: Path, budget: int, true: Collection[Bare]) -> Path:
    """Draw facts of the world's finished run into a label folder, and answer with the truth."""
    shutil.rmtree(folder, ignore_errors=True)
    design = draw(world.folder / "run", folder, DrawChoice(budget))

    def labels(rater: str, asked: Sequence[Question]) -> Iterator[Label]:
        for one in asked:
            yield Label(one.e1, one.r, one.e2, (one.e1, one.r, one.e2) in true, rater)

    fill_sheets(folder, map(Path, design["sheets"]), labels)
    return folder


def trained(world: ClosedWorld, labels: Path, annotator: str) -> list[str]:
    """Train an annotator on labels; return the settings of a run with it."""
    model = world.folder / f"{annotator}.json"
    command = (
        "distval", "tune", labels, "--conf", world.configuration, "--annotator", annotator,
        "--criterion", "f1",  # balanced accuracy takes too many where few are true
        "--save", model, "--json",
    )  # fmt: skip
    program = Path(sys.executable).with_name("distval")
    subprocess.run([program, *command[1:]], check=True, stdout=subprocess.DEVNULL)
    return [f'annotator="{annotator}"', f"{annotator}.model={json.dumps(str(model))}"]


# --- The tables --------------------------------------------------------------------------------


def show_systems(world: ClosedWorld, result: Result, judged: Judged) -> None:
    """Print estimated and true figures, and how many pairs of systems are in the right order."""
    _head("", "precision", "recall", "F", "recall of all", "bounds of P, of R hold")
    truth = {name: judged.truth(name) for name in result.systems}
    near = 0
    for name, system in result.systems.items():
        said = {measure: getattr(system, measure) for measure in MEASURES}
        near += sum(abs((said[m].value or 0) - truth[name][m]) <= NEAR for m in MEASURES)
        _cells(f"{name} true", *(f"{truth[name][m]:.1%}" for m in MEASURES),
               _of_all(world, judged, judged.of(name)))  # fmt: skip
        bounds = (
            (system.precision_bounds, truth[name]["precision"]),
            (system.recall_bounds, truth[name]["recall"]),
        )
        told = (_bounds(*one) for one in bounds)
        _cells("  said", *(_interval(said[m]) for m in MEASURES), "", ", ".join(told))
    print(f"  within {NEAR:.0%}: {near} of {3 * len(truth)} figures".replace("%", " points"))
    right = {m: _in_order(result, truth, m) for m in MEASURES}
    pairs = len(truth) * (len(truth) - 1) // 2
    print(f"  pairs of systems in the right order, of {pairs}: "
          + ", ".join(f"{measure} {number}" for measure, number in right.items()))  # fmt: skip


def _in_order(result: Result, truth: Mapping[str, Mapping[str, float]], measure: str) -> int:
    said = {name: getattr(one, measure).value or 0 for name, one in result.systems.items()}
    return sum(
        (said[a] - said[b]) * (truth[a][measure] - truth[b][measure]) > 0
        for a, b in combinations(truth, 2)
    )


def _bounds(bounds: tuple[float, float] | None, truth: float) -> str:
    if bounds is None:
        return "–"
    return f"{bounds[0]:.1%}–{bounds[1]:.1%} {'yes' if bounds[0] <= truth <= bounds[1] else 'no'}"


def show_scores(judged: Judged, without: Collection[Bare]) -> None:
    """Print how scores and verdicts tell true from false facts, of those that D leaves open."""
    from sklearn.metrics import average_precision_score, roc_auc_score

    left = np.array([fact not in without for fact in judged.facts], bool) & ~judged.matched
    kinds = {
        "all open": left,
        "… no pair": left & (judged.pair == 0),
        "… of S": left & judged.of_any,
        "… of G′ alone": left & ~judged.of_any,
    }
    _head("", "facts", "true", "AUC", "av. precision", "accepted", "of these true")
    for name, kind in kinds.items():
        label, score = judged.true[kind], lowest_where_undefined(judged.score[kind])
        accepted = judged.accepted & kind
        both = label.any() and not label.all()
        _cells(
            name,
            f"{kind.sum():,}",
            f"{label.mean():.1%}" if label.size else "–",
            f"{roc_auc_score(label, score):.3f}" if both else "–",
            f"{average_precision_score(label, score):.3f}" if both else "–",
            f"{accepted.sum():,}",
            _share(int((judged.true & accepted).sum()), int(accepted.sum())),
        )


class Trial(NamedTuple):
    """What labels told of one measure of one system, and what is true."""

    system: str
    measure: str
    said: Estimate
    claim: str
    truth: float


def show_labelled(trials: Sequence[Trial], seeds: int, budget: int) -> None:
    """Print how often intervals from labels hold the truth."""
    print(f"\nIntervals from {budget} labels, {seeds} draws")
    _head("", "hold the truth", "mean width", "mean difference", "“few labels”")
    for name, measure in dict.fromkeys((one.system, one.measure) for one in trials):
        of = [one for one in trials if (one.system, one.measure) == (name, measure)]
        known = [one for one in of if one.said.value is not None]
        _cells(
            f"{name} {measure}",
            f"{sum(one.said.holds(one.truth) for one in of)} of {len(of)}",
            f"{np.mean([one.said.width or 0 for one in known]):.1%}",
            f"{np.mean([(one.said.value or 0) - one.truth for one in known]):+.1%}",
            f"{sum(one.claim == 'few labels' for one in of)}",
        )
    held = sum(one.said.holds(one.truth) for one in trials)
    print(f"  together {_share(held, len(trials))}")


def trials_of(
    world: ClosedWorld, settings: Sequence[str], seeds: int, budget: int, true: Collection[Bare]
) -> Iterator[Trial]:
    """Yield what labels tell, seed by seed; each seed draws its own facts."""
    for seed in range(1, seeds + 1):
        seeded = [*settings, f"sample.seed={seed}"]
        evaluated(world, seeded)
        folder = labelled(world, world.folder / "labels-of-seed", budget, true)
        result = evaluated(world, [*seeded, f"labels.path={json.dumps(str(folder))}"])
        judged = Judged.of_run(world.folder / "run", true)
        for name, system in result.systems.items():
            truth = judged.truth(name)
            if system.with_labels is not None and (told := system.with_labels.world) is not None:
                for measure in MEASURES:
                    if (said := getattr(told, measure)) is not None:
                        yield Trial(name, measure, said, told.claims[measure], truth[measure])


# --- The funnel --------------------------------------------------------------------------------

STEPS = (
    "stated",
    "of two entities",
    "both named",
    "both mentions found",
    "linked right",
    "a word for it",
    "in G′",
    "judged",
    "accepted",
)


class Annotated(NamedTuple):
    """What a run found in a sentence: entities by character span, and relation words."""

    mentions: tuple[tuple[int, int, str], ...]
    words: frozenset[str]


def annotated(directory: Path) -> dict[tuple[str, int], Annotated]:
    """Return what a finished run found in each sentence, by document and number."""
    with (
        duckdb.connect() as connection,
        files_of_table(directory / "annotate" / "sentences") as files,
    ):
        rows = connection.execute(
            "select document, number, text, mentions, relation_words from read_parquet($1)",
            [files],
        ).fetchall()
    found = {}
    for document, number, text, mentions, words in rows:
        at = spans(text)
        found[document, number] = Annotated(
            tuple((at[m["start"]].start, at[m["end"] - 1].end, m["entity"]) for m in mentions),
            frozenset(words),
        )
    return found


def steps_of(
    said: Said, triple: Triple, found: Annotated, world: ClosedWorld, judged: Mapping[Bare, str]
) -> int:
    """Return how many of the steps a statement of a sentence goes.

    Parameters
    ----------
    said, triple
        The sentence, and what it states.
    found
        What the run found in it.
    world
        Whose lexicon tells the words.
    judged
        Of each candidate fact what became of it: "accepted" (by text or database), "rejected" or
        "undefined".
    """
    ends = (triple.subject, triple.object)
    places = [[p for p in said.places if p.entity == end] for end in ends]
    touched = [[m for m in found.mentions if any(_meet(m, p) for p in of)] for of in places]
    right = [
        [
            m
            for m in of
            if any(_meet(m, p) and m[2] in elements_of(said, p, by_name=True) for p in at)
        ]
        for of, at in zip(touched, places, strict=True)
    ]
    if not all(right):
        return 1 if is_literal(triple.object) else 2 if not all(places) else 3 + all(touched)
    either = world.lexicon.either[triple.property]
    forward = (either | world.lexicon.forward[triple.property]) & found.words
    inverse = (either | world.lexicon.inverse[triple.property]) & found.words
    facts = [
        (one[2], word, two[2])
        for first, second, words in ((*right, forward), (*right[::-1], inverse))
        for one, two in product(first, second)
        if one[0] < two[0]
        for word in words
    ]
    if not facts:
        return 5
    verdicts = {judged[fact] for fact in facts if fact in judged}
    if not verdicts:
        return 6
    return 9 if "accepted" in verdicts else 8 if "rejected" in verdicts else 7


def _meet(mention: tuple[int, int, str], place: tuple[int, int, str]) -> bool:
    return mention[0] < place[1] and place[0] < mention[1]


def _is_linked(mention: tuple[int, int, str], said: Said, place: Place) -> bool:
    return _meet(mention, place) and mention[2] in elements_of(said, place, by_name=True)


def show_funnel(world: ClosedWorld, judged: Judged) -> None:
    """Print what becomes of every statement of every sentence, and of the facts of systems."""
    verdicts = {
        fact: _verdict(judged, place)
        for place, fact in enumerate(judged.facts)
        if judged.candidate[place]
    }
    found = annotated(world.folder / "run")
    reached: Counter[int] = Counter()
    distinct: dict[Triple, int] = {}
    for said in world.corpus:
        for triple in said.stated:
            steps = steps_of(said, triple, found[said.document, said.number], world, verdicts)
            reached[steps] += 1
            distinct[triple] = max(distinct.get(triple, 0), steps)
    _head("", "in sentences", "of all", "lost here", "distinct triples")
    total = sum(reached.values())
    for number, step in enumerate(STEPS, start=1):
        left = sum(count for steps, count in reached.items() if steps >= number)
        _cells(step, f"{left:,}", f"{left / total:.1%}", f"{reached[number - 1]:,}",
               f"{sum(steps >= number for steps in distinct.values()):,}")  # fmt: skip
    _head("facts of", "in S", "in G′", "matched", "accepted", "rejected", "undefined")
    names = sorted({name for told in judged.systems for name in told})
    for name in names:
        for kind, wanted in (("true", judged.true), ("false", ~judged.true)):
            of = judged.of(name) & wanted
            matched, accepted = (int((of & m).sum()) for m in (judged.matched, judged.accepted))
            undefined = int((of & ~judged.matched & np.isnan(judged.score)).sum())
            cells = (of.sum(), (of & judged.candidate).sum(), matched, accepted,
                     of.sum() - matched - accepted - undefined, undefined)  # fmt: skip
            _cells(f"{name} {kind}", *(f"{cell:,}" for cell in cells))


def _verdict(judged: Judged, place: int) -> str:
    if judged.matched[place] or judged.accepted[place]:
        return "accepted"
    return "undefined" if np.isnan(judged.score[place]) else "rejected"


# --- Printing ----------------------------------------------------------------------------------


def _head(first: str, *titles: str) -> None:
    print(f"\n  {first:<20}" + "".join(f"{title:<18}" for title in titles).rstrip())


def _cells(name: str, *cells: str) -> None:
    print(f"  {name:<20}" + "".join(f"{cell:<18}" for cell in cells).rstrip(), flush=True)


def _interval(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    if not estimate.width:
        return f"{estimate.value:.1%}"
    return f"{estimate.value:.1%} [{estimate.low:.1%}, {estimate.high:.1%}]".replace("%", "")


def _share(part: int, of: int) -> str:
    return f"{part / of:.1%} of {of:,}" if of else "–"


def _of_all(world: ClosedWorld, judged: Judged, mask: NDArray[np.bool_]) -> str:
    """Return how much a set of facts has of all that the corpus states of entities with ids."""
    held = world.true.intersection(judged.facts[place] for place in np.flatnonzero(mask))
    return f"{len(held) / len(world.true):.1%}"


# --- The whole ---------------------------------------------------------------------------------


def compare(options: argparse.Namespace, folder: Path) -> None:
    """Make the world, run it, and print."""
    begun = perf_counter()
    world = make_world(
        data_folder() / "webnlg_train",
        folder,
        most=options.entries,
        given=options.given,
        held=options.held,
        salt=options.salt,
    )
    settings = [*options.set, *([f'superset.words="{options.words}"'] if options.words else [])]
    print(f"{len(world.corpus):,} sentences, {len(world.known):,} triples known, "
          f"{len(world.true):,} facts stated in words")  # fmt: skip
    result, without, own = None, frozenset[Bare](), list[str]()
    for annotator in options.annotator or ANNOTATORS:
        without, own = frozenset(), [f'annotator="{annotator}"']
        if annotator == "calibrated":
            evaluated(world, [*settings, 'annotator="pmi"'])
            labels = labelled(world, world.folder / "labels", options.labels, world.true_by_name)
            own = trained(world, labels, annotator)
            without = frozenset((q.e1, q.r, q.e2) for q in read_questions(labels))
        result = evaluated(world, [*settings, *own])
        judged = Judged.of_run(world.folder / "run", world.true_by_name)
        print(f"\n{annotator}" + (f", {len(without)} labels" if without else "")
              + f" ({perf_counter() - begun:,.0f} s)")  # fmt: skip
        held = _of_all(world, judged, judged.candidate)
        print(f"  G′: {judged.candidate.sum():,} facts, {held} of what is stated in words")
        show_systems(world, result, judged)
        show_scores(judged, without)
        show_funnel(world, judged)
    if options.seeds:
        trials = list(
            trials_of(world, [*settings, *own], options.seeds, options.labels, world.true)
        )
        show_labelled(trials, options.seeds, options.labels)


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--annotator", action="append", help="one of these only; repeatable")
    parser.add_argument("--set", action="append", default=[], metavar="SECTION.KEY=VALUE")
    parser.add_argument("--words", help="superset.words")
    parser.add_argument("--labels", type=int, default=500, metavar="N")
    parser.add_argument("--seeds", type=int, default=0, help="draws of labels, for intervals")
    parser.add_argument("--entries", type=int, help="of WebNLG at most")
    parser.add_argument("--given", action="store_true", help="the corpus tells its mentions")
    parser.add_argument("--held", type=float, default=0.5, help="share of triples in the base")
    parser.add_argument("--salt", default=SALT, help="another deals entries and triples anew")
    parser.add_argument("--out", type=Path, help="folder to keep the world in")
    options = parser.parse_args()
    try:
        with TemporaryDirectory(prefix="distval-") as temporary:
            compare(options, options.out or Path(temporary))
    except DistvalError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
