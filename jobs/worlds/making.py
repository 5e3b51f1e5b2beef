"""The files of a run about a made world, and the truth about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from evaluator.model import Extraction, Fact
from evaluator.readers import tabbed
from jobs.worlds import files
from jobs.worlds.corpus import Corpus, write_corpus
from jobs.worlds.evidence import background, known_statements
from jobs.worlds.reality import Reality, draw_reality
from jobs.worlds.settings import World
from jobs.worlds.statements import Statement
from jobs.worlds.systems import extracted
from jobs.worlds.vocabulary import KINDS


@dataclass(frozen=True)
class Made:
    """A made world: where its files are, and what is true of it.

    Attributes
    ----------
    folder
        Where the files are.
    world
        The settings.
    reality
        The entities and what is true of them; :meth:`~jobs.worlds.reality.Reality.is_true` tells it
        of any fact.
    corpus
        The sentences and what they state.
    systems
        The facts S of each system.
    known
        What the knowledge base states.
    """

    folder: Path
    world: World
    reality: Reality
    corpus: Corpus
    systems: Mapping[str, frozenset[Fact]]
    known: tuple[Statement, ...]

    @property
    def configuration(self) -> Path:
        """The configuration of the run."""
        return self.folder / "run.toml"

    @property
    def candidates(self) -> frozenset[Fact]:
        """The candidate superset G', in text order."""
        return self.corpus.candidates

    @cached_property
    def facts(self) -> frozenset[Fact]:
        """All facts that a run knows: G' and those of the systems."""
        return self.candidates.union(*self.systems.values())

    @cached_property
    def true(self) -> frozenset[Fact]:
        """The facts of G' and the systems that are true: what estimates are held to."""
        return frozenset(filter(self.reality.is_true, self.facts))

    @cached_property
    def stated(self) -> Mapping[Fact, bool]:
        """What the sentences state, each with whether it is true.

        Entities are those that the sentences mean: one that the knowledge base lacks has an id of
        its own (``/m/x_…``).
        """
        claims = (claim for written in self.corpus.written for claim in written.claims)
        return {claim.meant: claim.true for claim in claims}

    @property
    def candidate_coverage(self) -> float | None:
        """Share of what the sentences state, and is true, that lies in G' or in a system.

        The rest is stated in another order, or of an entity that linking takes for another; no
        estimate of recall sees it. None where nothing true is stated.
        """
        stated = {fact for fact, true in self.stated.items() if true}
        return len(stated & self.facts) / len(stated) if stated else None

    def figures(self) -> dict[str, object]:
        """Return the sizes of the world, as a report shows them."""
        return {
            "sentences": len(self.corpus.written),
            "candidates": len(self.candidates),
            "systems": {name: len(facts) for name, facts in self.systems.items()},
            "true": len(self.true),
            "true_share": len(self.true) / len(self.facts),
            "stated": len(self.stated),
            "candidate_coverage": self.candidate_coverage,
            "known": len(self.known),
        }


def make_world(world: World, out: Path) -> Made:
    """Write the files of a run about a made world into the folder `out`, made where it is missing.

    ==================== ==========================================================================
    ``run.toml``         the configuration; everything is judged, unless a sample size is set
    ``sentences.jsonl``  the corpus
    ``NAME.tabbed``      the output of each system
    ``kb.nt``            the knowledge base
    ``background.jsonl`` the background text
    ``truth.tsv``        what each sentence states: e1, r, e2, whether it is true, document, number
    ``world.tsv``        the facts of G' and the systems that are true: the truth of the run
    ==================== ==========================================================================

    Files of the same names are replaced, each as a whole; the same world gives the same bytes.

    Raises
    ------
    InputError
        If `out` is a file, or cannot be written to.
    ConfigurationError
        Where the corpus has too few false candidates for an extractor's precision.
    """
    reality = draw_reality(world)
    corpus = write_corpus(world, reality)
    outputs = {e.name: extracted(e, world, reality, corpus) for e in world.extractors}
    made = Made(
        folder=out,
        world=world,
        reality=reality,
        corpus=corpus,
        systems={name: frozenset(output) for name, output in outputs.items()},
        known=tuple(known_statements(world, reality, corpus)),
    )
    files.write(out, _contents(made, outputs), what="world")
    return made


def _contents(made: Made, outputs: Mapping[str, Mapping[Fact, Extraction]]) -> dict[str, str]:
    written, reality = made.corpus.written, made.reality
    fact = ("e1", "r", "e2")
    stated = [
        (*claim.meant[:3], "true" if claim.true else "false", s.document, str(s.number))
        for s, claims, *_ in written
        for claim in claims
    ]
    return {
        "run.toml": _configuration(made),
        "sentences.jsonl": files.sentences(one.sentence for one in written),
        **{
            f"{name}.tabbed": files.extractions(output.values(), tabbed.line_of)
            for name, output in outputs.items()
        },
        "kb.nt": files.knowledge_base(
            reality.relations,
            reality.entities,
            made.known,
            types={kind: f"made.{kind}" for kind in KINDS},
        ),
        "background.jsonl": files.background(
            (("", text) for text in background(made.world, reality, made.corpus)), digits=5
        ),
        "truth.tsv": files.table((*fact, "true", "document", "number"), stated),
        "world.tsv": files.table(fact, (one[:3] for one in sorted(made.true))),
    }


def _configuration(made: Made) -> str:
    systems = ", ".join(f'"{name}=tabbed:{name}.tabbed"' for name in made.systems)
    return f"""\
# A made world, whose truth is known (world.tsv): seed {made.world.seed}.
name = "made world"
run = "run"
truth = "world.tsv"
systems = [{systems}]

[corpus]
sentences = "sentences.jsonl"
format = "jsonl"

[kb]
path = "kb"
sources = ["kb.nt"]

[index]
path = "index"
collection = "background.jsonl"
format = "jsonl"

[match]
# A fact with its entities exchanged is false in this world.
direction = "forward"

[sample]
system = "all"
candidates = "all"
"""
