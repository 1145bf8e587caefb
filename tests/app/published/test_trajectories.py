"""Episodes as ATIF, read with the models of the package `atif`; nothing is lost on the way."""

from collections.abc import Callable, Iterator

import pytest
from atif import Trajectory

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.published.episode_models import ShownEpisode
from app.published.episodes import read_episodes
from app.published.trajectories import as_trajectory
from tests.support.stored_episodes import SECRET, make_agents


@pytest.fixture(scope="module")
def episodes(make_database: Callable[[], Settings]) -> Iterator[list[ShownEpisode]]:
    settings = make_database()
    made = make_agents(settings)
    with connect(settings, Role.API) as connection:
        yield [
            one for run in (made.first, made.second, made.direct) for one in read_episodes(connection, run)
        ]


def test_every_episode_is_a_trajectory(episodes: list[ShownEpisode]) -> None:
    assert len(episodes) == 9
    for one in episodes:
        found = Trajectory.model_validate(as_trajectory(one))
        called = [call for step in found.steps for call in step.tool_calls or []]
        assert len(called) == one.sums.tool_calls
        assert SECRET not in found.model_dump_json()


def test_a_turn_has_the_calls_that_it_asked_for_and_their_results(episodes: list[ShownEpisode]) -> None:
    found = Trajectory.model_validate(as_trajectory(episodes[0]))
    assert [(step.source, step.message) for step in found.steps] == [
        ("user", "Which?"),
        ("agent", "I look for the museum."),
        ("agent", ""),
        ("agent", "Adler"),
    ]
    turn = found.steps[1]
    assert turn.reasoning_content == "Where is the museum?"
    assert turn.metrics is not None
    assert (turn.metrics.prompt_tokens, turn.metrics.completion_tokens) == (100, 20)
    assert turn.tool_calls is not None
    assert turn.observation is not None
    assert [call.function_name for call in turn.tool_calls] == ["place_search"]
    assert [result.content for result in turn.observation.results] == ["Found for 'Museum': Museum (n1)."]
    assert found.final_metrics is not None
    assert found.final_metrics.total_prompt_tokens == 300
    assert found.extra is not None
    assert (found.extra["outcome"], found.extra["answer"]) == ("correct", "Adler")


def test_calls_that_no_reply_asked_for_stand_alone(episodes: list[ShownEpisode]) -> None:
    found = Trajectory.model_validate(as_trajectory(episodes[1]))
    assert [step.llm_call_count for step in found.steps] == [None, 1, 0, 0, 1]
