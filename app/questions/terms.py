"""Where questions are looked for, and on what terms: what the tuples of all templates share."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection

from app.drawing.edges import FrameRefusal
from app.questions.dials import NO_DIALS, Dials, Point
from app.questions.drawing import FIRST_VARIANT, OptionsWanted
from app.questions.picking import Pick
from app.questions.pictures.drawn import Picture
from app.questions.programs import MapRouters
from app.questions.records import SnapshotRef
from app.questions.second_path import Layers


@dataclass
class Known:
    """What was found out about a snapshot, for all templates that ask about it."""

    picks: dict[str, list[Pick]] = field(default_factory=dict)
    """What picks gave, by their statements."""
    rooms: dict[str, float] = field(default_factory=dict)
    """By the osm_key of an anchor: metres to the outline; -1 outside."""
    points: dict[str, dict[str, Point]] = field(default_factory=dict)
    """By layer and osm_key: a point of each object, where how far options lie apart matters."""
    pictures: dict[str, Picture | FrameRefusal] = field(default_factory=dict)
    """What was drawn, by frames."""


@dataclass(frozen=True)
class Ground:
    """One map: the snapshot that the connection's search path names, its layers, and what was found out about it."""

    connection: Connection
    snapshot: SnapshotRef
    layers: Layers
    known: Known = field(default_factory=Known)
    routers: MapRouters | None = None
    """For templates that need routers; None where there are none."""


@dataclass(frozen=True)
class Terms:
    """What a recipe says of how questions are asked."""

    seed: int
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Values of parameters of type choice, where they are not the default."""
    wanted: OptionsWanted = FIRST_VARIANT
    """How options are made."""
    register: str | None = None
    """In which words is asked; None where nobody asks which readings matter."""
    dials: Dials = NO_DIALS
    """How hard questions are to be."""
