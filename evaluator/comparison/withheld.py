"""What may be said of figures: when a headline, an order of systems or a difference is withheld.

A figure stands in tables and files whatever it rests on, with its interval, method and n. To put it
at the head of a page, to call one system better than another, or to mark a difference is a claim,
and a claim needs more. Each rule here returns the reason not to make it, in words, or None. Nothing
else decides: the report, the tables of the command line, ``result.json`` and ``distval compare``
ask here.

*Headlines* are withheld where the judged facts are few, or not what the system mostly says.

*Orders and differences* need people's labels. The annotator errs, and may err more on one system
than on another; nothing in its verdicts tells by how much. In a closed world, whose truth is known,
it put the recalls of two systems in the wrong order, and both significance tests agreed with it.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from evaluator.estimators.base import Tally
from evaluator.estimators.claims import ClaimKind
from evaluator.wordings import MEASURES

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

    from evaluator.comparison.two_systems import Comparison, Difference

LEAST_VERDICTS = 30
"""Facts of a system with a verdict, from which on its annotator-relative figures may lead."""

NO_LABELS = (
    "Without people's labels no system can be called better than another: the annotator may err "
    "more on one than on another, and its verdicts do not tell by how much."
)
_FEW_LABELS = "the labels are too few for the interval to claim anything"
_BY_ASSUMPTION = "The interval holds only if the assumptions of its estimator do."


class Basis(NamedTuple):
    """What the figures of one system rest on.

    Attributes
    ----------
    verdicts
        Facts of S that are in the knowledge base, accepted or rejected, as far as they were judged.
    open
        Judged facts of S that the knowledge base leaves open.
    undefined
        Of these, the ones that the text cannot decide.
    extractions
        Extractions that belong to a sentence of the corpus, or facts that were given without one.
    out_of_scope
        Of these, the ones that no fact came from.
    """

    verdicts: int
    open: int
    undefined: int
    extractions: int
    out_of_scope: int

    @classmethod
    def of(cls, judged: Tally, *, in_database: int, in_scope: int, out_of_scope: int) -> "Basis":
        """Return what figures rest on.

        Parameters
        ----------
        judged
            Facts of S that were judged; of a sample of S ∖ D, none is matched.
        in_database
            Facts of S ∩ D that are not in the sample.
        in_scope, out_of_scope
            Extractions.
        """
        return cls(
            verdicts=in_database + judged.sampled - judged.undefined,
            open=judged.sampled - judged.matched,
            undefined=judged.undefined,
            extractions=in_scope + out_of_scope,
            out_of_scope=out_of_scope,
        )

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from evaluator.named_objects import as_object

        return as_object(cls, handler)


def headline(basis: Basis, *, claim: ClaimKind | None = None, corpus: bool = True) -> str | None:
    """Return why a measure of a system may not lead a page.

    Few verdicts and undefined facts are the annotator's weakness, which labels mend. They do not
    mend that most of what a system says is out of scope.

    Parameters
    ----------
    basis
        What the figure rests on.
    claim
        What its interval from labels claims; None where there are no labels.
    corpus
        Whether extractions were aligned with a corpus; else facts were given without one.

    Examples
    --------
    >>> headline(Basis(verdicts=60, open=9, undefined=3, extractions=20, out_of_scope=14))
    '14 of its 20 aligned extractions are out of scope.'
    """
    reasons = []
    if claim is None:
        if basis.verdicts < LEAST_VERDICTS:
            have = "has" if basis.verdicts == 1 else "have"
            reasons.append(
                f"only {basis.verdicts} of its facts {have} a verdict, fewer than {LEAST_VERDICTS}"
            )
        if _most(basis.undefined, basis.open):
            reasons.append(
                f"{basis.undefined:,} of the {basis.open:,} facts left to the text are undefined"
            )
    elif claim == "few labels":
        reasons.append(_FEW_LABELS)
    if _most(basis.out_of_scope, basis.extractions):
        what = "aligned extractions" if corpus else "given facts"
        reasons.append(
            f"{basis.out_of_scope:,} of its {basis.extractions:,} {what} are out of scope"
        )
    return _sentence(reasons)


def headlines(
    basis: Basis,
    figures: Mapping[str, float | None],
    *,
    claims: Mapping[str, ClaimKind] | None = None,
    corpus: bool = True,
) -> dict[str, str | None]:
    """Return for each measure of a system why it may not lead a page.

    Parameters
    ----------
    basis
        What the figures rest on.
    figures
        Value of each measure; None where it is not estimable.
    claims
        What the intervals of the measures claim; None where there are no labels.
    corpus
        As for :func:`headline`.
    """
    return {
        measure: headline(basis, claim=claims[measure] if claims else None, corpus=corpus)
        if value is not None
        else "It is not estimable."
        for measure, value in figures.items()
    }


def difference(claims: Collection[ClaimKind] | None) -> str | None:
    """Return why a difference may not be marked, nor have a p-value.

    Parameters
    ----------
    claims
        What the intervals that it rests on claim; None where there are no labels.
    """
    if claims is None:
        return NO_LABELS
    if "few labels" in claims:
        return _sentence([_FEW_LABELS])
    return _BY_ASSUMPTION if "by assumption" in claims else None


def clear(found: "Difference") -> bool:
    """Tell whether a difference may be marked and does not leave open which system is better.

    Its interval does not hold 0, and after the correction over all pairs its tests agree.
    """
    _, low, high, _, level, _ = found.difference
    if found.withheld is not None or low is None or high is None or low <= 0 <= high:
        return False
    corrected = [test.holm for test in found.tests.values()]
    return all(p is not None and p <= 1 - level for p in corrected)


class Order(NamedTuple):
    """Which of several systems is the best, as far as that may be said.

    Attributes
    ----------
    by
        The measure: "f1", or "precision" where there is no corpus.
    first
        The system that is clearly better than every other; None where that is withheld.
    withheld
        Why.
    """

    by: str
    first: str | None
    withheld: str | None

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from evaluator.named_objects import as_object

        return as_object(cls, handler)


def order(
    figures: Mapping[str, float | None],
    *,
    by: str,
    withheld: Mapping[str, str | None],
    pairs: Sequence["Comparison"] | None = None,
) -> Order | None:
    """Return which system is the best; None where there is only one.

    Parameters
    ----------
    figures
        By system, its value of the measure `by`.
    withheld
        By system, why that figure may not lead a page (:func:`headlines`).
    pairs
        All systems compared by labels; None where there are none.
    """
    if len(figures) < 2:
        return None
    if pairs is None:
        return Order(by, None, NO_LABELS)
    unfit: dict[str, list[str]] = defaultdict(list)
    for name, reason in withheld.items():
        if reason is not None:
            unfit[reason].append(name)
    if unfit:
        lines = (f"{', '.join(names)}: {reason}" for reason, names in unfit.items())
        return Order(by, None, " ".join(lines))
    best = max(figures, key=lambda name: figures[name] or 0.0)
    of_best = {
        pair.second if pair.first == best else pair.first: pair.measures[by]
        for pair in pairs
        if best in (pair.first, pair.second)
    }
    unclear = [name for name, found in of_best.items() if not clear(found)]
    if not unclear:
        return Order(by, best, None)
    told = f"By {MEASURES[by]}, {best} cannot be told from {', '.join(unclear)}."
    unclaimed = dict.fromkeys(of_best[name].withheld for name in unclear)
    return Order(by, None, " ".join([told, *(reason for reason in unclaimed if reason)]))


def _most(part: int, whole: int) -> bool:
    return 2 * part > whole


def _sentence(reasons: Sequence[str]) -> str | None:
    told = "; ".join(reasons)
    return f"{told[0].upper()}{told[1:]}." if told else None
