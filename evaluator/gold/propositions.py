"""Gold tuples of OIE2016 as tab-separated lines, in two forms that are told apart by what they say.

The benchmark exists twice. Form A (supervised-oie) has sentence, predicate and arguments; form B
(oie-benchmark, the corpus of the paper) has the bare verb before the predicate, which nothing
compares: "barred", "might have been barred". The relations of Mesquita et al. (2013) are converted
to form A. There is no header; a sentence's tuples need not stand together.

In form A the arguments stand in the order of the questions that annotators answered, so that 7 % of
the first arguments stand after the predicate.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from evaluator.errors import InputError
from evaluator.gold import GoldSentence
from evaluator.gold.joining import TextIndex, released_key
from evaluator.model import Extraction, Rejects
from evaluator.readers import example, text_lines

type Slots = Sequence[str]
"""A tuple as it is compared: the predicate, the first argument, the others."""

type _ByText = Mapping[str, Sequence[Slots]]


@dataclass(frozen=True, slots=True)
class Propositions:
    """Gold tuples by sentence.

    Attributes
    ----------
    sentences
        In the order of their first tuples.
    views
        For each sentence, what its tuples are compared by, in file order.
    counts
        "sentences", "tuples", "lost_sentences", "lost_tuples".
    index
        Finds the sentence that a text is; by text where the mode is corrected, else by key.
    """

    sentences: Sequence[GoldSentence]
    views: Sequence[Sequence[Any]]
    counts: Mapping[str, int]
    index: "TextIndex | KeyIndex"


@dataclass(frozen=True, slots=True)
class KeyIndex:
    """Finds a sentence by its released key (:func:`evaluator.gold.joining.released_key`).

    Attributes
    ----------
    ascii_only
        Whether other characters than ASCII play no part.
    last_wins
        Of two sentences with one key, whether the last one stays; the first does otherwise.
    """

    ascii_only: bool
    last_wins: bool
    places: dict[str, int] = field(default_factory=dict)

    def key(self, text: str) -> str:
        """Return the key of a sentence."""
        return _key(text.strip(), self.ascii_only)

    def find(self, text: str) -> int | None:
        """Return the index of the sentence that has the key of `text`."""
        return self.places.get(self.key(text))

    def winners(self, texts: Sequence[str]) -> dict[str, str]:
        """Return the text that stays for each key."""
        ordered = texts if self.last_wins else reversed(texts)
        return {self.key(text): text for text in ordered}


@lru_cache(maxsize=1 << 14)
def _key(text: str, ascii_only: bool) -> str:
    # The sentences of a system are for the most part those of the gold data.
    return released_key(text, ascii_only=ascii_only)


def read_propositions(
    path: Path,
    *,
    keys: KeyIndex | None,
    view: Callable[[Slots], Any],
    rejects: Rejects,
) -> Propositions:
    """Return the tuples of a gold file of either form.

    Parameters
    ----------
    path
        Plain text, or packed with gzip, bzip2 or xz.
    keys
        How sentences are known in a released mode: of those with one key only one stays. None
        where they are known by their text.
    view
        Returns what a tuple is compared by.
    rejects
        Takes the lines that are no tuple.

    Raises
    ------
    InputError
        If the file is missing, empty or damaged, or holds no tuple.
    """
    rows: list[list[str]] = []
    for number, line in text_lines(path, rejects=rejects):
        columns = line.strip().split("\t")
        if len(columns) >= 3:
            rows.append(columns)
        else:
            reason = "fewer than 3 columns" if line.strip() else "blank line"
            rejects.add(reason, example(number, line))
    if not rows:
        raise InputError(
            path, "no gold tuple; expected tab-separated sentence, predicate, arg1, arg2, ..."
        )
    first_slot = 2 if has_base_predicates(rows) else 1
    by_text: dict[str, list[Slots]] = {}
    for row in rows:
        by_text.setdefault(row[0], []).append(tuple(row[first_slot:]))
    kept, lost, index = _joined(by_text) if keys is None else _by_key(by_text, keys)
    return Propositions(
        sentences=[
            GoldSentence(str(number), text, [readable(slots) for slots in tuples])
            for number, (text, tuples) in enumerate(kept.items(), start=1)
        ],
        views=[[view(slots) for slots in tuples] for tuples in kept.values()],
        counts={
            "sentences": len(kept),
            "tuples": sum(map(len, kept.values())),
            "lost_sentences": len(lost),
            "lost_tuples": sum(map(len, lost.values())),
        },
        index=index,
    )


def has_base_predicates(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether gold lines are of form B: the verb of the second column recurs in the third.

    It may be inflected otherwise there ("choose", "is n't chosen from"), so that its beginning is
    looked for. In form A the third column is an argument, where a word hardly ever begins like the
    predicate. The majority of the lines decides: it is 98 % of form B or more, at most 2 % of A.
    """
    begins_alike = (
        bool(verb) and any(word.startswith(verb[:3]) for word in third.split())
        for _, verb, third, *_ in rows
    )
    return 2 * sum(begins_alike) > len(rows)


def slots_of(extraction: Extraction) -> Slots:
    """Return the slots of an extraction, without the blank arguments at its end."""
    slots = (extraction.relation, extraction.arg1, extraction.arg2, *extraction.more_arguments)
    while len(slots) > 1 and not slots[-1].strip():
        slots = slots[:-1]
    return slots


def readable(slots: Slots) -> str:
    """Return a tuple as people write it: "(He; served as; mayor)"."""
    predicate, *arguments = slots
    return f"({'; '.join([*arguments[:1], predicate, *arguments[1:]])})"


def _joined(by_text: _ByText) -> tuple[_ByText, _ByText, TextIndex]:
    """Make one sentence of those whose texts differ in spacing or escapes only."""
    texts = list(by_text)
    index = TextIndex(texts)
    if not index.repeated:
        return by_text, {}, index
    merged: dict[str, list[Slots]] = {}
    for text, tuples in by_text.items():
        place = index.find(text)
        merged.setdefault(text if place is None else texts[place], []).extend(tuples)
    return merged, {}, TextIndex(list(merged))


def _by_key(by_text: _ByText, keys: KeyIndex) -> tuple[_ByText, _ByText, KeyIndex]:
    """Part the sentences that stay from those that are lost."""
    staying = set(keys.winners(list(by_text)).values())
    kept = {text: tuples for text, tuples in by_text.items() if text in staying}
    lost = {text: tuples for text, tuples in by_text.items() if text not in staying}
    places = {keys.key(text): place for place, text in enumerate(kept)}
    return kept, lost, KeyIndex(keys.ascii_only, keys.last_wins, places)
