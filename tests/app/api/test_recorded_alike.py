"""The same call for the same question, by our `react` and by curl in a session, is recorded alike.

tests/app/exports/test_agent_tasks.py says the same of Inspect over MCP.
"""

from collections.abc import Callable
from typing import Any

import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores.submitted import score_submissions
from tests.app.predictions.test_worker import work
from tests.support.agent_runs import WHERE, make_town_of_questions, plan_agent
from tests.support.processes import query, scalar
from tests.support.service import patient_client, serving
from tests.support.tool_maps import bearing, switch
from tests.support.turns_endpoint import in_turn, serving_turns, writing

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("place_search", {"query": "Krone"}),
    ("nearby", {"where": "50.0,10.0", "type": "restaurant", "radius_m": 5000}),
    ("place_details", {"place": "n999999"}),
    ("teleport", {}),
]
STEPS = """
select request, request_hash, response
from step
where run_id = :run and kind = 'tool' and state = 'done'
order by ordinal
"""


def test_an_agent_of_ours_and_curl_are_recorded_alike(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> None:
    settings = make_database().model_copy(update={"redis_url": None})
    version = make_town_of_questions(settings, tmp_path_factory.mktemp("alike"))
    switch(settings, "tools", True)
    said = [*(writing(name, **arguments) for name, arguments in CALLS), writing("answer", text="4")]
    with serving_turns(in_turn(said)) as turns:
        ours = plan_agent(settings, version, turns.url, "react")
        work(settings)
    assert WHERE in turns.asked[0]["messages"][1]["content"]
    with serving(settings) as address, patient_client(address) as client:
        client.headers.update(bearing(settings, "submitter", rate=10_000))
        made = client.post("/v1/sessions", json={"dataset": "toy", "question": version.questions[0]}).json()
        for name, arguments in CALLS:
            client.post(f"/v1/sessions/{made['session']}/tools/{name}", json=arguments)
        line = f'{{"id": "{version.questions[0]}", "answer": "4", "session": "{made["session"]}"}}'
        submitted = client.post("/v1/datasets/toy/submissions?name=mine", content=line)
        assert submitted.status_code == 202, submitted.text
        with connect(settings, Role.WORKER) as connection:
            score_submissions(connection, SystemClock(), "test")
        theirs = client.get(submitted.headers["location"]).json()["run"]
    of_ours, of_theirs = (query(settings, STEPS, run=run) for run in (ours, theirs))
    assert len(of_ours) == len(CALLS)
    assert of_ours == of_theirs
    counts = "select detail -> 'agent' from prediction where run_id = :run"
    told, stated = (scalar(settings, counts, run=run) for run in (ours, theirs))
    compared = ("tool_calls", "failed_calls", "repeated_calls")
    assert {name: told[name] for name in compared} == {name: stated[name] for name in compared}
