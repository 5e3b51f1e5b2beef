"""Who the accounts of a labelling tool are: told once, and kept in the label folder."""

import json
from pathlib import Path

import pytest

from evaluator.errors import ConfigurationError, InputError
from evaluator.labels.accounts import named_accounts, read_accounts
from evaluator.labels.answers import all_answers, gather
from evaluator.labels.questions import Question
from evaluator.model import Rejects

FACTS = [
    Question(f"{number:016x}", f"Q{number}", "visit", "Q9", "Ada", "Ur", "Ada saw Ur.", "d")
    for number in (1, 2, 3)
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    content = {"facts": [fact._asdict() for fact in FACTS]}
    (tmp_path / "design.json").write_text(json.dumps(content))
    return tmp_path


def exported(folder: Path, *said: tuple[int, str, str], name: str = "export.json") -> Path:
    """Write an export of Label Studio in short: number of the fact, account and label."""
    rows = [
        {"fact": FACTS[n - 1].id, **dict(zip(("e1", "r", "e2"), FACTS[n - 1][1:4], strict=True)),
         "id": n, "annotator": account, "label": label}
        for n, account, label in said
    ]  # fmt: skip
    (folder / name).write_text(json.dumps(rows))
    return folder / name


def said(folder: Path) -> list[tuple[str, int, str]]:
    return sorted((one.rater, int(one.id), one.said) for one in all_answers(folder))


def test_an_account_is_its_raters_in_this_export_and_in_later_ones(folder: Path) -> None:
    first = exported(folder, (1, "3", "true"), (1, "4", "false"))
    gather(folder, [first], accounts={"3": "ann"}, rejects=Rejects())
    assert said(folder) == [("4", 1, "false"), ("ann", 1, "true")]
    later = exported(folder, (1, "3", "false"), (2, "3", "true"), (2, "4", "true"))
    gather(folder, [later], rejects=Rejects())
    assert said(folder) == [
        ("4", 1, "false"),
        ("4", 2, "true"),
        ("ann", 1, "false"),
        ("ann", 2, "true"),
    ]
    # Told afterwards, and of somebody who has answered by name as well: the name goes before.
    other = exported(folder, (3, "5", "true"), (1, "5", "true"), name="other.json")
    gather(folder, [other], rejects=Rejects())
    gather(folder, [later], accounts={"5": "ann", "4": "adjudicator"}, rejects=Rejects())
    assert said(folder) == [
        ("adjudicator", 1, "false"), ("adjudicator", 2, "true"),
        ("ann", 1, "false"), ("ann", 2, "true"), ("ann", 3, "true"),
    ]  # fmt: skip
    assert read_accounts(folder) == {"3": "ann", "4": "adjudicator", "5": "ann"}


def test_what_cannot_be_is_refused_and_nothing_is_taken(folder: Path) -> None:
    export = exported(folder, (1, "3", "true"))
    with pytest.raises(ConfigurationError, match=r"account 7, which .*: no answer is of it .*of 3"):
        gather(folder, [export], accounts={"7": "ann"}, rejects=Rejects())
    assert not (folder / "answers.jsonl").exists()
    for given, told in (
        (["3"], "expected ACCOUNT=NAME"),
        (["=ann"], "expected ACCOUNT=NAME"),
        (["3=ann", "3=bob"], "account 3 is ann and bob"),
    ):
        with pytest.raises(ConfigurationError, match=told):
            named_accounts("--rater", given)
    assert named_accounts("--rater", ["a@b=c = ann", "3=ann"]) == {"a@b=c": "ann", "3": "ann"}
    (folder / "accounts.json").write_text("[1]")
    with pytest.raises(InputError, match=r"accounts\.json: damaged"):
        gather(folder, [export], rejects=Rejects())
    (folder / "accounts.json").write_text('{"3": "\\ud800"}')
    with pytest.raises(
        InputError, match=r"accounts\.json: the name of account 3 holds .*not UTF-8"
    ):
        read_accounts(folder)


def test_an_account_with_a_name_gets_another_by_renaming_the_rater(folder: Path) -> None:
    export = exported(folder, (1, "3", "true"))
    gather(folder, [export], accounts={"3": "an"}, rejects=Rejects())
    with pytest.raises(ConfigurationError, match="account 3 is an already; --rater an=ann changes"):
        gather(folder, [export], accounts={"3": "ann"}, rejects=Rejects())
    gather(folder, [export], accounts={"an": "ann"}, rejects=Rejects())
    assert read_accounts(folder) == {"3": "ann", "an": "ann"}
    assert said(folder) == [("ann", 1, "true")]
