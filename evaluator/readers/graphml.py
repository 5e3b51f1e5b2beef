"""Graphs in GraphML: LightRAG's ``graph_chunk_entity_relation.graphml``, and others like it.

An edge is an extraction. Its relation is the first of :data:`RELATIONS` that it has, as data or as
an attribute; of LightRAG that is the keywords, and the description goes to ``extra`` with the rest.
The weight is the confidence, on a scale of its own. A node is called by the first of :data:`NAMES`
that it has, else by its id; the quotes around LightRAG's older names go. LightRAG's edges are not
directed: ``extra`` has ``"directed": false``, and which argument comes first means little.

LightRAG names the chunks that an edge comes from (``source_id``). Several are joined by ``<SEP>``:
the extraction is given to the first, and ``extra`` has all of them.

The line of an extraction is the one on which its edge begins. No entity is expanded: a file that
declares some is refused.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.parsers import expat

from evaluator.errors import InputError
from evaluator.inputs import held_whole
from evaluator.model import Extraction, Rejects
from evaluator.readers import is_number, parse_confidence, refuse

NAME = "graphml"
KIND = "extractions"
DESCRIPTION = "GraphML, as LightRAG and networkx write it: an edge is an extraction"
TOLD_BY = "the element graphml"
EXAMPLE = (
    "<?xml version='1.0' encoding='utf-8'?>\n"
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    '  <key id="d2" for="edge" attr.name="keywords" attr.type="string" />\n'
    '  <key id="d1" for="edge" attr.name="weight" attr.type="double" />\n'
    '  <key id="d0" for="edge" attr.name="source_id" attr.type="string" />\n'
    '  <graph edgedefault="undirected">\n'
    '    <node id="Lena Marsh" />\n'
    '    <node id="Kelp" />\n'
    '    <edge source="Lena Marsh" target="Kelp">\n'
    '      <data key="d0">chunk-1</data>\n'
    '      <data key="d1">9.0</data>\n'
    '      <data key="d2">founding</data>\n'
    "    </edge>\n"
    "  </graph>\n"
    "</graphml>\n"
)

RELATIONS = ("relation", "predicate", "relationship", "label", "type", "keywords", "description")
NAMES = ("name", "label", "entity_id", "title")

UNNAMED = f"an edge without a relation ({', '.join(RELATIONS)})"
NOT_WHOLE = "XML that is cut off or broken here: only the edges before it are read"
SEVERAL_TEXTS = "an edge from several texts, given to the first"

_opens = re.compile(r"\s*(?:<\?xml\b.*)?(?:<!--.*-->\s*)?<(?:\w+:)?graphml\b").match
_begins = re.compile(r"\s*<(?:\?xml\b|!DOCTYPE\b|!--|(?:\w+:)?graphml\b)").match
_BETWEEN_TEXTS = "<SEP>"
_GRAPHICS = {"edgegraphics": "label", "nodegraphics": "label"}  # of yEd, with the label inside


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction per edge; count edges without a relation, and what is cut off.

    Raises
    ------
    InputError
        If the file declares entities, or is more than is held whole.
    """
    held = list(held_whole(lines, f"system {system}"))
    first = next((place for place, (_, line) in enumerate(held) if _begins(line)), len(held))
    held = held[first:]
    graph = _Graph()
    broken = graph.parse("\n".join(line for _, line in held).lstrip(), f"system {system}")
    rejects.settle(number for number, _ in held[:broken])
    if broken is not None and held:
        refuse(rejects, NOT_WHOLE, *held[min(broken, len(held) - 1)])
    for place, reason in graph.refused:
        refuse(rejects, reason, *held[place])
    for place, said in graph.edges:
        number, line = held[place]
        relation = next((said[key] for key in RELATIONS if said.get(key, "").strip()), None)
        if relation is None:
            refuse(rejects, UNNAMED, number, line)
        else:
            yield _extraction(said, relation, graph.names, system, number, rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether the first lines of a file open this element."""
    return any(map(_opens, head))


class _DeclaredError(Exception):
    """An entity is declared, or one that is not."""


class _Graph:
    """What a file says of nodes and edges, each with the place of its line.

    Attributes
    ----------
    names
        What the nodes are called that have a name besides their id.
    edges
        What each edge has by name, ``source``, ``target`` and ``directed`` among it.
    refused
        What is no part of a graph.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.edges: list[tuple[int, dict[str, str]]] = []
        self.refused: list[tuple[int, str]] = []
        self._keys: dict[str, str] = {}
        self._directed = "true"
        self._open: list[tuple[int, str, dict[str, str]]] = []  # nodes and edges; they may nest
        self._data: str | None = None
        self._text = ""
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.EntityDeclHandler = self._refuse
        self._parser.SkippedEntityHandler = self._refuse

    def parse(self, text: str, name: str) -> int | None:
        """Take in a file; return the place of the line where it is broken, None if nowhere."""
        try:
            self._parser.Parse(text, True)
        except _DeclaredError:
            problem = "entities of XML, which are not expanded; write them out"
            raise InputError(name, problem) from None
        except expat.ExpatError as error:
            return max(0, error.lineno - 1)
        return None

    @property
    def _place(self) -> int:
        return self._parser.CurrentLineNumber - 1

    def _refuse(self, *_: object) -> None:
        raise _DeclaredError

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(" ")[2]
        if tag == "key":
            named = attributes.get("attr.name") or attributes.get("yfiles.type")
            self._keys[attributes.get("id", "")] = _GRAPHICS.get(named or "", named or "")
        elif tag == "graph":
            self._directed = str(attributes.get("edgedefault") != "undirected").casefold()
        elif tag in ("node", "edge"):
            said = {"directed": self._directed, **attributes} if tag == "edge" else attributes
            self._open.append((self._place, tag, dict(said)))
        elif tag == "hyperedge":
            self.refused.append((self._place, "a hyperedge, which has no two ends"))
        elif tag == "data":
            key = attributes.get("key", "")
            self._data, self._text = self._keys.get(key) or key, ""

    def _end(self, tag: str) -> None:
        tag = tag.rpartition(" ")[2]
        if tag == "data" and self._data is not None:
            if self._open and self._text.strip():
                self._open[-1][2][self._data] = self._text
            self._data = None
        elif tag in ("node", "edge"):
            place, _, said = self._open.pop()
            if tag == "edge":
                self.edges.append((place, said))
            elif name := next((said[key] for key in NAMES if said.get(key, "").strip()), ""):
                self.names[said.get("id", "")] = name

    def _characters(self, text: str) -> None:
        if self._data is not None:
            self._text += text
        elif text.strip():
            self.refused.append((self._place, "text that is no part of a graph"))


def _extraction(
    said: Mapping[str, str],
    relation: str,
    names: Mapping[str, str],
    system: str,
    number: int,
    rejects: Rejects,
) -> Extraction:
    arguments = [said.get(end, "") for end in ("source", "target")]
    texts = said.get("source_id", "").split(_BETWEEN_TEXTS)
    if len(texts) > 1:
        rejects.note(SEVERAL_TEXTS)
    weight = said.get("weight", "")
    extra: dict[str, object] = {
        key: one
        for key, one in said.items()
        if key not in ("source", "target", "weight", "directed", "source_id") and one != relation
    }
    if len(texts) > 1:
        extra["source_id"] = texts
    if said["directed"] == "false":
        extra["directed"] = False
    arg1, arg2 = (_unquoted(names.get(end, end)) for end in arguments)
    return Extraction(
        system,
        number,
        "",
        arg1,
        _unquoted(relation),
        arg2,
        confidence=parse_confidence(weight) if is_number(weight) else None,
        sentence_id=texts[0],
        extra=extra,
    )


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
