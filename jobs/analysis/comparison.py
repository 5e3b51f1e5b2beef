"""What a comparison needs of a finished run: its settings, and its facts counted by cell."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb

from evaluator.comparison.two_systems import Comparison, compare_all
from evaluator.errors import ConfigurationError, InputError, choices
from evaluator.estimators.claims import ClaimKind
from evaluator.estimators.tallies import Cell
from evaluator.intervals import Drawing
from evaluator.labels.comparison import compare_labelled
from evaluator.labels.design import LabelCell, LabelledFact, label_cells
from evaluator.results.result import Result
from jobs.config import Configuration
from jobs.run.judged_table import JudgedTable
from jobs.run.label_folder import LabelFolder
from jobs.rundir import files_of_table, finished_result, finished_stage


class Labelled(NamedTuple):
    """The facts of a run in label cells, those with labels, the run's estimator and its claims."""

    cells: list[LabelCell]
    facts: list[LabelledFact]
    estimator: str
    claims: dict[str, Mapping[str, ClaimKind]]


class FinishedRun(NamedTuple):
    """A finished run: its folder and its result."""

    path: Path
    result: Result

    @classmethod
    def open(cls, path: Path) -> "FinishedRun":
        """Open a run directory.

        Raises
        ------
        InputError
            Where there is none, its run is not finished, or its result is of another version.
        """
        if not path.is_dir():
            raise InputError(path, "no such run directory")
        file = path / "result.json"
        if not file.is_file() or not (path / "estimate" / "judged").is_dir():
            raise InputError(
                path,
                "is no directory of a finished run (it lacks result.json or estimate/judged); "
                "give what a configuration calls run, after distval run",
            )
        return cls(path, finished_result(path))

    def choose(self, systems: Sequence[str]) -> list[str]:
        """Return the named systems, by default all, in the order of the run.

        Raises
        ------
        ConfigurationError
            Where one is not in the run, or there are fewer than two.
        """
        known = list(self.result.systems)
        for name in systems:
            if name not in known:
                raise ConfigurationError(f"{self.path}: no system {name}; {choices(name, known)}")
        chosen = [name for name in known if name in systems] if systems else known
        if len(chosen) < 2:
            raise ConfigurationError(
                f"{self.path}: a comparison needs two systems, and there is only "
                f"{', '.join(chosen) or 'none'}"
            )
        return chosen

    def labelled(self, drawing: Drawing) -> "Labelled | None":
        """Return what people said of the run's facts; None where its result rests on no labels.

        Parameters
        ----------
        drawing
            That of the comparison, by which a model of raters draws too.

        Raises
        ------
        InputError
            Where the labels are not those of the result any more.
        """
        labels = self.result.labels
        if labels is None:
            return None
        finished_stage(self.path / "estimate")
        settings = Configuration.of_run(self.path).labels
        if settings.path is None:
            raise InputError(self.path, "its last run had no labels; run it again with them")
        folder = LabelFolder.open(settings.path)
        if folder.identity(settings).digest != labels.digest:
            raise InputError(
                settings.path, "has other answers than the result; run distval run again"
            )
        table = JudgedTable(self.path, folder.stratification.known_cuts())
        told = folder.told(table.look_up(folder.facts()), settings, drawing)
        return Labelled(
            label_cells(table.kinds(), folder.stratification),
            told.world,
            settings.estimator,
            {name: of.world.claims for name, of in self.result.systems.items() if of.world},
        )

    def compare(self, systems: Sequence[str], drawing: Drawing) -> list[Comparison]:
        """Return all pairs of systems compared: by people's labels where the result rests on some.

        Raises
        ------
        DistvalError
            As :meth:`labelled` and :meth:`cells`.
        """
        corpus = self.result.corpus is not None
        labelled = self.labelled(drawing)
        if labelled is None:
            return compare_all(self.cells(), systems, drawing, corpus=corpus)
        return compare_labelled(
            labelled.cells,
            labelled.facts,
            systems,
            estimator=labelled.estimator,
            claims=labelled.claims,
            drawing=drawing,
            corpus=corpus,
        )

    def cells(self) -> list[Cell]:
        """Return the judged facts counted by cell.

        Raises
        ------
        DistvalError
            Where their table cannot be read.
        """
        finished_stage(self.path / "estimate")
        query = (
            "select candidate, systems, matched, verdict, samples, count(*) "
            "from read_parquet(?) group by all"
        )
        judged = self.path / "estimate" / "judged"
        with duckdb.connect() as connection, files_of_table(judged) as files:
            rows = connection.execute(query, [files]).fetchall()
        return [
            Cell(candidate, frozenset(systems), matched, verdict, frozenset(samples), facts)
            for candidate, systems, matched, verdict, samples, facts in rows
        ]


def one_system(names: Iterable[str], wanted: str, where: Path, how: str) -> str:
    """Return the wanted system, or the only one there is where none is wanted.

    Parameters
    ----------
    names
        Those that there are; a name may stand there several times.
    wanted
        Empty for the only one.
    where, how
        What has them, and how one is named, for messages.

    Raises
    ------
    ConfigurationError
        If there is no such system, or there are several and none is wanted.
    """
    known = list(dict.fromkeys(names))
    if wanted in known:
        return wanted
    if wanted:
        raise ConfigurationError(f"{where}: no system {wanted}; {choices(wanted, known)}")
    if len(known) == 1:
        return known[0]
    raise ConfigurationError(f"{where}: several systems; name one, {how}: {', '.join(known)}")
