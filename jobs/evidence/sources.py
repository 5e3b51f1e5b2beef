"""Evidence: the knowledge base and the text index of a run, built where they do not stand yet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from evaluator.errors import DistvalError, InputError
from evaluator.inputs import read_text
from evaluator.results.result import IndexFigures, KnowledgeBaseFigures
from evaluator.results.signature import Input
from evaluator.wordnet.chosen import ENGLISH, Lexicon
from indexes.dumps.fb15k237 import write_freebase_ntriples
from indexes.kb.build import Dump, Options, build_knowledge_base
from indexes.kb.entities import EntityDictionary
from indexes.kb.knowledge_base import KnowledgeBase, Manifest
from indexes.locks import no_new_folder_if_refused
from indexes.text.build import build_collection
from indexes.text.manifest import FORMAT, IndexManifest, read_manifest, read_sound_manifest
from jobs.config import IndexSettings, KnowledgeBaseSettings, MatchSettings
from jobs.rundir import content_digest, fingerprint


@dataclass(frozen=True)
class RunEvidence:
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
    index_manifest: IndexManifest

    @property
    def kb_digest(self) -> str:
        """Digest of the knowledge base's content."""
        return self.kb.manifest.checksum

    @property
    def index_digest(self) -> str:
        """Digest of the documents in the index."""
        return self.index_manifest.checksum

    @property
    def kb_figures(self) -> KnowledgeBaseFigures:
        """What a result shows of the knowledge base."""
        manifest = self.kb.manifest
        return KnowledgeBaseFigures(
            name=self.kb.path.name,
            entities=manifest.entities,
            relations=manifest.relations,
            triples=manifest.triples,
        )

    @property
    def index_figures(self) -> IndexFigures:
        """What a result shows of the index."""
        manifest = self.index_manifest
        return IndexFigures(
            name=self.index_path.name,
            documents=manifest.documents,
            tokens=manifest.tokens,
            analysis=manifest.analysis,
        )

    @property
    def kb_rejects(self) -> Mapping[str, int]:
        """Records that the knowledge base's build skipped."""
        return self.kb.manifest.rejects

    @property
    def index_rejects(self) -> Mapping[str, int]:
        """Records that the index's build skipped."""
        return self.index_manifest.rejects

    @property
    def dictionary(self) -> EntityDictionary:
        """The entity dictionary over the knowledge base's names."""
        return self.kb.dictionary

    def relation_words(
        self, match: MatchSettings, lexicon: Lexicon = ENGLISH
    ) -> dict[str, tuple[str, ...]]:
        """Return the content words that each relation is compared by, by relation id."""
        return {relation.id: match.words(relation, lexicon) for relation in self.kb.relations()}


def prepare(
    kb: KnowledgeBaseSettings, index: IndexSettings, *, on_stage: Callable[[str, bool], None]
) -> RunEvidence:
    """Return the evidence of a run; what does not stand yet is built from its sources.

    Raises
    ------
    InputError
        Where something stands at neither place, or what stands is damaged.
    """
    subset = () if kb.only_entities_in is None else (kb.only_entities_in,)
    parts = (
        _Sources(
            "knowledge base",
            kb.path,
            sources=(*kb.sources, *kb.redirects, *kb.identities, *subset),
            settings=[kb.format, kb.language, kb.mediators, *("subset" for _ in subset)],
            build=lambda: build_kb(kb),
            look=lambda: KnowledgeBase.open(kb.path, known_sound=True),
        ),
        _Sources(
            "text index",
            index.path,
            sources=() if index.collection is None else (index.collection,),
            settings=[FORMAT, index.format, *index.select],
            build=lambda: _build_index(index),
            look=lambda: read_manifest(index.path),
        ),
    )
    # All that stands is looked at before any of it is called kept, or anything is built.
    standing = [part.stands() for part in parts]
    for part, kept in zip(parts, standing, strict=True):
        on_stage(part.name, kept)
        if not kept:
            part.make()
    manifest = read_sound_manifest(index.path)
    opened_kb = KnowledgeBase.open(kb.path)
    if opened_kb.manifest.incomplete and not kb.allow_truncated:
        raise InputError(
            kb.path,
            f"built from cut or damaged dumps ({', '.join(opened_kb.manifest.incomplete)}): fetch "
            "them again, or set kb.allow_truncated = true",
        )
    return RunEvidence(opened_kb, index.path, manifest)


def check_unchanged(path: Path, digest: str, part: Input) -> None:
    """Refuse evidence of another content than a finished run judged by.

    Parameters
    ----------
    path
        The knowledge base or the text index.
    digest
        Its digest as it stands.
    part
        What the run's signature says of it.

    Raises
    ------
    InputError
        Where it is another one.
    """
    if not digest.startswith(part.digest):
        raise InputError(path, f"is not what the run judged by ({part}); run distval run again")


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
    build: Callable[[], object]
    look: Callable[[], object]

    def stands(self) -> bool:
        """Tell whether the evidence stands, built from these sources; `look` at it where it does.

        Raises
        ------
        InputError
            What stands is of another format, or is no such evidence.
            A source that is not there, unless what was built from files of these names stands.
        """
        told = read_text(self._memory) if self._memory.is_file() else None
        remembered, _, names = told.partition("\n") if told is not None else (None, "", "")
        missing = [source for source in self.sources if not source.exists()]
        if missing and self.path.exists() and names not in ("", self._names):
            raise InputError(missing[0], "no such file")
        wanted = self._fingerprint if self.sources and not missing else remembered
        kept = self.path.exists() and remembered in (None, wanted) and remembered != _UNDER_WAY
        if kept:
            self.look()
        return kept

    def make(self) -> None:
        """Build the evidence, and remember from what."""
        memory = self._memory
        with no_new_folder_if_refused(memory.parent):
            memory.parent.mkdir(parents=True, exist_ok=True)
            memory.write_text(_UNDER_WAY, encoding="utf-8")  # what stands is old until it is done
            try:
                self.build()
            except DistvalError:
                if not self.path.exists():  # nothing to remember
                    memory.unlink()
                raise
            memory.write_text(f"{self._fingerprint}\n{self._names}", encoding="utf-8")

    @property
    def _memory(self) -> Path:
        return self.path.with_name(f".{self.path.name}.sources")

    @property
    def _names(self) -> str:
        return "\n".join(source.name for source in self.sources)

    @cached_property
    def _fingerprint(self) -> str:
        digests = [content_digest(source) for source in self.sources]
        return fingerprint(digests=digests, settings=list(self.settings))


def build_kb(settings: KnowledgeBaseSettings) -> Manifest:
    """Build the knowledge base of a run from its sources and return its manifest."""
    if not settings.sources:
        raise InputError(settings.path, "no knowledge base there, and kb.sources names no dump")
    paths, format_ = list(settings.sources), settings.format
    settings.path.parent.mkdir(parents=True, exist_ok=True)
    if format_ == "fb15k237":
        dumps = [settings.path.with_name(f"{folder.name}.nt.gz") for folder in paths]
        for folder, dump in zip(paths, dumps, strict=True):
            write_freebase_ntriples(folder, dump)
        paths, format_ = dumps, "freebase"
    return build_knowledge_base(
        [
            *(Dump(path, format_) for path in paths),
            *(Dump(path, "redirects") for path in settings.redirects),
            *(Dump(path, "identities") for path in settings.identities),
        ],
        settings.path,
        options=Options(
            settings.language,
            settings.mediators,
            settings.memory,
            allow_unread=settings.allow_truncated,
            only_entities_in=settings.only_entities_in,
        ),
    )


def _build_index(settings: IndexSettings) -> None:
    if settings.collection is None:
        raise InputError(settings.path, "no text index there, and index.collection names no text")
    build_collection(
        settings.collection, settings.path, format=settings.format, select=settings.select
    )
