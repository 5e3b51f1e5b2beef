r"""The tables of a result as papers print them: LaTeX with booktabs, and Markdown.

They need ``\usepackage{booktabs}``, and names in other scripts a font that has them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from evaluator.intervals import Estimate
from evaluator.printable import one_line
from evaluator.report.figures import count, percent
from evaluator.results.result import Result, SystemResult
from evaluator.wordings import LETTERS, plural

_NAMES = {**LETTERS, "recall": "R within G′"}
_WITHHELD = "†"
_REGIONS = {"a": "a", "b": "b", "c": "c", "d": "d"}


class PaperTable(NamedTuple):
    """A table: the first column is text, the others are figures.

    Attributes
    ----------
    name
        Of the table, for its label.
    caption
        What it shows, and what its intervals are.
    columns, rows
        Text.
    """

    name: str
    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def paper_tables(result: Result) -> list[PaperTable]:
    """Return the tables of a result: precision, recall and F; and the regions.

    With labels each system has a row of what they tell and one of what the annotator alone says.
    Figures that lead no page, for too little stands behind them, are marked, and the caption says
    why.
    """
    return [_measures(result), _regions(result)]


def _measures(result: Result) -> PaperTable:
    rows: list[list[str]] = []
    why: dict[str, None] = {}
    for name, system in result.systems.items():

        def marked(measure: str, figure: Estimate | None, of: SystemResult = system) -> str:
            reason = of.withheld.get(measure)
            if reason is None or figure is None or figure.value is None:
                return _interval(figure, _share)
            why[reason] = None
            return _interval(figure, _share) + _WITHHELD

        size = count(system.facts)
        own = {measure: system.figure(measure) for measure in result.measures}
        if system.world is None:
            rows.append([name, size, *(marked(*one) for one in own.items())])
            continue
        labelled = {measure: getattr(system.world, measure) for measure in result.measures}
        rows.append([name, size, *(marked(*one) for one in labelled.items())])
        rows.append(
            ["annotator-relative", "", *(_interval(figure, _share) for figure in own.values())]
        )
    caption = _told(result)
    if why:
        caption += f" {_WITHHELD} Too little stands behind it: {' '.join(why)}"
    columns = ["System", "|S|", *(f"{_NAMES[measure]} (%)" for measure in result.measures)]
    return PaperTable("measures", caption, columns, rows)


def _regions(result: Result) -> PaperTable:
    regions = list(_REGIONS) if result.corpus else ["a", "b"]
    rows = [
        [
            name,
            *(_interval(system.regions[region], count) for region in regions),
            _interval(system.rejected, count),
            *(_interval(of, count) for of in system.undefined_facts.values() if of is not None),
        ]
        for name, system in result.systems.items()
    ]
    undefined = ["undefined", "candidates undefined"] if result.corpus else ["undefined"]
    told = f"Regions, in facts. Annotator-relative, with {_level(result)} intervals."
    return PaperTable("regions", told, ["System", *regions, "not correct", *undefined], rows)


def _told(result: Result) -> str:
    if result.labels is None:
        rests = "annotator-relative: no labels of people were used"
    else:
        rests = (
            f"from {plural(result.labels.labelled, 'label')} of people by {result.labels.estimator}"
        )
    on = "on" if result.corpus else "in"
    return f"Figures {on} {result.name}, {rests}, with {_level(result)} intervals."


def _level(result: Result) -> str:
    return f"{100 * result.parts.estimate.level:.3g} %"


def _share(value: float | None) -> str:
    return percent(value, sign="")


def _interval(figure: Estimate | None, show: Callable[[float | None], str]) -> str:
    """Return a figure with its interval; where all facts were judged there is none."""
    if figure is None or figure.value is None:
        return "–"
    if figure.low is None or figure.high is None or figure.all_judged:
        return show(figure.value)
    return f"{show(figure.value)} [{show(figure.low)}, {show(figure.high)}]"


def latex(tables: Sequence[PaperTable], *, signature: str) -> str:
    """Return tables as LaTeX; a comment has the signature of the figures."""
    return "\n".join([f"% {one_line(signature)}", *(_latex(table) for table in tables)])


def _latex(table: PaperTable) -> str:
    def line(cells: Sequence[str]) -> str:
        return " & ".join(map(_tex, cells)) + r" \\"

    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_tex(table.caption)}}}",
            rf"\label{{tab:{table.name}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
            r"\toprule",
            line(table.columns),
            r"\midrule",
            *map(line, table.rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


_TEX: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    **{sign: rf"\{sign}" for sign in "{}$&#%_"},
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
    "[": "{[}",  # after a line's end it would be an argument of it
    "′": r"$'$",
    "†": r"\dag{}",
    "∖": r"$\setminus$",
    "−": r"$-$",
    "–": "--",
    "\u202f": r"\,",
}


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in one_line(text))


def markdown(tables: Sequence[PaperTable], *, signature: str) -> str:
    """Return tables as Markdown; the signature of the figures stands below them."""
    return "\n".join([*(_markdown(table) for table in tables), f"`{one_line(signature)}`", ""])


def _markdown(table: PaperTable) -> str:
    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cells)} |"

    return "\n".join(
        [
            _plain(table.caption),
            "",
            line([_plain(column) for column in table.columns]),
            line([":--", *["--:"] * (len(table.columns) - 1)]),
            *(line([_plain(cell) for cell in row]) for row in table.rows),
            "",
        ]
    )


def _plain(text: str) -> str:
    """Return text in which Markdown finds no mark of its own."""
    told = one_line(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]#|!" else sign for sign in told)
