"""A whole evaluation: run it, and read what it found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.errors import ConfigurationError, InputError
from evaluator.results.result import Result
from jobs.config import Configuration

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run.

    Attributes
    ----------
    path
        The run directory.
    """

    path: Path

    @property
    def result(self) -> Result:
        """Every figure with its interval, method and n: what ``result.json`` holds."""
        return Result.read(self.path / "result.json")

    @property
    def report(self) -> Path:
        """The page for people, ``report.html``."""
        return self.path / "report.html"

    @property
    def configuration(self) -> Configuration:
        """The settings of the run."""
        return Configuration.of_run(self.path)

    def facts(self, columns: Sequence[str] | None = None) -> "pa.Table":
        """Return the facts of S and G′ as the run judged them, as an Arrow table.

        It has ``to_pandas()``, and ``polars.from_arrow`` takes it.

        Parameters
        ----------
        columns
            Names of the columns to read; all by default. ``e1``, ``r``, ``e2`` and ``negated``
            are the fact; ``candidate`` tells whether it is in G′, ``systems`` who states it,
            ``matched`` whether the knowledge base holds it; ``pair``, ``classic`` and so on are
            its hit counts, null where not counted; ``score`` and ``verdict`` are the annotator's.
            ``sentences`` and ``stating_documents`` tell how many state it, ``closest_order``,
            ``closest_gap`` and so on how the closest sentence does
            (:class:`evaluator.annotators.sentence_evidence.SentenceEvidence`), null without one.

        Raises
        ------
        ConfigurationError
            If there is no such column.
        InputError
            If the table is missing or damaged.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        from jobs.run.judged_table import CLOSEST, closest_columns

        folder = self.path / "estimate" / "judged"
        try:
            files = sorted(folder.glob("[!._]*.parquet"))
            stored = pq.read_schema(files[0]).names
            known = [n for name in stored for n in (CLOSEST if name == "closest" else [name])]
            if unknown := sorted({*(columns or ())} - {*known}):
                raise ConfigurationError(
                    f"no column {', '.join(unknown)} of facts; known: {', '.join(known)}"
                )
            wanted = known if columns is None else [*columns]
            read = dict.fromkeys("closest" if name in CLOSEST else name for name in wanted)
            table = pq.read_table([str(file) for file in files], columns=[*read])
        except (IndexError, OSError, pa.ArrowException) as error:
            raise InputError(
                folder, f"holds no table of facts ({error}); run distval run again"
            ) from None
        found = dict(zip(table.column_names, table.columns, strict=True))
        if "closest" in found:
            found |= closest_columns(found["closest"])
        return pa.table({name: found[name] for name in wanted})


def run(conf: str | Path | Configuration, **settings: object) -> Run:
    """Run a whole evaluation; unchanged stages are kept.

    Parameters
    ----------
    conf
        A configuration file (TOML), or a configuration.
    settings
        Settings that replace the file's: ``run(conf, pmi={"threshold": 0.2}, run="runs/other")``.

    Raises
    ------
    DistvalError
        With one line that says what to mend, as the command line prints it.
    """
    from jobs.run.pipeline import run as run_stages

    if isinstance(conf, Configuration):
        if settings:
            raise ConfigurationError(
                f"settings ({', '.join(settings)}) replace those of a file: name the file"
            )
        configuration = conf
    else:
        configuration = Configuration.load(Path(conf), overrides=_overrides(settings))
    run_stages(configuration)
    return Run(configuration.run)


def open_run(path: str | Path) -> Run:
    """Open the directory of a finished run.

    Raises
    ------
    InputError
        If no finished run is there.
    """
    found = Run(Path(path))
    found.configuration  # noqa: B018  (it refuses what is none)
    return found


def _overrides(settings: Mapping[str, object], section: str = "") -> Iterator[str]:
    """Yield settings in sections as ``section.key=value``, the value in TOML."""
    import tomlkit

    for key, value in settings.items():
        if isinstance(value, Mapping) and not section:
            yield from _overrides(value, f"{key}.")
            continue
        if isinstance(value, Mapping):
            table = tomlkit.inline_table()
            table.update(value)
            text = table.as_string()
        else:
            plain = str(value) if isinstance(value, Path) else value
            text = tomlkit.item(list(plain) if isinstance(plain, tuple) else plain).as_string()
        yield f"{section}{key}={text}"
