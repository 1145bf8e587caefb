"""Whether the service's tables are those that this Trigpoint works with: at the newest revision of the migrations.

Reads two lines of each migration. Alembic would carry them all out to find the newest, which takes half a second.
"""

import re
from functools import cache

from sqlalchemy import Connection
from sqlalchemy.exc import ProgrammingError

from app.core.errors import Conflict
from app.core.settings import PROJECT_ROOT, SET_UP

REMEDY = f"Run `trigpoint migrate` (as the owner), or `{SET_UP}`."
FOLDER = PROJECT_ROOT / "migrations" / "versions"
LINE = re.compile(r"""^(revision|down_revision)\b[^=\n]*= ["'](\w+)["']""", re.MULTILINE)
THERE = "select version_num from trigpoint.alembic_version"


@cache
def newest_revision() -> str:
    """The revision that no other builds on. Their numbers need not be in order."""
    told: list[dict[str, str]] = [
        dict(LINE.findall(file.read_text(encoding="utf-8"))) for file in FOLDER.glob("*.py")
    ]
    (newest,) = {one["revision"] for one in told} - {one.get("down_revision") for one in told}
    return newest


def describe_difference(there: str | None, newest: str | None) -> str:
    """Words for tables at another revision than the newest."""
    return f"the tables are at {there or 'no revision'}, the newest is {newest}"


def refuse_other_tables(connection: Connection) -> None:
    """Raise Conflict where the tables are at another revision, as a role that may see it; ends the transaction."""
    try:
        there = connection.exec_driver_sql(THERE).scalar_one_or_none()
    except ProgrammingError:
        there = None
    connection.rollback()
    if there != newest_revision():
        said = describe_difference(there, newest_revision())
        raise Conflict(f"{said[0].upper()}{said[1:]}. {REMEDY}")
