"""The search of a draft's page: which tool is called with what, its answer, and how it would stand in the context."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool

from app.agent_tools.calling import ToolAnswer
from app.agent_tools.errors import ToolError
from app.agent_tools.registry import Tool, all_tools
from app.agent_tools.schemas import schema_of
from app.agent_tools.sets import ALL
from app.api.tool_calls import Asked, ToolCalls
from app.core.errors import Conflict, NotFound, TooMany, TrigpointError
from app.dashboard.signing_in import SignedIn
from app.dashboard.tool_drawing import AnswerMap, draw_answer
from app.dashboard.tool_forms import Field, fields_of, read_arguments
from app.workbench.forms import find_form
from app.workbench.records import Draft
from app.workbench.writing import Called, print_answer

USUAL = {
    "place_search": "Search",
    "place_details": "Details",
    "nearby": "Nearby",
    "travel_time": "Travel time",
    "directions": "Route",
    "distance": "Straight line",
}
"""Tools that a draft's page offers, and what their buttons say."""
KEPT = ("origin", "destination")
"""Fields whose places are kept while other places are sought."""
SHOWN = frozenset({"query", "place", "where", "type", "radius_m", "limit", "origin", "destination", "mode"})
"""Arguments that the page always shows; others are behind a summary until they are used."""
CALLED = "call"


class FoundPlace(NamedTuple):
    """A place of a result."""

    id: str
    name: str
    kind: str


@dataclass(frozen=True)
class Search:
    """The search as the page shows it."""

    tool: Tool
    fields: Sequence[Field]
    kept: Mapping[str, str]
    answer: ToolAnswer | None = None
    drawn: AnswerMap | None = None
    printed: Sequence[str] = ()
    places: Sequence[FoundPlace] = ()
    fault: str = ""
    uses_more: bool = False
    """Whether an argument that is not always shown was filled in."""
    usual = SHOWN


def tool_of(sent: Mapping[str, str]) -> Tool:
    """The tool that a form or an address names; the search by default. Raises NotFound."""
    name = sent.get("tool") or next(iter(USUAL))
    if name not in USUAL:
        raise NotFound(f"The workbench does not offer the tool {name[:60]!r}.")
    return all_tools()[name]


def kept_of(sent: Mapping[str, str]) -> dict[str, str]:
    """The places that are kept for a route."""
    return {name: sent.get(name) or sent.get(f"kept_{name}", "") for name in KEPT}


def address_of(draft: str, tool: Tool, sent: Mapping[str, str], *, call: bool) -> str:
    """The page of a draft with this search filled in, and made where `call` says so."""
    names = [name for name in schema_of(tool)["properties"] if sent.get(name, "").strip()]
    kept = {f"kept_{name}": place for name, place in kept_of(sent).items() if place and name not in names}
    query = {"tool": tool.name, **{name: sent[name] for name in names}, **kept}
    return f"/workbench/drafts/{draft}?{urlencode(query | ({CALLED: '1'} if call else {}))}"


def use_place(sent: Mapping[str, str], what: str) -> dict[str, str]:
    """The fields of the search that a place of a result is used for: `what` is TOOL FIELD PLACE."""
    tool, field, place = [*what.split(" ", 2), "", ""][:3]
    kept = kept_of(sent) if field in KEPT else {}
    return {
        "tool": tool,
        **{f"kept_{name}": one for name, one in kept_of(sent).items()},
        **kept,
        field: place,
    }


async def search(signed: SignedIn, draft: Draft, sent: Mapping[str, str]) -> Search:
    """The search that an address holds, with its answer where it was sent."""
    tool = tool_of(sent)
    schema = schema_of(tool)
    kept = kept_of(sent)
    fields = fields_of(schema, {**{name: place for name, place in kept.items() if place}, **sent})
    uses_more = any(
        name not in SHOWN and sent.get(name, "").strip() not in ("", str(one.get("default")))
        for name, one in schema["properties"].items()
    )
    if CALLED not in sent:
        return Search(tool, fields, kept, uses_more=uses_more)
    try:
        called = await call(signed, draft, tool, sent)
        result = called.answer.result.model_dump(mode="json", exclude_none=True)
        calls: ToolCalls = signed.request.app.state.tool_calls
        drawn = await calls.read(draft.snapshot, lambda scope: draw_answer(scope, called.arguments, result))
    except (ToolError, Conflict, TooMany, NotFound) as error:
        return Search(tool, fields, kept, fault=str(error), uses_more=uses_more)
    printed = await run_in_threadpool(print_answer, find_form(draft.benchmark), called.answer)
    places = list(_places_in(result))
    return Search(tool, fields, kept, called.answer, drawn, printed.lines, places, uses_more=uses_more)


async def call(signed: SignedIn, draft: Draft, tool: Tool, sent: Mapping[str, str]) -> Called:
    """The call that the fields make, answered. Raises what `ToolCalls.call` raises."""
    arguments = read_arguments(schema_of(tool), sent)
    calls: ToolCalls = signed.request.app.state.tool_calls
    asked = Asked(draft.snapshot, ALL)
    return Called(arguments, await calls.call(signed.session.caller, asked, tool.name, arguments))


def fault_status(error: TrigpointError) -> int:
    """The status of a draft's page that shows what was wrong."""
    return 409 if isinstance(error, Conflict) else 422


def _places_in(value: Any) -> Iterator[FoundPlace]:
    """The places of a result, each once, in their order."""
    seen: set[str] = set()
    for one in _objects_in(json.loads(json.dumps(value))):
        if isinstance(one.get("id"), str) and "lat" in one and one["id"] not in seen:
            seen.add(one["id"])
            yield FoundPlace(one["id"], one.get("name") or "", str(one.get("type", "")).replace("_", " "))


def _objects_in(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _objects_in(part)
