"""What judges are asked, and how the answers of a batch find their facts again."""

import json
from pathlib import Path

import pytest

from evaluator.annotators.items import digest_of
from evaluator.errors import ConfigurationError, InputError
from evaluator.judges.judgements import read_judgements
from jobs.judging.batches import batch_line
from jobs.judging.prompts import FactInWords, Passage, PromptTemplate

ADA = FactInWords(
    ("Q7259", "bear", "Q84"),
    ("Ada Lovelace", "was born in", "London"),
    "Ada Lovelace\twas born in London .",
    (
        Passage("d1", "Ada", "… born in\nLondon, {fact} …"),
        Passage("d2", "", "London, her place of birth"),
    ),
)
PLACES = "{fact}\n{sentence}\n{snippets}\n" + '{"output": "yes"}'


def test_a_template_is_filled_in_once_and_braces_of_json_stay() -> None:
    prompt = PromptTemplate("world", PLACES).about(ADA)
    assert prompt.text == (
        "Ada Lovelace | was born in | London\n"
        "Ada Lovelace was born in London .\n"
        "[d1] Ada: … born in London, {fact} …\n"
        "[d2] London, her place of birth\n"
        '{"output": "yes"}'
    )
    assert prompt.documents == ("d1", "d2")
    assert prompt.id == digest_of(("Q7259", "bear", "Q84"))


def test_what_is_not_known_is_said_to_be_none() -> None:
    bare = FactInWords(ADA.item, ADA.words, "")
    assert PromptTemplate("world", PLACES).about(bare).text.splitlines()[1:3] == ["(none)"] * 2


def test_documents_are_those_that_the_judge_is_shown() -> None:
    assert PromptTemplate("world", "{fact} {sentence}").about(ADA).documents == ()


@pytest.mark.parametrize("question", ["world", "sentence"])
def test_our_own_templates_ask_for_the_object_and_show_what_is_judged(question: str) -> None:
    template = PromptTemplate.of(question)
    text = template.about(ADA).text
    assert "Ada Lovelace | was born in | London" in text
    assert "Ada Lovelace was born in London ." in text
    assert '{"output": "yes"}' in text
    assert '{"output": "no"}' in text
    # Whether the fact is stated is a matter of the sentence alone.
    assert ("her place of birth" in text) is (question == "world")


def test_another_template_has_another_digest(tmp_path: Path) -> None:
    path = tmp_path / "prompt.txt"
    path.write_text(PLACES)
    own = PromptTemplate.of("world", path)
    assert own == PromptTemplate("world", PLACES)
    path.write_text(PLACES + ".")
    others = [PromptTemplate.of("world", path), PromptTemplate.of("world")]
    digests = {one.digest for one in (own, *others, PromptTemplate.of("sentence"))}
    assert len(digests) == 4


def test_a_template_needs_a_place_for_what_is_judged() -> None:
    with pytest.raises(ConfigurationError, match=r"no place \{fact\}; it knows"):
        PromptTemplate("world", "Is it true? {subject}")
    with pytest.raises(ConfigurationError, match=r"no place \{sentence\}"):
        PromptTemplate("sentence", "{fact}")


def test_a_template_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        PromptTemplate.of("world", tmp_path / "none")
    (tmp_path / "bytes").write_bytes(b"\xff{fact}")
    with pytest.raises(InputError, match="not UTF-8"):
        PromptTemplate.of("world", tmp_path / "bytes")


@pytest.mark.parametrize("question", ["world", "sentence"])
def test_the_output_of_a_batch_is_read_as_answers_to_its_facts(
    tmp_path: Path, question: str
) -> None:
    template = PromptTemplate.of(question)
    request = json.loads(batch_line(template.about(ADA), template, model="large"))
    assert {*request} == {"custom_id", "method", "url", "body"}
    assert len(request["custom_id"]) <= 64  # services take no longer one
    assert (request["method"], request["url"]) == ("POST", "/v1/chat/completions")
    assert request["body"]["temperature"] == 0
    assert request["body"]["model"] == "large"
    message = {"content": '{"output": "yes"}'}
    body = {"model": "large-2", "choices": [{"message": message}]}
    answer = {
        "custom_id": request["custom_id"],
        "response": {"status_code": 200, "body": body},
        "error": None,
    }
    path = tmp_path / "output.jsonl"
    path.write_text(json.dumps(answer) + "\n")
    found = read_judgements(path, question=question)
    (row,) = found.rows
    assert (row.id, row.value) == (digest_of(ADA.item), 1.0)
    assert (found.model, found.prompt) == ("large-2", template.digest)
