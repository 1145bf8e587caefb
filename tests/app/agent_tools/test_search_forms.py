"""The forms by which names are looked up: PostgreSQL makes those of the map, Python those of queries, and they agree."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, text

from app.core.names import search_form
from app.core.settings import Role
from app.db.engine import connect, use_schema
from app.questions.snapshots import find_snapshots
from tests.support.town import Imported


@pytest.fixture
def liechtenstein_tables(liechtenstein: Imported) -> Iterator[Connection]:
    with connect(liechtenstein.settings, Role.MAINTAINER) as connection:
        (snapshot,) = find_snapshots(connection, ["liechtenstein"])
        use_schema(connection, snapshot.schema)
        yield connection


def test_both_make_the_same_forms_of_all_names_of_a_country(liechtenstein_tables: Connection) -> None:
    names = liechtenstein_tables.execute(
        text(
            "select poi.name, array_agg(search_name.form) as forms from poi inner join search_name using (osm_key)"
            " where poi.name is not null group by poi.osm_key, poi.name"
        )
    ).all()
    assert len(names) > 700
    assert [row.name for row in names if search_form(row.name) not in row.forms] == []


def test_both_make_the_same_forms_of_all_streets_of_a_country(liechtenstein_tables: Connection) -> None:
    streets = liechtenstein_tables.execute(text("select form, street from street_name")).all()
    assert len(streets) > 1000
    assert len([row for row in streets if search_form(row.street) == row.form]) > 0.95 * len(streets)


@pytest.mark.parametrize(
    ("name", "form"),
    [("Café  Élan", "cafe elan"), ("GROẞE Straße", "grosse strasse"), ("Øresund", "oresund"), ("Łódź", "lodz"),
     ("Кафе Элан", "кафе элан"), ("Œuvre", "oeuvre"), ("ＡＢＣ", "abc"), ("İzmir", "izmir")],
)  # fmt: skip
def test_forms(name: str, form: str) -> None:
    assert search_form(name) == form
