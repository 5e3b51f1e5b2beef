"""The facts of a finished run in words, with their sentences and snippets, as prompts."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import duckdb

from evaluator.annotators.items import digest_of
from evaluator.counting.elements import relation_element
from evaluator.errors import ConfigurationError, InputError
from evaluator.labels.design_file import DESIGN, read_design
from evaluator.model import Fact, Rejects
from evaluator.relations.normal_form import relation_form, relation_key
from evaluator.tables import read_table
from indexes.text.index import TextIndex
from jobs.config import Configuration
from jobs.evidence.entity_names import EntityNames
from jobs.evidence.widening import run_words
from jobs.judging.prompts import SNIPPETS, FactInWords, JudgePrompt, Passage, PromptTemplate
from jobs.labels.fact_places import places_of
from jobs.run.judged_table import JudgedTable
from jobs.run.label_folder import bare_fact, words
from jobs.run.stating import wanted
from jobs.rundir import files_of_table, finished_stage

OPEN, ALL, LABELS = "open", "all", "labels"

NO_SENTENCE = "no sentence"
"""Why a fact is not asked about: the question is of its sentence."""

_AT_A_TIME = 2_000


def fact_id(fact: Fact) -> str:
    """Return the digest by which a run knows the answer to a fact again."""
    return digest_of(words(fact))


class RunPrompts:
    """The prompts about facts of a finished run.

    Parameters
    ----------
    run
        Directory of the run.
    which
        "open": facts of systems that the text judged, for the database leaves them open. "all":
        every fact that the run judged. "labels": those drawn into its label folder. Or the name of
        a table with columns e1, r and e2, as the run has them.
    template
        What is asked.
    rejects
        Receives facts of a table that the run does not have, and, as they are reached, facts
        without a sentence where it is asked about one.

    Attributes
    ----------
    facts
        The facts, in the order of their sampling keys: the first of them are a random sample.

    Raises
    ------
    InputError
        If there is no finished run, or no such table or label folder.
    ConfigurationError
        If there is no such fact.
    """

    def __init__(
        self, run: Path, which: str, template: PromptTemplate, *, rejects: Rejects
    ) -> None:
        self._run, self._template, self._rejects = run, template, rejects
        self._c = Configuration.of_run(run)
        for stage in ("estimate", "superset"):
            finished_stage(run / stage)
        self.facts = _facts(run, self._c, which, rejects)
        if not self.facts:
            raise ConfigurationError(f"{run}: no fact to judge ({which}); see --facts")

    def __call__(self, facts: Sequence[Fact]) -> Iterator[JudgePrompt]:
        """Yield the prompts about some of the facts, in their order."""
        with ExitStack() as stack:
            index = None
            if "snippets" in self._template.places:
                index = stack.enter_context(TextIndex.open(self._c.index.path))
            for start in range(0, len(facts), _AT_A_TIME):
                yield from self._some(facts[start : start + _AT_A_TIME], index)

    def _some(self, facts: Sequence[Fact], index: TextIndex | None) -> Iterator[JudgePrompt]:
        entities = {entity for fact in facts for entity in (fact.e1, fact.e2)}
        names = EntityNames.of_run(self._run, self._c, entities)
        places = places_of(self._run, self._c, facts)
        phrases = _phrases(self._run, self._c, facts)
        further = run_words(self._c, lambda: {fact.r for fact in facts}, names.kb) if index else {}
        pmi = self._c.pmi
        for fact in facts:
            shown = places[fact]
            if self._template.question == "sentence" and not shown.sentence:
                self._rejects.add(NO_SENTENCE, " ".join(words(fact)))
                continue
            passages: list[Passage] = []
            if index is not None:
                elements = (
                    names.element(fact.e1),
                    relation_element(fact.r, further.get(fact.r, ()), lexicon=self._c.lexicon),
                    names.element(fact.e2),
                )
                passages = [
                    Passage(snippet.document, snippet.title, snippet.text)
                    for snippet in index.snippets(
                        *elements, x=pmi.x, reach=pmi.reach, most=SNIPPETS
                    )
                ]
            _, relation, _ = words(fact)
            told = shown.name1, phrases.get(fact, relation), shown.name2
            yield self._template.about(FactInWords(words(fact), told, shown.sentence, passages))


def _facts(run: Path, c: Configuration, which: str, rejects: Rejects) -> list[Fact]:
    """Return the facts that are asked about, in the order of their sampling keys."""
    if which in (OPEN, ALL):
        chosen = _OPEN if which == OPEN else _JUDGED
        with duckdb.connect() as connection, files_of_table(run / "estimate" / "judged") as files:
            rows = connection.execute(chosen, [files]).fetchall()
        return [Fact(*row) for row in rows]
    if which == LABELS:
        folder = c.labels.path or run / "labels"
        if not (folder / DESIGN).is_file():
            raise InputError(folder, "no facts were drawn; use distval label draw, or --facts open")
        asked = [bare_fact(fact.e1, fact.r, fact.e2) for fact in read_design(folder).facts]
    else:
        table = read_table(Path(which), columns=("e1", "r", "e2"), rejects=rejects)
        asked = [bare_fact(row["e1"], row["r"], row["e2"]) for row in table]
    known = JudgedTable(run).look_up(asked)
    for fact in asked:
        if fact not in known:
            rejects.add("not a fact of the run", " ".join(words(fact)))
    return sorted(known, key=lambda fact: (known[fact].key, fact))


def _phrases(run: Path, c: Configuration, facts: Sequence[Fact]) -> dict[Fact, str]:
    """Return the words that systems most often have for the relation of each fact.

    Several extractions may stand on one line: only words of the fact's relation count.
    """
    table = "given" if c.gives_facts else "extractions"
    with (
        duckdb.connect() as connection,
        files_of_table(run / "superset" / "linked") as linked,
        files_of_table(run / "read" / table) as read,
    ):
        connection.register("wanted", wanted(facts))
        rows = connection.execute(_PHRASES, {"linked": linked, "read": read}).fetchall()
    counts: dict[Fact, Counter[str]] = defaultdict(Counter)
    for place, phrase, number in rows:
        fact, form = facts[place], relation_form(phrase, c.lexicon)
        if (relation_key(form, key=c.relation.key), form.negated) == (fact.r, fact.negated):
            counts[fact][phrase] += number
    return {fact: min(said, key=lambda one: (-said[one], one)) for fact, said in counts.items()}


_JUDGED = """
select e1, r, e2, negated from read_parquet($1)
where verdict is not null and verdict <> 'no relation word'
order by sample_key, e1, r, e2, negated
"""
_OPEN = """
select e1, r, e2, negated from read_parquet($1)
where verdict in ('accepted', 'rejected', 'no pair', 'no answer') and len(systems) > 0
order by sample_key, e1, r, e2, negated
"""
_PHRASES = """
select w.place, x.relation, count(*)
from read_parquet($linked) l join wanted w using (e1, r, e2, negated)
join read_parquet($read) x on x.system = l.system and x.line = l.line
group by w.place, x.relation
"""
