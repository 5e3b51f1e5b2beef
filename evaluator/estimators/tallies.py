"""From judged facts to the tallies that the estimators take.

The facts of S ∪ G' fall into *cells*: facts that agree in everything an estimate looks at. Cells
are additive, so a cluster counts them in parallel and one process adds them up; from then on the
size of the corpus does not matter.
"""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from evaluator.estimators import Tally

Verdict = Literal[
    "matched", "accepted", "rejected", "no pair", "no answer", "no relation word", "negated"
]
"""What the annotator says: matched in D; accepted or rejected; or why its score is undefined."""

UNDEFINED: tuple[Verdict, ...] = ("no pair", "no answer", "no relation word", "negated")
"""No document holds both entities; no judge from outside says yes or no; "is in" has no content
word; hit counts judge no negation."""

CANDIDATES = "G'"
CANDIDATES_REST = r"G'\D"


def system_population(name: str) -> str:
    """Return the name of the population S of a system."""
    return f"S:{name}"


def system_rest(name: str) -> str:
    r"""Return the name of the population S \ D of a system."""
    return rf"S\D:{name}"


class Cell(NamedTuple):
    """Facts alike in every other field, and their number.

    Attributes
    ----------
    candidate
        Whether they are in G'.
    systems
        The systems that state them.
    matched
        Whether they are in D.
    verdict
        The annotator's verdict; None where they were not judged (outside every sample).
    samples
        Names of the populations in whose samples they are.
    facts
        Number of facts.
    across
        Whether they are in G' by a window alone: no sentence by itself states them.
    """

    candidate: bool
    systems: frozenset[str]
    matched: bool
    verdict: Verdict | None
    samples: frozenset[str]
    facts: int
    across: bool = False


class SystemTallies(NamedTuple):
    r"""What the estimators need to know of one system.

    Attributes
    ----------
    facts, outside_candidates
        |S| and |S \ G'|. This and all else that rests on G' is None where there is no corpus.
    b, c
        |S ∩ D| and |(G' ∩ D) \ S|: a census.
    system, candidates
        Tallies over the samples of S and of G' (the paper's design).
    system_rest, candidate_rest
        Tallies over the samples of S \ D and of G' \ (S ∪ D) (the census design).
    undefined
        Facts in the sample of S \ D with an undefined PMI, by reason.
    """

    facts: int
    outside_candidates: int | None
    b: int
    c: int | None
    system: Tally
    candidates: Tally | None
    system_rest: Tally
    candidate_rest: Tally | None
    undefined: Mapping[Verdict, int]


def system_tallies(cells: Iterable[Cell], name: str, *, corpus: bool = True) -> SystemTallies:
    """Return the tallies of the system `name` over all cells; `corpus` tells whether G' is known.

    An unknown G' is not an empty one: without a corpus nothing is known of what a system lacks.
    """
    cells = list(cells)
    of_system = [cell for cell in cells if name in cell.systems]
    of_corpus = [cell for cell in cells if cell.candidate]
    rest = [cell for cell in of_corpus if name not in cell.systems]
    sampled = [cell for cell in of_system if system_rest(name) in cell.samples]
    return SystemTallies(
        facts=_facts(of_system),
        outside_candidates=_facts(c for c in of_system if not c.candidate) if corpus else None,
        b=_facts(cell for cell in of_system if cell.matched),
        c=_facts(cell for cell in rest if cell.matched) if corpus else None,
        system=_tally(of_system, system_population(name)),
        candidates=_tally(of_corpus, CANDIDATES) if corpus else None,
        system_rest=_tally([c for c in of_system if not c.matched], system_rest(name)),
        candidate_rest=_tally([c for c in rest if not c.matched], CANDIDATES_REST)
        if corpus
        else None,
        undefined={
            reason: number
            for reason in UNDEFINED
            if (number := _facts(cell for cell in sampled if cell.verdict == reason))
        },
    )


def _facts(cells: Iterable[Cell]) -> int:
    return sum(cell.facts for cell in cells)


def _tally(population: list[Cell], sample: str) -> Tally:
    sampled = [cell for cell in population if sample in cell.samples]
    return Tally(
        population=_facts(population),
        sampled=_facts(sampled),
        matched=_facts(cell for cell in sampled if cell.verdict == "matched"),
        accepted=_facts(cell for cell in sampled if cell.verdict == "accepted"),
        undefined=_facts(cell for cell in sampled if cell.verdict in UNDEFINED),
    )
