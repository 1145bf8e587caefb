"""The secret of a data set with hidden questions: made once, kept beside gold, from which wrong options are drawn.

By a public draw anybody could make a question's wrong options again and see which option does not fit them: the key.
No function here shows, logs or hashes a secret.
"""

from collections.abc import Mapping
from datetime import datetime
from secrets import token_hex
from typing import Any

from sqlalchemy import Connection

from app.core.errors import Conflict
from app.questions import queries_secrets as queries

BYTES = 32


def draws_are_public(recipe: Mapping[str, Any]) -> bool:
    """Whether anybody can draw wrong options again, of the version with this stored recipe or one that it came from."""
    return not all(one.get("secret_draws") for one in (recipe, *recipe.get("earlier", ())))


def find_secret(connection: Connection, name: str) -> str | None:
    """The secret of the data set of that name; None where it has none."""
    secret: str | None = connection.exec_driver_sql(queries.FIND, {"name": name}).scalar_one_or_none()
    return secret


def secret_for(connection: Connection, name: str) -> str:
    """The secret of the data set, or one for a data set that has none yet; `keep_secret` writes it.

    The caller holds the data set's name. Raises Conflict where versions were drawn from a secret that is not there.
    """
    found = find_secret(connection, name)
    if found is not None:
        return found
    if connection.exec_driver_sql(queries.HAS_DRAWN, {"name": name}).scalar_one():
        raise Conflict(
            f"Versions of {name} have hidden questions whose options were drawn from its secret, which is not in this "
            "database. Restore a backup that holds it, or choose another name."
        )
    return token_hex(BYTES)


def keep_secret(connection: Connection, name: str, secret: str, now: datetime) -> None:
    """Write the secret of a data set that has none; the first one stays for good."""
    connection.exec_driver_sql(queries.KEEP, {"name": name, "secret": secret, "now": now})
