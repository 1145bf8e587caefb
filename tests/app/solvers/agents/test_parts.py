"""Parts of agents by themselves: actions in a text, the room of a context, prompts, caps."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent_tools.sets import find_set
from app.inference.limits import prompt_tokens
from app.inference.tokens import Tokens
from app.solvers.agents.actions import NoAction, read_action
from app.solvers.agents.caps import CapReached, Meter
from app.solvers.agents.context import LEFT_OUT, fit_context
from app.solvers.agents.manners import TextCalling, Wish
from app.solvers.agents.prompts import FOLDER, load_prompts
from app.solvers.agents.terms import AgentTerms


@given(st.text())
def test_any_text_is_an_action_or_none(text: str) -> None:
    for lenient in (False, True):
        try:
            action = read_action(text, lenient=lenient)
        except NoAction:
            continue
        assert action.name


@given(st.text(min_size=1), st.dictionaries(st.text(), st.integers() | st.text()))
def test_an_action_is_read_again(name: str, arguments: dict[str, int | str]) -> None:
    written = json.dumps({"action": name, "arguments": arguments}, ensure_ascii=True)
    try:
        read = read_action(written, lenient=False)
    except NoAction:
        assert "<think>" in written
        return
    assert read.is_well_formed
    assert read.name.replace("\ufffd", "") == name.replace("\0", "").replace("\ufffd", "")


@pytest.mark.parametrize(
    "piece", ['{"a":', "{", "```", "```json\n", "<think>", "<think></think>", '{"a":' * 900 + "\n"]
)
def test_repeated_pieces_are_read_quickly(piece: str) -> None:
    """A worker reads each answer again at every later step of its episode, and all its questions wait meanwhile."""
    text = (piece * 1_000_000)[:1_000_000]
    began = time.process_time()
    for read in (text[:64_000], text):
        with pytest.raises(NoAction):
            read_action(read, lenient=True)
    assert time.process_time() - began < 0.5


def test_the_oldest_results_are_left_out_first() -> None:
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "Where?"}]
    for number in range(4):
        messages.append({"role": "assistant", "content": "call"})
        messages.append({"role": "tool", "tool_call_id": str(number), "content": f"{number}" * 2000})
    body = {"messages": messages}
    whole, none = fit_context(body, 10_000)
    assert (whole, none) == (messages, 0)
    fitted, left_out = fit_context(body, 1_200)
    assert left_out == 2
    assert [one["content"] for one in fitted if one["role"] == "tool"][:2] == [LEFT_OUT, LEFT_OUT]
    assert prompt_tokens({"messages": fitted}) <= 1_200
    _, all_of_them = fit_context(body, 1)
    assert all_of_them == 4


def test_results_in_text_are_left_out_and_questions_are_not() -> None:
    """Even one that begins as a result does."""
    told = TextCalling(find_set("calculator").tools, lenient=True, thinks=False)
    asked = {"role": "user", "content": "Result of the race: who won? " * 100}
    messages = [asked, told.result(Wish("calculator", {}), "42 " * 1000)]
    fitted, left_out = fit_context({"messages": messages}, 1)
    assert (fitted[0], fitted[1]["content"], left_out) == (asked, LEFT_OUT, 1)


def test_caps_of_money_and_time() -> None:
    prices = {"prompt": "1", "completion": "2", "currency": "EUR"}
    meter = Meter(AgentTerms(money="0.001"), prices)
    meter.admit_chat(Tokens(400, 300))
    with pytest.raises(CapReached, match="money_limit"):
        meter.admit_chat(Tokens(401, 300))
    slow = Meter(AgentTerms(seconds=2))
    slow.note_chat(Tokens(), 1500)
    slow.note_tool(failed=False, milliseconds=501)
    with pytest.raises(CapReached, match="time_limit"):
        slow.admit_tool("nearby", {})


@pytest.mark.parametrize("solver", sorted(file.stem for file in FOLDER.glob("*.toml")))
def test_prompts_are_marked_by_what_they_say(solver: str) -> None:
    prompts = load_prompts(solver)
    assert prompts.mark.startswith(f"{solver}/")
    assert all(text.strip() for text in prompts.texts.values())
