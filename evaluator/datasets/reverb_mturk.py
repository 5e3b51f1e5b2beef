"""ReVerb facts judged by crowd workers: correct, plausible or implausible.

Angeli and Manning, "Philosophers are mortal: inferring the truth of unseen facts", CoNLL 2013, in
the re-tabulated form with one row per fact and rater. "Plausible" facts are those a worker could
imagine but not confirm ("the registry saw 14,500 new cases of …"); as an extraction is asked to be
correct, they count as not correct unless told otherwise.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from evaluator.errors import InputError
from evaluator.labels.label import Label, first_labels
from evaluator.model import Rejects
from evaluator.tables import read_table

FILE = "reverb_ratings_{part}.tsv"
COLUMNS = ("arg1", "rel", "arg2", "rater", "judgment")


def read_labels(
    folder: Path,
    part: Literal["train", "test"],
    *,
    plausible: bool | None = False,
    rejects: Rejects,
) -> list[Label]:
    """Return the judgements of one part: tune on "train", judge on "test".

    Parameters
    ----------
    folder
        Where ``reverb_ratings_train.tsv`` and ``reverb_ratings_test.tsv`` are.
    part
        Which of the two.
    plausible
        Label of the facts judged plausible; None leaves those judgements out ("plausible").
    rejects
        Receives judgements that are no label: "no judgment", "unknown label", "plausible",
        "labelled twice by one rater", and the reasons of :func:`evaluator.tables.read_table`.

    Raises
    ------
    InputError
        If the file is not there, is not in this format, or holds no label.
    """
    path = folder / FILE.format(part=part)
    verdicts = {"correct": True, "plausible": plausible, "implausible": False}

    def judgements() -> Iterator[tuple[str, Label]]:
        for row in read_table(path, columns=COLUMNS, rejects=rejects):
            arg1, relation, arg2, rater, word = (row[column] for column in COLUMNS)
            verdict = verdicts.get(word)
            if verdict is not None:
                yield row.where, Label(arg1, relation, arg2, verdict, rater)
            elif word in verdicts:
                rejects.add(word, "\t".join((arg1, relation, arg2)))
            else:
                rejects.add("unknown label" if word else "no judgment", f"{row.where}: {word}")

    found = list(first_labels(judgements(), rejects=rejects))
    if not found:
        raise InputError(path, "no label to use")
    return found
