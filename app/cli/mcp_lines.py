"""Lines of `trigpoint mcp` that are no message of JSON-RPC: they are answered, so that no caller waits for ever."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from json import JSONDecodeError
from typing import Any

import anyio
from anyio.abc import ObjectReceiveStream
from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, JSONRPCNotification
from pydantic import ValidationError

from app.core.strict_json import read_json

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
"""Codes of JSON-RPC 2.0, section 5.1."""
NOTIFICATION = "notifications/"
"""How the methods of all notifications begin (MCP 2025-06-18, "Base Protocol")."""
NO_ID = 'A request needs an "id" that is a text or a whole number.'
NO_MESSAGE = (
    'The line is no JSON-RPC 2.0 message: {"jsonrpc": "2.0", "method": …}, and "params" and "id" where '
    "there are any."
)


@asynccontextmanager
async def answering_bad_lines(reading: Any, writing: Any) -> AsyncIterator[ObjectReceiveStream[Any]]:
    """The messages of `reading` as a stream of their own; what is none is answered on `writing`.

    The library drops lines that it cannot read without a word.
    """
    passing, passed = anyio.create_memory_object_stream[Any](0)

    async def pass_on() -> None:
        async with passing, reading:
            async for item in reading:
                if isinstance(item, Exception):
                    told = describe_bad_line(item)
                elif isinstance(item.message, JSONRPCNotification):
                    told = describe_lost_request(item.message.method)
                else:
                    told = None
                if told is not None:
                    await writing.send(SessionMessage(told))
                elif not isinstance(item, Exception):
                    await passing.send(item)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pass_on)
        yield passed
        tasks.cancel_scope.cancel()


def describe_bad_line(error: Exception) -> JSONRPCError | None:
    """The answer to a line that the library could not read; None for an empty one."""
    first = error.errors()[0] if isinstance(error, ValidationError) else None
    if first is None or first["type"] != "json_invalid":
        # Where a field is missing, the input is the message; else it is the field that is wrong.
        message = first["input"] if first is not None and first["type"] == "missing" else None
        return _refuse(INVALID_REQUEST, NO_MESSAGE, message)
    if not first["input"].strip():
        return None
    try:
        message = read_json(first["input"])
        fault = "a text in it holds half of a surrogate pair, or it is nested too deep"
    except JSONDecodeError as error:
        message, fault = None, error.msg
    return _refuse(PARSE_ERROR, f"The line is not JSON: {fault}.", message)


def describe_lost_request(method: str) -> JSONRPCError | None:
    """The answer to a request that the library took for a notification; None for a notification of the protocol.

    The library reads an `id` that is none, such as 1.5, as if there were no `id`, and its caller would wait.
    """
    return None if method.startswith(NOTIFICATION) else _refuse(INVALID_REQUEST, NO_ID, None)


def _refuse(code: int, said: str, message: Any) -> JSONRPCError:
    """An error that answers a message, by the message's id where that can be repeated."""
    found = message.get("id") if isinstance(message, dict) else None
    is_id = isinstance(found, str | int) and not isinstance(found, bool) and str(found).isprintable()
    return JSONRPCError(jsonrpc="2.0", id=found if is_id else None, error=ErrorData(code=code, message=said))
