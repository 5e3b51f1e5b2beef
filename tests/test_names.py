"""A public name stands for one thing, whatever module it is met in."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("distval", "evaluator", "indexes", "jobs")


def test_no_two_classes_or_types_have_one_name() -> None:
    places = defaultdict(list)
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                match node:
                    case ast.ClassDef(name=name) | ast.TypeAlias(name=ast.Name(id=name)):
                        if not name.startswith("_"):
                            places[name].append(str(file.relative_to(ROOT)))
    assert len(places) > 200
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
