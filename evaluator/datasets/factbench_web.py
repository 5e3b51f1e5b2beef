"""FactBench's facts beside web pages about them, and what language models said of them.

Shami, Marchesin and Silvello, "Benchmarking large language models for knowledge graph validation"
(arXiv 2602.10748), bring 2,799 facts of FactBench, true ones and facts made wrong, the pages that a
web search gave for questions about each, and the verdicts of language models. Pages were searched
for with the fact in hand, be it true or false.

The pages, ``pages.jsonl.xz``, are a collection that an index is built from as it stands.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from evaluator.datasets.factbench import KINDS, FactKind, MadeFact, each_once, without_qualifier
from evaluator.errors import InputError
from evaluator.model import Item, Rejects
from evaluator.tables import read_table

FACTS, JUDGES = "facts.tsv", "judges.tsv"

_MADE_WRONG = "wrong_mix_"
_LABELS = {"1": True, "0": False}
_VERDICTS = {"T": True, "F": False}
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Prompted(NamedTuple):
    """A language model, and what it was given: "DKA" no evidence, "RAG" passages of pages."""

    method: str
    model: str


def read_web_facts(folder: Path, *, rejects: Rejects) -> list[MadeFact]:
    """Return the facts in words, sorted, each once.

    Names are without a qualifier in parentheses, and a relation is DBpedia's name of it in words:
    "birth place" for ``birthPlace``.

    Parameters
    ----------
    folder
        Where ``facts.tsv`` is.
    rejects
        Receives "unknown kind", "label against its kind", "empty element", and, since facts that
        differ in their years are one, the reasons of
        :func:`evaluator.datasets.factbench.each_once`.

    Raises
    ------
    InputError
        If the file is not there, is not in this format, or holds no fact to use.
    """
    kinds: dict[Item, list[FactKind]] = defaultdict(list)
    for item, kind in _facts(folder, rejects).values():
        kinds[item].append(kind)
    facts = each_once(kinds, rejects=rejects)
    if not facts:
        raise InputError(folder / FACTS, "no fact to use")
    return facts


def read_verdicts(folder: Path, *, rejects: Rejects) -> dict[Prompted, Mapping[Item, bool]]:
    """Return the verdicts of each model on the facts of :func:`read_web_facts`.

    Of a fact that was asked about more than once, for several years, the first verdict stands.

    Parameters
    ----------
    folder
        Where ``judges.tsv`` and ``facts.tsv`` are.
    rejects
        Receives "no verdict", those that nobody could read, and "unknown fact".

    Raises
    ------
    InputError
        If a file is not there, or is not in this format.
    """
    facts = _facts(folder, Rejects())
    verdicts: dict[Prompted, dict[Item, bool]] = defaultdict(dict)
    columns = ("id", "method", "model", "verdict")
    for row in read_table(folder / JUDGES, columns=columns, rejects=rejects):
        said = _VERDICTS.get(row["verdict"])
        if said is None:
            rejects.add("no verdict", f"{row.where}: {row['verdict']}")
        elif row["id"] not in facts:
            rejects.add("unknown fact", f"{row.where}: {row['id']}")
        else:
            item, _ = facts[row["id"]]
            verdicts[Prompted(row["method"], row["model"])].setdefault(item, said)
    return dict(verdicts)


def _facts(folder: Path, rejects: Rejects) -> dict[str, tuple[Item, FactKind]]:
    """Return the facts by id."""
    facts: dict[str, tuple[Item, FactKind]] = {}
    columns = ("id", "e1", "r", "e2", "label", "kind")
    for row in read_table(folder / FACTS, columns=columns, rejects=rejects):
        kind = row["kind"].removeprefix(_MADE_WRONG)
        relation = _CAPITAL.sub(" ", row["r"]).lower()
        item = without_qualifier(row["e1"]), relation, without_qualifier(row["e2"])
        if kind not in KINDS:
            rejects.add("unknown kind", f"{row.where}: {row['kind']}")
        elif _LABELS.get(row["label"]) != (kind == "correct"):
            rejects.add("label against its kind", f"{row.where}: {row['label']}")
        elif not all(item):
            rejects.add("empty element", row.where)
        else:
            facts[row["id"]] = item, kind
    return facts
