"""The tools of a map by the Model Context Protocol, streamable HTTP: POST /v1/snapshots/{snapshot}/mcp.

POST /v1/sessions/{session}/mcp calls them in a session.
"""

from functools import partial
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from starlette.concurrency import run_in_threadpool

from app.agent_tools.sets import ALL, find_set
from app.api.access import Reader, Submitter
from app.api.json_rpc import JsonRpcError
from app.api.mcp_messages import Handed, Sent, read_message
from app.api.own_address import refuse_foreign
from app.api.parameters import SessionId
from app.api.routers.tools import MapName, ToolSetName
from app.api.schemas import refusals
from app.api.tool_calls import Asked

router = APIRouter(tags=["tools"])
_REFUSED = (400, 401, 403, 404, 406, 408, 409, 413, 415, 421, 422, 429, 500, 501)
MESSAGE: dict[str, Any] = {
    "type": "object",
    "required": ["jsonrpc", "method"],
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "absent in notifications"},
        "method": {"type": "string", "examples": ["tools/list", "tools/call"]},
        "params": {"type": "object"},
    },
}
"""A message of JSON-RPC 2.0 as the protocol's clients send it."""
_CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "nearby", "arguments": {"where": "60.17,24.94", "type": "cafe"}},
}
_TAKEN: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": MESSAGE, "examples": {"a call of a tool": {"value": _CALL}}}
        },
    }
}


def _answers() -> dict[int | str, dict[str, Any]]:
    """All answers, for OpenAPI: errors are JSON-RPC here, and no problems."""
    told = {status: {**said, "model": JsonRpcError} for status, said in refusals(*_REFUSED).items()}
    for said in told.values():
        said.pop("content", None)
    response = {"schema": {"type": "object", "description": "a response of JSON-RPC 2.0"}}
    told[200] = {"description": "the response to the message", "content": {"application/json": response}}
    told[202] = {"description": "a notification was taken"}
    return told


@router.post(
    "/snapshots/{snapshot}/mcp",
    response_class=Response,
    responses=_answers(),
    openapi_extra=_TAKEN,
    dependencies=[Depends(refuse_foreign)],
)
async def post_mcp(request: Request, caller: Reader, name: MapName, tool_set: ToolSetName = ALL) -> Response:
    """Take a message of the Model Context Protocol (streamable HTTP, without sessions) to an open map."""
    body = await read_message(request)
    find_set(tool_set)
    await run_in_threadpool(request.app.state.tool_calls.find_open, name)
    call = partial(request.app.state.tool_calls.call, caller, Asked(name, tool_set))
    return _hand(request, body, Sent(call, tool_set))


@router.post(
    "/sessions/{session}/mcp",
    response_class=Response,
    responses=_answers(),
    openapi_extra=_TAKEN,
    dependencies=[Depends(refuse_foreign)],
)
async def post_session_mcp(request: Request, caller: Submitter, session: SessionId) -> Response:
    """Take a message of the Model Context Protocol in a session; each call of a tool counts and is stored.

    After the session has ended, the result of a call says what ended it.
    """
    body = await read_message(request)
    calls = request.app.state.session_calls
    found = await run_in_threadpool(calls.find, caller, session)
    return _hand(request, body, Sent(partial(calls.call, caller, session), found.tool_set))


def _hand(request: Request, body: bytes, sent: Sent) -> Response:
    request.state.sent = sent
    return Handed(request.app.state.mcp, body)
