"""Template SQL as statements: which binds a body uses, and its two forms, one question and a batch.

The batch form is composed here and nowhere else. A body's result must not depend on which form ran it.
"""

import re
from collections.abc import Mapping

from app.db.naming import quoted

# Quoted strings, quoted identifiers and comments are matched first so that a colon in them is left alone.
_TOKEN = re.compile(
    r"(?P<skip>'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/|::)|(?<![:\w]):(?P<bind>[a-z][a-z0-9_]*)",
    re.DOTALL,
)

SQL_TYPES: Mapping[str, str] = {
    "object": "text",
    "objects": "text",
    "group": "text",
    "within": "text",
    "class": "text",
    "filter": "text",
    "metres": "double precision",
    "sector": "integer",
    "number": "double precision",
    "choice": "text",
    "form": "text",
    "described": "text",
    "attribute": "text",
    "frame": "text",
    "point": "text",
}

PROVIDED: Mapping[str, str] = {"facts": "text"}
"""Binds that a statement may use without declaring them: the id of the map's set of facts in trigpoint.map_fact."""

PICTURE_BINDS: Mapping[str, str] = {
    "drawn": "text",
    "labelled": "text",
    "drawn_roads": "text",
    "west": "double precision",
    "south": "double precision",
    "east": "double precision",
    "north": "double precision",
}
"""Binds that the SELECT of a question about a picture may use: the osm_keys, with commas between them, of the places
whose symbol is drawn whole, of those whose name is written whole, and of the ways of all roads whose name is written;
and the picture's edges in degrees."""


def bind_positions(body: str) -> list[tuple[str, int]]:
    """The binds (`:name`) of a statement in order, and where each stands in the text."""
    return [(match["bind"], match.start()) for match in _TOKEN.finditer(body) if match["bind"]]


def binds_of(body: str) -> set[str]:
    """The names of the binds that a statement uses."""
    return {name for name, _ in bind_positions(body)}


def with_binds(body: str, rendering: Mapping[str, str]) -> str:
    """The body with each bind replaced by what `rendering` says; the rest is left to the letter."""

    def render(match: re.Match[str]) -> str:
        return rendering[match["bind"]] if match["bind"] else match[0]

    return _TOKEN.sub(render, body)


def _for_driver(body: str, rendering: Mapping[str, str]) -> str:
    # psycopg reads % as the start of a bind
    return with_binds(body.replace("%", "%%"), rendering)


def as_single(body: str, types: Mapping[str, str]) -> str:
    """The body with psycopg binds; `types` maps each bind to its SQL type."""
    return _for_driver(body, {name: f"%({name})s::{kind}" for name, kind in types.items()})


def as_batch(body: str, types: Mapping[str, str]) -> str:
    """The body asked for many rows of binds at once; each bind is an array, all of equal length.

    Rows come back as (pick_id, the body's columns), pick_id counting from 1, in the body's order (`place`).
    """
    arrays = ", ".join(f"%({name})s::{kind}[]" for name, kind in types.items())
    columns = ", ".join([*map(quoted, types), "pick_id"])  # a bind may be called as a word of SQL is: user
    picked = {name: f"picked.{quoted(name)}" for name in types}
    return (
        "select picked.pick_id, answer.*\n"
        f"from unnest({arrays}) with ordinality as picked ({columns})\n"
        f"cross join lateral (\n{_for_driver(body, picked)}\n) as answer\n"
        "order by picked.pick_id, answer.place"
    )
