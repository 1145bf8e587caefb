"""The tool intersection_of: where two streets meet. Reads street_name, road and road_node.

Streets meet at a node that ways of both share; a bridge over a street has no such node.
"""

from pydantic import BaseModel, Field

from app.agent_tools import queries_crossings as queries
from app.agent_tools.arguments import Text, Where
from app.agent_tools.errors import ToolError
from app.agent_tools.places import DECIMALS, find_in_map, shown
from app.agent_tools.registry import Arguments, Result, tool
from app.agent_tools.scope import Scope
from app.core.names import search_form

MOST = 20
LEAST_LIKENESS = 0.5
"""Share of common trigrams from which a street is taken for the one that is sought, where none has the very name."""


class CrossingArguments(Arguments):
    """Which two streets."""

    street: Text = Field(description="the name of a street")
    other: Text = Field(description="the name of another street")
    near: Where | None = Field(
        None, description="a place id or 'latitude,longitude': the crossings nearest to it come first"
    )


class Crossing(BaseModel):
    """A node at which the streets meet."""

    lat: float
    lon: float
    distance_m: float | None = Field(None, description="from `near`")


class CrossingResult(Result):
    """The points at which two streets meet; a street with two carriageways has several at one junction."""

    street: str
    other: str
    crossings: list[Crossing]
    more: bool = Field(description="whether there are more points than these")

    def sentence(self) -> str:
        """The answer in words."""
        if not self.crossings:
            return f"{self.street} and {self.other} do not meet."
        points = "; ".join(f"{one.lat}, {one.lon}" for one in self.crossings)
        return f"{self.street} and {self.other} meet at {points}{' and more points' if self.more else ''}."


@tool(CrossingArguments, CrossingResult)
def intersection_of(scope: Scope, wanted: CrossingArguments) -> CrossingResult:
    """Find the points at which two streets meet."""
    near = find_in_map(scope, wanted.near) if wanted.near else None
    street, other = _find_street(scope, wanted.street), _find_street(scope, wanted.other)
    if street == other:
        raise ToolError(f"Both names mean the same street, {shown(street)}.")
    binds = {
        "street": street,
        "other": other,
        "lat": near.lat if near else None,
        "lon": near.lon if near else None,
        "most": MOST + 1,
    }
    rows = scope.rows(queries.CROSSINGS, binds)
    crossings = [
        Crossing(
            lat=round(row.lat, DECIMALS),
            lon=round(row.lon, DECIMALS),
            distance_m=None if row.metres is None else round(row.metres, 2),
        )
        for row in rows[:MOST]
    ]
    return CrossingResult(
        street=shown(street) or "", other=shown(other) or "", crossings=crossings, more=len(rows) > MOST
    )


def _find_street(scope: Scope, said: str) -> str:
    """The name of the street as the map writes it. Raises ToolError where none is called like it."""
    scope.require_likeness(LEAST_LIKENESS)
    rows = scope.rows(queries.STREET, {"form": search_form(said), "said": said})
    if not rows:
        raise ToolError(f"The map has no street that is called {said!r}.", "not_found")
    return str(rows[0].street)
