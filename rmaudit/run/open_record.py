"""A record that keeps what it does not know: the base of all parts of manifest.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    ModelWrapValidatorHandler,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    StrictFloat,
    StrictInt,
    model_serializer,
    model_validator,
)

Number = StrictInt | StrictFloat
"""A number as it is written: 1 stays 1, and is not written again as 1.0."""


class OpenRecord(BaseModel):
    """Some named facts, and any others beside them."""

    model_config = ConfigDict(extra="allow")

    _given: tuple[str, ...] = PrivateAttr(())

    @model_validator(mode="wrap")
    @classmethod
    def _keep_order(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        made = handler(data)
        if isinstance(data, Mapping):
            made._given = tuple(data)
        return made

    @model_serializer(mode="wrap")
    def _in_order(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = handler(self)
        return {name: fields[name] for name in self._given if name in fields} | fields

    def as_dict(self) -> dict[str, Any]:
        """What is written: the facts that were given."""
        return self.model_dump(exclude_unset=True)

    def others(self, *names: str) -> dict[str, Any]:
        """What is written, but for these facts."""
        return {name: value for name, value in self.as_dict().items() if name not in names}

    def adding(self, facts: Mapping[str, Any]) -> Self:
        """These facts with others beside or in place of them."""
        return type(self).model_validate(self.as_dict() | dict(facts))
