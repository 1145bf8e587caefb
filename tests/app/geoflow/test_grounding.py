"""Values that a graph begins with and that its operators cannot work with are named before it is executed."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from app.geoflow.checking import violations_of
from app.geoflow.graphs import read_graph
from app.geoflow.grounding import ungrounded
from app.geoflow.retrieving import examples
from tests.app.geoflow.test_operators import AROUND, CENTRE, KRONE, plan
from tests.support.flows import random_flow

FAR = ("m", "haversine", {"origin": "k", "destination": "l"})
OPEN = ("m", "open_at_time", {"place": "krone", "time": "t"})
COUNT = ("m", "count", {"members": "k"})


@pytest.mark.parametrize(
    ("sources", "steps", "wanted"),
    [
        ({"k": "Krone", "l": "Linde"}, [FAR], {("k", "s0.origin"), ("l", "s0.destination")}),
        ({"k": CENTRE, "l": "n5"}, [FAR], set()),
        ({"k": "Krone", "l": "Linde"}, [KRONE, (*FAR[:2], {"origin": "krone", "destination": "l"})], {("l", "s1.destination")}),
        ({"c": "Krone"}, [AROUND, ("m", "count", {"members": "around"})], {("c", "s0.center")}),
        ({"k": {"type": "OBJECT", "name": "cafes"}}, [COUNT], {("k", "s0.members")}),
        ({"k": {"type": "NETWORK", "name": "the way"}}, [COUNT], {("k", "s0.members")}),
        ({"k": "Krone", "t": {"type": "EVENT", "time": "09:10"}}, [KRONE, OPEN], {("t", "s1.time")}),
        ({"k": "Krone", "t": {"type": "EVENT", "time": "09:10", "day": "Tue"}}, [KRONE, OPEN], set()),
        ({"k": "Krone"}, [("m", "place_details", {"place": "k"})], {("k", "s0.place")}),
        ({"k": "Ring", "l": "Gasse"}, [("m", "intersection_of", {"street": "k", "other": "l"})], set()),
        ({"k": {"type": "AMOUNT", "value": "many"}}, [("m", "sum", {"amounts": ["k"]})], {("k", "s0.amounts")}),
        ({"k": "Krone"}, [("m", "calculate_place", {"values": "k"}, {"expression": '{"$call": 0, "path": "name"}'})], set()),
    ],
)  # fmt: skip
def test_what_nothing_can_work_with_is_named(
    sources: Mapping[str, Any], steps: list[tuple[Any, ...]], wanted: set[tuple[str, str]]
) -> None:
    graph = read_graph(plan(sources, *steps))
    assert violations_of(graph) == []
    found = ungrounded(graph)
    assert {(one.node, one.edge) for one in found} == wanted
    assert {one.constraint for one in found} <= {"G4"}


def test_what_is_to_be_done_is_said() -> None:
    (fault, _) = ungrounded(read_graph(plan({"k": "Krone", "l": "Linde"}, FAR)))
    assert fault.says == "k: 'Krone' has no position: let geocode find it first"
    assert fault.mend == "let geocode find k first, and bind the port to what geocode gives"


def test_the_stored_examples_and_grounded_graphs_are_grounded() -> None:
    assert [(one.question, ungrounded(one.graph)) for one in examples() if ungrounded(one.graph)] == []
    for seed in range(200):
        assert ungrounded(random_flow(random.Random(seed))) == []
