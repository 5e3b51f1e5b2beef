"""What extractors and graph builders write today: each file as its program writes it."""

import json
import time

import pytest

from evaluator.readers import json_triples, openie6
from evaluator.readers._accounts import NO_RELATION
from evaluator.readers._json_values import CUT
from evaluator.readers.langchain import CUT as CUT_RELATIONSHIP
from evaluator.readers.langchain import NODES
from tests.evaluator.readers.block_texts import known_as, read, triple
from tests.evaluator.readers.test_accounts import read_all

LENA = ("Lena", "founded", "Kelp")
TEXT = "Lena founded Kelp ."


def both(wanted: str, text: str):
    """Return what a file gives, read as the format that it is told to be."""
    assert known_as(text) == [wanted]
    return read(wanted, text)


# ----- Multi2OIE, DetIE, CompactIE, GLiREL


def test_multi2oie_has_sentences_as_keys_and_arg0_as_the_subject():
    text = json.dumps(
        {
            "Lena gave Bo a map .": [
                {"arg0": "Lena", "pred": "gave", "arg1": "Bo", "arg2": "a map", "context": ""}
            ],
            "Lena slept .": [{"arg0": "Lena", "pred": "slept", "arg1": "", "arg2": ""}],
        }
    )
    extractions, rejects = both("json", text)
    assert [(triple(e), e.sentence) for e in extractions] == [
        (("Lena", "gave", "Bo", "a map"), "Lena gave Bo a map ."),
        (("Lena", "slept", ""), "Lena slept ."),
    ]
    assert not rejects.total
    assert read("multi2oie", text)[0] == extractions


def test_detie_writes_the_columns_of_ollie_as_pandas_does():
    text = (
        "confidence\targ1\trel\targ2\tenabler\tattribution\ttext\tpattern\tdependencies\n"
        '1.0\tLena\tcalls\t"the ""Kelp"" a ship"\t\t\t"Lena calls the ""Kelp"" a ship ."\t\t\n'
    )
    (extraction,), rejects = both("ollie", text)
    assert triple(extraction) == ("Lena", "calls", 'the "Kelp" a ship')
    assert extraction.sentence == 'Lena calls the "Kelp" a ship .'
    assert (extraction.confidence, extraction.asserted) == (1.0, True)
    assert rejects.notes == {"quoted cells, read without their quotes": 1}


def test_compactie_has_two_columns():
    text = (
        "Lena 's map is n't old .\t<arg1> Lena 's map </arg1> <rel> is n't </rel> "
        "<arg2> old </arg2>\nBo ran .\t<arg1> Bo </arg1> <rel> ran </rel> <arg2>  </arg2>\n"
    )
    extractions, rejects = both("compactie", text)
    assert [(triple(e), e.sentence, e.confidence) for e in extractions] == [
        (("Lena 's map", "is n't", "old"), "Lena 's map is n't old .", None),
        (("Bo", "ran", ""), "Bo ran .", None),
    ]
    assert rejects.total == 1  # the end of the text, after its last line
    # A script may have added a confidence: the file of OpenIE 6, then.
    scored = text.replace("</arg2>", "</arg2>\t1")
    assert known_as(scored) == [openie6.NAME]
    assert [triple(e) for e in read("compactie", scored)[0]] == [triple(e) for e in extractions]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Bo ran .\t<arg1> Bo </arg1> <rel> ran", "no <arg1> and <rel>"),
        ("Bo ran .", "not 2 columns, nor 3 with a confidence"),
        ("\t<arg1> Bo </arg1> <rel> ran </rel> <arg2>  </arg2>", "no sentence"),
    ],
)
def test_what_is_no_extraction_of_compactie_is_counted(line, reason):
    assert read("compactie", line)[1].counts == {reason: 1}


GLIREL = [
    {"head_pos": [0, 2], "tail_pos": [5, 6], "head_text": ["Kelp", "Inc."], "tail_text": ["Oslo"],
     "label": "located in", "score": 0.97},
    {"head_pos": [5, 6], "tail_pos": [0, 2], "head_text": ["Oslo"], "tail_text": ["Kelp", "Inc."],
     "label": "no relation", "score": 0.55},
]  # fmt: skip


@pytest.mark.parametrize("write", [json.dumps, repr, lambda r: "\n".join(map(str, r))])
def test_glirel_returns_token_lists(tmp_path, write):
    text = write(GLIREL)
    assert known_as(text) == ["json"]
    (extraction,), seen = read_all("json", text, tmp_path)
    assert triple(extraction) == ("Kelp Inc.", "located in", "Oslo")
    assert extraction.confidence == 0.97
    assert [reason for reason, _ in seen] == [NO_RELATION]


def test_glirel_prints_arrows_between_token_lists(tmp_path):
    rows = [f"{r['head_text']} --> {r['label']} --> {r['tail_text']} | score: {r['score']}"
            for r in GLIREL]  # fmt: skip
    text = "\n".join(
        ["Number of relations: 2", "", "Descending Order by Score:", *rows, "[] --> x"]
    )
    assert known_as(text) == ["glirel"]
    (extraction,), seen = read_all("glirel", text, tmp_path)
    assert (extraction.line, triple(extraction)) == (4, ("Kelp Inc.", "located in", "Oslo"))
    assert extraction.confidence == 0.97
    assert sorted(seen) == [
        (NO_RELATION, "line 5: no relation"),
        ("not [tokens] --> label --> [tokens] | score: number", "line 6: [] --> x"),
    ]


def test_the_data_of_glirel_have_the_tokens_of_the_sentence():
    record = {
        "tokenized_text": ["Lena", "founded", "Kelp", "."],
        "ner": [[0, 0, "PERSON", "Lena"], [2, 2, "FIRM", "Kelp"]],
        "relations": [
            {"head": {"mention": "Lena", "position": [0, 0], "type": "PERSON"},
             "tail": {"mention": "Kelp", "position": [2, 2], "type": "FIRM"},
             "relation_text": "founder"},
        ],
    }  # fmt: skip
    (extraction,), rejects = both("json", json.dumps(record))
    assert (triple(extraction), extraction.sentence) == (("Lena", "founder", "Kelp"), TEXT)
    assert not rejects.total


# ----- RefChecker, kg-gen, LangExtract, LangChain


def test_refchecker_nests_its_triplets():
    record = {
        "response": TEXT,
        "gpt4_response_kg": [
            {"triplet": ["Lena", "founded", "Kelp"], "human_label": "Entailment"},
            {"triplet": ["Bo", "left", "Oslo"], "human_label": "Neutral"},
        ],
    }
    extractions, rejects = both("json", json.dumps(record))
    assert [triple(e) for e in extractions] == [LENA, ("Bo", "left", "Oslo")]
    assert [(e.sentence, e.sentence_id) for e in extractions] == [(TEXT, "")] * 2
    assert [e.extra["human_label"] for e in extractions] == ["Entailment", "Neutral"]
    assert not rejects.total


def test_refchecker_calls_them_claims_today():
    triplet = {"format": "triplet", "content": ["Bo", "left", "Oslo"], "attributed_sent_ids": ["2"]}
    record = [{"response": TEXT, "reference": "", "claims": [["Lena", "founded", "Kelp"], triplet]}]
    extractions, rejects = both("json", json.dumps(record, indent=2))
    assert [(triple(e), e.sentence) for e in extractions] == [
        (LENA, TEXT),
        (("Bo", "left", "Oslo"), TEXT),
    ]
    assert not rejects.total
    # Claims in sentences are no triplets.
    text = {"response": TEXT, "claims": [["Lena", "founded", "Kelp"], {"content": TEXT}]}
    assert read("json", json.dumps(text))[1].total == 1


def test_kg_gen_keeps_scores_beside_its_relations():
    graph = {
        "entities": ["Lena", "Kelp", "Oslo"],
        "edges": ["founded", "is in"],
        "relations": [["Lena", "founded", "Kelp"], ["Kelp", "is in", "Oslo"]],
        "entity_clusters": {"Lena": ["Lena", "Lena M."]},
        "edge_clusters": None,
        "relation_scores": {"Lena||founded||Kelp": 0.9},
    }
    extractions, rejects = both("kg-gen", json.dumps(graph, indent=2))
    assert [(triple(e), e.confidence) for e in extractions] == [
        (LENA, 0.9),
        (("Kelp", "is in", "Oslo"), None),
    ]
    assert [e.extra for e in extractions] == [{}, {}]
    assert rejects.notes == {"entities, edges and clusters left out": 1}
    (first, _), _ = both("kg-gen", json.dumps({"text": TEXT, "id": "t1", **graph}))
    assert (first.sentence, first.sentence_id, first.confidence) == (TEXT, "t1", 0.9)
    del graph["relation_scores"]
    assert [e.confidence for e in both("kg-gen", json.dumps(graph))[0]] == [None, None]


def test_langextract_has_relations_in_attributes_and_entities_beside_them():
    relation = {
        "extraction_class": "relationship", "extraction_text": "Lena founded Kelp",
        "char_interval": {"start_pos": 0, "end_pos": 17}, "alignment_status": "match_exact",
        "attributes": {"subject": "Lena", "predicate": "founded", "object": "Kelp"},
    }  # fmt: skip
    entity = {"extraction_class": "person", "extraction_text": "Lena", "attributes": {"role": "x"}}
    document = {"extractions": [relation, entity], "text": TEXT, "document_id": "doc_1"}
    (extraction,), rejects = both("json", json.dumps(document))
    assert (triple(extraction), extraction.sentence) == (LENA, TEXT)
    assert extraction.extra["document_id"] == "doc_1"
    assert rejects.counts == {json_triples.UNRELATED: 1}


NODE = "Node(id='{}', type='{}', properties={{}})"
LANGCHAIN = (
    f"[GraphDocument(nodes=[{NODE.format('Lena', 'Person')}], relationships=[Relationship(source="
    f"{NODE.format('Lena', 'Person')}, target={NODE.format('Kelp', 'Firm')}, type='FOUNDED', "
    f"properties={{'note': 'a (b)'}})], source=Document(metadata={{}}, page_content='{TEXT}')), "
    "GraphDocument(nodes=[], relationships=[Relationship(source=Node(id=\"Bo's\", type='Person'), "
    "target=Node(id=7, type='Number'), type='HAS')], source=Document(page_content=\"It's 7 .\"))]"
)


def test_langchain_prints_graph_documents():
    extractions, rejects = both("langchain", LANGCHAIN)
    assert [(triple(e), e.sentence, e.extra) for e in extractions] == [
        (("Lena", "FOUNDED", "Kelp"), TEXT, {"types": ["Person", "Firm"]}),
        (("Bo's", "HAS", "7"), "It's 7 .", {"types": ["Person", "Number"]}),
    ]
    assert not rejects.total
    dumped = json.dumps({"lc": 1, "type": "not_implemented", "id": ["a", "b"], "repr": LANGCHAIN})
    assert [triple(e) for e in both("json", dumped)[0]] == [triple(e) for e in extractions]


def test_langchain_prints_relationships_alone_and_what_is_cut_off():
    relationships = LANGCHAIN[LANGCHAIN.index("Relationship") : LANGCHAIN.index("], source=")]
    text = f"Nodes:[{NODE.format('Lena', 'Person')}]\nRelationships:[{relationships}, Relationship("
    text += "source=Node(id='Bo', type='Per\nand prose"
    (extraction,), rejects = both("langchain", text)
    assert (extraction.line, triple(extraction)) == (2, ("Lena", "FOUNDED", "Kelp"))
    assert extraction.sentence == ""
    assert rejects.counts == {CUT_RELATIONSHIP: 1, "no relationship": 1}
    assert rejects.notes == {NODES: 1}


def test_langchain_graphs_in_json_have_the_document_as_their_source():
    graph = {
        "nodes": [{"id": "Lena", "type": "Person", "properties": {}}],
        "relationships": [
            {"source": {"id": "Lena", "type": "Person"}, "target": {"id": "Kelp", "type": "Firm"},
             "type": "FOUNDED", "properties": {}},
        ],
        "source": {"id": None, "metadata": {}, "page_content": TEXT, "type": "Document"},
    }  # fmt: skip
    (extraction,), rejects = both("json", json.dumps([graph]))
    assert (triple(extraction), extraction.sentence) == (("Lena", "FOUNDED", "Kelp"), TEXT)
    assert not rejects.total


# ----- replies of chat models

ANSWER = '[{"subject": "Lena", "predicate": "founded", "object": "Kelp"}]'
REPLIES = {
    "fence": f"Sure, here is it:\n\n```json\n{ANSWER}\n```\nAnything else?",
    "fence on lines": "```\n[\n  {\n    \"subject\": \"Lena\",\n    \"predicate\": \"founded\",\n"
    '    "object": "Kelp"\n  }\n]\n```',
    "one line of prose": f"Here is the list: {ANSWER} I hope it helps.",
    "prose with brackets": f"As asked [see (1)]: {ANSWER}",
    "python": "Triples: [('Lena', 'founded', 'Kelp')]",
    "thoughts": f"<think>\nIs it [[\"a\", \"b\", \"c\"]]?\n</think>\n{ANSWER}",
    "lines": '- {"subject": "Lena", "predicate": "founded", "object": "Kelp"}\n- none else',
}  # fmt: skip


@pytest.mark.parametrize("reply", REPLIES)
def test_a_reply_is_read_in_any_wrapping_alone_and_stored(reply):
    text = REPLIES[reply]
    assert [triple(e) for e in both("json", text)[0]] == [LENA]
    for stored in (
        {"sentence": TEXT, "response": text},
        {"sentence": TEXT, "choices": [{"message": {"role": "assistant", "content": text}}]},
    ):
        (extraction,), rejects = both("json", json.dumps(stored))
        assert (triple(extraction), extraction.sentence) == (LENA, TEXT)
        assert CUT not in rejects.counts


def test_a_fence_inside_a_string_of_json_is_text():
    code = "do:\n```bash\nstart\n```"
    record = [{"subject": "Lena", "predicate": "founded", "object": "Kelp", "context": code}]
    text = f"Sure:\n```json\n{json.dumps(record)}\n```"
    for file in (text, json.dumps({"output": text})):
        (extraction,), _ = both("json", file)
        assert (triple(extraction), extraction.extra["context"]) == (LENA, code)


CUT_REPLY = (
    '```json\n[{"subject": "Lena", "predicate": "founded", "object": "Kelp"},\n'
    ' {"subject": "Bo", "predicate": "left", "object": "Oslo"}]\n```'
)
FIRST_ENDS, SECOND_ENDS = CUT_REPLY.index("}") + 1, CUT_REPLY.rindex("}")


@pytest.mark.parametrize("length", range(FIRST_ENDS, SECOND_ENDS + 1, 3))
def test_a_reply_that_is_cut_anywhere_keeps_whole_objects_and_counts_the_cut_one_once(length):
    text = CUT_REPLY[:length]
    for file in (text, json.dumps({"output": text})):
        extractions, rejects = both("json", file)
        assert [triple(e) for e in extractions] == [LENA]
        assert rejects.counts == {CUT: 1}


@pytest.mark.parametrize(
    ("wanted", "piece"),
    [
        ("glirel", "['a'] --> "),
        ("langchain", "Relationship(source=Node(id='"),
        ("langchain", "Relationship(source=Node(id='a', "),
        ("langchain", "Relationship(source=Node(id='a'), target=Node(id='b'"),
        ("lightrag", "entity<|#|>"),
        ("lightrag", '("relationship"<|>"a"'),
        ("rebel", "<triplet> a <subj> "),
        ("graphml", "<graphml><edge>"),
    ],
)
def test_what_is_broken_again_and_again_takes_no_time(wanted, piece):
    began = time.process_time()
    assert not read(wanted, piece * 10_000)[0]
    assert time.process_time() - began < 5
