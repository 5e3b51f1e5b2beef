"""Google's relation extraction corpus: facts read off Wikipedia, five raters each.

A record names its subject and object by Freebase id only. The subject's name is the title of the
Wikipedia article that is the evidence; the object's name has to come from elsewhere.
"""

import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from evaluator.errors import InputError
from evaluator.inputs import numbered_lines, open_packed
from evaluator.json_objects import parse_json
from evaluator.labels.label import SKIP, Label, first_labels
from evaluator.model import Rejects
from evaluator.text import normalise

FILE = "20131104-place_of_death.json.gz"
RELATION = "died in"

_VERDICTS = {"yes": True, "no": False}
_ARTICLE = "/wiki/"
_QUALIFIER = re.compile(r"\s*\([^()]*\)$")


def read_labels(folder: Path, names: Mapping[str, str], *, rejects: Rejects) -> list[Label]:
    """Return the judgements of the place-of-death facts, by name of subject and object.

    Parameters
    ----------
    folder
        Where ``20131104-place_of_death.json.gz`` is.
    names
        Freebase id (``/m/0ftfw``) to name, for the objects.
    rejects
        Receives judgements that are no label ("skip", "unknown label", "labelled twice by one
        rater": two facts may share their names) and records that give none ("object without a
        name", "subject without an article", "broken record", "truncated file").

    Raises
    ------
    InputError
        If the file is not there, cannot be read, or holds no label.
    """
    path = folder / FILE
    found = list(first_labels(_judgements(path, names, rejects), rejects=rejects))
    if not found:
        reasons = ", ".join(f"{count} × {reason}" for reason, count in rejects.counts.items())
        raise InputError(path, f"no label to use ({reasons or 'empty file'})")
    return found


def article_name(url: str) -> str:
    """Return the name that the URL of a Wikipedia article gives; empty if it gives none.

    >>> article_name("http://en.wikipedia.org/wiki/James_Cannon_(mathematician)")
    'James Cannon'
    """
    _, found, title = urlsplit(url).path.partition(_ARTICLE)
    name = unquote(title).replace("_", " ") if found else ""
    return normalise(_QUALIFIER.sub("", name).strip())


def _judgements(
    path: Path, names: Mapping[str, str], rejects: Rejects
) -> Iterator[tuple[str, Label]]:
    for record in _records(path, rejects):
        try:
            subject = article_name(record["evidences"][0]["url"])
            identifier = record["obj"]
            judgements = [(vote["rater"], vote["judgment"]) for vote in record["judgments"]]
        except (LookupError, TypeError, ValueError):
            rejects.add("broken record", str(record))
            continue
        if not subject:
            rejects.add("subject without an article", str(record["evidences"]))
        elif not names.get(identifier):
            rejects.add("object without a name", identifier)
        else:
            for rater, word in judgements:
                if word in _VERDICTS:
                    label = Label(subject, RELATION, names[identifier], _VERDICTS[word], rater)
                    yield str(path), label
                else:
                    rejects.add(SKIP if word == SKIP else "unknown label", word)


def _records(path: Path, rejects: Rejects) -> Iterator[Any]:
    try:
        with open_packed(path) as file:
            for _, line in numbered_lines(file, path, rejects=rejects):
                try:
                    yield parse_json(line)
                except ValueError:
                    rejects.add("broken record", repr(line))
    except (EOFError, zlib.error):
        rejects.add("truncated file", str(path))
    except FileNotFoundError:
        raise InputError(path, "no such file; fetch the set, or name the folder it is in") from None
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror or error})") from None
