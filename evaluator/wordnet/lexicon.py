"""WordNet 3.0: the nouns and verbs, their forms, senses and hypernyms.

Two uses meet here. Jiang-Conrath similarity (:mod:`evaluator.wordnet.similarity`) needs senses,
their counts and the hypernym graph. Relation normal forms (:mod:`evaluator.relations.normal_form`)
need to know which tokens are content words, of which lemma, and which inflections a query for the
lemma must hold.

Parts of speech are decided without context, from WordNet's sense counts: that makes the lemma of a
token the same in a system's relation phrase, in a sentence and in a text collection, which is what
joins them. The price is a wrong lemma where the rarer reading was meant ("saw" is always "see").

The data file is compiled by :mod:`evaluator.wordnet.compiling` and shipped with the package.
"""

import re
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluator.function_words import FUNCTION_WORDS

type Lemma = tuple[str, str]
"""A part of speech, ``"n"`` or ``"v"``, and a lemma."""

# WordNet's rules of detachment (morphy(7WN)): ending of the form, ending of the lemma.
_DETACHMENTS = {
    "n": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
        ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ),
    "v": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
        ("ing", ""),
    ),
}  # fmt: skip

_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_SIBILANT_OR_O = re.compile(r"(?:s|x|z|ch|sh|[^aeiou]o)$")

# Verbs of several syllables that double their last letter in some spellings only.
_MAY_DOUBLE = re.compile(r"[aeiouy].*[aeiou](?:[lmps]|(?<!mi)t)$")

_PLURAL_IN_MANS = ("german", "human", "norman", "ottoman", "roman", "shaman", "talisman")

# A form may be the verb's up to this ratio of noun senses to verb senses: "lives" (life 256 times,
# live 240 times) is a relation as a verb, while "evening" (even 2, evening 62) is none.
_VERB_PREFERENCE = 2

# A form whose usual lemma is another one is still searched for, unless that one is so much more
# frequent that it would swamp the count.
_SWAMPED = 5

_CACHED = 1 << 17  # tokens whose lemma a process remembers; most are names, and have none


@cache
def wordnet(path: Path | None = None) -> "WordNet":
    """Return WordNet, read when first asked for, from the shipped file or from `path`.

    Raises
    ------
    OSError
        Where `path` cannot be read.
    """
    shipped = resources.files("evaluator.wordnet").joinpath("data", "wordnet-3.0.npz")
    with (path or shipped).open("rb") as file, np.load(file, allow_pickle=False) as archive:
        return WordNet(dict(archive), path)


class WordNet:
    """The noun and verb part of WordNet, read-only.

    Get it from :func:`wordnet`. A pickled WordNet is only a reference: the receiving process reads
    its own copy of the file.

    Notes
    -----
    A sense (synset) is a row: nouns come first, then verbs, each in the order of their offsets in
    WordNet's data files.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]], path: Path | None = None) -> None:
        self._path = path
        self._offsets = arrays["synset_offset"]
        self._noun_synsets = int(arrays["noun_synsets"][0])
        self._first_lemma = arrays["synset_lemma"].tolist()
        self._hypernym_start = arrays["hypernym_start"].tolist()
        self._hypernyms = arrays["hypernym"].tolist()

        names = _lines(arrays["lemma"])
        noun_lemmas = int(arrays["noun_lemmas"][0])
        self._names = names
        self._rows = {
            "n": dict(zip(names[:noun_lemmas], range(noun_lemmas), strict=True)),
            "v": dict(zip(names[noun_lemmas:], range(noun_lemmas, len(names)), strict=True)),
        }
        self._common = arrays["lemma_common"].tolist()
        self._sense_start = arrays["sense_start"].tolist()
        self._senses = arrays["sense_synset"].tolist()
        self._sense_counts = arrays["sense_count"].tolist()
        self._derivation_start = arrays["derivation_start"]
        self._derivations = arrays["derivation"]
        self._lemma_counts = np.add.reduceat(
            arrays["sense_count"], arrays["sense_start"][:-1]
        ).tolist()
        self._synset_counts = np.bincount(
            arrays["sense_synset"], weights=arrays["sense_count"], minlength=len(self._offsets)
        ).astype(np.int64)
        self._synset_counts.flags.writeable = False

        self._exceptions = {
            "n": _exceptions(arrays["noun_exception"]),
            "v": _exceptions(arrays["verb_exception"]),
        }
        self._modifier_counts = dict(
            zip(_lines(arrays["modifier"]), arrays["modifier_count"].tolist(), strict=True)
        )
        self.content_lemma = lru_cache(maxsize=_CACHED)(self._content_lemma)
        # What has been asked for; bounded by the number of forms that WordNet knows.
        self._known_readings: dict[str, tuple[Lemma, ...]] = {}
        self._known_forms: dict[str, tuple[str, ...]] = {}
        self._known_ancestors: dict[int, tuple[int, ...]] = {}

    def __reduce__(self) -> tuple[Any, tuple[Path, ...]]:
        return wordnet, () if self._path is None else (self._path,)

    def __len__(self) -> int:
        """Return the number of senses (rows)."""
        return len(self._offsets)

    # Words ---------------------------------------------------------------------------------------

    def lemmas(self, token: str) -> tuple[Lemma, ...]:
        """Return every noun and verb that `token` can be a form of.

        These are the candidates of WordNet's own morphology, as in NLTK's ``morphy``: the token
        itself, then the lemmas of the list of irregular forms, or, for a form not listed there,
        what the rules of detachment leave.
        """
        return tuple(
            (pos, lemma) for pos in ("n", "v") for lemma in self._detached(token, pos)
        )  # fmt: skip

    def _content_lemma(self, token: str) -> str | None:
        """Return the lemma of `token` if it is a content noun or verb, else None.

        A content word is alphabetic, of two letters or more, no function word
        (:mod:`evaluator.function_words`), a common word (WordNet has it in lower case: "Paris" it
        has not), and no more frequent as an adjective or adverb than as a noun or verb. Of several
        lemmas the one with more tagged senses wins, and a verb over a noun up to twice as frequent.
        """
        readings = self.readings(token)
        return readings[0][1] if readings else None

    def readings(self, token: str) -> tuple[Lemma, ...]:
        """Return the content lemma of `token` in its one or two parts of speech, usual one first.

        Empty for a token without a content lemma (see :meth:`content_lemma`).
        """
        known = self._known_readings.get(token)
        if known is None:
            if token in FUNCTION_WORDS or len(token) < 2 or not token.isalpha():
                return ()
            candidates = self._plausible(token)
            if not candidates:
                return ()
            known = self._known_readings[token] = self._choose(token, candidates)
        return known

    def is_modifier(self, token: str) -> bool:
        """Whether WordNet's corpora have `token` as an adjective or adverb."""
        return token in self._modifier_counts

    def name_readings(self, token: str) -> tuple[Lemma, ...]:
        """Return the parts of speech and lemmas that `token` has in the name of a relation.

        Names are noun phrases and participles, "place of birth" and "directed by", so that a
        content word (see :meth:`content_lemma`) reads as

        * its noun, singular or plural: "place", "languages";
        * the verb, of a past form that is not more often a noun: "founded", "married";
        * noun and verb, of a form in -ing that is a noun of its own ("recording": the recording,
          to record) and of one in -s that is a verb at least as often ("uses");
        * the verb, of any other form.
        """
        chosen = self.content_lemma(token)
        if chosen is None:
            return ()
        candidates = self._plausible(token)
        nouns = [lemma for pos, lemma in candidates if pos == "n"]
        verb = ("v", chosen)
        if not nouns:
            return (verb,)
        noun = max(nouns, key=lambda lemma: self.sense_count(lemma, "n"))  # the token comes first
        if verb not in candidates or chosen == token:
            return (("n", noun),)
        verb_is_usual = self.sense_count(chosen, "v") >= self.sense_count(noun, "n")
        if token.endswith("ing") or (token.endswith("s") and verb_is_usual):
            return ("n", noun), verb
        return (verb,) if verb_is_usual and not token.endswith("s") else (("n", noun),)

    def forms(self, lemma: str) -> tuple[str, ...]:
        """Return every token that stands for `lemma` in a text, sorted, `lemma` included.

        Regular and irregular inflections of the noun and the verb: "visit" gives visit, visited,
        visiting, visits. A form that usually belongs to a much more frequent lemma is left out:
        "found" is a form of "find", and of "found" only because it is the lemma itself. A lemma
        that WordNet lacks has no other form.
        """
        known = self._known_forms.get(lemma)
        if known is None:
            parts = [pos for pos, rows in self._rows.items() if lemma in rows]
            if not parts:
                return (lemma,)
            inflected = set().union(*(self._inflected(lemma, pos) for pos in parts))
            standing = {form for form in inflected if self._stands_for(form, lemma)}
            known = self._known_forms[lemma] = tuple(sorted({lemma, *standing}))
        return known

    def content_forms(self) -> list[str]:
        """Return every token that is a form of a noun or a verb, sorted, function words left out.

        Function words are also rare nouns and verbs ("in" is indium, "as" arsenic), which a count
        of their tokens would make the most frequent of all.
        """
        lemmas = (lemma for lemma in self._names if lemma.isalpha())
        forms = {form for lemma in lemmas for form in self.forms(lemma)}
        return sorted(forms - FUNCTION_WORDS)

    def content_lemmas(self, *, least: int) -> list[str]:
        """Return the content lemmas that are tagged at least `least` times, sorted."""
        return sorted(
            lemma
            for lemma in {*self._names}
            if self.sense_count(lemma) >= least and self.content_lemma(lemma) == lemma
        )

    # Senses --------------------------------------------------------------------------------------

    def senses(self, lemma: str, pos: str) -> tuple[int, ...]:
        """Return the rows of the senses of `lemma` as part of speech `pos`, in WordNet's order."""
        row = self._rows[pos].get(lemma)
        if row is None:
            return ()
        return tuple(self._senses[self._sense_start[row] : self._sense_start[row + 1]])

    def sense_count(self, lemma: str, pos: str | None = None) -> int:
        """Return how often `lemma` is tagged in WordNet's corpora, as `pos` or altogether."""
        parts = (pos,) if pos else ("n", "v")
        rows = (self._rows[part].get(lemma) for part in parts)
        return sum(self._lemma_counts[row] for row in rows if row is not None)

    def tags(self, lemma: str, pos: str) -> tuple[int, ...]:
        """Return how often `lemma` is tagged with each of its senses as `pos`, in their order."""
        row = self._rows[pos].get(lemma)
        if row is None:
            return ()
        return tuple(self._sense_counts[self._sense_start[row] : self._sense_start[row + 1]])

    def derivations(self, lemma: str, pos: str) -> tuple[tuple[int, ...], ...]:
        """Return, for each sense of `lemma` as `pos`, the senses that derivation links it to.

        They are of the other part of speech, and linked to this lemma of the sense, not to another
        one: the noun "birth" is linked to the verb "birth" (that is, "bear"), "found" to "founder".
        """
        row = self._rows[pos].get(lemma)
        if row is None:
            return ()
        first, last = self._sense_start[row : row + 2]
        starts = self._derivation_start[first : last + 1].tolist()
        return tuple(tuple(self._derivations[a:b].tolist()) for a, b in pairwise(starts))

    def derived(self, lemma: str) -> dict[str, float]:
        """Return the words that WordNet derives from `lemma`, or it from them, with their shares.

        "write" gives writer and writing: words that have a sense which a sense of `lemma` is linked
        to, and from which a link leads back. The share of a word is that of the senses linked to it
        among all occurrences of `lemma` (:meth:`tags`), each sense counted once more, so that
        untagged ones count.
        """
        shares: dict[str, float] = {}
        senses = [
            (row, count + 1, linked)
            for pos in self._rows
            for row, count, linked in zip(
                self.senses(lemma, pos),
                self.tags(lemma, pos),
                self.derivations(lemma, pos),
                strict=True,
            )
        ]
        total = sum(count for _, count, _ in senses)
        for row, count, linked in senses:
            for word in {w for other in linked for w in self._linked_back(other, row)} - {lemma}:
                shares[word] = shares.get(word, 0.0) + count / total
        return shares

    def sense_name(self, row: int) -> str:
        """Return the name of a sense, such as ``visit.v.01``."""
        lemma, pos = self._names[self._first_lemma[row]], self.pos(row)
        return f"{lemma}.{pos}.{self.senses(lemma, pos).index(row) + 1:02d}"

    def pos(self, row: int) -> str:
        """Return the part of speech of a sense, ``"n"`` or ``"v"``."""
        return "n" if row < self._noun_synsets else "v"

    def row(self, pos: str, offset: int) -> int | None:
        """Return the row of the sense at an offset of WordNet's data file, None if none is."""
        return self._row_of_offset.get((pos, offset))

    def rows(self, pos: str) -> range:
        """Return the rows of all senses of a part of speech."""
        return range(self._noun_synsets) if pos == "n" else range(self._noun_synsets, len(self))

    def offset(self, row: int) -> int:
        """Return the offset of a sense in WordNet's data file of its part of speech."""
        return int(self._offsets[row])

    def hypernyms(self, row: int) -> tuple[int, ...]:
        """Return the rows right above a sense: its hypernyms and instance hypernyms."""
        return tuple(self._hypernyms[self._hypernym_start[row] : self._hypernym_start[row + 1]])

    def ancestors(self, row: int) -> tuple[int, ...]:
        """Return the rows of a sense and of all above it, each once, nearest first."""
        known = self._known_ancestors.get(row)
        if known is None:
            nearest_first, found = [row], {row}
            for here in nearest_first:
                for above in self.hypernyms(here):
                    if above not in found:
                        found.add(above)
                        nearest_first.append(above)
            known = self._known_ancestors[row] = tuple(nearest_first)
        return known

    @property
    def sense_counts(self) -> NDArray[np.int64]:
        """How often each sense is tagged in WordNet's corpora; shape ``(len(self),)``."""
        return self._synset_counts

    @cached_property
    def _row_of_offset(self) -> dict[tuple[str, int], int]:
        return {
            (self.pos(row), offset): row for row, offset in enumerate(self._offsets.tolist())
        }  # fmt: skip

    def _linked_back(self, row: int, to: int) -> Iterator[str]:
        """Yield the words of a sense that derivation links to another sense."""
        pos = self.pos(row)
        for lemma in self._words_of_sense.get(row, ()):
            place = self.senses(lemma, pos).index(row)
            if to in self.derivations(lemma, pos)[place]:
                yield lemma

    @cached_property
    def _words_of_sense(self) -> dict[int, list[str]]:
        words: dict[int, list[str]] = {}
        for lemma, (first, last) in zip(self._names, pairwise(self._sense_start), strict=True):
            for row in self._senses[first:last]:
                words.setdefault(row, []).append(lemma)
        return words

    # Morphology ----------------------------------------------------------------------------------

    def _detached(self, token: str, pos: str) -> list[str]:
        """Candidates of one part of speech that are lemmas of it, the token itself first."""
        rows = self._rows[pos]
        candidates = self._exceptions[pos].get(token)
        if candidates is None:
            candidates = tuple(
                token.removesuffix(ending) + replacement
                for ending, replacement in _DETACHMENTS[pos]
                if token.endswith(ending)
            )
        return list(dict.fromkeys(lemma for lemma in (token, *candidates) if lemma in rows))

    def _plausible(self, token: str) -> list[Lemma]:
        """Candidates that are common words, verbs first, of those that English inflects so.

        WordNet's rules alone make "sited" a form of "sit" and "bees" a form of "be".
        """
        candidates = [
            (pos, lemma)
            for pos in ("v", "n")
            for lemma in self._detached(token, pos)
            if len(lemma) > 1 and self._common[self._rows[pos][lemma]]
        ]
        inflected = [
            (pos, lemma)
            for pos, lemma in candidates
            if token == lemma or token in self._inflected(lemma, pos)
        ]
        return inflected or candidates

    def _choose(self, token: str, candidates: list[Lemma]) -> tuple[Lemma, ...]:
        """Pick the readings of the most frequent lemma; none if the token is rather a modifier."""
        counts = {(pos, lemma): self.sense_count(lemma, pos) for pos, lemma in candidates}
        if self._modifier_counts.get(token, 0) > max(counts.values()):
            return ()
        # Verbs come first, so that a verb wins a tie.
        weight = {"v": _VERB_PREFERENCE, "n": 1}
        _, chosen = max(candidates, key=lambda candidate: counts[candidate] * weight[candidate[0]])
        readings = [candidate for candidate in candidates if candidate[1] == chosen]
        return tuple(sorted(readings, key=lambda reading: -counts[reading]))

    def _inflected(self, lemma: str, pos: str) -> set[str]:
        """Forms of `lemma` by the list of irregular forms and by the rules of English."""
        irregular = self._irregular[pos].get(lemma, ())
        regular = _plurals(lemma, irregular) if pos == "n" else _conjugated(lemma, irregular)
        return {*irregular, *regular}

    def _stands_for(self, form: str, lemma: str) -> bool:
        """Whether a text that holds `form` may well mean `lemma`."""
        if lemma not in (candidate for _, candidate in self.lemmas(form)):
            return False
        if form in FUNCTION_WORDS:
            return lemma in FUNCTION_WORDS
        usual = self.content_lemma(form)
        if usual is None or usual == lemma:
            return True
        return self.sense_count(usual) <= _SWAMPED * self.sense_count(lemma)

    @cached_property
    def _irregular(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """The lists of irregular forms turned round: from the lemma to its forms."""
        turned: dict[str, dict[str, tuple[str, ...]]] = {}
        for pos, exceptions in self._exceptions.items():
            forms = turned[pos] = {}
            for form, lemmas in exceptions.items():
                for lemma in lemmas:
                    forms[lemma] = (*forms.get(lemma, ()), form)
        return turned


_BOTH_PASTS = frozenset(
    (
        *("abide", "address", "alight", "awake", "bereave", "beseech", "bestrew", "bless", "burn"),
        *("chide", "cleave", "clothe", "curse", "dive", "dream", "dwell", "floodlight", "foreshow"),
        *("gild", "gird", "grave", "hang", "heave", "hew", "interweave", "kneel", "lade", "lean"),
        *("leap", "learn", "light", "melt", "misspell", "mow", "outshine", "plead", "prove"),
        *("rive", "saw", "sew", "shave", "shear", "shine", "shoe", "show", "shrive", "skydive"),
        *("smell", "sneak", "sow", "speed", "spell", "spill", "spoil", "spotlight", "stave"),
        *("strew", "strive", "swell", "thrive", "unlearn", "wake", "weave", "work"),
    )
)
"""Verbs of which WordNet lists the irregular past ("learnt", "shown", "wrought") and English has
the regular one as well ("learned", "showed", "worked")."""


def _plurals(noun: str, irregular: tuple[str, ...]) -> Iterator[str]:
    """Regular plurals of a noun, beside or instead of the irregular ones."""
    if noun.endswith("man") and not noun.endswith(_PLURAL_IN_MANS):
        yield noun.removesuffix("man") + "men"
    elif not any(plural.endswith(("ves", "men", "ren")) for plural in irregular):
        yield _with_s(noun)
        if noun.endswith("o") and noun + "es" not in irregular:
            yield noun + "s"


def _conjugated(verb: str, irregular: tuple[str, ...]) -> Iterator[str]:
    """Regular forms of a verb, where irregular ones leave room for them."""
    yield _with_s(verb)
    past = [form for form in irregular if not form.endswith("ing")]
    # "stopped" rules out "stoped", but "travelled" does not rule out "traveled".
    either = all(form.endswith("ed") for form in past) and _MAY_DOUBLE.search(verb)
    silent_e = verb.endswith("e") and not verb.endswith(("ee", "oe", "ye"))
    if (not past and not _CONSONANT_Y.search(verb)) or either or verb in _BOTH_PASTS:
        yield _regular_past(verb)
    if len(past) == len(irregular) or either:
        yield (verb[:-1] if silent_e else verb) + "ing"


def _regular_past(verb: str) -> str:
    if _CONSONANT_Y.search(verb):
        return verb[:-1] + "ied"
    return verb + "d" if verb.endswith("e") else verb + "ed"


def _with_s(word: str) -> str:
    """Return the plural of a noun, the third person of a verb."""
    if _CONSONANT_Y.search(word):
        return word[:-1] + "ies"
    return word + ("es" if _SIBILANT_OR_O.search(word) else "s")


def _lines(text: NDArray[np.uint8]) -> list[str]:
    return text.tobytes().decode("ascii").split("\n")


def _exceptions(text: NDArray[np.uint8]) -> dict[str, tuple[str, ...]]:
    lines = (line.split() for line in _lines(text))
    return {form: tuple(lemmas) for form, *lemmas in lines}


def is_common(form: str) -> bool:
    """Whether texts use a word in lower case, as they hardly do "ford" and "crick"."""
    lemma = wordnet().content_lemma(form)
    return form in FUNCTION_WORDS or (lemma is not None and wordnet().sense_count(lemma) > 0)
