"""What a judge is asked about a fact: a template with the fact, its sentence and snippets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from evaluator.annotators.items import digest_of
from evaluator.errors import ConfigurationError, InputError
from evaluator.inputs import read_text
from evaluator.judges.judgements import JudgeQuestion
from evaluator.model import Item

SNIPPETS = 5
"""How many snippets a judge is shown at most."""

# A template of one's own may hold the braces of JSON: these alone are places.
_PLACE = re.compile(r"\{(fact|sentence|snippets)\}")
_NONE = "(none)"

_WORLD = """\
Is this fact true in the world?

Fact (subject | relation | object): {fact}
The sentence that it is from: {sentence}
Passages in which its words stand. They may be wrong, or about something else:
{snippets}

Read the fact from the subject over the relation to the object. The relation may be shortened to its
head word; the sentence shows what it means. Use the passages and what you know. The sentence may be
wrong, or may not state the fact. A fact that has no clear meaning is not true.
Answer with nothing but {"output": "yes"} if the fact is true, or {"output": "no"} if it is not.
"""
_SENTENCE = """\
Does this sentence state this fact?

Sentence: {sentence}
Fact (subject | relation | object): {fact}

Read the fact from the subject over the relation to the object. The relation may be shortened to its
head word. Look at the sentence alone: whether the fact is true does not matter. What the sentence
denies, asks, or reports as a possibility, it does not state.
Answer with nothing but {"output": "yes"} if the sentence states the fact, or {"output": "no"} if it
does not.
"""
_TEMPLATES: dict[JudgeQuestion, str] = {"world": _WORLD, "sentence": _SENTENCE}


class Passage(NamedTuple):
    """An excerpt of a document: its identifier, title and text."""

    document: str
    title: str
    text: str


class FactInWords(NamedTuple):
    """A fact as a judge is shown it.

    Attributes
    ----------
    item
        The fact as the run has it: identifiers and the relation's normal form.
    words
        Its parts in words.
    sentence
        The sentence that it is from; empty where there is none.
    passages
        Where it stands in the text collection, the closest first.
    """

    item: Item
    words: Item
    sentence: str
    passages: Sequence[Passage] = ()


class JudgePrompt(NamedTuple):
    """What is asked about one fact.

    Attributes
    ----------
    item
        The fact as the run has it.
    text
        What the judge reads.
    documents
        Identifiers of the documents that it is shown.
    """

    item: Item
    text: str
    documents: tuple[str, ...]

    @property
    def id(self) -> str:
        """The fact's digest, by which the run knows the answer again."""
        return digest_of(self.item)


@dataclass(frozen=True)
class PromptTemplate:
    """A text with the places ``{fact}``, ``{sentence}`` and ``{snippets}``.

    Attributes
    ----------
    question
        Which of the two questions it asks.
    text
        The template.

    Raises
    ------
    ConfigurationError
        If no ``{fact}`` is in it, or, where the question is of a sentence, no ``{sentence}``.
    """

    question: JudgeQuestion
    text: str

    def __post_init__(self) -> None:
        needed = ("fact", "sentence") if self.question == "sentence" else ("fact",)
        if missing := [f"{{{name}}}" for name in needed if name not in self.places]:
            raise ConfigurationError(
                f"the prompt has no place {' and '.join(missing)}; it knows {{fact}}, {{sentence}} "
                "and {snippets}"
            )

    @classmethod
    def of(cls, question: JudgeQuestion, path: Path | None = None) -> "PromptTemplate":
        """Return our own template for a question, or the one in a file.

        Raises
        ------
        InputError
            If the file cannot be read.
        ConfigurationError
            If it lacks a place.
        """
        if path is None:
            return cls(question, _TEMPLATES[question])
        try:
            return cls(question, read_text(path, encoding="utf-8-sig"))
        except UnicodeDecodeError:
            raise InputError(path, "not UTF-8 text; save it as such") from None
        except ConfigurationError as error:
            raise ConfigurationError(f"{path}: {error}") from None
        except OSError as error:
            raise InputError(path, f"cannot be read ({error.strerror or error})") from None

    @cached_property
    def places(self) -> frozenset[str]:
        """The names of the places that are in it."""
        return frozenset(_PLACE.findall(self.text))

    @property
    def digest(self) -> str:
        """16 hexadecimal digits: of the text, and of how many snippets stand in it."""
        told = f"{SNIPPETS if 'snippets' in self.places else 0}\n{self.text}"
        return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    def about(self, fact: FactInWords) -> JudgePrompt:
        """Return the prompt about a fact."""
        told = {
            "fact": " | ".join(map(_one_line, fact.words)),
            "sentence": _one_line(fact.sentence) or _NONE,
            "snippets": "\n".join(map(_shown, fact.passages)) or _NONE,
        }
        # In one pass: what a snippet holds is no place.
        text = _PLACE.sub(lambda place: told[place[1]], self.text)
        shown = fact.passages if "snippets" in self.places else ()
        return JudgePrompt(fact.item, text, tuple(passage.document for passage in shown))


def _shown(passage: Passage) -> str:
    title = f"{_one_line(passage.title)}: " if passage.title else ""
    return f"[{_one_line(passage.document)}] {title}{_one_line(passage.text)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
