"""A made world: true by construction, and by the reading of the parts that a run is made of."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluator.corpus.sentences import read_sentences
from evaluator.errors import ConfigurationError, InputError
from evaluator.facts.linking import link_extraction
from evaluator.facts.superset import candidate_superset
from evaluator.model import Fact, Rejects
from evaluator.readers import read_extractions
from evaluator.relations.normal_form import relation_form, relation_words
from evaluator.text import tokens
from indexes.kb.annotation import annotate_sentence
from indexes.kb.knowledge_base import KnowledgeBase
from jobs.config import Configuration
from jobs.run.result import read_truth, true_figures
from jobs.worlds.making import Made, make_world
from jobs.worlds.raters import ask, rate
from jobs.worlds.settings import Extractor, Rater, World
from jobs.worlds.vocabulary import (
    BESIDES,
    CLAIMS,
    FILLERS,
    FRONTED,
    PATTERNS,
    RELATIONS,
    RUMOURS,
)
from tests import plain_path

pytestmark = pytest.mark.jvm

EXTRACTORS = (
    Extractor(name="one", precision=0.75, recall=0.4),
    Extractor(name="two", precision=0.3, recall=0.6),
)
SMALL = World(
    seed=7,
    entities=120,
    facts=300,
    sentences=150,
    documents=150,
    extractors=EXTRACTORS,
    fronted=0.5,
    wrong_links=0.1,
    untrue=0.1,
    unstated=0.3,
    kb_wrong=0.1,
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make_world(SMALL, tmp_path_factory.mktemp("made") / "world")


@pytest.fixture(scope="module")
def result(made: Made) -> dict[str, Any]:
    return plain_path.evaluate(Configuration.load(made.configuration))


@pytest.fixture(scope="module")
def knowledge_base(made: Made, result: dict[str, Any]) -> KnowledgeBase:
    return KnowledgeBase.open(made.folder / "kb")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def stated_rows(made: Made) -> list[list[str]]:
    lines = (made.folder / "truth.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


# Files.


def test_one_world_gives_one_content_whatever_the_hash_seed(made: Made, tmp_path: Path):
    program = (
        "import sys; from pathlib import Path; from tests.jobs.worlds.test_world import SMALL; "
        "from jobs.worlds.making import make_world; make_world(SMALL, Path(sys.argv[1]))"
    )
    subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        env={"PYTHONHASHSEED": "12", "PYTHONUTF8": "1"},
        cwd=Path(__file__).parents[3],
        check=True,
    )
    assert contents(tmp_path) == contents(made.folder)


def test_another_seed_gives_another_world(made: Made, tmp_path: Path):
    make_world(World(**{**vars(SMALL), "seed": 8}), tmp_path)
    ours, theirs = contents(made.folder), contents(tmp_path)
    assert ours.keys() == theirs.keys()
    assert not [name for name in ours if ours[name] == theirs[name]]


def test_a_file_where_the_folder_should_be_is_an_input_error(tmp_path: Path):
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match="cannot write the world here"):
        make_world(SMALL, tmp_path / "out")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"coverage": 1.2}, "coverage is 1.2"),
        ({"coverage": 0.0}, "without a statement"),
        ({"kb_wrong": 1.0}, "kb_wrong must be below 1"),
        ({"seed": -1}, "seed is -1"),
        ({"relations": 0}, "relations is 0"),
        ({"entities": 12}, "needs 40 entities"),
        ({"facts": 10_000}, "too many for 400 entities"),
        ({"extractors": EXTRACTORS[:1] * 2}, "each only once"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, Any], problem: str):
    with pytest.raises(ConfigurationError, match=problem):
        World(**settings)


def test_an_extractor_that_finds_nothing_true_cannot_be_asked_for():
    with pytest.raises(ConfigurationError, match="precision must be above 0"):
        Extractor(name="none", precision=0, recall=0.5)


def test_more_errors_than_there_are_false_candidates_are_refused(tmp_path: Path):
    hopeless = (Extractor(name="hopeless", precision=0.0001, recall=1),)
    with pytest.raises(ConfigurationError, match="the corpus has"):
        make_world(World(**{**vars(SMALL), "extractors": hopeless}), tmp_path)


# The words.


def test_every_phrase_has_one_content_word_and_no_two_relations_share_it():
    relation_of = {}
    for relation in RELATIONS:
        for phrase in relation.phrases:
            (lemma,) = relation_form(phrase).lemmas
            assert relation_form(phrase).head == lemma
            assert relation_of.setdefault(lemma, relation) == relation


def test_patterns_say_nothing_but_what_is_put_into_them():
    def words(*patterns: str) -> set[str]:
        texts = (re.sub(r"{\w+}", "", pattern) for pattern in patterns)
        return {word for text in texts for word in relation_words(tokens(text))}

    lemmas = {lemma for relation in RELATIONS for lemma in relation.lemmas}
    sentences = words(FRONTED.text, *(pattern.text for pattern in PATTERNS))
    background = words(*CLAIMS, *RUMOURS, *BESIDES, *FILLERS)
    assert lemmas & (sentences | background) == set()
    assert sentences & background == set()


# The pipeline reads what was made.


def test_the_pipeline_finds_exactly_the_candidates_that_were_made(
    made: Made, result: dict[str, Any], knowledge_base: KnowledgeBase
):
    found = set()
    for bare in read_sentences(made.folder / "sentences.jsonl", format="jsonl", rejects=Rejects()):
        sentence = annotate_sentence(bare, knowledge_base.dictionary)
        assert sentence == made.corpus.find(bare.text).sentence
        found.update(candidate_superset(sentence))
    assert found == made.candidates
    assert result["corpus"]["candidates"] == len(found)


def test_the_pipeline_finds_exactly_the_facts_of_the_systems(made: Made, result: dict[str, Any]):
    for source in Configuration.load(made.configuration).systems:
        linked = [
            link_extraction(made.corpus.find(extraction.sentence).sentence, extraction)
            for extraction in read_extractions(source, rejects=Rejects())
        ]
        assert [one.reason for one in linked] == [None] * len(linked)
        assert {one.fact for one in linked} == made.systems[source.name]
        assert result["systems"][source.name]["extractions"]["in_scope"] == len(linked)
    assert result["rejects"] == {}


def test_the_truth_of_a_run_is_what_is_true_of_its_facts(made: Made, result: dict[str, Any]):
    statements = {(s.id, relation.name, o.id) for s, relation, o in made.reality.statements}
    name_of = {lemma: relation.name for relation in RELATIONS for lemma in relation.lemmas}
    by_hand = {f for f in made.facts if (f.e1, name_of.get(f.r), f.e2) in statements}
    assert made.true == by_hand == read_truth(made.folder / "world.tsv")
    assert made.true <= made.candidates.union(*made.systems.values())
    assert result["truth"] == {
        name: true_figures(set(facts), by_hand) for name, facts in made.systems.items()
    }


def test_every_stated_fact_stands_in_its_sentence(made: Made):
    lines = (made.folder / "sentences.jsonl").read_text("utf-8").splitlines()
    texts = {(s["document"], str(s["number"])): s["text"] for s in map(json.loads, lines)}
    names = {entity.id: entity.name for entity in made.reality.entities}
    rows = stated_rows(made)
    for e1, r, e2, _, document, number in rows:
        words = tokens(texts[document, number])
        assert names[e2] in texts[document, number]
        assert e1.startswith("/m/x_") or names[e1] in texts[document, number]
        assert r in relation_words(words)
    assert {Fact(*row[:3]): row[3] == "true" for row in rows} == made.stated


def test_of_true_statements_only_unknown_entities_and_fronted_objects_are_no_candidates(
    made: Made,
):
    true = {fact for fact, is_true in made.stated.items() if is_true}
    outside = true - made.facts
    unknown = {fact for fact in outside if fact.e1.startswith("/m/x_")}
    assert unknown
    assert all(Fact(f.e2, f.r, f.e1) in made.candidates for f in outside - unknown)
    assert outside - unknown
    assert made.candidate_coverage == 1 - len(outside) / len(true)


def test_sentences_also_state_what_is_false_and_leave_out_what_is_true(made: Made):
    assert False in made.stated.values()
    assert made.true - made.stated.keys()


# The chosen figures.


def test_extractors_have_the_chosen_precision_and_recall(made: Made, result: dict[str, Any]):
    for extractor in EXTRACTORS:
        figures = result["truth"][extractor.name]
        # Half a fact of rounding; fronted facts that no system finds are no part of the truth.
        assert figures["precision"] == pytest.approx(extractor.precision, abs=0.01)
        assert figures["recall"] == pytest.approx(extractor.recall, abs=0.04)
        assert figures["recall"] >= extractor.recall - 0.5 / len(made.true)


def test_the_knowledge_base_holds_the_chosen_share_and_errs_in_the_chosen_share(
    made: Made, knowledge_base: KnowledgeBase
):
    predicates = {r.id: r.label for r in knowledge_base.relations() if r.triples}

    def holds(subject: str, label: str, object_: str) -> bool:
        between = knowledge_base.relations_between(subject, object_, direction="forward")
        return label in {predicates.get(relation) for relation in between}

    held = [(s, r, o) for s, r, o in made.reality.statements if holds(s.id, r.label, o.id)]
    assert len(held) == round(SMALL.coverage * SMALL.facts)
    wrong = [s for s in made.known if not made.reality.holds(s)]
    assert all(holds(s.id, r.label, o.id) for s, r, o in wrong)
    assert len(wrong) / len(made.known) == pytest.approx(SMALL.kb_wrong, abs=0.5 / len(held))
    assert knowledge_base.manifest.triples == len(held) + len(wrong)


def test_an_annotator_that_cannot_err_gives_the_true_figures(tmp_path: Path):
    # One statement in the knowledge base, text that has all that is true and nothing else.
    settings = {"coverage": 1 / SMALL.facts, "kb_wrong": 0, "repeats": 1, "misleads": 0}
    made = make_world(World(**{**vars(SMALL), **settings}), tmp_path)
    ordered = ["pmi.ordered=true"]
    result = plain_path.evaluate(Configuration.load(made.configuration, overrides=ordered))
    for name, facts in made.systems.items():
        # What only another system has, out of text order, no estimate of this one knows of.
        truth = true_figures(set(facts), set(made.true & (made.candidates | facts)))
        estimate = result["systems"][name]
        assert {key: estimate[key]["value"] for key in truth} == pytest.approx(truth)


# Raters.


def by_fact(labels: list[Any]) -> dict[Fact, Any]:
    return {Fact(*label.item): label for label in labels}


def test_a_rater_who_never_errs_tells_the_truth(made: Made):
    labels = by_fact(rate(made, ask(made, made.facts), Rater(name="r"), np.random.default_rng(1)))
    assert labels.keys() == made.facts
    assert {fact for fact, label in labels.items() if label.label} == made.true
    stated = {Fact(*row[:3]) for row in stated_rows(made)}
    assert {fact for fact, label in labels.items() if label.stated} <= stated
    assert not any(label.label for label in labels.values() if label.link_wrong)


def test_links_are_wrong_where_the_sentence_means_somebody_else(made: Made):
    labels = by_fact(rate(made, ask(made, made.facts), Rater(name="r"), np.random.default_rng(1)))
    unknown = {tuple(row[4:]) for row in stated_rows(made) if row[0].startswith("/m/x_")}
    for fact, label in labels.items():
        sentence = made.corpus.written[made.corpus.sources[fact][0]].sentence
        if label.link_wrong:
            assert (sentence.document, str(sentence.number)) in unknown
            assert label.stated is None
    assert sum(label.link_wrong for label in labels.values())


def test_a_rater_errs_and_skips_as_often_as_chosen(made: Made):
    rater = Rater(name="r", error=0.2, skips=0.1)
    questions = ask(made, made.facts)
    labels = by_fact(rate(made, questions, rater, np.random.default_rng(2)))
    perfect = by_fact(rate(made, questions, Rater(name="p"), np.random.default_rng(2)))
    plain = [fact for fact in labels if not perfect[fact].link_wrong]

    def close(share: float, expected: float, number: int) -> bool:
        return abs(share - expected) < 4 * (expected * (1 - expected) / number) ** 0.5

    assert close(1 - len(labels) / len(questions), 0.1, len(questions))
    for of_true in (True, False):
        asked = [fact for fact in plain if (fact in made.true) == of_true]
        wrong = sum(labels[fact].label != of_true for fact in asked)
        assert close(wrong / len(asked), 0.2, len(asked))
    wrong = sum(labels[fact].stated != perfect[fact].stated for fact in plain)
    assert close(wrong / len(plain), 0.2, len(plain))


def test_answers_do_not_depend_on_the_order_of_the_questions(made: Made):
    questions = ask(made, sorted(made.true))
    rater = Rater(name="r", error=0.3, skips=0.1)
    labels = rate(made, questions, rater, np.random.default_rng(3))
    assert rate(made, reversed(questions), rater, np.random.default_rng(3)) == labels
    assert rate(made, questions, rater, np.random.default_rng(4)) != labels


def test_without_its_sentence_only_the_truth_of_a_fact_is_answered(made: Made):
    questions = [question._replace(sentence="") for question in ask(made, made.facts)]
    labels = rate(made, questions, Rater(name="r"), np.random.default_rng(1))
    assert Counter((label.stated, label.link_wrong) for label in labels) == {
        (None, False): len(made.facts)
    }
    assert {Fact(*label.item) for label in labels if label.label} == made.true
