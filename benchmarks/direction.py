"""Matching by direction: relations that the base states from e1 to e2, or those from e2 to e1 too.

A candidate fact ⟨e1, r, e2⟩ has its entities in text order, which is the grammar's ("Sam was born
in Ohio", "Ohio is where Sam was born"); which of a pair's entities a knowledge base has for the
subject is its makers' choice. `match.direction` says whether only relations from e1 to e2 match
("forward") or those from e2 to e1 too ("both"). Both are tried where one knows what a text states:

WebNLG
    A closed world: people wrote each text from the triples that it states. The base holds all
    triples. A candidate fact matches right if its text states the relation that it matches, of this
    pair, as the base has it; else the match is false. Texts of one sentence; mentions and words
    around them from the templates that come with the texts. Literals are no entities.
FewRel
    Sentences that people found to state a property of two marked entities; the base holds these
    properties. What counts is how many are found: nobody said what else the sentences state.
ReVerb–Freebase
    198 alignments of phrases with Freebase's relations, judged by hand with the direction in sight.

"Forward" and "inverse" are the matches by relations that the base states from e1 to e2, and from
e2 to e1; with "both" a fact may match either, and the more similar relation decides.

The price of "both": a system that exchanges the arguments of what it extracts has its facts matched
all the same. How often systems do, CaRB's gold tuples tell: extractions which have a gold tuple's
arguments the other way round, and none's as they are. Most of these are right ("sought by" beside
"sought"), so it is an upper bound.

    .venv/bin/python benchmarks/direction.py --read 40

`--read N` prints N such extractions, and N of the matches on WebNLG, half of them inverse.
"""

import argparse
import re
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple
from xml.etree import ElementTree

from evaluator.corpus.sentences import sentence_key
from evaluator.datasets import cesi_reverb, fewrel
from evaluator.errors import DistvalError, InputError
from evaluator.facts.superset import candidate_superset
from evaluator.function_words import FUNCTION_WORDS
from evaluator.intervals import wilson
from evaluator.model import Mention, Rejects, Sentence
from evaluator.readers import SystemSource, read_extractions
from evaluator.relations.matching import INVERSE, RelationMatch, best_relations
from evaluator.relations.normal_form import (
    relation_form,
    relation_key,
    relation_name_words,
    relation_words,
)
from evaluator.text import tokens
from indexes.dumps.fb15k237 import read_triples
from indexes.kb.build import relation_label
from jobs.config import MatchSettings, data_folder

SEED = 2012
JUDGEMENTS = Path(__file__).parent / "alignments" / "reverb_freebase.tsv"
ASYMMETRIC = (
    "birthPlace", "deathPlace", "founder", "author", "owner", "parentCompany", "isPartOf",
    "precededBy", "followedBy", "influencedBy", "child", "doctoralAdvisor",
)  # fmt: skip
"""Relations that say something else, or nothing, from the other side."""

type Triple = tuple[str, str, str]


class Text(NamedTuple):
    """A sentence, and the triples that it states."""

    sentence: Sentence
    stated: frozenset[Triple]


class Matched(NamedTuple):
    """A candidate fact of a text, the triple that it matches, and whether the text states that."""

    text: int
    fact: tuple[str, str, str]
    triple: Triple
    inverse: bool
    right: bool


# --- The texts --------------------------------------------------------------------------------


def read_webnlg(folder: Path, rejects: Rejects) -> list[Text]:
    """Return the texts of one sentence, from their templates."""
    path = folder / "webnlg_v1.6_en_train.tar.xz"
    try:
        with tarfile.open(path) as archive:
            files = [archive.extractfile(m) for m in archive if m.name.endswith(".xml")]
            trees = [ElementTree.parse(file) for file in files if file is not None]
    except (OSError, EOFError, tarfile.TarError, ElementTree.ParseError) as error:
        raise InputError(path, f"cannot be read ({error})") from None
    texts = []
    for entry in (entry for tree in trees for entry in tree.iter("entry")):
        names = dict((one.text or "").split(" | ", 1) for one in entry.findall("entitymap/entity"))
        stated = frozenset(
            triple
            for one in entry.findall("modifiedtripleset/mtriple")
            if _is_entity((triple := _triple(one.text or ""))[2])
        )
        for lex in entry.findall("lex"):
            template = lex.findtext("template")
            if not template or not stated:
                rejects.add("without a template, or a triple of two entities", "")
            elif len(lex.findall("sortedtripleset/sentence")) != 1:
                rejects.add("of several sentences", "")
            else:
                sentence = _sentence(str(len(texts)), template, names)
                texts.append(Text(sentence, stated))
    return texts


def _triple(text: str) -> Triple:
    e1, relation, e2 = text.split(" | ")
    return e1, relation, e2


def _is_entity(name: str) -> bool:
    """Tell an entity from a literal: a string in quotes, a number or a date."""
    return not re.match(r'["\d-]', name)


_TAG = re.compile(r"(?:AGENT|PATIENT|BRIDGE)-\d+")


def _sentence(document: str, template: str, names: Mapping[str, str]) -> Sentence:
    """Return a template as a sentence: a mention is a tag, one token long."""
    mentions, outside = [], []
    for place, word in enumerate(template.split()):
        tag = _TAG.match(word)
        if tag is None:
            outside += tokens(word)
        elif _is_entity(name := names.get(tag[0], '"')):
            mentions.append(Mention(place, place + 1, name))
    return Sentence(document, 0, template, tuple(mentions), relation_words(outside))


def read_fewrel(folder: Path, part: str) -> list[Text]:
    """Return the sentences with the one property that each was read to state."""
    return [
        Text(_marked(str(number), one), frozenset([(one["h"][1], pid, one["t"][1])]))
        for number, (pid, one) in enumerate(
            (pid, one)
            for pid, found in fewrel.load(folder / fewrel.SETS[part]).items()
            for one in found
        )
        if one["h"][1] != one["t"][1]
    ]


def _marked(document: str, one: Mapping[str, list]) -> Sentence:
    words = one["tokens"]
    places = {one[side][1]: one[side][2][0] for side in ("h", "t")}
    mentions = [Mention(min(at), max(at) + 1, entity) for entity, at in places.items()]
    inside = {place for at in places.values() for place in at}
    outside = [t for place, word in enumerate(words) if place not in inside for t in tokens(word)]
    return Sentence(document, 0, " ".join(words), tuple(sorted(mentions)), relation_words(outside))


# --- Matching ---------------------------------------------------------------------------------


class Base:
    """A knowledge base in memory, and the matcher over it."""

    def __init__(
        self, triples: Iterable[Triple], names: Mapping[str, str], match: MatchSettings
    ) -> None:
        """Hold triples; `names` are those of the relations."""
        self._between: dict[tuple[str, str], set[str]] = defaultdict(set)
        for e1, relation, e2 in triples:
            self._between[e1, e2].add(relation)
        self._words = {relation: relation_name_words(name) for relation, name in names.items()}
        self._measure, self._threshold = match.measure(), match.threshold

    def between(self, e1: str, e2: str, *, both: bool) -> set[str]:
        """Return the relations from e1 to e2, and, marked, those from e2 to e1."""
        forward = self._between.get((e1, e2), set())
        inverse = self._between.get((e2, e1), set()) if both else set()
        return forward | {INVERSE + relation for relation in inverse}

    def match(self, facts: Sequence[Triple], *, both: bool) -> list[RelationMatch | None]:
        """Return by which relation each fact matches; None where by none."""
        asked = [(r.split(), self.between(e1, e2, both=both)) for e1, r, e2 in facts]
        best = best_relations(asked, self._words, self._measure)
        return [m if (m.similarity or 0) >= self._threshold else None for m in best]


def matches(texts: Sequence[Text], base: Base, *, both: bool) -> list[Matched]:
    """Return the candidate facts that match, text by text."""
    asked = [
        (place, fact[:3])
        for place, text in enumerate(texts)
        for fact in candidate_superset(text.sentence)
        if base.between(fact.e1, fact.e2, both=True)
    ]
    found = base.match([fact for _, fact in asked], both=both)
    result = []
    for (place, fact), match in zip(asked, found, strict=True):
        if match is not None and match.relation is not None:
            e1, _, e2 = fact
            ends = (e2, e1) if match.inverse else (e1, e2)
            triple = ends[0], match.relation, ends[1]
            right = triple in texts[place].stated
            result.append(Matched(place, fact, triple, bool(match.inverse), right))
    return result


# --- The tables -------------------------------------------------------------------------------


def show_texts(name: str, texts: Sequence[Text], base: Base) -> list[Matched]:
    """Print what either setting finds; return the matches of "both"."""
    places = [
        (place, triple, order)
        for place, text in enumerate(texts)
        for triple in text.stated
        for order in _orders(text.sentence, triple)
    ]
    orders = Counter(order for *_, order in places)
    print(f"\n{name}: {len(texts):,} texts; of the statements {orders['subject first']:,} have the "
          f"base's subject first, {orders['object first']:,} its object")  # fmt: skip
    _head(
        "facts right",
        "facts false",
        "precision",
        "statements found",
        "subject first",
        "object first",
    )
    both: list[Matched] = []
    for direction in ("forward", "both"):
        both = matches(texts, base, both=direction == "both")
        _row(direction, both, places)
        if direction == "both":
            _row("… forward", [m for m in both if not m.inverse], places)
            _row("… inverse", [m for m in both if m.inverse], places)
    return both


def _orders(sentence: Sentence, triple: Triple) -> Iterator[str]:
    """Yield in which order a sentence has the entities of a triple; nothing if it lacks one."""
    first = {m.entity: m.start for m in reversed(sentence.mentions or ())}
    e1, _, e2 = triple
    if e1 in first and e2 in first and e1 != e2:
        yield "subject first" if first[e1] < first[e2] else "object first"


def _row(name: str, matched: Sequence[Matched], places: Sequence[tuple[int, Triple, str]]) -> None:
    right = {(m.fact, m.triple) for m in matched if m.right}
    false = {(m.fact, m.triple) for m in matched} - right
    hit = {(m.text, m.triple) for m in matched if m.right}
    found = Counter(order for place, triple, order in places if (place, triple) in hit)
    total = Counter(order for *_, order in places)
    shares = [_share(sum(found.values()), sum(total.values()))]
    shares += [_share(found[order], total[order]) for order in ("subject first", "object first")]
    _cells(
        name, f"{len(right):,}", f"{len(false):,}", _share(len(right), len(right | false)), *shares
    )


def show_relations(matched: Sequence[Matched]) -> None:
    """Print the matches by relations that say something else from the other side."""
    print("\nWebNLG, relations that are not symmetric, with both")
    _head("forward: right", "false", "inverse: right", "false")
    for relation in ASYMMETRIC:
        cells = {inverse: _right_and_false(matched, relation, inverse) for inverse in (False, True)}
        _cells(relation, *(f"{number:,}" for side in cells.values() for number in side))


def _right_and_false(matched: Sequence[Matched], relation: str, inverse: bool) -> tuple[int, int]:
    of = [m for m in matched if m.triple[1] == relation and m.inverse == inverse]
    right = {m.fact for m in of if m.right}
    return len(right), len({m.fact for m in of} - right)


def show_exchanged(data: Path, number: int) -> None:
    """Print how many extractions have a gold tuple's arguments the other way round."""
    gold: dict[str, list[list[str]]] = defaultdict(list)
    for part in ("dev", "test"):
        path = data / "gold" / "carb" / f"{part}.tsv"
        for line in path.read_text(encoding="utf-8").splitlines():
            text, relation, *arguments = line.split("\t")
            if len(arguments) > 1:
                gold[sentence_key(text)].append([arguments[0], relation, " ".join(arguments[1:])])
    print("\nExtractions beside CaRB's gold tuples (dev and test)")
    _head("extractions", "in the same order", "exchanged")
    seen = []
    for name in ("clausie", "ollie", "openie4", "props", "stanford"):
        source = SystemSource(name, "tabbed", data / "gold" / "oie2016" / f"{name}_tabbed.txt")
        counts: Counter[str] = Counter()
        for one in read_extractions(source, rejects=Rejects()):
            if tuples := gold.get(sentence_key(one.sentence)):
                said = [one.arg1, one.relation, " ".join((one.arg2, *one.more_arguments))]
                orders = {order for told in tuples for order in _order(said, told)}
                order = "same" if "same" in orders else "exchanged" if orders else "neither"
                counts[order] += 1
                if order == "exchanged":
                    seen.append((name, *said))
        _cells(name, *(f"{n:,}" for n in (counts.total(), counts["same"], counts["exchanged"])))
    for exchanged in Random(SEED).sample(sorted(seen), min(number, len(seen))):
        print("  " + " | ".join(exchanged))


def _order(said: Sequence[str], told: Sequence[str]) -> Iterator[str]:
    """Yield in which order two tuples whose relations share a word have the same arguments."""
    if {*relation_form(said[1]).lemmas}.isdisjoint(relation_form(told[1]).lemmas):
        return
    first, second = (_content(said[place]) for place in (0, 2))
    gold = [_content(told[place]) for place in (0, 2)]
    if _alike(first, gold[0]) and _alike(second, gold[1]):
        yield "same"
    elif _alike(first, gold[1]) and _alike(second, gold[0]):
        yield "exchanged"


def _content(text: str) -> set[str]:
    return {*tokens(text)} - FUNCTION_WORDS


def _alike(one: set[str], other: set[str]) -> bool:
    """Tell whether half of the words of the shorter are in the other."""
    return len(one & other) >= max(1, min(len(one), len(other)) / 2)


def show_alignments(data: Path, match: MatchSettings) -> None:
    """Print how the judged alignments match, by direction."""
    between: dict[tuple[str, str], set[str]] = defaultdict(set)
    for head, relation, tail in read_triples(data / "fb15k237"):
        between[head, tail].add(relation.removeprefix("/").replace("/", "."))
    candidates = cesi_reverb.read_candidates(
        data / "cesi_reverb_linked",
        lambda e1, e2: between.get((e1, e2), ()),
        rejects=Rejects(),
    )
    print("\nReVerb–Freebase, alignments judged by hand")
    _head("the same", "matched right", "not the same", "matched falsely", "precision")
    measure = match.measure()
    for direction in ("forward", "backward"):
        of = [one for one in candidates if one.direction == direction]
        told = cesi_reverb.read_alignments(of, JUDGEMENTS, rejects=Rejects())
        taken = [
            measure.score(
                relation_key(relation_form(one.phrase)).split(), relation_name_words(one.relation)
            )
            >= match.threshold
            for one in told
        ]
        cells = Counter((one.same, hit) for one, hit in zip(told, taken, strict=True))
        right, false = cells[True, True], cells[False, True]
        same, other = right + cells[True, False], false + cells[False, False]
        name = {"forward": "forward", "backward": "inverse"}[direction]
        numbers = (f"{number:,}" for number in (same, right, other, false))
        _cells(name, *numbers, _share(right, right + false))


def _head(*titles: str) -> None:
    print("  " + " " * 14 + "".join(f"{title:<20}" for title in titles).rstrip())


def _cells(name: str, *cells: str) -> None:
    print(f"  {name:<14}" + "".join(f"{cell:<20}" for cell in cells).rstrip(), flush=True)


def _share(part: int, of: int) -> str:
    if not of:
        return "–"
    share = wilson(part, of)
    return f"{share.value:.1%} [{share.low:.1%}, {share.high:.1%}]".replace("%", "")


def show_some(texts: Sequence[Text], matched: Sequence[Matched], number: int) -> None:
    """Print matches for reading: half of them forward, half inverse, drawn by lot."""
    random = Random(SEED)
    for inverse in (False, True):
        of = sorted({m.fact: m for m in matched if m.inverse == inverse}.values())
        for m in random.sample(of, min(number // 2, len(of))):
            told = "inverse" if inverse else "forward", "right" if m.right else "FALSE"
            print(f"\n  {texts[m.text].sentence.text}\n  {m.fact} by {m.triple}: {', '.join(told)}")


def compare(options: argparse.Namespace) -> None:
    """Measure and print."""
    data, match, rejects = data_folder(), MatchSettings(), Rejects()
    print(f"{match.measure_name} >= {match.threshold:g}")
    texts = read_webnlg(data / "webnlg_train", rejects)
    print(f"WebNLG, texts left out: {rejects.counts}")
    triples = {triple for text in texts for triple in text.stated}
    spoken = {r: relation_label(f"http://dbpedia.org/{r}", {}) for _, r, _ in triples}
    base = Base(triples, spoken, match)
    both = show_texts(f"WebNLG, {len(triples):,} triples", texts, base)
    show_relations(both)
    names = {pid: about[0] for pid, about in fewrel.load(data / "fewrel" / fewrel.NAMES).items()}
    for part in fewrel.SETS:
        marked = read_fewrel(data / "fewrel", part)
        stated = {triple for text in marked for triple in text.stated}
        show_texts(f"FewRel, {part}", marked, Base(stated, names, match))
    show_alignments(data, match)
    show_exchanged(data, options.read)
    if options.read:
        show_some(texts, both, options.read)


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--read", type=int, default=0, metavar="N", help="print N matches")
    try:
        compare(parser.parse_args())
    except DistvalError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
