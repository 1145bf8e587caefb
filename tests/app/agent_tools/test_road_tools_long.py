"""Matrices, compared routes, detours, areas and trips equal what other code finds in the raw extract (Liechtenstein).

200 random calls of each tool. Ends are points near roads, pharmacies and petrol stations; the ways from each are found once.
"""

import random
from datetime import datetime, timedelta
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import shapely

from tests.app.agent_tools.conftest import Call
from tests.app.agent_tools.raw_map import RawMap
from tests.app.agent_tools.raw_roads import RawRoads, Spent, Spot, Ways

pytestmark = pytest.mark.long
CALLS = 80
EXTRACT = "liechtenstein-2022-07-24.osm.pbf"
MODES = ("car", "bicycle", "foot")
RANDOM_ENDS = 10
CLOSE_S, CLOSE_M = 0.5, 2.0
"""How far answers may differ: places on roads are rounded to a centimetre."""
MATRIX = {"abs": 1.0, "rel": 1e-2}
"""The same of a matrix: OSRM rounds the time of each line between two points to 0.1 s."""
NEVER = -1.0
"""Stands for the time to where no way leads."""
BOX = (9.48, 47.06, 9.62, 47.26)
START = datetime.fromisoformat("2022-07-04T09:00")


class End(NamedTuple):
    """Where a way may begin or end: as tools take it, on the road, and the ways from there."""

    where: str
    spot: Spot
    ways: dict[int, list[tuple[float, Spent]]]


class World(NamedTuple):
    """The roads of a mode, ends on them, and places of a kind by their ids."""

    mode: str
    roads: Ways
    ends: list[End]
    places: dict[str, dict[str, End]]

    def spent(self, start: End, end: End) -> Spent | None:
        return self.roads.spent(start.ways, end.spot)


@pytest.fixture(scope="module")
def worlds(extracts: Path) -> dict[str, World]:
    raw, things = RawRoads.of(extracts / EXTRACT), RawMap.of(extracts / EXTRACT)
    kinds = {kind: {one.key: one.point for one in things.with_amenity(kind)} for kind in ("pharmacy", "fuel")}
    return {mode: make_world(Ways(raw, mode), kinds) for mode in MODES}


def make_world(roads: Ways, kinds: dict[str, dict[str, tuple[float, float]]]) -> World:
    draw = random.Random(7)
    ends = []
    while len(ends) < RANDOM_ENDS:
        lon, lat = round(draw.uniform(BOX[0], BOX[2]), 6), round(draw.uniform(BOX[1], BOX[3]), 6)
        spot, metres = roads.meet((lon, lat))
        if metres < 300:
            ends.append(End(f"{lat},{lon}", spot, roads.spread(spot)))
    places = {
        kind: {
            key: End(key, spot, roads.spread(spot)) for key, (spot, metres) in met.items() if metres < 1000
        }
        for kind, met in (
            (kind, {key: roads.meet(point) for key, point in places.items()})
            for kind, places in kinds.items()
        )
    }
    return World(roads.rules.name, roads, ends, places)


@pytest.fixture
def draw() -> random.Random:
    return random.Random(20220724)


def test_distance_matrix(worlds: dict[str, World], ask: Call, draw: random.Random) -> None:
    for _ in range(CALLS):
        world = worlds[draw.choice(MODES)]
        origins, destinations = (draw.sample(world.ends, draw.randint(1, 5)) for _ in range(2))
        found = {
            lengths: ask(
                "distance_matrix",
                origins=[one.where for one in origins],
                destinations=[one.where for one in destinations],
                mode=world.mode,
                lengths=lengths,
            )
            for lengths in (False, True)
        }
        wanted = [world.spent(one, other) for one in origins for other in destinations]
        took = [NEVER if one is None else one.seconds for one in wanted]
        assert cells(found[False].seconds) == pytest.approx(took, **MATRIX)
        assert cells(found[True].seconds) == pytest.approx(took, abs=CLOSE_S)
        metres = [NEVER if one is None else one.metres for one in wanted]
        assert cells(found[True].distance_m) == pytest.approx(metres, abs=CLOSE_M, rel=1e-4)


def cells(rows: list[list[float | None]]) -> list[float]:
    """All cells, one row after the other."""
    return [NEVER if one is None else one for row in rows for one in row]


def test_compare_routes(worlds: dict[str, World], ask: Call, draw: random.Random) -> None:
    for _ in range(CALLS):
        world = worlds[draw.choice(MODES)]
        start, end, *others = draw.sample(world.ends, 6)
        ways = [draw.sample(others, draw.randint(0, 2)) for _ in range(draw.randint(2, 3))]
        legs = [[world.spent(*leg) for leg in pairwise([start, *way, end])] for way in ways]
        if any(leg is None for way in legs for leg in way):
            continue
        found = ask(
            "compare_routes",
            origin=start.where,
            destination=end.where,
            ways=[[one.where for one in way] for way in ways],
            mode=world.mode,
        )
        took = [sum(leg.seconds for leg in way if leg) for way in legs]
        lengths = [sum(leg.metres for leg in way if leg) for way in legs]
        assert [one.seconds for one in found.ways] == pytest.approx(took, abs=CLOSE_S)
        assert [one.distance_m for one in found.ways] == pytest.approx(lengths, abs=CLOSE_M, rel=1e-4)
        assert took[found.fastest - 1] == pytest.approx(min(took), abs=CLOSE_S)
        assert lengths[found.shortest - 1] == pytest.approx(min(lengths), abs=CLOSE_M, rel=1e-4)


def test_detour_between(worlds: dict[str, World], ask: Call, draw: random.Random) -> None:
    for _ in range(CALLS):
        world = worlds[draw.choice(MODES)]
        start, end = draw.sample(world.ends, 2)
        direct = world.spent(start, end)
        if direct is None:
            continue
        kind, limit = draw.choice(["pharmacy", "fuel"]), draw.randint(1, 4)
        found = ask(
            "detour_between",
            origin=start.where,
            destination=end.where,
            type=kind,
            limit=limit,
            mode=world.mode,
        )
        detours = sorted(
            max(there.seconds + back.seconds - direct.seconds, 0.0)
            for one in world.places[kind].values()
            if (there := world.spent(start, one)) and (back := world.spent(one, end))
        )
        assert found.complete
        assert [one.detour_s for one in found.places] == pytest.approx(detours[:limit], abs=CLOSE_S)


def test_service_area(worlds: dict[str, World], ask: Call, draw: random.Random) -> None:
    for _ in range(CALLS):
        world = worlds[draw.choice(MODES)]
        start, kind, by_time = draw.choice(world.ends), draw.choice(["pharmacy", "fuel"]), draw.random() < 0.7
        limit = draw.uniform(60, 900) if by_time else draw.uniform(200, 5000)
        within = {"minutes": limit / 60} if by_time else {"metres": limit}
        found = ask("service_area", where=start.where, mode=world.mode, type=kind, **within)
        spent = {key: world.spent(start, one) for key, one in world.places[kind].items()}
        values = {key: one.seconds if by_time else one.metres for key, one in spent.items() if one}
        listed = {one.id: one.seconds if by_time else one.distance_m for one in found.places}
        assert listed == pytest.approx({key: values[key] for key in listed}, abs=CLOSE_M, rel=1e-4)
        surely = {key for key, value in values.items() if value < limit - CLOSE_M}
        perhaps = {key for key, value in values.items() if value < limit + CLOSE_M}
        assert len(surely) <= found.total <= len(perhaps)
        assert len(listed) == min(found.total, 20)
        metres, unsure = measure_reached(world.roads, start, limit, by_time)
        assert found.roads_m == pytest.approx(metres, abs=unsure + CLOSE_M)


def measure_reached(roads: Ways, start: End, limit: float, by_time: bool) -> tuple[float, float]:
    """Metres of roads within a limit, and how unsure they are: by 200 places on each piece where the limit may end."""

    def value(spent: Spent | None) -> float:
        return float("inf") if spent is None else spent.seconds if by_time else spent.metres

    total, unsure = 0.0, 0.0
    entered = {arc >> 1 for arc, found in start.ways.items() if any(value(one) <= limit for _, one in found)}
    for number in entered:
        piece, takes = roads.pieces[number], max(roads.seconds(2 * number), roads.seconds(2 * number + 1))
        slack = takes if by_time else piece.metres
        ends = [value(roads.spent(start.ways, Spot(number, share))) for share in (1e-9, 0.5, 1 - 1e-9)]
        if max(ends) <= limit - slack:
            total += piece.metres
        elif min(ends) <= limit + slack:
            shares = ((np.arange(200) + 0.5) / 200).tolist()
            inside = [value(roads.spent(start.ways, Spot(number, share))) <= limit for share in shares]
            total += piece.metres * sum(inside) / 200
            unsure += piece.metres * (1 + sum(one != other for one, other in pairwise(inside))) / 200
    return total, unsure


def test_the_area_is_beside_the_roads_that_are_reached(
    worlds: dict[str, World], ask: Call, draw: random.Random
) -> None:
    world = worlds["foot"]
    for start in draw.sample(world.ends, 5):
        found = ask("service_area", where=start.where, mode="foot", minutes=15, area=True)
        area = shapely.from_geojson(str(found.area).replace("'", '"').replace("(", "[").replace(")", "]"))
        shapely.prepare(area)
        for number in draw.sample(range(len(world.roads.pieces)), 3000):
            lon, lat = world.roads.lines[number].interpolate(0.5, normalized=True).coords[0]
            spent = world.roads.spent(start.ways, Spot(number, 0.5))
            if spent is not None and spent.seconds < 890:
                assert shapely.contains_xy(area, lon, lat)


def test_plan_trip(worlds: dict[str, World], ask: Call, draw: random.Random) -> None:
    for _ in range(CALLS):
        world = worlds[draw.choice(MODES)]
        start, end, *places = draw.sample(world.ends, draw.randint(3, 7))
        stays = [draw.randint(0, 40) for _ in places]
        opens = [draw.choice([None, draw.randint(0, 120)]) for _ in places]
        spans = [None if one is None else (60 * one, 60 * (one + 60)) for one in opens]
        stops: list[dict[str, Any]] = [
            {
                "place": place.where,
                "stay_minutes": stay,
                "windows": None if span is None else [{"start": clock(span[0]), "end": clock(span[1])}],
            }
            for place, stay, span in zip(places, stays, spans, strict=True)
        ]
        arguments = {
            "start": start.where,
            "end": end.where,
            "start_time": START.isoformat(),
            "mode": world.mode,
        }
        if world.spent(start, end) is None:
            continue
        found = ask("plan_trip", stops=stops, **arguments)
        wanted = best_order(world, start, end, places, stays, spans)
        told = (datetime.fromisoformat(found.end_time) - START).total_seconds()
        assert (len(found.stops), told) == (-wanted[0], pytest.approx(wanted[1], **MATRIX))


def clock(seconds_later: float) -> str:
    return (START + timedelta(seconds=seconds_later)).isoformat()


def best_order(
    world: World,
    start: End,
    end: End,
    places: list[End],
    stays: list[int],
    spans: list[tuple[int, int] | None],
) -> tuple[int, float]:
    """How many stops are visited (less than nothing), and seconds until the end: the best of all orders."""
    nodes = [start, *places, end]
    took = {
        (one, other): world.spent(nodes[one], nodes[other])
        for one, other in product(range(len(nodes)), repeat=2)
    }
    best = (1, 0.0)
    for size in range(len(places) + 1):
        for order in permutations(range(len(places)), size):
            now, here = 0.0, 0
            for number in order:
                leg, span = took[here, number + 1], spans[number]
                now = float("inf") if leg is None else now + leg.seconds
                now = max(now, span[0]) if span else now
                now += 60 * stays[number]
                now = float("inf") if span and now > span[1] else now
                here = number + 1
            leg = took[here, len(nodes) - 1]
            if leg is not None and now < float("inf"):
                best = min(best, (-size, now + leg.seconds))
    return best
