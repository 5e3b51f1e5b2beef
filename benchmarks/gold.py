"""Gold benchmarks: how long a system takes, and how that grows with the data.

The scorers that the benchmarks released do not run here: one of them may not be used beside this
licence. That ours gives their figures is for ``tests/real`` to show. What runs here is the public
data, as it is and multiplied. Sentences are multiplied by renaming: each copy has a word of its own
before the text and behind the identifier, in the gold data and in the output. Figures must not
change by it, and time should grow in proportion.

    .venv/bin/python benchmarks/gold.py               # 1 and 100 copies, two minutes
    .venv/bin/python benchmarks/gold.py --copies 10

Times are of the process, in seconds; of one copy the least of three runs, each on gold data loaded
anew. "Load" reads the gold data, "read" a system's file; "score" is all that comes then, with the
curve and its area. What a scorer prepares at the first use of a sentence is in its first system's.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isclose, nan
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from evaluator.gold import Output, benchmarks
from evaluator.gold.scoring import without_collecting
from evaluator.gold.statistics import Figures
from evaluator.model import Extraction, Rejects
from evaluator.readers import SystemSource, read_extractions
from jobs.config import data_folder

LEAST_OF = 3


class Case(NamedTuple):
    """A benchmark with its gold data and the output of systems, below the data folder."""

    benchmark: str
    options: Mapping[str, str]
    gold: str
    systems: Sequence[str]


_WIRE57 = (
    "gold/wire57/WiRe57_extractions_by_ollie_clausie_openie_stanford_minie_reverb_props-export.json"
)
_BENCHIE = ("clausie", "minie", "stanford", "roi_t", "m2oie_en", "naive_oie")
_TABBED = ("clausie", "ollie", "openie4", "props", "stanford")
_OIE2016 = [f"{name}=tabbed:gold/oie2016/{name}_tabbed.txt" for name in _TABBED]

CASES = (
    Case(
        "benchie",
        {},
        "gold/benchie/benchie_gold_annotations_en.txt",
        # Six systems are among the public data; four of them once more make ten.
        [f"{name}=benchie:gold/benchie/extractions/{name}_explicit.txt" for name in _BENCHIE]
        + [f"{n}-2=benchie:gold/benchie/extractions/{n}_explicit.txt" for n in _BENCHIE[:4]],
    ),
    Case(
        "carb",
        {},
        "gold/carb/test.tsv",
        [
            "ClausIE=clausie:gold/carb/clausie_output.txt",
            "OpenIE-4=openie4:gold/carb/openie4_output.txt",
            "PropS=props:gold/carb/props_output.txt",
            "ReVerb=reverb:gold/carb/reverb_output.txt",
        ],
    ),
    Case("oie2016", {"rules": "supervised"}, "gold/oie2016/supervised/all.oie.orig", _OIE2016),
    Case("oie2016", {"rules": "2019"}, "gold/oie2016/supervised/all.oie.orig", _OIE2016),
    Case(
        "wire57",
        {},
        "gold/wire57/WiRe57_343-manual-oie.json",
        [f"{name}=wire57:{_WIRE57}" for name in ("clausie", "minie", "stanford", "reverb")],
    ),
)


class Timed(NamedTuple):
    """What one system took and got."""

    sentences: int
    extractions: int
    read: float
    score: float
    figures: Figures


def copied_gold(benchmark: str, text: str, copy: int) -> str:
    """Return gold data whose sentences have another name."""
    if benchmark == "benchie":
        return re.sub(r"^sent_id:(\S+)", rf"sent_id:\1c{copy}", text.strip(), flags=re.M) + "\n\n"
    if benchmark == "wire57":
        documents = json.loads(text)
        renamed = {
            f"{document} c{copy}": [s | {"id": f"{s['id']} c{copy}"} for s in sentences]
            for document, sentences in documents.items()
        }
        return json.dumps(renamed)
    return "".join(f"copy{copy} {line}\n" for line in text.splitlines() if line.strip())


def write_copies(benchmark: str, gold: Path, copies: int, out: Path) -> None:
    """Write gold data with all sentences `copies` times."""
    text = gold.read_text(encoding="utf-8")
    parts = [copied_gold(benchmark, text, copy) for copy in range(copies)]
    if benchmark == "wire57":
        parts = [json.dumps({k: v for part in parts for k, v in json.loads(part).items()})]
    out.write_text("".join(parts), encoding="utf-8")


def copied(extractions: Sequence[Extraction], benchmark: str, copies: int) -> list[Extraction]:
    """Return the extractions, once for each copy of their sentences."""
    separator = {"benchie": "c", "wire57": " c"}.get(benchmark)

    def renamed(of: Extraction, copy: int) -> Extraction:
        if separator is not None:
            return replace(of, sentence_id=f"{of.sentence_id}{separator}{copy}")
        return replace(of, sentence=f"copy{copy} {of.sentence}")

    return [renamed(of, copy) for copy in range(copies) for of in extractions]


def measure(case: Case, copies: int) -> tuple[float, list[tuple[str, Timed]]]:
    """Return the time to load the gold data, and what each system took and got."""
    runs = [_measure_once(case, copies) for _ in range(LEAST_OF if copies == 1 else 1)]
    loads, systems = zip(*runs, strict=True)
    best = [
        (
            same_system[0][0],
            same_system[0][1]._replace(
                read=min(timed.read for _, timed in same_system),
                score=min(timed.score for _, timed in same_system),
            ),
        )
        for same_system in zip(*systems, strict=True)
    ]
    return min(loads), best


def _measure_once(case: Case, copies: int) -> tuple[float, list[tuple[str, Timed]]]:
    benchmark = benchmarks()[case.benchmark]
    options = {name: values[0] for name, values in benchmark.OPTIONS.items()} | dict(case.options)
    setting = {"mode": "released", "options": options}
    data = data_folder()
    with TemporaryDirectory() as folder:
        path = data / case.gold
        if copies > 1:
            path = Path(folder) / "gold"
            write_copies(case.benchmark, data / case.gold, copies, path)
        start = process_time()
        gold = benchmark.read_gold(path, rejects=Rejects(), **setting)
        load = process_time() - start
    found = []
    for source in systems_of(case):
        start = process_time()
        extractions = list(read_extractions(source, rejects=Rejects()))
        read = process_time() - start
        if copies > 1:
            extractions = copied(extractions, case.benchmark, copies)
        output = Output(source.name, source.format, extractions)
        start = process_time()
        figures = benchmark.score(gold, output, **setting).statistics.figures
        score = process_time() - start
        size = len(gold.sentences), len(extractions)
        found.append((source.name, Timed(*size, read, score, figures)))
    return load, found


def systems_of(case: Case) -> Iterator[SystemSource]:
    """Yield where the output of the systems is."""
    for text in case.systems:
        name_and_format, _, path = text.partition(":")
        yield SystemSource.parse(f"{name_and_format}:{data_folder() / path}")


def same(one: Figures, other: Figures) -> bool:
    """Tell whether two systems got the same."""
    return all(
        isclose(a, b, abs_tol=1e-9) or (a != a and b != b)
        for a, b in zip((one.precision, one.recall, one.f1, one.auc),
                        (other.precision, other.recall, other.f1, other.auc), strict=True)
    )  # fmt: skip


def main() -> int:
    """Print the table; the exit code is 1 where copies change a figure."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--copies", type=int, default=100)
    copies = arguments.parse_args().copies
    console, agree = Console(), True
    for case in CASES:
        with without_collecting():  # as evaluator.gold.scoring.evaluate does
            load, once = measure(case, 1)
            load_copies, often = measure(case, copies)
        title = " ".join([case.benchmark, *case.options.values()])
        table = Table(
            title=f"{title}: load {load:.3f} s, {copies} copies {load_copies:.2f} s "
            f"({load_copies / load if load else nan:.0f} times); "
            f"load, read and score {load + sum(t.read + t.score for _, t in once):.3f} s",
            title_justify="left",
        )
        for column in ("system", "extractions", "read", "score", f"score × {copies}", "growth"):
            table.add_column(column, justify="left" if column == "system" else "right")
        for (name, one), (_, many) in zip(once, often, strict=True):
            agree &= same(one.figures, many.figures)
            table.add_row(
                name,
                f"{one.extractions:,}",
                f"{one.read:.3f}",
                f"{one.score:.4f}",
                f"{many.score:.3f}",
                f"{many.score / one.score:.0f}" if one.score else "",
            )
        console.print(table)
    console.print("figures of the copies: " + ("the same" if agree else "DIFFERENT"))
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
