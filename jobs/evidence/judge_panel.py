"""What judges from outside said of the facts of a run."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from evaluator.annotators.evidence import Evidence
from evaluator.annotators.judge_panel import JudgePanel
from evaluator.judges.source import JudgeSource
from evaluator.model import Item
from evaluator.wordnet.chosen import ENGLISH, Lexicon
from indexes.kb.knowledge_base import KnowledgeBase
from jobs.evidence.stated import ways_of


def panel_of(
    sources: Iterable[JudgeSource],
    *,
    kb: KnowledgeBase | None,
    key: str,
    lexicon: Lexicon = ENGLISH,
) -> JudgePanel:
    """Return the judges that a configuration names; files may have facts in words or by digest.

    Parameters
    ----------
    sources
        Of the configuration.
    kb, key, lexicon
        As for :func:`~jobs.evidence.stated.stated_in_run`.

    Raises
    ------
    InputError, ConfigurationError
        Where a file cannot be used (:func:`~evaluator.judges.judgements.read_judgements`).
    """
    judgements = {source.name: source.read() for source in sources}
    return JudgePanel.of(judgements, lambda item: ways_of(item, kb=kb, key=key, lexicon=lexicon))


def with_judges(evidence: Evidence, panel: JudgePanel, items: Sequence[Item]) -> Evidence:
    """Return evidence with what judges said of its facts."""
    return replace(evidence, **panel.columns(items)) if panel.names else evidence
