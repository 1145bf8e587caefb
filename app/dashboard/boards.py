"""The pages beside a leaderboard: its templates as a heat map, and two runs compared."""

from typing import Annotated, Literal, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from app.api.parameters import Dataset
from app.api.service import ServiceOf
from app.dashboard.reading import reading
from app.dashboard.rendering import page
from app.dashboard.rules import PageRules, profiles_of_pages
from app.leaderboard.board import Kind, read_board
from app.leaderboard.models import Board, Row
from app.published.duels import Duel, ScopeDifference, read_duel
from app.published.templates import titles_of
from app.questions.versions import find_version

router = APIRouter(include_in_schema=False)
Choice = Annotated[int | None, Query(ge=1, le=2**62)]
KINDS = {
    "template": "Template",
    "dimension": "Dimension",
    "strategy": "Strategy of wrong options",
    "city": "City",
    "answer_type": "Answer type",
    "gold": "Without an answer",
    "register": "Register of the text",
    "recheck": "Keys of others, rechecked",
    "context": "Length of the context",
    "options": "Number of options",
    "sub_kind": "What is worked out",
    "zoom": "Zoom of the picture",
    "tier": "Distance of the first station",
    "density": "Density around the user",
}


class Heat(NamedTuple):
    """One cell of the heat map; `level` is 0 to 10, None without a score."""

    row: Row
    level: int | None


@router.get("/leaderboards/{dataset}/templates", response_class=HTMLResponse)
def show_templates(
    service: ServiceOf,
    dataset: Dataset,
    by: Kind | Literal["", "template"] = "",
    profile: PageRules = "trigpoint",
) -> HTMLResponse:
    """Every run on every template, or on every group of another kind."""
    with reading(service) as connection:
        kind = None if by == "" or by == "template" else by
        board = read_board(connection, dataset, kind, profile, service.kept)
    sections = board.templates if kind is None else board.groups
    return page(
        "heat.html",
        board=board,
        attribution=board.attribution,
        reference=f"{board.dataset}@{board.version}",
        profiles=profiles_of_pages(board.benchmark),
        by=kind or "template",
        kinds=KINDS,
        titles=titles_of(board.benchmark),
        sections=sections,
        cells={name: _cells(board, section.rows) for name, section in sections.items()},
    )


@router.get("/leaderboards/{dataset}/compare", response_class=HTMLResponse)
def show_comparison(
    service: ServiceOf,
    dataset: Dataset,
    first: Choice = None,
    second: Choice = None,
    profile: PageRules = "trigpoint",
) -> HTMLResponse:
    """Two runs, the best two where none are named."""
    with reading(service) as connection:
        version = find_version(connection, dataset)
        board = read_board(connection, version.reference, profile=profile, kept=service.kept)
        best = [row.run for row in board.rows if row.score is not None and not row.public_only]
        chosen = first or next((run for run in best if run != second), None)
        against = second or next((run for run in best if run != chosen), None)
        duel = (
            None
            if chosen is None or against is None
            else read_duel(connection, version, chosen, against, profile)
        )
    return page(
        "compare.html",
        board=board,
        attribution=board.attribution,
        titles=titles_of(board.benchmark),
        reference=version.reference,
        profiles=profiles_of_pages(board.benchmark),
        duel=duel,
        whole=next((one for one in duel.scopes if one.scope == "all"), None) if duel else None,
        kinds=_by_kind(duel) if duel else [],
    )


def _cells(board: Board, rows: list[Row]) -> list[Heat]:
    """The runs in the order of the whole board."""
    by_run = {row.run: row for row in rows}
    return [
        Heat(
            by_run[one.run],
            None if by_run[one.run].score is None else round(10 * (by_run[one.run].score or 0)),
        )
        for one in board.rows
    ]


def _by_kind(duel: Duel) -> list[tuple[str, list[ScopeDifference]]]:
    """Scopes of each kind under its name; a kind with a single scope tells what the whole does."""
    found = []
    for kind, label in KINDS.items():
        scopes = [one for one in duel.scopes if one.scope.startswith(f"{kind}:")]
        if len(scopes) > 1 or (scopes and kind == "template"):
            found.append((label, scopes))
    return found
