"""Other names of Wikidata's properties: paraphrases of relation names, made by people.

A property has a label ("place of birth") and other labels ("born in", "birthplace", "POB"). Each
other label with the label of its property is a true alignment. False ones pair the other label
with the labels of properties drawn at random, a stated number for each true one.

What this can tell: whether paraphrases of a relation's name are near it (recall), and how often a
chance relation is (false positive rate). What it cannot: other labels are not what texts say
("POB"), and chance properties are easier to tell apart than the few relations that one pair of
entities has. Precision is precision at the drawn ratio and no more.

Properties whose label has the word "ID" or "identifier" are left out: they lead to codes, not to
entities.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random

from evaluator.errors import InputError
from evaluator.inputs import read_bytes
from evaluator.json_objects import parse_json
from evaluator.model import Rejects
from evaluator.relations.alignments import Alignment
from evaluator.text import normalise, search_form

FILE = "wikidata-properties.csv"

_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_OTHER_LABEL = "http://www.w3.org/2004/02/skos/core#altLabel"
_CODES = frozenset({"id", "identifier"})


def read_alignments(
    folder: Path, *, negatives: int = 3, seed: int = 2012, rejects: Rejects
) -> list[Alignment]:
    """Return the alignments of other labels with labels, ordered by property and other label.

    Parameters
    ----------
    folder
        Where ``wikidata-properties.csv`` is: tab-separated property, predicate and literal.
    negatives
        False alignments for each true one, none with a property that has the other label too.
    seed
        Of the draw.
    rejects
        Receives "broken record", "identifier" (labels of such properties), "same as the label"
        (in search form) and "without a label" (other labels).

    Raises
    ------
    InputError
        If the file cannot be read, ends within a line or holds no alignment.
    """
    path = folder / FILE
    labels: dict[str, str] = {}
    others: dict[str, list[str]] = defaultdict(list)
    for name, predicate, text in _records(path, rejects):
        if predicate == _LABEL:
            labels.setdefault(name, text)
        elif text not in others[name]:
            others[name].append(text)
    codes = {name for name, label in labels.items() if _CODES & set(search_form(label).split())}
    for name in codes:
        rejects.add("identifier", labels.pop(name))
    found = list(_alignments(labels, others, codes, negatives, seed, rejects))
    if not found:
        raise InputError(path, "no property with a label and another label")
    return found


def read_names(folder: Path, *, rejects: Rejects) -> list[tuple[str, ...]]:
    """Return the names of each property, its label and its other labels, ordered by property.

    Parameters
    ----------
    folder
        Where ``wikidata-properties.csv`` is.
    rejects
        Receives "broken record".

    Raises
    ------
    InputError
        If the file cannot be read, ends within a line or holds no name.
    """
    path = folder / FILE
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for name, _, text in _records(path, rejects):
        names[name][text] = None
    if not names:
        raise InputError(path, "no property with a name")
    return [tuple(names[name]) for name in sorted(names)]


def _alignments(
    labels: dict[str, str],
    others: dict[str, list[str]],
    codes: set[str],
    negatives: int,
    seed: int,
    rejects: Rejects,
) -> Iterator[Alignment]:
    properties = sorted(labels)
    called = {
        name: {search_form(text) for text in (labels[name], *others.get(name, ()))}
        for name in properties
    }
    for name in sorted(others):
        if name in codes:
            continue
        for text in sorted(others[name]):
            if name not in labels:
                rejects.add("without a label", text)
                continue
            form = search_form(text)
            if form == search_form(labels[name]):
                rejects.add("same as the label", text)
                continue
            yield Alignment(text, labels[name], same=True)
            draw = Random(f"{seed}\t{name}\t{text}")
            drawn = draw.sample(properties, min(len(properties), 4 * negatives + 4))
            wrong = [other for other in drawn if form not in called[other] and other != name]
            for other in wrong[:negatives]:
                yield Alignment(text, labels[other], same=False)


def _records(path: Path, rejects: Rejects) -> Iterator[tuple[str, str, str]]:
    try:
        *lines, rest = read_bytes(path).split(b"\n")
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})") from None
    for line in [*lines, rest] if rest else lines:
        try:
            name, predicate, literal = line.decode().split("\t")
            # Literals keep the quotes and escapes of N-Triples, which are those of JSON.
            text = " ".join(normalise(parse_json(literal)).split())
        except (ValueError, TypeError):
            if line is rest:
                raise InputError(path, "its last line is cut; fetch it again") from None
            rejects.add("broken record", repr(line))
            continue
        if predicate not in (_LABEL, _OTHER_LABEL) or not search_form(text):
            rejects.add("broken record", repr(line))
            continue
        yield name, predicate, text
