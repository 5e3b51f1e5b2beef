"""N-Triples, line by line, as knowledge bases are dumped.

Freebase's dump is N-Triples with the parts separated by TABs, two thousand million lines in one
gzip file; extracts of it in circulation write ``</m.0abc12>`` for the full IRI. Nearly every line
is three IRIs, or two and a literal: one regular expression reads those (the fast path). Any other
line goes to rdflib's N-Triples parser, and what that refuses is counted among the rejects: a dump
of that size always holds lines that are cut or in another encoding, and one of them must not end
a run.
"""

import bz2
import gzip
import re
import zlib
from collections.abc import Iterator
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import NamedTuple

from rdflib.exceptions import ParserError
from rdflib.plugins.parsers.ntriples import W3CNTriplesParser, r_nodeid
from rdflib.term import BNode, Identifier, Literal

from evaluator.errors import InputError
from evaluator.model import Rejects

TRUNCATED = "truncated file"
INVALID_UTF8 = "invalid UTF-8"
CUT_LINE = "cut line"
MALFORMED = "not N-Triples"

_FREEBASE = "http://rdf.freebase.com/ns/"
_KEY_PREDICATES = ("http://rdf.freebase.com/key/", "type.object.key")

# Possessive quantifiers, for no part of a triple can end elsewhere: twice as fast as greedy ones.
_IRI = rf'<(?:{re.escape(_FREEBASE)}|/)?+([^\x00-\x20<>"\\]++)>'
# Escapes of surrogates are left to the slow path: a lone one is no character.
_ESCAPE = (
    r"""\\(?>[tbnrf"'\\]|u(?![dD][89a-fA-F])[0-9A-Fa-f]{4}"""
    r"|U(?>000[1-9A-Fa-f]|0010)[0-9A-Fa-f]{4})"
)
_LITERAL = rf'"([^"\\\r\n]*+(?:{_ESCAPE}[^"\\\r\n]*+)*+)"'
_LINE = re.compile(
    rf"{_IRI}[ \t]++{_IRI}[ \t]++(?>{_IRI}|{_LITERAL}(?>@([A-Za-z0-9-]++)|\^\^{_IRI})?+)"
    r"[ \t]*+\.[ \t]*+\r?\n|([^\n]*+\n)"
)
_BLOCK = 1 << 18  # bytes

_ESCAPED = re.compile(r"\\(?:u(.{4})|U(.{8})|(.))")
_CONTROL = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_KEY_ESCAPED = re.compile(r"(?:\$[0-9A-Fa-f]{4})+")


class Triple(NamedTuple):
    """One statement of a dump.

    Attributes
    ----------
    subject, predicate, object
        IRIs in Freebase's namespace by their local name (``m.0abc12``,
        ``people.person.place_of_birth``), whichever of the two forms the file uses; any other IRI
        in full; blank nodes as written (``_:b1``). An object that is a literal is its text with
        all escapes undone, those of Freebase's keys (``$0027``) included.
    literal
        Whether the object is a literal. Its datatype is not kept.
    language
        Language tag of the literal in lower case; empty where there is none.
    """

    subject: str
    predicate: str
    object: str
    literal: bool = False
    language: str = ""


def read_ntriples(path: Path, *, rejects: Rejects) -> Iterator[Triple]:
    """Yield the triples of an N-Triples file in file order.

    Parameters
    ----------
    path
        A plain file, or one that gzip (``.gz``) or bzip2 (``.bz2``) compressed. It is streamed,
        never unpacked.
    rejects
        Receives each line that is not a triple: ``"invalid UTF-8"``, ``"cut line"`` (no final
        full stop), ``"not N-Triples"``; and ``"truncated file"`` once for a compressed file that
        ends early, of which every whole line is read. Blank lines and comments are not records.

    Raises
    ------
    InputError
        At the first step, or where the damage is met: no such file, a folder, an empty file, one
        that is not compressed as its name says or damaged inside, one without a single triple.
    """
    refused = Rejects()
    found = False
    try:
        for block in _blocks(path, refused):
            for triple in _triples(_decode(block, refused), refused):
                found = True
                yield triple
    finally:
        rejects.merge([refused])
    if not found:
        problem = "the file is empty or holds comments only"
        for reason, example in list(refused.examples.items())[:1]:
            problem = f"{reason}, first in {example[:80]!r}"
        raise InputError(path, f"no triple found: {problem}; give N-Triples")


def decode_key(key: str) -> str:
    """Undo the ``$XXXX`` escapes of a Freebase key: UTF-16 units in four hexadecimal digits."""

    def character(run: re.Match[str]) -> str:
        units = bytes.fromhex(run.group().replace("$", ""))
        return units.decode("utf-16-be", errors="replace")

    return _KEY_ESCAPED.sub(character, key) if "$" in key else key


def encode_key(text: str) -> str:
    """Escape `text` as Freebase escapes its keys; :func:`decode_key` gives it back."""

    def units(character: re.Match[str]) -> str:
        code = character.group().encode("utf-16-be").hex().upper()
        return "".join(f"${code[start : start + 4]}" for start in range(0, len(code), 4))

    return re.sub(r"[^A-Za-z0-9_-]", units, text)


def _triples(lines: str, refused: Rejects) -> Iterator[Triple]:
    for subject, predicate, iri, text, language, _datatype, other in _LINE.findall(lines):
        if iri:
            yield Triple(subject, predicate, iri)
        elif subject:
            if "\\" in text:
                text = _ESCAPED.sub(_unescape, text)
            yield _literal(subject, predicate, text, language)
        elif (triple := _slow(other, refused)) is not None:
            yield triple


def _slow(line: str, refused: Rejects) -> Triple | None:
    """Parse a line that the fast path did not understand; None for a reject or no record."""
    line = line.strip()
    if not line or line.startswith("#"):
        return None
    try:
        subject, predicate, object_ = _LineParser().read(line)
        str(object_).encode()
    except (ParserError, ValueError):
        refused.add(MALFORMED if line.endswith(".") else CUT_LINE, line)
        return None
    if isinstance(object_, Literal):
        return _literal(_term(subject), _term(predicate), str(object_), object_.language)
    return Triple(_term(subject), _term(predicate), _term(object_))


def _literal(subject: str, predicate: str, text: str, language: str | None) -> Triple:
    if predicate.startswith(_KEY_PREDICATES):
        text = decode_key(text)
    return Triple(subject, predicate, text, True, language.lower() if language else "")


def _unescape(escape: re.Match[str]) -> str:
    short, long, control = escape.groups()
    return _CONTROL.get(control, control) if control else chr(int(short or long, 16))


def _term(identifier: Identifier) -> str:
    if isinstance(identifier, BNode):
        return f"_:{identifier}"
    return str(identifier).removeprefix(_FREEBASE)


class _LineParser(W3CNTriplesParser):
    """rdflib's parser for one line, with blank nodes named as the file names them."""

    def __init__(self) -> None:
        super().__init__(sink=self)  # type: ignore[arg-type]
        self._triple: tuple[Identifier, Identifier, Identifier] | None = None

    def read(self, line: str) -> tuple[Identifier, Identifier, Identifier]:
        self.line = line
        self.parseline()
        if self._triple is None:
            raise ParserError("no triple")
        return self._triple

    def triple(self, subject: Identifier, predicate: Identifier, object_: Identifier) -> None:
        self._triple = subject, predicate, object_

    def nodeid(self, bnode_context: object = None) -> BNode | bool:  # type: ignore[override] # noqa: ARG002
        return BNode(self.eat(r_nodeid).group(1)) if self.peek("_") else False


def _decode(block: bytes, refused: Rejects) -> str:
    """Decode whole lines; those that are not UTF-8 are left out, and counted."""
    try:
        return block.decode()
    except UnicodeDecodeError:
        lines = []
        for line in BytesIO(block):
            try:
                lines.append(line.decode())
            except UnicodeDecodeError:
                refused.add(INVALID_UTF8, line.decode(errors="replace").rstrip())
        return "".join(lines)


def _blocks(path: Path, refused: Rejects) -> Iterator[bytes]:
    """Yield a file in blocks of whole lines, each line with its end."""
    held = b""
    for chunks in _gathered(_chunks(path, refused)):
        lines, end, rest = (held + chunks).rpartition(b"\n")
        yield lines + end
        held = rest
    if held and TRUNCATED not in refused.counts:
        yield held + b"\n"


def _gathered(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Join small chunks into blocks that are worth a call of the regular expression."""
    gathered: list[bytes] = []
    size = 0
    for chunk in chunks:
        gathered.append(chunk)
        size += len(chunk)
        if size >= _BLOCK:
            yield b"".join(gathered)
            gathered, size = [], 0
    yield b"".join(gathered)


def _chunks(path: Path, refused: Rejects) -> Iterator[bytes]:
    """Yield the unpacked bytes of a file; turn damage into one clear error."""
    size = 0
    try:
        with _open(path) as stream:
            # read1 hands over what there is before it meets the end of a file cut short.
            while chunk := stream.read1(_BLOCK):
                size += len(chunk)
                yield chunk
    except EOFError:
        refused.add(TRUNCATED, f"{path.name} ends early, {size} bytes unpacked")
    except FileNotFoundError:
        raise InputError(path, "no such file") from None
    except IsADirectoryError:
        raise InputError(path, "a folder, not a file; name the N-Triples file in it") from None
    except (OSError, zlib.error) as error:
        if size == 0:
            raise InputError(path, f"cannot be read ({error}); is its ending right?") from None
        raise InputError(
            path, f"damaged after {size} unpacked bytes ({error}); fetch it again"
        ) from None


def _open(path: Path) -> BufferedReader | gzip.GzipFile | bz2.BZ2File:
    if path.suffix == ".gz":
        return gzip.open(path, "rb")
    if path.suffix == ".bz2":
        return bz2.open(path, "rb")
    return path.open("rb")
