"""BenchIE: an extraction is right if it states a fact that annotators found in the sentence.

Gold data are fact synsets (:mod:`evaluator.gold.benchie.fact_synsets`). An extraction is right if
it is, string for string, one of the triples of its sentence; a fact counts once, however often and
in whatever words it is extracted (Gashteovski et al. 2022, section 2.4):

* TP: synsets that an extraction covers; one covers the first synset that holds it;
* FP: extractions that no synset of their sentence holds;
* FN: synsets that no extraction covers.

There are no confidences and there is no curve. Extractions have three slots: further arguments are
joined to the object, as the authors do for ROIE-N (section 3.3).

With ``match = "lexical"`` the three slots are compared as one string, so that it does not matter
where one ends; this is in the released settings, not in the paper. ``duplicates = "drop"`` leaves
out what repeats an earlier extraction of its sentence word for word; with "keep", the default,
repeats cost nothing in the released mode and are false positives in the corrected one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from evaluator.errors import InputError
from evaluator.gold import (
    COVERED,
    LEFT_OUT,
    MATCHED,
    OUTSIDE,
    UNMATCHED,
    GoldSentence,
    Judged,
    Mode,
    Output,
    Scored,
)
from evaluator.gold.benchie import fact_synsets
from evaluator.gold.benchie.fact_synsets import AnnotatedSentence, BenchieTriple
from evaluator.gold.benchie.matching import SentenceSynsets, normalised
from evaluator.gold.joining import SentenceIndex
from evaluator.gold.statistics import Change, Floats, Statistics
from evaluator.model import Extraction, Rejects
from evaluator.readers import text_lines

NAME = "benchie"
DESCRIPTION = "facts of 300 sentences, each with all triples that state it; string for string"
SOURCE = (
    "Gashteovski, Yu, Kotnis, Lawrence, Niepert and Glavaš, BenchIE: A Framework for Multi-Faceted "
    "Fact-Based Open Information Extraction Evaluation, ACL 2022; github.com/gkiril/benchie"
)
MODES: Sequence[Mode] = ("released", "corrected")
OPTIONS: Mapping[str, Sequence[str]] = {
    "match": ("slot", "lexical"),
    "duplicates": ("keep", "drop"),
}
CURVE = False
MENDS: Mapping[str, str] = {
    "own-blocks": "synsets belong to the sentence line above them; blank lines do not shift them",
    "spaces": "spaces are normalised on both sides; an extraction covers a synset that holds it",
    "brackets": "glued and nested brackets are optional as written; a lone one loses no word",
    "headers": "a cluster's header without the word Cluster is one, not a triple",
    "repeats": "an extraction that repeats an earlier one word for word is a false positive",
}

_NO_CONFIDENCE = -np.inf


class BenchieGold:
    """The fact synsets of all sentences; of a sentence that no extraction is about, only read."""

    def __init__(
        self,
        annotated: Sequence[AnnotatedSentence],
        *,
        released: bool,
        lexical: bool,
        junk: int = 0,
    ) -> None:
        self._annotated = annotated
        self._released, self._lexical, self._junk = released, lexical, junk
        self._place = {sentence.id: place for place, sentence in enumerate(annotated)}
        self._facts: dict[int, SentenceSynsets] = {}

    @cached_property
    def sentences(self) -> Sequence[GoldSentence]:
        """The sentences in file order; a tuple is a synset, one line of it after another."""
        return [
            GoldSentence(
                name,
                text,
                [" | ".join(f"({'; '.join(triple)})" for triple in synset) for synset in synsets],
            )
            for name, text, synsets in self._annotated
        ]

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Sentences, those without a fact, synsets, lines; headers, if any are read as triples."""
        return {
            "sentences": len(self._annotated),
            "sentences_without_facts": sum(not s.synsets for s in self._annotated),
            "synsets": int(self.synsets.sum()),
            "lines": sum(len(synset) for s in self._annotated for synset in s.synsets),
            **({"headers_read_as_triples": self._junk} if self._junk else {}),
        }

    @cached_property
    def synsets(self) -> Floats:
        """Number of synsets of each sentence."""
        return np.array([len(s.synsets) for s in self._annotated], dtype=np.float64)

    def triples(self) -> int:
        """Return the number of different triples in each synset, summed: Table 3 of the paper.

        Lists them all, which takes a while, and twice as long for every further bracket of a slot.
        """
        return sum(
            len(fact_synsets.triples(synset, released=self._released))
            for sentence in self._annotated
            for synset in sentence.synsets
        )

    @cached_property
    def _texts(self) -> SentenceIndex:
        return SentenceIndex([sentence.text for sentence in self._annotated])

    def place(self, extraction: Extraction) -> int | None:
        """Return the index of the sentence of an extraction: by its text, else by its id."""
        if extraction.sentence.strip():
            return self._texts.find(extraction.sentence)
        return self._place.get(extraction.sentence_id.strip())

    def facts(self, place: int) -> SentenceSynsets:
        """Return the fact synsets of a sentence."""
        if place not in self._facts:
            self._facts[place] = SentenceSynsets(
                self._annotated[place].synsets, released=self._released, lexical=self._lexical
            )
        return self._facts[place]


def read_gold(
    path: Path, *, mode: Mode, options: Mapping[str, str], rejects: Rejects
) -> BenchieGold:
    """Return the fact synsets of a file; count clusters without a triple in `rejects`.

    Raises
    ------
    InputError
        If the file is missing, empty, damaged, holds no triple, or a line that is none of the
        format.
    """
    released = mode == "released"
    own = Rejects()
    lines = text_lines(path, rejects=own)
    sentences = fact_synsets.read(lines, path=path, released=released, rejects=own)
    junk = own.notes.pop(fact_synsets.JUNK, 0)
    rejects.merge([own])
    if not any(sentence.synsets for sentence in sentences):
        raise InputError(path, "no fact in it: no cluster has a triple")
    lexical = options.get("match") == "lexical"
    return BenchieGold(sentences, released=released, lexical=lexical, junk=junk)


def score(gold: BenchieGold, output: Output, *, mode: Mode, options: Mapping[str, str]) -> Scored:
    """Return what a system gets; TP, FP and FN are in the counts."""
    drop = options.get("duplicates") == "drop"
    covered: set[tuple[int, int]] = set()
    lines: dict[tuple[int, tuple[str, ...]], int] = {}
    judged: list[Judged] = []
    repeats = 0
    for extraction in output.extractions:
        place = gold.place(extraction)
        if place is None:
            judged.append(Judged(extraction, OUTSIDE))
            continue
        triple = _triple(extraction, released=mode == "released")
        first = lines.setdefault((place, tuple(map(normalised, triple))), len(judged))
        note = ""
        if first < len(judged):
            repeats += 1
            note = f"repeats line {output.extractions[first].line}"
            if drop or mode == "corrected":
                judged.append(Judged(extraction, LEFT_OUT if drop else UNMATCHED, place, note=note))
                continue
        synset, by_fault = gold.facts(place).holding(triple)
        if by_fault:
            note = "with its spaces no synset holds it: the last one is credited"
        if synset is None:
            outcome = UNMATCHED
        else:
            outcome = COVERED if (place, synset) in covered else MATCHED
            covered.add((place, synset))
        judged.append(Judged(extraction, outcome, place, synset, note=note))
    return _scored(gold, judged, repeats=repeats)


def _triple(extraction: Extraction, *, released: bool) -> BenchieTriple:
    further = extraction.more_arguments
    object_ = " ".join((extraction.arg2, *further)) if further else extraction.arg2
    # The released scorer strips a line before it looks for columns.
    return extraction.arg1, extraction.relation, object_.rstrip() if released else object_


def _scored(gold: BenchieGold, judged: Sequence[Judged], *, repeats: int) -> Scored:
    changes = [
        Change(verdict.sentence, _NO_CONFIDENCE, right, 1.0, right)
        for verdict in judged
        if verdict.sentence is not None and verdict.outcome in (MATCHED, UNMATCHED)
        for right in [float(verdict.outcome == MATCHED)]
    ]
    outcomes = Counter(verdict.outcome for verdict in judged)
    joined = sum(bool(verdict.extraction.more_arguments) for verdict in judged)
    return Scored(
        Statistics.of(changes, gold.synsets),
        {
            "tp": outcomes[MATCHED],
            "fp": outcomes[UNMATCHED],
            "fn": int(gold.synsets.sum()) - outcomes[MATCHED],
            "extractions": len(judged),
            "further_matches": outcomes[COVERED],
            "repeats": repeats,
            "outside": outcomes[OUTSIDE],
            "covered_sentences": len({v.sentence for v in judged if v.sentence is not None}),
        },
        judged,
        [f"{joined:,} extractions have further arguments; they were joined to the object"]
        if joined
        else [],
    )
