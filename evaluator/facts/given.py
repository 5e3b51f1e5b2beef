"""Facts that are given without sentences: triples whose arguments are linked already.

A system may come as a list of facts instead of extractions, because somebody else linked its
output or because the sentences are lost. Such a fact is judged like any other; only what takes a
corpus, the candidates G' and with them recall, is not to be had from it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from evaluator.facts.linking import (
    NEGATED,
    NO_FIRST,
    NO_PAIR,
    NO_SECOND,
    ONE_ARGUMENT,
    SAME_ENTITY,
    LinkedExtraction,
)
from evaluator.facts.phrases import element_of
from evaluator.model import Fact
from evaluator.relations.normal_form import relation_form, relation_key
from evaluator.text import normalise, search_form
from evaluator.wordnet.chosen import ENGLISH, Lexicon

Identify = Callable[[str], str | None]
"""From an identifier as it is written to the one written form; None for what is no identifier."""


@dataclass(frozen=True, slots=True)
class GivenFact:
    """A fact as a system's output gives it.

    Attributes
    ----------
    system, line
        Name of the system and line number in its output (from 1).
    e1, e2
        Identifiers of the two entities, as written; empty or no identifier where not linked.
    relation
        The relation phrase, verbatim.
    name1, name2
        What the text called the two entities; empty where it is not told.
    """

    system: str
    line: int
    e1: str
    relation: str
    e2: str
    name1: str = ""
    name2: str = ""


def link_given(
    given: GivenFact,
    *,
    identify: Identify,
    key: str = "head",
    scope: str = "linked",
    negation: str = "exclude",
    lexicon: Lexicon = ENGLISH,
) -> LinkedExtraction:
    """Return the fact that `given` states, or the reason why it is out of scope.

    The settings mean what they mean for extractions
    (:func:`evaluator.facts.linking.link_extraction`): an argument that is not linked is an element
    where what the text called it is, as a whole, a name ("names") or a name or noun phrase
    ("phrases").

    Parameters
    ----------
    given
        The fact as given.
    identify
        How identifiers are written in the knowledge base.
    key, scope, negation
        Relation key, scope and negation policy of the run.
    lexicon
        What is known of the words of relations.
    """
    linked1, linked2 = identify(given.e1), identify(given.e2)
    written1, written2 = normalise(given.name1 or given.e1), normalise(given.name2 or given.e2)
    if not (linked1 or search_form(written1)) or not (linked2 or search_form(written2)):
        return LinkedExtraction(None, ONE_ARGUMENT)
    e1 = linked1 or element_of(written1, scope=scope)
    e2 = linked2 or element_of(written2, scope=scope)
    form = relation_form(normalise(given.relation), lexicon)
    reason = None
    if form.negated and negation == "exclude":
        reason = NEGATED
    elif not (e1 and e2):
        reason = NO_SECOND if e1 else NO_FIRST if e2 else NO_PAIR
    elif e1 == e2:
        reason = SAME_ENTITY
    fact = (
        None
        if reason or not (e1 and e2)
        else Fact(e1, relation_key(form, key=key), e2, form.negated)
    )
    return LinkedExtraction(fact, reason, hedged=form.hedged)


def names_of(given: GivenFact, *, identify: Identify, scope: str) -> list[tuple[str, str]]:
    """Return the entities of `given` with the names that it gives them, verbatim.

    An element that is not linked has a name beside its own words where these are all of the name's:
    it then says how they are written ("Portland, Oregon").
    """
    named = []
    for argument, name in ((given.e1, given.name1), (given.e2, given.name2)):
        linked = identify(argument)
        written = name if linked else normalise(name or argument)
        form = search_form(written)
        if form and (linked or element_of(written, scope=scope) == form):
            named.append((linked or form, written))
    return named
