"""Figures in a notebook: tables as HTML that escapes what comes from outside."""

from collections.abc import Iterable, Sequence
from html import escape

from evaluator.report.chart import Chart


def html_table(
    caption: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    notes: Sequence[str] = (),
) -> str:
    """Return a table as HTML, with notes below it.

    Parameters
    ----------
    caption, columns, rows
        What it shows; cells that are not text are shown as they print.
    notes
        What a reader of the figures should know, in sentences.
    """
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows
    )
    told = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{told}"
    )


class Charts(dict[str, Chart]):
    """Charts by name; in a notebook the names with their titles, and each chart itself."""

    def _repr_html_(self) -> str:
        rows = [[name, chart.title] for name, chart in self.items()]
        return html_table("Charts", ["name", "title"], rows)
