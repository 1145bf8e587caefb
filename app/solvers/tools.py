"""`tools`: the model calls tools on the question's map until it answers, in a loop without further instructions."""

from sqlalchemy import Connection

from app.solvers.agents.desk import Episode, open_desk, play_within_caps
from app.solvers.agents.playing import Play, next_step_of
from app.solvers.agents.terms import MOST_STEPS
from app.solvers.base import NextStep, QuestionView, RunView, solver
from app.solvers.calls import CHAT, TOOL
from app.solvers.several_maps import refuse_several_maps


@solver(
    "tools",
    version=1,
    calls=(CHAT, TOOL),
    reads=("snapshot",),
    check=refuse_several_maps,
    most_steps=MOST_STEPS,
)
def open_tools(connection: Connection, run: RunView) -> NextStep:
    """Loads which map each question is about, and the tools of the run's set."""
    desk = open_desk(connection, run, "tools")

    def begin(question: QuestionView) -> Play:
        episode = desk.begin(question)
        return play_within_caps(episode, _play(episode))

    return next_step_of(begin)


def _play(episode: Episode) -> Play:
    reply = yield from episode.converse(episode.first_messages())
    return episode.answer(reply)
