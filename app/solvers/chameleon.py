"""`chameleon`: a planner lists tools, which are run one after the other, then one call answers (Lu et al., 2023).

The plan is made once and is not changed: what a tool told is known to the arguments of the next ones and to the
answer. MapEval's Table 7 compares such an agent with ReAct.
"""

from collections.abc import Generator
from typing import Final

from sqlalchemy import Connection

from app.agent_tools.schemas import schema_of
from app.core.identity import canonical_json
from app.inference.outcomes import Reply
from app.solvers.agents.actions import NoAction, find_object, read_action
from app.solvers.agents.desk import Episode, agent, open_desk
from app.solvers.agents.manners import Wish, list_tools, marked_result
from app.solvers.agents.playing import Play
from app.solvers.base import NextStep, RunView
from app.solvers.calls import Call, CallResult

MOST_MODULES: Final = 8


@agent("chameleon", version=1)
def open_chameleon(connection: Connection, run: RunView) -> NextStep:
    """The modules are the tools of the run's set."""
    return open_desk(connection, run, "chameleon").next_step(_play)


def _play(episode: Episode) -> Play:
    known: list[str] = []
    modules = yield from _plan(episode)
    for name in modules:
        told = yield from _run(episode, name, "\n\n".join(known))
        known.append(told)
    prompt = episode.told("answer", known="\n\n".join(known))
    reply = yield from episode.ask([{"role": "system", "content": prompt}, episode.asked()], with_tools=False)
    return episode.answer(reply)


def _plan(episode: Episode) -> Generator[Call, CallResult, list[str]]:
    """The names of the tools to run; those that there are not count as faults of form."""
    tools = episode.desk.tools
    prompt = episode.told("plan", tools=list_tools(tools), most=MOST_MODULES, example=next(iter(tools)))
    reply = yield from episode.ask([{"role": "system", "content": prompt}, episode.asked()], with_tools=False)
    named = _read_plan(reply)
    known = [one for one in named if one in tools]
    episode.meter.format_faults += (not named) + len(named) - len(known)
    return known[:MOST_MODULES]


def _read_plan(reply: Reply) -> list[str]:
    try:
        plan = find_object(reply.content or "").get("plan")
    except NoAction:
        return []
    return [one for one in plan if isinstance(one, str)] if isinstance(plan, list) else []


def _run(episode: Episode, name: str, known: str) -> Generator[Call, CallResult, str]:
    """Run a module: its arguments by one call of the model, then the tool; what later calls are told of it."""
    module = episode.desk.tools[name]
    prompt = episode.told("arguments", module=module, schema=canonical_json(schema_of(module)), known=known)
    reply = yield from episode.ask([{"role": "system", "content": prompt}, episode.asked()], with_tools=False)
    try:
        action = read_action(reply.content or "", lenient=episode.desk.terms.lenient)
        wish = Wish(name, action.arguments)
        episode.meter.format_faults += not action.is_well_formed
    except NoAction as error:
        episode.meter.format_faults += 1
        wish = Wish(name, {}, fault=f"The arguments of {name} could not be read. {error}")
    text = yield from episode.use(wish)
    return f"{name}({canonical_json(wish.arguments)}):\n{marked_result(text)}"
