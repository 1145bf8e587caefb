"""What replies of GeoRover's model come to, and which searches are implicit moves."""

import json
from itertools import islice
from typing import Any

import pytest

from app.agent_tools.georover.coordinates import LonLat
from app.agent_tools.outcomes import ToolOutcome
from app.solvers.exploring.replies import read_turn
from app.solvers.exploring.results import read_pois, read_stations
from app.solvers.exploring.rules import spiral_directions
from app.solvers.exploring.wandering import Wandering
from tests.support.town import offset

CALL = '{"tool_name": "Search_Stations", "coord": [10, 50]}'
STATION = {"station_name": "Volt", "station_location": [10, 50], "station_distance": "1.000 km"}


def _listed(count: int, **changed: Any) -> str:
    return json.dumps([STATION | changed] * count)


@pytest.mark.parametrize(
    ("said", "lenient", "faults"),
    [
        (CALL, False, 0),
        (f"<think>what now? {{}}</think>{CALL}", False, 0),
        ('{"tool_name": "Search_Stations", "arguments": {"coord": [10, 50]}}', False, 0),
        (f"```json\n{CALL}\n```", True, 1),
        (f"First I look [around].\n{CALL}", True, 1),
    ],
)
def test_a_call_is_read(said: str, lenient: bool, faults: int) -> None:
    turn = read_turn(said, lenient=lenient)
    assert [(one.name, one.arguments) for one in turn.wishes] == [("Search_Stations", {"coord": [10, 50]})]
    assert (turn.answer, turn.unread, turn.faults) == (None, None, faults)


@pytest.mark.parametrize("count", [3, 10])
def test_a_list_is_the_answer(count: int) -> None:
    turn = read_turn(_listed(count), lenient=False)
    assert (turn.answer, turn.faults, list(turn.wishes)) == (_listed(count), 0, [])
    fenced = f"Here it is:\n```\n{_listed(count)}\n```"
    assert (read_turn(fenced, lenient=True).answer, read_turn(fenced, lenient=True).faults) == (fenced, 1)


@pytest.mark.parametrize(
    ("said", "lenient", "told"),
    [
        (f"```json\n{CALL}\n```", False, "not one JSON and nothing else"),
        ("I do not know", True, "There is no JSON in your message."),
        ("", True, "There is no JSON"),
        ("12", False, "neither an object nor a list"),
        ('{"coord": [10, 50]}', True, 'The object has no "tool_name".'),
        (_listed(2), True, "The list has 2 stations, and 3 are the fewest: go on looking."),
        ("[]", True, "The list has 0 stations"),
        (_listed(11), True, "10 are the most"),
        (_listed(3, station_location="here"), True, "The \"station_location\" of 'Volt' is not"),
        (_listed(3, station_name=None), True, 'needs a "station_name"'),
        ("[1, 2, 3]", False, 'needs a "station_name"'),
        ("[" * 5000, True, "nested too deep"),
        ("{" + "x" * 70_000, True, "longer than 65,536 characters"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told(said: str, lenient: bool, told: str) -> None:
    turn = read_turn(said, lenient=lenient)
    assert (turn.answer, list(turn.wishes), turn.faults) == (None, [], 1)
    assert turn.unread is not None
    assert told in turn.unread
    assert "Write one JSON and nothing else" in turn.unread


def test_a_search_far_from_all_that_is_known_is_an_implicit_move() -> None:
    user = LonLat(10.0, 50.0)
    wandering = Wandering(user)
    assert wandering.leave_for("Search_Stations", {"coord": offset(user, 90, 49)}) is None
    station = offset(user, 0, 3000)
    told = {"id": "n1", "name": "Volt", "lon": station[0], "lat": station[1], "osm_keys": ["n1"]}
    wandering.learn("Search_Stations", ToolOutcome("[]", {"stations": [told]}))
    assert wandering.leave_for("Search_Nearby_POI", {"coord": offset(station, 90, 30)}) is None
    invented = offset(user, 180, 7000)
    assert wandering.leave_for("Search_Stations", {"coord": list(invented)}) == pytest.approx(7000, abs=0.1)
    assert wandering.leave_for("Search_Nearby_POI", {"coord": list(invented)}) is None
    moved = offset(user, 270, 7000)
    wandering.learn("Change_Current_Location", ToolOutcome("", {"new_location": list(moved)}))
    assert wandering.leave_for("Search_Stations", {"coord": list(moved)}) is None
    assert wandering.leave_for("Cal_Distance", {"coord1": [0, 0], "coord2": [1, 1]}) is None
    assert wandering.leave_for("Search_Stations", {"coord": "nowhere"}) is None
    assert wandering.as_json() == {"moves": 1, "implicit_moves": 1}


def test_results_without_their_typed_form_are_read_from_their_words() -> None:
    said = json.dumps([{"station_id": "n1", "station_name": "Volt", "coord": "10.0,50.0", "type": "fuel"}])
    (station,) = read_stations(ToolOutcome(said, None, 70_000))
    assert station == ("n1", "Volt", LonLat(10.0, 50.0), frozenset({"n1"}))
    (poi,) = read_pois(ToolOutcome('[{"poi_name": "Krone", "type": "cafe; restaurant"}]', None, 70_000))
    assert poi == (None, frozenset({"cafe", "restaurant"}))


def test_the_spiral_leads_around_its_start() -> None:
    assert "".join(islice(spiral_directions(), 20)) == "NESSWWNNNEEESSSSWWWW"
