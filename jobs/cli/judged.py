"""The automatic annotator on facts that people have judged too, for several commands."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evaluator.errors import ConfigurationError
from evaluator.model import Item
from evaluator.wordnet.chosen import ENGLISH
from jobs.bounds import WORDS
from jobs.cli.checks import within
from jobs.cli.files import READS, READS_ALL_OF
from jobs.cli.output import errors
from jobs.config import Configuration, MatchSettings, PmiSettings, RelationSettings

if TYPE_CHECKING:
    from jobs.evidence.labelled_evidence import LabelledEvidence

Conf = Annotated[
    Path | None, typer.Option("--conf", help="Take evidence and settings from a run."), READS_ALL_OF
]
KnowledgeBaseFolder = Annotated[
    Path | None, typer.Option("--kb", help="Knowledge base folder."), READS
]
Index = Annotated[Path | None, typer.Option("--index", help="Text index folder."), READS]
Distance = Annotated[int | None, within(WORDS, "--x", help="NEAR distance in words.")]


def places(
    conf: Path | None,
    kb: Path | None,
    index: Path | None,
    *,
    x: int | None = None,
    reach: int | None = None,
) -> tuple[Configuration | None, Path | None, Path, PmiSettings]:
    """Return the run, knowledge base and text index that options name, and how to count.

    Raises
    ------
    ConfigurationError
        Where there is no text index.
    """
    settings = Configuration.load(conf) if conf else None
    if settings:
        kb, index = kb or settings.kb.path, index or settings.index.path
    if index is None:
        raise ConfigurationError("name the text index: --conf CONF, or --index DIR")
    pmi = settings.pmi if settings else PmiSettings()
    given = {name: value for name, value in (("x", x), ("reach", reach)) if value is not None}
    return settings, kb, index, pmi.model_copy(update=given)


def labelled_evidence(
    items: Iterable[Item],
    run: Configuration | None,
    kb: Path | None,
    index: Path,
    pmi: PmiSettings,
) -> "LabelledEvidence":
    """Return the evidence for facts, with the settings of a run or the defaults."""
    from indexes.kb.knowledge_base import KnowledgeBase
    from indexes.text.index import TextIndex
    from jobs.evidence.labelled_evidence import gather

    asked = list(items)
    with TextIndex.open(index) as opened, errors.status(f"counting {len(asked):,} facts …"):
        found = gather(
            asked,
            kb=KnowledgeBase.open(kb) if kb else None,
            index=opened,
            match=run.match if run else MatchSettings(),
            pmi=pmi,
            relation=run.relation if run else RelationSettings(),
            lexicon=run.lexicon if run else ENGLISH,
            run=run.run if run else None,
            judges=run.external.judges if run else (),
        )
    if run is not None and found.of_run is None:
        errors.print(
            f"{run.run}: no finished run; what sentences and systems say of these facts is not "
            "known (distval run first)",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    return found


def annotator_judgements(
    items: Sequence[Item], conf: Path | None, kb: Path | None, index: Path | None, x: int | None
) -> dict[tuple[str, ...], bool]:
    """Return the automatic annotator's judgements, by D or else by the text.

    Facts with an undefined score have none. The annotator is that of the run; PMI without one.
    """
    import numpy as np

    from evaluator.annotators import Pmi
    from evaluator.annotators.verdicts import verdicts
    from jobs.evidence.annotator import fact_scores, fitted_annotator, make_annotator

    run, kb, index, pmi = places(conf, kb, index, x=x)
    found = labelled_evidence(items, run, kb, index, pmi)
    annotator = (
        fitted_annotator(run) or make_annotator(run, found.population())
        if run
        else Pmi(threshold=pmi.threshold)
    )
    scores = fact_scores(found.evidence, annotator, found.facts)
    told = verdicts(
        scores,
        threshold=annotator.threshold,
        matched=found.matched,
        judged=np.ones(len(scores), bool),
        negated=np.zeros(len(scores), bool),  # it has no score
        relation=found.relation,
    )
    return {
        item: verdict != "rejected"
        for item, verdict in zip(found.items, told, strict=True)
        if verdict in ("matched", "accepted", "rejected")
    }
