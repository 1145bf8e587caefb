"""Scores against what makes questions hard, as a picture: a curve a run, with intervals."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from app.leaderboard import formatting as words
from app.leaderboard.dials import Dial, DialCurve
from app.leaderboard.models import Board
from app.plotting.canvas import COLUMN, LINE, MARGIN, SMALLEST, Sheet, line_style, mark, notes_of, title_of
from app.plotting.names import fitted

TOP, PANEL, LEFT, LEGEND = 0.46, 1.7, 0.42, 0.14
APART = 0.06
"""The step from a run's marks to the next run's, so that intervals stand side by side."""


def draw_dial(board: Board, found: Dial, limit: int) -> Figure:
    """The first `limit` runs; groups of questions stand side by side, from the least amount to the largest."""
    shown = found.runs[:limit]
    told = [
        f"Score: {words.metric(board)}, of {words.count(found.questions)} public questions, in groups of about "
        "as many. Bars: 95 % intervals (Wilson).",
    ]
    if len(found.runs) > len(shown):
        told.append(f"{words.count(len(found.runs) - len(shown))} more runs with lower scores.")
    notes = notes_of(board, *told)
    legend = TOP + PANEL + 0.5
    sheet = Sheet(COLUMN, legend + LEGEND * len(shown) + 0.1 + LINE * len(notes) + MARGIN)
    sheet.heading(title_of(board), f"score by {found.meaning}")
    axes = sheet.axes(LEFT, TOP, COLUMN - LEFT - 2 * MARGIN, PANEL)
    spans = sorted({(point.least, point.most) for curve in found.runs for point in curve.points})
    for place, curve in enumerate(shown):
        _curve(axes, curve, [*spans], place, APART * (place - (len(shown) - 1) / 2))
        top = legend + LEGEND * place
        mark(sheet.axes(MARGIN, top - LEGEND / 2, 0.3, LEGEND), place)
        sheet.text(MARGIN + 0.36, top, fitted(curve.name, 44), fontsize=SMALLEST)
    axes.set_xlim(-0.5, len(spans) - 0.5)
    axes.set_xticks(range(len(spans)))
    axes.set_xticklabels([_span(*one) for one in spans], fontsize=SMALLEST)
    axes.set_ylim(0, 100)
    axes.set_xlabel(found.meaning, fontsize=SMALLEST)
    axes.set_ylabel("score, %", fontsize=SMALLEST)
    axes.grid(axis="y", color="#DDDDDD", linewidth=0.4)
    axes.set_axisbelow(True)
    sheet.notes(notes)
    return sheet.figure


def _curve(axes: Axes, curve: DialCurve, spans: list[tuple[float, float]], number: int, aside: float) -> None:
    x = [spans.index((point.least, point.most)) + aside for point in curve.points]
    style = line_style(number)
    axes.plot(x, [100 * point.score for point in curve.points], **style, clip_on=False)
    axes.vlines(
        x,
        [100 * point.low for point in curve.points],
        [100 * point.high for point in curve.points],
        color=style["color"],
        linewidth=0.7,
    )


def _span(least: float, most: float) -> str:
    return f"{least:,.4g}" if least == most else f"{least:,.4g}–{most:,.4g}"
