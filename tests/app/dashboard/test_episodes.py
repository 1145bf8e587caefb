"""The page of an episode: what REST says, nothing of hidden questions, hostile words that do nothing, two runs."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest

from app.core.settings import Settings
from app.geoflow.ontology import ontology
from tests.app.dashboard.test_pages import Cells, as_value
from tests.app.geoflow.test_operators import AROUND, plan
from tests.support.factories import QuestionSpec, make_run, make_version
from tests.support.planted_secrets import make_key
from tests.support.service import patient_client, serving
from tests.support.stored_episodes import (
    OPTIONS,
    SECRET,
    MadeAgents,
    add_steps,
    chat,
    counts,
    make_agents,
)
from tests.support.worked_reasoning import worked


class Made(NamedTuple):
    settings: Settings
    agents: MadeAgents
    client: httpx.Client
    reader: str

    def path(self, question: int, run: int | None = None) -> str:
        return f"/runs/{run or self.agents.first}/questions/{self.agents.questions[question]}"

    def page(self, path: str) -> str:
        text = self.client.get(path).raise_for_status().text
        assert not Cells(text)._stack
        return text

    def rest(self, path: str) -> Any:
        headers = {"Authorization": f"Bearer {self.reader}"}
        return self.client.get(f"/v1{path}", headers=headers).raise_for_status().json()


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Iterator[Made]:
    settings = make_database()
    agents = make_agents(settings)
    reader = make_key(settings, "reader")
    with serving(settings) as address, patient_client(address) as client:
        yield Made(settings, agents, client, reader)


def test_the_page_says_what_rest_says(made: Made) -> None:
    page = Cells(made.page(made.path(0)))
    rest = made.rest(f"/runs/{made.agents.first}/episodes/{made.agents.questions[0]}")
    sums = rest["sums"]
    for name in (
        "chat_calls",
        "tool_calls",
        "failed_calls",
        "repeated_calls",
        "format_faults",
        "failed_tries",
    ):
        (found,) = [value for (_, cell), value in page.cells.items() if cell == name]
        assert found[1] == as_value(sums[name])


def test_every_step_is_listed_with_its_parts(made: Made) -> None:
    page = made.page(made.path(0))
    assert re.findall(r'id="step-1-(\d)"', page) == list("123456")
    for said in (
        "Where is the museum?",
        "I look for the museum.",
        "2 restaurants: Adler (n2), Krone (n3).",
        "lost",
        "try 2",
    ):
        assert said in page


def test_the_map_grows_with_the_steps(made: Made) -> None:
    page = made.page(made.path(0))
    assert re.findall(r'<g data-step="(\d)"><g class="pin (\w+)"', page) == [
        ("3", "found"),
        ("5", "anchor"),
        ("5", "found"),
        ("5", "found"),
        ("5", "found"),
    ]
    assert 'src="/static/episode_map.js"' in page
    assert made.client.get("/static/episode_map.js").status_code == 200


def test_a_hidden_question_is_not_found_like_one_that_there_is_not(made: Made) -> None:
    hidden = made.client.get(made.path(2))
    nowhere = made.client.get(f"/runs/{made.agents.first}/questions/{'0' * 32}")
    assert (hidden.status_code, nowhere.status_code) == (404, 404)
    assert SECRET not in hidden.text
    for path in (
        made.path(2),
        f"/runs/{made.agents.second}/questions/{made.agents.hidden}?beside={made.agents.first}",
    ):
        assert SECRET not in made.client.get(path).text
    headers = {"Authorization": f"Bearer {make_key(made.settings, 'maintainer')}"}
    path = f"/v1/runs/{made.agents.first}/episodes/{made.agents.hidden}"
    assert made.client.get(path, headers=headers).status_code == 404


def test_hostile_words_do_nothing(made: Made) -> None:
    page = made.page(made.path(1))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; [U+202E]gnp.exe[U+0007]" in page
    assert "\u202e" not in page
    assert '<details class="folded">' in page, "what is long is folded"


def test_what_went_wrong_is_said(made: Made) -> None:
    page = made.page(made.path(1))
    assert re.findall(r'<li data-cell="(\w+)">', page) == [
        "gold_not_used",
        "wrong_place",
        "invented_argument",
        "result_contradicted",
    ]
    loop = made.page(made.path(3))
    assert (
        "No answer: the same call was made three times, or five replies in a row could not be read." in loop
    )
    assert loop.count('<span class="tag">repeated</span>') == 2


def test_answers_say_what_ended_their_episodes(made: Made) -> None:
    answers = made.rest(f"/runs/{made.agents.first}/answers")["answers"]
    assert {one["question"]: one["ended_by"] for one in answers} == {
        made.agents.questions[0]: None,
        made.agents.questions[1]: None,
        made.agents.questions[3]: "loop",
    }


def test_two_runs_side_by_side(made: Made) -> None:
    page = made.page(f"{made.path(0)}?beside={made.agents.second}")
    assert re.findall(r'<section class="side" aria-label="Run (\d+)">', page) == [
        str(made.agents.first),
        str(made.agents.second),
    ]
    assert "PlaceSearch" in page
    assert made.client.get(f"{made.path(0)}?beside=999").status_code == 404


def test_cancelled_runs_are_not_shown(made: Made) -> None:
    run = make_run(made.settings, made.agents.version, ["A"] * 4, "gone", status="cancelled")
    assert made.client.get(made.path(0, run)).status_code == 404
    assert made.client.get(f"{made.path(0)}?beside={run}").status_code == 404


def test_answers_lead_to_their_episodes(made: Made) -> None:
    assert f'href="{made.path(0)}"' in made.page(f"/runs/{made.agents.first}")
    of_question = made.page(f"/datasets/{made.agents.version.reference}/questions/{made.agents.questions[0]}")
    assert f'href="{made.path(0)}"' in of_question


def test_an_episode_over_rest_wants_a_key(made: Made) -> None:
    path = f"/v1/runs/{made.agents.first}/episodes/{made.agents.questions[0]}"
    assert made.client.get(path).status_code == 401
    assert made.client.get(f"/v1/runs/{made.agents.first}/agent").status_code == 401


def test_figures_over_rest(made: Made) -> None:
    first = made.rest(f"/runs/{made.agents.first}/agent")
    assert (first["episodes"], first["right_answers"], first["errors"]["invented_argument"]) == (3, 1, 2)
    headers = {"Authorization": f"Bearer {made.reader}"}
    none = made.client.get(f"/v1/runs/{made.agents.direct}/agent", headers=headers)
    assert none.status_code == 404
    assert "has no figures of an agent" in none.json()["detail"]
    compared = (
        made.client.get(f"/v1/datasets/{made.agents.version.reference}/agents").raise_for_status().json()
    )
    assert [one["run"] for one in compared["runs"]] == [made.agents.second, made.agents.first]


def test_the_figures_of_a_run_are_on_its_page_and_on_the_board(made: Made) -> None:
    rest = made.rest(f"/runs/{made.agents.first}/agent")
    page = Cells(made.page(f"/runs/{made.agents.first}"))
    cells = {cell: value for (_, cell), value in page.cells.items()}
    for name in ("chat_calls", "tool_calls", "failed_calls", "repeated_calls", "format_faults"):
        assert cells[f"agent_{name}"][1] == as_value(rest[name])
    for name in ("loop", "invented_argument"):
        assert cells[name][1] == as_value({**rest["ended_by"], **rest["errors"]}[name])
    board = made.page(f"/leaderboards/{made.agents.version.reference}")
    cells = {
        cell: value
        for (row, cell), value in Cells(board).cells.items()
        if row == f"agent {made.agents.first}"
    }
    assert cells["invented_argument"][1] == as_value(2)
    assert cells["caps"][1] == as_value(1)
    assert "ranked apart" in board
    assert 'id="agent"' not in made.page(f"/runs/{made.agents.direct}")


def test_the_steps_of_reasoning_are_recomputed_on_the_page(made: Made) -> None:
    """The first broken step and its class, each step's value beside the right one; nothing of a hidden question."""
    case = worked("DS", 3, "radian")
    specs = [
        QuestionSpec("Distance", "distance", f"{case.context}\n\n{case.question} {split}", {"distance": 3000.0}, {"n": number}, split=split)
        for number, split in enumerate(("public", "hidden"))
    ]  # fmt: skip
    version = make_version(made.settings, specs, "reasoning", "urban_reasoning", made.agents.version.map)
    run = make_run(made.settings, version, [case.response, case.response])
    page = made.page(f"/runs/{run}/questions/{version.questions[0]}")
    assert f"First broken step: <strong>{case.fault}</strong>, arithmetic drift." in page
    assert f"<td>{case.fault}</td>" in page
    assert made.client.get(f"/runs/{run}/questions/{version.questions[1]}").status_code == 404


def test_graphs_are_drawn_before_and_after_the_repair(made: Made) -> None:
    """What is wrong stands at its concept and in words; names that a model wrote do nothing."""
    graph = plan({"c": "<script>alert(2)</script>"}, AROUND, ("m", "count", {"members": "around"}))
    broken = copy.deepcopy(graph)
    broken["steps"][1]["inputs"] = {}
    said = [chat(json.dumps(one)) for one in (broken, graph)]
    run = make_run(
        made.settings,
        made.agents.version,
        ["4"],
        "toy/planner",
        "geoflow",
        details=[counts()],
        presentation=OPTIONS,
    )
    add_steps(made.settings, run, made.agents.questions[0], said)
    page = made.page(made.path(0, run))
    assert re.findall(r"<summary>(The graph [^:<]+)(?:: (\d+) violations?)?</summary>", page) == [
        ("The graph as the model wrote it", "5"),
        ("The graph after the repair", "1"),
        ("The graph that templates made", ""),
    ]
    assert "<script>alert(2)" not in page
    first = page.partition("The graph after the repair")[0]
    assert re.findall(r'class="flow-box (\w+)( broken)?( measure)?" t', first) == [
        ("location", " broken", ""), ("object", " broken", ""), ("amount", " broken", " measure"),
    ]  # fmt: skip
    assert "port members of count is bound to nothing" in first
    assert "Graphs" not in made.page(made.path(0))


def test_the_ontology_has_a_page(made: Made) -> None:
    page = made.page("/geoflow")
    told = re.findall(r'data-template="(concept|role|operator|template) ([\w-]+)"', page)
    known = ontology()
    assert [name for kind, name in told if kind == "concept"] == [*known.concepts]
    assert [name for kind, name in told if kind == "role"] == [*known.roles]
    assert {name for kind, name in told if kind == "operator"} == known.operators.keys()
    assert len([name for kind, name in told if kind == "template"]) == 10
    assert 'href="/geoflow"' in made.page("/")
