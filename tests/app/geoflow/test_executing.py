"""Execution of graphs: the order of steps, steps that fail, limits, and equal bytes."""

import copy
import random
from collections.abc import Mapping
from typing import Any

import pytest

from app.agent_tools.errors import ToolError
from app.agent_tools.tool_plans.running import Answering
from app.core.identity import canonical_json
from app.geoflow.executing import Execution, Limits, execute_on
from app.geoflow.graphs import read_graph
from app.geoflow.operators.base import find_work
from app.geoflow.operators.values import value_of_source
from tests.app.geoflow.conftest import TOOLS, Execute
from tests.app.geoflow.test_operators import AROUND, CENTRE, KRONE, LINDE, PLACES, found, plan
from tests.support.flows import random_flow

BETWEEN = ("m", "haversine", {"origin": "krone", "destination": "linde"})


def states(done: Execution) -> list[tuple[str, str]]:
    return [(one.step, one.state) for one in done.trace]


def as_bytes(done: Execution) -> str:
    return canonical_json(done.as_json())


def test_the_order_of_steps_in_the_plan_does_not_matter(run: Execute) -> None:
    graph = plan(PLACES, KRONE, LINDE, BETWEEN)
    turned = copy.deepcopy(graph)
    turned["steps"].reverse()
    assert as_bytes(run(graph)) == as_bytes(run(turned))
    assert [step for step, _ in states(run(turned))] == ["s0", "s1", "s2"]


def test_of_steps_that_are_ready_the_one_with_the_earlier_role_comes_first(run: Execute) -> None:
    graph = plan(PLACES, KRONE, LINDE, BETWEEN)
    graph["concepts"][4]["role"] = "COND"
    assert [step for step, _ in states(run(graph))] == ["s1", "s0", "s2"]


def test_what_does_not_need_a_failed_step_goes_on(run: Execute) -> None:
    lost = ("lost", "geocode", {"place": "x"})
    graph = plan(
        {**PLACES, "x": "Atlantis"},
        lost,
        ("far", "haversine", {"origin": "lost", "destination": "c"}),
        KRONE,
        ("m", "haversine", {"origin": "krone", "destination": "c"}),
    )
    done = run(graph)
    assert states(done) == [("s0", "failed"), ("s1", "unresolved"), ("s2", "done"), ("s3", "done")]
    assert found(done)["value"] == pytest.approx(100, abs=0.1)
    assert done.stage_of_fault() is None


def test_a_cycle_is_unresolved_and_ends(run: Execute) -> None:
    graph = plan(PLACES, KRONE, LINDE, BETWEEN)
    graph["steps"][0]["inputs"] = {"place": "k", "anchor": "linde"}
    graph["steps"][1]["inputs"] = {"place": "l", "anchor": "krone"}
    done = run(graph)
    assert {state for _, state in states(done)} == {"unresolved"}
    assert done.stage_of_fault() == "graph"


def test_equal_calls_are_made_once(tool_answers: Answering) -> None:
    made: list[str] = []

    def counted(call: Any) -> Any:
        made.append(call.tool.name)
        return tool_answers(call)

    twice = plan(
        {"a": "Krone", "b": "Krone"}, ("x", "geocode", {"place": "a"}), ("m", "geocode", {"place": "b"})
    )
    execute_on(read_graph(twice), counted, TOOLS)
    assert made == ["place_search"]


@pytest.mark.parametrize(
    ("limits", "stage", "says"),
    [
        (Limits(calls=1), "graph", "at most 1 calls"),
        (Limits(rows=1), "graph", "at most 1 members"),
        (Limits(seconds=-1), "tool", "is over"),
    ],
)
def test_limits_end_an_execution(tool_answers: Answering, limits: Limits, stage: str, says: str) -> None:
    graph = read_graph(plan(PLACES, KRONE, AROUND, ("m", "count", {"members": "around"})))
    done = execute_on(graph, tool_answers, TOOLS, limits)
    assert done.measure is None
    assert done.stage_of_fault() == stage
    assert any(says in one.says for one in done.trace)


def test_a_tool_that_is_slow_is_no_fault_of_the_graph(tool_answers: Answering) -> None:
    def slow(call: Any) -> Any:
        raise ToolError("This took too long.", "too_slow")

    done = execute_on(read_graph(plan(PLACES, KRONE, LINDE, BETWEEN)), slow, TOOLS)
    assert done.stage_of_fault() == "tool"


def test_any_graph_ends_with_a_value_or_with_what_is_to_blame() -> None:
    """Random well-formed graphs, whose literals mostly make no sense; nothing else than a fault may come of them."""

    def refusing(call: Any) -> Any:
        raise ToolError("nothing is there", "not_found")

    for seed in range(300):
        graph = random_flow(random.Random(seed))
        done = execute_on(graph, refusing, TOOLS)
        assert len(done.trace) == len(graph.steps)
        assert (done.measure is None) == (done.stage_of_fault() is not None)
        assert as_bytes(execute_on(graph, refusing, TOOLS)) == as_bytes(done)


def test_hostile_literals_are_a_fault_of_the_graph(run: Execute) -> None:
    for params in (
        {},
        {"radius_m": "far"},
        {"type": 7},
        {"attributes": "x"},
        {"radius_m": -1, "type": "\x00"},
    ):
        graph = plan({"c": CENTRE}, ("m", "place_search", {"center": "c"}, params))
        assert run(graph).stage_of_fault() == "graph"


@pytest.mark.parametrize("name", ["", "Krone", "n5", "50.0,10.0", "95,10"])
def test_a_source_is_what_its_name_tells(name: str) -> None:
    (concept, *_) = read_graph(
        plan({"x": name or {"lat": 1.0, "lon": 2.0}}, ("m", "geocode", {"place": "x"}))
    ).concepts
    known: Mapping[str, Mapping[str, Any]] = {
        "": {"lat": 1.0, "lon": 2.0},
        "Krone": {"name": "Krone"},
        "n5": {"id": "n5"},
        "50.0,10.0": {"lat": 50.0, "lon": 10.0},
        "95,10": {"lat": 95.0},
    }
    assert known[name].items() <= value_of_source(concept).data.items()


def test_there_is_no_other_operator() -> None:
    with pytest.raises(ValueError, match="there is no operator 'fly'"):
        find_work("fly")
