"""Answers of language models as they are stored: strings, cut, doubly encoded, with prose."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import Rejects
from evaluator.readers import SystemSource, json_triples, read_extractions, write_extractions
from evaluator.readers._accounts import NO_RELATION
from evaluator.readers._json_values import CUT, NOT_JSON
from tests.evaluator.readers.block_texts import known_as, read, triple

LENA = {"subject": "Lena", "predicate": "founded", "object": "Kelp"}
BO = {"subject": "Bo", "predicate": "left", "object": "Oslo"}
SLOTS = [("Lena", "founded", "Kelp"), ("Bo", "left", "Oslo")]
BOTH = json.dumps([LENA, BO])
ANSWERS = {
    "bare": BOTH,
    "fenced": f"```json\n{BOTH}\n```",
    "fenced with prose": f"Sure, here is {{result}}:\n\n```json\n{BOTH}\n```\nHope this helps!",
    "fenced on one line": f"```json {BOTH} ```",
    "after prose on the line": f"Here are the triples: {BOTH} That is all.",
    "indented": json.dumps({"triples": [LENA, BO]}, indent=2),
    "two fences": f"```\n{json.dumps(LENA)}\n```\nand\n```\n{json.dumps(BO)}\n```",
    "Python": repr([LENA, BO]),
    "lists": json.dumps(SLOTS),
    "a line each": f"{json.dumps(LENA)}\n{json.dumps(BO)}",
    "encoded again": json.dumps(BOTH),
}


def slots(text: str) -> list[tuple[str, ...]]:
    return [triple(extraction) for extraction in read("json", text)[0]]


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("key", ["output", "response", "completion", "whatever", "text"])
def test_an_answer_may_be_stored_under_any_key(answer, key):
    record = json.dumps({"id": "s1", "model": "m", key: ANSWERS[answer]})
    extractions, rejects = read("json", record)
    assert [triple(e) for e in extractions] == SLOTS
    assert {e.sentence_id for e in extractions} == {"s1"}
    assert rejects.counts == {}
    assert known_as(record) == ["json"]


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_may_be_the_file(answer):
    assert slots(ANSWERS[answer]) == SLOTS


def test_an_answer_may_be_deep_in_what_a_server_says():
    message = {"role": "assistant", "content": ANSWERS["fenced with prose"]}
    record = {"id": "chat-1", "choices": [{"index": 0, "message": message}], "usage": {"n": 7}}
    assert slots(json.dumps(record)) == SLOTS


def test_what_the_model_was_asked_is_no_answer():
    example = json.dumps([{"subject": "X", "predicate": "is", "object": "Y"}])
    messages = [
        {"role": "system", "content": f"Answer like this: {example}"},
        {"role": "user", "content": f"For instance {example}"},
        {"role": "assistant", "content": BOTH},
    ]
    assert slots(json.dumps({"messages": messages})) == SLOTS
    assert slots(json.dumps({"prompt": example, "output": BOTH})) == SLOTS


def test_an_answer_without_a_triple_is_counted():
    record = json.dumps({"sentence": "Oh !", "response": "I found none."})
    extractions, rejects = read("json", f"{json.dumps(LENA)}\n{record}\n")
    assert len(extractions) == 1
    assert rejects.total == 1


# ----- cut answers


@pytest.mark.parametrize("length", range(2, len(BOTH)))
def test_whatever_is_cut_the_whole_objects_before_it_are_kept(length):
    text = BOTH[:length]
    whole = sum(text.count(json.dumps(one)) for one in (LENA, BO))
    for content in (text, f"```json\n{text}", f"```json\n{text}\n```\n"):
        extractions, rejects = read("json", content)
        assert [triple(e) for e in extractions] == SLOTS[:whole]
        assert rejects.total == (1 if text else 0)
    record = json.dumps({"sentence": "S .", "response": f"```json\n{text}"})
    extractions, rejects = read("json", record)
    assert [triple(e) for e in extractions] == SLOTS[:whole]
    assert rejects.total == 1


@pytest.mark.parametrize("indent", [None, 1])
def test_a_cut_object_says_of_what_sentence_its_triples_are(indent):
    whole = json.dumps({"text": "Lena founded Kelp .", "triples": [LENA, BO]}, indent=indent)
    extractions, rejects = read("json", whole[: whole.rindex("left")])
    assert [(triple(e), e.sentence) for e in extractions] == [(SLOTS[0], "Lena founded Kelp .")]
    assert rejects.counts == {CUT: 1}


def test_a_cut_object_is_no_triple_though_its_slots_so_far_are_whole():
    text = '[{"subject": "Lena", "predicate": "gave", "extra": {"a": [1]}, "object": "a m'
    extractions, rejects = read("json", text)
    assert (extractions, rejects.counts) == ([], {CUT: 1})


def test_a_cut_answer_does_not_swallow_the_next():
    cut = BOTH[:-12]
    fenced = f"```json\n{cut}\n```\n```json\n{BOTH}\n```\n"
    for text in (fenced, f"{cut}\n{BOTH}\n", f"{cut}\n{json.dumps(BO)}\n{BOTH}"):
        extractions, rejects = read("json", text)
        assert [triple(e) for e in extractions][:1] == SLOTS[:1]
        assert [triple(e) for e in extractions][-2:] == SLOTS
        assert rejects.counts == {CUT: 1}


def test_lists_in_a_broken_object_are_no_triples():
    text = f'[{json.dumps(LENA)}, {{"also": ["Lena", "M", "Marsh"], oops}}, {json.dumps(BO)}]'
    extractions, rejects = read("json", text)
    assert [triple(e) for e in extractions] == SLOTS
    assert rejects.counts == {CUT: 1}


def test_prose_among_the_lines_of_a_cut_answer_is_counted():
    extractions, rejects = read("json", f'[{json.dumps(LENA)}, {{"subj\nIndeed so .\n{BOTH}')
    assert len(extractions) == 3
    assert rejects.counts == {CUT: 1, NOT_JSON: 1}


# ----- keys


def test_arguments_that_are_numbered_from_0_are_not_swapped():
    record = {"sentence": "Lena gave Bo a map .", "arg0": "Lena", "pred": "gave", "arg1": "Bo"}
    record |= {"arg2": "a map", "arg3": ""}
    whole = ("Lena", "gave", "Bo", "a map")
    for made in (record, [record], {"ARG0" if k == "arg0" else k: v for k, v in record.items()}):
        assert slots(json.dumps(made)) == [whole]
    renamed = {("relation" if key == "pred" else key): one for key, one in record.items()}
    assert known_as(json.dumps(renamed)) == ["json"]
    assert slots(json.dumps(renamed)) == [whole]
    assert read("jsonl", json.dumps(renamed))[0] == []
    keys = {"subject": "arg0", "relation": "pred", "object": "arg1"}
    mapped = json_triples.read(
        [(1, json.dumps(record))], system="system", rejects=Rejects(), keys=keys
    )
    assert [triple(extraction) for extraction in mapped] == [whole]


def test_the_third_argument_of_those_numbered_from_1_is_kept():
    record = {"arg1": "Lena", "rel": "gave", "arg2": "a map", "arg3": "to Bo"}
    assert slots(json.dumps(record)) == [("Lena", "gave", "a map", "to Bo")]


def test_a_key_around_triples_may_be_their_sentence_or_its_id():
    record = {"arg0": "Lena", "pred": "slept", "arg1": ""}
    (by_text,), _ = read("json", json.dumps({"Lena slept .": [record]}))
    (by_id,), _ = read("json", json.dumps({"doc-7": [record]}))
    assert (by_text.sentence, by_id.sentence_id) == ("Lena slept .", "doc-7")


def test_a_mapping_adds_to_the_keys_that_are_known():
    # RefChecker's keys: what is inside response_kg goes by a name that is known.
    record = {"response": "Lena founded Kelp .", "response_kg": [{"triplet": list(SLOTS[0])}]}
    for keys in ({}, {"triples": "response_kg"}, {"sentence": "response"}):
        lines = [(1, json.dumps(record)), (2, json.dumps(LENA))]
        mapped = list(json_triples.read(lines, system="s", rejects=Rejects(), keys=keys))
        assert [triple(e) for e in mapped] == [SLOTS[0]] * 2
        assert mapped[0].sentence == "Lena founded Kelp ."


def test_tokens_are_joined_and_no_relation_is_counted():
    # GLiREL's keys.
    found = {"head_text": ["Kelp", "Island"], "tail_text": ["Oslo"], "head_pos": [0, 2]}
    lines = [found | {"label": "located in", "score": 0.5}, found | {"label": None}]
    extractions, rejects = read("json", "\n".join(map(str, lines)))
    assert [triple(e) for e in extractions] == [("Kelp Island", "located in", "Oslo")]
    assert rejects.counts == {NO_RELATION: 1}


def test_attributes_and_nodes_hold_the_slots():
    attributes = {"extraction_class": "relationship", "attributes": LENA}
    extracted = {"extractions": [attributes, {"attributes": {"role": "x"}}], "text": "S ."}
    extractions, rejects = read("json", json.dumps(extracted))
    assert [(triple(e), e.sentence) for e in extractions] == [(SLOTS[0], "S .")]
    assert rejects.total == 1
    nodes = {"source": {"id": "Lena", "type": "P"}, "target": {"id": "Kelp"}, "type": "FOUNDED"}
    graph = {"nodes": [{"id": "Lena", "type": "P"}], "relationships": [nodes]}
    assert slots(json.dumps(graph)) == [("Lena", "FOUNDED", "Kelp")]


def test_three_words_in_a_list_of_relations_are_no_triple():
    record = json.dumps({"entities": ["Lena"], "relations": ["founded", "led", "left"]})
    assert read("json", record)[1].counts == {json_triples.POSITIONAL: 1}


# ----- size


@pytest.mark.parametrize("number", [30, 3000])
def test_what_is_written_is_in_proportion_to_what_is_read(tmp_path, number):
    # kg-gen's keys: 3,000 triples and their lists are 143 KB.
    record = {
        "text": "Kelp " * number,
        "entities": [f"entity {place}" for place in range(number)],
        "edges": ["founded"],
        "note": "n" * number,
        "entity_clusters": {f"entity {place}": ["a", "b"] for place in range(number)},
        "relations": [[f"entity {place}", "founded", "Kelp"] for place in range(number)],
    }
    path, out = tmp_path / "kg.json", tmp_path / "out.jsonl"
    path.write_text(json.dumps(record))
    rejects = Rejects()
    source = SystemSource("system", "auto", path)
    write_extractions(read_extractions(source, rejects=rejects), out, format="jsonl")
    assert len(out.read_text().splitlines()) == number
    assert out.stat().st_size < 10 * path.stat().st_size
    assert rejects.notes["entities, edges and clusters left out"] == 1
    del record["edges"]  # and so it is with a graph of nobody's
    path.write_text(json.dumps(record))
    read_all = list(read_extractions(SystemSource("system", "json", path), rejects=rejects))
    assert len(read_all) == number
    assert write_extractions(read_all, out, format="jsonl") == number
    assert out.stat().st_size < 10 * path.stat().st_size
    assert rejects.notes["lists and objects around triples left out"] == 1


@given(st.text(st.sampled_from('{}[]()",:\\\n `ab1'), max_size=60))
def test_any_answer_is_read_or_counted(text):
    extractions, rejects = read("json", json.dumps({"output": text}))
    assert extractions or rejects.total


def test_long_broken_answers_take_no_time(tmp_path):
    path = Path(tmp_path / "broken")
    broken = '{"subject": "Lena", "predicate": oops, "object": ["a", "b"]}, ' * 20_000
    path.write_text(json.dumps({"output": f"[{json.dumps(LENA)}, {broken}"}))
    source = SystemSource("system", "json", path)
    assert len(list(read_extractions(source, rejects=Rejects()))) == 1
