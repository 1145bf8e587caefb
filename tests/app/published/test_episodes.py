"""Episodes as the api role reads them: every try with its parts, the sums, and nothing of hidden questions."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Connection, text

from app.core.errors import NotFound
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.published.episodes import for_anybody, for_keys, read_episode, read_episodes
from tests.support.factories import FAILED, FAILURE, make_run, make_version, option_question
from tests.support.stored_episodes import HOSTILE, SECRET, MadeAgents, add_steps, chat, make_agents, search


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Iterator[tuple[Settings, MadeAgents, Connection]]:
    settings = make_database()
    agents = make_agents(settings)
    with connect(settings, Role.API) as connection:
        yield settings, agents, connection


Made = tuple[Settings, MadeAgents, Connection]


def test_an_episode_in_its_order_with_every_try(made: Made) -> None:
    _, agents, connection = made
    found, others = read_episode(connection, agents.first, agents.questions[0])
    assert others == [(0, 0)]
    assert [(one.ordinal, one.attempt, one.kind, one.state) for one in found.steps] == [
        (0, 0, "chat", "lost"),
        (0, 1, "chat", "done"),
        (1, 0, "tool", "done"),
        (2, 0, "chat", "done"),
        (3, 0, "tool", "done"),
        (4, 0, "chat", "done"),
    ]
    thought = found.steps[1]
    assert (thought.thought, thought.said) == ("Where is the museum?", "I look for the museum.")
    assert [(one.id, one.tool, one.arguments) for one in thought.wanted] == [
        ("call_0", "place_search", '{"query": "Museum"}')
    ]
    called = found.steps[4]
    assert (called.tool, called.arguments) == ("nearby", {"where": "n1", "type": "restaurant"})
    assert called.sentence == "2 restaurants: Adler (n2), Krone (n3)."
    assert [one["id"] for one in called.result["places"]] == ["n2", "n3"]
    assert called.milliseconds == 500


def test_the_sums_and_the_end(made: Made) -> None:
    _, agents, connection = made
    found, _ = read_episode(connection, agents.first, agents.questions[0])
    assert found.sums.model_dump() == {
        "chat_calls": 3,
        "tool_calls": 2,
        "failed_calls": 0,
        "repeated_calls": 0,
        "format_faults": 1,
        "failed_tries": 1,
        "prompt_tokens": 300,
        "completion_tokens": 60,
        "cost": None,
        "milliseconds": 2500,
    }
    assert (found.state, found.answer, found.outcome, found.score) == ("answered", "Adler", "correct", 1.0)
    assert found.errors == []
    assert found.agent is not None
    assert found.agent["tools"] == "all"


def test_an_action_in_text_is_told_from_the_thought_before_it(made: Made) -> None:
    _, agents, connection = made
    found, _ = read_episode(connection, agents.first, agents.questions[1])
    assert found.steps[0].thought == "Searching"
    assert [one.tool for one in found.steps[0].wanted] == ["place_search"]
    failed = found.steps[2]
    assert (failed.fault, failed.sentence, failed.result) == ("bad_argument", HOSTILE, None)
    assert found.sums.failed_calls == 1
    assert found.errors == ["gold_not_used", "wrong_place", "invented_argument", "result_contradicted"]


def test_a_loop_is_said_and_repeats_are_marked(made: Made) -> None:
    _, agents, connection = made
    found, _ = read_episode(connection, agents.first, agents.questions[3])
    assert (found.state, found.ended_by) == ("no_answer", "loop")
    assert [one.repeated for one in found.steps] == [False, False, True, True]
    assert found.sums.repeated_calls == 2


def test_a_hidden_question_has_no_episode(made: Made) -> None:
    _, agents, connection = made
    told = [one.model_dump_json() for one in read_episodes(connection, agents.first)]
    assert len(told) == 3
    assert SECRET not in "".join(told)
    assert agents.hidden not in "".join(told)
    with pytest.raises(NotFound, match="no episode"):
        read_episode(connection, agents.first, agents.hidden)
    assert (
        connection.execute(
            text("select count(*) from step where question_id = :id"), {"id": agents.hidden}
        ).scalar_one()
        == 0
    ), "row-level security itself hides them"


def test_what_there_is_not(made: Made) -> None:
    _, agents, connection = made
    with pytest.raises(NotFound, match="no run 999"):
        read_episode(connection, 999, "x")
    with pytest.raises(NotFound, match="with repeat 1 and rotation 0"):
        read_episode(connection, agents.first, agents.questions[0], repeat=1)


def test_repeats_and_rotations_have_episodes_of_their_own(made: Made) -> None:
    settings, _, connection = made
    version = make_version(settings, [option_question(1)], name="turned")
    rotated = make_run(settings, version, ["A", "B", "C", "D"], rotated=True)
    _, others = read_episode(connection, rotated, version.questions[0], rotation=3)
    assert others == [(0, 0), (0, 1), (0, 2), (0, 3)]
    repeated = make_run(settings, version, ["A", "B"])
    add_steps(settings, repeated, version.questions[0], [chat("A")])
    add_steps(settings, repeated, version.questions[0], [search("B", "n2"), chat("B")], repeat=1)
    found, others = read_episode(connection, repeated, version.questions[0], repeat=1)
    assert others == [(0, 0), (1, 0)]
    assert [one.kind for one in found.steps] == ["tool", "chat"]


def test_an_episode_that_goes_on_is_shown_so_far(made: Made) -> None:
    settings, _, connection = made
    version = make_version(settings, [option_question(1)], name="going")
    run = make_run(settings, version, ["A"], status="running")
    add_steps(settings, run, version.questions[0], [search("Museum", "n1")])
    with connect(settings, Role.OWNER) as owner:
        owner.execute(text("delete from trigpoint.prediction where run_id = :run"), {"run": run})
        owner.commit()
    found, _ = read_episode(connection, run, version.questions[0])
    assert (found.state, len(found.steps)) == (None, 1)


def test_failures_are_told_as_far_as_the_reader_may_know(made: Made) -> None:
    settings, _, connection = made
    version = make_version(settings, [option_question(1)], name="broken")
    run = make_run(settings, version, [FAILED])
    found, _ = read_episode(connection, run, version.questions[0])
    assert found.failure == FAILURE
    assert for_keys(found).failure == FAILURE.replace("gpu-7.lab.example:8000", "(address)")
    assert for_anybody(found).failure == "the endpoint cannot be reached"


def test_what_a_run_took_over_has_the_steps_of_the_run_that_was_asked(made: Made) -> None:
    settings, _, connection = made
    before = make_version(settings, [option_question(9)], name="carried")
    asked = make_run(settings, before, ["A"])
    add_steps(settings, asked, before.questions[0], [search("Museum", "n1"), chat("A")])
    after = make_version(settings, [option_question(9)], name="carried", number=2)
    run = make_run(settings, after, ["A"])
    with connect(settings, Role.WORKER) as worker:
        worker.execute(
            text("update run set carried_from = :asked where id = :run"), {"asked": asked, "run": run}
        )
        worker.commit()
    found, _ = read_episode(connection, run, after.questions[0])
    assert [one.kind for one in found.steps] == ["tool", "chat"]
