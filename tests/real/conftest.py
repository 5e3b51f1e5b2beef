"""Tests on public data, run where it is: DISTVAL_DATA, or ../shared/data beside the project."""

from pathlib import Path

import pytest

from jobs.config import Configuration, data_folder
from jobs.evidence.sources import build_kb

OIE2016 = Path(__file__).parents[2] / "conf" / "oie2016.toml"


@pytest.fixture(scope="session")
def data() -> Path:
    folder = data_folder()
    if not folder.is_dir():
        pytest.skip(f"no public data at {folder} (set DISTVAL_DATA to a folder that holds it)")
    return folder


@pytest.fixture(scope="session")
def fb15k237(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The knowledge base of FB15k-237, beside the dump in Freebase's form that it is built from."""
    path = tmp_path_factory.mktemp("fb15k237") / "kb"
    build_kb(Configuration.load(OIE2016, overrides=[f"kb.path={path}"]).kb)
    return path


@pytest.fixture(scope="session")
def dump(fb15k237: Path) -> Path:
    return fb15k237.with_name("fb15k237.nt.gz")
