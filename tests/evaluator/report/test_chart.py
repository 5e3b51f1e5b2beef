"""Charts as files, and in a page."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from evaluator.intervals import Estimate
from evaluator.report.chart import COLOURS, DARK
from evaluator.report.charts import DotRow, dot_chart, share_axis

HOSTILE = '<b>$x^2$ & "q"</b> --> 関係'


def chart(name="precision", row="ReVerb"):
    figure = Estimate(0.25, 0.2, 0.3, "Wilson", 0.95, 40)
    rows = [DotRow(row, {"alone": figure}, bounds=(0.2, 0.9), truth=0.22)]
    return dot_chart(name, "Precision", rows, axis=(0.5, 0.1), places=1, about=f"Of {row}.")


def test_the_same_figures_give_the_same_bytes():
    assert chart().svg() == chart().svg()
    assert chart().pdf() == chart().pdf()
    assert chart().pdf().startswith(b"%PDF-")


def test_an_svg_file_is_whole_and_its_text_is_text():
    told = chart(row=HOSTILE).svg()
    root = ET.fromstring(told)
    assert root.attrib["aria-label"] == f"Of {HOSTILE}."
    texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert HOSTILE[:20] in " ".join(texts)  # "$" opens no formula
    assert "25.0\u202f%  [20.0, 30.0]" in texts


def test_in_a_page_no_colour_is_fixed_and_no_id_is_anothers():
    both = [chart(name).inline() for name in ("precision", "recall")]
    assert not re.search(r"#[0-9a-fA-F]{6}", "".join(both))
    assert set(re.findall(r"var\(--(\w+)\)", "".join(both))) <= COLOURS.keys() == DARK.keys()
    ids = re.findall(r' id="([^"]*)"', "".join(both))
    assert ids
    assert len(ids) == len(set(ids))
    for used in re.findall(r'(?:url\(#|href="#)([^)"]*)', "".join(both)):
        assert used in ids
    assert "<style" not in "".join(both)
    assert "http" not in "".join(both)


def test_colours_are_told_apart():
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_its_data_are_a_table():
    assert chart().csv() == (
        "system,value,low,high,n,bounds low,bounds high,truth\n"
        "ReVerb,0.25,0.2,0.3,40,0.2,0.9,0.22\n"
    )


@pytest.mark.parametrize(
    ("limit", "outer", "axis"),
    [(0.93, 0, (1.0, 0.2)), (0.3, 0.6, (0.6, 0.2)), (0.3, 0.9, (0.3, 0.1)), (0.004, 0, None)],
)
def test_an_axis_of_shares_holds_the_intervals_and_bounds_that_are_near(limit, outer, axis):
    end, step = share_axis(limit, outer)
    assert end >= limit
    assert end / step == pytest.approx(round(end / step))
    if axis:
        assert (end, step) == pytest.approx(axis)


def test_matplotlib_is_loaded_by_a_drawing_alone():
    told = (
        "import sys, distval, jobs.cli.app, evaluator.report.page; distval.Result; "
        "assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", told], check=True)
