"""From an extraction's strings to a fact about entities.

An extractor writes arguments as it likes: "former president Barack Obama", "Barack Obama, the
president,", "France 's president". An argument is linked to the entity it *is*, not to one that
it mentions: the last of these is a president, not France. So by default an argument links to the
mention that ends its base noun phrase, where in English the head stands.

No parser runs here. The base noun phrase is what precedes the first *cut*: punctuation, a word of
a closed class (preposition, conjunction, relative, pronoun, inner determiner), or a word in -ing
right before a mention or a determiner ("visiting Rome"). What lies inside a mention never cuts, so
"Bank of America" and "Washington , D.C." stay whole. An argument whose base noun phrase is followed
by an auxiliary verb is a clause ("Obama is visiting Rome") and links to nothing.

Known limits: a clause without an auxiliary ("Obama visited Rome") looks like a noun phrase, and of
a coordination the first conjunct is taken.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from evaluator.errors import ConfigurationError, choices
from evaluator.facts.phrases import SCOPES, is_element
from evaluator.function_words import (
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    NUMERALS,
    PREPOSITIONS,
    PRONOUNS,
)
from evaluator.model import MOST_TOKENS, Extraction, Fact, Mention, Sentence
from evaluator.relations.normal_form import (
    BARE_VERBS,
    VERBS_OF_NOUNS,
    RelationForm,
    relation_form,
    relation_key,
)
from evaluator.text import has_more_tokens, normalise, search_form, spans, unescape_treebank
from evaluator.wordnet.chosen import ENGLISH, Lexicon

MODES = ("exact", "head", "contains")
KEYS = ("head", "all")
NEGATIONS = ("exclude", "keep")
UNASSERTED_POLICIES = ("keep", "exclude")

# Why an extraction gives no fact: the reasons of LinkedExtraction.
ONE_ARGUMENT = "one argument"
NEGATED = "negated"
UNASSERTED = "not asserted"
NO_PAIR = "no linked pair"
NO_FIRST = "no linked first argument"
NO_SECOND = "no linked second argument"
SAME_ENTITY = "same entity"
LONG_SLOT = "a slot longer than any sentence"
PRONOUN = "an argument is a pronoun"
CLAUSE = "an argument is a clause"
NO_PHRASE = "an argument is no noun phrase"
REASONS = (
    ONE_ARGUMENT, NEGATED, UNASSERTED, NO_PAIR, NO_FIRST, NO_SECOND, SAME_ENTITY, LONG_SLOT,
    PRONOUN, CLAUSE, NO_PHRASE,
)  # fmt: skip

# Determiners that can stand before a name ("that Obama left" is a clause, "no Obama" nobody).
_DETERMINERS = DETERMINERS - {"no", "neither", "that", "what", "which", "whose"}
_OPENING = _DETERMINERS | NUMERALS
_PASSED_OVER = _OPENING | PREPOSITIONS | {"s"}
CUTS = DETERMINERS | PREPOSITIONS | CONJUNCTIONS | PRONOUNS
_VERBAL = AUXILIARIES | {"d", "never", "not"}

_FINITE = AUXILIARIES - {"be", "been", "being", "having", "doing", "done", "d", "ll", "re", "ve"}
_RELATIVE = frozenset({"who", "whom", "whose", "which", "that", "where", "when", "while"})

# Punctuation between two tokens that ends a noun phrase. Marks inside a number or a name ("1,000",
# "8:30", "Coca-Cola") have no space beside them; treebank text spaces single hyphens too.
MARK = re.compile(r"[,;:]\s|\s[,;:]|[()\[\]{}—]|--|\s[–&]\s")


class LinkedExtraction(NamedTuple):
    """The fact that an extraction states, or the reason why it is out of scope.

    Attributes
    ----------
    fact
        None where there is a reason.
    reason
        One of :data:`REASONS`; None where there is a fact.
    mention1, mention2
        The mentions to which the arguments link, where they do and were looked at.
    hedged
        True for "may visit", "reportedly visited".
    """

    fact: Fact | None
    reason: str | None
    mention1: Mention | None = None
    mention2: Mention | None = None
    hedged: bool = False


def link_extraction(
    sentence: Sentence,
    extraction: Extraction,
    *,
    arguments: str = "head",
    key: str = "head",
    scope: str = "linked",
    negation: str = "exclude",
    unasserted: str = "keep",
    neighbours: Sequence[Sentence] = (),
    lexicon: Lexicon = ENGLISH,
) -> LinkedExtraction:
    """Return the fact that `extraction` states about the entities of `sentence`.

    The first two arguments make the fact. A relation without a content word gives a fact with an
    empty relation: it stays in scope, since a system must answer for it.

    Parameters
    ----------
    sentence
        The annotated sentence with which the extraction is aligned.
    extraction
        One extraction of a system.
    arguments
        How arguments link: the mode of :func:`link_argument`.
    key
        Relation key: "head" or "all" (:func:`evaluator.relations.normal_form.relation_key`).
    scope
        Which mentions the sentence was annotated with (:mod:`evaluator.facts.phrases`). With
        "phrases", where every noun phrase is one, the relation goes into the second argument where
        it has its noun there (:func:`_through_noun`), and is "be" or "have" where it has no
        content word.
    negation
        "exclude" negated extractions, or "keep" them as negated facts. A negation is in the words
        of the relation, or the system tells of it beside them.
    unasserted
        "keep" extractions of which the system says that the sentence does not assert them (somebody
        else does, or a condition stands before them), or "exclude" them.
    neighbours
        Annotated sentences of the document, the nearest first. Where one argument links in the
        sentence and the other does not, the first of them where that one links gives its mention.
        With "phrases", where arguments are phrases of their own sentence, they are not looked at.
    lexicon
        What is known of the words of relations.
    """
    _check("relation.key", key, KEYS)
    _check("link.scope", scope, SCOPES)
    _check("link.negation", negation, NEGATIONS)
    _check("link.unasserted", unasserted, UNASSERTED_POLICIES)
    slots = (extraction.arg1, extraction.relation, extraction.arg2)
    if any(has_more_tokens(slot, MOST_TOKENS) for slot in slots):
        return LinkedExtraction(None, LONG_SLOT)
    arg1, arg2 = extraction.arg1, extraction.arg2
    words1, words2 = search_form(_plain(arg1)), search_form(_plain(arg2))
    if not words1 or not words2:
        return LinkedExtraction(None, ONE_ARGUMENT)
    form = relation_form(_plain(extraction.relation), lexicon)
    negated = form.negated or bool(extraction.negated)
    if negated and negation == "exclude":
        return LinkedExtraction(None, NEGATED, hedged=form.hedged)
    if not extraction.asserted and unasserted == "exclude":
        return LinkedExtraction(None, UNASSERTED, hedged=form.hedged)
    if scope == "phrases" and not extraction.mentions and any(map(_is_clause, (arg1, arg2))):
        return LinkedExtraction(None, CLAUSE, hedged=form.hedged)
    mention1, mention2 = extraction.mentions or (
        link_argument(sentence, arg1, mode=arguments),
        link_argument(sentence, arg2, mode=arguments),
    )
    if scope != "phrases" and bool(mention1) != bool(mention2):
        mention1 = mention1 or _link_nearby(neighbours, arg1, arguments)
        mention2 = mention2 or _link_nearby(neighbours, arg2, arguments)
    if not (mention1 and mention2):
        reason = NO_SECOND if mention1 else NO_FIRST if mention2 else NO_PAIR
        if scope == "phrases":
            missing = [w for w, m in ((words1, mention1), (words2, mention2)) if m is None]
            reason = PRONOUN if any(map(_is_pronoun, missing)) else NO_PHRASE
        return LinkedExtraction(None, reason, mention1, mention2, form.hedged)
    if scope == "phrases" and not extraction.mentions and lexicon.is_shipped:
        form, mention2 = _through_noun(sentence, extraction, form, mention2)
    r = relation_key(form, key=key)
    if not r and scope == "phrases" and lexicon.english:
        r = _bare_verb(extraction.relation)
    if mention1.entity == mention2.entity:
        return LinkedExtraction(None, SAME_ENTITY, mention1, mention2, form.hedged)
    fact = Fact(mention1.entity, r, mention2.entity, negated)
    return LinkedExtraction(fact, None, mention1, mention2, form.hedged)


def neighbouring(window: int) -> list[int]:
    """Return the places of a window's other sentences from one of it on, the nearest first.

    Of two as near it is the one before: what a sentence leaves out was mostly said already.
    """
    return [place for distance in range(1, window) for place in (-distance, distance)]


def _link_nearby(neighbours: Iterable[Sentence], argument: str, mode: str) -> Mention | None:
    found = (link_argument(neighbour, argument, mode=mode) for neighbour in neighbours)
    return next((mention for mention in found if mention), None)


def _is_pronoun(words: str) -> bool:
    return all(word in PRONOUNS or word in DETERMINERS for word in words.split())


def _is_clause(argument: str) -> bool:
    """Whether a finite auxiliary stands in an argument, and not in a relative clause of it."""
    forms = _phrase(argument).forms
    for place, form in enumerate(forms):
        if form in _RELATIVE and place:
            return False
        if form in _FINITE and (place == 0 or forms[place - 1] != "to"):
            return True
    return False


def _through_noun(
    sentence: Sentence, extraction: Extraction, form: RelationForm, mention2: Mention
) -> tuple[RelationForm, Mention]:
    """Return relation and second argument of "is | president of France": president, and France.

    Extractors cut such a statement in either place, "is president of | France" too, and it is one
    fact. It is so of "be" and "have" with any noun, and of other verbs that live by their noun
    with one that has no determiner ("take | place in Rome", "gave | birth to a son", but "make | a
    film in Rome"); where the noun is followed by a preposition and by another element.
    """
    if form.head and form.head not in VERBS_OF_NOUNS:
        return form, mention2
    phrase = _phrase(extraction.arg2)
    for held in _held_mentions(_forms(sentence.text), sentence.mentions or (), phrase.forms):
        for noun, object_ in pairwise(held):
            if noun.mention != mention2:
                continue
            before, between = phrase.forms[: noun.start], phrase.forms[noun.end : object_.start]
            if not between or between[0] not in PREPOSITIONS:
                break
            if not _OPENING.issuperset(between[1:]) or (form.head and before):
                break
            words = (*before, *phrase.forms[noun.start : noun.end], between[0])
            longer = relation_form(f"{_plain(extraction.relation)} {' '.join(words)}")
            if longer.head and longer.head != form.head:
                return longer, object_.mention
            break
    return form, mention2


def _bare_verb(relation: str) -> str:
    """Return "be" or "have" of a relation that has no other word of its own; empty without."""
    verbs = [BARE_VERBS[word] for word in _phrase(relation).forms if word in BARE_VERBS]
    return verbs[-1] if verbs else ""


def link_argument(sentence: Sentence, argument: str, *, mode: str = "head") -> Mention | None:
    """Return the mention of an annotated sentence that an argument links to.

    Parameters
    ----------
    sentence
        A sentence with mentions.
    argument
        The argument as the system wrote it: a piece of the sentence, or a rewording of it.
    mode
        "exact": the argument is the mention, but for determiners before and a possessive after it.
        "head": the mention ends the argument's base noun phrase; prepositions before it are
        passed over ("in Rome"). "contains": the argument holds the mention; of several, one that
        is exact, else the head, else the longest, else the first.

    Returns
    -------
    Mention | None
        The mention at the first place where the sentence holds the argument and something links;
        for an argument that the sentence does not hold word for word, the first mention whose
        tokens the argument holds and which links.

    Raises
    ------
    ConfigurationError
        If the mode is unknown.
    ValueError
        If the sentence is not annotated.
    """
    _check("link.arguments", mode, MODES)
    if sentence.mentions is None:
        raise ValueError(f"{sentence.document}, sentence {sentence.number}: not annotated")
    phrase = _phrase(argument)
    for held in _held_mentions(_forms(sentence.text), sentence.mentions, phrase.forms):
        found = _exact(phrase, held)
        if found is None and mode != "exact":
            found = _head(phrase, held)
        if found is None and mode == "contains":
            found = max(held, key=lambda one: one.end - one.start, default=None)
        if found is not None:
            return found.mention
    return None


class _Held(NamedTuple):
    """A mention and the tokens ``[start, end)`` of the argument that are it."""

    start: int
    end: int
    mention: Mention


class _Phrase(NamedTuple):
    """The tokens of an argument; ``gaps[i]`` is what stands between token i and the one before."""

    forms: tuple[str, ...]
    gaps: tuple[str, ...]


@lru_cache(maxsize=1 << 14)
def _phrase(argument: str) -> _Phrase:
    text = _plain(argument)
    found = spans(text)
    ends = [0, *(token.end for token in found)]
    gaps = (text[end : token.start] for end, token in zip(ends, found, strict=False))
    return _Phrase(tuple(token.form for token in found), tuple(gaps))


def _held_mentions(
    sentence: tuple[str, ...], mentions: Sequence[Mention], argument: tuple[str, ...]
) -> Iterator[list[_Held]]:
    """Yield, for each place where the sentence holds the argument, the mentions inside it.

    A sentence that does not hold the argument word for word (ClausIE drops commas, Stanford drops
    modifiers) gives one list: the mentions whose tokens the argument holds. Of a name or phrase
    that no database knows the argument may have the end alone, where its head stands.
    """
    places = _occurrences(argument, sentence)
    for place in places:
        yield [
            _Held(max(mention.start - place, 0), mention.end - place, mention)
            for mention in mentions
            if place < mention.end <= place + len(argument)
            and (place <= mention.start or is_element(mention.entity))
        ]
    if not places:
        # Of mentions with the same tokens the first would win at every place.
        first: dict[tuple[str, ...], Mention] = {}
        for mention in mentions:
            first.setdefault(sentence[mention.start : mention.end], mention)
        yield _disjoint(
            _Held(start, end, mention)
            for forms, mention in first.items()
            for start, end in (
                _shortened(forms, argument)
                if is_element(mention.entity)
                else ((start, start + len(forms)) for start in _occurrences(forms, argument))
            )
        )


def _shortened(phrase: tuple[str, ...], argument: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield where the argument holds the head of a phrase, with what it keeps of its modifiers.

    Systems shorten noun phrases: to "rival" or "main rival" where the text has "main local rival".
    """
    for place, form in enumerate(argument):
        if form == phrase[-1]:
            start, left = place, len(phrase) - 1
            while start and left and argument[start - 1] in phrase[:left]:
                start -= 1
                left = max(at for at in range(left) if phrase[at] == argument[start])
            yield start, place + 1


def _occurrences(part: tuple[str, ...], whole: tuple[str, ...]) -> list[int]:
    if not part:
        return []
    first, size = part[0], len(part)
    return [
        place
        for place in range(len(whole) - size + 1)
        if whole[place] == first and whole[place : place + size] == part
    ]


def _disjoint(held: Iterable[_Held]) -> list[_Held]:
    """Return the longest of each group that overlaps, in the argument's order."""
    kept: list[_Held] = []
    taken: set[int] = set()
    for one in sorted(held, key=lambda one: one.start - one.end):
        places = range(one.start, one.end)
        if taken.isdisjoint(places):
            taken.update(places)
            kept.append(one)
    return sorted(kept)


def _exact(phrase: _Phrase, held: Sequence[_Held]) -> _Held | None:
    for one in held:
        before, after = phrase.forms[: one.start], phrase.forms[one.end :]
        if _DETERMINERS.issuperset(before) and after in ((), ("s",)):
            return one
    return None


def _head(phrase: _Phrase, held: Sequence[_Held]) -> _Held | None:
    forms, at = phrase.forms, {one.start: one for one in held}
    place = first = _start_of_base(forms, at)
    last = None
    while place < len(forms):
        if place > first and MARK.search(phrase.gaps[place]):
            break
        if place in at:
            last = at[place]
            place = last.end
        elif forms[place] in _VERBAL:
            return None
        elif last is None and place > first and forms[place] in ("and", "or", "but"):
            place += 1  # between modifiers: "early and strong resistance"
        elif _cuts(phrase, at, place):
            break
        else:
            last = None
            place += 1
    return last


def _start_of_base(forms: Sequence[str], at: Container[int]) -> int:
    place = 0
    while place < len(forms) and place not in at and forms[place] in _PASSED_OVER:
        if forms[place] == "to" and not _opens_noun_phrase(forms, at, place + 1):
            break  # an infinitive, "to visit Rome": the base noun phrase is empty
        place += 1
    return place


def _cuts(phrase: _Phrase, at: Container[int], place: int) -> bool:
    form = phrase.forms[place]
    if form in CUTS:
        return True
    if form == "s":
        return place + 1 == len(phrase.forms)  # "Obama 's" as a whole argument is Obama
    return (
        form.endswith("ing")
        and _opens_noun_phrase(phrase.forms, at, place + 1)
        and phrase.gaps[place] != "-"  # "the German-speaking Community"
        and not (place > 0 and phrase.forms[place - 1] in _DETERMINERS)  # "the reigning champion"
    )


def _opens_noun_phrase(forms: Sequence[str], at: Container[int], place: int) -> bool:
    return place in at or (place < len(forms) and forms[place] in _OPENING)


@lru_cache(maxsize=1024)
def _forms(text: str) -> tuple[str, ...]:
    return tuple(token.form for token in spans(text))


def _plain(text: str) -> str:
    return normalise(unescape_treebank(text))


def _check(setting: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ConfigurationError(f"{setting} {value!r} is unknown; {choices(value, known)}")
