"""A WordNet of another language, in the format of the Open Multilingual WordNet.

Its files (Bond and Foster 2013), ``wn-data-fra.tab`` and the like, give words of a language to the
synsets of Princeton's WordNet 3.0, one in a line: ``00006269-n``, ``deu:lemma``, ``Leben``, with
tabs between. So the hypernyms are those of the shipped WordNet, and the information of a sense is
what English texts say of it; only the words are others. Which words derive from each other and how
they are inflected such files do not say, and few say how often a word has a sense.

Words are case-folded, as tokens are. Adjectives, adverbs, lemmas of several words, and what else
files of the format may have (definitions, examples, counts, roots) are passed over.
"""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from evaluator.errors import InputError
from evaluator.inputs import read_text
from evaluator.text import tokens
from evaluator.wordnet.lexicon import wordnet

_SYNSET = re.compile(r"(\d{8})-([nvasr])")
_NO_FILE = (
    "expected a file of the Open Multilingual WordNet: lines of synset, language:lemma and word, "
    "such as 00006269-n, deu:lemma, Leben, with tabs between"
)


@cache
def open_multilingual(path: Path) -> "OpenWordNet":
    """Return the WordNet of a file, read once per process.

    Raises
    ------
    InputError
        Where the file cannot be read, is of another format or of several languages, names a synset
        that WordNet 3.0 lacks, or has no noun or verb of one word.
    """
    return OpenWordNet(path)


class OpenWordNet:
    """The nouns and verbs of another language, over the senses of the shipped WordNet.

    Get it from :func:`open_multilingual`. It says of senses what
    :class:`~evaluator.wordnet.lexicon.WordNet` does; their names are English. A pickled one is only
    a reference: the receiving process reads its own copy of the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._shipped = wordnet()
        self._senses = self._read()
        self.pos = self._shipped.pos
        self.ancestors = self._shipped.ancestors
        self.sense_name = self._shipped.sense_name

    def __reduce__(self) -> tuple[Any, tuple[Path]]:
        return open_multilingual, (self._path,)

    def __contains__(self, lemma: object) -> bool:
        """Tell whether a word is a noun or a verb of the language."""
        return ("n", lemma) in self._senses or ("v", lemma) in self._senses

    def senses(self, lemma: str, pos: str) -> tuple[int, ...]:
        """Return the rows of the senses of `lemma` as part of speech `pos`, in the file's order."""
        return self._senses.get((pos, lemma), ())

    def tags(self, lemma: str, pos: str) -> tuple[int, ...]:
        """Return 0 for each sense of `lemma`: counts are not read."""
        return (0,) * len(self.senses(lemma, pos))

    def derivations(self, lemma: str, pos: str) -> tuple[tuple[int, ...], ...]:
        """Return nothing for each sense of `lemma`: WordNet's derivations are of English words."""
        return ((),) * len(self.senses(lemma, pos))

    def _read(self) -> dict[tuple[str, str], tuple[int, ...]]:
        path = self._path
        try:
            lines = read_text(path).split("\n")
        except (OSError, UnicodeDecodeError) as error:
            problem = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            raise InputError(path, f"{problem}; {_NO_FILE}") from None
        found: dict[tuple[str, str], dict[int, None]] = {}
        language = ""
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line.startswith("#"):
                continue
            cells = line.split("\t")
            synset = _SYNSET.fullmatch(cells[0].strip())
            if synset is None or len(cells) < 3:
                raise InputError(path, _NO_FILE, line=number)
            of, _, kind = cells[1].strip().rpartition(":")
            if kind != "lemma":
                continue
            if of != language and language:
                raise InputError(
                    path, f'"{of}" after "{language}"; expected one language', line=number
                )
            language = of
            if synset[2] not in "nv":
                continue
            row = self._shipped.row(synset[2], int(synset[1]))
            if row is None:
                raise InputError(
                    path,
                    f"WordNet 3.0 has no synset {synset[0]}; a file with its synsets is needed, or "
                    "leave the line out",
                    line=number,
                )
            words: Sequence[str] = tokens(cells[2])
            if len(words) == 1:
                found.setdefault((synset[2], words[0]), {})[row] = None
        if not found:
            raise InputError(path, f"has no noun or verb of one word; {_NO_FILE}")
        return {lemma: tuple(rows) for lemma, rows in found.items()}
