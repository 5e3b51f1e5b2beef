"""Sentence evidence: how the sentence that states a fact states it.

Hit counts ask a collection about a fact. The sentence itself tells as much, and of every fact:
where its elements stand, in which order, how far apart, and what is between them. All of it is
shallow: tokens, mentions, and closed classes of words, no parser.

Where a sentence mentions an entity or holds the word more than once, the closest choice counts: the
fewest tokens from the relation word to both elements, then by the other numbers in their order. Of
several sentences that state the fact, the closest again (:class:`SentenceEvidence` sorts that way).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from evaluator.counting.occurrences import Booleans, Integers
from evaluator.function_words import (
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    NEGATIONS,
    PREPOSITIONS,
)
from evaluator.model import Fact, Sentence
from evaluator.relations.normal_form import HEDGES
from evaluator.text import spans
from evaluator.wordnet.lexicon import wordnet


class SentenceEvidence(NamedTuple):
    """How one sentence states a fact ⟨e1, r, e2⟩: numbers of tokens, unless said otherwise.

    Attributes
    ----------
    distance
        `gap1` + `gap2`; where no word of the sentence is r, twice its `length` more.
    order
        Where r stands: 0 between the two, 1 before both, 2 after both, 3 nowhere.
    reversed
        Whether e2 is mentioned before e1.
    gap
        Between e1 and e2.
    gap1, gap2
        Between e1 and r, and between r and e2; `gap` where r stands nowhere.
    words1, words2
        Content words among those.
    mentions1, mentions2
        Other mentions among those.
    clauses1, clauses2
        Boundaries of clauses among those: punctuation, conjunctions, relative pronouns.
    words, mentions, clauses
        The same between e1 and e2.
    length1, length2
        Of the elements.
    place1, place2
        Mentions before each element in the sentence.
    preposition1, preposition2
        Whether a preposition stands before the element, determiners passed over.
    by
        Whether that of the later element is "by".
    following
        Whether a preposition stands right after r.
    auxiliary
        Whether a form of "be" or another auxiliary stands right before r.
    verb
        Whether r reads as a verb first.
    negated, hedged
        Whether a negation, or a word such as "may", stands between the first and the last of the
        three, or right before them.
    attributed
        Whether somebody else says it: "said", "according", outside the three.
    length
        Of the sentence.
    """

    distance: int
    order: int
    reversed: int
    gap: int
    gap1: int
    gap2: int
    words1: int
    words2: int
    mentions1: int
    mentions2: int
    clauses1: int
    clauses2: int
    words: int
    mentions: int
    clauses: int
    length1: int
    length2: int
    place1: int
    place2: int
    preposition1: int
    preposition2: int
    by: int
    following: int
    auxiliary: int
    verb: int
    negated: int
    hedged: int
    attributed: int
    length: int


FIELDS: Final = SentenceEvidence._fields
ORDERS: Final = ("between", "before", "after", "nowhere")
"""What the numbers of `order` mean."""
BETWEEN, BEFORE, AFTER, NOWHERE = range(len(ORDERS))
FLAGS: Final = (
    "reversed", "preposition1", "preposition2", "by", "following", "auxiliary", "verb", "negated",
    "hedged", "attributed",
)  # fmt: skip
"""Fields that are 1 for yes and 0 for no."""
SPANS: Final = ("e1_start", "e1_end", "r_start", "r_end", "e2_start", "e2_end")
"""Character spans of the elements of a fact in a sentence, half-open."""

_BIG_ENDIAN = np.dtype(">u2")  # so that bytes sort as the numbers do; no field reaches 2¹⁶
_HELD = 1 << 16  # choices of occurrences that are looked at together
_MARK = re.compile(r"[,;:()\[\]{}—–]|--")
_CLAUSE_WORDS = CONJUNCTIONS | {"who", "whom", "which", "whose"}
_ATTRIBUTION = frozenset({
    "according", "accuse", "accused", "accuses", "allege", "alleged", "argue", "argued", "argues",
    "believe", "believed", "believes", "claim", "claimed", "claims", "report", "reported",
    "reports", "said", "say", "saying", "says", "suggest", "suggested", "suggests", "tell",
    "telling", "tells", "think", "thinks", "thought", "told",
})  # fmt: skip

# What a token is, as bits of a number.
_CONTENT, _VERB, _PREPOSITION, _BY, _CLAUSE, _AUXILIARY, _NEGATION, _HEDGE, _SOURCE = (
    1 << bit for bit in range(9)
)
_CLASSES: Final[Mapping[int, frozenset[str]]] = {
    _PREPOSITION: PREPOSITIONS,
    _BY: frozenset({"by"}),
    _CLAUSE: _CLAUSE_WORDS,
    _AUXILIARY: AUXILIARIES,
    _NEGATION: NEGATIONS - {"n", "t"},
    _HEDGE: HEDGES,
    _SOURCE: _ATTRIBUTION,
}


def sentence_evidence(asked: Iterable[tuple[Sentence, Sequence[Fact]]]) -> Integers:
    """Return how sentences state facts, shape (facts of all sentences, fields).

    Parameters
    ----------
    asked
        Annotated sentences, each with the facts that it may state: facts between its mentions.

    Returns
    -------
    The fields of :class:`SentenceEvidence` for the facts in their order.

    Raises
    ------
    ValueError
        If a sentence is not annotated, or does not mention an entity of its facts.
    """
    return np.concatenate([choices.closest() for choices in _held(asked)])


def evidence_and_spans(
    asked: Iterable[tuple[Sentence, Sequence[Fact]]],
) -> tuple[Integers, Integers]:
    """Return how sentences state facts, and where their elements stand.

    Parameters and errors are those of :func:`sentence_evidence`.

    Returns
    -------
    The fields of :class:`SentenceEvidence`, shape (facts of all sentences, fields), and character
    spans in the text of the sentence (:data:`SPANS`), shape (facts of all sentences, 6). -1 where
    no word of the sentence outside the two elements is r.
    """
    fields, places = zip(*(choices.located() for choices in _held(asked)), strict=True)
    return np.concatenate(fields), np.concatenate(places)


def _held(asked: Iterable[tuple[Sentence, Sequence[Fact]]]) -> Iterator["_Choices"]:
    """Yield the facts of sentences with their choices, as many as are looked at together."""
    choices = _Choices()
    for sentence, facts in asked:
        choices.open(sentence)
        for fact in facts:
            choices.add(fact)
            if len(choices) >= _HELD:
                yield choices
                choices = _Choices()
                choices.open(sentence)
    yield choices


def mentions_both(sentence: Sentence, fact: Fact) -> bool:
    """Return whether an annotated sentence mentions both entities of a fact."""
    return {fact.e1, fact.e2} <= {mention.entity for mention in sentence.mentions or ()}


def closest_spans(sentence: Sentence, fact: Fact) -> list[tuple[int, int, str]]:
    """Return where the elements of a fact stand the closest in a sentence that mentions both.

    Returns
    -------
    Character spans in text order, each with its element: "e1", "r" or "e2"; without "r" where no
    word of the sentence outside the two is it.

    Raises
    ------
    ValueError
        As :func:`sentence_evidence`.
    """
    [spans] = all_closest_spans([(sentence, [fact])])
    return spans


def all_closest_spans(
    asked: Iterable[tuple[Sentence, Sequence[Fact]]],
) -> list[list[tuple[int, int, str]]]:
    """Return :func:`closest_spans` of the facts of all sentences, in their order."""
    _, places = evidence_and_spans(asked)
    return [
        sorted(
            (start, end, element)
            for element, (start, end) in zip(("e1", "r", "e2"), spans, strict=True)
            if start >= 0
        )
        for spans in places.reshape(-1, 3, 2).tolist()
    ]


def named(fields: Sequence[int]) -> dict[str, int | bool | str]:
    """Return the fields of one fact by name, as people read them: flags and order in words."""
    told: dict[str, int | bool | str] = dict(zip(FIELDS, fields, strict=True))
    return told | {name: bool(told[name]) for name in FLAGS} | {"order": ORDERS[fields[1]]}


def encoded(fields: Integers) -> list[bytes]:
    """Return the fields of each fact as bytes, which sort as the fields do."""
    width = len(FIELDS) * _BIG_ENDIAN.itemsize
    data = fields.astype(_BIG_ENDIAN).tobytes()
    return [data[start : start + width] for start in range(0, len(data), width)]


def decoded(closest: Sequence[bytes | None]) -> Integers:
    """Return the fields that :func:`encoded` wrote, shape (facts, fields); -1 for None."""
    fields = np.full((len(closest), len(FIELDS)), -1, np.int64)
    told = [place for place, one in enumerate(closest) if one is not None]
    data = b"".join(one for one in closest if one is not None)
    fields[told] = np.frombuffer(data, _BIG_ENDIAN).reshape(-1, len(FIELDS))
    return fields


@lru_cache(maxsize=1 << 17)
def _token(form: str) -> tuple[int, str]:
    """Return what a token is, and its lemma or itself."""
    bits = sum(bit for bit, members in _CLASSES.items() if form in members)
    readings = wordnet().readings(form)
    if not readings:
        return bits, form
    part, lemma = readings[0]
    return bits | _CONTENT | (_VERB if part == "v" else 0), lemma


class _Choices:
    """Which occurrences a fact can be read from, of many facts, and what is at them."""

    def __init__(self) -> None:
        self._bits: list[int] = []  # of the tokens of all sentences
        self._marks: list[int] = []  # whether punctuation stands before
        self._before: list[int] = []  # of the token before, determiners passed over
        self._starts: list[int] = []  # of the mentions of all sentences
        self._ends: list[int] = []
        self._first: list[int] = []  # by mention, the first mention of its sentence
        self._sentences: list[tuple[int, int]] = []  # first and last token
        self._rows: list[tuple[int, int, int, int, int]] = []
        self._facts = 0
        self._texts: list[str] = []
        self._mentions: Mapping[str, Sequence[int]] = {}
        self._words: Mapping[str, Sequence[int]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def open(self, sentence: Sentence) -> None:
        """Take up a sentence; the facts that are added next are its."""
        if sentence.mentions is None:
            raise ValueError(f"{sentence.document}, sentence {sentence.number}: not annotated")
        base, text = len(self._bits), sentence.text
        mentions: dict[str, list[int]] = defaultdict(list)
        inside: set[int] = set()
        first = len(self._starts)
        for mention in sentence.mentions:
            mentions[mention.entity].append(len(self._starts))
            self._starts.append(base + mention.start)
            self._ends.append(base + mention.end)
            self._first.append(first)
            inside.update(range(mention.start, mention.end))
        words: dict[str, list[int]] = defaultdict(list)
        before = end = 0
        previous = ""
        for place, (form, start, stop) in enumerate(spans(text)):
            bits, lemma = _token(form)
            words[lemma].append(base + place)
            if form == "t" and previous.endswith("n"):
                bits |= _NEGATION  # "didn't"
            if place in inside:
                bits = 0  # the words of a name are none of the sentence
            gap = text[end:start]
            self._marks.append(1 if len(gap) > 1 and _MARK.search(gap) else 0)
            self._bits.append(bits)
            self._before.append(before)
            if form not in DETERMINERS:
                before = bits
            previous, end = form, stop
        self._words = words
        self._mentions = mentions
        self._sentences.append((base, len(self._bits)))
        self._texts.append(text)

    def add(self, fact: Fact) -> None:
        """Take up a fact of the open sentence, with all choices of its occurrences."""
        firsts, seconds = self._mentions.get(fact.e1), self._mentions.get(fact.e2)
        if firsts is None or seconds is None:
            raise ValueError(f"{fact.e1}, {fact.e2}: not both mentioned in the sentence")
        places = [w for word in fact.r.split() for w in self._words.get(word, ())]
        row, sentence = self._facts, len(self._sentences) - 1
        if len(firsts) == len(seconds) == len(places) == 1:
            self._rows.append((row, firsts[0], seconds[0], places[0], sentence))
        else:
            self._rows += [
                (row, m1, m2, w, sentence)
                for m1, m2, w in product(firsts, seconds, places or (-1,))
            ]
        self._facts += 1

    def closest(self) -> Integers:
        """Return the fields of the closest choice of each fact, shape (facts, fields)."""
        return self._closest()[0]

    def located(self) -> tuple[Integers, Integers]:
        """Return the same, and the spans of a choice (:data:`SPANS`), shape (facts, 6).

        It is the closest whose word is none of the two elements' own, else the closest.
        """
        fields, chosen = self._closest()
        if not self._rows:
            return fields, np.empty((0, len(SPANS)), np.int64)
        shown = self._closest(apart=True)[1] if len(self._rows) > self._facts else chosen
        _, m1, m2, word, _ = np.array(self._rows, np.int64)[shown].T
        tokens = [(token.start, token.end) for text in self._texts for token in spans(text)]
        begins, ends = np.array(tokens, np.int64).T
        starts, stops = np.array(self._starts, np.int64), np.array(self._ends, np.int64)
        stands = (word >= 0) & ~self._inside(m1, m2, word)
        columns = (
            begins[starts[m1]], ends[stops[m1] - 1],
            np.where(stands, begins[word], -1), np.where(stands, ends[word], -1),
            begins[starts[m2]], ends[stops[m2] - 1],
        )  # fmt: skip
        return fields, np.stack(columns, axis=1)

    def _inside(self, m1: Integers, m2: Integers, word: Integers) -> Booleans:
        """Return of which choices the word is one of the elements' own."""
        starts, stops = np.array(self._starts, np.int64), np.array(self._ends, np.int64)
        inside = np.zeros(len(word), bool)
        for mention in (m1, m2):
            inside |= (starts[mention] <= word) & (word < stops[mention])
        return inside

    def _closest(self, *, apart: bool = False) -> tuple[Integers, Integers]:
        """Return the fields of the closest choice of each fact, and the choice.

        With `apart`, those whose word is none of the elements' own come first.
        """
        if not self._rows:
            return np.empty((0, len(FIELDS)), np.int64), np.empty(0, np.int64)
        row, *_ = columns = np.array(self._rows, np.int64).T
        fields = self._fields(*columns[1:])
        keys = [*fields.T[::-1], *([self._inside(*columns[1:4])] if apart else []), row]
        order = np.lexsort(keys) if len(row) > self._facts else np.arange(len(row))
        chosen = order[np.flatnonzero(np.diff(row[order], prepend=-1))]
        return fields[chosen], chosen

    def _fields(self, m1: Integers, m2: Integers, word: Integers, sentence: Integers) -> Integers:
        """Return the fields of all choices, shape (choices, fields)."""
        bits = np.array([*self._bits, 0], np.int64)  # a token behind the last
        before = np.array([*self._before, 0], np.int64)
        marks = np.array([*self._marks, 0], np.int64)
        starts, ends = np.array(self._starts, np.int64), np.array(self._ends, np.int64)
        begin, end = np.array(self._sentences, np.int64)[sentence].T
        begins = np.zeros(len(bits), np.int64)
        begins[starts] = 1

        def counter(of: Integers | Booleans) -> Integers:
            return np.concatenate([[0], np.cumsum(of)])

        content, mentions = counter((bits & _CONTENT) > 0), counter(begins)
        clauses, marked = counter((bits & _CLAUSE) > 0), counter(marks)
        negations, hedges = counter((bits & _NEGATION) > 0), counter((bits & _HEDGE) > 0)
        sources = counter((bits & _SOURCE) > 0)

        def between(a: Integers, b: Integers) -> list[Integers]:
            """Return tokens, words, mentions and clause boundaries among the tokens [a, b)."""
            meets = b >= a  # else the word is one of the element's own
            b = np.maximum(a, b)
            return [
                b - a,
                content[b] - content[a],
                mentions[b] - mentions[a],
                clauses[b] - clauses[a] + np.where(meets, marked[b + 1] - marked[a], 0),
            ]

        s1, e1, s2, e2 = starts[m1], ends[m1], starts[m2], ends[m2]
        stands = word >= 0
        at = np.where(stands, word, 0)
        backwards = s2 < s1
        left_end, right_start = np.where(backwards, e2, e1), np.where(backwards, s1, s2)
        apart = between(left_end, right_start)
        of_first = between(np.where(at >= e1, e1, at + 1), np.where(at >= e1, at, s1))
        of_second = between(np.where(at >= e2, e2, at + 1), np.where(at >= e2, at, s2))
        for near in (of_first, of_second):
            near[:] = [np.where(stands, one, other) for one, other in zip(near, apart, strict=True)]
        least, most = np.minimum(s1, s2), np.maximum(e1, e2)
        order = np.select(
            [~stands, (at >= left_end) & (at < right_start), at < left_end],
            [NOWHERE, BETWEEN, BEFORE],
            default=AFTER,
        )
        low = np.where(stands, np.minimum(least, at), least)
        high = np.where(stands, np.maximum(most, at + 1), most)
        lowest = np.maximum(begin, low - 2)

        def flag(of: Integers | Booleans) -> Integers:
            return (of > 0).astype(np.int64)

        inside = sources[high] - sources[low]
        first = np.array(self._first, np.int64)
        gap1, words1, mentions1, clauses1 = of_first
        gap2, words2, mentions2, clauses2 = of_second
        gap, words, others, boundaries = apart
        length = end - begin
        later = np.where(backwards, s1, s2)
        previous = np.where(stands & (at > begin), bits[at - 1], 0)
        columns = {
            "distance": np.where(stands, gap1 + gap2, 2 * length + gap),
            "order": order,
            "reversed": flag(backwards),
            "gap": gap,
            "gap1": gap1,
            "gap2": gap2,
            "words1": words1,
            "words2": words2,
            "mentions1": mentions1,
            "mentions2": mentions2,
            "clauses1": clauses1,
            "clauses2": clauses2,
            "words": words,
            "mentions": others,
            "clauses": boundaries,
            "length1": e1 - s1,
            "length2": e2 - s2,
            "place1": m1 - first[m1],
            "place2": m2 - first[m2],
            "preposition1": flag(before[s1] & _PREPOSITION),
            "preposition2": flag(before[s2] & _PREPOSITION),
            "by": flag(before[later] & _BY),
            "following": np.where(stands & (at + 1 < end), flag(bits[at + 1] & _PREPOSITION), 0),
            "auxiliary": flag(previous & _AUXILIARY),
            "verb": np.where(stands, flag(bits[at] & _VERB), 0),
            "negated": flag(negations[high] - negations[lowest]),
            "hedged": flag(hedges[high] - hedges[lowest]),
            "attributed": flag(sources[end] - sources[begin] - inside),
            "length": length,
        }
        return np.stack([columns[name] for name in FIELDS], axis=1)
