"""Graphs on the towns of the tools, whose answers are known by hand."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from app.agent_tools.calling import answer_call
from app.agent_tools.sets import find_set
from app.agent_tools.tool_plans.running import Answering
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.geoflow.executing import Execution, execute_on
from app.geoflow.graphs import read_graph
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers
from tests.app.agent_tools.conftest import make_tool_town
from tests.app.agent_tools.test_road_tools import make_road_town
from tests.support.routers import own_routers
from tests.support.town import Fill, Map, import_map

Execute = Callable[[Mapping[str, Any]], Execution]
TOOLS = find_set("spatial_agent").tools


def answering_on(
    fill_once: Callable[[str, Fill], Settings], folder: Any, key: str, name: str, town: Map
) -> Iterator[Answering]:
    """What answers calls on a town, which other tests of tools import likewise."""
    file = town.write(folder / f"{name}.osm")
    made = fill_once(key, lambda settings: import_map(settings, file, name))
    with own_routers(made, folder / "routers") as settings, connect(settings, Role.MAINTAINER) as connection:
        (snapshot,) = find_snapshots(connection, [name])
        routers = Routers(settings)
        yield lambda call: answer_call(connection, snapshot, routers, call)


@pytest.fixture(scope="module")
def tool_answers(
    fill_once: Callable[[str, Fill], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Answering]:
    """Calls on the town of restaurants."""
    yield from answering_on(fill_once, tmp_path_factory.mktemp("flows"), "tools", "tools", make_tool_town())


@pytest.fixture(scope="module")
def road_answers(
    fill_once: Callable[[str, Fill], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Answering]:
    """Calls on the town of streets."""
    yield from answering_on(
        fill_once, tmp_path_factory.mktemp("flows"), "road_tools", "roads", make_road_town()
    )


@pytest.fixture
def run(tool_answers: Answering) -> Execute:
    """Executes a graph, as JSON, on the town of restaurants."""
    return lambda plan: execute_on(read_graph(plan), tool_answers, TOOLS)


@pytest.fixture
def drive(road_answers: Answering) -> Execute:
    """Executes a graph on the town of streets."""
    return lambda plan: execute_on(read_graph(plan), road_answers, TOOLS)
