"""``design.json`` of a label folder: what was drawn, checked when it is read."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evaluator.errors import InputError
from evaluator.inputs import read_json
from evaluator.labels.answers import DESIGN
from evaluator.labels.design import Place, Stratification


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


class FactPart(_Placed):
    """A fact that was drawn, as sheets show it, with its class and its raters."""

    id: str
    e1: str
    r: str
    e2: str
    name1: str
    name2: str
    sentence: str
    document: str
    inclusion: float
    raters: list[str]


class Design(_Part):
    """The content of ``design.json``."""

    rounds: int
    stratification: StratificationPart
    classes: list[ClassPart]
    facts: list[FactPart]

    @property
    def division(self) -> Stratification:
        """How facts were divided."""
        return Stratification.from_json(self.stratification.model_dump())


def read_design(folder: Path) -> Design:
    """Return the design of a label folder.

    Raises
    ------
    InputError
        Where there is none, or it is damaged.
    """
    file = folder / DESIGN
    try:
        content: Any = read_json(file)
        return Design.model_validate(content)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            file, "no such file; draw facts with distval label draw, and name their folder"
        ) from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise InputError(
            file, f"no design of labels ({where}: {first['msg']}); draw again into another folder"
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(file, f"cannot be read ({error})") from None
