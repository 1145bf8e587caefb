"""The pictures by name, as bytes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure
from pydantic import BaseModel

from app.leaderboard.models import Board
from app.leaderboard.offsets import Panel
from app.plotting.analyses import draw_cities, draw_effort, draw_skills, draw_versus
from app.plotting.boards import draw_board
from app.plotting.canvas import Kind, render, title_of
from app.plotting.dials import draw_dial
from app.plotting.errors import draw_errors
from app.plotting.heatmap import draw_heatmap
from app.plotting.radar import draw_radar

PICTURES: Mapping[str, Callable[[Board, Sequence[Panel], int], Figure]] = {
    "board": lambda board, _, limit: draw_board(board, limit),
    "heatmap": lambda board, _, limit: draw_heatmap(board, limit),
    "radar": lambda board, _, limit: draw_radar(board, limit),
    "error": draw_errors,
}


def picture(what: str, board: Board, panels: Sequence[Panel], limit: int, kind: Kind) -> bytes:
    """The picture of that name of at most `limit` runs; raises UsageError where the board is not fit for it."""
    title = f"{title_of(board)}: {what}"
    return render(lambda: PICTURES[what](board, panels, limit), title, board.attribution, kind)


ANALYSES: Mapping[str, Callable[[Board, Any, int], Figure]] = {
    "skills": lambda board, found, _: draw_skills(board, found),
    "cities": lambda board, found, _: draw_cities(board, found),
    "dial": draw_dial,
    "effort": draw_effort,
    "versus": draw_versus,
}


def analysis(what: str, board: Board, found: BaseModel, limit: int, kind: Kind) -> bytes:
    """The picture of that name of what an analysis found."""
    title = f"{title_of(board)}: {what}"
    return render(lambda: ANALYSES[what](board, found, limit), title, board.attribution, kind)
