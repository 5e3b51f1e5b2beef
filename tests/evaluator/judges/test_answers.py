"""What answers of language models say, in every form that they come in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.judges.answers import (
    BOTH,
    CUT_OFF,
    DIALOGUE,
    EMPTY,
    NO_ANSWER,
    NO_PROBABILITY,
    read_answer,
)


@pytest.mark.parametrize(
    "form",
    [
        "@",
        "@.",
        " @!\n",
        '"@"',
        "“@”",
        "```@```",
        "```json\n@\n```",
        "**@**",
        "[@]",
        "@, because the second document says so.",
        "@ - it is in the first document.",
        "@ because it is.",
        "**@**, it is (as documents show).",
        '{"output": "@"}',
        "{'output': '@'}",
        "{“output”: “@”}",
        "{output: @}",
        '{"output": @}',
        '{"OUTPUT" : "@"}',
        '{"final_answer": "@"}',
        '{"is_true": "@"}',
        '{"reason": "it says so", "verdict": "@", "confidence": 0.2}',
        '{"verdict": {"label": "@"}}',
        '{"answer": "@, the documents say so."}',
        '```json { "output": "@" } ``` The documents do not say no.',
        "Here is the response: `{'output': '@'}` Let me explain.",
        '"{\\"output\\": \\"@\\"}"',
        '"{\\n  \\"output\\": \\"@\\"\\n}"',
        '{""output"": ""@""}',
        '{"output": "@"',
        "Answer: @",
        "I looked at both.\n\n**Final answer:** @",
        "<answer>@</answer>",
        "<think>No? Yes.</think>\n@.",
        'no, wait.</think>{"output": "@"}',
        "<answer>@</answer><reasoning>The answer: no</reasoning>",
        "Query: is it so? Response: {'output': '@'}",
    ],
)
@pytest.mark.parametrize(
    ("yes", "no"),
    [("yes", "no"), ("Yes", "No"), ("true", "false"), ("True", "False"), ("CORRECT", "INCORRECT")],
)
def test_yes_and_no_in_every_form(form: str, yes: str, no: str) -> None:
    assert read_answer(form.replace("@", yes)) == (1, "")
    assert read_answer(form.replace("@", no)) == (0, "")


@pytest.mark.parametrize(
    "form", ["@", '"@"', '{"output": "@"}', '{"output": @}', "Answer: @", "@."]
)
@pytest.mark.parametrize(("yes", "no"), [("1", "0"), ("1.0", "0.0"), ("T", "F"), ("y", "n")])
def test_letters_and_numbers_count_as_the_whole_word(form: str, yes: str, no: str) -> None:
    assert read_answer(form.replace("@", yes)) == (1, "")
    assert read_answer(form.replace("@", no)) == (0, "")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.73", 0.73),
        ('{"probability": 0.85}', 0.85),
        ('{"probability": "85%"}', 0.85),
        ("{'score': .5}", 0.5),
        ("Probability: 0.25", 0.25),
        ('{"output": 0.7}', 0.7),
        ("85 %", 0.85),
        ("2.5e-1", 0.25),
        # The probability may be that of the verdict: the verdict counts.
        ('{"verdict": "no", "probability": 0.9}', 0.0),
        ("Not true? Incorrect: it is false.", None),
        ("Incorrect. The documents deny it.", 0.0),
        ("False, as the first document shows.", 0.0),
        ("No.", 0.0),
        ("no\n\nThe documents do not say it.", 0.0),
    ],
)
def test_probabilities_and_words_for_no(text: str, value: float | None) -> None:
    assert read_answer(text).value == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", EMPTY),
        (" \n\t", EMPTY),
        ('{"output": "ye', CUT_OFF),
        ('{"output": "yes', CUT_OFF),
        ('{"output": "no', CUT_OFF),
        ('{"output":', CUT_OFF),
        ('{"outp', CUT_OFF),
        ('{"probability": 0.8', CUT_OFF),
        ("{'output': 'yes'} In this form: {'output': '", CUT_OFF),
        ("<think>The answer is no.", CUT_OFF),
        ("yes/no", BOTH),
        ("Yes and no", BOTH),
        ("True or false: it depends", BOTH),
        ('{"answer": "yes or no"}', BOTH),
        ('Either {"output": "yes"} or {"output": "no"}.', BOTH),
        ('{"correct": false, "answer": "yes"}', BOTH),
        ("yes\n\nno", BOTH),
        ("No evidence was given.", NO_ANSWER),
        ("No. 5 is the best known.", NO_ANSWER),
        ("None of the documents names her.", NO_ANSWER),
        ("1. The first document names her.", NO_ANSWER),
        ("Correct spelling matters.", NO_ANSWER),
        ("I cannot tell.", NO_ANSWER),
        ("The documents support it, so yes.", NO_ANSWER),
        ('{"output": null}', NO_ANSWER),
        ('{"output": "Lochgelly, Fife"}', NO_ANSWER),
        ('{"output": "not stated"}', NO_ANSWER),
        ('{"output": "unclear"} Yes.', NO_ANSWER),
        ("Score: 8/10", NO_ANSWER),
        ('{"confidence": 0.9}', NO_ANSWER),
        ("NA", NO_ANSWER),
        ('{"probability": 85}', NO_PROBABILITY),
        ("-0.5", NO_PROBABILITY),
        ("Query: a? Response: {'output': 'yes'} Query: b? Response: {'output': 'yes'}", DIALOGUE),
        ("Question: a? Answer: {'output': 'no'} Ques", DIALOGUE),
    ],
)
def test_what_is_no_clear_answer_has_no_value_but_a_reason(text: str, reason: str) -> None:
    assert read_answer(text) == (None, reason)


ANY = st.text() | st.lists(
    st.sampled_from(
        [
            *("yes", "no", '"', "'", "{", "}", "output", ":", "```", "json", " ", "\n", "\\", "1"),
            *(".", "<think>", "</think>", "answer", "0.5", "Query:", ",", "“", "/", "or"),
        ]
    )
).map("".join)


@given(ANY)
def test_any_text_has_a_value_or_a_reason(text: str) -> None:
    value, reason = read_answer(text)
    assert (value is None) == bool(reason)
    assert value is None or 0 <= value <= 1


FORMS = st.sampled_from(
    ['{{"output": {0}}}', "{{'answer': {0}}}", '{{"verdict": {0}, "why": "x"}}']
)
VALUES = st.sampled_from([('"yes"', 1.0), ('"no"', 0.0), ("true", 1.0), ("0", 0.0), ("0.25", 0.25)])
# Prose that neither has a key of ours nor begins or ends inside a structure.
PROSE = st.lists(st.sampled_from(["The", "text", "no", "yes,", "says", "not", "it."])).map(" ".join)
WRAPPED = st.sampled_from(["{}", "```json\n{}\n```", "``` {} ```", "`{}`", "\n {} \n", "**{}**"])


@given(FORMS, VALUES, WRAPPED, PROSE, PROSE)
def test_fences_and_prose_around_an_object_change_nothing(
    form: str, value: tuple[str, float], wrapped: str, before: str, behind: str
) -> None:
    word, expected = value
    answer = wrapped.replace("{}", form.format(word))
    assert read_answer(f"{before} {answer} {behind}").value == expected
    assert read_answer(json.dumps(answer)).value == expected


@given(st.sampled_from(["yes", "No.", "TRUE", "f", "0.5", "incorrect"]), WRAPPED)
def test_fences_and_quotes_around_a_word_change_nothing(word: str, wrapped: str) -> None:
    bare = read_answer(word)
    assert bare.value is not None
    assert read_answer(wrapped.replace("{}", word)) == bare
    assert read_answer(f'"{word}"') == bare


@given(FORMS, st.sampled_from(['"yes"', '"no"', '"Yes, it is"']), st.integers(0, 40))
def test_a_cut_answer_is_never_turned_round(form: str, word: str, length: int) -> None:
    whole = form.format(word)
    value = read_answer(whole[:length]).value
    assert value in (None, read_answer(whole).value)
