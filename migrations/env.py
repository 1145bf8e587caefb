"""Alembic: migrates the service's own tables as trigpoint_owner; snapshots and PostGIS are left alone."""

from typing import Any

from alembic import context
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import make_engine
from app.db.tables import SCHEMA, Base


def include_object(_object: Any, _name: str | None, type_: str, reflected: bool, compare_to: Any) -> bool:
    """Leave out tables of other schemas (snapshots, PostGIS), which autogenerate would drop."""
    return not (type_ == "table" and reflected and compare_to is None)


def include_name(name: str | None, type_: str, _parents: Any) -> bool:
    """Look into the service's schema only."""
    return name == SCHEMA if type_ == "schema" else True


settings = context.config.attributes.get("settings") or Settings.load()
engine = make_engine(settings, Role.OWNER, pool_size=1)
with engine.connect() as connection:
    connection.execute(text(f"create schema if not exists {SCHEMA}"))
    connection.execute(text("set search_path = public"))
    connection.commit()
    # Reflection takes the default schema's tables for schema-less ones; ours all name their schema.
    connection.dialect.default_schema_name = "public"
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        include_schemas=True,
        include_object=include_object,
        include_name=include_name,
        version_table_schema=SCHEMA,
        transaction_per_migration=True,
    )
    with context.begin_transaction():
        context.run_migrations()
engine.dispose()
