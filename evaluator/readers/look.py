"""A first look at a file: what it is taken for and why, and its first records as they are read."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from evaluator.errors import excerpt
from evaluator.facts.given import GivenFact
from evaluator.model import Extraction, Rejects
from evaluator.readers import SystemSource, formats, read_extractions, read_facts
from evaluator.readers._detection import names_columns as names_columns


class Look(NamedTuple):
    """What a file is taken for.

    Attributes
    ----------
    format
        The format, with the keys that are named.
    why
        What told the format.
    records
        The first records.
    rejects
        What was skipped before the last of them.
    """

    format: str
    why: str
    records: Sequence[Extraction | GivenFact]
    rejects: Rejects


def look(source: SystemSource, *, most: int = 1) -> Look:
    """Return what the file of a system is taken for, with its first records, at most `most`.

    Raises
    ------
    ConfigurationError, InputError
        As :func:`evaluator.readers.read_extractions`.
    """
    if source.detected:
        why = f"told by {formats()[source.format].TOLD_BY}"
    else:
        why = "its keys are named" if source.keys else "named so"
    rejects = Rejects()
    records: Iterator[Extraction | GivenFact]
    if source.kind == "facts":
        records = read_facts(source, rejects=rejects)
    else:
        records = read_extractions(source, rejects=rejects)
    first: list[Extraction | GivenFact] = list(islice(records, most))
    del records  # what is skipped is told at its end
    return Look(source.form, why, first, rejects)


def in_words(record: Extraction | GivenFact) -> str:
    """Return a record as it is read, in one line."""
    if isinstance(record, GivenFact):
        names = " and ".join(name for name in (record.name1, record.name2) if name)
        told = [f"of {names}"] if names else []
        return _line(record.line, (record.e1, record.relation, record.e2), told)
    arguments = [record.arg2, *record.more_arguments] if record.arg2 else []
    told = [] if record.confidence is None else [f"confidence {record.confidence:g}"]
    told += [] if record.asserted else ["not asserted"]
    told += ["negated"] if record.negated else []
    told += [f"sentence {record.sentence_id}"] if record.sentence_id else []
    told += [f"in {excerpt(record.sentence)}"] if record.sentence.strip() else []
    return _line(record.line, (record.arg1, record.relation, *arguments), told)


def _line(number: int, slots: Sequence[str], told: Sequence[str]) -> str:
    return ", ".join([f"line {number}: ({'; '.join(slots)})", *told])
