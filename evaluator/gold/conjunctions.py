"""Conjunctions of gold tuples that a system says one by one: a policy that no benchmark has.

Of "I ate figs and plums" a gold tuple may be (I; ate; figs and plums), and a system say (I; ate;
figs) and (I; ate; plums). Each is right, but a benchmark matches one of the two, and counts the
other as wrong. With the option ``conjunctions = "joined"`` extractions of one sentence are scored
as one if they are alike but for one part, and there say all conjuncts of a part of a gold tuple of
the sentence, one each. The one has the gold part, and the lowest of their confidences; the rules of
the benchmark then judge it. A system that splits no conjunction keeps its figures.

A part is a conjunction where "and", "or", "&" or a comma with a space behind it stands between
words (English only). A conjunct may be said with the words that the first one begins with, or that
the last one ends with: of "old figs and plums" both "plums" and "old plums" is the second. Case and
punctuation play no part.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from evaluator.gold import Gold, GoldSentence, Judged, Scored
from evaluator.model import Extraction
from evaluator.text import tokens

OPTION = "conjunctions"
VALUES = ("as-gold", "joined")

_BETWEEN = re.compile(r"\s*,\s+(?:(?:and|or|&)\s+)?|\s+(?:and|or|&)\s+")
_BEFORE = re.compile(r"^(?:both|either|neither)\s+")


class _Conjunction(NamedTuple):
    text: str
    conjuncts: Sequence[Sequence[str]]


class _Said(NamedTuple):
    """An extraction, and the places of those that it stands for."""

    extraction: Extraction
    places: tuple[int, ...]


def score_joined(
    gold: Gold, judged: Sequence[Judged], score: Callable[[Sequence[Extraction]], Scored]
) -> Scored:
    """Return what a system gets with its split conjunctions joined.

    Parameters
    ----------
    gold
        The gold data.
    judged
        What became of the extractions as they are, in their order: it tells their sentences.
    score
        Scores extractions by the rules of the benchmark.
    """
    joined = _join(gold, judged)
    found = score([one.extraction for one in joined])
    verdicts: list[Judged | None] = [None] * len(judged)
    for one, verdict in zip(joined, found.judged, strict=True):
        lines = ", ".join(str(judged[place].extraction.line) for place in one.places)
        for place in one.places:
            note = f"lines {lines} are scored as one" if len(one.places) > 1 else verdict.note
            verdicts[place] = verdict._replace(extraction=judged[place].extraction, note=note)
    several = [len(one.places) for one in joined if len(one.places) > 1]
    notes = [*found.notes]
    if several:
        notes.append(
            f"{sum(several):,} extractions say gold conjunctions one by one: scored as "
            f"{len(several):,}"
        )
    return Scored(found.statistics, found.counts, [one for one in verdicts if one], notes)


def _join(gold: Gold, judged: Sequence[Judged]) -> list[_Said]:
    """Return the extractions in their order, those that are joined at the place of the first."""
    done: list[_Said] = []
    by_sentence: dict[int, list[_Said]] = {}
    for place, one in enumerate(judged):
        said = _Said(one.extraction, (place,))
        if one.sentence is None:
            done.append(said)
        else:
            by_sentence.setdefault(one.sentence, []).append(said)
    for sentence, group in by_sentence.items():
        conjunctions = list(_conjunctions(gold.sentences[sentence]))
        while (joined := _first_joined(group, conjunctions)) is not None:
            group = joined
        done += group
    return sorted(done, key=lambda said: said.places[0])


def _first_joined(
    group: Sequence[_Said], conjunctions: Sequence[_Conjunction]
) -> list[_Said] | None:
    """Return the extractions of a sentence with one conjunction joined; None where none is said."""
    for one in conjunctions:
        alike: dict[tuple[int, tuple[object, ...]], list[_Said]] = {}
        for said in group:
            parts = [tuple(tokens(part)) for part in _parts(said.extraction)]
            for at in range(len(parts)):
                rest = (*parts[:at], *parts[at + 1 :])
                alike.setdefault((at, rest), []).append(said)
        for (at, _), candidates in alike.items():
            chosen = _one_of_each(candidates, at, one.conjuncts)
            if chosen:
                return [
                    *(said for said in group if said not in chosen),
                    _Said(_with_part(chosen, at, one.text), _places(chosen)),
                ]
    return None


def _one_of_each(
    candidates: Sequence[_Said], at: int, conjuncts: Sequence[Sequence[str]]
) -> list[_Said]:
    """Return an extraction for each conjunct; none where one of them is not said."""
    if len(candidates) < len(conjuncts):
        return []
    chosen: list[_Said] = []
    for number in range(len(conjuncts)):
        for said in candidates:
            words = tokens(_parts(said.extraction)[at])
            if said not in chosen and _says(words, number, conjuncts):
                chosen.append(said)
                break
        else:
            return []
    return chosen


def _says(words: Sequence[str], number: int, conjuncts: Sequence[Sequence[str]]) -> bool:
    """Tell whether words are a conjunct, with or without what the first and last one share."""
    own, first, last = conjuncts[number], conjuncts[0], conjuncts[-1]
    before = range(len(first)) if number else range(1)
    after = range(len(last)) if number < len(conjuncts) - 1 else range(1)
    return any(
        [*first[:i], *own, *(last[-j:] if j else ())] == [*words] for i in before for j in after
    )


def _conjunctions(sentence: GoldSentence) -> Iterator[_Conjunction]:
    """Yield the parts of its gold tuples that are conjunctions, each once."""
    parts = (part for one in sentence.tuples for part in one[1:-1].split("; "))
    for text in dict.fromkeys(parts):
        conjuncts = [tokens(piece) for piece in _BETWEEN.split(_BEFORE.sub("", text.strip()))]
        if len(conjuncts) > 1 and all(conjuncts):
            yield _Conjunction(text, conjuncts)


def _parts(extraction: Extraction) -> list[str]:
    return [extraction.relation, *extraction.arguments]


def _places(chosen: Sequence[_Said]) -> tuple[int, ...]:
    return tuple(sorted(place for said in chosen for place in said.places))


def _with_part(chosen: Sequence[_Said], at: int, text: str) -> Extraction:
    first = min(chosen, key=lambda said: said.places[0]).extraction
    given = [said.extraction.confidence for said in chosen]
    numbers = [confidence for confidence in given if confidence is not None]
    parts = _parts(first)
    parts[at] = text
    relation, arg1, arg2, *more = parts
    return replace(
        first,
        relation=relation,
        arg1=arg1,
        arg2=arg2,
        more_arguments=tuple(more),
        confidence=min(numbers) if len(numbers) == len(given) else None,
    )
