"""Benchmarks: one run of Trigpoint over a data set and a paced endpoint, warm or as a cold process, and what it cost.

Starts an endpoint, a Redis and workers of its own, and ends them. Invariant: a cost is given only for a run whose every
prompt was asked once, stored and scored.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from pydantic import SecretStr
from sqlalchemy import TextClause, text

from app.cli.worker import worker_command
from app.core.clock import SystemClock
from app.core.errors import ServiceUnavailable
from app.core.identity import canonical_json
from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect
from app.db.presence import living_workers
from app.inference.limits import Limits
from app.predictions.endpoints import EndpointSpec, add_endpoint
from app.predictions.messages import WORK, Messenger, make_celery
from app.predictions.runs import RunPlan, find_endpoint, plan_run
from app.questions.versions import find_version
from app.solvers import find_solver
from app.solvers.base import QuestionView
from app.solvers.direct import prompt_text
from perf.bench_questions import settings_of
from perf.cluster import FOLDER, Cluster
from perf.measuring import Watch, measure
from perf.runs_endpoint import MODEL, compare, digest_of
from perf.runs_peers import PEERS, Peer, Prompt, environment_of
from perf.serving import TRIGPOINT

DELAY = 0.1
IN_FLIGHT = 64
"""Calls that the endpoint takes at a time: every side keeps to it."""
IN_HAND = 128
"""Questions that our worker has in hand: what is more than in flight is being committed."""
ENDPOINT = "paced"
LOOK_EVERY = 0.005
"""Seconds between two looks at a run, after the time that it needs at the least."""
PATIENCE = 600.0
"""Seconds after which a run without scores is given up."""
QUESTIONS = text("""
select
    question.id,
    question.template,
    question.prompt,
    question.options,
    question.answer_type,
    gold.value as gold
from question
inner join gold
    on question.version_id = gold.version_id
    and question.id = gold.question_id
    and gold.is_default
where question.version_id = :version_id
order by question.position
""")
ASKING = text("""
select extract(epoch from max(answered_at) - min(sent_at))
from step
where run_id = :run_id
""")
IS_COMPLETE = text("select status = 'complete' from run where id = :run_id")
IS_SCORED = text("""
select
    not exists (
        select 1
        from prediction
        left join score
            on
                prediction.id = score.prediction_id
                and score.profile = 'trigpoint'
        where
            prediction.run_id = :run_id
            and prediction.state = 'answered'
            and score.prediction_id is null
    )
""")
IS_ON_BOARDS = text("select exists(select 1 from board_aggregate where run_id = :run_id)")
STORED = text("""
select
    run.status,
    run.total,
    run.reasked,
    (select count(*) from prediction where prediction.run_id = run.id) as predictions,
    (select count(*) from prediction where prediction.run_id = run.id and prediction.state = 'answered') as answered,
    (
        select count(*)
        from score
        inner join prediction on score.prediction_id = prediction.id
        where
            prediction.run_id = run.id
            and score.profile = 'trigpoint'
    ) as scores
from run
where run.id = :run_id
""")


def ideal_of(requests: int) -> float:
    """Seconds that so many requests take with IN_FLIGHT of them always at the endpoint."""
    return requests * DELAY / IN_FLIGHT


class Turn(NamedTuple):
    """What one run of one side cost; CPU and memory of its whole tree, PostgreSQL's CPU apart."""

    wall: float
    cpu: float
    memory: float
    server_cpu: float
    most_in_flight: int
    series: list[float]
    """Megabytes by second, where they were kept: while it asked, and while it scored."""
    asking: float = 0.0
    """Seconds to the last answer, where they were looked up."""
    board: float = 0.0
    """Seconds until boards show the run, where that was waited for: its last score was committed after `wall`."""

    def while_asking(self) -> list[float]:
        """The memory by second, up to the last answer."""
        return self.series[: int(self.asking)]


@dataclass
class Stage:
    """All that the sides share: a database with questions, a broker, an endpoint."""

    cluster: Cluster
    database: str
    redis_url: str
    redis: int
    port: int
    seeds: int = field(default=100)
    """The last seed that a run was given: another seed is another run."""

    @property
    def url(self) -> str:
        """The endpoint's base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def settings(self) -> Settings:
        """Settings of this side's own processes."""
        changes = {"redis_url": SecretStr(self.redis_url), "concurrency": IN_HAND}
        return settings_of(self.cluster, self.database).model_copy(update=changes)

    @property
    def environment(self) -> dict[str, str]:
        """The same for commands."""
        ours = {"TRIGPOINT_REDIS_URL": self.redis_url, "TRIGPOINT_CONCURRENCY": str(IN_HAND)}
        return self.cluster.environment_of(self.database) | ours | {"TRIGPOINT_LOCAL_DIR": str(FOLDER)}

    def next_seed(self) -> int:
        """A seed that no run has had."""
        self.seeds += 1
        return self.seeds

    def clear(self) -> None:
        """Begin a turn: the endpoint counts from nothing, and what earlier turns left to be written is on the disk."""
        with psycopg.connect(self.cluster.superuser_url, autocommit=True) as connection:
            connection.execute("checkpoint")
        os.sync()
        urllib.request.urlopen(f"http://127.0.0.1:{self.port}/control/forget", data=b"", timeout=10).close()

    def check_asked(self, wanted: Mapping[str, int], side: str) -> int:
        """The most calls that were in flight; raises ServiceUnavailable unless each prompt was asked once."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/control/asked", timeout=10) as response:
            told = json.load(response)
        found = compare(wanted, told["asked"])
        if not found.is_whole:
            raise ServiceUnavailable(
                f"{side} asked not each prompt once: {found.missing} missing, {found.twice} too often, "
                f"{found.foreign} that are none of ours."
            )
        return int(told["in_flight"])


@contextmanager
def stage_over(cluster: Cluster, database: str, delay: float = DELAY, *more: str) -> Iterator[Stage]:
    """A stage with Redis and its endpoint running, which answers after `delay` seconds; `more` are its options."""
    with _endpoint(delay, *more) as port, _redis(redis_port := _free_port()) as redis:
        stage = Stage(cluster, database, f"redis://127.0.0.1:{redis_port}/0", redis, port)
        with connect(stage.settings, Role.WORKER) as connection:
            limits = Limits(concurrency=IN_FLIGHT)
            add_endpoint(
                connection, EndpointSpec(ENDPOINT, stage.url, MODEL, limits=limits), SystemClock().now()
            )
            connection.commit()
        yield stage


@contextmanager
def _child(command: list[str], log: Path, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A process with its output in a log; ended when left."""
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command, cwd=PROJECT_ROOT, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, **more
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextmanager
def _endpoint(delay: float, *more: str) -> Iterator[int]:
    port_file = FOLDER / "endpoint.port"
    port_file.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "perf.runs_endpoint",
        "--delay",
        str(delay),
        "--port-file",
        str(port_file),
        *more,
    ]
    with _child(command, FOLDER / "endpoint.log") as process:
        _wait(port_file.exists, process, "the endpoint")
        yield int(port_file.read_text())


@contextmanager
def _redis(port: int) -> Iterator[int]:
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with _child([*command, "--dir", str(FOLDER)], FOLDER / "redis.log") as process:
        _wait(lambda: _listens(port), process, "Redis")
        yield process.pid


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _listens(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def _wait(
    condition: Callable[[], object], process: subprocess.Popen[bytes], what: str, patience: float = 60.0
) -> None:
    until = time.monotonic() + patience
    while not condition():
        if process.poll() is not None or time.monotonic() > until:
            raise ServiceUnavailable(f"{what} did not start. Read the logs in {FOLDER}.")
        time.sleep(0.02)


@contextmanager
def warm_worker(stage: Stage) -> Iterator[int]:
    """The pid of a worker that answers."""
    with _child(worker_command("warning"), FOLDER / "worker.log", env=stage.environment) as process:
        with connect(stage.settings, Role.WORKER) as connection:
            # Each look in a transaction of its own, or statistics of sessions would stand still.
            connection.execution_options(isolation_level="AUTOCOMMIT")
            _wait(lambda: living_workers(connection, stage.settings) > 0, process, "the worker")
        yield process.pid


def prompts_of(stage: Stage, name: str) -> list[Prompt]:
    """The prompts of a data set as `direct` asks them."""
    with connect(stage.settings, Role.WORKER) as connection:
        version = find_version(connection, name)
        rows = connection.execute(QUESTIONS, {"version_id": version.id}).all()
    return [
        Prompt(
            prompt_text(QuestionView(row.id, row.template, row.prompt, row.options, row.answer_type)),
            canonical_json(row.gold),
        )
        for row in rows
    ]


def counted(prompts: list[Prompt]) -> Counter[str]:
    """How often each prompt, by its digest, is to be asked."""
    return Counter(digest_of(prompt.text) for prompt in prompts)


def accept_run(stage: Stage, name: str) -> int:
    """Plan a direct run over the data set, commit it, send word; its id."""
    now = SystemClock().now()
    with connect(stage.settings, Role.WORKER) as connection:
        endpoint = find_endpoint(connection, ENDPOINT)
        plan = RunPlan(
            find_version(connection, name).id,
            "direct",
            find_solver("direct").version,
            MODEL,
            stage.next_seed(),
            endpoint_id=endpoint.id,
            sampling={"temperature": 0.0},
        )
        run_id = plan_run(connection, plan, now, stage.settings.batch_size).id
        connection.commit()
    return run_id


def run_warm(stage: Stage, name: str, wanted: Mapping[str, int], worker: int) -> Turn:
    """From a run that is accepted to its last score, by a worker that lives; Redis counts with the worker."""
    stage.clear()
    messenger = Messenger(make_celery(stage.settings))
    messenger.check()
    run_id = accept_run(stage, name)
    with Watch([worker, stage.redis], stage.cluster.postmaster) as watch:
        messenger.send(WORK)
        time.sleep(ideal_of(sum(wanted.values())))
        wait_for(stage, run_id, IS_COMPLETE)
        wait_for(stage, run_id, IS_SCORED)
        wall = watch.seconds()
        wait_for(stage, run_id, IS_ON_BOARDS)
    check_stored(stage, run_id, sum(wanted.values()))
    most = stage.check_asked(wanted, "the worker")
    with connect(stage.settings, Role.WORKER) as connection:
        asking = float(connection.execute(ASKING, {"run_id": run_id}).scalar_one())
    spent = watch.spent._replace(wall=wall)
    return Turn(*spent, most_in_flight=most, series=watch.series, asking=asking, board=watch.spent.wall)


def wait_for(stage: Stage, run_id: int, condition: TextClause) -> None:
    """Wait until that is true of a run. Raises ServiceUnavailable where it does not become true."""
    until = time.monotonic() + PATIENCE
    with connect(stage.settings, Role.WORKER) as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        # What was stored just now is in no statistics: that looking must not cost the machine seconds.
        connection.execute(text("set enable_nestloop = off"))
        while not connection.execute(condition, {"run_id": run_id}).scalar_one():
            if time.monotonic() > until:
                raise ServiceUnavailable(f"Run {run_id} is not scored after {PATIENCE:.0f} s.")
            time.sleep(LOOK_EVERY)


def check_stored(stage: Stage, run_id: int, questions: int) -> None:
    """Raise ServiceUnavailable unless the run is complete, all of it stored and all that was answered scored."""
    with connect(stage.settings, Role.WORKER) as connection:
        row = connection.execute(STORED, {"run_id": run_id}).one()
    whole = row.status == "complete" and row.total == row.predictions == questions
    if not (whole and row.answered == row.scores > 0 and row.reasked == 0):
        raise ServiceUnavailable(f"Run {run_id} of {questions} questions is not whole: {row._asdict()}.")


def run_cold(stage: Stage, name: str, wanted: Mapping[str, int]) -> Turn:
    """`trigpoint evaluate` as a whole process that starts a worker of its own."""
    stage.clear()
    command = [TRIGPOINT, "evaluate", name, "--solver", "direct", "--endpoint", ENDPOINT]
    command += ["--seed", str(stage.next_seed()), "--json"]
    cost = measure([[command]], stage.environment, stage.cluster.postmaster, FOLDER / "cold.log")
    check_stored(stage, json.loads(cost.output)["run"], sum(wanted.values()))
    most = stage.check_asked(wanted, "trigpoint evaluate")
    return Turn(cost.wall, cost.cpu, cost.memory, cost.server_cpu, most, [])


def run_peer(stage: Stage, name: str, wanted: Mapping[str, int]) -> Turn:
    """A peer as a whole process over the same prompts."""
    peer: Peer = PEERS[name]
    shutil.rmtree(peer.logs, ignore_errors=True)
    stage.clear()
    environment = environment_of(peer, stage.url)
    command = peer.command(stage.url, IN_FLIGHT)
    cost = measure([[command]], environment, stage.cluster.postmaster, FOLDER / f"{name}.log")
    most = stage.check_asked(wanted, name)
    stored = peer.stored(peer.logs)
    if stored != sum(wanted.values()):
        raise ServiceUnavailable(
            f"{name} stored {stored} samples, not {sum(wanted.values())}: see {peer.logs}."
        )
    return Turn(cost.wall, cost.cpu, cost.memory, cost.server_cpu, most, [])
