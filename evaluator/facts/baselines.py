"""Baselines: extractors of a few lines, to see what the figures of a real one are worth.

A baseline stands among the systems of a run in the place of a file, ``NAME=baseline:between``, and
is run over the sentences of the corpus. What it extracts is linked, judged and counted like any
other system's output.

=============  =====================================================================================
``between@N``  each pair of entities at most N tokens apart (10 where N is not given); the relation
               is what stands between them, other entities left out
``naive``      each verb, all words left of it, and all words right of it: the Naive OIE of
               BenchIE (Gashteovski et al. 2022, section 3.1)
``trivial``    the first word w0, then w1 … wk, then the rest, for every k: the extractor that
               scorers of overlapping words reward (WiRe57, Léchelle et al. 2019, section 2.2);
               its confidence is 1/k
=============  =====================================================================================

BenchIE identifies verbs by a tagger. Here a verb is a form of "be", "have" or "do", auxiliary or
not, as in BenchIE's file, or a word whose usual reading in WordNet is one
(:meth:`evaluator.wordnet.lexicon.WordNet.readings`), whatever stands around it; "will" and "can"
are none.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple, Self

from evaluator.errors import ConfigurationError
from evaluator.function_words import BE
from evaluator.model import Extraction, Mention, Sentence
from evaluator.relations.normal_form import relation_form
from evaluator.text import spans
from evaluator.wordnet.chosen import ENGLISH, Lexicon
from evaluator.wordnet.lexicon import wordnet

APART = 10
"""Most tokens between the two entities of ``between``, unless it says another number."""

_BE_HAVE_DO = BE | {"have", "has", "had", "having", "do", "does", "did", "done", "doing"}

_NAME = re.compile(r"(between)(?:@(\d{1,4}))?|naive|trivial")


class BaselineTriple(NamedTuple):
    """What a baseline extracts of a sentence: three pieces of its text.

    Attributes
    ----------
    arg1, relation, arg2
        As they stand in the sentence.
    mentions
        The mentions that the arguments are; None where the baseline knows of none.
    """

    arg1: str
    relation: str
    arg2: str
    mentions: tuple[Mention, Mention] | None = None


class Baseline(NamedTuple):
    """A baseline with its parameter; ``str`` gives the name that a signature holds."""

    name: str
    apart: int = APART

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the baseline that a text names.

        Examples
        --------
        >>> str(Baseline.parse("between"))
        'between@10'

        Raises
        ------
        ConfigurationError
            If there is no such baseline.
        """
        named = _NAME.fullmatch(text)
        if named is None:
            raise ConfigurationError(
                f"baseline {text!r} is unknown; known: between, between@N, naive, trivial"
            )
        return cls(named[1] or text, int(named[2] or APART))

    def __str__(self) -> str:
        return f"{self.name}@{self.apart}" if self.name == "between" else self.name

    @property
    def needs_pair(self) -> bool:
        """Whether it extracts nothing of a sentence with fewer than two entities."""
        return self.name == "between"

    def triples(
        self, sentence: Sentence, *, lexicon: Lexicon = ENGLISH
    ) -> Iterator[BaselineTriple]:
        """Yield what the baseline extracts of a sentence, in text order.

        Raises
        ------
        ValueError
            If it needs mentions and the sentence is not annotated.
        """
        if self.name == "between":
            return between(sentence, apart=self.apart, lexicon=lexicon)
        return _WITHOUT_MENTIONS[self.name](sentence)

    def extractions(
        self, sentence: Sentence, *, system: str, lexicon: Lexicon = ENGLISH
    ) -> Iterator[Extraction]:
        """Yield the same as extractions of a system, numbered within the sentence from 1."""
        triples = self.triples(sentence, lexicon=lexicon)
        for number, (arg1, relation, arg2, mentions) in enumerate(triples, start=1):
            yield Extraction(
                system,
                number,
                sentence.text,
                arg1,
                relation,
                arg2,
                # "With decreasing confidence": Léchelle et al., Figure 1.
                confidence=1 / number if self.name == "trivial" else None,
                mentions=mentions,
            )


def between(
    sentence: Sentence, *, apart: int = APART, lexicon: Lexicon = ENGLISH
) -> Iterator[BaselineTriple]:
    """Yield each pair of different entities with the words between them.

    Parameters
    ----------
    sentence
        A sentence with mentions.
    apart
        Most tokens between the two mentions, of other mentions too. These say nothing of the
        relation: of "Obama met Merkel in Rome", Obama and Rome have "met in". Pairs without a
        content word between them ("Rome, Italy") are passed over.
    lexicon
        Tells content words.
    """
    if sentence.mentions is None:
        raise ValueError(f"{sentence.document}, sentence {sentence.number}: not annotated")
    if len(sentence.mentions) < 2:
        return
    text, tokens, mentions = sentence.text, spans(sentence.text), sentence.mentions
    surfaces = [text[tokens[m.start].start : tokens[m.end - 1].end] for m in mentions]
    gaps = [
        text[tokens[one.end - 1].end : tokens[next_.start].start].strip()
        for one, next_ in pairwise(mentions)
    ]
    for i, first in enumerate(mentions):
        for j, second in enumerate(mentions[i + 1 :], start=i + 1):
            if second.start - first.end > apart:
                break
            relation = " ".join(gaps[i:j])
            if first.entity != second.entity and relation_form(relation, lexicon).head:
                yield BaselineTriple(surfaces[i], relation, surfaces[j], (first, second))


def naive(sentence: Sentence) -> Iterator[BaselineTriple]:
    """Yield, for each verb, the words left of it, the verb, and the words right of it.

    Punctuation at the end of the sentence is no part of the object, as in BenchIE's file.
    """
    text, tokens, readings = sentence.text, spans(sentence.text), wordnet().readings
    for form, start, end in tokens:
        usual = readings(form)
        if form in _BE_HAVE_DO or (usual and usual[0][0] == "v"):
            yield BaselineTriple(
                text[:start].strip(), text[start:end], text[end : tokens[-1].end].strip()
            )


def trivial(sentence: Sentence) -> Iterator[BaselineTriple]:
    """Yield the first word, the next k words, and the rest of the words, for every k."""
    text, tokens = sentence.text, spans(sentence.text)
    for last, following in pairwise(tokens[1:]):
        yield BaselineTriple(
            text[tokens[0].start : tokens[0].end],
            text[tokens[1].start : last.end],
            text[following.start : tokens[-1].end],
        )


_WITHOUT_MENTIONS: dict[str, Callable[[Sentence], Iterator[BaselineTriple]]] = {
    "naive": naive,
    "trivial": trivial,
}
