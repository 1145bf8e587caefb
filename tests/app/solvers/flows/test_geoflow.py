"""The solver `geoflow`, step by step: each call follows from the results so far alone, so that an episode resumes."""

import copy
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from app.agent_tools.calling import read_call
from app.agent_tools.errors import ToolError
from app.agent_tools.outcomes import ToolOutcome
from app.agent_tools.sets import find_set
from app.agent_tools.tool_plans.running import Answering
from app.core.errors import UsageError
from app.core.settings import Settings
from app.geoflow.corrupting import CORRUPTIONS
from app.geoflow.graphs import write_graph
from app.inference.outcomes import Reply
from app.questions.prompts import text_prompt
from app.solvers.agents.desk import Desk
from app.solvers.agents.manners import open_manner
from app.solvers.agents.prompts import load_prompts
from app.solvers.agents.terms import AgentTerms
from app.solvers.base import Answer, QuestionView, RunView
from app.solvers.calls import CHAT, AskedSnapshot, CallResult
from app.solvers.geoflow import _play
from tests.app.agent_tools.conftest import make_tool_town
from tests.app.geoflow.conftest import answering_on
from tests.app.geoflow.test_operators import AROUND, CENTRE, KRONE, LINDE, plan
from tests.support.flows import random_flow
from tests.support.town import Fill

COUNTED = plan({"c": CENTRE}, AROUND, ("m", "count", {"members": "around"}))
LOST = plan({"x": "Atlantis", "c": CENTRE}, ("a", "geocode", {"place": "x"}),
            ("m", "haversine", {"origin": "a", "destination": "c"}))  # fmt: skip
BROKEN = copy.deepcopy(COUNTED)
BROKEN["steps"][1]["inputs"] = {}
WITHOUT_STEPS = COUNTED | {"steps": [COUNTED["steps"][0]]}
OPTIONS = ["three", "4", "5"]


class Played(NamedTuple):
    """How an episode ended, and what the model was asked."""

    answer: Answer
    asked: list[dict[str, Any]]

    @property
    def told(self) -> dict[str, Any]:
        told: dict[str, Any] = self.answer.detail["geoflow"]
        return told


Playing = Callable[..., Played]


@pytest.fixture(scope="module")
def answers(
    fill_once: Callable[[str, Fill], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Answering]:
    yield from answering_on(fill_once, tmp_path_factory.mktemp("flows"), "tools", "tools", make_tool_town())


@pytest.fixture
def play(answers: Answering) -> Playing:
    """Plays an episode in which the model says these texts, one after the other."""

    def playing(*said: Any, options: list[str] | None = None, kind: str = "count", **terms: Any) -> Played:
        given = AgentTerms(**terms).of_solver("geoflow")
        tools = find_set(given.tools).tools
        run = RunView(1, "gsqa", 0, model="m", agent=given)
        maps = {"q": AskedSnapshot("tools@2020-01-01", "0")}
        desk = Desk(run, given, tools, open_manner(given, tools, thinks=False), load_prompts("geoflow"), maps)
        question = QuestionView("q", "T1", text_prompt("How many restaurants are near?"), options, kind)
        step, asked, results = desk.next_step(_play), list[dict[str, Any]](), list[CallResult]()
        while True:
            call = step(question, results)
            if isinstance(call, Answer):
                return Played(call, asked)
            if call.kind == CHAT:
                asked.append(call.body)
                results.append(
                    CallResult(Reply(_text(said[min(len(asked), len(said)) - 1]), "stop", None, {}))
                )
            else:
                results.append(CallResult(_outcome(answers, call.body)))

    return playing


def _text(said: Any) -> str:
    return said if isinstance(said, str) else json.dumps(said)


def _outcome(answers: Answering, body: dict[str, Any]) -> ToolOutcome:
    try:
        tools = find_set(body["set"]).tools
        return ToolOutcome.of_answer(answers(read_call(body["tool"], body["arguments"], tools)))
    except ToolError as error:
        return ToolOutcome.of_error(error)


def test_a_right_graph_answers_without_another_call_of_the_model(play: Playing) -> None:
    played = play(COUNTED)
    assert (played.answer.state, played.answer.text) == ("answered", "4")
    assert played.told["source"] == "model"
    assert (played.told["before"], played.told["after"], played.told["stage"]) == ({}, None, None)
    assert played.told["rule"] == "form"
    assert played.told["graph"]["measure"] == "m"
    assert played.answer.detail["agent"] | {"left_out": 0} == {
        "chat_calls": 1, "tool_calls": 1, "failed_calls": 0, "repeated_calls": 0, "format_faults": 0, "left_out": 0,
    }  # fmt: skip
    (body,) = played.asked
    assert "FILTER-AGGREGATE-MEASURE" in body["messages"][0]["content"]
    assert "For the question:" in body["messages"][0]["content"]
    assert "transit_directions" not in body["messages"][0]["content"]


def test_the_option_is_found_by_rules(play: Playing) -> None:
    played = play(COUNTED, options=OPTIONS, kind="option")
    assert (played.answer.text, played.told["rule"]) == ("B", "number")


def test_a_broken_graph_is_mended_by_one_more_call(play: Playing) -> None:
    played = play(BROKEN, f"Of course:\n```json\n{json.dumps(COUNTED)}\n```")
    assert (played.answer.text, played.told["source"]) == ("4", "repair")
    assert played.told["before"].keys() == {"G4", "G5"}
    assert played.told["after"] == {}
    assert (
        "G4, s1.members: port members of count is bound to nothing"
        in played.asked[1]["messages"][-1]["content"]
    )


@pytest.mark.parametrize("first", [BROKEN, WITHOUT_STEPS, COUNTED | {"measure": "nothing"}])
def test_templates_make_a_graph_of_what_the_reply_names(play: Playing, first: Any) -> None:
    played = play(first, "I cannot.")
    assert (played.answer.text, played.told["source"]) == ("4", "templates")
    assert played.told["after"] == {"unread": 1}
    assert played.told["graph"]["template_ids"] == ["FILTER-AGGREGATE-MEASURE"]


@pytest.mark.parametrize(
    "said",
    [
        "no graph", "", "[1, 2]", "{", "[" * 50_000, '{"concepts": 5, "steps": {}, "measure": []}',
        {"concepts": [{"id": "\x00", "type": "LOCATION"}], "steps": [{"op": "geocode", "inputs": 7}], "measure": "m"},
        {"concepts": [{"id": "m", "type": "AMOUNT", "role": "MEASURE", "attrs": {"lat": {}}}], "steps": []},
        {"concepts": [COUNTED["concepts"][0]] * 500, "steps": COUNTED["steps"] * 500, "measure": "m"},
        {"concepts": [{"id": "e", "type": "EVENT", "attrs": [1], "name": 3}, {"id": "m", "type": "EVENT"}],
         "steps": [{"op": "place_search", "inputs": {"center": ["e"]}, "params": "x"}], "measure": "m", "mode": []},
    ],
)  # fmt: skip
def test_hostile_replies_end_as_no_answer(play: Playing, said: Any) -> None:
    played = play(said)
    assert (played.answer.state, played.answer.detail["outcome"]) == ("no_answer", "no_graph")
    assert played.told["stage"] == "graph"
    assert played.told["fallback"]
    assert len(played.asked) == 2


def test_planted_violations_are_mended_or_fall_back_and_never_crash(play: Playing) -> None:
    """Well-formed graphs at random, each broken in every way that the checker knows; the second reply is right, or not."""
    sources = Counter[str | None]()
    for seed in range(6):
        graph = random_flow(random.Random(seed))
        broken = [way(graph, random.Random(seed)) for way in CORRUPTIONS.values()]
        for number, one in enumerate(each for each in broken if each is not None):
            bad = write_graph(one)
            played = play(bad, write_graph(graph) if number % 2 else bad, "I do not know")
            sources[played.told["source"]] += 1
            assert played.told["before"], "what was broken is seen"
            assert number % 2 == 0 or played.told["source"] == "repair"
    assert sources["repair"] > 5
    assert sources["templates"] > 0


def test_where_the_map_has_nothing_the_model_answers_from_the_trace(play: Playing) -> None:
    played = play(LOST, "17 m", kind="distance")
    assert (played.answer.state, played.answer.text) == ("answered", "17 m")
    assert (played.told["rule"], played.told["stage"]) == ("model", "data")
    told = played.asked[1]["messages"][0]["content"]
    assert "s0 geocode (failed): nothing on the map is called 'Atlantis'" in told
    assert [one["state"] for one in played.told["steps"]] == ["failed", "unresolved"]


def test_a_value_that_no_rule_matches_and_no_answer_of_the_model_is_an_error_of_the_answer(
    play: Playing,
) -> None:
    played = play(COUNTED, "I do not know", options=["many", "few"], kind="option")
    assert (played.answer.state, played.told["stage"]) == ("no_answer", "answer")


@pytest.mark.parametrize(
    ("without", "calls", "source", "before"),
    [
        (["repair"], 1, "templates", {"G4", "G5"}),
        (["checks"], 2, "model", set()),
        (["repair", "templates"], 1, None, {"G4", "G5"}),
        (["templates"], 2, None, {"G4", "G5"}),
    ],
)
def test_parts_can_be_left_out(
    play: Playing, without: list[str], calls: int, source: str | None, before: set[str]
) -> None:
    played = play(BROKEN, without=without)
    assert (len(played.asked), played.told["source"]) == (calls, source)
    assert played.told["before"].keys() == before
    told = played.asked[0]["messages"][0]["content"]
    assert ("FILTER-AGGREGATE-MEASURE" in told) == ("templates" not in without)
    plain = play(COUNTED, without=["retrieval"]).asked[0]["messages"][0]["content"]
    assert "For the question:" not in plain


def test_caps_end_an_episode(play: Playing) -> None:
    far = plan(
        {"k": "Krone", "l": "Linde"},
        KRONE,
        LINDE,
        ("m", "haversine", {"origin": "krone", "destination": "linde"}),
    )
    played = play(far, kind="distance", steps=2)
    assert (played.answer.state, played.answer.detail["outcome"]) == ("no_answer", "step_limit")
    assert played.told["source"] == "model"


def test_what_cannot_be_left_out_is_refused() -> None:
    with pytest.raises(UsageError, match="the parts of `geoflow` are checks, repair, templates, retrieval"):
        AgentTerms(without=["luck"]).of_solver("geoflow")
    with pytest.raises(UsageError, match="it has no such parts"):
        AgentTerms(without=["checks"]).of_solver("react")
    with pytest.raises(UsageError, match="remove --shots"):
        AgentTerms(shots=1).of_solver("geoflow")
    with pytest.raises(UsageError, match="works with the tools spatial_agent"):
        AgentTerms(tools="mapeval").of_solver("geoflow")
