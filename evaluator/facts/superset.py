"""The candidate superset G' of what the corpus states (Bronzi et al. 2012, section 2.3).

Per sentence, every pair of its entities with every one of its relation words: E × R × E, the
facts of the paper's Figure 3. G' holds nearly all facts that the sentence states and many that it
does not; the annotator tells them apart.

No candidate spans two sentences unless a *window* of more than one is asked for: then G' also has
every entity of a sentence with every entity of a later one, both of one document and close enough,
joined by every relation word of the two (:func:`window_candidates`). What no sentence by itself
states and a window does is told apart in the result.

Which relation words may join a pair is the choice of ``words``:

============  ======================================================================================
``sentence``  all of the sentence, as in the paper
``between``   those that stand between a mention of the one entity and a mention of the other
``near``      those, and what stands at most ``gap`` tokens before the first of two mentions or
              after the second ("The marriage of Ann and Bob", "Ann and Bob married")
============  ======================================================================================

A relation word stands where a token outside the mentions has its lemma. A word that came with the
sentence, and of which no token outside the mentions is a form, stands where one within them is;
where there is none either, nothing is known of its place and it may join every pair.

A sentence with hundreds of entities and hundreds of relation words is no sentence, and would
outweigh the rest of a corpus. Of one with more than :data:`MOST_CANDIDATES` G' takes none,
whichever words may join a pair, and a run counts it among the records skipped. None of at most 200
tokens, as the sentences of documents are, has so many. Two sentences that would give more
together join nothing either, and are counted in the same way.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import product

from evaluator.errors import ConfigurationError, choices
from evaluator.facts.phrases import is_element
from evaluator.model import Fact, Mention, Sentence
from evaluator.relations.normal_form import BARE_VERBS, content_lemmas
from evaluator.text import tokens
from evaluator.wordnet.chosen import ENGLISH, Lexicon

DIRECTIONS = ("text", "both")
WORDS = ("sentence", "between", "near")

GAP = 3
"""Most tokens from a relation word to the pair that it stands before or after, by default."""

MOST_CANDIDATES = 1_000_000
"""Most candidates of a sentence: pairs of its mentions, times its relation words."""

CROWDED = f"sentence of more than {MOST_CANDIDATES:,} candidate facts"
CROWDED_PAIR = f"two sentences of more than {MOST_CANDIDATES:,} candidate facts together"


def is_crowded(sentence: Sentence) -> bool:
    """Return whether G' takes nothing of an annotated sentence, since it would be too much."""
    mentions = len(sentence.mentions or ())
    pairs = mentions * (mentions - 1) // 2
    return pairs * len(sentence.relation_words or ()) > MOST_CANDIDATES


def is_crowded_pair(first: Sentence, second: Sentence) -> bool:
    """Return whether two annotated sentences join nothing, since it would be too much."""
    pairs = len(first.mentions or ()) * len(second.mentions or ())
    words = len(first.relation_words or ()) + len(second.relation_words or ())
    return pairs * words > MOST_CANDIDATES


def window_candidates(
    first: Sentence, second: Sentence, *, direction: str = "text"
) -> Iterator[Fact]:
    """Yield the candidate facts that join two annotated sentences of a document, each once.

    One entity is mentioned in the one, the other in the other; any relation word of the two may
    join them. None where one of them :func:`is_crowded`, or the two are (:func:`is_crowded_pair`).

    Parameters
    ----------
    first, second
        In the order of the document.
    direction
        "text": e1 is mentioned in the first sentence. "both": the reverse as well.
    """
    if is_crowded(first) or is_crowded(second) or is_crowded_pair(first, second):
        return
    words = dict.fromkeys((*(first.relation_words or ()), *(second.relation_words or ())))
    entities = [dict.fromkeys(m.entity for m in of.mentions or ()) for of in (first, second)]
    pairs = list(product(*entities))
    if direction == "both":
        pairs += [(e2, e1) for e1, e2 in pairs]
    for e1, e2 in dict.fromkeys(pairs):
        if e1 != e2:
            for r in words:
                yield Fact(e1, r, e2)


def one_passage(first: Sentence, second: Sentence) -> Sentence:
    """Return two annotated sentences as one, in which all that they join stands."""
    shift = len(tokens(first.text))
    later = (Mention(m.start + shift, m.end + shift, m.entity) for m in second.mentions or ())
    words = dict.fromkeys((*(first.relation_words or ()), *(second.relation_words or ())))
    return Sentence(
        first.document,
        first.number,
        f"{first.text} {second.text}",
        (*(first.mentions or ()), *later),
        tuple(words),
    )


def candidate_superset(
    sentence: Sentence,
    *,
    direction: str = "text",
    words: str = "sentence",
    gap: int = GAP,
    lexicon: Lexicon = ENGLISH,
) -> Iterator[Fact]:
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
    words
        Which relation words may join a pair: "sentence", "between" or "near".
    gap
        Most tokens from a word to the mention that it stands before or after, for "near": at 1 it
        is next to it.
    lexicon
        That the relation words are from: it tells where they stand.

    Raises
    ------
    ConfigurationError
        If the direction or the choice of words is unknown.
    ValueError
        If the sentence is not annotated.
    """
    for name, value, known in (("direction", direction, DIRECTIONS), ("words", words, WORDS)):
        if value not in known:
            raise ConfigurationError(
                f"superset.{name} {value!r} is unknown; {choices(value, known)}"
            )
    if sentence.mentions is None or sentence.relation_words is None:
        raise ValueError(f"{sentence.document}, sentence {sentence.number}: not annotated")
    if is_crowded(sentence):
        return
    if words == "sentence":
        yield from _joined_by_all(sentence.mentions, sentence.relation_words, direction)
    else:
        reach = gap if words == "near" else 0
        for (e1, e2), standing in _joined_by_place(sentence, direction, reach, lexicon).items():
            for r in standing:
                yield Fact(e1, r, e2)


def _joined_by_all(
    mentions: Sequence[Mention], words: Sequence[str], direction: str
) -> Iterator[Fact]:
    """Yield the facts of every pair with every word."""
    entities = [mention.entity for mention in mentions]
    distinct = dict.fromkeys(words)
    seen: set[tuple[str, str]] = set()
    for place, e1 in enumerate(entities):
        partners = entities if direction == "both" else entities[place + 1 :]
        new = [e2 for e2 in dict.fromkeys(partners) if e1 != e2 and (e1, e2) not in seen]
        seen.update((e1, e2) for e2 in new)
        for r in distinct:
            for e2 in new:
                yield Fact(e1, r, e2)


def _joined_by_place(
    sentence: Sentence, direction: str, reach: int, lexicon: Lexicon
) -> dict[tuple[str, str], dict[str, None]]:
    """Return the words of every pair: those between two of its mentions, or within reach of them.

    The places of words and the bounds of mentions among them are found once a sentence; a pair of
    mentions then takes slices.
    """
    mentions = sentence.mentions or ()
    places, standing, anywhere = _standing(sentence, lexicon)
    bounds = [
        tuple(
            bisect_left(places, place) for place in (m.start - reach, m.start, m.end, m.end + reach)
        )
        for m in mentions
    ]
    joined: dict[tuple[str, str], dict[str, None]] = {}
    for i, (first, (far, start, end, _)) in enumerate(zip(mentions, bounds, strict=True)):
        before = standing[far:start]
        for second, (_, start2, end2, far2) in zip(mentions[i + 1 :], bounds[i + 1 :], strict=True):
            if first.entity == second.entity:
                continue
            words = [*before, *standing[end:start2], *standing[end2:far2], *anywhere]
            joined.setdefault((first.entity, second.entity), {}).update(dict.fromkeys(words))
            if direction == "both":
                joined.setdefault((second.entity, first.entity), {}).update(dict.fromkeys(words))
    return joined


def _standing(sentence: Sentence, lexicon: Lexicon) -> tuple[list[int], list[str], list[str]]:
    """Return the places of the relation words in order, the word of each, and words without one."""
    missing = dict.fromkeys(sentence.relation_words or ())
    forms = tokens(sentence.text)
    lemmas = [
        lemma or BARE_VERBS.get(form)
        for form, lemma in zip(forms, content_lemmas(forms, lexicon), strict=True)
    ]
    inside = {
        place
        for m in sentence.mentions or ()
        if not is_element(m.entity)  # "president" is a word of "the president of", and a phrase
        for place in range(m.start, m.end)
    }
    found = [
        (place, lemma)
        for place, lemma in enumerate(lemmas)
        if lemma in missing and place not in inside
    ]
    for _, lemma in found:
        missing.pop(lemma, None)
    within = [(place, lemma) for place, lemma in enumerate(lemmas) if lemma in missing]
    for _, lemma in within:
        missing.pop(lemma, None)
    placed = sorted((*found, *within))
    return [place for place, _ in placed], [lemma for _, lemma in placed], list(missing)
