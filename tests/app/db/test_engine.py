"""Connections notice that the other host was cut off; tests/workers/test_hosts_long.py cuts one off."""

import asyncio
import socket
from typing import Any

import psycopg

from app.core.settings import Role, Settings
from app.db.engine import connect, make_engine
from app.db.raw import connect_raw
from app.map_tools.sql_running import SECONDS, SqlRunner

TOLD = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "4"}


def options_of(driver: psycopg.Connection[Any] | psycopg.AsyncConnection[Any]) -> tuple[int, ...]:
    """Whether our end asks after the other, after how many idle seconds, how often, how many times, and the timeout."""
    with socket.socket(fileno=socket.dup(driver.pgconn.socket)) as end:
        asks = end.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        names = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT, socket.TCP_USER_TIMEOUT)
        return (asks, *(end.getsockopt(socket.IPPROTO_TCP, name) for name in names))


def told_by(driver: psycopg.Connection[Any]) -> dict[str, str]:
    """What the server's end does."""
    rows = driver.execute("select name, setting from pg_settings where name like 'tcp_keepalives%'")
    return dict(rows.fetchall())


def test_both_ends_of_what_lives_long_give_up_after_half_a_minute(database: Settings) -> None:
    engine = make_engine(database, Role.WORKER, idle_seconds=2.0)
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        assert options_of(driver) == (1, 10, 5, 4, 30_000)
        assert told_by(driver) == TOLD
    engine.dispose()


def test_commands_wait_for_as_long_as_the_server_lives(database: Settings) -> None:
    with connect_raw(database, Role.WORKER) as driver, connect(database, Role.WORKER) as connection:
        other = connection.connection.driver_connection
        assert isinstance(other, psycopg.Connection)
        for one in (driver, other):
            assert options_of(one) == (1, 10, 5, 4, 0)
            assert told_by(one) == TOLD


def test_a_server_that_is_cut_off_is_known_before_a_models_statement_takes_too_long(
    database: Settings,
) -> None:
    async def options() -> tuple[int, ...]:
        connection = await SqlRunner(database)._connect("public")
        try:
            return options_of(connection)
        finally:
            await connection.close()

    assert asyncio.run(options()) == (1, 10, 5, 4, 30_000)
    assert SECONDS > 30
