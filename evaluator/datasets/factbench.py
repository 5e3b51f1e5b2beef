"""FactBench: true facts of DBpedia and Freebase, and facts made wrong by exchanging a part.

Gerber et al., "DeFacto – temporal and multilingual deep fact validation", Journal of Web Semantics
35 (2015). Nobody judged these facts: the correct ones are from the two databases, a wrong one has
another subject ("domain"), object ("range"), both of them ("domainrange") or relation ("property")
of the same types, or is put together at random ("random").

The other wrong facts are left out. Those of the kind "date" are wrong by their years only, and a
triple has none. Those of the kind "mix" are drawn from all kinds, "date" among them, and do not
say from which.
"""

import re
import tarfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple, get_args

from evaluator.errors import InputError
from evaluator.inputs import LARGEST_WHOLE, open_file, read_bytes
from evaluator.labels.label import Label
from evaluator.model import Item, Rejects
from evaluator.text import normalise

ARCHIVE = "factbench_{split}_ttl.tar.gz"

PHRASES = {
    "author": "wrote",
    "award": "received",
    "birthPlace": "was born in",
    "deathPlace": "died in",
    "foundationPlace": "was founded in",
    "office": "led",
    "spouse": "married",
    "starring": "starred",
    "subsidiary": "acquired",
    "team": "played for",
}
"""DBpedia's ten properties in words, as a text would say them of subject and object."""

type FactKind = Literal["correct", "domain", "range", "domainrange", "property", "random"]
KINDS: tuple[FactKind, ...] = get_args(FactKind.__value__)
"""How a fact came about: as a database has it, or by what was exchanged to make it wrong."""

_LEFT_OUT = {
    "date": "wrong by its date, maybe true without",
    "mix": "of mixed kinds, maybe wrong by its date",
}


class MadeFact(NamedTuple):
    """A fact in words, and what was exchanged to make it wrong.

    Attributes
    ----------
    e1, r, e2
        English names of subject and object, without a qualifier in parentheses, and the phrase of
        the relation.
    kind
        "correct", or what was exchanged.
    """

    e1: str
    r: str
    e2: str
    kind: FactKind

    @property
    def label(self) -> Label:
        """The fact as a label; the rater is the set itself."""
        return Label(self.e1, self.r, self.e2, self.kind == "correct", "factbench")


def read_labels(folder: Path, split: str = "train", *, rejects: Rejects) -> list[Label]:
    """Return the facts of :func:`read_facts`, in their order, as labels of one rater."""
    return [fact.label for fact in read_facts(folder, split, rejects=rejects)]


def read_facts(folder: Path, split: str = "train", *, rejects: Rejects) -> list[MadeFact]:
    """Return the facts of one part, sorted, each once.

    Parameters
    ----------
    folder
        Where ``factbench_train_ttl.tar.gz`` is, or the folder ``train``: in either, a Turtle file
        for each fact, ``train/correct/award/….ttl`` or ``train/wrong/range/award/….ttl``.
    split
        The part: "train" or "test".
    rejects
        Receives the facts that are left out by their kind; "unknown kind", "entity without an
        English name" and "broken file"; and, since different entities may share their names, "the
        same names again" and "true and made wrong under the same names".

    Raises
    ------
    InputError
        If the part is not there, cannot be read, or holds no fact to use.
    """
    kinds: dict[Item, list[FactKind]] = defaultdict(list)
    for name, content in _files(folder, split):
        kind = _kind(name)
        if kind in _LEFT_OUT:
            rejects.add(_LEFT_OUT[kind], name)
        elif kind not in KINDS:
            rejects.add("unknown kind", name)
        elif (stated := _stated(content)) is None:
            rejects.add("broken file", name)
        elif not (stated[0] and stated[2]):
            rejects.add("entity without an English name", name)
        else:
            kinds[stated].append(kind)
    facts = each_once(kinds, rejects=rejects)
    if not facts:
        raise InputError(folder / ARCHIVE.format(split=split), "no fact to use")
    return facts


def each_once(kinds: Mapping[Item, Sequence[FactKind]], *, rejects: Rejects) -> list[MadeFact]:
    """Return the facts, sorted, each once, with the first of the kinds that it came about in.

    `rejects` receives "the same names again", and "true and made wrong under the same names", which
    is left out.
    """
    facts = []
    for item, made in sorted(kinds.items()):
        # Of a fact that was made twice, the first kind stands, whatever the order of the files.
        kind, *again = sorted(made, key=KINDS.index)
        both = "correct" in made and set(made) != {"correct"}
        reason = "true and made wrong under the same names" if both else "the same names again"
        for _ in range(len(made) if both else len(again)):
            rejects.add(reason, "\t".join(item))
        if not both:
            facts.append(MadeFact(*item, kind))
    return facts


def without_qualifier(name: str) -> str:
    """Return a name without a qualifier in parentheses at its end.

    >>> without_qualifier("Ed Wood (film)")
    'Ed Wood'
    """
    return _QUALIFIER.sub("", name).strip()


def _kind(name: str) -> str:
    """Return the kind that the place of a file gives: train/correct/…, train/wrong/range/…."""
    _, verdict, kind, *_ = (*PurePosixPath(name).parts, "", "", "")
    return kind if verdict == "wrong" else verdict


def _files(folder: Path, split: str) -> Iterator[tuple[str, bytes]]:
    """Yield place and content of the Turtle files of a part, of the folder if there is one."""
    archive = folder / ARCHIVE.format(split=split)
    try:
        if (folder / split).is_dir():
            for path in sorted((folder / split).rglob("*.ttl")):
                yield path.relative_to(folder).as_posix(), read_bytes(path)
            return
        with open_file(archive) as file, tarfile.open(fileobj=file) as members:
            for member in members:
                stream = members.extractfile(member)
                if stream is not None and member.name.endswith(".ttl"):
                    yield member.name.removeprefix("./"), stream.read(LARGEST_WHOLE)
    except FileNotFoundError:
        raise InputError(
            archive, f"no such file, and no folder {split} beside; fetch the set"
        ) from None
    except (OSError, EOFError, KeyError, tarfile.TarError, zlib.error) as error:
        raise InputError(archive, f"cannot be read ({error})") from None


# All files are written by one program in one form: the blocks of the subjects, each begun by its
# URI at the start of a line. Read so, they take a second; a parser of Turtle takes twenty.
_BLOCK = re.compile(r"^<([^>\n]+)>((?:\n(?!<).*)+)", re.MULTILINE)
_STATED = re.compile(rf"dbo:({'|'.join(PHRASES)})\s+<([^>]+)>")
_STRING = r'"((?:[^"\\]|\\.)*)"@'
_LABEL = re.compile(rf"rdfs:label\s+(?:{_STRING}[a-z]+\s*,\s*)*?{_STRING}en\b")
_ESCAPED = re.compile(r"\\(.)")
_QUALIFIER = re.compile(r"\s*\([^()]*\)$")


def _stated(content: bytes) -> tuple[str, str, str] | None:
    """Return the fact in a file, entities without a name by ""; None where there is none.

    The subject has a statement, and the statement the dates of the fact and its object.
    """
    try:
        blocks = dict(_BLOCK.findall(normalise(content.decode())))
    except UnicodeDecodeError:
        return None
    for statement, block in blocks.items():
        found = _STATED.search(block)
        subject = next((uri for uri, b in blocks.items() if f"<{statement}>" in b), None)
        if found and subject:
            relation, obj = found.groups()
            return _name(blocks[subject]), PHRASES[relation], _name(blocks.get(obj, ""))
    return None


def _name(block: str) -> str:
    found = _LABEL.search(block)
    return without_qualifier(_ESCAPED.sub(r"\1", found[2])) if found else ""
