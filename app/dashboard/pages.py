"""The pages `/` and `/leaderboards/{dataset}`, and the page of a problem; reads boards as the api role."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.leaderboard import formatting
from app.leaderboard.board import ATTRIBUTION, LICENCE_URL, list_datasets, read_board

HERE = Path(__file__).parent
STATIC = HERE / "static"

router = APIRouter(include_in_schema=False)
_environment = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.globals["words"] = formatting


def render(name: str, **values: Any) -> str:
    """A template of `templates/` as HTML; every value is escaped."""
    return _environment.get_template(name).render(
        **{"attribution": ATTRIBUTION, "licence_url": LICENCE_URL, **values}
    )


@router.get("/", response_class=HTMLResponse)
def show_index(request: Request) -> HTMLResponse:
    """The data sets."""
    with request.app.state.engine.connect() as connection:
        found = list_datasets(connection)
    return _page(render("index.html", datasets=found.datasets))


@router.get("/leaderboards/{dataset}", response_class=HTMLResponse)
def show_leaderboard(request: Request, dataset: str) -> HTMLResponse:
    """The board of a data set version."""
    with request.app.state.engine.connect() as connection:
        board = read_board(connection, dataset)
    return _page(
        render("leaderboard.html", board=board, attribution=board.attribution, licence_url=board.licence_url)
    )


def problem_page(
    request: Request, status: int, title: str, detail: str, request_id: str, headers: Mapping[str, str]
) -> HTMLResponse:
    """What is the matter, for people."""
    content = render("problem.html", status=status, title=title, detail=detail, request_id=request_id)
    return HTMLResponse(content, status, dict(headers))


def _page(content: str) -> HTMLResponse:
    return HTMLResponse(content, headers={"Cache-Control": "no-cache"})
