"""Benchmarks: what a large installation would do, simulated from times of one machine. It measures nothing.

A call of a model is stored before it leaves (PostgreSQL), waits at its endpoint, is read by its worker (one processor a
worker), and is stored again (PostgreSQL); then the next call of that place begins. Whoever comes first is served first.
The last line is JSON. usage: python -m perf.scale_plan [--workers N] [--endpoints N] [--latency SECONDS] …
"""

import argparse
import heapq
import json
import random
import statistics
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.cli.output import line, say
from app.db.pools import COMMAND_CONNECTIONS, SERVER_CONNECTIONS, WORKER_CONNECTIONS

DAY = 86_400
BEGIN, LEAVE, READ, STORE, END = range(5)
"""What happens to a call: it begins, it is stored and leaves, it is answered, it is read, its answer is stored."""


class Plan(NamedTuple):
    """An installation and the measured times that it is computed with."""

    workers: int
    endpoints: int
    in_flight: int
    """Calls at once, an endpoint."""
    latency: float
    """Mean seconds of a call at its endpoint; single calls are drawn from an exponential distribution."""
    worker_cpu: float
    """Seconds of processor time of a worker, a call."""
    postgresql_cpu: float
    """Seconds of processor time of PostgreSQL, a call."""
    postgresql_cores: int
    seconds: float
    """How long is simulated; the first fifth does not count."""


class Station:
    """Something with so many processors, where calls are served in order."""

    def __init__(self, processors: int) -> None:
        self._free = [0.0] * processors
        self.worked = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """The moment at which a call that comes now, and needs so long, is done."""
        done = max(now, heapq.heappop(self._free)) + seconds
        heapq.heappush(self._free, done)
        self.worked += seconds
        return done


def simulate(plan: Plan, seed: int = 0) -> dict[str, Any]:
    """Calls a second, how busy PostgreSQL and the workers are, and the median time of a call in all."""
    draw = random.Random(seed)  # noqa: S311  (no secret is drawn)
    postgresql = Station(plan.postgresql_cores)
    workers = [Station(1) for _ in range(plan.workers)]
    places = range(plan.endpoints * plan.in_flight)
    began = [plan.latency * draw.random() for _ in places]
    events = [(began[place], place, BEGIN) for place in places]
    heapq.heapify(events)
    took: list[float] = []
    while events[0][0] <= plan.seconds:
        now, place, what = heapq.heappop(events)
        if what == BEGIN:
            began[place], then = now, postgresql.serve(now, plan.postgresql_cpu / 2)
        elif what == LEAVE:
            then = now + draw.expovariate(1 / plan.latency)
        elif what == READ:
            then = workers[place % plan.workers].serve(now, plan.worker_cpu)
        elif what == STORE:
            then = postgresql.serve(now, plan.postgresql_cpu / 2)
        else:
            then = now
            took += [now - began[place]] if now >= plan.seconds / 5 else []
        heapq.heappush(events, (then, place, (what + 1) % 5))
    return {
        "calls_a_second": round(len(took) / (plan.seconds * 4 / 5), 1),
        "postgresql_busy": round(min(1.0, postgresql.worked / plan.seconds / plan.postgresql_cores), 3),
        "busiest_worker": round(max(one.worked for one in workers) / plan.seconds, 3),
        "call_median_s": round(statistics.median(took), 3) if took else None,
    }


def connections(plan: Plan) -> int:
    """What PostgreSQL's max_connections must allow, with one `trigpoint serve`; three are PostgreSQL's own."""
    return plan.workers * WORKER_CONNECTIONS + SERVER_CONNECTIONS + COMMAND_CONNECTIONS + 3


def cities(count: int, import_s: float, making_s: float, at_once: int) -> dict[str, float]:
    """Hours for the import of so many maps and the making, proving and verifying of a data set of each."""
    seconds = count * (import_s + making_s) / at_once
    return {"cities": count, "at_once": at_once, "hours": round(seconds / 3600, 1)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what was simulated."""
    parser = argparse.ArgumentParser(
        prog="python -m perf.scale_plan", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--workers", type=int, default=100)
    parser.add_argument("--endpoints", type=int, default=100)
    parser.add_argument("--in-flight", type=int, default=64, help="calls at once, an endpoint")
    parser.add_argument("--latency", type=float, default=2.0, help="mean seconds of a call")
    parser.add_argument("--worker-cpu-ms", type=float, default=1.03, help="of scripts/bench-runs, warm")
    parser.add_argument("--postgresql-cpu-ms", type=float, default=0.495, help="of scripts/bench-runs, warm")
    parser.add_argument("--postgresql-cores", type=int, default=2)
    parser.add_argument("--questions", type=int, default=2_000, help="of a run")
    parser.add_argument(
        "--bytes-a-call", type=int, default=2_190, help="of scripts/bench-scale: step, answer, score"
    )
    parser.add_argument("--cities", type=int, default=1_000)
    parser.add_argument("--import-s", type=float, default=2.92, help="of scripts/bench-import --single")
    parser.add_argument("--question-ms", type=float, default=11.9, help="of scripts/bench-questions")
    parser.add_argument("--seconds", type=float, default=30.0, help="that are simulated")
    asked = parser.parse_args(arguments)
    plan = Plan(
        asked.workers,
        asked.endpoints,
        asked.in_flight,
        asked.latency,
        asked.worker_cpu_ms / 1000,
        asked.postgresql_cpu_ms / 1000,
        asked.postgresql_cores,
        asked.seconds,
    )
    found = simulate(plan)
    calls = found["calls_a_second"] * DAY
    told = {
        "simulated": plan._asdict(),
        **found,
        "calls_a_day": round(calls),
        "runs_a_day": round(calls / asked.questions),
        "gb_a_day": round(calls * asked.bytes_a_call / 1e9, 1),
        "connections": connections(plan),
        **cities(asked.cities, asked.import_s, asked.questions * asked.question_ms / 1000, 2),
    }
    for name, value in told.items():
        say(f"{name}: {value}")
    line(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
