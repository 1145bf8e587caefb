"""Migrations of rows that an earlier release wrote; the rows are literal, as that release had them."""

from alembic import command
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db import migrating
from app.db.engine import connect
from tests.support.processes import query

RUNS = """
insert into trigpoint.dataset (name, benchmark, created_at) values ('old', 'toy', now());
insert into trigpoint.dataset_version (dataset_id, number, state, seed, recipe, licence, canary, created_at, hidden_fraction, templates, engine_versions)
select id, 1, 'building', 1, '{}', '{}', gen_random_uuid(), now(), 0, '{}', '{}' from trigpoint.dataset;
insert into trigpoint.run (
    version_id, solver, solver_version, label, seed, sampling, presentation, status, total, created_at
)
select dataset_version.id, given.solver, 1, given.solver, 1, '{}', '{}', 'complete', 0, now()
from trigpoint.dataset_version
cross join (values ('direct'), ('judge'), ('submitted')) as given (solver)
"""


def test_runs_get_their_kind_and_steps_of_sql_theirs(database: Settings) -> None:
    config = migrating.alembic_config(database)
    with connect(database, Role.OWNER) as connection:
        connection.execute(text("drop schema trigpoint cascade"))
        connection.commit()
    command.upgrade(config, "0044")
    with connect(database, Role.OWNER) as connection:
        connection.execute(text(RUNS))
        connection.commit()
    command.upgrade(config, "head")
    assert [tuple(row) for row in query(database, "select solver, kind from trigpoint.run order by id")] == [
        ("direct", "answers"),
        ("judge", "judgement"),
        ("submitted", "answers"),
    ]
