"""Runs in tests: asked of a scripted endpoint through the queue, waited for, and checked for what was paid twice."""

from collections import Counter
from collections.abc import Callable

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.messages import WORK, Messenger, make_celery
from app.predictions.presentations import ROTATED
from app.predictions.runs import RunPlan, plan_run, store_endpoint
from tests.support.factories import MadeVersion, make_version, options_dataset
from tests.support.processes import Scripted, Workers, query, scalar, wait_until

QUESTIONS = 24


def start_run(
    settings: Settings,
    url: str,
    model: str = "scripted:first_option",
    questions: int = QUESTIONS,
    name: str = "toy",
    *,
    rotated: bool = False,
) -> int:
    """A direct run over a new data set of option questions, enqueued."""
    version = make_version(settings, options_dataset(questions), name=name)
    return ask(settings, version, url, model, rotated=rotated)


def start_held(
    settings: Settings, workers: Workers, endpoint: Callable[..., Scripted]
) -> tuple[Scripted, int]:
    """A run whose first calls are with an endpoint that holds them, as many as a worker may have in flight; its id."""
    server = endpoint("first_option")
    server.hold()
    run_id = start_run(settings, server.url)
    workers.start()
    server.wait_for(settings.concurrency)
    return server, run_id


def ask(
    settings: Settings, version: MadeVersion, url: str, model: str, seed: int = 0, *, rotated: bool = False
) -> int:
    """A direct run over a data set, enqueued; another seed makes another run of the same questions."""
    now = SystemClock().now()
    with connect(settings, Role.WORKER) as connection:
        stored = store_endpoint(connection, url, model, None, now)
        plan = RunPlan(
            version.id,
            "direct",
            1,
            model,
            seed,
            endpoint_id=stored.id,
            sampling={"temperature": 0.0},
            presentation=dict(ROTATED) if rotated else {},
        )
        run_id = plan_run(connection, plan, now, settings.batch_size).id
        connection.commit()
    Messenger(make_celery(settings)).send(WORK)
    return run_id


def wait_for_end(settings: Settings, run_id: int) -> None:
    """Wait until the run is complete or incomplete."""
    wait_until(
        lambda: (
            scalar(settings, "select status from run where id = :id", id=run_id) in ("complete", "incomplete")
        ),
        "the run's end",
    )


def wait_for_scores(settings: Settings, run_id: int) -> None:
    """Wait until the run stands on the board."""
    scored = "select count(*) from board_aggregate where run_id = :id"
    wait_until(lambda: scalar(settings, scored, id=run_id), "the run's scores")


def check_whole(settings: Settings, run_id: int, questions: int = QUESTIONS, each: int = 1) -> None:
    """The run is complete, with `each` answered predictions a question, no two of them of one presentation."""
    assert scalar(settings, "select status from run where id = :id", id=run_id) == "complete"
    counts = query(
        settings,
        "select question_id, count(*), count(distinct presentation_key), count(distinct rotation) from prediction"
        " where run_id = :id and state = 'answered' group by 1",
        id=run_id,
    )
    assert len(counts) == questions
    assert {tuple(row)[1:] for row in counts} == {(each, each, each)}


def hashes_of(settings: Settings, run_id: int, state: str) -> list[str]:
    """The request hashes of a run's calls of its endpoint in that state."""
    rows = query(
        settings,
        "select request_hash from step where run_id = :id and state = :state and kind = 'chat'",
        id=run_id,
        state=state,
    )
    return [row[0] for row in rows]


def check_paid_once(settings: Settings, run_id: int, endpoint: Scripted, in_flight: int) -> None:
    """What was asked twice was in flight when the worker died, and is counted as such."""
    asked = Counter(request["hash"] for request in endpoint.requests())
    assert scalar(settings, "select reasked from run where id = :id", id=run_id) == in_flight
    lost = hashes_of(settings, run_id, "lost")
    assert len(lost) == in_flight
    assert {key for key, times in asked.items() if times > 1} <= set(lost)
    assert sorted(hashes_of(settings, run_id, "done")) == sorted(asked)
    assert hashes_of(settings, run_id, "sent") == []
