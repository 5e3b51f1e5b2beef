"""What a label folder's design says of its facts."""

import json
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.labels.design_file import read_design, read_questions, write_design


def fact(number: int, group: str, name: str, inclusion: float) -> dict[str, object]:
    words = {"e1": f"Q{number}", "r": "bear", "e2": "Q84", "name1": "A", "name2": "B"}
    drawn = {"group": group, "class": name, "inclusion": inclusion, "raters": ["ann"]}
    return {"id": f"{number:016x}", **words, "sentence": "", "document": "", **drawn}


def test_labelled_facts_stand_for_all_facts_of_their_class(tmp_path: Path) -> None:
    # 4 of 100 accepted facts, 2 of 1,000 rejected ones, and all 2 that the database holds.
    facts = [fact(n, "S of A, not in D", "accepted", 0.04) for n in range(4)]
    facts += [fact(n, "S of A, not in D", "rejected", 0.002) for n in (4, 5)]
    facts += [fact(n, "S of A, in D", "matched", 1.0) for n in (6, 7)]
    design = {
        "rounds": 1,
        "stratification": {
            "systems": ["A"], "cuts": {}, "rejected": None, "accepted": None, "pair": None
        },
        "classes": [],
        "facts": facts,
    }  # fmt: skip
    write_design(tmp_path, design)
    items = [(f"Q{n}", "bear", "Q84") for n in range(8)]
    standing = read_design(tmp_path).standing
    everything = standing(items)
    assert [everything[item] for item in items] == pytest.approx([25] * 4 + [500] * 2 + [1] * 2)
    # Two of the accepted facts were skipped: the others stand for all 100. Another was not drawn.
    told = standing([*items[:2], items[4], items[5], ("Q9", "bear", "Q84")])
    assert told == pytest.approx({items[0]: 50, items[1]: 50, items[4]: 500, items[5]: 500})


def test_questions_have_the_spans_that_the_design_has_and_an_older_one_has_none(
    tmp_path: Path,
) -> None:
    facts = [fact(0, "G", "c", 1.0), fact(1, "G", "c", 1.0)]
    facts[1] |= {"sentence": "A of B.", "spans": [[0, 1, "e1"], [5, 6, "e2"]]}
    (tmp_path / "design.json").write_text(json.dumps({"facts": facts}))
    older, newer = read_questions(tmp_path)
    assert older.spans == ()
    assert newer.spans == ((0, 1, "e1"), (5, 6, "e2"))
    facts[1]["spans"] = [["0", 1, "e1"]]
    (tmp_path / "design.json").write_text(json.dumps({"facts": facts}))
    with pytest.raises(InputError, match=r"design\.json: no design of labels \(facts\.1\.spans"):
        read_questions(tmp_path)
