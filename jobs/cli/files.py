"""What a command reads is never written over: one rule for every output of every command.

The parameters of a command say which files they name: :data:`READS`, :data:`WRITES` and the like
stand beside their types, and a command whose paths say nothing cannot be declared
(:mod:`jobs.cli.commands`). Before the command does any work its outputs are held against its
inputs, against each other, and against what distval keeps: runs, text indexes, knowledge bases,
label folders and public data. Files are told apart by where they are, not by how they are named: a
link, of either kind, is the file that it leads to.
"""

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, get_args

from typer.models import ArgumentInfo, ParameterInfo

from evaluator.errors import ConfigurationError
from evaluator.inputs import expanded, read_json
from evaluator.labels.design_file import DESIGN
from evaluator.readers import SystemSource
from indexes.locks import LOCK
from indexes.text.manifest import MANIFEST, is_ours
from jobs.config import CONFIGURATION, Configuration, data_folder
from jobs.data.catalogue import set_of
from jobs.run.audit_file import AUDIT
from jobs.rundir import STAMP
from jobs.stage_account import FILE as STAGES

_OF_A_RUN = {
    *("annotator.json", AUDIT, CONFIGURATION, "result.json", "previous.json", "report.html"),
    *(LOCK, STAGES),
    *("sensitivity.html", "sensitivity.json"),
}
_OF_LABELS = {".csv", ".json", ".jsonl", ".tsv"}


@dataclass(frozen=True)
class Reads:
    """Marks a parameter that names what is read.

    Attributes
    ----------
    paths
        Returns the files and folders that a value stands for.
    """

    paths: Callable[[Any], Iterable[Path]] = lambda path: [path]


@dataclass(frozen=True)
class Writes:
    """Marks a parameter that names what is written.

    Attributes
    ----------
    what
        A file; a folder that is made anew; or one that is added to, which may hold what is read.
    edits
        Name of a parameter that may name the same file, which is then changed and not replaced.
    """

    what: str = "file"
    edits: str | None = None


READS = Reads()
READS_SYSTEM = Reads(lambda text: [s.path for s in [SystemSource.parse(text)] if not s.baseline])
"""``NAME=FORMAT:PATH``."""
READS_GOLD = Reads(lambda text: [expanded(text.partition(":")[2])])
"""``BENCHMARK:FILE``."""
READS_ALL_OF = Reads(lambda conf: [conf, *Configuration.load(conf).reads])
"""A configuration, and whatever it names."""
READS_MIRROR = Reads(lambda text: [] if "://" in text else [Path(text)])
"""A folder or an address."""
WRITES = Writes()
MAKES = Writes("folder")
FILLS = Writes("contents")


class WantedOutput(NamedTuple):
    """What a command is asked to write: the option, the path, and how."""

    option: str
    path: Path
    how: Writes
    edited: Path | None = None


type Marks = Mapping[str, tuple[str, Reads | Writes]]
"""By name of a parameter: what people call it, and its mark."""


def marks_of(function: Callable[..., Any]) -> Marks:
    """Return what the parameters of a command read and write.

    Raises
    ------
    TypeError
        Where a parameter holds a path and has no mark.
    """
    marks: dict[str, tuple[str, Reads | Writes]] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        kind, *told = get_args(parameter.annotation) or (parameter.annotation,)
        mark = next((one for one in told if isinstance(one, Reads | Writes)), None)
        if mark is not None:
            info = next((one for one in told if isinstance(one, ParameterInfo)), None)
            marks[name] = (_called(name, info), mark)
        elif Path in (kind, *get_args(kind)) or list[Path] in (kind, *get_args(kind)):
            raise TypeError(
                f"{function.__name__}: say of {name} whether it is read or written (jobs.cli.files)"
            )
    return marks


def _called(name: str, info: ParameterInfo | None) -> str:
    """Return what a parameter is called on the command line."""
    # Inside of Annotated, Typer takes the first declaration for a default.
    told = (info.default, *(info.param_decls or ())) if info else ()
    named = [part for part in told if isinstance(part, str) and part.startswith("--")]
    if isinstance(info, ArgumentInfo):
        return info.metavar or name.upper()
    return named[0] if named else f"--{name.replace('_', '-')}"


def check_call(marks: Marks, values: Mapping[str, Any]) -> None:
    """Check the files of a command that is called with `values`; see :func:`check_files`."""
    reads: list[Path] = []
    writes: list[WantedOutput] = []
    wanted = [name for name, value in values.items() if value is not None and name in marks]
    if not any(isinstance(marks[name][1], Writes) for name in wanted):
        return
    for name in wanted:
        called, mark = marks[name]
        value = values[name]
        each = value if isinstance(value, list) else [value]
        if isinstance(mark, Reads):
            reads += (path for one in each for path in mark.paths(one))
        else:
            edited = values.get(mark.edits) if mark.edits else None
            writes += (WantedOutput(called, path, mark, edited) for path in each)
    check_files(reads, writes)


def check_files(reads: Iterable[Path], writes: Iterable[WantedOutput]) -> None:
    """Refuse outputs that would harm what is read, each other, or what distval keeps.

    Raises
    ------
    ConfigurationError
        Naming the option and the file.
    """
    read = [_Place(path) for path in reads]
    taken: list[tuple[str, _Place]] = []
    for option, path, how, edited in writes:
        out = _Place(path)
        is_edited = edited is not None and out.same_as(_Place(edited))
        others = [place for place in read if not (is_edited and out.same_as(place))]
        problem = _harm(out, how, others) or next(
            (
                f"would be written over the file of {other}"
                for other, it in taken
                if out.same_as(it)
            ),
            None,
        )
        if problem:
            raise ConfigurationError(f"{option} {path}: {problem}; name another place")
        taken.append((option, out))


def _harm(out: "_Place", how: Writes, read: Iterable["_Place"]) -> str | None:
    """Return what an output would do to what is read and to what is kept."""
    over = "would be written over what is read"
    for place in read:
        if out.same_as(place) or (out.is_linked and out.is_link_into(place)):
            return over
        if out.is_inside(place):
            # A run keeps no record of what lies in it beside its own: that is for pages about it.
            is_file = how.what == "file" and out.is_file
            if is_file and (not _is_run(place.path) or _keeper(out.path)):
                return over
            if how == MAKES:
                return f"would be written into {place.given}, which is read"
        if how == MAKES and place.is_inside(out):
            return f"is made anew, and {place.given} in it is read"
    if kept := _keeper(out.path):
        return f"would be written {kept}"
    if out.is_linked and out.is_link_into(_Place(data_folder())):
        return f"would be written over a file of {data_folder()}"
    return None


class _Place:
    """Where a path leads, and what is there."""

    def __init__(self, path: Path) -> None:
        self.given = path
        self.path = Path(os.path.realpath(path))  # Path.resolve fails at circles of links
        self._status: os.stat_result | None = None
        with suppress(OSError, ValueError):
            self._status = self.path.stat()

    @property
    def is_file(self) -> bool:
        return self.path.is_file()

    @property
    def is_linked(self) -> bool:
        """Whether it is a file with several names."""
        return self.is_file and self._status is not None and self._status.st_nlink > 1

    def same_as(self, other: "_Place") -> bool:
        if self._status is None or other._status is None:
            return self.path == other.path
        return os.path.samestat(self._status, other._status)

    def is_inside(self, folder: "_Place") -> bool:
        return any(_Place(parent).same_as(folder) for parent in self.path.parents)

    def is_link_into(self, folder: "_Place") -> bool:
        """Whether a file in `folder` is this one by another name."""
        return any(
            self.same_as(_Place(Path(where, name)))
            for where, _, names in os.walk(folder.path)
            for name in names
        )


def _keeper(place: Path) -> str | None:
    """Return into or over what an output would be written of what distval keeps; else None."""
    if found := set_of(place, data_folder()):
        what = "over what is read of" if place.is_file() else "into"
        return f"{what} the data set {found.name}"
    for folder in place.parents:
        if (folder / STAMP).is_file():
            return f"into a stage of the run {folder.parent}"
        if kind := _kind_of_evidence(folder):
            return f"into the {kind} {folder}"
    folder = place.parent
    if place.name in _OF_A_RUN and _is_run(folder):
        return f"over a file of the run {folder}"
    if place.is_file() and place.suffix in _OF_LABELS and (folder / DESIGN).is_file():
        return f"over a file of the label folder {folder}"
    return None


def _is_run(folder: Path) -> bool:
    return (folder / CONFIGURATION).is_file() and (folder / "result.json").is_file()


def _kind_of_evidence(folder: Path) -> str | None:
    try:
        told = read_json(folder / MANIFEST)
    except (OSError, ValueError):
        return None
    if is_ours(told):
        return "text index"
    known = isinstance(told, dict) and str(told.get("format")).startswith("distval knowledge base")
    return "knowledge base" if known else None
