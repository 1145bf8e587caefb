"""Matrices, compared routes, detours, service areas and trips in a town of streets whose ways are counted by hand."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.agent_tools.calling import read_call
from app.agent_tools.errors import ToolError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.routing.programs import find_version
from tests.app.agent_tools.conftest import Call, caller
from tests.support.routers import own_routers
from tests.support.town import BOX, Fill, Imported, Map, import_map, offset, rectangle

CENTRE = (10.0, 50.0)
KMH = "36"
"""Ten metres a second."""
WITHOUT_OSRM = Path("/nowhere")
EXACT = 0.3
"""Seconds or metres: coordinates are kept to a centimetre, and matrices to 0.1 s."""


def at(east: float, north: float) -> tuple[float, float]:
    return offset(offset(CENTRE, 90 if east >= 0 else 270, abs(east)), 0 if north >= 0 else 180, abs(north))


def spot(east: float, north: float) -> str:
    lon, lat = at(east, north)
    return f"{lat},{lon}"


WEST, EAST, NORTH, SOUTH_EAST = spot(0, 500), spot(1000, 500), spot(500, 1000), spot(1000, 0)
BEHIND, ISLAND, NOWHERE = spot(500, 1800), spot(0, -3000), spot(0, -8000)


def make_road_town() -> Map:
    """A square of streets of 1,000 m: A in the north, B in the east, C in the south (to the west only), D in the west.

    From the middle of A a street for its own places leads 500 m to the north, and another street 500 m farther. Beside a
    way on an island there is nothing.
    """
    town = Map()
    town.area(rectangle(CENTRE, 0, 0, 9000, 9000), boundary="administrative", admin_level="8", name="Square")
    north_west, middle, north_east, south_east, south_west = (
        town.node(at(*place)) for place in ((0, 1000), (500, 1000), (1000, 1000), (1000, 0), (0, 0))
    )
    gate = town.node(at(500, 1500))

    def street(name: str, *nodes: str, **tags: str) -> str:
        return town.through(list(nodes), highway="residential", maxspeed=KMH, name=name, **tags)

    street("A", north_west, middle, north_east)
    street("B", north_east, south_east)
    street("C", south_east, south_west, oneway="yes")
    street("D", south_west, north_west)
    street("Gate", middle, gate, access="private")
    street("Behind", gate, town.node(at(500, 2000)))
    street("Island", town.node(at(0, -3000)), town.node(at(200, -3000)))
    street("Border", *(town.node((BOX[2] + degrees, 50.0)) for degrees in (-0.01, 0.01)))
    for name, place, hours in (
        ("West", (0, 500), "Mo-Su 08:00-12:00"),
        ("East", (1000, 500), "Mo-Su 10:00-10:30,15:00-18:00"),
        ("Inner", (500, 1800), "24/7"),
        ("Far", (100, -3000), "24/7"),
    ):
        town.node(at(*place), amenity="bakery", shop="bakery", name=name, opening_hours=hours)
    town.node(at(500, 1000), amenity="cafe", name="North")
    town.node(at(3000, 3000), amenity="cafe", name="Lost")
    for east in (100, 900):
        town.node(at(east, 1000), amenity="pharmacy", name="Twin")
    return town


@pytest.fixture(scope="session")
def road_town(
    fill_once: Callable[[str, Fill], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Imported]:
    town = make_road_town()
    file = town.write(tmp_path_factory.mktemp("road_tools") / "roads.osm")
    settings = fill_once("road_tools", lambda made: import_map(made, file, "roads"))
    with own_routers(settings, tmp_path_factory.mktemp("routers")) as own:
        yield Imported(own, "roads", file, town)


@pytest.fixture(params=["OSRM", "one path"])
def call(request: pytest.FixtureRequest, road_town: Imported) -> Any:
    """A function that calls a tool on the town, by either router."""
    settings = road_town.settings
    if request.param == "one path":
        settings = settings.model_copy(update={"osrm_bin": WITHOUT_OSRM})
    elif find_version(settings) is None:
        pytest.skip("OSRM's programs are absent: scripts/router installs them")
    with connect(settings, Role.MAINTAINER) as connection:
        yield caller(settings, connection, "roads")


def close(*wanted: float) -> Any:
    return pytest.approx(list(wanted), abs=EXACT)


# --- distance_matrix ----------------------------------------------------------------------------------------


def test_a_matrix_has_a_row_for_each_origin(call: Call) -> None:
    found = call("distance_matrix", origins=[WEST, spot(1000, 20)], destinations=[NORTH, EAST, WEST])
    assert found.seconds == [close(100, 200, 0), close(148, 48, 152)]
    assert found.distance_m is None
    assert found.sentence().splitlines()[0] == "The fastest ways by car:"


def test_a_matrix_tells_lengths_where_they_are_wanted(call: Call, road_town: Imported) -> None:
    found = call(
        "distance_matrix",
        origins=[road_town.key("West")],
        destinations=[NORTH, road_town.key("West"), road_town.key("Far")],
        lengths=True,
    )
    assert found.distance_m[0][:2] == close(1000, 0)
    assert (found.seconds[0][2], found.distance_m[0][2]) == (None, None)
    assert found.sentence().endswith("to West 0 s (0.0 m); no way leads to Far.")


def test_somebody_on_foot_is_slower_and_heeds_no_oneway_street(call: Call) -> None:
    found = call("distance_matrix", origins=[spot(0, 0)], destinations=[SOUTH_EAST], mode="foot")
    assert found.seconds == [pytest.approx([720], abs=1)]


def test_places_of_one_name_are_told_apart_by_their_ids(call: Call, road_town: Imported) -> None:
    near = call("nearby", where=spot(0, 1000), type="pharmacy")
    one, other = (place.id for place in near.places)
    ends = {"origin": one, "destination": other}
    trip = {"start": one, "stops": [other, NORTH], "start_time": DAY + "09:00"}
    for said in (
        call("distance", **ends).sentence(),
        call("travel_time", **ends).sentence(),
        call("directions", **ends).sentence(),
        call("compare_routes", **ends, ways=[[], [NORTH]]).sentence(),
        call("distance_matrix", origins=[one], destinations=[other, road_town.key("West")]).sentence(),
        call("plan_trip", **trip).sentence(),
    ):
        assert f"Twin ({one})" in said
        assert f"Twin ({other})" in said
        assert "(n" not in said.replace(f"Twin ({one})", "").replace(f"Twin ({other})", "")
    assert "(n" not in call("distance_matrix", origins=[one], destinations=[one, NORTH]).sentence()


# --- compare_routes -----------------------------------------------------------------------------------------


def test_ways_through_places_are_compared(call: Call) -> None:
    ends = {"origin": spot(0, 900), "destination": spot(1000, 900)}
    found = call("compare_routes", **ends, ways=[[WEST], [], [NORTH]])
    assert [one.seconds for one in found.ways] == close(200, 120, 120)
    assert [one.distance_m for one in found.ways] == pytest.approx([2000, 1200, 1200], abs=1)
    assert (found.fastest, found.shortest) == (2, 2)
    assert [one.kind for one in found.ways] == ["via", "fastest", "via"]
    assert found.sentence().splitlines()[-1] == "Way 2 is the fastest and the shortest."


def test_a_way_that_nobody_can_travel_is_named(call: Call) -> None:
    with pytest.raises(ToolError, match=r"^Way 2 cannot be travelled\. No route for car leads") as raised:
        call("compare_routes", origin=WEST, destination=EAST, ways=[[], [ISLAND]])
    assert raised.value.kind == "no_route"
    with pytest.raises(ToolError, match=r"Way 1 cannot be travelled\. It leads from .* to the same place"):
        call("compare_routes", origin=WEST, destination=EAST, ways=[[NORTH, NORTH], []])


def test_where_the_router_knows_one_way_only_that_is_said(call: Call) -> None:
    found = call("compare_routes", origin=spot(500, 1100), destination=BEHIND, alternatives=3)
    assert (len(found.ways), found.sentence().splitlines()[-1]) == (1, "The router knows no other way.")


# --- detour_between -----------------------------------------------------------------------------------------


def test_the_place_of_the_least_detour_comes_first(call: Call) -> None:
    found = call("detour_between", origin=spot(0, 100), destination=NORTH, type="bakery", limit=5)
    assert found.direct_s == pytest.approx(140, abs=EXACT)
    assert [one.name for one in found.places] == ["West", "Inner", "East"]
    assert [one.detour_s for one in found.places] == pytest.approx([0, 160, 200], abs=0.5)
    assert found.complete


def test_a_detour_may_be_sought_by_keyword_and_attributes(call: Call) -> None:
    ends = {"origin": spot(0, 100), "destination": NORTH}
    assert [one.name for one in call("detour_between", **ends, keyword="inner", limit=5).places] == ["Inner"]
    none = call("detour_between", **ends, type="bakery", attributes={"cuisine": "klingon"}).sentence()
    assert none.startswith("No place of the kind 'bakery' with cuisine 'klingon' can be reached on the way")
    near = {"where": ends["origin"], "minutes": 5, "type": "bakery", "attributes": {"cuisine": "klingon"}}
    assert (
        call("service_area", **near)
        .sentence()
        .endswith("Places for 'bakery' with cuisine 'klingon' that are reached: 0.")
    )
    found = call("detour_between", **ends, type="bakery", attributes={"opening_hours": "24/7"})
    assert [one.name for one in found.places] == ["Inner"]


def test_ends_and_places_that_nobody_reaches_are_no_detour(call: Call, road_town: Imported) -> None:
    found = call("detour_between", origin=road_town.key("West"), destination=NORTH, type="bakery", limit=5)
    assert [one.name for one in found.places] == ["Inner", "East"]
    found = call("detour_between", origin=WEST, destination=EAST, type="cafe", limit=5)
    assert [one.name for one in found.places] == ["North"]


# --- service_area -------------------------------------------------------------------------------------------


def test_an_area_has_edges_in_part(call: Call) -> None:
    found = call("service_area", where=WEST, minutes=1, mode="car")
    assert found.roads_m == pytest.approx(1100, abs=1)
    assert found.farthest_m == pytest.approx((500**2 + 100**2) ** 0.5, abs=1)
    assert call("service_area", where=WEST, minutes=0.5, mode="car").roads_m == pytest.approx(600, abs=1)
    assert call("service_area", where=WEST, metres=300, mode="car").roads_m == pytest.approx(600, abs=1)


def test_an_area_says_whether_the_map_ends_there(call: Call) -> None:
    said = "The map ends there: roads and places beyond its edge are missing."
    west, east = f"50.0,{BOX[2] - 0.0015}", f"50.0,{BOX[2] + 0.005}"  # 107 m before the edge, and beyond it
    for where, metres, reaches_edge in (
        (west, 50, False),
        (west, 65, True),
        (west, 200, True),
        (east, 50, True),
    ):
        found = call("service_area", where=where, metres=metres)
        assert (found.reaches_edge, said in found.sentence()) == (reaches_edge, reaches_edge)
    assert call("service_area", where=WEST, minutes=120, mode="car").reaches_edge is False


def test_roads_that_are_reached_from_both_ends_count_once(call: Call) -> None:
    whole = call("service_area", where=WEST, minutes=120, mode="car")
    assert whole.roads_m == pytest.approx(5000, abs=1)
    assert call("service_area", where=WEST, minutes=120).roads_m == pytest.approx(5000, abs=1)


def test_roads_for_their_own_places_are_reached_and_passed_where_no_other_way_leads_on(call: Call) -> None:
    assert call("service_area", where=NORTH, minutes=1.5, mode="car").roads_m == pytest.approx(2700, abs=1)


def test_places_are_reached_as_soon_as_travel_time_says(call: Call) -> None:
    found = call("service_area", where=WEST, minutes=4, mode="car", type="bakery")
    assert [(one.name, found.total) for one in found.places] == [("West", 3), ("Inner", 3), ("East", 3)]
    assert [one.seconds for one in found.places] == close(0, 180, 200)
    for one in found.places[1:]:
        told = call("travel_time", origin=WEST, destination=one.id)
        assert (told.seconds, told.distance_m) == (one.seconds, one.distance_m)
    assert call("service_area", where=WEST, minutes=3.2, mode="car", type="bakery").total == 2
    assert call("service_area", where=WEST, minutes=3, mode="car", keyword="east").places == []


def test_the_area_is_the_land_beside_the_roads(call: Call) -> None:
    found = call("service_area", where=WEST, minutes=1, mode="car", area=True)
    assert found.area["type"] == "Polygon"
    lons = [lon for lon, _ in found.area["coordinates"][0]]
    assert min(lons) == pytest.approx(at(-50, 0)[0], abs=2e-5)
    assert max(lons) == pytest.approx(at(150, 0)[0], abs=2e-5)


# --- plan_trip ----------------------------------------------------------------------------------------------

DAY = "2024-05-06T"


def times(found: Any) -> list[tuple[int, str, str, str]]:
    return [(one.number, *(said[11:] for said in (one.arrival, one.begin, one.leave))) for one in found.stops]


def test_a_trip_has_the_quickest_order(call: Call) -> None:
    found = call("plan_trip", start=spot(0, 900), stops=[EAST, WEST, NORTH], start_time=DAY + "09:00")
    assert times(found) == [
        (2, "09:00:40", "09:00:40", "09:00:40"),
        (3, "09:02:20", "09:02:20", "09:02:20"),
        (1, "09:04:00", "09:04:00", "09:04:00"),
    ]
    assert (found.exact, found.end_time, found.left_out, found.latest_start) == (
        True,
        DAY + "09:04:00",
        [],
        None,
    )
    assert found.travel_s == pytest.approx(240, abs=EXACT * 3)


def test_a_trip_waits_for_opening_hours_and_stays(call: Call, road_town: Imported) -> None:
    """East is open from ten on: who goes to West first does not wait."""
    east, west = road_town.key("East"), road_town.key("West")
    stops = [
        {"place": east, "when_open": True, "stay_minutes": 20},
        {"place": west, "when_open": True, "stay_minutes": 30},
    ]
    found = call(
        "plan_trip", start=NORTH, stops=stops, end=NORTH, start_time=DAY + "09:30", until=DAY + "12:00"
    )
    assert times(found) == [
        (2, "09:31:40", "09:31:40", "10:01:40"),
        (1, "10:05:00", "10:05:00", "10:25:00"),
    ]
    assert (found.end_time, found.latest_start) == (DAY + "10:26:40", DAY + "09:35:00")
    early = call("plan_trip", start=NORTH, stops=stops[:1], start_time=DAY + "09:30")
    assert times(early) == [(1, "09:31:40", "10:00:00", "10:20:00")]
    assert early.latest_start == DAY + "17:38:20"
    assert "there at 2024-05-06T09:31:40, from 2024-05-06T10:00:00, until" in early.sentence()


def test_stops_that_cannot_be_visited_are_left_out_with_the_reason(call: Call, road_town: Imported) -> None:
    stops = [
        {"place": road_town.key("East"), "when_open": True, "stay_minutes": 45},
        {"place": road_town.key("Far")},
        {"place": NORTH, "windows": [{"start": DAY + "08:00", "end": DAY + "09:00"}], "stay_minutes": 10},
        {"place": BEHIND, "stay_minutes": 29},
        {"place": WEST, "stay_minutes": 20},
        {"place": spot(0, 100), "stay_minutes": 600},
    ]
    found = call("plan_trip", start=WEST, stops=stops, start_time=DAY + "09:30", until=DAY + "10:00")
    assert [one.number for one in found.stops] == [5]
    reasons = {one.number: one.reason for one in found.left_out}
    assert reasons == {
        1: "No time at which it can be visited is as long as the stay.",
        2: "No way leads there from the start.",
        3: "One is there at 2024-05-06T09:31:40 at the earliest, and the stay must begin by 2024-05-06T08:50:00.",
        4: "Even if nothing else is visited, the trip is over at 2024-05-06T10:02:00, which is later than until.",
        6: "Even if nothing else is visited, the trip is over at 2024-05-06T19:30:40, which is later than until.",
    }
    assert "Not visited: Far (stop 2). No way leads there from the start." in found.sentence()


def test_as_many_stops_as_can_be_are_visited(call: Call) -> None:
    stops = [{"place": one, "stay_minutes": 10} for one in (EAST, NORTH, WEST)]
    found = call("plan_trip", start=WEST, stops=stops, start_time=DAY + "09:00", until=DAY + "09:25")
    assert [one.number for one in found.stops] == [3, 2]
    assert [one.reason for one in found.left_out] == [
        "It can be visited in time, but not together with the others."
    ]
    assert found.latest_start == DAY + "09:03:20"


def test_many_stops_are_labelled_heuristic(call: Call) -> None:
    stops = [spot(0, 30 * number) for number in range(1, 17)]
    found = call("plan_trip", start=spot(0, 0), stops=stops, start_time=DAY + "09:00")
    assert [one.number for one in found.stops] == list(range(1, 17))
    assert not found.exact
    assert found.sentence().startswith("The good (heuristic) order by car")


def test_clocks_that_are_put_back_do_not_lengthen_a_trip(call: Call) -> None:
    """In Germany, three o'clock in the morning is followed by two o'clock on 27 October 2024."""
    stops = [{"place": NORTH, "stay_minutes": 120}]
    found = call("plan_trip", start=WEST, stops=stops, start_time="2024-10-27T01:30")
    assert found.end_time == "2024-10-27T02:31:40"


def test_no_trip_leads_to_an_end_that_cannot_be_reached(call: Call) -> None:
    with pytest.raises(ToolError, match="No way leads from the start to the end by car") as raised:
        call("plan_trip", start=WEST, stops=[NORTH], end=ISLAND, start_time=DAY + "09:00")
    assert raised.value.kind == "no_route"
    with pytest.raises(
        ToolError, match="The end is reached at 2024-05-06T09:03:20 at the earliest, which is later"
    ):
        call("plan_trip", start=WEST, stops=[NORTH], end=EAST, start_time=DAY + "09:00", until=DAY + "09:01")


@pytest.mark.parametrize(
    ("tool", "arguments", "cost"),
    [
        ("distance_matrix", {"origins": [WEST] * 25, "destinations": [EAST] * 25}, 25),
        ("distance_matrix", {"origins": [WEST], "destinations": [EAST]}, 1),
        ("distance_matrix", {"origins": [WEST] * 5, "destinations": [EAST] * 5, "lengths": True}, 25),
        (
            "compare_routes",
            {"origin": WEST, "destination": EAST, "ways": [[], [NORTH]], "alternatives": 3},
            7,
        ),
        ("plan_trip", {"start": WEST, "stops": [EAST] * 25, "end": WEST, "start_time": DAY + "09:00"}, 30),
        ("detour_between", {"origin": WEST, "destination": EAST, "type": "cafe"}, 5),
        ("service_area", {"where": WEST, "minutes": 5}, 10),
        ("service_area", {"where": WEST, "metres": 50_000}, 20),
        ("service_area", {"where": WEST, "minutes": 120, "mode": "bicycle"}, 16),
        ("service_area", {"where": WEST, "minutes": 120, "mode": "car"}, 40),
    ],
)
def test_a_call_costs_more_the_more_it_asks(tool: str, arguments: dict[str, Any], cost: int) -> None:
    assert read_call(tool, arguments).arguments.cost() == cost


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("distance_matrix", {"origins": [WEST] * 26, "destinations": [EAST]}, "give at most 25"),
    ("distance_matrix", {"origins": [], "destinations": [EAST]}, "give at least 1"),
    ("distance_matrix", {"origins": [WEST] * 6, "destinations": [EAST] * 5, "lengths": True}, "these are 30; ask without"),
    ("distance_matrix", {"origins": ["nan,nan"], "destinations": [EAST]}, "'origins.0' was 'nan,nan': write the id"),
    ("distance_matrix", {"origins": ["n999999"], "destinations": [EAST]}, "has no place n999999"),
    ("distance_matrix", {"origins": [NOWHERE], "destinations": [EAST]}, "is not on the road network"),
    ("distance_matrix", {"origins": [WEST], "destinations": [EAST], "mode": "transit"}, "unavailable"),
    ("distance_matrix", {"origins": [WEST], "destinations": [EAST], "mode": "hover"}, "the modes are car, bicycle, foot"),
    ("compare_routes", {"origin": WEST, "destination": EAST}, "give at least two ways, or say how many alternatives"),
    ("compare_routes", {"origin": WEST, "destination": EAST, "ways": [[]] * 7}, "give at most 6"),
    ("compare_routes", {"origin": WEST, "destination": EAST, "alternatives": 9}, "'alternatives' was '9'"),
    ("compare_routes", {"origin": WEST, "destination": WEST, "ways": [[], [EAST]]}, "are the same point"),
    ("detour_between", {"origin": WEST, "destination": EAST}, "give either a type or a keyword"),
    ("detour_between", {"origin": WEST, "destination": EAST, "type": "spaceport"}, "no place of the type 'spaceport'"),
    ("detour_between", {"origin": WEST, "destination": ISLAND, "type": "cafe"}, "No route for car leads"),
    ("detour_between", {"origin": WEST, "destination": WEST, "type": "cafe"}, "are the same point"),
    ("service_area", {"where": WEST}, "give either minutes or metres"),
    ("service_area", {"where": WEST, "minutes": 1e9}, "'minutes' was '1000000000.0'"),
    ("service_area", {"where": WEST, "minutes": float("nan")}, "'minutes' was 'nan'"),
    ("service_area", {"where": WEST, "metres": -1}, "'metres' was '-1'"),
    ("service_area", {"where": WEST, "metres": 5, "attributes": {"cuisine": "pizza"}}, "give a type or a keyword"),
    ("service_area", {"where": WEST, "metres": 5, "type": "cafe", "keyword": "x"}, "a type or a keyword, not both"),
    ("service_area", {"where": NOWHERE, "minutes": 5}, "is not on the road network"),
    ("service_area", {"where": "10.0,50.0", "minutes": 5}, "the two numbers are swapped"),
    ("plan_trip", {"start": WEST, "stops": [EAST]}, "the argument start_time is missing"),
    ("plan_trip", {"start": WEST, "stops": [], "start_time": DAY + "09:00"}, "give at least 1"),
    ("plan_trip", {"start": WEST, "stops": [EAST] * 26, "start_time": DAY + "09:00"}, "give at most 25"),
    ("plan_trip", {"start": WEST, "stops": [EAST, NORTH, EAST], "start_time": DAY + "09:00"}, "Stops 1 and 3 are the same"),
    ("plan_trip", {"start": WEST, "stops": [EAST], "start_time": "noon"}, "write a local time as 2024-05-31T14:30"),
    ("plan_trip", {"start": WEST, "stops": [EAST], "start_time": DAY + "09:00", "until": DAY + "08:00"}, "must be later"),
    ("plan_trip", {"start": WEST, "stops": [{"place": EAST, "stay_minutes": 1e9}], "start_time": DAY + "09:00"},
     "'stops.0.stay_minutes' was '1000000000.0'"),
    ("plan_trip", {"start": WEST, "stops": [{"place": EAST, "when_open": True}], "start_time": DAY + "09:00"},
     "only a place has opening hours"),
    ("plan_trip", {"start": WEST, "stops": [{"place": EAST, "hours": 1}], "start_time": DAY + "09:00"},
     "there is no argument 'stops.0.hours'"),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "said"), BAD, ids=range(len(BAD)))
def test_a_bad_call_is_one_clear_sentence(
    call: Call, tool: str, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(ToolError) as raised:
        call(tool, **arguments)
    message = str(raised.value)
    assert said in message
    assert len(message) < 1_000
    assert "\n" not in message
    assert call("distance_matrix", origins=[WEST], destinations=[NORTH]).seconds == [close(100)]


def test_a_place_without_hours_cannot_be_visited_when_open(call: Call, road_town: Imported) -> None:
    stops = [{"place": road_town.key("North"), "when_open": True}]
    with pytest.raises(ToolError, match="has no opening hours of North") as raised:
        call("plan_trip", start=WEST, stops=stops, start_time=DAY + "09:00")
    assert raised.value.kind == "unavailable"
