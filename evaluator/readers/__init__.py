"""Readers of extractor output: one file per format.

A format is a module of this package with a ``NAME``, a one-line ``DESCRIPTION``, an ``EXAMPLE``,
the ``KIND`` of its records and a function ``read(lines, *, system, rejects)`` from numbered lines
to these:

* ``"extractions"``: strings about a sentence (:class:`~evaluator.model.Extraction`);
* ``"facts"``: linked facts, without a sentence (:class:`~evaluator.facts.given.GivenFact`).

``recognises(head)`` tells from a file's first lines whether it is of this format and no other, and
``TOLD_BY`` says in words what tells; the format ``auto`` is the one that recognises the file
(:mod:`evaluator.readers._detection`). A format may have ``KEYS`` too: what a file's own keys can be
named to hold, ``read`` then takes ``keys``.

Where a format can be written too, ``line_of(extraction)`` gives the line of one, and ``LOSES`` what
no line of it can say; where it is not one text file, ``lines(path, *, rejects)`` finds them, and
``MAGIC`` is what such a file begins with. Adding a format is adding such a file: :func:`formats`
finds it. A format that is a ``SPECIAL_CASE`` of another, whose name that is, is recognised before
it, and one with a function ``is_headed(head, keys)``, which tells whether the first line names
those columns, before all others. Opening, unpacking and decoding happen here, once for all.

Every line of a file becomes a record, or is part of one, or is counted in the
:class:`~evaluator.model.Rejects` (:mod:`evaluator.readers._accounts`): a reader says
``rejects.settle`` of lines that belong to a record on another line, and :func:`refuse` of those
that it skips. What says that there is no relation is no record.

Slots are kept verbatim; what they mean is decided in :mod:`evaluator.facts.linking` and
:mod:`evaluator.facts.given`.

A baseline (:mod:`evaluator.facts.baselines`) is named like a file, by the format ``baseline``, and
reads none.
"""

import lzma
import math
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, Self, cast

from evaluator.errors import ConfigurationError, InputError, choices
from evaluator.facts.baselines import Baseline
from evaluator.facts.given import GivenFact
from evaluator.found import Found
from evaluator.inputs import NOT_A_FILE, expanded, numbered_lines, open_packed
from evaluator.model import Extraction, Rejects
from evaluator.readers._accounts import NO_RELATION, FileAccount
from evaluator.readers._cells import cells
from evaluator.readers._encodings import as_utf8, looks_like
from evaluator.whole_files import whole_file

RecordKind = Literal["extractions", "facts"]

BASELINE = "baseline"
"""The format whose path is the name of a baseline."""

AUTO = "auto"
"""Stands for the format that recognises the file."""

_NAME = re.compile(r"\w[\w.+ -]*")
_BEFORE_PATH = re.compile(r"([^=]*)=([^:(]*)(?:\(([^()]*)\)\s*)?:")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_SHOWN = 300  # characters of a line, of which many records may be refused that stand on it
_UTF8_MARK = b"\xef\xbb\xbf"


class RecordError(ValueError):
    """A record that cannot be used, or written. The message is the reason it is counted under."""


class Format(Protocol):
    """What a module of this package offers; what else there may be, the package's docstring says.

    Attributes
    ----------
    TOLD_BY
        What ``recognises`` tells the format by; empty where it never does.
    EXAMPLE
        A small file, written by hand as the program writes it: the tests of all readers read it.
    """

    NAME: str
    DESCRIPTION: str
    TOLD_BY: str
    EXAMPLE: str
    KIND: RecordKind

    def read(
        self, lines: Iterable[tuple[int, str]], *, system: str, rejects: Rejects
    ) -> Iterator[Extraction] | Iterator[GivenFact]:
        """Yield the records of `lines`, pairs of a line's number (from 1) and its text."""

    def recognises(self, head: Sequence[str]) -> bool:
        """Tell whether a file that begins with these lines is of this format and no other."""


_FORMATS = Found[Format](__name__, "KIND", whole=True)


def formats() -> Mapping[str, Format]:
    """Return the known formats by name, in alphabetical order."""
    return _FORMATS


@dataclass(frozen=True, slots=True)
class SystemSource:
    """The output of one system: the system's name, the format and the file; or a baseline.

    Written ``NAME=FORMAT:PATH``, as on the command line; ``str`` gives that form back, with the
    format that was found in place of ``auto``. Where a file's own keys are named, they stand after
    the format: ``mine=json(subject=who,relation=does):mine.json``.

    Attributes
    ----------
    keys
        Pairs of a field and the file's own key for it, by field.
    detected
        Whether the format was told by the file itself.

    Raises
    ------
    ConfigurationError
        If the name is not made of letters, digits, spaces and ``_.+-``, the format or baseline
        is unknown, or the format has no such field to name a key for.
    InputError
        If the format is ``auto`` and the file cannot be read or not exactly one format recognises
        it.
    """

    name: str
    format: str
    path: Path
    keys: tuple[tuple[str, str], ...] = ()
    detected: bool = field(default=False, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ConfigurationError(
                f"system name {self.name!r}: use letters, digits, spaces and _ . + - only"
            )
        if self.format == AUTO:
            from evaluator.readers._detection import detect

            found = detect(self.path, keys=dict(self.keys))
            object.__setattr__(self, "format", found)
            object.__setattr__(self, "detected", not self.keys)
        if self.format == BASELINE:
            Baseline.parse(str(self.path))
        elif self.format not in formats():
            problem = f"unknown format {self.format!r}; {choices(self.format, _known())}"
            raise ConfigurationError(f"system {self.name}: {problem}")
        if self.keys:
            self._check_keys()

    def _check_keys(self) -> None:
        fields = getattr(formats().get(self.format), "KEYS", ())
        if not fields:
            raise ConfigurationError(
                f"system {self.name}: the format {self.format} has no keys to map; these have: "
                + ", ".join(name for name, known in formats().items() if hasattr(known, "KEYS"))
            )
        if unknown := [field for field, _ in self.keys if field not in fields]:
            raise ConfigurationError(f"no field {unknown[0]!r} to map; known: {', '.join(fields)}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the source that ``NAME=FORMAT:PATH`` or ``NAME=FORMAT(FIELD=KEY,...):PATH`` is."""
        before, path = split_source(text)
        found = _BEFORE_PATH.fullmatch(before)
        if not (found and path):
            raise ConfigurationError(
                f"system {text!r}: expected NAME=FORMAT:PATH, "
                f"such as ollie=tabbed:ollie.txt; formats: {', '.join(_known())}"
            )
        name, format_name, keys = found.groups()
        named = () if keys is None else parse_keys(keys)
        return cls(name.strip(), format_name.strip(), expanded(path), named)

    def __str__(self) -> str:
        return f"{self.name}={self.form}:{self.path}"

    @property
    def form(self) -> str:
        """The format with the keys that are named for it: all that says how the file is read."""
        return self.format + self.mapping

    @property
    def mapping(self) -> str:
        """The keys as they stand after the format; empty where none are named."""
        pairs = ",".join(f"{field}={key}" for field, key in self.keys)
        return f"({pairs})" if pairs else ""

    @property
    def baseline(self) -> Baseline | None:
        """The baseline that is named here; None where a file is."""
        return Baseline.parse(str(self.path)) if self.format == BASELINE else None

    @property
    def kind(self) -> RecordKind:
        """What the system's output holds."""
        return "extractions" if self.format == BASELINE else formats()[self.format].KIND

    def check(self) -> None:
        """Refuse a path at which there is nothing to read.

        Raises
        ------
        InputError
            If nothing is there, or no file where the format is one of files.
        """
        if self.format == BASELINE:
            return
        if not self.path.exists():
            raise InputError(self.path, "no such file")
        if not self.path.is_file() and not hasattr(formats()[self.format], "lines"):
            folder = "a folder, not a file; name the file in it"
            raise InputError(self.path, folder if self.path.is_dir() else NOT_A_FILE)


def split_source(text: str) -> tuple[str, str]:
    """Return what stands before the path in ``NAME=FORMAT:PATH``, with the colon, and the path."""
    found = _BEFORE_PATH.match(text)
    return (text[: found.end()], text[found.end() :]) if found else (text, "")


def parse_keys(text: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of field and key that ``FIELD=KEY,...`` says, by field.

    Raises
    ------
    ConfigurationError
        If a pair lacks one of the two, or a field comes twice.
    """
    pairs = [pair.partition("=") for pair in text.split(",")]
    named = {field.strip(): key.strip() for field, _, key in pairs}
    if not all(named) or not all(named.values()) or len(named) < len(pairs):
        raise ConfigurationError(
            f"mapping {text!r}: expected FIELD=KEY,... with each field once, "
            "such as subject=head,relation=rel,object=tail"
        )
    return tuple(sorted(named.items()))


def read_extractions(source: SystemSource, *, rejects: Rejects) -> Iterator[Extraction]:
    """Yield the extractions of a system's output file, in file order.

    Parameters
    ----------
    source
        File and format; plain UTF-8 text, or the same packed with gzip, bzip2 or xz.
    rejects
        Takes the lines that are no extraction, by reason, once the file is read.

    Raises
    ------
    ConfigurationError
        If the format gives no extractions, or a key that is named is nowhere in the file.
    InputError
        If the file is missing, empty, damaged, or if not one extraction could be read from it.
    """
    return cast(Iterator[Extraction], _records(source, "extractions", rejects))


def read_facts(source: SystemSource, *, rejects: Rejects) -> Iterator[GivenFact]:
    """Yield the facts that a system's output gives without sentences, in file order.

    Parameters
    ----------
    source
        File, or what the format names, and format.
    rejects
        Takes the lines that are no fact, by reason, once everything is read.

    Raises
    ------
    InputError
        If the file is missing, empty, damaged, or if not one fact could be read from it.
    """
    return cast(Iterator[GivenFact], _records(source, "facts", rejects))


def _records(
    source: SystemSource, kind: RecordKind, rejects: Rejects
) -> Iterator[Extraction | GivenFact]:
    if source.format == BASELINE:
        raise ConfigurationError(f"system {source.name}: a baseline has no file to read")
    if source.kind != kind:
        raise ConfigurationError(
            f"system {source.name}: format {source.format} gives {source.kind}, not {kind}"
        )
    own = FileAccount()
    known = formats()[source.format]
    lines = getattr(known, "lines", text_lines)(source.path, rejects=own)
    read: Callable[..., Iterator[Extraction | GivenFact]] = known.read
    options = {"keys": dict(source.keys)} if source.keys else {}
    records = own.kept(read(own.watched(lines), system=source.name, rejects=own, **options))
    yield from at_least_one(
        records, source.path, expected=known.DESCRIPTION, own=own, rejects=rejects
    )


def write_extractions(
    extractions: Iterable[Extraction],
    out: Path,
    *,
    format: str,  # noqa: A002
    source: Path | None = None,
) -> int:
    """Write `extractions` to the file `out` and return their number.

    The file appears whole or not at all. Reading a file and writing it in the same format gives
    the same bytes, but for what the format's module states.

    Parameters
    ----------
    source
        The file that they are from, for messages; where it is None, they name the system.

    Raises
    ------
    ConfigurationError
        If the format is unknown or can only be read.
    InputError
        If an extraction cannot be put into this format, or `out` not be written.
    """
    line_of = getattr(formats().get(format), "line_of", None)
    if line_of is None:
        writable = ", ".join(name for name, known in formats().items() if hasattr(known, "line_of"))
        raise ConfigurationError(f"format {format!r} cannot be written; these can: {writable}")
    count = 0
    with whole_file(out) as file:
        for extraction in extractions:
            try:
                file.write(f"{line_of(extraction)}\n")
            except RecordError as reason:
                named = source or extraction.system
                raise InputError(named, str(reason), line=extraction.line) from None
            count += 1
    return count


def text_lines(path: Path, *, rejects: Rejects) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file with their numbers, from 1, without their ends.

    The text is in UTF-8, or in UTF-16 with its mark. A line ends at a line feed only, so that no
    other separator of Unicode inside a sentence cuts it; carriage returns before the line feed go.
    Where the file has no line feed, lines end in carriage returns. The first bytes, not the name,
    tell whether the file is packed (gzip, bzip2, xz). A line that is not UTF-8, holds a NUL
    byte, or is longer than :data:`evaluator.inputs.LONGEST_LINE` is counted and left out.

    Raises
    ------
    InputError
        If the file is missing, a folder, empty, no text, in UTF-16 without a mark, or damaged or
        cut as an archive: half of a file would be evaluated as if it were the whole.
    """
    number, skipped = 0, rejects.total
    try:
        with open_packed(path) as file:
            for number, raw in numbered_lines(as_utf8(file, path), path, rejects=rejects):
                if number == 1:
                    raw = raw.removeprefix(_UTF8_MARK)
                if b"\0" in raw:
                    rejects.add("a NUL byte", example(number, raw.decode(errors="replace")))
                    continue
                try:
                    yield number, raw.rstrip(b"\r\n").decode()
                except UnicodeDecodeError:
                    shown = example(number, raw[:80].decode(errors="replace"))
                    rejects.add("invalid UTF-8", f"{shown} ({looks_like(raw)})")
    except FileNotFoundError as error:
        raise InputError(path, "no such file") from error
    except IsADirectoryError as error:
        raise InputError(path, "a folder, where a file is needed") from error
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        # The unpackers raise OSError too, but without a message of the operating system.
        problem = getattr(error, "strerror", None) or f"damaged or cut archive ({error})"
        if not number and isinstance(error, OSError) and error.filename is not None:
            raise InputError(path, f"cannot be read: {problem}") from error
        raise InputError(
            path, f"cannot be read from here on: {problem}", line=number + 1
        ) from error
    if number == 0 and rejects.total == skipped:
        raise InputError(path, "empty file")


def at_least_one[Record](
    records: Iterable[Record], path: Path, *, expected: str, own: Rejects, rejects: Rejects
) -> Iterator[Record]:
    """Yield `records`, then add the file's `own` rejects to `rejects`; refuse to yield nothing.

    Raises
    ------
    InputError
        If there was no record: a file in which every line is wrong is in another format. One
        whose every record says "no relation" is understood, and says nothing.
    """
    empty = True
    try:
        for record in records:
            empty = False
            yield record
    finally:
        rejects.merge([own])
    if empty and set(own.counts) != {NO_RELATION}:
        first = [f"{reason}, {text!r}" for reason, text in own.examples.items()][:1]
        found = "".join(first) or "no record"
        raise InputError(path, f"nothing could be read: {found}; expected {expected}")


def one_per_line[Record](
    lines: Iterable[tuple[int, str]],
    parse: Callable[[str, str, int], Record],
    *,
    system: str,
    rejects: Rejects,
) -> Iterator[Record]:
    """Yield ``parse(line, system, number)`` for each of `lines`; count what it refuses."""
    for number, line in lines:
        try:
            record = parse(line, system, number)
        except RecordError as reason:
            refuse(rejects, str(reason), number, line)
            continue
        cells(line, rejects)  # notes the quotes that the parsing of columns takes off
        yield record


def refuse(rejects: Rejects, reason: str, number: int, text: str) -> None:
    """Count line `number`, which reads `text`, as skipped for `reason`."""
    rejects.settle([number])
    rejects.add(reason, example(number, text))


def how_to_find(*, named: bool) -> str:
    """Return what to do about an extraction without its sentence, `named` or not in another way."""
    if named:
        return "give --sentences FILE, with --only-aligned if it lacks some, or write jsonl"
    return (
        "it neither quotes nor numbers it, so that no list of sentences helps; have the system "
        "write it (Stanford's: -format reverb)"
    )


def example(number: int, text: str) -> str:
    """Return how a rejected line is shown: its number and the beginning of its text."""
    return f"line {number}: {text[:_SHOWN].rstrip()}"


def parse_confidence(text: str) -> float | None:
    """Return the number written in `text`, None for blank text.

    Raises
    ------
    RecordError
        If the text is not one finite decimal number; "0,71" and "nan" are not.
    """
    text = text.strip()
    if not text:
        return None
    if not _NUMBER.fullmatch(text) or not math.isfinite(confidence := float(text)):
        raise RecordError("confidence is not a number")
    return confidence


def is_number(text: str) -> bool:
    """Tell whether `text` is one finite decimal number; blank text is none."""
    with suppress(RecordError):
        return parse_confidence(text) is not None
    return False


def mostly(head: Sequence[str], parses: Callable[[str], bool]) -> bool:
    """Tell whether `parses` holds of three quarters of the lines of `head` that are not blank."""
    lines = [line for line in head if line.strip()]
    return bool(lines) and sum(map(parses, lines)) >= 0.75 * len(lines)


def _known() -> list[str]:
    return [*formats(), AUTO]
