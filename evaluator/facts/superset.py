"""The candidate superset G' of what the corpus states (Bronzi et al. 2012, section 2.3).

Per sentence, every pair of its entities with every one of its relation words: E × R × E, the
facts of the paper's Figure 3. G' holds nearly all facts that the sentence states and many that it
does not; the annotator tells them apart. No candidate spans two sentences.

A sentence with hundreds of entities and hundreds of relation words is no sentence, and would
outweigh the rest of a corpus. Of one with more than :data:`MOST_CANDIDATES` G' takes none, and a
run counts it among the records skipped. None of at most 200 tokens, as the sentences of documents
are, has so many.
"""

from collections.abc import Iterator

from evaluator.errors import ConfigurationError
from evaluator.model import Fact, Sentence

DIRECTIONS = ("text", "both")

MOST_CANDIDATES = 1_000_000
"""Most candidates of a sentence: pairs of its mentions, times its relation words."""

CROWDED = f"sentence of more than {MOST_CANDIDATES:,} candidate facts"


def is_crowded(sentence: Sentence) -> bool:
    """Return whether G' takes nothing of an annotated sentence, since it would be too much."""
    mentions = len(sentence.mentions or ())
    pairs = mentions * (mentions - 1) // 2
    return pairs * len(sentence.relation_words or ()) > MOST_CANDIDATES


def candidate_superset(sentence: Sentence, *, direction: str = "text") -> Iterator[Fact]:
    """Yield the candidate facts of an annotated sentence, each once, in text order.

    None of a sentence that :func:`is_crowded`.

    Parameters
    ----------
    sentence
        A sentence with mentions and relation words.
    direction
        "text": e1 is mentioned before e2, as in the paper. "both": the reverse as well, for
        corpora in which passives ("Rome was visited by Obama") matter. Where each of two entities
        is mentioned before the other, "text" gives both directions too.

    Raises
    ------
    ConfigurationError
        If the direction is unknown.
    ValueError
        If the sentence is not annotated.
    """
    if direction not in DIRECTIONS:
        raise ConfigurationError(
            f"superset.direction {direction!r} is unknown; known: {', '.join(DIRECTIONS)}"
        )
    if sentence.mentions is None or sentence.relation_words is None:
        raise ValueError(f"{sentence.document}, sentence {sentence.number}: not annotated")
    if is_crowded(sentence):
        return
    entities = [mention.entity for mention in sentence.mentions]
    words = dict.fromkeys(sentence.relation_words)
    seen: set[tuple[str, str]] = set()
    for place, e1 in enumerate(entities):
        partners = entities if direction == "both" else entities[place + 1 :]
        new = [e2 for e2 in dict.fromkeys(partners) if e1 != e2 and (e1, e2) not in seen]
        seen.update((e1, e2) for e2 in new)
        for r in words:
            for e2 in new:
                yield Fact(e1, r, e2)
