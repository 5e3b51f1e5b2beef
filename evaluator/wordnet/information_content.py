"""Information content: how much each sense of WordNet says.

The information content of a sense is -ln of the share of all occurrences that are the sense or one
below it (Resnik 1995). Occurrences come from the sense tags that are shipped with WordNet, from a
file of NLTK, or from the words of a collection of one's own, in which senses are not told apart.

Whatever the source, an occurrence counts once for each sense above it, smoothing included: so no
share exceeds 1, information is never negative, and the one root of all nouns says nothing. NLTK's
own ``wn.ic`` breaks this: it counts an occurrence twice where two paths meet, and does not add the
smoothing of a sense to those above.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evaluator.errors import ConfigurationError, InputError
from evaluator.inputs import read_text
from evaluator.whole_files import write_whole
from evaluator.wordnet.lexicon import WordNet

# What WordNet::Similarity calls WordNet 3.0 in the first line of a file; NLTK skips the line.
_HEADER = "wnver::eOS9lXC6GvMWznF1wkZofDdtbBU"

_NOT_A_FILE = "give one of NLTK's ic-*.dat files"


@dataclass(frozen=True, eq=False)
class InformationContent:
    """How much each sense says: -ln of the share of occurrences that are the sense or below it.

    Attributes
    ----------
    source
        Name of the counts, for signatures.
    counts
        Occurrences of each sense or of a sense below it; shape ``(len(wordnet),)``.
    content
        Information content in nats, same shape; infinite for an unseen sense.
    totals
        All occurrences of nouns (``"n"``) and of verbs (``"v"``).

    Notes
    -----
    The arrays are read-only. Made from the shipped counts or from a file, it is pickled as a
    reference to them.
    """

    source: str
    counts: NDArray[np.float64]
    content: NDArray[np.float64]
    totals: dict[str, float]
    _made_by: tuple[Callable[..., "InformationContent"], tuple[Any, ...]] | None = field(
        default=None, repr=False
    )

    def __reduce__(self) -> tuple[Any, ...]:
        if self._made_by is not None:
            return self._made_by
        return _restored, (self.source, self.counts, self.content, self.totals)

    @classmethod
    def from_sense_counts(cls, wordnet: WordNet) -> Self:
        """Count with the sense tags that come with WordNet (``cntlist.rev``), the default.

        The tags of a sense are added once to each of its ancestors, however many paths lead there.
        """
        own = wordnet.sense_counts.astype(np.float64)
        made_by = (_from_sense_counts, (wordnet,))
        return cls._from_own_counts(wordnet, "WordNet 3.0 sense counts", own, made_by)

    @classmethod
    def from_word_counts(
        cls,
        counts: Mapping[str, float],
        wordnet: WordNet,
        *,
        smoothing: float = 1.0,
        source: str = "word counts",
    ) -> Self:
        """Count with the words of a collection, whose senses nobody has told apart.

        Every occurrence of a form is spread evenly over the noun and verb senses of all its lemmas
        (:meth:`WordNet.lemmas`), as NLTK's ``wn.ic`` does.

        Parameters
        ----------
        counts
            Occurrences of each form; forms that WordNet lacks do not matter.
        wordnet
            The senses.
        smoothing
            Occurrences added to every sense before they are added to those above. With 0, unseen
            senses have infinite information.
        source
            Name of the collection, for signatures.

        Raises
        ------
        ConfigurationError
            Where `smoothing` is negative or not finite, or nothing was seen and it is 0.
        """
        if not 0 <= smoothing < math.inf:
            raise ConfigurationError(f"smoothing is {smoothing}; it must be finite, 0 or more")
        own = np.full(len(wordnet), float(smoothing))
        for form, count in sorted(counts.items()):  # sorted: sums do not depend on the order
            senses = {
                row for pos, lemma in wordnet.lemmas(form) for row in wordnet.senses(lemma, pos)
            }
            for row in senses:
                own[row] += count / len(senses)
        if not all(own[_slice(wordnet.rows(pos))].any() for pos in ("n", "v")):
            raise ConfigurationError("no noun or no verb was seen; let smoothing be more than 0")
        return cls._from_own_counts(wordnet, f"{source} (+{smoothing:g})", own, None)

    @classmethod
    def from_nltk_file(cls, path: Path, wordnet: WordNet) -> Self:
        """Read an ``ic-*.dat`` file of NLTK's ``wordnet_ic`` (or of WordNet::Similarity).

        Each line after the first is ``<offset><n or v> <count>``, with ``ROOT`` behind a root.

        Raises
        ------
        InputError
            Where the file is missing, is none of these files, is for another WordNet, or gives a
            sense more occurrences than there are.
        """
        try:
            text = read_text(path)
        except (OSError, UnicodeDecodeError) as error:
            problem = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            raise InputError(path, f"{problem}; {_NOT_A_FILE}") from error
        header, *lines = text.splitlines() or [""]
        if not header.startswith("wnver::") or not lines:
            raise InputError(path, f"no header wnver::; {_NOT_A_FILE}", line=1)
        counts = np.zeros(len(wordnet))
        totals = {"n": 0.0, "v": 0.0}
        for number, line in enumerate(lines, start=2):
            sense, count, root = _ic_line(path, number, line)
            row = wordnet.row(*sense)
            if row is None:
                raise InputError(
                    path, f"WordNet 3.0 has no synset {sense[1]}{sense[0]}", line=number
                )
            counts[row] = count
            if root:
                totals[sense[0]] += count
        if not all(totals.values()):
            raise InputError(path, "no count at a ROOT of nouns or of verbs")
        for pos, total in totals.items():
            rows = wordnet.rows(pos)
            most = rows[int(counts[_slice(rows)].argmax())]
            if counts[most] > total * (1 + 1e-9):
                sense_id = f"{wordnet.offset(most)}{pos}"
                raise InputError(
                    path, f"{counts[most]:g} occurrences of {sense_id}, {total:g} at ROOT lines"
                )
        made_by = (_from_nltk_file, (path, wordnet))
        return cls._from_counts(wordnet, path.name, counts, totals, made_by)

    def write_nltk_file(self, path: Path, wordnet: WordNet) -> None:
        """Write an ``ic-*.dat`` file, which NLTK and :meth:`from_nltk_file` read.

        Readers of these files take the sum of the lines with ``ROOT`` for all occurrences. Some
        verbs are below two roots, which makes that sum too great: one root then has two lines, the
        first of which, with ``ROOT``, sets the sum right and the second its own count.
        """
        lines = [_HEADER]
        for pos, total in self.totals.items():
            rows = wordnet.rows(pos)
            roots = [row for row in rows if not wordnet.hypernyms(row)]
            excess = math.fsum(self.counts[roots]) - total
            largest = max(roots, key=lambda row: self.counts[row])
            for row in rows:
                count = float(self.counts[row])
                sense = f"{wordnet.offset(row)}{pos}"
                if row == largest and excess > 0:
                    lines += [f"{sense} {count - excess!r} ROOT", f"{sense} {count!r}"]
                elif count:
                    lines.append(f"{sense} {count!r}{'' if wordnet.hypernyms(row) else ' ROOT'}")
        write_whole(path, "\n".join(lines) + "\n")

    @classmethod
    def _from_own_counts(
        cls, wordnet: WordNet, source: str, own: NDArray[np.float64], made_by: Any
    ) -> Self:
        """Add the occurrences of each sense, its own, to those of all its ancestors.

        Sums are rounded once, so that they do not depend on the order, no sense has more
        occurrences than one above it, and the root of all nouns has exactly the total.
        """
        seen = np.flatnonzero(own)
        above = [wordnet.ancestors(row) for row in seen.tolist()]
        ancestor = np.fromiter((row for rows in above for row in rows), dtype=np.int64)
        added = np.repeat(own[seen], [len(rows) for rows in above])
        order = np.argsort(ancestor, kind="stable")
        rows, starts = np.unique(ancestor[order], return_index=True)
        values = added[order].tolist()
        counts = np.zeros(len(wordnet))
        counts[rows] = [
            math.fsum(values[first:last]) for first, last in pairwise([*starts, len(values)])
        ]
        totals = {pos: math.fsum(own[_slice(wordnet.rows(pos))]) for pos in ("n", "v")}
        return cls._from_counts(wordnet, source, counts, totals, made_by)

    @classmethod
    def _from_counts(
        cls,
        wordnet: WordNet,
        source: str,
        counts: NDArray[np.float64],
        totals: dict[str, float],
        made_by: Any,
    ) -> Self:
        content = np.full(len(wordnet), math.inf)
        for pos, total in totals.items():
            rows = _slice(wordnet.rows(pos))
            # One logarithm per distinct count, by math.log: bit for bit what NLTK computes.
            distinct, where = np.unique(counts[rows], return_inverse=True)
            information = [
                max(0.0, -math.log(count / total)) if count else math.inf for count in distinct
            ]
            content[rows] = np.array(information)[where]
        counts.flags.writeable = content.flags.writeable = False
        return cls(source, counts, content, totals, made_by)


@cache
def _from_sense_counts(wordnet: WordNet) -> InformationContent:
    return InformationContent.from_sense_counts(wordnet)


@cache
def _from_nltk_file(path: Path, wordnet: WordNet) -> InformationContent:
    return InformationContent.from_nltk_file(path, wordnet)


def _restored(
    source: str,
    counts: NDArray[np.float64],
    content: NDArray[np.float64],
    totals: dict[str, float],
) -> InformationContent:
    counts.flags.writeable = content.flags.writeable = False
    return InformationContent(source, counts, content, totals)


def _slice(rows: range) -> slice:
    return slice(rows.start, rows.stop)


def _ic_line(path: Path, number: int, line: str) -> tuple[tuple[str, int], float, bool]:
    """Read ``<offset><n or v> <count> [ROOT]`` as ((part of speech, offset), count, is a root)."""
    expected = 'expected: "<offset><n or v> <count>", with "ROOT" behind a root'
    sense, *fields = line.split() or [""]
    try:
        if sense[-1:] not in {"n", "v"} or fields[1:] not in ([], ["ROOT"]):
            raise ValueError(sense)
        count = float(fields[0])
        if not 0 <= count < math.inf:
            raise ValueError(count)
        return (sense[-1], int(sense[:-1])), count, len(fields) == 2
    except (ValueError, IndexError):
        raise InputError(path, f"{expected}; found {line[:60]!r}", line=number) from None
