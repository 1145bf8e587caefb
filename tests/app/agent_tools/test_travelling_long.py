"""Travel times and directions equal what other code finds in the raw extract (Liechtenstein), on random calls."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from app.agent_tools.errors import ToolError
from tests.app.agent_tools.conftest import Call
from tests.app.agent_tools.raw_map import RawMap, Thing
from tests.app.agent_tools.raw_roads import GEOD, Place, RawRoads, Ways
from tests.app.agent_tools.raw_steps import MODES, RawNetwork, count_steps, offset_from, read_parts

pytestmark = pytest.mark.long
EXTRACT = "liechtenstein-2022-07-24.osm.pbf"
BOX = (9.48, 47.06, 9.62, 47.26)
STARTS, ENDS = 12, 10
ROUTES = 60
NEAR_ROAD_M = 300
LANDMARK_M, MOST_LANDMARKS = 30, 3
SAME_SIDE_M = 0.7
"""A landmark may lie so far from where the raw extract has it, since an area is told by a point on it."""
KINDS = ("restaurant", "cafe", "bank", "school", "pharmacy", "fuel")


class World(NamedTuple):
    """The extract: roads of each mode, and places with a name."""

    raw: RawRoads
    roads: dict[str, Ways]
    things: dict[str, Thing]


@pytest.fixture(scope="module")
def world(extracts: Path) -> World:
    raw, things = RawRoads.of(extracts / EXTRACT), RawMap.of(extracts / EXTRACT)
    known = {one.key: one for one in things.places() if one.tags.get("name")}
    return World(raw, {mode: Ways(raw, mode) for mode in MODES}, known)


@pytest.fixture
def draw() -> random.Random:
    return random.Random(34)


def place_near(roads: Ways, draw: random.Random) -> Place:
    while True:
        place = round(draw.uniform(BOX[0], BOX[2]), 6), round(draw.uniform(BOX[1], BOX[3]), 6)
        if roads.meet(place)[1] < NEAR_ROAD_M:
            return place


def where(place: Place) -> str:
    return f"{place[1]},{place[0]}"


def test_travel_time(world: World, ask: Call, draw: random.Random) -> None:
    """OSRM rounds the time of each line to 0.1 s: of two ways that take the same, it may find the other."""
    other_ways = []
    for number in range(STARTS):
        mode = MODES[number % 3]
        roads = world.roads[mode]
        start = place_near(roads, draw)
        spot, off_road = roads.meet(start)
        reached = roads.spread(spot)
        for _ in range(ENDS):
            end = place_near(roads, draw)
            there, end_off_road = roads.meet(end)
            wanted = roads.spent(reached, there)
            call = {"origin": where(start), "destination": where(end), "mode": mode}
            if wanted is None:
                with pytest.raises(ToolError, match="No route for"):
                    ask("travel_time", **call)
                continue
            found = ask("travel_time", **call)
            assert found.seconds == pytest.approx(wanted.seconds, abs=1, rel=1e-3)
            if found.distance_m != pytest.approx(wanted.metres, abs=5, rel=5e-3):
                other_ways.append((call, found.seconds - wanted.seconds))
            assert found.origin.road.distance_m == pytest.approx(off_road, abs=0.05)
            assert found.destination.road.distance_m == pytest.approx(end_off_road, abs=0.05)
    assert len(other_ways) <= 0.02 * STARTS * ENDS, other_ways


def test_directions(world: World, ask: Call, draw: random.Random) -> None:
    counted: dict[str, int] = {}
    networks = {mode: RawNetwork(world.raw, mode) for mode in MODES}
    routes = 0
    while routes < ROUTES:
        mode = MODES[routes % 3]
        start, end = (place_near(world.roads[mode], draw) for _ in range(2))
        try:
            found = ask("directions", origin=where(start), destination=where(end), mode=mode, with_line=True)
        except ToolError:
            continue
        (route,) = found.routes
        parts = read_parts(networks[mode], route.line)
        if parts is None:
            continue
        routes += 1
        expected = count_steps(networks[mode], parts)
        *steps, arrival = route.steps
        assert [(one.kind, one.road, one.exit) for one in steps[1:]] == [
            (one.kind, one.road, one.exit) for one in expected
        ]
        for step, one in zip(steps[1:], expected, strict=True):
            assert (step.lon, step.lat) == pytest.approx(one.place, abs=1e-6)
            assert step.degrees == (None if one.degrees is None else pytest.approx(one.degrees, abs=0.2))
            counted[step.kind] = counted.get(step.kind, 0) + 1
        check_arrival(route.line, end, arrival)
        check_landmarks(world, route)
    assert {"left", "right", "straight", "slight_left", "slight_right", "roundabout"} <= set(counted)


def check_arrival(line: Sequence[Place], end: Place, arrival: Any) -> None:
    off_road = GEOD.inv(*line[-1], *end)[2]
    if off_road < 3:
        assert arrival.side is None
        return
    back = np.array(line[::-1])
    along = np.concatenate(([0], np.cumsum(GEOD.inv(*back[:-1].T, *back[1:].T)[2])))
    before = [np.interp(20, along, column) for column in back.T]
    heading = GEOD.inv(*before, *line[-1])[0]
    angle = (GEOD.inv(*line[-1], *end)[0] - heading) % 360
    quarters = [(30, "ahead"), (150, "right"), (210, "behind"), (330, "left"), (360, "ahead")]
    if min(abs(angle - edge) for edge, _ in quarters[:-1]) > 0.5:
        assert arrival.side == next(side for edge, side in quarters if angle <= edge)


def check_landmarks(world: World, route: Any) -> None:
    """Those that are told are near and on their side; of the kinds of KINDS none is left out but for nearer ones."""
    told = {one.id: one for step in route.steps for one in step.landmarks}
    for key, one in told.items():
        offset = offset_from(route.line, world.things[key].point)
        assert abs(offset) == pytest.approx(one.distance_m, abs=SAME_SIDE_M)
        if abs(offset) > SAME_SIDE_M:
            assert one.side == ("right" if offset > 0 else "left"), key
    full = [
        max(one.distance_m for one in step.landmarks)
        for step in route.steps
        if len(step.landmarks) == MOST_LANDMARKS
    ]
    west, south, east, north = *np.min(route.line, axis=0), *np.max(route.line, axis=0)
    for key, thing in world.things.items():
        lon, lat = thing.point
        if (
            key not in told
            and thing.tags.get("amenity") in KINDS
            and west < lon < east
            and south < lat < north
        ):
            metres = abs(offset_from(route.line, thing.point))
            assert metres > LANDMARK_M - SAME_SIDE_M or any(metres >= most - SAME_SIDE_M for most in full)
