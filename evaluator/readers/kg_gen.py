"""kg-gen's graphs: one JSON object with entities, edges and relations.

``{"entities": [...], "edges": [...], "relations": [["Lena", "founded", "Kelp"]]}``. Where the graph
has ``relation_scores``, they are the confidences: ``{"Lena||founded||Kelp": 0.9}``. Entities, edges
and clusters are no relations. A graph does not say of which text a relation is, unless a key is
added to it: other keys are read as in the format ``json``, and so is a graph inside an object.

Mo et al., "KGGen: Extracting Knowledge Graphs from Plain Text with Language Models", 2025.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from evaluator.model import Extraction, Rejects
from evaluator.readers import json_triples
from evaluator.readers._json_values import first_value, json_values

NAME = "kg-gen"
KIND = "extractions"
DESCRIPTION = "kg-gen's graph: JSON with entities, edges, relations, relation_scores?"
SPECIAL_CASE = "json"
TOLD_BY = "JSON with entities, edges and relations"
EXAMPLE = (
    '{"entities": ["Lena Marsh", "Kelp"], "edges": ["founded"], "relations": [["Lena Marsh", '
    '"founded", "Kelp"]], "entity_clusters": null, "edge_clusters": null, "entity_metadata": '
    'null, "relation_scores": {"Lena Marsh||founded||Kelp": 0.9}}\n'
)

_KEYS = {"entities", "edges", "relations"}
_LEFT_OUT = frozenset(
    {"entities", "edges", "entity_clusters", "edge_clusters", "entity_metadata", "relation_scores"}
)


def read(
    lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
) -> Iterator[Extraction]:
    """Yield the relations of each graph; count what is none in `rejects`."""
    for value in json_values(lines, rejects=rejects):
        said = value.value
        if isinstance(said, dict) and _is_graph(said):
            rejects.note("entities, edges and clusters left out")
            said = _scored(said)
        yield from json_triples.read_value(
            value._replace(value=said), system=system, rejects=rejects
        )


def recognises(head: Sequence[str]) -> bool:
    """Tell whether a file begins with such a graph."""
    return _is_graph(first_value(head))


def _is_graph(value: object) -> bool:
    return isinstance(value, dict) and value.keys() >= _KEYS


def _scored(graph: Mapping[str, object]) -> object:
    """Return a graph without what is no relation, each relation with its score if it has one."""
    relations, scores = graph["relations"], graph.get("relation_scores")
    if isinstance(relations, list) and isinstance(scores, dict):
        relations = [_with_score(one, scores) for one in relations]
    kept = {key: one for key, one in graph.items() if key not in _LEFT_OUT}
    return {**kept, "relations": relations}


def _with_score(relation: object, scores: Mapping[object, object]) -> object:
    match relation:
        case [str(subject), str(predicate), str(object_)]:
            score = scores.get(f"{subject}||{predicate}||{object_}")
            return {"subject": subject, "relation": predicate, "object": object_, "score": score}
    return relation
