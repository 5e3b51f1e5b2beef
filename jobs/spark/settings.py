"""Settings that Spark, Java or Hadoop would refuse in many lines, refused before they start."""

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


# A scheme and what follows it, or a path; engines take the rest for patterns, or cut there.
_STORAGE = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:/)?/[^\s\[\]{}*?\\#%]*")


def storage_url(text: str) -> str:
    """Return the URL of a folder that workers share, as Hadoop takes it.

    Parameters
    ----------
    text
        A URL, or the absolute path of a folder that all nodes mount.

    Raises
    ------
    ConfigurationError
        Where it is neither.
    """
    if not _STORAGE.fullmatch(text):
        raise ConfigurationError(
            f"storage {text!r}: expected a URL such as hdfs://HOST/FOLDER or s3a://BUCKET/FOLDER, "
            "or the absolute path of a folder that all nodes mount; without space and [ ] { } * ? "
            "\\ # %"
        )
    url = f"file://{text}" if text.startswith("/") else text
    return url if url.endswith("//") else url.rstrip("/")


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
