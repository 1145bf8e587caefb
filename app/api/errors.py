"""From our errors to HTTP: the only place with status codes for them; bodies are problem+json (RFC 9457).

Under /v1 a problem is JSON, at the addresses of MCP an error of JSON-RPC, elsewhere a page. What is not foreseen
becomes a 500 without a word of its cause; the cause goes to the log, under the same request id.
"""

import math
import re
import traceback
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

from app.agent_tools.errors import ToolError, ToolErrorKind
from app.api.json_rpc import MCP_PATH, describe_error
from app.core import errors
from app.core.log import get_logger
from app.dashboard.pages import problem_page

logger = get_logger(__name__)

STATUS_OF: Mapping[type[Exception], int] = {
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.BadSubmission: 422,
    errors.UsageError: 400,
    errors.Held: 409,
    errors.NotKnown: 401,
    errors.NotAllowed: 403,
    errors.TooMany: 429,
    errors.Transient: 503,
    errors.TrigpointError: 500,
    OperationalError: 503,
    PoolTimeout: 503,
}
"""By class; the nearest ancestor that stands here decides."""
STATUS_OF_TOOL: Mapping[ToolErrorKind, int] = {
    "unknown_tool": 404,
    "not_found": 404,
    "unknown_type": 404,
    "unavailable": 409,
    "bad_argument": 422,
    "no_route": 422,
    "too_slow": 422,
    "try_again": 503,
}
"""By the kind of a tool's error, which is its code, too."""

RETRY_AFTER = "5"
OPTION = re.compile(r"`trigpoint [^`]*`|--([a-z][a-z-]+)")
"""Options of the command line in messages; the fields of REST are called alike. Commands stay as they are."""
OURS = "Something failed on our side; it is logged under the request id given here."
BUSY = "The database does not answer at the moment; try again in a few seconds."


def status_of(error: Exception) -> int:
    """The status of one of our errors, or of a database that does not answer; 500 for all others."""
    if isinstance(error, ToolError):
        return STATUS_OF_TOOL[error.kind]
    return next((STATUS_OF[kind] for kind in type(error).__mro__ if kind in STATUS_OF), 500)


def code_of(error: Exception) -> str:
    """The error's class as a word for programs, e.g. not_found."""
    if isinstance(error, ToolError):
        return error.kind
    name = type(error).__name__
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def headers_of(error: Exception) -> dict[str, str]:
    """What the answer to an error says beside its status: how to be let in, or when."""
    if isinstance(error, errors.NotKnown):
        invalid = ', error="invalid_token"' if error.given else ""
        return {"WWW-Authenticate": f'Bearer realm="trigpoint"{invalid}'}
    if isinstance(error, errors.NotAllowed):
        return {
            "WWW-Authenticate": f'Bearer realm="trigpoint", error="insufficient_scope", scope="{error.role}"'
        }
    if isinstance(error, errors.TooMany):
        return {"Retry-After": str(math.ceil(error.retry_after))}
    return {"Retry-After": RETRY_AFTER} if status_of(error) == 503 else {}


def _faults_of(error: Exception) -> dict[str, Any]:
    """What of submitted answers is wrong, by line."""
    if not isinstance(error, errors.BadSubmission):
        return {}
    return {
        "faults": [
            {"where": ["body"] if line is None else ["body", "line", line], "what": said}
            for line, said in error.faults
        ]
    }


def _said(request: Request, fault: Mapping[str, Any]) -> str:
    """What of a request does not fit, where the words of the schema's check would not help."""
    if fault["type"] == "json_invalid":
        return f"it is not JSON: {fault['ctx']['error']}"
    sent_as = request.headers.get("content-type", "nothing")
    if fault["loc"] == ("body",) and "json" not in sent_as:
        return f"it was sent as {sent_as[:100]}: send JSON with `Content-Type: application/json`"
    return str(fault["msg"])


def problem(
    request: Request,
    status: int,
    code: str,
    detail: str,
    more: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A problem as JSON under /v1, as JSON-RPC at the addresses of MCP, else as a page."""
    headers = dict(headers or {})
    title = HTTPStatus(status).phrase
    request_id = getattr(request.state, "request_id", "")
    if MCP_PATH.fullmatch(request.scope["path"]):
        return JSONResponse(describe_error(status, code, detail, request_id), status, headers)
    if not request.scope["path"].startswith("/v1"):
        return problem_page(request, status, title, detail, request_id if status >= 500 else "", headers)
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code}
    body |= {"instance": request.scope["path"], "request_id": request_id, **(more or {})}
    return JSONResponse(body, status, headers, media_type="application/problem+json")


def on_anything_else(request: Request, error: Exception) -> Response:
    """The answer to an error that nobody foresaw; its stack goes to the log, without the values of variables."""
    stack = "".join(traceback.format_exception(error))
    logger.error("request failed", id=request.state.request_id, path=request.scope["path"], stack=stack)
    return problem(request, 500, "internal", OURS)


def _with_fields(said: str) -> str:
    """What an error says, with the fields of REST for options of the command line."""
    return OPTION.sub(lambda found: found[1].replace("-", "_") if found[1] else found[0], said)


def install(app: FastAPI) -> None:
    """Give `app` a handler for every kind of error."""

    def on_trigpoint_error(request: Request, error: Exception) -> Response:
        status = status_of(error)
        if status < 500:
            said = _with_fields(str(error))
            return problem(request, status, code_of(error), said, _faults_of(error), headers_of(error))
        logger.error(
            "request failed", id=request.state.request_id, path=request.scope["path"], error=repr(error)
        )
        # What a tool says was written for whoever called it; a 503 of anything else is the database.
        said = str(error) if isinstance(error, ToolError) else BUSY if status == 503 else OURS
        return problem(request, status, code_of(error), said, headers=headers_of(error))

    def on_database_silent(request: Request, error: Exception) -> Response:
        kind = type(error).__name__
        logger.error(
            "database does not answer", id=request.state.request_id, path=request.scope["path"], error=kind
        )
        return problem(request, status_of(error), "service_unavailable", BUSY, headers=headers_of(error))

    def on_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        detail = error.detail
        if error.status_code == 404:
            detail = "There is nothing at this address; /v1/openapi.json lists what there is."
        if error.status_code == 405 and error.headers is not None:
            detail = f"This address takes {error.headers['Allow']}, not {request.method}."
        response = problem(request, error.status_code, HTTPStatus(error.status_code).name.lower(), detail)
        response.headers.update(error.headers or {})
        return response

    def on_invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        faults = [
            {"where": list(fault["loc"]), "what": _said(request, fault)} for fault in error.errors()[:10]
        ]
        told = [f"{' '.join(map(str, fault['where']))}: {fault['what']}" for fault in faults]
        detail = "\n".join(["The request does not fit the schema.", *told])
        return problem(request, 422, "invalid", detail, {"faults": faults})

    app.add_exception_handler(errors.TrigpointError, on_trigpoint_error)
    app.add_exception_handler(OperationalError, on_database_silent)
    app.add_exception_handler(PoolTimeout, on_database_silent)
    app.add_exception_handler(HTTPException, on_http)
    app.add_exception_handler(RequestValidationError, on_invalid)
