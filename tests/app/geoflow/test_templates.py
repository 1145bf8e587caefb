"""Templates of GeoFlow graphs: each is well-formed, is filled with what a question names, and is joined to others."""

from typing import Any

import pytest

from app.geoflow.checking import violations_of
from app.geoflow.composing import Given, compose, compositions, may_join
from app.geoflow.filling import fill
from app.geoflow.notation import graph_of, lines_of
from app.geoflow.templates import TemplateFault, find_template, templates

CAFES = {"near": "Rathaus", "type": "cafe", "radius_m": 500}
WAY = {"from": "Bahnhof", "to": "Rathaus", "mode": "walking"}
FILLED: dict[str, dict[str, Any]] = {
    "FILTER-AGGREGATE-MEASURE": {
        "objects": CAFES,
        "attribute": "wheelchair",
        "value": "yes",
        "time": "10:00",
    },
    "OBJECT-FIELD-MEASURE": {"origin": "Rathaus", "destination": {"lon": 9.5, "lat": 47.1}},
    "ROUTE-OPTIMIZE": {
        "start": "Bahnhof",
        "stop": ["Rathaus", "Post"],
        "time": "09:00",
        "stays_min": [20, 30],
    },
    "GEOCODE-BATCH-COMPARE": {
        "reference": "Bahnhof",
        "candidates": ["Rathaus", "Post"],
        "nearest_by": "travel_time",
    },
    "LOCATION-BEARING-CLASSIFY": {"origin": "Rathaus", "destination": "Post", "names": 8},
    "ROUTE-STEP-EXTRACT": {"route": WAY, "landmark": "Post"},
    "MULTI-ROUTE-COMPARE": {
        "route": [WAY, WAY | {"via": ["Post"]}],
        "by": "duration",
        "keyword": "Aeulestrasse",
    },
    "PLACE-ATTRIBUTE-QUERY": {"place": "Post"},
    "MULTI-SEGMENT-AGGREGATE": {"leg": [WAY, {"from": "Rathaus", "to": "Post"}], "minutes": 15},
    "TIME-WINDOW-REVERSE": {"route": WAY, "arrival": {"day": "Monday", "time": "08:00"}},
}


def test_there_are_the_ten_of_the_paper() -> None:
    assert [*templates()] == [*FILLED]


@pytest.mark.parametrize("name", FILLED)
def test_a_template_is_well_formed_in_all_its_parts(name: str) -> None:
    """Its ports, which no step makes, stand for what a question names; so do they here."""
    template = find_template(name)
    skeleton = template.skeleton()
    made = skeleton.makers()
    named = [
        one
        if one.id in made
        else one._replace(name="named", role="TEXTENT" if one.type == "EVENT" else "EXTENT")
        for one in skeleton.concepts
    ]
    graph = skeleton._replace(concepts=named)
    told = [one for one in violations_of(graph) if "'$" not in one.says]
    left_out = {one.outputs[0] for one in skeleton.steps if one.op.startswith("filter_")}
    assert [one for one in told if one.node not in left_out] == []
    assert graph.by_id()[template.output].type == template.output_type


@pytest.mark.parametrize(("name", "values"), FILLED.items())
def test_a_filled_template_keeps_all_constraints(name: str, values: dict[str, Any]) -> None:
    graph = fill(name, values)
    assert violations_of(graph) == []
    assert graph.template_ids == [name]
    assert graph_of(lines_of(graph)).concepts == graph.concepts


@pytest.mark.parametrize("name", FILLED)
def test_what_may_be_empty_is_left_out(name: str) -> None:
    template = find_template(name)
    graph = fill(name, {key: FILLED[name][key] for key in template.needed})
    assert violations_of(graph) == []


@pytest.mark.parametrize(
    ("name", "values", "says"),
    [
        ("OBJECT-FIELD-MEASURE", {"origin": "Post"}, "needs destination"),
        (
            "OBJECT-FIELD-MEASURE",
            {"origin": "Post", "destination": 7},
            "destination is an object with lat, lon",
        ),
        ("OBJECT-FIELD-MEASURE", {"origin": "Post", "destination": "Bank", "colour": 1}, "has no 'colour'"),
        (
            "LOCATION-BEARING-CLASSIFY",
            {"origin": "Post", "destination": "Bank", "names": 5},
            "names of bearing_to_direction is 5",
        ),
        ("ROUTE-OPTIMIZE", {"start": "Post", "stop": "Bank"}, "stop is a list"),
        ("GEOCODE-BATCH-COMPARE", {"reference": "Post", "candidates": [7]}, "name is a text"),
        ("TELEPORT", {}, "there is no template 'TELEPORT'"),
        (
            "PLACE-ATTRIBUTE-QUERY",
            {"place": fill("OBJECT-FIELD-MEASURE", FILLED["OBJECT-FIELD-MEASURE"])},
            "gives FIELD",
        ),
    ],
)
def test_values_that_do_not_fit_are_told(name: str, values: dict[str, Any], says: str) -> None:
    with pytest.raises(TemplateFault, match=says):
        fill(name, values)


def test_a_place_that_is_named_twice_is_looked_up_once() -> None:
    """How far is it from the town hall to the café that is nearest to it?"""
    nearest = fill("GEOCODE-BATCH-COMPARE", {"reference": "Rathaus", "candidates": CAFES})
    graph = fill("OBJECT-FIELD-MEASURE", {"origin": "Rathaus", "destination": nearest})
    assert [one.op for one in graph.steps] == ["geocode", "place_search", "nearest", "haversine"]
    assert graph.template_ids == ["GEOCODE-BATCH-COMPARE", "OBJECT-FIELD-MEASURE"]


@pytest.mark.parametrize(
    ("given", "wanted", "named", "operators"),
    [
        (["LOCATION", "LOCATION"], "FIELD", ["OBJECT-FIELD-MEASURE"], "geocode geocode haversine"),
        (
            ["LOCATION", "OBJECT"],
            "FIELD",
            ["GEOCODE-BATCH-COMPARE", "OBJECT-FIELD-MEASURE"],
            "geocode place_search nearest haversine",
        ),
        (["LOCATION", "OBJECT"], "LOCATION", ["GEOCODE-BATCH-COMPARE"], "geocode place_search nearest"),
        (["OBJECT"], "AMOUNT", ["FILTER-AGGREGATE-MEASURE"], "geocode place_search count"),
        (
            ["NETWORK", "EVENT"],
            "EVENT",
            ["TIME-WINDOW-REVERSE"],
            "geocode geocode directions extract_duration calculate_latest_departure",
        ),
        (
            ["NETWORK", "NETWORK", "LOCATION"],
            "EVENT",
            ["MULTI-ROUTE-COMPARE", "ROUTE-STEP-EXTRACT"],
            "geocode geocode directions directions compare_routes geocode steps_analysis",
        ),
    ],
)
def test_the_composition_with_the_fewest_steps_is_taken(
    given: list[str], wanted: str, named: list[str], operators: str
) -> None:
    values: dict[str, list[Any]] = {
        "LOCATION": ["Rathaus", "Post"],
        "OBJECT": [CAFES],
        "EVENT": ["08:00"],
        "NETWORK": [WAY, WAY | {"via": ["Kirche"]}],
    }
    graph = compose(
        [Given(one, values[one][given[:at].count(one)]) for at, one in enumerate(given)],
        wanted,
        {"by": "duration"},
    )
    assert graph.template_ids == named
    assert sorted(one.op for one in graph.steps) == sorted(operators.split())
    assert violations_of(graph) == []


def test_all_compositions_keep_the_rules_and_use_what_is_given() -> None:
    """No two concepts of a question are left unused: else they would not lead to the measure (G5)."""
    found = compositions(["LOCATION", "LOCATION", "OBJECT"], "FIELD")
    assert {tuple(one.names) for one in found} >= {
        ("OBJECT-FIELD-MEASURE", "GEOCODE-BATCH-COMPARE"),
        ("LOCATION-BEARING-CLASSIFY", "GEOCODE-BATCH-COMPARE"),
    }
    assert all(one.uses == {0, 1, 2} for one in found)
    assert compositions(["EVENT"], "PROPORTION") == []
    with pytest.raises(TemplateFault, match="no templates lead from EVENT to PROPORTION"):
        compose([Given("EVENT", "08:00")], "PROPORTION")


def test_templates_are_not_joined_where_roles_would_descend() -> None:
    """What details of a place support comes later than a condition that candidates must meet."""
    details, counted = find_template("PLACE-ATTRIBUTE-QUERY"), find_template("FILTER-AGGREGATE-MEASURE")
    assert not may_join(details, counted, counted.ports["objects"])
    compared = find_template("GEOCODE-BATCH-COMPARE")
    assert may_join(details, compared, compared.ports["candidates"])
    objects = fill("PLACE-ATTRIBUTE-QUERY", {"place": "Post"})
    with pytest.raises(TemplateFault, match="roles would descend at objects"):
        fill(counted.name, {"objects": objects, "attribute": "cuisine", "value": "pizza"})
