"""The entity dictionary: which entities of the knowledge base a sentence mentions.

Names are matched as they stand, longest first, so the dictionary needs no model and gives the same
mentions everywhere. What it lacks in recall it must not lose in precision, because every wrong
mention enters the candidate superset squared; hence the rules about capital letters.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from evaluator.function_words import FUNCTION_WORDS
from evaluator.model import Mention
from evaluator.text import Token, normalise, spans
from evaluator.wordnet import wordnet

# Punctuation that ends a name, unless the name itself has some there ("Denton, Texas", "AC/DC").
_BREAK = re.compile(r"[,;:!?()\[\]{}\"“”/&—]|``|''|--")
# What makes the next word begin with a capital, as the start of a sentence does.
_OPENING = re.compile(r"[\"“:]|``")

# What may stand between two words of one longer name: "J. C. Penney", "O'Neill", "Knight-Ridder".
_TOUCH = re.compile(r"\s*[.'’-]?\s*")

# Capitalised words that make no longer name of the one beside them: titles before it; offices,
# legal forms, the Penn Treebank's brackets, days and months on either side.
_BEFORE = re.compile(
    r"""
    mr|mrs|ms|miss|dr|sir|dame|lord|lady|king|queen|prince|princess|emperor|empress|pope|cardinal|
    judge|justice|general|gen|colonel|col|captain|capt|major|maj|lieutenant|lt|sergeant|sgt|
    admiral|adm|commander|professor|prof|rep|sen|gov|actor|actress|singer|author
    """,
    re.VERBOSE,
)
_BESIDE = re.compile(
    r"""
    president|chancellor|premier|minister|secretary|ambassador|senator|representative|governor|
    congressman|congresswoman|mayor|coach|chairman|director|ceo|co|inc|corp|
    corporation|ltd|plc|jr|sr|[lr][rsc]b
    """,
    re.VERBOSE,
)
# Dates are no entities: Freebase's months have statements (what is in season), and as mentions they
# would pair with everything in a newspaper.
_CALENDAR = frozenset({
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january",
    "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
})  # fmt: skip
_ARTICLES = frozenset(("the", "a", "an"))


class _Name(NamedTuple):
    """A name as written, its tokens joined by single spaces, and the entity it means.

    A token that punctuation follows carries a comma: "Denton, Texas".
    """

    written: str
    entity: str


@dataclass(frozen=True, slots=True)
class EntityDictionary:
    """Names of entities, to find mentions in text.

    Picklable and without references to files: it is shipped to each worker once.

    A name matches where its tokens stand (:func:`evaluator.text.spans`), the longest first, from
    left to right, without overlap. Capital letters decide further:

    * a token that is capitalised in the name is capitalised in the text; other tokens may have
      any case ("University of Oxford", "University Of Oxford");
    * a name all in capitals is matched exactly: "US" never by "us" or "Us";
    * a text token all in capitals, as in a headline, matches "General Motors" but never "Ford",
      for one such token is more likely another name;
    * one token that begins the sentence and is also a function word, or a common word (its lemma
      has a sense that is tagged in WordNet's corpora), is not taken for a name: its capital says
      nothing there. Nor is any one token where the whole text is in capitals;
    * a name that a capitalised word touches may be part of a longer one, which the dictionary
      lacks: "New York" in "New York Stock Exchange", "Wilson" in "Wilson College" and in "Frank
      Wilson". Such a word after the name rules it out, and so does one before a name of one word;
      titles and offices do not ("Mr. Wilson", "Ford chairman", "Ford CEO"), nor does a function
      word that begins the sentence ("In Paris"). A name of several words may follow any other
      ("Actor Woody Allen").

    Punctuation such as a comma inside the text's words ends a name that has none there.

    An ambiguous name goes to one entity by a fixed prior: the name written exactly as in the text
    before one that differs in case, a label before an alias, then the entity with the larger
    degree in the knowledge base, then the smaller identifier.
    """

    _names: Mapping[str, tuple[_Name, ...]]  # by search form, best first
    _lengths: Mapping[str, tuple[int, ...]]  # by first token: numbers of tokens, longest first

    @classmethod
    def build(
        cls,
        names: Iterable[tuple[str, str, str]],
        degree: Mapping[str, int],
        *,
        proper_only: bool = True,
    ) -> "EntityDictionary":
        """Build the dictionary, the same from any order of `names`.

        Parameters
        ----------
        names
            (entity, name, kind), kind ``"label"`` or ``"alias"``. Names that could not be told
            from common text are left out: a single letter, digits only ("24", "1984"), a function
            word alone ("Her"), a month or weekday.
        degree
            Number of triples of each entity; 0 where it has none here.
        proper_only
            Leave out names without a capital letter or digit ("kazoo", "alcoholism").
        """
        best: dict[str, dict[str, tuple[bool, int, str]]] = {}
        for entity, name, kind in names:
            name = normalise(name)
            tokens = spans(name)
            written = _written(name, tokens)
            if _is_usable(tokens, written) and (_is_proper(name) or not proper_only):
                form = " ".join(token.form for token in tokens)
                prior = (kind != "label", -degree.get(entity, 0), entity)
                variants = best.setdefault(form, {})
                variants[written] = min(prior, variants.get(written, prior))
        lengths: dict[str, set[int]] = {}
        for form in best:
            first, *rest = form.split()
            lengths.setdefault(first, set()).add(1 + len(rest))
        return cls(
            {
                form: tuple(
                    _Name(written, prior[-1])
                    for prior, written in sorted((prior, name) for name, prior in variants.items())
                )
                for form, variants in sorted(best.items())
            },
            {first: tuple(sorted(found, reverse=True)) for first, found in sorted(lengths.items())},
        )

    def __len__(self) -> int:
        """Return the number of names, those that differ in case only counted once."""
        return len(self._names)

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """Return the mentions in a sentence, in text order, without overlap.

        `text` may be spaced and escaped as the Penn Treebank does ("Obama 's", "-LRB-"). The spans
        count the tokens of :func:`evaluator.text.spans` over the text in normal form C.
        """
        text = normalise(text)
        return tuple(self._find(text, spans(text)))

    def resolve(self, name: str) -> str | None:
        """Return the entity that `name`, in any case, means by the prior; None if none has it."""
        name = normalise(name)
        tokens = spans(name)
        names = self._names.get(" ".join(token.form for token in tokens))
        if names is None:
            return None
        written = _written(name, tokens)
        return next((known.entity for known in names if known.written == written), names[0].entity)

    def _find(self, text: str, tokens: Sequence[Token]) -> Iterator[Mention]:
        start = 0
        while start < len(tokens):
            for length in self._lengths.get(tokens[start].form, ()):
                end = start + length
                if end <= len(tokens) and (entity := self._match(text, tokens, start, end)):
                    # What is part of a longer name takes its tokens with it.
                    if not _is_part(text, tokens, start, end):
                        yield Mention(start, end, entity)
                    start = end
                    break
            else:
                start += 1

    def _match(self, text: str, tokens: Sequence[Token], start: int, end: int) -> str | None:
        span = tokens[start:end]
        names = self._names.get(" ".join(token.form for token in span))
        if names is None:
            return None
        written = _written(text, span)
        if len(span) == 1 and _says_nothing(text, written, span[0].form, first=start == 0):
            return None
        exact = (name.entity for name in names if name.written == written)
        other = (name.entity for name in names if _admits(name.written, written))
        return next(exact, None) or next(other, None)


def _says_nothing(text: str, written: str, form: str, *, first: bool) -> bool:
    """Whether the capitals of a one-token name come from its place in the text."""
    return text.isupper() or (first and not written.isupper() and _is_common(form))


def _is_short(span: Sequence[Token]) -> bool:
    """Whether a name has at most one word, articles and initials apart: "Paris", "the North"."""
    return sum(len(token.form) > 1 and token.form not in _ARTICLES for token in span) < 2


def _is_part(text: str, tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether ``tokens[start:end]`` is part of a longer name, by the capitals that it touches."""
    if end < len(tokens) and _touches(text, tokens, end, end - 1):
        return True
    return start > 0 and _is_short(tokens[start:end]) and _touches(text, tokens, start - 1, start)


def _touches(text: str, tokens: Sequence[Token], neighbour: int, edge: int) -> bool:
    form, first, _ = tokens[neighbour]
    left, right = sorted((neighbour, edge))
    return (
        text[first].isupper()
        and form not in _CALENDAR
        and _BESIDE.fullmatch(form) is None
        and not (neighbour < edge and _BEFORE.fullmatch(form))
        and _TOUCH.fullmatch(text, tokens[left].end, tokens[right].start) is not None
        and not (form in FUNCTION_WORDS and _opens(text, tokens, neighbour))
    )


def _opens(text: str, tokens: Sequence[Token], place: int) -> bool:
    """Whether a token begins the sentence, or one quoted in it."""
    if place == 0:
        return True
    return _OPENING.search(text, tokens[place - 1].end, tokens[place].start) is not None


def _written(text: str, span: Sequence[Token]) -> str:
    """Return the tokens of `span` as `text` writes them; a comma marks punctuation between two."""
    parts = [text[token.start : token.end] for token in span]
    for place, (left, right) in enumerate(pairwise(span)):
        if _BREAK.search(text, left.end, right.start):
            parts[place] += ","
    return " ".join(parts)


def _admits(name: str, written: str) -> bool:
    """Whether a name may be written so: same tokens, the case rules kept, no break of its own."""
    pairs = list(zip(name.split(), written.split(), strict=True))
    if name.isupper() or (len(pairs) == 1 and len(written) > 1 and written.isupper()):
        return False
    return all(_token_admits(ours, theirs) for ours, theirs in pairs)


def _token_admits(ours: str, theirs: str) -> bool:
    if theirs.endswith(",") and not ours.endswith(","):
        return False
    if ours[0].isupper():
        return theirs[0].isupper()
    return ours == ours.lower() or ours.rstrip(",") == theirs.rstrip(",")  # else "iPod", "eBay"


def _is_usable(tokens: Sequence[Token], written: str) -> bool:
    if all(token.form.isdigit() for token in tokens):  # also true of no token at all
        return False
    if len(tokens) > 1:
        return True
    form = tokens[0].form
    return len(written) > 1 and (
        written.isupper() or (form not in FUNCTION_WORDS and form not in _CALENDAR)
    )


def _is_proper(name: str) -> bool:
    return any(character.isupper() or character.isdigit() for character in name)


def _is_common(form: str) -> bool:
    """Whether texts use a word in lower case, as they hardly do "ford" and "crick"."""
    lemma = wordnet().content_lemma(form)
    return form in FUNCTION_WORDS or (lemma is not None and wordnet().sense_count(lemma) > 0)


def is_distinctive(form: str) -> bool:
    """Whether a name in search form still tells an entity when its capitals are gone.

    Not so a common word, with or without an article ("apple", "the rock"), a function word, or a
    single token of one or two letters ("us", "la").
    """
    tokens = [token for token in form.split() if token not in _ARTICLES]
    return len(tokens) > 1 or (len(form) > 2 and not all(map(_is_common, tokens)))
