"""Models by dimension as a picture: a line and a mark each around the circle, and their numbers in a table."""

from math import pi

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from app.core.errors import UsageError
from app.leaderboard import formatting as words
from app.leaderboard.models import Board, Row, Section
from app.plotting.canvas import (
    BACKGROUND,
    COLUMN,
    LINE,
    MARGIN,
    SLANTED,
    SMALLEST,
    Sheet,
    heads_height,
    line_style,
    mark,
    notes_of,
    sampled,
    stepped,
    title_of,
    unscored,
    wider,
)
from app.plotting.names import MOST_CELLS, fitted, names_of

FEWEST = 3
TOP, CIRCLE, ROW, TABLE = 0.62, 1.5, 0.13, 1.25
NAME_CELLS, DIMENSION_CELLS = 20, 21
APART = 0.05
"""Radians between marks of two models, so that intervals stand side by side."""


def draw_radar(board: Board, limit: int) -> Figure:
    """The first `limit` runs that have a score. Raises UsageError where there are fewer than three dimensions."""
    if len(board.groups) < FEWEST:
        found = ", ".join(board.groups) or "none"
        raise UsageError(
            f"{title_of(board)} has too few dimensions for a radar ({found}); it takes {FEWEST}. "
            "`trigpoint plot heatmap` shows its templates."
        )
    scored = [row for row in board.rows if row.score is not None]
    shown = scored[:limit]
    names = names_of(board.rows, MOST_CELLS)
    extra = wider((names[row.run] for row in shown), NAME_CELLS)
    told = [f"Score: {words.metric(board)}. Bars: 95 % interval."]
    told += [*stepped(board), *sampled(shown, names), *unscored(board, names)]
    if len(scored) > len(shown):
        told.insert(1, f"{words.count(len(scored) - len(shown))} more with lower scores.")
    if any(section.left_out for section in board.groups.values()):
        told.append("*: without hidden questions, which count only in the whole.")
    notes = notes_of(board, *told, width=COLUMN + extra)
    heads = [_heading(name, section) for name, section in board.groups.items()]
    table = TOP + CIRCLE + 0.2 + heads_height(heads, 90)
    sheet = Sheet(COLUMN + extra, table + ROW * (len(shown) + 1) + 0.08 + LINE * len(notes) + MARGIN)
    sheet.heading(title_of(board), f"{words.count(board.n)} questions by dimension; score in %")
    axes = sheet.axes((COLUMN + extra - CIRCLE) / 2, TOP, CIRCLE, CIRCLE, projection="polar")
    _prepare(axes, board.groups)
    for number, row in enumerate(shown):
        _line(axes, board.groups, row.run, number, (number - (len(shown) - 1) / 2) * APART)
    _table(sheet, board.groups, [(row, names[row.run]) for row in shown], (TABLE + extra, table))
    sheet.notes(notes)
    return sheet.figure


def _heading(name: str, section: Section) -> str:
    return fitted(name, DIMENSION_CELLS) + ("*" if section.left_out else "")


def _angles(count: int) -> list[float]:
    return [2 * pi * place / count for place in range(count)]


def _prepare(axes: Axes, sections: dict[str, Section]) -> None:
    axes.set_theta_zero_location("N")  # type: ignore[attr-defined]
    axes.set_theta_direction(-1)  # type: ignore[attr-defined]
    axes.set_ylim(0, 100)
    axes.set_yticks([25, 50, 75, 100])
    axes.set_yticklabels([])
    for share in (25, 50, 75, 100):
        axes.text(
            pi / len(sections),
            share,
            str(share),
            fontsize=SMALLEST,
            color="#555555",
            ha="center",
            va="center",
            bbox=BACKGROUND,
            zorder=5,
        )
    axes.set_rlabel_position(180 / len(sections))  # type: ignore[attr-defined]
    axes.set_xticks(_angles(len(sections)))
    axes.set_xticklabels([])
    axes.grid(color="#CCCCCC", linewidth=0.4)
    axes.spines["polar"].set_linewidth(0.4)
    for angle, (name, section) in zip(_angles(len(sections)), sections.items()):
        near_middle = abs(angle % pi) < 0.01
        side = "center" if near_middle else "left" if angle < pi else "right"
        axes.text(angle, 112, _heading(name, section), ha=side, va="center", fontsize=SMALLEST)


def _line(axes: Axes, sections: dict[str, Section], run: int, number: int, turned: float) -> None:
    cells = [{row.run: row for row in one.rows}[run] for one in sections.values()]
    angles = [angle + turned for angle in _angles(len(cells))]
    style = line_style(number)
    found = [(angle, cell) for angle, cell in zip(angles, cells) if cell.score is not None]
    closed = [*found, found[0]] if len(found) == len(cells) else found
    axes.plot(
        [angle for angle, _ in closed],
        [100 * (cell.score or 0) for _, cell in closed],
        **style,
        clip_on=False,
    )
    for angle, cell in found:
        if cell.low is not None and cell.high is not None:
            axes.plot(
                [angle] * 2,
                [100 * cell.low, 100 * cell.high],
                color=style["color"],
                linewidth=0.6,
                clip_on=False,
            )


def _table(
    sheet: Sheet, sections: dict[str, Section], shown: list[tuple[Row, str]], corner: tuple[float, float]
) -> None:
    """The numbers, with the left and upper end of their columns at `corner`."""
    left, top = corner
    step = (COLUMN - TABLE - 2 * MARGIN) / (len(sections) + 1)
    columns = [left + MARGIN + step * (place + 0.5) for place in range(len(sections) + 1)]
    heads = ["all", *(_heading(name, one) for name, one in sections.items())]
    for x, head in zip(columns, heads):
        sheet.text(x, top - 0.05, head, **(SLANTED | {"rotation": 90}))
    by_run = [{row.run: row for row in one.rows} for one in sections.values()]
    for number, (row, name) in enumerate(shown):
        y = top + ROW * (number + 0.5)
        mark(sheet.axes(MARGIN, y - ROW / 2, 0.25, ROW), number)
        sheet.text(MARGIN + 0.3, y, name, fontsize=SMALLEST)
        for x, cell in zip(columns, [row, *(cells[row.run] for cells in by_run)]):
            sheet.text(x, y, words.score(cell), fontsize=SMALLEST, ha="center")
    y = top + ROW * (len(shown) + 0.5)
    sheet.text(MARGIN + 0.3, y, "n", fontsize=SMALLEST, style="italic")
    counts = [max((row.n for row, _ in shown), default=0), *(one.n for one in sections.values())]
    for x, n in zip(columns, counts):
        sheet.text(x, y, words.count(n), fontsize=SMALLEST, ha="center", style="italic")
