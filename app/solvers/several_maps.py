"""A check of solvers that look things up on the one map of a question."""

from sqlalchemy import Connection

from app.core.errors import UsageError
from app.solvers.queries import COUNT_ON_SEVERAL_MAPS


def refuse_several_maps(connection: Connection, version_id: int) -> None:
    """Raise UsageError where questions of the version stand on several maps: the solver would see only the first."""
    count = connection.execute(COUNT_ON_SEVERAL_MAPS, {"version_id": version_id}).scalar_one()
    if count:
        raise UsageError(
            f"{count} {'question stands' if count == 1 else 'questions stand'} on several maps, and this solver looks "
            "things up on one map. Use --solver direct."
        )
