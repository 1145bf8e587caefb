"""How far off answers are against the true distance, as a picture: a panel a scorer, a mark a run and bin."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from app.leaderboard import formatting as words
from app.leaderboard.models import Board
from app.leaderboard.offsets import Bin, Panel, Spread
from app.plotting.canvas import (
    COLUMN,
    LINE,
    MARGIN,
    SMALLEST,
    Sheet,
    line_style,
    mark,
    notes_of,
    title_of,
    unscored,
)
from app.plotting.names import MOST_CELLS, cells_of, names_of

LEFT, TOP, PANEL, BETWEEN, LEGEND = 0.55, 0.5, 1.15, 0.42, 0.14
NAME_CELLS = 24
"""Small letters that half a line of the legend holds; with a longer name, each run has a line of its own."""
APART = 0.06
"""The step from a run's marks to the next run's, so that quartiles stand side by side."""
SCALES = {
    "distance": ("distances: error in % of the truth; 100 and more are one", 100.0, 100.0),
    "angle": ("directions: error in °", 1.0, 180.0),
    "location": ("places: error in m", 1.0, None),
}
"""Of a scorer: the panel's title, what its errors are multiplied by, and where the scale ends."""


def draw_errors(board: Board, panels: Sequence[Panel], limit: int) -> Figure:
    """The first `limit` runs of the board that have a score."""
    scored = [row for row in board.rows if row.score is not None]
    shown = scored[:limit]
    names = names_of(board.rows, MOST_CELLS)
    told = [
        "Marks: median of the answers that could be read; bars: their quartiles. Public questions, in bins of about as "
        "many, by the true distance from the place that the question names. n: questions.",
        *unscored(board, names),
    ]
    if len(scored) > len(shown):
        told.append(f"{words.count(len(scored) - len(shown))} more runs with lower scores.")
    notes = notes_of(board, *told)
    legend = TOP + (PANEL + BETWEEN) * len(panels)
    read = {row.run for row in shown for panel in panels if any(panel.runs[row.run])}
    said = [names[row.run] + ("" if row.run in read else " (none read)") for row in shown]
    columns = 2 if all(cells_of(one) <= NAME_CELLS for one in said) else 1
    lines = -(-len(shown) // columns)
    sheet = Sheet(COLUMN, legend + LEGEND * lines + 0.1 + LINE * len(notes) + MARGIN)
    sheet.heading(title_of(board), "how far off answers are, by true distance")
    for number, panel in enumerate(panels):
        top = TOP + (PANEL + BETWEEN) * number
        title, factor, end = SCALES[panel.scorer]
        sheet.text(LEFT, top - 0.06, title)
        axes = sheet.axes(LEFT, top + 0.04, COLUMN - LEFT - 2 * MARGIN, PANEL - 0.04)
        _prepare(axes, panel, end)
        for place, row in enumerate(shown):
            aside = APART * (place - (len(shown) - 1) / 2)
            _line(axes, panel.runs[row.run], place, factor, aside)
    for place, name in enumerate(said):
        left = MARGIN + (COLUMN - MARGIN) / columns * (place % columns)
        _legend(sheet, (left, legend + LEGEND * (place // columns)), place, name)
    sheet.notes(notes)
    return sheet.figure


def _prepare(axes: Axes, panel: Panel, end: float | None) -> None:
    axes.set_xlim(-0.5, len(panel.bins) - 0.5)
    axes.set_xticks(range(len(panel.bins)))
    axes.set_xticklabels([_tick(one) for one in panel.bins], fontsize=SMALLEST)
    if end is None:
        axes.set_yscale("symlog", linthresh=10)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda metres, _: _metres(metres)))
        most = max((spread.high for run in panel.runs.values() for spread in run if spread), default=0.0)
        axes.set_ylim(0, max(10.0, most) * 1.1)
    else:
        axes.set_ylim(0, end)
        axes.set_yticks([end * quarter / 4 for quarter in range(5)])
    axes.grid(axis="y", color="#DDDDDD", linewidth=0.4)
    axes.set_axisbelow(True)


def _tick(one: Bin) -> str:
    return f"{_span(one.nearest, one.farthest)}\nn {words.count(one.questions)}"


def _span(nearest: float, farthest: float) -> str:
    if nearest == farthest:
        return _metres(nearest)
    low, high = (1000, "km") if farthest >= 1000 else (1, "m")
    return f"{nearest / low:.3g}–{farthest / low:.3g} {high}"


def _metres(metres: float) -> str:
    return f"{metres / 1000:.3g} km" if metres >= 1000 else f"{metres:.3g} m"


def _line(axes: Axes, spreads: Sequence[Spread | None], number: int, factor: float, aside: float) -> None:
    found = [(place + aside, spread) for place, spread in enumerate(spreads) if spread is not None]
    style = line_style(number)
    axes.plot(
        [x for x, _ in found],
        [factor * spread.median for _, spread in found],
        **style,
        clip_on=False,
    )
    for x, spread in found:
        axes.plot(
            [x, x],
            [factor * spread.low, factor * spread.high],
            color=style["color"],
            linewidth=0.6,
            clip_on=False,
        )


def _legend(sheet: Sheet, at: tuple[float, float], place: int, name: str) -> None:
    left, top = at
    mark(sheet.axes(left, top - LEGEND / 2, 0.3, LEGEND), place)
    sheet.text(left + 0.36, top, name, fontsize=SMALLEST)
