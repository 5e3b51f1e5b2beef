"""The entity dictionary: which names a sentence mentions, and whom they mean."""

import multiprocessing
import pickle
import random
import re
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.model import Mention
from evaluator.text import tokens
from indexes.kb.dictionary import CANDIDATES, LONGEST
from indexes.kb.dictionary_context import by_context
from indexes.kb.entities import (
    EntityDictionary,
    NameRow,
    build_dictionary,
    is_distinctive,
    name_row,
    write_dictionary,
)

NAMES = [
    ("/m/obama", "Barack Obama", "label"),
    ("/m/obama", "Obama", "alias"),
    ("/m/rome", "Rome", "label"),
    ("/m/summit", "G8 Summit", "label"),
    ("/m/us", "United States", "label"),
    ("/m/us", "US", "alias"),
    ("/m/us", "U.S.", "alias"),
    ("/m/gm", "General Motors", "label"),
    ("/m/ford", "Ford", "label"),
    ("/m/oxford", "University of Oxford", "label"),
    ("/m/denton", "Denton, Texas", "label"),
    ("/m/denton", "Denton", "alias"),
    ("/m/acdc", "AC/DC", "label"),
    ("/m/apple", "Apple", "label"),
    ("/m/ipod", "iPod", "label"),
    ("/m/hague", "The Hague", "label"),
    ("/m/mcdonalds", "McDonald's", "label"),
    ("/m/wilson", "Wilson", "label"),
    ("/m/kazoo", "kazoo", "label"),
]


@pytest.fixture(scope="module")
def dictionary(tmp_path_factory) -> EntityDictionary:
    return build_dictionary(tmp_path_factory.mktemp("names") / "dictionary", NAMES, {})


@pytest.fixture
def build(tmp_path):
    """Build a dictionary in a folder of its own."""

    def build(names, degree=None, pairs=()) -> EntityDictionary:
        return build_dictionary(
            Path(tempfile.mkdtemp(dir=tmp_path), "d"), names, degree or {}, pairs
        )

    return build


def entities(dictionary: EntityDictionary, text: str) -> list[str]:
    return [mention.entity.removeprefix("/m/") for mention in dictionary.mentions(text)]


def test_mentions_of_figure_3_of_the_paper(dictionary):
    sentence = "Barack Obama is visiting Rome to attend the G8 Summit"
    assert dictionary.mentions(sentence) == (
        Mention(0, 2, "/m/obama"),
        Mention(4, 5, "/m/rome"),
        Mention(8, 10, "/m/summit"),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # spacing and escapes of the Penn Treebank
        ("The speech was Obama 's -LRB- in Rome -RRB- .", ["obama", "rome"]),
        ("The speech was Obama's (in Rome).", ["obama", "rome"]),
        ("They ate at McDonald 's .", ["mcdonalds"]),
        ("It left the U.S. for Rome.", ["us", "rome"]),
        # capital letters
        ("He studied at the University Of Oxford", ["oxford"]),
        ("He studied at the university of Oxford", []),
        ("They told us the US won", ["us"]),
        ("They told Us", []),
        ("A united states of mind", []),
        ("he drives a ford", []),
        ("GENERAL MOTORS gained, FORD fell", ["gm"]),
        ("US TROOPS LEAVE", []),
        ("an iPod, an Ipod and an IPOD", ["ipod"]),
        # punctuation inside
        ("He lives in Denton , Texas", ["denton"]),
        ("He lives in Denton Texas", ["denton"]),
        ("The band AC/DC", ["acdc"]),
        ("Cars by General, Motors by others", []),
        # a common word that begins the sentence; "ford" is one in WordNet only
        ("Apple pays", []),
        ("Apples and Apple", ["apple"]),
        ("On Monday Apple pays", ["apple"]),
        ("Ford pays", ["ford"]),
        ("Rome fell", ["rome"]),
        # part of a longer name
        ("It was Frank Wilson", []),
        ("It was Wilson College", []),
        ("It was the Miller-Wilson plan", []),
        ("It was J. Wilson", []),
        ("It was General Motors Hall", []),
        ("It was Painter Barack Obama", ["obama"]),
        ("It was General Motors Corp.", ["gm"]),
        ("It was Wilson Pope", []),
        ("It was Pope Wilson", ["wilson"]),
        ("It was Mr. Wilson", ["wilson"]),
        ("It was the Ford chairman, Ford CEO Wilson", ["ford", "ford", "wilson"]),
        ("In Wilson it rains", ["wilson"]),
        ("He said: \"In Wilson it rains\"", ["wilson"]),
        ("They met Wilson, Miller and Ford", ["wilson", "ford"]),
        ("The Hague 's court", ["hague"]),
        ("It was Simon & Wilson", []),
        ("It was the Boys ' Wilson", ["wilson"]),
        ("They met in Rome . Wilson left", ["rome", "wilson"]),
        ("They met in Rome\nWilson left", ["rome", "wilson"]),
        ("It was St . Wilson", []),
        ("It was the Strait of Wilson", []),
        ("It was the Order of the Ford", []),
        ("It was the President of the United States", ["us"]),
        ("It was Barack Obama of Wilson", ["obama", "wilson"]),
        ("It was Frobnitz Inc of Wilson", ["wilson"]),
        ("It was the rest of Wilson", ["wilson"]),
        ("Out of Wilson it came", ["wilson"]),
        # possessives and hyphens
        ("It was Obama's, the US-led summit, post-Obama talks", ["obama", "us", "obama"]),
    ],
)  # fmt: skip
def test_what_a_text_mentions(dictionary, text, expected):
    assert entities(dictionary, text) == expected


def test_the_longest_name_wins_and_mentions_do_not_overlap(build):
    names = [
        ("/m/1", "New York", "label"),
        ("/m/2", "New York City", "label"),
        ("/m/3", "City Director", "label"),
    ]
    dictionary = build(names)
    assert entities(dictionary, "New York City Director, in New York") == ["2", "1"]
    assert entities(dictionary, "New York City Hall") == []


def test_names_that_cannot_be_told_from_text_are_left_out(build):
    left_out = ("Q", "24", "1984", "9/11", "Her", "it", "June", "Friday", "Inc.", "🇧🇪", "")
    names = (*left_out, "The Who", "IT", "C4")
    dictionary = build([("/m/1", name, "label") for name in names])
    assert len(dictionary) == 3
    assert [dictionary.resolve(name) for name in ("The Who", "IT", "C4")] == ["/m/1"] * 3


def test_names_without_a_capital_only_on_request(dictionary):
    text = "he plays the kazoo"
    assert dictionary.mentions(text) == ()
    assert dictionary.mentions(text, proper_only=False) == (Mention(3, 4, "/m/kazoo"),)
    assert dictionary.resolve("kazoo", proper_only=True) is None
    assert dictionary.resolve("Kazoo") == "/m/kazoo"


def test_a_name_without_a_capital_hides_no_shorter_proper_one(build):
    dictionary = build([("/m/1", "Rome", "label"), ("/m/2", "rome apple", "label")])
    assert entities(dictionary, "eat a Rome apple") == ["1"]
    wider = dictionary.mentions("eat a Rome apple", proper_only=False)
    assert wider == (Mention(2, 4, "/m/2"),)


@pytest.mark.parametrize(
    ("names", "degree", "expected"),
    [
        # a label before an alias, whatever the degrees
        ([("/m/a", "Springfield", "alias"), ("/m/b", "Springfield", "label")], {"/m/a": 9}, "/m/b"),
        # then the larger degree
        ([("/m/a", "Springfield", "label"), ("/m/b", "Springfield", "label")], {"/m/b": 1}, "/m/b"),
        # then the smaller identifier
        ([("/m/b", "Springfield", "label"), ("/m/a", "Springfield", "label")], {}, "/m/a"),
        # but a name of the text's own case comes first
        ([("/m/a", "SpringField", "label"), ("/m/b", "Springfield", "alias")], {"/m/a": 9}, "/m/b"),
    ],
)
def test_an_ambiguous_name_goes_by_the_prior(build, names, degree, expected):
    dictionary = build(names, degree)
    assert dictionary.resolve("Springfield") == expected
    assert [mention.entity for mention in dictionary.mentions("in Springfield")] == [expected]


def test_a_name_that_differs_in_case_only_means_who_is_written_so(build):
    dictionary = build([("/m/aids", "AIDS", "label"), ("/m/aid", "Aids", "alias")], {"/m/aids": 5})
    assert entities(dictionary, "He had AIDS") == ["aids"]
    assert entities(dictionary, "He had Aids") == ["aid"]
    assert dictionary.resolve("aids") == "/m/aids"


def test_resolve_knows_any_case_and_nothing_else(dictionary):
    assert dictionary.resolve("barack obama") == "/m/obama"
    assert dictionary.resolve("DENTON TEXAS") == "/m/denton"
    assert dictionary.resolve("Barack") is None
    assert dictionary.resolve("") is None


def test_texts_and_names_meet_in_unicode_normal_form_c(build):
    dictionary = build([("/m/1", "Mu\u0308nchen", "label")])
    assert dictionary.mentions("in M\u00fcnchen") == dictionary.mentions("in Mu\u0308nchen")
    assert dictionary.mentions("in M\u00fcnchen") == (Mention(1, 2, "/m/1"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("by José Saramago", ["jose"]),
        ("by Jose Saramago", ["jose"]),
        ("by Jóse Saramago", ["jose"]),
        ("by jose saramago", []),
        ("by JOSE SARAMAGO", ["jose"]),
        ("in Łódź and Lodz", ["lodz", "lodz"]),
        ("in Malmo", ["malmo"]),
        ("in Malmö", ["malmö"]),
        ("in Málmo", ["malmo"]),
        ("of Pele", ["pelé"]),  # the more popular one
        ("in São Paulo and Sao Paulo", ["sp", "sp"]),  # the name has none
        ("in São Paulo State", []),
    ],
)
def test_diacritics_may_be_missing_on_either_side(build, text, expected):
    names = [
        ("/m/jose", "José Saramago", "label"),
        ("/m/lodz", "Łódź", "label"),
        ("/m/malmö", "Malmö", "label"),
        ("/m/malmo", "Malmo", "label"),
        ("/m/sp", "Sao Paulo", "label"),
        ("/m/pelè", "Pelè", "label"),
        ("/m/pelé", "Pelé", "alias"),
        ("/m/pelê", "Pelê", "label"),
    ]
    assert entities(build(names, {"/m/pelé": 1, "/m/malmö": 1}), text) == expected


@pytest.mark.parametrize("others", [[], [("/m/other", "Paulo José", "label")]])
def test_diacritics_of_a_later_word_do_not_depend_on_the_other_names(build, others):
    dictionary = build([("/m/coelho", "Paulo Coelho", "label"), *others])
    assert entities(dictionary, "It is by Paulo Coelhó") == ["coelho"]
    assert entities(dictionary, "It is by Paulo Coelho, não Borges") == ["coelho"]
    assert entities(dictionary, "It is by paulo Coelhó") == []


def test_resolve_and_candidates_know_names_without_their_diacritics(build):
    names = [("/m/1", "Malmö", "label"), ("/m/2", "MALMO", "label"), ("/m/3", "Malmö", "alias")]
    dictionary = build(names)
    assert dictionary.candidates("malmö") == ("/m/1", "/m/3", "/m/2")
    assert dictionary.candidates("malmo") == ("/m/2", "/m/1", "/m/3")
    assert dictionary.resolve("malmo") == "/m/2"
    assert dictionary.candidates("Malm") == dictionary.candidates("") == ()


CITIES = [
    ("/m/city", "Moscow", "label"),
    ("/m/idaho-city", "Moscow", "label"),
    ("/m/russia", "Russia", "label"),
    ("/m/idaho", "Idaho", "label"),
    ("/m/brunei", "Brunei", "label"),
]
POPULAR = {"/m/city": 9}
PAIRS = [("/m/idaho", "/m/idaho-city"), ("/m/city", "/m/russia")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in Moscow", ["city"]),
        ("in Moscow and Brunei", ["city", "brunei"]),
        ("in Moscow and Idaho", ["idaho-city", "idaho"]),
        ("in Idaho and Moscow", ["idaho", "idaho-city"]),
        ("from Idaho to Moscow to Russia", ["idaho", "city", "russia"]),  # one for each
        ("to Moscow and again Moscow , Idaho", ["idaho-city", "idaho-city", "idaho"]),
        ("to Idaho and Idaho and Moscow in Russia", ["idaho", "idaho", "city", "russia"]),
    ],
)
def test_a_neighbour_of_what_is_mentioned_beside_it_wins_over_a_popular_entity(
    build, text, expected
):
    assert entities(build(CITIES, POPULAR, PAIRS), text) == expected


def test_without_context_the_prior_decides(build):
    dictionary = build(CITIES, POPULAR, PAIRS)
    found = dictionary.mentions("in Moscow and Idaho", context=False)
    assert [mention.entity for mention in found] == ["/m/city", "/m/idaho"]


@given(
    mentions=st.lists(
        st.lists(st.integers(0, 7), min_size=1, max_size=4, unique=True).map(tuple), max_size=6
    ),
    edges=st.sets(st.frozensets(st.integers(0, 7), min_size=2, max_size=2)),
    random=st.randoms(),
)
def test_context_does_not_depend_on_the_order_of_mentions(mentions, edges, random):
    def are_neighbours(one, other):
        return frozenset((one, other)) in edges

    chosen = by_context(mentions, are_neighbours)
    order = random.sample(range(len(mentions)), len(mentions))
    shuffled = by_context([mentions[place] for place in order], are_neighbours)
    assert shuffled == [chosen[place] for place in order]
    first = {candidates[0] for candidates in mentions}
    for candidates, entity in zip(mentions, chosen, strict=True):
        support = {
            c: len([o for o in first - set(candidates) if are_neighbours(c, o)]) for c in candidates
        }
        assert support[entity] == max(support.values())
        assert all(support[c] < support[entity] for c in candidates[: candidates.index(entity)])


def test_the_order_of_names_changes_no_byte(dictionary, build):
    shuffled = build(random.Random(3).sample(NAMES, len(NAMES)))
    for file in dictionary.path.iterdir():
        assert (shuffled.path / file.name).read_bytes() == file.read_bytes()


def test_only_the_path_is_pickled(dictionary):
    pickled = pickle.dumps(dictionary)
    assert len(pickled) < 500
    assert entities(pickle.loads(pickled), "in Rome") == ["rome"]


def test_two_processes_read_one_dictionary(dictionary):
    texts = ["Obama in Rome", "a Ford of General Motors"] * 20
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(dictionary.mentions, texts)
    assert found == [dictionary.mentions(text) for text in texts]


@pytest.mark.parametrize("file", ["forms.marisa", "candidates.arrow", "neighbours.arrow"])
@pytest.mark.parametrize("damage", ["missing", "cut short"])
def test_a_damaged_dictionary_is_refused(build, file, damage):
    path = build(NAMES).path
    if damage == "missing":
        (path / file).unlink()
    else:
        (path / file).write_bytes((path / file).read_bytes()[:40])
    with pytest.raises(InputError, match="dictionary"):
        EntityDictionary.open(path)


def names_batch(rows) -> pa.RecordBatch:
    form, written, entity = zip(*rows, strict=True)
    numbers = pa.array(entity, pa.int32())
    return pa.record_batch([form, written, numbers], names=["form", "written", "entity"])


def written_to(folder, *names, entities) -> EntityDictionary:
    ids = pa.array([f"/m/{number}" for number in range(entities)], pa.string())
    popularity = pa.array([0] * entities, pa.int64())
    empty = pa.array([], pa.int32())
    write_dictionary(
        folder,
        names=map(names_batch, names),
        entities=[pa.record_batch([ids, popularity], names=["id", "popularity"])],
        neighbours=[pa.record_batch([empty, empty], names=["entity", "neighbour"])],
    )
    return EntityDictionary.open(folder)


def test_the_order_of_rows_is_the_prior_and_batches_may_end_anywhere(tmp_path):
    rows = [("a b", "A B", 2), ("a b", "A B", 0), ("a b", "a B", 1), ("c", "Cc", 1)]
    whole = written_to(tmp_path / "whole", rows, entities=3)
    assert whole.candidates("A B") == ("/m/2", "/m/0", "/m/1")
    assert whole.candidates("a B") == ("/m/1", "/m/2", "/m/0")
    single = written_to(tmp_path / "single", *([row] for row in rows), entities=3)
    for file in whole.path.iterdir():
        assert (single.path / file.name).read_bytes() == file.read_bytes()


def test_the_best_candidates_of_a_name_as_written_are_kept_each_once(tmp_path):
    many = [("ann", "Ann", number // 2) for number in range(4 * CANDIDATES)]
    dictionary = written_to(tmp_path / "d", [*many, ("ann", "ANN", 99)], entities=100)
    kept = [f"/m/{number}" for number in range(CANDIDATES)]
    assert dictionary.candidates("Ann") == (*kept, "/m/99")


def test_names_must_come_sorted(tmp_path):
    with pytest.raises(ValueError, match="not sorted"):
        written_to(tmp_path / "d", [("b", "Bb", 0)], [("a", "Aa", 0)], entities=1)


def test_a_name_is_found_up_to_the_longest_form(tmp_path):
    fits = "Zor " + "q" * 90 + " vaxo" * ((LONGEST - 94) // 5)
    name = fits + "o" * (LONGEST - len(fits))
    longer = name + "o"
    rows = sorted((text.lower(), text, row) for row, text in enumerate((name, longer)))
    dictionary = written_to(tmp_path / "d", rows, entities=2)
    assert entities(dictionary, f"see {name} there") == ["0"]
    assert entities(dictionary, f"see {longer} there") == []


def test_no_names_are_a_dictionary_too(build):
    assert len(build([])) == 0
    assert build([]).mentions("Rome") == ()


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("Denton, Texas", NameRow("denton texas", "Denton, Texas", True, True, True)),
        ("The  Rock", NameRow("the rock", "The Rock", True, True, False)),
        ("kazoo", NameRow("kazoo", "kazoo", True, False, True)),
        ("Her", NameRow("her", "Her", False, True, False)),
        ("1984", NameRow("1984", "1984", False, True, True)),
        ("E\u0301mile", NameRow("\u00e9mile", "\u00c9mile", True, True, True)),
        ("!", NameRow("", "", False, False, False)),
    ],
)
def test_what_is_kept_of_a_name(name, row):
    assert name_row(name) == row


# Words that are no English, and names in lower case: only longest match is left to decide.
WORDS = st.sampled_from(["zor", "qib", "vaxo"])


@given(
    names=st.sets(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=6),
    text=st.lists(WORDS, max_size=12).map(" ".join),
)
def test_longest_match_from_left_to_right_as_a_regular_expression_finds_it(names, text):
    longest_first = sorted(names, key=lambda name: -len(name.split()))
    expected = [
        (len(tokens(text[: match.start()])), match.group())
        for match in re.finditer(rf"\b(?:{'|'.join(longest_first)})\b", text)
    ]
    with tempfile.TemporaryDirectory() as folder:
        dictionary = build_dictionary(
            Path(folder, "d"), [(name, name, "label") for name in names], {}
        )
        found = dictionary.mentions(text, proper_only=False)
    assert [(mention.start, mention.entity) for mention in found] == expected


@pytest.mark.parametrize(
    ("form", "distinctive"),
    [
        ("barack obama", True),
        ("obama", True),
        ("usa", True),
        ("u s", True),
        ("house of representatives", True),
        ("us", False),
        ("la", False),
        ("rock", False),
        ("the rock", False),
        ("the who", False),
    ],
)
def test_a_name_without_capitals_must_still_tell_whom_it_means(form, distinctive):
    assert is_distinctive(form) is distinctive


def test_what_a_name_means_is_found_out_once_in_a_sentence():
    asked = []

    def are_neighbours(one, other):
        asked.append((one, other))
        return (one, other) == (2, 9)

    assert by_context([(1, 2), (9,)] * 500, are_neighbours) == [2, 9] * 500
    assert sorted(asked) == [(1, 9), (2, 9)]  # and not a thousand times
