"""The head match of Stanovsky and Dagan (2016, section 4), by its definition.

"Match an automated extraction with a gold proposition if both agree on the grammatical head of all
of their elements (predicate and arguments)." The program that did it was never released, and the
paper's figures come out by no rule that is known. Heads are found here without a parser, as
everywhere in this project, so that figures are comparable with each other, not with the paper's.

* A predicate has the head of its relation (:func:`evaluator.relations.normal_form.relation_form`):
  "might have been barred" has "bar".
* An argument has the last token of its base noun phrase: what follows leading prepositions and
  determiners, up to the first punctuation mark or function word: "the former president of France"
  has "president". A pronoun, or an argument of function words only, has its last leading word.

Elements agree in order, and there must be as many of them.
"""

from functools import lru_cache

from evaluator.facts.linking import CUTS, MARK
from evaluator.function_words import AUXILIARIES, FUNCTION_WORDS, NEGATIONS
from evaluator.gold.oie2016.overlap import Match
from evaluator.gold.oie2016.propositions import Slots
from evaluator.relations.normal_form import relation_form
from evaluator.text import normalise, spans, tokens, unescape_treebank

# No mention is known here, whose words would not cut; and a clause has its subject's head.
_CUTS = CUTS | AUXILIARIES | NEGATIONS | {"s"}


@lru_cache(maxsize=1 << 16)
def argument_head(argument: str) -> str:
    """Return the head of an argument, case-folded; empty where there is no token.

    Examples
    --------
    >>> argument_head("in the old towns of Europe"), argument_head("he")
    ('towns', 'he')
    """
    text = normalise(unescape_treebank(argument))
    found = spans(text)
    leading = 0
    while leading < len(found) and found[leading].form in FUNCTION_WORDS:
        leading += 1
    head = found[leading - 1].form if leading else ""
    end = found[leading].start if leading < len(found) else 0
    for token in found[leading:]:
        if token.form in _CUTS or MARK.search(text[end : token.start]):
            break
        head, end = token.form, token.end
    return head


@lru_cache(maxsize=1 << 16)
def predicate_head(predicate: str) -> str:
    """Return the head of a predicate; its last token where it has no content word ("is in")."""
    return relation_form(predicate).head or (tokens(predicate) or [""])[-1]


def _heads(slots: Slots) -> tuple[str, ...]:
    predicate, *arguments = slots
    return predicate_head(predicate), *map(argument_head, arguments)


def _said_heads(slots: Slots) -> tuple[str, Slots]:
    return predicate_head(slots[0]), slots


def _heads_agree(wanted: tuple[str, ...], said: tuple[str, Slots]) -> bool:
    # Most predicates differ: the arguments of an extraction are often never looked at.
    predicate, slots = said
    return len(wanted) == len(slots) and wanted[0] == predicate and wanted == _heads(slots)


HEAD = Match(_heads, _said_heads, _heads_agree)
"""Predicates and arguments agree in their heads."""
