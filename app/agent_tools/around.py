"""Places of a type, or that a keyword fits, by their distance from a point. Reads the layers.

A type is looked for in the layer of parks, else in that of waters, else in that of places. A park or a water is as far
away as its nearest point.
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from sqlalchemy import Row

from app.agent_tools import queries_around as queries
from app.agent_tools.errors import ToolError
from app.agent_tools.places import Position
from app.agent_tools.scope import Scope
from app.core.identity import canonical_json
from app.core.names import search_form

HALF_AROUND = 2.1e7
"""Metres: more than any two points of the earth are apart."""
_STATEMENTS = {"park": queries.NEAREST_PARKS, "water": queries.NEAREST_WATERS, "poi": queries.NEAREST_POIS}


class Sought(NamedTuple):
    """What is sought: places of a type or that a keyword fits, with these attributes, with opening hours or without."""

    type: str | None
    keyword: str | None
    attributes: Mapping[str, str] = {}
    with_hours: bool = False

    @property
    def said(self) -> str:
        """The type or the keyword."""
        return self.type or self.keyword or ""


def find_around(
    scope: Scope, sought: Sought, position: Position, radius: float | None, most: int
) -> Sequence[Row[Any]]:
    """Ids (`osm_key`) and distances (`metres`) of at most so many places, the nearest first; not of the place itself.

    Raises ToolError for a type of which the map has no place.
    """
    binds = {
        "lat": position.lat,
        "lon": position.lon,
        "but": position.id,
        "radius": radius or HALF_AROUND,
        "most": most,
        "with_hours": sought.with_hours,
        "attributes": canonical_json(sought.attributes),
    }
    if sought.keyword is not None:
        return scope.rows(queries.BY_KEYWORD, {**binds, "keyword": _containing(sought.keyword)})
    kind = form_of_type(sought.type or "")
    there = find_layers(scope, kind)
    layer = next(one for one in _STATEMENTS if one in there)
    return scope.rows(_STATEMENTS[layer], {**binds, "type": kind})


def form_of_type(said: str) -> str:
    """A type as OpenStreetMap writes it."""
    return said.lower().replace(" ", "_")


def find_layers(scope: Scope, kind: str) -> set[str]:
    """The layers that have places of the type. Raises ToolError where none has, naming types that are called alike."""
    there = {row.layer for row in scope.rows(queries.CLASSES, {"types": [kind]})}
    if not there:
        types = [row.type for row in scope.rows(queries.ALL_CLASSES, {})]
        alike = get_close_matches(kind, types, 5, 0.6)
        hint = f" Types that are called alike: {', '.join(alike)}." if alike else ""
        raise ToolError(f"The map has no place of the type {kind!r}.{hint} Or use a keyword.", "unknown_type")
    return there


def _containing(keyword: str) -> str:
    form = search_form(keyword)
    return "%" + form.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
