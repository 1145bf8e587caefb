"""What a command says of PostgreSQL's errors."""

from collections.abc import Callable

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.cli.main import say_of_database
from app.core.settings import Role, Settings
from app.db.engine import connect


def ask_on_a_broken_connection(settings: Settings, superuser_url: str) -> None:
    with connect(settings, Role.WORKER) as connection:
        pid = connection.execute(text("select pg_backend_pid()")).scalar_one()
        with psycopg.connect(superuser_url, autocommit=True) as superuser:
            superuser.execute("select pg_terminate_backend(%s, 5000)", (pid,))
        connection.execute(text("select 1"))


def test_a_connection_that_broke_is_not_told_as_a_refused_statement(
    database: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    with pytest.raises(DBAPIError) as broken:
        ask_on_a_broken_connection(database, superuser_of(database))
    said = say_of_database(broken.value) or ""
    assert said.startswith("the connection to PostgreSQL broke: ")
    assert said.endswith(". Give the command again when PostgreSQL is back.")


def test_a_refused_statement_is_told_with_its_reason(database: Settings) -> None:
    with connect(database, Role.API) as connection, pytest.raises(DBAPIError) as refused:
        connection.execute(text("delete from trigpoint.run"))
    said = say_of_database(refused.value) or ""
    assert said.startswith("PostgreSQL refused a statement: cannot execute DELETE")
    assert said.endswith("`trigpoint doctor` says what is wrong.")
    assert say_of_database(ValueError("no matter of PostgreSQL")) is None
