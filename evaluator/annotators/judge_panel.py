"""Several judges side by side: what each said of any fact of a run."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evaluator.annotators.items import digest_of
from evaluator.judges.judgements import Judgements
from evaluator.model import Item

TIED: Final = "yes and no"
"""Why a judge that contradicts itself says nothing."""

NEGATED: Final = "negated"
"""Why an answer is left out whose fact no annotator judges."""


@dataclass(frozen=True, eq=False)
class JudgePanel:
    """What judges said of facts, looked up by the facts' digests.

    A fact that a judge answered several times, for several sentences say, has the mean of its
    answers; where as many say yes as no it has none.

    Attributes
    ----------
    names
        Of the judges.
    keys
        Digests of the facts as numbers, rising; shape (answered facts,).
    values
        From 0 (no) to 1 (yes), shape (answered facts, judges); NaN where a judge said nothing that
        can be read.
    unread
        By judge: how many rows say nothing of a fact, by reason; and how many facts have as many
        yes as no.
    """

    names: tuple[str, ...] = ()
    keys: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    values: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    unread: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        judgements: Mapping[str, Judgements],
        forms: Callable[[Item], Iterable[Item]] = lambda item: [item],
    ) -> "JudgePanel":
        """Return the panel of these judges.

        Parameters
        ----------
        judgements
            What each said, by the name that it shall have.
        forms
            What a run can call a fact that a file has in words, the likeliest first.
        """
        said: list[dict[str, list[float]]] = []
        unread = {}
        for name, of in judgements.items():
            sure: dict[str, list[float]] = defaultdict(list)
            likely: dict[str, list[float]] = defaultdict(list)
            reasons = Counter(of.unreadable) + Counter(of.rejects.counts)
            for row in of.rows:
                if row.value is None:
                    continue
                keys = [row.id] if row.item is None else [digest_of(f) for f in forms(row.item)]
                if not keys:
                    reasons[NEGATED] += 1
                for place, key in enumerate(keys):
                    (likely if place else sure)[str(key)].append(row.value)
            if tied := sum(map(is_tied, sure.values())):
                reasons[TIED] = tied
            said.append({**likely, **sure})
            unread[name] = dict(reasons)
        digests = sorted({key for told in said for key in told if _is_digest(key)})
        values = np.full((len(digests), len(said)), np.nan)
        for place, told in enumerate(said):
            values[:, place] = [_mean(told.get(key, [])) for key in digests]
        numbers = np.array([int(key, 16) for key in digests], np.uint64)
        return cls(tuple(judgements), numbers, values, unread)

    def said_of(self, items: Sequence[Item]) -> NDArray[np.float64]:
        """Return what each judge said of facts, shape (facts, judges); NaN where nothing."""
        if not self.keys.size:
            return np.full((len(items), len(self.names)), np.nan)
        asked = np.array([int(digest_of(item), 16) for item in items], np.uint64)
        place = np.minimum(np.searchsorted(self.keys, asked), self.keys.size - 1)
        found = self.keys[place] == asked
        return np.where(found[:, None], self.values[place], np.nan)

    def columns(self, items: Sequence[Item]) -> dict[str, Any]:
        """Return what :class:`~evaluator.annotators.evidence.Evidence` has of judges."""
        return {"judges": self.names, "judged": self.said_of(items)}


def _is_digest(key: str) -> bool:
    return len(key) == 16 and not set(key) - set("0123456789abcdef")


def is_tied(values: Sequence[float]) -> bool:
    """Tell whether a judge that answered several times says as often no as yes."""
    return len(values) > 1 and sum(values) * 2 == len(values)


def _mean(values: Sequence[float]) -> float:
    return np.nan if not values or is_tied(values) else float(np.mean(values))
