"""Runs of agents in tests: questions about the town of tools, and a run of a solver that calls tools."""

from pathlib import Path
from typing import Any

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.planning import RunOptions, draft_run
from app.predictions.runs import plan_run, store_endpoint
from app.questions.snapshots import find_snapshots
from app.questions.versions import find_version
from app.solvers.agents.terms import AgentTerms
from tests.app.agent_tools.conftest import make_tool_town
from tests.support.factories import MadeMap, MadeVersion, QuestionSpec, make_version
from tests.support.town import import_map

WHERE = "Where is the Krone?"


def make_town_of_questions(settings: Settings, folder: Path, questions: int = 1) -> MadeVersion:
    """The town of tools, and a data set of questions about it whose answer is a count."""
    import_map(settings, make_tool_town().write(folder / "tools.osm"), "tools")
    with connect(settings, Role.WORKER) as connection:
        (found,) = find_snapshots(connection, ["tools"])
    asked = [
        QuestionSpec("T24", "count", f"{WHERE} (question {number})", {"count": 4}, {"test": number})
        for number in range(questions)
    ]
    return make_version(settings, asked, made_map=MadeMap(found.id, found.schema))


def plan_agent(
    settings: Settings, version: MadeVersion, url: str, solver: str = "tools", seed: int = 0, **terms: Any
) -> int:
    """A run of an agent over questions that a test made; another seed makes another run of the same questions."""
    return plan_agent_over(settings, version.dataset, url, solver, seed, **terms)


def plan_agent_over(
    settings: Settings, dataset: str, url: str, solver: str = "tools", seed: int = 0, **terms: Any
) -> int:
    """The same over a data set that is there, by its name."""
    now = SystemClock().now()
    with connect(settings, Role.WORKER) as connection:
        draft = draft_run(
            connection,
            find_version(connection, dataset),
            RunOptions(solver, seed=seed, agent=AgentTerms(**terms)),
        )
        plan = draft.asking(connection, store_endpoint(connection, url, "turns", None, now))
        planned = plan_run(connection, plan, now, settings.batch_size)
        connection.commit()
    return planned.id
