"""WebNLG as a closed world: a corpus of which every stated fact is known, and systems over it.

People wrote each text of WebNLG from the DBpedia triples that it states, so that the true
precision and the true recall of any system on these texts are known. The world:

corpus
    The sentences of half of the entries (all texts of an entry are on one side), each with the
    triples that it states: those that the data give for this sentence, where the text has as many
    sentences as the data say; else those of the text of whose two entities it holds a word.
knowledge base
    Half of the distinct triples, and a name for every entity: its title, as DBpedia's labels are,
    and the same less a qualifier in parentheses as another name. Objects that are numbers, dates
    or strings are literals there too: no entity has their name, and what is stated of them is in
    nobody's scope.
background text
    The texts of the other half of the entries, one document each.
systems
    A and B extract what is stated in words of the sentence, and spoil a share of it. The words are
    those for which the lexicon says that they can stand for the property; the phrase is what
    stands around the word ("was written by"). To spoil is to exchange an entity or the word for
    another one of the sentence. C is the baseline ``between``.
truth
    ⟨e1, r, e2⟩ is true where a sentence of the corpus states a property of that pair which r can
    stand for in that direction.

The lexicon (``alignments/webnlg_words.tsv``) has the words of each property: those that stand in
"subject … object" as well as in "object … subject" ("wrote", "was written by", "is the author
of"), and those that stand in one of them alone ("was born in"). Places that hold one another are
told by the chain too: of "Rome, Italy, is where he was born" he was born in Italy.
"""

import json
import re
import tarfile
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import quote
from xml.etree import ElementTree

from evaluator.corpus.sentences import sentence_key
from evaluator.corpus.splitting import split_sentences
from evaluator.errors import InputError
from evaluator.function_words import AUXILIARIES, DETERMINERS, FUNCTION_WORDS, PREPOSITIONS
from evaluator.model import Extraction
from evaluator.readers import tabbed
from evaluator.relations.normal_form import relation_form, relation_words
from evaluator.text import normalise, spans, tokens
from evaluator.wordnet.lexicon import wordnet
from indexes.identifiers import canonical_id
from jobs.worlds import files

ARCHIVE = "webnlg_v1.6_en_train.tar.xz"
LEXICON = Path(__file__).parent / "alignments" / "webnlg_words.tsv"
SALT = "closed world"

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


class Triple(NamedTuple):
    """A triple as WebNLG writes it."""

    subject: str
    property: str
    object: str


class Place(NamedTuple):
    """Characters ``[start, end)`` of a sentence that stand for an entity by one of its names."""

    start: int
    end: int
    entity: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of the corpus and what it states.

    Attributes
    ----------
    document, number, text
        As the corpus gives them.
    places
        Where entities stand by name, in text order, as the data tell.
    stated
        The triples that it states.
    """

    document: str
    number: int
    text: str
    places: tuple[Place, ...]
    stated: frozenset[Triple]


class Entry(NamedTuple):
    """An entry: its name, its triples, and its texts."""

    name: str
    triples: tuple[Triple, ...]
    texts: tuple["Text", ...]


class Text(NamedTuple):
    """A text: what it says, and the triples by sentence.

    `names` has, in text order, what stands for an entity, the entity, and whether it is a name.
    """

    text: str
    by_sentence: tuple[tuple[Triple, ...], ...]
    names: tuple[tuple[str, str, bool], ...]


# --- The data ---------------------------------------------------------------------------------


def read_entries(folder: Path, *, most: int | None = None) -> list[Entry]:
    """Return the entries of the train part, in the archive's order.

    Parameters
    ----------
    folder
        That which holds the archive.
    most
        Entries at most; of the whole part those whose name has the smallest hash values.

    Raises
    ------
    InputError
        If the archive is missing or damaged.
    """
    path = folder / ARCHIVE
    found = []
    try:
        with tarfile.open(path) as archive:
            for member in sorted(archive.getmembers(), key=lambda one: one.name):
                if member.name.endswith(".xml") and (file := archive.extractfile(member)):
                    name = member.name.removesuffix(".xml").partition("/")[2]
                    tree = ElementTree.parse(file)
                    found += [_entry(name, node) for node in tree.iter("entry")]
    except (OSError, EOFError, tarfile.TarError, ElementTree.ParseError) as error:
        raise InputError(path, f"cannot be read ({error})") from None
    if most is not None:
        kept = {entry.name for entry in sorted(found, key=lambda e: _share(e.name, "slice"))[:most]}
        found = [entry for entry in found if entry.name in kept]
    return found


def _entry(file: str, node: ElementTree.Element) -> Entry:
    triples = tuple(_triple(one.text or "") for one in node.findall("modifiedtripleset/mtriple"))
    texts = tuple(
        Text(
            normalise(lex.findtext("text") or ""),
            tuple(
                tuple(_triple(one.text or "") for one in sentence.findall("striple"))
                for sentence in lex.findall("sortedtripleset/sentence")
            ),
            tuple(
                (
                    normalise(one.text or ""),
                    normalise(one.get("entity", "")),
                    one.get("type") == "name",
                )
                for one in lex.findall("references/reference")
                if one.get("entity")
            ),
        )
        for lex in node.findall("lex")
    )
    return Entry(f"{file}/{node.get('eid')}", triples, texts)


def _triple(text: str) -> Triple:
    subject, property_, object_ = normalise(text).split(" | ")
    return Triple(subject, property_, object_)


_LITERAL = re.compile(r'["<].*|-?\d[\d.,:/-]*( .*)?')


def is_literal(name: str) -> bool:
    """Tell a string in quotes, a number or a date from an entity ("320_South_Boston_Building")."""
    return _LITERAL.fullmatch(name) is not None


def label_of(entity: str) -> str:
    """Return the title of an entity as people write it."""
    return entity.replace("_", " ")


def short_label(entity: str) -> str:
    """Return the title less a qualifier in parentheses."""
    return re.sub(r" \([^()]*\)$", "", label_of(entity))


def iri_of(entity: str) -> str:
    """Return the IRI of an entity in the knowledge base."""
    return "http://dbpedia.org/resource/" + quote(entity.replace(" ", "_"), safe="_-.,:!'*&;=@~+/$")


def id_of(entity: str) -> str:
    """Return what the knowledge base calls an entity."""
    identifier = canonical_id(iri_of(entity))
    if identifier is None:
        raise ValueError(f"{entity}: no identifier")
    return identifier


def _share(name: str, salt: str = SALT) -> float:
    """Return a number in [0, 1) that depends on a name alone."""
    digest = blake2b(f"{salt}\t{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64


# --- What sentences state ---------------------------------------------------------------------


def corpus_of(entries: Iterable[Entry]) -> list[Said]:
    """Return the sentences of entries, each once, with all that they state.

    The same sentence may stand in texts of several entries; it states what it does in any.
    """
    said: dict[str, Said] = {}
    for entry in entries:
        number = 0
        for text in entry.texts:
            for one in _sentences(entry, text):
                key = sentence_key(one.text)
                if not key:
                    continue
                if key in said:
                    first = said[key]
                    stated = first.stated | one.stated
                    said[key] = Said(first.document, first.number, first.text, first.places, stated)
                else:
                    said[key] = Said(entry.name, number, one.text, one.places, one.stated)
                    number += 1
    return list(said.values())


def _sentences(entry: Entry, text: Text) -> Iterator[Said]:
    pieces = [piece.text for piece in split_sentences(text.text)]
    first = 0
    entities = sorted(
        {end for triple in entry.triples for end in (triple.subject, triple.object)},
        key=lambda entity: (-len(entity), entity),
    )
    whole = {triple for told in text.by_sentence for triple in told} or {*entry.triples}
    for number, piece in enumerate(pieces):
        places, first = _places(piece, text.names, entities, first)
        if len(pieces) == len(text.by_sentence):
            stated = {*text.by_sentence[number]}
        else:
            words = {*tokens(piece)}
            stated = {t for t in whole if _names_a_word(t.subject, words)
                      and _names_a_word(t.object, words)}  # fmt: skip
        yield Said(entry.name, number, piece, places, frozenset(stated))


def _names_a_word(entity: str, words: Collection[str]) -> bool:
    return any(t in words for t in tokens(short_label(entity)) if t not in FUNCTION_WORDS)


def _places(
    sentence: str, names: Sequence[tuple[str, str, bool]], entities: Iterable[str], first: int
) -> tuple[tuple[Place, ...], int]:
    """Return where names stand in a sentence, and the number of the first name that comes after it.

    Names are told in text order: each is looked for behind the one before it. A description that
    has no word of the entity's name ("the airport") is no name of it. Where the data tell of none,
    an entity stands wherever its title does.
    """
    found = spans(sentence)
    forms = [token.form for token in found]
    free = [True] * len(forms)
    places: list[Place] = []

    def take(name: Sequence[str], entity: str, cursor: int) -> int:
        for at in range(cursor, len(forms) - len(name) + 1):
            end = at + len(name)
            if forms[at:end] == name and all(free[at:end]):
                free[at:end] = [False] * len(name)
                places.append(Place(found[at].start, found[end - 1].end, entity))
                return end
        return -1

    cursor = 0
    for number, (name, entity, is_name) in enumerate(names[first:], start=first):
        words = _bare(tokens(name), entity)
        if words and (is_name or _names_a_word(entity, words)):
            end = take(words, entity, cursor)
            if end >= 0:
                cursor, first = end, number + 1
    for entity in entities:
        for name in dict.fromkeys((label_of(entity), short_label(entity))):
            while tokens(name) and take(tokens(name), entity, 0) >= 0:
                pass
    return tuple(sorted(places)), first


def _bare(words: list[str], entity: str) -> list[str]:
    """Return the words of a name less an article before them and a possessive behind."""
    if words and words[0] in {"the", "a", "an"} and tokens(label_of(entity))[:1] != words[:1]:
        words = words[1:]
    return words[:-1] if words[-1:] == ["s"] else words


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


def read_lexicon(path: Path = LEXICON) -> Lexicon:
    """Return the lexicon. Words are lemmas, as relation words are."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    either, forward, inverse = (
        {row[0]: frozenset(relation_words(tokens(row[column]))) for row in rows}
        for column in (1, 2, 3)
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


# --- Systems ----------------------------------------------------------------------------------


class Profile(NamedTuple):
    """A made system.

    Attributes
    ----------
    name
        Its name.
    found
        Share of what a sentence says in words that it extracts.
    spoilt
        Share of its extractions in which something is exchanged.
    """

    name: str
    found: float
    spoilt: float


SYSTEMS = (Profile("A", 0.58, 0.18), Profile("B", 0.30, 0.05))


def extractions(profile: Profile, corpus: Iterable[Said], lexicon: Lexicon) -> list[Extraction]:
    """Return what a made system extracts."""
    rng = Random(f"{SALT} {profile.name}")
    made: list[Extraction] = []
    for said in corpus:
        seen = set()
        pairs = true_pairs(said.stated, lexicon)
        words = _words(said)
        for one, two in _in_order(said.places):
            fitting = pairs.get((one.entity, two.entity), frozenset())
            for word in words:
                if word.lemma not in fitting or rng.random() >= profile.found:
                    continue
                triple = (one, word, two)
                if rng.random() < profile.spoilt:
                    spoilt = _spoilt(triple, said, words, pairs, rng)
                    if spoilt is None:
                        continue
                    triple = spoilt
                first, what, second = triple
                slots = (
                    said.text[first.start : first.end],
                    what.phrase,
                    said.text[second.start : second.end],
                )
                if slots not in seen:
                    seen.add(slots)
                    made.append(Extraction.of_slots(profile.name, len(made) + 1, said.text, slots))
    return made


class _Word(NamedTuple):
    """A relation word of a sentence, with the phrase around it."""

    lemma: str
    phrase: str


_BEFORE = AUXILIARIES | DETERMINERS


def _words(said: Said) -> list[_Word]:
    """Return the relation words of a sentence outside its names, each once, in text order."""
    found = spans(said.text)
    starts = [token.start for token in found]
    inside = {
        place
        for at in said.places
        for place in range(bisect_left(starts, at.start), bisect_left(starts, at.end))
    }
    words: dict[str, _Word] = {}
    for place, token in enumerate(found):
        lemma = wordnet().content_lemma(token.form)
        if place in inside or lemma is None or lemma in words:
            continue
        first, last = place, place + 1
        while first - 1 not in inside and first > 0 and found[first - 1].form in _BEFORE:
            first -= 1
        if last < len(found) and last not in inside and found[last].form in PREPOSITIONS:
            last += 1
        phrase = said.text[found[first].start : found[last - 1].end]
        if relation_form(phrase).head != lemma or relation_form(phrase).negated:
            phrase = said.text[token.start : token.end]
        if relation_form(phrase).head == lemma:
            words[lemma] = _Word(lemma, phrase)
    return list(words.values())


def _in_order(places: Sequence[Place]) -> Iterator[tuple[Place, Place]]:
    """Yield the pairs of different entities in text order, each once."""
    seen = set()
    for place, one in enumerate(places):
        for two in places[place + 1 :]:
            if one.entity != two.entity and (one.entity, two.entity) not in seen:
                seen.add((one.entity, two.entity))
                yield one, two


def _spoilt(
    triple: tuple[Place, _Word, Place],
    said: Said,
    words: Sequence[_Word],
    pairs: Pairs,
    rng: Random,
) -> tuple[Place, _Word, Place] | None:
    """Return a triple in which something is exchanged so that the sentence does not state it.

    None where every exchange would be stated.
    """
    one, word, two = triple
    kinds = {
        "object": [(one, word, other) for other in said.places],
        "subject": [(other, word, two) for other in said.places],
        "relation": [(one, other, two) for other in words],
        "order": [(two, word, one)],
    }
    order = list(kinds)
    rng.shuffle(order)
    for kind in order:
        false = [
            (a, w, b)
            for a, w, b in kinds[kind]
            if a.entity != b.entity and w.lemma not in pairs.get((a.entity, b.entity), ())
        ]
        if false:
            return rng.choice(false)
    return None


# --- The world --------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClosedWorld:
    """The closed world: where its files are, and what is true in it.

    Attributes
    ----------
    folder
        Where the files are.
    corpus
        The sentences and what they state.
    lexicon
        Which words stand for which property.
    known
        The triples that the knowledge base holds.
    true
        ⟨e1, r, e2⟩ that a sentence of the corpus states by a word that it has, by identifiers.
    """

    folder: Path
    corpus: Sequence[Said]
    lexicon: Lexicon
    known: frozenset[Triple]
    true: frozenset[tuple[str, str, str]]

    @property
    def configuration(self) -> Path:
        """The configuration of the run."""
        return self.folder / "run.toml"


def make_world(
    data: Path, out: Path, *, most: int | None = None, given: bool = False
) -> ClosedWorld:
    """Write the files of a run about WebNLG into the folder `out`, made where it is missing.

    ==================== ==========================================================================
    ``run.toml``         the configuration; everything is judged
    ``sentences.jsonl``  the corpus
    ``A.jsonl``          the output of system A, as JSON Lines
    ``B.tabbed``         the output of system B
    ``kb.nt``            the knowledge base
    ``background.jsonl`` the background text
    ``statements.jsonl`` what each sentence states: document, number, text, triples, places
    ``truth.tsv``        the true facts, by the identifiers of the knowledge base
    ==================== ==========================================================================

    Parameters
    ----------
    data
        The folder of WebNLG.
    out
        The folder to write to.
    most
        Entries at most.
    given
        The corpus tells where entities stand; else the dictionary of the knowledge base has to.
    """
    entries = read_entries(data, most=most)
    lexicon = read_lexicon()
    corpus = corpus_of(e for e in entries if _share(e.name) < 0.5)
    background = [
        (f"{entry.name}/{number}", text.text)
        for entry in entries
        if _share(entry.name) >= 0.5
        for number, text in enumerate(entry.texts)
    ]
    triples = sorted({triple for entry in entries for triple in entry.triples})
    known = frozenset(triple for triple in triples if _share("\t".join(triple)) < 0.5)
    outputs = {profile.name: extractions(profile, corpus, lexicon) for profile in SYSTEMS}
    true = frozenset(fact for said in corpus for fact in stated_facts(said, lexicon))
    files.write(
        out,
        {
            "run.toml": _CONFIGURATION,
            "sentences.jsonl": _lines(_sentence(said, given=given) for said in corpus),
            "A.jsonl": _lines(
                {"sentence": e.sentence, "arg1": e.arg1, "relation": e.relation, "arg2": e.arg2}
                for e in outputs["A"]
            ),
            "B.tabbed": files.extractions(outputs["B"], tabbed.line_of),
            "kb.nt": _knowledge_base(triples, known),
            "background.jsonl": _lines({"id": name, "text": text} for name, text in background),
            "statements.jsonl": _lines(_statement(said) for said in corpus),
            "truth.tsv": files.table(("e1", "r", "e2"), sorted(true)),
        },
        what="world",
    )
    return ClosedWorld(out, corpus, lexicon, known, true)


def stated_facts(said: Said, lexicon: Lexicon) -> Iterator[tuple[str, str, str]]:
    """Yield what a sentence states by its words of entities that it names, in text order."""
    words = relation_words(tokens(said.text))
    pairs = true_pairs(said.stated, lexicon)
    for one, two in _in_order(said.places):
        e1, e2 = one.entity, two.entity
        if not is_literal(e1) and not is_literal(e2):
            for word in words:
                if word in pairs.get((e1, e2), ()):
                    yield id_of(e1), word, id_of(e2)


def _sentence(said: Said, *, given: bool) -> dict[str, object]:
    record: dict[str, object] = {
        "document": said.document,
        "number": said.number,
        "text": said.text,
    }
    if given:
        record["mentions"] = [
            {"start": start, "end": end, "entity": iri_of(entity)}
            for start, end, entity in said.places
            if not is_literal(entity)
        ]
    return record


def _statement(said: Said) -> dict[str, object]:
    return {
        "document": said.document,
        "number": said.number,
        "text": said.text,
        "triples": sorted(said.stated),
        "places": said.places,
    }


def _lines(records: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_OTHER_NAME = "http://www.w3.org/2004/02/skos/core#altLabel"


def _knowledge_base(triples: Iterable[Triple], known: Collection[Triple]) -> str:
    """Return the known triples, and the names of all entities and properties, as N-Triples."""
    lines = set()
    for triple in triples:
        subject, property_, object_ = triple
        predicate = "http://dbpedia.org/ontology/" + quote(property_.replace(" ", "_"))
        lines.add(_named(predicate, _LABEL, property_label(property_)))
        for entity in (subject, object_):
            if not is_literal(entity):
                lines.add(_named(iri_of(entity), _LABEL, label_of(entity)))
                if short_label(entity) != label_of(entity):
                    lines.add(_named(iri_of(entity), _OTHER_NAME, short_label(entity)))
        if triple in known:
            value = (
                json.dumps(object_.strip('"'), ensure_ascii=False)
                if is_literal(object_)
                else f"<{iri_of(object_)}>"
            )
            lines.add(f"<{iri_of(subject)}> <{predicate}> {value} .\n")
    return "".join(sorted(lines))


def property_label(property_: str) -> str:
    """Return the name of a property: "birth place" for ``birthPlace``."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", property_)
    return " ".join(w if w.isupper() else w.lower() for w in words.split())


def _named(subject: str, predicate: str, name: str) -> str:
    return f"<{subject}> <{predicate}> {json.dumps(name, ensure_ascii=False)}@en .\n"


_CONFIGURATION = """\
# WebNLG as a closed world, whose truth is known (truth.tsv).
name = "closed world (WebNLG)"
run = "run"
truth = "truth.tsv"
systems = ["A=jsonl:A.jsonl", "B=tabbed:B.tabbed", "C=baseline:between"]

[corpus]
sentences = "sentences.jsonl"
format = "jsonl"

[kb]
path = "kb"
sources = ["kb.nt"]

[index]
path = "index"
collection = "background.jsonl"
format = "jsonl"

[sample]
system = "all"
candidates = "all"
"""
