"""The whole list of attacks against a sandbox, while REST is asked, a run goes on, and others ask harmless SQL."""

import asyncio
import json
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import httpx
import pytest

from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect
from app.db.naming import reference_schema
from app.map_tools.sql_running import SqlOutcome, SqlRunner
from app.questions.snapshots import find_snapshots
from tests.app.map_tools.attacks import ATTACKS
from tests.app.map_tools.heavy import HEAVY, send
from tests.support.command_line import TRIGPOINT
from tests.support.factories import make_version, mixed_dataset
from tests.support.own_sandbox import OwnSandbox, own_sandbox
from tests.support.processes import free_port, start_trigpoint, wait_until
from tests.support.town import import_map, make_town

pytestmark = pytest.mark.long
CLOCK = 0.5
HARMLESS = "select name, subcategory, geom from pois where name is not null order by osm_type, osm_id"
ALIVE_AFTER = 5.0
USABLE = 0.1
"""Seconds within which 99 of 100 requests are answered, also where other tests run beside: twice what is promised of a
quiet machine. The figures are printed."""


def p99(address: str, goes_on: Callable[[], bool]) -> tuple[float, int]:
    """The 99th percentile of the seconds that REST takes, and how often it was asked, as long as something goes on."""
    taken = []
    with httpx.Client(timeout=20) as client:
        while goes_on() or len(taken) < 100:
            began = time.monotonic()
            client.get(f"{address}/v1/datasets").raise_for_status()
            taken.append(time.monotonic() - began)
            time.sleep(0.01)
    return sorted(taken)[int(len(taken) * 0.99)], len(taken)


def test_there_are_enough_of_them() -> None:
    statements = [*ATTACKS.values(), *HEAVY.values()]
    assert len(set(statements)) == len(statements) >= 250


def test_attacks_harm_nobody(
    make_database: Callable[[], Settings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = make_database()
    import_map(settings, make_town().write(tmp_path / "town.osm"), "town")
    version = make_version(settings, mixed_dataset())
    with connect(settings, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, ["town"])
    schema = reference_schema(snapshot.id)
    statements = [sql.replace("{gold}", "trigpoint.gold") for sql in (*ATTACKS.values(), *HEAVY.values())]
    port = free_port()
    monkeypatch.setenv("TRIGPOINT_HTTP_PORT", str(port))
    monkeypatch.setenv("TRIGPOINT_DATABASE_URL", settings.database_url)
    quiet = subprocess.DEVNULL
    serving = subprocess.Popen([str(TRIGPOINT), "serve"], cwd=PROJECT_ROOT, stdout=quiet, stderr=quiet)
    address = f"http://127.0.0.1:{port}"
    try:
        with (
            own_sandbox(tmp_path / "own", settings, megabytes=2048) as own,
            ProcessPoolExecutor(2, mp_context=get_context("spawn")) as attackers,
        ):
            expected = ask_harmless(own, schema)
            wait_until(lambda: answers(address), "REST")
            evaluate = ("evaluate", version.reference, "--solver", "random", "--json")
            first = start_trigpoint(settings, *evaluate)
            until = time.monotonic() + 15
            before, _ = p99(address, lambda: first.poll() is None or time.monotonic() < until)
            second = start_trigpoint(settings, *evaluate, "--seed", "2")
            halves = (statements[::2], statements[1::2])
            sent = [attackers.submit(send, own.settings, schema, half, CLOCK) for half in halves]
            watched = attackers_watch(own, sent)
            during, asked = p99(address, watched)
            counts = [one.result() for one in sent]
            harmless = ask_harmless(own, schema)
    finally:
        serving.terminate()
        serving.wait()
    told = [run.communicate(timeout=60) for run in (first, second)]
    figures = {
        "p99_before": before,
        "p99_during": during,
        "requests": asked,
        "largest": own.largest,
        "sent": counts,
    }
    print(json.dumps(figures))  # noqa: T201 - figures for whoever runs it with -s
    assert (first.returncode, second.returncode) == (0, 0), told
    assert [json.loads(said)["states"]["error"] for said, _ in told] == [0, 0]
    assert harmless == expected
    assert not [kind for one in counts for kind in one if kind.startswith("error")], counts
    assert own.largest <= own.megabytes << 20
    assert during <= max(2 * before, USABLE)


def attackers_watch(own: OwnSandbox, sent: list["Future[dict[str, int]]"]) -> Callable[[], bool]:
    """Whether attacks go on; weighs the server and asks that no session outlasts its time, each time it is asked."""
    seen: dict[int, float] = {}

    def goes_on() -> bool:
        own.weigh()
        now = time.monotonic()
        there = own.sessions()
        for pid in there:
            seen.setdefault(pid, now)
        for pid in set(seen) - set(there):
            del seen[pid]
        assert not [pid for pid, began in seen.items() if now - began > CLOCK + ALIVE_AFTER]
        return not all(one.done() for one in sent)

    return goes_on


def ask_harmless(own: OwnSandbox, schema: str) -> SqlOutcome:
    """What a harmless statement gives."""
    return asyncio.run(SqlRunner(own.settings).run(schema, HARMLESS))


def answers(address: str) -> bool:
    """Whether REST answers."""
    try:
        return httpx.get(f"{address}/v1/health", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False
