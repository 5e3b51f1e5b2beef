"""What an answer of a language model says of a fact: yes, no, a probability, or nothing to read.

A model that is asked for ``{"output": "yes"}`` answers in Python's quotes, between code fences,
after a paragraph of its own, inside a string of JSON, or stops in the middle of a word. An answer
counts where it is one of these:

* a key of :data:`VERDICT_KEYS`, in quotes, in braces, as a tag or at the beginning of a line
  ("Answer: no"), and after it one whole word, or a sentence that begins with yes or no;
* a key of :data:`PROBABILITY_KEYS` with a number, where no verdict stands;
* nothing but the word, or the number;
* prose that begins with yes or no, where there is no such key.

Nothing is guessed: an answer that says both, that stops before its word is whole, or that says
neither, has no value but a reason. A word whose quote is not closed is not whole, whichever it is:
"no" may become "not stated", and a reader that takes the cut "yes" and leaves the cut "no" would
favour one side. Small models make up a dialogue ("Query: ... Response: ... Query: ..."), of which
nothing says which question was ours.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

EMPTY = "empty"
CUT_OFF = "cut off"
BOTH = "both answers"
NO_ANSWER = "no answer in it"
NO_PROBABILITY = "a number outside 0 to 1"
DIALOGUE = "several questions in it"

VERDICT_KEYS = (
    *("output", "answer", "verdict", "label", "decision", "judgement", "judgment", "response"),
    *("result", "prediction", "conclusion", "correct", "true", "stated"),
)
"""Keys of a verdict, in any case, also after "final" or "is"."""

PROBABILITY_KEYS = ("probability", "score")
"""Keys of a probability. A "confidence" is none: it may be that of a no."""

_YES, _NO = ("yes", "true", "correct"), ("no", "false", "incorrect")
_WORDS = dict.fromkeys(_YES, 1.0) | dict.fromkeys(_NO, 0.0)
_LETTERS = {"y": 1.0, "t": 1.0, "n": 0.0, "f": 0.0}

_QUOTE = "\"'`“”„‟‘’‚‛«»‹›"
_KEY = rf"(?:(?:final|is)[ _-]?)?(?:{'|'.join(VERDICT_KEYS)})|{'|'.join(PROBABILITY_KEYS)}"
_PAIR = re.compile(
    rf"""(?:[{_QUOTE}]\s*(?P<quoted>{_KEY})\s*[{_QUOTE}]+|\{{\s*(?P<braced>{_KEY}))\s*[:=]\s*
    |<(?P<tagged>{_KEY})>\s*
    |^[ \t>#*_-]*(?:the\ |my\ )?(?P<led>{_KEY})[ \t*_]*[:=][ \t*_]*""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_OPENING = re.compile(rf"[{_QUOTE}]+\s*")
_TOKEN = re.compile(
    r"(?P<word>[^\W\d_]+)|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(?P<percent>%?)",
    re.IGNORECASE,
)
# What may stand behind a whole value: at its closing quote, in a structure, at the end of a line.
_CLOSED = re.compile(rf"\s*[{_QUOTE}]")
_NEXT = re.compile(rf"\s*(?:[,}}\]<\n{_QUOTE}]|$)")
_LINE_END = re.compile(rf"[ \t.*_!{_QUOTE}]*(?:\n|$)")
# What may stand behind the word that begins a sentence: "No evidence" and "No. 5" are no answers.
_SENTENCE = re.compile(
    rf"""\s*(?:$|[,;:!…(*{_QUOTE}]|\.(?!\s*\d)|\n)|\s*[–—]|\s+-\s
    |\s+(?:because|since|as|it|the|this|that|there|he|she|they|based|according|I)\b""",
    re.VERBOSE,
)
_OTHER = re.compile(r"\s*(?:[/|\n]|\bor\b|\band\b|\.\s)\s*(?P<word>[^\W\d_]+)", re.IGNORECASE)
_ESCAPED = re.compile(r"\\+([\"'nrt])")
_THOUGHTS = re.compile(r"<(/?)(think|thinking|thought|reasoning)>", re.IGNORECASE)
_QUESTION = re.compile(r"\W*(query|question|q|user|human)\W*:", re.IGNORECASE)
_FENCE = re.compile(r"```\s*(?:json|python|text|txt|plaintext|markdown|md)\b", re.IGNORECASE)
_AROUND = f" \t\r\n*_#>()[]{{}}{_QUOTE}"

type _Context = Literal["word", "structure", "line", "prose"]


class JudgeAnswer(NamedTuple):
    """What an answer says.

    Attributes
    ----------
    value
        1.0 for yes, 0.0 for no, a probability in between; None where it cannot be read.
    reason
        Why it cannot be read: one of the constants of this module; empty where it can.
    """

    value: float | None
    reason: str = ""


def read_answer(text: str) -> JudgeAnswer:
    r"""Return what `text` says; any text will do.

    Examples
    --------
    >>> read_answer("```json\n{'output': 'yes'}\n``` The documents say so.")
    JudgeAnswer(value=1.0, reason='')
    >>> read_answer('{"probability": 0.85}').value
    0.85
    >>> read_answer("No evidence was given.")
    JudgeAnswer(value=None, reason='no answer in it')
    """
    if not text.strip():
        return JudgeAnswer(None, EMPTY)
    said, thinking = _without_thoughts(text)
    said = _ESCAPED.sub(lambda found: found[1] if found[1] in "\"'" else "\n", said)
    if _is_dialogue(said):
        return JudgeAnswer(None, DIALOGUE)
    verdicts: list[float | str] = []
    probabilities: list[float | str] = []
    keys = 0
    for key, value in _pairs(said):
        verdict = key.casefold() not in PROBABILITY_KEYS
        keys += verdict
        if value is not None:
            (verdicts if verdict else probabilities).append(value)
    found = verdicts or probabilities
    if not keys and not found and (prose := _prose(said)) is not None:
        found = [prose]
    if not found:
        cut = thinking or said.count("{") > said.count("}")
        return JudgeAnswer(None, CUT_OFF if cut else NO_ANSWER)
    reasons = [one for one in found if isinstance(one, str)]
    numbers = {one for one in found if not isinstance(one, str)}
    if reasons or len(numbers) > 1:
        return JudgeAnswer(None, reasons[0] if reasons else BOTH)
    (number,) = numbers
    return JudgeAnswer(number) if 0 <= number <= 1 else JudgeAnswer(None, NO_PROBABILITY)


def _without_thoughts(text: str) -> tuple[str, bool]:
    """Return `text` without what a model thinks before its answer, and whether that has no end."""
    kept, start, inside = "", 0, ""
    for tag in _THOUGHTS.finditer(text):
        closes, name = tag[1], tag[2].casefold()
        if not inside:
            # Some servers give the tag that opens the thoughts as part of what the model was asked.
            kept = "" if closes else kept + text[start : tag.start()]
            inside = "" if closes else name
        elif closes and name == inside:
            inside = ""
        start = tag.end()
    return (kept, True) if inside else (kept + text[start:], False)


def _is_dialogue(text: str) -> bool:
    """Tell whether a text begins with a question and asks again, or is cut where it does."""
    first = _QUESTION.match(text)
    if first is None:
        return False
    *before, last = text[first.end() :].casefold().split() or [""]
    asks = first[1].casefold()
    return any(word.strip("*#_") == f"{asks}:" for word in [*before, last]) or (
        last != "" and asks.startswith(last)
    )


def _pairs(text: str) -> Iterator[tuple[str, float | str | None]]:
    """Yield the keys in `text` that an answer goes by, with their values, or reasons."""
    for pair in _PAIR.finditer(text):
        key = str(pair[pair.lastgroup or 0])
        yield key, _value(text, pair.end(), "line" if pair["led"] else "structure")


def _prose(text: str) -> float | str | None:
    """Return what a text without any key says: by its one word, or by its first."""
    bare = _FENCE.sub("", text).replace("```", "").strip(_AROUND)
    whole = _value(bare, 0, "word")
    return _value(bare, 0, "prose") if whole is None else whole


def _value(text: str, start: int, context: _Context) -> float | str | None:
    """Return the value at a place of `text`, or why it has none; None where no answer is there."""
    opening = _OPENING.match(text, start)
    start = opening.end() if opening else start
    token = _TOKEN.match(text, start)
    if token is None:
        return CUT_OFF if context == "structure" and start == len(text) else None
    end = token.end()
    word = (token["word"] or "").casefold()
    if context == "structure" and end == len(text) and (opening or word not in ("true", "false")):
        return CUT_OFF  # the next character might have gone on with it
    if _sentence_allowed(context, quoted=bool(opening)) and word in _WORDS:
        other = _OTHER.match(text, end)
        if other and _WORDS.get(other["word"].casefold(), _WORDS[word]) != _WORDS[word]:
            return BOTH
        if _SENTENCE.match(text, end):
            return _WORDS[word]
    ends = _CLOSED if opening else _NEXT if context == "structure" else _LINE_END
    behind = ends.match(text, end)
    if behind is None or (context in ("word", "prose") and behind.end() < len(text)):
        return None
    if word:
        return (_WORDS | _LETTERS).get(word)
    number = float(token["number"])
    return number / 100 if token["percent"] else number


def _sentence_allowed(context: _Context, *, quoted: bool) -> bool:
    """Tell whether the word may be the first of a sentence: in a text, or in a string."""
    return context in ("line", "prose") or (context == "structure" and quoted)
