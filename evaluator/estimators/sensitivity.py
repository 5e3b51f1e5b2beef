r"""How the figures of a run move with its settings.

A figure rests on choices that no data force: the threshold t, the match threshold, the distance
X of PROXIMITY. A *curve* is the figures of every system at several values of one of them, all else
as configured; where it is flat, the choice does not matter. Evaluating a run at other values is the
work of :mod:`jobs.analysis.sensitivity`; here is what a curve is, which values are worth looking
at, and the fourth parameter, which no setting holds.

**Link precision, a model.** Entity linking errs: for web text the annotations of FACC1 were
estimated to be right in 80-85 % of the cases. A run cannot see that, it takes every link for right.
Suppose that a link is right with probability l, the two links of a fact independently of each other
and of all else, and that a fact with a wrong link is false. A fact that counts as true then is true
with probability l², whatever region it is in, hence in expectation::

    a' = l² a,  b' = l² b,  c' = l² c,  d' = l² d;  |S| stays
    P' = (a' + b') / |S|                 = l² P
    R' = (a' + b') / (a' + b' + c' + d') = R
    F' = 2 P' R' / (P' + R');  1 / F'    = 1 / F + (1 / l² - 1) / (2 P)

Recall stays because system and candidates share the links of the corpus, and a wrong one makes a
fact of either false. That is recall *within the candidates*: a wrong link also hides the fact that
the sentence does state, which then is nobody's. If each of the (1 - l²)(a + b + c + d) facts hidden
in this way is counted as missed, G keeps its size and R' = l² R; the true R' lies between the two.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from evaluator.estimators import SystemEstimate
from evaluator.intervals import Estimate

Name = Literal["t", "match", "x", "link"]
Scale = Literal["linear", "logarithmic"]


class Parameter(NamedTuple):
    """What is varied.

    Attributes
    ----------
    label
        For people.
    scale
        How its axis is drawn.
    """

    label: str
    scale: Scale


PARAMETERS: Mapping[Name, Parameter] = {
    "t": Parameter("threshold t of the annotator", "logarithmic"),
    "match": Parameter("match threshold", "logarithmic"),
    "x": Parameter("distance X, in words", "logarithmic"),
    "link": Parameter("link precision l, a model", "linear"),
}

_FACTORS: Mapping[Name, Sequence[float]] = {
    "t": (0.1, 0.2, 0.5, 1, 2, 5, 10),
    "match": (0.25, 0.5, 0.75, 1, 1.5, 2, 3),
    "x": (0.25, 0.5, 1, 2, 4),
}
_LINK_PRECISIONS = (0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)


def values_around(name: Name, configured: float) -> tuple[float, ...]:
    """Return the values of a parameter to look at, `configured` among them, in rising order.

    Thresholds are ratios, so they are varied by factors; t stays at most 1, X is a whole number.

    Examples
    --------
    >>> values_around("t", 0.2)
    (0.02, 0.04, 0.1, 0.2, 0.4, 1.0)
    >>> values_around("x", 10)
    (2, 5, 10, 20, 40)
    """
    if name == "link":
        return tuple(sorted({*_LINK_PRECISIONS, configured}))
    if name == "x":
        # Rounded down: half of 5 words is 2, and no distance is below 0.
        near = {int(configured * factor) for factor in _FACTORS[name]}
        return tuple(sorted(near | {int(configured)} | ({1, 2, 4} if configured == 0 else set())))
    # Six digits: 3 · 0.1 is to be shown as 0.3.
    near_by = {float(f"{configured * factor:.6g}") for factor in _FACTORS[name] if factor != 1}
    most = 1.0 if name == "t" else float("inf")
    return tuple(sorted({value for value in near_by if value <= most} | {configured}))


class ValueFigures(NamedTuple):
    """The figures of one system at one value; what needs a corpus is None without one."""

    precision: Estimate
    recall: Estimate | None
    f1: Estimate | None
    regions: Mapping[str, Estimate | None]

    @classmethod
    def of(cls, estimate: SystemEstimate) -> "ValueFigures":
        """Take them from an estimate."""
        return cls(estimate.precision, estimate.recall, estimate.f1, estimate.regions)

    def as_json(self) -> dict[str, Any]:
        """Return the figures as a JSON object, as ``result.json`` has them."""
        return {
            "precision": self.precision.as_json(),
            "recall": _json(self.recall),
            "f1": _json(self.f1),
            "regions": {region: _json(size) for region, size in self.regions.items()},
        }


class CurvePoint(NamedTuple):
    """The figures of every system at one value of a parameter."""

    value: float
    systems: Mapping[str, ValueFigures]


class Curve(NamedTuple):
    """The figures of every system along one parameter.

    Attributes
    ----------
    name
        Of the parameter (:data:`PARAMETERS`).
    configured
        Its value in the run; for link precision 1, as a run takes every link for right.
    points
        In rising order of their values.
    setting
        The setting of the run that holds the parameter; None for what a model adds.
    """

    name: Name
    configured: float
    points: Sequence[CurvePoint]
    setting: str | None

    @property
    def parameter(self) -> Parameter:
        """What is varied."""
        return PARAMETERS[self.name]

    def as_json(self) -> dict[str, Any]:
        """Return the curve as a JSON object."""
        return {
            "label": self.parameter.label,
            "setting": self.setting,
            "configured": self.configured,
            "points": [
                {
                    "value": point.value,
                    "systems": {name: figures.as_json() for name, figures in point.systems.items()},
                }
                for point in self.points
            ],
        }


def read_curves(told: Mapping[str, Any]) -> list[Curve]:
    """Return the curves that ``distval sensitivity --json`` told.

    Raises
    ------
    KeyError, TypeError
        Where these are none.
    """

    def known(of: Mapping[str, Any] | None) -> Estimate | None:
        return None if of is None else Estimate(**of)

    def figures(of: Mapping[str, Any]) -> ValueFigures:
        return ValueFigures(
            Estimate(**of["precision"]),
            known(of["recall"]),
            known(of["f1"]),
            {region: known(size) for region, size in of["regions"].items()},
        )

    return [
        Curve(
            name,
            told["curves"][name]["configured"],
            [
                CurvePoint(
                    point["value"],
                    {system: figures(of) for system, of in point["systems"].items()},
                )
                for point in told["curves"][name]["points"]
            ],
            told["curves"][name]["setting"],
        )
        for name in PARAMETERS
        if name in told["curves"]
    ]


def link_curve(systems: Mapping[str, ValueFigures], precisions: Sequence[float]) -> Curve:
    """Return what link precision would make of the figures of a run (the model above)."""
    points = [
        CurvePoint(
            each, {name: with_link_precision(figures, each) for name, figures in systems.items()}
        )
        for each in sorted(precisions)
    ]
    return Curve("link", 1.0, points, None)


def with_link_precision(figures: ValueFigures, precision: float) -> ValueFigures:
    """Return what `figures` become if a link is right with probability `precision` only.

    The ends of the interval of F' are those of F and of P put into the formula together. Where P
    has no sampling error that is exact. Else it takes P and F to rise and fall in step, which makes
    the interval, to first order, as wide as it can be.

    Raises
    ------
    ValueError
        If `precision` is outside (0, 1].
    """
    if not 0 < precision <= 1:
        raise ValueError(f"link precision {precision} is outside (0, 1]")
    right = precision**2
    f1 = figures.f1
    if f1 is not None:
        # P and F of an estimate are estimable together: F needs what P needs.
        pairs = zip(f1[:3], figures.precision[:3], strict=True)
        value, low, high = (_f_of_links(f, p, right) for f, p in pairs)
        f1 = f1._replace(value=value, low=low, high=high)
    return ValueFigures(
        precision=_scaled(figures.precision, right),
        recall=figures.recall,
        f1=f1,
        regions={region: size and _scaled(size, right) for region, size in figures.regions.items()},
    )


def _f_of_links(f1: float | None, precision: float | None, right: float) -> float | None:
    """Return F': 1 / F' = 1 / F + (1 / l² - 1) / (2 P), and 0 without a correct fact."""
    if f1 is None or precision is None:
        return None
    if right == 1:
        return f1  # to the bit, as the run has it
    return 1 / (1 / f1 + (1 / right - 1) / (2 * precision)) if f1 and precision else 0.0


def _scaled(estimate: Estimate, factor: float) -> Estimate:
    value, low, high = (None if end is None else factor * end for end in estimate[:3])
    return estimate._replace(value=value, low=low, high=high)


def _json(estimate: Estimate | None) -> dict[str, Any] | None:
    return None if estimate is None else estimate.as_json()
