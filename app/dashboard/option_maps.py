"""The map of a question whose options are coordinates: what anybody can draw who reads them. Lon, lat on WGS84.

It is made of the texts of the options alone, so that it can tell no more than they do: all options are drawn alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from app.published.map_drawing import WIDTH, Canvas, canvas_around
from app.published.question_maps import LETTERS
from app.questions.second_path.agreeing import read_coordinates

LINES = 4
"""About how many lines of a grid run each way."""


@dataclass(frozen=True)
class GridLine:
    """A meridian or a parallel, and where its degrees are written."""

    path: str
    x: float
    y: float
    label: str


@dataclass(frozen=True)
class OptionMap:
    """Options on a canvas, ready to be written down."""

    canvas: Canvas
    grid: Sequence[GridLine]
    spots: Sequence[tuple[str, float, float]]
    """Letter and place of each option."""


def option_map_of(options: Sequence[str] | None) -> OptionMap | None:
    """The map of options of which each is a pair of coordinates; None where one is not."""
    found = [read_coordinates(text) for text in options or ()]
    places = [place for place in found if place is not None]
    if not places or len(places) < len(found):
        return None
    lons, lats = zip(*places, strict=True)
    room = (max(lats) - min(lats)) / 8
    canvas = canvas_around(min(lons), min(lats) - room, max(lons), max(lats) + room)
    spots = [(letter, *canvas.place(*place)) for letter, place in zip(LETTERS, places, strict=False)]
    return OptionMap(canvas, grid_of(canvas), spots)


def grid_of(canvas: Canvas) -> list[GridLine]:
    """Meridians and parallels at round degrees, with the degrees at the top and at the left."""
    step, decimals = _step((canvas.north - canvas.south) / LINES)
    lines = []
    for number in range(ceil(canvas.west / step), floor(canvas.east / step) + 1):
        x, _ = canvas.place(number * step, canvas.south)
        lines.append(GridLine(f"M{x:g} 0V{canvas.height:g}", x, 14, f"{number * step:.{decimals}f}°"))
    for number in range(ceil(canvas.south / step), floor(canvas.north / step) + 1):
        _, y = canvas.place(canvas.west, number * step)
        lines.append(GridLine(f"M0 {y:g}H{WIDTH:g}", 34, y - 4, f"{number * step:.{decimals}f}°"))
    return lines


def _step(least: float) -> tuple[float, int]:
    """The smallest of 1, 2 and 5 times a power of ten that is no smaller than `least`, and its decimals."""
    for power in range(-5, 3):
        for one in (1, 2, 5):
            if one * 10.0**power >= least:
                return one * 10.0**power, max(0, -power)
    return 100.0, 0
