"""LangChain's graph documents as Python prints them.

``GraphDocument(nodes=[...], relationships=[Relationship(source=Node(id='Lena', type='Person'),
target=Node(id='Kelp', type='Firm'), type='FOUNDED')], source=Document(page_content='...'))``, alone
or in lists, on one line; or only their ``Relationship`` after another. The text of the document is
the sentence, where it is printed. Types of the nodes go to ``extra`` ("types"). Nodes are no
relations.

Graph documents in JSON are of the format ``json``, and so is JSON that holds such a text:
``langchain_core.load.dumps`` writes them so.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers._answers import AnswerTriple, ParsedAnswer, read_answers

NAME = "langchain"
KIND = "extractions"
DESCRIPTION = "LangChain's graphs, printed: Relationship(source=Node(id=...), target=..., type=...)"
TOLD_BY = "Relationship(source=Node(...), ...)"
EXAMPLE = (
    "Nodes:[Node(id='Marek', type='Person', properties={})]\n"
    "[GraphDocument(nodes=[Node(id='Marek', type='Person')], relationships=[Relationship("
    "source=Node(id='Marek', type='Person'), target=Node(id='Oslo', type='City'), type='LEFT')], "
    "source=Document(metadata={}, page_content='Marek left Oslo .'))]\n"
)
MARK = re.compile(r"\bRelationship\(source=Node\(")

CUT = "a relationship that is cut off"
NODES = "nodes without relationships left out"
NOTHING = "no relationship"

_TEXT = r"""'(?:\\.|[^'\\])*+'|"(?:\\.|[^"\\])*+\""""
# Bounded, and never into the next node: what is cut off would be looked through again and again.
_PROPERTIES = r"(?:(?!Node\(|Relationship\()[^\n]){0,2000}?"
_NODE = rf"Node\(id=({_TEXT}|\d+)(?:, type=({_TEXT}))?{_PROPERTIES}\)"
_RELATIONSHIP = re.compile(
    rf"Relationship\(source={_NODE}, target={_NODE}, type=({_TEXT})|\bpage_content=({_TEXT})"
)


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield one extraction per relationship; count those that are cut off."""
    return read_answers(lines, answer, system=system, rejects=rejects)


def recognises(head: Sequence[str]) -> bool:
    """Tell whether these first lines of a file are of this format."""
    return any(MARK.search(line) and line.lstrip()[:1] not in ("{", '"') for line in head)


def answer(text: str) -> ParsedAnswer:
    """Return the relationships of a text, each with the text of its document."""
    triples: list[AnswerTriple] = []
    waiting: list[AnswerTriple] = []  # a document's text comes after its relationships
    count = 0
    for found in _RELATIONSHIP.finditer(text):
        source, source_type, target, target_type, relation, content = map(_said, found.groups())
        if found[6] is not None:
            triples += [triple._replace(sentence=content) for triple in waiting]
            waiting = []
            continue
        count += 1
        types = [source_type, target_type]
        extra = {"types": types} if any(types) else {}
        waiting.append(AnswerTriple(source, relation, target, None, extra))
    refused = [CUT] * (len(MARK.findall(text)) - count)
    if not count and not refused and text.strip():
        if "Node(" not in text:
            refused.append(NOTHING)
        return ParsedAnswer([], refused, [] if refused else [NODES])
    return ParsedAnswer([*triples, *waiting], refused)


def _said(text: str | None) -> str:
    return "" if text is None else str(ast.literal_eval(text))
