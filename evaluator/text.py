"""The one definition of a token, for names, relations and text alike.

A token is a run of letters and digits, case-folded; everything else separates. The text index is
built from these tokens, the queries are made of them, and mentions are spans of them, so a name
matches in an index exactly where it matches in a sentence. Three consequences are wanted:

* no word is dropped and no word is stemmed: "The The" and "be in" stay elements, "Bank of America"
  differs from "Bank in America", and distances count every word (Figure 2 of Bronzi et al. 2012
  holds at X = 4 and not at X = 3);
* Penn Treebank spacing does not matter: ``Obama 's`` and ``Obama's`` are the same two tokens;
* relations meet their inflections not by a stem in the index but by alternatives in the query
  (:meth:`evaluator.wordnet.lexicon.WordNet.forms`).
"""

import re
import unicodedata
from itertools import islice
from typing import NamedTuple

# Lucene's tokenizers cut a term at 255 UTF-16 units: we cut earlier, so that positions stay equal.
_LONGEST = 100
_TOKEN = re.compile(rf"[^\W_]{{1,{_LONGEST}}}")

# In ASCII, which most text is, tokens are had four times as fast by splitting at spaces.
_ASCII = {c: chr(c).lower() if chr(c).isalnum() else " " for c in range(128)}

# Escapes of the Penn Treebank, which extractors leave in sentences and arguments.
_TREEBANK = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "\\/": "/", "\\*": "*",
}  # fmt: skip
_TREEBANK_ESCAPE = re.compile("|".join(re.escape(escape) for escape in _TREEBANK))

# Letters that Unicode does not take apart, and what texts without diacritics have for them.
_PLAIN = str.maketrans({"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"})


class Token(NamedTuple):
    """A token of a text: its case-folded ``form`` and its character span ``[start, end)``."""

    form: str
    start: int
    end: int


def normalise(text: str) -> str:
    """Return `text` in Unicode normal form C, the form in which texts are kept and compared."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def tokens(text: str) -> list[str]:
    """Return the case-folded tokens of `text`, in order."""
    return search_form(text).split()


def written_tokens(text: str) -> list[str]:
    """Return the tokens of `text` as it writes them: :func:`tokens` before their case is folded."""
    return _TOKEN.findall(normalise(text))


def spans(text: str, *, most: int | None = None) -> list[Token]:
    """Return the tokens of `text`, or its first `most`, with their character spans.

    `text` must be in normal form C (:func:`normalise`) for the forms to equal :func:`tokens`.
    """
    if most is None and (words := _ascii_words(text)) is not None:
        lower, end, found = text.lower(), 0, []
        for word in words:
            start = lower.find(word, end)
            end = start + len(word)
            found.append(Token(word, start, end))
        return found
    matches = islice(_TOKEN.finditer(text), most)
    return [Token(m.group().casefold(), m.start(), m.end()) for m in matches]


def has_more_tokens(text: str, most: int) -> bool:
    """Return whether `text` has more than `most` tokens, without a look at the others."""
    # Two characters a token at least, but for the last: most texts need no counting.
    return len(text) >= 2 * most and len(spans(text, most=most + 1)) > most


def search_form(text: str) -> str:
    """Return the tokens of `text` joined by single spaces: what the index holds of a text."""
    words = _ascii_words(text)
    if words is not None:
        return " ".join(words)
    return " ".join(_TOKEN.findall(normalise(text))).casefold()


def fold(text: str) -> str:
    """Return `text` without diacritics: "Jose" for "José"."""
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFD", text.translate(_PLAIN))
    kept = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", kept)


def _ascii_words(text: str) -> list[str] | None:
    """Return the tokens of a text in ASCII; None for one that is not, or has too long a token."""
    if text.isascii():
        words = text.translate(_ASCII).split()
        if max(map(len, words), default=0) <= _LONGEST:
            return words
    return None


def unescape_treebank(text: str) -> str:
    """Return `text` with the Penn Treebank's bracket and slash escapes undone."""
    if "-" not in text and "\\" not in text:
        return text
    return _TREEBANK_ESCAPE.sub(lambda escape: _TREEBANK[escape.group()], text)
