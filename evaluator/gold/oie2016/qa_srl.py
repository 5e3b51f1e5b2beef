"""QA-SRL as open extractions: how the gold data of OIE2016 came about.

QA-SRL (He et al. 2015) asks questions about each verb of a sentence, in seven slots, and answers
them with phrases of the sentence. Stanovsky and Dagan (2016, section 3.3) make gold tuples of that:
answers that are nothing but pronouns go, a question that is left without an answer is ignored, and
every combination of the other answers is a tuple. Verbs embedded in others give none.

The paper shows results, and not how it gets to the words of a tuple. The rules here are drawn from
its example, from that of WiRe57's authors (Léchelle et al. 2019, section 2.2), and from the
published tuples:

*Order.* The answer about the subject (who or what, nothing in the subject's slot) comes first, then
objects, then objects of a preposition, then all else (when, where, why …), each in the order of the
file.

*Predicate.* Auxiliary and verb of the question that comes first by this order: "who was
determined?" gives "was determined". "did", "does" and "do" go, and the word of the sentence stands
for the verb. ``auxiliaries="corpus"`` does as the published tuples do, which also lack "is", "are",
"was", "were", "has" and "have", unless negated: "appealing" of "who are appealing to something?".
They do have modals and "had".

*Preposition.* One that all questions about who or what have is part of the predicate ("referred
to"). Else it goes before the answers of the questions that ask for what follows it, where these do
not have it themselves: "what was someone determined to do?" gives "to win …".

*Embedded.* Without a parse, a verb is taken to be embedded where it lies in an answer about another
verb. So is the verb of a relative clause, unlike in the paper's grammar. The published tuples have
some of both kinds ("the SEC; might not limit; …"): ``embedded="keep"``.

The published tuples keep "this", "that", "all" or "some" as arguments; so these are no pronouns
here.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import prod
from pathlib import Path
from typing import Literal, NamedTuple

from evaluator.model import Rejects
from evaluator.readers import RecordError, at_least_one, example, text_lines

type Embedded = Literal["exclude", "keep"]
type Auxiliaries = Literal["paper", "corpus"]
type Pronouns = Literal["drop", "keep"]

MOST_TUPLES = 1_000
"""How many combinations of answers a predicate gives at most: twelve questions with ten answers
each would give a million millions."""

DESCRIPTION = "QA-SRL: blocks of a sentence, its verbs, and their questions with answers"

_PRONOUNS = """
    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
    it its itself we us our ours ourselves they them their theirs themselves
"""
PRONOUNS = frozenset(_PRONOUNS.split())
"""Personal, possessive and reflexive pronouns."""

_SUPPORT = frozenset({"do", "does", "did"})
_DROPPED = _SUPPORT | {"is", "are", "was", "were", "has", "have"}
_CORE = frozenset({"who", "what", "whom", "which"})
_DOING = ("do", "doing")
_NUMBER = re.compile("[0-9]{1,9}")
_SLOTS = 7
_EMPTY = "_"
_SUBJECT, _OBJECT, _PREPOSITIONAL, _OTHER = range(4)


class QaSrlQuestion(NamedTuple):
    """A question by its slots, "" where empty, with its answers in the order of the file."""

    wh: str
    auxiliary: str
    subject: str
    verb: str
    object: str
    preposition: str
    object2: str
    answers: tuple[str, ...]

    @property
    def role(self) -> int:
        """Where its answers stand in a tuple, from 0."""
        if self.wh.lower() not in _CORE:
            return _OTHER
        if not self.subject:
            return _SUBJECT
        # "what did someone give to someone?" asks for no more than the object.
        asked = self.object2 in ("", *_DOING)
        return _PREPOSITIONAL if self.particle and asked else _OBJECT

    @property
    def particle(self) -> str:
        """The preposition alone: some have the "do" of "to do" in the slot before its own."""
        words = self.preposition.split()
        while words and words[-1] in _DOING:
            words.pop()
        return " ".join(words)


class Predicate(NamedTuple):
    """A verb of a sentence: the place of its word, from 0, the word, and what is asked about it."""

    place: int
    word: str
    questions: tuple[QaSrlQuestion, ...]


class QaSrlSentence(NamedTuple):
    """A sentence, its tokens with spaces between them, and its verbs."""

    id: str
    text: str
    predicates: tuple[Predicate, ...]


class QaSrlTuple(NamedTuple):
    """A gold tuple: the verb's word in the sentence, the predicate phrase and the arguments."""

    sentence: str
    word: str
    predicate: str
    arguments: tuple[str, ...]

    @property
    def line(self) -> str:
        """The tuple as the published corpus has it: sentence, word, predicate, arguments, tabs."""
        return "\t".join((self.sentence, self.word, self.predicate, *self.arguments))


def read_qa_srl(path: Path, *, rejects: Rejects) -> Iterator[QaSrlSentence]:
    """Yield the annotated sentences of a file in the format of QA-SRL 1.0.

    Blocks with a blank line between them. A block is a line of identifier and number of verbs, the
    sentence, and for each verb a line of place, word and number of questions, followed by these:
    seven slots ("_" where empty), a question mark, and answers with " ### " between them, with
    tabs.

    Parameters
    ----------
    path
        UTF-8 text, plain or packed with gzip, bzip2 or xz.
    rejects
        Takes the lines that are not of this form, and notes where a number is not that of what
        follows, once the file is read.

    Raises
    ------
    InputError
        If the file is missing, empty, damaged, or if it holds no sentence.
    """
    own = Rejects()
    sentences = filter(
        None, (_sentence(block, own) for block in _blocks(text_lines(path, rejects=own)))
    )
    yield from at_least_one(sentences, path, expected=DESCRIPTION, own=own, rejects=rejects)


def gold_tuples(
    sentence: QaSrlSentence,
    *,
    embedded: Embedded = "exclude",
    auxiliaries: Auxiliaries = "paper",
    pronouns: Pronouns = "drop",
    rejects: Rejects | None = None,
) -> Iterator[QaSrlTuple]:
    """Yield the gold tuples of a sentence, verb by verb (Stanovsky and Dagan 2016, section 3.3).

    The answer to the first question changes fastest, as in the paper's example.

    Parameters
    ----------
    sentence
        A sentence of QA-SRL.
    embedded
        Whether verbs inside answers about other verbs give tuples.
    auxiliaries
        Which auxiliaries a predicate has: those of its question, or as in the published tuples.
    pronouns
        Whether answers that are nothing but pronouns go, as in the paper, or stay, as in the corpus
        "with pronouns". What is left moves up: "He handcuffed the man" has one argument, the man.
    rejects
        Takes a note of each predicate of which only the first :data:`MOST_TUPLES` are yielded.
    """
    inside = embedded_verbs(sentence) if embedded == "exclude" else frozenset()
    for predicate in sentence.predicates:
        if predicate.place in inside:
            continue
        questions = sorted(predicate.questions, key=lambda question: question.role)
        shared = _shared_preposition(questions)
        slots = [
            answers
            for question in questions
            if (answers := _arguments(question, shared=shared, pronouns=pronouns))
        ]
        if not slots:
            continue
        phrase = " ".join(
            filter(None, (_phrase(questions[0], predicate.word, auxiliaries), shared))
        )
        if prod(map(len, slots)) > MOST_TUPLES and rejects is not None:
            rejects.note(f"a predicate of more than {MOST_TUPLES:,} tuples, cut to these")
        for combination in islice(product(*reversed(slots)), MOST_TUPLES):
            yield QaSrlTuple(sentence.text, predicate.word, phrase, combination[::-1])


def embedded_verbs(sentence: QaSrlSentence) -> frozenset[int]:
    """Return the places of the verbs that lie in an answer about another verb.

    An answer lies wherever its words stand in a row; where they nowhere do ("win the vote in
    Arizona", of "in Washington and Arizona"), it holds the verbs whose words it has.
    """
    words = sentence.text.split()
    found = set()
    for predicate in sentence.predicates:
        others = {other.place for other in sentence.predicates} - {predicate.place}
        for question in predicate.questions:
            for answer in question.answers:
                found |= others & _places(answer.split(), words)
    return frozenset(found)


def _places(answer: Sequence[str], words: Sequence[str]) -> set[int]:
    size = len(answer)
    starts = [i for i in range(len(words) - size + 1) if list(words[i : i + size]) == list(answer)]
    if starts:
        return {start + offset for start in starts for offset in range(size)}
    return {place for place, word in enumerate(words) if word in set(answer)}


def _shared_preposition(questions: Sequence[QaSrlQuestion]) -> str:
    found = {question.particle for question in questions if question.role != _OTHER}
    return found.pop() if len(found) == 1 else ""


def _arguments(question: QaSrlQuestion, *, shared: str, pronouns: Pronouns) -> list[str]:
    told = [
        answer
        for answer in question.answers
        if pronouns == "keep" or not all(word.lower() in PRONOUNS for word in answer.split())
    ]
    if question.role == _PREPOSITIONAL and not shared:
        start = f"{question.particle} "
        told = [a if a.lower().startswith(start.lower()) else start + a for a in told]
    return list(dict.fromkeys(told))


def _phrase(question: QaSrlQuestion, word: str, auxiliaries: Auxiliaries) -> str:
    auxiliary = question.auxiliary
    if auxiliary.lower() in _SUPPORT:
        return word
    if auxiliaries == "corpus" and auxiliary.lower() in _DROPPED:
        auxiliary = ""
    return f"{auxiliary} {question.verb}".strip()


type _Lines = list[tuple[int, str]]


def _blocks(lines: Iterator[tuple[int, str]]) -> Iterator[_Lines]:
    block: _Lines = []
    for number, line in lines:
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _sentence(block: _Lines, rejects: Rejects) -> QaSrlSentence | None:
    (first, head), *rest = block
    match head.split():
        case [identifier, verbs] if _NUMBER.fullmatch(verbs) and rest:
            text = " ".join(rest[0][1].split())
        case _:
            rejects.add(
                "block without identifier, number of verbs and sentence", example(first, head)
            )
            return None
    predicates: list[Predicate] = []
    told: list[int] = []
    open_ = False
    for number, line in rest[1:]:
        try:
            if _is_question(line):
                if not open_:
                    raise RecordError("question without its verb")
                last = predicates[-1]
                predicates[-1] = last._replace(questions=(*last.questions, _question(line)))
            else:
                open_ = False
                predicate, questions = _predicate(line, len(text.split()))
                predicates.append(predicate)
                told.append(questions)
                open_ = True
        except RecordError as reason:
            rejects.add(str(reason), example(number, line))
    if len(predicates) != int(verbs):
        rejects.note("sentences with another number of verbs than told")
    for predicate, questions in zip(predicates, told, strict=True):
        if len(predicate.questions) != questions:
            rejects.note("verbs with another number of questions than told")
    return QaSrlSentence(identifier, text, tuple(predicates))


def _is_question(line: str) -> bool:
    return "?" in (slot.strip() for slot in line.split("\t"))


def _predicate(line: str, words: int) -> tuple[Predicate, int]:
    match line.split():
        case [place, word, questions] if _NUMBER.fullmatch(place) and _NUMBER.fullmatch(questions):
            if int(place) >= words:
                raise RecordError("place of a verb outside its sentence")
            return Predicate(int(place), word, ()), int(questions)
    raise RecordError("neither a verb (place, word, number) nor a question (slots, ?, answers)")


def _question(line: str) -> QaSrlQuestion:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) < _SLOTS + 2 or fields[_SLOTS] != "?":
        raise RecordError("question without seven slots, question mark and answers")
    slots = ("" if slot == _EMPTY else " ".join(slot.split()) for slot in fields[:_SLOTS])
    answers = (" ".join(answer.split()) for answer in " ".join(fields[_SLOTS + 1 :]).split("###"))
    known = tuple(answer for answer in answers if answer)
    if not known:
        raise RecordError("question without an answer")
    return QaSrlQuestion._make([*slots, known])
