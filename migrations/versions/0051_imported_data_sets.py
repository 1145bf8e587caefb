"""Data sets that others published: without a map, unproved, and seen by maintainers alone until they are opened."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0051"
down_revision: str | None = "0050"
branch_labels = None
depends_on = None

RIGHTS = """
grant select, insert on trigpoint.imported_dataset to trigpoint_worker;
grant select, update (opened_at, opened_under) on trigpoint.imported_dataset to trigpoint_worker, trigpoint_maintainer;
grant select (dataset_id, format, opened_at, opened_under) on trigpoint.imported_dataset to trigpoint_api
"""
# The role api serves everybody, and so it sees nothing of a data set that is not open, whatever it is asked.
OPEN_DATASETS = """
alter table trigpoint.dataset enable row level security;
create policy ours on trigpoint.dataset to trigpoint_worker, trigpoint_maintainer using (true) with check (true);
create policy open_data_sets_only on trigpoint.dataset for select to trigpoint_api using (
    id not in (
        select imported_dataset.dataset_id
        from trigpoint.imported_dataset
        where imported_dataset.opened_at is null
    )
);
alter table trigpoint.dataset_version enable row level security;
create policy ours on trigpoint.dataset_version to trigpoint_worker, trigpoint_maintainer
using (true) with check (true);
create policy open_data_sets_only on trigpoint.dataset_version for select to trigpoint_api using (
    dataset_id in (select dataset.id from trigpoint.dataset)
)
"""
OPEN_ROWS = """
alter table trigpoint.{table} enable row level security;
create policy ours on trigpoint.{table} to trigpoint_worker, trigpoint_maintainer using (true) with check (true);
create policy open_data_sets_only on trigpoint.{table} for select to trigpoint_api using (
    version_id in (select dataset_version.id from trigpoint.dataset_version)
)
"""
OF_VERSIONS = (
    "question",
    "run",
    "submission",
    "board_aggregate",
    "run_standing",
    "run_comparison",
    "expectation",
)
"""Tables that had no row-level security; those of gold, proofs and answers show only what `question` shows."""

# The policy of pictures looks for them by an index, which row-level security of `question` would close to it.
SHOWN_ASSETS = """
create function trigpoint.is_shown_asset(wanted text) returns boolean
language sql stable security definer set search_path = trigpoint, pg_temp as $$
select exists (
    select 1
    from question
    inner join dataset_version on question.version_id = dataset_version.id
    where
        question.prompt @? '$[*].sha256'
        and jsonb_path_query_array(question.prompt, '$[*].sha256') ? wanted
        and dataset_version.state = 'published'
        and dataset_version.dataset_id not in (
            select imported_dataset.dataset_id
            from imported_dataset
            where imported_dataset.opened_at is null
        )
)
$$;
revoke execute on function trigpoint.is_shown_asset(text) from public;
grant execute on function trigpoint.is_shown_asset(text) to trigpoint_api;
drop policy of_published_versions_only on trigpoint.asset;
create policy of_published_versions_only on trigpoint.asset for select to trigpoint_api using (
    trigpoint.is_shown_asset(sha256)
)
"""

VIEWS_OF_VERSIONS = """
select
    pg_class.relname as name,
    rtrim(pg_get_viewdef(pg_class.oid), ';') as body
from pg_class
inner join pg_attribute
    on
        pg_class.oid = pg_attribute.attrelid
        and pg_attribute.attname = 'version_id'
where
    pg_class.relnamespace = 'trigpoint'::regnamespace
    and pg_class.relkind = 'v'
    and (starts_with(pg_class.relname, 'bi_') or starts_with(pg_class.relname, 'review_'))
order by pg_class.relname
"""
# A view keeps its columns, their comments and who may read it; it is owned by the owner, whom no policy holds back.
OF_OPEN_DATASETS = """
create or replace view trigpoint.{name} as
select shown.*
from (
{body}
) as shown
where
    shown.version_id not in (
        select dataset_version.id
        from trigpoint.dataset_version
        inner join trigpoint.imported_dataset on dataset_version.dataset_id = imported_dataset.dataset_id
        where imported_dataset.opened_at is null
    )
"""


def upgrade() -> None:
    op.create_table(
        "imported_dataset",
        sa.Column("dataset_id", sa.BigInteger(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False, comment="of the files that it was loaded from"),
        sa.Column("notes", postgresql.JSONB(), nullable=False, comment="{fault of the files: questions that have it}"),
        sa.Column("opened_at", sa.DateTime(timezone=True), comment="null: only maintainers see it"),
        sa.Column("opened_under", sa.Text(), comment="the licence that the maintainer named who opened it"),
        sa.CheckConstraint(
            "(opened_at is null) = (opened_under is null)", name=op.f("ck_imported_dataset_opened_under_a_licence")
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["trigpoint.dataset.id"], name=op.f("fk_imported_dataset_dataset_id_dataset")
        ),
        sa.PrimaryKeyConstraint("dataset_id", name=op.f("pk_imported_dataset")),
        schema="trigpoint",
    )
    op.execute(RIGHTS)
    op.alter_column(
        "question",
        "snapshot_id",
        nullable=True,
        comment="null: the question was published by others, with no map",
        schema="trigpoint",
    )
    op.execute(OPEN_DATASETS)
    for table in OF_VERSIONS:
        op.execute(OPEN_ROWS.format(table=table))
    op.execute(SHOWN_ASSETS)
    for name, body in op.get_bind().exec_driver_sql(VIEWS_OF_VERSIONS).all():
        op.execute(OF_OPEN_DATASETS.format(name=name, body=body).replace(":", "\\:"))


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: questions without a map have no place in the tables before.")
