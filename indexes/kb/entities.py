"""The entity dictionary: which entities of the knowledge base a sentence mentions.

Names are matched as they stand, longest first, so the dictionary needs no model and gives the same
mentions everywhere. What it lacks in recall it must not lose in precision, because every wrong
mention enters the candidate superset squared; hence the rules about capital letters.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from evaluator.facts.capitals import ARTICLES, BESIDE_NAMES, opens_text, touches
from evaluator.function_words import FUNCTION_WORDS
from evaluator.model import Mention
from evaluator.text import Token, fold, normalise, spans
from evaluator.wordnet.lexicon import is_common
from indexes.kb.dictionary import LONGEST, Dictionary, EntityCandidate, write_dictionary
from indexes.kb.dictionary_context import by_context
from indexes.kb.dictionary_names import (
    NameRow,
    admits,
    as_written,
    is_distinctive,
    name_row,
)

__all__ = [
    "EntityDictionary",
    "NameRow",
    "build_dictionary",
    "is_distinctive",
    "name_row",
    "write_dictionary",
]


class EntityDictionary:
    """Names of entities, to find mentions in text.

    It lives in a folder (:mod:`indexes.kb.dictionary`), and only the folder's path is pickled: each
    worker maps the same files.

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
      ("Actor Woody Allen");
    * so may a name of one word that "of" joins to a capitalised one: "Georgia" in "Strait of
      Georgia". Offices and legal forms do not rule it out ("President of France", "Inc of
      Houston"), nor does a mention ("Annie Lennox of the Eurythmics").

    Punctuation such as a comma inside the text's words ends a name that has none there. Diacritics
    may be missing on either side ("Jose Saramago", "José Saramago").

    An ambiguous name goes to one entity by a fixed prior: the name written exactly as in the text
    before one that differs in case, that before one without the text's diacritics, that before one
    with others; then the order in which the dictionary was written: a label before an alias, then
    the more popular entity, then the smaller identifier.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder
        self._dictionary = Dictionary(folder)

    @classmethod
    def open(cls, folder: Path) -> "EntityDictionary":
        """Open the dictionary in `folder`.

        Raises
        ------
        InputError
            A folder that is no dictionary, or a damaged one.
        """
        return cls(folder)

    def __reduce__(self) -> tuple[type["EntityDictionary"], tuple[Path]]:
        return EntityDictionary, (self.path,)

    def __len__(self) -> int:
        """Return the number of names, those that differ in case only counted once."""
        return len(self._dictionary)

    def mentions(
        self, text: str, *, proper_only: bool = True, context: bool = True
    ) -> tuple[Mention, ...]:
        """Return the mentions in a sentence, in text order, without overlap.

        `text` may be spaced and escaped as the Penn Treebank does ("Obama 's", "-LRB-"). The spans
        count the tokens of :func:`evaluator.text.spans` over the text in normal form C.

        Parameters
        ----------
        proper_only
            Leave out names without a capital letter or digit ("kazoo", "alcoholism").
        context
            Let the other mentions of the sentence decide an ambiguous name before the prior does
            (:func:`indexes.kb.dictionary_context.by_context`). This looks at the knowledge base
            that later judges the facts of the sentence: where it errs, it errs towards pairs of
            which something is known, so that D confirms a little too much. Without context linking
            is independent of D's statements, apart from the degree in the prior.
        """
        found = list(self._find(_Text.read(text), proper_only=proper_only))
        if context and len(found) > 1:
            chosen = by_context([rows for *_, rows in found], self._dictionary.are_neighbours)
        else:
            chosen = [rows[0] for *_, rows in found]
        return tuple(
            Mention(start, end, self._dictionary.id(row))
            for (start, end, _), row in zip(found, chosen, strict=True)
        )

    def resolve(self, name: str, *, proper_only: bool = False) -> str | None:
        """Return the entity that `name`, in any case, means by the prior; None if none has it."""
        return next(iter(self._named(name, proper_only=proper_only)), None)

    def candidates(self, name: str) -> tuple[str, ...]:
        """Return all entities that `name`, in any case, may mean, the best by the prior first."""
        return tuple(dict.fromkeys(self._named(name, proper_only=False)))

    def _named(self, name: str, *, proper_only: bool) -> Iterator[str]:
        text = _Text.read(name)
        span = text.tokens
        written = as_written(text.text, span)
        names = [
            (same, candidate)
            for length, number, same in (self._forms(text, 0) if span else ())
            if length == len(span)
            for candidate in self._dictionary.candidates(number)
            if not proper_only or candidate.proper
        ]
        names.sort(key=lambda named: (named[1].written != written, not named[0]))
        for _, candidate in names:
            yield self._dictionary.id(candidate.entity)

    def _forms(
        self, text: "_Text", start: int, *, as_it_stands: bool = True, plainly: bool = True
    ) -> list[tuple[int, int, bool]]:
        """Return the forms that begin at a token: length in tokens, number, whether as they stand.

        The longest first, then one with the text's own diacritics. Either kind, as it stands or
        without diacritics, may be left out.
        """
        known = self._dictionary
        found = []
        if as_it_stands:
            place = text.places[start]
            ahead = text.key[place : place + LONGEST + 1]
            found = [(form.count(" "), number, True) for form, number in known.prefixes(ahead)]
        if plainly:
            place = text.plain_places[start]
            ahead = text.plain[place : place + LONGEST + 1]
            other = known.folded_prefixes(ahead)
            if text.plain is not text.key:
                other = known.prefixes(ahead) + other
            found += [(form.count(" "), number, False) for form, number in other]
        if len(found) > 1:
            found.sort(key=lambda form: (-form[0], not form[2]))
        return found

    def _find(
        self, text: "_Text", *, proper_only: bool
    ) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Yield the mentions: first and last token, and the rows of the entities they may mean."""
        start = last = 0
        while start < len(text.tokens):
            form, first, _ = text.tokens[start]
            capital = text.text[first].isupper()
            as_it_stands, plainly = self._dictionary.begins(form, capital, proper_only)
            if not (as_it_stands or plainly):
                start += 1
                continue
            # A later word may have diacritics that the name lacks: "Paulo Coelhó".
            plainly = plainly or text.plain is not text.key
            forms = self._forms(text, start, as_it_stands=as_it_stands, plainly=plainly)
            for length, group in groupby(forms, key=itemgetter(0)):
                end = start + length
                names = [
                    (same, candidate)
                    for _, number, same in group
                    for candidate in self._dictionary.candidates(number)
                    if (capital or not candidate.capital) and (candidate.proper or not proper_only)
                ]
                if names and (rows := _match(text, start, end, names)):
                    # What is part of a longer name takes its tokens with it.
                    if not _is_part(text.text, text.tokens, start, end, mentioned=last):
                        yield start, end, rows
                        last = end
                    start = end
                    break
            else:
                start += 1


class _Text(NamedTuple):
    """A text, its tokens, and these as the automaton reads them, with and without diacritics."""

    text: str
    tokens: Sequence[Token]
    key: str
    places: Sequence[int]  # in key, of each token
    plain: str
    plain_places: Sequence[int]
    capitals: bool  # whether all of it is in capitals

    @classmethod
    def read(cls, text: str) -> "_Text":
        text = normalise(text)
        tokens = spans(text)
        forms = [token.form for token in tokens]
        key, places = _key(forms)
        if key.isascii():
            return cls(text, tokens, key, places, key, places, text.isupper())
        plain = _key([fold(form) for form in forms])
        return cls(text, tokens, key, places, *plain, text.isupper())


def _key(forms: Sequence[str]) -> tuple[str, list[int]]:
    ends = accumulate(map(len, forms), initial=0)
    return " ".join([*forms, ""]), [place + blanks for blanks, place in enumerate(ends)]


def _match(
    text: _Text, start: int, end: int, names: Sequence[tuple[bool, EntityCandidate]]
) -> tuple[int, ...]:
    """Return what a span may mean: entities with a name written so, else with one it may stand for.

    `names` say whether they have the text's own diacritics.
    """
    span = text.tokens[start:end]
    written = as_written(text.text, span)
    if len(span) == 1 and _says_nothing(text, written, span[0].form, first=start == 0):
        return ()
    if exact := [name.entity for same, name in names if same and name.written == written]:
        return tuple(exact)
    if other := [name.entity for same, name in names if same and admits(name.written, written)]:
        return tuple(dict.fromkeys(other))
    plain = fold(written)
    return tuple(
        dict.fromkeys(
            name.entity
            for same, name in names
            if not same and (fold(name.written) == plain or admits(fold(name.written), plain))
        )
    )


def _says_nothing(text: _Text, written: str, form: str, *, first: bool) -> bool:
    """Whether the capitals of a one-token name come from its place in the text."""
    return text.capitals or (first and not written.isupper() and is_common(form))


def _is_short(span: Sequence[Token]) -> bool:
    """Whether a name has at most one word, articles and initials apart: "Paris", "the North"."""
    return sum(len(token.form) > 1 and token.form not in ARTICLES for token in span) < 2


def _is_part(text: str, tokens: Sequence[Token], start: int, end: int, *, mentioned: int) -> bool:
    """Whether ``tokens[start:end]`` is part of a longer name, by the capitals that it touches.

    `mentioned` is where the mention before it ends.
    """
    if end < len(tokens) and touches(text, tokens, end, end - 1):
        return True
    if not start or not _is_short(tokens[start:end]):
        return False
    return touches(text, tokens, start - 1, start) or _is_of(text, tokens, start, mentioned)


def _is_of(text: str, tokens: Sequence[Token], start: int, mentioned: int) -> bool:
    """Whether "of" joins the name that begins at `start` to a capitalised word, no mention."""
    place = start - 1
    if place and tokens[place].form in ARTICLES:
        place -= 1
    if not place or tokens[place].form != "of" or place == mentioned:
        return False
    form, first, last = tokens[place - 1]
    return (
        text[first].isupper()
        and form not in BESIDE_NAMES
        and text[last : tokens[place].start].isspace()
        and not (form in FUNCTION_WORDS and opens_text(text, tokens, place - 1))
    )


def build_dictionary(
    folder: Path,
    names: Iterable[tuple[str, str, str]],
    popularity: Mapping[str, int],
    pairs: Iterable[tuple[str, str]] = (),
) -> EntityDictionary:
    """Write a small dictionary from lists and open it; the same from any order of them.

    A knowledge base streams its tables to :func:`indexes.kb.dictionary.write_dictionary` instead.

    Parameters
    ----------
    folder
        Where to write; must not exist.
    names
        (entity, name, kind), kind ``"label"`` or ``"alias"``.
    popularity
        Of entities; 0 where one is missing.
    pairs
        Entities that share a statement, in any direction.
    """
    names, pairs = list(names), list(pairs)
    ids = sorted({entity for entity, *_ in names}.union(popularity, *pairs))
    row = {entity: place for place, entity in enumerate(ids)}
    found = [
        (known.form, kind != "label", -popularity.get(entity, 0), row[entity], known.written)
        for entity, name, kind in names
        if (known := name_row(name)).usable
    ]
    forms, _, _, rows, written = list(zip(*sorted(found), strict=True)) or [()] * 5
    near = sorted({(row[a], row[b]) for x, y in pairs for a, b in ((x, y), (y, x)) if x != y})
    one, other = list(zip(*near, strict=True)) or [()] * 2
    strings, numbers = pa.string(), pa.int32()
    write_dictionary(
        folder,
        names=[_batch(form=(forms, strings), written=(written, strings), entity=(rows, numbers))],
        entities=[
            _batch(
                id=(ids, strings),
                popularity=([popularity.get(entity, 0) for entity in ids], pa.int64()),
            )
        ],
        neighbours=[_batch(entity=(one, numbers), neighbour=(other, numbers))],
    )
    return EntityDictionary.open(folder)


def _batch(**columns: tuple[Sequence[object], pa.DataType]) -> pa.RecordBatch:
    return pa.record_batch([pa.array(*column) for column in columns.values()], names=list(columns))
