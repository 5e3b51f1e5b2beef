"""What the tests of asking share."""

import pytest

from jobs.judging.chat_server import KEY


@pytest.fixture(autouse=True)
def _no_proxy_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.delenv(KEY, raising=False)
