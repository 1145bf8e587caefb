"""The pages to try the tools of a map: a list, and for each tool a form, its answer in words and on a map.

Calls need an API key, as they do over REST. Whoever gives one on the page gets a cookie that holds it. Scripts cannot
read the cookie, and browsers send it to no other site and no other pages.
"""

import json
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Cookie, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from app.access.keys import Caller, recognise
from app.agent_tools.calling import CREDIT, ToolAnswer
from app.agent_tools.errors import ToolError
from app.agent_tools.opened import AskedMap, find_map
from app.agent_tools.registry import UNAVAILABLE, Tool, all_tools
from app.agent_tools.schemas import schema_of
from app.agent_tools.sets import ALL
from app.api.parameters import Word
from app.api.service import Service, ServiceOf
from app.api.tool_calls import Asked, ToolCalls
from app.core.errors import Conflict, NotFound, NotKnown, TooMany, TrigpointError
from app.dashboard.reading import reading
from app.dashboard.rendering import render
from app.dashboard.sent_forms import read_body, read_texts, refuse_other_pages
from app.dashboard.tool_drawing import AnswerMap, draw_answer
from app.dashboard.tool_forms import fields_of, read_arguments
from app.dashboard.tool_programs import programs_of

router = APIRouter(include_in_schema=False)
COOKIE = "trigpoint_key"
PATH = "/snapshots"
"""The pages to which browsers send the cookie."""
PRIVATE = {"Cache-Control": "private, no-store"}
STATUS_OF = {NotKnown: 401, TooMany: 429, Conflict: 409, ToolError: 422}
CALLED = "call"
"""The name of the button that calls; a form that was not sent lacks it."""


@dataclass(frozen=True)
class Outcome:
    """What became of a call: an answer with its map, or what was wrong."""

    answer: ToolAnswer | None = None
    drawn: AnswerMap | None = None
    error: TrigpointError | None = None

    @property
    def json(self) -> str:
        """The answer as REST gives it, to be read by people."""
        assert self.answer is not None
        return json.dumps(self.answer.as_json(), ensure_ascii=False, indent=2)

    @property
    def status(self) -> int:
        """The status of the page."""
        return next((status for kind, status in STATUS_OF.items() if isinstance(self.error, kind)), 200)


Key = Annotated[str | None, Cookie(alias=COOKIE, max_length=200)]


@router.get("/snapshots/{snapshot}/tools", response_class=HTMLResponse)
def show_tools(service: ServiceOf, snapshot: Word, key: Key = None) -> HTMLResponse:
    """The tools of a map."""
    asked = _find(service, snapshot)
    shown = render(
        "tools.html",
        snapshot=asked.snapshot,
        asked=asked,
        key=key,
        tools=all_tools(),
        unavailable=UNAVAILABLE,
    )
    return HTMLResponse(shown, headers=PRIVATE)


@router.post("/snapshots/{snapshot}/tools")
async def post_key(request: Request, service: ServiceOf, snapshot: Word) -> RedirectResponse:
    """Keep the key that the form gives, or forget it where the form gives none, and go back to the page.

    Raises NotAllowed where the form is on a page of another server.
    """
    refuse_other_pages(request, "give a key here")
    sent = await read_body(request)
    tool = sent.get("tool", "")
    query = f"?{sent['query']}" if sent.get("query") else ""
    address = f"/snapshots/{snapshot}/tools{f'/{tool}{query}' if tool in all_tools() else ''}"
    back = RedirectResponse(address, 303, headers=PRIVATE)
    token = sent.get("key", "").strip()
    if not token:
        back.delete_cookie(COOKIE, path=PATH)
        return back
    await run_in_threadpool(_recognise, request, service, token)
    secure = request.url.scheme == "https"
    back.set_cookie(COOKIE, token, path=PATH, httponly=True, samesite="strict", secure=secure)
    return back


@router.get("/snapshots/{snapshot}/tools/{tool}", response_class=HTMLResponse)
async def show_tool(
    request: Request, service: ServiceOf, snapshot: Word, tool: Word, key: Key = None
) -> HTMLResponse:
    """The form of a tool; and its answer, where the form was sent."""
    asked = await run_in_threadpool(_find, service, snapshot)
    chosen = all_tools().get(tool)
    if chosen is None:
        raise NotFound(f"There is no tool {tool[:60]!r}. The tools are: {', '.join(all_tools())}.")
    schema = schema_of(chosen)
    sent = read_texts(request.url.query)
    arguments: dict[str, Any] = {}
    outcome = Outcome()
    if CALLED in sent:
        try:
            arguments = read_arguments(schema, sent)
            outcome = await _call(request, service, asked, chosen, arguments, key)
        except (ToolError, Conflict, NotKnown, TooMany) as error:
            outcome = Outcome(error=error)
    shown = render(
        "tool.html",
        snapshot=asked.snapshot,
        asked=asked,
        key=key,
        tools=all_tools(),
        tool=chosen,
        fields=fields_of(schema, sent),
        outcome=outcome,
        query=request.url.query,
        programs=programs_of(str(request.base_url), asked.snapshot.reference, tool, arguments)
        if arguments
        else None,
        credit=CREDIT,
    )
    return HTMLResponse(shown, outcome.status, headers=PRIVATE)


async def _call(
    request: Request,
    service: Service,
    asked: AskedMap,
    tool: Tool,
    arguments: dict[str, Any],
    key: str | None,
) -> Outcome:
    if not key:
        raise NotKnown("A call needs an API key. Give yours above.")
    caller = await run_in_threadpool(_recognise, request, service, key)
    calls: ToolCalls = request.app.state.tool_calls
    answer = await calls.call(caller, Asked(asked.snapshot.reference, ALL), tool.name, arguments)
    result = answer.result.model_dump(mode="json", exclude_none=True)
    drawn = await calls.read(answer.snapshot, lambda scope: draw_answer(scope, arguments, result))
    return Outcome(answer, drawn)


def _find(service: Service, snapshot: str) -> AskedMap:
    with reading(service) as connection:
        return find_map(connection, snapshot)


def _recognise(request: Request, service: Service, token: str) -> Caller:
    """Whose key it is; the request counts. Raises NotKnown, TooMany."""
    with reading(service) as connection:
        caller = recognise(connection, token, service.clock.now())
    request.state.key = caller.prefix
    service.limiter.admit(caller)
    return caller
