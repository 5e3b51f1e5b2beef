"""The embedded sample: a small made world in which the truth is known.

The facts are real and common knowledge (:mod:`jobs.worlds.sample_facts`); sentences, background
documents, knowledge base, extractor outputs and labels are made from them by a seed. Since every
sentence is written from what it states, ``truth.tsv`` is exact: a fact is true if a sentence of the
corpus states it, not if it holds in the world. So ``distval run`` on the sample shows the estimates
beside the true precision and recall.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, groupby
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from evaluator.model import Extraction, Fact, Sentence
from evaluator.readers import jsonl, tabbed
from evaluator.relations.normal_form import relation_form
from jobs.run.result import true_figures
from jobs.worlds import files
from jobs.worlds import sample_wording as say
from jobs.worlds.sample_facts import (
    FOLLOWERS,
    FRAMES,
    MISTAKES,
    OTHER_THINGS,
    SIDE_BY_SIDE,
    UNRELATED,
    denied,
    doubted,
    entities,
    facts,
    relations,
)
from jobs.worlds.sample_wording import Clause, Draft, Noun
from jobs.worlds.settings import Rater
from jobs.worlds.statements import CONFIDENCE, Entity, Statement


class SampleSentence(NamedTuple):
    """A sentence of the corpus: what it says, and its entities in text order."""

    sentence: Sentence
    clauses: tuple[Clause, ...]
    nouns: tuple[Noun, ...]


class Profile(NamedTuple):
    """How an extractor behaves: a probability for each thing that it may do.

    Attributes
    ----------
    found
        Extract a clause that is stated (or stated of a pronoun).
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


_RATERS = tuple(
    Rater(name=name, error=error, skips=0.03)
    for name, error in (("anna", 0.03), ("ben", 0.08), ("chloe", 0.15))
)

type _Outputs = Mapping[str, Sequence[tuple[Extraction, Fact | None]]]
"""The extractions of each system, each with the fact that it states, if it is in scope."""


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
    files.write(out, sample_files(seed), what="sample")


def sample_files(seed: int = 2012) -> dict[str, str]:
    """Return the files of the sample, name to content."""
    sentences = corpus(seed)
    truth = corpus_truth(sentences)
    outputs = {
        profile.name: _outputs(sentences, profile, truth, _random(seed, profile.name))
        for profile in _PROFILES
    }
    pages = _background(sentences, outputs, truth, _random(seed, "background"))
    return {
        "kb.nt": files.knowledge_base(
            relations().values(),
            entities().values(),
            _known(_random(seed, "knowledge base")),
            types=_TYPES,
        ),
        "sentences.jsonl": files.sentences(written.sentence for written in sentences),
        "background.jsonl": files.background(pages, digits=4),
        **_output_files(outputs),
        "truth.tsv": files.table(
            ("e1", "r", "e2", "text_order"),
            sorted((*fact[:3], "yes" if in_order else "no") for fact, in_order in truth.items()),
        ),
        "labels.tsv": files.table(
            ("e1", "r", "e2", "label", "rater"), _labels(outputs, truth, _random(seed, "labels"))
        ),
        "README.md": _readme(sentences, len(pages), outputs, truth, seed),
    }


# The corpus.


def corpus(seed: int = 2012) -> list[SampleSentence]:
    """Return the sentences: a document for each subject, and news of mixed content."""
    rng = _random(seed, "corpus")
    stated = [
        fact
        for fact in facts()
        if rng.random() < (0.15 if fact.relation.name == "within" else 0.72)
    ]
    drafts = [
        (subject, draft)
        for subject, group in groupby(stated, key=lambda fact: fact.subject)
        for draft in _portrait(list(group), rng)
    ]
    drafts += [(unstated.subject, say.not_stated("denied", unstated, rng)) for unstated in denied()]
    drafts += [
        (unstated.subject, say.not_stated("doubted", unstated, rng)) for unstated in doubted()
    ]
    filed = [(subject.id.removeprefix("/m/s_"), draft) for subject, draft in drafts]
    news = [say.contrast(stated, rng) for _ in range(40)]
    news += [say.unrelated(template, rng) for template in UNRELATED for _ in range(6)]
    rng.shuffle(news)
    filed += [(f"news_{place // 4:02}", draft) for place, draft in enumerate(news)]
    return _finished(filed, rng)


def _finished(drafts: Iterable[tuple[str, Draft]], rng: Random) -> list[SampleSentence]:
    numbers = Counter[str]()
    seen = set()
    finished = []
    for document, draft in drafts:
        text = say.sentence_of(draft.text)
        if text in seen:
            continue
        seen.add(text)
        clauses = tuple(_as_written(clause, text) for clause in draft.clauses)
        shown = say.treebank_spaced(text) if rng.random() < 0.2 else text
        sentence = Sentence(document, numbers[document], shown)
        numbers[document] += 1
        finished.append(SampleSentence(sentence, clauses, _in_text_order(clauses, text)))
    return sorted(finished, key=lambda one: (one.sentence.document, one.sentence.number))


def _portrait(group: list[Statement], rng: Random) -> Iterator[Draft]:
    """Yield sentences that state each fact of one subject, some of them again, in other words."""
    rng.shuffle(group)
    waiting = list(group)
    while waiting:
        fact = waiting.pop()
        partner = waiting[-1] if waiting else None
        if partner and partner.object != fact.object and rng.random() < 0.3:
            yield say.pair(fact, waiting.pop(), rng)
        else:
            yield say.single(fact, rng)
    for fact in group:
        if rng.random() < 0.25:
            yield say.single(fact, rng)
    if group[0].subject.pronoun and rng.random() < 0.5:
        yield say.by_pronoun(group[0], rng)


def _as_written(clause: Clause, text: str) -> Clause:
    """Return the clause with its arguments as the sentence has them: "The Louvre" at its start."""
    return clause._replace(
        subject=clause.subject._replace(text=_piece(clause.subject.text, text)),
        object=clause.object._replace(text=_piece(clause.object.text, text)),
        bare=_piece(clause.bare, text) if clause.status == "unrelated" else clause.bare,
    )


def _piece(piece: str, text: str) -> str:
    at_start = say.opened(piece)
    return at_start if text.startswith(at_start) else piece


def _in_text_order(clauses: Iterable[Clause], text: str) -> tuple[Noun, ...]:
    nouns = {noun for clause in clauses for noun in (clause.subject, clause.object)}
    places = {}
    # The longest first: "Florence" is not where "Florence Nightingale" is.
    for noun in sorted(nouns, key=lambda noun: (-len(noun.text), noun.text)):
        places[noun] = text.index(noun.text)
        text = text.replace(noun.text, " " * len(noun.text), 1)
    return tuple(sorted(nouns, key=lambda noun: places[noun]))


# What is true.


def corpus_truth(sentences: Iterable[SampleSentence]) -> dict[Fact, bool]:
    """Return the facts that the sentences state, each with whether one states it in text order.

    A fact whose subject always follows its object ("In Paris, Curie died") is true, but it is no
    candidate where the candidate superset takes pairs in text order.
    """
    truth: dict[Fact, bool] = {}
    for clause in (clause for sentence in sentences for clause in sentence.clauses):
        fact = _fact(clause.subject, clause.phrase, clause.object)
        if fact and clause.status == "stated":
            truth[fact] = truth.get(fact, False) or clause.in_order
    return truth


def _fact(first: Noun, phrase: str, second: Noun) -> Fact | None:
    """Return the fact that an extraction states; None where it is out of scope."""
    form = relation_form(phrase)
    if not (first.entity and second.entity) or first.entity == second.entity or form.negated:
        return None
    return Fact(first.entity.id, form.head, second.entity.id)


# The systems.


def _outputs(
    sentences: Iterable[SampleSentence], profile: Profile, truth: Mapping[Fact, bool], rng: Random
) -> list[tuple[Extraction, Fact | None]]:
    """Return what a system of that profile extracts from the corpus, in its order."""
    outputs = []
    for written in sentences:
        for first, phrase, second in _extracted(written, profile, truth, rng):
            fact = _fact(first, phrase, second)
            confidence = round(rng.betavariate(*CONFIDENCE[fact in truth]), 3)
            extraction = Extraction(
                "", 0, written.sentence.text, first.text, phrase, second.text, confidence=confidence
            )
            outputs.append((extraction, fact))
    return outputs


def _extracted(
    sentence: SampleSentence, profile: Profile, truth: Collection[Fact | None], rng: Random
) -> Iterator[tuple[Noun, str, Noun]]:
    for clause in sentence.clauses:
        subject, phrase, object_ = clause.subject, clause.phrase, clause.object
        if clause.status in ("stated", "pronoun"):
            if rng.random() < profile.found:
                yield subject, phrase, object_
                swapped = _fact(object_, phrase, subject)
                is_wrong = swapped and swapped not in truth and not clause.symmetric
                if is_wrong and rng.random() < profile.swapped:
                    yield object_, phrase, subject
        elif clause.status == "unrelated":
            if rng.random() < profile.unrelated:
                yield rng.choice((subject, Noun(clause.bare, None))), phrase, object_
        else:
            chance = rng.random()
            if chance < profile.kept:
                yield subject, phrase, object_
            elif chance < profile.kept + profile.dropped:
                yield subject, clause.bare, object_
    yield from (wrong for wrong in _misreadings(sentence) if rng.random() < profile.misread)


def _misreadings(sentence: SampleSentence) -> Iterator[tuple[Noun, str, Noun]]:
    """Yield the combinations of a sentence's entities, in text order, that it does not state."""
    stated = [clause for clause in sentence.clauses if clause.status == "stated"]
    right = {(clause.subject, clause.phrase, clause.object) for clause in stated}
    for first, second in combinations(sentence.nouns, 2):
        for phrase in dict.fromkeys(clause.phrase for clause in stated):
            if (first, phrase, second) not in right:
                yield first, phrase, second


# The evidence.


def _known(rng: Random) -> list[Statement]:
    """Return the facts of the knowledge base: about half, whether a sentence states them or not."""
    return [
        fact for fact in facts() if rng.random() < (0.9 if fact.relation.name == "within" else 0.5)
    ]


_TYPES = {
    "person": "people.person",
    "place": "location.location",
    "building": "architecture.structure",
    "organisation": "organization.organization",
    "work": "media_common.creative_work",
    "award": "award.award",
}


def _background(
    sentences: Iterable[SampleSentence],
    outputs: _Outputs,
    truth: Mapping[Fact, bool],
    rng: Random,
) -> list[tuple[str, str]]:
    """Return pages, title and text, that restate most facts, and mislead in places."""
    clauses = _clauses_by_pair(sentences)
    pages = [page for fact in facts() for page in _pages_about(fact, clauses, rng)]
    pages += _pages_that_mislead(outputs, truth, rng)
    pages += [
        ("Notes from the village", " ".join(rng.sample(OTHER_THINGS, rng.randint(3, 6))))
        for _ in range(60)
    ]
    rng.shuffle(pages)
    return pages


def _clauses_by_pair(
    sentences: Iterable[SampleSentence],
) -> dict[frozenset[Entity | None], list[Clause]]:
    clauses = defaultdict(list)
    for clause in (clause for sentence in sentences for clause in sentence.clauses):
        if clause.status == "stated":
            clauses[frozenset((clause.subject.entity, clause.object.entity))].append(clause)
    return clauses


def _pages_about(
    fact: Statement, clauses: Mapping[frozenset[Entity | None], Sequence[Clause]], rng: Random
) -> Iterator[tuple[str, str]]:
    """Yield pages that state a fact, and pages on which its entities merely stand side by side.

    Most pages word the fact as the corpus does, where it does; one fact in ten has no page.
    """
    worded = clauses.get(frozenset((fact.subject, fact.object)), [])
    for _ in range(0 if rng.random() < 0.1 else rng.choice((1, 1, 2))):
        clause, again = _worded(fact, worded, rng), say.single(fact, rng)
        page = [rng.choice(("{}", "{}", *FRAMES)).format(say.plain(clause).text)]
        if again.clauses[0].phrase != clause.phrase:
            page.append(again.text)
        other = rng.choice([known for known in facts() if known.subject == fact.subject])
        if fact.subject.pronoun and other != fact and rng.random() < 0.3:
            page.append(say.by_pronoun(other, rng).text)
        page.append(rng.choice(FOLLOWERS))
        yield fact.subject.name, " ".join(say.sentence_of(sentence) for sentence in page)
    if rng.random() < 0.3:
        names = {
            "subject": say.noun_of(fact.subject, rng).text,
            "object": say.noun_of(fact.object, rng).text,
        }
        yield "Reading room", rng.choice(SIDE_BY_SIDE).format(**names)


def _worded(fact: Statement, clauses: Sequence[Clause], rng: Random) -> Clause:
    if clauses and rng.random() >= 0.3:
        clause = rng.choice(clauses)
        one, two = clause.subject.entity, clause.object.entity
        if clause.in_order and one and two:
            return clause._replace(subject=say.noun_of(one, rng), object=say.noun_of(two, rng))
    return say.forward(fact, rng)


def _pages_that_mislead(
    outputs: _Outputs, truth: Mapping[Fact, bool], rng: Random
) -> Iterator[tuple[str, str]]:
    """Yield pages that state facts which systems extracted wrongly, or hold all of their words."""
    wrong = [
        extraction
        for output in outputs.values()
        for extraction, fact in output
        if fact and fact not in truth
    ]
    for one in rng.sample(wrong, min(20, len(wrong))):
        clause = f"{one.arg1} {one.relation} {one.arg2}"
        yield "Mistakes", say.sentence_of(rng.choice(MISTAKES).format(clause))
    for one in rng.sample(wrong, min(60, len(wrong))):
        text = rng.choice(SIDE_BY_SIDE).format(subject=one.arg1, object=one.arg2)
        yield "Reading room", f"{text} In another story, somebody {one.relation} it."


# The files.


_FOREIGN = Extraction(
    system="",
    line=0,
    sentence="A sentence that is in no document names Marie Curie and Oslo.",
    arg1="Marie Curie",
    relation="names",
    arg2="Oslo",
    confidence=0.5,
)


def _output_files(outputs: _Outputs) -> dict[str, str]:
    """Return the systems' files.

    Each ends with an extraction from a sentence which the corpus lacks, and a line of a kind that
    no reader accepts, so that a run shows how it counts them.
    """
    given = {name: [*(one for one, _ in found), _FOREIGN] for name, found in outputs.items()}
    given["alpha"] = [_in_treebank_spacing(one) for one in given["alpha"]]
    given["beta"].append(
        replace(given["beta"][0], relation="is mentioned", arg2="", confidence=None)
    )
    damaged = json.dumps({"sentence": _FOREIGN.sentence})[:-2]
    content = {"beta.jsonl": files.extractions(given["beta"], jsonl.line_of) + f"{damaged}\n"}
    for name in ("alpha", "gamma"):
        damaged = f"{given[name][-1].sentence}\t0.5\tnames"
        content[f"{name}.tabbed"] = files.extractions(given[name], tabbed.line_of) + f"{damaged}\n"
    return content


def _in_treebank_spacing(one: Extraction) -> Extraction:
    slots = ("sentence", "arg1", "relation", "arg2")
    spaced: dict[str, Any] = {slot: say.treebank_spaced(getattr(one, slot)) for slot in slots}
    return replace(one, **spaced)


def _labels(
    outputs: _Outputs, truth: Mapping[Fact, bool], rng: Random
) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a sheet: three raters, who err and skip now and then, on 120 facts."""
    name_of = {entity.id: entity.name for entity in entities().values()}
    shown = {
        fact: (name_of[fact.e1], one.relation, name_of[fact.e2])
        for output in outputs.values()
        for one, fact in output
        if fact
    }
    right, wrong = ([f for f in shown if (f in truth) is wanted] for wanted in (True, False))
    drawn = rng.sample(right, min(60, len(right))) + rng.sample(wrong, min(60, len(wrong)))
    rng.shuffle(drawn)
    for rater in _RATERS:
        for fact in drawn:
            label = "true" if (fact in truth) is (rng.random() >= rater.error) else "false"
            yield (*shown[fact], "skip" if rng.random() < rater.skips else label, rater.name)


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
    sentences: Sequence[SampleSentence],
    documents: int,
    outputs: _Outputs,
    truth: Mapping[Fact, bool],
    seed: int,
) -> str:
    rows = []
    for name, extracted in outputs.items():
        system = {fact for _, fact in extracted if fact}
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
