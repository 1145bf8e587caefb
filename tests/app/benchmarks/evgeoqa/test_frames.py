"""GCJ-02 and back: a round trip ends where it began, all over China; elsewhere nothing moves."""

import random

from app.benchmarks.evgeoqa.distances import geodesic_m
from app.benchmarks.evgeoqa.frames import EAST, NORTH, SOUTH, WEST, from_gcj02, to_gcj02

SEED = 39
MARGIN = 0.02
"""Degrees from the rim of the box, where a place and its image may lie on either side."""


def places(count: int) -> list[tuple[float, float]]:
    draw = random.Random(SEED)
    return [
        (draw.uniform(WEST + MARGIN, EAST - MARGIN), draw.uniform(SOUTH + MARGIN, NORTH - MARGIN))
        for _ in range(count)
    ]


def test_a_round_trip_ends_where_it_began() -> None:
    for lon, lat in places(3_000):
        assert geodesic_m(lon, lat, *from_gcj02(*to_gcj02(lon, lat))) < 1e-6
        assert geodesic_m(lon, lat, *to_gcj02(*from_gcj02(lon, lat))) < 1e-6


def test_the_frame_lies_some_hundred_metres_off_in_cities() -> None:
    """Hangzhou, Qingdao, Linyi, Beijing: 100 to 700 m."""
    for lon, lat in ((120.15, 30.27), (120.38, 36.07), (118.35, 35.1), (116.39, 39.91)):
        assert 100 < geodesic_m(lon, lat, *to_gcj02(lon, lat)) < 700


def test_a_place_that_others_converted() -> None:
    """Beijing, as converters that are in wide use give it."""
    lon, lat = to_gcj02(116.404, 39.915)
    assert (round(lon, 11), round(lat, 11)) == (116.41024449917, 39.9164042815)


def test_outside_of_china_nothing_moves() -> None:
    for lon, lat in ((9.52, 47.14), (-74.0, 40.7), (151.2, -33.9)):
        assert to_gcj02(lon, lat) == from_gcj02(lon, lat) == (lon, lat)
