"""What is evaluated: facts, sentences with their mentions, and extractions.

The unit of the method (Bronzi et al. 2012, section 2) is the fact ⟨e1, r, e2⟩. A system emits
*extractions*, strings about a sentence; annotation turns a sentence into mentions and relation
words; linking turns an extraction into a fact about entities.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from evaluator.errors import excerpt


class Fact(NamedTuple):
    """A fact ⟨e1, r, e2⟩: two entities and a relation in normal form.

    Attributes
    ----------
    e1, e2
        Identifiers of the entities in the knowledge base, or, of names and noun phrases that it
        does not know, their normal form (:mod:`evaluator.facts.phrases`).
    r
        Relation key: head lemma, or all content lemmas joined by spaces. Empty where the phrase
        has no content word ("is in").
    negated
        True for "did not visit": never equal to the fact without negation.
    """

    e1: str
    r: str
    e2: str
    negated: bool = False


type Item = tuple[str, str, str]
"""What names a fact where people or programs write it: e1, r, e2, as identifiers or in words."""


class Mention(NamedTuple):
    """An entity mention: the token span ``[start, end)`` of a sentence and the entity's id."""

    start: int
    end: int
    entity: str


MOST_TOKENS = 1_000
"""Most tokens of a sentence that a file gives: what is longer is a document or a table."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the corpus, bare or annotated.

    Attributes
    ----------
    document, number
        Identifier of the document and place of the sentence in it (from 0).
    text
        The sentence in Unicode normal form C.
    mentions
        Entity mentions in text order, not overlapping; None while not annotated.
    relation_words
        Distinct relation words (lemmas) in text order; None while not annotated.
    """

    document: str
    number: int
    text: str
    mentions: tuple[Mention, ...] | None = None
    relation_words: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """One extraction of a system, as the system wrote it.

    Attributes
    ----------
    system, line
        Name of the system and line number in its output file (from 1).
    sentence
        The sentence as the system's file gives it; empty where the file names sentences by
        `sentence_id` or not at all.
    arg1, relation, arg2
        The slots, verbatim; `arg2` is empty for an extraction with one argument.
    more_arguments
        Arguments after the second.
    confidence
        As given; None where the system gives none. Scales differ between systems.
    sentence_id
        What the file calls the sentence; empty where it does not.
    negated
        What the system itself says of negation ("-" of MinIE); None where it says nothing. The
        words of the relation may tell of another.
    modality
        What the system says of certainty, as written ("PS" of MinIE).
    attribution
        Who or what clause the system names as the source ("Some say", "believe").
    condition
        The clause under which the extraction holds ("if regulators agree").
    asserted
        False where the system says that the sentence itself does not assert the extraction: it is
        attributed to somebody, conditional, or the context of another one.
    extra
        Every further field of the record, so that writing it back as JSON Lines loses nothing.
        ``spans`` maps slots to half-open character or token spans where the file gives reliable
        ones.
    mentions
        The mentions that the arguments are, where the system was given them (a baseline); None
        where that is for linking to find out.
    """

    system: str
    line: int
    sentence: str
    arg1: str
    relation: str
    arg2: str
    more_arguments: tuple[str, ...] = ()
    confidence: float | None = None
    sentence_id: str = ""
    negated: bool | None = None
    modality: str | None = None
    attribution: str | None = None
    condition: str | None = None
    asserted: bool = True
    extra: Mapping[str, object] = field(default_factory=dict)
    mentions: tuple[Mention, Mention] | None = None

    @classmethod
    def of_slots(
        cls, system: str, line: int, sentence: str, slots: Sequence[str], **others: Any
    ) -> Self:
        """Return the extraction of two slots or more: first argument, relation, other arguments.

        `others` are any of the further attributes.
        """
        arg1, relation, *arguments = slots
        arg2, *more = arguments or [""]
        return cls(system, line, sentence, arg1, relation, arg2, tuple(more), **others)

    @property
    def arguments(self) -> tuple[str, ...]:
        """All arguments, the second too where it is empty."""
        return (self.arg1, self.arg2, *self.more_arguments)


@dataclass(slots=True)
class Rejects:
    """Records that a reader skipped, counted by reason, with the first example of each.

    Readers never lose a record silently: what they do not yield they add here. What a record lost
    that was kept (a span that does not fit the text) is counted apart, in `notes`.
    """

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)

    def add(self, reason: str, example: str = "") -> None:
        """Count one record skipped for `reason`; keep `example` if it is the first."""
        self.counts[reason] = self.counts.get(reason, 0) + 1
        self.examples.setdefault(reason, example[:200])

    def settle(self, numbers: Iterable[int]) -> None:
        """Hear that these lines are part of what is read; only who keeps account of lines needs it.

        See :class:`evaluator.readers._accounts.FileAccount`.
        """

    def note(self, what: str) -> None:
        """Count a record that was kept, but not all of it."""
        self.notes[what] = self.notes.get(what, 0) + 1

    def merge(self, others: Iterable["Rejects"]) -> "Rejects":
        """Add the counts of `others` to these and return self."""
        for other in others:
            for reason, count in other.counts.items():
                self.counts[reason] = self.counts.get(reason, 0) + count
                self.examples.setdefault(reason, other.examples.get(reason, ""))
            for what, count in other.notes.items():
                self.notes[what] = self.notes.get(what, 0) + count
        return self

    def first(self, otherwise: str) -> str:
        """Return the first reason with its example, blank lines last; `otherwise` without any."""
        reasons = sorted(self.examples, key=lambda reason: reason == "blank line")
        return f"{reasons[0]}, {excerpt(self.examples[reasons[0]])}" if reasons else otherwise

    def as_json(self) -> dict[str, dict[str, int] | dict[str, str]]:
        """Return what every command tells of the records of a file, as part of a JSON object.

        "rejects" and "notes" count by reason; "examples" has the first record of each reject.
        """
        return {"rejects": self.counts, "examples": self.examples, "notes": self.notes}

    @property
    def total(self) -> int:
        """Number of records skipped."""
        return sum(self.counts.values())
