"""The pages of runs: the list, and one with where it stands; without scripts it is loaded again by itself."""

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy import Connection

from app.api.paging import next_address
from app.api.parameters import Cursor, RunId
from app.api.service import ServiceOf
from app.dashboard.reading import reading
from app.dashboard.rendering import page
from app.dashboard.shown import ANSWER, CALLS, RUN, RUN_LISTED, shown
from app.leaderboard.board import read_board
from app.leaderboard.formatting import CutOff, cut_off
from app.leaderboard.states import read_result
from app.papers.definitions import paper_of
from app.predictions.listing import RunDetail, Status, list_runs, read_run
from app.published.agents import read_figures
from app.published.answers import Outcome, Place, RunAnswer, State, WantedAnswers, read_answer_page
from app.published.reasoning import read_reasoning
from app.published.running import by_kind, read_calls
from app.published.templates import titles_of
from app.questions.versions import find_version
from app.scores.reasoning import checker_version
from app.solvers.run_kinds import JUDGEMENT

router = APIRouter(include_in_schema=False)
ROWS = 50
ANSWERS = 20
"""Rows of a page: runs, and answers of one run."""
UNDER_WAY = ("queued", "running")


@router.get("/runs", response_class=HTMLResponse)
def show_runs(
    request: Request,
    service: ServiceOf,
    dataset: Annotated[str, Query(max_length=200)] = "",
    status: Status | Literal[""] = "",
    cursor: Cursor = None,
) -> HTMLResponse:
    """Runs, the newest first."""
    position = service.cursors.read(request, cursor, (int,))
    before = position[0] if position else None
    with reading(service) as connection:
        version = find_version(connection, dataset).id if dataset.isprintable() and dataset else None
        found = list_runs(connection, version, status or None, None, before, ROWS + 1)
    listed = found[:ROWS]
    further = service.cursors.make(request, [listed[-1].run]) if len(found) > ROWS else None
    return page(
        "runs.html",
        runs=[shown(one, RUN_LISTED) for one in listed],
        dataset=dataset,
        status=status,
        is_first=cursor is None,
        further=None if further is None else next_address(request, further),
    )


@router.get("/runs/{run}", response_class=HTMLResponse)
def show_run(
    request: Request,
    service: ServiceOf,
    run: RunId,
    template: Annotated[str, Query(max_length=200)] = "",
    outcome: Literal["", "correct", "wrong", "unparseable", "no_answer", "error"] = "",
    cursor: Cursor = None,
) -> HTMLResponse:
    """A run: how far it is, what it took, what failed and why, its score, and its answers to public questions."""
    position = service.cursors.read(request, cursor, (int, int, int))
    after = Place(*position) if position else None
    with reading(service) as connection:
        found = read_run(connection, run, service.clock.now())
        calls = read_calls(connection, run)
        told = calls.model_copy(update={"errors": by_kind(calls.errors)})
        result = read_result(connection, run)
        board = read_board(connection, found.dataset, kept=service.kept)
        answers = _answers(connection, found, template, outcome, after)
        is_shown = found.status != "cancelled"
        figures = read_figures(connection, [run]) if is_shown else []
        reasoning = read_reasoning(connection, [run]) if is_shown else []
    outcomes, truncated = (None, 0) if result is None else (result.states, result.truncated)
    uncounted = 0 if outcomes is None else found.total - sum(outcomes.model_dump().values())
    counts_all = found.sample is None and uncounted == 0
    listed = answers[:ANSWERS]
    further = service.cursors.make(request, list(listed[-1][0])) if len(answers) > ANSWERS else None
    return page(
        "run.html",
        run=shown(found, RUN),
        attribution=board.attribution,
        calls=shown(told, CALLS),
        outcomes=outcomes,
        uncounted=uncounted,
        agent=figures[0] if figures else None,
        reasoning=reasoning[0] if reasoning else None,
        is_being_checked=found.scored
        and found.kind != JUDGEMENT
        and checker_version(board.benchmark) is not None,
        cut_off=cut_off([CutOff("", truncated, found.states["answered"] + found.states["no_answer"])]),
        step=board.step if counts_all else None,
        board_n=board.n,
        paper=paper_of(board.benchmark, found.kind) if found.status == "complete" and found.scored else None,
        lives=_lives(found),
        standing=next((row for row in board.rows if row.run == run and row.score is not None), None),
        result=result,
        templates=list(board.templates),
        titles=titles_of(board.benchmark),
        answers=[shown(one, ANSWER) for _, one in listed],
        asked={"template": template, "outcome": outcome},
        is_first=cursor is None,
        further=None if further is None else next_address(request, further),
        untold=found.progress.errors - sum(one.answers for one in calls.errors),
    )


def _answers(
    connection: Connection, run: RunDetail, template: str, outcome: str, after: Place | None
) -> list[tuple[Place, RunAnswer]]:
    """The answers of a page and one more; none of a judge, whose prompts hold other runs' answers."""
    if run.kind == JUDGEMENT or run.status == "cancelled" or not template.isprintable():
        return []
    known: dict[str, tuple[State, Outcome | None]] = {
        "correct": ("answered", "correct"),
        "wrong": ("answered", "wrong"),
        "unparseable": ("answered", "unparseable"),
        "no_answer": ("no_answer", None),
        "error": ("error", None),
    }
    wanted = WantedAnswers(template=template or None)
    if outcome in known:
        state, read = known[outcome]
        wanted = replace(wanted, state=state, outcome=read)
    return read_answer_page(connection, run.run, wanted, after, ANSWERS + 1)


def _lives(run: RunDetail) -> bool:
    """Whether more is to come: answers, or the scores of a run that has them all."""
    return run.status in UNDER_WAY or (run.status == "complete" and not run.scored)
