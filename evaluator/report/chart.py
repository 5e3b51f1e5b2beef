"""A chart: what it shows as a table, and its drawing by matplotlib as SVG and PDF.

The drawing takes its colours from :data:`COLOURS`. A file has them as they are; in a page each is
the CSS variable of its name, so that the charts follow the page into the dark and onto paper. Text
stays text, and the same table gives the same bytes. matplotlib is loaded by the first drawing.
"""

import csv
import io
import re
import warnings
from collections.abc import Callable, Sequence
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from evaluator.printable import one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {
    "ink": "#1b1f26",
    "soft": "#59616e",
    "rule": "#dfe1e5",
    "wash": "#eff0ef",
    "card": "#ffffff",
    "s": "#0b62a8",
    "d": "#a85200",
    "g": "#00775a",
    "series1": "#0072b2",
    "series2": "#d55e01",
    "series3": "#009e73",
    "series4": "#b0588e",
    "series5": "#4a9fd0",
    "series6": "#b98000",
    "series7": "#4d4d4d",
}
"""Colours by the name of their CSS variable, each different. Those of the series are Okabe and
Ito's, some darkened to be told from white."""

DARK = {
    "ink": "#e7e9ec",
    "soft": "#a0a8b4",
    "rule": "#323843",
    "wash": "#252a33",
    "card": "#1b1f26",
    "s": "#7cc0f5",
    "d": "#f0a35e",
    "g": "#5fd0b0",
    "series1": "#56b4e9",
    "series2": "#f08a4b",
    "series3": "#2ec9a0",
    "series4": "#e39ac6",
    "series5": "#a8dcfa",
    "series6": "#e6b84a",
    "series7": "#b5b5b5",
}
"""The same on a dark page."""

SERIES = [name for name in COLOURS if name.startswith("series")]
MARKERS = "osD^vPX"

_STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "distval",
    "pdf.fonttype": 42,
    "text.parse_math": False,  # "$" in a name is a dollar
    "axes.unicode_minus": True,
    "font.family": ["DejaVu Sans"],  # comes with matplotlib: the same widths everywhere
    "font.size": 9.5,
    "hatch.linewidth": 0.8,
    "hatch.color": COLOURS["soft"],
    "axes.prop_cycle": f"cycler('color', {[COLOURS[name] for name in SERIES]})",
    "lines.linewidth": 1.5,
    "axes.edgecolor": COLOURS["soft"],
    "axes.linewidth": 0.8,
    "axes.labelcolor": COLOURS["soft"],
    "axes.labelsize": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "grid.color": COLOURS["rule"],
    "grid.linewidth": 0.8,
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "text.color": COLOURS["ink"],
    "xtick.color": COLOURS["rule"],
    "ytick.color": COLOURS["rule"],
    "xtick.labelcolor": COLOURS["soft"],
    "ytick.labelcolor": COLOURS["ink"],
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "xtick.minor.size": 0,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "legend.borderaxespad": 0,
    "legend.handlelength": 1.6,
}
_MARK = "mark:"
"""What the gid of an artist starts with that a page knows by a class."""


class Chart(NamedTuple):
    """A chart.

    Attributes
    ----------
    name
        Of its file, and unique on a page: "precision", "venn-1".
    title
        What it shows, in a few words.
    about
        The same for those who do not see it, in a sentence.
    columns, rows
        What is drawn, as a table.
    size
        Width and height in points.
    draw
        Draws it into a figure of that size.
    """

    name: str
    title: str
    about: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    size: tuple[float, float]
    draw: "Callable[[Figure], None]"

    def csv(self) -> str:
        """Return the table as CSV; empty cells where there is no value."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(chain([self.columns], self.rows))
        return out.getvalue()

    def pdf(self) -> bytes:
        """Return the drawing as PDF."""
        return self._saved("pdf", {"CreationDate": None, "Creator": None, "Producer": None})

    def svg(self) -> str:
        """Return the drawing as an SVG file, in light colours."""
        told = self._told(f"background: {COLOURS['card']}")  # also where a page around it is dark
        return self._drawn().replace("<svg ", f"<svg {told} ", 1) + "\n"

    def inline(self) -> str:
        """Return the drawing as an element of a page that defines the colours."""
        drawn = re.sub(r' xmlns(:xlink)?="[^"]*"| version="1.1"', "", self._drawn())
        drawn = drawn.replace("xlink:href", "href")
        drawn = re.sub(r"""(?<= id=")|(?<=url\(#)|(?<=href="#)""", f"{self.name}-", drawn)
        for name, colour in COLOURS.items():
            # As an attribute, which patterns have, a colour cannot be a variable.
            drawn = drawn.replace(f'fill="{colour}"', f'style="fill: var(--{name})"')
            drawn = drawn.replace(colour, f"var(--{name})")
        width = f"max-width: {self.size[0] * 1.3:.0f}px"
        return drawn.replace("<svg ", f'<svg class="chart" {self._told(width)} ', 1)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _told(self, style: str) -> str:
        told = f'style="{style}; stroke-linejoin: round" role="img"'
        return f'{told} aria-label="{escape(self.about)}"'

    def _drawn(self) -> str:
        """Return the drawing with nothing that only matplotlib knows the use of."""
        metadata = dict.fromkeys(["Creator", "Date", "Format", "Type"])
        text = self._saved("svg", metadata).decode()
        text = text[text.index("<svg ") :].strip()
        text = re.sub(r"<style.*?</style>", "", text, count=1)  # of "*": of the whole page
        text = re.sub(r' width="[^"]*" height="[^"]*"(?= viewBox)', "", text, count=1)
        text = re.sub(rf'<g id="{_MARK}([^"]*)"', r'<g class="\1"', text)
        text = re.sub(r'<g id="[^"]*"', "<g", text)
        text = re.sub(r"font-family: [^;\"]*;? ?", "", text)
        text = re.sub(r' transform="rotate\(-?0 [^"]*"', "", text)
        text = re.sub(r' d="[^"]*"', lambda found: _short(found[0]), text)
        return re.sub(r"\n *", "\n", text)

    def _saved(self, kind: str, metadata: dict[str, Any]) -> bytes:
        import matplotlib as mpl
        from matplotlib.figure import Figure

        out = io.BytesIO()
        with mpl.rc_context(_STYLE), warnings.catch_warnings():
            # A name may be written in a script that the font lacks.
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            figure = Figure(figsize=(self.size[0] / 72, self.size[1] / 72))
            self.draw(figure)
            figure.savefig(out, format=kind, metadata=metadata)
        return out.getvalue()


def mark(kind: str) -> str:
    """Return the gid of an artist that is the class `kind` in a page."""
    return f"{_MARK}{kind}"


def short_name(name: str, most: int) -> str:
    """Return a name as a chart has room for it."""
    name = one_line(name)
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _short(path: str) -> str:
    numbers = re.sub(r"-?\d+\.\d+", lambda n: f"{float(n[0]):.2f}".rstrip("0").rstrip("."), path)
    return re.sub(r"\s+", " ", numbers)
