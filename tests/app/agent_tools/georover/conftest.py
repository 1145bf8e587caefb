"""A town of charging stations whose answers are known by hand. It lies at lon 10, lat 50."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.agent_tools.calling import ToolAnswer, call_tool
from app.agent_tools.sets import find_set
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers
from tests.support.routers import own_routers
from tests.support.town import Fill, Imported, Map, import_map, offset

CENTRE = (10.0, 50.0)
Ask = Callable[..., ToolAnswer]


def make_station_town() -> Map:
    """East of the centre: a station of three points in a row, 40 m apart; others that are none of it; one at 7 km."""
    town = Map()
    for metres in (300, 340, 380):
        town.node(
            offset(CENTRE, 90, metres), amenity="charging_station", name=f"Row {metres}", operator="Volt",
            socket__type2="2", access="yes",
        )  # fmt: skip
    town.node(offset(CENTRE, 90, 420), amenity="charging_station", name="Other", operator="Watt")
    for azimuth in (0, 1):
        town.node(offset(CENTRE, azimuth, 900), amenity="charging_station", name="Twin")
    town.node(offset(CENTRE, 180, 200), amenity="charging_station")
    town.node(offset(CENTRE, 180, 210), amenity="charging_station")
    town.node(offset(CENTRE, 0, 7000), amenity="charging_station", name="Far", operator="Volt")
    town.node(offset(CENTRE, 0, 500), amenity="fuel", name="Pump")
    town.node(offset(CENTRE, 90, 100), amenity="restaurant", name="Krone", cuisine="pizza")
    town.node(offset(CENTRE, 90, 1005), amenity="bank", name="Sparkasse")
    corner = town.node(CENTRE)
    for name, azimuth in (("Ring", 90), ("Marktstraße", 0)):
        ends = [town.node(offset(CENTRE, azimuth + turn, 600)) for turn in (0, 180)]
        town.through([ends[0], corner, ends[1]], highway="residential", name=name)
    alone = [town.node(offset(CENTRE, 45, metres)) for metres in (3000, 3100)]
    town.through(alone, highway="residential", name="Island")
    return town


@pytest.fixture(scope="session")
def station_town(
    fill_once: Callable[[str, Fill], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Imported]:
    """The town, imported into a database of its own; read only."""
    town = make_station_town()
    file = town.write(tmp_path_factory.mktemp("stations") / "stations.osm")
    settings = fill_once("stations", lambda made: import_map(made, file, "stations"))
    with own_routers(settings, tmp_path_factory.mktemp("station_routers")) as own:
        yield Imported(own, "stations", file, town)


@pytest.fixture
def ask(station_town: Imported) -> Iterator[Ask]:
    """A function that calls a tool of the set georover on the town, or of the set that `tool_set` names."""
    with connect(station_town.settings, Role.MAINTAINER) as connection:
        (snapshot,) = find_snapshots(connection, ["stations"])
        routers = Routers(station_town.settings)

        def call(tool: str, tool_set: str = "georover", **arguments: Any) -> ToolAnswer:
            tools = find_set(tool_set).tools
            return call_tool(connection, snapshot, routers, tool, arguments, tools)

        yield call
