"""Answers of REST that are no stage's own: health, problems, keys, the record."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.access.keys import KeyRole


class Health(BaseModel):
    """The service and its database answer."""

    status: Literal["ok"] = "ok"
    version: str


class Fault(BaseModel):
    """What of a request does not fit its schema."""

    where: list[str | int]
    what: str


class Problem(BaseModel):
    """An error by RFC 9457; `code` is its kind as a word for programs."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "about:blank",
                    "title": "Not Found",
                    "status": 404,
                    "detail": "There is no run 7; `trigpoint run list` shows all runs.",
                    "code": "not_found",
                    "instance": "/v1/runs/7",
                    "request_id": "5a0c3e5f9d1b7a24",
                }
            ]
        }
    )

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str
    request_id: str
    faults: list[Fault] | None = Field(default=None, description="the first ten faults, with status 422")


class OwnKey(BaseModel):
    """The key that a request bears, without its secret."""

    prefix: str
    name: str
    role: KeyRole
    requests_per_minute: int


class AuditEntry(BaseModel):
    """One thing that a maintainer did; `key` and `name` are null for the command line."""

    id: int
    at: datetime
    key: str | None = Field(description="the prefix of the API key")
    name: str | None
    request_id: str | None
    action: str = Field(examples=["run.pause"])
    subject: str
    detail: dict[str, Any]


class AuditPage(BaseModel):
    """What maintainers did, the newest first."""

    entries: list[AuditEntry]
    next: str | None = Field(description="the cursor of the next page; null on the last page")


_WORDS = {
    304: "the client holds this answer already",
    400: "what is asked cannot be understood, such as a cursor that is not ours",
    401: "no key, or one that is not valid",
    403: "the key's role does not suffice",
    404: "there is nothing of that name",
    406: "the client does not take JSON",
    408: "the body did not come in time",
    409: "what is asked contradicts what is there",
    413: "the body is too large",
    415: "the body was not sent as JSON",
    421: "the client knows this server by a name that is not its own",
    422: "the request does not fit the schema",
    429: "more requests than the key may make; Retry-After says when",
    500: "something failed on the side of the server",
    501: "this server only reads",
    503: "the database does not answer; Retry-After says when to try again",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The answers of a route beside its own, for OpenAPI; 422, 503 and all problems are problem+json."""
    told: dict[int | str, dict[str, Any]] = {304: {"description": _WORDS[304]}} if 304 in statuses else {}
    for status in sorted({*statuses, 503} - {304}):
        content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
        told[status] = {"description": _WORDS[status], "content": content}
    return told
