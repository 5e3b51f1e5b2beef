"""The page that shows how figures move: a row a parameter, a column a measure.

Like the report (:mod:`evaluator.report.page`) it is one HTML page that loads nothing and runs no
script. The page and its words are in ``templates/sensitivity.html.j2``.
"""

from collections.abc import Sequence

from evaluator.comparison.two_systems import MEASURES
from evaluator.estimators.sensitivity import Curve
from evaluator.intervals import Estimate
from evaluator.report.charts import sensitivity_charts
from evaluator.report.page import environment
from evaluator.results.result import Result
from evaluator.wordings import TITLES


def render_sensitivity(result: Result, curves: Sequence[Curve], notes: Sequence[str] = ()) -> str:
    """Return the curves of a run as a self-contained HTML page.

    They are annotator-relative, and the page says so: labels are of the facts at one setting.

    Parameters
    ----------
    result
        That of the run.
    curves
        At least one.
    notes
        What was left out and why, in sentences.
    """
    # Without a corpus there is no recall, and no F.
    measures = [m for m in MEASURES if _estimates(curves[:1], m)]
    charts = sensitivity_charts(curves, {measure: TITLES[measure] for measure in measures})
    return (
        environment()
        .get_template("sensitivity.html.j2")
        .render(
            distval=result.distval,
            name=result.name,
            signature=result.signature,
            level=next((e.level for e in _estimates(curves, MEASURES[0])), None),
            systems=list(curves[0].points[0].systems),
            measures=measures,
            measure_names=TITLES,
            curves=curves,
            charts={chart.name: chart for chart in charts},
            notes=notes,
        )
    )


def _estimates(curves: Sequence[Curve], measure: str) -> list[Estimate]:
    found = (
        getattr(figures, measure)
        for curve in curves
        for point in curve.points
        for figures in point.systems.values()
    )
    return [estimate for estimate in found if estimate is not None]
