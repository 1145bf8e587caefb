"""The page of REST: every route of the server with its parameters and fields, as people read it.

It is made of the description that `/v1/openapi.json` gives, and so cannot say anything else.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.dashboard.rendering import page

router = APIRouter(include_in_schema=False)
METHODS = ("get", "post", "put", "patch", "delete")
TITLES: Mapping[str, str] = {
    "snapshots": "Maps",
    "templates": "Benchmarks and templates",
    "datasets": "Data sets",
    "questions": "Questions",
    "leaderboards": "Leaderboards",
    "papers": "Tables of papers",
    "endpoints": "Endpoints",
    "runs": "Runs",
    "submissions": "Submissions",
    "disputes": "Disputes",
    "jobs": "Jobs",
    "schedules": "Schedules",
    "keys": "Keys",
    "health": "Health",
}
"""What the groups of routes are called, in the order of the page; others come last under their own names."""


class Field(NamedTuple):
    """A parameter, or a field of a body: its name, its type in words, whether it must be given, what it is."""

    name: str
    kind: str
    required: bool
    about: str


class Route(NamedTuple):
    """One method of one address."""

    id: str
    method: str
    path: str
    about: str
    role: str | None
    """The role whose key it wants; None where it wants none."""
    parameters: Sequence[Field]
    body: Sequence[Field]
    answer: Sequence[Field]


class Group(NamedTuple):
    """Routes of one subject."""

    id: str
    title: str
    routes: Sequence[Route]


@router.get("/rest", response_class=HTMLResponse)
def show_rest(request: Request) -> HTMLResponse:
    """The routes of this server."""
    described = request.app.openapi()
    groups = groups_of(described, request.app.state.roles)
    return page("rest.html", groups=groups, version=described["info"]["version"])


def groups_of(described: Mapping[str, Any], roles: Mapping[tuple[str, str], str]) -> list[Group]:
    """The routes of an OpenAPI description, by subject; `roles` tells by method and path whose keys they want."""
    found: dict[str, list[Route]] = {name: [] for name in TITLES}
    for path, operations in described["paths"].items():
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                found.setdefault(operation["tags"][0], []).append(
                    _route(described, roles, path, method, operation)
                )
    return [
        Group(name, TITLES.get(name, name.capitalize()), routes) for name, routes in found.items() if routes
    ]


def _route(
    described: Mapping[str, Any],
    roles: Mapping[tuple[str, str], str],
    path: str,
    method: str,
    operation: Mapping[str, Any],
) -> Route:
    body = operation.get("requestBody", {})
    done: Mapping[str, Any] = next(
        (one for code, one in operation["responses"].items() if code.startswith("2")), {}
    )
    return Route(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        about=operation.get("description", operation.get("summary", "")),
        role=roles.get((method.upper(), path)),
        parameters=[
            Field(
                one["name"],
                kind_of(one["schema"]).removesuffix(" or null"),
                one.get("required", False),
                one.get("description", one["schema"].get("description", "")),
            )
            for one in operation.get("parameters", ())
        ],
        body=_fields(described, _json_of(body)),
        answer=_fields(described, _json_of(done)),
    )


def _json_of(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of a body that is JSON; empty for one of another type."""
    schema: Mapping[str, Any] = content.get("content", {}).get("application/json", {}).get("schema", {})
    return schema


def _fields(described: Mapping[str, Any], schema: Mapping[str, Any]) -> list[Field]:
    """The fields of an object; of one of several objects, those of all."""
    found: dict[str, Field] = {}
    for one in _objects(described, schema):
        for name, told in one.get("properties", {}).items():
            field = Field(name, kind_of(told), name in one.get("required", ()), told.get("description", ""))
            found.setdefault(name, field)
    return list(found.values())


def _objects(described: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The objects that a schema names: itself, or what it refers to."""
    if "$ref" in schema:
        yield from _objects(described, described["components"]["schemas"][_name_of(schema)])
    for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _objects(described, one)
    if "properties" in schema:
        yield schema


def kind_of(schema: Mapping[str, Any]) -> str:
    """The type of a value in words, such as `text`, `number or null`, `list of Question`, `public or hidden`."""
    if "$ref" in schema:
        return _name_of(schema)
    several = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if several:
        return " or ".join(dict.fromkeys(kind_of(one) for one in several))
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        return " or ".join(str(one) or "empty" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind_of(schema.get('items', {}))}"
    if schema.get("format") == "date-time":
        return "time"
    names = {"string": "text", "integer": "whole number", "boolean": "true or false"}
    kind = schema.get("type", "any value")
    return str(names.get(kind, kind))


def _name_of(reference: Mapping[str, Any]) -> str:
    return str(reference["$ref"]).rpartition("/")[2]
