"""A file in the form of Freebase's RDF dump, made out of FB15k-237.

The dump itself has 30 GB and lies on few machines; for the speed of reading it matters what its
lines are. Here copies of the benchmark follow each other, under ids of their own: in each 14,541
entities and 310,116 triples (207,567 of them through a mediator node, as in the dump), and 50,000
topics of which little is known, as of most topics of Freebase: 5.9 million lines. The shares of
lines, in percent:

=================================================  ======  ======
predicate                                            dump    made
=================================================  ======  ======
``common.notable_for.display_name``                  37.0   40.6
``rdf:type``                                          8.5    8.2
``type.object.type``                                  8.5    8.2
``type.type.instance``                                8.5    8.2
``type.object.key``                                   4.7    5.4
relations between topics                              9.8    9.5
the same keys as ``http://rdf.freebase.com/key/``       ?    5.4
names, ``rdfs:label`` and aliases                       ?    5.2
other ``common.``: notability, pages, images            ?    6.2
descriptions                                            ?    0.8
numbers and dates                                       ?    2.4
=================================================  ======  ======

The dump's shares are of its last edition, of 3,130,753,066 lines (documentation of castorini's
Anserini; notes of spencermountain/floorbase, which also count the first five predicates). Relations
are the 306,733,220 edges that remain in the Freebase ExQ data dump (Mottin et al. 2016, The VLDB
Journal 25). Where a question mark stands, the share is a guess. One line in 20,000 is damaged in a
way seen in dumps (cut, not UTF-8, blanks in an IRI); how many the dump has is not known.

A few lines about properties and types come first. The lines of a copy are sorted by subject, but
for ``type.type.instance``, whose lines stand behind those of some thousand topics; the dump is not
sorted throughout either.
"""

import random
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from gzip import GzipFile
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

from indexes.dumps.fb15k237 import escape, read_names, read_triples, title_of
from indexes.dumps.freebase import encode_key

_NS = "http://rdf.freebase.com/ns/"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_DIGITS = "0123456789_bcdfghjklmnpqrstvwxyz"  # Freebase's, in ASCII's order

_THIN = 50_000  # topics of a copy of which little is known
_DISPLAYED = 37  # languages in which it is said what a topic is notable for
_CHUNK = 2_000  # subjects written at a time
_DAMAGE = 20_000  # lines, of which one is damaged
_TYPE = f"<{_NS}type.object.type>"
_RDF_TYPE = f"<{_RDF}type>"
_INSTANCE = f"<{_NS}type.type.instance>"
_LANGUAGES = ("de", "es", "fr", "it", "pt", "ru", "ja", "zh", "pl", "nl", "sv", "tr", "ko", "ar")
_WORDS = {"ru": "тема", "ja": "トピック", "zh": "主题", "ko": "주제", "ar": "موضوع", "de": "Größe"}


def write_dump(out: Path, *, data: Path, lines: int, seed: int, damaged: bool = True) -> int:
    """Write at least `lines` lines, compressed; return how many.

    Parameters
    ----------
    out
        The ``.gz`` file to write.
    data
        The folder of FB15k-237 (:mod:`indexes.dumps.fb15k237`).
    lines, seed
        The same lines for the same seed, and the fewer are the first of the more.
    damaged
        Whether one line in 20,000 is damaged; the others are the same without.
    """
    copy = _copy(data, seed)
    damage = random.Random(seed)
    with out.open("wb") as raw, GzipFile("", "wb", 6, raw, mtime=0) as stream:
        stream.write(copy.schema.encode())
        written = copy.schema.count("\n")
        for number in count():
            for chunk in copy.chunks(_digits(number, 2)):
                stream.write(_damaged(chunk, damage) if damaged else chunk.encode())
                written += chunk.count("\n")
                if written >= lines:
                    return written
    raise AssertionError


@lru_cache(maxsize=1)
def _copy(data: Path, seed: int) -> "_Copy":
    return _Copy(data, random.Random(seed))


class _Topic(NamedTuple):
    """What is said of a topic, but for its relations; NUL stands for the topic in its lines."""

    types: tuple[str, ...]
    lines: str


class _Copy:
    """All that a copy of the benchmark says, with a number for each subject."""

    def __init__(self, data: Path, rng: random.Random) -> None:
        names = read_names(data / "entity2wikidata.json")
        triples = sorted(set(read_triples(data)))
        entities = sorted({entity for head, _, tail in triples for entity in (head, tail)})
        joined = sum("./" in relation for _, relation, _ in triples)
        size = 2 * (len(entities) + _THIN) + joined
        self._ids = [_digits(number, 4) for number in range(size)]
        # Numbers in random order, so that any part of a copy is like the whole.
        free = rng.sample(range(size), size)
        self._topics: dict[int, _Topic] = {}
        self._links: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
        labels = [about["label"] for about in names.values() if about.get("label")]

        self.schema = _schema(sorted({relation for _, relation, _ in triples}))
        number = {entity: free.pop() for entity in entities}
        types: defaultdict[str, set[str]] = defaultdict(set)
        for head, relation, tail in triples:
            first, _, second = relation.partition("./")
            kind = _dotted(first.rpartition("/")[0])
            types[head].add(kind)
            if not second:
                self._links[number[head]].append((_dotted(first), number[tail]))
                continue
            node = free.pop()
            self._links[number[head]].append((_dotted(first), node))
            self._links[node].append((_dotted(second), number[tail]))
            self._topics[node] = _Topic((_dotted(second.rpartition("/")[0]),), "")
        for entity in entities:
            about = names.get(entity, {})
            kinds = ("common.topic", *sorted(types[entity]))
            self._add(number[entity], free.pop(), kinds, _known(about, kinds, rng))
        for _ in range(_THIN):
            thin = free.pop()
            name = f"{rng.choice(labels)} {rng.choice(labels)}"
            kinds = ("common.topic", "music.recording", "music.single")
            self._add(thin, free.pop(), kinds, _little_known(name, rng))
            artist = number[entities[rng.randrange(len(entities))]]
            self._links[thin].append(("music.recording.artist", artist))

    def _add(self, topic: int, node: int, types: tuple[str, ...], lines: str) -> None:
        """Add a topic, and the node that says what it is notable for."""
        self._topics[topic] = _Topic(types, lines)
        self._topics[node] = _Topic(("common.notable_for",), _display_names(types[-1]))
        self._links[topic].append(("common.topic.notable_for", node))
        self._links[node].append(("common.notable_for.notable_object", topic))

    def chunks(self, digits: str) -> Iterator[str]:
        """Yield the lines of a copy whose ids have `digits`, some thousand subjects at a time."""
        start = f"<{_NS}m.0{digits}"
        numbers = iter(range(len(self._ids)))
        while chunk := list(islice(numbers, _CHUNK)):
            lines: list[str] = []
            instances: defaultdict[str, list[str]] = defaultdict(list)
            for number in chunk:
                subject = f"{start}{self._ids[number]}>"
                topic = self._topics[number]
                for kind in topic.types:
                    lines.append(f"{subject}\t{_TYPE}\t<{_NS}{kind}>\t.\n")
                    lines.append(f"{subject}\t{_RDF_TYPE}\t<{_NS}{kind}>\t.\n")
                    instances[kind].append(subject)
                lines.append(topic.lines.replace("\0", subject))
                lines.extend(
                    f"{subject}\t<{_NS}{predicate}>\t{start}{self._ids[other]}>\t.\n"
                    for predicate, other in self._links[number]
                )
            for kind, subjects in sorted(instances.items()):
                type_ = f"<{_NS}{kind}>\t{_INSTANCE}\t"
                lines.extend([f"{type_}{subject}\t.\n" for subject in subjects])
            yield "".join(lines)


def _schema(relations: list[str]) -> str:
    """Return what is said of properties and types: their names, and which join topics only."""
    lines = set()
    for relation in relations:
        steps = relation.split("./")
        for step in steps:
            property_ = _dotted(step)
            kind = property_.rpartition(".")[0]
            lines |= {
                f"<{_NS}{kind}>\t{_TYPE}\t<{_NS}type.type>\t.\n",
                f"<{_NS}{property_}>\t{_TYPE}\t<{_NS}type.property>\t.\n",
                f"<{_NS}{property_}>\t<{_NS}type.property.schema>\t<{_NS}{kind}>\t.\n",
                *(
                    _name("type.object.name", _title(name), "en").replace("\0", f"<{_NS}{name}>")
                    for name in (kind, property_)
                ),
            }
        if len(steps) > 1:
            lines.add(f'<{_NS}{kind}>\t<{_NS}freebase.type_hints.mediator>\t"true"\t.\n')
    return "".join(sorted(lines))


def _title(name: str) -> str:
    """Return a name for a property or type."""
    return name.rpartition(".")[2].replace("_", " ").title()


def _known(about: dict[str, Any], types: tuple[str, ...], rng: random.Random) -> str:
    """Return the lines of one of the benchmark's entities."""
    label = about.get("label") or "Nameless"
    lines = [_name("type.object.name", label, "en"), _label(label, "en")]
    for language in rng.sample(_LANGUAGES, 5):
        name = f"{label} ({_WORDS.get(language, language)})"
        lines += [_name("type.object.name", name, language), _label(name, language)]
    lines += [_name("common.topic.alias", alias, "en") for alias in about.get("alternatives") or ()]
    description = (
        f'{label}, also "{label.upper()}", is {about.get("description") or "a topic"}.\n'
        f"It is known for {', '.join(types)}.\tC:\\{label}"
    )
    lines += [
        _name("common.topic.description", description, language) for language in ("en", "de", "ja")
    ]
    title = (title_of(about.get("wikipedia")) or label).replace(" ", "_")
    lines += _keys(("wikipedia", "en_title", title), ("wikipedia", "en", title.lower()))
    lines += _keys(*(("authority", "some", str(rng.randrange(10**9))) for _ in range(6)))
    page = f"http://en.wikipedia.org/wiki/{encode_key(title)}"
    lines += [
        f"\0\t<{_NS}common.topic.topic_equivalent_webpage>\t<{page}>\t.\n",
        f"\0\t<{_NS}common.topic.topical_webpage>\t<http://example.org/{len(title)}>\t.\n",
        *(_link(f"common.topic.{what}", rng) for what in ("article", "image", "webpage")),
    ]
    return "".join(lines + _values(rng, 6))


def _little_known(name: str, rng: random.Random) -> str:
    """Return the lines of a topic with a name, some keys and hardly more."""
    lines = [_name("type.object.name", name, "en"), _label(name, "en")]
    if rng.random() < 0.2:
        lines.append(_name("common.topic.alias", name.lower(), "en"))
    lines += _keys(*(("authority", "musicbrainz", str(rng.randrange(10**9))) for _ in range(4)))
    lines += [_link(f"common.topic.{what}", rng) for what in ("notable_types", "image", "webpage")]
    return "".join(lines + _values(rng, 1))


def _name(predicate: str, name: str, language: str) -> str:
    return f'\0\t<{_NS}{predicate}>\t"{escape(name)}"@{language}\t.\n'


def _label(name: str, language: str) -> str:
    return f'\0\t<{_RDFS}label>\t"{escape(name)}"@{language}\t.\n'


def _keys(*keys: tuple[str, str, str]) -> Iterator[str]:
    """Yield each key twice, as the dump has it."""
    for authority, kind, key in keys:
        key = encode_key(key)
        yield f'\0\t<{_NS}type.object.key>\t"/{authority}/{kind}/{key}"\t.\n'
        yield f'\0\t<http://rdf.freebase.com/key/{authority}.{kind}>\t"{key}"\t.\n'


def _link(predicate: str, rng: random.Random) -> str:
    return f"\0\t<{_NS}{predicate}>\t<{_NS}m.0{_digits(rng.randrange(32**6), 6)}>\t.\n"


def _values(rng: random.Random, number: int) -> list[str]:
    """Return lines of numbers and dates."""
    return [
        f'\0\t<{_NS}people.person.date_of_birth>\t"{1900 + rng.randrange(100)}-03-11"'
        f"^^<{_XSD}date>\t.\n"
        if value % 2
        else f'\0\t<{_NS}music.recording.length>\t"{rng.randrange(10**5) / 100}"\t.\n'
        for value in range(number)
    ]


@cache
def _display_names(kind: str) -> str:
    name = _title(kind)
    tags = ("en", *_LANGUAGES, *(f"{first}{second}" for first in "abe" for second in "flmnrstu"))
    return "".join(
        _name("common.notable_for.display_name", f"{name} {_WORDS.get(tag, '')}".strip(), tag)
        for tag in tags[:_DISPLAYED]
    )


def _damaged(chunk: str, rng: random.Random) -> bytes:
    """Return the lines of a chunk as bytes, some of them damaged."""
    lines = chunk.encode().splitlines(keepends=True)
    for _ in range(len(lines) // _DAMAGE + (rng.randrange(_DAMAGE) < len(lines) % _DAMAGE)):
        place = rng.randrange(len(lines))
        line = lines[place]
        lines[place] = (
            line[: len(line) // 2] + b"\n",
            line.replace(b"\t.\n", b"\xff\t.\n"),
            line.replace(b"/ns/", b"/n s/", 1),
        )[rng.randrange(3)]
    return b"".join(lines)


def _dotted(name: str) -> str:
    return name.removeprefix("/").replace("/", ".")


def _digits(number: int, width: int) -> str:
    """Return a number in Freebase's digits."""
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits
