"""Annotators: from the evidence about a fact to a score, and from that to "correct" or not.

One file each, all alike (:class:`~evaluator.annotators.base.Annotator`). A new file is found by
itself, and a configuration can name it:

* ``pmi``: CLASSIC, PROXIMITY or ANCHORED PMI, the paper's;
* ``anchored``: ANCHORED where a document about e1 holds e2, PROXIMITY elsewhere;
* ``urns``: the probability by repetition, fitted without labels;
* ``distant``: the probability by text and sentence, learnt without labels;
* ``calibrated``: the probability by all evidence, trained on labels;
* ``external``: what judges from outside say.

A score is NaN where the evidence says nothing of a fact; that is not "false". Annotators are saved
as JSON (:func:`write_annotator`), with every parameter to be read by people; to score takes numpy
alone.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from evaluator.annotators.anchored import Anchored
from evaluator.annotators.base import (
    Annotator,
    Examples,
    Histogram,
    Kind,
    Part,
    Population,
    Trained,
)
from evaluator.annotators.calibrated import Calibrated
from evaluator.annotators.distant import Distant
from evaluator.annotators.external import External
from evaluator.annotators.items import digest_of
from evaluator.annotators.pmi import Pmi
from evaluator.annotators.urns import Urns
from evaluator.errors import DistvalError, InputError
from evaluator.found import Found
from evaluator.inputs import read_json
from evaluator.whole_files import write_whole

__all__ = [
    "ANNOTATORS",
    "Anchored",
    "Annotator",
    "Calibrated",
    "Distant",
    "Examples",
    "External",
    "Histogram",
    "Kind",
    "Part",
    "Pmi",
    "Population",
    "Trained",
    "Urns",
    "digest_of",
    "read_annotator",
    "write_annotator",
]

ANNOTATORS: Final[Mapping[str, Kind]] = Found[Kind](__name__, "KIND", default=Pmi.NAME)
"""The annotators by NAME; the first is the default."""

FORMAT: Final = 1


def write_annotator(path: Path, annotator: Annotator) -> None:
    """Write an annotator with all its parameters as JSON; whole, or not at all.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    saved = {"format": FORMAT, "kind": annotator.NAME, **annotator.as_json()}
    write_whole(path, json.dumps(saved, indent=1, allow_nan=False) + "\n")


def read_annotator(path: Path) -> Annotator:
    """Read what :func:`write_annotator` wrote.

    Raises
    ------
    InputError
        If the file cannot be read, is of another format or version, or is damaged.
    """
    try:
        saved: Any = read_json(path)
    except FileNotFoundError:
        raise InputError(path, "no such file") from None
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})") from None
    except ValueError:
        raise InputError(path, "not JSON: expected a saved annotator") from None
    name = saved.pop("kind", None) if isinstance(saved, dict) else None
    if not isinstance(name, str) or name not in ANNOTATORS:
        raise InputError(path, f"no saved annotator: expected a kind of {', '.join(ANNOTATORS)}")
    if (version := saved.pop("format", None)) != FORMAT:
        raise InputError(path, f"of format {version}, not {FORMAT}: save the annotator again")
    try:
        return ANNOTATORS[name].annotator.from_json(saved)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError, DistvalError) as error:
        problem = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(path, f"damaged annotator: {problem}") from None
