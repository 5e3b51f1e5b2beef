"""Spark's settings of memory: what Spark or Java would refuse, in many lines, is refused before."""

import re
from collections.abc import Mapping

from evaluator.errors import ConfigurationError

_MEBIBYTE = 1 << 20
_POWERS = {"k": 1, "m": 2, "g": 3, "t": 4}

# Spark wants 450 MiB, and Java does not count all of a heap as its own. A Python worker is bound
# in addresses: with 3 GiB Lucene starts in one.
_LEAST = {
    "spark.driver.memory": 512 * _MEBIBYTE,
    "spark.executor.memory": 512 * _MEBIBYTE,
    "spark.executor.pyspark.memory": 3072 * _MEBIBYTE,
}
_MOST = 64 << 40


def check_settings(settings: Mapping[str, str]) -> None:
    """Check the settings of memory among Spark's.

    Raises
    ------
    ConfigurationError
        Where one is no size, or is less than Spark and its workers can start with.
    """
    for name, least in _LEAST.items():
        if name not in settings:
            continue
        text = settings[name]
        found = re.fullmatch(r"([0-9]{1,15})([kmgt])", text.strip().lower())
        if found is None:
            raise ConfigurationError(f"{name} {text!r}: expected a size such as 2g or 1500m")
        if not least <= int(found[1]) * 1024 ** _POWERS[found[2]] <= _MOST:
            raise ConfigurationError(
                f"{name} {text!r}: expected a size from {least // _MEBIBYTE}m to {_MOST >> 40}t"
            )
