"""The extractors of a made world: as many true and false facts as their figures ask for."""

import numpy as np

from evaluator.errors import ConfigurationError
from evaluator.model import Extraction, Fact
from jobs.worlds.corpus import Corpus
from jobs.worlds.reality import Reality
from jobs.worlds.settings import Extractor, World, draw, pick
from jobs.worlds.statements import CONFIDENCE

FITTING = 0.75
"""Share of an extractor's false facts whose arguments are of the right kinds, where there are."""


def extracted(
    extractor: Extractor, world: World, reality: Reality, corpus: Corpus
) -> dict[Fact, Extraction]:
    """Return the facts of a system, each with the extraction that states it, in corpus order.

    True facts are drawn from all that are candidates or stated; false ones mostly from those that
    could be true. So what is false of a system is harder to tell than what is false of the rest,
    as it is with real systems: error rates found on the one do not hold on the other.

    Raises
    ------
    ConfigurationError
        Where the corpus has too few false candidates for so low a precision.
    """
    rng = world.random(f"system {extractor.name}")
    facts = list(corpus.sources)
    right = [fact for fact in facts if reality.is_true(fact)]
    wrong = [fact for fact in facts if not reality.is_true(fact)]
    found = draw(rng, right, round(extractor.recall * len(right)))
    errors = round(len(found) * (1 - extractor.precision) / extractor.precision)
    if errors > len(wrong):
        raise ConfigurationError(
            f"{extractor.name}: precision {extractor.precision:g} at recall {extractor.recall:g} "
            f"takes {errors} false facts; the corpus has {len(wrong)}"
        )
    likely = dict.fromkeys(
        draw(rng, [f for f in wrong if reality.fits(f)], round(FITTING * errors))
    )
    others = [fact for fact in wrong if fact not in likely]
    found += [*likely, *draw(rng, others, errors - len(likely))]
    order = {fact: place for place, fact in enumerate(facts)}
    return {
        fact: _extraction(fact, reality, corpus, rng)
        for fact in sorted(found, key=order.__getitem__)
    }


def _extraction(
    fact: Fact, reality: Reality, corpus: Corpus, rng: np.random.Generator
) -> Extraction:
    written = corpus.written[pick(rng, corpus.sources[fact])]
    return Extraction(
        system="",
        line=0,
        sentence=written.sentence.text,
        arg1=reality.by_id[fact.e1].name,
        relation=written.phrases[fact.r],
        arg2=reality.by_id[fact.e2].name,
        confidence=round(float(rng.beta(*CONFIDENCE[reality.is_true(fact)])), 3),
    )
