"""Template SQL as statements: which binds a body uses, and its two forms, one question and a batch.

The batch form is composed here and nowhere else. A body's result must not depend on which form ran it.
"""

import re
from collections.abc import Mapping, Sequence

# Quoted strings, quoted identifiers and comments are matched first so that a colon in them is left alone.
_TOKEN = re.compile(
    r"(?P<skip>'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/|::)|(?<![:\w]):(?P<bind>[a-z][a-z0-9_]*)",
    re.DOTALL,
)

SQL_TYPES: Mapping[str, str] = {
    "object": "text",
    "objects": "text",
    "class": "text",
    "metres": "double precision",
    "sector": "integer",
    "number": "double precision",
}


def binds_of(body: str) -> set[str]:
    """The names of the binds (`:name`) that a statement uses."""
    return {match["bind"] for match in _TOKEN.finditer(body) if match["bind"]}


def _with_binds(body: str, rendering: Mapping[str, str]) -> str:
    def render(match: re.Match[str]) -> str:
        return rendering[match["bind"]] if match["bind"] else match[0]

    return _TOKEN.sub(render, body.replace("%", "%%"))


def as_single(body: str, types: Mapping[str, str]) -> str:
    """The body with psycopg binds; `types` maps each bind to its SQL type."""
    return _with_binds(body, {name: f"%({name})s::{kind}" for name, kind in types.items()})


def as_batch(body: str, types: Mapping[str, str], constants: Sequence[str] = ()) -> str:
    """The body asked for many rows of binds at once.

    Each bind is an array of equal length, but those in `constants`, which are one value for all.
    Rows come back as (pick_id, the body's columns), pick_id counting from 1, in the body's order (`place`).
    """
    varying = [name for name in types if name not in constants]
    rendering = {name: f"picked.{name}" for name in varying}
    rendering |= {name: f"%({name})s::{types[name]}" for name in constants}
    arrays = ", ".join(f"%({name})s::{types[name]}[]" for name in varying)
    columns = ", ".join([*varying, "pick_id"])
    return (
        "select picked.pick_id, answer.*\n"
        f"from unnest({arrays}) with ordinality as picked ({columns})\n"
        f"cross join lateral (\n{_with_binds(body, rendering)}\n) as answer\n"
        "order by picked.pick_id, answer.place"
    )
