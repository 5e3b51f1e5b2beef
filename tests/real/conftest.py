"""Tests on public data, run where it is: DISTVAL_DATA, or ../shared/data beside the project."""

from pathlib import Path

import pytest

from jobs.config import data_folder


@pytest.fixture(scope="session")
def data() -> Path:
    folder = data_folder()
    if not folder.is_dir():
        pytest.skip(f"no public data at {folder} (set DISTVAL_DATA to a folder that holds it)")
    return folder
