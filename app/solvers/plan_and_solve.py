"""`plan_and_solve`: one call for a plan, then its steps with tools (Wang et al., 2023; a baseline of Spatial-Agent)."""

from sqlalchemy import Connection

from app.solvers.agents.desk import Episode, agent, open_desk
from app.solvers.agents.manners import Message, list_tools
from app.solvers.agents.playing import Play
from app.solvers.base import NextStep, RunView


@agent("plan_and_solve", version=1)
def open_plan_and_solve(connection: Connection, run: RunView) -> NextStep:
    """As `tools`, after a plan."""
    return open_desk(connection, run, "plan_and_solve").next_step(_play)


def _play(episode: Episode) -> Play:
    wanted = episode.told("plan", tools=list_tools(episode.desk.tools))
    planned = yield from episode.ask(
        [{"role": "system", "content": wanted}, episode.asked()], with_tools=False
    )
    plan: list[Message] = [
        {"role": "assistant", "content": planned.content or ""},
        {"role": "user", "content": episode.told("carry_out")},
    ]
    reply = yield from episode.converse([*episode.first_messages(), *plan])
    return episode.answer(reply)
