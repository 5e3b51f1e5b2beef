"""The result as a value: what is written is what is read, and what is no result is refused."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from evaluator.errors import InputError
from evaluator.intervals import Estimate
from evaluator.named_objects import ClosedModel
from evaluator.results.result import SCHEMA, Result, schema
from evaluator.results.signature import Signature
from tests.evaluator.report.test_labels import answer, labelled
from tests.evaluator.report.test_page import PARTS, SIGNATURE, estimate, result, without_corpus

SCHEMA_FILE = Path(__file__).parents[3] / "docs/result.schema.json"

names = st.text(max_size=5)
counts = st.integers(0, 2**70)
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**60), 2**60)
by_reason = st.dictionaries(names, counts, max_size=3)
settings = st.dictionaries(
    names, numbers | names | st.booleans() | st.none() | st.lists(names, max_size=2), max_size=4
)
estimates = st.builds(
    Estimate,
    *[st.none() | st.floats(allow_nan=False, allow_infinity=False)] * 3,
    method=names,
    level=st.floats(0, 1),
    n=counts,
)


@st.composite
def results(draw: st.DrawFn) -> Result:
    """Draw a result, with labels or without, with a corpus or without."""
    content = draw(st.sampled_from([result, without_corpus, labelled, with_sentences]))()
    parts = Signature.model_validate(
        content["parts"] | {"corpus": draw(st.none() | inputs), "systems": draw(st.lists(inputs))}
    )
    figures = content["systems"].pop("ReVerb") | {
        "precision": draw(estimates),
        "rejected": draw(estimates),
        "undefined_reasons": draw(by_reason),
        "precision_bounds": draw(st.none() | st.tuples(numbers, numbers)),
        "notes": draw(st.lists(names)),
    }
    within = content["recall_within"]
    if within is not None and draw(st.booleans()):
        within["by_span"] = {"sentence": draw(recall_part), "window": draw(recall_part)}
    return Result.of(
        content
        | {
            "name": draw(names),
            "parts": parts,
            "signature": str(parts),
            "settings": draw(settings),
            "rejects": draw(st.dictionaries(names, by_reason, max_size=2)),
            "systems": {draw(names): figures, **content["systems"]},
            "truth": draw(st.none() | st.dictionaries(names, truths, max_size=2)),
        }
    )


recall_part = st.fixed_dictionaries(
    {
        "candidates": counts,
        "true": estimates,
        "recall": st.dictionaries(names, estimates, max_size=2),
        "why": st.none() | names,
    }
)
inputs = st.fixed_dictionaries({"name": names, "digest": names})
truths = st.fixed_dictionaries(dict.fromkeys(("precision", "recall", "f1"), st.none() | numbers))


def with_sentences() -> dict[str, Any]:
    """Return a result whose labels answer both questions."""
    links = estimate(0.5, 0.25, 0.75)
    return labelled(answer(precision_right_links=links), answer())


OF_WINDOWS = {"by_span", "window"}


def with_windows() -> dict[str, Any]:
    """Return a result whose candidates may stand in two sentences: it has every key there is."""
    content = with_sentences()
    content["parts"] = content["parts"] | {"superset": content["parts"]["superset"] | {"window": 2}}
    content["signature"] = str(Signature.model_validate(content["parts"]))
    part = {"candidates": 5, "true": estimate(2.0, 1.0, 3.0), "why": None}
    part["recall"] = {"ReVerb": estimate(0.5, 0.25, 0.75)}
    content["recall_within"] |= {"by_span": {"sentence": part, "window": part}}
    return content


@given(made=results())
def test_what_is_written_is_what_is_read(made: Result, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("result") / "result.json"
    made.write(path)
    again = Result.read(path)
    assert again == made
    # An integer stays one and a float stays one: as JSON they are different text.
    assert json.dumps(again.as_json()) == json.dumps(made.as_json())
    assert path.read_text(encoding="utf-8") == (
        json.dumps(made.as_json(), indent=1, ensure_ascii=False) + "\n"
    )


@pytest.mark.parametrize("made", [result, without_corpus, labelled, with_sentences])
def test_a_result_has_the_keys_and_values_that_it_was_made_of_in_their_order(
    made: Callable[[], dict[str, Any]],
) -> None:
    """The expected keys are those of ``result.json`` files, written by hand in the tests."""
    content = made()
    content["signature"] = SIGNATURE
    again = Result.of(content).as_json()
    assert again == json.loads(json.dumps(content))
    assert list(again)[:5] == ["schema", "distval", "name", "signature", "parts"]
    assert again["schema"] == SCHEMA == 1


def test_the_signature_is_rendered_from_its_parts() -> None:
    assert str(Signature.model_validate(PARTS)) == SIGNATURE
    other = {
        "corpus": None,
        "systems": [],
        "link": PARTS["link"] | {"unasserted": "exclude", "proper_only": False, "context": True},
        "relation": {"key": "all", "words": "kb+wordnet>=0.3"},
        "superset": {"direction": "both", "words": "near", "gap": 2},
        "pmi": PARTS["pmi"] | {"ordered": True, "names": ["qualifier", "plain"]},
        "labels": {"digest": "f00", "answered": 7, "raters": "majority", "estimator": "ppi"},
    }
    told = str(Signature.model_validate(PARTS | other)).split("|")
    assert set(told) - set(SIGNATURE.split("|")) == {
        "corpus:none",
        "systems:",
        "link:head,linked,negation-exclude,all-names,context,unasserted-exclude",
        "relation:all,kb+wordnet>=0.3",
        "superset:both,near-2",
        "pmi:x=4,reach=32,ordered,denominator-and,names=qualifier+plain",
        "labels:f00,n=7,majority,ppi",
    }


def test_a_window_is_in_the_signature_where_there_is_one() -> None:
    words = {"direction": "text", "words": "sentence", "gap": 3}
    for window, told in ((1, "text,sentence"), (3, "text,sentence,window-3")):
        parts = Signature.model_validate(PARTS | {"superset": words | {"window": window}})
        assert f"|superset:{told}|" in str(parts)
        assert ("window" in parts.as_json()["superset"]) == (window > 1)


def test_a_name_may_hold_what_separates_the_parts_of_the_line() -> None:
    """Two signatures whose lines are alike, and whose fields are not."""
    first, second = (
        Signature.model_validate(PARTS | {"systems": systems})
        for systems in (
            [{"name": "a", "digest": "1"}, {"name": "b", "digest": "2"}],
            [{"name": "a.1+b", "digest": "2"}],
        )
    )
    assert str(first) == str(second)
    assert first != second


def changed(at: str, value: object) -> dict[str, Any]:
    """Return a result with another value at a path."""
    content = result()
    *way, last = at.split(".")
    place: Any = content
    for key in way:
        place = place[key]
    place[last] = value
    return content


DAMAGE = [
    ("[1, 2]", "is no result: give the result.json of a run"),
    ("{", "is no result: not JSON"),
    ("[" * 100_000, "is no result: not JSON"),
    (b"\x89PNG", "is no result: not JSON"),
    ('{"distval": "0.1.0"}', "is no result: give the result.json of a run"),
    (changed("schema", 2), "is a result of schema 2, and this distval reads 1"),
    (changed("schema", "1"), "is a result of schema 1, and this distval reads 1"),
    ({"signature": "x", "systems": {}}, "has no 'schema': was it made by another version?"),
    (changed("corpus", {}), "has no 'name' in corpus: was it made by another version?"),
    (changed("corpus.words", 3), r"damaged \(corpus.words: extra inputs are not permitted\)"),
    (changed("parts.kb", "x"), r"damaged \(parts.kb: "),
    (changed("signature", "x"), r"damaged \(.*its signature is not that of its parts\)"),
    (changed("systems.ReVerb.facts", "130"), r"damaged \(systems.ReVerb.facts: .*integer"),
    (changed("systems.ReVerb.facts", -1), r"damaged \(systems.ReVerb.facts: .*than or equal to 0"),
    (changed("systems.ReVerb.f1.more", 1), r"damaged \(systems.ReVerb.f1.more: extra inputs"),
    (changed("order.more", 1), r"damaged \(order.more: extra inputs"),
]


@pytest.mark.parametrize(("content", "told"), DAMAGE)
def test_what_is_no_result_is_refused_in_one_line(
    content: object, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "result.json"
    text = content if isinstance(content, bytes | str) else json.dumps(content)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=told) as refused:
        Result.read(path)
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith(f"{path}: ")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none.json: cannot read this result: No such file"):
        Result.read(tmp_path / "none.json")


def test_a_result_does_not_change() -> None:
    made = Result.of(result())
    with pytest.raises(ValueError, match="frozen"):
        made.name = "other"  # type: ignore[misc]


# --- its schema ----------------------------------------------------------------------------------


def test_the_schema_in_the_docs_is_that_of_the_model() -> None:
    """To write it anew: ``python -m tests.evaluator.results.test_result``."""
    assert json.loads(SCHEMA_FILE.read_text(encoding="utf-8")) == schema()


def test_the_schema_names_every_key_of_a_result_and_its_number() -> None:
    written = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    assert written["properties"]["schema"]["const"] == 1
    pending: list[tuple[Any, Any]] = [(written, Result.of(deepcopy(with_windows())).as_json())]
    seen = 0
    while pending:
        described, value = pending.pop()
        while "$ref" in described:
            described = written["$defs"][described["$ref"].rpartition("/")[2]]
        for choice in described.get("anyOf", []):
            pending.append((choice, value))
        if isinstance(value, dict) and "properties" in described:
            assert set(described["properties"]) == set(value)
            may_lack = set(value) - set(described["required"])
            assert may_lack <= OF_WINDOWS
            seen += len(value)
            pending += [(described["properties"][key], of) for key, of in value.items()]
        elif isinstance(value, dict) and isinstance(described.get("additionalProperties"), dict):
            pending += [(described["additionalProperties"], of) for of in value.values()]
    assert seen > 150


def test_every_part_refuses_other_keys() -> None:
    def parts(of: type[BaseModel]) -> list[type[BaseModel]]:
        return [of, *(part for kind in of.__subclasses__() for part in parts(kind))]

    assert all(part.model_config["extra"] == "forbid" for part in parts(ClosedModel))


if __name__ == "__main__":
    SCHEMA_FILE.write_text(f"{json.dumps(schema(), indent=1, ensure_ascii=False)}\n", "utf-8")
