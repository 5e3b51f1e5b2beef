"""OIE2016: tuples of 3,200 sentences, converted from the question-answer pairs of QA-SRL.

Two scorers were released, with rules and gold files of their own, and the paper describes a third;
``rules`` chooses:

``supervised``
    More than half of the gold words occur in the extraction, in whatever slot
    (:data:`evaluator.gold.oie2016.overlap.RELEASED`). An extraction serves one gold tuple. A
    sentence of n gold tuples about which the system says nothing adds n * n to the denominator of
    recall.
``2019``
    More than a quarter of them occur, and the predicates share a word, each reduced to a noun
    (:data:`evaluator.gold.oie2016.overlap.RELEASED_2019`). An extraction may serve several gold
    tuples, and counts for each as something that is said.
``head``
    The heads of all elements agree (:mod:`evaluator.gold.oie2016.heads`): the paper's definition,
    with the counting of ``supervised``.

Any of them runs on either form of the gold data. The rule tells when an extraction matches, the
mode how matches are counted: the head match has no released form, and is the same in both.

Precision is the share of right items at or above a threshold, recall the share of gold tuples that
are found there. Extractions about sentences that the gold data lack play no part.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluator.gold import Mode, Output, Scored, conjunctions
from evaluator.gold.joining import KeyRule
from evaluator.gold.oie2016.assignment import Rules, score_propositions
from evaluator.gold.oie2016.heads import HEAD
from evaluator.gold.oie2016.overlap import CORRECTED, CORRECTED_2019, RELEASED, RELEASED_2019
from evaluator.gold.oie2016.propositions import Propositions, read_propositions
from evaluator.model import Rejects

NAME = "oie2016"
DESCRIPTION = "tuples of 3,200 sentences from QA-SRL; words in common, a precision-recall curve"
SOURCE = (
    "Stanovsky and Dagan, Creating a Large Benchmark for Open Information Extraction, EMNLP 2016; "
    "github.com/gabrielStanovsky/supervised-oie and github.com/gabrielStanovsky/oie-benchmark"
)
MODES: Sequence[Mode] = ("released", "corrected")
OPTIONS: Mapping[str, Sequence[str]] = {
    "rules": ("supervised", "2019", "head"),
    conjunctions.OPTION: conjunctions.VALUES,
}
CURVE = True
MENDS: Mapping[str, str] = {
    "linear": "a sentence without extractions adds its gold tuples once to what is to be found",
    "sentences": "sentences are known by their text, so that none is lost to another",
    "multiset": "a word counts as often as it stands on both sides, not once for each pair",
    "tokens": "words are compared without case, punctuation and escapes",
    "slots": "predicate, first argument and the others are compared each with its own kind",
    "length": "what is said must be covered by the gold tuple too, by the same share",
    "one-to-one": "an extraction serves one gold tuple (2019)",
    "verbs": "predicates are reduced to verbs, not nouns (2019)",
    "curve": "no area under a curve where all confidences are the same",
}

_MENDED: Mapping[str, Sequence[str]] = {
    "supervised": ("linear", "sentences", "multiset", "tokens", "slots", "length", "curve"),
    "2019": ("sentences", "multiset", "tokens", "slots", "length", "one-to-one", "verbs", "curve"),
    "head": ("linear", "sentences", "curve"),
}

_PYTHON_2 = KeyRule(ascii_only=True, staying="first")
_PYTHON_3 = KeyRule(ascii_only=False, staying="last")

RULES: Mapping[tuple[str, Mode], Rules] = {
    ("supervised", "released"): Rules(RELEASED, _PYTHON_2, squared=True, infinite=0.0),
    ("supervised", "corrected"): Rules(CORRECTED),
    ("2019", "released"): Rules(RELEASED_2019, _PYTHON_3, many=True),
    ("2019", "corrected"): Rules(CORRECTED_2019),
    ("head", "released"): Rules(HEAD, _PYTHON_2, squared=True, infinite=0.0),
    ("head", "corrected"): Rules(HEAD),
}
"""By the option ``rules`` and the mode."""


def mends_under(options: Mapping[str, str]) -> Sequence[str]:
    """Return the names of what is mended in the rules that are chosen."""
    return _MENDED[options["rules"]]


def read_gold(
    path: Path, *, mode: Mode, options: Mapping[str, str], rejects: Rejects
) -> Propositions:
    """Return the tuples of a gold file of either form.

    Raises
    ------
    InputError
        If the file is missing, empty or damaged, or holds no tuple.
    """
    rules = RULES[options["rules"], mode]
    return read_propositions(path, keys=rules.keys, view=rules.match.wanted, rejects=rejects)


def score(gold: Propositions, output: Output, *, mode: Mode, options: Mapping[str, str]) -> Scored:
    """Return what a system gets on gold data that were read with the same mode and options."""
    return score_propositions(gold, output, RULES[options["rules"], mode])
