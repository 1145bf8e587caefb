"""GeoRover's tools on a town whose answers are known by hand."""

import json
from typing import Any

import pytest

from app.agent_tools.errors import ToolError
from app.agent_tools.tool_plans.reading import read_plan
from app.agent_tools.tool_plans.running import sets_for
from tests.app.agent_tools.georover.conftest import CENTRE, Ask
from tests.support.town import Imported, apart, offset


def _named(told: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(one["station_name"], one["station_distance"]) for one in told]


def test_points_of_one_operator_are_one_station_and_the_nearest_comes_first(
    ask: Ask, station_town: Imported
) -> None:
    answer = ask("Search_Stations", coord=list(CENTRE))
    told = json.loads(answer.sentence)
    assert _named(told) == [
        ("charging station", "200 meters"),
        ("charging station", "210 meters"),
        ("Row 300", "300 meters"),
        ("Other", "420 meters"),
        ("Twin", "900 meters"),
    ]
    row = told[2]
    assert row["station_id"] == station_town.key("Row 300")
    assert [float(part) for part in row["coord"].split(",")] == pytest.approx(offset(CENTRE, 90, 300))
    assert (row["type"], row["tag"]) == ("charging station", "type2; yes")
    assert "Volt" not in answer.sentence
    result = answer.as_json()["result"]
    assert "Volt" not in json.dumps(result)
    assert result["stations"][2]["osm_keys"] == [
        station_town.key(f"Row {metres}") for metres in (300, 340, 380)
    ]


def test_a_station_at_the_edge_of_the_view_is_whole(ask: Ask, station_town: Imported) -> None:
    """Its first point lies beyond the view, so it is not seen, though its last point is within."""
    behind = offset(CENTRE, 90, 380 + 4970)
    assert _named(json.loads(ask("Search_Stations", coord=behind).sentence)) == [("Other", "4930 meters")]
    (row, *_) = json.loads(ask("Search_Stations", coord=offset(CENTRE, 90, 300 + 4990)).sentence)[1:]
    assert (row["station_name"], row["station_distance"]) == ("Row 300", "4990 meters")


def test_other_classes_and_a_larger_view(ask: Ask) -> None:
    pumps = json.loads(ask("Search_Stations", coord=list(CENTRE), destination="fuel").sentence)
    assert _named(pumps) == [("Pump", "500 meters")]
    far = json.loads(ask("Search_Stations", tool_set="georover_10km", coord=list(CENTRE)).sentence)
    assert _named(far)[-1] == ("Far", "7000 meters")
    assert ask("Search_Stations", coord=[0, 0]).sentence == "[]"


def test_places_within_a_kilometre(ask: Ask, station_town: Imported) -> None:
    answer = ask("Search_Nearby_POI", coord=f"{CENTRE[0]}, {CENTRE[1]}")
    told = {one["poi_name"]: one for one in json.loads(answer.sentence)}
    assert told["Krone"] == {
        "poi_name": "Krone", "poi_distance": "100 meters", "tag": "pizza", "type": "restaurant",
    }  # fmt: skip
    assert "Sparkasse" not in told
    assert "Pump" not in told
    seen = answer.as_json()["result"]["pois"]
    assert [one["distance_m"] for one in seen] == sorted(one["distance_m"] for one in seen)
    assert station_town.key("Krone") in [one["id"] for one in seen]


@pytest.mark.parametrize(("direction", "azimuth"), [("N", 0), ("east", 90), ("S", 180), ("w", 270)])
def test_a_move_leads_along_the_geodesic(ask: Ask, direction: str, azimuth: float) -> None:
    answer = ask(
        "Change_Current_Location", start_location=list(CENTRE), distance="7000 meters", direction=direction
    )
    reached = json.loads(answer.sentence)["new_location"]
    metres, towards = apart(CENTRE, tuple(reached))
    assert metres == pytest.approx(7000, abs=0.02)
    assert (towards - azimuth + 180) % 360 - 180 == pytest.approx(0, abs=0.001)


def test_a_drive_is_measured_along_roads(ask: Ask) -> None:
    """From the east of Ring to the north of Marktstraße, by their corner."""
    ends = {"coord1": offset(CENTRE, 90, 500), "coord2": offset(CENTRE, 0, 400)}
    assert json.loads(ask("Cal_Distance", **ends).sentence) == {"distance": "900.0 meters"}
    same = ask("Cal_Distance", coord1=list(CENTRE), coord2=list(CENTRE))
    assert json.loads(same.sentence) == {"distance": "0.0 meters"}


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("Search_Stations", {"coord": "here"}, "'coord' was 'here': write a point as [longitude, latitude] in degrees"),
        ("Search_Stations", {"coord": [10]}, "write a point as [longitude, latitude]"),
        ("Search_Stations", {"coord": [True, 1]}, "write a point as [longitude, latitude]"),
        ("Search_Stations", {"coord": [1e999, 1]}, "write a point as [longitude, latitude]"),
        ("Search_Stations", {"coord": [50, 110]}, "a latitude at most 90 degrees; the two seem to be swapped"),
        ("Search_Stations", {"coord": [10, 50], "destination": "casino"}, "'destination' was 'casino'"),
        ("Search_Stations", {}, "the argument coord is missing."),
        ("Change_Current_Location", {"start_location": [10, 50], "distance": "-3", "direction": "N"}, "write metres from 0"),
        ("Change_Current_Location", {"start_location": [10, 50], "distance": 5, "direction": "up"}, "'direction' was 'up'"),
        ("Cal_Distance", {"coord1": [10, 50], "coord2": [11, 51]}, "road"),
        ("nearby", {}, "The tools are: Search_Stations, Search_Nearby_POI, Change_Current_Location, Cal_Distance."),
    ],
)  # fmt: skip
def test_wrong_calls_are_told(ask: Ask, tool: str, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ToolError) as told:
        ask(tool, **arguments)
    assert said in str(told.value)


def test_where_no_road_leads_there_it_is_an_error(ask: Ask) -> None:
    with pytest.raises(ToolError) as told:
        ask("Cal_Distance", coord1=list(CENTRE), coord2=offset(CENTRE, 45, 3050))
    assert told.value.kind == "no_route"


def test_tool_plans_are_carried_out_with_the_view_of_the_paper() -> None:
    plan = read_plan(
        {
            "calls": [{"tool": "Search_Stations", "arguments": {"coord": list(CENTRE)}}],
            "answer": {"stations": {"$call": 0, "path": "stations"}},
        }
    )
    assert [one.name for one in sets_for(plan)] == ["georover"]
