"""The notebook of the documentation: its cells run, and it holds what they showed."""

import ast
import json
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
NOTEBOOK = HOME / "docs" / "tour.ipynb"


def code_cells() -> list[tuple[str, list[dict[str, object]]]]:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return [
        ("".join(cell["source"]), cell["outputs"]) for cell in cells if cell["cell_type"] == "code"
    ]


def test_every_code_cell_was_run_and_shows_something_without_an_error() -> None:
    assert len(code_cells()) > 5
    for source, outputs in code_cells():
        assert [output["output_type"] for output in outputs] == ["execute_result"], source


def test_it_is_small_and_names_no_folder_of_a_machine() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert len(text) < 100_000
    assert "/home/" not in text
    assert "/tmp/" not in text


@pytest.mark.jvm
def test_its_cells_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "conf").symlink_to(HOME / "conf")
    monkeypatch.chdir(tmp_path)
    known: dict[str, object] = {}
    for source, [output] in code_cells():
        *before, last = ast.parse(source).body
        assert isinstance(last, ast.Expr)
        exec(compile(ast.Module(before, []), "cell", "exec"), known)
        shown = eval(compile(ast.Expression(last.value), "cell", "eval"), known)
        # What the notebook holds of it is what it shows now.
        data = output["data"]
        assert isinstance(data, dict)
        kind = "svg" if "image/svg+xml" in data else "html"
        assert getattr(shown, f"_repr_{kind}_")()
