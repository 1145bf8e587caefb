"""The description of REST: FastAPI's, with our problems in place of its own, and formats that it cannot know of."""

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from app.api.schemas import Problem, refusals
from app.published.models import QuestionCollection

REF = "#/components/schemas/{model}"
BESIDES: tuple[type[BaseModel], ...] = (Problem, QuestionCollection)
"""Models that stand in no route's signature."""


def describe(app: FastAPI) -> None:
    """Have `app` describe itself, once, when it is first asked."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _amended(plain())
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _amended(schema: dict[str, Any]) -> dict[str, Any]:
    _, told = models_json_schema([(one, "serialization") for one in BESIDES], ref_template=REF)
    schemas: dict[str, Any] = schema["components"]["schemas"]
    for name, definition in told["$defs"].items():
        schemas.setdefault(name, definition)
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    for operations in schema["paths"].values():
        for operation in operations.values():
            if "422" in operation["responses"]:
                operation["responses"] |= {
                    str(status): told for status, told in refusals(422).items() if status != 503
                }
    return schema
