"""What a snapshot has within a frame, before anything is drawn: shapes in degrees, with what they are. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

AREA_KINDS = ("ground", "park", "water", "building")
"""From the back to the front."""


@dataclass(frozen=True)
class Area:
    """An area that is filled. `geometry` is a shapely geometry in lon, lat."""

    osm_key: str
    kind: str
    klass: str
    name: str | None
    geometry: Any
    label_at: tuple[float, float] | None
    """A point inside the whole area, not only of what the frame shows: its label stands there; None has no label."""
    size: float = 0.0
    """Square degrees of the whole area."""


@dataclass(frozen=True)
class Line:
    """A road or a water course; what the frame shows of it."""

    osm_key: str
    kind: str
    """`road` or `water`."""
    klass: str
    name: str | None
    ref: str | None
    level: int
    """OpenStreetMap's layer: what crosses above has the higher one."""
    tunnel: bool
    geometry: Any


@dataclass(frozen=True)
class Place:
    """A place with a symbol, a name or both; a house number; the name of a part of town."""

    osm_key: str
    kind: str
    """`place`, `house` or `region`."""
    klass: str
    classes: Sequence[str]
    name: str | None
    lon: float
    lat: float
    weight: int = 0
    """How well known it is: links to Wikidata, people who live there. The heavier is placed first."""


@dataclass(frozen=True)
class Scene:
    """All of it."""

    areas: Sequence[Area] = field(default_factory=list)
    lines: Sequence[Line] = field(default_factory=list)
    places: Sequence[Place] = field(default_factory=list)
