"""The map of an agent that explores, of a constructed way of twenty moves: views, stations, the answer and the key."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx
import pytest
from pyproj import Geod

from app.core.settings import Settings
from app.dashboard.episode_drawing import draw_episode
from app.dashboard.trajectory import trajectory_of
from app.published.episode_models import ShownEpisode
from tests.support.explored_ways import KEY, USER, make_way, way_of

GEOD = Geod(ellps="WGS84")
MOVES = 20


def parts(episode: ShownEpisode) -> list[tuple[int, str, Mapping[str, Any]]]:
    return [(number, part.role, part.geometry) for number, part in trajectory_of(episode)]


def test_each_step_has_its_own_shapes() -> None:
    found = parts(way_of(MOVES))
    assert [(number, role) for number, role, _ in found if number == 0] == [
        (0, "user"),
        (0, "key"),
        (0, "key"),
    ]
    assert [(number, role) for number, role, _ in found if number == 1] == [
        (1, "view"),
        (1, "centre"),
        (1, "seen"),
    ]
    assert [role for number, role, _ in found if number == 2] == ["move", "centre"]
    assert sum(role == "move" for _, role, _ in found) == MOVES
    assert [(number, role) for number, role, _ in found if role in ("answer", "hit")] == [
        (2 * MOVES + 3, "hit"),
        (2 * MOVES + 3, "answer"),
    ]


def test_a_view_is_a_circle_on_the_ground() -> None:
    (view, *_) = [geometry for _, role, geometry in parts(way_of(1)) if role == "view"]
    reached = [GEOD.inv(*USER, *corner)[2] for corner in view["coordinates"][0]]
    assert max(abs(one - 5_000) for one in reached) < 0.2
    (look, *_) = [geometry for _, role, geometry in parts(way_of(1)) if role == "look"]
    assert len(look["coordinates"][0]) == len(view["coordinates"][0])


def test_without_gold_nothing_tells_of_the_key() -> None:
    """The user is then where the first call begins."""
    roles = [role for _, role, _ in parts(way_of(3).model_copy(update={"gold": None}))]
    assert not {"key", "answer", "hit"} & set(roles)
    assert roles.count("user") == 1


@pytest.mark.parametrize(("many", "left_out"), [(70, 0), (450, 50)])
def test_the_answer_is_drawn_however_many_stations_a_view_holds(many: int, left_out: int) -> None:
    """The one call is the last, to whose step the marks of the answer belong."""
    way = way_of(1)
    stations = [
        {"id": f"n{one}", "name": f"S {one}", "lon": 9.5 + one / 9000, "lat": 47.1} for one in range(many)
    ]
    result = {"coord": list(USER), "radius_m": 5_000.0, "stations": stations}
    drawn = draw_episode(
        way.model_copy(update={"steps": [way.steps[0].model_copy(update={"result": result})]}), None
    )
    assert drawn is not None
    roles = [spot.role for spot in drawn.spots]
    assert (roles.count("seen"), drawn.left_out) == (many - left_out, left_out)
    assert {"hit", "answer", "key", "user"} <= {*roles}


@pytest.mark.parametrize(
    "result",
    [
        None,
        7,
        {"stations": 3, "coord": "x"},
        {"coord": [1e400, 0], "stations": [None, {"lon": "a"}]},
        {"coord": [9.5, float("nan")]},
        {"coord": [179.99, 47.0], "radius_m": 1e300},
    ],
)
def test_hostile_results_draw_nothing_wrong(result: Any) -> None:
    way = way_of(1)
    steps = [one.model_copy(update={"result": result}) for one in way.steps]
    drawn = draw_episode(way.model_copy(update={"steps": steps}), None)
    assert drawn is not None
    assert "nan" not in drawn.data.lower()


@pytest.fixture(scope="module")
def served(make_database: Callable[[], Settings]) -> Iterator[tuple[httpx.Client, str, int]]:
    with make_way(make_database(), MOVES) as made:
        yield made


def test_the_page_shows_the_way_and_two_side_by_side(served: tuple[httpx.Client, str, int]) -> None:
    client, path, other = served
    page = client.get(path).raise_for_status().text
    numbered = re.findall(r'<path class="shape (view|look|move line)" data-step="(\d+)"', page)
    assert sum(kind == "move line" for kind, _ in numbered) == MOVES
    assert {kind for kind, _ in numbered} == {"view", "look", "move line"}
    assert len(re.findall(r'class="pin tolerated"[^>]*><title>key', page)) == len(KEY)
    for said in ("view for stations", "station of the key", "where it searched, or moved to"):
        assert said in page
    assert len(re.findall(r'id="step-1-\d+"', page)) == 2 * MOVES + 3, "without a script, a list"
    both = client.get(f"{path}?beside={other}").raise_for_status().text
    assert len(re.findall(r"<figure class=\"map\" data-episode", both)) == 2
    data = json.loads(re.search(r'data-episode="([^"]*)"', page)[1].replace("&#34;", '"'))  # type: ignore[index]
    assert {one["properties"]["role"] for one in data["features"]} >= {
        "user",
        "view",
        "look",
        "move",
        "seen",
        "key",
    }
