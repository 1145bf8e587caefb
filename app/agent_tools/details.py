"""The tool place_details: what the map says of a place. Reads the layers."""

from pydantic import Field

from app.agent_tools import queries
from app.agent_tools.arguments import PlaceId
from app.agent_tools.attributes import read_attributes
from app.agent_tools.places import Place, find_place, shown
from app.agent_tools.registry import UNAVAILABLE, Arguments, Result, tool
from app.agent_tools.scope import Scope

NEVER_TOLD = ("ratings", "prices", "live_times")


class DetailsArguments(Arguments):
    """Of which place."""

    place: PlaceId = Field(description="the id of a place, as place_search gives it")


class DetailsResult(Result):
    """A place, and what is known of it."""

    place: Place
    types: list[str] = Field(description="all types of the place, the main one first")
    regions: list[str] = Field(description="names of the regions around it, the smallest first")
    attributes: dict[str, str] = Field(
        description="opening_hours, cuisine, wheelchair, website … as the map has them"
    )
    unavailable: dict[str, str] = Field(description="what no map of OpenStreetMap tells")

    def sentence(self) -> str:
        """The answer in words."""
        place = self.place
        kinds = ", ".join(kind.replace("_", " ") for kind in self.types)
        lines = [f"Information of {place.called} ({place.id}):", f"- Type: {kinds}."]
        where = (
            f"{place.address} ({place.lat}, {place.lon})" if place.address else f"{place.lat}, {place.lon}"
        )
        lines.append(f"- Location: {where}.")
        if self.regions:
            lines.append(f"- Regions: {', '.join(self.regions)}.")
        lines += [
            f"- {key.replace('_', ' ').capitalize()}: {value}." for key, value in self.attributes.items()
        ]
        return "\n".join(lines)


@tool(DetailsArguments, DetailsResult)
def place_details(scope: Scope, wanted: DetailsArguments) -> DetailsResult:
    """Tell what the map says of a place: types, location, address, regions, opening hours, cuisine, wheelchair access,
    website and more where they are mapped. There are no ratings, prices, phone numbers or live data."""
    known = find_place(scope, wanted.place)
    rows = scope.rows(queries.REGIONS_AROUND, {"lat": known.place.lat, "lon": known.place.lon})
    return DetailsResult(
        place=known.place,
        types=list(known.classes),
        regions=[shown(row.name) or "" for row in rows if row.osm_key != known.place.id],
        attributes=read_attributes(known.tags),
        unavailable={name: UNAVAILABLE[name] for name in NEVER_TOLD},
    )
