import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import psycopg
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from pyproj import Geod

from app.core.settings import Settings
from app.questions.second_path.geodesy import (
    Boundary,
    Points,
    chords,
    circular_difference,
    earth_centred,
    is_around,
    longest_geodesic,
    margin,
    measure,
    spheroid_area,
)

GEOD = Geod(ellps="WGS84")

lons = st.floats(-180, 180)
lats = st.floats(-90, 90)
anywhere = st.tuples(lons, lats)
# Where degrees mislead most: around a pole, across the antimeridian, and an ordinary town.
centres = st.sampled_from([(9.5, 47.1), (179.9999, -17.0), (-180.0, 65.0), (12.0, 89.9999), (-70.0, -90.0)])
offsets = st.tuples(st.floats(0, 360), st.floats(0, 30_000))


def points_around(centre: tuple[float, float], places: list[tuple[float, float]]) -> np.ndarray[Any, Any]:
    return np.array([GEOD.fwd(*centre, azimuth, metres)[:2] for azimuth, metres in places])


def points_of(coordinates: np.ndarray[Any, Any]) -> Points:
    keys = [f"n{number:04}" for number in range(len(coordinates))]
    return Points(np.arange(len(coordinates)), coordinates, keys)


def brute(lon: float, lat: float, coordinates: np.ndarray[Any, Any]) -> list[tuple[float, int]]:
    return sorted(
        (GEOD.inv(lon, lat, *place)[2], number) for number, place in enumerate(coordinates.tolist())
    )


@settings(deadline=None)
@given(anywhere, anywhere)
def test_chord_bounds_geodesic(one: tuple[float, float], other: tuple[float, float]) -> None:
    straight = float(chords(earth_centred(*one)[0], earth_centred(*other))[0])
    geodesic = GEOD.inv(*one, *other)[2]
    assert straight <= geodesic + 1e-6
    assert geodesic <= longest_geodesic(straight) + 1e-6


@settings(deadline=None)
@given(centres, st.lists(offsets, min_size=1, max_size=40))
def test_nearest_equals_brute_force(centre: tuple[float, float], places: list[tuple[float, float]]) -> None:
    coordinates = points_around(centre, places)
    expected = brute(*centre, coordinates)
    found = points_of(coordinates).nearest(*centre)
    assert found[0].distance == pytest.approx(expected[0][0], abs=1e-6)
    if len(expected) > 1:
        assert found[1].distance == pytest.approx(expected[1][0], abs=1e-6)
    reach = expected[0][0] + margin(expected[0][0])
    assert sum(one.distance < reach for one in found) == sum(distance < reach for distance, _ in expected)


@settings(deadline=None)
@given(centres, st.lists(offsets, min_size=1, max_size=40), st.floats(0, 40_000))
def test_within_equals_brute_force(
    centre: tuple[float, float], places: list[tuple[float, float]], reach: float
) -> None:
    coordinates = points_around(centre, places)
    found = points_of(coordinates).within(*centre, reach)
    near = {number for distance, number in brute(*centre, coordinates) if distance <= reach}
    assert {one.position for one in found} == near


@settings(max_examples=50, deadline=None)
@given(st.lists(offsets, min_size=1, max_size=300), st.integers(0, 7))
def test_nearest_in_sector_equals_brute_force(places: list[tuple[float, float]], sector: int) -> None:
    coordinates = points_around((9.5, 47.1), places)
    distance, azimuth = measure(9.5, 47.1, coordinates[:, 0], coordinates[:, 1])
    inside = sorted(
        d for d, a in zip(distance.tolist(), azimuth.tolist(), strict=True) if is_around(a, 45.0 * sector)
    )
    found = points_of(coordinates).nearest_around(9.5, 47.1, 45.0 * sector)
    got = [one.distance for one in found if is_around(one.azimuth, 45.0 * sector)]
    assert got[:2] == pytest.approx(inside[:2])
    if inside:
        reach = inside[0] + margin(inside[0])
        assert sum(one.distance < reach for one in found) == int((distance < reach).sum())


def test_skipped_point_is_never_found() -> None:
    points = points_of(np.array([(9.5, 47.1), (9.501, 47.1), (9.502, 47.1)]))
    assert [one.position for one in points.nearest(9.5, 47.1, skip=0)] == [1, 2]
    assert [one.position for one in points.within(9.5, 47.1, 1e5, skip=0)] == [1, 2]
    assert 0 not in [one.position for one in points.nearest_around(9.5, 47.1, 90.0, skip=0)]
    assert points_of(np.array([(9.5, 47.1)])).nearest(9.5, 47.1, skip=0) == []
    assert points_of(np.empty((0, 2))).nearest(9.5, 47.1) == []


@settings(deadline=None)
@given(st.floats(0, 360, exclude_max=True))
def test_every_azimuth_is_in_one_sector(azimuth: float) -> None:
    assert sum(is_around(azimuth, 45.0 * sector) for sector in range(8)) == 1


@pytest.mark.parametrize(
    ("azimuth", "sector"),
    [(337.5, 0), (359.999, 0), (0.0, 0), (22.499999, 0), (22.5, 1), (67.5, 2), (292.5, 7), (337.4999, 7)],
)
def test_sectors_are_half_open_and_wrap_at_north(azimuth: float, sector: int) -> None:
    assert [other for other in range(8) if is_around(azimuth, 45.0 * other)] == [sector]


def test_azimuths_start_anew_at_north() -> None:
    _, azimuth = measure(9.5, 47.1, np.array([9.5, 9.5 - 1e-13, 9.5]), np.array([47.2, 47.2, 47.1]))
    assert 0 <= azimuth[0] < 360
    assert 0 <= azimuth[1] < 360
    assert math.isnan(azimuth[2])
    assert not any(is_around(azimuth[2], 45.0 * sector) for sector in range(8))
    assert circular_difference(359.9, 0.2) == pytest.approx(0.3)


def densified(ring: np.ndarray[Any, Any], lon: float, lat: float) -> float:
    """The boundary distance by brute force: a point every metre of each geodesic edge."""
    least = math.inf
    for one, other in pairwise(ring):
        azimuth, _, length = GEOD.inv(*one, *other)
        along = np.linspace(0, length, max(2, int(length) + 2))
        same = np.ones(len(along))
        lons, lats, _ = GEOD.fwd(one[0] * same, one[1] * same, azimuth * same, along)
        least = min(least, float(np.min(GEOD.inv(lon * same, lat * same, lons, lats)[2])))
    return least


@settings(max_examples=40, deadline=None)
@given(
    st.lists(offsets, min_size=3, max_size=7, unique_by=lambda place: round(place[0])),
    st.tuples(st.floats(0, 360), st.floats(0, 40_000)),
    st.sampled_from([(9.5, 47.1), (25.0, -80.0), (0.0, 0.0)]),
)
def test_boundary_distance_equals_densified_brute_force(
    corners: list[tuple[float, float]], place: tuple[float, float], centre: tuple[float, float]
) -> None:
    ring = points_around(centre, [*corners, corners[0]])
    lon, lat = points_around(centre, [place])[0].tolist()
    expected = densified(ring, lon, lat)
    # Half a metre beside the nearest point, the brute force is at most sqrt(d^2 + 0.25) - d too far.
    slack = math.hypot(expected, 0.51) - expected + 1e-3 if expected > 1 else 0.6
    got = Boundary(shapely.LineString(ring)).distance(lon, lat)
    assert expected - slack <= got <= expected + 1e-3


def test_boundary_finds_the_points_close_to_it() -> None:
    square = shapely.box(9.5, 47.1, 9.51, 47.11)
    edge = np.array([(9.5, 47.105), (9.505, 47.105), (9.5 + 8 / 76_000, 47.105), (9.52, 47.105)])
    found = dict(Boundary(square).within(edge, 10.0))
    assert sorted(found) == [0, 2]
    assert found[0] == pytest.approx(0, abs=1e-3)
    assert found[2] == pytest.approx(8, abs=0.2)
    assert Boundary(square).within(np.empty((0, 2)), 10.0) == []


@pytest.mark.parametrize("centre", [(179.99999, 10.0), (-30.0, 89.99), (100.0, -89.99)])
def test_points_near_the_boundary_where_degrees_mislead(centre: tuple[float, float]) -> None:
    line = shapely.LineString(points_around(centre, [(0.0, 10.0), (180.0, 10.0)]))
    places = points_around(centre, [(90.0, 0.5), (270.0, 0.5), (90.0, 5.0)])
    assert [index for index, _ in Boundary(line).within(places, 1.0)] == [0, 1]


def test_holes_are_part_of_the_boundary_and_not_of_the_area() -> None:
    outer = shapely.box(9.5, 47.1, 9.52, 47.12)
    hole = shapely.box(9.509, 47.109, 9.511, 47.111)
    ring = shapely.Polygon(outer.exterior, [hole.exterior])
    assert Boundary(ring).distance(9.51, 47.11) < 120
    assert spheroid_area(ring) == pytest.approx(spheroid_area(outer) - spheroid_area(hole), rel=1e-12)


def test_area_does_not_mind_how_rings_turn() -> None:
    corners = [(9.5, 47.1), (9.52, 47.1), (9.52, 47.12), (9.5, 47.12)]
    inner = [(9.505, 47.105), (9.51, 47.105), (9.51, 47.11)]
    turned = [
        spheroid_area(shapely.Polygon(outer, [hole]))
        for outer in (corners, corners[::-1])
        for hole in (inner, inner[::-1])
    ]
    assert turned == pytest.approx([turned[0]] * 4, rel=1e-12)
    collection = shapely.GeometryCollection([shapely.Polygon(corners), shapely.Point(0, 0)])
    assert spheroid_area(collection) == pytest.approx(spheroid_area(shapely.Polygon(corners)))
    assert spheroid_area(shapely.LineString(corners)) == 0


@pytest.fixture
def postgis(database: Settings, superuser_of: Callable[[Settings], str]) -> Iterator[psycopg.Connection]:
    with psycopg.connect(superuser_of(database)) as connection:
        yield connection


def test_distances_and_areas_agree_with_postgis(postgis: psycopg.Connection) -> None:
    rng = np.random.default_rng(7)
    for centre in [(9.5, 47.1), (24.9, 60.2), (-58.4, -34.6)]:
        azimuths = np.sort(rng.uniform(0, 360, 40))
        places = [
            (float(azimuth), float(metres)) for azimuth, metres in zip(azimuths, rng.uniform(3e3, 9e3, 40))
        ]
        polygon = shapely.Polygon(points_around(centre, places))
        boundary = Boundary(polygon)
        area = postgis.execute(
            "select ST_Area(ST_GeomFromWKB(%s, 4326)::geography)", [shapely.to_wkb(polygon)]
        ).fetchone()
        assert area is not None
        assert spheroid_area(polygon) == pytest.approx(area[0], rel=1e-9)
        for lon, lat in points_around(centre, [(float(a), 4e3) for a in rng.uniform(0, 360, 20)]).tolist():
            row = postgis.execute(
                "select ST_Distance(ST_SetSRID(ST_MakePoint(%s, %s), 4326)::geography,"
                " ST_Boundary(ST_GeomFromWKB(%s, 4326))::geography)",
                [lon, lat, shapely.to_wkb(polygon)],
            ).fetchone()
            assert row is not None
            # PostGIS looks for the nearest point on a sphere, and so measures to another one, up to f = 0.34 %
            # farther; its edges (here up to 10 km) bend otherwise by millimetres.
            assert boundary.distance(lon, lat) <= row[0] + 5e-3
            assert boundary.distance(lon, lat) == pytest.approx(row[0], rel=3.5e-3, abs=5e-3)


def test_margin_grows_with_distance() -> None:
    assert margin(100.0) == 10.0
    assert margin(500.0) == 10.0
    assert margin(5000.0) == 100.0


@given(st.lists(st.tuples(st.floats(-179.9, 179.9), st.floats(-85, 85)), max_size=12), st.integers(1, 5))
def test_the_first_of_all_points(places: list[tuple[float, float]], count: int) -> None:
    coordinates = np.array(places, dtype=float).reshape(-1, 2)
    keys = [f"n{number:02}" for number in range(len(places))]
    points = Points(np.arange(len(places)), coordinates, keys)
    distances, _ = measure(9.5, 47.1, coordinates[:, 0], coordinates[:, 1])
    expected = sorted(zip(distances.tolist(), keys, strict=True))[:count]
    found = [(one.distance, keys[one.position]) for one in points.first(count, 9.5, 47.1)]
    assert found == expected
