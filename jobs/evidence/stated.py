"""What a finished run knows of who states a fact, and how: looked up in its judged facts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.annotators.evidence import NOBODY, Evidence, joined, stated_columns
from evaluator.annotators.sentence_evidence import decoded, sentence_evidence
from evaluator.counting.occurrences import Integers
from evaluator.errors import ConfigurationError
from evaluator.model import Fact, Item, Sentence
from evaluator.relations.normal_form import relation_form, relation_key
from evaluator.text import normalise, search_form
from evaluator.wordnet.chosen import ENGLISH, Lexicon
from indexes.identifiers import canonical_id
from indexes.kb.annotation import annotate_sentence
from indexes.kb.knowledge_base import KnowledgeBase
from jobs.config import LinkSettings
from jobs.rundir import STAMP, files_of_table, finished_stage


class StatedFacts(NamedTuple):
    """How the sentences and systems of a run state facts, one row each.

    Attributes
    ----------
    items
        The facts as the run has them; None for a fact that it does not have.
    closest
        As in :class:`~evaluator.annotators.evidence.Evidence`.
    columns
        :data:`~evaluator.annotators.evidence.STATED`, each of shape (facts,); 0 and nobody for a
        fact that the run does not have.
    """

    items: Sequence[Item | None]
    closest: Integers
    columns: Mapping[str, NDArray[Any]]

    def beside(self, counted: Evidence) -> Evidence:
        """Return the evidence of the same facts as counted in the text, with this."""
        told: dict[str, Any] = {**self.columns, "closest": self.closest}
        return replace(counted, **told)


def stated_in_run(
    run: Path,
    facts: Sequence[Item],
    *,
    kb: KnowledgeBase | None,
    key: str,
    lexicon: Lexicon = ENGLISH,
) -> StatedFacts | None:
    """Return how a finished run's sentences and systems state facts; None where none is finished.

    Parameters
    ----------
    run
        The run directory.
    facts
        e1 and e2 by id or in words, r in normal form or in words. Negations are not looked for.
    kb
        Tells the ids of entities that are given by name. The run has an entity by its id or, where
        it was not linked, in its own words: the fact is looked for with both, ids first.
    key
        The relation key of the run. r is looked for as it is first: what is in normal form may have
        another ("found" that of "find").
    lexicon
        What the run knows of the words of relations.

    Raises
    ------
    InputError
        Where the run is damaged, or an older version made it.
    """
    if not (run / "estimate" / STAMP).exists():
        return None
    ways = [
        [way, place, item[1], item[0], item[2]]
        for place, fact in enumerate(facts)
        for way, item in enumerate(ways_of(fact, kb=kb, key=key, lexicon=lexicon))
    ]
    columns = zip(*ways, strict=True) if ways else [()] * len(_WANTED)
    wanted = pa.table([pa.array(list(c), t) for c, t in zip(columns, _WANTED.types, strict=True)],
                      schema=_WANTED)  # fmt: skip
    folder = finished_stage(run / "estimate").path / "judged"
    with duckdb.connect() as connection, files_of_table(folder) as files:
        connection.register("wanted", wanted)
        rows = connection.execute(
            """SELECT w.place, w.e1, w.r, w.e2, j.closest, j.sentences, j.stating_documents,
                j.systems
            FROM read_parquet($1) j JOIN wanted w USING (e1, r, e2) WHERE NOT j.negated
            ORDER BY w.way DESC""",
            [files],
        ).fetchall()
    items: list[Item | None] = [None] * len(facts)
    closest: list[bytes | None] = [None] * len(facts)
    told: dict[str, list[Any]] = {
        "sentences": [0] * len(facts),
        "stating_documents": [0] * len(facts),
        "stated_by": [NOBODY] * len(facts),
    }
    for place, e1, r, e2, how, *numbers, systems in rows:  # the first way comes last, and stays
        items[place], closest[place] = (e1, r, e2), how
        for column, value in zip(told.values(), (*numbers, joined(systems)), strict=True):
            column[place] = value
    return StatedFacts(items, decoded(closest), stated_columns(told, len(facts)))


def stated_by(
    text: str,
    fact: Item,
    *,
    kb: KnowledgeBase,
    link: LinkSettings,
    key: str,
    lexicon: Lexicon = ENGLISH,
) -> tuple[StatedFacts, Sentence]:
    """Return how a sentence of no run states a fact, as if one system took it from there.

    The sentence is annotated as a run would. Parameters as for :func:`stated_in_run`.

    Raises
    ------
    ConfigurationError
        Where it does not mention both entities.
    """
    sentence = annotate_sentence(
        Sentence("", 0, normalise(text)),
        kb.dictionary,
        proper_only=link.proper_only,
        context=link.context,
        scope=link.scope,
        lexicon=lexicon,
    )
    mentioned = {mention.entity for mention in sentence.mentions or ()}
    found = []
    for given in (fact[0], fact[2]):
        entity = next((e for e in _entities(given, kb) if e in mentioned), None)
        if entity is None:
            raise ConfigurationError(
                f"the sentence does not mention {given!r}; it mentions "
                f"{', '.join(sorted(map(kb.label, mentioned))) or 'no entity'}"
            )
        found.append(entity)
    form = relation_form(fact[1], lexicon)
    stated = Fact(found[0], relation_key(form, key=key), found[1], form.negated)
    return stated_here(sentence, [stated]), sentence


def stated_here(sentence: Sentence, facts: Sequence[Fact]) -> StatedFacts:
    """Return how an annotated sentence of no run states facts, as if one system took them there."""
    number = len(facts)
    told = {
        "sentences": [1] * number,
        "stating_documents": [1] * number,
        "stated_by": [_UNNAMED] * number,
    }
    closest = sentence_evidence([(sentence, facts)])
    return StatedFacts([fact[:3] for fact in facts], closest, stated_columns(told, number))


_UNNAMED = "unnamed"  # what no run's systems are called: it has an unknown system's part in it


_WANTED = pa.schema(
    [
        ("way", pa.int64()),
        ("place", pa.int64()),
        ("r", pa.string()),
        ("e1", pa.string()),
        ("e2", pa.string()),
    ]
)


def ways_of(
    item: Item, *, kb: KnowledgeBase | None, key: str, lexicon: Lexicon = ENGLISH
) -> list[Item]:
    """Return what a run can call a fact, the likeliest first; parameters as above.

    Of one that is given by a negated relation nothing: it is not looked for.
    """
    e1, r, e2 = item
    found = product(_relations(r, key, lexicon), _entities(e1, kb), _entities(e2, kb))
    return [(first, relation, second) for relation, first, second in found]


def _relations(r: str, key: str, lexicon: Lexicon) -> list[str]:
    """Return the normal forms that a run can have of a relation."""
    form = relation_form(r, lexicon)
    # A relation without a content word has the key "".
    return [] if form.negated else [*dict.fromkeys((r, relation_key(form, key=key)))]


def _entities(entity: str, kb: KnowledgeBase | None) -> list[str]:
    """Return what a run can call an entity: its id in the database, as written, its words."""
    known = kb.entity(entity) if kb else None
    return _distinct(known, canonical_id(entity), search_form(normalise(entity)))


def _distinct(*forms: str | None) -> list[str]:
    return [*dict.fromkeys(form for form in forms if form)]
