"""A whole evaluation: run it, and read what it found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from distval._tables import Comparisons, Tabular, estimates_table, with_interval
from evaluator.errors import ConfigurationError, InputError
from evaluator.intervals import Estimate
from evaluator.report.notebook import html_table
from evaluator.results.result import Result
from jobs.config import Configuration
from jobs.rundir import finished_result

if TYPE_CHECKING:
    import pyarrow as pa

    from evaluator.report.notebook import Charts


@dataclass(frozen=True, slots=True)
class Run(Tabular):
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
        return finished_result(self.path)

    @property
    def report(self) -> Path:
        """The page for people, ``report.html``."""
        return self.path / "report.html"

    @property
    def configuration(self) -> Configuration:
        """The settings of the run."""
        return Configuration.of_run(self.path)

    @property
    def charts(self) -> "Charts":
        """The charts of the report by name: ``run.charts["precision"]`` shows itself."""
        from evaluator.report.notebook import Charts
        from jobs.run.report_files import run_charts

        return Charts(run_charts(self.path))

    def compare(self, *systems: str) -> Comparisons:
        """Return the systems of the run two by two, all by default.

        They are compared by people's labels where the run has some, else by the annotator.

        Raises
        ------
        ConfigurationError
            If a system is not in the run, or there are fewer than two.
        """
        from jobs.analysis.comparison import FinishedRun

        finished = FinishedRun.open(self.path)
        drawing = self.configuration.drawing
        return Comparisons(finished.compare(finished.choose(systems), drawing))

    def arrow(self) -> "pa.Table":
        """Return the figures as an Arrow table: a row a system, measure, and what it rests on."""
        return estimates_table(
            [
                ({"system": name, "measure": measure, "by": by}, figure)
                for name, by, of in self._figures()
                for measure, figure in of.items()
            ]
        )

    def _figures(self) -> Iterator[tuple[str, str, dict[str, Estimate]]]:
        """Yield the figures of each system: by labels, where there are some, and the annotator."""
        result = self.result
        for name, system in result.systems.items():
            for by, of in (("labels", system.world), ("annotator", system)):
                if of is not None:
                    yield name, by, {m: getattr(of, m) for m in result.measures}

    def _repr_html_(self) -> str:
        result = self.result
        rows = [[name, by, *map(with_interval, of.values())] for name, by, of in self._figures()]
        notes = [] if result.recall_within is None else [result.recall_within.means]
        if result.order is not None and result.order.withheld is not None:
            notes.append(f"No order of the systems is stated. {result.order.withheld}")
        for name, of in result.systems.items():
            notes += [
                f"{name}: no headline. {why}" for why in dict.fromkeys(of.withheld.values()) if why
            ]
        columns = ["system", "by", *result.measures]
        return html_table(result.name, columns, rows, [*notes, f"Signature: {result.signature}"])

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
