"""A town of streets whose routes are counted by hand, and a folder of its own for the routers of each test module."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Connection

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.records import SnapshotRef
from app.questions.snapshots import find_snapshots
from app.routing.processes import stop_routers
from app.routing.programs import find_version
from tests.support.town import Fill, Imported, Map, import_map, offset

CENTRE = (10.0, 50.0)
KMH = 36
"""Ten metres a second."""
ISLAND = offset(CENTRE, 180, 3000)


def at(east: float, north: float) -> tuple[float, float]:
    """A point by metres east and north of the centre."""
    return offset(offset(CENTRE, 90, east), 0, north)


def make_street_town() -> Map:
    """A square of four streets of 1,000 m: A in the north, B in the east, C in the south (to the west only), D.

    Cars must not turn from A into B. E leads from the corner of A and D to the west. An island has one street.
    """
    town = Map()
    north_west, north_east, south_east, south_west = (
        town.node(at(*place)) for place in ((0, 1000), (1000, 1000), (1000, 0), (0, 0))
    )

    def street(name: str, *nodes: str, **tags: str) -> str:
        return town.through(list(nodes), highway="residential", maxspeed=str(KMH), name=name, **tags)

    first = street("A", north_west, town.node(at(500, 1000)), north_east)
    second = street("B", north_east, south_east)
    street("C", south_east, south_west, oneway="yes")
    street("D", south_west, north_west)
    street("E", town.node(at(-1000, 1000)), north_west)
    town.turn("no_right_turn", first, north_east, second)
    street("Island", town.node(ISLAND), town.node(offset(ISLAND, 90, 200)))
    return town


@pytest.fixture(scope="session")
def street_town(
    fill_once: Callable[[str, Fill], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Imported:
    """The town of streets, imported into a database of its own."""
    town = make_street_town()
    file = town.write(tmp_path_factory.mktemp("streets") / "streets.osm")
    return Imported(
        fill_once("streets", lambda made: import_map(made, file, "streets")), "streets", file, town
    )


@pytest.fixture(scope="module")
def settings(street_town: Imported, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """The town's settings with a folder of its own; its routers end with the module. Skips where OSRM is absent."""
    own = street_town.settings.model_copy(update={"local_dir": tmp_path_factory.mktemp("local")})
    if find_version(own) is None:
        pytest.skip("OSRM's programs are absent: scripts/router installs them")
    yield own
    stop_routers(own)


@pytest.fixture
def connection(street_town: Imported) -> Iterator[Connection]:
    with connect(street_town.settings, Role.MAINTAINER) as opened:
        yield opened


@pytest.fixture
def snapshot(connection: Connection) -> SnapshotRef:
    return find_snapshots(connection, ["streets"])[0]
