"""The text index, on real Lucene: counts against brute force, and what is refused."""

import json
import os
import pickle
import random
import shutil
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import indexes.text.index
from evaluator.counting.definition import IF_NAMED, Counts
from evaluator.counting.fact_table import FactTable
from evaluator.counting.topics import topics
from evaluator.errors import ConfigurationError, InputError
from evaluator.model import Rejects
from evaluator.text import tokens
from indexes.collections import Document
from indexes.jvm import running
from indexes.sums import sealed
from indexes.text.build import build_collection, build_index
from indexes.text.index import TextIndex
from indexes.text.plan import Pace
from indexes.text.snippets import closest, closest_anchored, closest_pair
from tests.brute_force import brute_force_context, brute_force_counts, spans

TEXTS = {
    "jarrett": "Valerie Jarrett was appointed as senior advisor by Barack Obama",
    "rome": "Unlike Mr. Biden, Barack Obama’s visit to Rome ended on 4/5.\nThe G8 Summit began.",
    "band": "The The is a band; THE THE!",
    "bank": "The Bank of America, in Boston. "
    + "Filler words here. " * 30
    + "A bank: Bank of America.",
    "cafe": "Cafe\u0301 Müller 𝒳𝒴 in 北京, U.S.A.",
    "empty": "",
}
VISIT = (("visit",), ("visited",), ("visiting",), ("visits",))


def name(text):
    return (tuple(tokens(text)),)


def build(folder, texts, **manifest):
    documents = [Document(key, f"About {key}", text) for key, text in texts.items()]
    build_index(documents, folder, source=manifest, rejects=Rejects())
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return build(tmp_path_factory.mktemp("text") / "index", TEXTS)


@pytest.fixture(scope="module")
def index(folder):
    with TextIndex.open(folder) as opened:
        yield opened


def count(index, e1, r, e2, **options):
    return index.count([(name(e1), name(r), name(e2))], **{"x": 4, **options})[0]


def test_figure_2(index):
    fact = name("Valerie Jarrett"), (("advisor",), ("advisors",)), name("Barack Obama")
    assert index.count([fact], x=4) == [Counts(1, 1, 1, 0, 0)]
    assert index.count([fact], x=3) == [Counts(1, 1, 0, 0, 0)]
    assert index.queries(*fact, 4) == {
        "pair": "(valerie jarrett) AND (barack obama)",
        "classic": "(valerie jarrett) AND (advisor OR advisors) AND (barack obama)",
        "proximity": "(valerie jarrett) NEAR:4 (advisor OR advisors) NEAR:4 (barack obama)",
        "topic": "topic:(valerie jarrett) AND (barack obama)",
        "anchored": "topic:(valerie jarrett) AND (advisor OR advisors) NEAR:32 (barack obama)",
    }


def test_term_counts_are_occurrences_in_the_texts(index):
    # "the" is also a title's word nowhere, "about" only a title's.
    forms = ["the", "bank", "obama", "about", "the bank", "zzyzx", "北京"]
    assert index.term_counts(forms) == [6, 3, 2, 0, 0, 0, 1]
    assert index.term_counts([]) == []


def test_a_query_quotes_names_among_alternatives(index):
    queries = index.queries((("us",), ("united", "states")), (), name("Rome"), 2)
    assert queries["pair"] == '(us OR "united states") AND (rome)'


def test_words_match_as_they_are_tokenised_everywhere_else(index):
    assert count(index, "OBAMA's", "visit", "rome") == Counts(1, 1, 1, 0, 0)
    assert count(index, "The The", "band", "the the") == Counts(1, 1, 1, 0, 0)
    assert (
        count(index, "Caf\u00e9 M\u00fcller", "\U0001d4b3\U0001d4b4", "\u5317\u4eac").proximity == 1
    )
    assert count(index, "U S A", "in", "Müller").classic == 1


def test_titles_are_not_counted(index):
    assert count(index, "About", "visit", "Rome").pair == 0


def test_a_word_inside_a_name_is_not_the_relation(index):
    assert count(index, "Bank of America", "bank", "Boston") == Counts(1, 1, 0, 0, 0)
    assert count(index, "Bank in America", "bank", "Boston") == Counts(0, 0, 0, 0, 0)


def test_a_word_that_is_nowhere(index):
    assert count(index, "Atlantis", "visit", "Rome") == Counts(0, 0, 0, 0, 0)
    assert count(index, "Barack Obama", "colonise", "Rome") == Counts(1, 0, 0, 0, 0)


def random_element(generator):
    some = [
        tuple(generator.choice("abcd") for _ in range(generator.choice([1, 1, 2, 3])))
        for _ in range(generator.choice([1, 1, 2, 3]))
    ]
    short = [(IF_NAMED, generator.choice("abcd"))] * generator.choice([0, 0, 1])
    return (*some, *short)


def random_collection(folder, generator):
    """Write a collection of short texts; return its file, the texts and what each is about."""
    documents = [
        [generator.choice("abcdxxx") for _ in range(generator.randrange(15))] for _ in range(60)
    ]
    titles = generator.choices(["", "a", "b (c)", "a b", "c"], k=60)
    about = [topics(title, words) for title, words in zip(titles, documents, strict=True)]
    lines = [
        {"id": str(n), "title": title, "text": " ".join(words)}
        for n, (title, words) in enumerate(zip(titles, documents, strict=True))
    ]
    collection = folder / "texts.jsonl"
    collection.write_text("\n".join(map(json.dumps, lines)) + "\n")
    return collection, documents, about


@pytest.mark.parametrize(
    ("shards", "options"),
    [
        (1, {"engine": "bulk"}),
        (1, {"engine": "bulk", "memory": 20_000}),
        (3, {"engine": "bulk"}),
        (3, {"engine": "direct"}),
        pytest.param(3, {"engine": "bulk", "workers": 2}, marks=pytest.mark.slow),
    ],
    ids=["whole", "in blocks", "in shards", "by queries", "in processes"],
)
def test_counts_equal_brute_force(tmp_path, monkeypatch, shards, options):
    monkeypatch.setattr(indexes.text.index, "_WORTH_A_PROCESS", 0)
    generator = random.Random(2012)
    collection, documents, about = random_collection(tmp_path, generator)
    build_collection(
        collection, tmp_path / "index", shards=shards, workers=1, pace=Pace(batch_bytes=200)
    )
    elements = [random_element(generator) for _ in range(12)]
    with TextIndex.open(tmp_path / "index") as index:
        assert len(index.shards) == shards
        asking = [(4, False, "and"), (0, False, "near"), (2, True, "and"), (3, True, "near")]
        if "workers" in options:  # each starts processes, which are told all as one is
            asking = asking[-1:]
        for x, ordered, denominator in asking:
            asked = {"x": x, "reach": x + 1, "ordered": ordered, "denominator": denominator}
            facts = [tuple(generator.choices(elements, k=3)) for _ in range(20)]
            assert index.count(facts, **asked, **options) == [
                brute_force_counts(documents, *fact, topics=about, **asked) for fact in facts
            ]
            table = FactTable.of(facts)
            context = index.hits(table, **asked, **options, context=True)[:, 5:].tolist()
            assert context == [
                [
                    count or 0
                    for count in brute_force_context(
                        documents, *fact, x=x, reach=x + 1, topics=about
                    )
                ]
                for fact in facts
            ]


def test_a_program_that_asks_for_processes_gets_the_same_counts(folder, tmp_path):
    """The program has no guard of ``__main__``: what it starts must not run it again."""
    program = tmp_path / "program.py"
    program.write_text(f"""
import indexes.text.index
from pathlib import Path

indexes.text.index._WORTH_A_PROCESS = 0
with indexes.text.index.TextIndex.open(Path({str(folder)!r})) as index:
    fact = ((("obama",),), (("visit",),), (("rome",),))
    print(index.count([fact], x=4, engine="bulk", workers=2))
""")
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, program],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == "[Counts(pair=1, classic=1, proximity=1, topic=0, anchored=0)]"


def test_the_engine_is_chosen_by_cost(index, monkeypatch):
    def refuse(*_args, **_options):
        raise AssertionError

    fact = name("Obama"), name("visit"), name("Rome")
    monkeypatch.setattr(indexes.text.index, "direct_hits", refuse)
    assert index.count([fact] * 100_000, x=4) == [Counts(1, 1, 1, 0, 0)] * 100_000
    with pytest.raises(AssertionError):
        index.count([fact] * 10, x=4, engine="direct")
    monkeypatch.undo()
    monkeypatch.setattr(indexes.text.index, "_SECONDS_PER_ELEMENT", 1)
    monkeypatch.setattr(indexes.text.index, "count_shards", refuse)
    assert index.count([fact], x=4) == [Counts(1, 1, 1, 0, 0)]


def test_an_engine_that_is_none_is_refused(index):
    with pytest.raises(ConfigurationError, match='engine "fast"'):
        index.count([], x=4, engine="fast")


def test_counts_are_exact_beyond_a_thousand_documents(tmp_path):
    texts = {f"near {n}": "Rome saw a visit of Obama" for n in range(1234)}
    texts |= {f"far {n}": "Rome. Visit. " + "x " * 9 + "Obama" for n in range(1100)}
    texts |= {f"pair {n}": "Obama in Rome" for n in range(321)}
    with TextIndex.open(build(tmp_path / "index", texts)) as index:
        assert count(index, "Obama", "visit", "Rome") == Counts(2655, 2334, 1234, 0, 0)


# --- Snippets


def test_a_snippet_shows_the_elements_in_the_text_as_written(index):
    (snippet,) = index.snippets(name("Barack Obama"), VISIT, name("Rome"), x=4)
    assert (snippet.document, snippet.title, snippet.near) == ("rome", "About rome", True)
    assert snippet.parts() == [
        ("Unlike Mr. Biden, ", ""),
        ("Barack Obama", "e1"),
        ("’s ", ""),
        ("visit", "r"),
        (" to ", ""),
        ("Rome", "e2"),
        (" ended on 4/5. The G8 Summit began", ""),
    ]


def test_a_snippet_of_far_elements_is_in_pieces(index):
    (snippet,) = index.snippets(name("Boston"), name("bank"), name("Bank of America"), x=4)
    assert not snippet.near
    assert " … " in snippet.text
    assert [text for text, kind in snippet.parts() if kind] == ["Boston", "bank", "Bank of America"]
    assert "".join(text for text, _ in snippet.parts()) == snippet.text


def test_snippets_come_closest_first_proximity_before_all(tmp_path):
    texts = {
        "far": "Obama visited " + "x " * 9 + "Rome",
        "lopsided": "Obama x x x x visited Rome",
        "near": "Obama x x x visited x x x Rome",
        "nearest": "Rome Obama visits",
        "pair": "Obama Rome",
    }
    with TextIndex.open(build(tmp_path / "index", texts)) as index:
        fact = name("Obama"), VISIT, name("Rome")
        found = index.snippets(*fact, x=3, most=9)
        assert [snippet.document for snippet in found] == ["nearest", "near", "lopsided", "far"]
        assert [snippet.near for snippet in found] == [True, True, False, False]
        assert index.snippets(*fact, x=3, most=1) == found[:1]
        (pair,) = index.snippets(fact[0], (), fact[2], x=3, most=1)
        assert (pair.document, len(pair.highlights)) == ("pair", 2)
        assert index.snippets((), VISIT, fact[2], x=3) == []


def test_documents_about_e1_come_after_proximity_and_before_the_rest(tmp_path):
    documents = [
        Document("far", "Rome", "Obama visited " + "x " * 9 + "Rome"),
        Document("article", "Barack Obama", "He visited the city of Rome"),
        Document("long article", "Obama (man)", "Obama. " + "x " * 50 + "He visited Rome"),
        Document("near", "", "Rome saw Obama visits"),
        Document("both", "Obama", "Obama visited Rome"),
        Document("beyond reach", "Obama", "He visited " + "x " * 9 + "Rome"),
    ]
    build_index(documents, tmp_path / "index", source={}, rejects=Rejects())
    with TextIndex.open(tmp_path / "index") as index:
        obama = (*name("Obama"), *name("Barack Obama"))
        found = index.snippets(obama, VISIT, name("Rome"), x=3, reach=8, most=9)
    assert [(snippet.document, snippet.near, snippet.about) for snippet in found] == [
        ("both", True, True),
        ("near", True, False),
        ("long article", False, True),
        ("article", False, True),
        ("far", False, False),
    ]
    shown = {snippet.document: snippet.parts() for snippet in found}
    assert shown["article"] == [
        ("He ", ""),
        ("visited", "r"),
        (" the city of ", ""),
        ("Rome", "e2"),
    ]
    assert [kind for _, kind in shown["long article"] if kind] == ["e1", "r", "e2"]


def test_the_snippets_shown_are_those_of_the_closest_of_all_documents(tmp_path):
    generator = random.Random(1815)
    collection, documents, about = random_collection(tmp_path, generator)
    build_collection(
        collection, tmp_path / "index", shards=3, workers=1, pace=Pace(batch_bytes=200)
    )
    elements = [random_element(generator) for _ in range(12)]
    facts = [tuple(generator.choices(elements, k=3)) for _ in range(60)]
    facts += [(e1, (), e2) for e1, _, e2 in facts[:20]]
    x, reach, shown = 2, 3, 0
    with TextIndex.open(tmp_path / "index") as index:
        for e1, r, e2 in facts:
            closest_first = sorted(
                (standing, document)
                for document, (words, names) in enumerate(zip(documents, about, strict=True))
                if (standing := least_standing(words, names, e1, r, e2, x=x, reach=reach))
            )
            for most in (1, 3, 100):
                found = index.snippets(e1, r, e2, x=x, reach=reach, most=most)
                assert [int(snippet.document) for snippet in found] == [
                    document for _, document in closest_first[:most]
                ]
                shown += len(found)
    assert shown > 500


def least_standing(words, names, e1, r, e2, *, x, reach):
    held = [sorted(set(spans(words, element))) for element in (e1, r, e2) if element]
    standing = closest(*held, x=x) if r else closest_pair(*held)
    anchored = None
    if r and not set(e1).isdisjoint(names) and held[1] and held[2]:
        anchored = closest_anchored(*held, reach=reach)
    return min((each for each in (standing, anchored) if each is not None), default=None)


def test_an_index_travels_as_its_path(folder):
    with TextIndex.open(folder) as index, pickle.loads(pickle.dumps(index)) as copy:
        assert count(copy, "Barack Obama", "visit", "Rome") == Counts(1, 1, 1, 0, 0)


def test_threads_share_an_index(index):
    fact = name("Barack Obama"), VISIT, name("Rome")
    with ThreadPoolExecutor(3) as pool:
        counts = [pool.submit(index.count, [fact], x=x) for x in range(4) for _ in range(3)]
        snippets = [pool.submit(index.snippets, *fact, x=x) for x in range(4)]
    assert [future.result() for future in counts] == [
        [Counts(1, 1, x >= 1, 0, 0)] for x in range(4) for _ in range(3)
    ]
    assert all(future.result()[0].document == "rome" for future in snippets)


def test_an_index_open_across_a_fork_is_refused_in_the_child(folder):
    code = (
        "import os, sys; from pathlib import Path; from indexes.text.index import TextIndex\n"
        "from evaluator.errors import DistvalError\n"
        "with TextIndex.open(Path(sys.argv[1])) as index:\n"
        "    if os.fork() == 0:\n"
        "        try: index.count([((('a',),),) * 3], x=1)\n"
        "        except DistvalError as error: print(error, flush=True)\n"
        "        os._exit(0)\n"
        "    os.wait()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, folder],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "forked from one with a running JVM" in done.stdout


# --- What is refused


def refusal(path):
    with pytest.raises(InputError) as caught:
        TextIndex.open(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    assert "distval index build" in message
    return message


def test_a_folder_without_an_index_is_refused(tmp_path):
    assert "no such folder" in refusal(tmp_path / "absent")
    assert "empty folder" in refusal(tmp_path)
    (tmp_path / "notes").touch()
    assert "no text index" in refusal(tmp_path)
    assert "is not a folder" in refusal(tmp_path / "notes")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("DOCS_AND_FREQS", "without positions"),
        ("DOCS_AND_FREQS_AND_POSITIONS", "of unknown analysis"),
    ],
)
def test_a_lucene_index_of_others_is_refused(tmp_path, options, problem):
    with running() as java:
        path = java.autoclass("java.nio.file.Paths").get(str(tmp_path))
        writer = java.autoclass("org.apache.lucene.index.IndexWriter")(
            java.autoclass("org.apache.lucene.store.FSDirectory").open(path),
            java.autoclass("org.apache.lucene.index.IndexWriterConfig")(),
        )
        field_type = java.autoclass("org.apache.lucene.document.FieldType")()
        index_options = java.autoclass("org.apache.lucene.index.IndexOptions")
        field_type.setIndexOptions(getattr(index_options, options))
        document = java.autoclass("org.apache.lucene.document.Document")()
        document.add(
            java.autoclass("org.apache.lucene.document.Field")(
                "contents",
                java.cast("java.lang.CharSequence", java.autoclass("java.lang.String")("a b")),
                java.cast("org.apache.lucene.index.IndexableFieldType", field_type),
            )
        )
        writer.addDocument(document)
        writer.close()
    assert problem in refusal(tmp_path)


def test_another_analysis_is_refused(tmp_path):
    folder = build(tmp_path / "index", {"a": "Obama"})
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "analysis": "english-1"}))
    assert 'the analysis "english-1"' in refusal(folder)


def test_a_damaged_index_is_refused(tmp_path):
    folder = build(tmp_path / "index", {"a": "Obama"})
    manifest = json.loads((folder / "manifest.json").read_text())
    (shard,) = manifest["shards"]
    more = {**manifest, "shards": [{**shard, "documents": 2}]}
    (folder / "manifest.json").write_text(json.dumps(more))
    assert "manifest.json: damaged, or edited by hand" in refusal(folder)
    (folder / "manifest.json").write_text(json.dumps({**manifest, "documents": 2}))
    assert "manifest.json: damaged, or edited by hand" in refusal(folder)
    more.pop("sum")
    (folder / "manifest.json").write_text(json.dumps(sealed(more)))
    assert "holds 1 documents in 1 segments, its manifest says 2 in one" in refusal(folder)
    (folder / "manifest.json").write_text("{")
    assert "damaged" in refusal(folder)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (segments,) = Path(folder).glob("shard-*/segments_*")
    segments.write_bytes(segments.read_bytes()[:20])
    assert f"{segments}: damaged (20 bytes, of " in refusal(folder)
    with pytest.raises(InputError, match="Lucene cannot open it"):
        TextIndex(folder)


@pytest.mark.parametrize("kind", ["pos", "doc", "tim", "fdt", "npy"])
def test_a_flipped_bit_is_refused_before_anything_is_counted(tmp_path, kind):
    folder = build(tmp_path / "index", {str(n): f"Obama visit Rome w{n}" for n in range(300)})
    (file,) = folder.glob(f"shard-*/*.{kind}")
    then = file.stat()
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    os.utime(file, ns=(then.st_atime_ns, then.st_mtime_ns))  # disks that fail change no times
    assert f"{file}: damaged (its sum is not that of what was written)" in refusal(folder)


def of_an_older_lucene(content):
    """Name the codec of a version whose files Lucene cannot read any more."""
    content[:] = content.replace(b"Lucene104", b"Lucene084")


def of_a_newer_lucene(content):
    # Behind the header, which ends with a suffix: the version that wrote the file, as three numbers
    # below 128, and the major one that created the index.
    at = 34 + content[33]
    content[at] = content[at + 3] = 12


@pytest.mark.parametrize(
    ("change", "age"), [(of_an_older_lucene, "an older"), (of_a_newer_lucene, "a newer")]
)
def test_an_index_of_another_lucene_is_not_called_damaged(tmp_path, change, age):
    folder = build(tmp_path / "index", {"a": "Obama"})
    (segments,) = folder.glob("shard-*/segments_*")
    content = bytearray(segments.read_bytes())
    change(content)
    content[-8:] = zlib.crc32(content[:-8]).to_bytes(8, "big")  # the sum of all before it
    segments.write_bytes(content)
    with pytest.raises(InputError, match=f"written by {age} Lucene, .*: build one there") as caught:
        TextIndex(folder)
    assert "damaged" not in str(caught.value)
    shutil.move(segments.parent, tmp_path / "of others")  # and one that we did not build
    assert f"written by {age} Lucene" in refusal(tmp_path / "of others")


@pytest.mark.parametrize("engine", ["direct", "bulk"])
def test_damage_that_shows_only_when_it_is_read_is_told_in_one_line(tmp_path, engine):
    folder = build(tmp_path / "index", {str(n): f"Obama visit Rome w{n}" for n in range(300)})
    (positions,) = folder.glob("shard-*/*.tim")
    content = bytearray(positions.read_bytes())
    content[60:-20] = b"\xff" * len(content[60:-20])  # sums are at the end
    positions.write_bytes(content)

    def ask():
        with TextIndex(folder) as index:
            for n in range(300):
                count(index, "Obama", f"w{n}", "Rome", engine=engine)

    with pytest.raises(InputError, match="shard-00000: damaged, Lucene cannot read it") as caught:
        ask()
    assert "\n" not in str(caught.value)
