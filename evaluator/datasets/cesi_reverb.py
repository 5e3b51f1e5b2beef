"""ReVerb extractions with Freebase ids of both arguments, aligned by hand with Freebase.

Vashishth, Jain and Talukdar, "CESI", WWW 2018: ReVerb on ClueWeb09, in two parts ("base" and
"ambiguous"). A candidate is a relation phrase with a relation that a knowledge base has for the
two linked arguments of one of its extractions. Whether they mean the same the data do not say:
``benchmarks/alignments/reverb_freebase.tsv`` holds our judgement of each candidate with
FB15k-237, by the question "does a text that states the phrase of this pair state what the
database's relation says of it?". What follows from the phrase counts as stated ("is the capital
of" entails "contains"); what is merely likely does not ("was born in" and "places lived").
Candidates that could not be decided, mostly for wrongly linked arguments, are not in the file.

What this can tell: it asks just what matching asks, of a text's phrase and of the few relations
that a pair has. What it cannot: there are about 200 candidates of about 60 pairs, and the cities
of one name and the presidents among them weigh more than they would in a random text. There was
one judge, who had not seen similarities.

Phrases are ReVerb's, partly lemmatised: "be bear" is "was born".
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from evaluator.errors import InputError
from evaluator.inputs import zipped_lines
from evaluator.json_objects import parse_json
from evaluator.labels.label import FALSE, TRUE
from evaluator.model import Rejects
from evaluator.relations.alignments import Alignment
from evaluator.tables import read_table

PARTS = ("base.zip", "ambiguous.zip")
COLUMNS = ("phrase", "relation", "direction", "name", "same")


class AlignmentCandidate(NamedTuple):
    """A relation phrase beside a relation that a knowledge base has for one of its pairs.

    Attributes
    ----------
    phrase
        As extracted.
    relation
        Id of the database's relation.
    direction
        ``"forward"`` if the database has the arguments in the extraction's order, else
        ``"backward"``.
    pairs
        Number of distinct pairs of argument strings, whatever their case.
    subject, object
        The arguments of one of them, the first in the order of the files.
    """

    phrase: str
    relation: str
    direction: Literal["forward", "backward"]
    pairs: int
    subject: str
    object: str


def read_candidates(
    folder: Path, relations_between: Callable[[str, str], Iterable[str]], *, rejects: Rejects
) -> list[AlignmentCandidate]:
    """Return the candidates of both parts, ordered by phrase, relation and direction.

    Parameters
    ----------
    folder
        Where ``base.zip`` and ``ambiguous.zip`` are.
    relations_between
        Returns the ids of the relations from a first to a second entity (``/m/0abc12``).
    rejects
        Receives "broken record".

    Raises
    ------
    InputError
        If a file cannot be read.
    """
    arguments: dict[tuple[str, str, Literal["forward", "backward"]], dict[str, tuple[str, str]]]
    arguments = defaultdict(dict)
    for record in _records(folder, rejects):
        try:
            subject, phrase, object_ = (" ".join(text.split()) for text in record["triple"])
            e1, e2 = record["true_link"]["subject"], record["true_link"]["object"]
        except (LookupError, TypeError, ValueError, AttributeError):
            rejects.add("broken record", str(record))
            continue
        pair = f"{subject}\t{object_}".casefold()
        for relation in relations_between(e1, e2):
            arguments[phrase, relation, "forward"].setdefault(pair, (subject, object_))
        for relation in relations_between(e2, e1):
            arguments[phrase, relation, "backward"].setdefault(pair, (subject, object_))
    return [
        AlignmentCandidate(*key, len(pairs), *next(iter(pairs.values())))
        for key, pairs in sorted(arguments.items())
    ]


def read_alignments(
    candidates: Iterable[AlignmentCandidate], judgements: Path, *, rejects: Rejects
) -> list[Alignment]:
    """Return the judged candidates as alignments, weighted by their number of pairs.

    Parameters
    ----------
    candidates
        From :func:`read_candidates`.
    judgements
        Tab-separated: phrase, relation (id), direction, name (of the relation), same.
    rejects
        Receives candidates without a judgement ("not judged"), judgements that are none ("unknown
        label") and the reasons of :func:`evaluator.tables.read_table`.

    Raises
    ------
    InputError
        If the judgements cannot be read, or none of them is about these candidates.
    """
    verdicts = {}
    for row in read_table(judgements, columns=COLUMNS, rejects=rejects):
        verdict = row["same"].casefold()
        if verdict in TRUE | FALSE:
            key = row["phrase"], row["relation"], row["direction"]
            verdicts[key] = row["name"], verdict in TRUE
        else:
            rejects.add("unknown label", f"{row.where}: {row['same']}")
    found = []
    for candidate in candidates:
        judged = verdicts.get(candidate[:3])
        if judged is None:
            rejects.add("not judged", f"{candidate.phrase}\t{candidate.relation}")
        else:
            found.append(Alignment(candidate.phrase, *judged, candidate.pairs))
    if not found:
        raise InputError(judgements, "no judgement of a phrase and relation in the data")
    return found


def _records(folder: Path, rejects: Rejects) -> Iterator[Any]:
    for part in PARTS:
        for line in zipped_lines(folder / part, rejects=rejects):
            try:
                yield parse_json(line)
            except ValueError:
                rejects.add("broken record", repr(line))
