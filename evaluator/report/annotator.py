"""What the report shows of the annotator: how it judges, and its parameters."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evaluator.annotators import ANNOTATORS, Anchored, Calibrated, Distant, External, Pmi, Urns
from evaluator.annotators.external import TOGETHER
from evaluator.interval_ends import POWER
from evaluator.labels.audit import Audit
from evaluator.report.figures import percent, score
from evaluator.report.parts import words
from evaluator.results.result import AnnotatorFigures

_HOW = {
    "classic": "of the documents that hold both entities, those that hold the relation too",
    "proximity": "of the documents that hold both entities, those in which the relation stands "
    "near both",
    "anchored": "of the documents about the first entity that hold the second, those in which the "
    "relation stands near the second",
}
_SMOOTHING = {
    "none": "k of n documents give k/n",
    "shrunken": "k of n documents give k/(n + 2): a single document is little evidence",
    "lower": "k of n documents give the lower end of Wilson’s interval, one-sided at 95 %",
}
_SILENCE = {
    "pair": "no document holds both entities",
    "topic": "no document about the first entity holds the second",
}


class ShownParameter(NamedTuple):
    """A parameter of the annotator, its value as text, and what it means."""

    name: str
    value: str
    meaning: str


class FeatureWeight(NamedTuple):
    """The weight of a feature, per standard deviation; `length` is its size over the largest."""

    name: str
    weight: float
    length: float


class ShownAnnotator(NamedTuple):
    """The annotator of a run as the page shows it.

    Attributes
    ----------
    name
        Its NAME.
    kind
        What it is called: "PROXIMITY PMI", "URNS".
    score
        What its score is: "PMI" or "probability".
    signature, threshold
        As the result has them.
    about
        How it judges, in a sentence or two.
    parameters
        To be read by people.
    coefficients
        Of a trained model, the largest first.
    warning
        Why not to believe it; None where nothing is known against it.
    sentence
        Whether it looks at the sentences that state a fact, too.
    silence
        When the text decides nothing; None for an annotator that takes silence as evidence.
    audit
        What people's labels say of one that was made elsewhere; None for any other.
    """

    name: str
    kind: str
    score: str
    signature: str
    threshold: float
    about: str
    parameters: Sequence[ShownParameter]
    coefficients: Sequence[FeatureWeight] = ()
    warning: str | None = None
    sentence: bool = False
    silence: str | None = None
    audit: str | None = None

    @property
    def logarithmic(self) -> bool:
        """Whether scores are shown on a logarithmic axis."""
        return self.score == "PMI"

    @classmethod
    def read(cls, figures: AnnotatorFigures, settings: Mapping[str, Any]) -> "ShownAnnotator":
        """Return the annotator of a result.

        Parameters
        ----------
        figures
            The result's ``annotator``.
        settings
            The result's ``settings``, for the distances of the counts.

        Raises
        ------
        KeyError
            For an annotator that is not known, or a parameter that it lacks.
        """
        name, parameters = figures.name, figures.parameters
        read = _READ.get(name, _as_it_is)
        told = {"kind": ANNOTATORS[name].title, **read(name, parameters, settings)}
        threshold = figures.threshold
        least = ShownParameter("t", score(threshold), f"least {score_word(name)} that is accepted")
        return cls(
            name=name,
            score=score_word(name),
            signature=figures.signature,
            threshold=threshold,
            sentence="stated" in parameters.get("coefficients", ()),
            audit=_audit(figures.audited) if ANNOTATORS[name].made_elsewhere else None,
            **told | {"parameters": [*told["parameters"], least]},
        )


def _audit(found: Audit | None) -> str:
    """Return whether labels contradict what was made elsewhere, and what they could have shown."""
    if found is None:
        return (
            "Not audited: it was made elsewhere, and nobody tested whether it holds for these "
            "facts. distval label audit draws a few facts that tell."
        )
    verdict = (
        "Audited: the labels do not contradict it"
        if found.holds
        else "Audited: it does not hold for these facts"
    )
    least = min(found.holm, *(of.holm for of in found.strata))
    return (
        f"{verdict} (smallest p {least:.3f}, corrected). Of {found.facts:,} facts that the text "
        f"judged, {found.answered:,} were answered: the share of true ones is "
        f"{100 * found.difference:+z.1f} points from what is expected, and "
        f"{100 * found.resolves:.1f} points would have been found in {100 * POWER:.0f} of 100 "
        "cases."
    )


def score_word(name: str) -> str:
    """Return what the score of the annotator of this NAME is."""
    return ANNOTATORS[name].score


def _pmi(name: str, parameters: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what there is to say of a PMI, and of ANCHORED with PROXIMITY."""
    if name == Anchored.NAME:
        variants = ["anchored", "proximity"]
        about = (
            f"ANCHORED where a document about the first entity holds the second: {_HOW['anchored']}"
            f". PROXIMITY elsewhere: {_HOW['proximity']}."
        )
        told: dict[str, Any] = {}
    else:
        variants = [parameters["variant"]]
        variant = variants[0]
        about = f"{variant.upper()} PMI: {_HOW[variant]}."
        told = {"kind": f"{variant.upper()} PMI"}
    smoothing = parameters["smoothing"]
    return told | {
        "about": about,
        "parameters": [
            *_distances(variants, settings),
            ShownParameter("smoothing", smoothing, _SMOOTHING[smoothing]),
        ],
        "silence": _silence(variants),
    }


def _urns(_: str, parameters: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    urns = parameters["urns"]
    told = [
        *_distances(list(urns), settings),
        ShownParameter("π", percent(parameters["prior"]), "share of true facts among those judged"),
    ]
    for variant, urn in urns.items():
        rates = f"{percent(urn['true'])} and {percent(urn['false'])}"
        told += [
            ShownParameter(
                f"{variant.upper()}, rates",
                rates,
                "mean share of the documents that state the fact, for true and for false facts",
            ),
            ShownParameter(
                f"{variant.upper()}, strength",
                score(urn["strength"]),
                "how close to the mean the shares of single facts are",
            ),
        ]
    gain = f"{parameters['gain']:.1f} nats"
    told += [
        ShownParameter("facts", f"{parameters['facts']:,}", "that it was fitted to"),
        ShownParameter("gain", gain, "of log likelihood over a model with one kind of facts"),
    ]
    return {
        "about": "The probability that a fact is true by how many of the documents that could "
        "state it do, after Downey, Etzioni and Soderland 2005. It is fitted without labels, to "
        "the facts that it judges.",
        "parameters": told,
        "warning": None
        if Urns.from_json(dict(parameters)).tells_apart
        else "Two kinds of facts, true and false, explain the counts hardly better than a single "
        "kind does: the gain is too small by the criterion BIC. The probabilities mean little "
        "here; take another annotator.",
        "silence": _silence(list(urns)),
    }


def _calibrated(
    _: str, parameters: Mapping[str, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    training = parameters["training"]
    share = percent(training["share"])
    of_labels = percent(training["true"] / training["facts"])
    stands_for = "" if share == of_labels else f"; of the facts that they stand for, {share} are"
    return {
        "about": "The probability that a fact is true, by a logistic regression over all counts, "
        "the sentence and what the knowledge base knows, calibrated by isotonic regression. It is "
        f"that of facts like those that the training set stands for, of which {share} are true: "
        "where fewer are, it is too high. A fact of the training set is scored by a model that has "
        "not seen it.",
        "parameters": [
            *_distances(["proximity", "anchored"], settings),
            ShownParameter(
                "training set",
                f"{training['facts']:,} facts",
                f"with labels, {training['true']:,} of them true ({of_labels}){stands_for}",
            ),
            ShownParameter("digest", training["digest"], "of these facts and labels"),
            ShownParameter("seed", str(training["seed"]), "that dealt them into folds"),
        ],
        "coefficients": _coefficients(parameters["coefficients"]),
    }


# By lesson: what the regression does, what its examples are, and what the share is of.
_LESSONS: Mapping[str, tuple[str, str, str]] = {
    "held": (
        "and the sentence tells "
        "facts that the knowledge base holds from others about entities that it knows; its "
        "answer is divided by {share}, the estimated share of true facts that it holds.",
        "held",
        "of true facts that the knowledge base holds",
    ),
    "agreed": (
        "and the sentence tells "
        "facts that two systems or more state from others; who states a fact adds to its "
        "answer as much as it does among the facts that are surest true and surest false. The "
        "knowledge base holds too few facts of this corpus to learn from.",
        "stated by two systems or more",
        "of stated facts that are true",
    ),
    "exchanged": (
        "tells stated facts from made ones, which have the subject, object or relation of "
        "another; of two kinds of stated facts, by its answer, the likelier one is true.",
        "stated",
        "of stated facts that are true",
    ),
}


def _distant(_: str, parameters: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    share = f"{100 * parameters['share']:.1f} %"
    about, kind, of = _LESSONS[parameters["lesson"]]
    return {
        "about": "The probability that a fact is true, learnt without people: a logistic "
        f"regression over the text {about.format(share=share)}"
        " A fact is scored by a model that has seen no fact of its subject.",
        "parameters": [
            *_distances(["proximity", "anchored"], settings),
            ShownParameter(
                "examples",
                f"{parameters['examples']:,} facts",
                f"{parameters['true']:,} of them {kind}",
            ),
            ShownParameter("share", share, f"{of}, estimated"),
        ],
        "coefficients": _coefficients(parameters["coefficients"]),
    }


def _coefficients(all_of: Mapping[str, float]) -> list[FeatureWeight]:
    """Return the weights of features, the largest first; none of what is alike in all examples."""
    weights = {name: weight for name, weight in all_of.items() if name != "intercept" and weight}
    largest = max(map(abs, weights.values()), default=0.0) or 1.0
    return [
        FeatureWeight(words(name), weight, abs(weight) / largest)
        for name, weight in sorted(weights.items(), key=lambda item: (-abs(item[1]), item[0]))
    ]


def _external(_: str, parameters: Mapping[str, Any], __: Mapping[str, Any]) -> dict[str, Any]:
    use = parameters["use"]
    judges = [of for of in parameters["origins"] if use in (of["name"], *TOGETHER)]
    return {
        "about": ANNOTATORS[External.NAME].about,
        "parameters": [
            ShownParameter("taken", use, "the judge, or how several become one"),
            *(
                ShownParameter(
                    f"judge {of['name']}",
                    of["model"] or "not named",
                    f"the model; prompt {of['prompt'] or 'not named'}, file {of['file'][:8]}",
                )
                for of in judges
            ),
        ],
        "silence": "no judge gives an answer that can be read, or as many say yes as no",
    }


def _as_it_is(name: str, parameters: Mapping[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    """Return what there is to say of an annotator that this page knows only by its file."""
    return {
        "about": ANNOTATORS[name].about,
        "parameters": [
            ShownParameter(words(key), score(value) if isinstance(value, float) else str(value), "")
            for key, value in parameters.items()
            if key != "threshold"
        ],
    }


_READ = {
    Pmi.NAME: _pmi,
    Anchored.NAME: _pmi,
    Urns.NAME: _urns,
    Distant.NAME: _distant,
    Calibrated.NAME: _calibrated,
    External.NAME: _external,
}


def _distances(variants: Sequence[str], settings: Mapping[str, Any]) -> list[ShownParameter]:
    """Return how the variants count."""
    told = []
    if "proximity" in variants:
        told.append(
            ShownParameter(
                "X",
                f"{settings['pmi.x']} words",
                "most between the relation and either entity, for PROXIMITY",
            )
        )
    if "anchored" in variants:
        told.append(
            ShownParameter(
                "reach",
                f"{settings['pmi.reach']} words",
                "most between the relation and the second entity, for ANCHORED",
            )
        )
    return told


def _silence(variants: Sequence[str]) -> str:
    """Return when none of the variants has documents to judge by."""
    denominators = dict.fromkeys("topic" if v == "anchored" else "pair" for v in variants)
    if len(denominators) == 2:
        return "no document holds both entities, and none about the first holds the second"
    return _SILENCE[next(iter(denominators))]
