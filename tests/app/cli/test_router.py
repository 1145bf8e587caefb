"""`trigpoint router`: builds once, says what it did, refuses what it cannot build; a map's routers go with the map."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.core.settings import Settings
from app.routing.folders import router_root
from app.routing.processes import stop_routers
from app.routing.programs import VERSION, find_version
from tests.support.command_line import trigpoint
from tests.support.town import Map, import_map, offset


@pytest.fixture(scope="module")
def settings(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    """A database with one street, which a test may drop. Skips where OSRM is absent."""
    folder = tmp_path_factory.mktemp("router")
    made = make_database().model_copy(update={"local_dir": folder})
    if find_version(made) is None:
        pytest.skip("OSRM's programs are absent: scripts/router installs them")
    street = Map()
    nodes = [street.node(offset((10.0, 50.0), 90, metres)) for metres in (0, 500, 1000)]
    street.through(nodes, highway="residential")
    import_map(made, street.write(folder / "street.osm"), "street")
    yield made
    stop_routers(made)


def test_building_dropping_and_stopping(settings: Settings) -> None:
    built = trigpoint(settings, "router", "build", "--snapshot", "street", "--json")
    assert (built.status, built.err) == (0, "")
    routers = built.json["routers"]
    assert [(one["mode"], one["edges"], one["built"]) for one in routers] == [
        ("car", 1, True),
        ("bicycle", 1, True),
        ("foot", 1, True),
    ]
    assert {one["engine"] for one in routers} == {f"OSRM {VERSION}"}
    again = trigpoint(settings, "router", "build", "--snapshot", "street", "--mode", "car")
    assert again.out.startswith("The router for car on street@")
    assert again.out.endswith(" was built already.\n")
    assert trigpoint(settings, "router", "stop").out == "No router is running.\n"
    assert len(list(router_root(settings).glob("*/*/manifest.json"))) == 3
    assert trigpoint(settings, "snapshot", "drop", "street").status == 0
    assert list(router_root(settings).glob("*/*/manifest.json")) == []


def test_what_cannot_be_built(settings: Settings, tmp_path: Path) -> None:
    unknown = trigpoint(settings, "router", "build", "--snapshot", "nowhere", "--mode", "car")
    assert unknown.status == 2
    assert "There is no published snapshot 'nowhere'." in unknown.err
    transit = trigpoint(settings, "router", "build", "--snapshot", "nowhere", "--mode", "transit")
    assert (transit.status, "Transit is unavailable" in transit.err) == (1, True)
    absent = settings.model_copy(update={"osrm_bin": tmp_path})
    refused = trigpoint(absent, "router", "build", "--snapshot", "nowhere")
    assert (refused.status, "OSRM's programs are not installed" in refused.err) == (2, True)
