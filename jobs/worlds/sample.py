"""The embedded sample: a small made world in which the truth is known.

The facts are real and common knowledge (:mod:`jobs.worlds.sample_facts`); sentences, background
documents, knowledge base, extractor outputs and labels are made from them by a seed. Since every
sentence is written from what it states, ``truth.tsv`` is exact: a fact is true if a sentence of the
corpus states it, not if it holds in the world. So ``distval run`` on the sample shows the estimates
beside the true precision and recall.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from pathlib import Path
from random import Random
from typing import NamedTuple

from evaluator.errors import InputError
from evaluator.model import Extraction, Fact
from evaluator.readers import jsonl, tabbed
from evaluator.relations.normal_form import relation_form
from evaluator.whole_files import write_whole
from jobs.run.result import true_figures
from jobs.worlds.sample_facts import (
    FOLLOWERS,
    FRAMES,
    MISTAKES,
    OTHER_THINGS,
    RELATIONS,
    SIDE_BY_SIDE,
    TAILS,
    UNRELATED,
    Known,
    SampleEntity,
    Unstated,
    denied,
    doubted,
    entities,
    facts,
)

_FREEBASE = "http://rdf.freebase.com/ns/"


class Noun(NamedTuple):
    """An argument as a sentence writes it; `entity` is None where it names none ("She")."""

    text: str
    entity: SampleEntity | None


class Claim(NamedTuple):
    """A relation phrase of a sentence and its two arguments.

    Attributes
    ----------
    status
        "stated"; "denied" or "doubted", where `bare` is the phrase without "never" or "may have";
        "pronoun", stated of somebody whom the sentence does not name; or "unrelated", where only a
        careless reader relates the two entities, and `bare` is the sentence's own first argument
        ("A choir from Oslo").
    in_order
        Whether the subject stands before the object.
    symmetric
        Whether the phrase holds from object to subject as well.
    """

    status: str
    subject: Noun
    phrase: str
    object: Noun
    bare: str = ""
    in_order: bool = True
    symmetric: bool = False


class Written(NamedTuple):
    """A sentence of the corpus: what it claims, and its entities in text order."""

    document: str
    number: int
    text: str
    claims: tuple[Claim, ...]
    nouns: tuple[Noun, ...]


class _Draft(NamedTuple):
    """A sentence without its capital and its full stop."""

    text: str
    claims: tuple[Claim, ...]


class Profile(NamedTuple):
    """How an extractor behaves: a probability for each thing that it may do.

    Attributes
    ----------
    found
        Extract a claim that is stated (or stated of a pronoun).
    misread
        Extract a wrong combination of entities and a phrase of the same sentence.
    unrelated
        Extract from a sentence that relates its entities not at all; half of the time with the
        whole noun phrase as the argument, which is correct but names no entity.
    swapped
        Extract a statement with its arguments swapped, besides.
    kept, dropped
        Extract what is denied or doubted, with the "never" or "may have", or without it.
    """

    name: str
    found: float
    misread: float
    unrelated: float
    swapped: float
    kept: float
    dropped: float


_PROFILES = (
    Profile("alpha", found=0.36, misread=0.01, unrelated=0.06, swapped=0.01, kept=0.3, dropped=0.1),
    Profile("beta", found=0.70, misread=0.07, unrelated=0.50, swapped=0.05, kept=0.4, dropped=0.4),
    Profile("gamma", found=0.45, misread=0.24, unrelated=0.80, swapped=0.2, kept=0.1, dropped=0.8),
)


class _Output(NamedTuple):
    """One extraction of a system."""

    sentence: str
    arg1: Noun
    phrase: str
    arg2: Noun
    confidence: float


def make_sample(out: Path, *, seed: int = 2012) -> None:
    """Write the embedded sample into the folder `out`, made where it is missing.

    Files of the same names are replaced, each as a whole. The same seed gives the same bytes.

    Parameters
    ----------
    out
        A folder.
    seed
        Seed of every choice: which facts are stated, in which words, what the systems find.

    Raises
    ------
    InputError
        If `out` is a file, or cannot be written to.
    """
    contents = sample_files(seed)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(out, f"cannot write the sample here: {problem.strerror}") from None
    for name, content in contents.items():
        write_whole(out / name, content)


def sample_files(seed: int = 2012) -> dict[str, str]:
    """Return the files of the sample, name to content."""
    sentences = corpus(seed)
    truth = corpus_truth(sentences)
    outputs = {
        profile.name: _outputs(sentences, profile, truth, _random(seed, profile.name))
        for profile in _PROFILES
    }
    documents = _background(sentences, outputs, truth, _random(seed, "background"))
    return {
        "kb.nt": _knowledge_base(_random(seed, "knowledge base")),
        "sentences.jsonl": _json_lines(
            {"document": s.document, "number": s.number, "text": s.text} for s in sentences
        ),
        "background.jsonl": _json_lines(documents),
        "alpha.tabbed": _tabbed(outputs["alpha"], treebank=True),
        "beta.jsonl": _jsonl(outputs["beta"]),
        "gamma.tabbed": _tabbed(outputs["gamma"], treebank=False),
        "truth.tsv": _truth_table(truth),
        "labels.tsv": _labels(outputs, truth, _random(seed, "labels")),
        "README.md": _readme(sentences, len(documents), outputs, truth, seed),
    }


# The corpus.


def corpus(seed: int = 2012) -> list[Written]:
    """Return the sentences: a document for each subject, and news of mixed content."""
    rng = _random(seed, "corpus")
    stated = [
        fact for fact in facts() if rng.random() < (0.15 if fact.relation == "within" else 0.72)
    ]
    drafts = [
        (subject, draft)
        for subject, group in groupby(stated, key=lambda fact: fact.subject)
        for draft in _portrait(list(group), rng)
    ]
    drafts += [(unstated.subject, _unstated("denied", unstated, rng)) for unstated in denied()]
    drafts += [(unstated.subject, _unstated("doubted", unstated, rng)) for unstated in doubted()]
    filed = [(subject.id.removeprefix("/m/s_"), draft) for subject, draft in drafts]
    news = [_contrast(stated, rng) for _ in range(40)]
    news += [_unrelated(template, rng) for template in UNRELATED for _ in range(6)]
    rng.shuffle(news)
    filed += [(f"news_{place // 4:02}", draft) for place, draft in enumerate(news)]
    return _finished(filed, rng)


def _finished(drafts: Iterable[tuple[str, _Draft]], rng: Random) -> list[Written]:
    numbers: dict[str, int] = {}
    seen = set()
    finished = []
    for document, draft in drafts:
        text = _opening(draft.text) + ("" if draft.text.endswith(".") else ".")
        if text in seen:
            continue
        seen.add(text)
        number = numbers.get(document, 0)
        numbers[document] = number + 1
        claims = tuple(_as_written(claim, text) for claim in draft.claims)
        shown = _treebank(text) if rng.random() < 0.2 else text
        finished.append(Written(document, number, shown, claims, _in_text_order(claims, text)))
    return sorted(finished, key=lambda sentence: (sentence.document, sentence.number))


def _portrait(group: list[Known], rng: Random) -> Iterator[_Draft]:
    """Yield sentences that state each fact of one subject, some of them again, in other words."""
    rng.shuffle(group)
    waiting = list(group)
    while waiting:
        fact = waiting.pop()
        partner = waiting[-1] if waiting else None
        if partner and partner.object != fact.object and rng.random() < 0.3:
            yield _pair(fact, waiting.pop(), rng)
        else:
            yield _single(fact, rng)
    for fact in group:
        if rng.random() < 0.25:
            yield _single(fact, rng)
    if group[0].subject.pronoun and rng.random() < 0.5:
        yield _by_pronoun(group[0], rng)


def _forward(fact: Known, rng: Random) -> Claim:
    phrase = rng.choice(RELATIONS[fact.relation].forward)
    return _claim(fact.relation, _noun(fact.subject, rng), phrase, _noun(fact.object, rng))


def _claim(relation: str, first: Noun, phrase: str, second: Noun) -> Claim:
    return Claim("stated", first, phrase, second, symmetric=RELATIONS[relation].symmetric)


def _plain(claim: Claim) -> _Draft:
    return _Draft(f"{claim.subject.text} {claim.phrase} {claim.object.text}", (claim,))


def _single(fact: Known, rng: Random) -> _Draft:
    """Return a sentence that states one fact: plain, passive, framed, or with a role."""
    relation = RELATIONS[fact.relation]
    claim = _forward(fact, rng)
    if relation.inverted and rng.random() < 0.2:
        preposition, verb = relation.inverted
        text = f"{preposition} {claim.object.text}, {claim.subject.text} {verb}"
        return _Draft(text, (claim._replace(phrase=verb, in_order=False),))
    converse = relation.forward if relation.symmetric else relation.converse
    if converse and rng.random() < 0.3:
        phrase = rng.choice(converse)
        claim = _claim(fact.relation, claim.object, phrase, claim.subject)
    elif fact.subject.role and fact.relation in _ROLE_IS_NO_RELATION and rng.random() < 0.35:
        return _with_role(claim, fact.subject, rng)
    draft = _plain(claim)
    style = rng.random()
    if style < 0.2:
        return draft._replace(text=rng.choice(FRAMES).format(draft.text))
    if style < 0.4:
        return draft._replace(text=draft.text + rng.choice(TAILS))
    return draft


# Where the subject's occupation does not itself relate it to the object: "the novelist Jane Austen
# died in Winchester", but not "the composer Bach composed ...".
_ROLE_IS_NO_RELATION = ("born", "died", "studied", "moved", "visited", "won")


def _with_role(claim: Claim, subject: SampleEntity, rng: Random) -> _Draft:
    if rng.random() < 0.5:
        named = claim.subject._replace(text=f"the {subject.role} {claim.subject.text}")
        return _plain(claim._replace(subject=named))
    article = "an" if subject.role[0] in "aeiou" else "a"
    name, phrase, object_ = claim.subject.text, claim.phrase, claim.object.text
    return _Draft(f"{name}, {article} {subject.role}, {phrase} {object_}", (claim,))


def _pair(fact: Known, other: Known, rng: Random) -> _Draft:
    """Return a sentence that states two facts of one subject."""
    first = _forward(fact, rng)
    second = _forward(other, rng)._replace(subject=first.subject)
    one, two = (f"{claim.phrase} {claim.object.text}" for claim in (first, second))
    who = "who" if fact.subject.kind == "person" else "which"
    text = rng.choice(("{0} {1} and {2}", "{0}, {3} {1}, {2}")).format(
        first.subject.text, one, two, who
    )
    return _Draft(text, (first, second))


def _contrast(stated: Sequence[Known], rng: Random) -> _Draft:
    """Return a sentence that states two facts which share no entity."""
    fact, other = rng.sample(stated, 2)
    while {fact.subject, fact.object} & {other.subject, other.object}:
        other = rng.choice(stated)
    claims = (_forward(fact, rng), _forward(other, rng))
    one, two = (_plain(claim).text for claim in claims)
    return _Draft(rng.choice(("while {0}, {1}", "{0}, whereas {1}")).format(one, two), claims)


def _unstated(status: str, unstated: Unstated, rng: Random) -> _Draft:
    subject, object_ = _noun(unstated.subject, rng), _noun(unstated.object, rng)
    return _plain(Claim(status, subject, unstated.wording, object_, bare=unstated.claim))


def _by_pronoun(fact: Known, rng: Random) -> _Draft:
    claim = _forward(fact, rng)
    subject = Noun(fact.subject.pronoun, None)
    return _plain(claim._replace(status="pronoun", subject=subject))


def _unrelated(template: str, rng: Random) -> _Draft:
    """Return a sentence about two entities that no fact of the sample relates."""
    related = {frozenset((fact.subject, fact.object)) for fact in facts()}
    things = [entity for entity in entities().values() if entity.kind in ("person", "work")]
    places = [entity for entity in entities().values() if entity.kind == "place"]
    thing, place = rng.choice(things), rng.choice(places)
    while {thing, place} in related:
        place = rng.choice(places)
    sentence, phrase = template.split(" | ")
    nouns = {"thing": _noun(thing, rng), "place": _noun(place, rng)}
    text = sentence.format(**{slot: noun.text for slot, noun in nouns.items()})
    first, second = sorted(nouns.values(), key=lambda noun: text.index(noun.text))
    claim = Claim("unrelated", first, phrase, second, bare=text.partition(f" {phrase}")[0])
    return _Draft(text, (claim,))


def _noun(entity: SampleEntity, rng: Random) -> Noun:
    if entity.aliases and rng.random() < 0.2:
        return Noun(rng.choice(entity.aliases), entity)
    return Noun(entity.article + entity.name, entity)


def _as_written(claim: Claim, text: str) -> Claim:
    """Return the claim with its arguments as the sentence has them: "The Louvre" at its start."""
    return claim._replace(
        subject=claim.subject._replace(text=_piece(claim.subject.text, text)),
        object=claim.object._replace(text=_piece(claim.object.text, text)),
        bare=_piece(claim.bare, text) if claim.status == "unrelated" else claim.bare,
    )


def _piece(piece: str, text: str) -> str:
    opened = _opening(piece)
    return opened if text.startswith(opened) else piece


def _in_text_order(claims: Iterable[Claim], text: str) -> tuple[Noun, ...]:
    nouns = {noun for claim in claims for noun in (claim.subject, claim.object)}
    places = {}
    # The longest first: "Florence" is not where "Florence Nightingale" is.
    for noun in sorted(nouns, key=lambda noun: (-len(noun.text), noun.text)):
        places[noun] = text.index(noun.text)
        text = text.replace(noun.text, " " * len(noun.text), 1)
    return tuple(sorted(nouns, key=lambda noun: places[noun]))


def _opening(text: str) -> str:
    return text[:1].upper() + text[1:]


def _treebank(text: str) -> str:
    """Return `text` as the Penn Treebank spaces it."""
    text = text.replace("(", "-LRB- ").replace(")", " -RRB-")
    text = re.sub(r"(?<=\w)(n't)\b", r" \1", text)
    return re.sub(r"(?<=[\w.-])(,|'s\b|\.$)", r" \1", text)


# What is true.


def corpus_truth(sentences: Iterable[Written]) -> dict[Fact, bool]:
    """Return the facts that the sentences state, each with whether one states it in text order.

    A fact whose subject always follows its object ("In Paris, Curie died") is true, but it is no
    candidate where the candidate superset takes pairs in text order.
    """
    truth: dict[Fact, bool] = {}
    for claim in (claim for sentence in sentences for claim in sentence.claims):
        fact = _fact(claim.subject, claim.phrase, claim.object)
        if fact and claim.status == "stated":
            truth[fact] = truth.get(fact, False) or claim.in_order
    return truth


def _fact(first: Noun, phrase: str, second: Noun) -> Fact | None:
    """Return the fact that an extraction states; None where it is out of scope."""
    form = relation_form(phrase)
    if not (first.entity and second.entity) or first.entity == second.entity or form.negated:
        return None
    return Fact(first.entity.id, form.head, second.entity.id)


# The systems.


def _outputs(
    sentences: Iterable[Written], profile: Profile, truth: Mapping[Fact, bool], rng: Random
) -> list[_Output]:
    """Return what a system of that profile extracts from the corpus, in its order."""
    outputs = []
    for sentence in sentences:
        for first, phrase, second in _extracted(sentence, profile, truth, rng):
            correct = _fact(first, phrase, second) in truth
            confidence = rng.betavariate(6, 2) if correct else rng.betavariate(4, 3)
            outputs.append(_Output(sentence.text, first, phrase, second, round(confidence, 3)))
    return outputs


def _extracted(
    sentence: Written, profile: Profile, truth: Collection[Fact | None], rng: Random
) -> Iterator[tuple[Noun, str, Noun]]:
    for claim in sentence.claims:
        subject, phrase, object_ = claim.subject, claim.phrase, claim.object
        if claim.status in ("stated", "pronoun"):
            if rng.random() < profile.found:
                yield subject, phrase, object_
                swapped = _fact(object_, phrase, subject)
                is_wrong = swapped is not None and swapped not in truth and not claim.symmetric
                if is_wrong and rng.random() < profile.swapped:
                    yield object_, phrase, subject
        elif claim.status == "unrelated":
            if rng.random() < profile.unrelated:
                yield rng.choice((subject, Noun(claim.bare, None))), phrase, object_
        else:
            chance = rng.random()
            if chance < profile.kept:
                yield subject, phrase, object_
            elif chance < profile.kept + profile.dropped:
                yield subject, claim.bare, object_
    yield from (wrong for wrong in _misreadings(sentence) if rng.random() < profile.misread)


def _misreadings(sentence: Written) -> Iterator[tuple[Noun, str, Noun]]:
    """Yield the combinations of a sentence's entities, in text order, that it does not state."""
    stated = [claim for claim in sentence.claims if claim.status == "stated"]
    right = {(claim.subject, claim.phrase, claim.object) for claim in stated}
    for first, second in combinations(sentence.nouns, 2):
        for phrase in dict.fromkeys(claim.phrase for claim in stated):
            if (first, phrase, second) not in right:
                yield first, phrase, second


# The evidence.


def _knowledge_base(rng: Random) -> str:
    """Return a knowledge base in the form of the Freebase dump.

    It knows every entity by its names, about half of the facts, and facts that no sentence states.
    """
    lines = set()
    for relation in RELATIONS.values():
        if relation.predicate_name:
            lines.add(_triple(relation.predicate, "type.object.name", relation.predicate_name))
    for entity in entities().values():
        subject = _resource(entity)
        lines.add(_triple(subject, "type.object.type", f"<{_FREEBASE}{_TYPES[entity.kind]}>"))
        lines.add(_triple(subject, "type.object.name", entity.name))
        for alias in (*entity.aliases, *entity.shared_aliases):
            lines.add(_triple(subject, "common.topic.alias", alias.removeprefix("the ")))
    for fact in facts():
        relation = RELATIONS[fact.relation]
        if rng.random() < (0.9 if fact.relation == "within" else 0.5):
            subject, object_ = _resource(fact.subject), _resource(fact.object)
            if relation.predicate:
                lines.add(_triple(subject, relation.predicate, object_))
            if relation.inverse:
                lines.add(_triple(object_, relation.inverse, subject))
    return "".join(sorted(lines))


_TYPES = {
    "person": "people.person",
    "place": "location.location",
    "building": "architecture.structure",
    "organisation": "organization.organization",
    "work": "media_common.creative_work",
    "award": "award.award",
}


def _resource(entity: SampleEntity) -> str:
    return f"<{_FREEBASE}{entity.id[1:].replace('/', '.')}>"


def _triple(subject: str, predicate: str, value: str) -> str:
    """Return a line of the dump; a subject without brackets is a predicate, a value a name."""
    if not subject.startswith("<"):
        subject = f"<{_FREEBASE}{subject}>"
    if not value.startswith("<"):
        value = f'"{value}"@en'
    return f"{subject}\t<{_FREEBASE}{predicate}>\t{value}\t.\n"


def _background(
    sentences: Iterable[Written],
    outputs: Mapping[str, Iterable[_Output]],
    truth: Mapping[Fact, bool],
    rng: Random,
) -> list[dict[str, str]]:
    """Return the text collection that restates most facts, and misleads in places."""
    claims = _claims_by_pair(sentences)
    pages = [page for fact in facts() for page in _pages_about(fact, claims, rng)]
    pages += _pages_that_mislead(outputs, truth, rng)
    pages += [
        ("Notes from the village", " ".join(rng.sample(OTHER_THINGS, rng.randint(3, 6))))
        for _ in range(60)
    ]
    rng.shuffle(pages)
    return [
        {"id": f"b{number:04}", "title": title, "text": text}
        for number, (title, text) in enumerate(pages)
    ]


def _claims_by_pair(
    sentences: Iterable[Written],
) -> dict[frozenset[SampleEntity | None], list[Claim]]:
    claims: dict[frozenset[SampleEntity | None], list[Claim]] = {}
    for claim in (claim for sentence in sentences for claim in sentence.claims):
        if claim.status == "stated":
            pair = frozenset((claim.subject.entity, claim.object.entity))
            claims.setdefault(pair, []).append(claim)
    return claims


def _pages_about(
    fact: Known, claims: Mapping[frozenset[SampleEntity | None], Sequence[Claim]], rng: Random
) -> Iterator[tuple[str, str]]:
    """Yield pages that state a fact, and pages on which its entities merely stand side by side.

    Most pages word the fact as the corpus does, where it does; one fact in ten has no page.
    """
    worded = claims.get(frozenset((fact.subject, fact.object)), [])
    for _ in range(0 if rng.random() < 0.1 else rng.choice((1, 1, 2))):
        claim, again = _worded(fact, worded, rng), _single(fact, rng)
        page = [rng.choice(("{}", "{}", *FRAMES)).format(_plain(claim).text)]
        if again.claims[0].phrase != claim.phrase:
            page.append(again.text)
        other = rng.choice([known for known in facts() if known.subject == fact.subject])
        if fact.subject.pronoun and other != fact and rng.random() < 0.3:
            page.append(_by_pronoun(other, rng).text)
        page.append(rng.choice(FOLLOWERS))
        yield fact.subject.name, " ".join(_sentence(sentence) for sentence in page)
    if rng.random() < 0.3:
        names = {"subject": _noun(fact.subject, rng).text, "object": _noun(fact.object, rng).text}
        yield "Reading room", rng.choice(SIDE_BY_SIDE).format(**names)


def _worded(fact: Known, claims: Sequence[Claim], rng: Random) -> Claim:
    if not claims or rng.random() < 0.3:
        return _forward(fact, rng)
    claim = rng.choice(claims)
    first, second = claim.subject, claim.object
    if claim.in_order and first.entity and second.entity:
        return claim._replace(subject=_noun(first.entity, rng), object=_noun(second.entity, rng))
    return _forward(fact, rng)


def _pages_that_mislead(
    outputs: Mapping[str, Iterable[_Output]], truth: Mapping[Fact, bool], rng: Random
) -> Iterator[tuple[str, str]]:
    """Yield pages that state facts which systems extracted wrongly, or hold all of their words."""
    wrong = [
        output
        for output, fact in _in_scope(output for name in outputs for output in outputs[name])
        if fact not in truth
    ]
    for output in rng.sample(wrong, min(20, len(wrong))):
        claim = f"{output.arg1.text} {output.phrase} {output.arg2.text}"
        yield "Mistakes", _sentence(rng.choice(MISTAKES).format(claim), full_stop=False)
    for output in rng.sample(wrong, min(60, len(wrong))):
        names = {"subject": output.arg1.text, "object": output.arg2.text}
        text = rng.choice(SIDE_BY_SIDE).format(**names)
        yield "Reading room", f"{text} In another story, somebody {output.phrase} it."


def _sentence(text: str, *, full_stop: bool = True) -> str:
    return _opening(text) + ("." if full_stop and not text.endswith(".") else "")


# The files.


def _json_lines(records: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _extractions(
    outputs: Iterable[_Output], *, rewrite: Callable[[str], str] = str
) -> Iterator[Extraction]:
    for line, output in enumerate(outputs, start=1):
        yield Extraction(
            system="",
            line=line,
            sentence=rewrite(output.sentence),
            arg1=rewrite(output.arg1.text),
            relation=rewrite(output.phrase),
            arg2=rewrite(output.arg2.text),
            confidence=output.confidence,
        )


def _in_scope(outputs: Iterable[_Output]) -> Iterator[tuple[_Output, Fact]]:
    for output in outputs:
        fact = _fact(output.arg1, output.phrase, output.arg2)
        if fact is not None:
            yield output, fact


# One line of each kind that no reader accepts, and one extraction from a sentence which the corpus
# lacks, so that a run shows how it counts them.
_FOREIGN = "A sentence that is in no document names Marie Curie and Oslo."


def _tabbed(outputs: Sequence[_Output], *, treebank: bool) -> str:
    """Return outputs as tabbed columns; with treebank spacing, whatever the corpus has."""
    rewrite = _treebank if treebank else str
    extractions = [
        *_extractions(outputs, rewrite=rewrite),
        Extraction("", 0, rewrite(_FOREIGN), "Marie Curie", "names", "Oslo", confidence=0.5),
    ]
    damaged = f"{rewrite(_FOREIGN)}\t0.5\tnames"
    return "".join(f"{line}\n" for line in (*map(tabbed.line_of, extractions), damaged))


def _jsonl(outputs: Sequence[_Output]) -> str:
    extractions = [
        *_extractions(outputs),
        Extraction("", 0, _FOREIGN, "Marie Curie", "names", "Oslo", confidence=0.5),
        Extraction("", 0, outputs[0].sentence, outputs[0].arg1.text, "is mentioned", ""),
    ]
    damaged = json.dumps({"sentence": _FOREIGN})[:-2]
    return "".join(f"{line}\n" for line in (*map(jsonl.line_of, extractions), damaged))


def _truth_table(truth: Mapping[Fact, bool]) -> str:
    rows = [(*fact[:3], "yes" if in_order else "no") for fact, in_order in truth.items()]
    return _table((("e1", "r", "e2", "text_order"), *sorted(rows)))


def _labels(
    outputs: Mapping[str, Iterable[_Output]], truth: Mapping[Fact, bool], rng: Random
) -> str:
    """Return a sheet of labels: three raters, who err and skip now and then, on 120 facts."""
    shown = {
        fact: (_name(output.arg1), output.phrase, _name(output.arg2))
        for name in outputs
        for output, fact in _in_scope(outputs[name])
    }
    right, wrong = ([f for f in shown if (f in truth) is wanted] for wanted in (True, False))
    drawn = rng.sample(right, min(60, len(right))) + rng.sample(wrong, min(60, len(wrong)))
    rng.shuffle(drawn)
    rows = [("e1", "r", "e2", "label", "rater")]
    for rater, error in (("anna", 0.03), ("ben", 0.08), ("chloe", 0.15)):
        for fact in drawn:
            label = "true" if (fact in truth) is (rng.random() >= error) else "false"
            rows.append((*shown[fact], "skip" if rng.random() < 0.03 else label, rater))
    return _table(rows)


def _name(noun: Noun) -> str:
    return noun.entity.name if noun.entity else noun.text


def _table(rows: Iterable[Sequence[str]]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


_README = """\
# The embedded sample

A small world with known truth, made by `distval sample make --out DIR --seed {seed}`. Do not edit
the files: the same command gives the same bytes. The facts are common knowledge; every sentence,
document, extraction and label is generated. "True" means *stated by a sentence of the corpus*.

| file | what it holds |
|---|---|
| `sentences.jsonl` | the corpus: {sentences} sentences; some in Penn Treebank spacing; with pronouns, denials ("never visited"), doubts ("may have met"), and sentences that relate their entities not at all |
| `kb.nt` | a knowledge base in the form of the Freebase dump (ids `m.s_...` are made up): names, about half of the facts, and facts that no sentence states |
| `background.jsonl` | {documents} documents, which restate most facts and mislead in places |
| `alpha.tabbed`, `beta.jsonl`, `gamma.tabbed` | the output of three systems (alpha's in Penn Treebank spacing throughout); each ends with a damaged line and an extraction from a sentence that the corpus lacks |
| `truth.tsv` | {true} true facts: entity ids, and relation keys by `relation.key = "head"` |
| `labels.tsv` | 120 extracted facts, labelled by three raters who err at 3, 8 and 15 % and skip some |

## What is true

A fact is in `truth.tsv` if a sentence states it, and as the sentence reads: "Microsoft was founded
by Bill Gates" gives Microsoft, found, Bill Gates, and not the reverse. What a sentence denies,
doubts or says of a pronoun is not in it. `text_order` tells whether e1 stands before e2:

* `yes` ({candidates}): true facts of the candidate superset in text order.
* `no` ({others}): the subject follows the object ("In Paris, Marie Curie died"). They are no
  candidates, but correct where a system extracts them, and missed where it does not.

| system | facts | precision | recall | F1 |
|---|---|---|---|---|
{systems}

These are the figures by `link.arguments = "head"` and over distinct facts. Swapped arguments
("Warsaw was born in Marie Curie") lie outside the candidate superset. A negated extraction ("never
won") is out of scope, and wrong without the "never". What a sentence doubts is wrong as a fact, also
where the extraction keeps the "may have", for a relation key does not hold it.

A run does not reproduce these figures: it has only the knowledge base and the background documents
to judge by, as for any corpus. The difference is the annotator's error.
"""  # noqa: E501


def _readme(
    sentences: Sequence[Written],
    documents: int,
    outputs: Mapping[str, Iterable[_Output]],
    truth: Mapping[Fact, bool],
    seed: int,
) -> str:
    rows = []
    for name, extracted in outputs.items():
        system = {fact for _, fact in _in_scope(extracted)}
        figures = true_figures(system, set(truth)).values()
        shown = " | ".join(f"{figure:.3f}" for figure in figures)
        rows.append(f"| {name} | {len(system)} | {shown} |")
    return _README.format(
        seed=seed,
        sentences=len(sentences),
        documents=documents,
        true=len(truth),
        candidates=sum(truth.values()),
        others=len(truth) - sum(truth.values()),
        systems="\n".join(rows),
    )


def _random(seed: int, part: str) -> Random:
    # One generator for each part, so that a change of one leaves the others as they are.
    return Random(f"{seed} {part}")
