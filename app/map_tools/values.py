"""Which values the columns of a snapshot's reference views hold, as a model that writes SQL is told. Reads the layers.

GS-QA's prompt for SQL names tables, columns and values that the columns include (paper, section 4.2). Values come from
a map that anybody may edit: only short plain words pass, and of keys that take any value only those of two objects.
What is a fact in the map is not told.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Connection, text

from app.db.naming import quoted
from app.map_tools import queries

PLAIN = "^([a-z]+(_[a-z]+){0,2}|[0-9]{1,2})$"
"""Up to three words in lower case, or the number of an administrative level."""
LONGEST = 24
"""Characters of a value."""
MOST = 1_500
"""Characters that the values of one column take together."""


class Held(NamedTuple):
    """A value that a column of a view holds."""

    view: str
    column: str
    value: str


def describe_values(connection: Connection, schema: str) -> str:
    """A line for each column that holds words: `view.column: value, …`, the commonest for which there is room.

    `schema` is the snapshot's own. The same snapshot gives the same text.
    """
    statement = text(queries.VALUES.format(schema=quoted(schema)))
    rows = connection.execute(statement, {"plain": PLAIN, "longest": LONGEST})
    return list_values(Held(row.view, row.field, row.value) for row in rows)


def list_values(held: Iterable[Held]) -> str:
    """The lines of values that come by column, the commonest first; a line gives them in the order of the alphabet."""
    lines = []
    for (view, column), group in groupby(held, lambda one: (one.view, one.column)):
        values = [one.value for one in group]
        shown = _that_fit(values)
        more = f", … ({len(values) - len(shown)} more)" if len(shown) < len(values) else ""
        lines.append(f"{view}.{column}: {', '.join(sorted(shown))}{more}")
    return "\n".join(lines)


def _that_fit(values: list[str]) -> list[str]:
    used = 0
    for place, value in enumerate(values):
        used += len(value) + len(", ")
        if used > MOST:
            return values[:place]
    return values
