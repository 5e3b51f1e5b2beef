"""Results as tables of the common libraries, and as they show themselves in a notebook."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evaluator.comparison.two_systems import Comparison
from evaluator.errors import SetupError
from evaluator.intervals import Estimate
from evaluator.report.figures import percent
from evaluator.report.notebook import html_table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


class Tabular(ABC):
    """What has figures, a row each."""

    __slots__ = ()

    @abstractmethod
    def arrow(self) -> "pa.Table":
        """Return the figures as an Arrow table."""

    def pandas(self) -> "pd.DataFrame":
        """Return the figures as a pandas data frame."""
        frame: pd.DataFrame = self.arrow().to_pandas()
        return frame

    def polars(self) -> Any:
        """Return the figures as a Polars data frame.

        Raises
        ------
        SetupError
            Where Polars is not installed.
        """
        try:
            import polars
        except ImportError:
            raise SetupError("Polars is not installed: pip install polars") from None
        return polars.from_arrow(self.arrow())


class Comparisons(list[Comparison], Tabular):
    """Pairs of systems compared, a list that shows itself as a table."""

    def arrow(self) -> "pa.Table":
        """Return the differences as an Arrow table, a row a pair and measure."""
        import pyarrow as pa

        rows = [
            {
                "first": pair.first,
                "second": pair.second,
                "measure": measure,
                "value of first": found.first,
                "value of second": found.second,
                **dict(zip(("difference", "low", "high"), found.difference[:3], strict=True)),
                "level": found.difference.level,
                "n": found.difference.n,
                "withheld": found.withheld,
            }
            for pair in self
            for measure, found in pair.measures.items()
        ]
        floats = ("value of first", "value of second", "difference", "low", "high", "level")
        kinds = [
            *((name, pa.string()) for name in ("first", "second", "measure")),
            *((name, pa.float64()) for name in floats),
            ("n", pa.int64()),
            ("withheld", pa.string()),
        ]
        return pa.Table.from_pylist(rows, schema=pa.schema(kinds))

    def _repr_html_(self) -> str:
        rows = [
            [pair.first, pair.second, measure, percent(found.first), percent(found.second),
             with_interval(found.difference)]
            for pair in self
            for measure, found in pair.measures.items()
        ]  # fmt: skip
        reasons = dict.fromkeys(
            found.withheld for pair in self for found in pair.measures.values() if found.withheld
        )
        columns = ["first", "second", "measure", "first has", "second has", "difference"]
        return html_table("Differences, first minus second", columns, rows, list(reasons))


def with_interval(figure: Estimate | None) -> str:
    """Return a share as a per cent with its interval, which a figure of all facts lacks."""
    if figure is None or figure.value is None:
        return "not estimable"
    if figure.low is None or figure.high is None or figure.all_judged:
        return percent(figure.value)
    low, high = (percent(end, sign="") for end in (figure.low, figure.high))
    return f"{percent(figure.value)} [{low}, {high}]"


def estimates_table(figures: Sequence[tuple[Mapping[str, str], Estimate]]) -> "pa.Table":
    """Return estimates as an Arrow table, each with the columns that tell what it is."""
    import pyarrow as pa

    names = list(figures[0][0]) if figures else []
    rows = [{**of, **figure._asdict()} for of, figure in figures]
    kinds = [
        *((name, pa.string()) for name in names),
        *((name, pa.float64()) for name in ("value", "low", "high")),
        ("method", pa.string()),
        ("level", pa.float64()),
        ("n", pa.int64()),
    ]
    return pa.Table.from_pylist(rows, schema=pa.schema(kinds))
