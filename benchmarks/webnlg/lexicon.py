"""Which words can stand for a property of WebNLG, and which facts are true by that."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

from benchmarks.webnlg.entries import Triple, id_of, is_literal
from benchmarks.webnlg.sentences import Place, Said
from evaluator.facts.phrases import find_elements, normal_form
from evaluator.relations.normal_form import relation_words
from evaluator.text import spans, tokens

WORDS = Path(__file__).with_name("words.tsv")

PLACES = frozenset({
    "administrativeArrondissement", "administrativeCounty", "city", "country", "countySeat",
    "district", "isPartOf", "location", "locationCity", "municipality", "region", "state",
})  # fmt: skip
"""Properties that say where something lies; of two in a row the second holds of the first's
subject too."""
PLACED = PLACES | {
    "address", "birthPlace", "campus", "deathPlace", "foundationPlace", "headquarter",
    "headquarters", "hometown", "placeOfBirth", "placeOfDeath", "residence",
}  # fmt: skip
"""Properties whose object is a place: what lies around that place is one as well."""


class Lexicon(NamedTuple):
    """Which words can stand for a property.

    Attributes
    ----------
    either
        Whichever of subject and object stands first.
    forward, inverse
        Only where the subject, or the object, does.
    """

    either: Mapping[str, frozenset[str]]
    forward: Mapping[str, frozenset[str]]
    inverse: Mapping[str, frozenset[str]]


def read_lexicon(path: Path = WORDS) -> Lexicon:
    """Return the lexicon. Words are lemmas, as relation words are."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    either, forward, inverse = (
        {row[0]: frozenset(row[column].split()) for row in rows} for column in (1, 2, 3)
    )
    return Lexicon(either, forward, inverse)


type Pairs = Mapping[tuple[str, str], frozenset[str]]
"""By pair of entities, the words that can stand between them."""


def true_pairs(stated: Collection[Triple], lexicon: Lexicon) -> Pairs:
    """Return which words hold of which pair, as triples say, with chains of places followed.

    Of what lies around a place only verbs and the like are said ("born in"): the birthplace, or the
    city, is the place itself.
    """
    pairs: dict[tuple[str, str], frozenset[str]] = defaultdict(frozenset)
    for subject, property_, object_ in _with_chains(stated):
        pairs[subject, object_] |= lexicon.forward[property_]
        pairs[object_, subject] |= lexicon.inverse[property_]
    for subject, property_, object_ in stated:
        pairs[subject, object_] |= lexicon.either[property_]
        pairs[object_, subject] |= lexicon.either[property_]
    return dict(pairs)


def _with_chains(stated: Iterable[Triple]) -> set[Triple]:
    told = set(stated)
    while True:
        chained = {
            Triple(one.subject, one.property, two.object)
            for one in told
            for two in told
            if one.property in PLACED
            and two.property in PLACES
            and one.object == two.subject
            and one.subject != two.object
        }
        if chained <= told:
            return told
        told |= chained


def stated_facts(
    said: Said, lexicon: Lexicon, *, by_name: bool = False
) -> Iterator[tuple[str, str, str]]:
    """Yield what a sentence states by its words of entities that it names, in text order.

    Parameters
    ----------
    said, lexicon
        The sentence, and which words stand for what it states.
    by_name
        Yield the facts also with an entity called as it is in the sentence, and those of literals:
        what a run that takes names and phrases for elements can have (``link.scope``).
    """
    words = relation_words(tokens(said.text))
    pairs = true_pairs(said.stated, lexicon)
    seen = set()
    for one, two in combinations(said.places, 2):
        fitting = pairs.get((one.entity, two.entity), frozenset())
        if one.entity != two.entity and fitting:
            ends = (elements_of(said, place, by_name=by_name) for place in (one, two))
            for e1, e2 in product(*ends):
                for word in words:
                    if word in fitting and (e1, word, e2) not in seen:
                        seen.add((e1, word, e2))
                        yield e1, word, e2


def elements_of(said: Said, place: Place, *, by_name: bool) -> list[str]:
    """Return what a run may call the entity of a place.

    Its identifier, if it is no literal; and, by name, the words that stand there. Of a literal the
    noun phrase around it says the same: "34 floors".
    """
    found = [] if is_literal(place.entity) else [id_of(place.entity)]
    if by_name:
        found.append(normal_form(said.text[place.start : place.end]))
        if is_literal(place.entity):
            at = spans(said.text)
            found += [
                phrase.entity
                for phrase in find_elements(said.text, (), scope="phrases").phrases
                if at[phrase.start].start <= place.start and place.end <= at[phrase.end - 1].end
            ]
    return [element for element in dict.fromkeys(found) if element]
