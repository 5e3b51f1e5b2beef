"""The one definition of a token: two ways to say it, and what they must agree on."""

import re

from hypothesis import given
from hypothesis import strategies as st

from evaluator.text import normalise, search_form, spans, tokens, written_tokens

ANYTHING = st.text(st.characters(codec="utf-8")) | st.text(st.sampled_from("aB1 _-'.\n\0é́İß中"))


@given(ANYTHING)
def test_a_token_is_a_run_of_letters_and_digits_case_folded(text):
    runs = re.findall(r"[^\W_]{1,100}", normalise(text))
    assert search_form(text) == " ".join(runs).casefold()


@given(ANYTHING)
def test_spans_are_where_the_tokens_stand(text):
    text = normalise(text)
    found = spans(text)
    assert [token.form for token in found] == [text[t.start : t.end].casefold() for t in found]
    assert " ".join(token.form for token in found) == search_form(text)


@given(ANYTHING)
def test_written_tokens_are_the_tokens_but_for_their_case(text):
    written = written_tokens(text)
    assert [token.casefold() for token in written] == tokens(text)
    assert all(token in normalise(text) for token in written)


@given(ANYTHING, st.integers(0, 5))
def test_the_first_spans_are_the_first_of_all(text, most):
    assert spans(text, most=most) == spans(text)[:most]


@given(ANYTHING)
def test_white_space_and_capitals_change_nothing(text):
    assert tokens(f"\n {text.replace(' ', '  ')}\t") == tokens(text)
    ascii_only = text.encode("ascii", "ignore").decode()
    assert tokens(ascii_only.upper()) == tokens(ascii_only)
