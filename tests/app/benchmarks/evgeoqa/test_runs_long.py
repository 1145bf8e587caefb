"""Solvers at work on Liechtenstein with planted charging stations: what they come to is computed again from the layers.

The stations stand in the north of the country, so that drivers in the south must move. The computation reads plain
columns of `poi` and `destination`, and the keys of the questions, which the second path proves. It shares no code with
the tools, the solvers and the scorer.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path
from typing import Any, NamedTuple

import osmium
import pytest
import shapely
from pyproj import Geod
from shapely import STRtree

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.generating import Recipe, generate
from app.questions.snapshots import find_snapshots
from app.questions.storing import store
from osm_import.planting import plant
from tests.support.command_line import trigpoint
from tests.support.processes import query, scalar
from tests.support.rover import serving_rover
from tests.support.town import benchmarks, import_map

pytestmark = pytest.mark.long
NUMBER, SOUTHERNMOST = 250, 47.17
"""Stations planted, and the latitude below which there is none."""
STATION = "charging_station"
QUESTIONS = 100
TEMPLATE = "Destination_With_Activity"
WITHOUT_MODEL = ("spiral", "nearest_station", "random_station", "oracle")
GEOD = Geod(ellps="WGS84")
CALLS, ENOUGH = 19, 3
VIEW, BESIDE, STEP = 5_000, 1_000, 7_000
DEGREES = 0.015
"""What is beside a station is nearer, in degrees of latitude and, at 47 degrees north, of longitude."""
TIERS = {"10": ("10",), "20": ("10", "20")}
Point = tuple[float, float]


class Station(NamedTuple):
    metres: float
    key: str
    keys: Sequence[str]
    point: Point


class Asked(NamedTuple):
    """A question, and what its key holds."""

    user: Point
    classes: frozenset[str]
    tier: str
    right: frozenset[str]


class Way(NamedTuple):
    """What an explorer came to."""

    calls: int
    named: Sequence[str]


class Run(NamedTuple):
    """What a run came to: by question, its calls of tools, and whether one of the first three is right."""

    id: int
    calls: Mapping[str, int]
    right: Mapping[str, bool]


@pytest.fixture(scope="module")
def settings(
    make_database: Callable[[], Settings], extracts: Path, tmp_path_factory: pytest.TempPathFactory
) -> Settings:
    """A database with Liechtenstein, stations in its north, and questions about them."""
    source = extracts / "liechtenstein-2022-07-24.osm.pbf"
    if not source.is_file():
        pytest.skip(f"{source} is absent")
    folder = tmp_path_factory.mktemp("north")
    plant(source, folder / "planted.osm.pbf", STATION, NUMBER, 1)
    _keep_north(folder / "planted.osm.pbf", folder / "north.osm.pbf")
    made = make_database()
    import_map(made, folder / "north.osm.pbf", "north")
    benchmark = benchmarks()["evgeoqa"]
    alone = replace(benchmark, templates={TEMPLATE: benchmark.templates[TEMPLATE]})
    with connect(made, Role.WORKER) as connection:
        recipe = Recipe(alone, find_snapshots(connection, ["north"]), 0, 3 * QUESTIONS, QUESTIONS, 0.0)
        store(connection, "stops", 1, generate(connection, recipe, lambda *told: None), SystemClock())
        connection.commit()
    return made


@pytest.fixture(scope="module")
def asked(settings: Settings) -> Mapping[str, Asked]:
    """The questions by id, and what is right."""
    rows = query(
        settings,
        "select question_id, parameters, binds, value from gold join proof using (version_id, question_id) where is_default",
    )
    return {row.question_id: _asked(row.parameters, row.binds, row.value) for row in rows}


@pytest.fixture(scope="module")
def runs(settings: Settings) -> Mapping[str, Run]:
    """The runs of all solvers, made by a worker."""
    with serving_rover() as rover:
        found = {solver: _evaluate(settings, solver) for solver in WITHOUT_MODEL}
        return found | {"georover": _evaluate(settings, "georover", "--endpoint", rover.url)}


@pytest.fixture(scope="module")
def spirals(settings: Settings, asked: Mapping[str, Asked]) -> Mapping[str, Way]:
    """By question, the spiral as it is computed here."""
    town = _Town(settings)
    return {question: town.walk(one) for question, one in asked.items()}


def test_the_map_and_the_questions_are_as_they_must_be(
    settings: Settings, asked: Mapping[str, Asked]
) -> None:
    schema = scalar(settings, "select schema_name from snapshot")
    stations = f"select count(*) from {schema}.destination where class = :class"
    assert scalar(settings, stations, **{"class": STATION}) >= 100
    assert len(asked) == QUESTIONS
    assert {one.tier for one in asked.values()} == {"10", "20"}


def test_the_spiral_is_computed_again_call_by_call(
    runs: Mapping[str, Run], asked: Mapping[str, Asked], spirals: Mapping[str, Way]
) -> None:
    """The calls of every question, and Hits@3 by cumulative tier."""
    spiral = runs["spiral"]
    assert spiral.calls == {question: way.calls for question, way in spirals.items()}
    assert spiral.right == {
        question: bool(asked[question].right.intersection(way.named[:ENOUGH]))
        for question, way in spirals.items()
    }


def test_the_command_shows_what_twenty_calls_do_not_reach(
    settings: Settings, runs: Mapping[str, Run], asked: Mapping[str, Asked]
) -> None:
    """A spiral names only stations that fit, or else uses all its calls: so it is all that it misses."""
    done = trigpoint(settings, "run", "show", str(runs["spiral"].id), "--json")
    tiers = {one["name"]: one for one in done.json["exploration"]["tiers"]}
    hits = _hits_by_tier(runs["spiral"], asked)
    near = sum(one.tier == "10" for one in asked.values())
    assert tiers["< 10 km"]["unreached"] == near - hits["10"]
    assert tiers["no limit"]["unreached"] == len(asked) - hits["20"] > 0
    assert tiers["no limit"]["calls"] == sum(runs["spiral"].calls.values()) / len(asked)
    shown = trigpoint(settings, "run", "show", str(runs["spiral"].id)).out
    assert "unreached %" in shown


def test_the_spiral_is_between_the_nearest_station_and_the_oracle(
    runs: Mapping[str, Run], asked: Mapping[str, Asked]
) -> None:
    hits = {solver: _hits_by_tier(run, asked)["20"] for solver, run in runs.items()}
    assert hits["random_station"] < hits["nearest_station"] < hits["spiral"] < hits["oracle"] == len(asked)


def test_a_rover_of_rules_reaches_what_the_spiral_reaches_with_fewer_calls(
    runs: Mapping[str, Run], asked: Mapping[str, Asked]
) -> None:
    rover, spiral = runs["georover"], runs["spiral"]
    for tier in TIERS:
        assert _hits_by_tier(rover, asked)[tier] >= _hits_by_tier(spiral, asked)[tier]
    assert sum(rover.calls.values()) < sum(spiral.calls.values())
    for question in asked:
        assert rover.right[question] >= spiral.right[question], question


class _Town:
    """The stations and places of the map."""

    def __init__(self, settings: Settings) -> None:
        schema = scalar(settings, "select schema_name from snapshot")
        places = query(settings, f"select osm_key, classes, st_asbinary(geom) as wkb from {schema}.poi")
        self._places = [
            (row.osm_key, frozenset(row.classes), shapely.from_wkb(bytes(row.wkb))) for row in places
        ]
        stations = query(
            settings,
            f"select class, osm_key, osm_keys, st_asbinary(geom) as wkb from {schema}.destination",
        )
        self._stations = [
            (row.osm_key, row.osm_keys, (point.x, point.y))
            for row in stations
            if row[0] == STATION and (point := shapely.from_wkb(bytes(row.wkb)))
        ]
        self._tree = STRtree([point for _, _, point in self._places])

    def walk(self, asked: Asked) -> Way:
        """The spiral: views in square rings, each new station looked at, the nearest to the driver first."""
        place, calls = asked.user, 1
        seen: dict[str, Station] = {}
        found: list[Station] = []
        for azimuth in _rings():
            for station in self._view(place, asked.user, seen):
                if len(found) == ENOUGH or calls == CALLS:
                    break
                calls += 1
                if self._fits(station, asked.classes):
                    found.append(station)
            if len(found) == ENOUGH or calls > CALLS - 2:
                break
            lon, lat, _ = GEOD.fwd(*place, azimuth, STEP)
            place = (round(lon, 7), round(lat, 7))
            calls += 2
        others = [one for one in sorted(seen.values()) if one not in found]
        named = sorted(found) + others[: max(0, ENOUGH - len(found))]
        return Way(calls, [one.key for one in named])

    def _view(self, place: Point, user: Point, seen: dict[str, Station]) -> list[Station]:
        new = [
            Station(_apart(user, point), key, keys, point)
            for key, keys, point in self._stations
            if key not in seen and _apart(place, point) <= VIEW
        ]
        seen.update({one.key: one for one in new})
        return sorted(new)

    def _fits(self, station: Station, classes: frozenset[str]) -> bool:
        near = self._tree.query(shapely.Point(station.point).buffer(DEGREES), predicate="intersects")
        return any(
            classes & of_place
            and key not in station.keys
            and _apart(station.point, (point.x, point.y)) <= BESIDE
            for key, of_place, point in (self._places[number] for number in near)
        )


def _rings() -> Iterator[int]:
    return chain.from_iterable(
        [*repeat(0, length), *repeat(90, length), *repeat(180, length + 1), *repeat(270, length + 1)]
        for length in range(1, CALLS, 2)
    )


def _apart(one: Point, other: Point) -> float:
    _, _, metres = GEOD.inv(*one, *other)
    return float(metres)


def _keep_north(source: Path, target: Path) -> None:
    """The extract without the stations of the south, planted or not."""
    with osmium.SimpleWriter(str(target)) as writer:
        for one in osmium.FileProcessor(str(source)):
            is_station = one.is_node() and one.tags.get("amenity") == STATION
            if not is_station or one.location.lat >= SOUTHERNMOST:
                writer.add(one)


def _asked(parameters: Mapping[str, Any], binds: Mapping[str, Any], gold: Mapping[str, Any]) -> Asked:
    lon, lat, _ = parameters["user"].split(",")
    right = frozenset(station["osm_key"] for station in gold["stations"])
    return Asked((float(lon), float(lat)), frozenset(binds["activity"].split(",")), gold["tier"], right)


def _evaluate(settings: Settings, solver: str, *more: str) -> Run:
    done = trigpoint(settings, "evaluate", "stops", "--solver", solver, "--json", *more)
    assert done.status == 0, done.err
    assert done.json["states"] == {"answered": QUESTIONS, "no_answer": 0, "error": 0}
    rows = query(
        settings,
        "select p.question_id, s.outcome = 'correct' as is_right,"
        " (select count(*) from step join question q on q.revision = step.question_revision"
        " where step.run_id = p.run_id and step.kind = 'tool' and q.version_id = p.version_id and q.id = p.question_id)"
        " as calls from prediction p join score s on s.prediction_id = p.id and s.profile = 'trigpoint'"
        " where p.run_id = :run",
        run=done.json["run"],
    )
    return Run(
        done.json["run"],
        {row.question_id: row.calls for row in rows},
        {row.question_id: row.is_right for row in rows},
    )


def _hits_by_tier(run: Run, asked: Mapping[str, Asked]) -> dict[str, int]:
    """How many questions of a tier, and of those that are nearer, have a right station among the first three."""
    return {
        tier: sum(run.right[question] for question, one in asked.items() if one.tier in tiers)
        for tier, tiers in TIERS.items()
    }
