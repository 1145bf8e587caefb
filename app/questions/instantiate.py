"""Ask a template's SELECT for many tuples at once, or for one; both give the same rows.

Reads the snapshot that the connection's search path names.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from app.templates.header import Header
from app.templates.statements import PICTURE_BINDS, PROVIDED, SQL_TYPES, as_batch, as_single, binds_of

Row = dict[str, Any]


def bind_types(header: Header) -> dict[str, str]:
    """The SQL type of each bind that a template's statements may use: parameters, constants, what is provided."""
    types = {name: SQL_TYPES[parameter.type] for name, parameter in header.parameters.items()}
    seen = PICTURE_BINDS if header.picture else {}
    return types | dict.fromkeys(header.constants, SQL_TYPES["number"]) | dict(PROVIDED) | dict(seen)


def types_used(header: Header, body: str) -> dict[str, str]:
    """Those of `bind_types` that `body` uses."""
    used = binds_of(body)
    return {name: kind for name, kind in bind_types(header).items() if name in used}


def ask_batch(
    connection: Connection, body: str, types: Mapping[str, str], binds: Sequence[Mapping[str, Any]]
) -> list[list[Row]]:
    """The rows of `body` for each set of binds, in the order of `binds`; one statement for all.

    Binds that are the same everywhere (a header's constants) must still stand in each set.
    """
    if not binds:
        return []
    # Alike ones after each other: PostGIS keeps the region of a call prepared for the next.
    order = sorted(range(len(binds)), key=lambda i: [str(binds[i][name]) for name in types])
    arrays = {name: [binds[i][name] for i in order] for name in types}
    answers: list[list[Row]] = [[] for _ in binds]
    for row in connection.exec_driver_sql(as_batch(body, types), arrays).mappings():
        values = dict(row)
        answers[order[values.pop("pick_id") - 1]].append(values)
    return answers


def ask_single(
    connection: Connection, body: str, types: Mapping[str, str], binds: Mapping[str, Any]
) -> list[Row]:
    """The rows of `body` for one set of binds."""
    statement = as_single(body, types)
    rows = connection.exec_driver_sql(statement, {name: binds[name] for name in types}).mappings()
    return [dict(row) for row in rows]
