"""The tool reverse_geocode: what is at a point. Reads address, road and region."""

from typing import Any

from pydantic import BaseModel, Field

from app.agent_tools import queries
from app.agent_tools import queries_around as around
from app.agent_tools.arguments import Where
from app.agent_tools.places import Position, address_line, find_in_map, shown
from app.agent_tools.registry import Arguments, Result, tool
from app.agent_tools.scope import Scope


class ReverseArguments(Arguments):
    """Where it is asked about."""

    where: Where = Field(description="a place id or 'latitude,longitude'")


class Nearest(BaseModel):
    """The nearest address or street."""

    id: str
    said: str = Field(description="the address, or the street's name")
    distance_m: float


class Around(BaseModel):
    """A region around the point."""

    id: str
    name: str
    type: str


class ReverseResult(Result):
    """What is at the point; what the map does not have is left out."""

    position: Position
    address: Nearest | None = None
    street: Nearest | None = None
    regions: list[Around] = Field(description="the regions that hold the point, the smallest first")

    def sentence(self) -> str:
        """The answer in words."""
        near = [
            f"{one.distance_m:.0f} m from {words} {one.said}"
            for words, one in (("the address", self.address), ("the street", self.street))
            if one is not None
        ]
        regions = f"in {', '.join(one.name for one in self.regions)}" if self.regions else ""
        said = "; ".join(part for part in (*near, regions) if part)
        return (
            f"{self.position.called} is {said}."
            if said
            else f"The map has nothing at {self.position.called}."
        )


@tool(ReverseArguments, ReverseResult)
def reverse_geocode(scope: Scope, wanted: ReverseArguments) -> ReverseResult:
    """Say what is at a point: the nearest address, the nearest street with a name, and the regions around it."""
    position = find_in_map(scope, wanted.where)
    binds = {"lat": position.lat, "lon": position.lon}
    doors = scope.rows(around.NEAREST_DOOR, binds)
    streets = scope.rows(around.NEAREST_STREET, binds)
    return ReverseResult(
        position=position,
        address=_nearest(doors[0], address_line(doors[0]) or doors[0].housenumber) if doors else None,
        street=_nearest(streets[0], shown(streets[0].name) or "") if streets else None,
        regions=[
            Around(id=row.osm_key, name=shown(row.name) or "", type=row.type)
            for row in scope.rows(queries.REGIONS_AROUND, binds)
        ],
    )


def _nearest(row: Any, said: str) -> Nearest:
    return Nearest(id=row.osm_key, said=said, distance_m=round(row.metres, 2))
