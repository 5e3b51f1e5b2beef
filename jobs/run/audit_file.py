"""``audit.json`` of a run: whether the probabilities of its annotator hold for its facts.

An audit is about the facts that it was drawn from, and about one annotator. So the file names both,
and a run whose inputs, settings or annotator are others is not audited by it.
"""

from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from evaluator.annotators import ANNOTATORS, Annotator
from evaluator.errors import InputError
from evaluator.inputs import read_json
from evaluator.labels.audit import Audit
from evaluator.named_objects import ClosedModel
from evaluator.results.signature import Signature
from jobs.config import Configuration
from jobs.evidence.annotator import settled_annotator
from jobs.rundir import content_digest, fingerprint

AUDIT = "audit.json"

_REMEDY = "delete it, and ask distval label audit again"
_NOT_OF_FACTS = {"distval", "annotator", "estimate", "labels"}


class AuditSubject(ClosedModel):
    """What an audit is about."""

    annotator: str
    """Digest of the annotator, without its threshold where that changes nothing."""
    expected: Mapping[str, float]
    """Share of true facts by verdict, tested instead of the scores; empty for these."""
    population: Mapping[str, str]
    """The parts of the signature that decide which facts are judged, and their evidence."""


class AuditFile(ClosedModel):
    """The content of ``audit.json``."""

    subject: AuditSubject
    folder: str
    """The label folder that has the answers."""
    answers: str
    """Their digest."""
    outcome: Audit


def audit_subject(
    annotator: Annotator, parts: Signature, expected: Mapping[str, float]
) -> AuditSubject:
    """Return what an audit of a run is about, by the annotator and the parts of its signature."""
    told = annotator.as_json()
    if not expected:  # else it decides the verdicts
        told.pop("threshold", None)
    return AuditSubject(
        annotator=fingerprint(kind=annotator.NAME, told=told),
        expected=expected,
        population={name: of for name, of in parts.texts().items() if name not in _NOT_OF_FACTS},
    )


def audit_digest(configuration: Configuration) -> str | None:
    """Return a digest of the audit in a run directory; None where there is none."""
    path = configuration.run / AUDIT
    return content_digest(path) if path.is_file() else None


def audit_of(configuration: Configuration, parts: Signature) -> Audit | None:
    """Return the audit of a run whose signature has these parts; None where there is none.

    Raises
    ------
    InputError
        Where the file is damaged.
    """
    if not ANNOTATORS[configuration.annotator].made_elsewhere:
        return None
    found = read_audit(configuration.run / AUDIT)
    if found is None:
        return None
    annotator = settled_annotator(configuration)
    now = audit_subject(annotator, parts, found.subject.expected)
    return found.outcome if found.subject == now else None


def read_audit(path: Path) -> AuditFile | None:
    """Return the audit in a file; None where there is no such file.

    Raises
    ------
    InputError
        Where it is damaged.
    """
    try:
        return AuditFile.model_validate(read_json(path))
    except (FileNotFoundError, NotADirectoryError):  # a run that is no folder is refused later
        return None
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise InputError(path, f"is no audit ({where}: {first['msg']}): {_REMEDY}") from None
    except ValueError as error:
        raise InputError(path, f"is no audit: not JSON ({error}): {_REMEDY}") from None
