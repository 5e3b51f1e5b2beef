"""What the files of a new evaluation are: systems' output, sentences, a knowledge base, text.

What a reader of one kind alone recognises is of that kind. Plain text says nothing of itself: it is
the corpus where the systems quote its lines, or where it is all there is and reads like sentences.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from evaluator.corpus.sentences import sentence_key
from evaluator.errors import ConfigurationError, InputError
from evaluator.inputs import read_json
from evaluator.json_objects import parse_json
from evaluator.model import Extraction, Rejects
from evaluator.readers import AUTO, SystemSource, mostly, read_extractions, text_lines
from evaluator.readers.look import look, names_columns
from indexes import collections, dumps
from indexes.text.manifest import MANIFEST, is_ours

type Role = Literal["system", "sentences", "dump", "knowledge base", "text", "index"]

_HEAD = 200  # lines that tell what a file of text is
_QUOTED = 500  # extractions whose sentences are looked for
_SENTENCE_END = re.compile(r"[.?!…][\"'”’)\]]*\s*$")
_NOT_A_NAME = re.compile(r"[^\w.+ -]+")
# What GraphRAG (today's and older versions) and LightRAG call their relations.
_OUTPUTS = (
    "relationships.parquet", "create_final_relationships.parquet",
    "graph_chunk_entity_relation.graphml",
)  # fmt: skip
_NUMBERED = re.compile(r"[^\t]{1,80}\t[^\t]*\S[^\t]*")


class Taken(NamedTuple):
    """What a path is taken for.

    Attributes
    ----------
    path
        A file or a folder.
    role
        What it is to the run.
    format
        Its format, as the configuration names it; "numbered" for sentences with their ids, which a
        run does not read.
    why
        What says so.
    name
        Of a system.
    keys
        The file's own keys, as they were named.
    """

    path: Path
    role: Role
    format: str
    why: str
    name: str = ""
    keys: tuple[tuple[str, str], ...] = ()

    @property
    def source(self) -> SystemSource:
        """The output of a system."""
        return SystemSource(self.name, self.format, self.path, self.keys)


def recognised(
    paths: Sequence[Path],
    named: Iterable[tuple[Path, Role]] = (),
    *,
    sources: Sequence[SystemSource] = (),
    keys: tuple[tuple[str, str], ...] = (),
) -> list[Taken]:
    """Return what each path is taken for.

    Parameters
    ----------
    paths
        Files and folders whose role is to be found.
    named
        Others, each with its role: "system", "sentences", "dump" or "text".
    sources
        Output of systems whose names and formats are known.
    keys
        The own keys of the files of `named` that are output of systems.

    Raises
    ------
    InputError
        Where nothing is there, or what it is cannot be told.
    """
    named = list(named)
    told = {path: _in_role(path, role, keys) for path, role in named}
    given = [_given(source) for source in sources]
    for path in paths:
        if not path.exists():
            raise InputError(path, "no such file or folder")
    open_: list[Path] = []
    for path in paths:
        try:
            found = _by_itself(path)
        except OSError as error:
            raise InputError(path, f"cannot be read: {error.strerror or error}") from None
        if found is None:
            open_.append(path)
        else:
            told[path] = found
    told = _with_names(told, {one.name for one in given})
    systems = [*given, *(taken for taken in told.values() if taken.role == "system")]
    quoted = _quoted(systems)
    has_sentences = any(taken.role == "sentences" for taken in told.values())
    for path in open_:
        told[path] = _plain(path, quoted, may_be_sentences=not has_sentences)
        has_sentences |= told[path].role == "sentences"
    return [*given, *(told[path] for path in dict.fromkeys([*(path for path, _ in named), *paths]))]


def quotes(system: Taken) -> tuple[int, int]:
    """Return how many of a system's first extractions name their sentence by its text, and all."""
    sentences = [extraction.sentence for extraction in _first(system)]
    return sum(bool(sentence.strip()) for sentence in sentences), len(sentences)


def _by_itself(path: Path) -> Taken | None:
    """Return what a path shows itself to be; None for plain text."""
    if path.is_dir():
        return _folder(path)
    with suppress(InputError):
        format_ = dumps.detect_format(path)
        if format_ != "wikidata-json" or _names_claims(path):
            return Taken(path, "dump", format_, "statements of that format")
    lines = _lines(path)
    with suppress(InputError):
        format_ = collections.detect_format(path)
        if format_ != "jsonl":
            return Taken(path, "text", format_, "its first bytes")
    try:
        source = SystemSource("system", AUTO, path)
    except InputError as error:
        told = _objects(path, lines)
        is_json = bool(lines) and lines[0].lstrip()[0] in "{["  # also where it is laid out in lines
        is_table = names_columns(lines)
        if told is None and (is_json or is_table or not _reads_as_text(lines)):
            raise error
        return told
    return Taken(path, "system", source.format, look(source).why)


def _folder(path: Path) -> Taken:
    with suppress(OSError, ValueError):
        stated = read_json(path / MANIFEST)
        role: Role = "index" if is_ours(stated) else "knowledge base"
        return Taken(path, role, "", f"its {MANIFEST}")
    if inside := _output_in(path, ()):
        return inside
    if (path / "openke").is_dir():
        return Taken(path, "dump", "fb15k237", "its folder openke")
    try:
        return Taken(path, "text", collections.detect_format(path), "its first file")
    except InputError:
        files = [file for file in sorted(path.rglob("*")) if file.is_file()][:_HEAD]
        if not files or not all(_reads_as_text(_lines(file)) for file in files):
            raise
        return Taken(path, "text", "text", "files of plain text, a document each")


def _output_in(folder: Path, keys: tuple[tuple[str, str], ...]) -> Taken | None:
    """Return the extractions that a tool keeps under a name of its own among other files."""
    files = [file for name in _OUTPUTS if (file := folder / name).is_file()]
    if len(files) > 1:
        held = " and ".join(file.name for file in files)
        raise InputError(folder, f"holds {held}: name the one that is meant")
    if not files:
        return None
    [file] = files
    format_ = SystemSource("system", AUTO, file, keys).format
    return Taken(file, "system", format_, f"{file.name} in that folder", keys=keys)


def _in_role(path: Path, role: Role, keys: tuple[tuple[str, str], ...]) -> Taken:
    """Return a path whose role was named, with its format."""
    if not path.exists():
        raise InputError(path, "no such file or folder")
    why = "named so"
    if role == "system":
        if path.is_dir() and (inside := _output_in(path, keys)):
            return inside
        format_ = SystemSource("system", AUTO, path, keys).format
        return Taken(path, role, format_, why, keys=keys)
    if role == "sentences":
        lines = _lines(path)
        if not path.is_file() or not lines:
            raise InputError(path, "is no file of text: name one with the sentences")
        numbered = mostly(lines, lambda line: _NUMBERED.fullmatch(line) is not None)
        objects = mostly(lines, lambda line: line.lstrip().startswith("{"))
        return Taken(path, role, "jsonl" if objects else "numbered" if numbered else "lines", why)
    if path.is_dir():
        found = _folder(path)
        wanted = ("text", "index") if role == "text" else ("dump", "knowledge base")
        if found.role not in wanted:
            raise InputError(path, f"is {found.role} by {found.why}, not {role}")
        return found._replace(why=why)
    if role == "dump":
        return Taken(path, role, dumps.detect_format(path), why)
    try:
        return Taken(path, role, collections.detect_format(path), why)
    except InputError:
        if not _reads_as_text(_lines(path)):
            raise
        return Taken(path, role, "text", why)


def _objects(path: Path, lines: Sequence[str]) -> Taken | None:
    """Return JSON Lines with a text each as sentences or documents; None for anything else."""
    objects = []
    for line in lines:
        with suppress(ValueError):
            if isinstance(value := parse_json(line), dict):
                objects.append(value)
    if not objects or len(objects) < len(lines) / 2:
        return None
    keys = set.intersection(*(set(one) for one in objects))
    if not keys & {"text", "contents"}:
        return None
    if keys & {"mentions", "number", "document", "relation_words"} or "id" not in keys:
        return Taken(path, "sentences", "jsonl", f"JSON Lines with {', '.join(sorted(keys))}")
    return Taken(path, "text", "jsonl", f"JSON Lines with {', '.join(sorted(keys))}")


def _plain(path: Path, quoted: set[str], *, may_be_sentences: bool) -> Taken:
    """Return plain text as the corpus or as text to count in."""
    lines = _lines(path)
    numbered = mostly(lines, lambda line: _NUMBERED.fullmatch(line) is not None)
    format_ = "numbered" if numbered else "lines"
    texts = [line.partition("\t")[2] if numbered else line for line in lines]
    if quoted:
        all_ = (line for _, line in text_lines(path, rejects=Rejects()))
        keys = {sentence_key(line.rpartition("\t")[2]) for line in islice(all_, 1_000_000)}
        if found := len(quoted & keys):
            return Taken(
                path,
                "sentences",
                format_,
                f"holds {found:,} of {len(quoted):,} sentences that systems quote",
            )
    if may_be_sentences and not quoted and mostly(texts, _is_a_sentence):
        return Taken(path, "sentences", format_, "one sentence a line")
    return Taken(path, "text", "text", "plain text, one document; a folder has one for each file")


def _is_a_sentence(line: str) -> bool:
    return len(line) < 1_000 and _SENTENCE_END.search(line) is not None


def _given(source: SystemSource) -> Taken:
    """Return the output of a system whose name and format are known."""
    if source.baseline:
        raise ConfigurationError(
            f"system {source.name}: a baseline has no file; add it to the systems of the "
            "configuration that is written"
        )
    source.check()
    return Taken(source.path, "system", source.format, "named so", source.name, source.keys)


def _with_names(told: dict[Path, Taken], others: set[str]) -> dict[Path, Taken]:
    """Return the systems with a name each, that of the file or one near: none of the `others`."""
    names = set(others)
    made = {}
    for path, taken in told.items():
        if taken.role != "system":
            made[path] = taken
            continue
        stem = _NOT_A_NAME.sub("-", path.name.partition(".")[0]).strip(" .+-") or "system"
        name, number = stem, 1
        while name in names:
            number += 1
            name = f"{stem}-{number}"
        names.add(name)
        made[path] = taken._replace(name=name)
    return made


def _quoted(systems: Iterable[Taken]) -> set[str]:
    """Return the keys of the sentences that the first extractions of systems quote."""
    texts = (extraction.sentence for system in systems for extraction in _first(system))
    return {key for text in texts if (key := sentence_key(text))}


def _first(system: Taken) -> list[Extraction]:
    if system.source.kind != "extractions":
        return []
    return list(islice(read_extractions(system.source, rejects=Rejects()), _QUOTED))


def _lines(path: Path) -> list[str]:
    """Return the first lines of a text file that are not blank; none where it is no text."""
    with suppress(InputError):
        lines = (line for _, line in text_lines(path, rejects=Rejects()) if line.strip())
        return list(islice(lines, _HEAD))
    return []


def _reads_as_text(lines: Sequence[str]) -> bool:
    """Tell whether lines are prose rather than a table or program output."""
    return mostly(lines, lambda line: line.count("\t") <= 1 and line[0] not in "{[<(|#")


def _names_claims(path: Path) -> bool:
    return any('"claims"' in line for line in _lines(path)[:20])
