"""Bounds of memory as people write them."""

import pytest

from evaluator.errors import ConfigurationError
from indexes.memory import memory_bytes


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1000KB", 1_000_000),
        ("1024KiB", 1_048_576),
        ("500MB", 500_000_000),
        ("500 MiB", 524_288_000),
        ("2GB", 2_000_000_000),
        ("3TiB", 3 * 2**40),
    ],
)
def test_units_are_powers_of_1000_and_with_an_i_of_1024(text: str, size: int) -> None:
    assert memory_bytes(text) == size


@pytest.mark.parametrize(
    "text", ["", "lots", "2", "GB", "0GB", "02GB", "-1GB", "1.5GB", "2gb", "2G", "2 B", "2GB\n"]
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="expected a size such as 2GB"):
        memory_bytes(text)
