"""FactBench's facts with web pages in small: files of their form, made by hand."""

from pathlib import Path

import pytest

from evaluator.datasets.factbench import MadeFact
from evaluator.datasets.factbench_web import Prompted, read_verdicts, read_web_facts
from evaluator.errors import InputError
from evaluator.model import Rejects

HEADER = "id\te1\tr\te2\tfrom\tto\tlabel\tkind"
ADA = "true_0\tAda\tbirthPlace\tLondon\t1815\t1815\t1\tcorrect"
NOT_ADA = "false_0\tAda\tbirthPlace\tParis\t1815\t1815\t0\twrong_mix_range"


def written(folder: Path, *rows: str, judges: tuple[str, ...] = ()) -> Path:
    (folder / "facts.tsv").write_text("\n".join([HEADER, *rows, ""]))
    (folder / "judges.tsv").write_text(
        "\n".join(["id\tmethod\tmodel\tverdict\tanswer", *judges, ""])
    )
    return folder


def test_facts_are_read_in_words_with_how_they_came_about(tmp_path: Path) -> None:
    film = "true_1\tEd Wood (film)\tstarring\tBill Murray (actor)\t1994\t1994\t1\tcorrect"
    rejects = Rejects()
    facts = read_web_facts(written(tmp_path, film, NOT_ADA, ADA), rejects=rejects)
    assert facts == [
        MadeFact("Ada", "birth place", "London", "correct"),
        MadeFact("Ada", "birth place", "Paris", "range"),
        MadeFact("Ed Wood", "starring", "Bill Murray", "correct"),
    ]
    assert [fact.label.label for fact in facts] == [True, False, True]
    assert not rejects.counts


def test_facts_of_several_years_are_one(tmp_path: Path) -> None:
    again = ADA.replace("true_0", "true_9").replace("1815", "1816")
    wrong = "false_7\tAda\tbirthPlace\tParis\t1\t1\t1\tcorrect"
    rejects = Rejects()
    facts = read_web_facts(written(tmp_path, ADA, again, NOT_ADA, wrong), rejects=rejects)
    assert [fact.label.item for fact in facts] == [("Ada", "birth place", "London")]
    assert rejects.counts == {
        "the same names again": 1,
        "true and made wrong under the same names": 2,
    }


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("wrong_mix_range", "wrong_mix_date", "unknown kind"),
        ("\t0\twrong", "\t1\twrong", "label against its kind"),
        ("\t0\twrong", "\t?\twrong", "label against its kind"),
        ("\tParis\t", "\t(city)\t", "empty element"),
    ],
)
def test_a_row_that_is_no_fact_is_counted(tmp_path: Path, old: str, new: str, reason: str) -> None:
    rejects = Rejects()
    facts = read_web_facts(written(tmp_path, ADA, NOT_ADA.replace(old, new)), rejects=rejects)
    assert len(facts) == 1
    assert rejects.counts == {reason: 1}


def test_without_a_fact_or_a_column_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no fact to use"):
        read_web_facts(written(tmp_path), rejects=Rejects())
    (tmp_path / "facts.tsv").write_text(HEADER.replace("\tkind", "") + "\n")
    with pytest.raises(InputError, match="no column kind"):
        read_web_facts(tmp_path, rejects=Rejects())


def test_verdicts_are_those_of_each_judge_by_fact(tmp_path: Path) -> None:
    later = ADA.replace("true_0", "true_9").replace("1815", "1816")
    judges = (
        "true_0\tRAG\tgemma2:9b\tT\t```T",
        "true_9\tRAG\tgemma2:9b\tF\t",  # the same fact, of another year: the first one stands
        "false_0\tRAG\tgemma2:9b\tF\t",
        "true_0\tDKA\tgemma2:9b\tF\t",
        "false_0\tDKA\tgemma2:9b\t\tI cannot say",
        "gone_0\tDKA\tgemma2:9b\tT\t",
    )
    rejects = Rejects()
    verdicts = read_verdicts(written(tmp_path, ADA, later, NOT_ADA, judges=judges), rejects=rejects)
    true, false = ("Ada", "birth place", "London"), ("Ada", "birth place", "Paris")
    assert verdicts == {
        Prompted("RAG", "gemma2:9b"): {true: True, false: False},
        Prompted("DKA", "gemma2:9b"): {true: False},
    }
    assert rejects.counts == {"no verdict": 1, "unknown fact": 1}
