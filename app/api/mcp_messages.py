"""Messages of MCP over HTTP: each is a request of its own that is answered in JSON; the server keeps no session.

What comes in is read strictly and shown to be one message before the protocol's library sees it.
"""

import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from json import JSONDecodeError
from typing import Any, NamedTuple

from fastapi import Request, Response
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.agent_tools.calling import ToolAnswer
from app.agent_tools.mcp_server import make_server
from app.agent_tools.registry import Tool
from app.agent_tools.sets import find_set
from app.api.errors import BUSY, OURS
from app.api.json_rpc import INTERNAL_ERROR
from app.core.errors import ServiceUnavailable, TooMany, UsageError
from app.core.log import get_logger
from app.core.strict_json import read_json

logger = get_logger(__name__)


class Sent(NamedTuple):
    """What a message may ask: `call` answers calls of tools of a set. It is the state of the request as `sent`."""

    call: Callable[[str, Mapping[str, Any]], Awaitable[ToolAnswer]]
    tool_set: str


@asynccontextmanager
async def receiving() -> AsyncIterator[ASGIApp]:
    """What answers messages whose requests hold `Sent`, while the block runs."""

    async def answer(request: Request, tool: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        sent: Sent = request.state.sent
        try:
            return await sent.call(tool, arguments)
        except (UsageError, TooMany):
            raise
        except (OperationalError, PoolTimeout) as error:
            logger.error("database does not answer", id=request.state.request_id, error=type(error).__name__)
            raise ServiceUnavailable(BUSY) from None
        except Exception as error:
            stack = "".join(traceback.format_exception(error))
            logger.error("tool failed", id=request.state.request_id, tool=tool[:60], stack=stack)
            raise MCPError(INTERNAL_ERROR, OURS) from None

    def tools_of(request: Request) -> Mapping[str, Tool]:
        sent: Sent = request.state.sent
        return find_set(sent.tool_set).tools

    server = make_server(answer, tools_of)
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    async with manager.run():
        yield manager.handle_request


async def read_message(request: Request) -> bytes:
    """The body of a request, which is one message. Raises a 415 where it was not sent as JSON, a 400 where it is none.

    The library would take what stands in an object twice, and would repeat in its errors what it was sent.
    """
    kind = request.headers.get("content-type", "nothing").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "Send JSON with `Content-Type: application/json`.")
    body = await request.body()
    try:
        message = read_json(body)
    except JSONDecodeError as error:
        raise HTTPException(400, f"The body is not JSON: {error.msg}.") from None
    if not _is_message(message):
        raise HTTPException(
            400,
            'The body must be one JSON-RPC 2.0 message: {"jsonrpc": "2.0", "method": …}, and "params" and "id" where '
            "there are any. Lists of messages are not taken.",
        )
    return body


def _is_message(read: Any) -> bool:
    """Whether it is a request or a notification. A server that asks nothing gets no responses."""
    if not isinstance(read, dict) or read.get("jsonrpc") != "2.0" or not isinstance(read.get("method"), str):
        return False
    number = read.get("id", 0)
    return type(number) in (str, int) and isinstance(read.get("params", {}), dict)


class Handed(Response):
    """The answer of another application to a request whose body was read."""

    def __init__(self, application: ASGIApp, body: bytes) -> None:
        super().__init__()
        self._application = application
        self._read = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Give the application the request as it came, and let it answer."""
        first: list[Message] = [{"type": "http.request", "body": self._read, "more_body": False}]

        async def receive_again() -> Message:
            return first.pop() if first else await receive()

        await self._application(scope, receive_again, send)
