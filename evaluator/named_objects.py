"""Parts of a result, and named tuples among them: JSON objects with a key for each name."""

from functools import cache
from inspect import getdoc
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, create_model
from pydantic_core import CoreSchema, core_schema


class ClosedModel(BaseModel):
    """A part of a result: its keys are all there, with no other, and numbers are finite."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    def as_json(self) -> dict[str, Any]:
        """Return the part as a JSON object."""
        return self.model_dump(mode="json", by_alias=True)


def as_object(kind: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return the schema of a named tuple; its ``__get_pydantic_core_schema__`` calls this.

    An object has all of its keys and no other, and its numbers are finite.
    """
    object_schema = core_schema.no_info_before_validator_function(
        lambda value: value._asdict() if isinstance(value, kind) else value,
        handler.generate_schema(_record(kind)),
    )
    return core_schema.no_info_after_validator_function(
        lambda record: kind(**dict(record)),
        object_schema,
        serialization=core_schema.plain_serializer_function_ser_schema(lambda it: it._asdict()),
    )


@cache
def _record(kind: Any) -> type[BaseModel]:
    fields: dict[str, Any] = {name: (hint, ...) for name, hint in get_type_hints(kind).items()}
    return create_model(
        kind.__name__,
        __config__=ConfigDict(extra="forbid", allow_inf_nan=False, title=kind.__name__),
        __doc__=(getdoc(kind) or "").partition("\n")[0],
        **fields,
    )
