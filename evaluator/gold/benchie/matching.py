"""Which fact synset of a sentence holds a triple.

Most of what extractors say of a sentence is in none, and what they say of it has few different
subjects. So subject, relation and object are looked up one after the other, each text once among
the lines that are left, and a slot with brackets is walked only where its outline allows for the
text.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from evaluator.gold.benchie.fact_synsets import BenchieTriple
from evaluator.gold.benchie.optional_tokens import Spacing, is_tidy, matches, outline

type SlotTexts = tuple[str, ...]
"""One slot, or all three of a triple."""


class _Column:
    """What is compared as one string: a slot of all lines, or all three.

    Lines of a sentence are the bits of a number, so that the lines that have a given subject,
    relation and object are the common bits of three numbers. Nothing is parsed before it is asked.
    """

    def __init__(self, texts: Iterable[SlotTexts], *, released: bool) -> None:
        self._normal = str.strip if released else normalised
        self._spacing: Spacing = "stripped" if released else "normalised"
        self._lines: dict[SlotTexts, int] = {}
        for line, slots in enumerate(texts):
            self._lines[slots] = self._lines.get(slots, 0) | 1 << line
        self._known: dict[tuple[str, int], int] = {}

    @cached_property
    def _plain(self) -> Mapping[str, int]:
        """The lines of each text without brackets."""
        lines: dict[str, int] = {}
        for slots, bits in self._lines.items():
            if not _has_brackets(slots):
                text = " ".join(map(self._normal, slots))
                lines[text] = lines.get(text, 0) | bits
        return lines

    @cached_property
    def _optional(self) -> Sequence[tuple[SlotTexts, int]]:
        """The slots with brackets, and their lines."""
        return [(slots, bits) for slots, bits in self._lines.items() if _has_brackets(slots)]

    def like(self, text: str, among: int) -> int:
        """Return which of some lines `text`, with normal spaces, is a realisation of."""
        found = self._known.get((text, among))
        if found is None:
            found = self._plain.get(text, 0) & among
            for slots, lines in self._optional:
                if (
                    lines & among
                    and outline(slots).allows(text)
                    and matches(slots, text, spacing=self._spacing)
                ):
                    found |= lines & among
            self._known[text, among] = found
        return found


def normalised(text: str) -> str:
    """Return `text` with single spaces between its words and none around them."""
    return " ".join(text.split())


def _has_brackets(slots: Sequence[str]) -> bool:
    text = " ".join(slots)
    return "[" in text or "]" in text


class SentenceSynsets:
    """The fact synsets of a sentence, ready to be asked for a triple.

    Parameters
    ----------
    synsets
        For each fact its triples, with brackets.
    released, lexical
        How slots are read and compared.
    """

    def __init__(
        self, synsets: Sequence[Sequence[BenchieTriple]], *, released: bool, lexical: bool
    ) -> None:
        self._released, self._lexical = released, lexical
        self._normal = str.strip if released else normalised
        lines = [(place, triple) for place, synset in enumerate(synsets) for triple in synset]
        self._synsets = [place for place, _ in lines]
        # What is compared as one string: each slot, or all three.
        slots = (triple if released else tuple(map(normalised, triple)) for _, triple in lines)
        self._slots = [[three] if lexical else [(slot,) for slot in three] for three in slots]
        self._columns = [
            _Column(texts, released=released) for texts in zip(*self._slots, strict=True)
        ]

    def holding(self, triple: BenchieTriple) -> tuple[int | None, bool]:
        """Return the index of the first synset that holds `triple`, None where none does.

        The released scorer tests with the spaces at both ends off, and then looks with them for
        the synset. Where it finds none that way it takes the last one of the sentence: the second
        value tells of this.
        """
        if not self._columns:
            return None, False
        texts = self._texts([self._normal(slot) for slot in triple])
        lines = -1
        for column, text in zip(self._columns, texts, strict=True):
            lines = column.like(text, lines)
            if not lines:
                return None, False
        if not self._released:
            return self._synsets[_first(lines)], False
        as_given = self._texts(triple)
        # In one string, a space at the end of a slot can be that between two others: a line may
        # then be the text with every space, and not without.
        moved = self._lexical and as_given[0] != normalised(as_given[0])
        if moved:
            lines = (1 << len(self._slots)) - 1
        while lines:
            line = _first(lines)
            if all(
                (given == text and not moved and all(map(is_tidy, slots)))
                or matches(slots, given, spacing="exact")
                for slots, given, text in zip(self._slots[line], as_given, texts, strict=True)
            ):
                return self._synsets[line], False
            lines ^= 1 << line
        return self._synsets[-1], True

    def _texts(self, slots: Sequence[str]) -> Sequence[str]:
        return [" ".join(slots)] if self._lexical else slots


def _first(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
