"""How drawn maps look: colours, widths and sizes of letters by zoom. Pure; the XML that mapnik reads is made in xml.py.

Widths are those at zoom 17; each zoom has `GROWTH` times the width of the one before, within limits that keep narrow
roads visible and wide ones below the size of a block.
"""

from dataclasses import dataclass

LAND = "#f3f1ec"
GROUND = {
    "Education": "#f4efdc",
    "Medical": "#f8e8e6",
    "Government": "#efe9e6",
    "Religious": "#e6e6de",
    "Culture&Tourism": "#f3eadf",
    "Sports&Recreation": "#dcefd3",
    "Park&GreenLand": "#d5ecc8",
    "Transport": "#e8e8ec",
    "Commercial": "#f6e9e2",
    "Industrial": "#e9e6ec",
    "Residential": "#eceae6",
    "Agriculture&Forest": "#dfecd0",
    "Water": "#a9d3ee",
}
"""By the class of layer aoi."""
PARK = "#c9e7bb"
WATER = "#a9d3ee"
MARINA = "#c3dff1"
BUILDING = "#dcd6cd"
BUILDING_EDGE = "#c6beb2"
GROWTH = 1.42
MAJOR = ("motorway", "trunk", "primary", "secondary")
PATHS = frozenset("path footway cycleway bridleway steps track corridor via_ferrata".split())


@dataclass(frozen=True)
class RoadStyle:
    """A class of roads: pixels at zoom 17, colours, the first zoom that shows it."""

    width: float
    fill: str
    casing: str
    first_zoom: int


ROADS = {
    "motorway": RoadStyle(14, "#f5a65b", "#d9822b", 8),
    "trunk": RoadStyle(13, "#f9bd7f", "#dd9440", 8),
    "primary": RoadStyle(12, "#fbd58f", "#dcae5a", 9),
    "secondary": RoadStyle(11, "#fdeeb0", "#d8c478", 11),
    "tertiary": RoadStyle(10, "#ffffff", "#c9c3b8", 12),
    "residential": RoadStyle(8, "#ffffff", "#cfcac0", 13),
    "pedestrian": RoadStyle(8, "#efe9f2", "#cfc6d2", 14),
    "service": RoadStyle(4.5, "#ffffff", "#d3cec5", 15),
    "track": RoadStyle(2.2, "#b9a27c", "", 15),
    "path": RoadStyle(1.7, "#c9ab9c", "", 16),
}
"""From the front to the back."""
LIKE = {
    "unclassified": "residential",
    "living_street": "residential",
    "road": "residential",
    "busway": "service",
    "bus_guideway": "service",
    "raceway": "service",
    "corridor": "path",
    "footway": "path",
    "cycleway": "path",
    "bridleway": "path",
    "steps": "path",
    "via_ferrata": "path",
}
"""Classes that look like another one; links look like the road that they lead to."""
WATER_LINE_WIDTH = {"river": 7.0, "canal": 6.0}
STREAM_WIDTH = 2.0
NARROWEST = 1.0
WIDEST = 34.0


def road_style_of(klass: str) -> str:
    """The key in ROADS for a value of `highway`."""
    klass = klass.removesuffix("_link")
    klass = LIKE.get(klass, klass)
    return klass if klass in ROADS else "service"


def width_at(width: float, zoom: int) -> float:
    """Pixels at a zoom of what has so many at zoom 17."""
    return round(min(WIDEST, max(NARROWEST, width * GROWTH ** (zoom - 17))), 2)


@dataclass(frozen=True)
class TextStyle:
    """How a kind of label is set: pixels, colours, the variant of the font, the width at which lines break."""

    size: float
    fill: str
    halo: str = "#ffffff"
    halo_radius: float = 1.6
    variant: str = ""
    """`-italic` or `-bold`, as fonts.py names fontsets."""
    wrap: int = 110
    along: bool = False
    """Whether it follows a line."""


GROUP_COLOURS = {
    "food": "#c2571a",
    "shop": "#3a6fb0",
    "health": "#c8323c",
    "transport": "#34679a",
    "lodging": "#b0448c",
    "culture": "#13808a",
    "public": "#6a5a8c",
    "nature": "#3c8040",
    "money": "#5d6b2f",
    "other": "#6b6863",
}
"""By a group of symbols (symbols.toml): the colour of its symbols and of their labels."""
TEXTS = {
    **{f"place-{group}": TextStyle(11.5, colour) for group, colour in GROUP_COLOURS.items()},
    "park": TextStyle(11.5, "#2f7036", halo_radius=1.4),
    "ground": TextStyle(11, "#726c64", halo_radius=1.4),
    "water": TextStyle(11.5, "#2b6d9c", variant="-italic", halo_radius=1.2),
    "stream": TextStyle(11, "#2b6d9c", variant="-italic", halo_radius=1.2, along=True),
    "road": TextStyle(11, "#4c4a47", along=True),
    "ref": TextStyle(10, "#ffffff", halo="#6c7a92", halo_radius=3, variant="-bold"),
    "region": TextStyle(15, "#55504a", variant="-bold", halo_radius=2),
    "house": TextStyle(9, "#8d867b", halo_radius=1),
    "note": TextStyle(10.5, "#3b3936", wrap=10_000),
}
