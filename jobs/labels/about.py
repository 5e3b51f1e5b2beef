"""What raters see beside a fact: how systems wrote it, and what its entities are.

It tells no system and no verdict.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb

from evaluator.facts.phrases import is_element
from evaluator.model import Fact
from evaluator.relations.normal_form import relation_form, relation_key
from indexes.identifiers import page_of
from indexes.kb.knowledge_base import KnowledgeBase
from jobs.config import Configuration
from jobs.run.stating import wanted
from jobs.rundir import files_of_table

type Phrase = tuple[str, str, str]
"""An extraction as a system wrote it: first argument, relation, second argument."""

NOT_LINKED = "words of the text, linked to no entity"

_NAMES = 4  # further names that a sheet has


class AskedEntity(NamedTuple):
    """An entity as raters see it.

    Attributes
    ----------
    id, name
        Its identifier and what it is called.
    names
        Further names.
    types
        What the knowledge base says it is.
    link
        A page about it; None where the identifier leads to none.
    """

    id: str
    name: str
    names: Sequence[str]
    types: Sequence[str]
    link: str | None

    @classmethod
    def of(cls, kb: KnowledgeBase, entity: str, name: str) -> "AskedEntity":
        """Return an entity as the knowledge base has it, called `name`."""
        names = [one for one in kb.names(entity) if one not in (name, entity)]
        page = page_of(entity) if entity in kb else None
        return cls(entity, name or entity, names[:_NAMES], kb.types(entity), page)

    @property
    def is_linked(self) -> bool:
        """Whether it is an entity, and not words of the text alone: only a link can be wrong."""
        return not is_element(self.id)

    @property
    def told(self) -> str:
        """What the knowledge base knows of it, in one line."""
        if not self.is_linked:
            return NOT_LINKED
        also = f"also {', '.join(self.names)}" if self.names else ""
        return "; ".join(filter(None, (", ".join(self.types), also)))


def phrases_of(run: Path, c: Configuration, facts: Sequence[Fact]) -> dict[Fact, dict[Phrase, int]]:
    """Return how systems wrote facts, and how often; what is written most comes first.

    Facts that no system extracted from the input, as those of baselines, have none. Where several
    extractions stand on one line, one counts that alone has the fact's relation there.
    """
    if not (c.gives_facts or c.files):
        return {}
    table, slots = ("given", _GIVEN) if c.gives_facts else ("extractions", _EXTRACTED)
    with (
        duckdb.connect() as connection,
        files_of_table(run / "superset" / "linked") as linked,
        files_of_table(run / "read" / table) as read,
    ):
        connection.register("wanted", wanted(facts))
        query = _PHRASES.format(slots=slots)
        rows = connection.execute(query, {"linked": linked, "read": read}).fetchall()
    found: dict[Fact, Counter[Phrase]] = defaultdict(Counter)
    for place, phrases in rows:
        fact = facts[place]
        if len(phrases) > 1:
            phrases = [one for one in phrases if _says(one[1], fact, c)]
        if len(phrases) == 1:
            found[fact][phrases[0]] += 1
    return {
        fact: dict(sorted(of.items(), key=lambda one: (-one[1], one[0])))
        for fact, of in found.items()
    }


def _says(phrase: str, fact: Fact, c: Configuration) -> bool:
    """Tell whether a relation phrase has the relation of a fact."""
    form = relation_form(phrase, c.lexicon)
    return (relation_key(form, key=c.relation.key), form.negated) == (fact.r, fact.negated)


_EXTRACTED = "x.arg1, x.relation, x.arg2"
_GIVEN = "coalesce(nullif(x.name1, ''), x.e1), x.relation, coalesce(nullif(x.name2, ''), x.e2)"
# One row for each fact and line of a system's output, with all extractions that stand there.
_PHRASES = """
with found as (
    select distinct w.place, l.system, l.line
    from read_parquet($linked) l join wanted w using (e1, r, e2, negated)
)
select f.place, list(({slots}))
from found f join read_parquet($read) x on x.system = f.system and x.line = f.line
group by f.place, f.system, f.line order by f.place, f.system, f.line
"""


def beside(
    run: Path, c: Configuration, names: Mapping[Fact, tuple[str, str]]
) -> dict[Fact, dict[str, str]]:
    """Return what a sheet says beside each fact: ``extracted``, ``about1`` and ``about2``.

    Parameters
    ----------
    run
        Directory of the finished run.
    c
        Its settings.
    names
        What the two entities of each fact are called.
    """
    phrases = phrases_of(run, c, [*names])
    kb = KnowledgeBase.open(c.kb.path, known_sound=True)

    def about(entity: str, name: str) -> str:
        of = AskedEntity.of(kb, entity, name)
        return "; ".join(filter(None, (of.told, of.link)))

    return {
        fact: {
            "extracted": " | ".join(" ; ".join(phrase) for phrase in phrases.get(fact, ())),
            "about1": about(fact.e1, first),
            "about2": about(fact.e2, second),
        }
        for fact, (first, second) in names.items()
    }
