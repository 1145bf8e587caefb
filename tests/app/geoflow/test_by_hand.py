"""Graphs that people wrote: they keep all constraints, and each way in which one is broken is named where it is."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from app.geoflow.checking import CONSTRAINTS, violations_of
from app.geoflow.graphs import Graph, GraphFault, read_graph
from app.geoflow.notation import graph_of, lines_of, plan_of

GRAPHS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("by_hand.toml").read_text())["graph"]
BROKEN = [(graph, one) for graph in GRAPHS for one in graph["broken"]]
STEP = re.compile(r"(s\d+): (.* = .*)")


def changed(lines: str, changes: list[str]) -> Graph:
    """The graph with concepts, steps and the measure replaced by id, or added."""
    plan = plan_of(lines)
    for change in changes:
        step = STEP.fullmatch(change)
        part = plan_of(step[2] if step else change)
        plan |= {key: value for key, value in part.items() if key not in ("concepts", "steps")}
        for key in ("concepts", "steps"):
            for one in part[key]:
                fresh = one | {"id": step[1]} if step else one
                known = [other["id"] for other in plan[key]]
                if fresh["id"] in known:
                    plan[key][known.index(fresh["id"])] = fresh
                else:
                    plan[key].append(fresh)
    return read_graph(plan)


def test_there_are_a_hundred_and_fifteen_or_more_of_each_constraint() -> None:
    assert len(BROKEN) >= 100
    counts = Counter(one["breaks"] for _, one in BROKEN)
    assert counts.keys() == CONSTRAINTS.keys()
    assert min(counts.values()) >= 15
    assert len({graph["template"] for graph in GRAPHS}) == 10


@pytest.mark.parametrize("graph", GRAPHS, ids=[one["question"] for one in GRAPHS])
def test_graphs_by_hand_are_well_formed_and_written_as_lines_again(graph: dict[str, Any]) -> None:
    read = graph_of(graph["lines"])
    assert violations_of(read) == []
    assert lines_of(read) == graph["lines"].strip()
    assert graph_of(lines_of(read)) == read


@pytest.mark.parametrize(
    ("graph", "broken"), BROKEN, ids=[f"{one['breaks']} {graph['question']}" for graph, one in BROKEN]
)
def test_each_violation_is_named_where_it_is(graph: dict[str, Any], broken: dict[str, Any]) -> None:
    told = violations_of(changed(graph["lines"], broken["change"]))
    places = {(one.constraint, one.node, one.edge) for one in told}
    assert (broken["breaks"], broken.get("node"), broken.get("edge")) in places, places
    assert {one.constraint for one in told} == {broken["breaks"], *broken.get("also", [])}, places
    assert all(one.says and one.mend for one in told)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("hello", "neither a concept nor a step"),
        ('a: LOCATION EXTENT "Krone', "is no JSON"),
        ("a: LOCATION EXTENT 7", "a name in quotes"),
        ("a = geocode(place=b c=d)", "cannot read the ports"),
        ("a = geocode(place=b; 7)", "cannot read the parameters"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: str, says: str) -> None:
    with pytest.raises(GraphFault, match=says):
        graph_of(line)


def test_what_is_asked_for_must_be_computed() -> None:
    told = violations_of(graph_of('m: FIELD MEASURE {"value": 1234, "unit": "m"}\nmeasure m'))
    assert [(one.constraint, one.node) for one in told] == [("G5", "m")]
    assert told[0].says == "no step computes m, which the question asks for"
