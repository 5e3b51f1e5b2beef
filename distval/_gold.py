"""Systems scored on a gold benchmark, from files or from what is in memory."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import isfinite
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distval._tables import Tabular
from evaluator import gold as _gold
from evaluator.errors import ConfigurationError
from evaluator.gold.resampling import Draws, PairedTest, bootstrap, paired
from evaluator.gold.scoring import Evaluation, evaluate
from evaluator.gold.statistics import Figures
from evaluator.intervals import Drawing, Estimate
from evaluator.model import Extraction
from evaluator.readers import AUTO, SystemSource, formats, split_source
from evaluator.report.figures import percent, score
from evaluator.report.notebook import html_table

if TYPE_CHECKING:
    import pyarrow as pa

    from evaluator.report.notebook import Charts

_TITLES = {"precision": "Precision", "recall": "Recall", "f1": "F"}

type ExtractionTuple = tuple[str, str, str, str] | tuple[str, str, str, str, float]
"""Sentence, first argument, relation, second argument; and the confidence, if there is one."""

type Extractions = str | Path | Iterable[ExtractionTuple | Extraction]
"""What a system extracted: a file, ``"FORMAT:PATH"`` where it is not recognised, or itself."""


def benchmarks() -> dict[str, str]:
    """Return the gold benchmarks by name, each with a line about it."""
    return {name: known.DESCRIPTION for name, known in _gold.benchmarks().items()}


@dataclass(frozen=True, slots=True)
class GoldScores(Tabular):
    """What systems get on a gold benchmark.

    Attributes
    ----------
    evaluation
        All there is to know: rules, gold data, what became of each extraction, skipped records.
    """

    evaluation: Evaluation

    @property
    def figures(self) -> dict[str, Figures]:
        """Precision, recall, F, area under the curve and threshold, by system; NaN for none."""
        return {name: scored.statistics.figures for name, scored in self.evaluation.systems.items()}

    @property
    def signature(self) -> str:
        """One line that names everything that changes a figure."""
        return self.evaluation.signature

    @property
    def cautions(self) -> Mapping[str, Sequence[str]]:
        """What a reader of the figures should know, by system."""
        return self.evaluation.cautions

    def arrow(self) -> "pa.Table":
        """Return the figures as an Arrow table, a row a system; null where there is no figure."""
        import pyarrow as pa

        rows: list[dict[str, Any]] = [
            {
                "system": name,
                **{key: value if isfinite(value) else None for key, value in of._asdict().items()},
            }
            for name, of in self.figures.items()
        ]
        kinds = [(name, pa.float64()) for name in Figures._fields]
        return pa.Table.from_pylist(rows, schema=pa.schema([("system", pa.string()), *kinds]))

    @property
    def charts(self) -> "Charts":
        """Precision, recall and F of the systems as charts, by name."""
        from evaluator.report.charts import DotRow, dot_chart, share_axis
        from evaluator.report.notebook import Charts

        made = Charts()
        for name, title in _TITLES.items():
            figures = {system: getattr(of, name) for system, of in self.figures.items()}
            shares = {system: share for system, share in figures.items() if isfinite(share)}
            rows = [
                DotRow(system, {"alone": Estimate(share, None, None, "", 0.95, 0)})
                for system, share in shares.items()
            ]
            about = f"{title} of each system on {self.evaluation.benchmark.NAME}."
            axis = share_axis(max(shares.values(), default=1.0))
            made[name] = dot_chart(name, title, rows, axis=axis, places=1, about=about)
        return made

    def _repr_html_(self) -> str:
        rows = [
            [name, *(percent(of[measure]) for measure in _TITLES), score(of["auc"])]
            for of, name in ((row, row["system"]) for row in self.arrow().to_pylist())
        ]
        cautions = [
            f"{name}: {caution}" for name, told in self.cautions.items() for caution in told
        ]
        columns = ["system", *_TITLES.values(), "area under the curve"]
        return html_table(
            "Gold benchmark", columns, rows, [*cautions, f"Signature: {self.signature}"]
        )

    def draws(self, *, draws: int = 1_000, seed: int = 0) -> dict[str, Draws]:
        """Return bootstrap draws over sentences; ``draws()["mine"].interval("f1")`` an interval."""
        return bootstrap(self._statistics(), Drawing(draws=draws, seed=seed))

    def paired(self, *, level: float = 0.95, draws: int = 1_000, seed: int = 0) -> list[PairedTest]:
        """Return the tests of all systems, two by two, over the same sentences."""
        drawing = Drawing(level=level, draws=draws, seed=seed)
        return paired(self._statistics(), bootstrap(self._statistics(), drawing), drawing)

    def _statistics(self) -> dict[str, Any]:
        return {name: scored.statistics for name, scored in self.evaluation.systems.items()}


def score_gold(
    benchmark: str,
    gold: str | Path,
    systems: Mapping[str, Extractions],
    *,
    mode: str | None = None,
    options: Mapping[str, str] | None = None,
    asserted: bool = False,
) -> GoldScores:
    """Score systems on a gold benchmark; the same figures as ``distval gold``.

    Parameters
    ----------
    benchmark
        One of :func:`benchmarks`.
    gold
        File of its gold data.
    systems
        By name, the extractions of each system: a file whose format is recognised,
        ``"FORMAT:PATH"`` where it is not, or the extractions themselves, as tuples (sentence, arg1,
        relation, arg2) or (…, confidence), or as :class:`~evaluator.model.Extraction`.
    mode, options
        Whose rules count: "released" (the default), "corrected" or "paper", and a value for any
        option that the benchmark has.
    asserted
        Leave out extractions of which the system says that the sentence does not assert them.

    Raises
    ------
    ConfigurationError
        If the benchmark, mode, option or an extraction in memory is none.
    InputError
        If a file is missing or cannot be used.
    """
    found = evaluate(
        benchmark,
        Path(gold),
        [_source(name, given) for name, given in systems.items()],
        mode=mode,
        options=options,
        asserted=asserted,
        version=version("distval"),
    )
    return GoldScores(found)


def _source(name: str, given: Extractions) -> SystemSource | _gold.Output:
    if isinstance(given, str):
        before, path = split_source(f"{name}={given}")
        if path and before.partition("=")[2].partition("(")[0].strip(" :") in formats():
            return SystemSource.parse(f"{name}={given}")
    if isinstance(given, str | Path):
        return SystemSource(name, AUTO, Path(given))
    found = [_extraction(name, number, one) for number, one in enumerate(given, 1)]
    return _gold.Output(name, "jsonl", found)


def _extraction(system: str, number: int, given: ExtractionTuple | Extraction) -> Extraction:
    if isinstance(given, Extraction):
        return given
    match given:
        case (str(sentence), str(arg1), str(relation), str(arg2), *rest) if len(rest) < 2:
            confidence = rest[0] if rest else None
            if confidence is None:
                return Extraction(system, number, sentence, arg1, relation, arg2)
            if isinstance(confidence, Real) and isfinite(confidence):
                of = float(confidence)
                return Extraction(system, number, sentence, arg1, relation, arg2, confidence=of)
    raise ConfigurationError(
        f"{system}, extraction {number}: expected (sentence, arg1, relation, arg2), "
        f"or a number after them as its confidence, not {given!r}"
    )
