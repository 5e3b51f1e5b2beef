"""Estimates from 200 labels, where the labels of all facts are known: real facts, real raters.

A population is a set of labelled facts. Its truth is what all its labels say: the majority of the
raters of a fact, or the data's own label. The annotator is the pipeline's: a match in the knowledge
base, else hit counts in the text, with the settings of a configuration. Then 200 facts are drawn
and labelled, 500 times over, and each estimator says what share of the population is true:

* *chain-rule*: drawn within the annotator's classes, allocated as ``distval label draw`` does;
* *labels-only*, *ppi++*, *rogan-gladen*: one simple random sample, the same for all three.

Google-RE
    1,804 facts about places of death, about five raters each.
ReVerb
    2,000 facts of an open extractor, three raters each. The threshold t was tuned on others.
FactBench
    4,369 facts, true ones of DBpedia and Freebase and others made wrong, by more than their date:
    nobody judged them, but of the three sets it is the one that the knowledge base and the text
    know something about.

On Google-RE a person stands for the annotator as well: of each fact one rater, drawn by lot, the
truth being the majority of the others. So much could a good annotator save on these facts.

What raters' errors do is seen where a drawn fact gets not the majority's label, but that of one of
its raters, or of three, combined by the model of Dawid and Skene.

    .venv/bin/python benchmarks/real_labels.py              # all, two to three minutes
    .venv/bin/python benchmarks/real_labels.py --draws 100  # a look
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluator.annotators.evidence import COUNTS
from evaluator.counting.definition import Counts, pmi
from evaluator.datasets import factbench, google_re, reverb_mturk
from evaluator.errors import DistvalError, InputError
from evaluator.estimators.labelled import estimate
from evaluator.estimators.strata import Stratum, StratumClass
from evaluator.estimators.tallies import Verdict
from evaluator.intervals import Drawing, Estimate
from evaluator.labels.design import (
    JudgedFact,
    LabelCell,
    LabelledFact,
    Place,
    Stratification,
    label_cells,
    system_strata,
    thousandths,
)
from evaluator.labels.label import Label
from evaluator.labels.plan import plan
from evaluator.labels.raters import combine
from evaluator.model import Item, Rejects
from evaluator.simulation import covered
from indexes.dumps.fb15k237 import read_labels
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.index import TextIndex
from jobs.config import Configuration, data_folder
from jobs.evidence.labelled_evidence import gather

CONF = Path("conf/reverb-clueweb.toml")
LABELS, DRAWS, SEED = 200, 500, 2013
CHAIN_RULE, ALONE = "chain-rule", "labels-only"
ESTIMATORS = (CHAIN_RULE, ALONE, "ppi++", "rogan-gladen")
NOMINAL = (0.93, 0.97)
POSTERIOR_DRAWS = 1_000

type Variant = Literal["proximity", "classic"]
type Rating = Literal["all", "one rater", "three raters, majority", "three raters, Dawid-Skene"]

VARIANTS: tuple[Variant, ...] = ("proximity", "classic")
RATINGS: tuple[Rating, ...] = ("one rater", "three raters, majority", "three raters, Dawid-Skene")

_SYSTEM = "S"
_CLASSES = Stratification(systems=(_SYSTEM,), cuts={})
# Streams of random numbers: the raters who stand for the annotator; the facts and raters drawn.
_PERSON, _DRAWN = 1, 2


class LabelledSet(NamedTuple):
    """Facts with all their labels.

    Attributes
    ----------
    name
        What they are called here.
    labels
        Labels by fact, by one rater each.
    left_out
        Reason to number of records that are not among them.
    """

    name: str
    labels: Mapping[Item, Sequence[Label]]
    left_out: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Population:
    """Facts whose truth is known, as an annotator judges them.

    Attributes
    ----------
    name
        Of the facts and of the annotator.
    facts
        What the annotator says of each.
    truth
        Truth by all labels, 1 or 0, and 1/2 where they are tied; shape (facts,).
    labels
        The labels of each fact.
    """

    name: str
    facts: Sequence[JudgedFact]
    truth: NDArray[np.float64]
    labels: Sequence[Sequence[Label]]

    @property
    def share(self) -> float:
        """Share of true facts, which is to be estimated."""
        return float(self.truth.mean())

    @cached_property
    def accepted(self) -> NDArray[np.bool_]:
        """Whether the annotator calls each fact correct; shape (facts,)."""
        return np.array([fact.matched or fact.verdict == "accepted" for fact in self.facts])

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """What the annotator says of each fact as a number in [0, 1]; shape (facts,)."""
        return np.array([thousandths(fact) for fact in self.facts]) / 1_000

    @cached_property
    def places(self) -> list[Place]:
        """Where each fact is."""
        return [_CLASSES.place(fact) for fact in self.facts]

    @cached_property
    def classes(self) -> dict[str, NDArray[np.int64]]:
        """The facts of each class, of which the chain rule draws, by their places here."""
        names = np.array([str(place.name) for place in self.places])
        return {str(name): np.flatnonzero(names == name) for name in np.unique(names)}

    @cached_property
    def cells(self) -> list[LabelCell]:
        """The facts by class, in numbers."""
        return label_cells(self.facts, _CLASSES)


# --- The facts and their labels ---------------------------------------------------------------


def google(data: Path) -> LabelledSet:
    """Return Google's facts about places of death."""
    names = read_labels(data / "fb15k237")
    rejects = Rejects()
    labels = google_re.read_labels(data / "google_re", names, rejects=rejects)
    return LabelledSet("Google-RE", _by_item(labels), rejects.counts)


def reverb(data: Path) -> LabelledSet:
    """Return the ReVerb facts that no threshold was tuned on."""
    rejects = Rejects()
    labels = reverb_mturk.read_labels(data / "reverb_mturk", "test", rejects=rejects)
    return LabelledSet("ReVerb", _by_item(labels), rejects.counts)


def factbench_train(data: Path) -> LabelledSet:
    """Return the facts of FactBench's training part, true and made wrong."""
    rejects = Rejects()
    labels = factbench.read_labels(data / "factbench", "train", rejects=rejects)
    return LabelledSet("FactBench", _by_item(labels), rejects.counts)


def _by_item(labels: Iterable[Label]) -> dict[Item, list[Label]]:
    by_item: dict[Item, list[Label]] = defaultdict(list)
    for label in sorted(labels, key=lambda label: (label.item, label.rater)):
        by_item[label.item].append(label)
    return dict(by_item)


# --- The annotators ---------------------------------------------------------------------------


class Findings(NamedTuple):
    """What the annotator knows of a fact: whether D holds it, and its hit counts."""

    matched: bool
    counts: Counts


def find_evidence(sets: Sequence[LabelledSet], settings: Configuration) -> dict[Item, Findings]:
    """Return what the knowledge base and the text say of all facts of the sets."""
    for path in (settings.kb.path, settings.index.path):
        if not path.exists():
            raise InputError(path, f"not there; distval run makes it, with {CONF}")
    with TextIndex.open(settings.index.path) as index:
        found = gather(
            {item for one in sets for item in one.labels},
            kb=KnowledgeBase.open(settings.kb.path),
            index=index,
            match=settings.match,
            pmi=settings.pmi,
            relation=settings.relation,
        )
    hits = np.stack([getattr(found.evidence, name) for name in COUNTS], axis=1).tolist()
    counts = (
        Counts._make(row if defined else [None] * len(COUNTS))
        for row, defined in zip(hits, found.evidence.defined.tolist(), strict=True)
    )
    told = map(Findings, found.matched.tolist(), counts)
    return dict(zip(found.items, told, strict=True))


def by_pipeline(
    of: LabelledSet, evidence: Mapping[Item, Findings], *, variant: Variant, threshold: float
) -> Population:
    """Return the population as the pipeline judges it, where PMI of `threshold` is accepted."""
    facts = []
    for key, item in enumerate(of.labels):
        found = evidence[item]
        value = pmi(found.counts, variant)
        facts.append(_judged(_verdict(found, value, threshold), value, found.counts.pair, key))
    return Population(
        name=f"{of.name}, {variant.upper()}",
        facts=facts,
        truth=_truth(of.labels),
        labels=list(of.labels.values()),
    )


def _verdict(found: Findings, value: float | None, threshold: float) -> Verdict:
    if found.matched:
        return "matched"
    if value is None:
        return "no relation word" if found.counts.pair else "no pair"
    return "accepted" if value >= threshold else "rejected"


def _judged(verdict: Verdict, value: float | None, pair: int | None, key: int) -> JudgedFact:
    return JudgedFact(
        candidate=False,
        systems=frozenset({_SYSTEM}),
        matched=verdict == "matched",
        verdict=verdict,
        score=value,
        pair=pair,
        key=key,
    )


def by_person(of: LabelledSet, *, seed: int) -> Population:
    """Return the facts as one of their raters, drawn by lot, judges them.

    The truth is what most of the others say; facts on which they are tied, or that nobody else
    labelled, are left out.
    """
    rng = np.random.default_rng([seed, _PERSON])
    facts, others = [], {}
    for key, (item, labels) in enumerate(of.labels.items()):
        chosen = int(rng.integers(len(labels)))
        rest = [label for n, label in enumerate(labels) if n != chosen]
        if 2 * sum(label.label for label in rest) != len(rest):
            correct = labels[chosen].label
            facts.append(_judged("accepted" if correct else "rejected", float(correct), 1, key))
            others[item] = rest
    return Population(
        name=f"{of.name}, a rater",
        facts=facts,
        truth=_truth(others),
        labels=list(others.values()),
    )


def _truth(labels: Mapping[Item, Sequence[Label]]) -> NDArray[np.float64]:
    together = combine((x for given in labels.values() for x in given), method="majority")
    return np.array([together[item].true for item in labels])


class Worth(NamedTuple):
    """What an annotator is worth on a population.

    Attributes
    ----------
    sensitivity, specificity
        Shares of the true facts that it accepts, and of the others that it does not; it accepts
        none whose PMI is undefined.
    undefined
        Share of facts of which it says nothing.
    explained
        Share of the variance of the truth that lies between its classes. With labels in proportion
        to their sizes, intervals are √(1 - explained) times as wide as without classes.
    """

    sensitivity: float
    specificity: float
    undefined: float
    explained: float


def worth(of: Population) -> Worth:
    """Return what the annotator is worth, by all labels."""
    accepted, truth = of.accepted, of.truth
    within = sum(float(truth[facts].var()) * facts.size for facts in of.classes.values())
    return Worth(
        sensitivity=float(truth @ accepted / truth.sum()),
        specificity=float((1 - truth) @ ~accepted / (1 - truth).sum()),
        undefined=sum(place.name == "undefined" for place in of.places) / len(of.facts),
        explained=1 - within / len(of.facts) / float(truth.var()),
    )


# --- Draws ------------------------------------------------------------------------------------


def numbers_by_class(of: Population, labels: int) -> dict[str, int]:
    """Return how many facts of each class to label, as ``distval label draw`` allocates them."""
    planned = plan(of.cells, systems=[_SYSTEM], budget=labels)
    return {str(one.place.name): one.labels for one in planned}


def draw(
    of: Population, estimator: str, numbers: Mapping[str, int], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw facts to label, as the estimator wants them; return their places in the population.

    Parameters
    ----------
    of
        The population.
    estimator
        Its NAME.
    numbers
        Labels by class; their sum, where the estimator wants a simple random sample.
    rng
        Source of random numbers.
    """
    if estimator != CHAIN_RULE:
        return rng.choice(len(of.facts), sum(numbers.values()), replace=False)
    return np.concatenate(
        [rng.choice(of.classes[name], number, replace=False) for name, number in numbers.items()]
    )


def ask(
    of: Population, drawn: NDArray[np.int64], rating: Rating, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return what raters say of the facts drawn, each in [0, 1]; shape (facts drawn,).

    "all" is the truth by all labels, the other ratings are of raters drawn by lot for each fact.
    """
    if rating == "all":
        return of.truth[drawn]
    number = 1 if rating == "one rater" else 3
    given = [of.labels[place] for place in drawn.tolist()]
    asked = [[one[n] for n in rng.permutation(len(one))[:number]] for one in given]
    together = combine(
        (label for one in asked for label in one),
        method="dawid-skene" if rating.endswith("Dawid-Skene") else "majority",
    )
    return np.array([together[one[0].item].true for one in asked])


def strata(
    of: Population, estimator: str, drawn: NDArray[np.int64], truth: NDArray[np.float64]
) -> list[Stratum]:
    """Return the strata that an estimator takes, with the labels of the facts drawn."""
    if estimator == CHAIN_RULE:
        labelled = [
            LabelledFact(
                place=of.places[n],
                candidate=False,
                systems=of.facts[n].systems,
                score=thousandths(of.facts[n]),
                truth=said,
                link_wrong=0.0,
                document="",
            )
            for n, said in zip(drawn.tolist(), truth.tolist(), strict=True)
        ]
        return system_strata(of.cells, labelled, _SYSTEM)
    scores = of.scores
    groups = {"all": np.full(len(of.facts), True)}
    if estimator == "rogan-gladen":
        groups = {"rejected": ~of.accepted, "accepted": of.accepted}
    classes = [
        StratumClass(
            name=name,
            judged=int(members.sum()),
            truth=truth[members[drawn]],
            annotator=scores[drawn][members[drawn]],
            annotator_mean=float(scores[members].mean()),
            annotator_variance=float(scores[members].var()),
        )
        for name, members in groups.items()
        if members.any()
    ]
    return [Stratum(domain="a", population=len(of.facts), classes=tuple(classes))]


class Result(NamedTuple):
    """How an estimator did over all draws.

    Attributes
    ----------
    estimable
        Share of the draws with an estimate; what follows is over these.
    coverage
        Share whose interval holds the truth of all labels.
    width
        Mean width of the intervals.
    mean, deviation
        Of the estimates.
    """

    estimable: float
    coverage: float
    width: float
    mean: float
    deviation: float


def repeated(
    of: Population,
    estimator: str,
    *,
    rating: Rating = "all",
    labels: int = LABELS,
    draws: int = DRAWS,
    seed: int = SEED,
) -> list[Estimate]:
    """Return the estimates of the share of true facts from as many draws of labels."""
    made, numbers = [], numbers_by_class(of, labels)
    for number in range(draws):
        # Estimators that draw alike get the same facts.
        rng = np.random.default_rng([seed, _DRAWN, number])
        drawn = draw(of, estimator, numbers, rng)
        said = ask(of, drawn, rating, rng)
        made.append(
            estimate(
                strata(of, estimator, drawn, said),
                estimator,
                Drawing(draws=POSTERIOR_DRAWS, seed=number),
                corpus=False,
            ).precision
        )
    return made


def summary(estimates: Sequence[Estimate], truth: float) -> Result:
    """Return how estimates did against the truth."""
    held = covered(estimates, truth)
    values = np.array([e.value for e in estimates if e.value is not None])
    if not values.size:
        return Result(0.0, np.nan, np.nan, np.nan, np.nan)
    return Result(
        estimable=held.estimable / held.replicates,
        coverage=held.covered / held.estimable,
        width=held.width,
        mean=float(values.mean()),
        deviation=float(values.std()),
    )


# --- The tables -------------------------------------------------------------------------------


def show_population(of: Population) -> None:
    """Print what a population is and what its annotator is worth on it."""
    about = worth(of)
    print(
        f"\n{of.name}: {len(of.facts):,} facts, {of.share:.3f} true; the annotator alone says "
        f"{of.accepted.mean():.3f}\n  sensitivity {about.sensitivity:.3f}, specificity "
        f"{about.specificity:.3f}, undefined {about.undefined:.3f}; its classes explain "
        f"{about.explained:.1%} of the variance"
    )
    for name, number in numbers_by_class(of, LABELS).items():
        facts = of.classes[name]
        print(f"  {name}: {facts.size:,} facts, {of.truth[facts].mean():.3f} true, {number} labels")


def show(what: str, of: Population, found: Result, beside: Result) -> None:
    """Print a line of a table."""
    if not found.estimable:
        print(f"  {what:<39} never estimable", flush=True)
        return
    low, high = NOMINAL
    seldom = "" if found.estimable > 0.995 else f"  in {found.estimable:.0%}"
    mark = "" if low <= found.coverage <= high else " *"
    print(
        f"  {what:<39}{found.coverage:>9.3f}{found.width:>9.4f}{found.width / beside.width:>8.3f}"
        f"{found.mean:>9.4f}{found.mean - of.share:>+9.4f}{found.deviation:>9.4f}{mark}{seldom}",
        flush=True,
    )


def head() -> None:
    """Print the head of a table."""
    print(
        f"  {'':<39}{'coverage':>9}{'width':>9}{'ratio':>8}{'mean':>9}{'bias':>9}{'SD':>9}",
        flush=True,
    )


def measured(of: Population, options: argparse.Namespace) -> dict[str, Result]:
    """Print how all estimators do on a population, and return it."""
    show_population(of)
    head()
    found = {}
    for name in (ALONE, *ESTIMATORS):
        if name not in found:
            made = repeated(of, name, draws=options.draws, seed=options.seed)
            found[name] = summary(made, of.share)
    for name in ESTIMATORS:
        show(name, of, found[name], found[ALONE])
    return found


def show_raters(of: Population, beside: Result, options: argparse.Namespace) -> None:
    """Print what the errors of raters do to the estimates; the truth is that by all labels."""
    model = combine((label for one in of.labels for label in one), method="dawid-skene")
    votes = [np.mean([label.label for label in one]) for one in of.labels]
    print(
        f"  What raters do: true by majority of all {of.share:.4f}, by Dawid-Skene over all "
        f"{np.mean([t.true for t in model.values()]):.4f}, mean vote {np.mean(votes):.4f}"
    )
    for rating in RATINGS:
        if rating == "three raters, majority" and max(map(len, of.labels)) <= 3:
            continue  # that is what all labels say
        for name in (CHAIN_RULE, ALONE):
            made = repeated(of, name, rating=rating, draws=options.draws, seed=options.seed)
            show(f"{name}, {rating}", of, summary(made, of.share), beside)


def compare(options: argparse.Namespace) -> int:
    """Let all estimators estimate from the same populations; print; return the exit code."""
    begun, data = perf_counter(), data_folder()
    settings = Configuration.load(options.conf)
    sets = [read(data) for read in (google, reverb, factbench_train)]
    for one in sets:
        reasons = "; ".join(f"{n:,} × {reason}" for reason, n in one.left_out.items() if n)
        print(f"{one.name}: {len(one.labels):,} facts; not used: {reasons}")
    evidence = find_evidence(sets, settings)
    print(
        f"Evidence found in {perf_counter() - begun:.0f} s; X = {settings.pmi.x}, PMI from "
        f"{settings.pmi.threshold} on is accepted. {options.draws:,} draws of {LABELS} labels: "
        "coverage of the 95 % intervals (* outside 93 to 97 %), their mean width, its ratio to "
        f"that of {ALONE}, mean, bias and standard deviation of the estimates"
    )
    faults, least = [], 0.95 - 3 * sqrt(0.95 * 0.05 / options.draws)
    for one in sets:
        populations = [
            by_pipeline(one, evidence, variant=variant, threshold=settings.pmi.threshold)
            for variant in VARIANTS
        ]
        if one.name == "Google-RE":
            populations.append(by_person(one, seed=options.seed))
        for number, of in enumerate(populations):
            found = measured(of, options)
            faults += [
                f"{name} on {of.name} covered {found[name].coverage:.3f}"
                for name in (CHAIN_RULE, ALONE)
                if found[name].coverage < least
            ]
            if number == 0 and one.name != "FactBench":
                show_raters(of, found[ALONE], options)
    print(f"\n{perf_counter() - begun:.0f} s")
    for fault in faults:
        print("FAULT", fault)
    return 1 if faults else 0


def main() -> int:
    """Measure and print; return the exit code: 1 where coverage is below 95 % beyond chance."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--conf", type=Path, default=CONF, help="evidence and settings")
    parser.add_argument("--draws", type=int, default=DRAWS, metavar="N")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N")
    options = parser.parse_args()
    try:
        return compare(options)
    except DistvalError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
