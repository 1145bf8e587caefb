"""A small map of what a question's text prints, as SVG that asks nothing of any server. Pure."""

import math
from collections.abc import Sequence

from markupsafe import Markup

from app.reviews.printed_shapes import METRES_A_DEGREE, Shape, Spot, shapes_in

WIDTH, HEIGHT, EDGE = 440, 280, 34
MOST_SPOTS = 400
COLOURS = ("#0b6670", "#b3541e", "#6a3d9a", "#1b7a3d", "#a12622")
STEPS = (1, 2, 5)
LEAST_SPAN = 1e-4
"""Degrees that a map shows at least: about eleven metres."""


def map_of(text: str) -> Markup | None:
    """The map; None where the text prints no coordinates. North is up, and a bar shows the scale."""
    shapes = shapes_in(text)
    spots = [spot for shape in shapes for spot in shape.spots]
    if not spots or len(spots) > MOST_SPOTS:
        return None
    frame = _Frame(spots)
    drawn = [_shape(frame, shape, COLOURS[place % len(COLOURS)]) for place, shape in enumerate(shapes)]
    return Markup(
        '<svg class="map" viewBox="0 0 {w} {h}" width="{w}" role="img" aria-label="{label}">{inside}</svg>'
    ).format(
        w=WIDTH,
        h=HEIGHT,
        label=f"Map of {len(shapes)} printed shapes",
        inside=Markup("").join([*drawn, frame.scale_bar()]),
    )


class _Frame:
    """Where points lie in the picture: an equirectangular map, true to scale at its middle latitude."""

    def __init__(self, spots: Sequence[Spot]) -> None:
        lats, lons = [spot.lat for spot in spots], [spot.lon for spot in spots]
        self.middle = (min(lats) + max(lats)) / 2, (min(lons) + max(lons)) / 2
        self.shrink = math.cos(math.radians(self.middle[0]))
        tall = max(max(lats) - min(lats), LEAST_SPAN)
        wide = max((max(lons) - min(lons)) * self.shrink, LEAST_SPAN)
        self.pixels = min((WIDTH - 4 * EDGE) / wide, (HEIGHT - 2 * EDGE) / tall)

    def place(self, spot: Spot) -> tuple[float, float]:
        """Pixels from the left and from the top."""
        x = WIDTH / 2 + (spot.lon - self.middle[1]) * self.shrink * self.pixels
        y = HEIGHT / 2 - (spot.lat - self.middle[0]) * self.pixels
        return round(x, 1), round(y, 1)

    def scale_bar(self) -> Markup:
        """A bar of a round length, at most a quarter of the picture, and the arrow to the north."""
        metres = _round_length(WIDTH / 4 / self.pixels * METRES_A_DEGREE)
        width = round(metres / METRES_A_DEGREE * self.pixels, 1)
        said = f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"
        return Markup(
            '<path d="M12 {y}h{width}" stroke="#1b2426" stroke-width="2"/><text x="12" y="{above}">{said}</text>'
            '<text x="{right}" y="20" text-anchor="end">N ↑</text>'
        ).format(y=HEIGHT - 10, width=width, above=HEIGHT - 16, said=said, right=WIDTH - 12)


def _round_length(metres: float) -> float:
    """The largest length of 1, 2 or 5 times a power of ten that fits."""
    power = 10.0 ** math.floor(math.log10(metres))
    return max(step * power for step in STEPS if step * power <= metres * (1 + 1e-9))


def _shape(frame: _Frame, shape: Shape, colour: str) -> Markup:
    places = [frame.place(spot) for spot in shape.spots]
    x, y = places[0]
    label = Markup('<text x="{x}" y="{y}" fill="{colour}"{anchor}>{label}</text>').format(
        x=x + (6 if x < WIDTH / 2 else -6),
        y=round(y - 5, 1),
        colour=colour,
        anchor="" if x < WIDTH / 2 else Markup(' text-anchor="end"'),
        label=shape.label,
    )
    dots = Markup("").join(
        Markup('<circle cx="{}" cy="{}" r="{}" fill="{}"/>').format(
            one, other, 4 if number == 0 else 2, colour
        )
        for number, (one, other) in enumerate(places)
    )
    if len(places) == 1:
        return dots + label
    path = "M" + "L".join(f"{one} {other}" for one, other in places) + ("Z" if shape.closed else "")
    line = Markup('<path d="{}" stroke="{}" stroke-width="1.6" fill="{}" fill-opacity="0.12"/>').format(
        path, colour, colour if shape.closed else "none"
    )
    return line + dots + label
