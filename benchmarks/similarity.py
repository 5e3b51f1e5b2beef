"""Similarity of words: NLTK's ``jcn_similarity`` call by call, against one table of all pairs.

In one process, on one thread, with the sense counts of WordNet:

* the peer is NLTK, asked once for each pair of senses of two words, of which the greatest score is
  the words'; it is given the same information content, read from a file written for it, and a
  sample of the pairs of words, each looked up once before;
* ours is :meth:`evaluator.wordnet.similarity.JiangConrath.table` over all pairs, with nothing kept
  from before.

The words are drawn from the most frequent nouns and verbs. The scores must agree to 1e-9; where
they do not, the command exits with 1. Senses that no count has seen are left to neither: NLTK lets
them cancel each other out (:mod:`evaluator.wordnet.similarity`).

NLTK needs a WordNet 3.0 dict folder; without one, the command says so and exits with 2.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from evaluator.errors import DistvalError
from evaluator.wordnet.compiling import open_dict
from evaluator.wordnet.lexicon import wordnet
from evaluator.wordnet.similarity import InformationContent, JiangConrath

SEED = 2012
WORDS, POOL = 2_000, 6_000
PEER_PAIRS = 1_000
TOLERANCE = 1e-9


def main() -> int:
    """Measure, compare and print; return the exit code."""
    options = _options()
    random = np.random.default_rng(SEED)
    words1, words2 = made_words(options.words, random)
    content = InformationContent.from_sense_counts(wordnet())
    drawn = random.integers(options.words, size=(options.peer_pairs, 2)).tolist()
    try:
        with open_dict(options.wordnet) as reader, tempfile.TemporaryDirectory() as folder:
            peer = Peer(reader, content, Path(folder))
            pairs = [(words1[one], words2[two]) for one, two in drawn]
            peer_seconds, calls, wrong = compare(peer, pairs, content)
    except DistvalError as error:
        print(error, file=sys.stderr)
        print("name a WordNet 3.0 dict folder: --wordnet DIR", file=sys.stderr)
        return 2
    measure = JiangConrath(wordnet(), content)  # with empty caches
    start = time.perf_counter()
    table = measure.table(words1, words2)
    seconds = time.perf_counter() - start
    wrong += [
        f"{word1}, {word2}: table {table[one, two]}, one by one {score}"
        for (one, two), (word1, word2) in zip(drawn, pairs, strict=True)
        if (score := measure.words(word1, word2).score) != table[one, two]
    ]

    print(f"{'':<8}{'pairs':>12}{'sense pairs':>13}{'seconds':>9}{'pairs/s':>12}")
    for what, number, senses, taken in (
        ("peer", len(pairs), f"{calls:,}", peer_seconds),
        ("ours", table.size, "", seconds),
    ):
        print(f"{what:<8}{number:>12,}{senses:>13}{taken:>9.2f}{number / taken:>12,.0f}")
    ratio = (table.size / seconds) / (len(pairs) / peer_seconds)
    print(f"\nours / peer, in pairs of words/s: {ratio:,.0f}")
    for line in wrong[:5]:
        print(f"wrong: {line}")
    print("scores disagree" if wrong else f"scores agree to {TOLERANCE:g}")
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--wordnet", type=Path, default=Path("/usr/share/wordnet"), metavar="DIR",
        help="WordNet 3.0's dict files, for NLTK",
    )  # fmt: skip
    parser.add_argument("--words", type=int, default=WORDS, metavar="N", help="on either side")
    parser.add_argument("--peer-pairs", type=int, default=PEER_PAIRS, metavar="M")
    options = parser.parse_args()
    if not 0 < options.words <= POOL // 2 or options.peer_pairs < 1:
        parser.error(f"expected 0 < --words <= {POOL // 2:,} and 0 < --peer-pairs")
    return options


def made_words(number: int, random: np.random.Generator) -> tuple[list[str], list[str]]:
    """Return twice `number` words out of the most frequent nouns and verbs, no word twice."""
    lemmas = {lemma for form in wordnet().content_forms() for _, lemma in wordnet().lemmas(form)}
    frequent = sorted(lemmas, key=lambda lemma: (-wordnet().sense_count(lemma), lemma))[:POOL]
    drawn = random.permutation(frequent)[: 2 * number].tolist()
    return drawn[:number], drawn[number:]


class Peer:
    """NLTK, asked for one pair of senses at a time."""

    def __init__(self, reader: Any, content: InformationContent, folder: Path) -> None:
        """Write the information content, and let NLTK read it."""
        import nltk.data
        from nltk.corpus.reader import WordNetICCorpusReader

        self._reader = reader
        content.write_nltk_file(folder / "ic.dat", wordnet())
        nltk.data.path.append(str(folder))
        try:
            self._content = WordNetICCorpusReader(str(folder), ["ic.dat"]).ic("ic.dat")
        finally:
            nltk.data.path.remove(str(folder))

    def synset(self, row: int) -> Any:
        """Return NLTK's synset for a sense."""
        return self._reader.synset_from_pos_and_offset(wordnet().pos(row), wordnet().offset(row))

    def scores(self, pairs: Sequence[tuple[Any, Any]]) -> list[float]:
        """Return the similarity of each pair of synsets."""
        return [one.jcn_similarity(two, self._content) for one, two in pairs]


def compare(
    peer: Peer, pairs: Sequence[tuple[str, str]], content: InformationContent
) -> tuple[float, int, list[str]]:
    """Let the peer score `pairs`; return its seconds, how many senses it compared, what differs."""
    measure = JiangConrath(wordnet(), content)
    asked = [
        [
            pair
            for pos in ("n", "v")
            for pair in product(*(seen(word, pos, content) for word in words))
        ]
        for words in pairs
    ]
    rows = {row for senses in asked for pair in senses for row in pair}
    synsets = {row: peer.synset(row) for row in rows}
    given = [[(synsets[one], synsets[two]) for one, two in senses] for senses in asked]
    start = time.perf_counter()
    scores = [peer.scores(senses) for senses in given]
    seconds = time.perf_counter() - start

    wrong = []
    for words, senses, found in zip(pairs, asked, scores, strict=True):
        for sense_pair, score in zip(senses, found, strict=True):
            if not agree(measure.senses(*sense_pair), score):
                names = " ".join(map(wordnet().sense_name, sense_pair))
                wrong.append(f"{names}: ours {measure.senses(*sense_pair)}, peer {score}")
        if not agree(ours := measure.words(*words).score, best := max(found, default=0.0)):
            shared = set(senses_of(words[0])) & set(senses_of(words[1]))
            if not shared:  # the same unseen sense is identical with itself
                wrong.append(f"{' '.join(words)}: ours {ours}, peer {best}")
    return seconds, sum(map(len, asked)), wrong


def senses_of(word: str) -> list[int]:
    """Return the senses of a word as noun and as verb."""
    return [row for pos in ("n", "v") for row in wordnet().senses(word, pos)]


def seen(word: str, pos: str, content: InformationContent) -> list[int]:
    """Return the senses of a word that its counts have seen."""
    return [row for row in wordnet().senses(word, pos) if content.counts[row]]


def agree(ours: float, peer: float) -> bool:
    """Tell whether two scores are the same but for rounding."""
    return abs(ours - peer) <= TOLERANCE * max(1.0, abs(peer))


if __name__ == "__main__":
    sys.exit(main())
