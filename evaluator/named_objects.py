"""Named tuples as fields of a model: JSON objects with a key for each name, not arrays."""

from functools import cache
from inspect import getdoc
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, create_model
from pydantic_core import CoreSchema, core_schema


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
