"""The configuration that a first run starts from, with the files that it needs beside it."""

import os
import shutil
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import tomlkit

from evaluator.corpus.alignment import SentenceAligner, read_list
from evaluator.corpus.sentences import sentence_key
from evaluator.errors import ConfigurationError, DistvalError, InputError
from evaluator.model import Extraction, Rejects
from evaluator.printable import without_controls
from evaluator.readers import read_extractions, write_extractions
from evaluator.whole_files import whole_file, write_whole
from jobs.config import Configuration, data_folder
from jobs.starting.recognition import Taken, quotes

_DATA = "${DISTVAL_DATA}"
_KB = ("fb15k237", "fb15k237", "a slice of Freebase: 14,541 entities")
_TEXT = ("wikipedia2015", "wikipedia2015/enwiki2015_AA_AC.tar.xz", "308 MB of English Wikipedia")


class Started(NamedTuple):
    """A configuration that was written.

    Attributes
    ----------
    configuration
        Its file.
    written
        Files that were written beside it, each with what it holds.
    fetch
        Public data sets that it names and that are not here yet.
    rejects
        What was skipped of the files that others were written from.
    """

    configuration: Path
    written: list[tuple[Path, str]]
    fetch: list[str]
    rejects: Rejects


def start(taken: Sequence[Taken], out: Path) -> Started:
    """Write a configuration for what files were taken for.

    Systems whose extractions do not quote their sentences are aligned with the corpus, and written
    as JSON Lines into a new folder beside the configuration. Where there is no corpus, the
    sentences that the systems quote are written there. What stands in for a knowledge base and a
    text collection is public data (``distval data``).

    Raises
    ------
    ConfigurationError
        If there is no system, something is there twice, or `out` exists.
    InputError
        If a file cannot be read, or extractions name no sentence.
    """
    try:
        without_controls(str(out))
    except ValueError as error:
        raise ConfigurationError(f"--out {error}") from None
    if not out.absolute().parent.is_dir():
        raise InputError(out.absolute().parent, "no such folder: make it, or name another --out")
    for place in (out, _beside(out)):
        if os.path.lexists(place):
            raise ConfigurationError(f"{place} is there already: name another file with --out")
    systems = [one for one in taken if one.role == "system"]
    if not systems:
        raise ConfigurationError("none of the files is the output of a system; name one (--system)")
    corpora = [one for one in taken if one.role == "sentences"]
    bases = [one for one in taken if one.role in ("dump", "knowledge base")]
    texts = [one for one in taken if one.role in ("text", "index")]
    for what, several in (("sentences", corpora), ("text", texts)):
        if len(several) > 1:
            raise ConfigurationError(
                f"{' and '.join(str(one.path) for one in several)} are both taken for {what}: "
                f"leave one out, or say what it is (--sentences, --text, --kb, --system)"
            )
    made = _Made(out)
    try:
        fetch = _write(out, systems, corpora, bases, texts, made)
        Configuration.load(out)
    except DistvalError:
        out.unlink(missing_ok=True)
        shutil.rmtree(_beside(out), ignore_errors=True)  # neither was there before
        raise
    return Started(out, made.written, fetch, made.rejects)


def _write(
    out: Path,
    systems: Sequence[Taken],
    corpora: Sequence[Taken],
    bases: Sequence[Taken],
    texts: Sequence[Taken],
    made: "_Made",
) -> list[str]:
    """Write the configuration and what it needs; return the data sets that are not here."""
    facts = systems[0].source.kind == "facts"
    corpus = None if facts else made.corpus(corpora[0] if corpora else None, systems)
    sources = systems if facts else [made.aligned(one, corpora) for one in systems]
    fetch: list[str] = []
    content = [
        *_head(out, sources, made),
        *([] if corpus is None else _corpus(corpus, made)),
        *_knowledge_base(bases, made, fetch),
        *_text(texts, made, fetch),
        *_choices(sliced=not bases),
    ]
    write_whole(out, "\n".join(content))
    return fetch


class _Made:
    """What is written beside a configuration, and how it names files."""

    def __init__(self, out: Path) -> None:
        self.out, self.written, self.rejects = out, list[tuple[Path, str]](), Rejects()
        self._folder = out.absolute().parent

    def named(self, path: Path, *, after: str = "") -> str:
        """Return a path as the configuration says it: relative where that is short, in quotes.

        `after` is what stands before it, inside the quotes.
        """
        place = path.absolute()
        if place.is_relative_to(data_folder()):
            return self.quoted(f"{after}{_DATA}/{place.relative_to(data_folder())}")
        near = os.path.relpath(place, self._folder)
        return self.quoted(after + (str(place) if near.startswith("../../..") else near))

    @staticmethod
    def quoted(text: str) -> str:
        """Return a text as TOML has it."""
        return tomlkit.item(text).as_string()

    def corpus(self, given: Taken | None, systems: Sequence[Taken]) -> Taken:
        """Return the corpus as a run reads it: the file, its bare sentences, or those quoted."""
        if given is not None and given.format != "numbered":
            return given
        out = self._new_file("sentences.txt")
        if given is not None:
            texts = (one.text for one in read_list(given.path, rejects=self.rejects))
            what = "the sentences without their ids"
        else:
            texts = (one.sentence for one in chain.from_iterable(map(self._read, systems)))
            what = "the sentences that the systems quote"
        seen: set[str] = set()
        with whole_file(out) as file:
            for text in texts:
                key = sentence_key(text)
                if key and key not in seen:
                    seen.add(key)
                    file.write(f"{' '.join(text.split())}\n")
        if not seen:
            raise InputError(
                systems[0].path,
                "quotes no sentence: give the corpus too (--sentences FILE), or say which key has "
                "the sentence (--system NAME=FORMAT(sentence=KEY,...):PATH)",
            )
        self.written.append((out, f"{what}, {len(seen):,}"))
        return Taken(out, "sentences", "lines", "quoted" if given is None else given.why)

    def aligned(self, system: Taken, corpora: Sequence[Taken]) -> Taken:
        """Return a system whose extractions quote their sentences."""
        quoting, read = quotes(system)
        if quoting or not corpora:
            return system
        aligner = SentenceAligner(read_list(corpora[0].path, rejects=Rejects()))
        out = self._new_file(f"{system.name}.jsonl")

        def found() -> Iterator[Extraction]:
            for extraction in self._read(system):
                aligned = aligner.align(extraction).extraction
                if aligned.sentence:
                    yield aligned

        if not write_extractions(found(), out, format="jsonl", source=system.path):
            raise InputError(
                system.path,
                f"its first {read:,} extractions name no sentence of {corpora[0].path}; if a key of"
                " its own has the sentence, say which: --system NAME=FORMAT(sentence=KEY,...):PATH",
            )
        report = aligner.report()
        self.written.append((out, f"{system.name} with its sentences, {report.aligned:,} of "
                                  f"{report.extractions:,} extractions"))  # fmt: skip
        return system._replace(path=out, format="jsonl", keys=())

    def _new_file(self, name: str) -> Path:
        """Return a file in the folder beside the configuration, which is there for such alone."""
        folder = _beside(self.out)
        folder.mkdir(exist_ok=True)
        return folder / name

    def _read(self, system: Taken) -> Iterator[Extraction]:
        return read_extractions(system.source, rejects=self.rejects)


def _beside(out: Path) -> Path:
    """Return the folder for what is written beside a configuration."""
    return out.with_name(f"{out.stem}-files")


def _head(out: Path, systems: Sequence[Taken], made: _Made) -> Iterator[str]:
    name = out.stem
    yield f"# distval run {out}    evaluates; the report is then in {out.parent / 'runs' / name}"
    yield f"name = {made.quoted(name)}"
    yield f"run = {made.quoted(f'runs/{name}')}"
    yield '# What judges by the text. "distant" learns from what the base decides; it was closer'
    yield "# to the truth where that was known, and needs a base that decides many facts."
    yield 'annotator = "pmi"'
    yield "systems = [  # NAME=FORMAT:PATH"
    for one in systems:
        yield f"  {made.named(one.path, after=f'{one.name}={one.source.form}:')},"
    yield "]"
    yield ""


def _corpus(corpus: Taken, made: _Made) -> Iterator[str]:
    yield "[corpus]  # what the systems read; recall is about its sentences"
    if corpus.why == "quoted":
        yield "# Only sentences that some system found something in: recall is too high by what all"
        yield "# of them passed over. Name the whole corpus here if you have it."
    yield f"sentences = {made.named(corpus.path)}"
    yield f"format = {made.quoted(corpus.format)}"
    yield ""


def _knowledge_base(given: Sequence[Taken], made: _Made, fetch: list[str]) -> Iterator[str]:
    yield "[kb]  # facts that are in it count as correct"
    if given and given[0].role == "knowledge base":
        yield f"path = {made.named(given[0].path)}"
    elif given:
        yield f"path = {made.quoted(f'runs/kb/{made.out.stem}')}  # built from the sources"
        yield f"sources = [{', '.join(made.named(one.path) for one in given)}]"
        formats = {one.format for one in given}
        yield f"format = {made.quoted(formats.pop() if len(formats) == 1 else 'auto')}"
    else:
        name, place, what = _public(_KB, fetch)
        yield f"# {what} (distval data fetch {name}). Name your own dump instead if"
        yield "# you have one: Freebase, Wikidata or other RDF."
        yield f"path = {made.quoted(f'runs/kb/{name}')}"
        yield f'sources = ["{_DATA}/{place}"]'
        yield 'format = "fb15k237"'
    yield ""


def _text(given: Sequence[Taken], made: _Made, fetch: list[str]) -> Iterator[str]:
    yield "[index]  # text in which the other facts are counted"
    if given and given[0].role == "index":
        yield f"path = {made.named(given[0].path)}"
    elif given:
        yield f"path = {made.quoted(f'runs/index/{made.out.stem}')}  # built from the collection"
        yield f"collection = {made.named(given[0].path)}"
        yield f"format = {made.quoted(given[0].format)}"
    else:
        name, place, what = _public(_TEXT, fetch)
        yield f"# {what} (distval data fetch {name}). More text decides more"
        yield "# facts; it should be of the kind that the systems read, and not the corpus itself."
        yield f"path = {made.quoted(f'runs/index/{name}')}"
        yield f'collection = "{_DATA}/{place}"'
        yield 'format = "wikiextractor"'
    yield ""


def _public(data: tuple[str, str, str], fetch: list[str]) -> tuple[str, str, str]:
    """Return public data that stand in, and note them as to be fetched where they are not here."""
    name, place, _ = data
    if not (data_folder() / place).exists():
        fetch.append(name)
    return data


def _choices(*, sliced: bool) -> Iterator[str]:
    yield "[link]  # what can be an element of a fact"
    yield '# "linked": entities of the knowledge base. "phrases": also names and noun phrases that'
    yield "# it lacks, which brings far more extractions in scope where it is small."
    yield f"scope = {'"phrases"' if sliced else '"linked"'}"
    yield ""
    yield "[pmi]  # t: least PMI of a fact that is accepted; distval tune fits it to labels"
    yield "threshold = 0.1"
    yield ""
    yield "# docs/settings.md has every setting with its default."
    yield ""
