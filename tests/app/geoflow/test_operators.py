"""Operators on the towns of the tools: each one against an answer that is known by hand."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.agent_tools.sets import find_set
from app.geoflow.checking import violations_of
from app.geoflow.executing import Execution
from app.geoflow.graphs import read_graph
from app.geoflow.ontology import ontology
from app.geoflow.operators.base import working_operators
from app.geoflow.operators.forms import FORMS
from tests.app.agent_tools.test_road_tools import EAST, NORTH, SOUTH_EAST, WEST
from tests.app.geoflow.conftest import Execute

CENTRE = "50.0,10.0"
MONDAY = {"type": "EVENT", "time": "09:10", "day": "Monday"}
Sources = Mapping[str, Any]
Steps = list[tuple[Any, ...]]


def plan(sources: Sources, *steps: tuple[Any, ...], mode: str | None = None) -> dict[str, Any]:
    """A well-formed graph: sources by id (a text is the name of a place), and steps (output, operator, inputs, params).

    What the last step gives is the measure.
    """
    concepts: list[dict[str, Any]] = []
    for key, said in sources.items():
        attrs = dict(said) if isinstance(said, Mapping) else {}
        kind = attrs.pop("type", "LOCATION")
        name = "" if attrs else str(said)
        concepts.append({"id": key, "type": kind, "role": "EXTENT", "name": name, "attrs": attrs})
    made = []
    for number, (output, op, inputs, *params) in enumerate(steps):
        role = "MEASURE" if number == len(steps) - 1 else "SUPPORT"
        outputs = [output] if isinstance(output, str) else list(output)
        gives = ontology().operators[op].gives
        concepts += [
            {"id": one, "type": kind, "role": role} for one, kind in zip(outputs, gives, strict=False)
        ]
        fields = params[0] if params else {}
        made.append({"id": f"s{number}", "op": op, "inputs": inputs, "outputs": outputs, "params": fields})
    return {"concepts": concepts, "steps": made, "measure": concepts[-1]["id"], "mode": mode}


def found(done: Execution) -> Mapping[str, Any]:
    """The fields of the measure."""
    assert done.measure is not None, done.trace
    return done.measure.shown()


def names(done: Execution) -> list[str | None]:
    return [one.get("name") for one in found(done)["members"]]


def fault(done: Execution) -> tuple[str | None, str]:
    """What is to blame where the measure has no value, and what the last step says."""
    assert done.measure is None
    return done.stage_of_fault(), done.trace[-1].says


KRONE = ("krone", "geocode", {"place": "k"})
LINDE = ("linde", "geocode", {"place": "l"})
PLACES = {"k": "Krone", "l": "Linde", "c": CENTRE}
AROUND = ("around", "place_search", {"center": "c"}, {"type": "restaurant", "radius_m": 1000})


def test_everything_in_the_ontology_is_run_by_something() -> None:
    assert working_operators() == ontology().operators.keys()
    for form in FORMS.values():
        declared = ontology().operators[form.operator]
        assert form.ports.keys() <= declared.ports.keys()
        assert form.params.keys() <= declared.params.keys()


def test_the_set_of_tools_is_what_operators_call() -> None:
    called = {form.tool for form in FORMS.values()} | {"place_search", "open_at", "plan_trip"}
    ways_of_georover = {"Change_Current_Location", "Cal_Distance"}
    assert find_set("spatial_agent").tools.keys() == called | ways_of_georover


@pytest.mark.parametrize(
    ("steps", "wanted"),
    [
        ([KRONE, LINDE, ("m", "haversine", {"origin": "krone", "destination": "linde"})], {"value": 269.26}),
        (
            [KRONE, ("m", "bearing", {"origin": "c", "destination": "krone"})],
            {"value": 0.0, "unit": "degrees"},
        ),
        (
            [
                LINDE,
                ("b", "bearing", {"origin": "c", "destination": "linde"}),
                ("m", "bearing_to_direction", {"bearing": "b"}, {"names": 4}),
            ],
            {"value": "east"},
        ),
        ([AROUND, ("m", "count", {"members": "around"})], {"value": 4}),
        ([AROUND, ("m", "nearest", {"anchor": "c", "candidates": "around"})], {"name": "Krone"}),
        ([AROUND, ("m", "nearest", {"anchor": "c", "candidates": "around"}, {"rank": 2})], {"name": "Linde"}),
        (
            [
                AROUND,
                ("m", "nearest_in_direction", {"anchor": "c", "candidates": "around"}, {"direction": "west"}),
            ],
            {"name": "Sonne"},
        ),
        (
            [
                AROUND,
                ("open", "filter_places_by_time", {"candidates": "around", "time": "t"}),
                ("m", "count", {"members": "open"}),
            ],
            {"value": 0},
        ),
        ([KRONE, ("m", "open_at_time", {"place": "krone", "time": "t"})], {"state": "closed"}),
        (
            [
                KRONE,
                ("h", "opening_hours", {"place": "krone"}),
                ("m", "calculate_latest_visit_time", {"hours": "h"}, {"stay_min": 45}),
            ],
            {"time": "21:15"},
        ),
        ([KRONE, ("m", "timezone", {"place": "krone"})], {"zone": "Europe/Berlin"}),
        (
            [("m", "move", {"origin": "c"}, {"direction": "north", "distance_m": 0})],
            {"lat": 50.0, "lon": 10.0},
        ),
        (
            [
                KRONE,
                LINDE,
                ("a", "haversine", {"origin": "c", "destination": "krone"}),
                ("b", "haversine", {"origin": "c", "destination": "linde"}),
                ("m", "least_of", {"candidates": ["krone", "linde"], "numbers": ["a", "b"]}, {"which": "greatest"}),
            ],
            {"name": "Linde"},
        ),
        (
            [
                AROUND,
                ("m", "calculate_field", {"values": "around"},
                 {"expression": '{"$each": {"$call": 0, "path": "result.places"}, "of": "name"}'}),
            ],
            {"value": ["Krone", "Linde", "Sonne", "Adler"]},
        ),
        ([("m", "arithmetic", {"numbers": ["n", "n"]}, {"formula": "{0} * 2 + {1}"})], {"value": 36.0}),
        ([("m", "calculate_arrival_time", {"start": "t", "duration": "n2"})], {"time": "09:22", "day": "Monday"}),
        (
            [("m", "calculate_finish_time", {"start": "t", "durations": ["n2", "n2"]}, {"stays_min": [30]})],
            {"time": "10:04"},
        ),
    ],
)  # fmt: skip
def test_an_operator_gives_what_the_town_has(run: Execute, steps: Steps, wanted: dict[str, Any]) -> None:
    sources = {
        **PLACES,
        "t": MONDAY,
        "n": {"type": "AMOUNT", "value": 12},
        "n2": {"type": "AMOUNT", "value": 12, "unit": "min"},
    }
    used = {one for _, _, inputs, *_ in steps for ids in inputs.values() for one in _listed(ids)}
    graph = plan({key: said for key, said in sources.items() if key in used}, *steps)
    assert violations_of(read_graph(graph)) == []
    told = found(run(graph))
    assert {key: told.get(key) for key in wanted} == wanted


def _listed(ids: Any) -> list[str]:
    return ids if isinstance(ids, list) else [ids]


def test_sets_are_filtered_and_compared(run: Execute) -> None:
    pizza = ("m", "filter_places", {"candidates": "around"}, {"attribute": "cuisine", "value": "Pizza"})
    assert names(run(plan(PLACES, AROUND, pizza))) == ["Krone"]
    near = ("m", "within_radius", {"center": "c", "candidates": "around"}, {"radius_m": 300})
    assert names(run(plan(PLACES, AROUND, near))) == ["Krone", "Linde"]
    apart = ("m", "pairwise_extremes", {"places": "around"}, {"which": "maximum"})
    assert names(run(plan(PLACES, AROUND, apart))) == ["Linde", "Adler"]
    several = ("m", "batch_geocode", {"places": ["l", "k"]})
    assert names(run(plan(PLACES, several))) == ["Linde", "Krone"]
    assert names(run(plan({"c": CENTRE}, ("m", "reverse_geocode", {"place": "c"}))))[-1] == "Altstadt"


def test_places_are_found_in_areas_along_roads_and_in_view(run: Execute, drive: Execute) -> None:
    region = ("region", "geocode", {"place": "k"})
    inside = ("m", "places_in", {"area": "region"}, {"type": "restaurant"})
    assert names(run(plan({"k": "Altstadt"}, region, inside))) == ["Adler", "Krone", "Linde", "Sonne"]
    size = ("m", "area_of", {"place": "region"})
    assert found(run(plan({"k": "Altstadt"}, region, size)))["value"] == pytest.approx(16e6, rel=1e-3)
    first = ("m", "nearest_places", {"center": "c"}, {"type": "restaurant", "limit": 1})
    assert names(run(plan({"c": CENTRE}, first))) == ["Krone"]
    within = ("m", "amenities_within", {"center": "c"}, {"type": "restaurant", "radius_m": 260})
    assert names(run(plan({"c": CENTRE}, within))) == ["Krone", "Linde"]
    pizza = {"type": "restaurant", "attributes": ["cuisine=pizza"], "open_at": "2024-09-17T12:00"}
    assert names(run(plan({"c": CENTRE}, ("m", "place_search", {"center": "c"}, pizza)))) == ["Krone"]
    view = ("m", "places_in_view", {"center": "c"})
    assert {"Krone", "Linde"} <= {*names(run(plan({"c": CENTRE}, view)))}
    assert names(run(plan({"c": CENTRE}, ("m", "stations_in_view", {"center": "c"})))) == []
    kind = ("m", "amenity_of", {"place": "krone"})
    assert found(run(plan({"k": "Krone"}, KRONE, kind)))["members"][0]["types"][0] == "restaurant"
    ends = {"w": WEST, "e": EAST}
    passing = ("m", "detour_between", {"origin": "w", "destination": "e"}, {"type": "cafe"})
    assert names(drive(plan(ends, passing))) == ["North"]
    reached = ("m", "service_area", {"center": "w"}, {"metres": 1100, "mode": "driving", "type": "cafe"})
    assert names(drive(plan({"w": WEST}, reached))) == ["North"]


@pytest.mark.parametrize(
    ("hours", "day", "time"),
    [
        ("Mo-Fr 09:00-18:00", None, "17:30"),
        ("Mo-Fr 09:00-18:00; Sa 09:00-12:00", "Saturday", "11:30"),
        ("Mo-Fr 09:00-18:00; Sa 09:00-12:00", None, None),
        ("Fr,Sa 18:00-02:00", "Friday", "01:30"),
        ("Fr,Sa 18:00-02:00", "Sunday", None),
        ("24/7", "Sunday", None),
        ("Mo 09:00-12:00,14:00-18:00", "mo", "17:30"),
        ("whenever we like", "Monday", None),
    ],
)
def test_the_latest_visit_ends_when_the_place_closes(
    run: Execute, hours: str, day: str | None, time: str | None
) -> None:
    sources: dict[str, Any] = {"h": {"type": "EVENT", "time": hours}}
    inputs = {"hours": "h"}
    if day is not None:
        sources["d"] = {"type": "EVENT", "time": "00:00", "day": day}
        inputs["day"] = "d"
    done = run(plan(sources, ("m", "calculate_latest_visit_time", inputs, {"stay_min": 30})))
    assert (done.measure and done.measure.data["time"]) == time
    assert done.stage_of_fault() == (None if time else "data")


def test_trips_end_in_time_or_not(run: Execute) -> None:
    event = {"type": "EVENT", "time": "18:00"}
    start = ("end", "calculate_finish_time", {"start": "t", "durations": "d"}, {"stays_min": [90, 15]})
    check = ("m", "feasibility_check", {"finish": "end", "limit": "l"})
    for minutes, feasible in ((75, True), (76, False)):
        duration = {"type": "AMOUNT", "value": minutes, "unit": "minutes"}
        sources = {"t": event | {"time": "15:00"}, "l": event, "d": duration}
        assert found(run(plan(sources, start, check)))["feasible"] is feasible
    leave = ("m", "calculate_latest_departure", {"arrival": "l", "duration": "d"})
    sources = {"l": event, "d": {"type": "AMOUNT", "value": 1529.0, "unit": "s"}}
    assert found(run(plan(sources, leave)))["time"] == "17:35"


def test_where_streets_meet(run: Execute) -> None:
    crossing = ("m", "intersection_of", {"street": "a", "other": "b"})
    told = found(run(plan({"a": "Ring", "b": "Marktstrasse"}, crossing)))
    assert (told["name"], round(told["lat"], 3)) == ("Ring and Marktstraße", 50.0)


CUT_OFF = (*AROUND[:3], {"type": "restaurant", "limit": 2})


@pytest.mark.parametrize(
    "step",
    [
        [("m", "nearest", {"anchor": "far", "candidates": "around"})],
        [("m", "nearest_in_direction", {"anchor": "far", "candidates": "around"}, {"direction": "west"})],
        [("m", "pairwise_extremes", {"places": "around"}, {"which": "maximum"})],
        [("m", "within_radius", {"center": "far", "candidates": "around"}, {"radius_m": 1}),],
        [
            ("kept", "filter_places", {"candidates": "around"}, {"attribute": "cuisine", "value": "pizza"}),
            ("m", "count", {"members": "kept"}),
        ],
        [
            ("open", "filter_places_by_time", {"candidates": "around", "time": "t"}),
            ("m", "count", {"members": "open"}),
        ],
    ],
)  # fmt: skip
def test_what_a_list_lacks_that_was_cut_off_is_never_taken_for_nothing(run: Execute, step: Steps) -> None:
    sources: Sources = {
        "c": CENTRE,
        "far": "50.01,10.01",
        "t": {"type": "EVENT", "time": "09:10", "day": "Monday"},
    }
    blamed, said = fault(run(plan(sources, CUT_OFF, *step)))
    assert blamed == "data"
    assert "may be missing" in said


def test_the_nearest_is_sure_in_a_list_that_was_cut_off_around_the_same_place(run: Execute) -> None:
    nearest = ("m", "nearest", {"anchor": "c", "candidates": "around"})
    assert found(run(plan({"c": CENTRE}, CUT_OFF, nearest)))["name"] == "Krone"


def _event(time: str, **more: Any) -> dict[str, Any]:
    return {"type": "EVENT", "time": time, **more}


@pytest.mark.parametrize(
    ("start", "limit", "feasible"),
    [
        (_event("23:20"), _event("23:58"), True),
        (_event("23:50"), _event("23:58"), False),
        (_event("23:50"), _event("00:30"), False),
        (_event("23:50", day="Monday"), _event("23:58", day="Monday"), False),
        (_event("23:50", day="Monday"), _event("00:30", day="Tuesday"), True),
        (_event("23:50", day="Sunday"), _event("00:30", day="Monday"), True),
        (_event("2024-09-16T23:50"), _event("2024-09-17T00:30"), True),
        (_event("2024-09-16T23:50"), _event("2024-09-16T23:58"), False),
    ],
)
def test_a_trip_over_midnight_arrives_on_the_next_day(
    run: Execute, start: dict[str, Any], limit: dict[str, Any], feasible: bool
) -> None:
    sources: Sources = {"s": start, "l": limit, "d": {"type": "AMOUNT", "value": 38, "unit": "min"}}
    arrival = ("a", "calculate_arrival_time", {"start": "s", "duration": "d"})
    done = run(plan(sources, arrival, ("m", "feasibility_check", {"finish": "a", "limit": "l"})))
    assert found(done)["feasible"] is feasible


def test_the_day_after_sunday_is_monday(run: Execute) -> None:
    sources: Sources = {
        "s": _event("23:50", day="Sunday"),
        "d": {"type": "AMOUNT", "value": 38, "unit": "min"},
    }
    done = run(plan(sources, ("m", "calculate_arrival_time", {"start": "s", "duration": "d"})))
    assert {key: found(done)[key] for key in ("time", "day", "days_later")} == {
        "time": "00:28",
        "day": "Monday",
        "days_later": 1,
    }


def test_ways_along_roads(drive: Execute) -> None:
    ends = {"w": WEST, "n": NORTH, "e": EAST, "se": SOUTH_EAST}
    to_east = ("way", "directions", {"origin": "w", "destination": "e"})
    seconds = ("m", "extract_duration", {"route": "way"})
    assert found(drive(plan(ends, to_east, seconds)))["value"] == pytest.approx(200, abs=0.5)
    by_north = ("way", "directions", {"origin": "w", "destination": "e", "waypoints": ["n"]})
    metres = ("m", "extract_distance", {"route": "way"})
    assert found(drive(plan(ends, by_north, metres)))["value"] == pytest.approx(2000, abs=2)
    turns = ("m", "count_in_route", {"route": "way"}, {"what": "right turns"})
    assert found(drive(plan(ends, to_east, turns)))["value"] == 2
    after = ("m", "steps_analysis", {"route": "way"}, {"after": "A"})
    assert found(drive(plan(ends, to_east, after)))["road"] == "B"
    matrix = ("way", "distance_matrix", {"origins": "w", "destinations": ["e", "n"]})
    best = ("best", "compare_routes", {"routes": "way"}, {"by": "duration"})
    assert (
        found(drive(plan(ends, matrix, best, ("m", "extract_duration", {"route": "best"}))))["value"] == 100
    )
    first = ("m", "nearest", {"anchor": "w", "candidates": ["e", "n"]}, {"by": "travel_time"})
    assert found(drive(plan(ends, first)))["seconds"] == 100
    avoiding = ("way2", "filter_routes", {"routes": "way"}, {"keyword": "A", "avoid": True})
    assert found(drive(plan(ends, to_east, avoiding, ("m", "count", {"members": "way2"}))))["value"] == 0


def test_a_trip_visits_the_nearer_stop_first(drive: Execute) -> None:
    trip = (("order", "m"), "tsp_tw", {"start": "w", "stops": ["e", "n"]}, {"stays_min": [10]})
    done = drive(plan({"w": WEST, "n": NORTH, "e": EAST}, trip))
    assert found(done)["value"] == pytest.approx(200, abs=0.5)
    assert [one["name"] for one in done.values["order"].data["members"]] == [NORTH, EAST]


def test_the_mode_of_the_graph_counts_where_a_step_says_none(drive: Execute) -> None:
    way = ("way", "travel_time", {"origin": "w", "destination": "n"})
    on_foot = plan({"w": WEST, "n": NORTH}, way, ("m", "extract_duration", {"route": "way"}), mode="walking")
    assert found(drive(on_foot))["value"] > 300


@pytest.mark.parametrize(
    ("sources", "steps", "stage", "says"),
    [
        ({"x": "Atlantis"}, [("m", "geocode", {"place": "x"})], "data", "called 'Atlantis'"),
        ({"x": "Krone", "c": CENTRE}, [("m", "haversine", {"origin": "x", "destination": "c"})], "graph", "geocode"),
        ({"x": "n999"}, [("m", "place_details", {"place": "x"})], "data", "has no place n999"),
        ({"c": CENTRE}, [("m", "rated_places", {"center": "c"}, {"min_rating": 4})], "data", "holds no ratings"),
        (
            {"k": "Krone", "t": {"type": "EVENT", "time": "09:10"}},
            [KRONE, ("m", "open_at_time", {"place": "krone", "time": "t"})],
            "graph",
            "write its day",
        ),
        (
            {"c": CENTRE},
            [(*AROUND[:3], {"type": "restaurant", "limit": 2}), ("m", "count", {"members": "around"})],
            "data",
            "may be missing",
        ),
        (
            {"n": {"type": "AMOUNT", "value": 1}},
            [("m", "calculate", {"values": "n"}, {"expression": '{"$call": 3, "path": "value"}'})],
            "graph",
            "no earlier one",
        ),
        (
            {"n": {"type": "AMOUNT", "value": 1}},
            [("m", "arithmetic", {"numbers": "n"}, {"formula": "{0.__class__} + {5}"})],
            "graph",
            "cannot be calculated",
        ),
    ],
)  # fmt: skip
def test_a_step_without_a_value_says_why(
    run: Execute, sources: Sources, steps: Steps, stage: str, says: str
) -> None:
    blamed, said = fault(run(plan(sources, *steps)))
    assert blamed == stage
    assert says in said
