"""Evidence: the knowledge base and the text index of a run, built where they do not stand yet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.collections import read_collection
from indexes.entities import EntityDictionary
from indexes.fb15k237 import write_freebase_ntriples
from indexes.knowledge_base import KnowledgeBase, build_knowledge_base
from indexes.text_index import TextIndex, build_index
from jobs.config import Configuration, IndexSettings, KnowledgeBaseSettings
from jobs.rundir import content_digest, fingerprint


@dataclass(frozen=True)
class Evidence:
    """The evidence that a run judges by.

    Attributes
    ----------
    kb
        The knowledge base.
    index_path, index_manifest
        The text index and what it holds.
    """

    kb: KnowledgeBase
    index_path: Path
    index_manifest: Mapping[str, Any]

    @property
    def kb_digest(self) -> str:
        """Digest of the knowledge base's content."""
        return self.kb.manifest.checksum

    @property
    def index_digest(self) -> str:
        """Digest of the documents in the index."""
        return str(self.index_manifest["checksum"])

    @property
    def kb_figures(self) -> dict[str, Any]:
        """What a result shows of the knowledge base."""
        manifest = self.kb.manifest
        return {
            "name": self.kb.path.name,
            "entities": manifest.entities,
            "relations": manifest.relations,
            "triples": manifest.triples,
        }

    @property
    def index_figures(self) -> dict[str, Any]:
        """What a result shows of the index."""
        manifest = self.index_manifest
        return {
            "name": self.index_path.name,
            "documents": manifest["documents"],
            "tokens": manifest["tokens"],
            "analysis": manifest["analysis"],
        }

    @property
    def kb_rejects(self) -> Mapping[str, int]:
        """Records that the knowledge base's build skipped."""
        return self.kb.manifest.rejects

    @property
    def index_rejects(self) -> Mapping[str, int]:
        """Records that the index's build skipped."""
        rejects: Mapping[str, int] = self.index_manifest["rejects"]
        return rejects

    def dictionary(self, *, proper_only: bool) -> EntityDictionary:
        """Return the entity dictionary over the knowledge base's names."""
        return self.kb.dictionary(proper_only=proper_only)

    @cached_property
    def relation_words(self) -> dict[str, tuple[str, ...]]:
        """Content words of every relation's name, by relation id."""
        return {relation.id: relation.words for relation in self.kb.relations()}


def prepare(configuration: Configuration, *, on_stage: Callable[[str, bool], None]) -> Evidence:
    """Return the evidence of a run; what does not stand yet is built from its sources.

    Raises
    ------
    InputError
        Where something stands at neither place, or what stands is damaged.
    """
    kb, index = configuration.kb, configuration.index
    built_from = _Sources("knowledge base", kb.path, kb.sources, [kb.format, kb.language])
    built_from.make_current(lambda: _build_kb(kb), on_stage)
    collection = () if index.collection is None else (index.collection,)
    built_from = _Sources("text index", index.path, collection, [index.format])
    built_from.make_current(lambda: _build_index(index), on_stage)
    with TextIndex.open(index.path) as opened:
        manifest = asdict(opened.manifest)
    return Evidence(KnowledgeBase.open(kb.path), index.path, manifest)


_UNDER_WAY = "under way"


@dataclass(frozen=True)
class _Sources:
    """What a run builds a piece of evidence from, remembered beside it.

    Evidence that a command built, without this memory, is taken as it is; so is evidence whose
    sources are no longer there.
    """

    name: str
    path: Path
    sources: Sequence[Path]
    settings: Sequence[str]

    def make_current(
        self, build: Callable[[], None], on_stage: Callable[[str, bool], None]
    ) -> None:
        """Build the evidence unless it stands, built from these sources."""
        memory = self.path.with_name(f".{self.path.name}.sources")
        remembered = memory.read_text(encoding="utf-8") if memory.is_file() else None
        present = self.sources and all(source.exists() for source in self.sources)
        wanted = self._fingerprint() if present else remembered
        kept = self.path.exists() and remembered in (None, wanted) and remembered != _UNDER_WAY
        on_stage(self.name, kept)
        if not kept:
            memory.parent.mkdir(parents=True, exist_ok=True)
            memory.write_text(_UNDER_WAY, encoding="utf-8")  # what stands is old until it is done
            build()
            memory.write_text(wanted or "", encoding="utf-8")

    def _fingerprint(self) -> str:
        digests = [content_digest(source) for source in self.sources]
        return fingerprint(digests=digests, settings=list(self.settings))


def _build_kb(settings: KnowledgeBaseSettings) -> None:
    if not settings.sources:
        raise InputError(settings.path, "no knowledge base there, and kb.sources names no dump")
    sources = settings.sources
    settings.path.parent.mkdir(parents=True, exist_ok=True)
    if settings.format == "fb15k237":
        dumps = tuple(settings.path.with_name(f"{folder.name}.nt.gz") for folder in sources)
        for folder, dump in zip(sources, dumps, strict=True):
            write_freebase_ntriples(folder, dump)
        sources = dumps
    build_knowledge_base(sources, settings.path, language=settings.language, rejects=Rejects())


def _build_index(settings: IndexSettings) -> None:
    if settings.collection is None:
        raise InputError(settings.path, "no text index there, and index.collection names no text")
    settings.path.parent.mkdir(parents=True, exist_ok=True)
    build_text_index(settings.collection, format=settings.format, out=settings.path)


def build_text_index(collection: Path, *, format: str, out: Path) -> dict[str, Any]:  # noqa: A002
    """Build a text index over a collection and return its manifest."""
    rejects = Rejects()
    documents = read_collection(collection, format=format, rejects=rejects)
    source = {
        "collection": collection.name,
        "format": format,
        "digest": content_digest(collection),
    }
    return asdict(build_index(documents, out, source=source, rejects=rejects))
