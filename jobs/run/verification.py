"""Verification: a result recomputed from its inputs, and compared figure by figure.

Nothing that a run has kept is trusted: all stages are computed anew, in a folder of their own that
goes again. Knowledge base and index are the exception. They are used as they stand, because their
digests, which the signature names, tell whether they are the ones that the result was made with.
"""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from evaluator.errors import ConfigurationError, InputError
from evaluator.results.result import Result
from evaluator.results.signature import Signature
from jobs.config import Configuration
from jobs.evidence.sources import RunEvidence, prepare
from jobs.run.audit_file import AUDIT
from jobs.run.label_folder import LabelFolder
from jobs.run.result import check_inputs, corpus_digest, short_digests, signature
from jobs.rundir import content_digest

# Told part by part, before all else; the schema is the same in all results that are read.
_SIGNATURE = ("schema", "distval", "signature", "parts")


class ResultDifference(NamedTuple):
    """A part of a signature, or a figure by its path, that is not the same in two results.

    Attributes
    ----------
    name
        ``kb``, or ``systems.alpha.precision.value``.
    there, here
        What the given result and the recomputed one say; None for nothing, like JSON's null.
    absent
        Which of the two lacks it altogether, ``"there"`` or ``"here"``; None where both say
        something.
    """

    name: str
    there: Any
    here: Any
    absent: str | None = None

    def __str__(self) -> str:
        told = {"there": _shown(self.there), "here": _shown(self.here)}
        if self.absent is not None:
            told[self.absent] = "absent"
        return f"{self.name}: {told['there']} there, {told['here']} here"


class Verification(NamedTuple):
    """What came out: the parts of the signature that differ, and the figures that differ."""

    signature: list[ResultDifference]
    figures: list[ResultDifference]
    compared: int

    @property
    def equal(self) -> bool:
        """Whether the result was recomputed to the last digit."""
        return not self.signature and not self.figures

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "equal": self.equal,
            "compared": self.compared,
            "signature": [one._asdict() for one in self.signature],
            "figures": [one._asdict() for one in self.figures],
        }


def verify(
    configuration: Configuration,
    claimed: Result,
    *,
    on_stage: Callable[[str, bool], None] = lambda _name, _kept: None,
    on_differing: Callable[[list[ResultDifference]], None] = lambda _differing: None,
) -> Verification:
    """Recompute a result and compare.

    Parameters
    ----------
    configuration
        How to compute it.
    claimed
        The result (:func:`read_result`).
    on_stage
        Told each stage as it begins.
    on_differing
        Told, before anything is computed, which parts of the signature differ: the inputs and the
        settings give that away. Called only where there are any.
    """
    from jobs.run.pipeline import run  # what computes is needed from here on only

    if claimed.labels is not None and configuration.labels.path is None:
        raise ConfigurationError(
            "this result rests on human labels: give their folder too, with --labels"
        )
    check_inputs(configuration)
    configuration = with_evidence_as_it_stands(configuration)
    found = prepare(configuration.kb, configuration.index, on_stage=on_stage)
    differing = differing_parts(claimed.parts, signature_to_be(configuration, found))
    if differing:
        on_differing(differing)
    with _folder_beside(configuration.run) as folder:
        if (audit := configuration.run / AUDIT).is_file():
            shutil.copy(audit, folder)  # people's answers, as labels are
        there = configuration.model_copy(update={"run": folder})
        recomputed = run(there, on_stage=on_stage, page=False)
    return compare(claimed, recomputed)


def compare(there: Result, here: Result) -> Verification:
    """Compare two results: their signatures part by part, all else by path, to the last digit."""
    parts = differing_parts(there.parts, here.parts)
    values = [
        dict(_leaves({k: part for k, part in result.as_json().items() if k not in _SIGNATURE}))
        for result in (there, here)
    ]
    names = list(dict.fromkeys(name for side in values for name in side))
    return Verification(parts, _differing(*values, names=names), compared=len(names))


def read_result(path: Path) -> Result:
    """Return the result in a file, which this version can recompute.

    Raises
    ------
    InputError
        As :meth:`evaluator.results.result.Result.read`; or where another version made it.
    """
    result = Result.read(path)
    if result.distval != version("distval"):
        raise InputError(
            path,
            f"was made by distval {result.distval}, this is {version('distval')}: "
            "verify it with the version that made it",
        )
    return result


def with_evidence_as_it_stands(configuration: Configuration) -> Configuration:
    """Return the configuration without the sources of what stands, so that none is built anew."""
    kb, index = configuration.kb, configuration.index
    if kb.path.exists():
        kb = kb.model_copy(update={"sources": (), "redirects": (), "identities": ()})
    if index.path.exists():
        index = index.model_copy(update={"collection": None})
    return configuration.model_copy(update={"kb": kb, "index": index})


def signature_to_be(configuration: Configuration, found: RunEvidence) -> Signature:
    """Return the signature that the result of a run will have, from the digests of its inputs."""
    c = configuration
    digests = short_digests(
        None if c.corpus is None else corpus_digest(c.corpus),
        {source.name: content_digest(source.path) for source in c.files},
        c.baselines,
        found,
    )
    labels = None if c.labels.path is None else LabelFolder.open(c.labels.path).identity(c.labels)
    return signature(c, digests, found.kb_figures, found.index_figures, labels)


def differing_parts(there: Signature, here: Signature) -> list[ResultDifference]:
    """Return the parts in which two signatures differ: inputs, evidence, settings, version."""
    texts = there.texts(), here.texts()
    return [
        ResultDifference(name, *(of[name] for of in texts))
        for name, part in there
        if part != getattr(here, name)
    ]


def _differing(
    there: Mapping[str, Any], here: Mapping[str, Any], *, names: list[str]
) -> list[ResultDifference]:
    differing = []
    for name in names:
        if name not in there:
            differing.append(ResultDifference(name, None, here[name], "there"))
        elif name not in here:
            differing.append(ResultDifference(name, there[name], None, "here"))
        elif there[name] != here[name]:
            differing.append(ResultDifference(name, there[name], here[name]))
    return differing


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all that a JSON document says, each with its path; an empty part says that it is."""
    items: Any = ()
    if isinstance(value, Mapping):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    if not items:
        yield path, value
    for key, part in items:
        yield from _leaves(part, f"{path}.{key}" if path else str(key))


@contextmanager
def _folder_beside(run: Path) -> Iterator[Path]:
    """Give a folder next to a run's own, where a cluster sees it too; it goes when it is left."""
    run.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=run.parent, prefix=f".{run.name}.verify-") as folder:
        yield Path(folder)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
