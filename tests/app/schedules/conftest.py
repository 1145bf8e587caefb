"""A region that is followed: its server, and a copy of the one database with its first map and a data set of it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from app.core.settings import Settings
from tests.conftest import DATABASE_RIGHTS
from tests.support.extract_server import Source, following, lay_followed, publishing
from tests.support.town import Fill


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Source]:
    with publishing(tmp_path) as made:
        yield made


@pytest.fixture
def settings(
    fill_once: Callable[[str, Fill], Settings], superuser: str, source: Source, tmp_path: Path
) -> Settings:
    """Of a copy, which the test may change."""
    filled = fill_once("followed", lay_followed)
    name, copied = f"trigpoint_test_{uuid4().hex[:12]}", urlsplit(filled.database_url).path.strip("/")
    with psycopg.connect(superuser, autocommit=True) as connection:
        copy = sql.SQL("create database {} template {} owner trigpoint_owner")
        connection.execute(copy.format(sql.Identifier(name), sql.Identifier(copied)))
    with psycopg.connect(superuser, autocommit=True) as connection:
        for right in DATABASE_RIGHTS:
            connection.execute(sql.SQL(right).format(sql.Identifier(name)))
    url = filled.database_url.replace(f"/{copied}", f"/{name}")
    return following(filled.model_copy(update={"database_url": url}), source, tmp_path / "local")
