"""Directions in a town whose turns, exits and sides are known by hand; both routers give the same words."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.agent_tools.errors import ToolError
from app.agent_tools.instructions import FOLDER, LANGUAGES, load_language
from app.agent_tools.lines import cut_line, find_on_line, find_side
from app.agent_tools.manoeuvres import Edge, WayOut, find_manoeuvres, name_turn
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.routing.programs import find_version
from tests.app.agent_tools.conftest import CENTRE, Call, caller
from tests.support.routers import own_routers
from tests.support.town import Fill, Imported, Map, Place, import_map, offset


def at(east: float, north: float) -> Place:
    return offset(offset(CENTRE, 90, east), 0, north)


def where(east: float, north: float) -> str:
    lon, lat = at(east, north)
    return f"{lat},{lon}"


def make_direction_town() -> Map:
    """Main Street leads east over a crossing and becomes East Street, which ends at a roundabout of four arms.

    From the crossing, North Road leads to a ferry; West Road leads from the start of Main Street to its end, too.
    """
    town = Map()
    spots = {
        name: town.node(at(*place))
        for name, place in {
            "start": (0, 0), "crossing": (500, 0), "renamed": (1000, 0), "west": (1500, 0), "south": (1550, -50),
            "east": (1600, 0), "north": (1550, 50), "fork": (2000, 0), "pier": (500, 500), "island": (500, 1500),
            "corner": (0, 500),
        }.items()
    }  # fmt: skip

    def road(name: str, *through: str | tuple[float, float], **tags: str) -> None:
        nodes = [spots[one] if isinstance(one, str) else town.node(at(*one)) for one in through]
        town.through(nodes, **{"highway": "residential", "name": name, "maxspeed": "36", **tags})

    road("Main Street", "start", "crossing", "renamed")
    road("East Street", "renamed", "west")
    town.through([spots[one] for one in ("west", "south", "east", "north", "west")],
                 highway="residential", junction="roundabout", maxspeed="36")  # fmt: skip
    road("Southern Arm", "south", (1550, -500))
    road("Eastern Arm", "east", "fork", (2300, -250))
    road("Northern Arm", "north", (1550, 500))
    road("Fork Lane", "fork", (2400, 0))
    road("North Road", "crossing", "pier")
    road("South Lane", "crossing", (500, -500))
    road("Sharp Lane", "crossing", (100, -120))
    road("West Road", "start", "corner", "pier")
    town.through([spots["pier"], spots["island"]], route="ferry", name="Blue Ferry", motor_vehicle="yes")
    road("Island Road", "island", (500, 2000))
    for name, place in (("Red Café", (250, 15)), ("Blue Bar", (750, -20)), ("Far Pub", (250, 45)), ("Goal", (1570, -300))):  # fmt: skip
        town.node(at(*place), amenity="cafe", name=name)
    town.node(at(260, 5), amenity="cafe")
    return town


@pytest.fixture(scope="module")
def direction_town(
    fill_once: Callable[[str, Fill], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Imported]:
    town = make_direction_town()
    file = town.write(tmp_path_factory.mktemp("directions") / "directions.osm")
    settings = fill_once("directions", lambda made: import_map(made, file, "directions"))
    with own_routers(settings, tmp_path_factory.mktemp("routers")) as own:
        yield Imported(own, "directions", file, town)


@pytest.fixture(params=["OSRM", "one path"])
def ask(request: pytest.FixtureRequest, direction_town: Imported) -> Iterator[Call]:
    settings = direction_town.settings
    if request.param == "one path":
        settings = settings.model_copy(update={"osrm_bin": Path("/nowhere")})
    elif find_version(settings) is None:
        pytest.skip("OSRM's programs are absent: scripts/router installs them")
    with connect(settings, Role.MAINTAINER) as connection:
        yield caller(settings, connection, "directions")


def told(result: Any) -> list[tuple[Any, ...]]:
    return [(step.kind, step.road, step.exit) for step in result.routes[0].steps]


def test_the_steps_of_a_route_and_their_words(ask: Call, direction_town: Imported) -> None:
    result = ask("directions", origin=where(10, 0), destination=direction_town.key("Goal"), with_line=True)
    assert told(result) == [
        ("depart", "Main Street", None),
        ("straight", "East Street", None),
        ("roundabout", "Southern Arm", 1),
        ("arrive", None, None),
    ]
    (route,) = result.routes
    depart, straight, roundabout, arrive = route.steps
    assert [(one.name, one.side) for one in depart.landmarks] == [("Red Café", "left"), ("Blue Bar", "right")]
    assert (depart.landmarks[0].after_m, depart.landmarks[0].distance_m) == (
        pytest.approx(240, abs=0.5),
        pytest.approx(15, abs=0.1),
    )
    assert (depart.distance_m, depart.seconds) == (pytest.approx(990, abs=1), pytest.approx(99, abs=0.2))
    assert (straight.distance_m, straight.degrees) == (
        pytest.approx(500, abs=1),
        pytest.approx(0, abs=0.5),
    )
    assert (roundabout.degrees, roundabout.distance_m) == (
        pytest.approx(90, abs=1),
        pytest.approx(321, abs=1),
    )
    assert (arrive.side, arrive.heading) == ("left", pytest.approx(180, abs=0.5))
    assert sum(step.distance_m for step in route.steps) == pytest.approx(route.distance_m, abs=0.3)
    assert sum(step.seconds for step in route.steps) == pytest.approx(route.seconds, abs=0.3)
    assert route.line
    assert route.line[0] == pytest.approx(at(10, 0), abs=1e-6)
    assert result.sentence().splitlines()[1:] == [
        "1. Head east on Main Street. Go on for 990.0 m. You pass Red Café on the left, and Blue Bar on the right.",
        "2. Continue straight onto East Street. Go on for 500.0 m.",
        f"3. At the roundabout, take exit 1 onto Southern Arm. Go on for {roundabout.distance_m} m.",
        "4. You arrive at Goal, on the left. Goal is 20.0 m from the road.",
    ]


@pytest.mark.parametrize(
    ("start", "end", "steps"),
    [
        ((10, 0), (500, 300), [("depart", "Main Street", None), ("left", "North Road", None)]),
        ((10, 0), (500, -300), [("depart", "Main Street", None), ("right", "South Lane", None)]),
        ((10, 0), (300, -60), [("depart", "Main Street", None), ("sharp_right", "Sharp Lane", None)]),
        ((10, 0), (990, 0), [("depart", "Main Street", None)]),
        ((1400, 0), (1800, 0), [("depart", "East Street", None), ("roundabout", "Eastern Arm", 2)]),
        ((1400, 0), (1550, 300), [("depart", "East Street", None), ("roundabout", "Northern Arm", 3)]),
        ((1550, 300), (1550, 450), [("depart", "Northern Arm", None)]),
        ((1525, -25), (1550, 300), [("depart", None, None), ("leave_roundabout", "Northern Arm", 3)]),
        ((1400, 0), (1575, 25), [("depart", "East Street", None), ("roundabout", None, None)]),
        ((1700, 0), (2200, -167), [("depart", "Eastern Arm", None)]),
        ((1700, 0), (2300, 0), [("depart", "Eastern Arm", None), ("straight", "Fork Lane", None)]),
        ((500, 300), (500, 1800), [("depart", "North Road", None), ("board_ferry", "Blue Ferry", None),
                                   ("leave_ferry", "Island Road", None)]),
    ],
)  # fmt: skip
def test_turns_exits_and_ferries(
    ask: Call, start: tuple[float, float], end: tuple[float, float], steps: list[Any]
) -> None:
    result = ask("directions", origin=where(*start), destination=where(*end))
    assert told(result) == [*steps, ("arrive", None, None)]
    assert result.routes[0].line is None


def test_the_side_of_the_destination(ask: Call) -> None:
    for (east, north), side in (((300, 10), "left"), ((300, -10), "right"), ((300, 1), None)):
        steps = ask("directions", origin=where(10, 0), destination=where(east, north)).routes[0].steps
        assert steps[-1].side == side
    back = ask("directions", origin=where(490, 0), destination=where(300, 10)).routes[0].steps
    assert back[-1].side == "right"
    ahead = ask("directions", origin=where(2100, 0), destination=where(2450, 0)).routes[0].steps
    assert ahead[-1].side == "ahead"
    assert ahead[-1].said.endswith(", straight ahead.")


def test_ends_at_one_place_of_the_road_and_at_a_crossing(ask: Call) -> None:
    across = ask("directions", origin=where(300, 10), destination=where(300, -10)).routes[0]
    assert ([step.kind for step in across.steps], across.distance_m) == (["depart", "arrive"], 0)
    assert across.steps[-1].side is None
    from_crossing = ask("directions", origin=where(500, 0), destination=where(500, 300)).routes[0]
    assert from_crossing.distance_m == pytest.approx(300, abs=0.5)
    assert (from_crossing.steps[-1].kind, from_crossing.steps[-2].road) == ("arrive", "North Road")


def test_other_routes_have_steps_too(ask: Call) -> None:
    result = ask("directions", origin=where(0, 150), destination=where(500, 400), alternatives=3)
    if result.engine != "one path":
        assert len(result.routes) >= 1
        return
    first, second = result.routes
    assert first.seconds < second.seconds
    assert [step.road for step in second.steps] == ["West Road", "Main Street", "North Road", None]
    assert "2. way from" in result.sentence()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"alternatives": 4}, "'alternatives' was '4'"),
        ({"language": "xx"}, "'language' was 'xx': the languages are en."),
        ({"destination": where(10, 0)}, "the same point"),
        ({"mode": "transit"}, "Transit is unavailable."),
    ],
)
def test_what_cannot_be_told(ask: Call, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ToolError) as raised:
        ask("directions", **({"origin": where(10, 0), "destination": where(500, 300)} | arguments))
    assert said in str(raised.value)


def test_all_languages_have_the_same_sentences() -> None:
    def keys(words: Any) -> Any:
        return {key: keys(value) for key, value in words.items()} if isinstance(words, dict) else None

    assert len(LANGUAGES) == len(list(FOLDER.iterdir()))
    assert {str(keys(load_language(one))) for one in LANGUAGES} == {str(keys(load_language("en")))}


# --- parts ------------------------------------------------------------------------------------------------


def edge(way: int, *line: Place, node: int = 0, label: str | None = None, **more: Any) -> Edge:
    return Edge(way, 1, node, line, label, more.get("klass", "residential"), more.get("roundabout", False))


@pytest.mark.parametrize(
    ("degrees", "kind"),
    [(0, "straight"), (-20, "straight"), (21, "slight_right"), (-61, "left"), (120, "right"), (-121, "sharp_left"),
     (170, "sharp_right"), (171, "turn_back"), (-180, "turn_back")],
)  # fmt: skip
def test_kinds_of_turns(degrees: float, kind: str) -> None:
    assert name_turn(degrees) == kind


def test_a_bend_without_a_choice_is_no_turn() -> None:
    bend = [edge(1, at(0, 0), at(100, 0), node=7, label="A"), edge(2, at(100, 0), at(100, 100), label="A")]
    assert [one.kind for one in find_manoeuvres(bend, {})] == ["depart"]
    assert [one.kind for one in find_manoeuvres(bend, {7: [WayOut(1, 1, False), WayOut(2, 1, False)]})] == [
        "depart"
    ]
    assert [one.kind for one in find_manoeuvres(bend, {7: [WayOut(3, 1, False)]})] == ["depart", "left"]


def test_a_new_name_behind_a_bend_without_a_choice_is_a_turn() -> None:
    for east, north, kind in (
        (200, 5, "straight"),
        (200, 50, "slight_left"),
        (100, 100, "left"),
        (50, -50, "sharp_right"),
    ):
        row = [edge(1, at(0, 0), at(100, 0), label="A"), edge(2, at(100, 0), at(east, north), label="B")]
        (_, turn) = find_manoeuvres(row, {})
        assert turn.degrees is not None
        assert (turn.kind, turn.road) == (kind, "B")
        assert name_turn(turn.degrees) == kind


def test_a_road_without_a_name_does_not_end_the_name_before() -> None:
    row = [
        edge(1, at(0, 0), at(100, 0), label="A"),
        edge(2, at(100, 0), at(200, 0)),
        edge(3, at(200, 0), at(300, 0), label="A"),
        edge(4, at(300, 0), at(400, 0), label="B"),
    ]
    assert [(one.kind, one.first, one.road) for one in find_manoeuvres(row, {})] == [
        ("depart", 0, "A"),
        ("straight", 3, "B"),
    ]


def test_one_turns_back_at_a_dead_end_and_lines_without_length_turn_nowhere() -> None:
    there, back = edge(1, at(0, 0), at(100, 0), label="A"), edge(1, at(100, 0), at(0, 0), label="A")
    assert [one.kind for one in find_manoeuvres([there, back], {})] == ["depart", "turn_back"]
    row = [there, edge(2, at(100, 0), at(100, 0), label="A"), edge(3, at(100, 0), at(100, 90), label="A")]
    ways_out = {0: [WayOut(9, 1, False)]}
    assert [one.degrees for one in find_manoeuvres(row, ways_out)] == [None]


def test_lines_are_cut_at_the_nearest_places() -> None:
    line = ((0.0, 0.0), (1.0, 0.0), (2.0, 0.0))
    assert cut_line(line, (0.5, 0.001), None) == ((pytest.approx(0.5), pytest.approx(0)), *line[1:])
    assert cut_line(line, None, (1.5, 0.001)) == (*line[:2], (pytest.approx(1.5), pytest.approx(0)))
    assert len(cut_line(line, (0.5, 0), (0.6, 0))) == 2


def test_sides() -> None:
    line = np.array([at(0, 0), at(100, 0)])
    assert find_on_line(line, at(50, 10)).side == "left"
    assert find_on_line(line[::-1], at(50, 10)).side == "right"
    doubled = np.array([at(0, 0), at(50, 0), at(50, 0), at(100, 0)])
    assert [find_on_line(doubled, at(50, north)).side for north in (10, -10)] == ["left", "right"]
    assert find_on_line(line, at(50, 10)).metres == pytest.approx(10, abs=0.01)
    assert [find_side(90, at(0, 0), at(*there)) for there in ((9, 1), (1, 9), (1, -9), (-9, 1))] == [
        "ahead", "left", "right", "behind",
    ]  # fmt: skip
