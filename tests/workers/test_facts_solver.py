"""`text_to_sql_facts` over a real map, a real endpoint and real workers; and killed between its calls."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.messages import WORK, Messenger, make_celery
from app.predictions.runs import RunPlan, plan_run, store_endpoint
from app.questions.versions import find_version
from tests.app.questions.facts_map import make_facts_map
from tests.support.command_line import generate
from tests.support.processes import Scripted, Workers, query, scalar
from tests.support.runs import check_whole, wait_for_end
from tests.support.town import import_map

SAID = [
    {"contains": ["To answer a question, this was looked up"], "answer": "Inn Told"},
    {"contains": ["These facts were looked up"], "answer": "DONE"},
    {
        "contains": ["FACT: name of the place"],
        "answer": "FACT: Gallery Told | architect\nFACT: Gallery Told | height",
    },
]


@pytest.mark.long
def test_killed_between_its_calls_it_looks_nothing_up_twice(
    quick: Settings, workers: Workers, endpoint: Callable[..., Scripted], tmp_path: Path
) -> None:
    import_map(quick, make_facts_map().write(tmp_path / "road.osm"), "road")
    made = generate(quick, "gsqa", "road", "facts", "--bank", "4", "--per-template", "2")
    assert made.status == 0, made.err
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps(line) + "\n" for line in SAID))
    server = endpoint("written", "--answers", str(answers))
    now = SystemClock().now()
    with connect(quick, Role.WORKER) as connection:
        version = find_version(connection, "facts")
        stored = store_endpoint(connection, server.url, "scripted:written", None, now)
        plan = RunPlan(
            version.id, "text_to_sql_facts", 1, "x", endpoint_id=stored.id, sampling={"temperature": 0.0}
        )
        planned = plan_run(connection, plan, now, quick.batch_size)
        connection.commit()
    run_id = planned.id
    total = scalar(quick, "select total from run where id = :id", id=run_id)
    server.hold()
    Messenger(make_celery(quick)).send(WORK)
    victim = workers.start()
    places = min(quick.concurrency, total)
    server.wait_for(places)
    server.let_through()
    # Their facts are looked up, and their second calls are in flight.
    server.wait_for(2 * places)
    found = scalar(quick, "select count(*) from step where kind = 'facts' and state = 'done'")
    in_flight = scalar(quick, "select count(*) from step where kind = 'chat' and state = 'sent'")
    assert found > 0
    victim.kill()
    server.release()
    workers.start()
    wait_for_end(quick, run_id)
    check_whole(quick, run_id, total)
    assert scalar(quick, "select count(*) from step where kind = 'facts' and state = 'done'") == total
    assert scalar(quick, "select count(*) from step where kind = 'facts' and attempt > 0") == 0
    assert sum(Counter(request["hash"] for request in server.requests()).values()) == 3 * total + in_flight
    kinds = query(quick, "select distinct ordinal, kind from step where run_id = :id order by 1", id=run_id)
    assert [tuple(row) for row in kinds] == [(0, "chat"), (1, "facts"), (2, "chat"), (3, "chat")]
    told = query(quick, "select distinct response::text from step where kind = 'facts'")
    assert any("Anna Beck" in row[0] for row in told)
