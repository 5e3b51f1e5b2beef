"""Reading N-Triples: Freebase's forms, what other writers write, and what is damaged."""

import bz2
import gzip
import random
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph, URIRef
from rdflib import Literal as RdfLiteral

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.ntriples import Triple, decode_key, encode_key, read_ntriples

BORN = (
    "<http://rdf.freebase.com/ns/m.02mjmr>\t"
    "<http://rdf.freebase.com/ns/people.person.place_of_birth>\t"
    "<http://rdf.freebase.com/ns/m.02hrh0_>\t.\n"
)
BORN_TRIPLE = Triple("m.02mjmr", "people.person.place_of_birth", "m.02hrh0_")


def read(path: Path) -> tuple[list[Triple], dict[str, int]]:
    rejects = Rejects()
    return list(read_ntriples(path, rejects=rejects)), rejects.counts


def read_text(folder: Path, text: str) -> tuple[list[Triple], dict[str, int]]:
    path = folder / "dump.nt"
    path.write_bytes(text.encode())
    return read(path)


@pytest.mark.parametrize(
    "line",
    [
        BORN,
        "</m.02mjmr>\t</people.person.place_of_birth>\t</m.02hrh0_>\t.\n",
        BORN.replace("\t", " "),
        BORN.replace("\t.", " ."),
        BORN.replace("\n", "\r\n"),
        BORN.rstrip(),  # the last line of a file
        BORN.replace("\n", " # born there\n"),
    ],
    ids=["dump", "shortened", "spaces", "mixed", "crlf", "no newline", "comment"],
)
def test_every_form_of_a_statement_is_the_same_triple(tmp_path, line):
    assert read_text(tmp_path, line) == ([BORN_TRIPLE], {})


@pytest.mark.parametrize(
    ("object_", "text", "language"),
    [
        ('"Barack Obama"@en', "Barack Obama", "en"),
        ('"Barack Obama"@en-GB', "Barack Obama", "en-gb"),
        ('"1961-08-04"^^<http://www.w3.org/2001/XMLSchema#date>', "1961-08-04", ""),
        ('""', "", ""),
        (r'"say \"aye\"\t\\o/\n"', 'say "aye"\t\\o/\n', ""),
        (r'"Dvo\u0159\u00E1k \U0001F3BB"', "Dvořák 🎻", ""),
        ('"Dvořák <b> . # no comment"', "Dvořák <b> . # no comment", ""),
    ],
)
def test_literals_are_unescaped(tmp_path, object_, text, language):
    line = f"</m.1>\t</type.object.name>\t{object_}\t.\n"
    expected = Triple("m.1", "type.object.name", text, literal=True, language=language)
    assert read_text(tmp_path, line) == ([expected], {})


def test_keys_are_decoded_and_names_are_not(tmp_path):
    key = '<http://rdf.freebase.com/key/wikipedia.en>\t"Shaquille_O$0027Neal"'
    name = '</type.object.name>\t"A$0027B"@en'
    triples, _ = read_text(tmp_path, f"</m.1>\t{key}\t.\n</m.1>\t{name}\t.\n")
    assert [triple.object for triple in triples] == ["Shaquille_O'Neal", "A$0027B"]


def test_key_escapes_are_four_hexadecimal_digits():
    assert decode_key("Pres$002E_O$0027Bama_$0028politician$0029") == "Pres._O'Bama_(politician)"
    assert decode_key("$D83C$DFBB") == "🎻"  # UTF-16 units, a pair for what lies beyond the BMP
    assert decode_key("$5") == "$5"
    assert encode_key("Denton,_Texas") == "Denton$002C_Texas"


@given(st.text())
def test_a_key_survives_encoding(text):
    assert decode_key(encode_key(text)) == text


def test_other_namespaces_and_blank_nodes_keep_their_names(tmp_path):
    lines = "_:b1 <http://www.wikidata.org/prop/direct/P19> <http://www.wikidata.org/entity/Q1> .\n"
    assert read_text(tmp_path, lines)[0] == [
        Triple(
            "_:b1", "http://www.wikidata.org/prop/direct/P19", "http://www.wikidata.org/entity/Q1"
        )
    ]


def test_escapes_in_an_iri_are_undone(tmp_path):
    line = BORN.replace("m.02hrh0_", r"m.02hrh\u0030_")
    assert read_text(tmp_path, line) == ([BORN_TRIPLE], {})


@given(
    subject=st.from_regex(r"http://[a-z]{1,5}\.org/[A-Za-z0-9_/#?=.é-]{0,9}", fullmatch=True),
    object_=st.one_of(
        st.builds(RdfLiteral, st.text(st.characters(exclude_categories=["Cs"]))),
        st.builds(RdfLiteral, st.text(alphabet='a"\\\n\r\t ü'), lang=st.sampled_from(["en", "de"])),
        st.just(URIRef("http://example.org/o")),
    ),
)
def test_reads_what_rdflib_writes(tmp_path_factory, subject, object_):
    graph = Graph()
    graph.add((URIRef(subject), URIRef("http://example.org/p"), object_))
    path = tmp_path_factory.mktemp("rdflib") / "one.nt"
    graph.serialize(path, format="nt", encoding="utf-8")
    (triple,), rejected = read(path)
    assert (triple.subject, triple.object) == (subject, str(object_))
    assert triple.literal == isinstance(object_, RdfLiteral)
    assert triple.language == (getattr(object_, "language", None) or "")
    assert rejected == {}


def test_a_bad_line_is_counted_and_the_next_is_read(tmp_path):
    lines = [
        BORN.encode(),
        b'</m.1>\t</type.object.name>\t"Caf\xe9"@fr\t.\n',  # Latin-1
        b"# a comment\n",
        b"\n",
        b"<html><body>504 Gateway Time-out</body></html>.\n",
        b'</m.1>\t</type.object.name>\t"no end\t.\n',
        b"</m.1>\t</p>\t<http://a b>\t.\n",
        rb'</m.1> </p> "lone surrogate \uD800" .' + b"\n",
        BORN.encode(),
        b"</m.1>\t</people.person.pla",
    ]
    path = tmp_path / "dump.nt"
    path.write_bytes(b"".join(lines))
    triples, rejected = read(path)
    assert triples == [BORN_TRIPLE] * 2
    assert rejected == {"invalid UTF-8": 1, "not N-Triples": 4, "cut line": 1}


@pytest.mark.parametrize(("compress", "suffix"), [(gzip.compress, ".gz"), (bz2.compress, ".bz2")])
def test_compressed_files_are_read(tmp_path, compress, suffix):
    path = tmp_path / f"dump.nt{suffix}"
    path.write_bytes(compress(BORN.encode() * 3))
    assert read(path) == ([BORN_TRIPLE] * 3, {})


def test_a_truncated_gzip_gives_every_whole_line(tmp_path):
    draw = random.Random(237)
    text = "".join(f"</m.{draw.getrandbits(64):x}>\t</p>\t</m.1>\t.\n" for _ in range(20_000))
    whole = gzip.compress(text.encode())
    cut = whole[: len(whole) // 2]
    unpacked = zlib.decompressobj(wbits=31).decompress(cut).decode()
    path = tmp_path / "dump.nt.gz"
    path.write_bytes(cut)
    triples, rejected = read(path)
    assert len(triples) == unpacked.count("\n")
    assert triples[-1].subject == unpacked.splitlines()[-2].split(">")[0].removeprefix("</")
    assert rejected == {"truncated file": 1}


def test_lines_longer_than_a_block_are_read(tmp_path):
    text = "x" * 700_000
    triples, rejected = read_text(tmp_path, f'</m.1>\t</p>\t"{text}"\t.\n{BORN}')
    assert [len(triple.object) for triple in triples] == [700_000, len("m.02hrh0_")]
    assert rejected == {}


def damaged_inside() -> bytes:
    packed = bytearray(gzip.compress(random.Random(1).randbytes(4000) + BORN.encode()))
    packed[-8:-4] = b"\0\0\0\0"  # the checksum
    return bytes(packed)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("dump.nt", b"", "empty"),
        ("dump.nt.gz", b"", "empty"),
        ("dump.nt.gz", b"<html>moved</html>", "cannot be read"),
        ("dump.nt.gz", damaged_inside(), "damaged"),
        ("dump.nt.gz", gzip.compress(BORN.encode())[:30], "truncated file"),
        ("dump.nt.bz2", b"BZh9 and no more", "cannot be read"),
        ("dump.nt", b"# nothing but comments\n", "comments only"),
        ("dump.nt", b"e1,r,e2\nRome,capital,Italy\n", "cut line"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_clear_line(tmp_path, name, content, problem):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=problem) as error:
        read(path)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "missing.nt")
    with pytest.raises(InputError, match="a folder"):
        read(tmp_path)


def test_rejects_are_handed_over_also_when_reading_stops_early(tmp_path):
    path = tmp_path / "dump.nt"
    path.write_text("garbage .\n" + BORN * 2)
    rejects = Rejects()
    triples = read_ntriples(path, rejects=rejects)
    next(triples)
    triples.close()
    assert rejects.counts == {"not N-Triples": 1}
