"""The files of the field, read: lists of records that tell what was left out."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Self

from evaluator import readers
from evaluator.corpus import sentences
from evaluator.facts.given import GivenFact
from evaluator.labels import label
from evaluator.labels.label import Label
from evaluator.model import Extraction, Rejects, Sentence


class Records[Record](list[Record]):
    """The records of a file, in file order.

    Attributes
    ----------
    rejects
        What the file holds besides records: counted by reason, with the first example of each.
    """

    rejects: Rejects

    @classmethod
    def read(cls, reader: Callable[[Rejects], Iterable[Record]]) -> Self:
        """Return what `reader` yields; what it takes for no record, it adds to its argument."""
        rejects = Rejects()
        records = cls(reader(rejects))
        records.rejects = rejects
        return records


def formats() -> dict[str, str]:
    """Return the formats of systems' output by name, each with a line about it."""
    return {name: known.DESCRIPTION for name, known in readers.formats().items()}


def read_extractions(
    path: str | Path,
    format: str | None = None,  # noqa: A002
    *,
    system: str = "system",
    keys: Mapping[str, str] | None = None,
) -> Records[Extraction]:
    """Read the extractions of a system's output file.

    Parameters
    ----------
    path
        The file, plain or packed with gzip, bzip2 or xz.
    format
        One of :func:`formats`; by default the one that recognises the file.
    system
        Name of the system; of a ``wire57`` file, the extractor to read.
    keys
        The file's own keys by what they hold, for JSON and Parquet: ``{"subject": "who"}``.

    Raises
    ------
    ConfigurationError
        If the format is unknown, has no keys to name, or gives facts without sentences
        (:func:`read_facts`).
    InputError
        If the file is missing, empty, damaged, of no format that is known, or holds no extraction.
    """
    named = tuple(sorted((keys or {}).items()))
    source = readers.SystemSource(system, format or readers.AUTO, Path(path), named)
    return Records.read(lambda rejects: readers.read_extractions(source, rejects=rejects))


def read_facts(
    path: str | Path,
    format: str | None = None,  # noqa: A002
    *,
    system: str = "system",
) -> Records[GivenFact]:
    """Read the facts that a system's output gives without sentences.

    Parameters and errors are those of :func:`read_extractions`.
    """
    source = readers.SystemSource(system, format or readers.AUTO, Path(path))
    return Records.read(lambda rejects: readers.read_facts(source, rejects=rejects))


def read_sentences(path: str | Path, format: str = "lines") -> Records[Sentence]:  # noqa: A002
    """Read the distinct sentences of a corpus file.

    Parameters
    ----------
    path
        The file, plain or packed with gzip, bzip2 or xz.
    format
        "lines": text, one sentence a line. "jsonl": objects that may have mentions, too.

    Raises
    ------
    ConfigurationError
        If the format is unknown.
    InputError
        If the file is missing, empty, damaged, or holds no sentence.
    """
    return Records.read(
        lambda rejects: sentences.read_sentences(Path(path), format=format, rejects=rejects)
    )


def read_labels(path: str | Path) -> Records[Label]:
    """Read a sheet of people's answers.

    Raises
    ------
    InputError
        If the file is missing, empty, damaged, or has not the columns of a sheet.
    """
    return Records.read(lambda rejects: label.read_labels(Path(path), rejects=rejects))
