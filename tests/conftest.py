"""What all tests share: property tests are never judged by the speed of the machine."""

import signal

import pytest
from hypothesis import settings

settings.register_profile("distval", deadline=None, derandomize=True)
settings.load_profile("distval")


@pytest.fixture(autouse=True, scope="session")
def _interruptible() -> None:
    """Let Ctrl-C be heard: a shell has it ignored by what it runs in the background.

    So does `make test`, and what the tests start would ignore it too.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
