"""Submissions whose answers name sessions: their calls become steps of the run, and each session counts once."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.core.strict_json import DEEPER
from app.db.engine import connect
from app.scores.submitted import score_submissions
from app.sessions.sweeping import KEPT, forget_unused
from tests.support.command_line import trigpoint
from tests.support.factories import MadeMap, MadeVersion, make_version, option_question
from tests.support.processes import query, scalar
from tests.support.service import patient_client, serving
from tests.support.tool_maps import bearing, import_open_and_closed

SUM = {"expression": "6 * 7"}
USAGE = {"prompt_tokens": 1200, "completion_tokens": 34, "money": 0.5}
QUESTIONS = 6


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    # Redis is away: what is submitted is stored, and scored by whoever looks.
    made = make_database().model_copy(update={"redis_url": SecretStr("redis://127.0.0.1:9/0")})
    import_open_and_closed(made, tmp_path_factory.mktemp("tools"))
    return made


@pytest.fixture(scope="module")
def version(settings: Settings) -> MadeVersion:
    questions = [
        option_question(i, key=i % 4, split="hidden" if i % 3 == 0 else "public") for i in range(QUESTIONS)
    ]
    ((number, schema),) = query(
        settings, "select id, schema_name from trigpoint.snapshot where name = 'tools'"
    )
    return make_version(settings, questions, name="toy", made_map=MadeMap(number, schema))


@pytest.fixture(scope="module")
def client(settings: Settings, version: MadeVersion) -> Iterator[httpx.Client]:
    with serving(settings) as address, patient_client(address) as client:
        yield client


@pytest.fixture
def ada(settings: Settings, client: httpx.Client) -> Iterator[httpx.Client]:
    """A client that bears a new key of a submitter."""
    with patient_client(str(client.base_url)) as mine:
        mine.headers.update(bearing(settings, "submitter", rate=100_000))
        yield mine


def open_session(client: httpx.Client, version: MadeVersion, place: int, **more: Any) -> str:
    body = {"dataset": "toy", "question": version.questions[place], **more}
    made = client.post("/v1/sessions", json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["session"])


def opened_for_all(client: httpx.Client, version: MadeVersion, **more: Any) -> list[str]:
    return [open_session(client, version, place, **more) for place in range(QUESTIONS)]


def call(client: httpx.Client, session: str, tool: str, arguments: dict[str, Any]) -> None:
    assert client.post(f"/v1/sessions/{session}/tools/{tool}", json=arguments).status_code < 500


def answers(
    version: MadeVersion, sessions: list[str | None], name: str = "mine", **more: Any
) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = [{"card": {"name": name}}]
    for place, (question, session) in enumerate(zip(version.questions, sessions, strict=True)):
        line = {"id": question, "answer": "ABCD"[place % 4], **more}
        lines.append(line | ({"session": session} if session else {}))
    return lines


def submit(client: httpx.Client, lines: list[dict[str, Any]]) -> httpx.Response:
    content = "\n".join(map(json.dumps, lines))
    return client.post("/v1/datasets/toy/submissions", content=content)


def scored(settings: Settings, client: httpx.Client, submitted: httpx.Response) -> dict[str, Any]:
    assert submitted.status_code == 202, submitted.text
    with connect(settings, Role.WORKER) as connection:
        score_submissions(connection, SystemClock(), "test")
    found: dict[str, Any] = client.get(submitted.headers["location"]).json()
    assert found["state"] == "scored", found
    return found


def withdrawn(client: httpx.Client, found: dict[str, Any]) -> None:
    client.delete(f"/v1/submissions/{found['submission']}").raise_for_status()


def test_calls_of_sessions_become_steps_of_the_run(
    settings: Settings, ada: httpx.Client, version: MadeVersion
) -> None:
    sessions = opened_for_all(ada, version)
    for _ in range(2):
        call(ada, sessions[1], "calculator", SUM)
    call(ada, sessions[1], "teleport", {})
    call(ada, sessions[3], "calculator", SUM)
    before = list(
        query(
            settings,
            "select request, response, request_hash, latency_ms from trigpoint.agent_session_call"
            f" where session_id = '{sessions[1]}' order by ordinal",
        )
    )
    found = scored(settings, ada, submit(ada, answers(version, sessions, usage=USAGE)))
    run = found["run"]
    steps = query(
        settings,
        "select question_id, ordinal, kind, state, attempt, request, response, request_hash, latency_ms"
        f" from trigpoint.step where run_id = {run} order by question_id, ordinal",
    )
    mine = [one for one in steps if one.question_id == version.questions[1]]
    assert [(one.ordinal, one.kind, one.state, one.attempt) for one in mine] == [
        (place, "tool", "done", 0) for place in range(3)
    ]
    assert [(one.request, one.response, one.request_hash, one.latency_ms) for one in mine] == before
    assert len(steps) == 4
    detail = {
        one.question_id: one.detail
        for one in query(
            settings, f"select question_id, detail from trigpoint.prediction where run_id = {run}"
        )
    }
    counts = {
        "chat_calls": 0,
        "tool_calls": 3,
        "failed_calls": 1,
        "repeated_calls": 1,
        "format_faults": 0,
        "left_out": 0,
    }
    assert detail[version.questions[1]] == {"agent": counts, "stated": USAGE}
    assert detail[version.questions[2]]["agent"]["tool_calls"] == 0
    ((presentation, key),) = query(
        settings,
        f"select presentation, (select min(presentation_key) from trigpoint.step where run_id = {run})"
        f" from trigpoint.run where id = {run}",
    )
    assert presentation == {"agent": {"tools": "all", "manner": "session"}}
    assert [key] == [
        one[0]
        for one in query(
            settings, f"select distinct presentation_key from trigpoint.prediction where run_id = {run}"
        )
    ]
    assert scalar(settings, "select count(*) from trigpoint.agent_session_call") == 0
    told = ada.get(f"/v1/sessions/{sessions[1]}").json()
    assert (told["ended"], told["submission"]) == ("submitted", found["submission"])
    after = ada.post(f"/v1/sessions/{sessions[1]}/tools/calculator", json=SUM)
    assert "its answer is submitted" in after.json()["detail"]
    (of_run,) = ada.get(f"/v1/runs/{run}/answers?question={version.questions[1]}").json()["answers"]
    assert of_run["stated_usage"] == USAGE
    withdrawn(ada, found)
    assert scalar(settings, f"select count(*) from trigpoint.step where run_id = {run}") == 0
    assert ada.get(f"/v1/sessions/{sessions[1]}").status_code == 404


def test_the_page_of_an_episode_shows_the_calls_of_a_session(
    settings: Settings, ada: httpx.Client, version: MadeVersion
) -> None:
    sessions = opened_for_all(ada, version)
    call(ada, sessions[1], "calculator", SUM)
    found = scored(settings, ada, submit(ada, answers(version, sessions)))
    path = f"/runs/{found['run']}/questions/{version.questions[1]}"
    for page in (ada.get(path), ada.get(f"{path}?beside={found['run']}")):
        assert page.status_code == 200, page.text
        assert "tools all, manner session." in page.text
        assert "<code>calculator</code>" in page.text
    withdrawn(ada, found)


def test_arguments_that_are_nested_deep_are_shown_in_part(
    settings: Settings, ada: httpx.Client, version: MadeVersion
) -> None:
    sessions = opened_for_all(ada, version)
    deep: Any = "end"
    for _ in range(300):
        deep = [deep]
    assert (
        ada.post(f"/v1/sessions/{sessions[1]}/tools/calculator", json={"expression": deep}).status_code == 422
    )
    found = scored(settings, ada, submit(ada, answers(version, sessions)))
    path = f"/v1/runs/{found['run']}/episodes/{version.questions[1]}"
    (step,) = ada.get(path).raise_for_status().json()["steps"]
    assert (step["fault"], DEEPER in str(step["arguments"])) == ("bad_argument", True)
    ada.get(f"/runs/{found['run']}/questions/{version.questions[1]}").raise_for_status()
    withdrawn(ada, found)


def test_hidden_questions_steps_are_hidden(
    settings: Settings, ada: httpx.Client, version: MadeVersion
) -> None:
    sessions = opened_for_all(ada, version)
    for session in sessions:
        call(ada, session, "calculator", SUM)
    found = scored(settings, ada, submit(ada, answers(version, sessions)))
    shown = ada.get(f"/v1/runs/{found['run']}/answers").json()["answers"]
    assert {one["question"] for one in shown} == {version.questions[i] for i in (1, 2, 4, 5)}
    with connect(settings, Role.API) as connection:
        seen = connection.exec_driver_sql(
            f"select count(distinct question_id) from step where run_id = {found['run']}"
        ).scalar_one()
    assert seen == 4
    withdrawn(ada, found)


def test_a_session_counts_for_one_answer(settings: Settings, ada: httpx.Client, version: MadeVersion) -> None:
    sessions: list[Any] = opened_for_all(ada, version)
    found = scored(settings, ada, submit(ada, answers(version, sessions)))
    same = submit(ada, answers(version, sessions))
    assert same.json()["submission"] == found["submission"]
    again = submit(ada, answers(version, sessions, name="mine once more"))
    assert again.status_code == 422
    told = [fault["what"] for fault in again.json()["faults"]]
    assert len(told) == QUESTIONS
    assert set(told) == {
        "its session counts for an answer that was submitted before: open a session for each answer"
    }
    assert again.json()["faults"][0]["where"][:2] == ["body", "line"]
    withdrawn(ada, found)


def test_each_fault_is_told_by_its_line_and_nothing_is_stored(
    settings: Settings, ada: httpx.Client, client: httpx.Client, version: MadeVersion
) -> None:
    sessions: list[Any] = opened_for_all(ada, version)
    other = {"Authorization": bearing(settings, "submitter")["Authorization"]}
    foreign = client.post(
        "/v1/sessions", json={"dataset": "toy", "question": version.questions[0]}, headers=other
    ).json()["session"]
    cases: list[tuple[dict[int, str], int, str]] = [
        ({0: foreign}, 2, "there is no such session of yours"),
        ({0: "0" * 32}, 2, "there is no such session of yours"),
        ({1: sessions[2]}, 3, "its session was opened for another question"),
        ({5: open_session(ada, version, 5, tool_set="calculator")}, 7, "another set of tools"),
        ({4: "no session"}, 6, "its session is none"),
        ({4: "' or true"}, 6, "its session is none"),
    ]
    for changed, line, said in cases:
        named = [changed.get(place, session) for place, session in enumerate(sessions)]
        refused = submit(ada, answers(version, named))
        assert refused.status_code == 422, refused.text
        faults = {fault["where"][-1]: fault["what"] for fault in refused.json()["faults"]}
        assert any(said in what for what in faults.values()), (changed, faults)
        if "set of tools" not in said:
            assert said in faults[line], faults
    assert (
        scalar(settings, "select count(*) from trigpoint.agent_session where submission_id is not null") == 0
    )
    withdrawn(ada, scored(settings, ada, submit(ada, answers(version, sessions))))


def test_two_answers_cannot_share_a_session(ada: httpx.Client, version: MadeVersion) -> None:
    session = open_session(ada, version, 0)
    lines = [{"card": {"name": "shared"}}]
    for repeat in (0, 1):
        for place, question in enumerate(version.questions):
            line = {"id": question, "answer": "A", "repeat": repeat}
            lines.append(line | ({"session": session} if place == 0 else {}))  # type: ignore[arg-type]
    refused = submit(ada, lines)
    assert refused.status_code == 422
    (fault,) = refused.json()["faults"]
    assert fault["what"] == "its session is named by another answer, too: open a session for each answer"
    assert fault["where"] == ["body", "line", 2 + QUESTIONS]


@pytest.mark.parametrize(
    ("usage", "said"),
    [
        (
            {"prompt_tokens": -1},
            "the prompt_tokens of its usage must be a whole number from 0 to 1,000,000,000",
        ),
        ({"prompt_tokens": 1.5}, "the prompt_tokens of its usage must be a whole number"),
        ({"money": True}, "the money of its usage must be a number"),
        ({"money": "much"}, "the money of its usage must be a number"),
        ({"gold": 1}, "its usage must be an object with prompt_tokens, completion_tokens, money and no more"),
        ([], "its usage must be an object"),
    ],
)
def test_usage_that_is_none_is_refused(
    ada: httpx.Client, version: MadeVersion, usage: Any, said: str
) -> None:
    refused = submit(ada, answers(version, [None] * QUESTIONS, usage=usage))
    assert refused.status_code == 422
    assert said in refused.json()["faults"][0]["what"]


def test_answers_without_sessions_are_taken_as_before(
    settings: Settings, ada: httpx.Client, version: MadeVersion
) -> None:
    found = scored(settings, ada, submit(ada, answers(version, [None] * QUESTIONS)))
    rows = query(
        settings,
        "select run.presentation, prediction.detail from trigpoint.run join trigpoint.prediction"
        f" on prediction.run_id = run.id where run.id = {found['run']}",
    )
    assert [tuple(row) for row in rows] == [({}, {})] * QUESTIONS
    withdrawn(ada, found)


def test_sessions_of_a_submission_that_failed_can_be_named_again(
    settings: Settings, ada: httpx.Client, version: MadeVersion
) -> None:
    sessions: list[Any] = opened_for_all(ada, version)
    call(ada, sessions[0], "calculator", SUM)
    lost = submit(ada, answers(version, sessions))
    with connect(settings, Role.OWNER) as connection:
        connection.exec_driver_sql(
            "delete from trigpoint.submission_answer where submission_id ="
            f" {lost.json()['submission']} and question_id = '{version.questions[0]}'"
        )
        connection.commit()
    with connect(settings, Role.WORKER) as connection:
        score_submissions(connection, SystemClock(), "test")
    assert ada.get(lost.headers["location"]).json()["state"] == "failed"
    found = scored(settings, ada, submit(ada, answers(version, sessions)))
    assert scalar(settings, f"select count(*) from trigpoint.step where run_id = {found['run']}") == 1
    withdrawn(ada, found)


def test_sessions_of_a_submission_that_is_withdrawn_unscored_can_be_named_again(
    settings: Settings, ada: httpx.Client, version: MadeVersion
) -> None:
    sessions: list[Any] = opened_for_all(ada, version)
    call(ada, sessions[0], "calculator", SUM)
    waiting = submit(ada, answers(version, sessions))
    assert ada.get(f"/v1/sessions/{sessions[0]}").json()["ended"] == "submitted"
    ada.post(f"{waiting.headers['location']}/withdraw").raise_for_status()
    assert ada.get(f"/v1/sessions/{sessions[0]}").json()["ended"] is None
    found = scored(settings, ada, submit(ada, answers(version, sessions)))
    assert scalar(settings, f"select count(*) from trigpoint.step where run_id = {found['run']}") == 1
    ada.post(f"/v1/submissions/{found['submission']}/withdraw").raise_for_status()
    assert ada.get(f"/v1/sessions/{sessions[0]}").json()["ended"] == "submitted"
    withdrawn(ada, found)


def test_the_command_line_submits_sessions_of_any_key(
    settings: Settings, ada: httpx.Client, version: MadeVersion, tmp_path: Any
) -> None:
    prefix = ada.get("/v1/key").json()["prefix"]
    opened = trigpoint(
        settings,
        "session",
        "open",
        "toy",
        version.questions[0],
        "--key",
        prefix,
        "--set",
        "calculator",
        "--json",
    )
    assert opened.status == 0, opened.err
    session = opened.json["session"]
    call(ada, session, "calculator", SUM)
    call(ada, session, "calculator", {"expression": "\u202e1 / 0"})
    shown = trigpoint(settings, "session", "show", session, "--json").json
    assert [one["request"]["tool"] for one in shown["made"]] == ["calculator", "calculator"]
    table = trigpoint(settings, "session", "show", session, COLUMNS="200").out
    assert "6 * 7 = 42" in table
    assert "\u202e" not in table
    listed = trigpoint(settings, "session", "list", "--json").json["sessions"]
    assert listed[0]["session"] == session
    file = tmp_path / "answers.jsonl"
    lines = answers(version, [session, *[None] * (QUESTIONS - 1)])
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = trigpoint(settings, "submit", "toy", str(file), "--name", "by hand", "--json")
    assert done.status == 0, done.err
    assert scalar(settings, f"select count(*) from trigpoint.step where run_id = {done.json['run']}") == 2
    reader = bearing(settings)["Authorization"].split("_")[1]
    for key, said in ((reader, "is a reader's"), ("00000000", "There is no key")):
        refused = trigpoint(settings, "session", "open", "toy", version.questions[0], "--key", key)
        assert refused.status != 0
        assert said in refused.err


def test_unused_sessions_are_swept_after_a_week(
    settings: Settings, ada: httpx.Client, version: MadeVersion
) -> None:
    sessions: list[Any] = opened_for_all(ada, version)
    unused = open_session(ada, version, 0)
    call(ada, unused, "calculator", SUM)
    found = scored(settings, ada, submit(ada, answers(version, sessions)))
    now = SystemClock().now()
    with connect(settings, Role.WORKER) as connection:
        for later, there in ((timedelta(hours=1), True), (timedelta(hours=1) + KEPT, False)):
            forget_unused(connection, now + later)
            connection.commit()
            assert (ada.get(f"/v1/sessions/{unused}").status_code == 200) == there
    assert ada.get(f"/v1/sessions/{sessions[0]}").status_code == 200
    assert (
        scalar(settings, f"select count(*) from trigpoint.agent_session_call where session_id = '{unused}'")
        == 0
    )
    withdrawn(ada, found)
