"""Figures as all our pictures have them: a column wide, in colours and marks for all eyes; their bytes hold no clock.

Nothing of the user's own matplotlib settings or fonts is used: the same board gives the same bytes on any machine.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from math import radians, sin
from typing import Any, Literal

import matplotlib
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from app.leaderboard import formatting as words
from app.leaderboard.models import Board, Row
from app.plotting.names import cells_of, cut

Kind = Literal["svg", "png"]
COLUMN = 3.5
"""Inches: the width of a column of a paper."""
PAGE = 7.2
DOTS_PER_INCH = 300
SMALL, SMALLEST, LARGE = 6.5, 5.5, 8.0
"""Sizes of letters, in points."""
LINE = 0.105
"""Inches from a line of the smallest letters to the next."""
MARGIN = 0.08
BACKGROUND: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
"""Behind a text that lines would run through."""
BLUE, GREY = "#56B4E9", "#8C8C8C"
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#000000", "#D55E00", "#56B4E9", "#7A6A00")
"""After Okabe and Ito (2008); marks and dashes tell the same."""
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES: tuple[tuple[int, tuple[float, ...]], ...] = (
    (0, ()),
    (0, (4, 1.5)),
    (0, (1, 1)),
    (0, (4, 1, 1, 1)),
    (0, (6, 2)),
    (0, (2, 1)),
    (0, (6, 1, 1, 1, 1, 1)),
    (0, (1, 2)),
)
MOST_MODELS = len(COLOURS)
STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": SMALL,
    "axes.titlesize": SMALL,
    "axes.labelsize": SMALL,
    "axes.linewidth": 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": SMALLEST,
    "ytick.labelsize": SMALLEST,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "xtick.major.size": 2.0,
    "ytick.major.size": 2.0,
    "hatch.linewidth": 0.5,
    "lines.linewidth": 0.9,
    "lines.markersize": 3.0,
    "text.parse_math": False,  # a name may hold a dollar
    "svg.fonttype": "none",
    "svg.hashsalt": "trigpoint",
    "path.simplify": False,
}
LETTER = 0.048
"""Inches: the width of one of the smallest letters, on average."""
SLANT = 50.0
SLANTED: dict[str, Any] = {"rotation": SLANT, "rotation_mode": "anchor", "ha": "left", "fontsize": SMALLEST}
WIDE = 76
"""Small letters on a line of a column."""


def render(draw: Callable[[], Figure], title: str, rights: str, kind: Kind) -> bytes:
    """The bytes of the figure that `draw` makes. A sign that no font has is drawn as a box, without a word."""
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        warnings.filterwarnings("ignore", message="Glyph ")
        _keep_to_own_fonts()
        about = {"Title": title} | (
            {"Date": None, "Creator": "Trigpoint", "Rights": rights}
            if kind == "svg"
            else {"Software": "Trigpoint", "Copyright": rights}
        )
        out = BytesIO()
        draw().savefig(out, format=kind, dpi=DOTS_PER_INCH, metadata=about)
        return out.getvalue()


def _keep_to_own_fonts() -> None:
    """Fonts of the machine come in versions, and their widths move what is drawn: only matplotlib's own are used."""
    own = matplotlib.get_data_path()
    fonts = font_manager.fontManager
    if any(not font.fname.startswith(own) for font in fonts.ttflist):
        fonts.ttflist = [font for font in fonts.ttflist if font.fname.startswith(own)]


class Sheet:
    """A figure that is filled from the top down; heights and widths are inches."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.figure = Figure(figsize=(width, height), facecolor="white")

    def text(self, x: float, y: float, said: str, **how: Any) -> Text:
        """A text at `x` from the left and `y` from the top."""
        full: dict[str, Any] = {"va": "center", "fontsize": SMALL, **how}
        return self.figure.text(x / self.width, 1 - y / self.height, said, **full)

    def axes(self, left: float, top: float, width: float, height: float, **how: Any) -> Axes:
        """Axes with these edges."""
        bottom = 1 - (top + height) / self.height
        place = (left / self.width, bottom, width / self.width, height / self.height)
        made: Axes = self.figure.add_axes(place, **how)
        return made

    def heading(self, title: str, about: str) -> None:
        """The data set's name with its version, and what the picture shows of it."""
        self.text(MARGIN, 0.13, title, fontsize=LARGE, fontweight="bold")
        self.text(MARGIN, 0.27, about)

    def notes(self, lines: Sequence[str]) -> None:
        """The last lines, from the bottom up."""
        for number, line in enumerate(reversed(lines)):
            self.text(MARGIN, self.height - MARGIN - LINE * number, line, fontsize=SMALLEST, va="bottom")


def title_of(board: Board) -> str:
    """`name@version`."""
    return f"{board.dataset}@{board.version}"


def notes_of(board: Board, *told: str, width: float = COLUMN) -> list[str]:
    """The lines under a picture: what is `told`, then the map, the rules and the licence."""
    rules = f"Scored by {board.profile} {board.profile_version}. {words.maps_of(board.snapshots)}"
    return wrapped(*told, rules, board.attribution, width=width)


def wrapped(*told: str, width: float = COLUMN) -> list[str]:
    """Sentences as lines that fit under a picture so wide; a word goes to the next line whole where it fits there."""
    return [line for one in told for line in _lines(one, WIDE * width / COLUMN)]


def _lines(said: str, most: float) -> list[str]:
    lines = [""]
    for word in said.split(" "):
        rest = word
        while rest:
            longer = f"{lines[-1]} {rest}" if lines[-1] else rest
            if cells_of(longer) <= most:
                lines[-1], rest = longer, ""
            elif lines[-1]:
                lines.append("")
            else:
                lines[-1] = cut(rest, most)
                rest = rest[len(lines[-1]) :]
    return lines


def heads_height(names: Iterable[str], rotation: float = SLANT) -> float:
    """How many inches heads of a table take that are turned by so many degrees."""
    return 0.1 + LETTER * sin(radians(rotation)) * max(map(cells_of, names), default=0.0)


def wider(names: Iterable[str], cells: int) -> float:
    """How many inches names need beyond the room for so many small letters."""
    return LETTER * max(0.0, max(map(cells_of, names), default=0.0) - cells)


def mark(axes: Axes, number: int) -> None:
    """The line and mark of the run of that number, as a legend shows them."""
    axes.set_axis_off()
    axes.set_xlim(0, 2)
    axes.set_ylim(-1, 1)
    axes.plot([0, 1, 2], [0, 0, 0], **line_style(number), markevery=[1])


def line_style(number: int) -> dict[str, Any]:
    """Colour, dashes and mark of the run of that number: each tells it alone."""
    place = number % MOST_MODELS
    return {"color": COLOURS[place], "linestyle": DASHES[place], "marker": MARKS[place]}


def unscored(board: Board, names: dict[int, str]) -> list[str]:
    """A sentence on the runs that have no score, and why; none where there is none."""
    found = [f"{names[row.run]} ({words.status(row)})" for row in board.rows if row.score is None]
    return [f"Without a score: {', '.join(found)}."] if found else []


def stepped(board: Board) -> list[str]:
    """A sentence on the mark of numbers that count hidden questions; none where none does."""
    return [] if board.step is None else [words.mark(board.step, board.n)]


def sampled(rows: Sequence[Row], names: dict[int, str]) -> list[str]:
    """A sentence on each of these runs that was asked a sample: its numbers stand on fewer questions than others."""
    return [
        f"{names[row.run]}: asked a sample of {words.count(row.n)} questions; its numbers cover only these."
        for row in rows
        if row.sample is not None
    ]
