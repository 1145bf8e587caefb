"""Every tool gives what an independent solution finds in the raw extract, on 200 random calls each (Liechtenstein)."""

import ast
import random
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from app.agent_tools.attributes import ATTRIBUTES
from app.agent_tools.errors import ToolError
from app.core.settings import Role
from app.db.engine import connect
from tests.app.agent_tools.conftest import Call, caller
from tests.app.agent_tools.raw_map import (
    GEOD,
    RawMap,
    Thing,
    common_minutes,
    is_open,
    metres_between,
    metres_to,
    read_simple_hours,
)
from tests.support.town import Imported

pytestmark = pytest.mark.long
CALLS = 100
FIRST_DAY = datetime.fromisoformat("2022-07-01")
AMENITIES = ("restaurant", "cafe", "bank", "school", "pharmacy", "place_of_worship", "parking", "fuel", "atm")
NAMES = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")


@pytest.fixture(scope="module")
def raw(extracts: Path) -> RawMap:
    return RawMap.of(extracts / "liechtenstein-2022-07-24.osm.pbf")


@pytest.fixture(scope="module")
def outline(raw: RawMap) -> Any:
    country = [one for one in raw.areas.values() if one.tags.get("admin_level") == "2"]
    return country[0].shape


@pytest.fixture
def ask(liechtenstein: Imported) -> Iterator[Call]:
    with connect(liechtenstein.settings, Role.MAINTAINER) as connection:
        yield caller(liechtenstein.settings, connection, "liechtenstein")


@pytest.fixture
def draw() -> random.Random:
    return random.Random(20220724)


@pytest.fixture
def point(outline: Any, draw: random.Random) -> Callable[[], tuple[float, float]]:
    west, south, east, north = outline.bounds
    shapely.prepare(outline)

    def drawn() -> tuple[float, float]:
        while True:
            lon, lat = round(draw.uniform(west, east), 6), round(draw.uniform(south, north), 6)
            if shapely.contains_xy(outline, lon, lat):
                return lon, lat

    return drawn


def where(place: tuple[float, float]) -> str:
    return f"{place[1]},{place[0]}"


def metres(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(GEOD.inv(*one, *other)[2])


def is_place(thing: Thing) -> bool:
    return not any(
        thing.tags.get(key) == "yes" for key in ("disused", "abandoned", "demolished", "razed", "removed")
    )


def of_kind(raw: RawMap, kind: str) -> list[Thing]:
    closed = ("private", "no") if kind == "parking" else ()
    return [one for one in raw.with_amenity(kind) if is_place(one) and one.tags.get("access") not in closed]


def test_nearby(
    raw: RawMap, ask: Call, draw: random.Random, point: Callable[[], tuple[float, float]]
) -> None:
    things = {kind: np.array([one.point for one in of_kind(raw, kind)]) for kind in AMENITIES}
    for _ in range(CALLS):
        kind, here, limit = draw.choice(AMENITIES), point(), draw.randint(1, 20)
        radius = draw.choice([None, draw.uniform(200, 8000)])
        found = ask(
            "nearby", where=where(here), type=kind, limit=limit, **({"radius_m": radius} if radius else {})
        )
        wanted = [one for one in metres_between(here, things[kind]) if radius is None or one <= radius]
        assert [one.distance_m for one in found.places] == pytest.approx(wanted[:limit], abs=0.5)
        assert found.more == (len(wanted) > limit)


def test_nearby_with_attributes(
    raw: RawMap, ask: Call, draw: random.Random, point: Callable[[], tuple[float, float]]
) -> None:
    things = of_kind(raw, "restaurant")
    cuisines = sorted(
        {word.strip() for one in things for word in one.tags.get("cuisine", "").split(";") if word.strip()}
    )
    for _ in range(CALLS):
        cuisine, here = draw.choice(cuisines), point()
        found = ask("nearby", where=where(here), type="restaurant", attributes={"cuisine": cuisine})
        fitting = [
            one
            for one in things
            if cuisine in [word.strip() for word in one.tags.get("cuisine", "").split(";")]
        ]
        assert [one.distance_m for one in found.places] == pytest.approx(
            sorted(metres(here, one.point) for one in fitting)[:20], abs=0.5
        )


def test_reverse_geocode(raw: RawMap, ask: Call, point: Callable[[], tuple[float, float]]) -> None:
    doors = np.array([one.point for one in raw.doors() if is_place(one)])
    streets = raw.streets()
    tree = shapely.STRtree([one.shape for one in streets])
    towns = raw.municipalities()
    for _ in range(CALLS):
        here = point()
        found = ask("reverse_geocode", where=where(here))
        assert found.address.distance_m == pytest.approx(metres_between(here, doors)[0], abs=0.5)
        reach = found.street.distance_m / 50_000
        close = tree.query(shapely.Point(here).buffer(max(reach, 0.002)))
        nearest = metres_to(*here, [streets[number].shape for number in close])
        assert found.street.distance_m == pytest.approx(nearest, abs=0.05, rel=1e-4)
        around = {one.tags["name"] for one in towns if shapely.intersects_xy(one.shape, *here)}
        assert {one.name for one in found.regions if one.type == "municipality"} == around


def test_place_details(raw: RawMap, ask: Call, draw: random.Random) -> None:
    things = [one for kind in AMENITIES for one in of_kind(raw, kind)]
    for one in draw.sample(things, CALLS):
        found = ask("place_details", place=one.key)
        assert metres((found.place.lon, found.place.lat), one.point) < 0.5
        assert found.place.name == (" ".join(one.tags["name"].split()) if "name" in one.tags else None)
        wanted = {key: " ".join(one.tags[key].split())[:200] for key in ATTRIBUTES if key in one.tags}
        assert found.attributes.keys() == wanted.keys()
        assert all(found.attributes[key].startswith(value) for key, value in wanted.items())
        assert found.place.address is None or one.tags.get(
            "addr:street", one.tags.get("addr:housenumber", "")
        ) in (found.place.address)


def test_distance_bearing_and_move(raw: RawMap, ask: Call, draw: random.Random) -> None:
    things = [one for kind in AMENITIES for one in of_kind(raw, kind) if one.key.startswith("n")]
    for _ in range(CALLS):
        one, other = draw.sample(things, 2)
        azimuth, _, apart = GEOD.inv(*one.point, *other.point)
        assert ask("distance", origin=one.key, destination=other.key).distance_m == pytest.approx(
            apart, abs=0.01
        )
        found = ask("bearing", origin=one.key, destination=other.key)
        assert found.degrees == pytest.approx(azimuth % 360, abs=0.001)
        assert found.direction == NAMES[round(found.degrees / 45) % 8]
        landing = ask("move", origin=one.key, direction=str(azimuth % 360), distance_m=apart).point
        assert metres((landing.lon, landing.lat), other.point) < 0.05


def test_distance_to_the_nearest_part(
    raw: RawMap, ask: Call, point: Callable[[], tuple[float, float]]
) -> None:
    towns = raw.municipalities()
    for number in range(CALLS):
        here, town = point(), towns[number % len(towns)]
        found = ask("distance", origin=where(here), destination=town.key)
        assert found.nearest_m == pytest.approx(metres_to(*here, [town.shape]), rel=1e-3, abs=0.1)


def test_area_of(raw: RawMap, ask: Call, draw: random.Random) -> None:
    grounds = [
        one
        for one in raw.areas.values()
        if one.tags.get("name")
        and one.tags.get("landuse") in ("residential", "industrial", "commercial", "farmyard")
    ]
    things = [*raw.municipalities(), *draw.sample(grounds, min(len(grounds), CALLS - 11))]
    done = 0
    for one in things:
        try:
            found = ask("area_of", place=one.key)
        except ToolError as error:
            assert "has no place" in str(error) or "mapped as a point" in str(error)  # noqa: PT017
            continue
        area, around = (
            GEOD.geometry_area_perimeter(shapely.orient_polygons(one.shape))[0],
            GEOD.geometry_length(one.shape.boundary),
        )
        assert (found.area_m2, found.perimeter_m) == (
            pytest.approx(abs(area), rel=1e-5, abs=0.02),
            pytest.approx(around, rel=1e-5, abs=0.02),
        )
        done += 1
    assert done > 0.8 * len(things)


def test_places_in(raw: RawMap, ask: Call, draw: random.Random) -> None:
    towns = raw.municipalities()
    things = {kind: [one.point for one in of_kind(raw, kind)] for kind in AMENITIES}
    for _ in range(CALLS):
        kind, town = draw.choice(AMENITIES), draw.choice(towns)
        found = ask("places_in", area=town.key, type=kind)
        assert found.total == sum(shapely.intersects_xy(town.shape, *spot) for spot in things[kind])
        assert len(found.places) == min(found.total, 20)


def test_intersection_of(raw: RawMap, ask: Call, draw: random.Random) -> None:
    by_name: dict[str, list[Thing]] = {}
    for one in raw.streets():
        by_name.setdefault(one.tags["name"], []).append(one)
    nodes = {name: {node for way in ways for node in way.nodes} for name, ways in by_name.items()}
    meeting = [
        (one, other)
        for one in sorted(nodes)
        for other in sorted(nodes)
        if one < other and nodes[one] & nodes[other]
    ]
    for one, other in draw.sample(meeting, CALLS):
        found = ask("intersection_of", street=one, other=other)
        assert (found.street, found.other) == (one, other)
        places = {
            tuple(way.shape.coords[way.nodes.index(node)])
            for node in nodes[one] & nodes[other]
            for way in by_name[one]
            if node in way.nodes
        }
        assert {(crossing.lon, crossing.lat) for crossing in found.crossings} == places


def test_opening_hours(raw: RawMap, ask: Call, draw: random.Random) -> None:
    known = [
        (one, week)
        for kind in AMENITIES
        for one in of_kind(raw, kind)
        if (week := read_simple_hours(one.tags.get("opening_hours", "")))
        and one.tags.get("opening_hours")
    ]  # fmt: skip
    assert len(known) > 20
    for _ in range(CALLS):
        one, week = draw.choice(known)
        moment = FIRST_DAY + timedelta(minutes=draw.randrange(60 * 24 * 28))
        found = ask("open_at", place=one.key, time=moment.isoformat(timespec="minutes"))
        assert (found.state == "open") == is_open(week, moment), (one.tags["opening_hours"], moment)
    for _ in range(CALLS // 4):
        some = draw.sample(known, draw.randint(2, 3))
        start = FIRST_DAY + timedelta(minutes=draw.randrange(60 * 24 * 20))
        end = start + timedelta(minutes=draw.randrange(60, 60 * 48))
        found = ask(
            "hours_overlap", places=[one.key for one, _ in some], start=start.isoformat(), end=end.isoformat()
        )
        length = sum(
            (datetime.fromisoformat(one.end) - datetime.fromisoformat(one.start)).total_seconds() / 60
            for one in found.spans
        )
        assert length == common_minutes([week for _, week in some], start, end)


def test_calculator(ask: Call, draw: random.Random) -> None:
    def expression(depth: int) -> str:
        if depth == 0 or draw.random() < 0.2:
            return str(draw.choice([draw.randint(0, 99), round(draw.uniform(0, 99), 2)]))
        return f"({expression(depth - 1)} {draw.choice(['+', '-', '*', '/'])} {expression(depth - 1)})"

    for _ in range(CALLS):
        said = expression(3)
        try:
            wanted = eval(compile(ast.parse(said, mode="eval"), "", "eval"), {"__builtins__": {}})  # noqa: S307
        except ZeroDivisionError:
            with pytest.raises(ToolError, match="divides by zero"):
                ask("calculator", expression=said)
            continue
        assert ask("calculator", expression=said).value == wanted
