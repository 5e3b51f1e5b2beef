import re
from dataclasses import replace
from pathlib import Path

import pytest

from evaluator.errors import ConfigurationError, InputError
from evaluator.model import Rejects
from evaluator.readers import read_extractions, read_facts
from jobs.config import Configuration
from tests.evaluator.readers.examples import example_file, told_by_themselves
from tests.jobs.sample_runs import CONF

MINIMAL = """
name = "small"
run = "out"
systems = ["one=tabbed:one.txt"]
[corpus]
sentences = "sentences.txt"
[kb]
path = "kb"
[index]
path = "index"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "run.toml"
    path.write_text(text)
    return path


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    configuration = Configuration.load(write(tmp_path, MINIMAL))
    assert configuration.run == tmp_path / "out"
    assert configuration.corpus.sentences == tmp_path / "sentences.txt"
    assert configuration.systems[0].path == tmp_path / "one.txt"


def test_public_data_are_found_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTVAL_DATA", "/data")
    text = MINIMAL.replace("one=tabbed:one.txt", "one=tabbed:${DISTVAL_DATA}/one.txt")
    assert Configuration.load(write(tmp_path, text)).systems[0].path == Path("/data/one.txt")


def test_settings_can_be_replaced(tmp_path: Path) -> None:
    path = write(tmp_path, MINIMAL)
    configuration = Configuration.load(
        path, overrides=["pmi.threshold=0.25", "pmi.variant=classic"]
    )
    assert (configuration.pmi.threshold, configuration.pmi.variant) == (0.25, "classic")


def test_every_setting_that_changes_a_figure_is_listed(tmp_path: Path) -> None:
    flat = Configuration.load(write(tmp_path, MINIMAL)).flat()
    assert {"pmi.x", "pmi.threshold", "match.threshold", "sample.seed", "link.arguments"} <= set(
        flat
    )
    assert not any(key.startswith("spark") for key in flat)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "[pmi]\nthresold = 1",
            "unknown key pmi.thresold; did you mean threshold? known: variant, smoothing, x,",
        ),
        ("[nonsense]\na = 1", "unknown key nonsense"),
        ("[pmi]\nx = -1", "pmi.x: input should be greater than or equal to 0"),
        (
            "[pmi]\nvariant = 'fast'",
            "input should be 'classic', 'proximity' or 'anchored'",
        ),
        (
            "[superset]\nwindow = 2\nwords = 'near'",
            'superset: window = 2 takes all relation words of two sentences, and words = "near" '
            'only some of one: set words = "sentence", or window = 1',
        ),
        ("[superset]\nwindow = 0", "superset.window: input should be greater than or equal to 1"),
        ("[superset]\nwindow = 1.5", "superset.window: input should be a valid integer"),
        ("[sample]\nsystem = 'many'", "sample.system: input should be a valid integer"),
    ],
)
def test_a_wrong_setting_is_told_in_one_line(tmp_path: Path, change: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Configuration.load(write(tmp_path, MINIMAL + change))
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


BROUGHT = "name one of this machine, and spark.storage brings what is there to a cluster"


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("hdfs://node/a", BROUGHT),
        ("s3a://bucket/a", BROUGHT),
        ("file:///data/a", "name /data/a"),
    ],
)
def test_a_url_is_refused_and_makes_no_folder_of_its_name(
    tmp_path: Path, url: str, remedy: str
) -> None:
    path = write(tmp_path, MINIMAL)
    told = f"{url} is a URL, and paths alone are read: {remedy}"
    for change in (f"run={url}", f"index.path={url}", f"kb.sources=['{url}']"):
        with pytest.raises(ConfigurationError, match=f"{change.partition('=')[0]}: {told}$"):
            Configuration.load(path, overrides=[change])
    with pytest.raises(ConfigurationError, match=f"systems: {told}$"):
        Configuration.load(path, overrides=[f"systems=['a=tabbed:{url}']"])


def test_two_systems_of_one_name_are_refused(tmp_path: Path) -> None:
    text = MINIMAL.replace('"one=tabbed:one.txt"', '"one=tabbed:a", "one=tabbed:b"')
    with pytest.raises(ConfigurationError, match="two systems have the same name"):
        Configuration.load(write(tmp_path, text))


def test_an_unknown_format_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    text = MINIMAL.replace("tabbed", "tabular")
    known = r"unknown format 'tabular'; known: .*cesi, .*tabbed, "
    with pytest.raises(ConfigurationError, match=known):
        Configuration.load(write(tmp_path, text))


def test_the_scope_that_was_called_all_is_told_its_new_name(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r'link\.scope: "all" is no scope any more: "phrases"'
    ):
        Configuration.load(write(tmp_path, MINIMAL), overrides=["link.scope=all"])


@pytest.mark.parametrize("content", [None, b"name = ", b"\xff\xfe"])
def test_a_file_that_is_no_configuration_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "run.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=r"run\.toml: "):
        Configuration.load(path)


WITHOUT_CORPUS = MINIMAL.replace('[corpus]\nsentences = "sentences.txt"\n', "")


def test_facts_need_no_corpus(tmp_path: Path) -> None:
    text = WITHOUT_CORPUS.replace("tabbed", "facts")
    configuration = Configuration.load(write(tmp_path, text))
    assert configuration.corpus is None
    assert configuration.gives_facts


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (WITHOUT_CORPUS, "one: extractions need the sentences that they come from"),
        (
            MINIMAL.replace('"one=', '"two=facts:two.tsv", "one='),
            "two: facts without sentences, one: extractions; evaluate them in two runs",
        ),
        (
            WITHOUT_CORPUS.replace('"one=', '"two=facts:two.tsv", "one='),
            "two: facts without sentences, one: extractions; evaluate them in two runs",
        ),
        (
            MINIMAL.replace("sentences =", "sentence ="),
            "unknown key corpus.sentence; did you mean sentences? known: sentences, collection, "
            "format, select",
        ),
    ],
)
def test_a_corpus_goes_with_extractions(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Configuration.load(write(tmp_path, text))
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


DOCUMENTS = MINIMAL.replace(
    'sentences = "sentences.txt"', 'collection = "articles"\nselect = ["AC/*"]'
)


def test_a_corpus_of_documents_is_a_collection(tmp_path: Path) -> None:
    corpus = Configuration.load(write(tmp_path, DOCUMENTS)).corpus
    assert corpus is not None
    assert corpus.path == tmp_path / "articles"
    assert (corpus.format, corpus.select) == ("auto", ("AC/*",))
    assert Configuration.load(write(tmp_path, MINIMAL)).corpus.format == "lines"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            DOCUMENTS.replace("[corpus]", '[corpus]\nsentences = "sentences.txt"'),
            "corpus: give either sentences or collection",
        ),
        (MINIMAL.replace('sentences = "sentences.txt"', ""), "give either sentences or collection"),
        (MINIMAL.replace("[kb]", 'select = ["AC/*"]\n[kb]'), "select is for a collection"),
        (DOCUMENTS.replace("select", "format = 'lines'\nselect"), "known: auto, wikiextractor, "),
        (MINIMAL.replace("[kb]", 'format = "text"\n[kb]'), "is unknown; known: lines, jsonl"),
    ],
)
def test_a_corpus_is_of_one_kind(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Configuration.load(write(tmp_path, text))
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_baseline_is_a_system_without_a_file(tmp_path: Path) -> None:
    text = MINIMAL.replace("systems = [", 'systems = ["Near = baseline :between@3", ')
    configuration = Configuration.load(write(tmp_path, text))
    assert [source.name for source in configuration.files] == ["one"]
    assert {name: str(one) for name, one in configuration.baselines.items()} == {
        "Near": "between@3"
    }


def test_a_sample_can_be_everything(tmp_path: Path) -> None:
    configuration = Configuration.load(write(tmp_path, MINIMAL), overrides=["sample.system=all"])
    assert configuration.sample.system > 10**18
    assert configuration.flat()["sample.system"] == "all"
    assert configuration.flat()["sample.candidates"] == 40_000


@pytest.mark.parametrize("name", [name for name in told_by_themselves() if name != "wire57"])
def test_a_system_is_read_alike_by_itself_and_by_the_name_of_its_format(
    tmp_path: Path, name: str
) -> None:
    example_file(name, tmp_path)
    facts = name == "facts"
    kind = WITHOUT_CORPUS if facts else MINIMAL
    systems = f'systems = ["a=auto:{name}.example", "b={name}:{name}.example"]'
    path = write(tmp_path, re.sub(r"systems = \[.*\]", systems, kind))
    sources = Configuration.load(path).systems
    assert [source.format for source in sources] == [name, name]
    read = read_facts if facts else read_extractions
    found, named = (
        [replace(record, system="") for record in read(source, rejects=Rejects())]
        for source in sources
    )
    assert found
    assert found == named


def test_a_chain_of_languages_is_a_list_and_a_single_one_stays_a_text(tmp_path: Path):
    conf = write(tmp_path, MINIMAL)
    assert Configuration.load(conf).kb.language == "en"
    for written in ('"de,en,mul"', '["de", "en", "mul"]'):
        found = Configuration.load(conf, overrides=[f"kb.language={written}"])
        assert found.kb.language == "de,en,mul"
    with pytest.raises(ConfigurationError, match=r"kb\.language: a language is named twice"):
        Configuration.load(conf, overrides=['kb.language=["de", "de"]'])


def test_the_text_of_a_subset_is_a_path_of_the_knowledge_base(tmp_path: Path):
    conf = write(
        tmp_path, MINIMAL.replace('path = "kb"', 'path = "kb"\nonly_entities_in = "a.txt"')
    )
    assert Configuration.load(conf).kb.only_entities_in == tmp_path / "a.txt"


@pytest.mark.parametrize("tag", ["auto", "en", "en-GB"])
def test_english_is_english_in_every_country(tag: str) -> None:
    assert Configuration.load(CONF, overrides=[f"language={tag}"]).is_english


def test_a_path_typed_in_a_shell_may_name_the_public_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISTVAL_DATA", "/data")
    loaded = Configuration.load(CONF, overrides=["kb.path=${DISTVAL_DATA}/kb"])
    assert loaded.kb.path == Path("/data/kb")


def test_every_path_typed_in_a_shell_is_relative_to_where_it_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", "/home/ann")
    typed = [
        'systems=["a=tabbed:a.txt", "b=json(subject=who,relation=does):~/b.json"]',
        'kb.sources=["kb.nt", "/all.nt"]',
        'external.judges=["gemma=answers.jsonl"]',
        "index.path=~/index",
    ]
    loaded = Configuration.load(write(tmp_path, MINIMAL), overrides=typed)
    assert [source.path for source in loaded.systems] == [here / "a.txt", Path("/home/ann/b.json")]
    assert loaded.kb.sources == (here / "kb.nt", Path("/all.nt"))
    assert [judge.path for judge in loaded.external.judges] == [here / "answers.jsonl"]
    assert loaded.index.path == Path("/home/ann/index")
    assert loaded.corpus is not None
    assert loaded.corpus.path == tmp_path / "sentences.txt"


@pytest.mark.parametrize(
    ("path", "problem"),
    [("$HOME/kb", r"\$HOME is not filled in"), ("~nobody-here/kb", "the home folder of nobody")],
)
def test_what_a_shell_would_fill_in_is_told(tmp_path: Path, path: str, problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        Configuration.load(write(tmp_path, MINIMAL.replace('"kb"', f'"{path}"')))
