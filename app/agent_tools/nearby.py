"""The tool nearby: places of a type, or that a keyword fits, around a point. Reads the layers.

A park or a water is as far away as its nearest point.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from sqlalchemy import Row

from app.agent_tools import queries_around as queries
from app.agent_tools.arguments import Where
from app.agent_tools.around import find_around
from app.agent_tools.attributes import ATTRIBUTES
from app.agent_tools.hours import LocalTime, OpenState, read_hours_of_map, state_at
from app.agent_tools.places import Known, Place, Position, find_in_map, load_places
from app.agent_tools.registry import Arguments, Result, tool
from app.agent_tools.saying import say_filters
from app.agent_tools.scope import Scope
from app.agent_tools.seeking import SeekingArguments

MOST = 20
MOST_LOOKED_AT = 300
"""So many of the nearest places are looked at where their opening hours, or how well they are known, counts."""
LONGEST_VALUE = 100
LONGEST_RADIUS = 50_000.0
USUAL_RADIUS = 5_000.0
"""Metres, where a keyword is given without a radius."""


def _check_attributes(given: dict[str, str]) -> dict[str, str]:
    for key, value in given.items():
        if key not in ATTRIBUTES:
            raise ValueError(f"the attributes are {', '.join(ATTRIBUTES)}")
        if not value.isprintable() or not 0 < len(value) <= LONGEST_VALUE:
            raise ValueError(f"the value of {key} must be a text of 1 to {LONGEST_VALUE} letters")
    return {key: value.strip().lower() for key, value in given.items()}


RankBy = Literal["distance", "prominence"]
ORDERS: Mapping[RankBy, str] = {"distance": "the nearest", "prominence": "the best known"}
LINKS = ("wikidata", "wikipedia")
Attributes = Annotated[
    dict[str, str],
    Field(
        default_factory=dict,
        max_length=5,
        description='only places with these: {"cuisine": "pizza", "wheelchair": "yes"}',
    ),
    AfterValidator(_check_attributes),
]
"""What places must have, by the keys of ATTRIBUTES; of several values in a tag, one must be as given."""


class AroundArguments(Arguments):
    """Around which point."""

    where: Where = Field(description="a place id or 'latitude,longitude'")


class NearbyArguments(SeekingArguments, AroundArguments):
    """What is sought around which point."""

    radius_m: float | None = Field(
        None,
        gt=0,
        le=LONGEST_RADIUS,
        allow_inf_nan=False,
        description="metres; without it the nearest are given however far they are (a keyword: within 5,000 m)",
    )
    limit: int = Field(MOST, ge=1, le=MOST, description="how many places are wanted")
    attributes: Attributes
    open_at: LocalTime | None = Field(
        None, description="only places that are surely open at this local time: '2024-05-31T14:30'"
    )

    rank_by: RankBy = Field(
        "distance",
        description="the nearest first; or the best known first, by links to Wikidata and Wikipedia (with a radius)",
    )

    @model_validator(mode="after")
    def _has_radius(self) -> Self:
        if self.rank_by == "prominence" and self.radius_m is None:
            raise ValueError("rank_by prominence needs radius_m")
        return self

    @property
    def looks_at_many(self) -> bool:
        """Whether more than distances decide which places are given."""
        return self.open_at is not None or self.rank_by == "prominence"


class Neighbour(Place):
    """A place, and how far away it is."""

    distance_m: float


class NearbyResult(Result):
    """The places, in the order that was asked for."""

    position: Position
    sought: str
    attributes: dict[str, str] = Field(description="what the places were asked to have")
    open_at: str | None = Field(None, description="the local time at which they were asked to be open")
    radius_m: float | None
    rank_by: RankBy
    places: list[Neighbour]
    more: bool = Field(description="whether there are more places than these")
    reaches_edge: bool = Field(description="whether nearer places may lie beyond the edge of the map")
    unknown_hours: int | None = Field(
        None,
        description="with open_at: how many more places, within the radius or as near as those given, may be open "
        f"then: their hours are not known ({MOST_LOOKED_AT} places are looked at)",
    )

    def sentence(self) -> str:
        """The answer in words."""
        within = f" within {self.radius_m:g} m" if self.radius_m is not None else ""
        kind = f"{self.sought!r}{say_filters(self.attributes, self.open_at)}"
        lines = (
            [f"Nearby places of {self.position.called} for {kind}{within}, {ORDERS[self.rank_by]} first:"]
            if self.places
            else [self._say_none(kind, within)]
        )
        for number, one in enumerate(self.places, 1):
            lines.append(f"{number}. {one.called} ({one.id}), {one.distance_m:g} m, at {one.lat}, {one.lon}")
        lines += ["There are more."] if self.more and self.places else []
        if self.unknown_hours:
            lines.append(f"Of {self.unknown_hours} more it is not known whether they are open then.")
        lines += (
            ["The map ends within this distance: nearer places may be missing."] if self.reaches_edge else []
        )
        return "\n".join(lines)

    def _say_none(self, kind: str, within: str) -> str:
        if self.more:
            such = f"{self.sought!r}{say_filters(self.attributes)} with opening hours"
            return f"None of the nearest {MOST_LOOKED_AT} places of the kind {such} is surely open at {self.open_at}."
        if self.radius_m is not None:
            return f"There is no place of the kind {kind}{within} of {self.position.called}."
        return f"The map has no {'other ' if self.position.id else ''}place of the kind {kind}."


@tool(NearbyArguments, NearbyResult)
def nearby(scope: Scope, wanted: NearbyArguments) -> NearbyResult:
    """Find places of a type, or that a keyword fits, around a place or point, the nearest first by straight line: all
    within a radius, or the nearest however far they are; or the best known within a radius. At most 20, and whether
    there are more."""
    position = find_in_map(scope, wanted.where)
    radius = wanted.radius_m or (USUAL_RADIUS if wanted.keyword else None)
    rows = _find_rows(scope, wanted, position, radius)
    known = load_places(scope, [row.osm_key for row in rows])
    kept = _keep_open(rows, known, wanted.open_at) if wanted.open_at else rows
    if wanted.rank_by == "prominence":
        kept = sorted(kept, key=lambda row: _links_of(known[row.osm_key]), reverse=True)
    places = [
        Neighbour(**known[row.osm_key].place.model_dump(), distance_m=round(row.metres, 2))
        for row in kept[: wanted.limit]
    ]
    more = len(kept) > wanted.limit or len(rows) == MOST_LOOKED_AT
    farthest = max((one.distance_m for one in places), default=0.0)
    reach = radius if radius and not more else farthest
    bound = (farthest or rows[-1].metres) if more else radius
    return NearbyResult(
        position=position,
        sought=wanted.sought.said,
        attributes=wanted.attributes,
        open_at=wanted.open_at,
        radius_m=radius,
        rank_by=wanted.rank_by,
        places=places,
        more=more,
        reaches_edge=_reaches_edge(scope, position, reach),
        unknown_hours=_count_unknown(scope, wanted, position, bound),
    )


def _find_rows(
    scope: Scope, wanted: NearbyArguments, position: Position, radius: float | None
) -> Sequence[Row[Any]]:
    """Ids and distances of one place more than is wanted; of many where the hours decide later."""
    sought = wanted.sought._replace(attributes=wanted.attributes, with_hours=wanted.open_at is not None)
    most = MOST_LOOKED_AT if wanted.looks_at_many else wanted.limit + 1
    return find_around(scope, sought, position, radius, most)


def _keep_open(rows: Sequence[Row[Any]], known: Mapping[str, Known], said: str) -> list[Row[Any]]:
    moment = datetime.fromisoformat(said)
    return [row for row in rows if _state_at(known[row.osm_key], moment) == "open"]


def _count_unknown(
    scope: Scope, wanted: NearbyArguments, position: Position, metres: float | None
) -> int | None:
    """How many places that fit, so near or nearer, may be open or closed at the time; None where none was asked for."""
    if wanted.open_at is None:
        return None
    sought = wanted.sought._replace(attributes=wanted.attributes)
    rows = find_around(scope, sought, position, metres, MOST_LOOKED_AT)
    moment = datetime.fromisoformat(wanted.open_at)
    known = load_places(scope, [row.osm_key for row in rows])
    return sum(_state_at(one, moment) == "unknown" for one in known.values())


def _state_at(known: Known, moment: datetime) -> OpenState:
    said = known.tags.get("opening_hours")
    return state_at(read_hours_of_map(said, known.place), moment)[0] if said else "unknown"


def _links_of(known: Known) -> int:
    """How many links to an encyclopaedia a place has: the best known places are written about."""
    return sum(key in known.tags for key in LINKS)


def _reaches_edge(scope: Scope, position: Position, metres: float) -> bool:
    if scope.outline is None:
        return True
    rows = scope.rows(
        queries.DISTANCE_TO_EDGE,
        {"lat": position.lat, "lon": position.lon, "outline": scope.snapshot.outline, "metres": metres},
    )
    return not rows[0].is_inside
