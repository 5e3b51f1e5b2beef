"""What is added by adding a file: readers, benchmarks, annotators, estimators.

A module of a package is of its kind if it has the attribute that the package asks for; beside it
stands a ``NAME``, unless the attribute is the ``NAME``. No list anywhere names the modules.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from evaluator.errors import ConfigurationError


class Found[Kind](Mapping[str, Kind]):
    """What the modules of a package offer, by their NAMEs: the default first, then alphabetical.

    Modules are looked for at the first use, and again when the package's path has changed. Those
    whose file names begin with ``_`` are what several share.

    Parameters
    ----------
    package
        Name of the package.
    attribute
        What a module must have.
    whole
        Whether the module itself is what it offers; else the attribute is.
    default
        The NAME that comes first.
    """

    def __init__(
        self, package: str, attribute: str, *, whole: bool = False, default: str | None = None
    ) -> None:
        self._package, self._attribute = package, attribute
        self._whole, self._default = whole, default

    def __getitem__(self, name: str) -> Kind:
        module = self._modules()[name]
        offered: Any = module if self._whole else getattr(module, self._attribute)
        found: Kind = offered
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._modules(), key=lambda name: (name != self._default, name)))

    def __len__(self) -> int:
        return len(self._modules())

    def _modules(self) -> Mapping[str, ModuleType]:
        path = tuple(import_module(self._package).__path__)
        return _modules(self._package, self._attribute, path)


@cache
def _modules(package: str, attribute: str, path: tuple[str, ...]) -> Mapping[str, ModuleType]:
    found: dict[str, ModuleType] = {}
    for place in pkgutil.iter_modules(path):
        if place.name.startswith("_"):
            continue
        module = import_module(f"{package}.{place.name}")
        if not hasattr(module, attribute):
            continue
        other = found.setdefault(module.NAME, module)
        if other is not module:
            raise ConfigurationError(
                f"{other.__name__} and {module.__name__} have one NAME, {module.NAME!r}: "
                "rename one of them"
            )
    return found
