"""COPY: the one way that many rows enter a table."""

from collections.abc import Iterable, Sequence
from typing import Any

from psycopg import sql
from sqlalchemy import Connection


def copy_rows(
    connection: Connection, schema: str, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> int:
    """Write `rows` to a table within the connection's transaction; gives how many there were.

    Values are adapted by psycopg; JSON goes as text, geometries as hexadecimal EWKB.
    """
    statement = sql.SQL("copy {}.{} ({}) from stdin").format(
        sql.Identifier(schema), sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    count = 0
    driver = connection.connection.driver_connection
    assert driver is not None, "the connection is open"
    with driver.cursor().copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
            count += 1
    return count
