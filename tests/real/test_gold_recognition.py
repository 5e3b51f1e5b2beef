"""Every published gold file is recognised as what it is, or as nothing where it is too short."""

import tarfile
from pathlib import Path

import pytest

from evaluator.gold.recognition import recognised_benchmark
from tests.jobs.commands import refused

CARB = "gold/carb/test.tsv"
FORM_A = "gold/oie2016/supervised/all.oie.orig"
ORE = "mesquita2013/processed/web.oie"
OF = {
    "carb": ["gold/carb/*.tsv", "gold/benchie/carb_explicit.txt"],
    "oie2016": ["gold/oie2016/supervised/**/*.orig"],
    "ore": ["mesquita2013/processed/*.oie", "mesquita2013/processed/*.oie.verb"],
    "benchie": ["gold/benchie/benchie_gold_annotations_*.txt"],
    "wire57": ["gold/wire57/WiRe57_343-manual-oie.json"],
}


@pytest.mark.parametrize("name", OF)
def test_published_gold_files(data: Path, name: str) -> None:
    paths = [path for pattern in OF[name] for path in data.glob(pattern)]
    if not paths:
        pytest.skip(f"no gold data of {name}")
    for path in paths:
        found = recognised_benchmark(path)
        # penn.oie.verb has 11 rows.
        assert (found[0] if found else None) == (None if path.name == "penn.oie.verb" else name)


def test_snapshots_of_oie2016(data: Path, tmp_path: Path) -> None:
    archives = list(data.glob("gold/oie2016/*.tar.gz"))
    if not archives:
        pytest.skip("no gold data of OIE2016")
    for archive in archives:
        with tarfile.open(archive) as unpacked:
            unpacked.extractall(tmp_path / archive.name, filter="data")
    paths = list(tmp_path.rglob("*.oie"))
    assert len(paths) == 20
    assert {(recognised_benchmark(path) or ("",))[0] for path in paths} == {"oie2016"}


@pytest.mark.parametrize(("gold", "own"), [(CARB, "carb"), (FORM_A, "oie2016"), (ORE, "ore")])
@pytest.mark.parametrize("asked", ["carb", "oie2016", "ore"])
def test_the_command_names_the_other_benchmark(data: Path, gold: str, own: str, asked: str) -> None:
    if own == asked:
        return
    if not (data / gold).is_file():
        pytest.skip("no gold data")
    system = data / "gold/carb/clausie_output.txt"
    line = refused("gold", asked, "--gold", data / gold, "--system", f"a=auto:{system}")
    assert f"looks like gold data of {own}, not of {asked}: " in line
    assert line.endswith(f"use distval gold {own}")
