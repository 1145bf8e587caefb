"""Figures of agents over public questions, added up as the api role sees them."""

from collections.abc import Callable

from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.published.agents import read_figures, read_figures_of_version
from tests.support.scored_runs import score
from tests.support.stored_episodes import make_agents


def test_figures_of_runs(make_database: Callable[[], Settings]) -> None:
    settings = make_database()
    made = make_agents(settings)
    with connect(settings, Role.WORKER) as connection:
        connection.execute(
            text("update run set prices = cast(:prices as jsonb) where id = :run"),
            {"run": made.first, "prices": '{"prompt": "10", "completion": "50", "currency": "EUR"}'},
        )
        connection.commit()
    score(settings, made.first)
    with connect(settings, Role.API) as connection:
        first, second = read_figures(connection, [made.first, made.direct, made.second])
        assert read_figures_of_version(connection, made.version.id) == [second, first]
    assert (first.episodes, first.right_answers) == (3, 1), "the hidden question counts in none"
    assert (first.chat_calls, first.tool_calls, first.failed_calls, first.repeated_calls) == (6, 8, 1, 2)
    assert first.format_faults == 1
    assert [(one.tool_calls, one.episodes, one.right_answers) for one in first.by_calls] == [
        (2, 1, 1),
        (3, 2, 0),
    ]
    assert [(one.tool, one.calls, one.failed_calls, one.repeated_calls) for one in first.by_tool] == [
        ("nearby", 5, 0, 2),
        ("place_search", 2, 0, 0),
        ("distance", 1, 1, 0),
    ]
    assert first.ended_by == {
        "step_limit": 0,
        "token_limit": 0,
        "money_limit": 0,
        "time_limit": 0,
        "loop": 1,
    }
    assert first.errors == {
        "gold_not_used": 1,
        "wrong_place": 1,
        "invented_argument": 2,
        "result_contradicted": 1,
        "unreadable": 0,
    }
    assert (first.prompt_tokens, first.completion_tokens) == (600, 120)
    assert first.cost == first.cost_per_right == 0.012
    assert (second.right_answers, second.cost, second.cost_per_right) == (3, None, None)


def test_scoring_again_writes_the_same_figures(make_database: Callable[[], Settings]) -> None:
    settings = make_database()
    made = make_agents(settings)
    everything = text("select * from episode_figures order by prediction_id")
    with connect(settings, Role.WORKER) as connection:
        before = connection.execute(everything).all()
    score(settings, made.first)
    with connect(settings, Role.WORKER) as connection:
        assert connection.execute(everything).all() == before
