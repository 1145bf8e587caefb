"""The benchmark of agents: what its model calls in an episode, its arithmetic, and what it says of options."""

import json
from typing import Any

import pytest

from app.agent_tools.calling import read_call
from perf.agents_model import CHAT_CALLS, TOOL_CALLS, say_next, wanted_of
from perf.agents_sides import AgentTurn
from perf.bench_agents import figures_of, growth_of, ideal_of, main, targets_of
from perf.runs_endpoint import answer_to


def test_an_episode_has_its_calls_and_asks_each_request_once() -> None:
    prompt = "How far is it?"
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "."},
        {"role": "user", "content": [{"type": "text", "text": prompt}]},
    ]
    keys, called = [], []
    while True:
        said = say_next({"messages": messages})
        keys.append(said.key)
        messages.append({"role": "assistant", **said.message})
        if "tool_calls" not in said.message:
            break
        for call in said.message["tool_calls"]:
            called.append((call["function"]["name"], json.loads(call["function"]["arguments"])))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": "."})
    assert messages[-1]["content"] == answer_to(prompt)
    assert (len(keys), len(called)) == (CHAT_CALLS, TOOL_CALLS)
    assert wanted_of([prompt]) == dict.fromkeys(keys, 1)
    for name, arguments in called:
        read_call(name, arguments)
    assert len({json.dumps(call) for call in called}) == TOOL_CALLS


def make_turn(wall: float, cpu: float, series: tuple[float, ...] = ()) -> AgentTurn:
    return AgentTurn(200, wall, cpu, 4.0, 300.0, 64, 1, series, asking=8.2)


def test_figures_and_targets() -> None:
    assert ideal_of(200, 1.0) == 31.25
    figures = figures_of([make_turn(32.0, 6.0), make_turn(33.0, 8.0), make_turn(40.0, 9.0)], 1.0)
    assert (figures["over_ideal"], figures["cpu_ms_a_step"]) == (1.056, 2.0)
    assert growth_of(make_turn(9.0, 1.0, (50, 200, 210, 230, 240, 250, 250, 300, 900, 900))) == 25.0
    told = {"speed": {"trigpoint": figures}, "memory": None}
    assert targets_of(told) == {"wall": True, "cpu": True}
    slow = figures | {"over_ideal": 1.2, "cpu_ms_a_step": 2.1}
    told = {"speed": {"trigpoint": slow, "inspect": figures}, "memory": {"growth_mb": 21.0}}
    assert targets_of(told) == {"wall": False, "cpu": False, "flat": False}


def test_options_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--episodes", "2001"]) == 2
    assert "--episodes 1 to 2000" in capsys.readouterr().err
