"""Ends on the road network, and travel times, on the town of tools: two streets that cross, at 30 km/h."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from app.agent_tools.calling import call_tool
from app.agent_tools.errors import ToolError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.snapshots import find_snapshots
from app.routing.folders import router_folder
from app.routing.one_path import OnePathRouter
from app.routing.processes import find_or_start
from app.routing.programs import find_version
from app.routing.routers import MOST_OPEN, Routers
from osm_import.attempts import LAYER_SCHEMA_VERSION
from tests.app.agent_tools.conftest import CENTRE, Call, caller
from tests.support.routers import hang, own_routers
from tests.support.town import Imported, offset

WITHOUT_OSRM = Path("/nowhere")


def where(azimuth: float, metres: float) -> str:
    lon, lat = offset(CENTRE, azimuth, metres)
    return f"{lat},{lon}"


@pytest.fixture(params=["OSRM", "one path"])
def settings(request: pytest.FixtureRequest, tool_town: Imported) -> Settings:
    if request.param == "OSRM":
        if find_version(tool_town.settings) is None:
            pytest.skip("OSRM's programs are absent: scripts/router installs them")
        return tool_town.settings
    return tool_town.settings.model_copy(update={"osrm_bin": WITHOUT_OSRM})


@pytest.fixture
def connection(tool_town: Imported) -> Iterator[Connection]:
    with connect(tool_town.settings, Role.MAINTAINER) as opened:
        yield opened


@pytest.fixture
def travel(settings: Settings, connection: Connection) -> Call:
    return caller(settings, connection, "tools")


def test_a_travel_time_is_that_of_the_fastest_route(travel: Call, tool_town: Imported) -> None:
    """Krone lies beside one street, Linde beside the other: 135.36 m and 214.64 m from the crossing."""
    krone, linde = tool_town.key("Krone"), tool_town.key("Linde")
    result = travel("travel_time", origin=krone, destination=linde)
    assert (result.seconds, result.distance_m) == (pytest.approx(42, abs=0.2), pytest.approx(350, abs=0.5))
    assert (result.origin.id, result.destination.name) == (krone, "Linde")
    assert result.origin.road.distance_m == pytest.approx(35.36, abs=0.05)
    assert result.profile == f"car, layer schema {LAYER_SCHEMA_VERSION}"
    assert result.engine in ("one path", "OSRM v26.10.0")
    assert result.sentence().startswith("The fastest way from Krone to Linde by car takes 42 s (350.")
    assert result.sentence().endswith(" Krone is 35.4 m from the road. Linde is 35.4 m from the road.")
    on_foot = travel("travel_time", origin=krone, destination=linde, mode="foot")
    assert (on_foot.seconds, on_foot.distance_m) == (pytest.approx(252, abs=1), result.distance_m)


@pytest.mark.parametrize(
    ("arguments", "kind", "said"),
    [
        ({"mode": "transit"}, "unavailable", "Transit is unavailable. OpenStreetMap holds no timetables"),
        ({"mode": "boat"}, "bad_argument", "travel_time: mode was 'boat': the modes are car, bicycle, foot."),
        ({"destination": where(90, 5_000)}, "no_route", "the nearest road for car is 4.6 km away, and at most 1 km"),
        ({"destination": where(0, 100)}, "no_route", "Origin and destination are the same point"),
        ({"destination": "10.0,50.0"}, "bad_argument", "the two numbers are swapped. Latitude comes first."),
        ({"destination": "n999999"}, "not_found", "has no place n999999."),
        ({"destination": "nan,nan"}, "bad_argument", "write the id of a place, such as n123, or a point as"),
    ],
)  # fmt: skip
def test_ends_and_modes_that_cannot_be(travel: Call, arguments: dict[str, Any], kind: str, said: str) -> None:
    right = {"origin": where(0, 100), "destination": where(90, 250)}
    with pytest.raises(ToolError) as raised:
        travel("travel_time", **(right | arguments))
    assert said in str(raised.value).replace("'mode'", "mode")
    assert raised.value.kind == kind
    assert travel("travel_time", **right).seconds == pytest.approx(42, abs=0.2)


def test_a_map_without_a_network_says_what_to_do(settings: Settings, connection: Connection) -> None:
    (snapshot,) = find_snapshots(connection, ["tools"])
    old = replace(snapshot, schema="osm_of_old")
    arguments = {"origin": where(0, 100), "destination": where(90, 250)}
    with pytest.raises(
        ToolError, match=r"tools@\S+ has no road network\. Import its extract again"
    ) as raised:
        call_tool(connection, old, Routers(settings), "travel_time", arguments)
    assert raised.value.kind == "unavailable"


def test_after_a_router_hangs_or_its_files_are_lost_the_next_call_works(
    tool_town: Imported,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    if find_version(tool_town.settings) is None:
        pytest.skip("OSRM's programs are absent: scripts/router installs them")
    arguments = {"origin": where(0, 100), "destination": where(90, 250)}
    with own_routers(tool_town.settings, tmp_path_factory.mktemp("lost")) as own:
        travel = caller(own, connection, "tools")
        before = travel("travel_time", **arguments)
        (snapshot,) = find_snapshots(connection, ["tools"])
        folder = router_folder(own, snapshot.schema, "car")
        hang(find_or_start(own, folder).pid)
        with monkeypatch.context() as patch:
            patch.setattr("app.routing.osrm.ANSWER_S", 0.5)
            with pytest.raises(ToolError, match=r"No route was found just now\. .* ask again") as raised:
                travel("travel_time", **arguments)
        assert raised.value.kind == "try_again"
        assert travel("travel_time", **arguments) == before
        os.kill(find_or_start(own, folder).pid, signal.SIGKILL)
        folder.rename(folder.with_name("elsewhere"))
        with pytest.raises(ToolError, match="files are gone or damaged; ask again") as raised:
            travel("travel_time", **arguments)
        assert raised.value.kind == "try_again"
        assert travel("travel_time", **arguments) == before


def test_routers_are_held_open_up_to_a_bound(tool_town: Imported, connection: Connection) -> None:
    (snapshot,) = find_snapshots(connection, ["tools"])
    routers = Routers(tool_town.settings)
    first = routers.open_second_path(connection, snapshot, "foot")
    assert isinstance(first, OnePathRouter)
    assert routers.open_second_path(connection, snapshot, "foot") is first
    others = [replace(snapshot, checksum=str(number)) for number in range(MOST_OPEN)]
    for one in others:
        routers.open_second_path(connection, one, "foot")
    assert routers.open_second_path(connection, snapshot, "foot") is not first
