"""Benchmarks: how long REST takes for a page of questions, the first and the last, by filter, and for a board.

Fills a database of a private cluster with production's settings, starts `trigpoint serve`, and asks it over one
connection, in turn. The last line is JSON. Exit 1 where a last page takes more than --limit times as long as the first.
usage: scripts/bench-api [--questions N] [--requests N] [--limit RATIO]
"""

import argparse
import http.client
import json
import re
import statistics
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg

from app.cli.output import line, say
from app.core.errors import ServiceUnavailable, TrigpointError
from app.scores.profiles import TRIGPOINT as PROFILE
from app.scores.standing import LAYOUT
from perf import api_data
from perf.cluster import Cluster, running_cluster
from perf.serving import serving

DATABASE = "bench_api"
PAGE = 100
FILTERS = {
    "questions": "",
    "template": "&template=T50",
    "class": "&class=restaurant",
    "box": "&bbox=9,47,10,48",
    "small_box": "&bbox=9.5,47.2,9.6,47.3",
    "rare_class": "&class=rare",
    "geojson": "&format=geojson",
    "gold": "&gold=true",
}
STATEMENTS = (
    api_data.QUESTIONS,
    api_data.FOOTPRINTS,
    api_data.BOARD,
    api_data.AGGREGATES,
    api_data.STANDINGS,
    api_data.COMPARISONS,
)


def fill(cluster: Cluster, count: int) -> None:
    """The data set of `perf/api_data.py` with so many questions."""
    binds = {
        "count": count,
        "profile": PROFILE.name,
        "profile_version": PROFILE.version,
        "layout": LAYOUT,
    }
    with psycopg.connect(cluster.superuser_url_of(DATABASE)) as connection:
        connection.execute(api_data.MADE)
        for statement in STATEMENTS:
            connection.execute(statement, binds)
        connection.execute(api_data.PUBLISH)


@contextmanager
def connected(environment: Mapping[str, str]) -> Iterator[http.client.HTTPConnection]:
    """A connection to a server of its own process. Raises ServiceUnavailable where it does not start."""
    with serving(environment) as server:
        connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
        yield connection
        connection.close()


def get(
    connection: http.client.HTTPConnection, address: str, headers: Mapping[str, str] | None = None
) -> tuple[http.client.HTTPResponse, bytes]:
    """An answer and its body. Raises ServiceUnavailable for an error."""
    connection.request("GET", address, headers=dict(headers or {}))
    answer = connection.getresponse()
    body = answer.read()
    if answer.status >= 400:
        raise ServiceUnavailable(f"{address}: {answer.status} {body[:200]!r}")
    return answer, body


def last_page(connection: http.client.HTTPConnection, address: str) -> str:
    """The address of the last page behind the first."""
    while True:
        answer, _ = get(connection, f"{address}&limit=1000")
        following = re.search(r'<([^>]+)>; rel="next"', answer.getheader("Link") or "")
        if following is None:
            return f"{address}&limit={PAGE}"
        address = following[1].replace("limit=1000&", "")


def measure(
    connection: http.client.HTTPConnection, addresses: Mapping[str, str], requests: int
) -> dict[str, dict[str, float]]:
    """Milliseconds of `requests` answers to each address, asked in turn; the first of each does not count."""
    took: dict[str, list[float]] = {name: [] for name in addresses}
    for number in range(requests + 1):
        for name, address in addresses.items():
            started = time.perf_counter()
            get(connection, address)
            if number:
                took[name].append(1000 * (time.perf_counter() - started))
    return {name: summary(values) for name, values in took.items()}


def summary(values: list[float]) -> dict[str, float]:
    """Median and 99th percentile."""
    return {
        "p50_ms": round(statistics.median(values), 2),
        "p99_ms": round(statistics.quantiles(values, n=100, method="inclusive")[98], 2),
    }


def main() -> int:
    """Measures, and prints a line an address and one of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=100_000)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--limit", type=float, default=1.5)
    asked = parser.parse_args()
    with running_cluster() as cluster, cluster.fresh_database(DATABASE):
        say(f"writing {asked.questions:,} questions")
        fill(cluster, asked.questions)
        with connected(cluster.environment_of(DATABASE)) as connection:
            addresses = {
                "board": "/v1/leaderboards/bench",
                "board_by_city": "/v1/leaderboards/bench?by=city",
                "comparisons": "/v1/datasets/bench/comparisons",
                "health": "/v1/health",
            }
            for name, more in FILTERS.items():
                first = f"/v1/questions?dataset=bench{more}"
                addresses |= {
                    f"{name}_first": f"{first}&limit={PAGE}",
                    f"{name}_last": last_page(connection, first),
                }
            say(f"asking for {len(addresses)} addresses {asked.requests} times")
            found = measure(connection, addresses, asked.requests)
    slow = [
        name for name in FILTERS
        if found[f"{name}_last"]["p50_ms"] > asked.limit * found[f"{name}_first"]["p50_ms"]
    ]  # fmt: skip
    for name, values in found.items():
        say(f"{name:20} {values['p50_ms']:8.2f} ms, 99 of 100 within {values['p99_ms']:8.2f} ms")
    line(json.dumps({"questions": asked.questions, "page": PAGE, "answers": found, "slow_last_pages": slow}))
    return 1 if slow else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TrigpointError as error:
        say(f"bench-api: {error}")
        sys.exit(error.exit_code)
