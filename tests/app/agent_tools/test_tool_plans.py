"""Tool plans: read by rules, carried out on the town of tools, and every fault told."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from sqlalchemy import text

from app.agent_tools.calling import answer_call
from app.agent_tools.scope import Scope
from app.agent_tools.tool_plans.reading import LONGEST, MOST_CALLS, PlanFault, batches_of, read_plan
from app.agent_tools.tool_plans.running import Answering, evaluate, run_plan, sets_for, solve_plan
from app.core.settings import Role
from app.db.engine import connect, use_schema
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers
from tests.app.agent_tools.conftest import CENTRE
from tests.support.town import Imported, apart

APART: dict[str, Any] = {
    "calls": [
        {"tool": "place_search", "arguments": {"query": "Krone"}},
        {"tool": "place_search", "arguments": {"query": "Linde"}},
        {
            "tool": "distance",
            "arguments": {
                "origin": {"$call": 0, "path": "hits.0.id"},
                "destination": {"$call": 1, "path": ["hits", {"first": {"name": "Linde"}}, "id"]},
            },
        },
    ],
    "answer": {"distance": {"$call": 2, "path": "distance_m"}},
}


@pytest.fixture
def answering(tool_town: Imported) -> Iterator[Answering]:
    """Answers calls on the town."""
    with connect(tool_town.settings, Role.MAINTAINER) as connection:
        (snapshot,) = find_snapshots(connection, ["tools"])
        yield partial(answer_call, connection, snapshot, Routers(tool_town.settings))


def test_a_plan_leads_from_one_result_to_the_next(tool_town: Imported, answering: Answering) -> None:
    run = run_plan(read_plan(APART), answering)
    krone, linde = (tool_town.key(name) for name in ("Krone", "Linde"))
    assert [call.tool for call in run.calls] == ["place_search", "place_search", "distance"]
    assert run.calls[2].arguments == {"origin": krone, "destination": linde}
    assert tool_town.map is not None
    metres, _ = apart(tool_town.map.places[krone], tool_town.map.places[linde])
    assert run.answer["distance"] == pytest.approx(metres, abs=0.02)
    assert run.calls[2].sentence.startswith("The distance from Krone to Linde is")


def test_calls_that_need_nothing_of_each_other_are_made_together() -> None:
    assert batches_of(read_plan(APART)) == [[0, 1], [2]]


def test_the_nearest_is_chosen_by_its_number(tool_town: Imported, answering: Answering) -> None:
    here = f"{CENTRE[1]},{CENTRE[0]}"
    names = ("Linde", "Krone", "Sonne")
    calls = [{"tool": "place_search", "arguments": {"query": name}} for name in names]
    calls += [
        {
            "tool": "distance",
            "arguments": {"origin": here, "destination": {"$call": place, "path": "hits.0.id"}},
        }
        for place in range(len(names))
    ]
    members = [
        {"say": name, "by": {"$call": len(names) + place, "path": "distance_m"}}
        for place, name in enumerate(names)
    ]
    for choice, found in (("$least", "Krone"), ("$greatest", "Sonne")):
        plan = {"calls": calls, "answer": {"text": {choice: members}}}
        assert run_plan(read_plan(plan), answering).answer == {"text": found}


def test_members_are_counted_picked_and_told_apart(answering: Answering) -> None:
    nearby = {"tool": "nearby", "arguments": {"where": "50.0,10.0", "type": "restaurant", "radius_m": 450}}
    found = {
        "count": {"$count": {"$call": 0, "path": "places"}},
        "nearest": {"$call": 0, "path": ["places", {"least": "distance_m"}, "name"]},
        "farthest": {"$call": 0, "path": ["places", {"greatest": "distance_m"}, "name"]},
        "at_linde": {"$call": 0, "path": ["places", {"first": {"name": "Nobody"}}], "else": "nowhere"},
        "only": {"$only": [{"say": "a", "by": 1}, {"say": "b", "by": 2}], "equals": 2},
        "of_two": {"$among": ["a", "b", "a", None], "of": ["a", "c"]},
        "equals": {
            "$only": [{"say": "Krone is near", "by": ["Krone"]}, {"say": "Sonne is near", "by": ["Sonne"]}],
            "equals": [{"$call": 0, "path": ["places", {"least": "distance_m"}, "name"]}],
        },
        "sum": {"$sum": [1.5, {"$count": {"$call": 0, "path": "places"}}]},
        "reached": {"$at_most": [2, {"$sum": [2, 1]}, 4], "limit": {"$sum": [1, 2]}},
        "minutes": [{"$minutes": seconds} for seconds in (10, 89.9, 90.1, 3600)],
        "later": {"$clock": "23:50", "add": {"$minutes": 900}},
        "earlier": {"$clock": "2024-09-17T00:05", "take": 10},
        "each": {"$each": [{"n": 1}, {"n": 2}], "of": "n"},
        "north": {
            "$first": {"$where": [{"lat": 1, "n": "a"}, {"lat": 3, "n": "b"}], "field": "lat", "above": 2},
            "of": "n",
        },
        "south": {"$each": {"$where": [{"lat": 1}, {"lat": 3}], "field": "lat", "below": 2}, "of": "lat"},
        "present": {"$present": [{"say": "bar", "by": 2}, {"say": "cafe", "by": 0}]},
        "point": {"$point": {"lat": 47.5, "lon": -9.25, "name": "x"}},
        "typed": {
            "$each": {
                "$typed": [
                    {"id": "n1", "type": "cafe; bar"},
                    {"id": "n2", "type": "fast food"},
                    {"id": "n3", "type": "bar"},
                ],
                "as": ["bar", "pub"],
                "but": ["n3"],
            },
            "of": "id",
        },
    }
    run = run_plan(read_plan({"calls": [nearby], "answer": found}), answering)
    assert run.answer == {
        "count": 3, "nearest": "Krone", "farthest": "Sonne", "at_linde": "nowhere", "only": "b", "sum": 4.5,
        "of_two": 2, "equals": "Krone is near", "reached": 2, "minutes": [1, 1, 2, 60], "later": "00:05", "earlier": "2024-09-16T23:55",
        "each": [1, 2], "north": "b", "south": [1], "present": ["bar"], "point": "47.5,-9.25", "typed": ["n1"],
    }  # fmt: skip


def test_a_plan_is_carried_out_within_a_transaction_that_goes_on(tool_town: Imported) -> None:
    with connect(tool_town.settings, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, ["tools"])
        use_schema(connection, snapshot.schema)
        connection.execute(text("set local statement_timeout = '77s'"))
        connection.execute(text("create temp table kept (one integer)"))
        solved = solve_plan(connection, snapshot, APART)
        assert solved["distance"] > 200
        with pytest.raises(PlanFault, match="call 2"):
            solve_plan(connection, snapshot, APART | {"calls": [*APART["calls"][:2], LOST]})
        connection.execute(text("insert into kept values (1)"))
        assert connection.execute(text("show statement_timeout")).scalar_one() == "77s"
        assert connection.execute(text("select count(*) from poi")).scalar_one() > 0
        connection.rollback()


LOST = {"tool": "place_details", "arguments": {"place": "n1234567"}}


def test_the_set_of_all_tools_has_every_plan() -> None:
    assert [one.name for one in sets_for(read_plan(APART))] == ["all"]


BAD: dict[str, tuple[Any, str]] = {
    "no object": ([], "a plan has calls and an answer"),
    "more than calls and answer": (APART | {"code": "1"}, "a plan has calls and an answer"),
    "no calls": (APART | {"calls": []}, "1 to 20 calls"),
    "too many calls": (APART | {"calls": APART["calls"][:1] * (MOST_CALLS + 1)}, "1 to 20 calls"),
    "no answer": (APART | {"answer": {}}, "an object with a field"),
    "a later call": (APART | {"answer": {"x": {"$call": 3, "path": "a"}}}, "needs the result of call 3"),
    "a call of itself": (
        {"calls": [{"tool": "t", "arguments": {"a": {"$call": 0, "path": "a"}}}], "answer": {"x": 1}},
        "call 0 needs the result of call 0",
    ),
    "an unknown expression": (APART | {"answer": {"x": {"$eval": "1"}}}, "holds \\$eval"),
    "an expression with more keys": (APART | {"answer": {"x": {"$count": [], "by": 1}}}, "goes with"),
    "no path": (APART | {"answer": {"x": {"$call": 0, "path": []}}}, "is no path"),
    "a path of code": (APART | {"answer": {"x": {"$call": 0, "path": [{"where": "1=1"}]}}}, "is no path"),
    "members without say": (APART | {"answer": {"x": {"$least": [{"by": 1}]}}}, "say and by"),
    "too long": (APART | {"answer": {"x": "a" * LONGEST}}, "at most 20000 characters"),
}  # fmt: skip


@pytest.mark.parametrize(("plan", "fault"), BAD.values(), ids=BAD)
def test_a_plan_that_breaks_the_rules_is_refused(plan: Any, fault: str) -> None:
    with pytest.raises(PlanFault, match=fault):
        read_plan(plan)


def test_a_plan_cannot_be_nested_without_end() -> None:
    value: Any = 1
    for _ in range(30):
        value = [value]
    with pytest.raises(PlanFault, match="nested"):
        read_plan(APART | {"answer": {"x": value}})


UNLEADING: dict[str, tuple[Any, str]] = {
    "nowhere": ({"$call": 0, "path": "a.b"}, "call 0: there is no 'b'"),
    "no such member": ({"$call": 0, "path": ["list", {"first": {"n": 9}}]}, "no member has"),
    "no list": ({"$count": {"$call": 0, "path": "a"}}, "there is no list"),
    "no sum": ({"$sum": [1, "2"]}, "not all of .* are numbers"),
    "nothing to be among": ({"$among": ["a"], "of": "a"}, "there is no list"),
    "nothing in a list": ({"$first": [], "of": "n"}, "the list has no member"),
    "no such field": ({"$each": [{"a": 1}], "of": "n"}, "there is no 'n'"),
    "no objects": ({"$each": [1], "of": "n"}, "not all members of the list are objects"),
    "no bound": ({"$where": [{"a": 1}], "field": "a", "above": "2"}, "not all of .* are numbers"),
    "no point": ({"$point": "47,9"}, "there is no place with lat and lon"),
    "no type": ({"$typed": [{"id": "n1"}], "as": ["bar"]}, "there is no 'type'"),
    "no limit": ({"$at_most": [1], "limit": "2"}, "not all of .* are numbers"),
    "no seconds": ({"$minutes": True}, "not all of .* are numbers"),
    "no time": ({"$clock": "noon", "add": 5}, "no time is 5 minutes from 'noon'"),
    "no date": ({"$clock": 9, "take": 5}, "no time is -5 minutes from 9"),
    "a time that no calendar has": ({"$clock": "09:10", "add": 1e12}, "no time is"),
    "equally least": ({"$least": [{"say": "x", "by": 1}, {"say": "y", "by": 1}]}, "equally the least"),
    "no number": ({"$greatest": [{"say": "x", "by": "1"}]}, "cannot be told"),
    "two equal": (
        {"$only": [{"say": "x", "by": 1}, {"say": "y", "by": 1}], "equals": 1},
        "2 members equal 1",
    ),
    "none equal": ({"$only": [{"say": "x", "by": 1}], "equals": 2}, "0 members equal 2"),
}


@pytest.mark.parametrize(("value", "fault"), UNLEADING.values(), ids=UNLEADING)
def test_what_leads_nowhere_is_told(value: Any, fault: str) -> None:
    with pytest.raises(PlanFault, match=fault):
        evaluate(value, [{"a": 1, "list": [{"n": 1}, {"n": 2}]}])


def test_the_error_of_a_tool_is_told(answering: Answering) -> None:
    for tool, arguments, fault in (
        ("no_such_tool", {}, "call 0: There is no tool"),
        ("place_details", {"place": "n1234567"}, "call 0: .*has no place n1234567"),
        ("place_details", {"place": 7}, "call 0: place_details: 'place' was"),
    ):
        plan = read_plan({"calls": [{"tool": tool, "arguments": arguments}], "answer": {"x": 1}})
        with pytest.raises(PlanFault, match=fault):
            run_plan(plan, answering)


def test_only_agents_must_be_quick(tool_town: Imported) -> None:
    """What a question is made of does not depend on how busy the machine is."""
    with connect(tool_town.settings, Role.MAINTAINER) as connection:
        (snapshot,) = find_snapshots(connection, ["tools"])
        scope, limit = Scope(connection, snapshot, None), text("show statement_timeout")
        before = connection.execute(limit).scalar_one()
        with scope.within_transaction():
            assert scope.rows(limit, {}) == [(before,)]
        scope.begin()
        assert scope.rows(limit, {}) == [("2s",)]
