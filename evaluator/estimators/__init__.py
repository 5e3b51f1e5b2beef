"""Estimators of the regions a, b, c, d, of precision, recall and F, one file each.

An estimator turns what the annotator decided about samples (:class:`Tally`) into one
:class:`SystemEstimate`. Each module states its NAME, DESCRIPTION, ASSUMPTIONS, FORMULA and SOURCE
(:func:`methods`). One that takes human labels has its function as ``ESTIMATOR``
(:data:`~evaluator.estimators.strata.Estimator`) as well: such a file is all that it takes to add
one, by whose NAME configurations and commands then know it (:data:`WITH_LABELS`).

* ``census``: the knowledge base is looked up for all facts, only what it lacks is sampled;
* ``paper``: everything from two samples, c and d by subtraction, as Bronzi et al. 2012 did.

Shared by all:

* Every figure has a credible interval from draws of the joint posterior. The same draws go through
  P, R and F, so the dependence between them (both rest on the sample of S) is kept.
* The intervals hold *sampling* error only. Without human labels every figure is relative to the
  annotator; its own errors are not in the interval.
* Facts may be given without the corpus that they come from. What is read off S alone, a and b with
  precision, is then estimated all the same; c, d, recall and F are None, not 0.
* A fact with an undefined PMI is not counted as correct, as in the paper, nor as rejected: the
  undefined facts are a region of their own, and the bounds tell what P and R would be if all of
  them were false or true, whichever is less and more favourable.
* Recall is recall within G′. What G′ lacks is estimated apart, in
  :mod:`evaluator.estimators.coverage`.

What they share is in :mod:`evaluator.estimators.base`.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Final

from evaluator.estimators.base import SystemEstimate, Tally
from evaluator.estimators.strata import Estimator
from evaluator.found import Found

__all__ = [
    "WITH_LABELS",
    "SystemEstimate",
    "Tally",
    "methods",
]

WITH_LABELS: Final[Mapping[str, Estimator]] = Found[Estimator](
    __name__, "ESTIMATOR", default="chain-rule"
)
"""The estimators that take human labels, by NAME; the first is the default."""


_METHODS: Final = Found[ModuleType](__name__, "NAME", whole=True)


def methods() -> Mapping[str, ModuleType]:
    """Return the modules of the estimators by their NAME."""
    return _METHODS
