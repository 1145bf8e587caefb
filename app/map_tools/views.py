"""The reference views of a snapshot as a model is shown them. Reads the database's catalogue."""

from dataclasses import dataclass

from sqlalchemy import Connection

from app.map_tools import queries


@dataclass(frozen=True)
class Views:
    """The views of one snapshot: their schema, names, and a description with a line a view."""

    schema: str
    names: tuple[str, ...]
    description: str


def describe_views(connection: Connection, schema: str) -> Views:
    """The views of `schema`, in the order of their names."""
    columns: dict[str, list[str]] = {}
    for row in connection.execute(queries.VIEWS, {"schema": schema}):
        columns.setdefault(row.view, []).append(f"{row.column} {row.type}")
    lines = [f"{view} ({', '.join(columns[view])})" for view in columns]
    return Views(schema, tuple(columns), "\n".join(lines))
