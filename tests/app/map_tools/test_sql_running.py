"""The executor and the role alone, without the check: what hostile SQL can read, change, and how long it can last."""

import asyncio
import contextlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.core.errors import ServiceUnavailable
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.db.naming import reference_schema
from app.map_tools import sql_running
from app.map_tools.sql_running import BYTES, ROWS, SqlOutcome, SqlRunner
from app.questions.snapshots import find_snapshots
from tests.app.map_tools.attacks import ATTACKS
from tests.support.factories import make_version, mixed_dataset
from tests.support.processes import free_port, wait_until
from tests.support.town import import_map, make_town
from tests.support.turns import turn

SECRET = "planted-gold-4711"
VIEWS = ("pois", "parks", "lakes", "roads", "regions")
PLANTED = Path("/tmp/trigpoint-planted")  # noqa: S108
CLOCK = 1.0
COSTLY = "select count(*) from pois a, pois b, pois c, pois d, pois e, pois f, pois g, pois h, pois i, pois j where a.name || j.name > b.name"


STATE = """
select
    (select string_agg(concat_ws(' ', oid, relname, relacl::text, relnatts), ',' order by oid) from pg_class),
    (select count(*) from pg_proc),
    (select string_agg(concat_ws(' ', rolname, rolsuper, rolconfig::text), ',' order by rolname) from pg_roles),
    (select count(*) from pg_largeobject_metadata),
    (select md5(string_agg(poi::text, ';' order by osm_key)) from {layer}.poi as poi),
    (select md5(string_agg(gold::text, ';' order by question_id)) from trigpoint.gold),
    (select count(*) || ' ' || max(srid) from spatial_ref_sys),
    (
        select count(*)
        from pg_locks
        where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    ),
    (select count(*) from pg_prepared_xacts where database = current_database()),
    (select string_agg(sequencename || coalesce(last_value, 0), ',' order by sequencename) from pg_sequences)
"""


STATE_OF_SANDBOX = """
select
    (select string_agg(concat_ws(' ', oid, relname, relacl::text, relnatts), ',' order by oid) from pg_class),
    (select count(*) from pg_proc),
    (select string_agg(concat_ws(' ', rolname, rolsuper, rolconfig::text), ',' order by rolname) from pg_roles),
    (select count(*) from pg_largeobject_metadata),
    (select md5(string_agg(pois::text, ';' order by osm_type, osm_id)) from {schema}.pois as pois),
    (select count(*) || ' ' || max(srid) from spatial_ref_sys),
    (select count(*) from pg_prepared_xacts),
    (select string_agg(sequencename || coalesce(last_value, 0), ',' order by sequencename) from pg_sequences)
"""


@dataclass(frozen=True)
class Arena:
    """A database with a map, a data set with hidden gold, and somebody who watches as superuser."""

    settings: Settings
    superuser: str
    sandbox: str
    schema: str
    layer: str

    def run(self, sql: str, clock: float = CLOCK) -> SqlOutcome:
        async def work() -> SqlOutcome:
            return await SqlRunner(self.settings, clock).run(self.schema, sql)

        return asyncio.run(work())

    def ask(self, sql: str, clock: float = CLOCK) -> SqlOutcome:
        async def work() -> SqlOutcome:
            return await SqlRunner(self.settings, clock).ask(self.schema, VIEWS, sql)

        return asyncio.run(work())

    def attack(self, name: str) -> str:
        return ATTACKS[name].replace("{gold}", "trigpoint.gold").replace("{layer}", f"{self.layer}.poi")

    def look(self, statement: str) -> Any:
        with psycopg.connect(self.superuser, autocommit=True) as connection:
            return connection.execute(statement.encode()).fetchall()

    def look_in_sandbox(self, statement: str) -> Any:
        """Waits for a server that recovers: what cannot be cancelled was ended, here or in another test."""
        found: list[Any] = []

        def has_found() -> bool:
            try:
                with psycopg.connect(self.sandbox, autocommit=True) as connection:
                    found[:] = [connection.execute(statement.encode()).fetchall()]
            except psycopg.OperationalError:
                return False
            return True

        wait_until(has_found, "the sandbox")
        return found[0]

    def state(self) -> Any:
        """All that a statement could leave behind."""
        in_sandbox = self.look_in_sandbox(STATE_OF_SANDBOX.format(schema=self.schema))[0]
        return self.look(STATE.format(layer=self.layer))[0], in_sandbox


@pytest.fixture(scope="module")
def arena(
    make_database: Callable[[], Settings],
    superuser_of: Callable[[Settings], str],
    sandbox_superuser_of: Callable[[Settings], str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Arena:
    file = make_town().write(tmp_path_factory.mktemp("arena") / "town.osm")
    settings = make_database()
    import_map(settings, file, "town")
    make_version(settings, mixed_dataset())
    with connect(settings, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, ["town"])
    sandbox = sandbox_superuser_of(settings)
    made = Arena(settings, superuser_of(settings), sandbox, reference_schema(snapshot.id), snapshot.schema)
    made.run("select 1")
    with psycopg.connect(made.superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(
            "update trigpoint.gold set value = value || jsonb_build_object('secret', %s::text)", [SECRET]
        )
    return made


def no_reader_is_left(arena: Arena) -> bool:
    active = "select count(*) from pg_stat_activity where usename = 'trigpoint_reader' and datname = current_database()"
    return bool(arena.look_in_sandbox(active) == [(0,)])


def check_harmless(arena: Arena, name: str, clock: float) -> None:
    before = arena.state()
    started = time.monotonic()
    outcome = arena.run(arena.attack(name), clock)
    assert outcome.state == "invalid" or name in RUNS
    # What cannot be cancelled is run twice, and the server recovers in between.
    assert time.monotonic() - started < 2 * (clock + 2.0) + 8.0
    said = json.dumps(outcome.as_json())
    assert SECRET not in said
    assert "root:" not in said
    assert "SCRAM-SHA-256" not in said
    assert len(said) < 2 * BYTES + 10_000
    wait_until(lambda: no_reader_is_left(arena), "the reader's backends to end", 20)
    assert arena.state() == before
    assert not PLANTED.exists()


@pytest.mark.parametrize("name", ATTACKS)
def test_role_and_executor_alone_let_nothing_through(arena: Arena, name: str) -> None:
    check_harmless(arena, name, CLOCK)


@pytest.mark.long
def test_the_longest_end_within_61_seconds(arena: Arena) -> None:
    """One, in turn, of those that only the clock ends; all of them meet a shorter clock in the test above."""
    check_harmless(arena, ("rows_cross", "endless", "grid")[turn() % 3], 60.0)


@pytest.mark.long
@pytest.mark.parametrize("name", ["long_texts", "points", "sleep", "explain_analyze", "nested_1000"])
def test_others_end_sooner(arena: Arena, name: str) -> None:
    check_harmless(arena, name, 60.0)


RUNS = {
    # what ends well and tells what everybody may know: a person has looked at each
    "activity", "comment_only", "database_to_xml", "endless_rows", "nested_1000", "nested_arrays", "nested_case_1000",
    "nested_not_1000", "populate", "relation_size", "rows", "settings_view", "similarity_limit", "who",
    # what the clock or the size ends
    "endless", "formatted", "grid", "long", "long_text", "long_texts", "nested_selects_1000", "padded", "rows_cross",
}  # fmt: skip


def test_what_the_reader_may_read_at_all(arena: Arena) -> None:
    """Every relation in the database that the role may select from."""
    readable = arena.look_in_sandbox(
        "select nspname, relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace"
        " where relkind in ('r', 'v', 'm', 'p', 'f') and has_any_column_privilege('trigpoint_reader', pg_class.oid, 'select')"
        " and has_schema_privilege('trigpoint_reader', pg_namespace.oid, 'usage')"
        " and nspname not in ('pg_catalog', 'information_schema')"
    )
    assert sorted(readable) == sorted(
        [(arena.schema, view) for view in VIEWS] + [("public", "spatial_ref_sys")]
    )
    writable = arena.look_in_sandbox(
        "select relname from pg_class where relkind in ('r', 'v', 'm', 'p', 'f', 'S') and relnamespace <> 'pg_catalog'::regnamespace"
        " and (has_any_column_privilege('trigpoint_reader', oid, 'insert, update')"
        "  or has_table_privilege('trigpoint_reader', oid, 'delete, truncate, trigger'))"
        " and relkind <> 'S'"
    )
    assert writable == []


def test_rows_come_as_json_with_their_columns(arena: Arena) -> None:
    outcome = arena.ask(
        "select name, 1 as one, 'NaN'::float as x, geom from pois where name is not null order by name;"
    )
    assert (outcome.state, outcome.is_valid, outcome.kind) == ("rows", True, None)
    first = json.loads(outcome.rows[0])
    assert list(first) == ["name", "one", "x", "geom"]
    assert (first["one"], first["x"], first["geom"]["type"]) == (1, "NaN", "Point")
    assert SqlOutcome.of(json.loads(json.dumps(outcome.as_json()))) == outcome


def test_twenty_rows_and_a_word_on_the_rest(arena: Arena) -> None:
    outcome = arena.run("select generate_series(1, 10000000) as n")
    assert (len(outcome.rows), outcome.more) == (ROWS, True)
    assert [json.loads(row)["n"] for row in outcome.rows] == list(range(1, ROWS + 1))
    assert not arena.run("select * from generate_series(1, 20) as n").more


def test_a_megabyte_and_no_more(arena: Arena) -> None:
    outcome = arena.run("select repeat('x', n * 200000) as x from generate_series(1, 8) as n")
    assert sum(map(len, outcome.rows)) <= BYTES
    assert (len(outcome.rows), outcome.withheld) == (2, 6) or outcome.withheld > 0
    assert arena.run("select repeat('x', 2000000)").withheld == 1


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("select nothing from pois", "column"),
        ("select pois.nothing from pois", "column"),
        ("select st_distance(name) from pois", "function"),
        ("select st_bearing(geog) from pois", "function"),
        ("select name + geom from pois", "operator"),
        ("select name from restaurants", "relation"),
        ("select x.name from pois", "missing_from"),
        ("select (select name from pois)", "subquery"),
        ("select (select name, geom from pois)", "subquery"),
        ("select name frm pois where", "syntax"),
        ("select 1 / 0", "other"),
        ("select name::int from pois where name is not null", "other"),
        ("select name, count(*) from pois", "other"),
    ],
)
def test_errors_have_a_class(arena: Arena, sql: str, kind: str) -> None:
    outcome = arena.run(sql)
    assert (outcome.state, outcome.is_valid, outcome.kind) == ("invalid", False, kind), outcome
    assert outcome.message


def test_refused_statements_never_reach_the_database(arena: Arena) -> None:
    outcome = arena.ask("select pg_sleep(10)")
    assert (outcome.state, outcome.kind, outcome.is_valid) == ("refused", "function", False)


def test_our_clock_ends_it_and_running_out_of_time_is_valid(arena: Arena) -> None:
    started = time.monotonic()
    outcome = arena.ask(COSTLY, 0.5)
    assert time.monotonic() - started < 0.5 + 2.5
    assert (outcome.state, outcome.is_valid) == ("timeout", True)
    wait_until(lambda: no_reader_is_left(arena), "the backend to end", 5)


def test_the_server_ends_it_where_we_are_gone(arena: Arena) -> None:
    """A worker that is killed takes its statement along."""

    async def vanish() -> None:
        runner = SqlRunner(arena.settings, 60.0)
        connection = await runner._connect(arena.schema)
        asking = asyncio.create_task(connection.execute(COSTLY.encode()))
        await asyncio.sleep(0)
        active = (
            "select count(*) from pg_stat_activity"
            " where usename = 'trigpoint_reader' and datname = current_database() and state = 'active'"
        )
        runs = lambda: arena.look_in_sandbox(active) != [(0,)]  # noqa: E731
        await asyncio.to_thread(wait_until, runs, "the statement to run")
        asking.cancel()
        connection.pgconn.finish()

    with contextlib.suppress(psycopg.Error, asyncio.CancelledError):
        asyncio.run(vanish())
    wait_until(lambda: no_reader_is_left(arena), "the backend to notice", 10)


def test_nothing_carries_over_from_one_statement_to_the_next(arena: Arena) -> None:
    arena.run("select set_limit(0.01)")
    assert json.loads(arena.run("select show_limit() as l").rows[0]) == {"l": 0.3}


def test_a_database_that_is_away_is_an_error_of_ours(arena: Arena) -> None:
    away = arena.settings.model_copy(
        update={"database_url": f"postgresql://127.0.0.1:{free_port()}/trigpoint"}
    )
    check_error_of_ours(arena, away)


def test_a_sandbox_that_is_away_is_an_error_of_ours(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_running, "_RETURN_SECONDS", 1.0)
    away = arena.settings.model_copy(update={"sandbox_url": f"postgresql://127.0.0.1:{free_port()}"})
    check_error_of_ours(arena, away)


def check_error_of_ours(arena: Arena, away: Settings) -> None:

    async def work() -> SqlOutcome:
        return await SqlRunner(away).ask(arena.schema, VIEWS, "select 1 from pois")

    with pytest.raises(ServiceUnavailable, match="does not run the model's SQL"):
        asyncio.run(work())


def test_a_session_that_is_ended_from_outside_is_run_again(arena: Arena) -> None:
    async def work() -> SqlOutcome:
        asking = asyncio.create_task(SqlRunner(arena.settings, 3.0).run(arena.schema, COSTLY))
        theirs = (
            "select count(pg_terminate_backend(pid)) from pg_stat_activity"
            " where usename = 'trigpoint_reader' and datname = current_database()"
        )
        ended = lambda: arena.look_in_sandbox(theirs) != [(0,)]  # noqa: E731
        await asyncio.to_thread(wait_until, ended, "the statement to run")
        return await asking

    assert asyncio.run(work()).state == "timeout"


def test_the_fixture_is_not_empty(arena: Arena) -> None:
    assert arena.look_in_sandbox(f"select count(*) from {arena.schema}.pois") != [(0,)]
    assert arena.look(f"select count(*) from {arena.layer}.poi") != [(0,)]
    assert arena.look(f"select count(*) from trigpoint.gold where value::text like '%{SECRET}%'") != [(0,)]
