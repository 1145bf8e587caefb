"""Analyses over runs as pictures: skills that go together, maps by template, effort, one board against another."""

from collections.abc import Sequence
from typing import Any

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, NullFormatter

from app.leaderboard import formatting as words
from app.leaderboard.analyses import Cities, Effort, Skills, Versus
from app.leaderboard.models import Board
from app.plotting.canvas import (
    COLUMN,
    LETTER,
    LINE,
    MARGIN,
    SLANTED,
    SMALLEST,
    Sheet,
    heads_height,
    line_style,
    mark,
    notes_of,
    title_of,
)
from app.plotting.names import cells_of, fitted
from app.scores.correlating import Correlation

UNDEFINED = "not defined"
NAME_CELLS = 24
TOP = 0.36
SKILL, CITY, ROW = 0.46, 0.36, 0.145
PANEL, LEGEND = 1.5, 0.14
DECADE = 10
"""How many times the least value the largest is, where a scale is logarithmic."""
RIGHT_ROOM = 0.55
"""Inches that the slant of the last head needs."""


def draw_skills(board: Board, found: Skills) -> Figure:
    """A cell for each two skills: the correlation over runs, and its interval below."""
    names = [fitted(name, NAME_CELLS) for name in found.skills]
    left = MARGIN + LETTER * max(map(cells_of, names)) + 0.1
    width = max(COLUMN, left + SKILL * len(names) + RIGHT_ROOM)
    told = (
        f"Pearson's r of the scores of two {found.by}s over {found.runs} runs, of public questions. Below: "
        f"{found.interval}. Hatched: not defined, since one does not vary."
    )
    notes = notes_of(board, told, width=width)
    top = TOP + heads_height(names)
    sheet = Sheet(width, top + SKILL * len(names) + 0.1 + LINE * len(notes) + MARGIN)
    sheet.heading(title_of(board), f"which {found.by}s go together, over runs")
    axes = _grid(sheet, (left, top), (SKILL, SKILL), (len(names), len(names)))
    values = {(one.first, one.second): one.pearson for one in found.pairs}
    for row, one in enumerate(found.skills):
        sheet.text(MARGIN, top + SKILL * (row + 0.5), names[row], fontsize=SMALLEST)
        sheet.text(left + SKILL * (row + 0.5), top - 0.05, names[row], **SLANTED)
        for column, other in enumerate(found.skills):
            known = values.get((one, other)) or values.get((other, one))
            _skill(axes, (column, row), Correlation(n=found.runs, value=1.0) if row == column else known)
    sheet.notes(notes)
    return sheet.figure


def _skill(axes: Axes, at: tuple[int, int], found: Correlation | None) -> None:
    value = None if found is None else found.value
    shade = None if value is None else (value + 1) / 2
    label = "–" if value is None else f"{value:.2f}"
    below = "" if found is None or found.low is None else f"{found.low:.2f} to\n{found.high:.2f}"
    _cell(axes, at, shade, label, below)


def draw_cities(board: Board, found: Cities) -> Figure:
    """A row a template, a column a map: the score of one run in per cent."""
    rows = [fitted(name, NAME_CELLS) for name in found.templates]
    heads = [fitted(name, NAME_CELLS) for name in found.cities]
    left = MARGIN + LETTER * max(map(cells_of, rows)) + 0.1
    width = max(COLUMN, left + CITY * len(heads) + RIGHT_ROOM)
    sizes = sorted({one.n for one in found.cells})
    told = (
        f"Score of {found.name} (run {found.run}) by template and map, of public questions, in %. Questions of a cell: "
        f"{' to '.join(dict.fromkeys(map(words.count, (sizes[0], sizes[-1]))))}. Hatched: no question."
    )
    notes = notes_of(board, told, width=width)
    top = TOP + heads_height(heads)
    sheet = Sheet(width, top + ROW * len(rows) + 0.1 + LINE * len(notes) + MARGIN)
    sheet.heading(title_of(board), "score in % by template and map")
    axes = _grid(sheet, (left, top), (CITY, ROW), (len(heads), len(rows)))
    cells = {(one.city, one.template): one for one in found.cells}
    for column, head in enumerate(heads):
        sheet.text(left + CITY * (column + 0.5), top - 0.05, head, **SLANTED)
    for row, name in enumerate(rows):
        sheet.text(MARGIN, top + ROW * (row + 0.5), name, fontsize=SMALLEST)
        for column, city in enumerate(found.cities):
            cell = cells.get((city, found.templates[row]))
            label = "–" if cell is None else words.percent(cell.score)
            _cell(axes, (column, row), None if cell is None else cell.score, label)
    sheet.notes(notes)
    return sheet.figure


def draw_effort(board: Board, found: Effort, limit: int) -> Figure:
    """Two panels: the score against the median time of an answer, and against the median length of a reply."""
    shown = found.runs[:limit]
    told = [
        f"Score: {words.metric(board)}, of public questions. Spearman's ρ over runs: time "
        f"{_told(found.seconds)}, length {_told(found.letters)}. In brackets: ρ of length and score over "
        "the questions of the run.",
        *(
            [f"{len(found.runs) - len(shown)} more runs with lower scores."]
            if len(found.runs) > len(shown)
            else []
        ),
    ]
    notes = notes_of(board, *told)
    legend = TOP + 0.2 + 2 * (PANEL + 0.42)
    sheet = Sheet(COLUMN, legend + LEGEND * len(shown) + 0.1 + LINE * len(notes) + MARGIN)
    sheet.heading(title_of(board), "score against time and length of answers")
    timed = [(place, one.seconds, one.score) for place, one in enumerate(shown) if one.seconds]
    written = [(place, one.letters, one.score) for place, one in enumerate(shown) if one.letters]
    _scatter(sheet, TOP + 0.1, "median time of an answer, seconds", timed)
    _scatter(sheet, TOP + 0.1 + PANEL + 0.42, "median length of a reply, characters", written)
    for place, one in enumerate(shown):
        top = legend + LEGEND * place
        mark(sheet.axes(MARGIN, top - LEGEND / 2, 0.3, LEGEND), place)
        name = f"{fitted(one.name, 40)} ({_short(one.within)})"
        sheet.text(MARGIN + 0.36, top, name, fontsize=SMALLEST)
    sheet.notes(notes)
    return sheet.figure


def draw_versus(board: Board, found: Versus, limit: int) -> Figure:
    """A mark a model: its score on one board against that on the other."""
    shown = found.models[:limit]
    told = (
        f"Scores on public questions; models of both. Pearson's r {_told(found.pearson)}, Spearman's ρ "
        f"{_told(found.spearman)} over {len(found.models)} models."
    )
    notes = notes_of(board, told)
    legend = TOP + 0.2 + PANEL + 0.42
    sheet = Sheet(COLUMN, legend + LEGEND * len(shown) + 0.1 + LINE * len(notes) + MARGIN)
    sheet.heading(f"{found.first} and {found.second}", "scores of the same models, in %")
    points = [(place, 100 * one.first, one.second) for place, one in enumerate(shown)]
    axes = _scatter(sheet, TOP + 0.1, f"score on {found.first}, %", points, log=False)
    axes.set_xlim(0, 100)
    axes.set_ylabel(f"{fitted(found.second, NAME_CELLS)}, %", fontsize=SMALLEST)
    for place, one in enumerate(shown):
        top = legend + LEGEND * place
        mark(sheet.axes(MARGIN, top - LEGEND / 2, 0.3, LEGEND), place)
        sheet.text(MARGIN + 0.36, top, fitted(one.name, 44), fontsize=SMALLEST)
    sheet.notes(notes)
    return sheet.figure


def _grid(sheet: Sheet, at: tuple[float, float], cell: tuple[float, float], count: tuple[int, int]) -> Axes:
    axes = sheet.axes(*at, cell[0] * count[0], cell[1] * count[1])
    axes.set_axis_off()
    axes.set_xlim(0, count[0])
    axes.set_ylim(count[1], 0)
    return axes


def _cell(axes: Axes, at: tuple[int, int], shade: float | None, label: str, below: str = "") -> None:
    colour = (1.0, 1.0, 1.0, 1.0) if shade is None else colormaps["cividis"](shade)
    hatch = "/////" if shade is None else None
    edge = "white" if hatch is None else "#BBBBBB"
    axes.add_patch(Rectangle(at, 1, 1, facecolor=colour, edgecolor=edge, hatch=hatch, linewidth=0.6))
    dark = 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2] < 0.45
    style: dict[str, Any] = {
        "ha": "center",
        "va": "center",
        "fontsize": SMALLEST,
        "color": "white" if dark else "black",
    }
    x, y = at[0] + 0.5, at[1] + (0.28 if below else 0.53)
    axes.text(x, y, label, **style)
    if below:
        axes.text(x, at[1] + 0.68, below, **style)


def _scatter(
    sheet: Sheet, top: float, label: str, points: Sequence[tuple[int, float, float]], *, log: bool = True
) -> Axes:
    axes = sheet.axes(0.42, top, COLUMN - 0.42 - 2 * MARGIN, PANEL)
    values = [x for _, x, _ in points]
    if log and points and max(values) > DECADE * min(values):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
    elif points:
        axes.set_xlim(0, 1.1 * max(values) or 1)
    for place, x, score in points:
        axes.plot([x], [100 * score], **{**line_style(place), "linestyle": "none"}, clip_on=False)
    axes.set_ylim(0, 100)
    axes.set_xlabel(label, fontsize=SMALLEST)
    axes.set_ylabel("score, %", fontsize=SMALLEST)
    axes.grid(color="#DDDDDD", linewidth=0.4)
    axes.set_axisbelow(True)
    return axes


def _told(found: Correlation) -> str:
    if found.value is None:
        return UNDEFINED
    ends = "" if found.low is None else f" ({found.low:.2f} to {found.high:.2f})"
    return f"{found.value:.2f}{ends}"


def _short(found: Correlation) -> str:
    return UNDEFINED if found.value is None else f"{found.value:.2f}"
