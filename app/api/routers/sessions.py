"""Sessions of agents that others run: opened for a question, used by calls of tools, closed, and listed."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.agent_tools.sets import ALL, set_names
from app.api.access import Submitter, only_own
from app.api.caching import tagged_json
from app.api.parameters import Cursor, Limit, SessionId, Word
from app.api.routers.tools import ARGUMENTS_EXAMPLES, ToolResponse, told_by_tool
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.api.strict_body import StrictRoute
from app.core.identity import canonical_json
from app.leaderboard.board import LICENCE_URL
from app.sessions import opening
from app.sessions.opening import WantedSession
from app.sessions.records import SessionState

router = APIRouter(tags=["sessions"], route_class=StrictRoute)


class NewSession(BaseModel):
    """For which question an agent is to be given which tools."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={
            "examples": [{"dataset": "demo_gsqa@1", "question": "0ea0ce6bf4737ceb6a3f65fbdb5be37e"}]
        },
    )

    dataset: Word = Field(description="name (its newest version) or name@version", examples=["demo_gsqa@1"])
    question: Word = Field(description="the question's id", examples=["0ea0ce6bf4737ceb6a3f65fbdb5be37e"])
    tool_set: Word = Field(
        default=ALL, description=f"the set of tools: {', '.join(set_names())}", examples=[ALL]
    )


class SessionPage(BaseModel):
    """Sessions, the newest first."""

    sessions: list[SessionState]
    next: str | None = Field(description="the cursor of the next page; null on the last page")


@router.post(
    "/sessions",
    status_code=201,
    response_model=SessionState,
    responses=refusals(400, 401, 403, 404, 408, 409, 413, 422, 429),
)
def post_session(service: ServiceOf, caller: Submitter, asked: NewSession) -> Response:
    """Open a session: an agent of yours may call the tools of the question's map in it, and it counts for one answer.

    The map must be open for tools. A session belongs to your key.
    """
    wanted = WantedSession(asked.dataset, asked.question, asked.tool_set)
    with service.engine.connect() as connection:
        opening.begin_writing(connection)
        found = opening.open_session(connection, wanted, caller.first_id, service.clock.now())
        connection.commit()
    return _told(found, 201)


@router.get("/sessions", response_model=SessionPage, responses=refusals(304, 400, 401, 403, 429))
def get_sessions(
    request: Request, service: ServiceOf, caller: Submitter, limit: Limit = 100, cursor: Cursor = None
) -> Response:
    """Your key's sessions, the newest first; to maintainers, all."""
    position = service.cursors.read(request, cursor, (str,))
    before = position[0] if position else None
    with service.engine.connect() as connection:
        now = service.clock.now()
        found = opening.list_sessions(connection, only_own(caller), before, limit + 1, now)
    shown = found[:limit]
    further = service.cursors.make(request, [shown[-1].session]) if len(found) > limit else None
    return tagged_json(request, SessionPage(sessions=shown, next=further), further, private=True)


@router.get("/sessions/{session}", response_model=SessionState, responses=refusals(401, 403, 404, 429))
def get_session(service: ServiceOf, caller: Submitter, session: SessionId) -> Response:
    """A session: its question, how many calls and bytes it took, when it ends or what ended it."""
    with service.engine.connect() as connection:
        found = opening.find_session(connection, session, only_own(caller), service.clock.now())
    return _told(found)


@router.post("/sessions/{session}/close", response_model=SessionState, responses=refusals(401, 403, 404, 429))
def post_close_session(service: ServiceOf, caller: Submitter, session: SessionId) -> Response:
    """End a session whose answer is found. It then counts no more for the sessions that a key may have open."""
    with service.engine.connect() as connection:
        opening.begin_writing(connection)
        found = opening.close_session(connection, session, caller.first_id, service.clock.now())
        connection.commit()
    return _told(found)


@router.post(
    "/sessions/{session}/tools/{tool}",
    response_model=ToolResponse,
    responses=refusals(400, 401, 403, 404, 408, 409, 413, 429, 501),
)
async def post_session_tool(
    request: Request,
    caller: Submitter,
    session: SessionId,
    tool: Annotated[Word, Path(examples=["nearby"])],
    arguments: Annotated[
        dict[str, Any], Body(description="the tool's arguments", openapi_examples=ARGUMENTS_EXAMPLES)
    ],
) -> Response:
    """Call a tool in a session. What it answers is stored before you read it, and so is what it refuses."""
    answer = await request.app.state.session_calls.call(caller, session, tool, arguments)
    return told_by_tool(answer)


def _told(found: SessionState, status: int = 200) -> Response:
    headers = {
        "Cache-Control": "no-store",
        "Location": f"/v1/sessions/{found.session}",
        "Link": f'<{LICENCE_URL}>; rel="license"',
    }
    return Response(canonical_json(found.model_dump(mode="json")), status, headers, "application/json")
