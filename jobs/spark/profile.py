"""Profiles of clusters: what ``distval submit --profile`` asks a cluster for.

A profile is a TOML file. Its sizes are those of a whole executor, as a cluster grants them; how
Spark, its Python workers and Lucene share one is computed here.
"""

import re
import tomllib
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from evaluator.errors import ConfigurationError, InputError, choices
from evaluator.inputs import read_text
from evaluator.printable import without_controls
from indexes.memory import memory_bytes
from jobs.spark.master import known_master
from jobs.spark.settings import check_settings, storage_url

_MIB = 1 << 20
_LUCENE = 400 * _MIB  # the JVM that counts, beside the positions that it holds (index.memory)
_PYTHON = 500 * _MIB  # a worker with its tables
_HADOOP = 250 * _MIB  # the JVM that speaks to the storage, where there is one
_HEAP = 1024 * _MIB  # Spark's own Java needs as much for each executor ...
_HEAP_OF_CORE = 256 * _MIB  # ... and this for each task at a time
_WORD = re.compile(r"([A-Za-z0-9_.][A-Za-z0-9_.-]*)?")
_SETTING = re.compile(r"spark\.[A-Za-z0-9_./-]+")  # with / as in the mount table of ViewFs


def _checked(text: str) -> str:
    try:
        memory_bytes(text)
    except ConfigurationError as error:
        raise ValueError(str(error)) from None
    return text


def _master(text: str) -> str:
    try:
        return known_master(text)
    except ConfigurationError as error:
        raise ValueError(str(error)) from None


def _settings(settings: dict[str, str]) -> dict[str, str]:
    for name, value in settings.items():
        if not _SETTING.fullmatch(name):
            raise ValueError(f"{name!r} is no setting of Spark: they begin with spark.")
        without_controls(value)
    try:
        check_settings(settings)
    except ConfigurationError as error:
        raise ValueError(str(error)) from None
    return settings


def _storage(text: str) -> str:
    try:
        storage_url(text)
    except ConfigurationError as error:
        raise ValueError(str(error)) from None
    return text


def _word(text: str) -> str:
    if not _WORD.fullmatch(text):
        raise ValueError(f"{text!r}: letters, digits and . _ - only")
    return text


def _time(text: str) -> str:
    if not re.fullmatch(r"([0-9]{1,3}-)?[0-9]{1,3}(:[0-5][0-9]){0,2}", text):
        raise ValueError(f"{text!r}: expected a time such as 08:00:00 or 2-12:00:00")
    return text


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Slurm(_Section):
    """What Slurm is asked for beside nodes, cores and memory."""

    time: Annotated[str, AfterValidator(_time)] = "01:00:00"
    partition: Annotated[str, AfterValidator(_word)] = ""
    account: Annotated[str, AfterValidator(_word)] = ""


class ClusterProfile(_Section):
    """A cluster, and what of it a run gets.

    Attributes
    ----------
    master
        Spark master URL; empty with `slurm`, whose job starts its own.
    executors, cores, memory
        Executors (with Slurm: nodes), cores of each, and memory of each for all that runs in it.
    driver_memory
        Of Spark's Java on the submitting machine.
    ship
        Whether the dependencies and a Java go with the job, for workers that have a Python alone.
    python
        On the workers: the Python that has the dependencies, or that runs those that are shipped.
        Empty: the path of the one that submits.
    storage
        A folder that all nodes reach, as ``spark.storage`` of a run, which wins; without either,
        all nodes reach all paths.
    settings
        Further settings of Spark; they win.
    slurm
        Given where the cluster is Slurm's.
    """

    master: str = ""
    executors: int = Field(default=2, strict=True, ge=1, le=10_000)
    cores: int = Field(default=4, strict=True, ge=1, le=1_024)
    memory: Annotated[str, AfterValidator(_checked)] = "16GB"
    driver_memory: Annotated[str, AfterValidator(_checked)] = "4GB"
    ship: Annotated[bool, Field(strict=True)] = False
    python: Annotated[str, AfterValidator(without_controls)] = ""
    storage: Annotated[str, AfterValidator(_storage)] | None = None
    settings: Annotated[dict[str, str], AfterValidator(_settings)] = {}
    slurm: Slurm | None = None

    @model_validator(mode="after")
    def _has_one_master(self) -> "ClusterProfile":
        if (self.slurm is None) == (not self.master):
            raise ValueError("give master, or the section slurm")
        if self.master:
            _master(self.master)
        return self


class MemoryShares(NamedTuple):
    """How the memory of one executor is divided, in MiB.

    Attributes
    ----------
    heap
        Of Spark's Java (``spark.executor.memory``).
    overhead
        Of all else (``spark.executor.memoryOverhead``): Python workers, and Lucene in them.
    """

    heap: int
    overhead: int


def shared(memory: str, cores: int, *, index_memory: str, storage: bool = False) -> MemoryShares:
    """Divide the memory of an executor.

    Each core runs a Python worker with a JVM for Lucene, which holds positions up to
    `index_memory`, and with `storage` one that speaks to it; Spark's Java has the rest.

    Raises
    ------
    ConfigurationError
        Where the rest is too little for Spark, with what would do.
    """
    worker = _PYTHON + _LUCENE + memory_bytes(index_memory) + (_HADOOP if storage else 0)
    overhead = cores * worker
    needed = overhead + _HEAP + cores * _HEAP_OF_CORE
    have = memory_bytes(memory)
    if have < needed:
        raise ConfigurationError(
            f"memory {memory!r} of an executor with {cores} cores is too little: it needs "
            f"{-(-needed // _MIB):,} MiB ({worker // _MIB:,} for the Python worker and Lucene of "
            "each core); give it more memory, fewer cores, or a smaller index.memory"
        )
    heap = (have - overhead) // _MIB
    return MemoryShares(heap, mebibytes(memory) - heap)


def mebibytes(memory: str) -> int:
    """Return a bound of memory in MiB."""
    return memory_bytes(memory) // _MIB


def read_profile(name: str, *, beside: Path) -> ClusterProfile:
    """Return the profile of a name, or of a file.

    Parameters
    ----------
    name
        A path of a TOML file, or the name of one in ``cluster/`` beside the configuration, in
        ``conf/cluster/`` here, or among those of the project.
    beside
        The configuration of the run.

    Raises
    ------
    InputError
        Where there is none, or it is no TOML.
    ConfigurationError
        Where a setting is unknown or out of bounds.
    """
    path = _find(name, beside)
    try:
        content = tomllib.loads(read_text(path))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(path, f"cannot read this profile: {error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"not a TOML file: {error}") from None
    try:
        return ClusterProfile.model_validate(content)
    except ValidationError as error:
        raise ConfigurationError(f"{path}: {_explain(error)}") from None


def _find(name: str, beside: Path) -> Path:
    if name.endswith(".toml") or "/" in name:
        path = Path(name)
        if not path.is_file():
            raise InputError(path, "no such profile")
        return path
    here = Path(__file__).parents[2]
    folders = [beside.absolute().parent / "cluster", Path("conf/cluster"), here / "conf/cluster"]
    for folder in folders:
        if (folder / f"{name}.toml").is_file():
            return folder / f"{name}.toml"
    known = sorted({file.stem for folder in folders for file in folder.glob("*.toml")})
    raise InputError(name, f"no such profile; {choices(name, known)}")


def _explain(error: ValidationError) -> str:
    """Return what is wrong with a profile in one line."""
    problems = []
    for problem in error.errors():
        where = ".".join(map(str, problem["loc"])) or "profile"
        if problem["type"] == "extra_forbidden":
            section = Slurm if problem["loc"][0] == "slurm" else ClusterProfile
            known = choices(str(problem["loc"][-1]), section.model_fields)
            problems.append(f"unknown key {where}; {known}")
        else:
            message = problem["msg"].removeprefix("Value error, ")
            problems.append(f"{where}: {message[:1].lower()}{message[1:]}")
    return "; ".join(problems)
