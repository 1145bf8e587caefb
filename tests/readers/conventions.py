"""How a reader may take what a text leaves open: each convention is one that somebody would take without asking.

A precise text leaves open only at which of its points a place stands that is mapped as an area: it says that this
makes no difference. An everyday text leaves more open, and its answer must be the same by every convention.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import shapely

from tests.readers.places import Thing
from tests.readers.reading import Reading
from tests.readers.vocabulary import HALF_SECTOR

HAIR = 1e-6
"""Degrees: a tenth of a metre."""
Ground = Any
"""An area as shapely has it, in degrees of longitude and latitude."""


@dataclass(frozen=True)
class Convention:
    """One way to take what is left open; by default as the map and the precise texts have it."""

    name: str
    point: Callable[[Ground], Any] | None = None
    """Where a place stands that is mapped as an area; None: at the point that the map's layer has."""
    by_edges: bool = False
    """Whether distances are those between what of both places is nearest; directions stay those of their points."""
    on_sphere: bool = False
    """Whether the earth is taken as a sphere of the mean radius."""
    leaves_out: Callable[[Thing], bool] | None = None
    half_sector: float = HALF_SECTOR
    """Degrees to either side of a direction that lie in it."""
    whole: bool = False
    """Whether all of what lies partly in a region counts, where the text does not say."""
    with_border: bool = False
    """Whether ways along the border of a region count."""
    once: bool = False
    """Whether a place on the ground of another of its name and kind is a part of that place."""
    nameless: bool = False
    """Whether the largest or the longest may have no name."""
    twice: bool = False
    """Whether ground that two objects cover counts twice."""


def _middle(ground: Ground) -> Any:
    """The centroid, or a point well inside where that lies beside the ground."""
    centroid = ground.centroid
    return centroid if ground.covers(centroid) else ground.representative_point()


def _corner(axis: int, sign: int) -> Callable[[Ground], Any]:
    """The corner that lies farthest along an axis, 0 to the east, 1 to the north; opposite with sign -1.

    It is a corner of what is left a hair inside the outline: the outline itself may be the border of a region.
    """

    def find(ground: Ground) -> Any:
        inside = ground.buffer(-HAIR)
        corners = shapely.get_coordinates(ground if inside.is_empty else inside)
        return shapely.Point(corners[(sign * corners[:, axis]).argmax()])

    return find


def _is_private(thing: Thing) -> bool:
    return thing.tags.get("access") in ("private", "no", "customers")


def _is_disused(thing: Thing) -> bool:
    return "yes" in (thing.tags.get("disused"), thing.tags.get("abandoned"))


def _is_intermittent(thing: Thing) -> bool:
    return thing.tags.get("intermittent") == "yes" or thing.tags.get("seasonal") == "yes"


AS_MAPPED = Convention("as the map has it")
WHOLE = replace(AS_MAPPED, name="all of what lies partly inside", whole=True)
POINTS = (
    Convention("at the middle of areas", point=_middle),
    *(
        Convention(f"at the {side} corner of areas", point=_corner(axis, sign))
        for side, axis, sign in (("east", 0, 1), ("west", 0, -1), ("north", 1, 1), ("south", 1, -1))
    ),
)
BY_EDGES = Convention("from edge to edge", by_edges=True)
OTHERS = (
    Convention("on a sphere", on_sphere=True),
    Convention("without what is private", leaves_out=_is_private),
    Convention("without what is disused", leaves_out=_is_disused),
    Convention("without what is not always there", leaves_out=_is_intermittent),
)
WIDER = Convention("in a direction twice as wide", half_sector=2 * HALF_SECTOR)
ONCE = Convention("with places as parts of others of their name", once=True)
IN_REGION = (
    WHOLE,
    Convention("with ways along the border", with_border=True),
    Convention("with what has no name", nameless=True),
    Convention("with overlaps counted twice", twice=True),
)


def conventions_of(reading: Reading) -> Sequence[Convention]:
    """The other conventions by which a text must have the same answer."""
    return tuple(_conventions_of(reading))


def _conventions_of(reading: Reading) -> Iterator[Convention]:
    if reading.kind and reading.kind.layer == "poi":
        yield from POINTS
    if not reading.precise:
        yield from OTHERS
        if reading.towards or reading.sector is not None:
            yield WIDER
        if reading.asks == "count":
            yield ONCE
        if reading.region and reading.asks != "count":
            yield from IN_REGION
        if reading.anchor and reading.asks != "azimuth":
            yield BY_EDGES
