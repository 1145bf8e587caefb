"""Which road comes when on the fastest route by car. Seconds, metres.

Rows are the steps of the route. Roads without name or number do not count; a road that goes on under its name after
them is the same.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from app.benchmarks.mapeval.derivations.nearest import ORDINALS
from app.core.names import normal_form
from app.questions.alike import is_related
from app.questions.derivations.base import Case, Derived, Row, derivation, refused
from app.questions.derivations.plans import JSON, call, found, plan, result, search

FIRST_RANK = 1
"""From 0: the first road of a route is never asked for."""
ROUTE = 2
"""The number of the call that tells the route, after those that find its ends."""


class RoadTaken(NamedTuple):
    """A road that the route follows: its name, the numbers of its first and its last step, and for how long."""

    name: str
    step: int
    last: int
    metres: float


def roads_taken(rows: Sequence[Row]) -> list[RoadTaken]:
    """The roads in their order; a road that the route leaves and takes again is there twice."""
    named = [row for row in rows if row["road"]]
    grouped = [list(steps) for _, steps in groupby(named, key=lambda row: normal_form(row["road"]))]
    return [
        RoadTaken(
            steps[0]["road"],
            steps[0]["number"],
            steps[-1]["number"],
            sum(step["metres"] for step in steps),
        )
        for steps in grouped
    ]


@derivation("mapeval", "road_on_route")
def road_on_route(case: Case) -> Derived:
    """The road of a rank, if every road up to the next one is long enough to be told apart, and comes once."""
    rank = ORDINALS.index(str(case.binds["ordinal"]))
    roads = roads_taken(case.rows)
    refusal = _fault_of(case, roads) or _fault_of_rank(roads, rank, case.margins)
    return refused(refusal) if refusal else _tell(case, roads[rank])


def roads_to_ask_for(rows: Sequence[Row], margins: Mapping[str, float]) -> list[str]:
    """The names of the roads whose rank can be asked for, in their order."""
    roads = roads_taken(rows)
    ranks = range(FIRST_RANK, min(len(ORDINALS), len(roads)))
    return [roads[rank].name for rank in ranks if _fault_of_rank(roads, rank, margins) is None]


def _fault_of_rank(roads: Sequence[RoadTaken], rank: int, margins: Mapping[str, float]) -> str | None:
    """Why the road of a rank may not be asked for: the one after it has to be told apart, too."""
    if len(roads) <= rank + 1:
        return "too_few_roads"
    if any(road.metres < margins["stretch"] for road in roads[: rank + 2]):
        return "short_road"
    return None


def _fault_of(case: Case, roads: list[RoadTaken]) -> str | None:
    """Why nothing may be asked about the roads of a route."""
    refusal = fault_of_ends(case)
    if refusal:
        return refusal
    names = [normal_form(road.name) for road in roads]
    if len(names) < case.margins["roads"]:
        return "too_few_roads"
    if len({*names}) < len(names) or any(";" in name for name in names):
        return "road_twice"
    return "near_tie" if is_nearly_as_fast(case) else None


def fault_of_ends(case: Case) -> str | None:
    """Why nothing may be asked about a route between such ends, whatever it is like."""
    if not case.rows:
        return "no_way"
    first = case.rows[0]
    if first["seconds"] < case.margins["shortest"]:
        return "too_close"
    if first["seconds"] > case.margins["longest"]:
        return "long_way"
    return "near_duplicate" if is_related(first["origin_name"], first["destination_name"]) else None


def is_nearly_as_fast(case: Case) -> bool:
    """Whether another route takes hardly longer, so that other rounding might tell that one first."""
    route = case.rows[0]
    if route["next_seconds"] is None:
        return False
    behind = route["next_seconds"] - route["seconds"]
    return bool(behind < max(case.margins["seconds"], case.margins["share"] * route["seconds"]))


def _tell(case: Case, road: RoadTaken) -> Derived:
    answer = {"text": step_result(road.step, "road")}
    return Derived(
        {"text": road.name},
        evidence=ends_of(case),
        margin={"metres": road.metres},
        solutions=plan_of_route(case, answer),
    )


def ends_of(case: Case) -> list[tuple[str, str]]:
    """Layer and osm_key of both ends of the route."""
    return [("poi", case.rows[0][name]) for name in ("origin_key", "destination_key")]


def step_result(step: int, field: str) -> JSON:
    """What the tool says of a step of the fastest route."""
    return result(ROUTE, "routes", 0, "steps", step, field)


def plan_of_route(case: Case, answer: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """The plan that finds both ends and the route, and what follows from its steps."""
    names = [" ".join(case.rows[0][name].split()) for name in ("origin_name", "destination_name")]
    ends: list[JSON] = [found(number, name=name) for number, name in enumerate(names)]
    route = call("directions", origin=ends[0], destination=ends[1], mode="car")
    return plan(answer, *map(search, names), route)
