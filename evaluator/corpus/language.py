"""Whether a text is English, by its words: all that is known of language by default is English.

Judged are the words without a capital, so that names say nothing, and texts in capitals are never
judged. Two shares of them are taken: of function words (:mod:`evaluator.function_words`), and of
words that English has at all, these or in WordNet. A text of another language is low in both. A
table of terms has no function words, and yet is English; so is a text full of rare names.

Measured over pieces of 200 such words. Function words: sentences of OIE2016, CaRB, ClausIE's sets,
FewRel, Mesquita et al., N3 and Wikipedia have 36 to 61 %, extractions of them 28 to 77 %; BenchIE's
German 3 to 10 %, its Chinese 0 to 9 %, messages of programs in 60 languages 0 to 17 %. English
words: 85 to 100 % of sentences, 91 to 100 % of Freebase's names of relations; 23 to 30 % of the
German, 0 to 20 % of the Chinese, and over 2,000 words at most 56 % of the messages (French ones,
about software).
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from evaluator.errors import InputError
from evaluator.function_words import FUNCTION_WORDS
from evaluator.text import written_tokens
from evaluator.wordnet.lexicon import WordNet, wordnet

LEAST, MOST = 200, 2_000
"""Fewest words that are judged at all, and how many are looked at."""

_OF_EACH = LEAST  # words of one text: the first page of a crawl may be the only one in its language
_FUNCTION_WORDS, _ENGLISH_WORDS = 0.2, 0.6


def require_english(texts: Iterable[str], path: Path) -> None:
    """Refuse texts of another language by their first words; too few words are no evidence.

    Parameters
    ----------
    texts
        Sentences or documents, read no further than needed.
    path
        Where they come from.

    Raises
    ------
    InputError
        Fewer than a fifth of the words are function words of English, and fewer than three fifths
        are English words.
    """
    lexicon = wordnet()
    words = list(islice(_uncapitalised(texts), MOST))
    if len(words) < LEAST:
        return
    function = sum(word in FUNCTION_WORDS for word in words) / len(words)
    known = sum(_is_english(word, lexicon) for word in words) / len(words)
    if function < _FUNCTION_WORDS and known < _ENGLISH_WORDS:
        raise InputError(
            path,
            f"is not in English, the language that is read: of its first {len(words):,} words "
            f"without a capital {function:.0%} are English function words (English has 30% and "
            f'more) and {known:.0%} English words (80% and more); if it is, set language = "en"; '
            'else its own, such as "de", and relation.wordnet',
        )


def _uncapitalised(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        words = (token for token in written_tokens(text) if token.isalpha())
        yield from islice((word for word in words if not word[0].isupper()), _OF_EACH)


def _is_english(word: str, lexicon: WordNet) -> bool:
    return word in FUNCTION_WORDS or lexicon.is_modifier(word) or bool(lexicon.lemmas(word))
