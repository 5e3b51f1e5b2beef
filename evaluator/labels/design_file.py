"""``design.json`` of a label folder: what was drawn; written here, and checked when it is read."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evaluator.errors import InputError
from evaluator.inputs import read_json
from evaluator.labels.design import Place, Stratification
from evaluator.labels.questions import ElementSpan, Question
from evaluator.model import Item
from evaluator.whole_files import write_whole

DESIGN = "design.json"


# JSON has lists only.
type _SpanRead = Annotated[ElementSpan, Field(strict=False)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True, strict=True)


class StratificationPart(_Part):
    """How facts were divided (:class:`evaluator.labels.design.Stratification`)."""

    systems: list[str]
    cuts: dict[str, int | None]
    rejected: float | None
    accepted: float | None
    pair: int | None


class _Placed(_Part):
    group: str
    name: str = Field(alias="class")

    @property
    def place(self) -> Place:
        """The group and the class."""
        return Place(self.group, self.name)


class ClassPart(_Placed):
    """A class at the draw; further keys tell its plan."""

    judged: int


class _Asked(_Part):
    """A fact as sheets show it, which may do without names and a sentence."""

    id: str
    e1: str
    r: str
    e2: str
    name1: str | None = None
    name2: str | None = None
    sentence: str | None = None
    document: str | None = None
    spans: Annotated[tuple[_SpanRead, ...], Field(strict=False)] = ()
    extracted: str = ""
    about1: str = ""
    about2: str = ""

    @property
    def question(self) -> Question:
        """What a rater is asked."""
        name1, name2 = self.name1 or self.e1, self.name2 or self.e2
        texts = self.sentence or "", self.document or ""
        fact = self.id, self.e1, self.r, self.e2, name1, name2
        return Question(*fact, *texts, self.spans, self.extracted, self.about1, self.about2)


class FactPart(_Asked, _Placed):
    """A fact that was drawn, with its class and its raters."""

    name1: str
    name2: str
    sentence: str
    document: str
    inclusion: float
    raters: list[str]


class _Questions(_Part):
    facts: list[_Asked]


class LabelDesign(_Part):
    """The content of ``design.json``; further keys tell what was expected of the labels."""

    rounds: int
    stratification: StratificationPart
    classes: list[ClassPart]
    facts: list[FactPart]

    @property
    def division(self) -> Stratification:
        """How facts were divided."""
        return Stratification.from_json(self.stratification.model_dump())

    def standing(self, labelled: Collection[Item]) -> dict[Item, float]:
        """Return how many facts of the run each labelled fact stands for.

        As many as its class has for each of its facts with a label. A class was drawn at one
        probability, whose inverse each fact of the draw stands for; those without a label leave
        their part to the others. What was not drawn is left out.
        """
        size: dict[Place, float] = defaultdict(float)
        told: dict[Item, Place] = {}
        for fact in self.facts:
            size[fact.place] += 1 / fact.inclusion
            if (item := (fact.e1, fact.r, fact.e2)) in labelled:
                told[item] = fact.place
        number = Counter(told.values())
        return {item: size[place] / number[place] for item, place in told.items()}


def write_design(folder: Path, design: Mapping[str, Any]) -> None:
    """Write the design of a label folder, which :func:`read_design` reads; whole, or not at all.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    LabelDesign.model_validate(design)
    text = json.dumps(design, ensure_ascii=False, indent=1, allow_nan=False)
    write_whole(folder / DESIGN, text + "\n")


def read_design(folder: Path) -> LabelDesign:
    """Return the design of a label folder.

    Raises
    ------
    InputError
        Where there is none, or it is damaged.
    """
    return _read(folder, LabelDesign)


def read_questions(folder: Path) -> list[Question]:
    """Return the facts that were drawn, in the order of the design; they are all it must have.

    Raises
    ------
    InputError
        Where there is no design, or it is damaged.
    """
    return [fact.question for fact in _read(folder, _Questions).facts]


def _read[Content: BaseModel](folder: Path, model: type[Content]) -> Content:
    file = folder / DESIGN
    try:
        content: Any = read_json(file)
        return model.model_validate(content)
    except (FileNotFoundError, NotADirectoryError):
        problem = "no such file; draw the facts to label with distval label draw, and name their "
        raise InputError(file, problem + "folder") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise InputError(
            file, f"no design of labels ({where}: {first['msg']}); draw again into another folder"
        ) from None
    except json.JSONDecodeError as error:
        raise InputError(file, f"broken JSON ({error.msg})", line=error.lineno) from None
    except OSError as error:
        raise InputError(file, f"cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise InputError(file, f"cannot be read ({error})") from None
