"""Triples in JSON: whatever keys and container, each is read or refused with a reason."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import ConfigurationError
from evaluator.model import Rejects
from evaluator.readers import SystemSource, formats, json_triples, jsonl
from evaluator.readers._accounts import FileAccount
from evaluator.readers._json_values import CUT
from tests.evaluator.readers.block_texts import almost, known_as, read, triple

LENA = ("Lena Marsh", "founded", "Kelp")
NEITHER = "an object without subject and relation under a known key; map its keys (--map)"
NOT_OF_JSON = "a number that JSON does not have"
TWO = [LENA, ("Marek", "left", "Oslo")]


def triples(text: str) -> list[tuple[str, ...]]:
    return [triple(extraction) for extraction in read("json", text)[0]]


def reason(text: str) -> str:
    """Return why the one value of a text is refused."""
    extractions, rejects = read("json", text)
    assert extractions == []
    ((why, count),) = rejects.counts.items()
    assert count == 1
    return why


@pytest.mark.parametrize(
    "keys",
    [
        ("subject", "predicate", "object"),
        ("head", "relation", "tail"),
        ("s", "p", "o"),
        ("subj", "rel", "obj"),
        ("arg1", "rel", "arg2"),
        ("source", "relation", "target"),
        ("Subject", "Verb", "Object"),
    ],
)
def test_known_keys_name_the_slots(keys):
    record = dict(zip(keys, LENA, strict=True))
    for text in (record, [record], {"triples": [record]}, {"relations": record}):
        assert triples(json.dumps(text)) == [LENA]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(TWO),
        json.dumps(TWO, indent=2),
        json.dumps({"triples": TWO}, indent=4),
        "\n".join(map(json.dumps, TWO)),
        f"{TWO}",
        "\n".join(map(str, TWO)),
        "\n".join(f"{n}. {made}" for n, made in enumerate(TWO, start=1)),
        "\n".join(f"- {made}," for made in TWO),
        f"```json\n{json.dumps(TWO)}\n```",
        f"```\n{json.dumps(TWO[:1])}\n```\n\n~~~ python\n{tuple(TWO[1:])}\n~~~",
        '[["Lena Marsh", "founded", "Kelp",], ["Marek", "left", "Oslo"],]',
        '{"triples": [\n["Lena Marsh", "founded", "Kelp"],\n["Marek", "left", "Oslo"],\n],\n}',
    ],
)
def test_triples_come_in_any_container_and_notation(text):
    assert triples(text) == TWO
    assert read("json", text)[1].total == 0


def test_commas_and_brackets_inside_texts_are_left_alone():
    slots = ('Kelp, "Ltd" ,]', "grew [by", "a third )}")
    assert triples(json.dumps({"triples": [slots]}, indent=1).replace("\n}", ",\n}")) == [slots]


def test_single_quotes_may_hold_apostrophes_as_python_writes_them():
    slots = ("Lena's firm", "said", 'it is "new"')
    assert triples(str([slots])) == [slots]


def test_what_is_said_around_triples_holds_for_each():
    text = json.dumps(
        {"text": "Lena founded Kelp .", "id": 7, "score": "0.5", "doc": "d1", "triples": [
            LENA, {"s": "Lena", "p": "led", "o": "Kelp", "confidence": 0.9, "id": "8"}]}
    )  # fmt: skip
    one, two = read("json", text)[0]
    assert [e.sentence for e in (one, two)] == ["Lena founded Kelp ."] * 2
    assert (one.sentence_id, one.confidence) == ("7", 0.5)
    assert (two.sentence_id, two.confidence) == ("8", 0.9)
    assert one.extra == two.extra == {"doc": "d1"}


@pytest.mark.parametrize("key", ["confidence", "score", "probability"])
def test_a_confidence_has_several_names(key):
    record = {"subject": "Lena", "predicate": "left", "object": "Oslo"}
    assert read("json", json.dumps(record | {key: 0.25}))[0][0].confidence == 0.25
    assert read("json", json.dumps(record | {key: None}))[0][0].confidence is None
    assert reason(json.dumps(record | {key: "high"})) == "confidence is not a number"


def test_a_null_or_missing_object_is_one_argument():
    assert triples('{"subject": "Marek", "predicate": "slept", "object": null}') == [
        ("Marek", "slept", "")
    ]
    assert triples('{"subject": "Marek", "predicate": "slept"}') == [("Marek", "slept", "")]
    assert triples('("Marek", "slept", None)') == [("Marek", "slept", "")]


def test_a_slot_may_be_an_object_with_its_text_or_a_number():
    record = {
        "subject": {"text": "Lena", "modifiers": {"age": 41}},
        "verb": {"text": "left"},
        "object": 1990,
    }
    (extraction,), _ = read("json", json.dumps(record))
    assert triple(extraction) == ("Lena", "left", "1990")
    assert extraction.extra["slots"]["subject"] == record["subject"]
    assert triples(json.dumps([[record["subject"], "left", "Oslo"]])) == [("Lena", "left", "Oslo")]


def test_what_a_triple_says_of_itself_is_kept():
    record = dict(zip(("subject", "predicate", "object"), LENA, strict=True))
    record |= {"negated": True, "modality": "may", "condition": "if", "attribution": "he says"}
    (extraction,), _ = read("json", json.dumps(record | {"asserted": False, "why": [1]}))
    assert (extraction.negated, extraction.modality) == (True, "may")
    assert (extraction.condition, extraction.attribution) == ("if", "he says")
    assert not extraction.asserted
    assert extraction.extra == {"why": [1]}


def test_positional_lists_without_documentation_are_refused():
    # DeepEx issue 9: what the numbers are is nowhere said.
    record = {"A [SEP] made [SEP] B": [8, 0.71, [[0, 25], [65, 75]], 27, 0]}
    assert reason(json.dumps(record)) == NEITHER
    assert reason(json.dumps(record["A [SEP] made [SEP] B"])) == json_triples.POSITIONAL
    assert reason("'A [SEP] made [SEP] B': [8, 0.71, [[0,25],[65,75]], 27, 0]") == "not JSON"
    assert reason('["Lena", "founded", "Kelp", 0.9]') == json_triples.POSITIONAL
    assert reason('["Lena", "founded"]') == json_triples.POSITIONAL


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Lena founded Kelp.", "not JSON"),
        ("(Lena Marsh, founded, Kelp)", "not JSON"),
        ('{"subject": "Lena"', CUT),
        ('{"subject": "Lena", "predicate": "\\ud800"}', "not JSON"),
        ('{"subjekt": "Lena"}', NEITHER),
        ('{"subject": "Lena"}', NEITHER.replace("subject and ", "")),
        ('["Lena", "grew by", NaN]', NOT_OF_JSON),
        ('{"subject": 1e999, "predicate": "left"}', NOT_OF_JSON),
        ('{"subject": "Lena", "predicate": "left", "why": [-Infinity]}', NOT_OF_JSON),
        ('{"subject": null, "predicate": "left"}', "no text as the subject"),
        ('{"subject": "Lena", "predicate": [1]}', "no text as the relation"),
        ('{"subject": "Lena", "predicate": null}', "no relation"),
        ('["Lena", "left", [["Oslo"]]]', "no text as the object"),
        ('{"subject": "Lena", "predicate": "left", "text": 3}', "no text as the sentence"),
        ('{"s": "a", "p": "b", "negated": "no"}', "negated is not true or false"),
        ('{"s": "a", "p": "b", "id": [1]}', "sentence_id is neither text nor a whole number"),
        ('{"s": "a", "p": "b", "more_arguments": "c"}', "more_arguments is not a list"),
    ],
)  # fmt: skip
def test_what_is_no_triple_is_counted_with_its_reason(text, why):
    assert reason(text) == why


def test_an_array_that_was_cut_still_gives_its_lines():
    text = f'[\n{json.dumps(TWO[0])},\n{json.dumps(TWO[1])},\n["Marek", "slept'
    extractions, rejects = read("json", text)
    assert [(e.line, triple(e)) for e in extractions] == [(2, TWO[0]), (3, TWO[1])]
    assert rejects.examples == {CUT: 'line 4: ["Marek", "slept'}


def test_an_empty_list_says_that_there_is_no_triple():
    extractions, rejects = read("json", '{"text": "Oh !", "triples": []}\n[]\n{"triples": null}')
    assert (extractions, rejects.total) == ([], 0)


# ----- keys of one's own


def mapped(record: dict, keys: dict) -> list:
    lines = [(1, json.dumps(record))]
    return list(json_triples.read(lines, system="system", rejects=Rejects(), keys=keys))


def test_a_mapping_names_the_keys_of_a_file():
    record = {"who": "Lena", "does": "left", "whom": "Oslo", "sure": 0.3, "from": "Lena left Oslo"}
    keys = {"subject": "who", "relation": "does", "object": "whom", "confidence": "sure"}
    (extraction,) = mapped(record, keys | {"sentence": "from"})
    assert triple(extraction) == ("Lena", "left", "Oslo")
    assert (extraction.confidence, extraction.sentence) == (0.3, "Lena left Oslo")


def test_a_mapped_key_counts_whatever_else_is_there():
    record = {"subject": "grammar", "head": "Lena", "verb": "left", "arg1": "?", "object": "Oslo"}
    (extraction,) = mapped(record, {"subject": "head"})
    assert triple(extraction) == ("Lena", "left", "Oslo")
    # Others are kept, under names that the format jsonl does not give a meaning to.
    assert extraction.extra == {"subject": "grammar", "json_arg1": "?"}
    # A key may be mapped to another field than it usually stands for.
    record = {"subject": "of the mail", "text": "Lena", "verb": "left"}
    (extraction,) = mapped(record, {"subject": "text"})
    assert (triple(extraction), extraction.sentence) == (("Lena", "left", ""), "")


def test_an_unknown_field_of_a_mapping_is_refused():
    with pytest.raises(ConfigurationError, match=r"no field 'subjekt' to map; known: subject, re"):
        SystemSource("system", "json", Path("f.json"), (("subjekt", "who"),))


def test_a_key_of_a_mapping_that_is_nowhere_is_named():
    record = {"who": "Lena", "does": "left"}
    with pytest.raises(ConfigurationError, match=r"no record has the key 'dose', mapped to relat"):
        mapped(record, {"subject": "who", "relation": "dose"})


# ----- any text


def test_jsonl_is_left_to_its_own_reader():
    record = dict(zip(("arg1", "relation", "arg2"), LENA, strict=True))
    assert known_as(json.dumps(record | {"sentence": "S ."})) == ["jsonl"]
    assert known_as(json.dumps(record | {"text": "S ."})) == ["json"]


values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                sorted(alias for names in json_triples.ALIASES.values() for alias in names)
            )
            | st.text(max_size=3),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(values)
def test_whatever_is_read_of_any_value_is_the_same_as_jsonl(value):
    extractions, _ = read("json", json.dumps(value))
    # The format jsonl wants to know the sentence.
    named = [e for e in extractions if e.sentence.strip() or e.sentence_id]
    lines = enumerate(map(jsonl.line_of, named), start=1)
    again = [replace(e, line=1) for e in jsonl.read(lines, system="system", rejects=Rejects())]
    assert again == named


@given(almost("\n".join([json.dumps(TWO, indent=1), "```", *map(str, TWO), "```", "Well :"])))
def test_any_text_is_read_or_counted(text):
    extractions, rejects = read("json", text)
    assert extractions or rejects.total


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 50_000,
        "[" + '"\\"' * 50_000,
        "[\n" * 20_000,
        "[" * 9000 + "]" * 9000,
    ],
)
def test_depth_and_open_quotes_are_no_trouble(text):
    assert read("json", text)[0] == []


ONE = '{"s": "A", "p": "b", "o": "C"}'
FENCE = "```"


def stored(answer):
    return json.dumps({"id": 1, "sentence": "A b C .", "response": answer})


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "nothing extracted: the answer is empty"),
        (None, "nothing extracted: the answer is empty"),
        ([], "nothing extracted: the answer is empty"),
        ("I cannot.", "no JSON in the answer"),
        ("(a; b; c)", "no JSON in the answer"),
        ('[{"subject": "Le', CUT),
        (f"<think>perhaps {ONE}\nor", CUT),
    ],
)
def test_an_answer_without_a_triple_is_told_by_its_cause(answer, reason):
    rejects = Rejects()
    lines = [(1, stored(answer))]
    assert list(json_triples.read(lines, system="s", rejects=rejects)) == []
    assert rejects.counts == {reason: 1}


@pytest.mark.parametrize(
    "text",
    [
        f"{FENCE}json\n[\n{ONE},\n",
        f"{FENCE}json\n[\n{ONE}\n",
        f"{FENCE}json\n[{ONE},\n",
        f'{FENCE}json\n[\n{{\n"s": "A",\n"p": "b",\n"o": "C"\n}},\n{FENCE}',
    ],
)
@pytest.mark.parametrize("form", [str, stored])
def test_a_list_that_is_cut_after_a_whole_object_counts_once(text, form):
    rejects = Rejects()
    lines = enumerate(form(text).split("\n"), start=1)
    (one,) = json_triples.read(lines, system="s", rejects=rejects)
    assert (one.arg1, one.relation, one.arg2) == ("A", "b", "C")
    assert rejects.counts == {CUT: 1}


@pytest.mark.parametrize("text", [f"<think>no: {ONE}\n{ONE}\n</think>\n[{ONE}]"])
@pytest.mark.parametrize("form", [str, stored])
def test_what_a_model_thinks_is_no_answer(text, form):
    rejects = Rejects()
    lines = enumerate(form(text).split("\n"), start=1)
    assert len(list(json_triples.read(lines, system="s", rejects=rejects))) == 1
    assert rejects.counts == {}
    assert rejects.notes == {"what a model thinks before its answer left out": 1}


def test_thoughts_whose_opening_tag_is_in_the_prompt_are_no_answer():
    rejects = Rejects()
    lines = [(1, stored(f"so {ONE}\n</think>\n[{ONE}]"))]
    assert len(list(json_triples.read(lines, system="s", rejects=rejects))) == 1


@pytest.mark.parametrize("between", ["", "\n"])
def test_what_nests_too_deeply_is_refused_at_once(between):
    rejects = Rejects()
    text = '{"a":' * 100_000 + between + "1" + "}" * 100_000
    lines = [*enumerate(text.split("\n"), start=1), (3, ONE)]
    began = time.monotonic()
    assert len(list(json_triples.read(lines, system="s", rejects=rejects))) == 1
    assert time.monotonic() - began < 10  # it took 40 s
    assert rejects.counts["JSON of more than 100 levels"] == 1


def test_a_key_given_twice_is_refused():
    rejects = Rejects()
    lines = [(1, '{"s": "A", "s": "B", "p": "b", "o": "C"}'), (2, ONE)]
    (one,) = json_triples.read(lines, system="s", rejects=rejects)
    assert (one.arg1, rejects.counts) == ("A", {"an object that gives a key twice": 1})


@pytest.mark.parametrize(
    ("record", "keys"),
    [
        ({"s": "L", "r": "gave", "args": ["B", "a map"]}, None),
        ({"s": "L", "r": "gave", "o": "B", "arguments": ["a map"]}, None),
        ({"who": "L", "r": "gave", "arg0": "L", "arg1": "B", "arg2": "a map"}, {"subject": "who"}),
    ],
)
def test_arguments_in_a_list_or_numbered_beside_a_mapped_subject(record, keys):
    lines = [(1, json.dumps(record))]
    (one,) = json_triples.read(lines, system="s", rejects=Rejects(), keys=keys)
    assert (one.arg1, one.arg2, one.more_arguments) == ("L", "B", ("a map",))


def test_a_key_given_twice_is_refused_in_jsonl_too():
    rejects = Rejects()
    line = '{"sentence": "A b C .", "arg1": "A", "arg1": "B", "relation": "b"}'
    assert list(jsonl.read([(1, line)], system="s", rejects=rejects)) == []
    assert rejects.counts == {"an object that gives a key twice": 1}


def test_objects_of_an_array_over_lines_have_lines_of_their_own():
    one = '  {\n    "subject": "Lena",\n    "relation": "ran [{",\n    "object": "%s"\n  }'
    text = "[\n" + ",\n".join(one % n for n in range(3)) + "\n]"
    extractions, rejects = read("json", text)
    assert [(e.line, e.arg2) for e in extractions] == [(2, "0"), (7, "1"), (12, "2")]
    account = FileAccount()
    lines = account.watched(enumerate(text.split("\n"), start=1))
    assert len(list(account.kept(formats()["json"].read(lines, system="s", rejects=account)))) == 3
    assert account.total == 0
    assert rejects.total == 0
    # What only Python reads has the line of the array.
    extractions, _ = read("json", text.replace('"subject"', "'subject'"))
    assert [e.line for e in extractions] == [1, 1, 1]
