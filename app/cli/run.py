"""`trigpoint run …`: what runs there are and where they stand."""

import time
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from app.cli.answers import answers
from app.cli.cells import cell, words
from app.cli.control import cancel, pause, resume, retry
from app.cli.exploration import render_exploration
from app.cli.following import RefusalTeller, look_at, run_bar, sentences
from app.cli.graph_figures import render_graphs
from app.cli.judge import judge
from app.cli.judge_study import judge_study
from app.cli.output import emit
from app.cli.positions import render_positions
from app.cli.rescore import rescore
from app.cli.spending import cut_off, spent
from app.cli.tables import listing, pairs
from app.core.settings import Role, Settings
from app.db.engine import connect, make_engine
from app.leaderboard.numbers import share, span
from app.leaderboard.positions import accuracy_by_position
from app.leaderboard.states import Result, read_result
from app.predictions.costs import cost_of
from app.predictions.progress import (
    Progress,
    describe_budget,
    error_reasons,
    newest_runs,
    progress_of,
    refusals_of,
    why_stopped,
)
from app.published.agents import read_figures

run = typer.Typer(
    help="Runs: list, show, answers, pause, resume, cancel, retry, rescore, judge, judge-study.",
    no_args_is_help=True,
)
RunId = Annotated[int, typer.Argument(help="the run's number")]
LOOK_EVERY = 0.5


@run.command("list")
def list_runs(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="how many to list, the newest first")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """List the newest runs."""
    with connect(Settings.load(), Role.WORKER) as connection:
        found = newest_runs(connection, limit)
    figures = ("done", "total", "errors")
    table = listing("run", "data set", "solver", "label", "status", *figures, right=figures)
    for one in found:
        cells = (
            str(one.run),
            one.dataset,
            one.solver,
            one.label,
            one.status,
            cell(one.done),
            cell(one.total),
            cell(one.states["error"]),
        )
        table.add_row(*map(Text, cells))
    rows = [
        one.as_json() | {"dataset": one.dataset, "solver": one.solver, "label": one.label} for one in found
    ]
    emit({"runs": rows}, as_json, table)


@run.command()
def show(
    run_id: RunId,
    positions: Annotated[
        bool, typer.Option("--positions", help="also the accuracy by the letter of the right option")
    ] = False,
    follow: Annotated[bool, typer.Option("--follow", help="wait until the run is scored or stops")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Show the state of a run, how many of its answers could be read, and why questions failed."""
    settings = Settings.load()
    if follow:
        with connect(settings, Role.WORKER):
            pass  # what keeps us out from the start is told, not waited for
        _follow(settings, run_id)
    with connect(settings, Role.WORKER) as connection:
        found = progress_of(connection, run_id)
        scored = read_result(connection, run_id)
        cost = cost_of(connection, run_id)
        refusals = refusals_of(connection, run_id)
        reasons = [{"reason": reason, "n": count} for reason, count in error_reasons(connection, run_id)]
        by_position = accuracy_by_position(connection, run_id) if positions else None
        figures = next(iter(read_figures(connection, [run_id])), None)
    result = found.as_json() | {"dataset": found.dataset, "solver": found.solver, "label": found.label}
    result |= {
        "rotated": found.rotated,
        "scored": found.scored,
        "parse_rate": scored and scored.states.read_rate,
    }
    rows = [*_told(result), *_scored(scored), *_standing(found), *spent(cost)]
    if refusals.last is not None:
        rows.append(("failed calls", f"{refusals.calls:,}; the last: {refusals.last}"))
    rows += [(f"error × {reason['n']:,}", str(reason["reason"])) for reason in reasons]
    result |= {"sample": found.sample, "progress": found.told()}
    result |= cost.as_json() | {"errors": reasons, "refusals": refusals._asdict()}
    shown: list[str | Table] = [
        pairs(rows),
        *cut_off(cost, found.states["answered"] + found.states["no_answer"]),
    ]
    if figures is not None and figures.exploration is not None:
        result["exploration"] = figures.exploration.model_dump(mode="json")
        shown += render_exploration(figures.exploration)
    if figures is not None and figures.graphs is not None:
        result["graphs"] = figures.graphs.model_dump(mode="json")
        shown += render_graphs(figures.graphs)
    if by_position is not None:
        result["positions"] = by_position.as_json()
        shown += render_positions(by_position)
    emit(result, as_json, *shown)


TITLES = {
    "dataset": "data set",
    "total": "answers wanted",
    "endpoint_requests": "requests to the endpoint, retries included",
    "reasked": "of these asked again after a worker was lost",
    "parse_rate": "answers that could be read",
}


def _told(result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Rows on the run itself."""
    for name, value in result.items():
        told = cell(value)
        if name == "run":
            told = str(value)
        elif name == "parse_rate" and value is not None:
            told = f"{100 * value:.1f} %"
        yield TITLES.get(name, words(name)), told


def _scored(found: Result | None) -> list[tuple[str, str]]:
    """A row on the score, once there is one."""
    if found is None or found.score is None:
        return []
    return [("score", f"{share(found.score, found.step)} %, 95 % interval {span(found.low, found.high)} %")]


def _standing(found: Progress) -> list[tuple[str, str]]:
    """Rows on what is still to do, the sample and the budget."""
    rows = [("progress", ", ".join([f"{found.done:,} done", *sentences(found)]))]
    if found.status in ("paused", "cancelled"):
        rows.append(("stopped", why_stopped(found)))
    if found.sample is not None:
        rows.append(("sample", f"{found.sample:,} questions"))
    if found.calls.budget.as_json() is not None:
        rows.append(("budget", describe_budget(found)))
    return rows


def _follow(settings: Settings, run_id: int) -> None:
    """Show the bar until the run is scored, or nothing of it is under way."""
    database = make_engine(settings, Role.WORKER, pool_size=1)
    teller = RefusalTeller(database, run_id)
    try:
        with run_bar(run_id) as bar:
            while not (found := look_at(database, run_id)).is_settled:
                bar.show(found)
                teller.look(found)
                time.sleep(LOOK_EVERY)
    finally:
        database.dispose()


for _command in (answers, pause, resume, cancel, retry, rescore, judge, judge_study):
    run.command()(_command)
