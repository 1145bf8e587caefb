"""GeoFlow graphs: reading, checking, both forms, one form for equal graphs, and graphs that are broken on purpose."""

import copy
import json
import random
from typing import Any

import pytest

from app.geoflow.canonical import canonical_graph, graph_hash
from app.geoflow.checking import CONSTRAINTS, is_well_formed, violations_of
from app.geoflow.corrupting import CORRUPTIONS, corrupt
from app.geoflow.graphs import Graph, GraphFault, read_graph, write_graph
from app.geoflow.ontology import ontology
from app.geoflow.projecting import factorise, project
from tests.support.flows import random_flow

ROUTE: dict[str, Any] = {
    "concepts": [
        {"id": "a", "name": "Krone", "type": "LOCATION", "role": "EXTENT"},
        {"id": "b", "name": "Linde", "type": "LOCATION", "role": "EXTENT"},
        {"id": "from", "type": "LOCATION", "role": "SUBCOND"},
        {"id": "to", "type": "LOCATION", "role": "SUBCOND"},
        {"id": "ways", "type": "NETWORK", "role": "SUPPORT", "implicit": True},
        {"id": "minutes", "type": "AMOUNT", "role": "MEASURE"},
    ],
    "steps": [
        {"id": "s1", "op": "geocode", "inputs": {"place": "a"}, "outputs": ["from"]},
        {"id": "s2", "op": "geocode", "inputs": {"place": "b"}, "outputs": ["to"]},
        {
            "id": "s3",
            "op": "directions",
            "inputs": {"origin": "from", "destination": "to"},
            "outputs": ["ways"],
            "params": {"mode": "walking"},
        },
        {"id": "s4", "op": "extract_duration", "inputs": {"route": "ways"}, "outputs": ["minutes"]},
    ],
    "measure": "minutes",
    "mode": "walking",
}
SEEDS = range(60)


def changed(**at: Any) -> dict[str, Any]:
    """The route with fields set by paths such as `concepts_4_type`; None takes the field away."""
    plan = copy.deepcopy(ROUTE)
    for path, value in at.items():
        *way, last = [int(one) if one.isdecimal() else one for one in path.split("__")]
        here: Any = plan
        for one in way:
            here = here[one]
        if value is None:
            del here[last]
        else:
            here[last] = value
    return plan


def found(plan: dict[str, Any]) -> set[tuple[str, str | None, str | None]]:
    return {(one.constraint, one.node, one.edge) for one in violations_of(read_graph(plan))}


def test_the_ontology_has_what_the_paper_names() -> None:
    known = ontology()
    assert [*known.concepts] == ["LOCATION", "OBJECT", "FIELD", "EVENT", "NETWORK", "AMOUNT", "PROPORTION"]
    assert [*known.roles] == ["EXTENT", "TEXTENT", "SUBCOND", "COND", "SUPPORT", "MEASURE"]
    assert known.follow("directions", "extract_duration") == ["route"]
    assert known.follow("extract_duration", "directions") == []
    assert ("LOCATION", "NETWORK") in {one[:2] for one in known.transformations()}


def test_a_graph_by_hand_is_well_formed() -> None:
    graph = read_graph(ROUTE)
    assert violations_of(graph) == []
    assert read_graph(json.loads(json.dumps(write_graph(graph)))) == graph


@pytest.mark.parametrize(
    ("at", "violation"),
    [
        ({"steps__0__inputs__place": "ways"}, ("G1", "from", "s1.place")),
        ({"concepts__2__role": "MEASURE"}, ("G2", "ways", "s3.origin")),
        ({"concepts__4__role": "EXTENT"}, ("G2", "ways", "s3.destination")),
        ({"concepts__4__type": "OBJECT"}, ("G3", "ways", "s3")),
        ({"concepts__0__type": "EVENT"}, ("G3", "a", "s1.place")),
        ({"steps__2__inputs__origin": None}, ("G4", None, "s3.origin")),
        ({"steps__2__op": "teleport"}, ("G4", None, "s3")),
        ({"steps__2__op": "transit_directions"}, ("G4", None, "s3")),
        ({"steps__2__params__mode": "swimming"}, ("G4", None, "s3.mode")),
        ({"steps__3__inputs__way": "ways"}, ("G4", None, "s4.way")),
        ({"steps__2__inputs__origin": "nowhere"}, ("G4", "nowhere", "s3")),
        ({"steps__1__outputs": ["from"]}, ("G4", "from", "s2")),
        ({"measure": "hours"}, ("G4", "hours", None)),
        ({"concepts__0__name": ""}, ("G4", "a", None)),
        ({"concepts__0__role": "SUBCOND"}, ("G5", "a", None)),
        ({"concepts__5__role": "SUPPORT"}, ("G5", "minutes", None)),
        ({"steps__3": None}, ("G5", "ways", None)),
    ],
)
def test_a_violation_is_named_by_constraint_and_place(
    at: dict[str, Any], violation: tuple[str, str | None, str | None]
) -> None:
    assert violation in found(changed(**at))


def test_without_a_place_or_time_the_map_is_the_extent() -> None:
    """Whether something is open is asked of no area: what no step makes takes the part of the extent."""
    plan = changed(concepts__0__role="SUBCOND", concepts__1__role="SUBCOND")
    assert found(plan) == set()


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        ([], "a graph is an object"),
        (changed(measure=None), "a graph has no measure"),
        (changed(concepts__0__type="PLACE"), "concept 0: type is one of LOCATION"),
        (changed(concepts__0__colour="red"), "'colour', which nothing reads"),
        (changed(concepts__1__id="a"), "two concepts have the id a"),
        (changed(steps__0__outputs=[]), "step 0: outputs is a list of 1 to 8"),
        (changed(steps__2__params={"mode": {"of": {"of": 1}}}), "params is an object of texts"),
        (changed(steps__2__params={"a": float("nan")}), "not finite"),
        (changed(steps__2__description="x" * 501), "at most 500 characters"),
        (changed(concepts=[]), "concepts is a list of 1 to 60"),
        (changed(mode="transit"), "mode is one of driving"),
    ],
)
def test_what_is_no_graph_is_refused(plan: Any, says: str) -> None:
    with pytest.raises(GraphFault, match=says):
        read_graph(plan)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_graphs_keep_the_rules_in_all_forms(seed: int) -> None:
    graph = random_flow(random.Random(seed))
    assert violations_of(graph) == []
    assert read_graph(json.loads(json.dumps(write_graph(graph)))) == graph
    back = factorise(project(graph))
    assert write_graph(back) == write_graph(graph)
    assert is_well_formed(canonical_graph(graph))
    assert canonical_graph(canonical_graph(graph)) == canonical_graph(graph)


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_graphs_have_one_hash_and_others_another(seed: int) -> None:
    draw = random.Random(seed)
    graph = random_flow(draw)
    assert graph_hash(_shuffled(graph, draw)) == graph_hash(graph)
    for _, broken in corrupt(graph, draw):
        assert graph_hash(broken) != graph_hash(graph)


def test_each_corruption_is_caught_under_its_constraint() -> None:
    """Ten thousand graphs that are broken, and two thousand that are not."""
    caught: dict[str, int] = {}
    for seed in range(2400):
        draw = random.Random(seed)
        graph = random_flow(draw)
        assert violations_of(graph) == [], seed
        for constraint, broken in corrupt(graph, draw):
            told = violations_of(broken)
            assert constraint in {one.constraint for one in told}, (seed, constraint, told)
            caught[constraint] = caught.get(constraint, 0) + 1
    assert set(caught) == set(CORRUPTIONS) == set(CONSTRAINTS)
    assert min(caught.values()) >= 1_000, caught
    assert sum(caught.values()) >= 10_000, caught


def _shuffled(graph: Graph, draw: random.Random) -> Graph:
    """The same graph with other ids, names of made concepts and orders."""
    numbers = [*range(len(graph.concepts))]
    draw.shuffle(numbers)
    names = {one.id: f"n{number}" for one, number in zip(graph.concepts, numbers, strict=True)}
    made = graph.makers()
    concepts = [
        one._replace(id=names[one.id], name=f"named {names[one.id]}" if one.id in made else one.name)
        for one in graph.concepts
    ]
    steps = [
        one._replace(
            id=f"t{number}",
            inputs={port: [names[each] for each in ids] for port, ids in one.inputs.items()},
            outputs=[names[each] for each in one.outputs],
            description="told otherwise",
        )
        for number, one in enumerate(graph.steps)
    ]
    draw.shuffle(concepts)
    draw.shuffle(steps)
    return graph._replace(concepts=concepts, steps=steps, measure=names[graph.measure])
