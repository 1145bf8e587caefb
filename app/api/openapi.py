"""The description of REST: FastAPI's, with our problems in place of its own, and formats that it cannot know of.

What it does not describe is not taken: a parameter that is misspelt is no request without it.
"""

from threading import Lock
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from app.api.json_rpc import MCP_PATH
from app.api.metrics import route_of
from app.api.schemas import Problem, refusals
from app.published.models import QuestionCollection

REF = "#/components/schemas/{model}"
BESIDES: tuple[type[BaseModel], ...] = (Problem, QuestionCollection)
"""Models that stand in no route's signature."""


def describe(app: FastAPI) -> None:
    """Have `app` describe itself, once, when it is first asked.

    It takes a second: requests that come at once wait for the first of them, and see nothing that is half amended.
    """
    plain = app.openapi
    whole: list[dict[str, Any]] = []
    describing = Lock()

    def described() -> dict[str, Any]:
        if not whole:
            with describing:
                if not whole:
                    whole.append(_amended(plain()))
        return whole[0]

    app.openapi = described  # type: ignore[method-assign]


def refuse_unknown_parameters(request: Request) -> None:
    """Raise RequestValidationError for a parameter that the route is not described with."""
    described = request.app.openapi()["paths"][route_of(request.scope)][request.method.lower()]
    known = [one["name"] for one in described.get("parameters", ()) if one["in"] == "query"]
    said = f"there is no such parameter here; there are: {', '.join(known) or 'none'}"
    unknown = sorted(set(request.query_params) - set(known))
    if unknown:
        faults = [{"type": "unknown", "loc": ("query", name[:100]), "msg": said} for name in unknown]
        raise RequestValidationError(faults)


def _amended(schema: dict[str, Any]) -> dict[str, Any]:
    _, told = models_json_schema([(one, "serialization") for one in BESIDES], ref_template=REF)
    schemas: dict[str, Any] = schema["components"]["schemas"]
    for name, definition in told["$defs"].items():
        schemas.setdefault(name, definition)
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    unfit = {"422": refusals(422)[422]}
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            if path != "/v1/health" and not MCP_PATH.fullmatch(path):
                operation["responses"] |= unfit
    return schema
