"""The external annotator: what judges from outside say, language models say, of each fact.

It judges nothing by itself. What a judge is worth is for people's labels to tell: an acceptance by
a judge is not precision.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from evaluator.annotators.base import Kind, Part, check_single, check_threshold
from evaluator.annotators.evidence import Evidence, Floats
from evaluator.errors import ConfigurationError
from evaluator.judges.source import JudgeSource

NAME: Final = "external"

MAJORITY: Final = "majority"
MEAN: Final = "mean"
TOGETHER: Final = (MAJORITY, MEAN)
"""The ways in which several judges become one."""


class JudgeOrigin(NamedTuple):
    """Where a judge's answers come from.

    Attributes
    ----------
    name
        The judge's.
    model, prompt
        Who answered, and the digest of what was asked; empty where the file does not tell.
    file
        Digest of the file.
    """

    name: str
    model: str
    prompt: str
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class External:
    """Takes over what judges say.

    Attributes
    ----------
    use
        The judge that counts; or "majority", the share of judges that say yes, undefined where as
        many say no; or "mean", the mean of what they say.
    threshold
        Least score of a fact that is accepted.
    origins
        Of the judges, for the signature.

    Raises
    ------
    ConfigurationError
        For a threshold that is none.
    """

    NAME: ClassVar[str] = NAME

    use: str
    threshold: float = 0.5
    origins: tuple[JudgeOrigin, ...] = ()

    def __post_init__(self) -> None:
        check_threshold(self.threshold)

    def score(self, evidence: Evidence) -> Floats:
        """Return what is said of each fact, NaN where no answer can be read.

        Raises
        ------
        ConfigurationError
            If the evidence has no such judge.
        """
        said = evidence.judged
        if self.use not in TOGETHER:
            return evidence.said_by(self.use)
        if not evidence.judges:
            raise ConfigurationError("no judge is named: external.judges names files of answers")
        answers = (~np.isnan(said)).sum(axis=1)
        with np.errstate(invalid="ignore"):
            if self.use == MEAN:
                return np.asarray(np.nansum(said, axis=1) / answers)
            yes = (said > 0.5).sum(axis=1) + (said == 0.5).sum(axis=1) / 2
            share = yes / answers
        return np.where(share == 0.5, np.nan, share)

    def parts(self, evidence: Evidence) -> tuple[Part, ...]:
        """Return what each judge says of one fact."""
        check_single(evidence)
        told = zip(evidence.judges, evidence.judged[0].tolist(), strict=True)
        return tuple(Part(name, None if np.isnan(said) else said) for name, said in told)

    def describe(self) -> str:
        """Return for example "external-gemma-gemma2:9b.p1f6c2a90.f0b81c2d3-t0.5"."""
        used = [of for of in self.origins if self.use in (of.name, *TOGETHER)]
        told = (
            f"{_plain(of.model) or of.name}.p{of.prompt[:8] or '-'}.f{of.file[:8]}" for of in used
        )
        return f"{NAME}-{self.use}-{'+'.join(told)}-t{self.threshold:g}"

    def as_json(self) -> dict[str, Any]:
        """Return the parameters."""
        return {**asdict(self), "origins": [of._asdict() for of in self.origins]}

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> "External":
        """Return the annotator with the parameters that :meth:`as_json` gave."""
        return cls(**{**saved, "origins": tuple(JudgeOrigin(**of) for of in saved["origins"])})


def _plain(model: str) -> str:
    """Return the name of a model without what separates the parts of a signature."""
    return re.sub(r"[|+\s]", "_", model)


def _made(settings: Mapping[str, Any], _: object) -> External:
    sources: Sequence[JudgeSource] = settings.get("judges", ())
    said = {source.name: source.read() for source in sources}
    return External(
        use=settings["use"],
        threshold=settings["threshold"],
        origins=tuple(JudgeOrigin(name, j.model, j.prompt, j.digest) for name, j in said.items()),
    )


KIND = Kind(
    annotator=External,
    title="External",
    about=(
        "Taken over from judges outside, as their files of answers have it. What a judge accepts "
        "is not what is true: people's labels tell what it is worth."
    ),
    score="probability",
    section="external",
    make=_made,
    judges=True,
    silence="no answer",
)
