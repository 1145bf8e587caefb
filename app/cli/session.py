"""`trigpoint session …`: sessions of agents that others run: opened for a key, listed, shown with their calls."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from app.access.audit import AT_THE_COMMAND_LINE, note
from app.access.keys import find_first_id
from app.agent_tools.sets import ALL
from app.cli.output import emit
from app.cli.tables import listing, pairs
from app.core.clock import SystemClock
from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.core.words import with_hidden_shown
from app.db.engine import connect
from app.sessions.opening import WantedSession, calls_of, find_session, list_sessions, open_session
from app.sessions.records import SessionCall, SessionState

session = typer.Typer(help="Sessions of agents: open, list, show.", no_args_is_help=True)
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]


@session.command("open")
def open_(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")
    ],
    question: Annotated[str, typer.Argument(help="the question's id")],
    key: Annotated[str, typer.Option(metavar="PREFIX", help="the key that is to use it: its prefix")],
    tool_set: Annotated[
        str,
        typer.Option(
            "--set",
            metavar="SET",
            help="the tools: all, mapeval, mapeval_calculator, georover, georover_10km, spatial_agent or calculator",
        ),
    ] = ALL,
    as_json: AsJson = False,
) -> None:
    """Open a session, in which the agent of a key's owner may call the tools of a question's map."""
    now = SystemClock().now()
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        key_id = find_first_id(connection, key, "submitter", now)
        found = open_session(connection, WantedSession(dataset, question, tool_set), key_id, now)
        note(connection, AT_THE_COMMAND_LINE, "session.open", f"session {found.session}", now, {"key": key})
        connection.commit()
    emit(found.model_dump(mode="json"), as_json, _card(found))


@session.command("list")
def list_(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="how many to list, the newest first")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the newest sessions."""
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        found = list_sessions(connection, None, None, limit, SystemClock().now())
    table = listing("session", "data set", "question", "tools", "calls", "ended", right=["calls"])
    for one in found:
        cells = (one.session, one.dataset, one.question, one.tool_set, one.calls, one.ended or "")
        table.add_row(*(Text(str(cell)) for cell in cells))
    emit({"sessions": [one.model_dump(mode="json") for one in found]}, as_json, table)


@session.command()
def show(
    session_id: Annotated[str, typer.Argument(metavar="SESSION", help="the session's id")],
    as_json: AsJson = False,
) -> None:
    """Show a session with its calls. The calls of a submitted answer are steps of its run."""
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        found = find_session(connection, session_id, None, SystemClock().now())
        calls = calls_of(connection, session_id)
    told = found.model_dump(mode="json") | {"made": [one.model_dump(mode="json") for one in calls]}
    emit(told, as_json, _card(found), _calls(calls))


def _card(found: SessionState) -> Table:
    shown = {
        "question": found.text,
        "options": " | ".join(found.options) if found.options else None,
        "map": found.snapshot,
        "tools": found.tool_set,
        "calls": f"{found.calls} of {found.limits.calls}",
        "bytes": f"{found.bytes:,} of {found.limits.bytes:,}",
        "ends": f"{found.ends_at:%Y-%m-%d %H:%M:%S} UTC",
        "ended": found.ended,
        "submission": found.submission,
    }
    return pairs(shown.items(), f"session {found.session}: {found.question} of {found.dataset}")


def _calls(calls: list[SessionCall]) -> Table:
    table = listing("call", "tool", "arguments", "answer", "ms", right=["call", "ms"])
    for one in calls:
        error = one.response.get("error")
        said = f"{error['kind']}: {error['message']}" if error else one.response["sentence"]
        arguments = canonical_json(one.request["arguments"])
        cells = (str(one.ordinal), one.request["tool"], arguments[:80], said[:200], str(one.latency_ms))
        table.add_row(*(Text(with_hidden_shown(cell)) for cell in cells))
    return table
