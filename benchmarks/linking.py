"""Linking: who is mentioned where, against gold annotations.

The knowledge base is FB15k-237, written as a dictionary for the purpose. Four systems:

* plain: the longest name that stands there, in any case, of the most popular entity; no rules;
* rules: :meth:`indexes.kb.entities.EntityDictionary.mentions` without context;
* context: the same, with the sentence's other mentions to decide ambiguous names;
* any name: the same, with names that have no capital letter.

Gold, one sentence at a time:

* FewRel (New York Times, Wikipedia): two entities of each sentence are annotated, others are not.
  So precision is of those predicted mentions only that overlap an annotated one;
* Reuters-128 and RSS-500: sentences of news. They mean to annotate all named entities, but leave
  out many ("U.S."), so precision is given over the mentions that overlap an annotated one as well
  as over all, where it is a lower bound.

A prediction is right if its span, a leading article apart, and its entity are. A mention of an
entity that the knowledge base lacks must not be linked: whatever overlaps it is wrong. Recall is of
the annotated mentions whose entity the knowledge base has.
"""

import argparse
import gzip
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import rdflib

from evaluator.errors import DistvalError
from evaluator.intervals import Estimate, wilson
from evaluator.model import Mention
from evaluator.text import normalise, spans, tokens
from indexes.kb.entities import EntityDictionary, build_dictionary
from jobs.config import data_folder

GOLD = {
    "FewRel, New York Times": "fewrel/val_nyt.json",
    "FewRel, Wikipedia": "fewrel/val_wiki.json.gz",
    "Reuters-128": "n3_nif/Reuters-128.ttl",
    "RSS-500": "n3_nif/RSS-500.ttl",
}
SENTENCES = "gold/oie2016/raw_sentences_all.txt"  # for speed

_NIF = rdflib.Namespace("http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#")
_LINK = rdflib.URIRef("http://www.w3.org/2005/11/its/rdf#taIdentRef")
_DBPEDIA = "http://dbpedia.org/resource/"
# Ends of sentences, but not after "U.S." or an initial, nor what abbreviates in news.
_SENTENCE_END = re.compile(
    r"(?<![A-Z.]\.)(?<!\b[A-Z][a-z]\.)(?<!\bInc\.)(?<!\bCorp\.)(?<=[.!?])\s+(?=[A-Z\"])"
)

type System = Callable[[str], Sequence[Mention]]


class Names(NamedTuple):
    """FB15k-237: names (entity, name, kind), degrees and pairs of its entities."""

    names: list[tuple[str, str, str]]
    degree: dict[str, int]
    pairs: set[tuple[str, str]]
    by_wikidata: dict[str, str]
    by_title: dict[str, str]


class Annotated(NamedTuple):
    """A sentence and its gold mentions: first token, token after the last, entity if it has one."""

    text: str
    mentions: list[tuple[int, int, str | None]]


class Score(NamedTuple):
    """Counts of a system on a set."""

    gold: int  # annotated mentions whose entity the knowledge base has
    predicted: int
    judged: int  # those that overlap an annotated mention
    right_spans: int
    right: int

    @property
    def recall(self) -> Estimate:
        """Share of the annotated mentions that were found and linked right."""
        return wilson(self.right, self.gold)

    @property
    def precision(self) -> Estimate:
        """Share of the mentions on annotated ground that are right."""
        return wilson(self.right, self.judged)

    @property
    def precision_of_all(self) -> Estimate:
        """Share of all mentions that are annotated just so."""
        return wilson(self.right, self.predicted)


def read_names(folder: Path) -> Names:
    """Read FB15k-237 from the folder of public data."""
    about = json.loads((folder / "fb15k237/entity2wikidata.json").read_text(encoding="utf-8"))
    names = [
        (entity, " ".join(name.split()), kind)
        for entity, record in about.items()
        for kind, found in (("label", [record["label"]]), ("alias", record["alternatives"]))
        for name in found
        if name
    ]
    ids = dict(_numbered(folder / "fb15k237/openke/entity2id.txt.gz"))
    entity = {number: name for name, number in ids.items()}
    facts = {
        (entity[head], entity[tail], relation)
        for part in ("train", "valid", "test")
        for head, tail, relation in _numbered(folder / f"fb15k237/openke/{part}2id.txt.gz")
    }
    degree: dict[str, int] = {}
    for head, tail, _ in facts:
        for side in {head, tail}:
            degree[side] = degree.get(side, 0) + 1
    return Names(
        names,
        degree,
        {(head, tail) for head, tail, _ in facts},
        {r["wikidata_id"]: entity for entity, r in about.items() if r.get("wikidata_id")},
        {
            normalise(unquote(r["wikipedia"].rpartition("/wiki/")[2])): entity
            for entity, r in about.items()
            if r.get("wikipedia")
        },
    )


def read_gold(path: Path, names: Names) -> list[Annotated]:
    """Read a set of annotated sentences."""
    if path.suffix == ".ttl":
        return list(_read_nif(path, names.by_title))
    content = path.read_bytes()
    relations = json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)
    return [
        _fewrel(sentence, names.by_wikidata) for found in relations.values() for sentence in found
    ]


def score(system: System, gold: Iterable[Annotated]) -> Score:
    """Count what `system` finds."""
    total = predicted = judged = right_spans = right = 0
    for text, mentions in gold:
        forms = tokens(text)
        annotated = {_bare(start, end, forms): entity for start, end, entity in mentions}
        covered = {place for start, end in annotated for place in range(start, end)}
        total += sum(entity is not None for entity in annotated.values())
        for start, end, entity in system(text):
            span = _bare(start, end, forms)
            predicted += 1
            judged += not covered.isdisjoint(range(*span))
            right_spans += annotated.get(span) is not None
            right += annotated.get(span) == entity
    return Score(total, predicted, judged, right_spans, right)


def _bare(start: int, end: int, forms: Sequence[str]) -> tuple[int, int]:
    """Return a span without its article: "The Sopranos" is marked with it here, without there."""
    return start + (end - start > 1 and forms[start] in ("the", "a", "an")), end


def plain_system(names: Names) -> System:
    """Return the plain system: longest match in any case, the most popular entity."""
    best: dict[tuple[str, ...], str] = {}
    for entity, name, _ in names.names:
        form = tuple(tokens(name))
        rank = partial(_popularity, names.degree)
        if form:
            best[form] = min(entity, best.get(form, entity), key=rank)
    longest = max(map(len, best))

    def mentions(text: str) -> Iterator[Mention]:
        forms, start = tuple(tokens(text)), 0
        while start < len(forms):
            for end in range(min(len(forms), start + longest), start, -1):
                if entity := best.get(forms[start:end]):
                    yield Mention(start, end, entity)
                    start = end
                    break
            else:
                start += 1

    return lambda text: tuple(mentions(text))


def systems(names: Names, dictionary: EntityDictionary) -> dict[str, System]:
    """Return the systems that are compared, by name."""
    return {
        "plain": plain_system(names),
        "rules": partial(dictionary.mentions, context=False),
        "context": partial(dictionary.mentions, context=True),
        "any name": partial(dictionary.mentions, context=True, proper_only=False),
    }


def _popularity(degree: Mapping[str, int], entity: str) -> tuple[int, str]:
    return -degree.get(entity, 0), entity


def _numbered(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            yield line.split()


def _fewrel(sentence: dict[str, list], by_wikidata: Mapping[str, str]) -> Annotated:
    # A token of theirs may be several of ours ("one-year"), or none (",").
    places = list(accumulate((len(tokens(token)) for token in sentence["tokens"]), initial=0))
    mentions = [
        (places[where[0]], places[where[-1] + 1], by_wikidata.get(wikidata))
        for _, wikidata, found in (sentence["h"], sentence["t"])
        for where in found
    ]
    return Annotated(" ".join(sentence["tokens"]), mentions)


def _read_nif(path: Path, by_title: Mapping[str, str]) -> Iterator[Annotated]:
    graph = rdflib.Graph().parse(path)
    for context, text in sorted(graph.subject_objects(_NIF.isString)):
        found = [
            (
                int(graph.value(mention, _NIF.beginIndex)),
                int(graph.value(mention, _NIF.endIndex)),
                _of_title(str(graph.value(mention, _LINK)), by_title),
            )
            for mention in sorted(graph.subjects(_NIF.referenceContext, context))
        ]
        start = 0
        text = str(text)
        for end in [*(m.start() for m in _SENTENCE_END.finditer(text)), len(text)]:
            inside = [m for m in found if start <= m[0] and m[1] <= end]
            yield _annotated(text[start:end], [(a - start, b - start, e) for a, b, e in inside])
            start = end


def _of_title(link: str, by_title: Mapping[str, str]) -> str | None:
    if not link.startswith(_DBPEDIA):
        return None
    return by_title.get(normalise(unquote(link.removeprefix(_DBPEDIA))))


def _annotated(text: str, found: Iterable[tuple[int, int, str | None]]) -> Annotated:
    """Return a sentence whose mentions are given in characters."""
    known = spans(text)
    mentions = []
    for first, last, entity in found:
        covered = [at for at, token in enumerate(known) if token.start < last and token.end > first]
        if covered:
            mentions.append((covered[0], covered[-1] + 1, entity))
    return Annotated(text, mentions)


def main() -> int:
    """Measure and print; return the exit code."""
    options = _options()
    if not options.data.is_dir():
        print(f"no public data at {options.data}: nothing to measure")
        return 0
    try:
        names = read_names(options.data)
        with tempfile.TemporaryDirectory(prefix="distval-") as folder:
            start = time.perf_counter()
            path = Path(folder, "dictionary")
            build_dictionary(path, names.names, names.degree, names.pairs)
            built = time.perf_counter()
            dictionary = EntityDictionary.open(path)
            print(f"{len(dictionary):,} forms of names, written in {built - start:.1f} s, "
                  f"opened in {1000 * (time.perf_counter() - built):.1f} ms")  # fmt: skip
            for file in sorted(path.iterdir()):
                print(f"  {file.name:18} {file.stat().st_size / len(dictionary):6.1f} bytes a form")
            compared = systems(names, dictionary)
            for title, file in GOLD.items():
                print_scores(title, read_gold(options.data / file, names), compared)
            print_speed((options.data / SENTENCES).read_text("utf-8").splitlines(), compared)
    except (DistvalError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def print_scores(title: str, gold: Sequence[Annotated], compared: Mapping[str, System]) -> None:
    """Print a table of the systems on one set."""
    print(f"\n{title}: {len(gold):,} sentences")
    heads = ("gold", "predicted", "on gold", "right spans", "right")
    print(f"  {'':8}" + "".join(f"{head:>12}" for head in heads)
          + f"{'precision':>24}{'precision of all':>24}{'recall':>24}")  # fmt: skip
    for name, system in compared.items():
        found = score(system, gold)
        shares = (found.precision, found.precision_of_all, found.recall)
        print(f"  {name:8}" + "".join(f"{count:12,}" for count in found)
              + "".join(f"{_percent(share):>24}" for share in shares))  # fmt: skip


def _percent(share: Estimate) -> str:
    if share.value is None:
        return "-"
    return f"{share.value:.1%} [{share.low:.1%}, {share.high:.1%}]"


def print_speed(sentences: Sequence[str], compared: Mapping[str, System]) -> None:
    """Print how many sentences a second each system takes, the best of five rounds."""
    print(f"\n{len(sentences):,} sentences of OIE2016, sentences a second of one processor")
    for name, system in compared.items():
        rates = []
        for _ in range(5):
            start = time.process_time()
            for sentence in sentences:
                system(sentence)
            rates.append(len(sentences) / (time.process_time() - start))
        print(f"  {name:8}{max(rates):12,.0f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "data",
        type=Path,
        nargs="?",
        default=data_folder(),
        help="folder of the public data; by default as distval finds it",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
