"""What all tests share: marks that follow from a test's place and fixtures, profiles of Hypothesis.

Property tests are never judged by the speed of the machine.
"""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("whole", deadline=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("whole"), max_examples=20)
settings.load_profile("whole")  # unless --hypothesis-profile names the other

pytest_plugins = ["tests.sample_fixtures"]

TESTS = Path(__file__).parent

FOLDERS = {
    "browser": ["browser"],
    "real": ["real"],
    "jobs/spark": ["spark", "jvm"],
    "indexes/text": ["jvm"],
}
"""The marks of all tests inside a folder."""

FIXTURES = {
    "data": ["real"],
    "spark": ["spark", "jvm"],
    "evidence": ["jvm"],
    "finished": ["jvm"],
}
"""The marks of a test that uses a fixture, itself or through others."""

OWN_NUMBER = "own_number"
"""The mark of a property test that says itself how many examples it tries."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        place = item.path.relative_to(TESTS)
        marks = {
            mark
            for folder, of_folder in FOLDERS.items()
            if place.is_relative_to(folder)
            for mark in of_folder
        }
        for fixture in getattr(item, "fixturenames", ()):
            marks.update(FIXTURES.get(fixture, ()))
        parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
        if any(isinstance(value, str) and value == "spark" for value in parameters):
            marks.update(FIXTURES["spark"])
        if own_number(item):
            marks.add(OWN_NUMBER)
        for mark in marks:
            item.add_marker(mark)


def own_number(item: pytest.Item) -> bool:
    """Tell whether a test tries as many examples in one profile as in the other."""
    test = getattr(item, "obj", None)
    told = getattr(test, "_hypothesis_internal_use_settings", None)
    return told is not None and told.max_examples != settings.default.max_examples


@pytest.fixture(autouse=True, scope="session")
def _interruptible() -> None:
    """Let Ctrl-C be heard: a shell has it ignored by what it runs in the background.

    So does `make test`, and what the tests start would ignore it too.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
