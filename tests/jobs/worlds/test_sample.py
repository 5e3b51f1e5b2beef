"""The embedded sample: reproducible, and true by construction and by the other parts' reading."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.corpus.sentences import read_sentences, sentence_key
from evaluator.errors import InputError
from evaluator.facts.linking import link_extraction
from evaluator.facts.superset import candidate_superset
from evaluator.labels.label import read_labels
from evaluator.model import Fact, Rejects, Sentence
from evaluator.readers import SystemSource, read_extractions
from evaluator.relations.normal_form import relation_form, relation_words
from evaluator.text import tokens
from indexes.collections import read_collection
from indexes.kb.build import build_knowledge_base
from indexes.kb.knowledge_base import KnowledgeBase
from jobs.run.result import read_truth, true_figures
from jobs.worlds.sample import SampleSentence, corpus, corpus_truth, make_sample, sample_files
from jobs.worlds.sample_facts import denied, doubted, entities, facts, relations
from jobs.worlds.sample_wording import Clause, Noun

COMMITTED = Path(__file__).parents[3] / "conf" / "sample"
SYSTEMS = ("alpha=tabbed:alpha.tabbed", "beta=jsonl:beta.jsonl", "gamma=tabbed:gamma.tabbed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sample") / "new" / "folder"
    make_sample(out)
    return out


@pytest.fixture(scope="module")
def truth(folder: Path) -> set[Fact]:
    return read_truth(folder / "truth.tsv")


@pytest.fixture(scope="module")
def written() -> list[SampleSentence]:
    return corpus()


@pytest.fixture(scope="module")
def knowledge_base(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    out = tmp_path_factory.mktemp("kb") / "kb"
    assert build_knowledge_base([folder / "kb.nt"], out).rejects == {}
    return KnowledgeBase.open(out)


@pytest.fixture(scope="module")
def annotated(folder: Path, knowledge_base: KnowledgeBase) -> list[Sentence]:
    """The sentences as a run annotates them: by the names of the knowledge base."""
    dictionary = knowledge_base.dictionary
    rejects = Rejects()
    sentences = []
    for bare in read_sentences(folder / "sentences.jsonl", format="jsonl", rejects=rejects):
        mentions = dictionary.mentions(bare.text)
        inside = {place for m in mentions for place in range(m.start, m.end)}
        outside = [t for place, t in enumerate(tokens(bare.text)) if place not in inside]
        sentences.append(
            Sentence(bare.document, bare.number, bare.text, mentions, relation_words(outside))
        )
    assert rejects.total == 0
    return sentences


# Files.


def test_one_seed_gives_one_content_and_another_seed_another():
    assert sample_files(1) == sample_files(1)
    assert sample_files(1)["sentences.jsonl"] != sample_files(2)["sentences.jsonl"]


def test_the_hash_seed_does_not_matter():
    program = "import jobs.worlds.sample as s; print(repr(sorted(s.sample_files().items())))"
    printed = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            cwd=COMMITTED.parents[1],
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1] != b""


def test_the_committed_sample_is_what_the_generator_writes():
    assert {path.name: path.read_text("utf-8") for path in COMMITTED.iterdir()} == sample_files()


def test_making_it_again_replaces_the_files_and_leaves_nothing_else(folder: Path):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    (folder / "truth.tsv").write_text("an older one")
    make_sample(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert before.keys() == sample_files().keys()


def test_it_is_small():
    assert sum(len(content.encode()) for content in sample_files().values()) < 1_000_000


def test_a_file_where_the_folder_should_be_is_an_input_error(tmp_path: Path):
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match="cannot write the sample here"):
        make_sample(tmp_path / "out")


# The corpus, and what is true.


def test_every_phrase_has_one_content_word_that_is_its_key_or_a_light_verb_besides():
    for relation in relations().values():
        inverted = relation.inverted[1:]
        for phrase in (*relation.phrases, *relation.converse, *inverted):
            form = relation_form(phrase)
            assert form.head in form.lemmas
            assert set(form.lemmas) - {form.head} <= {"make"}


def test_the_names_of_the_knowledge_base_are_found_where_the_sentences_mean_them(
    written: list[SampleSentence], annotated: list[Sentence]
):
    for meant, found in zip(written, annotated, strict=True):
        assert found.mentions is not None
        assert [mention.entity for mention in found.mentions] == [
            noun.entity.id for noun in meant.nouns if noun.entity
        ], meant.sentence.text


def test_true_facts_are_candidates_unless_their_subject_stands_last(
    truth: set[Fact], written: list[SampleSentence], annotated: list[Sentence]
):
    in_order = corpus_truth(written)
    assert in_order.keys() == truth
    candidates = {fact for sentence in annotated for fact in candidate_superset(sentence)}
    assert {fact for fact in truth if in_order[fact]} <= candidates
    assert not {fact for fact in truth if not in_order[fact]} & candidates
    both = {fact for s in annotated for fact in candidate_superset(s, direction="both")}
    assert truth <= both


def test_most_candidates_are_false_and_few_subjects_stand_last(
    truth: set[Fact], written: list[SampleSentence], annotated: list[Sentence]
):
    candidates = {fact for sentence in annotated for fact in candidate_superset(sentence)}
    assert len(truth & candidates) < len(candidates) / 3
    assert 0 < len(truth - candidates) < len(truth) / 20


@pytest.mark.parametrize("unstated", [*denied(), *doubted()])
def test_what_is_denied_or_doubted_is_not_true(truth: set[Fact], unstated):
    key = relation_form(unstated.claim).head
    fact = Fact(unstated.subject.id, key, unstated.object.id)
    assert fact not in truth
    assert relation_form(unstated.wording).head == key
    assert relation_form(unstated.wording).negated is (unstated in denied())
    assert relation_form(unstated.wording).hedged is (unstated in doubted())


def test_a_fact_is_true_as_its_sentence_reads():
    curie = Noun("Marie Curie", entities()["Marie Curie"])
    paris = Noun("Paris", entities()["Paris"])
    she = Noun("She", None)

    def truth_of(*clauses: Clause) -> dict[Fact, bool]:
        return corpus_truth([SampleSentence(Sentence("d", 0, ""), clauses, ())])

    moved = Fact("/m/s_marie_curie", "move", "/m/s_paris")
    plain = Clause("stated", curie, "moved to", paris)
    assert truth_of(plain) == {moved: True}
    # "To Paris, Marie Curie moved."
    last = plain._replace(phrase="moved", in_order=False)
    assert truth_of(last) == {moved: False}
    assert truth_of(last, plain) == truth_of(plain, last) == {moved: True}
    assert truth_of(Clause("denied", curie, "never moved to", paris, bare="moved to")) == {}
    assert truth_of(Clause("doubted", curie, "may have moved to", paris, bare="moved to")) == {}
    assert truth_of(Clause("pronoun", she, "moved to", paris)) == {}
    assert truth_of(Clause("unrelated", curie, "was shown in", paris, bare="A film on")) == {}


# The systems.


@pytest.mark.parametrize("source", SYSTEMS)
def test_a_run_counts_for_each_system_the_figures_of_the_readme(
    folder: Path, truth: set[Fact], annotated: list[Sentence], source: str
):
    name, form, file = re.split("[=:]", source)
    by_key = {sentence_key(sentence.text): sentence for sentence in annotated}
    rejects = Rejects()
    facts_of_system, unaligned = set(), 0
    for extraction in read_extractions(SystemSource(name, form, folder / file), rejects=rejects):
        sentence = by_key.get(sentence_key(extraction.sentence))
        if sentence is None:
            unaligned += 1
        elif fact := link_extraction(sentence, extraction).fact:
            facts_of_system.add(fact)
    assert (rejects.total, unaligned) == (1, 1)
    figures = true_figures(facts_of_system, truth)
    shown = " | ".join(f"{figure:.3f}" for figure in figures.values())
    row = f"| {name} | {len(facts_of_system)} | {shown} |"
    assert row in (folder / "README.md").read_text("utf-8").splitlines()


def test_the_systems_differ_in_precision_and_recall(folder: Path):
    rows = [line.split(" | ") for line in (folder / "README.md").read_text("utf-8").splitlines()]
    figures = {row[0]: row for row in rows if len(row) == 5}
    precision = [float(figures[f"| {name}"][2]) for name in ("alpha", "beta", "gamma")]
    recall = [float(figures[f"| {name}"][3]) for name in ("beta", "gamma", "alpha")]
    assert precision[0] - 0.1 > precision[1] > precision[2] + 0.1
    assert recall[0] - 0.1 > recall[1]
    assert recall[0] - 0.1 > recall[2]


# The evidence and the labels.


def test_the_knowledge_base_holds_about_half_of_the_facts_and_some_that_no_sentence_states(
    knowledge_base: KnowledgeBase, written: list[SampleSentence]
):
    covered = [fact for fact in facts() if fact.relation.predicate]
    held = {
        fact
        for fact in covered
        if fact.relation.predicate
        in knowledge_base.relations_between(fact.subject.id, fact.object.id)
    }
    assert 0.4 < len(held) / len(covered) < 0.6
    stated = {
        frozenset((clause.subject.entity, clause.object.entity))
        for sentence in written
        for clause in sentence.clauses
        if clause.status == "stated"
    }
    unstated = [fact for fact in held if frozenset((fact.subject, fact.object)) not in stated]
    assert len(unstated) > 30


def test_three_raters_label_the_same_facts_and_do_not_always_agree(folder: Path):
    rejects = Rejects()
    labels = read_labels(folder / "labels.tsv", rejects=rejects)
    assert {label.rater for label in labels} == {"anna", "ben", "chloe"}
    assert len({label.item for label in labels}) == 120
    assert set(rejects.counts) == {"skip"}
    verdicts: dict[tuple[str, str, str], set[bool]] = {}
    for label in labels:
        verdicts.setdefault(label.item, set()).add(label.label)
    assert 0 < sum(len(found) == 2 for found in verdicts.values()) < 60


def test_labelled_facts_are_named_as_the_knowledge_base_names_them(
    folder: Path, knowledge_base: KnowledgeBase
):
    for label in read_labels(folder / "labels.tsv", rejects=Rejects()):
        for name in (label.e1, label.e2):
            entity = knowledge_base.entity(name)
            assert entity is not None
            assert entity == entities()[name].id


def test_the_background_collection_is_read_whole(folder: Path):
    rejects = Rejects()
    documents = list(read_collection(folder / "background.jsonl", format="jsonl", rejects=rejects))
    assert rejects.total == 0
    assert len(documents) == len((folder / "background.jsonl").read_text("utf-8").splitlines())
