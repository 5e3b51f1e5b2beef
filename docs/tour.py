"""Write the notebook ``tour.ipynb``, with the outputs of its cells: ``python docs/tour.py``.

It makes the demo's run below the current folder. The notebook's cells are here, where they can be
read and reviewed; each begins with a line that says what it is.
"""

import re
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from evaluator.whole_files import write_whole

NOTEBOOK = Path(__file__).with_name("tour.ipynb")

CELLS = r"""
%% markdown
# A tour in a notebook

A run, a comparison and gold scores show themselves. This is the demo: a small corpus that is made,
so that the truth is known.
%% code
import distval

run = distval.run("conf/demo.toml")  # half a minute; stages that stand are kept
run
%% markdown
Each figure is annotator-relative: no people's labels were used. The same as a data frame:
%% code
run.pandas().pivot(index="system", columns="measure", values="value").round(3)
%% markdown
## Charts

The charts of the report, by name. A chart has `.svg()`, `.pdf()` and `.csv()`.
%% code
run.charts
%% code
run.charts["venn-beta"]
%% code
run.charts["confidences"]
%% markdown
## Two systems

Without labels a difference is shown, and the reason why it is no claim.
%% code
run.compare("alpha", "beta")
%% markdown
## Facts

Every judged fact, as an Arrow table; pandas takes it.
%% code
facts = run.facts(["e1", "r", "e2", "systems", "verdict", "score"]).to_pandas()
facts[facts.verdict == "rejected"].sort_values(["score", "e1", "r", "e2"]).head(5)
%% markdown
## Gold benchmarks

Systems from memory or from files, by the rules of a benchmark.
%% code
from pathlib import Path
from tempfile import TemporaryDirectory

with TemporaryDirectory() as folder:
    gold = Path(folder, "gold.tsv")
    gold.write_text("Ada wrote notes .\twrote\tAda\tnotes\nBo sold it .\tsold\tBo\tit\n")
    mine = [("Ada wrote notes .", "Ada", "wrote", "notes", 0.9)]
    scores = distval.score_gold("carb", gold, {"mine": mine})
scores
"""


def cells() -> list[tuple[str, str]]:
    """Return what each cell is, "code" or "markdown", and its text."""
    parts = re.split(r"^%% (\w+)\n", CELLS, flags=re.MULTILINE)[1:]
    return [(kind, text.strip()) for kind, text in zip(parts[::2], parts[1::2], strict=True)]


def notebook() -> nbformat.NotebookNode:
    """Return the notebook without outputs."""
    made = nbformat.v4.new_notebook()
    for number, (kind, text) in enumerate(cells()):
        new = getattr(nbformat.v4, f"new_{kind}_cell")
        made.cells.append(new(text, id=f"cell-{number}"))
    made.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return made


def main() -> None:
    """Run the cells, and write the notebook."""
    made = notebook()
    NotebookClient(made, timeout=600, resources={"metadata": {"path": "."}}).execute()
    for cell in made.cells:
        cell.get("metadata", {}).pop("execution", None)  # when it ran
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop("text/plain", None)
    write_whole(NOTEBOOK, nbformat.writes(made) + "\n")


if __name__ == "__main__":
    main()
