"""Stored tool plans as graphs: they keep all constraints, and their run gives what the plan's run gives."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.agent_tools.tool_plans.reading import read_plan
from app.agent_tools.tool_plans.running import Answering, run_plan
from app.core.identity import canonical_json
from app.geoflow.checking import violations_of
from app.geoflow.compiling import CannotCompile, compile_plan
from app.geoflow.executing import execute_on
from app.questions.derivations.plans import call, found, members, result, search
from tests.app.geoflow.conftest import TOOLS
from tests.app.geoflow.test_operators import CENTRE

Plan = dict[str, Any]
KRONE, LINDE = search("Krone"), search("Linde")
AROUND = call("nearby", where=CENTRE, type="restaurant", radius_m=1000.0)
ENDS = {"origin": found(0, name="Krone"), "destination": found(1, name="Linde", type="restaurant")}
WAY = {"origin": "50.0,10.0", "destination": "50.001,10.0"}


def plan(answer: Mapping[str, Any], *calls: Plan) -> Plan:
    return {"calls": [*calls], "answer": dict(answer)}


def least(*metres: Any) -> Plan:
    return {"$least": members(["Krone", "Linde"], [*metres])}


PLANS: dict[str, tuple[Plan, str]] = {
    "distance": (
        plan({"distance": result(2, "distance_m")}, KRONE, LINDE, call("distance", **ENDS)),
        "geocode geocode haversine",
    ),
    "direction": (
        plan({"text": result(2, "direction")}, KRONE, LINDE, call("bearing", names=4, **ENDS)),
        "bearing bearing_to_direction geocode geocode",
    ),
    "members": (
        plan({"members": {"$each": result(0, "places"), "of": "name"}}, AROUND),
        "amenities_within calculate_set",
    ),
    "count": (plan({"text": {"$count": result(0, "places")}}, AROUND), "amenities_within count"),
    "nearest": (
        plan({"name": result(0, "places", 0, "name")}, call("nearby", where=CENTRE, type="cafe", limit=1)),
        "calculate_field nearest_places",
    ),
    "closer": (
        plan(
            {"name": least(result(2, "distance_m"), result(3, "distance_m"))},
            KRONE,
            LINDE,
            call("distance", origin=CENTRE, destination=found(0, name="Krone")),
            call("distance", origin=CENTRE, destination=found(1, name="Linde")),
        ),
        "calculate_field geocode geocode haversine haversine",
    ),
    "a calculation within another": (
        plan(
            {"text": {"$least": members(["none", "some"], [{"$count": result(0, "places")}, {"$sum": [5]}])}},
            call("nearby", where=CENTRE, type="pharmacy", radius_m=1000.0),
        ),
        "amenities_within calculate_field count",
    ),
    "a place of a result": (
        plan(
            {"distance": result(1, "distance_m")},
            AROUND,
            call("distance", origin=CENTRE, destination=result(0, "places", 1, "id")),
        ),
        "amenities_within calculate_place haversine",
    ),
    "a point": (
        plan(
            {"distance": result(1, "distance_m")},
            KRONE,
            call("distance", origin=CENTRE, destination={"$point": result(0, "hits", 0)}),
        ),
        "calculate_place geocode haversine",
    ),
    "a hit of which more is wanted": (
        plan(
            {"text": result(1, "place", "type")},
            KRONE,
            call("place_details", place=result(0, "hits", 0, "id")),
        ),
        "calculate_field calculate_place geocode place_details",
    ),
    "what may be missing": (
        plan({"text": result(0, "places", 7, "name") | {"else": "none"}}, AROUND),
        "amenities_within calculate_field",
    ),
    "opening hours": (
        plan(
            {"text": result(1, "state")},
            KRONE,
            call("open_at", place=found(0, name="Krone"), time="2024-09-17T12:00"),
        ),
        "calculate_field geocode open_at_time",
    ),
    "two fields": (
        plan({"name": result(0, "hits", 0, "name"), "lat": result(0, "hits", 0, "lat")}, KRONE),
        "calculate_field geocode",
    ),
    "a call that nothing needs": (
        plan({"text": {"$count": result(1, "places")}}, LINDE, AROUND),
        "amenities_within count",
    ),
}
ROADS: dict[str, tuple[Plan, str]] = {
    "a way": (
        plan({"distance": result(0, "routes", 0, "distance_m")}, call("directions", **WAY, mode="foot")),
        "directions extract_distance",
    ),
    "minutes of two ways": (
        plan(
            {"text": {"$minutes": {"$sum": [result(0, "seconds"), result(1, "seconds")]}}},
            call("travel_time", **WAY, mode="car"),
            call("travel_time", **WAY, mode="foot"),
        ),
        "calculate calculate extract_duration extract_duration travel_time travel_time",
    ),
    "a trip": (
        plan(
            {"text": result(0, "end_time")},
            call(
                "plan_trip",
                start=WAY["origin"],
                stops=[{"place": WAY["destination"], "stay_minutes": 20}],
                start_time="2024-09-17T09:00",
                mode="foot",
            ),
        ),
        "calculate_field tsp_tw",
    ),
}


def agree(stored: Plan, operators: str, answering: Answering) -> None:
    compiled = compile_plan(stored)
    assert violations_of(compiled.graph) == []
    assert sorted(step.op for step in compiled.graph.steps) == operators.split()
    done = execute_on(compiled.graph, answering, TOOLS)
    assert done.measure is not None, done.trace
    assert canonical_json(compiled.answer(done.measure)) == canonical_json(
        run_plan(read_plan(stored), answering).answer
    )


@pytest.mark.parametrize(("stored", "operators"), PLANS.values(), ids=PLANS)
def test_the_graph_of_a_plan_gives_its_answer(stored: Plan, operators: str, tool_answers: Answering) -> None:
    agree(stored, operators, tool_answers)


@pytest.mark.parametrize(("stored", "operators"), ROADS.values(), ids=ROADS)
def test_the_graph_of_a_plan_of_ways_gives_its_answer(
    stored: Plan, operators: str, road_answers: Answering
) -> None:
    agree(stored, operators, road_answers)


def test_places_that_are_found_by_name_are_the_concepts_of_the_question() -> None:
    graph = compile_plan(PLANS["distance"][0]).graph
    assert {(one.name, one.role) for one in graph.concepts if one.name} == {
        ("Krone", "EXTENT"),
        ("Linde", "EXTENT"),
    }
    assert [step.params for step in graph.steps if step.op == "geocode"] == [{}, {"type": "restaurant"}]
    assert [one.role for one in graph.concepts if one.id == graph.measure] == ["MEASURE"]


def test_a_graph_that_would_be_too_large_keeps_its_calculations_together() -> None:
    """Twenty calls, each counted: 41 steps, if each calculation were one."""
    calls = [call("nearby", where=CENTRE, type="cafe", radius_m=float(number)) for number in range(100, 120)]
    counts = [{"$count": result(number, "places", 0)} for number in range(20)]
    compiled = compile_plan(
        plan({"members": {"$present": members([*"abcdefghijklmnopqrst"], counts)}}, *calls)
    )
    assert len(compiled.graph.steps) == 21


@pytest.mark.parametrize(
    ("stored", "says"),
    [
        ({"calls": []}, "the plan cannot be read"),
        (plan({"text": "north"}, KRONE), "a value comes from no call"),
        (plan({"text": result(0, "x")}, call("teleport", to="Krone")), "no operator calls teleport with to"),
        (
            plan(
                {"text": result(1, "places")},
                AROUND,
                call("nearby", where=CENTRE, type=result(0, "places", 0, "type")),
            ),
            "no operator calls nearby with type, where",
        ),
    ],
)
def test_why_a_plan_has_no_graph_is_told(stored: Plan, says: str) -> None:
    with pytest.raises(CannotCompile, match=says):
        compile_plan(stored)
