"""GraphML: edges are extractions; nothing in the file is expanded or lost."""

import pytest

from evaluator.errors import InputError
from evaluator.readers._accounts import NOTHING_READ
from evaluator.readers.graphml import NOT_WHOLE, SEVERAL_TEXTS, UNNAMED
from tests.evaluator.readers.block_texts import known_as, read, triple
from tests.evaluator.readers.test_accounts import read_all

# As networkx writes it for LightRAG: tags one after another, text over lines, quotes in old names.
LIGHTRAG = """<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d6" for="edge"\
 attr.name="source_id" attr.type="string" />
<key id="d5" for="edge" attr.name="keywords" attr.type="string" />
<key id="d4" for="edge" attr.name="description" attr.type="string" />
<key id="d3" for="edge" attr.name="weight" attr.type="double" />
<key id="d0" for="node" attr.name="entity_type" attr.type="string" />
<graph edgedefault="undirected"><node id="&quot;LENA&quot;">
  <data key="d0">"PERSON"</data>
</node>
<node id="Kelp &amp; Co" />
<edge source="&quot;LENA&quot;" target="Kelp &amp; Co">
  <data key="d3">9.0</data>
  <data key="d4">Lena founded
Kelp.</data>
  <data key="d5">"founding"</data>
  <data key="d6">chunk-1&lt;SEP&gt;chunk-2</data>
</edge>
<edge source="Kelp &amp; Co" target="&quot;LENA&quot;">
  <data key="d4">Kelp was founded by Lena.</data>
  <data key="d6">chunk-2</data>
</edge>
<edge source="Kelp &amp; Co" target="Kelp &amp; Co"><data key="d3">1.0</data></edge>
</graph></graphml>
"""


def test_the_graph_of_lightrag():
    (first, second), rejects = read("graphml", LIGHTRAG)
    assert known_as(LIGHTRAG) == ["graphml"]
    assert (first.line, triple(first)) == (11, ("LENA", "founding", "Kelp & Co"))
    assert (first.confidence, first.sentence_id) == (9.0, "chunk-1")
    assert first.extra == {
        "description": "Lena founded\nKelp.",
        "source_id": ["chunk-1", "chunk-2"],
        "directed": False,
    }
    # Without keywords the description is the relation.
    assert (second.line, triple(second)) == (
        18,
        ("Kelp & Co", "Kelp was founded by Lena.", "LENA"),
    )
    assert (second.confidence, second.sentence_id) == (None, "chunk-2")
    assert second.extra == {"directed": False}
    assert rejects.counts == {UNNAMED: 1}
    assert rejects.examples[UNNAMED].startswith("line 22: <edge source=")
    assert rejects.notes == {SEVERAL_TEXTS: 1}


def test_nodes_with_names_edges_with_labels_and_namespaces():
    # As Neo4j and yEd export graphs.
    text = """<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns" xmlns:y="y">
<g:key id="name" for="node" attr.name="name"/><g:key id="d9" yfiles.type="edgegraphics"/>
<g:graph id="G" edgedefault="directed">
<g:edge id="e0" source="n0" target="n1" label="FOUNDED"/>
<g:edge source="n1" target="n0"><g:data key="d9"><y:Line><y:EdgeLabel>led by</y:EdgeLabel>
</y:Line></g:data></g:edge>
<g:node id="n0" labels=":Person"><g:data key="name">Lena</g:data></g:node>
<g:node id="n1"><g:data key="name">Kelp</g:data></g:node>
</g:graph></g:graphml>"""
    extractions, rejects = read("graphml", text)
    assert [(e.line, triple(e)) for e in extractions] == [
        (4, ("Lena", "FOUNDED", "Kelp")),
        (5, ("Kelp", "led by", "Lena")),
    ]
    assert extractions[0].extra == {"id": "e0"}
    assert not rejects.total


def test_what_is_cut_off_is_counted_and_the_edges_before_it_are_kept(tmp_path):
    lines = LIGHTRAG.splitlines()
    records, seen = read_all("graphml", "\n".join(lines[:20]), tmp_path)
    assert [record.line for record in records] == [11]
    assert seen == [(NOT_WHOLE, f"line 20: {lines[19]}")]
    damaged = [*lines[:17], "<edge source=>", *lines[18:]]
    records, seen = read_all("graphml", "\n".join(damaged), tmp_path)
    assert [record.line for record in records] == [11]
    assert seen[0] == (NOT_WHOLE, "line 18: <edge source=>")
    # Each of the lines behind it is told.
    assert [reason for reason, _ in seen[1:]] == [NOTHING_READ] * (len(lines) - 18)


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE graphml [<!ENTITY a "b">]>',
        '<!DOCTYPE graphml [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE graphml SYSTEM "graphml.dtd">',
    ],
)
def test_entities_are_not_expanded(declared):
    text = f'{declared}\n<graphml><graph><node id="n">&a;</node></graph></graphml>'
    with pytest.raises(InputError, match="entities of XML, which are not expanded"):
        read("graphml", text)


def test_what_is_no_edge_between_two_is_counted():
    text = (
        '<graphml><graph><hyperedge>\n<endpoint node="n"/></hyperedge> and more\n</graph></graphml>'
    )
    extractions, rejects = read("graphml", text)
    assert not extractions
    assert rejects.counts == {
        "a hyperedge, which has no two ends": 1,
        "text that is no part of a graph": 1,
    }
