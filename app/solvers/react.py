"""`react`: thoughts and calls of tools in turn, until the model answers (Yao et al., 2023; MapEval-API's agent)."""

from sqlalchemy import Connection

from app.solvers.agents.desk import Episode, agent, open_desk
from app.solvers.agents.playing import Play
from app.solvers.base import NextStep, RunView


@agent("react", version=1)
def open_react(connection: Connection, run: RunView) -> NextStep:
    """As `tools`, with a thought before each call."""
    return open_desk(connection, run, "react", thinks=True).next_step(_play)


def _play(episode: Episode) -> Play:
    reply = yield from episode.converse(episode.first_messages())
    return episode.answer(reply)
