"""Benchmarks: how long map tools take, in one process, over MCP and over REST, and what many calls leave in memory.

Imports copies of Liechtenstein into a private cluster, opens their tools, and calls them with places that a seed draws.
Overheads of MCP are medians of the same calls less their medians in one process. The last line is JSON.
usage: scripts/bench-tools [--copies N] [--calls N] [--clients N] [--long N]
"""

import argparse
import asyncio
import http.client
import json
import random
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import local
from typing import Any

import httpx2
import psycopg
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from psycopg import sql

from app.agent_tools.calling import call_tool
from app.agent_tools.errors import ToolError
from app.cli.output import line, say
from app.core.errors import TrigpointError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.records import SnapshotRef
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers
from perf.bench_api import summary
from perf.bench_questions import NAME, import_copies, run_command, settings_of
from perf.cluster import Cluster, running_cluster
from perf.measuring import memory_of
from perf.serving import TRIGPOINT, serving

DATABASE = "bench_tools"
SEED = 34
NEAR_DEGREES = 0.05
"""Ends of routes and matrices are so near each other, in latitude and longitude."""
MATRIX = 25
RATE = 1_000_000
"""Units of cost a minute of the benchmark's own key, so that no rate slows it down."""
PLACES = """
    select poi.osm_key, poi.name, poi.class, poi.city, st_x(poi.geom) as lon, st_y(poi.geom) as lat
    from {}.poi as poi
    where poi.name is not null
    order by md5(poi.osm_key || %s)
    limit 5000
"""

Call = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Place:
    """A named place that calls are about."""

    osm_key: str
    name: str
    kind: str
    city: str | None
    lon: float
    lat: float

    @property
    def point(self) -> str:
        """As tools take a point."""
        return f"{self.lat:.6f},{self.lon:.6f}"


def draw_places(cluster: Cluster, snapshot: SnapshotRef) -> list[Place]:
    """Named places of the map, in an order that the seed draws."""
    with psycopg.connect(cluster.superuser_url_of(DATABASE)) as connection:
        statement = sql.SQL(PLACES).format(sql.Identifier(snapshot.schema))
        return [Place(*row) for row in connection.execute(statement, (str(SEED),))]


def neighbours(places: Sequence[Place], one: Place, count: int, draw: random.Random) -> list[Place]:
    """Other places near one, at most so many."""
    near = [
        other for other in places
        if other is not one and abs(other.lon - one.lon) < NEAR_DEGREES and abs(other.lat - one.lat) < NEAR_DEGREES
    ]  # fmt: skip
    return draw.sample(near, min(count, len(near)))


def calls_of(places: Sequence[Place], wanted: int) -> dict[str, list[Call]]:
    """By what is measured: so many calls, each about another place."""
    draw = random.Random(SEED)  # noqa: S311 - draws places, no secrets
    made: dict[str, list[Call]] = {"search": [], "details": [], "nearby": [], "route": [], "matrix": []}
    for one in places[:wanted]:
        near = neighbours(places, one, 2 * MATRIX, draw)
        query = one.name if one.city is None else f"{one.name}, {one.city}"
        made["search"].append(("place_search", {"query": query[:200]}))
        made["details"].append(("place_details", {"place": one.osm_key}))
        made["nearby"].append(("nearby", {"where": one.point, "type": one.kind, "limit": 20}))
        if not near:
            continue
        made["route"].append(("directions", {"origin": one.point, "destination": near[0].point}))
        starts, ends = near[:MATRIX], near[MATRIX:]
        if len(ends) == MATRIX:
            said = {
                "origins": [place.point for place in starts],
                "destinations": [place.point for place in ends],
            }
            made["matrix"].append(("distance_matrix", said))
    return made


# --- in one process -------------------------------------------------------------------------------------------------


def time_calls(
    settings: Settings, snapshot: SnapshotRef, calls: Mapping[str, Sequence[Call]]
) -> dict[str, Any]:
    """Milliseconds of calls in this process, by what is measured; the first call of each opens what it needs."""
    found: dict[str, Any] = {}
    with connect(settings, Role.READER) as connection:
        routers = Routers(settings)
        for name, asked in calls.items():
            took, refused = [], 0
            for number, (tool, arguments) in enumerate([asked[0], *asked]):
                started = time.perf_counter()
                try:
                    call_tool(connection, snapshot, routers, tool, arguments)
                except ToolError:
                    refused += number > 0  # an end off the network, or no way from one to the other
                    continue
                if number:
                    took.append(1000 * (time.perf_counter() - started))
            found[name] = {"calls": len(took), "refused": refused, **(summary(took) if len(took) > 1 else {})}
    return found


# --- over the Model Context Protocol --------------------------------------------------------------------------------


async def time_client(client: Client, calls: Sequence[Call]) -> float:
    """The median in milliseconds of calls by the protocol's official client."""
    took = []
    for tool, arguments in calls:
        started = time.perf_counter()
        await client.call_tool(tool, dict(arguments))
        took.append(1000 * (time.perf_counter() - started))
    return statistics.median(took[1:])


async def time_stdio(environment: Mapping[str, str], calls: Sequence[Call]) -> float:
    """The same, by a server of its own over standard input and output."""
    program = StdioServerParameters(
        command=TRIGPOINT, args=["mcp", "--snapshot", NAME], env=dict(environment)
    )
    async with Client(stdio_client(program)) as client:
        return await time_client(client, calls)


async def time_http(address: str, key: str, calls: Sequence[Call]) -> float:
    """The same, over streamable HTTP."""
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60) as http_client:
        transport = streamable_http_client(f"{address}/v1/snapshots/{NAME}/mcp", http_client=http_client)
        async with Client(transport) as client:
            return await time_client(client, calls)


# --- over REST ------------------------------------------------------------------------------------------------------


class Clients:
    """Clients that call tools at once, each over a connection of its own that stays open."""

    def __init__(self, host: str, port: int, key: str) -> None:
        self._host, self._port, self._key = host, port, key
        self._own = local()

    def call(self, asked: Call) -> int:
        """The status of the answer."""
        tool, arguments = asked
        connection = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = http.client.HTTPConnection(self._host, self._port, timeout=60)
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        connection.request("POST", f"/v1/snapshots/{NAME}/tools/{tool}", json.dumps(arguments), headers)
        answer = connection.getresponse()
        answer.read()
        return int(answer.status)


def send_all(clients: Clients, many: int, calls: Sequence[Call]) -> tuple[float, dict[int, int]]:
    """Calls a second of so many clients at once, and how many answers had each status."""
    started = time.perf_counter()
    with ThreadPoolExecutor(many) as pool:
        statuses = list(pool.map(clients.call, calls))
    wall = time.perf_counter() - started
    return len(calls) / wall, {status: statuses.count(status) for status in sorted(set(statuses))}


def repeated(calls: Sequence[Call], count: int) -> Iterator[Call]:
    """So many calls, the same ones over and over."""
    return (calls[number % len(calls)] for number in range(count))


@contextmanager
def prepared(cluster: Cluster, copies: int) -> Iterator[tuple[Settings, dict[str, Any]]]:
    """Settings that lead to a map of so many copies, with its tools open and its router for cars built."""
    with cluster.fresh_database(DATABASE):
        environment = cluster.environment_of(DATABASE)
        figures: dict[str, Any] = {"import_s": round(import_copies(cluster, DATABASE, copies), 1)}
        say(f"{copies} copies: imported in {figures['import_s']} s")
        started = time.perf_counter()
        run_command(["router", "build", "--snapshot", NAME, "--mode", "car"], environment)
        figures["router_s"] = round(time.perf_counter() - started, 1)
        say(f"router for cars: built in {figures['router_s']} s")
        run_command(["tool", "open", "--snapshot", NAME], environment)
        try:
            yield settings_of(cluster, DATABASE), figures
        finally:
            run_command(["router", "stop"], environment)


def measure(cluster: Cluster, options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    environment = cluster.environment_of(DATABASE)
    with prepared(cluster, options.copies) as (settings, figures):
        with connect(settings, Role.MAINTAINER) as connection:
            (snapshot,) = find_snapshots(connection, [NAME])
        calls = calls_of(draw_places(cluster, snapshot), options.calls)
        figures["in_process"] = time_calls(settings, snapshot, calls)
        for name, values in figures["in_process"].items():
            if "p50_ms" not in values:
                say(f"{name:8} no call was answered")
                continue
            say(f"{name:8} {values['p50_ms']:8.2f} ms, 99 of 100 within {values['p99_ms']:8.2f} ms")
        key = run_command(
            ["key", "create", "bench", "--role", "reader", "--requests-per-minute", str(RATE)], environment
        ).strip()
        plain = figures["in_process"]["details"]["p50_ms"]
        stdio = asyncio.run(time_stdio(environment, calls["details"]))
        figures["mcp_stdio_adds_ms"] = round(stdio - plain, 2)
        with serving(environment) as server:
            over_http = asyncio.run(time_http(server.address, key, calls["details"]))
            figures["mcp_http_adds_ms"] = round(over_http - plain, 2)
            say(f"MCP adds {stdio - plain:.2f} ms over stdio, {over_http - plain:.2f} ms over HTTP")
            clients = Clients(server.host, server.port, key)
            mixed = [call for each in zip(*(calls[name] for name in ("search", "details", "nearby")), strict=True)
                     for call in each]  # fmt: skip
            send_all(clients, options.clients, list(repeated(mixed, options.long // 10)))
            before = memory_of(server.pid)
            rate, statuses = send_all(clients, options.clients, list(repeated(mixed, options.long)))
            after = memory_of(server.pid)
        figures |= {"clients": options.clients, "calls_a_second": round(rate, 1), "statuses": statuses}
        figures["memory_mb"] = {"before": round(before / 1e6, 1), "after": round(after / 1e6, 1)}
        say(f"{options.clients} clients: {rate:.0f} calls a second; statuses {statuses}")
        say(
            f"memory of the server: {before / 1e6:.0f} MB, {after / 1e6:.0f} MB after {options.long} more calls"
        )
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; errors are one sentence."""
    parser = argparse.ArgumentParser(prog="scripts/bench-tools", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--copies", type=int, default=30, help="copies of Liechtenstein in the map (30)")
    parser.add_argument("--calls", type=int, default=200, help="calls of each kind in one process (200)")
    parser.add_argument("--clients", type=int, default=64, help="clients that call at once (64)")
    parser.add_argument("--long", type=int, default=10_000, help="calls of all clients (10000)")
    options = parser.parse_args(arguments)
    try:
        with running_cluster() as cluster:
            figures = measure(cluster, options)
    except TrigpointError as error:
        say(f"bench-tools: {error}")
        return error.exit_code
    line(json.dumps({"benchmark": "tools", "copies": options.copies, **figures}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
