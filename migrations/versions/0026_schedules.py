"""Schedules: data sets that follow a region of the map; which of them stalled; what became of questions, in counts."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0026"
down_revision: str | None = "0025"
branch_labels = None
depends_on = None

# The one rule of what is stalled; it tells what everybody may know of a schedule. Sources publish once a day.
HEALTH = """
create function trigpoint.schedule_health(at_time timestamptz)
returns table (name text, dataset text, snapshot text, paused boolean, looked_at timestamptz, well_at timestamptz,
    due_at timestamptz, result text, is_stalled boolean)
language sql stable security definer set search_path = trigpoint, pg_temp as $$
    select
        s.name, s.dataset, s.snapshot, s.paused, s.looked_at, s.well_at, s.due_at, s.result,
        not s.paused and at_time - s.well_at > 3 * greatest(s.cadence_hours, 24) * interval '1 hour'
    from refresh_schedule s
$$;
"""
# Counts by step and template: of hidden questions too, none of which it names.
CHURN = """
create function trigpoint.churn_of(dataset_name text)
returns table (version integer, from_version integer, map text, old_map timestamptz, new_map timestamptz,
    template text, outcome text, reason text, number bigint)
language sql stable security definer set search_path = trigpoint, pg_temp as $$
    select
        later.number, earlier.number, new.name, old.data_timestamp, new.data_timestamp,
        question.template, lineage.outcome, lineage.reason, count(*)
    from dataset
    inner join dataset_version later on later.dataset_id = dataset.id
    inner join lineage on lineage.to_version_id = later.id and lineage.origin = 'refresh'
    inner join dataset_version earlier on earlier.id = lineage.from_version_id
    inner join question
        on question.version_id = lineage.from_version_id and question.id = lineage.from_question_id
    inner join dataset_snapshot stood
        on stood.version_id = earlier.id and stood.snapshot_id = question.snapshot_id
    inner join dataset_snapshot stands
        on stands.version_id = later.id and stands.position = stood.position
    inner join snapshot old on old.id = stood.snapshot_id
    inner join snapshot new on new.id = stands.snapshot_id
    where dataset.name = dataset_name and later.published_at is not null and old.id <> new.id
    group by 1, 2, 3, 4, 5, 6, 7, 8
$$;
"""
RIGHTS = """
grant select, insert, update, delete on trigpoint.refresh_schedule to trigpoint_worker;
grant select, insert on trigpoint.refresh_schedule to trigpoint_maintainer;
grant update (paused) on trigpoint.refresh_schedule to trigpoint_maintainer;
grant insert on trigpoint.job to trigpoint_worker;
revoke execute on function trigpoint.schedule_health(timestamptz), trigpoint.churn_of(text) from public;
grant execute on function trigpoint.schedule_health(timestamptz), trigpoint.churn_of(text)
    to trigpoint_api, trigpoint_maintainer, trigpoint_worker;
"""


def upgrade() -> None:
    """One table, and two functions that tell the api role what it may know."""
    op.create_table(
        "refresh_schedule",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("dataset", sa.Text(), nullable=False, comment="the data set's name; its newest version is refreshed"),
        sa.Column("region", sa.Text(), nullable=False, comment="as the server of extracts names it"),
        sa.Column("snapshot", sa.Text(), nullable=False, comment="the name that its maps are imported under"),
        sa.Column("cadence_hours", sa.Integer(), nullable=False),
        sa.Column("window_begin", sa.Integer(), nullable=True, comment="hour of the day, UTC; null: at any time"),
        sa.Column("window_end", sa.Integer(), nullable=True),
        sa.Column("keep_snapshots", sa.Integer(), nullable=False),
        sa.Column("keep_comparisons", sa.Integer(), nullable=False),
        sa.Column("runs", postgresql.JSONB(), nullable=False, comment="[{solver, endpoint}] to continue after a refresh"),
        sa.Column("budget_tokens", sa.BigInteger(), nullable=True, comment="for each of these runs"),
        sa.Column("paused", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("key_id", sa.BigInteger(), nullable=True, comment="null: at the command line"),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False, comment="when a worker looks next"),
        sa.Column("looked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("state_sequence", sa.BigInteger(), nullable=True, comment="of the source, at the last look"),
        sa.Column("state_timestamp", sa.DateTime(timezone=True), nullable=True),
        sa.Column("taken_timestamp", sa.DateTime(timezone=True), nullable=True, comment="the last state that was imported or held"),
        sa.Column("stage", sa.Text(), server_default="idle", nullable=False),
        sa.Column("aim", postgresql.JSONB(none_as_null=True), nullable=True, comment="the round at hand: {sequence, timestamp, file, snapshot}"),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("told", sa.Text(), nullable=True, comment="the result in words"),
        sa.Column("well_at", sa.DateTime(timezone=True), nullable=False, comment="when a round last came to its end"),
        sa.CheckConstraint("stage in ('idle', 'found', 'fetched', 'imported', 'refreshed')", name=op.f("ck_refresh_schedule_stage")),
        sa.CheckConstraint("(stage = 'idle') = (aim is null)", name=op.f("ck_refresh_schedule_round_has_aim")),
        sa.CheckConstraint("result in ('nothing_new', 'refreshed', 'unchanged', 'held', 'failed')", name=op.f("ck_refresh_schedule_result")),
        sa.CheckConstraint("cadence_hours between 1 and 8784", name=op.f("ck_refresh_schedule_cadence")),
        sa.CheckConstraint("keep_snapshots >= 1 and keep_comparisons >= 0", name=op.f("ck_refresh_schedule_retention")),
        sa.CheckConstraint(
            "(window_begin is null) = (window_end is null)"
            " and (window_begin is null or (window_begin >= 0 and window_begin <= 23"
            " and window_end >= 0 and window_end <= 23 and window_begin <> window_end))",
            name=op.f("ck_refresh_schedule_window"),
        ),
        sa.ForeignKeyConstraint(["key_id"], ["trigpoint.api_key.id"], name=op.f("fk_refresh_schedule_key_id_api_key")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refresh_schedule")),
        sa.UniqueConstraint("name", name=op.f("uq_refresh_schedule_name")),
        schema="trigpoint",
    )
    op.execute(HEALTH)
    op.execute(CHURN)
    op.execute(RIGHTS)


def downgrade() -> None:
    """The functions go with their table."""
    op.execute("revoke insert on trigpoint.job from trigpoint_worker")
    op.execute("drop function trigpoint.churn_of(text), trigpoint.schedule_health(timestamptz)")
    op.drop_table("refresh_schedule", schema="trigpoint")
