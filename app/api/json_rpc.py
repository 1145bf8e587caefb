"""Errors at the addresses of MCP: JSON-RPC, since its clients show their users nothing else that a server says."""

import re
from typing import Any

from pydantic import BaseModel, Field

MCP_PATH = re.compile(r"/v1/(?:snapshots|sessions)/[^/]+/mcp")
INVALID_REQUEST, INTERNAL_ERROR = -32600, -32603
"""Codes of JSON-RPC 2.0, section 5.1: what the client and what the server is to blame for."""


class Told(BaseModel):
    """What programs may test of an error."""

    status: int = Field(description="the status of HTTP")
    code: str = Field(description="the kind of the error, as problems of REST have it", examples=["conflict"])
    request_id: str


class JsonRpcFault(BaseModel):
    """What was wrong."""

    code: int
    message: str
    data: Told | None = None


class JsonRpcError(BaseModel):
    """An error of JSON-RPC 2.0 that answers no message: it was refused before it was read."""

    jsonrpc: str = "2.0"
    id: str | int | None
    error: JsonRpcFault


def describe_error(status: int, code: str, detail: str, request_id: str) -> dict[str, Any]:
    """An error as the body of an answer."""
    blame = INVALID_REQUEST if status < 500 else INTERNAL_ERROR
    told = Told(status=status, code=code, request_id=request_id)
    return JsonRpcError(id=None, error=JsonRpcFault(code=blame, message=detail, data=told)).model_dump()
