"""How the answers of one run ended, as its board counts them."""

from sqlalchemy import Connection

from app.leaderboard import models, queries
from app.scores.profiles import TRIGPOINT


def read_states(connection: Connection, run_id: int) -> models.States | None:
    """How the run's predictions ended, once it is scored."""
    binds = {"run_id": run_id, "profile": TRIGPOINT.name, "profile_version": TRIGPOINT.version}
    states = connection.execute(queries.STATES_OF_RUN, binds).scalar_one_or_none()
    return None if states is None else models.States(**states)
