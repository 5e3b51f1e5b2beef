"""What is asked of a fact, and what is shown of it: the same in every sheet and labelling tool."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from evaluator.labels.label import LINK_WRONG, SKIP
from evaluator.marked_text import marked_parts
from evaluator.wordings import NO_RELATION_WORD

type ElementSpan = tuple[int, int, str]
"""Characters of a sentence, from the first to behind the last, and what they are of the fact."""

ELEMENTS: Final[Mapping[str, str]] = {
    "e1": "first argument",
    "r": "relation",
    "e2": "second argument",
}


class Question(NamedTuple):
    """One fact as a rater sees it: no verdict and no stratum, so that raters stay blind.

    Attributes
    ----------
    id
        16 hexadecimal digits, a digest of the fact.
    e1, r, e2
        Identifiers and relation key, as in the run; "not " before the key of a negated fact.
    name1, name2
        What the entities are called.
    sentence, document
        Where the fact is from; empty where facts are given without sentences.
    spans
        Where its elements (:data:`ELEMENTS`) stand in the sentence, in text order; without r where
        r stands nowhere, and empty where it is not known.
    extracted
        How systems wrote the fact; empty where none did.
    about1, about2
        What the knowledge base knows of the entities, each with a page about it.
    """

    id: str
    e1: str
    r: str
    e2: str
    name1: str
    name2: str
    sentence: str
    document: str
    spans: tuple[ElementSpan, ...] = ()
    extracted: str = ""
    about1: str = ""
    about2: str = ""

    @property
    def statement(self) -> str:
        """The fact in one line."""
        return " — ".join((self.name1, self.r or NO_RELATION_WORD, self.name2))

    @property
    def details(self) -> str:
        """What is known beside the sentence, a line for each; empty where nothing is."""
        lines = (
            ("as extracted", self.extracted),
            (self.name1, self.about1),
            (self.name2, self.about2),
        )
        return "\n".join(f"{name}: {told}" for name, told in lines if told)

    def marked(
        self, mark: Callable[[str, str], str], plain: Callable[[str], str] = lambda text: text
    ) -> str:
        """Return the sentence with its elements marked.

        Of two that overlap, the first is marked.

        Parameters
        ----------
        mark
            Gives an element's name and its words as they are to stand in the sentence.
        plain
            Gives all other text as it is to stand there.
        """
        parts = marked_parts(self.sentence, self.spans)
        return "".join(mark(name, words) if name else plain(words) for words, name in parts)


class AskedQuestion(NamedTuple):
    """A question with the answers to choose from, each with the key to press for it."""

    question: str
    keys: Mapping[str, str]


ASKED: Final[Mapping[str, AskedQuestion]] = {
    "label": AskedQuestion(
        "Is the fact true in the world?", {"true": "1", "false": "2", LINK_WRONG: "3", SKIP: "4"}
    ),
    "stated": AskedQuestion("Does this sentence state it?", {"yes": "5", "no": "6"}),
}
COMMENT: Final = "comment"

ACCOUNT: Final = "annotator"
"""Who answered in a labelling tool: an account there, which is not always a rater of ours."""


def carried(question: Question, rater: str) -> dict[str, str]:
    """Return what a labelling tool is to give back with the answers.

    The fact's id is called ``fact``: tools have an ``id`` of their own.
    """
    told: dict[str, Any] = question._asdict()
    for shown in ("spans", "extracted", "about1", "about2"):
        del told[shown]
    return {"fact": told.pop("id"), **told, "rater": rater}
