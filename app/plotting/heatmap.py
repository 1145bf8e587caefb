"""Templates and models as a picture: a shade and a number a cell; what has no score is hatched."""

from collections.abc import Sequence
from math import cos, radians

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from app.leaderboard import formatting as words
from app.leaderboard.models import Board, Row
from app.plotting.canvas import (
    COLUMN,
    LETTER,
    LINE,
    MARGIN,
    PAGE,
    SLANT,
    SLANTED,
    SMALLEST,
    Sheet,
    heads_height,
    notes_of,
    sampled,
    stepped,
    title_of,
    unscored,
)
from app.plotting.names import MOST_CELLS, cells_of, fitted, names_of

LEFT, COUNT, CELL, ROW, TOP = 1.12, 0.26, 0.33, 0.145, 0.36
TEMPLATE_CELLS = 24
SHADES = "cividis"


def draw_heatmap(board: Board, limit: int) -> Figure:
    """A row a template under one of all questions; a column each of the first `limit` runs that have a score."""
    scored = [row for row in board.rows if row.score is not None]
    shown = scored[:limit]
    names = names_of(board.rows, _name_cells(len(shown)))
    width = _width([names[row.run] for row in shown])
    more = len(scored) - len(shown)
    told = [
        f"Score: {words.metric(board)}. Mean over all questions in the first row.",
        *stepped(board),
        *sampled(shown, names),
        *unscored(board, names),
    ]
    if more:
        told.insert(1, f"{words.count(more)} more {'run' if more == 1 else 'runs'} with lower scores.")
    notes = notes_of(board, *told, width=width)
    rows = [("all", board.n, board.rows), *((name, one.n, one.rows) for name, one in board.templates.items())]
    top = TOP + heads_height(names[row.run] for row in shown)
    height = top + ROW * len(rows) + 0.1 + LINE * len(notes) + MARGIN
    sheet = Sheet(width, height)
    sheet.heading(title_of(board), "score in % by template and model; n: questions")
    axes = sheet.axes(LEFT + COUNT, top, CELL * len(shown), ROW * len(rows))
    axes.set_axis_off()
    axes.set_xlim(0, len(shown))
    axes.set_ylim(len(rows), 0)
    sheet.text(LEFT + COUNT - 0.05, top - 0.06, "n", fontsize=SMALLEST, ha="right")
    for column, row in enumerate(shown):
        x = LEFT + COUNT + CELL * (column + 0.5)
        sheet.text(x, top - 0.05, names[row.run], **SLANTED)
    for place, (name, n, cells) in enumerate(rows):
        y = top + ROW * (place + 0.5)
        weight = "bold" if place == 0 else "normal"
        sheet.text(MARGIN, y, fitted(name, TEMPLATE_CELLS), fontsize=SMALLEST, fontweight=weight)
        sheet.text(LEFT + COUNT - 0.05, y, words.count(n), fontsize=SMALLEST, ha="right")
        by_run = {cell.run: cell for cell in cells}
        for column, row in enumerate(shown):
            _cell(axes, column, place, by_run.get(row.run))
    sheet.notes(notes)
    return sheet.figure


def _name_cells(columns: int) -> int:
    """Small letters of a name that the last of so many heads has room for on a page."""
    room = PAGE - MARGIN - LEFT - COUNT - CELL * (columns - 0.5)
    return min(MOST_CELLS, int(room / (LETTER * cos(radians(SLANT)))))


def _width(heads: Sequence[str]) -> float:
    """A column of the paper, or as much as the cells and the slant of the heads take, a page at most."""
    ends = (
        CELL * (place + 0.5) + LETTER * cos(radians(SLANT)) * cells_of(head)
        for place, head in enumerate(heads)
    )
    return min(PAGE, max(COLUMN, LEFT + COUNT + max(ends, default=0.0) + MARGIN))


def _cell(axes: Axes, column: int, place: int, row: Row | None) -> None:
    score = None if row is None else row.score
    shade = (1.0, 1.0, 1.0, 1.0) if score is None else colormaps[SHADES](score)
    hatch = "/////" if score is None else None
    axes.add_patch(
        Rectangle(
            (column, place),
            1,
            1,
            facecolor=shade,
            edgecolor="white" if hatch is None else "#BBBBBB",
            hatch=hatch,
            linewidth=0.6,
        )
    )
    dark = 0.2126 * shade[0] + 0.7152 * shade[1] + 0.0722 * shade[2] < 0.45
    axes.text(
        column + 0.5,
        place + 0.53,
        words.NONE if row is None else words.score(row),
        ha="center",
        va="center",
        fontsize=SMALLEST,
        color="white" if dark else "black",
    )
