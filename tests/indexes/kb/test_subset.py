"""A subset for a text finds in this text what the whole base finds, and nothing else."""

import random
from pathlib import Path

import pytest

from evaluator.errors import InputError
from indexes.kb.build import Options, build_knowledge_base
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.kb.subset import TextWords, words_of
from tests.indexes.kb.test_knowledge_base import ALIAS, LABEL, dump

NAMES = (
    "Ada Bell", "Bell", "Ada", "Paris", "Paris Texas", "Texas", "New York", "York", "Bank of York",
    "Córdoba", "Cordoba", "The Rock", "Rock", "rock", "US", "kazoo", "Apple", "apple pie", "AC/DC",
    "New York Times", "Times", "Her", "Müller", "Strait of Texas", "1984",
)  # fmt: skip
FILLER = ("met", "in", "the", "of", "and", "rock", "apple", "Old", "saw", ",", "Rock", "us")
RELATIONS = ("a.b.knows", "a.b.born", "a.c.near", "d.e.owns")


def world(random_: random.Random, entities: int = 40) -> list[tuple[str, str, str]]:
    """Return statements: names that many share, facts, mediators, types, old and foreign ids."""
    ids = [f"m.{number}" for number in range(entities)]
    said: list[tuple[str, str, str]] = []
    for id_ in ids:
        named = random_.sample(NAMES, random_.choice((0, 1, 1, 2, 3)))
        said += [(id_, LABEL if not n else ALIAS, f'"{name}"@en') for n, name in enumerate(named)]
        if random_.random() < 0.2:
            said.append((id_, LABEL, '"Irgendwer"@de'))
        if random_.random() < 0.3:
            said.append((id_, "type.object.type", random_.choice(("people.person", "m.1"))))
        if random_.random() < 0.3:
            said.append((id_, "type.object.key", f'"/wikipedia/en_title/Title_{id_[2:]}"'))
        if random_.random() < 0.2:
            old = f"m.old{id_[2:]}"
            said.append((old, "dataworld.gardening_hint.replaced_by", id_))
            said.append((old, random_.choice(RELATIONS), random_.choice(ids)))
            said.append((old, ALIAS, f'"{random_.choice(NAMES)}"@en'))
    for _ in range(3 * entities):
        said.append((random_.choice(ids), random_.choice(RELATIONS), random_.choice(ids)))
    for number in range(entities // 2):
        node = f"m.node{number}"
        for _ in range(random_.choice((1, 2, 3))):
            said.append((random_.choice(ids), random_.choice(RELATIONS), node))
            said.append((node, random_.choice(RELATIONS), random_.choice(ids)))
    said += [(relation, LABEL, f'"{relation[4:]} of"@en') for relation in RELATIONS]
    return said


def sentence(random_: random.Random) -> str:
    words = random_.choices([*random_.sample(NAMES, 5), *FILLER], k=random_.randint(3, 9))
    return " ".join(words).replace(" , ", ", ") + "."


@pytest.mark.parametrize("seed", range(6))
def test_on_its_text_a_subset_is_the_whole_base(tmp_path: Path, seed: int):
    random_ = random.Random(seed)
    source = dump(tmp_path / "dump.nt", world(random_))
    text = [sentence(random_) for _ in range(3)]
    (tmp_path / "corpus.txt").write_text("\n".join(text))
    whole, part = (
        KnowledgeBase.open(tmp_path / name)
        for name, only in (("whole", None), ("part", tmp_path / "corpus.txt"))
        if build_knowledge_base([source], tmp_path / name, options=Options(only_entities_in=only))
    )
    assert part.manifest.entities < whole.manifest.entities
    met = set()
    for each in text:
        for proper_only in (True, False):
            for context in (True, False):
                rules = {"proper_only": proper_only, "context": context}
                found = whole.dictionary.mentions(each, **rules)
                assert part.dictionary.mentions(each, **rules) == found
                met.update(mention.entity for mention in found)
    for one in met:
        assert part.names(one) == whole.names(one)
        assert part.query_names(one) == whole.query_names(one)
        assert part.popularity(one) == whole.popularity(one)
        assert part.types(one) == whole.types(one)
        for other in met:
            found = whole.relations_between(one, other, direction="both")
            assert part.relations_between(one, other, direction="both") == found
            for relation in found:
                known = whole.relation(relation.removeprefix("^"))
                assert part.relation(known.id)[:-2] == known[:-2]  # all but inverse and triples
    for number in range(40):
        for id_ in (f"/m/{number}", f"/m/old{number}", f"en:Title_{number}"):
            if (entity := whole.by_id(id_)) in met:
                assert part.by_id(id_) == entity


def test_entities_with_a_name_in_the_text_and_those_of_the_same_name_are_kept(tmp_path: Path):
    statements = [
        ("m.ada", LABEL, '"Ada Bell"@en'),
        ("m.ada", ALIAS, '"The Countess"@en'),
        ("m.other", LABEL, '"The Countess"@en'),  # what "The Countess" means is not Ada's alone
        ("m.paris", LABEL, '"Paris"@en'),
        ("m.rome", LABEL, '"Rome"@en'),
        ("m.song", LABEL, '"Saw"@en'),  # "saw" has no capital in the text
        ("m.long", LABEL, '"Ada Bell Tower"@en'),
        ("m.ada", "a.b.born", "m.paris"),
        ("m.ada", "a.b.born", "m.rome"),
        ("m.rome", "a.b.near", "m.paris"),
        ("m.other", "a.b.near", "m.long"),
        ("a.b.near", LABEL, '"close to"@en'),
    ]
    source = dump(tmp_path / "dump.nt", statements)
    (tmp_path / "corpus.txt").write_text("Ada Bell saw Paris.\nThe tower.\n")
    options = Options(only_entities_in=tmp_path / "corpus.txt")
    manifest = build_knowledge_base([source], tmp_path / "kb", options=options)
    kb = KnowledgeBase.open(tmp_path / "kb")
    kept = {id_ for id_ in ("ada", "other", "paris", "rome", "song", "long") if f"/m/{id_}" in kb}
    assert kept == {"ada", "other", "paris"}
    assert (manifest.entities, manifest.triples, manifest.relations) == (3, 1, 1)
    assert kb.relations_between("/m/ada", "/m/paris") == ("a.b.born",)
    assert kb.popularity("/m/ada") == (0, 2)  # Rome, which is not there, counts
    assert manifest.assembly["only_entities_in"] == "corpus.txt"


@pytest.mark.parametrize(
    ("name", "stands"),
    [
        ("Ada Bell", True),
        ("ada", True),
        ("Bell Ada", False),
        ("Jose", True),
        ("José", True),
        ("Saw", False),
        ("Rock", True),
        ("New York", True),  # over the end of a sentence
        ("AC/DC", True),
        ("Obama's", True),
    ],
)
def test_a_name_stands_in_a_text_where_its_words_do_side_by_side(name: str, stands: bool):
    words = TextWords()
    for text in ("Ada Bell saw José .", "THE ROCK of New", "york York", "AC DC", "Obama 's"):
        words.add(text)
    words.add("of New York")
    assert words.stand([name, "Nobody", name]) == [stands, False, stands]


def test_a_text_is_sentences_or_a_collection_and_may_bring_its_own_mentions(tmp_path: Path):
    lines = tmp_path / "lines.jsonl"
    lines.write_text(
        '{"text": "Ada met Bell.", "mentions": [{"start": 0, "end": 3, "entity": "wd:Q7"}]}\n'
    )
    assert words_of(lines).entities == {"Q7"}
    documents = tmp_path / "documents.jsonl"
    documents.write_text('{"id": "1", "text": "Ada met Bell."}\n')
    for path in (lines, documents):
        assert words_of(path).stand(["Ada", "Bell", "Paris"]) == [True, True, False]
    with pytest.raises(InputError, match="no such file"):
        words_of(tmp_path / "nothing")


def test_a_text_that_names_nothing_makes_no_base(tmp_path: Path):
    source = dump(tmp_path / "dump.nt", [("m.1", LABEL, '"Ada"@en'), ("m.1", "a.b.c", "m.2")])
    (tmp_path / "corpus.txt").write_text("Nobody.")
    options = Options(only_entities_in=tmp_path / "corpus.txt")
    with pytest.raises(InputError, match="no statement between two entities that the text names"):
        build_knowledge_base([source], tmp_path / "kb", options=options)
