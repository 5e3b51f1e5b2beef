"""The automatic annotator on facts that people have judged too, for several commands."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from evaluator.counting import pmi
from evaluator.errors import ConfigurationError
from jobs.cli.output import errors
from jobs.config import Configuration, Match, Pmi
from jobs.judging import Findings, Item, judge_items

Conf = Annotated[Path | None, typer.Option("--conf", help="Take evidence and settings from a run.")]
KnowledgeBaseFolder = Annotated[Path | None, typer.Option("--kb", help="Knowledge base folder.")]
Index = Annotated[Path | None, typer.Option("--index", help="Text index folder.")]
Distance = Annotated[int | None, typer.Option("--x", min=0, help="NEAR distance in words.")]


def judged_evidence(
    items: Sequence[Item],
    conf: Path | None,
    kb: Path | None,
    index: Path | None,
    x: int | None,
) -> tuple[list[Findings], int]:
    """Return the annotator's evidence for `items` and the NEAR distance it was found with."""
    from indexes.knowledge_base import KnowledgeBase
    from indexes.text_index import TextIndex

    settings = Configuration.load(conf) if conf else None
    kb = kb or (settings and settings.kb.path)
    index = index or (settings and settings.index.path)
    if index is None:
        raise ConfigurationError("name the text index: --conf CONF, or --index DIR")
    pmi_settings = settings.pmi if settings else Pmi()
    distance = pmi_settings.x if x is None else x
    with TextIndex.open(index) as opened, errors.status(f"counting {len(items):,} facts …"):
        evidence = judge_items(
            items,
            kb=KnowledgeBase.open(kb) if kb else None,
            index=opened,
            match=settings.match if settings else Match(),
            x=distance,
            ordered=pmi_settings.ordered,
            denominator=pmi_settings.denominator,
            key=settings.relation.key if settings else "head",
        )
    return evidence, distance


def annotator_judgements(
    items: Sequence[Item], conf: Path | None, kb: Path | None, index: Path | None, x: int | None
) -> dict[Item, bool]:
    """Return the automatic annotator's judgements; facts with an undefined PMI have none."""
    settings = Configuration.load(conf).pmi if conf else Pmi()
    evidence, _ = judged_evidence(items, conf, kb, index, x)
    judged = {}
    for item, found in zip(items, evidence, strict=True):
        score = pmi(found.counts, settings.variant)
        if found.matched:
            judged[item] = True
        elif score is not None:
            judged[item] = score >= settings.threshold
    return judged
