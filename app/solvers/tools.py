"""`tools`: the model calls tools on the question's map until it answers, in a loop without further instructions."""

from sqlalchemy import Connection

from app.solvers.agents.desk import Episode, agent, open_desk
from app.solvers.agents.playing import Play
from app.solvers.base import NextStep, RunView


@agent("tools", version=1)
def open_tools(connection: Connection, run: RunView) -> NextStep:
    """Loads which map each question is about, and the tools of the run's set."""
    return open_desk(connection, run, "tools").next_step(_play)


def _play(episode: Episode) -> Play:
    reply = yield from episode.converse(episode.first_messages())
    return episode.answer(reply)
