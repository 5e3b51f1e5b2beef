"""The files of a run about a made world, and the truth about them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from evaluator.errors import InputError
from evaluator.model import Extraction, Fact
from evaluator.readers import tabbed
from evaluator.tables import write_table
from evaluator.whole_files import write_whole
from jobs.worlds.corpus import Corpus, write_corpus
from jobs.worlds.evidence import background, knowledge_base, known_statements
from jobs.worlds.reality import Reality, Statement, draw_reality
from jobs.worlds.settings import World
from jobs.worlds.systems import extracted


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
    _write_files(made, outputs)
    return made


def _write_files(made: Made, outputs: Mapping[str, Mapping[Fact, Extraction]]) -> None:
    out, corpus = made.folder, made.corpus
    texts = {
        "sentences.jsonl": _json_lines(
            {"document": s.document, "number": s.number, "text": s.text}
            for s in (written.sentence for written in corpus.written)
        ),
        "kb.nt": knowledge_base(made.reality, made.known),
        "background.jsonl": _json_lines(background(made.world, made.reality, corpus)),
        "run.toml": _configuration(made),
    }
    for name, output in outputs.items():
        lines = map(tabbed.line_of, output.values())
        texts[f"{name}.tabbed"] = "".join(f"{line}\n" for line in lines)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(out, f"cannot write the world here: {problem.strerror}") from None
    for name, text in texts.items():
        write_whole(out / name, text)
    stated = (
        (*claim.meant[:3], "true" if claim.true else "false", s.document, str(s.number))
        for s, claims in ((written.sentence, written.claims) for written in corpus.written)
        for claim in claims
    )
    columns = ("e1", "r", "e2")
    write_table(out / "truth.tsv", (*columns, "true", "document", "number"), list(stated))
    write_table(out / "world.tsv", columns, [fact[:3] for fact in sorted(made.true)])


def _json_lines(records: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


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
