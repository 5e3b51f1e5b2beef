"""The annotator of a run: made from its settings, and fitted where that takes no labels."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn, cast

from evaluator.annotators import (
    ANNOTATORS,
    Annotator,
    Calibrated,
    Distant,
    Part,
    Pmi,
    Population,
    Trained,
    read_annotator,
)
from evaluator.annotators.distant import LEARNT
from evaluator.annotators.evidence import Evidence, Floats
from evaluator.errors import InputError
from evaluator.model import Item
from evaluator.results.result import AnnotatorFigures
from jobs.config import Configuration

ANNOTATOR = "annotator.json"
"""The file of a run directory that holds the annotator, with all its parameters."""


def needs_context(annotator: str) -> bool:
    """Tell whether an annotator wants the elements of facts counted by themselves too."""
    return ANNOTATORS[annotator].context


def make_annotator(configuration: Configuration, population: Population) -> Annotator:
    """Return the annotator that a configuration names.

    Parameters
    ----------
    configuration
        The run.
    population
        Asked for what the annotator is fitted to, if it is.

    Raises
    ------
    InputError
        Where the model is missing, damaged, or of another kind.
    ConfigurationError
        Where a setting is none, or there are too few facts to fit it to.
    """
    kind = ANNOTATORS[configuration.annotator]
    return kind.made(configuration.annotator_settings, population)


def annotator_name(configuration: Configuration) -> str:
    """Return how a signature names the annotator of a run, before it is fitted to any fact.

    What it is fitted to follows from what else the signature names.
    """
    if ANNOTATORS[configuration.annotator].fitted:
        threshold = configuration.annotator_settings.get("threshold")
        return configuration.annotator + ("" if threshold is None else f"-t{threshold:g}")
    annotator = settled_annotator(configuration)
    # Its model names the judges that it learnt from, not the answers that it is given now.
    used = annotator.judges if isinstance(annotator, Calibrated) else ()
    given = configuration.external.digests
    return "-".join([annotator.describe(), *(given[name] for name in used if name in given)])


def annotator_figures(annotator: Annotator) -> AnnotatorFigures:
    """Return what a result says of its annotator.

    ``signature`` names all that changes a score, ``parameters`` are those that people can read: of
    a trained model its coefficients per standard deviation of a feature.
    """
    parameters = annotator.as_json()
    if isinstance(annotator, Calibrated | Distant):
        coefficients = {
            part.name: part.contribution if part.weight is None else part.weight
            for part in annotator.coefficients()
        }
        parameters = {"coefficients": coefficients}
        if isinstance(annotator, Calibrated):
            parameters["training"] = annotator.training._asdict()
        else:
            parameters |= {name: getattr(annotator, name) for name in LEARNT}
    return AnnotatorFigures(
        name=annotator.NAME,
        signature=annotator.describe(),
        threshold=annotator.threshold,
        parameters=parameters,
        audited=None,  # which facts it is about, the whole run tells (jobs.run.result)
    )


def fact_scores(evidence: Evidence, annotator: Annotator, items: Sequence[Item]) -> Floats:
    """Return the score of each fact, shape (facts,); NaN where it is undefined.

    A probability is rounded to thousandths, which is finer than it is known and lets facts be
    counted by it. A fact that the annotator learnt from is scored by a model that has not seen it.

    Parameters
    ----------
    evidence
        Of the facts.
    annotator
        The annotator.
    items
        The facts as e1, r, e2: entities by id where they have one, r in normal form.
    """
    if name_of := ANNOTATORS[annotator.NAME].names:
        scores = cast(Trained, annotator).score(evidence, list(map(name_of, items)))
    else:
        scores = annotator.score(evidence)
    return scores.round(3) if ANNOTATORS[annotator.NAME].score == "probability" else scores


def knows_matched(annotator: Annotator) -> bool:
    """Tell whether a score of a fact that the database holds means anything.

    A trained model has seen no such fact, or was told that it is true; what the others count they
    count of every fact.
    """
    return ANNOTATORS[annotator.NAME].names is None


def fact_parts(evidence: Evidence, annotator: Annotator, item: Item) -> tuple[Part, ...]:
    """Return what the score of a single fact is made of; parameters as for :func:`fact_scores`."""
    if name_of := ANNOTATORS[annotator.NAME].names:
        return cast(Trained, annotator).parts(evidence, [name_of(item)])
    return annotator.parts(evidence)


def score_name(annotator: Annotator) -> str:
    """Return what to call the score of an annotator."""
    if isinstance(annotator, Pmi):
        return f"{annotator.variant.upper()} PMI"
    kind = ANNOTATORS[annotator.NAME]
    return kind.title if kind.score == "PMI" else kind.score


def settled_annotator(configuration: Configuration) -> Annotator:
    """Return the annotator of a configuration without judging facts.

    Raises
    ------
    InputError
        As :func:`make_annotator`; or where the annotator is fitted to the facts of a run, and there
        is no finished run.
    """

    def no_facts() -> NoReturn:
        raise InputError(
            configuration.run,
            f"annotator {configuration.annotator} is fitted to the facts of a run: run it first "
            "(distval run CONF)",
        )

    fitted = fitted_annotator(configuration)
    return fitted or make_annotator(configuration, Population(no_facts, no_facts))


def fitted_annotator(configuration: Configuration) -> Annotator | None:
    """Return the annotator that a run has fitted to its facts, with its threshold if it sets one.

    None where the annotator of the configuration is not fitted, or the run is not finished.
    """
    name, saved = configuration.annotator, configuration.run / ANNOTATOR
    if not ANNOTATORS[name].fitted or not saved.is_file():
        return None
    annotator = read_annotator(saved)
    if name != annotator.NAME:
        return None
    threshold = configuration.annotator_settings.get("threshold") or annotator.threshold
    return cast(Annotator, replace(cast(Any, annotator), threshold=threshold))
