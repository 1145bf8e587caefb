"""The solvers that plan, reflect or run modules, against a real map and a real endpoint."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from app.agent_tools.calling import check_arguments
from app.agent_tools.sets import find_set
from app.core.errors import UsageError
from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect
from app.published.agents import read_figures
from app.solvers.agents.shots import load_shots
from tests.app.geoflow.test_operators import plan
from tests.app.predictions.test_worker import work
from tests.support.agent_runs import make_town_of_questions, plan_agent
from tests.support.factories import MadeVersion
from tests.support.processes import query, scalar
from tests.support.scored_runs import score
from tests.support.turns_endpoint import calling, in_turn, serving_turns, writing

SEARCH = ("place_search", {"query": "Krone"})
Town = tuple[Settings, MadeVersion]


@pytest.fixture(scope="module")
def town(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Town:
    settings = make_database().model_copy(update={"backoff_seconds": 0.01})
    return settings, make_town_of_questions(settings, tmp_path_factory.mktemp("agents"))


def _answer(settings: Settings, run_id: int) -> Any:
    (row,) = query(
        settings, "select state, answer, detail, error from prediction where run_id = :id", id=run_id
    )
    return row


def test_react_asks_for_a_thought(town: Town) -> None:
    settings, version = town
    thought = {"content": json.dumps({"thought": "I look.", "action": SEARCH[0], "arguments": SEARCH[1]})}
    with serving_turns(in_turn([thought, writing("answer", text="4")])) as turns:
        run_id = plan_agent(settings, version, turns.url, "react")
        work(settings)
    assert _answer(settings, run_id).answer == "4"
    assert '"thought"' in turns.asked[0]["messages"][0]["content"]
    assert "30 steps" in turns.asked[0]["messages"][0]["content"]


def test_a_plan_comes_first(town: Town) -> None:
    settings, version = town

    def say(body: dict[str, Any]) -> dict[str, Any]:
        messages = body["messages"]
        if "Write a plan" in messages[0]["content"]:
            assert "tools" not in body
            return {"content": "1. place_search Krone"}
        assert messages[2] == {"role": "assistant", "content": "1. place_search Krone"}
        return calling(SEARCH) if messages[-1]["role"] == "user" else {"content": "4"}

    with serving_turns(say) as turns:
        run_id = plan_agent(settings, version, turns.url, "plan_and_solve", manner="native")
        work(settings)
    assert _answer(settings, run_id).answer == "4"
    assert len(turns.asked) == 3


def test_a_trial_that_goes_in_circles_is_reflected_upon(town: Town) -> None:
    settings, version = town

    def say(body: dict[str, Any]) -> dict[str, Any]:
        words = str(body["messages"][-1]["content"])
        if "This trial did not succeed" in words:
            assert "again and again" in words
            return {"content": "I shall answer at once."}
        if "Look back at this trial" in words:
            return {"content": "Supported"}
        if "I shall answer at once." in body["messages"][0]["content"]:
            return writing("answer", text="4")
        return writing(SEARCH[0], **SEARCH[1])

    with serving_turns(say) as turns:
        run_id = plan_agent(settings, version, turns.url, "reflexion")
        work(settings)
    row = _answer(settings, run_id)
    assert (row.state, row.answer) == ("answered", "4")
    assert row.detail["agent"]["tool_calls"] == 2
    assert len(turns.asked) == 6


def test_three_trials_and_no_more(town: Town) -> None:
    settings, version = town

    def say(body: dict[str, Any]) -> dict[str, Any]:
        words = str(body["messages"][-1]["content"])
        if "Look back at this trial" in words:
            return {"content": "unsupported: a guess"}
        return {"content": "Look first."} if "did not succeed" in words else writing("answer", text="3")

    with serving_turns(say) as turns:
        run_id = plan_agent(settings, version, turns.url, "reflexion")
        work(settings)
    assert _answer(settings, run_id).answer == "3"
    assert len(turns.asked) == 8


def test_modules_of_a_plan_run_one_after_the_other(town: Town) -> None:
    settings, version = town

    def say(body: dict[str, Any]) -> dict[str, Any]:
        told = body["messages"][0]["content"]
        if "List the modules" in told:
            return {"content": '{"plan": ["place_search", "teleport", "place_details"]}'}
        if "The module place_search is run next" in told:
            return writing(SEARCH[0], **SEARCH[1])
        if "The module place_details is run next" in told:
            assert "Krone" in told
            return {"content": "no idea"}
        return {"content": "4"}

    with serving_turns(say) as turns:
        run_id = plan_agent(settings, version, turns.url, "chameleon")
        work(settings)
    row = _answer(settings, run_id)
    assert row.answer == "4"
    assert row.detail["agent"] | {"left_out": 0} == {
        "chat_calls": 4, "tool_calls": 1, "failed_calls": 0, "repeated_calls": 0, "format_faults": 2, "left_out": 0,
    }  # fmt: skip
    assert "<result>" in turns.asked[-1]["messages"][0]["content"]


def test_a_graph_is_carried_out_and_its_answer_needs_no_model(town: Town) -> None:
    settings, version = town
    around = ("around", "place_search", {"center": "c"}, {"type": "restaurant", "radius_m": 1000})
    graph = plan({"c": "50.0,10.0"}, around, ("m", "count", {"members": "around"}))
    with serving_turns(in_turn([{"content": json.dumps(graph)}])) as turns:
        run_id = plan_agent(settings, version, turns.url, "geoflow", without=["repair"])
        work(settings)
    row = _answer(settings, run_id)
    assert (row.answer, row.detail["geoflow"]["rule"], len(turns.asked)) == ("4", "form", 1)
    score(settings, run_id)
    with connect(settings, Role.API) as connection:
        (figures,) = read_figures(connection, [run_id])
    assert figures.graphs is not None
    assert (figures.graphs.sources, figures.graphs.broken, figures.graphs.rules) == (
        {"model": 1},
        0,
        {"form": 1},
    )
    assert (figures.graphs.stages, figures.graphs.right_by_source) == ({"none": 1}, {"model": 1})
    presented = scalar(settings, "select presentation -> 'agent' from run where id = :id", id=run_id)
    assert (presented["tools"], presented["manner"], presented["without"]) == (
        "spatial_agent",
        "json",
        ["repair"],
    )


def test_worked_examples_are_shown_as_conversations(town: Town) -> None:
    settings, version = town
    with serving_turns(in_turn([writing("answer", text="4")])) as turns:
        plan_agent(settings, version, turns.url, "react", shots=2)
        plan_agent(settings, version, turns.url, "tools", shots=1)
        work(settings)
    lengths = sorted(len(one["messages"]) for one in turns.asked)
    assert lengths == [10, 16]
    with pytest.raises(UsageError, match="which the set calculator does not have"):
        plan_agent(settings, version, "http://127.0.0.1:9/v1", "react", shots=2, tools="calculator")


def test_worked_examples_are_calls_that_tools_take() -> None:
    tools = find_set("all").tools
    for shot in load_shots():
        for call in shot.calls:
            check_arguments(tools[call.tool], call.arguments)


def test_no_worked_example_is_an_item_of_a_benchmark() -> None:
    """No eight words in a row of an example stand in a template, but for the form of the answer, which all have."""
    texts = "\n".join(file.read_text("utf-8") for file in (PROJECT_ROOT / "sql_templates").rglob("*.toml"))
    known = set(_runs_of_words(texts))
    for shot in load_shots():
        asked = shot.question.split("Answer with")[0]
        assert not known & set(_runs_of_words(asked)), asked


def _runs_of_words(text: str) -> list[tuple[str, ...]]:
    words = text.casefold().split()
    return [tuple(words[place : place + 8]) for place in range(len(words) - 7)]
