"""A text in another language is told by its words without a capital; an odd English one is not."""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest

from evaluator.corpus.language import LEAST, MOST, require_english
from evaluator.errors import InputError

TEXTS = Path("texts.txt")

# Sentences in which English has words of its own: "was", "in", "an", "war", "hat", "die" ...
GERMAN = (
    "Die alte Brücke war schon im letzten Jahr gesperrt worden.",
    "Er hat in seinem Leben viele Bücher geschrieben und an der Universität gelehrt.",
    "Was die Leute so sagen, ist nicht immer wahr.",
    "Das Unternehmen wurde von zwei Brüdern gegründet, die aus einem kleinen Dorf kamen.",
)
FRENCH = (
    "La ville est située sur une rivière qui traverse la région du nord au sud.",
    "Il a été nommé directeur de la banque par le conseil après une longue discussion.",
    "On a son importance dans ce pays, mais elle ne suffit pas à convaincre.",
)
RUSSIAN = ("Он родился в маленьком городе и стал известным писателем.",)
CHINESE = ("他 曾 担 任 总 理 ， 并 成 为 高 等 法 院 的 创 始 法 官 。", "他曾担任总理。")
LOWER_CASE = ("die alte brücke war schon im letzten jahr gesperrt worden",)


@pytest.mark.parametrize("texts", [GERMAN, FRENCH, RUSSIAN, CHINESE, LOWER_CASE])
def test_another_language_is_refused(texts: tuple[str, ...]):
    with pytest.raises(InputError, match=r'texts\.txt: is not in English.* set language = "en"'):
        require_english([text for text in texts for _ in range(60)], TEXTS)


@pytest.mark.parametrize(
    "text",
    [
        "The old bridge had been closed since last year.",
        "STOCKS FALL AS BANKS REPORT LOSSES",
        "stocks fall , banks report losses",
        "Ada Lovelace\tCharles Babbage\tLondon",
        "place of birth\tdate of birth\tspouse\temployer",
        "Müller Straße Köln",
        "1961 4,5 07/08",
    ],
)
def test_odd_english_is_read(text: str):
    require_english([text] * 500, TEXTS)


@pytest.mark.parametrize(("function", "known"), [(40, 0), (39, 81), (0, 120)])
def test_either_share_is_enough(function: int, known: int):
    words = ["the"] * function + ["bridge"] * known
    words += ["xyzzy"] * (LEAST - len(words))
    require_english(words, TEXTS)
    with pytest.raises(InputError):
        require_english(["xyzzy", *words[1:]], TEXTS)


def test_few_words_are_no_evidence():
    require_english(["xyzzy"] * (LEAST - 1), TEXTS)
    with pytest.raises(InputError):
        require_english(["xyzzy"] * LEAST, TEXTS)


def test_no_more_is_read_than_is_needed():
    def texts() -> Iterator[str]:
        yield from repeat("the bridge", MOST // 2)
        raise AssertionError("read on")

    require_english(texts(), TEXTS)


def test_a_long_text_is_one_voice_among_others():
    """The first page of a crawl may be in a language of its own."""
    require_english(["xyzzy " * 10_000, *["the bridge was closed"] * 500], TEXTS)
