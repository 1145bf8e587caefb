"""The tools area_of and places_in: how large an area is, and what lies in it. Reads the layers."""

from pydantic import Field

from app.agent_tools import queries_shapes as queries
from app.agent_tools.arguments import PlaceId, Text
from app.agent_tools.around import find_layers, form_of_type
from app.agent_tools.errors import ToolError
from app.agent_tools.nearby import MOST, Attributes
from app.agent_tools.places import Place, find_place, load_places
from app.agent_tools.registry import Arguments, Result, tool
from app.agent_tools.saying import say_filters
from app.agent_tools.scope import Scope
from app.core.identity import canonical_json


class AreaArguments(Arguments):
    """Of which place."""

    place: PlaceId = Field(description="the id of a region, park, water or other area")


class AreaResult(Result):
    """How large an area is."""

    place: Place
    area_m2: float = Field(description="square metres on the WGS84 ellipsoid, holes left out")
    perimeter_m: float = Field(description="metres of all borders, those of holes too")
    at_edge: bool = Field(description="whether the edge of the map cuts the area, so that it may be larger")

    def sentence(self) -> str:
        """The answer in words."""
        size = f"{self.area_m2:.0f} m²" + (f" ({self.area_m2 / 1e6:.3f} km²)" if self.area_m2 >= 1e6 else "")
        edge = " The edge of the map cuts it: it may be larger." if self.at_edge else ""
        return f"{self.place.called} has an area of {size} and a perimeter of {self.perimeter_m:.0f} m.{edge}"


class PlacesInArguments(Arguments):
    """What is sought in which area."""

    area: PlaceId = Field(description="the id of a region, park or other area")
    type: Text | None = Field(None, description="a class of OpenStreetMap: restaurant, cafe, museum …")
    attributes: Attributes
    limit: int = Field(MOST, ge=1, le=MOST, description="how many places are wanted")


class PlacesInResult(Result):
    """The places in an area, by name, and how many there are."""

    area: Place
    sought: str
    attributes: dict[str, str] = Field(description="what the places were asked to have")
    total: int
    places: list[Place]
    more: bool = Field(description="whether there are more places than these")

    def sentence(self) -> str:
        """The answer in words."""
        count = f"{self.total} place{'' if self.total == 1 else 's'}"
        kind = f"{self.sought!r}{say_filters(self.attributes)}"
        lines = [f"{self.area.called} has {count} of the kind {kind}."]
        lines += [f"{number}. {one.called} ({one.id})" for number, one in enumerate(self.places, 1)]
        return "\n".join([*lines, *(["There are more."] if self.more else [])])


@tool(AreaArguments, AreaResult)
def area_of(scope: Scope, wanted: AreaArguments) -> AreaResult:
    """Measure the area and the perimeter of a region, park, lake or other area."""
    known = find_place(scope, wanted.place)
    row = scope.rows(queries.AREA, {"key": wanted.place})[0]
    _refuse_flat(known.place, row.dimension)
    return AreaResult(
        place=known.place,
        area_m2=round(row.square_metres, 2),
        perimeter_m=round(row.perimeter, 2),
        at_edge=row.at_edge,
    )


@tool(PlacesInArguments, PlacesInResult)
def places_in(scope: Scope, wanted: PlacesInArguments) -> PlacesInResult:
    """Count and list the places of a type in a region, park or other area, by name; at most 20, and how many there
    are in all."""
    known = find_place(scope, wanted.area)
    kind = form_of_type(wanted.type) if wanted.type else None
    if kind is not None and "poi" not in find_layers(scope, kind):
        raise ToolError(f"places_in lists places, and {kind!r} is a kind of park or water.")
    _refuse_flat(known.place, scope.rows(queries.AREA, {"key": wanted.area})[0].dimension)
    binds = {
        "key": wanted.area,
        "type": kind,
        "most": wanted.limit,
        "attributes": canonical_json(wanted.attributes),
    }
    rows = scope.rows(queries.POIS_IN, binds)
    places = load_places(scope, [row.osm_key for row in rows])
    total = rows[0].total if rows else 0
    return PlacesInResult(
        area=known.place,
        sought=wanted.type or "any",
        attributes=wanted.attributes,
        total=total,
        places=[places[row.osm_key].place for row in rows],
        more=total > len(rows),
    )


def _refuse_flat(place: Place, dimension: int) -> None:
    if dimension < 2:
        raise ToolError(
            f"{place.called} ({place.id}) is mapped as a {('point', 'line')[dimension]}: it has no area."
        )
