"""What the list of facts shows: the state of its address, and the condition that it stands for."""

from collections.abc import Mapping
from typing import NamedTuple, get_args
from urllib.parse import urlencode

from evaluator.errors import ConfigurationError
from evaluator.estimators.tallies import Verdict
from evaluator.labels.label import LINK_WRONG
from evaluator.wordnet.lexicon import wordnet
from jobs.run.facts_table import BY_FACT, DISPUTED, REGIONS, FactsTable

NOT_JUDGED = "not judged"
VERDICTS = (*get_args(Verdict), NOT_JUDGED)
LABELS = ("any", "true", "false", LINK_WRONG, DISPUTED)
# Of the less known of the two: triples of the knowledge base.
_POPULARITY = "least(coalesce(degree1, 0), coalesce(degree2, 0))"
SORTS = {
    "fact": "",
    "highest score": "score DESC NULLS LAST",
    "lowest score": "score NULLS LAST",
    "most similar relation": "similarity DESC NULLS LAST",
    "most sentences": "sentences DESC",
    "most documents of the text": "pair DESC NULLS LAST",
    "best known entities": f"{_POPULARITY} DESC",
    "least known entities": _POPULARITY,
}
PAGE = 25  # facts
_MOST_PAGES = 1_000_000
_LONGEST = 200  # each word of a search is a condition of its own


class FactFilter(NamedTuple):
    """The state of a list of facts: every field is a parameter of its address, empty for any.

    Attributes
    ----------
    q
        Words that stand in the names or the relation, in any form.
    text
        What stands in a sentence that states the fact.
    system, region
        A system and the fact's region for it; without a region, what it states.
    verdict, relation, label
        As in the table of facts; the label "any" is of facts with labels.
    least, most
        The score.
    known, unknown
        Least and most triples of the less known entity.
    sort, page
        One of :data:`SORTS`; from 1.
    """

    q: str = ""
    text: str = ""
    system: str = ""
    region: str = ""
    verdict: str = ""
    relation: str = ""
    least: str = ""
    most: str = ""
    known: str = ""
    unknown: str = ""
    label: str = ""
    sort: str = "fact"
    page: str = "1"

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> "FactFilter":
        """Return the state of an address; parameters that are none of it are passed over."""
        told = {name: parameters.get(name, "").strip() for name in cls._fields}
        return cls(**{name: of for name, of in told.items() if of})

    @property
    def is_bare(self) -> bool:
        """Whether it leaves out no fact."""
        return self._replace(sort="fact", page="1") == FactFilter()

    @property
    def number(self) -> int:
        """The page."""
        return int(_number("page", self.page, whole=True))

    def address(self, **changes: str) -> str:
        """Return the address of this state, or of one that differs in some fields."""
        told = self._replace(**changes)._asdict()
        plain = FactFilter()._asdict()
        query = urlencode({name: of for name, of in told.items() if of != plain[name]})
        return f"/?{query}" if query else "/"

    def check(self, systems: list[str]) -> None:
        """Refuse what is no state.

        Raises
        ------
        ConfigurationError
            Naming the field.
        """
        for name, of, known in (
            ("system", self.system, systems),
            ("region", self.region, REGIONS),
            ("verdict", self.verdict, VERDICTS),
            ("label", self.label, LABELS),
            ("sort", self.sort, SORTS),
        ):
            if of and of not in known:
                raise ConfigurationError(f"{name} “{of}”: expected one of {', '.join(known)}")
        if self.region and not self.system and len(systems) > 1:
            raise ConfigurationError("a region is of a system: choose one")
        for name in ("q", "text"):
            if len(getattr(self, name)) > _LONGEST:
                raise ConfigurationError(f"a search has at most {_LONGEST} characters")
        for name in ("least", "most"):
            _number("score", getattr(self, name) or "0")
        for name in ("known", "unknown"):
            _number("triples", getattr(self, name) or "0", whole=True)
        if not 1 <= self.number <= _MOST_PAGES:
            raise ConfigurationError(f"page {self.page}: expected 1 to {_MOST_PAGES:,}")

    def order(self) -> str:
        """Return what the facts are sorted by."""
        first = SORTS[self.sort]
        return f"{first}, {BY_FACT}" if first else BY_FACT

    def condition(self, table: FactsTable) -> str:
        """Return the condition on ``facts``."""
        text = table.engine.text
        told = ["true"]
        for word in dict.fromkeys(self.q.lower().split()):
            any_form = [f"contains(searched, {text(form)})" for form in _forms(word)]
            told.append(f"({' OR '.join(any_form)})")
        if self.text:
            told.append(table.stated_by(f"contains(lower(text), {text(self.text.lower())})"))
        system = self.system or (table.systems[0] if self.region else "")
        if system and self.region:
            told.append(f"({table.region(system)}) = {text(self.region)}")
        elif system:
            told.append(f"list_contains(systems, {text(system)})")
        if self.verdict == NOT_JUDGED:
            told.append("verdict IS NULL")
        elif self.verdict:
            told.append(f"verdict = {text(self.verdict)}")
        if self.relation:
            told.append(f"r = {text(self.relation)}")
        if self.label:
            told.append(
                "label IS NOT NULL" if self.label == "any" else f"label = {text(self.label)}"
            )
        for of, name, sign in (
            ("score", "least", ">="),
            ("score", "most", "<="),
            (_POPULARITY, "known", ">="),
            (_POPULARITY, "unknown", "<="),
        ):
            if limit := getattr(self, name):
                told.append(f"{of} {sign} {_number(name, limit)!r}")
        return " AND ".join(told)


def _forms(word: str) -> list[str]:
    """Return a word and its lemmas: relations are told by these, "settle" for "settled in"."""
    return list(dict.fromkeys([word, *(lemma for _, lemma in wordnet().lemmas(word))]))


def _number(name: str, given: str, *, whole: bool = False) -> float:
    """Return a number that somebody typed.

    Raises
    ------
    ConfigurationError
        Where it is none.
    """
    try:
        number = int(given) if whole else float(given)
    except ValueError:
        number = float("nan")
    if not abs(number) < 1e300:
        kind = "whole number" if whole else "number"
        raise ConfigurationError(f"{name} “{given}”: expected a {kind}")
    return number
