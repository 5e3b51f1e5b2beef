"""Elements that no database knows: names, and base noun phrases.

With ``link.scope = "names"`` a sequence of capitalised words is an element, with ``"phrases"``
every base noun phrase is one too. They stand among the mentions of a sentence where the database
has none, so that systems' facts and the candidate superset are made of the same elements. Such an
element is its normal form (:func:`normal_form`): same phrase, same fact. A normal form is words in
lower case with blanks between them, which no identifier of a database is: those have a colon, a
slash or a capital letter (:mod:`indexes.identifiers`).

No parser runs here. A name begins with a capital letter that its place does not explain. A base
noun phrase is what stands between words of closed classes, punctuation and verbs; whether a word is
a noun, a verb or a modifier, WordNet's counts say, and, where it may be two, the words beside it.
Mentions inside a phrase stay what they are: of "the French president" with a mention of *French*
the element is the rest, *president*, but its normal form is that of the whole, "french president".

Known limits: English only. Text without capital letters, or all in capitals, has no names; scripts
without case have neither names nor phrases. A word that can be noun and verb is now and then taken
for the other.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from evaluator.errors import ConfigurationError, choices
from evaluator.facts.capitals import (
    BESIDE_NAMES,
    CALENDAR,
    OFFICES,
    TITLES,
    are_joined,
    opens_text,
)
from evaluator.function_words import (
    ADVERBS,
    AUXILIARIES,
    BE,
    CONJUNCTIONS,
    DETERMINERS,
    FUNCTION_WORDS,
    NEGATIONS,
    NUMERALS,
    PREPOSITIONS,
    PRONOUNS,
)
from evaluator.model import Mention
from evaluator.relations.normal_form import BARE_VERBS
from evaluator.text import Token, search_form, spans
from evaluator.wordnet.lexicon import is_common, wordnet

SCOPES = ("linked", "names", "phrases")

LONGEST_PHRASE = 12
"""Most tokens of a name or phrase: what is longer is a list or a table."""

# Inside names: "University of Oxford", "Ludwig van Beethoven". "And" joins two names as often.
_INNER = frozenset({"of", "the", "de", "del", "della", "di", "da", "van", "von", "der", "den"})

# What may stand between two words of a phrase: blanks, with one mark of a word or number.
# or a comma inside a number.
_INSIDE = re.compile(r"[^\S\n]*(?:[-'’./&$£€%])?[^\S\n]*|(?<=\d),")
_POSSESSIVE = re.compile(r"\s*['’]")

_DETERMINERS = DETERMINERS - {"no", "neither", "that", "what", "which"}
_CUTS = (
    AUXILIARIES | PREPOSITIONS | CONJUNCTIONS | PRONOUNS | (ADVERBS - {"longer", "later"})
    | NEGATIONS | {"no", "neither", "that", "what", "which"}
)  # fmt: skip
_BEFORE_ELEMENT = (DETERMINERS | NUMERALS | PREPOSITIONS | ADVERBS) - {"to"}
_SUBJECTS = frozenset({"i", "he", "she", "it", "we", "they", "who", "which", "that"})
_MULTIPLES = frozenset({"hundred", "thousand", "million", "billion", "trillion", "dozen"})
_BEFORE_VERB = (AUXILIARIES - BE) | _SUBJECTS | {"to"}
_OBJECT_OPENS = DETERMINERS | PRONOUNS | {"to"}


def normal_form(phrase: str) -> str:
    """Return what a name or phrase is known by: its tokens, less what only points to it.

    Determiners before it and a possessive after it are left out. Empty where nothing is left.

    Examples
    --------
    >>> normal_form("The company 's"), normal_form("Their French President")
    ('company', 'french president')
    """
    return _normal([*search_form(phrase).split()])


def _normal(forms: Sequence[str]) -> str:
    first, last = 0, len(forms)
    while first < last and forms[first] in DETERMINERS:
        first += 1
    while first < last and forms[last - 1] == "s":
        last -= 1
    return " ".join(forms[first:last])


def is_element(entity: str) -> bool:
    """Whether an entity is a normal form, a name or phrase, and no identifier of a database."""
    return search_form(entity) == entity


def bare_verbs(forms: Sequence[str], mentions: Sequence[Mention]) -> dict[int, str]:
    """Return the places of "be" and "have" that join elements as verbs of their own, as lemmas.

    They stand before an element, with nothing but words of closed classes between: "is a painter",
    "has long been in Rome", but not "is visiting Rome".
    """
    starts = {mention.start for mention in mentions}
    found = {}
    for place, form in enumerate(forms):
        if form in BARE_VERBS:
            following = place + 1
            while following < len(forms) and following not in starts:
                if forms[following] not in _BEFORE_ELEMENT:
                    break
                following += 1
            if following in starts:
                found[place] = BARE_VERBS[form]
    return found


class TextElements(NamedTuple):
    """Names and phrases of a sentence, as mentions; none overlaps another or a known one."""

    names: tuple[Mention, ...]
    phrases: tuple[Mention, ...]


def find_elements(text: str, known: Sequence[Mention], *, scope: str) -> TextElements:
    """Return the names and the noun phrases of a sentence that are no mention yet.

    Parameters
    ----------
    text
        The sentence, in normal form C.
    known
        The mentions that it has already.
    scope
        "linked": none; "names": the names; "phrases": the noun phrases too.

    Raises
    ------
    ConfigurationError
        If the scope is unknown.
    """
    if scope not in SCOPES:
        raise ConfigurationError(f"link.scope {scope!r} is unknown; {choices(scope, SCOPES)}")
    if scope == "linked":
        return TextElements((), ())
    tokens = spans(text)
    taken = {place: mention.end for mention in known for place in range(mention.start, mention.end)}
    names = [
        Mention(start, end, _normal([form for form, *_ in tokens[start:end]]))
        for start, end in _names(text, tokens, taken)
    ]
    if scope == "names":
        return TextElements(tuple(names), ())
    taken |= {place: name.end for name in names for place in range(name.start, name.end)}
    phrases = _Chunker(text, tokens, taken).phrases()
    return TextElements(tuple(names), tuple(phrases))


def element_of(text: str, *, scope: str) -> str | None:
    """Return the normal form of a text that is given as an argument; None for what is no element.

    It is taken as a whole: a name where it has a capital letter, a phrase where it has a word of no
    closed class, either of at most :data:`LONGEST_PHRASE` tokens.

    Parameters
    ----------
    text
        The argument, in normal form C.
    scope
        Of :func:`find_elements`.
    """
    tokens = spans(text, most=LONGEST_PHRASE + 1)
    if scope == "linked" or len(tokens) > LONGEST_PHRASE:
        return None
    if scope == "names" and not any(text[start].isupper() for _, start, _ in tokens):
        return None
    forms = [token.form for token in tokens]
    return None if FUNCTION_WORDS.issuperset(forms) else _normal(forms) or None


# Names ------------------------------------------------------------------------------------------


def _names(text: str, tokens: Sequence[Token], taken: dict[int, int]) -> list[tuple[int, int]]:
    if _capitals_say_nothing(text, tokens):
        return []
    found = []
    place = 0
    while place < len(tokens):
        if not _begins_name(text, tokens, place, taken):
            place += 1
            continue
        end = _end_of_name(text, tokens, place, taken)
        start = place
        while start < end - 1 and tokens[start].form in TITLES | OFFICES:
            start += 1  # "President Reagan" is Reagan
        if _is_name(text, tokens, start, end):
            found.append((start, end))
        place = end
    return found


def _capitals_say_nothing(text: str, tokens: Sequence[Token]) -> bool:
    """Whether all words have them, as in a headline or a title of several words."""
    if not any(character.islower() for character in text):
        return True
    content = [
        text[start].isupper()
        for form, start, _ in tokens
        if not form.isdigit() and form not in FUNCTION_WORDS and len(form) > 1
    ]
    return len(content) > 5 and all(content)


def _begins_name(text: str, tokens: Sequence[Token], place: int, taken: dict[int, int]) -> bool:
    form, start, end = tokens[place]
    if place in taken or form in CALENDAR or not text[start].isupper():
        return False
    if end - start > 1 and text[start:end].isupper():
        return not (form in FUNCTION_WORDS and opens_text(text, tokens, place))
    if form in FUNCTION_WORDS:
        return False
    return not (opens_text(text, tokens, place) and form.endswith("ly"))


def _end_of_name(text: str, tokens: Sequence[Token], start: int, taken: dict[int, int]) -> int:
    end = start + 1
    while end < len(tokens):
        following = end
        while (
            following < len(tokens) - 1
            and tokens[following].form in _INNER
            and text[tokens[following - 1].end : tokens[following].start].isspace()
        ):
            following += 1
        if following == len(tokens) or following in taken:
            break
        form, first, _ = tokens[following]
        if not text[first].isupper() or form in CALENDAR or form in _BRACKETS:
            break
        if following > end:
            joins_of = tokens[end].form == "of"
            before = tokens[end - 1].form
            if joins_of and (before in BESIDE_NAMES or not is_common(before)):
                break
            if not text[tokens[following - 1].end : first].isspace():
                break
        elif not are_joined(text, tokens, end - 1) or (
            form in FUNCTION_WORDS and not text[first : tokens[following].end].isupper()
        ):
            break
        end = following + 1
    return end


_BRACKETS = frozenset({"lrb", "rrb", "lsb", "rsb", "lcb", "rcb"})


def _is_name(text: str, tokens: Sequence[Token], start: int, end: int) -> bool:
    if not 0 < end - start <= LONGEST_PHRASE:
        return False
    if end - start > 1:
        return True
    form, first, last = tokens[start]
    if last - first < 2 or form in BESIDE_NAMES or form in TITLES:
        return False
    if text[first:last].isupper():
        return True
    if wordnet().is_modifier(form):  # "Japanese", "Western"
        return False
    return not (opens_text(text, tokens, start) and is_common(form))


# Noun phrases -----------------------------------------------------------------------------------


class _Chunker:
    """Goes through a sentence once, and gathers its base noun phrases."""

    def __init__(self, text: str, tokens: Sequence[Token], taken: dict[int, int]) -> None:
        self.text, self.tokens, self.taken = text, tokens, taken
        self.forms = [token.form for token in tokens]
        self.found: list[Mention] = []
        self.whole = self.tail = 0  # where the phrase begins, and what of it is no mention yet
        self.head = 0  # the end of its last noun; where that is not after `tail` it has none
        self.open = self.determined = False

    def phrases(self) -> list[Mention]:
        place = 0
        while place < len(self.forms):
            if self.open and not self._goes_on(place):
                self._close()
            if place in self.taken:
                self._begin(place)
                place = self.tail = self.head = self.taken[place]
                continue
            self._take(place)
            place += 1
        self._close()
        return self.found

    def _take(self, place: int) -> None:
        form = self.forms[place]
        if self.open and place and self._is_hyphenated(place) and form in FUNCTION_WORDS:
            return  # "a buy-out group", "up-to-date figures"
        if form == "s" and self.open and _POSSESSIVE.match(self.text, self.tokens[place - 1].end):
            whole = self.whole
            self._close()
            self.open = self.determined = True
            self.whole, self.tail, self.head = whole, place + 1, place
        elif form in _CUTS:
            self._close()
        elif form in _DETERMINERS:
            self._close()
            self._begin(place + 1)
            self.determined = True
        elif form in NUMERALS:
            if self.filled and form in _MULTIPLES and self.forms[place - 1][0].isdigit():
                self.head = place + 1  # "$ 10 million"
                return
            if self.filled:
                self._close()
            self._begin(place)
            self.determined = True
        elif form.isdigit() or form[0].isdigit():
            self._begin(place)
            self.head = place + 1
        else:
            self._word(place)

    def _word(self, place: int) -> None:
        if self.forms[place] in TITLES and place + 1 in self.taken:
            self._close()  # "Mr. Smith's decision" is Smith's
            return
        kind = self._kind(place)
        if kind == "verb" and self.open and self._is_hyphenated(place):
            kind = "modifier" if self._noun_follows(place) else "noun"  # "tax-exempt bonds"
        if kind == "verb":
            self._close()
        elif kind == "noun":
            self._begin(place)
            self.head = place + 1
        elif kind == "modifier":
            if self.filled and not self._is_hyphenated(place):
                self._close()
            self._begin(place)
        else:
            self._close()

    @property
    def filled(self) -> bool:
        return self.open and self.head > self.whole and self.head > self.tail - 1

    def _begin(self, place: int) -> None:
        if not self.open:
            self.open, self.determined = True, False
            self.whole = self.tail = self.head = place

    def _close(self) -> None:
        if self.open and self.tail < self.head and self.head - self.whole <= LONGEST_PHRASE:
            entity = _normal(self.forms[self.whole : self.head])
            start = self.tail
            while start < self.head and self.forms[start] in DETERMINERS:
                start += 1
            if entity and start < self.head:
                self.found.append(Mention(start, self.head, entity))
        self.open = self.determined = False

    def _goes_on(self, place: int) -> bool:
        if place == 0:
            return True
        end, start = self.tokens[place - 1].end, self.tokens[place].start
        return _INSIDE.fullmatch(self.text, end, start) is not None

    def _is_hyphenated(self, place: int) -> bool:
        return "-" in self.text[self.tokens[place - 1].end : self.tokens[place].start]

    def _kind(self, place: int) -> str:
        """Return "noun", "verb" or "modifier" of a word of no closed class; else ""."""
        form, (_, start, end) = self.forms[place], self.tokens[place]
        lexicon = wordnet()
        if form in CALENDAR:
            return "noun"
        readings = lexicon.readings(form)
        if not readings:
            if lexicon.is_modifier(form):
                return self._modifier(place)
            if not _is_cased(self.text[start:end]) or len(form) < 2:
                return ""
            if form.endswith("ly"):
                return "modifier" if self.open and not self.filled else ""
            return "noun"
        nouns = [lemma for part, lemma in readings if part == "n"]
        verbs = [lemma for part, lemma in readings if part == "v"]
        if not verbs:
            return "noun"
        before = self.forms[place - 1] if place else ""
        inside = self.open and not self.filled and (self.determined or self.whole < place)
        if before in _BEFORE_VERB and not (before == "to" and not nouns and form.endswith("ed")):
            return "noun" if before == "to" and nouns and form != verbs[0] else "verb"
        participle = form.endswith(("ed", "ing", "en", "wn", "ght"))
        if not nouns:
            is_gerund = form.endswith("ing") and self._is_noun_too(form)
            if is_gerund and (inside or (self.filled and not self._object_follows(place))):
                return "noun"
            if inside:
                return "modifier" if self._noun_follows(place) else "noun"
            after_link = before in PREPOSITIONS or before in CONJUNCTIONS
            if participle and after_link and not self.filled and self._noun_follows(place):
                return "modifier"
            return "verb"
        if inside:
            return "noun"
        if self.filled:
            if self._object_follows(place):
                return "verb"
            if readings[0][0] == "v" and before.endswith("s") and form == verbs[0]:
                return "verb"  # "plans call", "events take"
            if readings[0][0] == "v" and not form.endswith("s") and form != verbs[0]:
                return "verb"
            return "noun"
        if before in BE and readings[0][0] == "v":
            return "verb"
        if readings[0][0] == "n" or before in PREPOSITIONS or before in BE:
            return "noun"
        if before in CONJUNCTIONS or not place:
            return "noun" if form.endswith("s") and not self._object_follows(place) else "verb"
        return "noun" if form.endswith("s") and not self._object_follows(place) else "verb"

    def _modifier(self, place: int) -> str:
        """Return "noun" of a modifier where WordNet knows it as one and nothing else follows it."""
        form = self.forms[place]
        if form.endswith("ly") and not (self.open and not self.filled):
            return ""
        if not self._noun_follows(place) and not self._comma_follows(place):
            is_noun = any(part == "n" for part, _ in wordnet().lemmas(form))
            if is_noun and self.open and self.determined and not self.filled:
                return "noun"
        return "modifier"

    def _is_noun_too(self, form: str) -> bool:
        return any(part == "n" for part, _ in wordnet().lemmas(form))

    def _noun_follows(self, place: int) -> bool:
        """Whether the next word can go on with the phrase."""
        following = place + 1
        if following >= len(self.forms) or not self._goes_on(following):
            return False
        form = self.forms[following]
        if following in self.taken or form.isdigit():
            return True
        if form in FUNCTION_WORDS:
            return form in NUMERALS
        readings = wordnet().readings(form)
        if not readings:
            return not form.endswith("ly")
        return any(part == "n" for part, _ in readings) or form.endswith(("ing", "ed"))

    def _comma_follows(self, place: int) -> bool:
        """Whether a list of modifiers may go on: "a stubby , flat-roofed structure"."""
        return self.text[self.tokens[place].end :].lstrip().startswith(",")

    def _object_follows(self, place: int) -> bool:
        """Whether what follows opens another noun phrase, so that a word between is a verb."""
        following = place + 1
        if following >= len(self.forms) or not self._goes_on(following):
            return False
        return self.forms[following] in _OBJECT_OPENS or following in self.taken


def _is_cased(word: str) -> bool:
    """Whether a word is written in a script that has capital letters."""
    return word.lower() != word.upper()
