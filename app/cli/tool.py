"""`trigpoint tool`: calls a tool on a snapshot, as an agent would; lists tools and schemas; opens a map's tools."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer

from app.access.audit import AT_THE_COMMAND_LINE, note
from app.agent_tools.calling import call_tool
from app.agent_tools.opened import CLOSED, OPENED, set_open
from app.agent_tools.registry import UNAVAILABLE, Tool, find_tool
from app.agent_tools.schemas import describe_tools, schema_of
from app.agent_tools.sets import ALL, find_set
from app.cli import output
from app.cli.tables import listing
from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.core.strict_json import read_json
from app.db.engine import connect
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers

SWITCHES = {"open": True, "close": False}
"""Words in place of a tool's name, for maintainers: whether tools may be called on the map over the network."""


def tool(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="the tool; without it, all are listed; `open` and `close` say whether REST offers the map's tools",
        ),
    ] = None,
    snapshot: Annotated[
        str | None,
        typer.Option(metavar="NAME[@TIMESTAMP]", help="the map: its newest, or that of a timestamp"),
    ] = None,
    schemas: Annotated[
        bool,
        typer.Option("--schemas", help="print the JSON schemas of the tools, as chat endpoints take them"),
    ] = False,
    tool_set: Annotated[
        str,
        typer.Option(
            "--set",
            metavar="SET",
            help="the tools: all, mapeval, mapeval_calculator, georover, georover_10km, spatial_agent or calculator",
        ),
    ] = ALL,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Call a tool on a map: trigpoint tool nearby --snapshot N --where n123 --type cafe. Options are its arguments."""
    if name in SWITCHES:
        if context.args:
            raise UsageError(f"`trigpoint tool {name}` has no option {context.args[0][:60]!r}.")
        _switch(SWITCHES[name], snapshot, as_json)
    elif schemas:
        output.line(canonical_json(describe_tools(find_set(tool_set).tools)))
    elif name is None:
        _list(find_set(tool_set).tools, as_json)
    else:
        _call(find_set(tool_set).tools, name, snapshot, context.args, as_json)


def _switch(is_open: bool, snapshot: str | None, as_json: bool) -> None:
    now = SystemClock().now()
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        found, changed = set_open(connection, _said(snapshot), is_open)
        reference = found.snapshot.reference
        if changed:
            note(connection, AT_THE_COMMAND_LINE, OPENED if is_open else CLOSED, reference, now)
        connection.commit()
    sentence = f"Tools are {'open' if is_open else 'closed'} on {reference} over the network."
    output.emit({"snapshot": reference, "open": is_open}, as_json, sentence)


def _said(snapshot: str | None) -> str:
    if snapshot is None:
        raise UsageError("Say which map: --snapshot NAME. `trigpoint snapshots` lists them.")
    return snapshot


def _list(tools: Mapping[str, Tool], as_json: bool) -> None:
    listed = [{"tool": one.name, "description": one.description} for one in tools.values()]
    table = listing("tool", "description", sentences=("description",))
    for one in listed:
        table.add_row(one["tool"], one["description"])
    output.emit({"tools": listed, "unavailable": UNAVAILABLE}, as_json, table)


def _call(
    tools: Mapping[str, Tool], name: str, snapshot: str | None, given: Sequence[str], as_json: bool
) -> None:
    found = find_tool(name, tools)
    arguments = read_options(found, given)
    wanted = _said(snapshot)
    settings = Settings.load()
    with connect(settings, Role.MAINTAINER) as connection:
        (map_,) = find_snapshots(connection, [wanted])
        answer = call_tool(connection, map_, Routers(settings), name, arguments, tools)
    output.emit(answer.as_json(), as_json, answer.sentence)


def read_options(found: Tool, given: Sequence[str]) -> dict[str, Any]:
    """The arguments of a call from `--name value` and `--name=value`; lists may be given value by value.

    Raises UsageError for what is no option.
    """
    properties = schema_of(found)["properties"]
    arguments: dict[str, Any] = {}
    for name, value in _pairs(given):
        schema = properties.get(name, {})
        if schema.get("type") == "array" and not value.startswith("["):
            arguments.setdefault(name, []).append(_read(value) if value.startswith("{") else value)
        else:
            arguments[name] = value if _is_text(schema) else _read(value)
    return arguments


def _pairs(given: Sequence[str]) -> Iterator[tuple[str, str]]:
    rest = iter(given)
    for word in rest:
        if not word.startswith("--"):
            raise UsageError(f"{word[:60]!r} is no option. Give arguments as --name value.")
        name, equals, value = word[2:].partition("=")
        yield name.replace("-", "_"), value if equals else next(rest, "")


def _is_text(schema: dict[str, Any]) -> bool:
    return any(one.get("type") == "string" for one in (schema, *schema.get("anyOf", ())))


def _read(value: str) -> Any:
    try:
        return read_json(value)
    except ValueError:
        return value
