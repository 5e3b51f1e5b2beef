"""The page that shows systems by gold data against the same by distant validation.

Like the report (:mod:`evaluator.report.page`) it is one HTML page that loads nothing and runs no
script. The page and its words are in ``templates/gold_comparison.html.j2``. Each axis has its own
scale: only the order of systems can be compared, not the figures.
"""

from collections.abc import Mapping
from typing import Any

from evaluator.report.chart import Chart
from evaluator.report.charts import CrossRow, cross_chart
from evaluator.report.page import environment

MEASURES = ("f1", "precision", "recall")
_TITLES = {"precision": "Precision", "recall": "Recall", "f1": "F"}


def render_gold_comparison(told: Mapping[str, Any], *, distval: str) -> str:
    """Return what ``distval compare --gold --json`` tells as a self-contained HTML page."""
    return (
        environment()
        .get_template("gold_comparison.html.j2")
        .render(
            distval=distval,
            told=told,
            measure_names=_TITLES,
            charts={measure: _chart(told, measure) for measure in MEASURES},
        )
    )


def _chart(told: Mapping[str, Any], measure: str) -> Chart:
    """Return the systems that have a figure by both."""
    rows = [
        CrossRow(name, *(_ends(of[side][measure]) for side in ("gold", "distant")))
        for name, of in told["systems"].items()
        if all(of[side][measure]["value"] is not None for side in ("gold", "distant"))
    ]
    return cross_chart(
        measure,
        _TITLES[measure],
        f"{_TITLES[measure]} of each system by {told['benchmark']} (across) and by distant "
        "validation (up); the table below holds the same figures.",
        rows,
        across=f"by {told['benchmark']}",
        up="by distant validation",
    )


def _ends(figure: Mapping[str, Any]) -> tuple[float, float, float]:
    return figure["value"], figure["low"], figure["high"]
