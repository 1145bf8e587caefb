"""Benchmarks: how long a submission takes from its first byte to its place on the board, over REST.

Fills a database of a private cluster with production's settings; `trigpoint serve` and a worker live. Answers all
questions rightly but every fifth, and once with a fault near the end, which must be told by its line. The last line is
JSON. Exit 1 where a submission takes more than --limit seconds.
usage: scripts/bench-submitting [--questions N] [--limit SECONDS]
"""

import argparse
import http.client
import json
import statistics
import sys
import time
from collections.abc import Sequence
from hashlib import md5
from typing import Any

import psycopg

from app.access.keys import Wanted, create_key
from app.cli.output import line, say
from app.core.clock import SystemClock
from app.core.errors import ServiceUnavailable, TrigpointError
from app.core.settings import Role
from app.db.engine import connect
from perf import api_data
from perf.bench_api import connected
from perf.cluster import Cluster, running_cluster
from perf.runs_sides import Stage, stage_over, warm_worker

DATABASE = "bench_submitting"
ADDRESS = "/v1/datasets/bench/submissions"
LOOK_EVERY = 0.1
PATIENCE = 300.0


def fill(cluster: Cluster, count: int) -> None:
    """Option questions with gold, every tenth of them hidden."""
    with psycopg.connect(cluster.superuser_url_of(DATABASE)) as connection:
        connection.execute(api_data.MADE)
        for statement in (api_data.QUESTIONS, api_data.GOLD, api_data.PROOFS):
            connection.execute(statement, {"count": count})
        connection.execute(api_data.PUBLISH)


def answers(count: int, shift: int) -> list[str]:
    """A line a question; every fifth answer is wrong, by `shift` letters."""
    return [
        json.dumps(
            {
                "id": md5(str(number).encode(), usedforsecurity=False).hexdigest(),
                "answer": f"The answer is {'ABCD'[(number + (0 if number % 5 else 1 + shift % 3)) % 4]}.",
            }
        )
        for number in range(count)
    ]


def make_key(stage: Stage) -> str:
    """A submitter's key."""
    with connect(stage.settings, Role.MAINTAINER) as connection:
        token, _ = create_key(connection, Wanted("bench", "submitter", 1_000_000), SystemClock().now())
        connection.commit()
    return token


def ask(connection: http.client.HTTPConnection, method: str, address: str, key: str, body: str = "") -> Any:
    """Status and JSON of an answer."""
    headers = {"Authorization": f"Bearer {key}"}
    connection.request(method, address, body=body.encode() or None, headers=headers)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def submit(
    connection: http.client.HTTPConnection, key: str, lines: Sequence[str], name: str
) -> dict[str, float]:
    """Seconds until the answers are checked and stored, and until they are scored."""
    started = time.perf_counter()
    status, told = ask(connection, "POST", f"{ADDRESS}?name={name}", key, "\n".join(lines))
    if status != 202:
        raise ServiceUnavailable(f"The submission was not taken: {status} {told}")
    taken = time.perf_counter()
    while told["state"] != "scored":
        if told["state"] == "failed" or time.perf_counter() > taken + PATIENCE:
            raise ServiceUnavailable(f"The submission was not scored: {told}")
        time.sleep(LOOK_EVERY)
        _, told = ask(connection, "GET", f"/v1/submissions/{told['submission']}", key)
    return {"taken_s": taken - started, "scored_s": time.perf_counter() - started}


def refuse(connection: http.client.HTTPConnection, key: str, lines: list[str]) -> tuple[float, str]:
    """Seconds until answers with a fault in the last line but one are refused, and what is said of it."""
    wrong = [*lines[:-2], json.dumps(json.loads(lines[-2]) | {"answer": 7}), lines[-1]]
    started = time.perf_counter()
    status, told = ask(connection, "POST", f"{ADDRESS}?name=wrong", key, "\n".join(wrong))
    if status != 422:
        raise ServiceUnavailable(f"Wrong answers were not refused: {status} {told}")
    return time.perf_counter() - started, str(told["faults"][0])


def check_board(connection: http.client.HTTPConnection, key: str, count: int) -> None:
    """Raises ServiceUnavailable unless each submission has four of five right."""
    _, board = ask(connection, "GET", "/v1/leaderboards/bench", key)
    right = count - len(range(0, count, 5))
    for row in board["rows"]:
        if abs(row["score"] * count - right) > 0.005 * count:  # rounded: a tenth is hidden
            raise ServiceUnavailable(f"{row['name']} has {row['score']}, and {right} of {count} are right.")


def main() -> int:
    """Measures, and prints a line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=27_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=30.0)
    asked = parser.parse_args()
    with running_cluster() as cluster, cluster.fresh_database(DATABASE):
        say(f"writing {asked.questions:,} questions")
        fill(cluster, asked.questions)
        with (
            stage_over(cluster, DATABASE) as stage,
            warm_worker(stage),
            connected(stage.environment) as connection,
        ):
            key = make_key(stage)
            turns = []
            for number in range(asked.rounds):
                lines = answers(asked.questions, number)
                turns.append(submit(connection, key, lines, f"round{number}"))
                say(f"taken after {turns[-1]['taken_s']:.2f} s, scored after {turns[-1]['scored_s']:.2f} s")
            check_board(connection, key, asked.questions)
            refused, fault = refuse(connection, key, lines)
            say(f"refused after {refused:.2f} s: {fault}")
    figures = {
        "questions": asked.questions,
        "taken_s": round(statistics.median(turn["taken_s"] for turn in turns), 2),
        "scored_s": round(max(turn["scored_s"] for turn in turns), 2),
        "refused_s": round(refused, 2),
        "fault": fault,
    }
    line(json.dumps(figures))
    return 1 if figures["scored_s"] > asked.limit else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TrigpointError as error:
        say(f"bench-submitting: {error}")
        sys.exit(error.exit_code)
