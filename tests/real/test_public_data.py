"""The catalogue against the files themselves."""

import json
from pathlib import Path

import pytest

from jobs.data.catalogue import catalogue
from jobs.data.checking import check, content_sum
from jobs.data.fetching import Fetcher, FetchOutcome
from tests.jobs.cli.test_cli import distval
from tests.jobs.data.test_public_data import Server, files_under, server  # noqa: F401


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_every_file_is_what_the_catalogue_says(data: Path, name: str) -> None:
    found = check(catalogue()[name], data)
    assert found.missing == []
    assert found.wrong == {}
    assert found.good == len(catalogue()[name].files)


@pytest.mark.parametrize(
    "name", ["codex", "fb15k237", "fewrel", "freebase_ntriples", "google_re", "factbench"]
)
def test_the_content_of_packed_files_is_what_the_catalogue_says(data: Path, name: str) -> None:
    packed = [file for file in catalogue()[name].files if file.packing]
    assert packed
    for file in packed:
        assert content_sum(data / file.path, file.packing) == file.content


def test_the_command_verifies_all_sets(data: Path) -> None:
    done = distval("data", "verify", "--json")
    assert done.code == 0, done.err
    assert set(json.loads(done.out)) == set(catalogue())
    assert distval("data", "list").code == 0


def test_sets_are_fetched_from_the_data_folder_and_from_a_mirror_on_the_web(
    server: Server,  # noqa: F811
    data: Path,
    tmp_path: Path,
) -> None:
    files = [file for name in ("wire57", "google_re") for file in catalogue()[name].files]
    places = sorted(file.path for file in files)
    first, second = tmp_path / "first", tmp_path / "second"
    done = distval("data", "fetch", "wire57", "google_re", "--to", first, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["counts"] == {"copied": 3}
    assert files_under(first) == places
    server.files = {f"mirror/{place}": (first / place).read_bytes() for place in places}
    server.cuts = [0, 100_000]
    taken = Fetcher(target=second, mirror=f"{server.address}/mirror", pause=0)
    assert [taken.fetch(file) for file in files] == [FetchOutcome.DOWNLOADED] * 3
    assert [taken.fetch(file) for file in files] == [FetchOutcome.THERE] * 3
    assert files_under(second) == places
