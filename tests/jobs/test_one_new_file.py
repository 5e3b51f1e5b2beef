"""A reader, benchmark, annotator or estimator is one new file: no other line, and it is there.

Each test writes such a file into a folder that the package looks into, and uses it by what people
use: a command, or a configuration.
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from evaluator.annotators.evidence import Evidence
from evaluator.errors import ConfigurationError
from evaluator.estimators import methods
from evaluator.estimators.labelled import estimate
from evaluator.estimators.strata import Stratum, StratumClass
from evaluator.intervals import Drawing
from evaluator.readers import formats
from evaluator.tuning.choice import Plan
from jobs.analysis.sensitivity import sensitivity
from jobs.analysis.tuning import try_out
from jobs.config import Configuration
from jobs.evidence.annotator import annotator_figures, fact_scores, settled_annotator
from tests.jobs.analysis.test_tuning import made
from tests.jobs.commands import command, refused, shown, told
from tests.jobs.sample_runs import CONF, of_sample, run

Add = Callable[[str, str], None]


@pytest.fixture
def add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Add:
    """Return what puts a new file, with this text, into a package for the time of the test."""

    def added(package: str, text: str) -> None:
        folder = tmp_path / package
        folder.mkdir()
        (folder / "mine.py").write_text(text)
        found = import_module(package)
        monkeypatch.setattr(found, "__path__", [*found.__path__, str(folder)])
        monkeypatch.delitem(sys.modules, f"{package}.mine", raising=False)

    return added


READER = '''
"""Arrows: "subject -> relation -> object | sentence"."""

from evaluator.model import Extraction
from evaluator.readers import RecordError, mostly, one_per_line

NAME = "arrows"
KIND = "extractions"
DESCRIPTION = "subject -> relation -> object | sentence"
TOLD_BY = "two arrows on a line"
EXAMPLE = "Ada -> wrote -> notes | Ada wrote notes .\\n"


def read(lines, *, system, rejects):
    return one_per_line(lines, _extraction, system=system, rejects=rejects)


def recognises(head):
    return mostly(head, lambda line: line.count(" -> ") == 2)


def _extraction(line, system, number):
    slots, bar, sentence = line.partition(" | ")
    parts = slots.split(" -> ")
    if not bar or len(parts) != 3:
        raise RecordError("not three slots and a sentence")
    return Extraction(system, number, sentence, *parts)
'''


def test_a_reader(add: Add, tmp_path: Path) -> None:
    add("evaluator.readers", READER)
    file, out = tmp_path / "system.txt", tmp_path / "out.jsonl"
    file.write_text("Ada -> wrote -> notes | Ada wrote notes .\nno slots\n")
    done = told("convert", file, "--from", "arrows", "--out", out)
    assert (done["written"], done["rejects"]) == (1, {"not three slots and a sentence": 1})
    record = json.loads(out.read_text())
    assert [record[slot] for slot in ("arg1", "relation", "arg2")] == ["Ada", "wrote", "notes"]
    file.write_text("Ada -> wrote -> notes | Ada wrote notes .\n")
    assert told("convert", file, "--out", out)["format"] == "arrows"  # recognised, too
    line = refused("convert", file, "--from", "none", "--out", out)
    assert "known: allennlp, arrows, benchie" in line


BENCHMARK = '''
"""Same: the three slots are those of a gold tuple, letter by letter."""

from dataclasses import dataclass

import numpy as np

from evaluator.gold import MATCHED, OUTSIDE, UNMATCHED, GoldSentence, Judged, Scored
from evaluator.gold.statistics import Change, Statistics
from evaluator.readers import text_lines

NAME = "same"
DESCRIPTION = "slots letter by letter"
SOURCE = "nobody"
MODES = ("released",)
OPTIONS = {"letters": ("any", "exact")}
CURVE = False
MENDS = {}


@dataclass(frozen=True)
class Tuples:
    sentences: list
    tuples: list
    counts: dict


def read_gold(path, *, mode, options, rejects):
    by_sentence = {}
    for _, line in text_lines(path, rejects=rejects):
        sentence, *slots = line.split("\\t")
        by_sentence.setdefault(sentence, []).append(tuple(slots))
    sentences = [
        GoldSentence(str(number), text, ["; ".join(one) for one in tuples])
        for number, (text, tuples) in enumerate(by_sentence.items(), 1)
    ]
    total = sum(map(len, by_sentence.values()))
    return Tuples(sentences, list(by_sentence.values()), {"tuples": total})


def score(gold, output, *, mode, options):
    change = str if options["letters"] == "exact" else str.lower
    place = {one.text: at for at, one in enumerate(gold.sentences)}
    judged, changes = [], []
    for one in output.extractions:
        at = place.get(one.sentence)
        if at is None:
            judged.append(Judged(one, OUTSIDE))
            continue
        slots = tuple(map(change, (one.arg1, one.relation, one.arg2)))
        right = slots in [tuple(map(change, known)) for known in gold.tuples[at]]
        judged.append(Judged(one, MATCHED if right else UNMATCHED, at))
        changes.append(Change(at, float("-inf"), float(right), 1.0, float(right)))
    total = np.array([len(tuples) for tuples in gold.tuples], float)
    return Scored(Statistics.of(changes, total, curve=False), {}, judged)
'''


def test_a_benchmark_and_its_option(add: Add, tmp_path: Path) -> None:
    add("evaluator.gold", BENCHMARK)
    gold, system = tmp_path / "gold.tsv", tmp_path / "system.tsv"
    gold.write_text("Ada wrote notes .\tAda\twrote\tnotes\nBo ran .\tBo\tran\tfar\n")
    system.write_text("Ada wrote notes .\t1\twrote\tada\tnotes\nBo ran .\t1\tran\tBo\thome\n")
    call = ["gold", "same", "--gold", gold, "--system", f"mine=tabbed:{system}"]
    mine = told(*call)["systems"]["mine"]
    assert (mine["precision"], mine["recall"]) == (0.5, 0.5)  # one of two, one of two
    exact = told(*call, "--option", "letters=exact")
    assert (exact["systems"]["mine"]["precision"], exact["letters"]) == (0, "exact")
    assert "--letters none: expected one of any, exact" in refused(
        *call, "--option", "letters=none"
    )
    assert "--option letters: expected NAME=VALUE" in refused(*call, "--option", "letters")
    assert "ore, same, wire57" in refused("gold", "none", *call[2:])


ANNOTATOR = '''
"""Beside: the share of the documents with e1 in which e1 and e2 stand near each other."""

from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from evaluator.annotators.base import Kind, Part

NAME = "beside"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    NAME: ClassVar[str] = NAME
    threshold: float = 0.5

    def score(self, evidence):
        with np.errstate(invalid="ignore", divide="ignore"):
            share = evidence.beside / evidence.documents1
        return np.where(evidence.defined, share, np.nan)

    def parts(self, evidence):
        return (Part("beside", float(evidence.beside[0])),)

    def describe(self):
        return f"beside-t{self.threshold:g}"

    def as_json(self):
        return asdict(self)

    @classmethod
    def from_json(cls, saved):
        return cls(**saved)


KIND = Kind(annotator=Beside, title="Beside", score="share of documents", context=True)
'''


def test_an_annotator(add: Add, evidence: Path, tmp_path: Path) -> None:
    add("evaluator.annotators", ANNOTATOR)
    chosen = ['annotator="beside"', "parameters.threshold=0.25"]
    configured = of_sample(evidence, tmp_path / "run", *chosen)
    annotator = settled_annotator(configured)
    assert annotator.describe() == "beside-t0.25"
    assert annotator_figures(annotator).parameters == {"threshold": 0.25}
    assert configured.flat()["parameters.threshold"] == 0.25
    # pair, classic, proximity, topic, anchored; documents1, documents2, about, near1, near2, beside
    counts = [[3, 0, 0, 0, 0, 4, 9, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]]
    found = Evidence.of(np.array(counts), documents=10)
    scores = fact_scores(found, annotator, [("a", "r", "b"), ("c", "r", "d")])
    assert scores[0] == 1 / 4  # one document of four
    assert np.isnan(scores[1])  # no document with e1


def test_an_annotator_judges_by_command(add: Add, evidence: Path, tmp_path: Path) -> None:
    add("evaluator.annotators", ANNOTATOR)
    kb = tmp_path / "kb"
    shown("kb", "build", CONF.parent / "sample" / "kb.nt", "--out", kb)
    places = ["--conf", CONF, "--kb", kb, "--index", evidence / "index"]
    chosen = ["--set", 'annotator="beside"', "--set", "parameters.threshold=0.05"]
    done = command("explain", "Marie Curie", "admired", "Warsaw", *places, *chosen, "--json")
    found = json.loads(done.out)
    context = found["text"]["context"]
    assert found["annotator"]["name"] == "beside"
    assert found["annotator"]["score"] == context["beside"] / context["documents1"]
    assert "share of documents" in found["why"]
    refusal = refused("explain", "a", "b", "c", *places, *chosen, "--set", "parameters.slope=2")
    assert "parameters of the annotator beside: " in refusal
    assert "slope" in refusal
    refusal = refused("explain", "a", "b", "c", *places, "--set", 'annotator="none"')
    known = "pmi, anchored, beside, calibrated, distant, external, urns"
    assert f"annotator 'none' is unknown; known: {known}" in refusal


@pytest.mark.slow
def test_the_threshold_of_an_annotator_is_varied(add: Add, evidence: Path, tmp_path: Path) -> None:
    add("evaluator.annotators", ANNOTATOR)
    chosen = ['annotator="beside"', "engine=local", "local.workers=1"]
    low, high = (
        of_sample(evidence, tmp_path / f"run{t}", *chosen, f"parameters.threshold={t}")
        for t in (0.05, 0.5)
    )
    run(low)
    curve = sensitivity(low, values={"t": [0.5]}, only=["t"]).as_json()["curves"]["t"]
    assert (curve["setting"], curve["configured"]) == ("parameters.threshold", 0.05)
    own, other = curve["points"]
    there = run(high)["systems"]
    assert other["systems"]["alpha"]["precision"] == there["alpha"]["precision"]
    assert other["systems"]["alpha"]["regions"] == there["alpha"]["regions"]
    assert own["systems"]["alpha"]["precision"] != there["alpha"]["precision"]


@pytest.mark.slow
def test_an_annotator_is_tried_beside_labels(add: Add, evidence: Path, tmp_path: Path) -> None:
    add("evaluator.annotators", ANNOTATOR)
    sample, kb, conf = CONF.parent / "sample", tmp_path / "kb", tmp_path / "run.toml"
    shown("kb", "build", sample / "kb.nt", "--out", kb)
    conf.write_text(
        f"""
        name = "mine"
        run = "run"
        systems = ["alpha=tabbed:{sample / "alpha.tabbed"}"]
        corpus = {{sentences = "{sample / "sentences.jsonl"}", format = "jsonl"}}
        kb.path = "{kb}"
        index.path = "{evidence / "index"}"
        """
    )
    labels, places = sample / "labels.tsv", ["--conf", conf]
    every = told("tune", labels, *places)["annotators"]
    assert {"beside", "pmi-classic-lower", "anchored", "urns", "calibrated"} <= set(every)
    found = told("tune", labels, *places, "--annotator", "beside", "--write", conf)
    assert (set(found["annotators"]), found["recommended"]) == ({"beside"}, "beside")
    written = Configuration.load(conf)
    threshold = found["annotators"]["beside"]["choice"]["threshold"]
    assert settled_annotator(written).describe() == f"beside-t{threshold:g}"
    assert f"+threshold = {threshold}" in found["written"]["diff"]
    line = refused("tune", labels, *places, "--annotator", "none")
    assert "no annotator is called none: there are pmi-classic" in line
    assert "beside" in line


TRAINED = '''
"""Learnt: 0 for the facts that it learnt from, 1 for all others."""

from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from evaluator.annotators.base import Kind

NAME = "learnt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    NAME: ClassVar[str] = NAME
    seen: tuple
    threshold: float = 0.5

    @classmethod
    def train(cls, evidence, labels, items, *, folds=3, seed=0, threshold=0.5):
        return cls(seen=tuple(items), threshold=threshold)

    def score(self, evidence, items=None):
        return np.array([float(item not in self.seen) for item in items])

    def parts(self, evidence, items=None):
        return ()

    def describe(self):
        return f"learnt-t{self.threshold:g}"

    def as_json(self):
        return asdict(self)

    @classmethod
    def from_json(cls, saved):
        return cls(**saved)


KIND = Kind(annotator=Learnt, title="Learnt", trained=True)
'''


def test_a_trained_annotator_is_tried_on_facts_that_it_has_not_seen(add: Add) -> None:
    add("evaluator.annotators", TRAINED)
    found, label = made()
    plan = Plan(resamples=50, repeats=1, folds=3)
    (trial,) = try_out(found, label, plan=plan, wanted=["learnt"])
    half = np.arange(label.size) % 2 == 0
    assert (trial.candidate.scorer(half) == np.where(half, 0, 1)).all()
    assert trial.candidate.settings == {"annotator": "learnt"}
    of_all = trial.candidate.at(0.25)
    assert of_all.describe() == "learnt-t0.25"
    assert (fact_scores(found.evidence, of_all, found.facts) == 0).all()


def test_settings_of_an_annotator_stand_in_its_section(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"settings of the annotator pmi are in \[pmi\]"):
        of_sample(tmp_path, tmp_path / "run", "parameters.threshold=0.25")
    with pytest.raises(ConfigurationError, match=r"needs calibrated\.model: a file that distval"):
        of_sample(tmp_path, tmp_path / "run", "annotator=calibrated")


ESTIMATOR = '''
"""Half: half of the facts are true, whatever anybody says."""

import numpy as np

from evaluator.estimators.strata import TrueFacts

NAME = "half"
DESCRIPTION = "half of the facts"
ASSUMPTIONS = ("the world is fair",)
FORMULA = "true facts = N/2"
SOURCE = "nobody"


def half(asked):
    facts = sum(one.population for one in asked.strata)
    return TrueFacts(facts / 2, np.full(asked.draws, facts / 2))


ESTIMATOR = half
'''


def test_an_estimator(add: Add, tmp_path: Path) -> None:
    add("evaluator.estimators", ESTIMATOR)
    of = StratumClass(name="accepted", judged=10, truth=np.ones(4))
    strata = [
        Stratum(domain=region, population=size, classes=(of,))
        for region, size in (("a", 60), ("b", 20), ("c", 20), ("d", 100))
    ]
    found = estimate(strata, "half", Drawing(draws=10, seed=1), corpus=True)
    assert found.precision.value == 40 / 80
    assert found.recall is not None
    assert found.recall.value == 40 / 100
    assert methods()["half"].FORMULA == "true facts = N/2"
    chosen = of_sample(tmp_path, tmp_path / "run", 'labels.estimator="half"')
    assert chosen.labels.estimator == "half"
    with pytest.raises(ConfigurationError, match="known: chain-rule, half, labels-only"):
        of_sample(tmp_path, tmp_path / "run", 'labels.estimator="none"')
    world = ["simulate", "counts", "--facts", 80, "--true", 0.5, "--replicates", 2]
    (told_of,) = told(*world, "--estimator", "half", "--processes", 1)["estimators"].values()
    assert told_of["precision"]["covered"] == 2  # half of them are, in both replicates
    assert "half" in refused(*world, "--estimator", "none")


def test_two_files_of_one_name_are_refused(add: Add) -> None:
    add("evaluator.readers", READER.replace("arrows", "tabbed"))
    with pytest.raises(ConfigurationError, match="have one NAME, 'tabbed': rename one of them"):
        formats()["tabbed"]
