"""GS-QA's baselines over a real map, a real endpoint and real workers, to the board; and killed between their calls."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.messages import WORK, Messenger, make_celery
from app.predictions.runs import RunPlan, plan_run, store_endpoint
from app.questions.snapshots import find_snapshots
from tests.support.command_line import trigpoint
from tests.support.factories import MadeMap, MadeVersion, make_version, name_question
from tests.support.processes import Scripted, Workers, query, scalar
from tests.support.runs import check_whole, wait_for_end
from tests.support.town import import_map, make_town

QUESTIONS = 12
WRONG = 3
"""Questions that the scripted model answers wrongly: the last ones."""
SQL = {
    0: "select nothing from pois",
    1: "drop table pois; select 1",
    2: "select pg_sleep(100)",
    3: "I would look.",
}


def make_questions(settings: Settings, folder: Path) -> tuple[MadeVersion, list[str]]:
    """The toy town and questions for names of its restaurants; the right names, one a question."""
    import_map(settings, make_town().write(folder / "town.osm"), "town")
    with connect(settings, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, ["town"])
    found = query(
        settings,
        f"select name from {snapshot.schema}.poi where classes && '{{restaurant}}' and name is not null order by 1",
    )
    names = [row[0] for row in found]
    right = [names[i % len(names)] for i in range(QUESTIONS)]
    questions = [name_question(i, names=(right[i],)) for i in range(QUESTIONS)]
    return make_version(settings, questions, made_map=MadeMap(snapshot.id, snapshot.schema)), right


def write_answers(folder: Path, right: list[str]) -> Path:
    """What the scripted model says: SQL when asked for it, then the right names but for the last questions."""
    lines: list[dict[str, Any]] = []
    for number, name in enumerate(right):
        asked = f"(test question {number})"
        quoted = name.replace("'", "''")
        sql = SQL.get(number, f"```sql\nselect name, geog from pois where name = '{quoted}';\n```")
        lines.append({"contains": [asked, "Write one SELECT"], "answer": sql})
        lines.append({"contains": [asked], "answer": name if number < QUESTIONS - WRONG else "Nowhere"})
    file = folder / "answers.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def evaluate(settings: Settings, version: MadeVersion, solver: str, *more: str) -> dict[str, Any]:
    done = trigpoint(settings, "evaluate", version.reference, "--solver", solver, "--json", *more)
    assert done.status == 0, done.err
    return dict(done.json)


@pytest.fixture
def served(quick: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Commands in this process find the private broker."""
    assert quick.redis_url is not None
    monkeypatch.setenv("TRIGPOINT_REDIS_URL", quick.redis_url.get_secret_value())
    return quick


@pytest.mark.long
def test_baselines_to_the_board(
    served: Settings, workers: Workers, endpoint: Callable[..., Scripted], tmp_path: Path
) -> None:
    version, right = make_questions(served, tmp_path)
    server = endpoint("written", "--answers", str(write_answers(tmp_path, right)))
    workers.start()
    evaluate(served, version, "random")
    to = ("--endpoint", server.url)
    assert evaluate(served, version, "direct", *to)["endpoint_requests"] == QUESTIONS
    assert evaluate(served, version, "direct", *to, "--prompt", "published")["endpoint_requests"] == QUESTIONS
    assert evaluate(served, version, "rag", *to)["endpoint_requests"] == QUESTIONS
    sql = evaluate(served, version, "text_to_sql", *to)
    assert (sql["endpoint_requests"], sql["states"]["error"]) == (2 * QUESTIONS, 0)
    assert len(server.requests()) == 5 * QUESTIONS
    board = trigpoint(served, "leaderboard", version.reference, "--json").json["rows"]
    scores = {row["name"]: row["score"] for row in board}
    model = "scripted:written"
    assert set(scores) == {
        "random",
        model,
        f"{model} (published prompt)",
        f"{model} (rag)",
        f"{model} (text_to_sql)",
    }
    assert {score for name, score in scores.items() if name != "random"} == {1 - WRONG / QUESTIONS}
    assert scores["random"] < 1 - WRONG / QUESTIONS
    assert [row["name"] for row in board][-1] == "random"
    check_sql_of(served, sql["run"], right)


def check_sql_of(settings: Settings, run_id: int, right: list[str]) -> None:
    """How each question's SQL went is stored with its answer and as a step of its own."""
    rows = query(
        settings,
        "select question.position, prediction.detail -> 'sql', step.response, step.state from prediction"
        " join step using (run_id, version_id, question_id)"
        " join question on question.version_id = prediction.version_id and question.id = prediction.question_id"
        " where run_id = :id and step.kind = 'sql' order by 1",
        id=run_id,
    )
    assert len(rows) == QUESTIONS
    went = {position: sql for position, sql, _, _ in rows}
    assert went[0] == {"state": "invalid", "valid": False, "kind": "column"}
    assert went[1] == {"state": "refused", "valid": False, "kind": "other"}
    assert went[2] == {"state": "refused", "valid": False, "kind": "function"}
    assert went[3]["state"] == "refused"
    assert all(went[i] == {"state": "rows", "valid": True, "kind": None} for i in range(4, QUESTIONS))
    for position, _, response, state in rows[4:]:
        assert state == "done"
        assert json.loads(response["rows"][0])["name"] == right[position]
    told = query(
        settings,
        "select request #>> '{messages,0,content}' from step where run_id = :id and kind = 'chat' and ordinal = 2",
        id=run_id,
    )
    assert sum('It failed (column): column "nothing" does not exist' in row[0] for row in told) == 1
    assert sum("It gave, a row a line:" in row[0] for row in told) == QUESTIONS - 4


@pytest.mark.long
def test_killed_between_its_calls_it_pays_for_nothing_twice(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted], tmp_path: Path
) -> None:
    version, right = make_questions(quick, tmp_path)
    server = endpoint("written", "--answers", str(write_answers(tmp_path, right)))
    now = SystemClock().now()
    with connect(quick, Role.WORKER) as connection:
        stored = store_endpoint(connection, server.url, "scripted:written", None, now)
        plan = RunPlan(
            version.id, "text_to_sql", 1, "x", endpoint_id=stored.id, sampling={"temperature": 0.0}
        )
        run_id = plan_run(connection, plan, now, quick.batch_size).id
        connection.commit()
    server.hold()
    Messenger(make_celery(quick)).send(WORK)
    victim = workers.start()
    places = min(quick.concurrency, QUESTIONS)
    server.wait_for(places)
    server.let_through()
    # Their SQL has run, and their second calls are in flight.
    server.wait_for(2 * places)
    in_flight = scalar(quick, "select count(*) from step where kind = 'chat' and state = 'sent'")
    paid = {
        row[0] for row in query(quick, "select request_hash from step where kind = 'chat' and state = 'done'")
    }
    ran = scalar(quick, "select count(*) from step where kind = 'sql' and state = 'done'")
    assert ran > 0
    victim.kill()
    server.release()
    workers.start()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id, QUESTIONS)
    asked = Counter(request["hash"] for request in server.requests())
    assert paid
    assert all(asked[one] == 1 for one in paid)
    assert scalar(quick, "select reasked from run where id = :id", id=run_id) == in_flight
    assert sum(asked.values()) == 2 * QUESTIONS + in_flight
    # SQL whose outcome was committed is not run again either.
    assert scalar(quick, "select count(*) from step where kind = 'sql' and state = 'done'") == QUESTIONS
    assert scalar(quick, "select count(*) from step where kind = 'sql' and attempt > 0") == 0
