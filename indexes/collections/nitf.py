"""Newspaper articles in NITF, one XML file each: the New York Times Annotated Corpus (LDC2008T19).

The id is ``doc-id/@id-string``; the text is that of the block of class ``full_text``, a paragraph a
line. The block ``lead_paragraph`` is not read, since it repeats the beginning of the other.
"""

from collections.abc import Iterator
from html.entities import name2codepoint
from typing import BinaryIO
from xml.etree import ElementTree as ET
from xml.parsers import expat

from evaluator.model import Rejects
from indexes.collections.base import CollectionFormat, Document
from indexes.collections.framing import LARGEST, TOO_LARGE

BROKEN_XML = "broken XML"
ENTITIES = "XML that declares entities"
NO_ID = "missing id"
NO_TEXT = "no full text"


class _EntitiesDeclaredError(Exception):
    """A few lines of declared entities can make terabytes, and they can name other files."""


def _frame(stream: BinaryIO, name: str, rejects: Rejects) -> Iterator[tuple[str, bytes]]:
    content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        rejects.add(TOO_LARGE, name)
    else:
        yield name, content


def _decode(content: bytes, where: str, rejects: Rejects) -> Document | None:
    try:
        article = _parse(content)
    except _EntitiesDeclaredError:
        rejects.add(ENTITIES, where)
        return None
    except (expat.ExpatError, ET.ParseError, ValueError, LookupError):
        rejects.add(BROKEN_XML, where)
        return None
    found = article.find(".//doc-id")
    name = "" if found is None else found.get("id-string", "").strip()
    if not name:
        rejects.add(NO_ID, where)
        return None
    blocks = [block for block in article.iter("block") if block.get("class") == "full_text"]
    text = "\n".join(paragraph for block in blocks for paragraph in _paragraphs(block))
    if not text:
        rejects.add(NO_TEXT, f"{where}: {name}")
        return None
    return Document(name, _title(article), text)


def _parse(content: bytes) -> ET.Element:
    """Return the root of a file. The document type that it names is not fetched."""
    builder = ET.TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda tag, attributes: builder.start(tag, attributes)
    parser.EndElementHandler = lambda tag: builder.end(tag)
    parser.CharacterDataHandler = lambda text: builder.data(text)
    parser.EntityDeclHandler = _refuse
    # Of an entity of the document type, which nobody has read: those of HTML are the same.
    parser.SkippedEntityHandler = lambda name, _: builder.data(
        chr(name2codepoint[name]) if name in name2codepoint else " "
    )
    parser.Parse(content, True)
    return builder.close()


def _refuse(*_: object) -> None:
    raise _EntitiesDeclaredError


def _paragraphs(block: ET.Element) -> Iterator[str]:
    for part in block:
        # Inline elements may end inside a word; those of lists and tables do not.
        text = ("" if part.tag == "p" else " ").join(part.itertext())
        if text := " ".join(text.split()):
            yield text


def _title(article: ET.Element) -> str:
    for path in ("head/title", ".//hl1"):
        found = article.find(path)
        if found is not None and (title := " ".join("".join(found.itertext()).split())):
            return title
    return ""


FORMAT = CollectionFormat("nitf", _frame, _decode)
