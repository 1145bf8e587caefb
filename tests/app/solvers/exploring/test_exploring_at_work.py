"""GeoRover's solver and those without a model, in a worker, on a town whose stations are known by hand."""

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.planning import RunOptions, draft_run
from app.predictions.runs import plan_run
from app.questions.snapshots import find_snapshots
from app.questions.versions import find_version
from tests.app.agent_tools.georover.conftest import CENTRE, make_station_town
from tests.app.predictions.test_worker import work
from tests.support.agent_runs import make_town_of_questions, plan_agent
from tests.support.factories import MadeMap, MadeVersion, QuestionSpec, make_version
from tests.support.processes import query, scalar
from tests.support.rover import serving_rover
from tests.support.town import import_map, offset
from tests.support.turns_endpoint import Message, calling, in_turn, serving_turns

HERE = {"tool_name": "Search_Stations", "coord": list(CENTRE)}
AWAY = {"tool_name": "Search_Stations", "coord": list(offset(CENTRE, 180, 7000))}
LIST = [
    {"station_name": name, "station_location": [10, 50], "station_distance": "1.000 km"}
    for name in ("Row 300", "Other", "Twin")
]
KINDS = {"restaurant": "restaurant", "bank": "bank"}


class Town(NamedTuple):
    """The town, and a question for each of KINDS."""

    settings: Settings
    version: MadeVersion


@pytest.fixture(scope="module")
def stops(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Town:
    settings = make_database().model_copy(update={"backoff_seconds": 0.01})
    folder = tmp_path_factory.mktemp("stops")
    import_map(settings, make_station_town().write(folder / "stations.osm"), "stations")
    with connect(settings, Role.WORKER) as connection:
        (found,) = find_snapshots(connection, ["stations"])
    lon, lat = CENTRE
    specs = [
        QuestionSpec(
            "Destination_With_Activity",
            "destinations",
            f"I am at longitude, latitude ({lon}, {lat}). Find a charging station near a {name}.",
            {
                "stations": [],
                "tier": "10",
                "need_moves": 0,
                "user": {"lon": lon, "lat": lat},
                "density": "road",
            },
            {"destination": "charging_station", "activity": name, "user": f"{lon},{lat},road"},
            binds={"activity": classes},
        )
        for name, classes in KINDS.items()
    ]
    return Town(settings, make_version(settings, specs, made_map=MadeMap(found.id, found.schema)))


class Ended(NamedTuple):
    state: str
    answer: str | None
    detail: dict[str, Any]
    error: str | None


def _ends(settings: Settings, run_id: int) -> list[Ended]:
    rows = query(
        settings,
        "select p.state, p.answer, p.detail, p.error from prediction p join question q"
        " on (q.version_id, q.id) = (p.version_id, p.question_id) where p.run_id = :id order by q.position",
        id=run_id,
    )
    return [Ended(*row) for row in rows]


def _requests(settings: Settings, run_id: int, position: int = 0) -> list[dict[str, Any]]:
    rows = query(
        settings,
        "select s.request from step s join question q on (q.version_id, q.revision) = (:version, s.question_revision)"
        " where s.run_id = :id and s.kind = 'tool' and q.position = :position order by s.ordinal",
        id=run_id,
        version=scalar(settings, "select version_id from run where id = :id", id=run_id),
        position=position,
    )
    return [row.request for row in rows]


def _saying(*values: Any) -> list[Message]:
    return [{"content": one if isinstance(one, str) else json.dumps(one)} for one in values]


def _run(town: Town, said: Sequence[Message], **terms: Any) -> tuple[int, list[dict[str, Any]], Ended]:
    """A run of georover over both questions; what the first one was asked, and how it ended."""
    with serving_turns(in_turn(said)) as turns:
        run_id = plan_agent(town.settings, town.version, turns.url, "georover", seed=_next_seed(), **terms)
        work(town.settings)
    asked = [one for one in turns.asked if "near a restaurant" in one["messages"][1]["content"]]
    return run_id, asked, _ends(town.settings, run_id)[0]


_seeds = iter(range(1000))


def _next_seed() -> int:
    return next(_seeds)


def _plan_alone(town: Town, solver: str, seed: int = 0) -> int:
    with connect(town.settings, Role.WORKER) as connection:
        plan = draft_run(
            connection, find_version(connection, town.version.dataset), RunOptions(solver, seed=seed)
        ).asking(connection, None)
        planned = plan_run(connection, plan, SystemClock().now(), town.settings.batch_size)
        connection.commit()
    return planned.id


def test_an_episode_of_calls_moves_and_a_list(stops: Town) -> None:
    run_id, asked, ended = _run(stops, _saying(HERE, HERE, AWAY, LIST))
    assert (ended.state, json.loads(ended.answer or ""), ended.error) == ("answered", LIST, None)
    counts = {
        "chat_calls": 4,
        "tool_calls": 3,
        "failed_calls": 0,
        "repeated_calls": 1,
        "format_faults": 0,
        "left_out": 0,
    }
    assert ended.detail["agent"] == counts
    assert ended.detail["georover"] == {"moves": 0, "implicit_moves": 1}
    requests = _requests(stops.settings, run_id)
    assert [one["tool"] for one in requests] == ["Search_Stations"] * 3
    assert {one["set"] for one in requests} == {"georover"}
    # The nearest station that was told lies 210 m south of the centre.
    assert [one.get("implicit_move_m") for one in requests] == [None, None, pytest.approx(6790, abs=0.1)]
    first, _, third, _ = asked
    assert "tools" not in first
    assert [one["role"] for one in third["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert "Row 300" in third["messages"][3]["content"]
    assert "20 times at most" in first["messages"][0]["content"]


def test_too_few_stations_and_broken_json_are_told_and_the_work_goes_on(stops: Town) -> None:
    _, asked, ended = _run(stops, _saying(LIST[:2], "let me see", HERE, "{", LIST))
    assert ended.state == "answered"
    assert (ended.detail["agent"]["format_faults"], ended.detail["agent"]["tool_calls"]) == (3, 1)
    assert "3 are the fewest: go on looking" in asked[1]["messages"][-1]["content"]
    assert "There is no JSON in your message." in asked[2]["messages"][-1]["content"]


def test_three_replies_in_a_row_that_cannot_be_used_end_the_episode(stops: Town) -> None:
    _, asked, ended = _run(stops, _saying(HERE, "no", LIST[:1], "no"))
    assert (ended.state, ended.answer, ended.detail["outcome"]) == ("no_answer", None, "unusable_replies")
    assert len(asked) == 4


def test_after_twenty_calls_no_answer_is_asked_for(stops: Town) -> None:
    run_id, asked, ended = _run(stops, _saying(*[HERE] * 20, LIST))
    assert (ended.state, ended.detail["outcome"]) == ("no_answer", "call_limit")
    assert (ended.detail["agent"]["tool_calls"], ended.detail["agent"]["repeated_calls"]) == (20, 19)
    assert len(asked) == 20
    assert len(_requests(stops.settings, run_id)) == 20
    assert scalar(stops.settings, "select status from run where id = :id", id=run_id) == "complete"


def test_stored_steps_are_replayed_and_not_made_again(stops: Town) -> None:
    """As if every worker had died after the second call of a tool."""
    with serving_turns(in_turn(_saying(HERE, AWAY, LIST))) as turns:
        run_id = plan_agent(stops.settings, stops.version, turns.url, "georover", seed=_next_seed())
        work(stops.settings)
        before, ends = len(turns.asked), _ends(stops.settings, run_id)
        query(stops.settings, "delete from prediction where run_id = :id", id=run_id)
        query(stops.settings, "delete from step where run_id = :id and ordinal >= 3", id=run_id)
        query(stops.settings, "update batch set state = 'waiting' where run_id = :id", id=run_id)
        query(stops.settings, "update run set status = 'running' where id = :id", id=run_id)
        work(stops.settings)
    assert len(turns.asked) - before == len(KINDS)
    assert _ends(stops.settings, run_id) == ends
    assert [one.get("implicit_move_m") is None for one in _requests(stops.settings, run_id)] == [True, False]


def test_nineteen_calls_and_a_list_are_an_answer(stops: Town) -> None:
    _, _, ended = _run(stops, _saying(*[HERE] * 19, LIST))
    assert (ended.state, ended.detail["agent"]["tool_calls"]) == ("answered", 19)


def test_fences_are_read_where_the_run_is_lenient_alone(stops: Town) -> None:
    fenced = _saying(f"```json\n{json.dumps(HERE)}\n```", LIST)
    _, _, lenient = _run(stops, fenced)
    assert (lenient.state, lenient.detail["agent"]["format_faults"]) == ("answered", 1)
    _, asked, strict = _run(stops, fenced, lenient=False)
    assert (strict.state, strict.detail["agent"]["tool_calls"]) == ("answered", 0)
    assert "not one JSON and nothing else" in asked[1]["messages"][-1]["content"]


def test_native_calls_and_a_larger_view(stops: Town) -> None:
    said = [
        calling(("Search_Stations", {"coord": list(CENTRE)}), ("Search_Nearby_POI", {"coord": "here"})),
        *_saying(LIST),
    ]
    run_id, asked, ended = _run(stops, said, manner="native", tools="georover_10km")
    assert ended.state == "answered"
    assert (ended.detail["agent"]["tool_calls"], ended.detail["agent"]["failed_calls"]) == (2, 1)
    assert [one["function"]["name"] for one in asked[0]["tools"]] == [
        "Search_Stations", "Search_Nearby_POI", "Change_Current_Location", "Cal_Distance",
    ]  # fmt: skip
    told = [one["content"] for one in asked[1]["messages"] if one["role"] == "tool"]
    assert "Far" in told[0]
    assert "write a point as [longitude, latitude]" in told[1]
    assert {one["set"] for one in _requests(stops.settings, run_id)} == {"georover_10km"}


def test_other_tools_and_other_questions_are_refused(stops: Town, tmp_path: Any, make_database: Any) -> None:
    with serving_turns(in_turn(_saying(LIST))) as turns:
        with pytest.raises(
            UsageError, match="works with the tools georover or georover_10km, not with mapeval"
        ):
            plan_agent(stops.settings, stops.version, turns.url, "georover", tools="mapeval")
        other = make_database()
        towns = make_town_of_questions(other, tmp_path)
        with pytest.raises(UsageError, match="1 of 1 questions ask for something else than stations"):
            plan_agent(other, towns, turns.url, "georover")


@pytest.mark.parametrize(
    ("solver", "names", "calls"),
    [
        ("nearest_station", [["charging station"] * 2 + ["Row 300", "Other", "Twin"]] * 2, [1, 1]),
        # Krone is within 1 km of the three nearest. Sparkasse is so of Row 300 and Other alone: the walk goes on until
        # its calls are used up.
        ("spiral", [["charging station", "charging station", "Row 300"], ["Row 300", "Other", "charging station"]], [4, 19]),
    ],
)  # fmt: skip
def test_without_a_model(stops: Town, solver: str, names: list[list[str]], calls: list[int]) -> None:
    run_id = _plan_alone(stops, solver)
    work(stops.settings)
    ends = _ends(stops.settings, run_id)
    assert [(one.state, one.error) for one in ends] == [("answered", None)] * 2
    assert [[one["station_name"] for one in json.loads(end.answer or "")] for end in ends] == names
    assert [end.detail["calls"] for end in ends] == calls
    assert [len(_requests(stops.settings, run_id, place)) for place in (0, 1)] == calls


def test_the_spiral_moves_in_square_rings(stops: Town) -> None:
    run_id = _plan_alone(stops, "spiral", seed=1)
    work(stops.settings)
    requests = _requests(stops.settings, run_id, 1)
    assert "".join(one["arguments"].get("direction", "") for one in requests) == "NESSWW"
    assert [one["tool"] for one in requests][:8] == [
        "Search_Stations", *["Search_Nearby_POI"] * 5, "Change_Current_Location", "Search_Stations",
    ]  # fmt: skip
    assert not any("implicit_move_m" in one for one in requests)


def test_random_stations_are_drawn_by_the_seed(stops: Town) -> None:
    answers = []
    for seed in (0, 0, 1, 2):
        run_id = _plan_alone(stops, "random_station", seed=seed)
        work(stops.settings)
        answers.append([one.answer for one in _ends(stops.settings, run_id)])
    assert answers[0] == answers[1]
    assert len({json.dumps(one) for one in answers}) > 1
    assert all(len(json.loads(one or "")) == 3 for one in answers[0])


def test_a_rover_of_rules_finds_the_same_with_fewer_calls(stops: Town) -> None:
    with serving_rover() as turns:
        run_id = plan_agent(stops.settings, stops.version, turns.url, "georover", seed=_next_seed())
        work(stops.settings)
    ends = _ends(stops.settings, run_id)
    assert [end.state for end in ends] == ["answered"] * 2
    named = [[one["station_name"] for one in json.loads(end.answer or "")] for end in ends]
    assert named == [
        ["charging station", "charging station", "Row 300"],
        ["Row 300", "Other", "charging station"],
    ]
    # One look south of the centre tells that Krone is near all three.
    assert ends[0].detail["agent"]["tool_calls"] == 2
    assert ends[1].detail["georover"]["implicit_moves"] > 6
