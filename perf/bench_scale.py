"""Benchmarks: how times grow with the rows that are stored: 50,000 steps, predictions and scores, and 5,000,000.

Two databases of one private PostgreSQL hold the same data set with the same five runs; the larger one holds more runs
of other data sets beside them. Each operation is done in both, in turn, in an order that turns round, so that other
work of the machine meets both. The last line is JSON. Exit 1 where a target is missed.
usage: scripts/bench-scale [--rows N] [--rounds R] [--only NAMES]
"""

import argparse
import http.client
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import psycopg
from sqlalchemy import Connection

from app.access.keys import Wanted, create_key
from app.cli.output import line, say
from app.core.clock import SystemClock
from app.core.errors import ServiceUnavailable, TrigpointError, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.jobs.claims import kinds_waiting
from app.predictions.carrying import carry_runs
from app.predictions.leases import Lease
from app.predictions.queries_reuse import ANSWERED_CALLS
from app.predictions.submissions.taking import submissions_wait
from app.predictions.sweeping import sweep
from app.predictions.units import Kind, Unit, Write, make_ready, plan_ahead, write_units
from app.scores.carrying import score_carried
from app.scores.reasoning_figures import runs_to_check
from app.scores.rescoring import Servers, rescore
from app.scores.scoring import runs_of_old_profile
from app.sessions.sweeping import forget_unused
from perf.bench_api import get
from perf.bench_questions import settings_of
from perf.cluster import Cluster, running_cluster
from perf.scale_data import (
    BATCH,
    PRESENTATION,
    QUESTIONS,
    RUNS,
    RUNS_OF_OTHERS,
    SMALLEST,
    SWEPT,
    WRITTEN,
    add_others,
    make_bench,
)
from perf.serving import Server, serving

BASE = "bench_scale"
SIDES = {"small": "bench_scale_small", "large": "bench_scale_large"}
LATER = datetime(2090, 1, 1, tzinfo=UTC)
IN_FLIGHT, GROUP, WRITES = 16, 16, 480
"""Calls that a lost worker had in flight; units in a commit, as in `app.predictions.ledger`; units that are written."""
GROWTH, SLOWER_WRITES = 2.0, 1.10
"""The targets: an operation over all rows takes at most so many times as long; writing does."""
GROWING = ("first_page", "bi_all_runs")
"""Operations that show all data sets or all runs, which are more: measured, without a target."""
# Both sides list the same number of runs: `other_1` has RUNS_OF_OTHERS - RUNS, and the newest are of such data sets.
ADDRESSES = {
    "run_rest": "/v1/runs/1",
    "run_calls_rest": "/v1/runs/1/calls",
    "run_answers_rest": "/v1/runs/1/answers?limit=100",
    "run_page": "/runs/1",
    "runs_rest": f"/v1/runs?limit={RUNS_OF_OTHERS - RUNS}",
    "runs_page": "/runs?dataset=other_1",
    "board_rest": "/v1/leaderboards/bench",
    "board_page": "/leaderboards/bench",
    "first_page": "/",
}
BI = {
    "bi_runs_of_data_set": "select * from trigpoint.bi_run where dataset = 'bench'",
    "bi_board_of_data_set": "select * from trigpoint.bi_board where dataset = 'bench'",
    "bi_all_runs": "select * from trigpoint.bi_run",
}


@dataclass
class Side:
    """A database, how it is reached, and what is known of it."""

    rows: int
    url: str
    settings: Settings
    server: Server
    asked: list[tuple[str, str]]
    """Id and revision of the questions of `bench`, by position."""
    leases: Mapping[str, Lease]
    """Of the runs SWEPT and WRITTEN."""
    key: str
    """Of a reader."""


Operation = Callable[[Side], float]
"""Does something once and gives its seconds."""


@contextmanager
def timed(seconds: list[float]) -> Iterator[None]:
    """Append the wall seconds of what is done inside."""
    started = time.perf_counter()
    yield
    seconds.append(time.perf_counter() - started)


def ask(address: str) -> Operation:
    """An answer of the server of a side, over a connection that is just open: a server closes those that idle."""

    def once(side: Side) -> float:
        took: list[float] = []
        connection = http.client.HTTPConnection(side.server.host, side.server.port, timeout=600)
        connection.connect()
        with timed(took):
            get(connection, address, {"Authorization": f"Bearer {side.key}"})
        connection.close()
        return took[0]

    return once


def ask_bi(statement: str) -> Operation:
    """The rows of a view, as the role of BI tools reads them."""

    def once(side: Side) -> float:
        took: list[float] = []
        with psycopg.connect(side.url) as connection:
            connection.execute("set role trigpoint_dashboard")
            with timed(took):
                connection.execute(statement.encode()).fetchall()
        return took[0]

    return once


def as_worker(work: Callable[[Connection, Side], None]) -> Operation:
    """What a worker does; nothing of it stays, unless `work` commits it."""

    def once(side: Side) -> float:
        took: list[float] = []
        with connect(side.settings, Role.WORKER) as connection:
            connection.exec_driver_sql("select 1")
            with timed(took):
                work(connection, side)
            connection.rollback()
        return took[0]

    return once


def rescore_run(connection: Connection, side: Side) -> None:
    """Score a run again, with its boards and comparisons."""
    rescore(connection, 1, Servers(), SystemClock(), lambda *progress: None)


def carry_over(connection: Connection, side: Side) -> None:
    """Carry all runs of the data set over to its second version, and score one of them."""
    carried = carry_runs(connection, 1, 2, lambda solver: None, LATER)
    first = next(one for one in carried if one.carried is not None)
    assert first.carried is not None
    score_carried(connection, first.run, first.carried)


def look_for_answers(connection: Connection, side: Side) -> None:
    """What a run that reuses answers looks up for a batch."""
    ids = [id_ for id_, _ in side.asked[:BATCH]]
    connection.execute(ANSWERED_CALLS, {"run_id": 1, "question_ids": ids}).all()


def sweep_idle(connection: Connection, side: Side) -> None:
    """All that a worker's sweeper asks PostgreSQL for, where nothing is to be done."""
    now = datetime(2000, 1, 1, tzinfo=UTC)
    sweep(connection, now)
    runs_of_old_profile(connection)
    runs_to_check(connection)
    kinds_waiting(connection, side.settings, now)
    submissions_wait(connection, now)
    forget_unused(connection, now)


def sweep_lost_worker(side: Side) -> float:
    """A sweep that takes back the batch of a lost worker with calls in flight."""
    took: list[float] = []
    lease = side.leases[SWEPT]
    with psycopg.connect(side.url) as connection:
        connection.execute("delete from trigpoint.step where run_id = %s", (lease.run_id,))
        connection.execute(
            "update trigpoint.batch set state = 'leased', attempt = 0, deadline = '2001-01-01Z', fencing_token = 1"
            " where id = %s",
            (lease.batch_id,),
        )
    with connect(side.settings, Role.WORKER) as connection:
        autocommit = connection.execution_options(isolation_level="AUTOCOMMIT")
        write_units(autocommit, [Unit(lease, [sent(lease, question)]) for question in side.asked[:IN_FLIGHT]])
    with connect(side.settings, Role.WORKER) as connection:
        connection.exec_driver_sql("select 1")
        connection.rollback()
        with timed(took):
            swept = sweep(connection, datetime(2002, 1, 1, tzinfo=UTC))
    if (swept.expired, swept.reasked) != (1, IN_FLIGHT):
        raise ServiceUnavailable(f"The sweep took back {swept.expired} batches with {swept.reasked} calls.")
    return took[0]


def write_steps(side: Side) -> float:
    """Calls that leave and come back, and their predictions, in groups as the ledger writes them."""
    took: list[float] = []
    lease = side.leases[WRITTEN]
    questions = side.asked[:WRITES]
    with connect(side.settings, Role.WORKER) as connection:
        autocommit = connection.execution_options(isolation_level="AUTOCOMMIT")
        make_ready(autocommit)
        plan_ahead(autocommit)
        with timed(took):
            for start in range(0, WRITES, GROUP):
                group = questions[start : start + GROUP]
                write_units(autocommit, [Unit(lease, [sent(lease, one)]) for one in group])
                write_units(autocommit, [Unit(lease, ended(lease, one)) for one in group])
    with psycopg.connect(side.url) as superuser:
        for table in ("step", "prediction"):
            deleted = superuser.execute(
                f"delete from trigpoint.{table} where run_id = %s".encode(), (lease.run_id,)
            )
            if deleted.rowcount != WRITES:
                raise ServiceUnavailable(
                    f"{deleted.rowcount} rows of {table} were written, {WRITES} are wanted."
                )
    return took[0]


def sent(lease: Lease, question: tuple[str, str]) -> Write:
    """A call that leaves."""
    values = _key(lease, question) | {
        "version_id": 1,
        "question_id": question[0],
        "ordinal": 0,
        "attempt": 0,
        "kind": "chat",
        "request_hash": question[1] * 2,
        "request": json.dumps({"model": "bench", "messages": [{"role": "user", "content": "Which? " * 40}]}),
        "sent_at": LATER,
        "reserved_prompt": 100,
        "reserved_completion": 512,
    }
    return Write(Kind.SENT, values)


def ended(lease: Lease, question: tuple[str, str]) -> list[Write]:
    """The call's end, and the prediction that follows."""
    response = json.dumps(
        {"choices": [{"message": {"role": "assistant", "content": "The answer is B. " * 10}}]}
    )
    closed = _key(lease, question) | {
        "ordinal": 0,
        "attempt": 0,
        "state": "done",
        "response": response,
        "http_status": 200,
        "usage": '{"prompt_tokens": 96, "completion_tokens": 24}',
        "error": None,
        "answered_at": LATER,
        "latency_ms": 200,
        "finish_reason": "stop",
        "engine": None,
        "spent_prompt": 96,
        "spent_completion": 24,
    }
    predicted = _key(lease, question) | {
        "version_id": 1,
        "question_id": question[0],
        "rotation": 0,
        "state": "answered",
        "answer": "The answer is B.",
        "detail": "{}",
        "error": None,
        "created_at": LATER,
    }
    return [Write(Kind.CLOSED, closed), Write(Kind.PREDICTED, predicted)]


def _key(lease: Lease, question: tuple[str, str]) -> dict[str, Any]:
    return {
        "run_id": lease.run_id,
        "question_revision": question[1],
        "presentation_key": PRESENTATION,
        "repeat": 0,
    }


OPERATIONS: Mapping[str, Operation] = {
    **{name: ask(address) for name, address in ADDRESSES.items()},
    **{name: ask_bi(statement) for name, statement in BI.items()},
    "sweep_idle": as_worker(sweep_idle),
    "sweep_lost_worker": sweep_lost_worker,
    "look_for_answers": as_worker(look_for_answers),
    "rescore": as_worker(rescore_run),
    "carry_over": as_worker(carry_over),
    "write_steps": write_steps,
}


@contextmanager
def opened(cluster: Cluster, database: str, rows: int) -> Iterator[tuple[Side, dict[str, Any]]]:
    """A filled side with a server, and what filling it took."""
    settings = settings_of(cluster, database)
    url = cluster.superuser_url_of(database)
    started = time.monotonic()
    add_others(url, rows)
    filled = {"rows": rows, "fill_s": round(time.monotonic() - started, 1), **sizes(url)}
    say(
        f"{database}: {rows:,} steps, predictions and scores in {filled['fill_s']:.0f} s, {filled['gb']:.2f} GB"
    )
    with serving(cluster.environment_of(database)) as server:
        yield _side(rows, url, settings, server), filled


def _side(rows: int, url: str, settings: Settings, server: Server) -> Side:
    with psycopg.connect(url) as connection:
        asked = connection.execute(
            "select id, revision from trigpoint.question where version_id = 1 order by position"
        ).fetchall()
        leased = connection.execute(
            "select run.label, batch.id, run.id, batch.question_ids, batch.fencing_token, batch.deadline"
            " from trigpoint.run inner join trigpoint.batch on batch.run_id = run.id where run.status = 'running'"
        ).fetchall()
    leases = {
        label: Lease(batch, run, ids, token, 0, deadline, True)
        for label, batch, run, ids, token, deadline in leased
    }
    with connect(settings, Role.MAINTAINER) as maintainer:
        key, _ = create_key(maintainer, Wanted("bench", "reader", 1_000_000), SystemClock().now())
        maintainer.commit()
    return Side(rows, url, settings, server, asked, leases, key)


def sizes(url: str) -> dict[str, Any]:
    """Gigabytes of the database, and bytes a row of the three tables with their indexes."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "select pg_database_size(current_database()) / 1e9,"
            " pg_total_relation_size('trigpoint.step') / (select count(*) from trigpoint.step),"
            " pg_total_relation_size('trigpoint.prediction') / (select count(*) from trigpoint.prediction),"
            " pg_total_relation_size('trigpoint.score') / (select count(*) from trigpoint.score)"
        ).fetchone()
    assert row is not None
    return {
        "gb": round(float(row[0]), 2),
        "bytes_a_step": int(row[1]),
        "bytes_a_prediction": int(row[2]),
        "bytes_a_score": int(row[3]),
    }


def measure(small: Side, large: Side, names: Sequence[str], rounds: int) -> dict[str, dict[str, Any]]:
    """Milliseconds of these operations on both sides; the first round of each does not count."""
    return {name: _measure(name, OPERATIONS[name], small, large, rounds) for name in names}


def _measure(name: str, operation: Operation, small: Side, large: Side, rounds: int) -> dict[str, Any]:
    took: dict[str, list[float]] = {"small": [], "large": []}
    for number in range(rounds + 1):
        for side, place in (("small", small), ("large", large))[:: 1 if number % 2 else -1]:
            seconds = operation(place)
            if number:
                took[side].append(1000 * seconds)
    found = {
        "small_ms": round(statistics.median(took["small"]), 2),
        "large_ms": round(statistics.median(took["large"]), 2),
        "ratio": round(statistics.median(b / a for a, b in zip(took["small"], took["large"])), 3),
        "ratio_of_best": round(min(took["large"]) / min(took["small"]), 3),
    }
    say(f"{name:22} {found['small_ms']:10.2f} ms {found['large_ms']:10.2f} ms, ratio {found['ratio']:.2f}")
    return found


def targets(found: Mapping[str, Mapping[str, Any]]) -> dict[str, bool]:
    """Which operations meet their target; the best times count, where other work of the machine disturbs least."""
    limits = {name: GROWTH for name in found if name not in GROWING} | {"write_steps": SLOWER_WRITES}
    return {name: found[name]["ratio_of_best"] <= limit for name, limit in limits.items() if name in found}


def wanted(only: str | None) -> list[str]:
    """The names of the operations to measure. Raises UsageError for one that there is not."""
    names = list(OPERATIONS) if only is None else only.split(",")
    if unknown := [name for name in names if name not in OPERATIONS]:
        raise UsageError(
            f"--only: there is no operation {', '.join(unknown)}. There are: {', '.join(OPERATIONS)}."
        )
    return names


def run_all(options: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    """Fill, measure, and give the JSON of the last line."""
    with running_cluster() as cluster, ExitStack() as stack:
        base = stack.enter_context(cluster.fresh_database(BASE))
        make_bench(cluster.superuser_url_of(base), settings_of(cluster, base))
        sides, filled = {}, {}
        for name, rows in (("small", SMALLEST), ("large", options.rows)):
            database = stack.enter_context(cluster.fresh_database(SIDES[name], base))
            sides[name], filled[name] = stack.enter_context(opened(cluster, database, rows))
        found = measure(sides["small"], sides["large"], names, options.rounds)
    return {
        "benchmark": "scale",
        "questions": QUESTIONS,
        "runs": RUNS,
        "rounds": options.rounds,
        "filled": filled,
        "operations": found,
        "targets": targets(found),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; errors are one sentence."""
    parser = argparse.ArgumentParser(prog="scripts/bench-scale", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000, help=f"a multiple of {SMALLEST:,} (5,000,000)")
    parser.add_argument("--rounds", type=int, default=5, help="times that each operation counts (5)")
    parser.add_argument("--only", help="operations to measure, such as rescore,carry_over (all)")
    options = parser.parse_args(arguments)
    try:
        if options.rounds < 1:
            raise UsageError("--rounds is 1 or more.")
        if options.rows < 2 * SMALLEST or options.rows % SMALLEST:
            raise UsageError(f"--rows is a multiple of {SMALLEST:,}, from {2 * SMALLEST:,} on.")
        result = run_all(options, wanted(options.only))
    except TrigpointError as error:
        say(f"bench-scale: {error}")
        return error.exit_code
    line(json.dumps(result))
    return 0 if all(result["targets"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
