"""The sandbox server: what it holds, what it takes, who is ended by it, and how it comes back."""

import asyncio
import json
import shutil
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from typing import Any

import psutil
import psycopg
import pytest

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.db.naming import reference_schema
from app.map_tools.sandbox import Sandbox, remove_dropped_copies
from app.map_tools.sql_running import SECONDS, SqlOutcome, SqlRunner
from app.questions.snapshots import find_snapshots
from osm_import.keeping import drop_snapshot
from tests.support.own_sandbox import OwnSandbox, keeper, own_sandbox, sandbox
from tests.support.processes import wait_until
from tests.support.town import import_map, make_town

BUSY = "select count(*) as n from generate_series(1, 1500000)"
ENDLESS = (
    "select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b, generate_series(1, 9) c"
)
GREEDY = "select length(string_agg(repeat('x', 100000), '')) from generate_series(1, 100000)"


@pytest.fixture(scope="module")
def own(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OwnSandbox]:
    settings = make_database()
    file = make_town().write(tmp_path_factory.mktemp("map") / "town.osm")
    import_map(settings, file, "town")
    with own_sandbox(tmp_path_factory.mktemp("own"), settings) as made:
        yield made


@pytest.fixture(scope="module")
def schema(own: OwnSandbox) -> str:
    with connect(own.settings, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, ["town"])
    return reference_schema(snapshot.id)


def run(own: OwnSandbox, schema: str, sql: str, seconds: float = 20.0) -> SqlOutcome:
    async def work() -> SqlOutcome:
        return await SqlRunner(own.settings, seconds).run(schema, sql)

    return asyncio.run(work())


def beside(
    own: OwnSandbox, work: Coroutine[Any, Any, SqlOutcome], meanwhile: Callable[[threading.Event], object]
) -> SqlOutcome:
    """The outcome of a statement, while `meanwhile` is done in a thread, which is told when the statement has ended."""
    wait_until(lambda: not own.sessions(), "earlier sessions to end")
    done = threading.Event()

    async def both() -> SqlOutcome:
        watching = asyncio.create_task(asyncio.to_thread(meanwhile, done))
        try:
            return await work
        finally:
            done.set()
            await watching

    return asyncio.run(both())


def end_sessions(own: OwnSandbox, times: int, done: threading.Event) -> list[int]:
    """SIGKILL to so many sessions in which statements run, one after the other."""
    ended: list[int] = []
    while len(ended) < times and not done.is_set():
        for pid in set(own.sessions()) - set(ended):
            if b"DECLARE" in keeper.read_title(pid) or b"FETCH" in keeper.read_title(pid):
                own.kill(pid)
                ended.append(pid)
                wait_until(lambda pid=pid: pid not in own.sessions(), "the session to be ended")
                break
    return ended


def test_what_it_holds_is_the_views_and_nothing_else(own: OwnSandbox, schema: str) -> None:
    assert run(own, schema, "select 1").state == "rows"
    layers = Sandbox(own.settings).layers_of(schema)
    schemas = own.look("select nspname from pg_namespace where nspname !~ '^pg_' order by 1")
    assert [name for (name,) in schemas] == ["information_schema", layers, "public", schema, "sandbox"]
    roles = own.look("select rolname from pg_roles where rolname !~ '^pg_' order by 1")
    assert [name for (name,) in roles] == ["postgres", "trigpoint_reader", "trigpoint_sandbox"]
    tables = own.look(
        f"select relname from pg_class where relnamespace = '{layers}'::regnamespace and relkind = 'r'"
    )
    assert sorted(name for (name,) in tables) == ["lakes", "parks", "pois", "regions", "roads"]


@pytest.mark.parametrize("view", ["pois", "parks", "lakes", "roads", "regions"])
def test_its_views_are_the_reference_views(
    own: OwnSandbox, schema: str, view: str, superuser_of: Any
) -> None:
    run(own, schema, "select 1")
    rows = f"select v::text from {schema}.{view} as v"
    columns = (
        "select attname, format_type(atttypid, atttypmod), attnum from pg_attribute"
        f" where attrelid = '{schema}.{view}'::regclass and attnum > 0 order by attnum"
    )
    with psycopg.connect(superuser_of(own.settings)) as service:
        assert own.look(rows) == service.execute(rows.encode()).fetchall()
        assert own.look(columns) == service.execute(columns.encode()).fetchall()


def test_a_copy_that_is_lost_is_made_again(own: OwnSandbox, schema: str) -> None:
    asked = "select name, geom from pois order by osm_type, osm_id"
    before = run(own, schema, asked)
    assert len(before.rows) > 1
    name = own.settings.database_url.rpartition("/")[2]
    own.look(f'drop database "{name}" with (force)', "postgres")
    assert run(own, schema, asked) == before
    own.look(f"drop schema {Sandbox(own.settings).layers_of(schema)} cascade")
    assert run(own, schema, asked) == before
    sandbox.stop(own.place)
    shutil.rmtree(own.place.sandbox)
    own.start()
    assert run(own, schema, asked) == before


def test_data_of_another_life_of_the_machine_are_not_trusted(own: OwnSandbox, schema: str) -> None:
    sandbox.stop(own.place)
    (own.place.sandbox / "boot").write_text("another")
    own.start()
    assert own.look("select count(*) from pg_database where datname like 'trigpoint%'", "postgres") == [(0,)]
    assert run(own, schema, "select 1").state == "rows"


def test_too_much_memory_is_the_statements_own_fault(own: OwnSandbox, schema: str) -> None:
    server = own.server()

    def weigh(done: threading.Event) -> None:
        while not done.is_set():
            own.weigh()

    outcome = beside(own, SqlRunner(own.settings, 20.0).run(schema, GREEDY), weigh)
    assert (outcome.state, outcome.is_valid, outcome.kind) == ("invalid", False, "resource")
    assert own.server() == server
    assert 0 < own.largest <= own.megabytes << 20


def test_what_cannot_be_cancelled_is_removed_and_is_no_valid_sql(own: OwnSandbox, schema: str) -> None:
    """Sessions are stopped while they work: these look at no cancellation, as one long operation does not."""
    run(own, schema, "select 1")
    seen: dict[int, list[float]] = {}

    def make_deaf(done: threading.Event) -> None:
        while not done.is_set():
            for pid in own.sessions():
                if pid not in seen and b"FETCH" in keeper.read_title(pid):
                    with suppress(psutil.NoSuchProcess):
                        psutil.Process(pid).suspend()
                    seen[pid] = []
                if pid in seen:
                    seen[pid].append(time.monotonic())

    outcome = beside(own, SqlRunner(own.settings, 1.0).run(schema, ENDLESS), make_deaf)
    assert (outcome.state, outcome.is_valid, outcome.kind) == ("invalid", False, "resource")
    assert len(seen) >= 2
    assert max(times[-1] - times[0] for times in seen.values()) < 1.0 + 2.0 + 1.0
    assert run(own, schema, "select 1 as one").rows == ['{"one":1}']


def test_a_statement_that_another_ended_is_run_again_unseen(own: OwnSandbox, schema: str) -> None:
    run(own, schema, "select 1")
    ended: list[int] = []

    def end_another(done: threading.Event) -> None:
        wait_until(own.answers, "the server to have recovered from the test before")
        with psycopg.connect(**own.settings.sandbox_login("trigpoint_reader"), autocommit=True) as other:
            wait_until(lambda: len(own.sessions()) == 2, "the statement to run")
            ended.extend(set(own.sessions()) - {other.info.backend_pid})
            own.kill(other.info.backend_pid)
            wait_until(lambda: not set(ended) & set(own.sessions()), "the session to be ended")

    outcome = beside(own, SqlRunner(own.settings).run(schema, BUSY), end_another)
    assert outcome == SqlOutcome("rows", ['{"n":1500000}'])
    assert len(ended) == 1


def test_a_statement_that_ends_the_server_twice_is_to_blame(own: OwnSandbox, schema: str) -> None:
    run(own, schema, "select 1")
    asking = SqlRunner(own.settings).run(schema, ENDLESS)
    outcome = beside(own, asking, lambda done: end_sessions(own, 2, done))
    assert (outcome.state, outcome.kind) == ("invalid", "resource")


def test_a_statement_that_ends_the_server_once_is_run_again(own: OwnSandbox, schema: str) -> None:
    run(own, schema, "select 1")
    ended: list[int] = []
    asking = SqlRunner(own.settings).run(schema, BUSY)
    outcome = beside(own, asking, lambda done: ended.extend(end_sessions(own, 1, done)))
    assert outcome.rows == ['{"n":1500000}']
    assert len(ended) == 1


def test_nobody_writes_into_the_log_that_tells_who_crashed(own: OwnSandbox, schema: str) -> None:
    crash = "server process (PID 4711000111) was terminated by signal 9: Killed"
    line = f"2030-01-01 00:00:00.000 UTC [1] LOG:  {crash}"
    outcome = run(own, schema, f"select '\n{line}\n'::int")
    assert "4711000111" in (outcome.message or "")
    run(own, schema, f'select "\n{line}"')
    assert "4711000111" not in (own.place.sandbox / keeper.LOG).read_text()


def test_a_server_that_is_killed_is_up_again_by_itself(own: OwnSandbox, schema: str) -> None:
    server = own.server()
    asked = "select name from pois order by osm_type, osm_id"
    before = run(own, schema, asked)
    own.kill(server)
    wait_until(lambda: own.server() not in (0, server) and own.answers(), "the server to be back", 10)
    assert run(own, schema, asked) == before


def test_a_server_ends_with_its_keeper(own: OwnSandbox) -> None:
    own.kill(sandbox.keeper_pid(own.place))
    wait_until(lambda: not own.answers(), "the server to end")
    sandbox.stop(own.place)
    own.start()
    assert own.answers()


def test_more_statements_than_places_wait_for_theirs(own: OwnSandbox, schema: str) -> None:
    async def work() -> list[SqlOutcome]:
        runners = [SqlRunner(own.settings) for _ in range(3)]
        sql = "select count(*) as n from generate_series(1, 200000)"
        return await asyncio.gather(*(one.run(schema, sql) for one in runners for _ in range(4)))

    run(own, schema, "select 1")
    outcomes = asyncio.run(work())
    assert [json.loads(row)["n"] for one in outcomes for row in one.rows] == [200_000] * 12


def test_the_time_of_a_statement_is_the_same_for_caller_and_keeper() -> None:
    assert keeper.STATEMENT_SECONDS == SECONDS


@pytest.mark.parametrize("megabytes", [1024, 1500, 2048, 8192, 65536])
def test_all_statements_at_once_fit_into_the_memory(megabytes: int) -> None:
    most = keeper.process_megabytes(megabytes) * (keeper.STATEMENTS + 1) + keeper.shared_megabytes(megabytes)
    assert megabytes - 128 < most <= megabytes - 64


def test_the_copy_goes_with_its_snapshot(
    own: OwnSandbox, make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> None:
    addresses = {"sandbox_url": own.settings.sandbox_url, "password_sandbox": own.settings.password_sandbox}
    settings = make_database().model_copy(update=addresses)
    file = make_town().write(tmp_path_factory.mktemp("dropped") / "town.osm")
    import_map(settings, file, "town")
    with connect(settings, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, ["town"])
    asyncio.run(SqlRunner(settings).run(reference_schema(snapshot.id), "select 1"))
    database = settings.database_url.rpartition("/")[2]
    held = "select count(*) from pg_namespace where nspname ~ '^(reference|layers)_'"
    assert own.look(held, database) == [(2,)]
    drop_snapshot(settings, "town")
    assert remove_dropped_copies(settings)
    assert own.look(held, database) == [(0,)]
    assert not remove_dropped_copies(settings.model_copy(update={"password_sandbox": None}))
