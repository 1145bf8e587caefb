"""A board as a picture: a bar a run with its interval; chance; runs without a score say why."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from app.leaderboard import formatting as words
from app.leaderboard.models import Board, Row
from app.plotting.canvas import (
    BACKGROUND,
    BLUE,
    COLUMN,
    GREY,
    LINE,
    MARGIN,
    SMALLEST,
    Sheet,
    notes_of,
    stepped,
    title_of,
    wider,
)
from app.plotting.names import MOST_CELLS, names_of

NAME, BARS, TOP, ROW = 1.28, 1.18, 0.42, 0.17
NAME_CELLS = 23
"""Small letters that the room for names holds; longer names make the picture wider."""


def draw_board(board: Board, limit: int) -> Figure:
    """The first `limit` rows, as the board has them."""
    rows = board.rows[:limit]
    names = names_of(board.rows, MOST_CELLS)
    extra = wider((names[row.run] for row in rows), NAME_CELLS)
    left = MARGIN + NAME + extra
    notes = notes_of(board, *_told(board, len(board.rows) - len(rows)), width=COLUMN + extra)
    height = TOP + ROW * len(rows) + 0.26 + LINE * len(notes) + MARGIN
    sheet = Sheet(COLUMN + extra, height)
    sheet.heading(title_of(board), f"{words.questions(board)}; score in %, 95 % interval")
    axes = sheet.axes(left, TOP, BARS, ROW * len(rows))
    _prepare(axes, board, len(rows))
    for place, row in enumerate(rows):
        y = TOP + ROW * (place + 0.5)
        sheet.text(MARGIN + 0.11, y, words.rank(row), ha="right")
        sheet.text(MARGIN + 0.17, y, names[row.run], fontsize=SMALLEST)
        _bar(axes, place, row)
        if row.score is not None:
            said = f"{words.score(row)} ({words.interval(row)})"
            sheet.text(left + BARS + 0.08, y, said, fontsize=SMALLEST)
    sheet.notes(notes)
    return sheet.figure


def _prepare(axes: Axes, board: Board, rows: int) -> None:
    axes.set_xlim(0, 100)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_yticks([])
    axes.grid(axis="x", color="#DDDDDD", linewidth=0.4)
    axes.set_axisbelow(True)
    for share, style in ((board.chance, (0, (4, 2))), (board.random_expectation, (0, (1, 1)))):
        if share is not None:
            axes.axvline(100 * share, color="black", linewidth=0.7, linestyle=style)


def _bar(axes: Axes, place: int, row: Row) -> None:
    if row.score is None:
        axes.text(
            2, place, _why(row), va="center", fontsize=SMALLEST, style="italic", bbox=BACKGROUND, zorder=3
        )
        return
    ranked = row.rank is not None
    axes.barh(
        place,
        100 * row.score,
        height=0.66,
        color=BLUE if ranked else "white",
        edgecolor="black" if ranked else GREY,
        hatch=None if ranked else "/////",
        linewidth=0.4,
    )
    if row.low is not None and row.high is not None:
        axes.plot(
            [100 * row.low, 100 * row.high], [place, place], color="black", linewidth=0.8, clip_on=False
        )
        for end in (row.low, row.high):
            axes.plot(
                [100 * end] * 2, [place - 0.16, place + 0.16], color="black", linewidth=0.8, clip_on=False
            )


def _why(row: Row) -> str:
    counted = [(row.states.error, "error"), (row.states.missing, "missing")]
    return ", ".join([words.status(row), *(f"{words.count(n)} {what}" for n, what in counted if n)])


def _told(board: Board, more: int) -> list[str]:
    lines = []
    if board.chance is not None:
        lines.append(f"Dashed: chance, {words.percent(board.chance)} %.")
    if board.random_expectation is not None:
        lines.append(f"Dotted: expected of random, {words.share(board.random_expectation, board.step)} %.")
    told = [" ".join(lines)] if lines else []
    told.append(
        "Tied runs share a rank (p of the paired test on these templates, adjusted by Holm's method, is above 0.05)."
    )
    if any(row.score is not None and row.rank is None for row in board.rows):
        told[-1] += " Hatched: not ranked."
    if more:
        told.append(f"{words.count(more)} more {'run' if more == 1 else 'runs'} below.")
    told.append(f"Score: {words.metric(board)}. Interval: {board.interval}.")
    told += stepped(board)
    return told
