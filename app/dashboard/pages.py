"""The pages `/` and `/leaderboards/{dataset}`, and the page of a problem; reads boards as the api role."""

from collections.abc import Mapping

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.api.service import ServiceOf
from app.dashboard import (
    boards,
    churn,
    datasets,
    episodes,
    flows,
    map_library,
    papers,
    people,
    places,
    questions,
    rechecks,
    rendering,
    rest,
    runs,
    signing_in,
    tools,
    workbench,
    workbench_draft,
)
from app.dashboard.reading import reading
from app.dashboard.rendering import page, render
from app.dashboard.rules import PageRules, profiles_of_pages
from app.leaderboard.board import list_datasets, read_board
from app.published.agents import read_figures
from app.published.reasoning import read_reasoning
from app.published.templates import titles_of

STATIC = rendering.STATIC

router = APIRouter(include_in_schema=False)
for part in (
    boards,
    churn,
    datasets,
    episodes,
    flows,
    map_library,
    papers,
    people,
    places,
    questions,
    rechecks,
    rest,
    runs,
    signing_in,
    tools,
    workbench,
    workbench_draft,
):
    router.include_router(part.router)


@router.get("/", response_class=HTMLResponse)
def show_index(service: ServiceOf) -> HTMLResponse:
    """The data sets."""
    with reading(service) as connection:
        found = list_datasets(connection)
    return page("index.html", datasets=found.datasets)


@router.get("/leaderboards/{dataset}", response_class=HTMLResponse)
def show_leaderboard(service: ServiceOf, dataset: str, profile: PageRules = "trigpoint") -> HTMLResponse:
    """The board of a data set version."""
    with reading(service) as connection:
        board = read_board(connection, dataset, profile=profile, kept=service.kept)
        agents = read_figures(connection, [row.run for row in board.rows])
        reasoning = read_reasoning(connection, [row.run for row in board.rows])
    return page(
        "leaderboard.html",
        board=board,
        agents=agents,
        reasoning=reasoning,
        profiles=profiles_of_pages(board.benchmark),
        titles=titles_of(board.benchmark),
        attribution=board.attribution,
        licence_url=board.licence_url,
    )


def problem_page(
    request: Request, status: int, title: str, detail: str, request_id: str, headers: Mapping[str, str]
) -> HTMLResponse:
    """What is the matter, for people."""
    content = render("problem.html", status=status, title=title, detail=detail, request_id=request_id)
    return HTMLResponse(content, status, dict(headers))
