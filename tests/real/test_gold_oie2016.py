"""OIE2016 on the published gold data and systems: the figures of its two released scorers."""

import tarfile
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from evaluator.facts.baselines import Baseline
from evaluator.gold import LEFT_OUT, Output, Scored, oie2016
from evaluator.gold.oie2016.propositions import has_base_predicates
from evaluator.model import Extraction, Rejects, Sentence
from evaluator.readers import SystemSource, read_extractions

EXACT = {"rel": 1e-9, "abs": 1e-9}

ALL = "supervised/all.oie.orig"
TEST = "supervised/test.oie.orig"
NEWSWIRE = "supervised/newswire/propbank.test.oie.orig"
WIKI = "supervised/wiki/wiki1.test.oie.orig"
SNAPSHOT = "oie_corpus/all.oie"
SMALL = "snapshot_oie_corpus"


@pytest.fixture(scope="session")
def folder(data: Path) -> Path:
    if not (data / "gold/oie2016").is_dir():
        pytest.skip("no gold data of OIE2016")
    return data / "gold"


@pytest.fixture(scope="session")
def snapshots(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The gold files of form B, unpacked: without and with pronouns."""
    unpacked = {}
    for name in ("snapshot_oie_corpus", "snapshot_oie_corpus_with_pronouns"):
        unpacked[name] = tmp_path_factory.mktemp(name)
        with tarfile.open(folder / "oie2016" / f"{name}.tar.gz") as archive:
            archive.extractall(unpacked[name], filter="data")
    return unpacked


@pytest.fixture(scope="session")
def score(folder: Path, snapshots: dict[str, Path]):
    """Score a system's file, FORMAT:PATH, on a gold file."""

    @cache
    def output(source: str) -> Output:
        format_name, _, path = source.partition(":")
        read = SystemSource("s", format_name, folder / path)
        return Output("s", format_name, list(read_extractions(read, rejects=Rejects())))

    @cache
    def gold_of(gold: str, mode: str, rules: str):
        parent = folder / "oie2016" if gold.startswith("supervised") else snapshots[SMALL]
        return oie2016.read_gold(
            parent / gold, mode=mode, options={"rules": rules}, rejects=Rejects()
        )

    def run(source: str, gold: str, *, rules="supervised", mode="released") -> Scored:
        read = gold_of(gold, mode, rules)
        return oie2016.score(read, output(source), mode=mode, options={"rules": rules})

    return run


def tabbed(system: str) -> str:
    return f"tabbed:oie2016/{system}_tabbed.txt"


# Figures of supervised-oie at 0e9beb3 on all.oie.orig: AUC, precision, recall, F1, threshold.
SUPERVISED = {
    "clausie": (
        0.3907145221251584, 0.5025368638021246, 0.7409701928696668, 0.5988946100429874,
        1.93616743359e-06,
    ),
    "ollie": (
        0.19399767302379453, 0.46095817893065116, 0.3359699045046783, 0.3886626122858896, 0.082,
    ),
    "openie4": (
        0.4040055653705756, 0.6268271711092004, 0.5475909432342526, 0.5845360824742268,
        0.0526227575752,
    ),
}  # fmt: skip

# Of oie-benchmark at 6d9885e on the snapshot's all.oie.
OF_2019 = {
    "clausie": (
        0.2945865173467667, 0.41355274504167866, 0.6785756396651338, 0.5139081126936644,
        1.9361674335947418e-06,
    ),
    "openie4": (
        0.47042732795971665, 0.6392921960072595, 0.6645442754392171, 0.6516737006417299,
        0.3934323354627163,
    ),
}  # fmt: skip


def of(scored: Scored) -> tuple[float, ...]:
    figures = scored.statistics.figures
    return figures.auc, figures.precision, figures.recall, figures.f1, figures.threshold


@pytest.mark.parametrize("system", SUPERVISED)
def test_figures_of_the_supervised_scorer(score, system):
    assert of(score(tabbed(system), ALL)) == pytest.approx(SUPERVISED[system], **EXACT)


@pytest.mark.parametrize("system", OF_2019)
def test_figures_of_the_scorer_of_2019(score, system):
    assert of(score(tabbed(system), SNAPSHOT, rules="2019")) == pytest.approx(
        OF_2019[system], **EXACT
    )


@pytest.mark.parametrize("system", ["clausie", "openie4"])
def test_a_system_s_own_format_gives_the_figures_of_its_conversion(score, system):
    # Thresholds differ: the released reader of ClausIE maps confidences to (0, 1).
    own = f"{system}:carb/{system}_output.txt"
    assert of(score(own, ALL))[:4] == pytest.approx(SUPERVISED[system][:4], **EXACT)
    own_2019 = of(score(own, SNAPSHOT, rules="2019"))[:4]
    assert own_2019 == pytest.approx(OF_2019[system][:4], **EXACT)


def test_the_authors_area_for_clausie_on_the_test_split(score):
    assert of(score(tabbed("clausie"), TEST))[0] == pytest.approx(0.376335446, abs=5e-10)


@pytest.mark.parametrize(
    ("system", "gold", "total"),
    [("clausie", TEST, 1740), ("stanford", TEST, 2798), ("stanford", ALL, 12703)],
)
def test_silent_sentences_count_squared(score, system, gold, total):
    assert score(tabbed(system), gold).counts["total"] == total
    tuples = {TEST: 1730, ALL: 8479}[gold]
    assert score(tabbed(system), gold, mode="corrected").counts["total"] == tuples


@pytest.mark.parametrize(("gold", "area"), [(TEST, 0.1063), (ALL, 0.0999)])
def test_reverb_with_its_own_sentences(score, gold, area):
    assert round(of(score("reverb:carb/reverb_output.txt", gold))[0], 4) == area


def test_reverb_as_shipped_is_under_other_sentences(score):
    assert of(score(tabbed("reverb"), TEST))[0] < 5e-5


@pytest.mark.parametrize(
    ("gold", "tuples", "sentences"),
    [(ALL, 8479, 2944), (TEST, 1730, 603), (NEWSWIRE, 737, 236), (WIKI, 993, 367)],
)
def test_gold_files_of_form_a(folder, gold, tuples, sentences):
    for rules, mode in product(oie2016.OPTIONS["rules"], oie2016.MODES):
        rejects = Rejects()
        read = oie2016.read_gold(
            folder / "oie2016" / gold, mode=mode, options={"rules": rules}, rejects=rejects
        )
        assert (read.counts["tuples"], read.counts["sentences"]) == (tuples, sentences)
        assert (read.counts["lost_sentences"], rejects.total) == (0, 0)


@pytest.mark.parametrize(
    ("archive", "tuples", "test_tuples"),
    [(SMALL, 8481, 1730), ("snapshot_oie_corpus_with_pronouns", 10359, 2103)],
)
def test_gold_files_of_form_b(snapshots, archive, tuples, test_tuples):
    counts = {}
    for name in ("all", "test"):
        path = snapshots[archive] / "oie_corpus" / f"{name}.oie"
        counts[name] = oie2016.read_gold(
            path, mode="released", options={"rules": "2019"}, rejects=Rejects()
        ).counts["tuples"]
    assert counts == {"all": tuples, "test": test_tuples}


def test_every_gold_file_is_told_to_be_of_its_form(folder, data, snapshots):
    form_a = [*folder.glob("oie2016/supervised/**/*.orig")]
    form_a += data.glob("mesquita2013/processed/*.oie")
    form_b = [path for place in snapshots.values() for path in place.rglob("*.oie")]
    assert (len(form_a) >= 4, len(form_b)) == (True, 20)
    for path in [*form_a, *form_b]:
        rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        assert has_base_predicates(rows) == (path in form_b), path


def test_the_trivial_extractor_beats_every_system_until_corrected(folder, score):
    path = folder / "oie2016" / TEST
    figures = {}
    for mode in oie2016.MODES:
        options = {"rules": "supervised"}
        gold = oie2016.read_gold(path, mode=mode, options=options, rejects=Rejects())
        munchkin = [
            Extraction("s", k, text, one.arg1, one.relation, one.arg2, confidence=1 / k)
            for _, text, _ in gold.sentences
            for k, one in enumerate(
                Baseline.parse("trivial").extractions(Sentence("d", 0, text), system="s"), start=1
            )
        ]
        output = Output("munchkin", "tabbed", munchkin)
        figures[mode] = oie2016.score(gold, output, mode=mode, options=options).statistics.figures
    best = max(score(tabbed(s), TEST).statistics.figures.auc for s in ("clausie", "openie4"))
    assert figures["released"].auc > best
    assert figures["corrected"].auc < 0.01


def test_slots_that_the_released_readers_skip_are_told(score):
    scored = score("clausie:carb/clausie_output.txt", ALL)
    skipped = [one for one in scored.judged if one.outcome == LEFT_OUT]
    assert skipped
    assert all(not one.extraction.arg2 for one in skipped)
