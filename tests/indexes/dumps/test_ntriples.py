"""Reading N-Triples: every form of a line, the two ways of reading, and what is damaged."""

import gzip
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rdflib import Graph, URIRef
from rdflib import Literal as RdfLiteral

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.dumps import read_dump, splits
from indexes.dumps.freebase import FreebaseVocabulary
from indexes.dumps.ntriples import parse_line
from indexes.dumps.rdf import GeneralVocabulary
from indexes.dumps.vocabulary import Joins, LeftOut, Triple, Type, interpret
from indexes.dumps.wikidata_truthy import WikidataVocabulary
from tests.indexes.dumps.reading import read, read_text

BORN = (
    "<http://rdf.freebase.com/ns/m.02mjmr>\t"
    "<http://rdf.freebase.com/ns/people.person.place_of_birth>\t"
    "<http://rdf.freebase.com/ns/m.02hrh0_>\t.\n"
)
BORN_ROW = ("fact", "/m/02mjmr", "people.person.place_of_birth", "/m/02hrh0_")


@pytest.mark.parametrize(
    "line",
    [
        BORN,
        "</m.02mjmr>\t</people.person.place_of_birth>\t</m.02hrh0_>\t.\n",
        BORN.replace("\t", " "),
        BORN.replace("\t", "  "),
        BORN.replace("\t", " \t"),
        BORN.replace("\t.", " ."),
        BORN.replace("\t.", "."),
        BORN.replace("\n", "\r\n"),
        BORN.rstrip(),  # the last line of a file
        BORN.replace("\n", " # born there\n"),
        BORN.replace("\t.", "\t<http://example.org/graph>\t."),
        BORN.replace("m.02hrh0_", r"m.02hrh\u0030_"),
        "\n# a comment\n" + BORN,
    ],
)
def test_every_form_of_a_statement_is_the_same_fact(tmp_path, line):
    assert read_text(tmp_path, line, format="freebase") == ([BORN_ROW], {}, {})


@pytest.mark.parametrize(
    ("literal", "name"),
    [
        ('"Barack Obama"@en', "Barack Obama"),
        (r'"say \"aye\"  \\o/\n"@en', 'say "aye" \\o/'),
        (r'"Dvo\u0159\u00E1k \U0001F3BB"@en', "Dvořák 🎻"),
        ('"Dvořák <b> . # no comment"@en', "Dvořák <b> . # no comment"),
        ('"Dvor\u030cak"@en', "Dvořak"),  # normal form C
        ('" two  blanks "@en', "two blanks"),
        (r'"mail \"@en"@en', 'mail "@en'),
        ('"a\rb\x0bc\x85d\u2028e"@en', "a b c d e"),
    ],
)
@pytest.mark.parametrize("gap", ["\t", " "])
def test_names_are_unescaped_and_made_even(tmp_path, literal, name, gap):
    line = gap.join(("</m.1>", "</type.object.name>", literal, ".\n"))
    rows, rejected, left = read_text(tmp_path, line + BORN, format="freebase")
    assert rows == [("label", "/m/1", "", name), BORN_ROW][:: 1 if rows[0][0] == "label" else -1]
    assert (rejected, left) == ({}, {})


def test_a_bad_line_is_counted_and_its_neighbours_are_read(tmp_path):
    lines = [
        BORN.encode(),
        b'</m.1>\t</type.object.name>\t"Caf\xe9"@fr\t.\n',  # Latin-1
        b"# a comment\n",
        b"\n",
        b"<html><body>504 Gateway Time-out</body></html>.\n",
        b'</m.1>\t</type.object.name>\t"no end\t.\n',
        b'</m.1>\t</type.object.name>\t"bare " quote"@en\t.\n',
        b'</m.1>\t</a.b.c>\t"no end\t.\n',
        b"</m.1>\t</a.b.c>\t<http://a b>\t.\n",
        b"</m.1>\t</a.b.c>\t</m.2\t.\n",
        b'</m.1>\t</a.b.c>\t</m."2>\t.\n',
        b"</m.1> </a.b.c> </m.2> </m.3> </m.4> .\n",
        rb'</m.1> </type.object.name> "lone surrogate \uD800"@en .' + b"\n",
        b"</m.1>\t</a.b.c>\t</m.2>\n",
        BORN.encode(),
        b"</m.1>\t</people.person.pla",
    ]
    rows, rejected, left = read_text(tmp_path, b"".join(lines), format="freebase")
    assert rows == [BORN_ROW] * 2
    assert rejected == {"invalid UTF-8": 1, "not N-Triples": 9, "cut line": 1, "truncated file": 1}
    assert left == {}


def test_iris_that_rdf_forbids_and_dumps_have_are_read(tmp_path):
    line = "<http://a.org/x#Crew?oldid=1#Y> <http://a.org/p> <http://a.org/{o}|^`> .\n"
    assert read_text(tmp_path, line, format="rdf")[0] == [
        ("fact", "http://a.org/x#Crew?oldid=1#Y", "http://a.org/p", "http://a.org/{o}|^`")
    ]


def test_parts_are_as_rdflib_writes_them(tmp_path):
    line = r'_:b1 <http://a.org/p> "a\tb"^^<http://www.w3.org/2001/XMLSchema#string> .'
    assert parse_line(line) == Triple("_:b1", "http://a.org/p", "a\tb", literal=True)
    with pytest.raises(ValueError, match="nonsense"):
        parse_line("nonsense .")


@given(
    subject=st.from_regex(r"http://[a-z]{1,5}\.org/[A-Za-z0-9_/#?=.é-]{0,9}", fullmatch=True),
    object_=st.one_of(
        st.builds(RdfLiteral, st.text(st.characters(exclude_categories=["Cs"]))),
        st.builds(RdfLiteral, st.text(alphabet='a"\\\n\r\t ü'), lang=st.sampled_from(["en", "de"])),
        st.just(URIRef("http://example.org/o")),
    ),
)
def test_reads_what_rdflib_writes(subject, object_):
    graph = Graph()
    graph.add((URIRef(subject), URIRef("http://example.org/p"), object_))
    (line,) = graph.serialize(format="nt").rstrip("\n").split("\n")
    triple = parse_line(line)
    assert (triple.subject, triple.object) == (subject, str(object_))
    assert triple.literal == isinstance(object_, RdfLiteral)
    assert triple.language == (getattr(object_, "language", None) or "")


FREEBASE = "http://rdf.freebase.com/ns/"
WIKIDATA = "http://www.wikidata.org/"
TERMS = [
    "</m.1>", "</g.1a_>", "</m.>", "</m.1-2>", "</m.1/2>", f"<{FREEBASE}m.02>", f"<{FREEBASE}g.02>",
    f"<{FREEBASE}people.person>", "</people.person>", "</m.1", "<>", "_:b1", "<http://a.org/x>",
    f"<{WIKIDATA}entity/Q1>", f"<{WIKIDATA}entity/Q12x>", f"<{WIKIDATA}entity/P1>",
    f"<{WIKIDATA}entity/L1>", "<http://dbpedia.org/resource/Rome>",
    "<http://dbpedia.org/resource/rome>", "<http://dbpedia.org/resource/Bonn,_(Rhein)>",
    "<http://dbpedia.org/resource/_Rome__Italy_>", "<http://dbpedia.org/resource/S%C3%A3o_Paulo>",
    "<http://de.dbpedia.org/resource/Köln>",
]  # fmt: skip
PREDICATES = [
    f"<{FREEBASE}type.object.name>", "</type.object.type>", "</type.type.instance>",
    "</common.topic.alias>", "</people.person.place_of_birth>", "</common.topic.image>",
    "<http://rdf.freebase.com/key/wikipedia.en>", "<http://rdf.freebase.com/key/en>",
    "</type.object.key>", "</freebase.type_hints.mediator>",
    "<http://www.w3.org/2000/01/rdf-schema#label>",
    "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "<http://www.w3.org/2002/07/owl#sameAs>",
    f"<{WIKIDATA}prop/direct/P19>", f"<{WIKIDATA}prop/direct/P31>", f"<{WIKIDATA}prop/direct/P646>",
    f"<{WIKIDATA}prop/P19>", "<http://schema.org/description>", "<http://schema.org/about>",
]  # fmt: skip
LITERALS = [
    '"Rome"@en', '"Rome"@en-GB', '"Rom"@de', '"Rome"', '""@en', '" "@en', '"a  b"@en', '"Köln"@en',
    r'"a\"b"@en', r'"a\\"@en', r'"a\"@en', '"a"b"@en',
    '"a"@', '"true"', '"/m/0abc"', '"Rome_$0028x"',
    '"/wikipedia/en_title/Rome"', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>', '"', '"a',
    '"x"@a-very-long-tag-that-ends-late', r'"\u00e9"@en', r'"\uD800"@en', "é",
]  # fmt: skip
LINE = st.builds(
    lambda *parts: "".join(parts),
    st.sampled_from(TERMS),
    st.sampled_from(["\t", " ", "  "]),
    st.sampled_from(PREDICATES),
    st.sampled_from(["\t", " ", "\t\t"]),
    st.sampled_from(TERMS + LITERALS * 2),
    st.sampled_from(["\t.", " .", ".", "\t. ", "\t", "\t.\r"]),
)
TABBED = st.builds(
    "\t".join,
    st.tuples(
        st.sampled_from(TERMS),
        st.sampled_from(PREDICATES),
        st.sampled_from(TERMS + LITERALS * 2),
        st.sampled_from([".", ".", ".", ". "]),
    ),
)


def unread(line: str, vocabulary) -> bool:
    """Whether a line is left out without a look at the rest of it."""
    predicate = next(form for form in PREDICATES if form in line)
    meaning = vocabulary.meaning(predicate[1:-1])
    return isinstance(meaning, LeftOut) or ('"' in line and isinstance(meaning, Joins | Type))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("named", "vocabulary"),
    [
        ("freebase", FreebaseVocabulary("en")),
        ("wikidata-truthy", WikidataVocabulary("en")),
        ("rdf", GeneralVocabulary("0a0a0a0a")),
    ],
)
@settings(max_examples=300, deadline=None)
@given(lines=st.lists(TABBED, min_size=1, max_size=12) | st.lists(LINE, min_size=1, max_size=12))
@example(lines=['</m.1>\t</type.object.name>\t"Rom"@de\t.'] * 3)
def test_columns_are_read_as_single_lines_are(tmp_path_factory, named, vocabulary, lines):
    """The oracle: each line by itself, through the definition of what a triple means."""
    expected, rejected, left, kept = [], Rejects(), Rejects(), []
    for line in lines:
        try:
            triple = parse_line(line)
        except ValueError:
            if unread(line, vocabulary):
                continue
            kept.append(line)
            rejected.add("not N-Triples" if line.rstrip().endswith(".") else "cut line")
            continue
        kept.append(line)
        found = interpret(triple, vocabulary, wanted=("en",))
        if isinstance(found, str):
            left.add(found)
        else:
            expected += found
    path = tmp_path_factory.mktemp("columns") / "dump.nt"
    path.write_text("\n".join(["# begins", BORN, *kept, ""]), newline="")
    rows, rejects, left_out = read(path, format=named)
    if named == "rdf":  # which marks blank nodes by the name of the file
        rows = [tuple(re.sub("^_:[0-9a-f]{8}", "_:0a0a0a0a", part) for part in row) for row in rows]
    born = interpret(parse_line(BORN.rstrip()), vocabulary, wanted=("en",))
    if isinstance(born, str):
        left.add(born)
    else:
        expected += born
    # An entity's names in other languages are one statement in a block, the others left out.
    repeated = sum(row[0] == "named" for row in expected) - sum(row[0] == "named" for row in rows)
    if repeated:
        left.counts["other language"] = left.counts.get("other language", 0) + repeated
    assert set(rows) == set(expected)
    assert sorted(row for row in rows if row[0] != "named") == sorted(
        tuple(row) for row in expected if row[0] != "named"
    )
    assert left_out == left.counts
    assert rejects.keys() == rejected.counts.keys()
    assert rejects == rejected.counts


def test_lines_longer_than_a_block_are_read(tmp_path):
    text = "x" * 9_000_000
    line = f'</m.1>\t</type.object.name>\t"{text}"@en\t.\n'
    rows, rejected, _ = read_text(tmp_path, line + BORN, format="freebase")
    assert sorted(len(row[3]) for row in rows) == [len("/m/02hrh0_"), 9_000_000]
    assert rejected == {}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"# nothing but comments\n", "comments only"),
        (b"e1,r,e2\nRome,capital,Italy\n", "cut line, first in 'e1,r,e2'"),
        (gzip.compress(b""), "empty"),
    ],
)
def test_a_file_without_a_triple_is_one_clear_line(tmp_path, content, problem):
    with pytest.raises(InputError, match=problem) as error:
        read_text(tmp_path, content, format="freebase")
    assert str(error.value).startswith(str(tmp_path / "dump.nt"))


def test_accounts_are_handed_over_also_when_reading_stops_early(tmp_path):
    path = Path(tmp_path, "dump.nt")
    path.write_bytes(b"\xff .\n" + BORN.encode() * 2)
    rejects = Rejects()
    statements = read_dump(path, format="freebase", rejects=rejects, left_out=Rejects())
    next(statements)
    statements.close()
    assert rejects.counts == {"invalid UTF-8": 1}


def test_pieces_of_a_file_are_read_as_the_whole(tmp_path):
    path = tmp_path / "dump.nt"
    path.write_text(BORN * 50 + '</m.1>\t</type.object.name>\t"One"@en\t.\n' * 50)
    whole = read(path)
    pieces = [read(path, format="freebase", byte_range=piece) for piece in splits(path, 700)]
    assert len(pieces) > 10
    assert [row for rows, _, _ in pieces for row in rows] == whole[0]


@pytest.mark.parametrize(
    "last",
    [
        b"</m.1>\t</people.person.pla",
        b"</m.1>\t</type.object.name>\t<http://www.",
        b"</m.1>\t</common.topic.description>\t<http://www.",
        '</m.1>\t</type.object.name>\t"é'.encode()[:-1],
    ],
)
def test_a_last_line_without_an_end_that_is_no_triple_is_a_truncated_file(tmp_path, last):
    path = tmp_path / "dump.nt"
    path.write_bytes(BORN.encode() * 3 + last)
    assert read(path, format="freebase") == ([BORN_ROW] * 3, {"truncated file": 1}, {})
    counts: dict[str, int] = {}
    for piece in splits(path, 60):
        for reason, count in read(path, format="freebase", byte_range=piece)[1].items():
            counts[reason] = counts.get(reason, 0) + count
    assert counts == {"truncated file": 1}


def test_a_last_line_without_an_end_may_be_whole(tmp_path):
    rows, rejected, _ = read_text(tmp_path, (BORN * 2).rstrip("\n"), format="freebase")
    assert (rows, rejected) == ([BORN_ROW] * 2, {})


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path):
    rows, rejected, _ = read_text(tmp_path, b"\xef\xbb\xbf" + BORN.encode(), format="freebase")
    assert (rows, rejected) == ([BORN_ROW], {})
