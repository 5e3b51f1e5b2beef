"""BenchIE's gold format, and what its brackets stand for, against lists of all that they do."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.gold.benchie.fact_synsets import JUNK, AnnotatedSentence, read, triples, write
from evaluator.gold.benchie.matching import SentenceSynsets
from evaluator.gold.benchie.optional_tokens import realisations
from evaluator.model import Rejects

GOLD = """\
sent_id:7\tAnn , a doctor , moved to Oslo .
7--> Cluster 1:
Ann --> is --> [a] doctor
7--> Cluster 2:
Ann --> moved to --> Oslo
Ann --> moved --> to Oslo

sent_id:8\tIt rains .

sent_id:9\tBo sings .
9--> Cluster 1:
Bo --> sings --> [ ]
"""
SENTENCES = [
    AnnotatedSentence(
        "7",
        "Ann , a doctor , moved to Oslo .",
        [[("Ann", "is", "[a] doctor")], [("Ann", "moved to", "Oslo"), ("Ann", "moved", "to Oslo")]],
    ),
    AnnotatedSentence("8", "It rains .", []),
    AnnotatedSentence("9", "Bo sings .", [[("Bo", "sings", "[ ]")]]),
]


def sentences(text: str, *, released: bool = False) -> tuple[list[AnnotatedSentence], Rejects]:
    rejects = Rejects()
    lines = enumerate(text.splitlines(), start=1)
    return read(lines, path="gold.txt", released=released, rejects=rejects), rejects


@pytest.mark.parametrize("released", [True, False])
def test_a_file_is_read_and_written_as_it_was(released: bool) -> None:
    found, rejects = sentences(GOLD, released=released)
    assert found == SENTENCES
    assert not rejects.counts
    assert not rejects.notes
    assert "\n".join(write(found)) + "\n" == GOLD

    named = [sentence._replace(id=f"text-{sentence.id}") for sentence in SENTENCES]
    assert sentences("\n".join(write(named)), released=released)[0] == named


@pytest.mark.parametrize(
    "synsets",
    [[[("a --> b", "c", "d")]], [[("a", "b\nc", "d")]], [[("a", "b", "c\r")]]],
)
def test_what_the_format_cannot_hold_is_not_written(synsets: list) -> None:
    with pytest.raises(InputError, match="sentence '3'"):
        list(write([AnnotatedSentence("3", "a b", synsets)]))


def test_a_message_shows_the_beginning_of_what_cannot_be_written() -> None:
    synsets = [[("a --> \x1b", "c" * 1000, "d")]]
    with pytest.raises(InputError, match="a slot holds") as error:
        list(write([AnnotatedSentence("3" * 1000, "a b", synsets)]))
    assert "\\x1b" in str(error.value)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 250


def test_synsets_follow_their_sentence_line_but_the_released_scorer_counts_blank_lines() -> None:
    doubled = GOLD.replace("\n\nsent_id:8", "\n\n\nsent_id:8")
    found, rejects = sentences(doubled)
    assert found == SENTENCES
    assert not rejects.notes

    found, rejects = sentences(doubled, released=True)
    # Four blocks, the second of them empty, and three sentence lines: the last block is lost.
    assert [len(sentence.synsets) for sentence in found] == [2, 0, 0]
    assert sum(rejects.notes.values()) == 2  # sentences 8 and 9

    missing = GOLD.replace("\n\nsent_id:8", "\nsent_id:8")
    assert sentences(missing)[0] == SENTENCES
    # The block of 7 is now that of 8 too, and the next is that of 9, which goes to 8.
    found, rejects = sentences(missing, released=True)
    assert [(s.id, len(s.synsets)) for s in found] == [("7", 2), ("8", 1)]


@pytest.mark.parametrize(
    "header", ["19--> Cluster 2:", "7-->Cluster 2:", "7-> Cluster 2:", "7 --> Cluster 2:"]
)
def test_the_identifier_in_a_header_is_not_asked(header: str) -> None:
    """Sentence 68 of the English data has a header "19--> Cluster 5:"."""
    assert sentences(GOLD.replace("7--> Cluster 2:", header))[0] == SENTENCES


@pytest.mark.parametrize("dash_or_space", ["-", " ", "->", "7 "])
def test_a_long_line_that_is_nearly_a_header_is_none(dash_or_space: str) -> None:
    """Looked for in all ways that its parts could be divided, it would not end."""
    long = dash_or_space * 30_000
    lines = [f"7{long}Cluster x", f"7--> Cluster{long}x", f"7{long}x"]
    for line in lines:
        with pytest.raises(InputError, match="neither sentence, cluster nor triple"):
            sentences(GOLD + line)


def test_a_header_without_its_word_is_one_and_a_junk_triple_to_the_released_scorer() -> None:
    broken = GOLD.replace("7--> Cluster 2:", "2 0 6 :")
    assert sentences(broken)[0] == SENTENCES
    (first, *_), rejects = sentences(broken, released=True)
    assert rejects.notes == {JUNK: 1}
    is_doctor, moved_to, moved = (SENTENCES[0].synsets[0][0], *SENTENCES[0].synsets[1])
    assert first.synsets == [[is_doctor, ("2", " ", "0"), moved_to, moved]]


@pytest.mark.parametrize("released", [True, False])
@pytest.mark.parametrize(
    ("before", "line", "says"),
    [
        ("sent_id:7", "Ann --> is --> here", "1: outside a cluster"),
        ("Ann --> moved -->", "Ann --> moved", "6: not three slots"),
        ("Ann --> moved -->", "Ann --> moved --> to --> Oslo", "6: not three slots"),
        ("Ann --> moved -->", "Ann --> moved --> [to]{a} Oslo", "6: '{' is no sign of the format"),
        ("Ann --> moved -->", "Ann --> moved --> to|in Oslo", "6: '|' is no sign of the format"),
        *(
            ("Ann --> moved -->", line, "6: neither sentence, cluster nor triple")
            for line in (
                "no",
                "=====",
                "------ Cluster 3 ------",
                "sent_id:",
                "Ann-->moved-->to Oslo",
                "Ann\tmoved\tto Oslo",
                "7--> Cluster three:",
                "# Cluster of Ann",
            )
        ),
    ],
)
def test_gold_data_are_refused_at_the_line_that_is_not_understood(
    before: str, line: str, says: str, released: bool
) -> None:
    """No line may be passed over, or taken for another thing: a figure would be wrong."""
    with pytest.raises(InputError) as error:
        sentences(GOLD.replace(before, f"{line}\n{before}", 1), released=released)
    assert str(error.value).startswith(f"gold.txt:{says}")
    assert repr(line) in str(error.value)
    assert "\n" not in str(error.value)


def test_lines_that_only_the_released_scorer_misunderstands_are_refused_in_its_mode() -> None:
    arrow = GOLD.replace("Ann , a doctor , moved", "Ann --> Bo moved")
    assert len(sentences(arrow)[0]) == 3
    with pytest.raises(InputError, match="1: a sentence line that the released scorer takes for"):
        sentences(arrow, released=True)
    header = GOLD.replace("7--> Cluster 2:", "7 --> Cluster 2:")
    with pytest.raises(InputError, match="4: a cluster line that the released scorer takes for"):
        sentences(header, released=True)


@pytest.mark.parametrize("released", [True, False])
def test_a_sign_of_the_sentence_is_no_mark(released: bool) -> None:
    """Sentence 299 of the English data has "{ S&L sales }"."""
    text = (
        "sent_id:1\tIt slows { S&L sales } .\n1--> Cluster 1:\nIt --> slows --> [{] S&L sales [}]\n"
    )
    (found,), rejects = sentences(text, released=released)
    assert found.synsets == [[("It", "slows", "[{] S&L sales [}]")]]
    assert not rejects.notes


@pytest.mark.parametrize("released", [True, False])
def test_a_cluster_without_a_triple_is_counted(released: bool) -> None:
    empty = GOLD.replace("Ann --> is --> [a] doctor\n", "")
    found, rejects = sentences(empty, released=released)
    assert len(found[0].synsets) == 1
    assert rejects.counts == {"cluster without a triple": 1}


def test_a_sentence_may_hold_the_arrow_and_a_triple_the_word_cluster() -> None:
    text = "sent_id:1\tA --> B is a Cluster\n1--> Cluster 1:\nA --> is --> a Cluster\n"
    (found,), _ = sentences(text)
    assert found == ("1", "A --> B is a Cluster", [[("A", "is", "a Cluster")]])


def test_clusters_of_one_identifier_are_joined() -> None:
    found, rejects = sentences(GOLD + "\n" + GOLD)
    assert [len(sentence.synsets) for sentence in found] == [4, 0, 2]
    assert sum(rejects.notes.values()) == 3


@pytest.mark.parametrize(
    ("slot", "released", "corrected"),
    [
        ("a b", {"a b"}, {"a b"}),
        ("[the] [first] x", {"x", "the x", "first x", "the first x"}, None),
        ("x [of the y]", {"x", "x of the y"}, None),
        ("[a]", {"", "a"}, None),
        # Glued to text: the whole token, or only what is inside.
        ("Lee[,] Jr.", {"Jr.", "Lee, Jr."}, {"Lee Jr.", "Lee, Jr."}),
        ("[re-]elected", {"", "re-elected"}, {"elected", "re-elected"}),
        # Nested: the inner bracket closes the unit, and what closes the outer one is lost.
        ("[of [the] X]", {"", "of the"}, {"", "of X", "of the X"}),
        # Without a partner: the token is lost, or only the bracket.
        ("show] Ann", {"Ann"}, {"show Ann"}),
        ("the [old man", {"the man"}, {"the old man"}),
        ("for [as little as] $ 9]", {"for $", "for as little as $"}, None),
        ("re[-elected", {""}, {"re-elected"}),
        # Spaces: an empty token, or one space.
        ("x  y", {"x  y"}, {"x y"}),
        ("x  [y]", {"x ", "x  y"}, {"x", "x y"}),
        (" x", {" x"}, {"x"}),
        ("", {""}, {""}),
    ],
)
def test_what_a_slot_stands_for(slot: str, released: set[str], corrected: set[str] | None) -> None:
    assert realisations(slot, released=True) == released
    if slot.startswith("for"):
        corrected = {"for $ 9", "for as little as $ 9"}
    assert realisations(slot, released=False) == (released if corrected is None else corrected)


def test_a_triple_that_two_lines_stand_for_is_counted_once() -> None:
    synset = [("[a] b", "is", "c"), ("b", "is", "[d] c")]
    # a b is c, b is c; b is c, b is d c.
    for released in (True, False):
        assert len(triples(synset, released=released)) == 3


# ----- the walk, against lists


def as_released(slot: str) -> set[str]:
    """All realisations by the released rules: units first, then which of them are kept."""
    units: list[tuple[str, bool]] = []
    tokens = slot.split(" ")
    while tokens:
        token = tokens.pop(0)
        if "[" not in token:
            units += [] if "]" in token else [(token, False)]
        elif any("]" in later for later in (token, *tokens)):
            while "]" not in token.rpartition(" ")[2]:
                token += " " + tokens.pop(0)
            units.append((token, True))
    found = set()
    for kept in product(*[(True, False) if optional else (True,) for _, optional in units]):
        text = " ".join(unit for (unit, _), keep in zip(units, kept, strict=True) if keep)
        found.add(text.replace("[", "").replace("]", ""))
    return found


def as_written(slot: str) -> set[str]:
    """All realisations of brackets as written: an innermost pair goes with its text or without."""
    lone = slot
    while (paired := re.sub(r"\[([^\[\]]*)\]", r"<\1>", lone)) != lone:
        lone = paired
    todo = [re.sub(r"[\[\]]", "", lone)]
    found = set()
    while todo:
        text = todo.pop()
        inner = re.search(r"<([^<>]*)>", text)
        if inner is None:
            found.add(" ".join(text.split()))
        else:
            before, after = text[: inner.start()], text[inner.end() :]
            todo += [before + after, before + inner[1] + after]
    return found


SLOTS = st.text("ab [] []\u00a0", max_size=9) | st.lists(
    st.sampled_from(["a", "b", "[a]", "[b", "a]", "a[b]", "[]", "", "[a[b]]", "a\u00a0"]),
    max_size=6,
).map(" ".join)
SYNSETS = st.lists(
    st.lists(st.tuples(SLOTS, SLOTS, SLOTS), min_size=1, max_size=2), min_size=1, max_size=3
)


@given(SLOTS)
def test_realisations_are_those_that_a_list_gives(slot: str) -> None:
    assert realisations(slot, released=True) == as_released(slot)
    assert realisations(slot, released=False) == as_written(slot)


@given(st.data(), SYNSETS, st.booleans(), st.booleans())
def test_the_synset_of_a_triple_is_that_which_a_list_of_all_triples_gives(
    data: st.DataObject, synsets: list, released: bool, lexical: bool
) -> None:
    expand = as_released if released else as_written
    listed = [
        {triple for line in synset for triple in product(*map(expand, line))} for synset in synsets
    ]
    known = data.draw(st.sampled_from(sorted(set().union(*listed))))
    noise = st.sampled_from(["", " ", "a", "\u00a0", " b", "ab"])
    before, after = (data.draw(st.tuples(*[st.just("") | noise] * 3)) for _ in range(2))
    asked = tuple(x + slot + y for x, slot, y in zip(before, known, after, strict=True))

    clean = str.strip if released else (lambda text: " ".join(text.split()))
    joined = " ".join if lexical else tuple
    like = [{joined(map(clean, triple)) for triple in synset} for synset in listed]
    holding = [place for place, synset in enumerate(like) if joined(map(clean, asked)) in synset]
    if released and holding:
        exactly = [{joined(triple) for triple in synset} for synset in listed]
        places = [place for place, synset in enumerate(exactly) if joined(asked) in synset]
        expected = (places[0], False) if places else (len(listed) - 1, True)
    else:
        expected = (holding[0] if holding else None, False)
    facts = SentenceSynsets(synsets, released=released, lexical=lexical)
    assert facts.holding(asked) == expected


def test_many_brackets_are_walked_not_listed() -> None:
    """2 to the 300 realisations: nothing could list them."""
    slot = " ".join(["[a]"] * 300) + " b"
    for released in (True, False):
        facts = SentenceSynsets([[(slot, "is", slot)]], released=released, lexical=False)
        assert facts.holding(("a " * 150 + "b", "is", "b")) == (0, False)
        assert facts.holding(("a " * 301 + "b", "is", "b")) == (None, False)


@pytest.mark.parametrize("released", [True, False])
@pytest.mark.parametrize("lexical", [True, False])
def test_a_lone_bracket_divides_no_word(released: bool, lexical: bool) -> None:
    facts = SentenceSynsets([[("Ann", "is", "re[-elected")]], released=released, lexical=lexical)
    assert facts.holding(("Ann", "is", "re-elected")) == (None if released else 0, False)
    assert facts.holding(("Ann", "is", "re -elected")) == (None, False)


def test_in_one_string_a_line_may_fit_with_its_spaces_and_not_without() -> None:
    synsets = [[("a ", "b", "c")], [("a", "", "b c")]]
    for line in synsets:
        for asked in [("a", "", "b c"), ("a", " b", "c")]:
            # All are "a  b c" with their spaces; stripped, each is one of the two.
            both = SentenceSynsets(synsets, released=True, lexical=True).holding(asked)
            alone = SentenceSynsets([line], released=True, lexical=True).holding(asked)
            stripped = " ".join(slot.strip() for slot in asked)
            fits = stripped == " ".join(slot.strip() for slot in line[0])
            assert both == (0, False)
            assert alone == (0 if fits else None, False)


@pytest.mark.parametrize("lexical", [True, False])
def test_a_group_may_begin_and_end_with_another(lexical: bool) -> None:
    synsets = [[("Ann", "is", "here [[right] now [by me]]")]]
    facts = SentenceSynsets(synsets, released=False, lexical=lexical)
    for text in ("here", "here now", "here right now", "here now by me", "here right now by me"):
        assert facts.holding(("Ann", "is", text)) == (0, False)
    assert facts.holding(("Ann", "is", "here right by me")) == (None, False)


MANY = 30_000
WORDS = [f"w{number}" for number in range(MANY)]


@pytest.mark.parametrize("lexical", [True, False])
@pytest.mark.parametrize(
    ("slot", "text", "released", "corrected"),
    [
        # Every place of the text can be reached by every bracket.
        ("[a] " * MANY + "b", "a " * (MANY // 2) + "b", True, True),
        ("[a] " * MANY + "b", "a " * (MANY // 2) + "c b", False, False),
        ("[a] " * MANY, "a " * MANY + "b", False, False),
        ("[a\u00a0] " * MANY + "b", "a\u00a0 " * (MANY // 2) + "b", True, True),
        ("[a]" * MANY, "a" * (MANY // 2), False, True),  # glued: one word to the released scorer
        ("[a]" * MANY, "a" * MANY, True, True),
        # No word stands there twice.
        (" ".join(f"[{word}]" for word in WORDS), " ".join(WORDS[::2]), True, True),
        (" ".join(f"[{word}]" for word in WORDS), " ".join(WORDS[::-1]), False, False),
        # Brackets that have no partner.
        ("[" * MANY, "a", False, False),
        ("[ " * MANY + "a", "a", True, True),
        ("[a " * MANY + "b", "b", True, False),  # words that open are lost
        ("[a " * MANY + "b", "a " * MANY + "b", False, True),
        ("] " * MANY + "a", "a", True, True),
        # Nested.
        ("[" * MANY + "a" + "]" * MANY, "a", True, True),
        ("[" * MANY + "a" + "]" * MANY, "b", False, False),
        ("[a " * 2000 + "]" * 2000, "a " * 1000, False, True),
        # A long word.
        ("a" * MANY + " [b]", "a" * MANY, True, True),
        ("a" * MANY + "[b]", "a" * MANY, False, True),
    ],
)
def test_a_long_slot_is_compared_in_time(
    slot: str, text: str, released: bool, corrected: bool, lexical: bool
) -> None:
    for as_released, held in ((True, released), (False, corrected)):
        facts = SentenceSynsets([[("He", "served", slot)]], released=as_released, lexical=lexical)
        assert facts.holding(("He", "served", text.strip()))[0] == (0 if held else None)


def test_what_deep_brackets_stand_for_can_be_listed() -> None:
    slot = "[" * 2000 + "a" + "]" * 2000
    assert realisations(slot, released=False) == {"", "a"}
