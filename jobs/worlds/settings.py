"""What can be chosen of a made world."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from evaluator.errors import ConfigurationError
from jobs.worlds.vocabulary import RELATIONS


def _check_shares(whose: str, settings: "Extractor | Rater | World") -> None:
    """Refuse settings whose fractions, all of them shares, are none."""
    for field in fields(settings):
        share = getattr(settings, field.name)
        if field.type is float and not 0 <= share <= 1:
            raise ConfigurationError(f"{whose}: {field.name} is {share:g}, it must be from 0 to 1")


@dataclass(frozen=True, kw_only=True)
class Extractor:
    """A system of chosen precision and recall, to the rounding of counts.

    Attributes
    ----------
    precision
        Share of its facts that are true; above 0.
    recall
        Share that it finds of what is true and a candidate, or stated.
    """

    name: str
    precision: float
    recall: float

    def __post_init__(self) -> None:
        _check_shares(self.name, self)
        if not self.precision:
            raise ConfigurationError(f"{self.name}: precision must be above 0")


@dataclass(frozen=True, kw_only=True)
class Rater:
    """Somebody who labels.

    Attributes
    ----------
    error
        Probability of each answer to be the wrong one.
    skips
        Probability to leave a question out.
    """

    name: str
    error: float = 0.0
    skips: float = 0.0

    def __post_init__(self) -> None:
        _check_shares(self.name, self)


_EXTRACTORS = (
    Extractor(name="careful", precision=0.80, recall=0.30),
    Extractor(name="greedy", precision=0.45, recall=0.60),
)


@dataclass(frozen=True, kw_only=True)
class World:
    """A world to make; the same settings give the same files.

    Attributes
    ----------
    seed
        Seed of every choice.
    entities, relations, facts
        Entities, relations (the first of the vocabulary) and true facts of the world.
    sentences, documents
        Sentences of the corpus; documents of the background text.
    extractors
        The systems.
    coverage
        Share of the world's facts that the knowledge base holds.
    kb_wrong
        Share of the knowledge base's statements that are not true.
    repeats
        Share of the true candidates that background text states in their words: what PMI can find.
    misleads
        Share of the false candidates with arguments of the right kind that background text puts
        side by side, relation and all: where PMI errs. Of all other candidates a tenth of it.
    besides
        Share of the true candidates whose entities background text names together without saying
        how they are related, which lowers PMI; of the others a tenth of it.
    untrue
        Share of the sentences' statements that are not true: stated, but wrong.
    unstated
        How often an entity mentioned besides is one of which the sentence's relation holds too:
        true, but not stated.
    fronted
        How often a statement that can have its object first has it so ("In Rome, she died"): true,
        but no candidate in text order.
    wrong_links
        Share of the sentences with a statement whose subject is not in the knowledge base, but has
        the name of another entity that is.
    """

    seed: int = 1
    entities: int = 400
    relations: int = 20
    facts: int = 1500
    sentences: int = 1500
    documents: int = 2000
    extractors: tuple[Extractor, ...] = _EXTRACTORS
    coverage: float = 0.35
    kb_wrong: float = 0.04
    repeats: float = 0.65
    misleads: float = 0.12
    besides: float = 0.4
    untrue: float = 0.03
    unstated: float = 0.08
    fronted: float = 0.05
    wrong_links: float = 0.03

    def __post_init__(self) -> None:
        _check_shares("world", self)
        if self.kb_wrong == 1:
            raise ConfigurationError("world: kb_wrong must be below 1")
        if self.seed < 0:
            raise ConfigurationError(f"world: seed is {self.seed}, it must not be negative")
        if not 1 <= self.relations <= len(RELATIONS):
            raise ConfigurationError(
                f"world: relations is {self.relations}; there are {len(RELATIONS)}"
            )
        # So many that facts are soon drawn, names found, and sentences differ.
        if self.entities < 40 or min(self.facts, self.sentences, self.documents) < 1:
            raise ConfigurationError("world: it needs 40 entities, a fact, a sentence, a document")
        if self.facts > self.entities * self.relations:
            raise ConfigurationError(
                f"world: {self.facts} facts are too many for {self.entities} entities in "
                f"{self.relations} relations"
            )
        if not round(self.coverage * self.facts):
            raise ConfigurationError(
                f"world: coverage {self.coverage:g} of {self.facts} facts leaves the knowledge "
                "base without a statement"
            )
        names = [extractor.name for extractor in self.extractors]
        if not names or len(set(names)) < len(names):
            raise ConfigurationError("world: name at least one extractor, and each only once")

    def random(self, part: str) -> np.random.Generator:
        """Return the generator of a part of the world: a change of one leaves the others alone."""
        return np.random.default_rng([self.seed, *part.encode()])


def pick[T](rng: np.random.Generator, things: Sequence[T]) -> T:
    """Return one of `things`, each as likely."""
    return things[int(rng.integers(len(things)))]


def draw[T](rng: np.random.Generator, things: Sequence[T], size: int) -> list[T]:
    """Return `size` of `things`, without replacement; all where there are fewer."""
    size = min(size, len(things))
    return [things[place] for place in rng.choice(len(things), size, replace=False).tolist()]
