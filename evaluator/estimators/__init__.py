"""Estimators of the regions a, b, c, d, of precision, recall and F, one file each.

An estimator turns what the annotator decided about samples (:class:`Tally`) into one
:class:`SystemEstimate`. Each module states its NAME, DESCRIPTION, ASSUMPTIONS, FORMULA and SOURCE,
and has one function of its name; :func:`methods` lists them, and a new one is a new file.

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
* Recall is recall within G′. What G′ lacks is in neither recall nor its bounds.

What they share is in :mod:`evaluator.estimators.base`.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from evaluator.estimators.base import SystemEstimate, Tally
from evaluator.estimators.census import census
from evaluator.estimators.chain_rule import chain_rule
from evaluator.estimators.labels_only import labels_only
from evaluator.estimators.paper import paper
from evaluator.estimators.ppi import ppi
from evaluator.estimators.ppi_plus_plus import ppi_plus_plus
from evaluator.estimators.rogan_gladen import corrected_share
from evaluator.estimators.strata import Estimator

__all__ = ["WITH_LABELS", "SystemEstimate", "Tally", "census", "methods", "paper"]

WITH_LABELS: Mapping[str, Estimator] = {
    "chain-rule": chain_rule,
    "labels-only": labels_only,
    "ppi": ppi,
    "ppi++": ppi_plus_plus,
    "rogan-gladen": corrected_share,
}
"""The estimators that take human labels, by NAME; the first is the default."""


def methods() -> dict[str, ModuleType]:
    """Return the modules of the estimators by their NAME."""
    modules = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
    return {module.NAME: module for module in modules if hasattr(module, "NAME")}
