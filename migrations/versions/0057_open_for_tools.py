"""A snapshot can be opened for tools: only then may the role reader read its layers, and REST call tools on it."""

import sqlalchemy as sa
from alembic import op

revision: str = "0057"
down_revision: str | None = "0055"
branch_labels = None
depends_on = None

# Only the owner may grant what it owns; maintainers open and close by this function alone.
SET_OPEN = """
create function trigpoint.set_open_for_tools(wanted bigint, is_open boolean) returns boolean
language plpgsql security definer set search_path = trigpoint, pg_temp as $$
declare
    layers text;
begin
    update snapshot
    set open_for_tools = is_open
    where
        snapshot.id = wanted
        and snapshot.state = 'published'
        and snapshot.open_for_tools <> is_open
    returning snapshot.schema_name into layers;
    if layers is null then
        return false;
    end if;
    if is_open then
        execute format('grant usage on schema %I to trigpoint_reader', layers);
        execute format('grant select on all tables in schema %I to trigpoint_reader', layers);
    else
        execute format('revoke select on all tables in schema %I from trigpoint_reader', layers);
        execute format('revoke usage on schema %I from trigpoint_reader', layers);
    end if;
    return true;
end
$$;
revoke execute on function trigpoint.set_open_for_tools(bigint, boolean) from public;
grant execute on function trigpoint.set_open_for_tools(bigint, boolean) to trigpoint_maintainer;
"""


def upgrade() -> None:
    op.add_column(
        "snapshot",
        sa.Column(
            "open_for_tools",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="whether tools may be called on it over the network",
        ),
        schema="trigpoint",
    )
    op.execute("grant select (schema_name, open_for_tools) on trigpoint.snapshot to trigpoint_api")
    op.execute(SET_OPEN)


def downgrade() -> None:
    op.execute("drop function trigpoint.set_open_for_tools(bigint, boolean)")
    op.drop_column("snapshot", "open_for_tools", schema="trigpoint")
