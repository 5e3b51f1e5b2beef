"""Mining the words that known facts are stated with: counted by hand on a few sentences."""

import json
from collections import Counter

import pytest

import indexes.text.patterns
from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.collections import Document
from indexes.kb.build import build_knowledge_base
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.build import build_collection, build_index
from indexes.text.index import TextIndex
from indexes.text.manifest import read_manifest
from indexes.text.patterns import mine, patterns_path, read_patterns, write_patterns

SPOUSE, BIRTH, PART = "people.person.spouse", "people.person.birth", "location.location.part"
NAMES = {
    "m.ann": "Ann Lee", "m.bob": "Bob Ray", "m.paris": "Paris", "m.opera": "Paris Opera",
    "m.rome": "Rome",
}  # fmt: skip
FACTS = [
    ("m.ann", SPOUSE, "m.bob"),
    ("m.ann", BIRTH, "m.paris"),
    ("m.opera", PART, "m.paris"),
    ("m.ann", BIRTH, "m.nameless"),
]
FILLER = "and so on " * 4  # twelve words
TEXTS = {
    # Both facts: spouse with "marry", birth with "marry", as names are left out.
    "both": "Ann Lee married Bob Ray in Paris.",
    # One context of the spouses, however often they stand there: here he comes first.
    "often": f"Bob Ray kissed Ann Lee {FILLER} x Bob Ray married Ann Lee, whom he kissed.",
    # Twelve words between: a context, with "build" among the four words after it.
    "near": f"Ann Lee {FILLER} Paris, built",
    # Thirteen.
    "far": f"Ann Lee {FILLER} x Paris, built",
    # An entity within another's name is not beside it; "sing" goes with Paris on its own.
    "within": "They sang at the Paris Opera.",
    "beside": "The Paris Opera sang in Paris.",
    # No fact joins the two.
    "unknown": "Bob Ray visited Rome.",
}
# "often" holds kiss and marry; "beside" sing, between the two.
COUNTED = {
    SPOUSE: (2, {"marry": 2, "kiss": 1}),
    BIRTH: (2, {"marry": 1, "build": 1}),
    PART: (1, {"sing": 1}),
}


def knowledge_base(folder, facts):
    def term(text):
        return f"<http://rdf.freebase.com/ns/{text}>"

    lines = [f"{term(a)} {term(r)} {term(b)} ." for a, r, b in facts]
    lines += [f'{term(e)} {term("type.object.name")} "{n}"@en .' for e, n in NAMES.items()]
    folder.mkdir()
    (folder / "dump.nt").write_text("\n".join(lines) + "\n")
    build_knowledge_base([folder / "dump.nt"], folder / "kb")
    return KnowledgeBase.open(folder / "kb")


def index(folder, texts):
    documents = [Document(key, key, text) for key, text in texts.items()]
    build_index(documents, folder, source={}, rejects=Rejects())
    return folder


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    return knowledge_base(tmp_path_factory.mktemp("kb") / "all", FACTS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return index(tmp_path_factory.mktemp("texts") / "index", TEXTS)


@pytest.fixture(scope="module")
def mined(kb, folder):
    with TextIndex.open(folder) as texts:
        return mine(kb, texts)


def plain(counts):
    return {relation: (count.contexts, dict(count.words)) for relation, count in counts.items()}


def test_words_are_counted_as_by_hand(mined):
    assert plain(mined.counts) == COUNTED


def test_only_facts_between_named_entities_are_looked_for(mined):
    assert (mined.manifest.facts, mined.manifest.documents) == (3, len(TEXTS))


def test_counts_are_those_of_all_shards_and_of_any_cut(kb, tmp_path, monkeypatch):
    lines = [json.dumps({"id": key, "text": text}) for key, text in TEXTS.items()]
    (tmp_path / "texts.jsonl").write_text("\n".join(lines) + "\n")
    build_collection(tmp_path / "texts.jsonl", tmp_path / "index", shards=3, workers=1)
    monkeypatch.setattr(indexes.text.patterns, "_TOKENS_AT_A_TIME", 1)
    told = []
    with TextIndex.open(tmp_path / "index") as texts:
        assert plain(mine(kb, texts, on_progress=lambda *done: told.append(done)).counts) == COUNTED
    assert told[-1] == (len(TEXTS), len(TEXTS))


def test_of_a_relation_with_many_facts_some_are_looked_for(kb, folder, monkeypatch):
    facts = [("m.ann", SPOUSE, entity) for entity in NAMES if entity != "m.ann"]
    found = []
    for order in (facts, facts[::-1]):
        with TextIndex.open(folder) as texts, monkeypatch.context() as patched:
            patched.setattr(indexes.text.patterns, "MOST_FACTS", 1)
            some = knowledge_base(folder.parent / f"some-{len(found)}", order)
            found.append(mine(some, texts))
    assert found[0].manifest.facts == 1
    assert plain(found[0].counts) == plain(found[1].counts)


def test_a_knowledge_base_without_facts_that_can_be_found_has_no_words(folder, tmp_path):
    nothing = knowledge_base(tmp_path / "nothing", FACTS[-1:])
    with TextIndex.open(folder) as texts:
        assert mine(nothing, texts).counts == {}


def test_what_was_mined_is_kept_beside_the_index(kb, folder, mined):
    path = patterns_path(kb, folder)
    assert path.parent == folder.parent
    write_patterns(path, mined)
    kept = read_patterns(path, kb=kb, index=read_manifest(folder))
    assert kept == mined
    assert all(isinstance(count.words, Counter) for count in kept.counts.values())
    before = path.read_bytes()
    write_patterns(path, mined)
    assert path.read_bytes() == before
    assert not [each for each in path.parent.iterdir() if each.name.startswith(f".{path.name}")]


def test_words_mined_from_something_else_are_refused(kb, folder, mined, tmp_path):
    path = tmp_path / "mined.parquet"
    texts = read_manifest(folder)
    with pytest.raises(InputError, match=r"no words have been mined: .* --mine"):
        read_patterns(path, kb=kb, index=texts)
    write_patterns(path, mined)
    other = knowledge_base(tmp_path / "other", FACTS[:1])
    with pytest.raises(InputError, match="another knowledge base"):
        read_patterns(path, kb=other, index=texts)
    fewer = read_manifest(index(tmp_path / "fewer", {"both": TEXTS["both"]}))
    with pytest.raises(InputError, match="another index"):
        read_patterns(path, kb=kb, index=fewer)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(indexes.text.patterns, "MOST_FACTS", 5)
        with pytest.raises(InputError, match="other settings"):
            read_patterns(path, kb=kb, index=texts)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match="damaged"):
        read_patterns(path, kb=kb, index=texts)
