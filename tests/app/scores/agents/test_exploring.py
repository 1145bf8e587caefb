"""Figures and errors of agents that explore, over planted episodes and over areas that are reckoned another way."""

import math
from collections import Counter

import numpy as np
import pytest
from pyproj import Geod

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.scores.agents.exploring import View, area_of, explores, figures_of
from app.scores.agents.exploring_errors import EXPLORING_CLASSES, Explored, exploring_classes_of
from app.scores.reading.stations import Place
from app.scores.registry import get_scorer
from tests.support.explored import SOUGHT, Planted, call, fails, move, planted, pois_at, station, stations_at

GEOD = Geod(ellps="WGS84")
CIRCLE = math.pi * 25.0
"""Square kilometres that are seen from one point."""


def classes_of(episode: Planted) -> list[str]:
    score = None if episode.answer is None else get_scorer("hits").judge(episode.answer, episode.gold, None)
    return exploring_classes_of(
        Explored(
            episode.key,
            episode.steps,
            score is not None and score.value == 1.0,
            None if score is None else score.outcome.value,
            episode.ended_by,
            () if score is None else (score.parsed or {}).get("stations", ()),
            SOUGHT,
        )
    )


def test_360_planted_episodes_get_their_classes() -> None:
    episodes = planted()
    wrong = [
        (one.kind, one.number, one.error, found)
        for one in episodes
        if (found := classes_of(one)) != ([] if one.error is None else [one.error])
    ]
    assert wrong == []
    counted = Counter(one.error for one in episodes)
    assert len(episodes) == 360
    assert all(counted[name] >= 20 for name in EXPLORING_CLASSES)
    assert counted[None] == 40


@pytest.mark.parametrize("limit", ["token_limit", "money_limit", "time_limit"])
def test_an_episode_that_another_cap_ended_is_told_by_what_it_saw(limit: str) -> None:
    right = station(1, 1)
    seen = [stations_at(9.0, 47.0, right), pois_at(9.0, 47.0, right["activity"])]
    assert exploring_classes_of(Explored([right], seen, False, None, limit)) == ["factual_conflation"]
    assert exploring_classes_of(Explored([right], seen[:1] * 20, False, None, limit)) == [
        "insufficient_exploration"
    ]


def test_without_the_classes_that_are_asked_for_the_key_s_own_place_counts_alone() -> None:
    of_kind = {one.kind: one for one in planted(each=1)}
    found = {
        kind: exploring_classes_of(Explored(one.key, one.steps, False, "wrong"))
        for kind, one in of_kind.items()
        if kind in ("conflated", "conflated_with_another_place")
    }
    assert found == {
        "conflated": ["factual_conflation"],
        "conflated_with_another_place": ["insufficient_exploration"],
    }


def test_results_without_ids_are_told_by_their_names() -> None:
    right = station(1, 1)
    seen = [
        call("Search_Stations", {}, {"stations": [{"name": "station 1 1"}]}),
        call("Search_Nearby_POI", {}, {"pois": [{"name": "CAFÉ 1 1"}]}),
    ]
    assert exploring_classes_of(Explored([right], seen, False, "wrong")) == ["factual_conflation"]
    unnamed = right | {"name": None}
    assert exploring_classes_of(Explored([unnamed], seen, False, "wrong")) == ["insufficient_exploration"]


def test_figures_of_an_episode() -> None:
    user = Place(9.5, 47.1)
    reached = [9.59, 47.1]
    steps = [
        stations_at(9.5, 47.1, station(0, 1)),  # where the user is
        stations_at(9.5, 47.1, station(0, 1)),  # the same point again
        pois_at(9.01, 47.15),  # at the station that was seen
        move(9.5, 47.1, "E", reached),
        stations_at(9.59, 47.1),  # where the move led
        stations_at(9.8, 47.1),  # told by nothing
        pois_at(9.8003, 47.1),  # 23 m from there
        pois_at(9.81, 47.1),  # 759 m from there: told by nothing, either
        fails("Search_Stations", {"coord": [99, 99]}),
        fails("Change_Current_Location", {"direction": "up"}),
    ]
    found = figures_of(user, steps)
    assert (found.moves, found.calls, found.centres, found.implicit_moves) == (2, 10, 3, 2)
    # The views from the first two points, 6.83 km apart, overlap in a lens; the third is apart from both.
    apart = GEOD.inv(9.5, 47.1, 9.59, 47.1)[2] / 1000
    lens = 2 * 25 * math.acos(apart / 10) - apart / 2 * math.sqrt(100 - apart**2)
    assert found.area_km2 == pytest.approx(3 * CIRCLE - lens, rel=1e-3)


def test_an_episode_without_calls_has_seen_nothing() -> None:
    assert figures_of(Place(9.5, 47.1), []) == (0, 0, 0, 0, 0.0)


@pytest.mark.parametrize(("lat", "east"), [(0.0, 0.0), (47.1, 40.0), (-69.5, 0.0)])
def test_areas_equal_a_count_of_points_within_view(lat: float, east: float) -> None:
    """A walk of five views; by a grid of points of equal area, each tried against each centre along the geodesic."""
    centres = [Place(9.5, lat)]
    for azimuth, metres in ((90, 7_000), (0, 7_000), (270, 4_000), (60, 9_000 + 1_000 * east)):
        lon, reached, _ = GEOD.fwd(*centres[-1], azimuth, metres)
        centres.append(Place(lon, reached))
    lons, lats = zip(*centres, strict=True)
    side, west, south = 400, min(lons) - 0.25, min(lats) - 0.06
    wide, high = max(lons) + 0.25 - west, max(lats) + 0.06 - south
    columns = west + (np.arange(side) + 0.5) / side * wide
    rows = south + (np.arange(side) + 0.5) / side * high
    grid_lon, grid_lat = (one.ravel() for one in np.meshgrid(columns, rows))
    within = np.zeros(side * side, dtype=bool)
    for lon, reached in centres:
        left = np.flatnonzero(~within)
        metres = GEOD.inv(
            np.full(len(left), lon), np.full(len(left), reached), grid_lon[left], grid_lat[left]
        )[2]
        within[left] = metres <= 5_000
    row_areas = [
        abs(
            GEOD.polygon_area_perimeter(
                np.concatenate([np.linspace(west, west + wide, 400), np.linspace(west + wide, west, 400)]),
                np.repeat([row - high / side / 2, row + high / side / 2], 400),
            )[0]
        )
        / side
        for row in rows
    ]
    counted = float(np.sum(within.reshape(side, side).sum(axis=1) * np.array(row_areas))) / 1e6
    found = area_of([View(one, 5_000.0) for one in centres])
    assert found == pytest.approx(counted, rel=1e-3)
    assert 2 * CIRCLE < found < 5 * CIRCLE


def test_views_of_both_sides_of_the_earth_add_up() -> None:
    views = [
        View(Place(0.0, 0.0), 5_000.0),
        View(Place(180.0, 0.0), 5_000.0),
        View(Place(-179.99, 0.0), 5_000.0),
    ]
    alone = area_of(views[:1])
    assert alone == pytest.approx(CIRCLE, rel=1e-6)
    assert 2 * alone < area_of(views) < 2.3 * alone
    assert area_of([View(Place(0.0, 0.0), 10_000.0)]) == pytest.approx(4 * CIRCLE, rel=1e-6)


def test_other_tools_are_not_those_of_an_agent_that_explores() -> None:
    assert explores([stations_at(9.0, 47.0)])
    assert explores([fails("Search_Chargers", {}, "unknown_tool"), stations_at(9.0, 47.0)])
    assert not explores([stations_at(9.0, 47.0), call("place_search", {"query": "Krone"}, {"hits": []})])
