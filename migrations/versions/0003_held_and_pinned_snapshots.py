"""Snapshots that are held, and what keeps one that is being used from being dropped."""

from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels = None
depends_on = None

STATES = """
alter table trigpoint.snapshot drop constraint ck_snapshot_state;
alter table trigpoint.snapshot add constraint ck_snapshot_state
check (state in ('importing', 'held', 'published', 'failed', 'dropped'));
"""
# Shared by whoever makes questions of a map, exclusive to whoever drops it. A lock and not a row's, because the
# role that makes questions may not write to trigpoint.snapshot, not even lock a row of it.
LOCK = """
create function trigpoint.snapshot_lock(snapshot_id bigint) returns bigint
language sql immutable parallel safe
return hashtextextended('trigpoint snapshot ' || snapshot_id::text, 0);
"""
STANDS_ON_PUBLISHED = """
create function trigpoint.refuse_unpublished_snapshot() returns trigger
language plpgsql set search_path = trigpoint, pg_temp as $$
declare
    there text;
begin
    perform pg_advisory_xact_lock_shared(snapshot_lock(new.snapshot_id));
    select state into there from snapshot where id = new.snapshot_id;
    if there is distinct from 'published' then
        raise exception 'snapshot % is %; a data set version stands on published snapshots only',
            new.snapshot_id, coalesce(there, 'unknown')
            using errcode = 'integrity_constraint_violation';
    end if;
    return new;
end
$$;
create trigger stands_on_published before insert or update of snapshot_id on trigpoint.dataset_snapshot
for each row execute function trigpoint.refuse_unpublished_snapshot();
"""


def upgrade() -> None:
    for statements in (STATES, LOCK, STANDS_ON_PUBLISHED):
        op.execute(statements)


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: held snapshots have no place in the state before.")
