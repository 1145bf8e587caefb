"""`trigpoint schedule …`: data sets that follow a region of the map."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.table import Table
from rich.text import Text
from sqlalchemy import Connection

from app.access.audit import AT_THE_COMMAND_LINE, note
from app.cli.output import emit, say
from app.cli.tables import listing, pairs
from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.schedules.models import Continued, NewSchedule, Schedule
from app.schedules.schedules import (
    add_schedule,
    list_schedules,
    read_schedule,
    remove_schedule,
    set_paused,
)

schedule = typer.Typer(
    help="Schedules: data sets that follow the map; add, list, show, pause, resume, run, remove.",
    no_args_is_help=True,
)
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="the schedule's name")]


@schedule.command()
def add(
    name: Name,
    dataset: Annotated[str, typer.Option(help="the data set to refresh, without a version")],
    region: Annotated[str, typer.Option(help="Geofabrik's name of the region, such as europe/liechtenstein")],
    snapshot: Annotated[
        str | None, typer.Option(help="the name of the maps that are imported; by default the region's name")
    ] = None,
    cadence: Annotated[int, typer.Option(help="hours between two checks for a newer map")] = 24,
    window: Annotated[
        str | None,
        typer.Option(
            metavar="HH-HH", help="hours of the day (UTC) in which rounds may start, such as 01-05 or 22-04"
        ),
    ] = None,
    keep_snapshots: Annotated[int, typer.Option(help="how many maps of this schedule are kept")] = 3,
    keep_comparisons: Annotated[int, typer.Option(help="how many comparisons of these maps are kept")] = 10,
    run: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SOLVER:ENDPOINT",
            help="a run to make again after each refresh; may be given several times",
        ),
    ] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="token budget of each run")] = None,
    as_json: AsJson = False,
) -> None:
    """Make a data set follow a region of the map from now on."""
    try:
        asked = NewSchedule(
            name=name,
            dataset=dataset,
            region=region,
            snapshot=snapshot,
            cadence_hours=cadence,
            window=window,
            keep_snapshots=keep_snapshots,
            keep_comparisons=keep_comparisons,
            runs=[_continued(one) for one in run or []],
            budget_tokens=budget_tokens,
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}.") from error
    with _changing() as (connection, now):
        made = add_schedule(connection, asked, None, now)
        note(connection, AT_THE_COMMAND_LINE, "schedule.add", name, now, asked.model_dump(mode="json"))
    _tell(made, as_json)


def _continued(word: str) -> Continued:
    solver, colon, endpoint = word.partition(":")
    if not colon:
        raise UsageError(f"{word!r}: give SOLVER:ENDPOINT, such as direct:local.")
    return Continued(solver=solver, endpoint=endpoint)


@schedule.command("list")
def list_(as_json: AsJson = False) -> None:
    """List all schedules: when each is due, its last result, and alarms for stalled schedules."""
    with connect(Settings.load(), Role.WORKER) as connection:
        found = list_schedules(connection, SystemClock().now())
    for one in found:
        _warn(one)
    table = listing("schedule", "data set", "region", "hours", "due", "result", right=["hours"])
    for one in found:
        due = "paused" if one.paused else f"{one.due_at:%Y-%m-%d %H:%M}"
        result = "STALLED" if one.stalled else one.result or "new"
        table.add_row(*map(Text, (one.name, one.dataset, one.region, str(one.cadence_hours), due, result)))
    told = {"schedules": [one.model_dump(mode="json") for one in found]}
    emit(told, as_json, table if found else "There is no schedule. Add one: trigpoint schedule add.")


@schedule.command()
def show(name: Name, as_json: AsJson = False) -> None:
    """Show a schedule: the progress of the current round and the result of the last round."""
    with connect(Settings.load(), Role.WORKER) as connection:
        found = read_schedule(connection, name, SystemClock().now())
    _warn(found)
    _tell(found, as_json)


@schedule.command()
def pause(name: Name, as_json: AsJson = False) -> None:
    """Pause a schedule. Workers skip it; `schedule run` still runs it."""
    _set(name, True, as_json)


@schedule.command()
def resume(name: Name, as_json: AsJson = False) -> None:
    """Resume a paused schedule."""
    _set(name, False, as_json)


def _set(name: str, paused: bool, as_json: bool) -> None:
    with _changing() as (connection, now):
        found, changed = set_paused(connection, name, paused, now)
        if changed:
            action = "schedule.pause" if paused else "schedule.resume"
            note(connection, AT_THE_COMMAND_LINE, action, name, now)
    _tell(found, as_json)


@schedule.command()
def run(
    name: Name,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="say what would be done; download no map, write nothing")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Look for a newer map now; import it, refresh the data set and continue runs. An earlier round is continued."""
    from app.cli.bars import Bars
    from app.cli.stopping import unwound_by_signals
    from app.operations.schedule_round import plan_round, run_round  # loads what only imports need

    settings = Settings.load()
    if dry_run:
        outcome = plan_round(settings, name, SystemClock())
    else:
        with unwound_by_signals(), Bars() as bars:
            outcome = run_round(settings, name, SystemClock(), bars, say)
    emit(outcome.as_json(name, dry_run=dry_run), as_json, f"{name}: {outcome.told}")


@schedule.command()
def remove(name: Name, as_json: AsJson = False) -> None:
    """Remove a schedule. Its maps and versions stay."""
    with _changing() as (connection, now):
        remove_schedule(connection, name)
        note(connection, AT_THE_COMMAND_LINE, "schedule.remove", name, now)
    emit({"schedule": name, "removed": True}, as_json, f"{name} is removed; its maps and versions stay.")


@contextmanager
def _changing() -> Iterator[tuple[Connection, datetime]]:
    """One transaction and its time; committed unless the block raises."""
    with connect(Settings.load(), Role.WORKER) as connection:
        yield connection, SystemClock().now()
        connection.commit()


def _warn(found: Schedule) -> None:
    if found.alarm:
        say(f"ALARM: {found.alarm}")


def _tell(found: Schedule, as_json: bool) -> None:
    emit(found.model_dump(mode="json"), as_json, _card(found))


def _card(found: Schedule) -> Table:
    state = found.state_timestamp
    shown: dict[str, Any] = {
        "data set": found.dataset,
        "region": found.region,
        "maps": found.snapshot,
        "every": f"{found.cadence_hours:,} h" + (f", within {found.window} UTC" if found.window else ""),
        "keeps": f"{found.keep_snapshots:,} maps, {found.keep_comparisons:,} comparisons",
        "runs": ", ".join(f"{one.solver}:{one.endpoint}" for one in found.runs) or None,
        "budget": None if found.budget_tokens is None else f"{found.budget_tokens:,} tokens a run",
        "due": "paused" if found.paused else f"{found.due_at:%Y-%m-%d %H:%M} UTC",
        "looked": found.looked_at and f"{found.looked_at:%Y-%m-%d %H:%M} UTC",
        "source": state and f"{state:%Y-%m-%d %H:%M} UTC, sequence {found.state_sequence}",
        "stage": None if found.stage == "idle" else found.stage,
        "result": found.result,
        "told": found.told,
    }
    return pairs(shown.items(), f"schedule {found.name}")
