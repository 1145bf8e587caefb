"""Episodes that a real worker made with a real endpoint: read back, counted, and written as trajectories."""

from collections.abc import Callable

import pytest
from atif import Trajectory

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.published.agents import read_figures
from app.published.episodes import read_episode
from app.published.trajectories import as_trajectory
from tests.app.predictions.test_worker import work
from tests.support.agent_runs import make_town_of_questions, plan_agent
from tests.support.factories import MadeVersion
from tests.support.scored_runs import score
from tests.support.turns_endpoint import calling, in_turn, serving_turns

Town = tuple[Settings, MadeVersion]


@pytest.fixture(scope="module")
def town(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Town:
    settings = make_database().model_copy(update={"backoff_seconds": 0.01})
    return settings, make_town_of_questions(settings, tmp_path_factory.mktemp("episodes"))


def test_native_calls(town: Town) -> None:
    settings, version = town
    said = [
        calling(("place_search", {"query": "Krone"}), ("place_details", {"place": "n999999"})),
        {"content": "7"},
    ]
    with serving_turns(in_turn(said)) as turns:
        run = plan_agent(settings, version, turns.url)
        work(settings)
    score(settings, run)
    with connect(settings, Role.API) as connection:
        found, _ = read_episode(connection, run, version.questions[0])
        (figures,) = read_figures(connection, [run])
    assert [one.kind for one in found.steps] == ["chat", "tool", "tool", "chat"]
    assert [one.tool for one in found.steps[0].wanted] == ["place_search", "place_details"]
    assert (found.steps[1].tool, found.steps[1].arguments) == ("place_search", {"query": "Krone"})
    assert found.steps[1].result["hits"][0]["name"] == "Krone"
    assert found.steps[2].fault == "not_found"
    assert (found.answer, found.outcome, found.errors) == ("7", "wrong", ["invented_argument"])
    assert (figures.episodes, figures.right_answers, figures.tool_calls, figures.failed_calls) == (1, 0, 2, 1)
    assert figures.errors["invented_argument"] == 1
    turn = Trajectory.model_validate(as_trajectory(found)).steps
    assert [step.source for step in turn] == ["system", "user", "agent", "agent"]
    assert [call.function_name for call in turn[2].tool_calls or []] == ["place_search", "place_details"]


def test_calls_in_text_and_a_loop(town: Town) -> None:
    settings, version = town
    action = 'I look.\n{"action": "place_search", "arguments": {"query": "Krone"}}'
    with serving_turns(in_turn([{"content": action}] * 9)) as turns:
        run = plan_agent(settings, version, turns.url, manner="json")
        work(settings)
    score(settings, run)
    with connect(settings, Role.API) as connection:
        found, _ = read_episode(connection, run, version.questions[0])
        (figures,) = read_figures(connection, [run])
    assert found.steps[0].thought == "I look."
    assert [one.tool for one in found.steps[0].wanted] == ["place_search"]
    assert (found.state, found.ended_by) == ("no_answer", "loop")
    assert found.sums.repeated_calls == figures.repeated_calls >= 1
    assert found.sums.format_faults == figures.format_faults >= 2
    assert figures.ended_by["loop"] == 1
