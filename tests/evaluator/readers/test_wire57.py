"""WiRe57's system output: one JSON file, several extractors."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.errors import ConfigurationError, InputError
from evaluator.model import Extraction, Rejects
from evaluator.readers import SystemSource, read_extractions
from evaluator.readers.wire57 import read, recognises

FILE = """{
  "KE 1": [
    {"arg1": "Lena Marsh", "rel": "founded", "arg2": "Kelp", "extractor": "alpha", "score": 0.5,
     "arg3+": ["in Oslo", "in 2003"]},
    {"arg1": "Kelp", "rel": "[is] in", "arg2": "Oslo", "extractor": "Beta", "score": -184.25}
  ],
  "KE 2": [],
  "KE 3": [
    {"arg1": " Kelp", "rel": "grows", "arg2": "", "extractor": "beta", "score": null, "rule": 7}
  ]
}
"""


@pytest.fixture
def read_file(tmp_path):
    def read_content(system, content):
        path = tmp_path / "output.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        rejects = Rejects()
        source = SystemSource(system, "wire57", path)
        return list(read_extractions(source, rejects=rejects)), rejects

    return read_content


def test_the_systems_name_picks_its_records(read_file):
    extractions, rejects = read_file("alpha", FILE)
    assert extractions == [
        Extraction(
            system="alpha",
            line=1,
            sentence="",
            arg1="Lena Marsh",
            relation="founded",
            arg2="Kelp",
            more_arguments=("in Oslo", "in 2003"),
            confidence=0.5,
            sentence_id="KE 1",
        )
    ]
    assert rejects.total == 0


def test_names_are_compared_without_case_and_slots_are_kept_verbatim(read_file):
    first, second = read_file("BETA", FILE)[0]
    assert (first.system, first.line, first.relation, first.confidence) == (
        "BETA",
        2,
        "[is] in",
        -184.25,
    )
    assert (second.line, second.sentence_id, second.arg1, second.arg2, second.confidence) == (
        3,
        "KE 3",
        " Kelp",
        "",
        None,
    )
    assert second.extra == {"rule": 7}


def test_a_missing_extractor_is_told_with_those_that_are_there(read_file):
    with pytest.raises(ConfigurationError, match=r"system gamma: .*Beta, alpha, beta"):
        read_file("gamma", FILE)


GOOD = {"arg1": "a", "rel": "r", "arg2": "b", "extractor": "s"}


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("text", "not a JSON object"),
        ({**GOOD, "extractor": None}, "no text under 'extractor'"),
        ({**GOOD, "rel": 3}, "no text under 'rel'"),
        ({key: GOOD[key] for key in ("arg1", "rel", "extractor")}, "no text under 'arg2'"),
        ({**GOOD, "arg3+": "in Oslo"}, "'arg3+' is not a list of text"),
        ({**GOOD, "arg3+": ["in Oslo", 1]}, "'arg3+' is not a list of text"),
        ({**GOOD, "score": "0.5"}, "score is not a number"),
        ({**GOOD, "score": True}, "score is not a number"),
        ({**GOOD, "score": float("nan")}, "score is not a number"),
        ({**GOOD, "score": 10**400}, "score is not a number"),
        ({**GOOD, "arg1": "\ud800"}, "unpaired surrogate"),
    ],
)
def test_a_malformed_record_is_counted_and_the_others_are_read(read_file, record, reason):
    extractions, rejects = read_file("s", json.dumps({"X 1": [record, GOOD]}))
    assert [extraction.line for extraction in extractions] == [2]
    assert rejects.counts == {reason: 1}


def test_a_sentence_without_a_list_is_counted(read_file):
    extractions, rejects = read_file("s", json.dumps({"X 1": GOOD, "X 2": [GOOD]}))
    assert [extraction.sentence_id for extraction in extractions] == ["X 2"]
    assert rejects.counts == {"no list of records": 1}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (FILE[:-10], "not JSON"),
        (FILE.replace('"rel"', "rel", 1), "line 3"),
        ("[1, 2]", "not an object of sentences"),
        ("[" * 100_000, "not JSON"),
        ("{}", "nothing could be read"),
        ('{"X 1": ["text"]}', "not a JSON object"),
    ],
)
def test_a_file_of_something_else_is_refused(read_file, content, problem):
    with pytest.raises(InputError, match=problem):
        read_file("s", content)


def test_the_format_is_recognised_by_its_beginning():
    assert recognises(FILE.splitlines())
    assert recognises([json.dumps({"X 1": [], "X 2": [GOOD]})])
    assert not recognises([json.dumps({"sentence": "s", "arg1": "a", "relation": "r"})])
    assert not recognises([json.dumps({"sentences": [{"index": 0, "openie": []}]})])
    assert not recognises(["A plain sentence .", ""])
    assert not recognises([])


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*GOOD, "score", "arg3+", "other"]) | st.text(max_size=3),
            inner,
            max_size=6,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=50)
@given(st.dictionaries(st.text(max_size=4), st.lists(st.just(GOOD) | values, max_size=4)))
def test_every_record_is_read_or_counted(sentences):
    rejects = Rejects()
    lines = enumerate(json.dumps(sentences, indent=1).split("\n"), start=1)
    try:
        read_records = len(list(read(lines, system="s", rejects=rejects)))
    except ConfigurationError:
        return  # all good records are another extractor's
    others = sum(
        isinstance(record, dict) and record.get("extractor") not in ("s", "S", None)
        for records in sentences.values()
        for record in records
    )
    total = sum(map(len, sentences.values()))
    assert total - others <= read_records + rejects.total <= total


@given(st.lists(st.text(max_size=20), max_size=5))
def test_no_text_crashes_the_reader(texts):
    rejects = Rejects()
    assert list(read(enumerate(texts, start=1), system="s", rejects=rejects)) == []
    recognises(texts)
