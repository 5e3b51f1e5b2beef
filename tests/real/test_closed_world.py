"""WebNLG as a closed world: what its maker holds for true, beside facts counted by hand."""

import io
import tarfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks import closed_world
from benchmarks.webnlg.entries import ARCHIVE, id_of, is_literal, read_entries, share_of
from benchmarks.webnlg.lexicon import (
    Lexicon,
    elements_of,
    read_lexicon,
    stated_facts,
    true_pairs,
)
from benchmarks.webnlg.sentences import Said, corpus_of
from benchmarks.webnlg.systems import Profile, extractions
from benchmarks.webnlg.world import SALT, ClosedWorld, make_world
from evaluator.errors import InputError
from evaluator.model import Extraction

SLICE = 300

# An entry as WebNLG writes one, about a made building.
HALL = """\
<benchmark><entries><entry category="Building" eid="Id1" size="4">
 <modifiedtripleset>
  <mtriple>Kelp_Hall | architect | Lena_Moor</mtriple>
  <mtriple>Kelp_Hall | location | Tarn_(city)</mtriple>
  <mtriple>Tarn_(city) | country | Norland</mtriple>
  <mtriple>Kelp_Hall | floorCount | "3"</mtriple>
 </modifiedtripleset>
 <lex lid="Id1">
  <sortedtripleset>
   <sentence ID="1"><striple>Kelp_Hall | architect | Lena_Moor</striple></sentence>
   <sentence ID="2"><striple>Kelp_Hall | location | Tarn_(city)</striple>
    <striple>Tarn_(city) | country | Norland</striple>
    <striple>Kelp_Hall | floorCount | "3"</striple></sentence>
  </sortedtripleset>
  <references>
   <reference entity="Lena_Moor" type="name">Ms Moor</reference>
   <reference entity="Kelp_Hall" type="name">The Kelp Hall</reference>
   <reference entity="Kelp_Hall" type="pronoun">It</reference>
   <reference entity="Tarn_(city)" type="name">Tarn</reference>
  </references>
  <text>Ms Moor designed the Kelp Hall. It is located in Tarn, Norland, and has 3 floors.</text>
 </lex>
 <lex lid="Id2">
  <sortedtripleset/>
  <references/>
  <text>Located in Tarn, Norland, Kelp Hall was built by Lena Moor.</text>
 </lex>
 <lex lid="Id3">
  <sortedtripleset/>
  <references/>
  <text>Kelp Hall is located in Tarn, Norland.</text>
 </lex>
</entry></entries></benchmark>"""


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return read_lexicon()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> list[Said]:
    folder = tmp_path_factory.mktemp("webnlg")
    with tarfile.open(folder / ARCHIVE, "w:xz") as archive:
        content = HALL.encode()
        member = tarfile.TarInfo("train/4triples/Building.xml")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return corpus_of(read_entries(folder))


def surfaces(said: Said) -> list[tuple[str, str]]:
    return [(said.text[place.start : place.end], place.entity) for place in said.places]


def facts(said: Said, lexicon: Lexicon) -> list[tuple[str, str, str]]:
    return sorted(stated_facts(said, lexicon))


def test_a_sentence_states_the_triples_that_the_data_give_for_it(hall: Sequence[Said]) -> None:
    assert [len(said.stated) for said in hall] == [1, 3, 3, 2]
    # The last two texts have no triples by sentence: what counts is both entities' words. "3" is
    # in neither, "Kelp Hall … Lena Moor" in the one alone.
    assert {triple.property for triple in hall[2].stated} == {"architect", "location", "country"}
    assert {triple.property for triple in hall[3].stated} == {"location", "country"}


def test_entities_stand_where_the_data_or_their_titles_say(hall: Sequence[Said]) -> None:
    # A name that the data tell need not be the title; an article is no part of it; "It" is no name.
    assert surfaces(hall[0]) == [("Ms Moor", "Lena_Moor"), ("Kelp Hall", "Kelp_Hall")]
    # Of the others the titles are looked for, less what stands in parentheses.
    assert surfaces(hall[1]) == [("Tarn", "Tarn_(city)"), ("Norland", "Norland"), ("3", '"3"')]


def test_facts_are_true_by_word_direction_and_chain_of_places(
    hall: Sequence[Said], lexicon: Lexicon
) -> None:
    assert facts(hall[0], lexicon) == [("en:Lena_Moor", "design", "en:Kelp_Hall")]
    # The hall is not named; a number is no entity.
    assert facts(hall[1], lexicon) == [("en:Tarn_(city)", "locate", "en:Norland")]
    # Tarn is not located in the hall, and whom the city was built by is not said.
    assert facts(hall[2], lexicon) == [
        ("en:Kelp_Hall", "build", "en:Lena_Moor"),
        ("en:Tarn_(city)", "locate", "en:Norland"),
    ]
    # What is located in Tarn, Norland, is located in Norland.
    assert facts(hall[3], lexicon) == [
        ("en:Kelp_Hall", "locate", "en:Norland"),
        ("en:Kelp_Hall", "locate", "en:Tarn_(city)"),
        ("en:Tarn_(city)", "locate", "en:Norland"),
    ]


def test_by_name_an_entity_is_called_as_its_sentence_calls_it(
    hall: Sequence[Said], lexicon: Lexicon
) -> None:
    assert {*stated_facts(hall[0], lexicon, by_name=True)} == {
        (e1, "design", e2)
        for e1 in ("en:Lena_Moor", "ms moor")
        for e2 in ("en:Kelp_Hall", "kelp hall")
    }
    said = hall[1]  # … and has 3 floors: a literal is its number, or the phrase around it.
    assert elements_of(said, said.places[-1], by_name=True) == ["3", "3 floors"]
    assert elements_of(said, said.places[-1], by_name=False) == []


def test_a_system_that_finds_all_and_spoils_nothing_says_what_is_stated(
    hall: Sequence[Said], lexicon: Lexicon
) -> None:
    said = [
        (one.arg1, one.relation, one.arg2)
        for one in extractions(Profile("all", 1, 0), hall, lexicon)
    ]
    assert said == [
        ("Ms Moor", "designed", "Kelp Hall"),
        ("Tarn", "is located in", "Norland"),
        ("Tarn", "Located in", "Norland"),
        ("Kelp Hall", "was built by", "Lena Moor"),
        ("Kelp Hall", "is located in", "Tarn"),
        ("Kelp Hall", "is located in", "Norland"),
        ("Tarn", "is located in", "Norland"),
    ]


def test_what_is_spoilt_is_stated_by_no_triple_of_its_sentence(
    hall: Sequence[Said], lexicon: Lexicon
) -> None:
    spoilt = extractions(Profile("none", 1, 1), hall, lexicon)
    assert spoilt
    assert not [one for one in spoilt if _stated(one, hall, lexicon)]


def _stated(one: Extraction, corpus: Sequence[Said], lexicon: Lexicon) -> bool:
    said = next(said for said in corpus if said.text == one.sentence)
    entity = dict(surfaces(said))
    words = true_pairs(said.stated, lexicon).get((entity[one.arg1], entity[one.arg2]), frozenset())
    return any(word.removesuffix("e") in one.relation.lower() for word in words)


@pytest.mark.parametrize(
    ("name", "literal"),
    [('"3"', True), ("1411.0", True), ("1963-07-21", True), ("18.0 g", True), ("945, 946", True),
     ("12_Kelp_Hall", False), ("1634:_A_Tale", False), ("Kelp_Hall", False)],
)  # fmt: skip
def test_a_name_that_begins_with_a_number_is_no_literal(name: str, literal: bool) -> None:
    assert is_literal(name) is literal


def test_a_statement_goes_as_far_as_the_run_takes_it(
    hall: Sequence[Said], lexicon: Lexicon
) -> None:
    world = ClosedWorld(Path(), hall, lexicon, frozenset(), frozenset(), frozenset())
    said = hall[3]  # Kelp Hall is located in Tarn, Norland.
    triple = next(triple for triple in said.stated if triple.property == "location")
    fact = ("en:Kelp_Hall", "locate", "en:Tarn_(city)")
    hall_, tarn, other = (0, 9, "en:Kelp_Hall"), (24, 28, "en:Tarn_(city)"), (24, 28, "en:Tarn")

    def steps(mentions: Sequence[tuple[int, int, str]], words: set[str], verdict: str) -> str:
        found = closed_world.Annotated(tuple(mentions), frozenset(words))
        judged = {fact: verdict} if verdict else {}
        number = closed_world.steps_of(said, triple, found, world, judged)
        return closed_world.STEPS[number - 1]

    assert steps([hall_], {"locate"}, "accepted") == "both named"
    assert steps([hall_, other], {"locate"}, "accepted") == "both mentions found"
    assert steps([hall_, tarn], {"floor"}, "accepted") == "linked right"
    assert steps([hall_, tarn], {"locate"}, "") == "a word for it"
    assert steps([hall_, tarn], {"locate"}, "undefined") == "in G′"
    assert steps([hall_, tarn], {"locate"}, "rejected") == "judged"
    assert steps([hall_, tarn], {"locate"}, "accepted") == "accepted"
    nothing = closed_world.Annotated((), frozenset())
    for one, step in (("floorCount", "stated"), ("location", "of two entities")):
        told = next(triple for triple in hall[1].stated if triple.property == one)
        number = closed_world.steps_of(hall[1], told, nothing, world, {})
        assert closed_world.STEPS[number - 1] == step  # a number; the hall is "it"


def test_an_archive_that_is_missing_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"{ARCHIVE}: cannot be read"):
        read_entries(tmp_path)


@pytest.fixture(scope="module")
def world(data: Path, tmp_path_factory: pytest.TempPathFactory) -> ClosedWorld:
    return make_world(data / "webnlg_train", tmp_path_factory.mktemp("world"), most=SLICE)


# What sentences of the slice state, counted by hand: the relation words of the facts.
@pytest.mark.parametrize(
    ("document", "number", "words"),
    [
        ("1triples/City/Id221", 1, ["language", "speak"]),
        ("1triples/Astronaut/Id15", 3, []),  # of a date
        ("2triples/Building/Id44", 2, ["lead"]),  # "is in" has no word
        ("3triples/WrittenWork/Id236", 2, ["group", "president"]),
        ("4triples/SportsTeam/Id32", 1, []),  # of "he"
        ("5triples/Food/Id6", 0, ["ingredient", "leader", "region"]),
        ("6triples/Astronaut/Id77", 0, ["backup", "commander", "crew", "operate"]),
    ],
)
def test_sentences_state_what_a_reader_finds(
    world: ClosedWorld, lexicon: Lexicon, document: str, number: int, words: list[str]
) -> None:
    said = next(s for s in world.corpus if (s.document, s.number) == (document, number))
    stated = facts(said, lexicon)
    assert sorted(r for _, r, _ in stated) == words
    assert {*stated} <= world.true


def test_the_halves_share_no_entry_and_the_base_names_every_entity(
    world: ClosedWorld, data: Path
) -> None:
    entries = read_entries(data / "webnlg_train", most=SLICE)
    assert len(entries) == SLICE
    of_corpus = {said.document for said in world.corpus}
    of_background = {
        line.split('"')[3].rpartition("/")[0]
        for line in (world.folder / "background.jsonl").read_text(encoding="utf-8").splitlines()
    }
    assert not of_corpus & of_background
    assert of_corpus | of_background == {entry.name for entry in entries}
    assert all((share_of(name, SALT) < 0.5) == (name in of_corpus) for name in of_corpus)
    triples = {triple for entry in entries for triple in entry.triples}
    assert 0.4 < len(world.known) / len(triples) < 0.6
    base = (world.folder / "kb.nt").read_text(encoding="utf-8")
    entities = {
        end for triple in triples for end in (triple.subject, triple.object) if not is_literal(end)
    }
    labels = sum("#label>" in line and "/resource/" in line for line in base.splitlines())
    assert labels == len({id_of(entity) for entity in entities})


def test_true_figures_are_those_of_the_run(world: ClosedWorld) -> None:
    result = closed_world.evaluated(world, ["local.workers=1"])
    judged = closed_world.Judged.of_run(world.folder / "run", world.true)
    assert result.truth is not None
    for name, system in result.systems.items():
        truth = judged.truth(name)
        assert system.facts == judged.of(name).sum()
        # The run reads truth.tsv and facts from other tables than these.
        assert truth["precision"] == pytest.approx(result.truth[name].precision)
        right = np.sum(judged.true & judged.of(name))
        assert result.truth[name].recall == pytest.approx(right / len(world.true))
        assert truth["recall"] > right / len(world.true)  # G′ lacks some
