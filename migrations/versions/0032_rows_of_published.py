"""New rows of a published version are refused once a statement: a version's many rows are written sooner."""

from alembic import op

revision: str = "0032"
down_revision: str | None = "0031"
branch_labels = None
depends_on = None

TABLES = ("dataset_snapshot", "question", "gold", "proof", "footprint")
REFUSE = """
create function trigpoint.refuse_rows_of_published() returns trigger
language plpgsql set search_path = trigpoint, pg_temp as $$
declare
    touched bigint;
begin
    select min(id) into touched
    from dataset_version
    where state = 'published' and id in (select added.version_id from added);
    if touched is not null then
        raise exception 'data set version % is published and never changes; make a new version', touched
            using errcode = 'integrity_constraint_violation';
    end if;
    return null;
end
$$
"""
BY_STATEMENT = """
drop trigger published_is_immutable on trigpoint.{table};
create trigger published_is_immutable before update or delete on trigpoint.{table}
for each row execute function trigpoint.refuse_change_of_published();
create trigger published_gets_no_rows after insert on trigpoint.{table}
referencing new table as added
for each statement execute function trigpoint.refuse_rows_of_published()
"""
BY_ROW = """
drop trigger published_gets_no_rows on trigpoint.{table};
drop trigger published_is_immutable on trigpoint.{table};
create trigger published_is_immutable before insert or update or delete on trigpoint.{table}
for each row execute function trigpoint.refuse_change_of_published()
"""


def upgrade() -> None:
    op.execute(REFUSE)
    for table in TABLES:
        op.execute(BY_STATEMENT.format(table=table))


def downgrade() -> None:
    for table in TABLES:
        op.execute(BY_ROW.format(table=table))
    op.execute("drop function trigpoint.refuse_rows_of_published()")
