"""Sets of tools: the tools of others' agents are names, arguments and words over the same functions."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.agent_tools.calling import ToolAnswer, call_tool, check_arguments
from app.agent_tools.errors import ToolError
from app.agent_tools.registry import all_tools
from app.agent_tools.sets import find_set, set_names
from app.core.errors import NotFound
from app.core.settings import Role
from app.db.engine import connect
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers
from tests.support.town import Imported

Ask = Callable[..., ToolAnswer]


@pytest.fixture
def ask(tool_town: Imported) -> Iterator[Ask]:
    """A function that calls a tool of the set mapeval on the town."""
    tools = find_set("mapeval").tools
    with connect(tool_town.settings, Role.MAINTAINER) as connection:
        (snapshot,) = find_snapshots(connection, ["tools"])
        routers = Routers(tool_town.settings)

        def call(tool: str, **arguments: Any) -> ToolAnswer:
            return call_tool(connection, snapshot, routers, tool, arguments, tools)

        yield call


def test_sets_have_the_tools_that_they_name() -> None:
    assert set_names() == [
        "all",
        "calculator",
        "georover",
        "georover_10km",
        "mapeval",
        "mapeval_calculator",
        "spatial_agent",
    ]
    assert find_set("all").tools == all_tools()
    assert list(find_set("calculator").tools) == ["calculator", "distance", "bearing"]
    assert list(find_set("mapeval").tools) == [
        "PlaceSearch",
        "PlaceDetails",
        "NearbySearch",
        "TravelTime",
        "Directions",
    ]
    assert list(find_set("mapeval_calculator").tools) == [*find_set("mapeval").tools, "haversine", "bearing"]
    for wrong in ("mapEval", "../all", "a\nb", ""):
        with pytest.raises(
            NotFound,
            match="The sets are: all, calculator, georover, georover_10km, mapeval, mapeval_calculator, spatial_agent",
        ):
            find_set(wrong)


def test_a_place_is_found_by_name_and_address(ask: Ask, tool_town: Imported) -> None:
    near, far = (tool_town.key("Adler"), "Farville")
    assert ask("PlaceSearch", placeName="Krone").sentence == tool_town.key("Krone")
    answer = ask("PlaceSearch", placeName="Adler", placeAddress=far)
    assert answer.tool == "PlaceSearch"
    assert answer.sentence not in (near, "")
    assert answer.result.model_dump()["query"] == "Adler, Farville"
    assert "No place of this name was found." in ask("PlaceSearch", placeName="Xyzzy Plugh").sentence


def test_details_have_the_form_of_contexts(ask: Ask, tool_town: Imported) -> None:
    said = ask("PlaceDetails", placeId=tool_town.key("Café Élan")).sentence.splitlines()
    assert said[0] == "Information of Café Élan:"
    assert said[1] == "- Location: Ring 5, 12345 Toyville(50.0, 10.0)."
    assert "- Open: Mo-Fr 08:00-18:00; PH off." in said
    assert "- Wheelchair: yes." in said
    assert said[-1] == "- Rating, price level and phone number: unavailable."
    assert "capacity" not in "".join(said).lower()


def test_places_nearby_by_type_and_keyword(ask: Ask, tool_town: Imported) -> None:
    cafe = tool_town.key("Café Élan")
    lines = ask("NearbySearch", placeId=cafe, type="restaurant").sentence.splitlines()
    head = 'Nearby places of Café Élan of the type "restaurant" are (sorted by distance in ascending order):'
    assert lines[0] == head
    assert lines[1].startswith("1. Krone (50.00")
    assert lines[1].endswith(tool_town.key("Krone"))
    found = ask("NearbySearch", placeId=cafe, type="Krone")
    assert found.result.model_dump()["sought"] == "Krone"
    assert "1. Krone" in found.sentence
    best = ask("NearbySearch", placeId=cafe, type="restaurant", rankby="prominence", radius=300)
    assert "are (in 300 m radius):" in best.sentence
    assert len(best.sentence.splitlines()) == 3


def test_types_of_the_paper_become_classes_of_ours_and_others_keywords() -> None:
    nearby = find_set("mapeval").tools["NearbySearch"]

    def ours(kind: str) -> Any:
        return check_arguments(nearby, {"placeId": "n1", "type": kind}).ours  # type: ignore[attr-defined]

    assert (ours("gas_station").type, ours("Gas Station").type) == ("fuel", "fuel")
    assert (ours("mosque").type, ours("mosque").attributes) == ("place_of_worship", {"religion": "muslim"})
    assert (ours("subway_station").type, ours("subway_station").keyword) == (None, "subway station")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("PlaceSearch", {"placeName": "A" * 1_000_000}, "PlaceSearch: 'placeName' was 'AAAA"),
        ("PlaceSearch", {"placeName": "a\x00b"}, "'placeName' was 'a[U+0000]b': a text must not hold control"),
        ("PlaceSearch", {"placeName": "Krone", "query": "a"}, "The arguments are: placeName, placeAddress."),
        ("PlaceDetails", {"placeId": "'; drop table poi; --"}, "'placeId' was \"'; drop table poi; --\": write the id"),
        ("PlaceDetails", {"placeId": "zz"}, "'placeId' was 'zz': write the id of a place, such as n123; PlaceSearch finds ids by names"),
        ("PlaceDetails", {"placeId": "n999999"}, "There is no place with the id n999999. PlaceSearch finds ids."),
        ("NearbySearch", {"placeId": "n1"}, "the argument type is missing."),
        ("NearbySearch", {"placeId": "n1", "type": "cafe", "radius": 500}, "NearbySearch: radius is given with rankby prominence alone"),
        ("NearbySearch", {"placeId": "n1", "type": "cafe", "rankby": "prominence"}, "a radius in metres is needed."),
        ("NearbySearch", {"placeId": "n1", "type": "cafe", "rankby": "prominence", "radius": 1e9}, "'radius' was '1000000000.0'"),
        ("NearbySearch", {"placeId": "n1", "type": "cafe", "rankby": "prominence", "radius": float("nan")}, "'radius' was 'nan'"),
        ("NearbySearch", {"placeId": "n1", "type": "cafe", "rankby": "rating"}, "'rankby' was 'rating'"),
        ("NearbySearch", {"placeId": "HERE", "type": "casino"}, 'There are no places of the type "casino" on this map.'),
        ("TravelTime", {"originId": "n1", "destinationId": "n1", "travelMode": "rocket"}, "'travelMode' was 'rocket'"),
        ("TravelTime", {"originId": "n1", "destinationId": "n1", "travelMode": "transit"}, "no timetables"),
        ("nearby", {}, "There is no tool 'nearby'. The tools are: PlaceSearch, PlaceDetails"),
        ("ratings", {}, "ratings is unavailable."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_the_words_of_the_set(
    ask: Ask, tool_town: Imported, tool: str, arguments: dict[str, Any], said: str
) -> None:
    given = {key: tool_town.key("Krone") if value == "HERE" else value for key, value in arguments.items()}
    with pytest.raises(ToolError) as refused:
        ask(tool, **given)
    assert said in str(refused.value)
    assert len(str(refused.value)) < 500
    for name in ("radius_m", "rank_by", "where", "query"):
        assert f"'{name}' was" not in str(refused.value)


def test_a_travel_time_has_the_form_of_contexts(ask: Ask, tool_town: Imported) -> None:
    ends = {"originId": tool_town.key("Café Élan"), "destinationId": tool_town.key("Krone")}
    said = ask("TravelTime", **ends, travelMode="walking").sentence
    assert said.startswith("Travel Time from Café Élan to Krone on foot is ")
    assert said.endswith(" km).")


def test_directions_have_the_form_of_contexts(ask: Ask, tool_town: Imported) -> None:
    ends = {"originId": tool_town.key("Linde"), "destinationId": tool_town.key("Krone")}
    answer = ask("Directions", **ends, travelMode="walking")
    (route,) = answer.result.model_dump()["routes"]  # 215 m west on Ring, then 135 m north
    said = ["There is 1 route from Linde to Krone on foot. It is:", "1. Via Ring | 4 mins | 0.3 km"]
    assert answer.sentence.splitlines() == said + [f" - {step['said']}" for step in route["steps"]]
    assert len(route["steps"]) == 3


def test_a_call_costs_as_much_as_the_tool_that_it_calls() -> None:
    assert check_arguments(find_set("mapeval").tools["PlaceSearch"], {"placeName": "Krone"}).cost() == 2


def test_names_on_the_map_stay_on_one_line(ask: Ask, tool_town: Imported) -> None:
    said = ask("NearbySearch", placeId=tool_town.key("Krone"), type="pharmacy").sentence
    assert len(said.splitlines()) == 2
    assert "\u202e" not in said


def test_a_set_without_a_search_does_not_advise_one(tool_town: Imported) -> None:
    with connect(tool_town.settings, Role.MAINTAINER) as connection:
        (snapshot,) = find_snapshots(connection, ["tools"])
        tools = find_set("calculator").tools
        ends = {"origin": "n999999", "destination": "50.0,10.0"}
        with pytest.raises(ToolError, match=r"Ids of other maps do not count here\.$"):
            call_tool(connection, snapshot, Routers(tool_town.settings), "distance", ends, tools)


def test_the_set_with_calculators_measures_straight_lines_and_directions(tool_town: Imported) -> None:
    ends = {"origin": tool_town.key("Café Élan"), "destination": tool_town.key("Linde")}
    with connect(tool_town.settings, Role.MAINTAINER) as connection:
        (snapshot,) = find_snapshots(connection, ["tools"])
        tools = find_set("mapeval_calculator").tools
        said = [
            call_tool(connection, snapshot, Routers(tool_town.settings), name, ends, tools).sentence
            for name in ("haversine", "bearing")
        ]
    assert said == [
        "The distance from Café Élan to Linde is 0.25 km in a straight line.",
        "Linde lies east of Café Élan, at 90.0 degrees clockwise from north.",
    ]
