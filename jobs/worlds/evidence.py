"""The evidence of a made world: a knowledge base that lacks and errs, and text that does."""

from collections.abc import Iterator

import numpy as np

from evaluator.model import Fact
from jobs.worlds.corpus import Corpus
from jobs.worlds.reality import Reality
from jobs.worlds.settings import World, draw, pick
from jobs.worlds.statements import Statement
from jobs.worlds.vocabulary import BESIDES, CLAIMS, FILLERS, RUMOURS


def known_statements(world: World, reality: Reality, corpus: Corpus) -> list[Statement]:
    """Return what the knowledge base states: the chosen share of what is true, and errors.

    The errors are about candidates, where they do harm: wrong relations of the right kinds.
    """
    rng = world.random("knowledge base")
    right = draw(rng, reality.statements, round(world.coverage * len(reality.statements)))
    errors: dict[Statement, None] = {}
    for fact in _likely(reality, corpus):
        relation = reality.relation_of[fact.r]
        errors[Statement(reality.by_id[fact.e1], relation, reality.by_id[fact.e2])] = None
    number = round(len(right) * world.kb_wrong / (1 - world.kb_wrong))
    return right + draw(rng, list(errors), number)


def background(world: World, reality: Reality, corpus: Corpus) -> Iterator[str]:
    """Yield the background text: passages dealt into documents, with sentences about nothing."""
    rng = world.random("background")
    passages = list(_passages(world, reality, corpus, rng))
    rng.shuffle(passages)
    for number in range(world.documents):
        pieces = [pick(rng, FILLERS)]
        for passage in passages[number :: world.documents]:
            pieces += [passage, pick(rng, FILLERS)]
        yield " ".join(pieces)


def _passages(
    world: World, reality: Reality, corpus: Corpus, rng: np.random.Generator
) -> Iterator[str]:
    for fact, places in corpus.sources.items():
        true, likely = reality.is_true(fact), reality.fits(fact)
        rate = world.repeats if true else world.misleads * (1 if likely else 0.1)
        words = {"A": reality.by_id[fact.e1].name, "B": reality.by_id[fact.e2].name}
        if rng.random() < rate:
            phrase = corpus.written[places[0]].phrases[fact.r]
            for _ in range(pick(rng, (1, 1, 2, 3)) if true else 1):
                yield pick(rng, CLAIMS if true else RUMOURS).format(V=phrase, **words)
        if rng.random() < world.besides * (1 if true else 0.1):
            yield pick(rng, BESIDES).format(**words)


def _likely(reality: Reality, corpus: Corpus) -> Iterator[Fact]:
    """Yield the candidates that could be true and are not."""
    for fact in corpus.sources:
        if reality.fits(fact) and not reality.is_true(fact):
            yield fact
