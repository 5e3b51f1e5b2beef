"""Gold tuples from questions and answers: the papers' examples, and every rule beside them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.gold import benchmarks
from evaluator.gold.oie2016.qa_srl import embedded_verbs, gold_tuples, read_qa_srl
from evaluator.model import Rejects

DETERMINED = """paper_1	2
Barack Obama , the U.S. president , was determined to win the majority vote in Washington and Arizona .
8	determined	2
who	was	_	determined	_	_	_	?	Barack Obama ### the U.S. president
what	was	someone	determined	_	to	do	?	win the majority vote in Washington ### win the majority vote in Arizona
10	win	2
who	might	_	win	something	_	_	?	Barack Obama ### the U.S. president
what	might	someone	win	_	_	_	?	the majority vote in Washington ### the majority vote in Arizona
"""  # noqa: E501
APPEALING = """wire57_1	2
Investors are appealing to the SEC not to limit their access to information about stock purchases and sales by corporate insiders
2	appealing	3
who	are	_	appealing	_	to	something	?	Investors
who	are	someone	appealing	_	to	_	?	the SEC
what	are	someone	appealing	_	_	_	?	not to limit their access to information about stock purchases and sales by corporate insiders
8	limit	2
what	might not	_	limit	something	_	_	?	the SEC
what	might not	someone	limit	_	_	_	?	their access to information about stock purchases and sales by corporate insiders
"""  # noqa: E501
TIRED = """paper_2	2
John went home , he was tired
1	went	2
who	_	_	went	somewhere	_	_	?	John
where	did	someone	go	_	_	_	?	home
6	tired	1
who	was	_	tired	_	_	_	?	he ### John
"""
ACCESS = "their access to information about stock purchases and sales by corporate insiders"


@pytest.fixture
def read(tmp_path):
    """Return a function that reads content as QA-SRL: (sentences, rejects)."""

    def read_content(content):
        path = tmp_path / "made.qa"
        path.write_text(content, encoding="utf-8")
        rejects = Rejects()
        return list(read_qa_srl(path, rejects=rejects)), rejects

    return read_content


@pytest.fixture
def tuples(read):
    """Return a function from content to tuples as people write them, without rejects."""

    def tuples_of(content, **options):
        sentences, rejects = read(content)
        assert rejects.total == 0
        return [
            (found.arguments[0], found.predicate, *found.arguments[1:])
            for sentence in sentences
            for found in gold_tuples(sentence, **options)
        ]

    return tuples_of


def verb(*questions, sentence="Ada Lovelace wrote the first programs in London", place=2):
    """Return a file of one verb: each question is its slots and answers, written with "|"."""
    word = sentence.split()[place]
    lines = [f"made_1\t1\n{sentence}\n{place}\t{word}\t{len(questions)}"]
    return "\n".join([*lines, *(question.replace("|", "\t") for question in questions), ""])


# --- the papers' examples


def test_the_example_of_the_paper_gives_its_four_tuples_in_its_order(tuples) -> None:
    assert tuples(DETERMINED) == [
        ("Barack Obama", "was determined", "to win the majority vote in Washington"),
        ("the U.S. president", "was determined", "to win the majority vote in Washington"),
        ("Barack Obama", "was determined", "to win the majority vote in Arizona"),
        ("the U.S. president", "was determined", "to win the majority vote in Arizona"),
    ]


def test_an_answer_that_is_a_pronoun_goes_and_the_other_stays(tuples) -> None:
    assert tuples(TIRED) == [("John", "went", "home"), ("John", "was tired")]


def test_pronouns_can_be_kept_as_in_the_corpus_with_pronouns(tuples) -> None:
    kept = tuples(TIRED, pronouns="keep")
    assert sorted(kept) == [("John", "was tired"), ("John", "went", "home"), ("he", "was tired")]


def test_the_example_of_wire57_as_in_the_published_tuples(tuples) -> None:
    assert tuples(APPEALING, embedded="keep", auxiliaries="corpus") == [
        ("Investors", "appealing", f"not to limit {ACCESS}", "to the SEC"),
        ("the SEC", "might not limit", ACCESS),
    ]


def test_an_embedded_verb_gives_no_tuple(tuples, read) -> None:
    """ "win" lies in what Obama was determined to do, "limit" in what investors appeal for."""
    for content, place, embedded in ((DETERMINED, 10, "win"), (APPEALING, 8, "limit")):
        ((sentence,), _) = read(content)
        assert embedded_verbs(sentence) == {place}
        assert not any(embedded in phrase for _, phrase, *_ in tuples(content))
        assert any(embedded in phrase for _, phrase, *_ in tuples(content, embedded="keep"))


def test_an_answer_whose_words_are_scattered_embeds_the_verbs_among_them(read) -> None:
    content = """made_1	2
She hoped to visit Rome and Oslo
1	hoped	1
what	did	someone	hope	_	to	do	?	visit Oslo
3	visit	1
what	might	someone	visit	_	_	_	?	Oslo
"""
    ((sentence,), _) = read(content)
    assert embedded_verbs(sentence) == {3}


# --- answers


def test_a_question_with_pronouns_alone_is_ignored(tuples) -> None:
    told = tuples(
        verb(
            "who|_|_|wrote|something|_|_|?|she ### She herself", "what|did|someone|write|_|_|_|?|it"
        )
    )
    assert told == []
    told = tuples(
        verb("who|_|_|wrote|something|_|_|?|she", "where|did|someone|write|_|_|_|?|in London")
    )
    assert told == [("in London", "wrote")]


def test_every_combination_of_answers_is_a_tuple(tuples) -> None:
    told = tuples(
        verb(
            "who|_|_|wrote|something|_|_|?|Ada ### Lovelace ### Ada",  # said twice, meant once
            "what|did|someone|write|_|_|_|?|a ### b ### c",
            "where|did|someone|write|_|_|_|?|in London ### at home",
        )
    )
    assert len(told) == len(set(told)) == 2 * 3 * 2


def test_of_very_many_combinations_the_first_are_taken_and_that_is_noted(read) -> None:
    answers = " ### ".join(f"answer {letter}" for letter in "abcdefghij")
    questions = [f"where|did|someone|write|_|_|_|?|{answers}"] * 12
    (sentence,), rejects = read(verb(*questions))
    found = list(gold_tuples(sentence, rejects=rejects))
    assert len(set(found)) == 1000
    assert found[1].arguments == ("answer b", *["answer a"] * 11)
    assert rejects.notes == {"a predicate of more than 1,000 tuples, cut to these": 1}


def test_this_is_no_pronoun_here_as_in_the_published_tuples(tuples) -> None:
    assert tuples(verb("who|_|_|wrote|something|_|_|?|this ### it")) == [("this", "wrote")]


# --- order and words of a tuple


def test_subject_objects_prepositional_objects_and_the_rest(tuples) -> None:
    told = tuples(
        verb(
            "when|did|someone|give|something|_|_|?|yesterday",
            "who|did|someone|give|something|to|_|?|Bob",
            "what|did|someone|give|_|to|someone|?|a book",
            "who|_|_|gave|something|_|_|?|Ada",
            sentence="Ada gave Bob a book yesterday",
            place=1,
        )
    )
    assert told == [("Ada", "gave", "a book", "to Bob", "yesterday")]


@pytest.mark.parametrize(
    ("auxiliary", "paper", "corpus"),
    [
        ("_", "written", "written"),
        ("was", "was written", "written"),
        ("has", "has written", "written"),
        ("was n't", "was n't written", "was n't written"),
        ("had", "had written", "had written"),
        ("might", "might written", "might written"),
        ("did", "wrote", "wrote"),  # the word of the sentence
        ("did n't", "did n't written", "did n't written"),
    ],
)
def test_auxiliaries_of_a_predicate(tuples, auxiliary, paper, corpus) -> None:
    content = verb(f"what|{auxiliary}|_|written|_|_|_|?|programs")
    assert tuples(content) == [("programs", paper)]
    assert tuples(content, auxiliaries="corpus") == [("programs", corpus)]


def test_a_preposition_of_all_questions_is_part_of_the_predicate(tuples) -> None:
    told = tuples(
        verb(
            "who|_|_|referred|_|to|something|?|Ada",
            "what|did|someone|refer|_|to|_|?|the engine",
            "when|did|someone|refer|_|_|_|?|later",
            sentence="Ada referred to the engine later",
            place=1,
        )
    )
    assert told == [("Ada", "referred to", "the engine", "later")]


@pytest.mark.parametrize("slots", ["to|do", "to do|_"])
def test_a_preposition_is_not_put_twice(tuples, slots) -> None:
    told = tuples(
        verb(
            "who|_|_|agreed|_|_|_|?|Ada",
            f"what|did|someone|agree|_|{slots}|?|To write ### read",
            sentence="Ada agreed to write and read",
            place=1,
        )
    )
    assert told == [("Ada", "agreed", "To write"), ("Ada", "agreed", "to read")]


def test_a_line_is_what_the_published_corpus_has(read) -> None:
    ((sentence,), _) = read(TIRED)
    assert [found.line for found in gold_tuples(sentence)] == [
        "John went home , he was tired\twent\twent\tJohn\thome",
        "John went home , he was tired\ttired\twas tired\tJohn",
    ]


# --- files


def test_what_is_not_of_the_format_is_counted_and_the_rest_is_read(read) -> None:
    content = f"""{TIRED}

no number of verbs
A sentence .

{DETERMINED}who	was
what	_	_	_	_	?	answer
who	was	_	determined	_	_	_	?	###
99	far	1
who	was	_	far	_	_	_	?	Ada
"""
    sentences, rejects = read(content)
    assert [sentence.id for sentence in sentences] == ["paper_2", "paper_1"]
    assert rejects.counts == {
        "block without identifier, number of verbs and sentence": 1,
        "neither a verb (place, word, number) nor a question (slots, ?, answers)": 1,
        "question without its verb": 3,
        "place of a verb outside its sentence": 1,
    }


def test_questions_that_lack_something_are_counted(read) -> None:
    content = verb(
        "who|wrote|?|Ada", "who|_|_|wrote|something|_|_|?|###", "who|_|_|wrote|_|_|_|?|Ada"
    )
    ((sentence,), rejects) = read(content)
    assert len(sentence.predicates[0].questions) == 1
    assert rejects.counts == {
        "question without seven slots, question mark and answers": 1,
        "question without an answer": 1,
    }
    assert rejects.notes == {"verbs with another number of questions than told": 1}


def test_a_file_without_a_sentence_is_refused(read) -> None:
    with pytest.raises(InputError, match="nothing could be read: block without identifier"):
        read("sentence\targ1\targ2\n")


@given(
    st.lists(
        st.sampled_from(
            [
                "",
                "x 1",
                "A word .",
                "0\tA\t1",
                "0 A 9999999999",
                "who\t_\t_\tA\t_\t_\t_\t?\tit ### b",
            ]
        )
        | st.text("?#_\t 1a", max_size=20)
    )
)
def test_no_line_crashes_the_reader_and_none_is_lost(tmp_path_factory, lines) -> None:
    path = tmp_path_factory.mktemp("qa") / "any.qa"
    path.write_text("made 1\nA word .\n\n" + "\n".join(lines), encoding="utf-8")
    rejects = Rejects()
    for sentence in read_qa_srl(path, rejects=rejects):
        for found in gold_tuples(sentence):
            assert found.line.count("\t") == 2 + len(found.arguments) >= 3


def test_it_is_no_benchmark() -> None:
    assert "qa-srl" not in benchmarks()
