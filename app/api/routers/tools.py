"""GET /v1/snapshots/{snapshot}/tools, POST …/tools/{tool}; for maintainers POST …/open-tools and …/close-tools."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Query, Request, Response
from fastapi.openapi.models import Example
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from app.agent_tools.calling import CREDIT, TOOLS_VERSION, ToolAnswer
from app.agent_tools.opened import CLOSED, OPENED, find_map, set_open
from app.agent_tools.registry import UNAVAILABLE
from app.agent_tools.schemas import schema_of
from app.agent_tools.sets import ALL, find_set, set_names
from app.api.access import Reader
from app.api.caching import tagged_json
from app.api.changing import Change, Changing, Done
from app.api.parameters import Word
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.api.strict_body import StrictRoute
from app.api.tool_calls import Asked
from app.core.identity import canonical_json
from app.leaderboard.board import LICENCE_URL

router = APIRouter(tags=["tools"], route_class=StrictRoute)
MapName = Annotated[
    Word,
    Path(
        alias="snapshot",
        description="name@timestamp; a name alone means the newest map of this name",
        examples=["helsinki@2019-04-21T09:50:14Z"],
    ),
]
ToolSetName = Annotated[
    Word, Query(alias="set", description=f"the set of tools: {', '.join(set_names())}", examples=[ALL])
]
ARGUMENTS_EXAMPLES: dict[str, Example] = {"cafés": {"value": {"where": "60.17,24.94", "type": "cafe"}}}
CHANGES = refusals(400, 401, 403, 404, 409, 429, 501)


class ToolEntry(BaseModel):
    """A tool, what it is for, and what it takes."""

    name: str
    description: str
    parameters: dict[str, Any] = Field(description="the JSON schema of its arguments")


class ToolPage(BaseModel):
    """The tools of a map."""

    snapshot: str
    open: bool = Field(description="whether they may be called over the network")
    tools_version: int = Field(description="raised when the answer to the same call may change")
    tools: list[ToolEntry]
    unavailable: dict[str, str] = Field(description="what no map of OpenStreetMap tells, and why")


class ToolResponse(BaseModel):
    """What a tool answered."""

    tool: str
    tools_version: int
    snapshot: str
    result: dict[str, Any]
    sentence: str = Field(description="the result in words, as a model reads it")
    credit: str = Field(examples=[CREDIT])


class OpenedMap(BaseModel):
    """Whether tools may be called on a map over the network."""

    snapshot: str
    open: bool


@router.get("/snapshots/{snapshot}/tools", response_model=ToolPage, responses=refusals(304, 401, 404, 429))
def get_tools(request: Request, service: ServiceOf, name: MapName, tool_set: ToolSetName = ALL) -> Response:
    """The tools of a set that can be called on a map, with the JSON schemas of their arguments."""
    tools = find_set(tool_set).tools
    with service.engine.connect() as connection:
        found = find_map(connection, name)
    page = ToolPage(
        snapshot=found.snapshot.reference,
        open=found.is_open,
        tools_version=TOOLS_VERSION,
        tools=[
            ToolEntry(name=one.name, description=one.description, parameters=schema_of(one))
            for one in tools.values()
        ],
        unavailable=UNAVAILABLE,
    )
    return tagged_json(request, page, licensed=False)


@router.post(
    "/snapshots/{snapshot}/tools/{tool}",
    response_model=ToolResponse,
    responses=refusals(400, 401, 403, 404, 408, 409, 413, 429, 501),
)
async def post_tool(
    request: Request,
    caller: Reader,
    name: MapName,
    tool: Annotated[Word, Path(examples=["nearby"])],
    arguments: Annotated[
        dict[str, Any], Body(description="the tool's arguments", openapi_examples=ARGUMENTS_EXAMPLES)
    ],
    tool_set: ToolSetName = ALL,
) -> Response:
    """Call a tool on a map that is open. A call counts for one request or more; docs/tools.md says for how many."""
    answer = await request.app.state.tool_calls.call(caller, Asked(name, tool_set), tool, arguments)
    return told_by_tool(answer)


def told_by_tool(answer: ToolAnswer) -> Response:
    """What a tool answered, as it is sent."""
    headers = {"Cache-Control": "private, no-cache", "Link": f'<{LICENCE_URL}>; rel="license"'}
    return Response(canonical_json(answer.as_json()), headers=headers, media_type="application/json")


@router.post("/snapshots/{snapshot}/open-tools", response_model=OpenedMap, responses=CHANGES)
def post_open(change: Change, name: MapName) -> Response:
    """Let everybody who has a key call tools on a map. Whoever can ask the map can compute gold of hidden questions."""
    return _set(change, name, True)


@router.post("/snapshots/{snapshot}/close-tools", response_model=OpenedMap, responses=CHANGES)
def post_close(change: Change, name: MapName) -> Response:
    """Let nobody call tools on a map over the network any more."""
    return _set(change, name, False)


def _set(change: Changing, name: str, is_open: bool) -> Response:
    def work(connection: Connection, _: datetime) -> Done:
        found, changed = set_open(connection, name, is_open)
        reference = found.snapshot.reference
        body = OpenedMap(snapshot=reference, open=found.is_open)
        return Done(200, body, OPENED if is_open else CLOSED, reference, changed=changed)

    return change.make(None, work)
