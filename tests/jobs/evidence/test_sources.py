"""The evidence of a run is built anew where what it is built from has changed."""

from pathlib import Path

import pytest

from evaluator.errors import InputError
from jobs.config import IndexSettings, KnowledgeBaseSettings
from jobs.evidence.sources import prepare
from tests.jobs.commands import shown
from tests.jobs.sample_runs import SAMPLE


def test_a_subset_is_built_anew_for_another_text(tmp_path: Path, evidence: Path):
    text = tmp_path / "text.txt"
    kb = tmp_path / "kb"
    settings = {"path": kb, "sources": (SAMPLE / "kb.nt",)}
    only = KnowledgeBaseSettings(**settings, only_entities_in=text)
    index = IndexSettings(path=evidence / "index")
    kept: list[bool] = []

    def entities(kb: KnowledgeBaseSettings) -> int:
        found = prepare(kb, index, on_stage=lambda name, kept_: kept.append(kept_))
        return found.kb.manifest.entities

    text.write_text("Ada Lovelace died in London.")
    first = entities(only)
    assert entities(only) == first
    text.write_text("Ada Lovelace died in London, Akira Kurosawa in Tokyo.")
    assert entities(only) > first
    assert "text.txt" in shown("kb", "info", kb)
    assert entities(KnowledgeBaseSettings(**settings)) == 268
    # Of each two the first is the knowledge base.
    assert kept[::2] == [False, True, False, False]


def test_a_subset_tells_of_its_text_that_is_not_there(tmp_path: Path):
    only = KnowledgeBaseSettings(
        path=tmp_path / "kb", sources=(SAMPLE / "kb.nt",), only_entities_in=tmp_path / "nothing"
    )
    with pytest.raises(InputError, match="nothing: no such file"):
        prepare(only, IndexSettings(path=tmp_path / "index"), on_stage=lambda *_: None)
