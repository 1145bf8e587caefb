"""OSRM against the second path on real maps: 2,000 random pairs a map and mode, ends in the largest connected part."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import shapely
from sqlalchemy import Connection

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.records import SnapshotRef
from app.questions.second_path.reading import MODES
from app.questions.snapshots import find_snapshots
from app.routing.errors import RouteRefused
from app.routing.network import Network, read_network
from app.routing.one_path import OnePathRouter
from app.routing.opening import open_router
from app.routing.processes import remove_routers
from app.routing.programs import find_version
from app.routing.results import Point, Router
from tests.support.town import Fill, import_map

pytestmark = pytest.mark.long
STARTS, ENDS = 20, 100
"""The second path finds the routes from one start to many ends at once."""
AGREEING = 0.999
"""The share of pairs that must be within 1 % or 1 s."""
SHORTEST_M = 5.0
"""Ends lie on edges that are longer: on others a place is the same as its neighbours' within OSRM's 0.1 m."""
EXTRACTS = {
    "liechtenstein": "liechtenstein-2022-07-24.osm.pbf",
    "baltimore": "baltimore-2015-02-27.osm.pbf",
    "manhattan": "manhattan-part-2020-01-15.osm.pbf",
}
HELSINKI = "helsinki"


class Travelled(NamedTuple):
    """A map and where its routers are."""

    settings: Settings
    connection: Connection
    snapshot: SnapshotRef


@pytest.fixture(scope="module", params=[*EXTRACTS, HELSINKI])
def travelled(
    request: pytest.FixtureRequest,
    extracts: Path,
    fill_once: Callable[[str, Fill], Settings],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Travelled]:
    name = request.param
    if name == HELSINKI:
        made = request.getfixturevalue("helsinki").settings
    else:
        made = fill_once(name, lambda fresh: import_map(fresh, extracts / EXTRACTS[name], name))
    settings = made.model_copy(update={"local_dir": tmp_path_factory.mktemp(name)})
    if find_version(settings) is None:
        pytest.skip("OSRM's programs are absent: scripts/router installs them")
    with connect(settings, Role.MAINTAINER) as connection:
        (snapshot,) = find_snapshots(connection, [name])
        yield Travelled(settings, connection, snapshot)
    remove_routers(settings, snapshot.schema)


def places_on(network: Network, draw: random.Random, count: int) -> list[Point]:
    """Random places on edges of the largest connected part."""
    largest = [
        number
        for number, edge in enumerate(network.rows.edges)
        if edge.part == 1 and edge.length_m > SHORTEST_M
    ]
    lines = network.lines[draw.choices(largest, k=count)]
    shares = [draw.uniform(0.1, 0.9) for _ in lines]
    points = shapely.get_coordinates(shapely.line_interpolate_point(lines, shares, normalized=True))
    return [(float(lon), float(lat)) for lon, lat in points]


def seconds_of_route(router: Router, start: Point, end: Point) -> float | None:
    try:
        return router.routes(start, end)[0].seconds
    except RouteRefused:
        return None


def agree(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= max(1.0, 0.01 * other)


@pytest.mark.parametrize("mode", MODES)
def test_osrm_agrees_with_the_second_path(travelled: Travelled, mode: str) -> None:
    """Times of routes and of a matrix; a router that is built anew answers the same."""
    network = read_network(travelled.connection, travelled.snapshot.schema, mode)
    second, draw = OnePathRouter(network, mode), random.Random(34)
    starts = places_on(network, draw, STARTS)
    ends = [places_on(network, draw, ENDS) for _ in starts]
    router = open_router(travelled.settings, travelled.connection, travelled.snapshot, mode)
    assert router.engine != second.engine
    routes, matrices = [], []
    apart = []
    for start, targets in zip(starts, ends, strict=True):
        (expected,) = second.matrix([start], targets)
        told = [seconds_of_route(router, start, end) for end in targets]
        (row,) = router.matrix([start], targets)
        routes += told
        matrices += row
        apart += [
            (start, end, *times)
            for end, *times in zip(targets, told, row, expected, strict=True)
            if not (agree(times[0], times[2]) and agree(times[1], times[2]))
        ]
    assert len(apart) <= (1 - AGREEING) * STARTS * ENDS, apart
    remove_routers(travelled.settings, travelled.snapshot.schema)
    anew = open_router(travelled.settings, travelled.connection, travelled.snapshot, mode)
    assert matrices == [
        seconds
        for start, targets in zip(starts, ends, strict=True)
        for seconds in anew.matrix([start], targets)[0]
    ]
    again = [
        seconds_of_route(anew, start, end)
        for start, targets in zip(starts, ends, strict=True)
        for end in targets
    ]
    # OSRM rounds each edge to 0.1 s, so two ways round a block may cost it the same; which one it finds depends on the
    # build (on a grid of streets, for up to a tenth of the pairs). Their own times differ by what was rounded.
    assert [pair for pair in zip(routes, again, strict=True) if not agree(*pair)] == []
