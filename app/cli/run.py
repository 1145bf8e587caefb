"""`trigpoint run …`: what runs there are and where they stand."""

from collections.abc import Callable
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from app.cli.judge import judge
from app.cli.output import emit
from app.cli.positions import render_positions
from app.cli.rescore import rescore
from app.cli.spending import spent
from app.core.errors import LaterIssue
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_states
from app.leaderboard.positions import accuracy_by_position
from app.predictions.costs import cost_of
from app.predictions.runs import error_reasons, newest_runs, progress_of

run = typer.Typer(help="Runs: list, show, rescore.", no_args_is_help=True)
RunId = Annotated[int, typer.Argument(help="the run's number")]


@run.command("list")
def list_runs(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="how many, newest first")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """The newest runs."""
    with connect(Settings.load(), Role.WORKER) as connection:
        found = newest_runs(connection, limit)
    table = Table("run", "data set", "solver", "label", "status", "done", "total", "errors")
    for one in found:
        cells = (
            one.run,
            one.dataset,
            one.solver,
            one.label,
            one.status,
            one.done,
            one.total,
            one.states["error"],
        )
        table.add_row(*(Text(str(cell)) for cell in cells))
    rows = [
        one.as_json() | {"dataset": one.dataset, "solver": one.solver, "label": one.label} for one in found
    ]
    emit({"runs": rows}, as_json, table)


@run.command()
def show(
    run_id: RunId,
    positions: Annotated[
        bool, typer.Option("--positions", help="also accuracy by where the right option is shown")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Where one run stands, how many of its answers could be read, and why questions of it failed."""
    with connect(Settings.load(), Role.WORKER) as connection:
        found = progress_of(connection, run_id)
        states = read_states(connection, run_id)
        cost = cost_of(connection, run_id)
        reasons = [{"reason": reason, "n": count} for reason, count in error_reasons(connection, run_id)]
        by_position = accuracy_by_position(connection, run_id) if positions else None
    result = found.as_json() | {"dataset": found.dataset, "solver": found.solver, "label": found.label}
    result |= {"rotated": found.rotated, "scored": found.scored, "parse_rate": states and states.read_rate}
    table = Table("", "", show_header=False)
    for name, value in [*result.items(), *spent(cost)]:
        table.add_row(name, Text(str(value)))
    for reason in reasons:
        table.add_row(f"error × {reason['n']}", Text(str(reason["reason"])))
    result |= cost.as_json() | {"errors": reasons}
    shown: list[str | Table] = [table]
    if by_position is not None:
        result["positions"] = by_position.as_json()
        shown += render_positions(by_position)
    emit(result, as_json, *shown)


run.command()(rescore)
run.command()(judge)


def _later(name: str) -> Callable[[int], None]:
    def command(run_id: RunId) -> None:
        raise LaterIssue(
            f"`trigpoint run {name}` comes with a later part of Trigpoint; `run list`, `show` and `rescore` work."
        )

    command.__doc__ = "Comes with a later part of Trigpoint."
    return command


for _name in ("pause", "resume", "cancel", "retry"):
    run.command(_name)(_later(_name))
