"""Run configurations: a TOML file becomes one validated, frozen model.

Every setting that can change a figure is here, has a default, and is named in the signature of the
result. The docstrings of sections and settings are Markdown: ``docs/reference.py`` makes the
reference of settings from them.

Paths are relative to the folder of the configuration. ``${DISTVAL_DATA}`` stands for the folder of
public data, which only says where files lie: their content is what a result is tied to.
"""

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, permutations
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    PlainSerializer,
    ValidationError,
    field_validator,
    model_validator,
)

from evaluator.annotators import ANNOTATORS
from evaluator.annotators.external import MAJORITY, TOGETHER
from evaluator.annotators.external import NAME as EXTERNAL
from evaluator.annotators.pmi import Smoothing
from evaluator.corpus.sentences import FORMATS as SENTENCE_FORMATS
from evaluator.counting.definition import REACH, Variant
from evaluator.counting.name_variants import NAME_VARIANTS, NameVariant
from evaluator.errors import ConfigurationError, DistvalError, InputError, choices
from evaluator.estimators import WITH_LABELS
from evaluator.facts.baselines import Baseline
from evaluator.facts.superset import GAP
from evaluator.inputs import expanded, read_bytes, read_text
from evaluator.intervals import Drawing
from evaluator.judges.source import JudgeSource
from evaluator.printable import without_controls
from evaluator.readers import BASELINE, SystemSource, split_source
from evaluator.relations.expansion import Widening, WordSource
from evaluator.relations.normal_form import relation_name_words, relation_words
from evaluator.text import tokens
from evaluator.wordnet.chosen import ENGLISH, NONE, SHIPPED, Lexicon, Measure
from indexes.collections import FORMATS as COLLECTION_FORMATS
from indexes.dumps.statements import languages
from indexes.engine import check_plain
from indexes.kb.knowledge_base import Relation
from indexes.memory import memory_bytes
from jobs import bounds
from jobs.rundir import content_digest
from jobs.spark.master import known_master
from jobs.spark.settings import check_settings, storage_url


def data_folder() -> Path:
    """Return the folder of public data: ``DISTVAL_DATA``, or ``../shared/data``."""
    return Path(os.environ.get("DISTVAL_DATA") or "../shared/data").resolve()


KnowledgeBaseFormat = Literal[
    "auto", "freebase", "wikidata-truthy", "wikidata-json", "rdf", "fb15k237"
]


CONFIGURATION = "configuration.json"
"""The file of a run directory that holds the settings of its last run."""


def _checked[Value](check: Callable[[Value], object]) -> AfterValidator:
    """Return a validator that refuses what `check` does, as a problem of the setting."""

    def validate(value: Value) -> Value:
        try:
            check(value)
        except ConfigurationError as error:
            raise ValueError(str(error)) from None
        return value

    return AfterValidator(validate)


def _name(text: str) -> str:
    if not text.strip():
        raise ValueError("is empty; give a name")
    return without_controls(text)


# A number is no text and no truth value: "5" is not 5, and true is not 1.
Flag = Annotated[bool, Field(strict=True)]
Memory = Annotated[str, _checked(memory_bytes)]
Name = Annotated[str, AfterValidator(_name)]
Distance = Annotated[int, Field(strict=True, ge=bounds.WORDS.least, le=bounds.WORDS.most)]


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _language(tag: str) -> str:
    """Return the language of a text: its one tag, or "auto"."""
    try:
        found = languages(tag)
    except ConfigurationError as error:
        raise ValueError(str(error)) from None
    if len(found) > 1:
        raise ValueError(f"{tag!r} are several languages; a text is read in one")
    if found[0] != "auto" and len(found[0].partition("-")[0]) > 3:
        raise ValueError(f'{tag!r} is no tag of a language; give one such as "en" or "de"')
    return found[0]


def _chain(tags: object) -> object:
    """Return a list of languages as the chain that a single one is too."""
    if isinstance(tags, list | tuple) and all(isinstance(tag, str) for tag in tags):
        return ",".join(tags)
    return tags


def _annotator(name: str) -> str:
    if name not in ANNOTATORS:
        raise ValueError(f"annotator {name!r} is unknown; {choices(name, ANNOTATORS)}")
    return name


def _system_source(text: object) -> SystemSource:
    if not isinstance(text, str):
        raise ValueError('expected a string "NAME=FORMAT:PATH"')
    return SystemSource.parse(text)


class CorpusSettings(_Settings):
    """The corpus that the systems read: a file of sentences, or a collection of documents.

    Systems that give facts without sentences need none. Recall is then not estimated.
    """

    sentences: Path | None = None
    """File of sentences; give this or `collection`."""

    collection: Path | None = None
    """Documents to be [split into sentences](configuration.md#a-corpus-of-documents)."""

    format: str = ""
    """Of sentences `"lines"` (the default) or `"jsonl"` ([formats](formats.md)); of a collection
    `"auto"` (the default) or a [collection format](text.md#collections)."""

    select: tuple[str, ...] = ()
    """Patterns of the collection's files, such as `["AC/*"]`; by default all are read."""

    @model_validator(mode="before")
    @classmethod
    def _format_by_default(cls, content: Any) -> Any:
        if isinstance(content, dict) and not content.get("format"):
            return {**content, "format": "auto" if "collection" in content else "lines"}
        return content

    @model_validator(mode="after")
    def _one_of_two(self) -> "CorpusSettings":
        if (self.sentences is None) == (self.collection is None):
            raise ValueError("give either sentences or collection")
        if self.sentences is not None and self.select:
            raise ValueError("select is for a collection")
        known = SENTENCE_FORMATS if self.sentences is not None else ("auto", *COLLECTION_FORMATS)
        if self.format not in known:
            raise ValueError(f"format {self.format!r} is unknown; {choices(self.format, known)}")
        return self

    @property
    def path(self) -> Path:
        """Where the corpus is."""
        path = self.sentences or self.collection
        assert path is not None
        return path


class KnowledgeBaseSettings(_Settings):
    """The [knowledge base](knowledge-base.md), and the dumps to build it from."""

    path: Path
    """Folder of the knowledge base. It is built if it is missing or its sources have changed."""

    sources: tuple[Path, ...] = ()
    """Dumps to build it from."""

    format: KnowledgeBaseFormat = "auto"
    """Format of the dumps."""

    language: Annotated[str, BeforeValidator(_chain), _checked(languages)] = "en"
    """Language of the names, or [several](knowledge-base.md#names-in-several-languages), the first
    first: `["de", "en", "mul"]`."""

    mediators: Literal["collapse", "keep"] = "collapse"
    """Whether a nameless node between two entities becomes a fact of the two, or is kept."""

    redirects: tuple[Path, ...] = ()
    """Files of old and current ids."""

    identities: tuple[Path, ...] = ()
    """Files of ids that name the same thing."""

    only_entities_in: Path | None = None
    """Keep only [what a text can meet](knowledge-base.md#a-subset-for-one-corpus): a file of
    sentences or a collection, as a rule the corpus of the run."""

    memory: Memory = "2GB"
    """Memory for sorting and joining, from 1MB to 64TB; changes no figure."""

    allow_truncated: Flag = False
    """Accept a dump that was cut short."""


class IndexSettings(_Settings):
    """The [text index](text.md), and the collection to build it from."""

    path: Path
    """Folder of the index. It is built if it is missing or its collection has changed."""

    collection: Path | None = None
    """Documents to build it from."""

    format: str = "auto"
    """A [collection format](text.md#collections), or `"auto"`."""

    select: tuple[str, ...] = ()
    """Patterns of the collection's files, such as `["AA/*", "AB/*"]`; by default all are read."""

    memory: Memory = "512MB"
    """Memory for the positions that counting holds, from 1MB to 64TB: of each task on Spark, of
    all processes together on the local engine. Changes no figure."""

    @model_validator(mode="after")
    def _format_is_known(self) -> "IndexSettings":
        if self.format not in ("auto", *COLLECTION_FORMATS):
            known = choices(self.format, ("auto", *COLLECTION_FORMATS))
            raise ValueError(f"format {self.format!r} is unknown; {known}")
        return self


class LinkSettings(_Settings):
    """How an extraction becomes a fact about entities."""

    arguments: Literal["exact", "head", "contains"] = "head"
    """The mention that an argument is: one that equals it, one that is its head, or one that it
    contains."""

    scope: Literal["linked", "names", "phrases"] = "linked"
    """What can be an [element of a fact](method.md#what-is-an-element): entities of the knowledge
    base; also names that it lacks; also noun phrases."""

    negation: Literal["exclude", "keep"] = "exclude"
    """Whether negated extractions are left out, or become facts of S that the annotator leaves
    undefined."""

    unasserted: Literal["keep", "exclude"] = "keep"
    """Whether extractions count that their system marks as conditional, attributed or context
    (OLLIE, OpenIE, MinIE, Graphene)."""

    proper_only: Flag = True
    """Take only names with a capital letter or a digit."""

    context: Flag = True
    """Link an ambiguous name to the candidate that the knowledge base joins with other entities
    of the sentence; otherwise to the most popular one."""

    @field_validator("scope", mode="before")
    @classmethod
    def _all_is_phrases_now(cls, scope: object) -> object:
        if scope == "all":
            raise ValueError('"all" is no scope any more: "phrases" judges every noun phrase')
        return scope


class RelationSettings(_Settings):
    """Normal form of relations, and [further words](relation-words.md) that stand for one."""

    key: Literal["head", "all"] = "head"
    """A fact's relation: its head lemma, or all its content lemmas. Both are all its words where
    `wordnet` is not the shipped one."""

    # Left out where it is the default, so that runs made before there was a choice stand.
    wordnet: Literal["english", "none"] | Path = Field(
        default="english", exclude_if=lambda wordnet: wordnet == SHIPPED
    )
    """[What is known of words](configuration.md#other-languages): the shipped WordNet; a file of
    another language in the format of the Open Multilingual WordNet; or `"none"`, words as they
    stand."""

    widen: tuple[WordSource, ...] = ()
    """Sources of further words."""

    least: float = Field(default=Widening().least, strict=True, gt=0, le=1)
    """Least weight of a further word."""

    most: int = Field(
        default=Widening().most, strict=True, ge=bounds.TIMES.least, le=bounds.TIMES.most
    )
    """Most further words for a relation."""

    properties: Path | None = None
    """For the source `"properties"`: folder of the names of Wikidata's properties, such as
    `"${DISTVAL_DATA}/wikidata_properties"`."""

    @model_validator(mode="after")
    def _names_given(self) -> Self:
        if self.widen and self.wordnet != SHIPPED:
            raise ValueError(
                "widen takes further words from the shipped WordNet, and wordnet is another; leave "
                "one of them out"
            )
        try:
            _ = self.widening
        except ConfigurationError as error:
            raise ValueError(str(error)) from None
        return self

    @property
    def widening(self) -> Widening:
        """Which further words a relation has."""
        return Widening(self.widen, self.least, self.most, self.properties)


class SupersetSettings(_Settings):
    """The [candidate superset](method.md) G′."""

    direction: Literal["text", "both"] = "text"
    """Pairs of entities in the order of the text, or in both orders."""

    words: Literal["sentence", "between", "near"] = "sentence"
    """Relation words that may join a pair: all of the sentence, as in the paper; those between
    the two mentions; or those near them."""

    gap: Distance = GAP
    """For `"near"`: most words between the mentions, and most tokens before the first or after
    the second."""

    # Left out where it is the default, so that runs made before there were windows stand.
    window: int = Field(
        default=1,
        strict=True,
        ge=bounds.WINDOW.least,
        le=bounds.WINDOW.most,
        exclude_if=lambda window: window == 1,
    )
    """Sentences of a document within which the two entities of a fact may stand
    ([windows](method.md#windows)); at 1 both stand in one sentence."""

    @model_validator(mode="after")
    def _words_of_windows(self) -> Self:
        if self.window > 1 and self.words != "sentence":
            raise ValueError(
                f"window = {self.window} takes all relation words of two sentences, and words = "
                f'"{self.words}" only some of one: set words = "sentence", or window = 1'
            )
        return self

    @property
    def in_sentence(self) -> dict[str, Any]:
        """How one sentence gives candidates, as ``candidate_superset`` takes it."""
        return self.model_dump(exclude={"window"})


class MatchSettings(_Settings):
    """When a relation of the knowledge base says the same as a fact's relation."""

    # Of different words few are as similar as 10; at 1,000 only identical ones are.
    threshold: float = Field(default=0.4, strict=True, gt=0, le=1_000)
    """Least Jiang–Conrath similarity of a match."""

    direction: Literal["forward", "both"] = "both"
    """Compare relations from e1 to e2 only, or those from e2 to e1 as well; the latter are
    flagged."""

    ic: Path | None = None
    """File of information content, `ic-*.dat`; by default from WordNet's tagged texts."""

    derivations: Flag = True
    """Give a word the senses that WordNet derives from its own as well (born, birth)."""

    sense_share: float = Field(default=0.1, strict=True, ge=0, lt=1)
    """Leave out senses below this share of a word's tagged occurrences."""

    parts_of_speech: Flag = True
    """Take words of a relation's name in the part of speech that they have there."""

    aliases: Flag = False
    """Compare a relation's other names as well; `true` where `relation.wordnet` is `"none"`, unless
    you say otherwise."""

    def measure(self, lexicon: Lexicon = ENGLISH) -> Measure:
        """Return the similarity measure that these settings describe."""
        return lexicon.measure(
            ic=self.ic, derivations=self.derivations, sense_share=self.sense_share
        )

    def words(self, relation: Relation, lexicon: Lexicon = ENGLISH) -> tuple[str, ...]:
        """Return the words of a relation of the knowledge base that a fact's are compared with."""
        if not lexicon.is_shipped:
            names = (relation.label, *(relation.aliases if self.aliases else ()))
            return lexicon.compared_names(relation_words(tokens(name), lexicon) for name in names)
        words = relation.words
        if self.aliases:
            words += tuple(w for alias in relation.aliases for w in relation_name_words(alias))
        if not self.parts_of_speech:
            words = tuple(word.partition(".")[0] for word in words)
        return tuple(dict.fromkeys(words))

    @property
    def content_name(self) -> str:
        """Where the information content is from, as signatures name it."""
        return "semcor" if self.ic is None else f"{self.ic.name}.{content_digest(self.ic)[:8]}"

    def measure_name(self, lexicon: Lexicon = ENGLISH) -> str:
        """Return the similarity measure as signatures name it: whatever changes a score."""
        parts = ["equal-words"] if lexicon.source == NONE else ["jcn", self.content_name]
        if isinstance(lexicon.source, Path):
            parts.append(f"{lexicon.source.name}.{content_digest(lexicon.source)[:8]}")
        if lexicon.is_shipped and self.derivations:
            parts.append("derivations")
        if lexicon.is_shipped and self.sense_share:
            parts.append(f"sense-share{self.sense_share:g}")
        if lexicon.is_shipped and self.parts_of_speech:
            parts.append("pos")
        if self.aliases:
            parts.append("aliases")
        return "-".join(parts)


# In one order: another says the same.
NameVariants = Annotated[
    tuple[NameVariant, ...],
    AfterValidator(lambda kinds: tuple(kind for kind in NAME_VARIANTS if kind in kinds)),
]


class PmiSettings(_Settings):
    """How hits are counted in the text, and the threshold t of PMI."""

    variant: Variant = "proximity"
    """The query whose hits PMI takes."""

    smoothing: Smoothing = "none"
    """What small counts are worth: PMI as counted, shrunken, or the lower end of its interval."""

    x: Distance = 4
    """X of PROXIMITY: most words between e1 and r, and between r and e2."""

    reach: Distance = REACH
    """Distance of ANCHORED: most words between r and e2
    ([measured](annotators.md#kept-back): 16 does as well)."""

    threshold: float = Field(default=0.1, strict=True, gt=0, le=1)
    """t: least PMI of a fact that `"pmi"` and `"anchored"` accept."""

    ordered: Flag = False
    """Count e1 before r before e2 only."""

    denominator: Literal["and", "near"] = "and"
    """Documents that PMI divides by: those that hold both entities, or hold them near each
    other."""

    names: NameVariants = ()
    """[Variants of names](text.md#variants-of-names) that stand for an entity beside its names."""

    @model_validator(mode="after")
    def _near_is_for_proximity(self) -> "PmiSettings":
        if self.variant == "classic" and self.denominator == "near":
            raise ValueError('denominator "near" is for PROXIMITY; CLASSIC could exceed 1')
        return self

    @property
    def counting(self) -> dict[str, Any]:
        """What hit counts depend on, as :meth:`indexes.text.index.TextIndex.hits` takes it."""
        return self.model_dump(include={"x", "reach", "ordered", "denominator"})


class UrnsSettings(_Settings):
    """The annotator `"urns"`."""

    threshold: float = Field(default=0.5, strict=True, gt=0, lt=1)
    """Least probability of a fact that it accepts."""


class DistantSettings(_Settings):
    """The annotator `"distant"`."""

    threshold: float | None = Field(default=None, strict=True, gt=0, lt=1)
    """Least probability of a fact that it accepts; by default it chooses one as it learns."""


class CalibratedSettings(_Settings):
    """The annotator `"calibrated"`."""

    model: Path | None = None
    """The model, which `distval tune --save` wrote."""

    threshold: float | None = Field(default=None, strict=True, gt=0, lt=1)
    """Least probability of a fact that it accepts; by default the model's."""


class ExternalSettings(_Settings):
    """The annotator `"external"`: [judges from outside](judges.md).

    `"calibrated"` is trained on their answers too.
    """

    judges: tuple[
        Annotated[
            JudgeSource,
            BeforeValidator(JudgeSource.parse),
            PlainSerializer(str, return_type=str),
        ],
        ...,
    ] = ()
    """Files of answers, each `"NAME=FILE"`, or `"NAME=FILE#JUDGE"` where the file has several
    judges."""

    use: str = MAJORITY
    """The judge that counts, `"majority"` or `"mean"`. `annotator = "external:NAME"` says the
    same."""

    threshold: float = Field(default=0.5, strict=True, gt=0, le=1)
    """Least share or probability of a fact that is accepted."""

    @property
    def digests(self) -> dict[str, str]:
        """How a signature names the answers of each judge: by its name and the file's content."""
        return {
            judge.name: f"{judge.name}.{content_digest(judge.path)[:8]}"
            + (f"#{judge.judge}" if judge.judge else "")
            for judge in self.judges
        }

    @model_validator(mode="after")
    def _judges_are_known(self) -> "ExternalSettings":
        names = [judge.name for judge in self.judges]
        if len(set(names)) < len(names):
            raise ValueError("two judges have the same name")
        if of := next((name for name in names if name in TOGETHER), None):
            raise ValueError(f"{of} is no name for a judge: it says how several become one")
        if self.use not in (*names, *TOGETHER):
            known = ", ".join((*names, *TOGETHER))
            raise ValueError(f"use = {self.use!r}: no such judge; there are {known}")
        return self


# A sample of "all" is a number that no population exceeds.
_ALL = bounds.SAMPLE.most
SampleSize = Annotated[
    int,
    Field(strict=True, ge=bounds.SAMPLE.least, le=_ALL),
    BeforeValidator(lambda size: _ALL if size == "all" else size),
    PlainSerializer(lambda size: "all" if size == _ALL else size, return_type=int | str),
]


class Sampling(_Settings):
    """Samples of the facts that the text judges; by default of the paper's sizes.

    `"all"` samples nothing, and neither does a number above that of the facts.
    """

    seed: int = Field(default=2012, strict=True, ge=bounds.SEED.least, le=bounds.SEED.most)
    """Seed of the samples and of the intervals."""

    system: SampleSize = 10_000
    """Most facts judged of each system, or `"all"`."""

    candidates: SampleSize = 40_000
    """Most facts judged of the candidate superset, or `"all"`."""


class Estimation(_Settings):
    """The estimator and its intervals."""

    method: Literal["census", "paper"] = "census"
    """The [estimator](method.md#estimation)."""

    level: float = Field(default=0.95, strict=True, ge=bounds.LEVEL.least, le=bounds.LEVEL.most)
    """Level of the intervals."""

    draws: int = Field(default=10_000, strict=True, ge=bounds.DRAWS.least, le=bounds.DRAWS.most)
    """Posterior draws; a million take about a gigabyte."""


class LabelsSettings(_Settings):
    """[People's labels](labels.md)."""

    path: Path | None = None
    """A label folder, which `distval label draw` made; `--labels` sets it."""

    raters: Literal["auto", "model", "majority", "adjudicated", "dawid-skene"] = "auto"
    """How the answers of [several raters](labels.md#raters-who-err) become one. `"model"` puts
    their errors into the intervals; `"auto"` is that where the answers allow it, else
    `"majority"`."""

    estimator: str = next(iter(WITH_LABELS))
    """The [estimator with labels](labels.md#estimators)."""

    @model_validator(mode="after")
    def _estimator_is_known(self) -> "LabelsSettings":
        if self.estimator not in WITH_LABELS:
            known = choices(self.estimator, WITH_LABELS)
            raise ValueError(f"estimator {self.estimator!r} is unknown; {known}")
        return self


class LocalSettings(_Settings):
    """The engine of one machine; nothing here changes a figure."""

    memory: Memory = "2GB"
    """Memory of DuckDB, from 1MB to 64TB; what does not fit goes to disk."""

    workers: int | None = Field(
        default=None, strict=True, ge=bounds.PROCESSES.least, le=bounds.PROCESSES.most
    )
    """Processes that work on records; by default one for each core."""


class SparkSettings(_Settings):
    """Where [Spark](cluster.md) runs; nothing here changes a figure."""

    master: Annotated[str, _checked(known_master)] | None = None
    """Master URL: `local`, `local[N]`, `local[*]`, `spark://HOST:PORT` (or several, with commas),
    `yarn` or `k8s://HOST:PORT`. A `spark://` master that does not answer within 20 seconds ends
    the run. By default Spark takes all cores of this machine."""

    partitions: int | None = Field(
        default=None, strict=True, ge=bounds.PARTITIONS.least, le=bounds.PARTITIONS.most
    )
    """Parts that tables are cut into; by default Spark's."""

    storage: Annotated[str, _checked(storage_url)] | None = None
    """[Storage](cluster.md#storage) for a cluster whose nodes do not reach the run directory, the
    knowledge base and the index: a URL (`hdfs://HOST/FOLDER`, `s3a://BUCKET/FOLDER`) or an absolute
    path. By default all nodes reach all paths."""

    settings: Annotated[dict[str, str], _checked(check_settings)] = {}
    """Any settings of Spark. Bounds: `spark.driver.memory` 512m to 64t, `spark.executor.memory`
    512m to 64t, `spark.executor.pyspark.memory` 3072m to 64t."""


class Configuration(_Settings):
    """A whole run, as its TOML file gives it; relative paths are resolved."""

    name: Name
    """Name of the run, in report and signature."""

    run: Path
    """Run directory: stages, `result.json`, `report.html`."""

    corpus: CorpusSettings | None = None
    systems: tuple[
        Annotated[
            SystemSource, BeforeValidator(_system_source), PlainSerializer(str, return_type=str)
        ],
        ...,
    ]
    """Systems, each `"NAME=FORMAT:PATH"` ([formats](formats.md)) or
    [a baseline](configuration.md#baselines), `"NAME=baseline:between"`. A file's own keys stand
    after the format: `"NAME=json(subject=who,relation=does):PATH"`."""

    kb: KnowledgeBaseSettings
    index: IndexSettings
    language: Annotated[str, AfterValidator(_language)] = "auto"
    """Language of corpus and collection: `"auto"` refuses what is
    [not in English](configuration.md#other-languages), `"en"` takes it for English unread; another,
    such as `"de"`, needs `relation.wordnet`."""

    truth: Path | None = None
    """Known truth of a made corpus: a table `e1 r e2` of entity ids and relation keys."""

    link: LinkSettings = LinkSettings()
    relation: RelationSettings = RelationSettings()
    superset: SupersetSettings = SupersetSettings()
    match: MatchSettings = MatchSettings()
    annotator: Annotated[str, AfterValidator(_annotator)] = next(iter(ANNOTATORS))
    """What judges by the text ([annotators](annotators.md)): `"pmi"`, `"anchored"`, `"urns"`,
    `"distant"`, `"calibrated"`, `"external"`, or one that was added."""

    pmi: PmiSettings = PmiSettings()
    urns: UrnsSettings = UrnsSettings()
    distant: DistantSettings = DistantSettings()
    calibrated: CalibratedSettings = CalibratedSettings()
    external: ExternalSettings = ExternalSettings()
    parameters: dict[str, bool | int | FiniteFloat | str] = {}
    """Keyword arguments of an annotator that was [added](python.md#adding-one-of-your-own)."""

    sample: Sampling = Sampling()
    estimate: Estimation = Estimation()
    labels: LabelsSettings = LabelsSettings()
    engine: Literal["auto", "local", "spark"] = "auto"
    """[What runs the job](configuration.md#engines); `--engine` sets it. Changes no figure."""

    part_rows: int = Field(
        default=50_000, strict=True, ge=bounds.PART_ROWS.least, le=bounds.PART_ROWS.most
    )
    """Rows of a [part of a long stage](configuration.md#after-a-failure), which is kept once it is
    finished. Changes no figure."""

    local: LocalSettings = LocalSettings()
    spark: SparkSettings = SparkSettings()

    @model_validator(mode="before")
    @classmethod
    def _annotator_names_a_judge(cls, content: Any) -> Any:
        """Take "external:gemma" for the annotator external with ``use = "gemma"``."""
        named = content.get("annotator") if isinstance(content, dict) else None
        if not isinstance(named, str) or not named.startswith(f"{EXTERNAL}:"):
            return content
        external = content.get(EXTERNAL, {})
        if not isinstance(external, dict):
            return content
        use = named.partition(":")[2]
        return {**content, "annotator": EXTERNAL, EXTERNAL: {**external, "use": use}}

    @model_validator(mode="before")
    @classmethod
    def _names_tell_where_no_wordnet_does(cls, content: Any) -> Any:
        """Compare all names of a relation where words alone are compared."""
        relation, match = (
            ({}, {})
            if not isinstance(content, dict)
            else (content.get(name, {}) for name in ("relation", "match"))
        )
        if not (isinstance(relation, dict) and isinstance(match, dict)):
            return content
        if relation.get("wordnet") != NONE or "aliases" in match:
            return content
        return {**content, "match": {**match, "aliases": True}}

    @model_validator(mode="after")
    def _words_are_of_the_language(self) -> "Configuration":
        wordnet, english = self.relation.wordnet, self.is_english
        named = languages(self.kb.language)
        if self.language == "auto" and not any(tag[:2] == "en" or tag == "mul" for tag in named):
            raise ValueError(
                f'kb.language = "{self.kb.language}" and no language of the text: set language = '
                f'"{named[0]}" with relation.wordnet, or language = "en" if the text is English'
            )
        if not english and wordnet == SHIPPED:
            raise ValueError(
                f'language = "{self.language}": the shipped WordNet is English; set '
                'relation.wordnet = "none", or to a WordNet of that language in the format of the '
                "Open Multilingual WordNet"
            )
        if english and isinstance(wordnet, Path):
            raise ValueError(
                f"relation.wordnet is {wordnet}, and the text English: say the language of both, "
                'as language = "de", or leave it out'
            )
        if wordnet == NONE and self.match.ic is not None:
            raise ValueError(
                'match.ic is for a WordNet, and relation.wordnet is "none"; leave one of them out'
            )
        return self

    @model_validator(mode="after")
    def _systems_have_names(self) -> "Configuration":
        names = [source.name for source in self.systems]
        if not names:
            raise ValueError("name at least one system")
        if len(set(names)) < len(names):
            raise ValueError("two systems have the same name")
        for path in (self.run, self.kb.path, self.index.path):
            try:
                check_plain(path)
            except InputError as error:
                raise ValueError(str(error)) from None
        return self

    @model_validator(mode="after")
    def _what_is_written_is_not_read(self) -> "Configuration":
        """Keep the folders that a run writes apart, and out of the collections that it reads."""
        written = {"run": self.run, "kb.path": self.kb.path, "index.path": self.index.path}
        places = {name: os.path.realpath(path) for name, path in written.items()}
        for one, other in combinations(places, 2):
            if places[one] == places[other]:
                raise ValueError(f"{one} and {other} are one folder, {written[one]}; use two")
        for inner, outer in permutations(places, 2):
            if outer != "run" and _is_inside(places[inner], places[outer]):
                raise ValueError(f"{inner} is inside {outer}, {written[outer]}; put it elsewhere")
        for name, path in self._inputs:
            if _is_inside(os.path.realpath(path), places["run"]):
                raise ValueError(
                    f"run, {self.run}, holds {name}, {path}; give the run a folder of its own"
                )
        read = [
            ("index.collection", self.index.collection, self.index.select),
            *(("kb.sources", source, ()) for source in self.kb.sources),
        ]
        if self.corpus is not None:
            read.append(("corpus.collection", self.corpus.collection, self.corpus.select))
        for name, collection, select in read:
            if collection is None:
                continue
            for what, place in places.items():
                if _selected(place, os.path.realpath(collection), select):
                    raise ValueError(
                        f"{what} is inside {name}, {collection}: its files would be read "
                        "too; put it elsewhere, or name others in select"
                    )
        return self

    @model_validator(mode="after")
    def _systems_are_of_one_kind(self) -> "Configuration":
        facts = [source.name for source in self.systems if source.kind == "facts"]
        others = [source.name for source in self.systems if source.kind != "facts"]
        if facts and others:
            raise ValueError(
                f"{', '.join(facts)}: facts without sentences, {', '.join(others)}: extractions; "
                "evaluate them in two runs"
            )
        if others and self.corpus is None:
            raise ValueError(
                f"{', '.join(others)}: extractions need the sentences that they come from; "
                "name them in [corpus]"
            )
        return self

    @model_validator(mode="after")
    def _annotator_has_what_it_needs(self) -> "Configuration":
        section, needs = (kind := ANNOTATORS[self.annotator]).section, kind.needs
        if self.parameters and section != "parameters":
            raise ValueError(f"the settings of the annotator {self.annotator} are in [{section}]")
        if kind.judges and not self.external.judges:
            raise ValueError(
                f'annotator "{self.annotator}" needs external.judges: files of answers, as '
                '["gemma=answers.jsonl"]'
            )
        for key, what in needs.items():
            if self.annotator_settings.get(key) is None:
                raise ValueError(f'annotator "{self.annotator}" needs {section}.{key}: {what}')
        return self

    @property
    def annotator_settings(self) -> dict[str, Any]:
        """The section of the annotator."""
        section = getattr(self, ANNOTATORS[self.annotator].section)
        return dict(section)  # of a model, too, the values as they are

    @property
    def is_english(self) -> bool:
        """Whether corpus and collection are taken for English, of whatever country."""
        return self.language.partition("-")[0] in ("auto", "en")

    @property
    def lexicon(self) -> Lexicon:
        """What is known of the words of relations."""
        return Lexicon(self.relation.wordnet, english=self.is_english)

    @property
    def lexicon_digest(self) -> list[object]:
        """What stages depend on for it; nothing of the shipped one."""
        source, english = self.lexicon.source, self.lexicon.english
        if source == SHIPPED:
            return []
        return [source if isinstance(source, str) else content_digest(source), english]

    @property
    def measure_name(self) -> str:
        """The similarity measure as signatures name it."""
        return self.match.measure_name(self.lexicon)

    @property
    def drawing(self) -> Drawing:
        """How the intervals of the run are drawn."""
        settings = self.estimate
        return Drawing(level=settings.level, draws=settings.draws, seed=self.sample.seed)

    @property
    def gives_facts(self) -> bool:
        """Whether the systems give facts without sentences instead of extractions."""
        return self.systems[0].kind == "facts"

    @property
    def _inputs(self) -> Iterator[tuple[str, Path]]:
        """Yield what a run reads and no command of distval puts into a run directory."""
        for source in self.files:
            yield f"system {source.name}", source.path
        if self.corpus is not None:
            yield "the corpus", self.corpus.path
        for judge in self.external.judges:
            yield f"judge {judge.name}", judge.path
        for path in (*self.kb.sources, *self.kb.redirects, *self.kb.identities):
            yield "a source of the knowledge base", path
        if self.index.collection is not None:
            yield "index.collection", self.index.collection

    @property
    def files(self) -> tuple[SystemSource, ...]:
        """The systems whose output is read."""
        return tuple(source for source in self.systems if source.baseline is None)

    @property
    def baselines(self) -> dict[str, Baseline]:
        """The systems that are baselines, by their names."""
        named = {source.name: source.baseline for source in self.systems}
        return {name: baseline for name, baseline in named.items() if baseline is not None}

    @classmethod
    def load(cls, path: Path, *, overrides: Iterable[str] = ()) -> "Configuration":
        """Read a configuration from a TOML file.

        Parameters
        ----------
        path
            The file.
        overrides
            Settings that replace the file's, as ``section.key=value`` (a TOML value, or a string);
            a path is relative to the current folder.

        Raises
        ------
        InputError
            Where the file is missing or is not TOML.
        ConfigurationError
            Where a key is unknown or a value out of range: one line that names them all.
        """
        try:
            content = tomllib.loads(read_text(path))
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8 text; save it as UTF-8"
            raise InputError(path, f"cannot read this configuration: {reason}") from None
        except (ValueError, RecursionError) as error:  # a number of thousands of digits is another
            raise InputError(path, f"not a TOML file: {error}") from None
        for override in overrides:
            _override(content, override)
        try:
            return cls.model_validate(_resolve_paths(content, path.absolute().parent))
        except ValidationError as error:
            raise ConfigurationError(f"{path}: {_explain(error)}") from None
        except ValueError as error:  # of a path
            raise ConfigurationError(f"{path}: {error}") from None

    @classmethod
    def of_run(cls, run: Path) -> "Configuration":
        """Return the settings of the last run in a run directory.

        Raises
        ------
        InputError
            Where it is no run directory, or its settings are of another version.
        """
        path = run / CONFIGURATION
        if not path.is_file():
            raise InputError(run, "no finished run is here; run distval run CONF first")
        try:
            return cls.model_validate_json(read_bytes(path))
        except (OSError, ValidationError):
            raise InputError(
                path, "holds no settings of this version; run distval run CONF again"
            ) from None

    @property
    def reads(self) -> tuple[Path, ...]:
        """The files and folders that the settings name, but for the run's own and a model's.

        A model is what labels made: ``distval tune --save`` may make it anew.
        """
        outputs = {"run", "model"}

        def paths(content: Mapping[str, object]) -> Iterator[Path]:
            for key, value in content.items():
                if isinstance(value, dict):
                    yield from paths(value)
                elif key not in outputs:
                    found = value if isinstance(value, tuple) else (value,)
                    yield from (path for path in found if isinstance(path, Path))

        systems = (source.path for source in self.files)
        judges = (source.path for source in self.external.judges)
        return (*paths(self.model_dump(exclude={"systems", "external"})), *systems, *judges)

    def flat(self) -> dict[str, object]:
        """Return every setting that can change a figure as ``section.key``: value."""
        sections = ["link", "relation", "superset", "match", "pmi", "sample", "estimate"]
        section = ANNOTATORS[self.annotator].section
        if section not in (*sections, "parameters"):
            sections.append(section)
        if self.external.judges and EXTERNAL not in sections:
            sections.append(EXTERNAL)
        settings: dict[str, object] = {"annotator": self.annotator}
        settings |= {
            f"{section}.{key}": value
            for section in sections
            for key, value in getattr(self, section).model_dump(mode="json").items()
        }
        settings |= {f"parameters.{key}": value for key, value in self.parameters.items()}
        if self.labels.path is not None:
            settings |= {
                f"labels.{key}": value
                for key, value in self.labels.model_dump(mode="json", exclude={"path"}).items()
            }
        # A file is named by its content: where it lies changes nothing.
        settings |= {
            f"{section}.{key}": content_digest(value)[:8]
            for key, value in self.annotator_settings.items()
            if isinstance(value, Path)
        }
        names = self.relation.properties
        settings["relation.properties"] = names and content_digest(names)[:8]
        if EXTERNAL in sections:
            settings["external.judges"] = list(self.external.digests.values())
        if isinstance(self.relation.wordnet, Path):
            settings["relation.wordnet"] = content_digest(self.relation.wordnet)[:8]
        if self.relation.wordnet != SHIPPED:
            settings["language"] = "en" if self.is_english else self.language
        return settings | {"match.ic": self.match.content_name}


# Which settings are paths is the model's to know; here they only have to be found by place.
_PATHS = {
    "run", "truth", "sentences", "path", "collection", "sources", "redirects", "identities", "ic",
    "model", "properties", "only_entities_in",
}  # fmt: skip


_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def _is_path(key: str, value: object) -> bool:
    return key in _PATHS or (key == "wordnet" and value not in (SHIPPED, NONE))


def _filled_in(path: str, where: str) -> str:
    """Return a path with the folder of public data in it.

    "~" is the home folder. A URL, or another variable, would be taken for a folder of that name: it
    is refused.
    """
    try:
        _name(path)
    except ValueError as error:
        raise ValueError(f"{where}: the path {error}") from None
    if url := _URL.match(path):
        remedy = (
            f"name {path.removeprefix(url[0])}"
            if url[0] == "file://"
            else "name one of this machine, and spark.storage brings what is there to a cluster"
        )
        raise ValueError(f"{where}: {path} is a URL, and paths alone are read: {remedy}")
    filled = path.replace("${DISTVAL_DATA}", str(data_folder()))
    if filled.startswith("~"):
        try:
            filled = str(expanded(filled))
        except ConfigurationError as error:
            raise ValueError(f"{where}: {error}") from None
    if variable := re.search(r"\$\{\w+\}|^\$\w+(?=/|$)", filled):
        problem = "is not filled in, only ${DISTVAL_DATA} is; write the path out"
        raise ValueError(f"{where}: {variable[0]} {problem}")
    return filled


def _resolve_paths(content: dict[str, Any], folder: Path, *, section: str = "") -> dict[str, Any]:
    """Return `content` with its paths made absolute, and those inside ``NAME=FORMAT:PATH``."""

    def resolve(text: object, key: str) -> object:
        if not isinstance(text, str):
            return text
        # normpath, not resolve: a link in a path is the user's to keep.
        return os.path.normpath(folder / _filled_in(text, f"{section}{key}"))

    def resolve_system(text: object) -> object:
        if not isinstance(text, str):
            return text
        before, path = split_source(text)
        is_path = path and before.partition("=")[2].strip(" :") != BASELINE
        return f"{before}{resolve(path, 'systems')}" if is_path else text

    def resolve_judge(text: object) -> object:
        if not isinstance(text, str):
            return text
        name, equals, rest = text.partition("=")
        return f"{name}{equals}{resolve(rest, 'judges')}" if rest else text

    resolved: dict[str, Any] = {}
    for key, value in content.items():
        if isinstance(value, dict):
            resolved[key] = _resolve_paths(value, folder, section=f"{key}.")
        elif key == "systems" and isinstance(value, list):
            resolved[key] = [resolve_system(text) for text in value]
        elif key == "judges" and isinstance(value, list):
            resolved[key] = [resolve_judge(text) for text in value]
        elif _is_path(key, value):
            resolved[key] = (
                [resolve(v, key) for v in value] if isinstance(value, list) else resolve(value, key)
            )
        else:
            resolved[key] = value
    return resolved


def _is_inside(place: str, folder: str) -> bool:
    """Return whether a real path is below a folder, itself a real path."""
    return place.startswith(folder.rstrip(os.sep) + os.sep)


def _selected(place: str, collection: str, select: Iterable[str]) -> bool:
    """Return whether a collection reads, or may read, the files of a folder.

    Patterns are told apart by how they begin: what stands before their first ``*``, ``?`` or ``[``.
    """
    if place == collection:
        return True
    if not _is_inside(place, collection):
        return False
    inside = Path(os.path.relpath(place, collection)).as_posix() + "/"
    begins = [re.split(r"[*?\[]", pattern, maxsplit=1)[0] for pattern in select]
    return not begins or any(b.startswith(inside) or inside.startswith(b) for b in begins)


def _override(content: dict[str, Any], override: str) -> None:
    """Set one ``section.key=value`` in the content of a configuration."""
    key, equals, text = override.partition("=")
    if not equals or not key:
        raise ConfigurationError(f"--set {override}: expected section.key=value")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        value = text
    *sections, last = key.split(".")
    if value:
        try:  # typed in a shell: paths are relative to where they were typed
            resolved = _resolve_paths(
                {last: value},
                Path.cwd(),
                section="".join(["--set ", *(f"{one}." for one in sections)]),
            )
        except ValueError as error:
            raise ConfigurationError(str(error)) from None
        value = resolved[last]
    for section in sections:
        content = content.setdefault(section, {})
        if not isinstance(content, dict):
            raise ConfigurationError(f"--set {override}: {section} is not a section")
    content[last] = value


# In the words of a configuration, for what Pydantic calls a model and a tuple.
_EXPECTED = {"model_type": "a section", "dict_type": "a section", "tuple_type": "a list"}


def _explain(error: ValidationError) -> str:
    """Return what is wrong with a configuration in one line."""
    problems = []
    for problem in error.errors():
        where = ".".join(str(part) for part in problem["loc"]) or "configuration"
        cause = problem.get("ctx", {}).get("error")
        if problem["type"] == "extra_forbidden":
            known = choices(str(problem["loc"][-1]), _known_keys(problem["loc"][:-1]))
            problems.append(f"unknown key {where}; {known}")
        elif isinstance(cause, DistvalError):
            problems.append(f"{where}: {cause}")
        elif problem["type"] in _EXPECTED:
            problems.append(f"{where}: expected {_EXPECTED[problem['type']]}")
        else:
            message = problem["msg"].removeprefix("Value error, ")
            problems.append(f"{where}: {message[:1].lower()}{message[1:]}")
    return "; ".join(problems)


def _known_keys(sections: Iterable[int | str]) -> list[str]:
    """Return the keys that a section of the configuration may hold."""
    model: Any = Configuration
    for section in sections:
        annotation = model.model_fields[section].annotation
        model = next(iter(get_args(annotation)), annotation)  # without its "| None"
    return list(model.model_fields)
