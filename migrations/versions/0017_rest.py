"""What REST reads and writes: questions by place, progress of runs, cards of endpoints, jobs, requests sent twice."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0017"
down_revision: str | None = "0016"
branch_labels = None
depends_on = None

# Row-level security lets no index of geometries be used: `&&` is not leakproof. So this asks as the owner, for public
# questions alone, by fixed text; filters that are not asked for are left out, so that each question has its own plan.
QUESTIONS_ABOUT = """
create function trigpoint.public_questions_about(
    versions bigint[],
    box geometry,
    wanted_classes text[],
    wanted_template text,
    wanted_snapshots bigint[],
    after_version bigint,
    after_position integer,
    most integer
)
returns table (version_id bigint, question_id text)
language plpgsql stable security definer set search_path = trigpoint, public, pg_temp as $$
begin
    return query execute
        'select found.version_id, found.id'
        ' from unnest($1) as version (id)'
        ' cross join lateral ('
        '     select question.version_id, question.id, question.position'
        '     from question'
        '     inner join footprint'
        '         on footprint.version_id = question.version_id and footprint.question_id = question.id'
        '     where'
        '         question.version_id = version.id'
        '         and question.position > case when version.id = $6 then $7 else -1 end'
        '         and question.split = ''public'''
        || case when box is null then '' else ' and footprint.area && $2 and st_intersects(footprint.area, $2)' end
        || case when wanted_classes is null then '' else ' and footprint.classes && $3' end
        || case when wanted_template is null then '' else ' and question.template = $4' end
        || case when wanted_snapshots is null then '' else ' and question.snapshot_id = any($5)' end
        || '     order by question.position'
        '     limit $8'
        ' ) as found'
        ' where version.id >= $6'
        ' order by found.version_id, found.position'
        ' limit $8'
    using versions, box, wanted_classes, wanted_template, wanted_snapshots, after_version, after_position, most;
end
$$;
revoke execute on function trigpoint.public_questions_about(
    bigint[], geometry, text[], text, bigint[], bigint, integer, integer
) from public;
grant execute on function trigpoint.public_questions_about(
    bigint[], geometry, text[], text, bigint[], bigint, integer, integer
) to trigpoint_api;
"""
# Counts of predictions, of hidden questions too: how many are done is no secret, how one was answered is.
# `seconds` is the time that the newest answers took, a minute at most; the pace is theirs.
PROGRESS = """
create function trigpoint.progress_of_run(wanted_run bigint, at_time timestamptz)
returns table (
    id bigint,
    status text,
    pause_reason text,
    total integer,
    reasked integer,
    label text,
    solver text,
    presentation jsonb,
    sample integer,
    finished_at timestamptz,
    budget jsonb,
    prices jsonb,
    spent_prompt bigint,
    spent_completion bigint,
    dataset text,
    answered bigint,
    no_answer bigint,
    error bigint,
    lately bigint,
    seconds numeric,
    asked bigint,
    in_flight bigint,
    reused bigint,
    retrying bigint,
    scored boolean
)
language sql stable security definer set search_path = trigpoint, pg_temp as $$
    select
        run.id,
        run.status,
        run.pause_reason,
        run.total,
        run.reasked,
        run.label,
        run.solver,
        run.presentation,
        cardinality(run.sample) as sample,
        run.finished_at,
        run.budget,
        run.prices,
        run.spent_prompt,
        run.spent_completion,
        dataset.name || '@' || dataset_version.number as dataset,
        answers.answered,
        answers.no_answer,
        answers.error,
        answers.lately,
        answers.seconds,
        calls.asked,
        calls.in_flight,
        calls.reused,
        calls.retrying,
        exists (select 1 from board_aggregate where board_aggregate.run_id = run.id) as scored
    from run
    inner join dataset_version on run.version_id = dataset_version.id
    inner join dataset on dataset_version.dataset_id = dataset.id
    cross join lateral (
        select
            count(*) filter (where prediction.state = 'answered') as answered,
            count(*) filter (where prediction.state = 'no_answer') as no_answer,
            count(*) filter (where prediction.state = 'error') as error,
            count(*) filter (where prediction.created_at > at_time - interval '60 seconds') as lately,
            least(60, extract(epoch from at_time - min(prediction.created_at))) as seconds
        from prediction
        where prediction.run_id = run.id
    ) as answers
    cross join lateral (
        select
            count(*) filter (where step.reused_from is null) as asked,
            count(*) filter (where step.state = 'sent') as in_flight,
            count(*) filter (where step.reused_from is not null) as reused,
            count(distinct (step.question_revision, step.presentation_key, step.repeat)) filter (
                where
                step.state in ('failed', 'lost')
                and not exists (
                    select 1
                    from prediction
                    where
                        prediction.run_id = step.run_id
                        and prediction.question_revision = step.question_revision
                        and prediction.presentation_key = step.presentation_key
                        and prediction.repeat = step.repeat
                )
            ) as retrying
        from step
        where
            step.run_id = run.id
            and step.kind = 'chat'
    ) as calls
    where run.id = wanted_run
$$;
revoke execute on function trigpoint.progress_of_run(bigint, timestamptz) from public;
grant execute on function trigpoint.progress_of_run(bigint, timestamptz)
to trigpoint_worker, trigpoint_maintainer, trigpoint_api;
"""
# Owned by the owner and not security_invoker on purpose: no URL, no name of a key's variable, no words of a server.
CARDS = """
create view trigpoint.endpoint_card as
select
    endpoint.id,
    endpoint.record as name,
    endpoint.name = endpoint.record as current,
    endpoint.model,
    endpoint.revision,
    endpoint.limits,
    endpoint.prices,
    endpoint.health ->> 'state' as state,
    endpoint.health ->> 'engine' as engine,
    endpoint.health -> 'latency_ms' as latency_ms,
    endpoint.health -> 'guides' as guides,
    endpoint.checked_at,
    (select count(*) from trigpoint.run where run.endpoint_id = endpoint.id) as runs
from trigpoint.endpoint;
grant select on trigpoint.endpoint_card to trigpoint_api, trigpoint_maintainer;
"""
# For who bears a maintainer's key: endpoints and runs are added and steered, never taken away; what ended in an error is
# forgotten when it is to be asked again.
RIGHTS = """
grant insert, update (name, key_variable, limits, prices) on trigpoint.endpoint to trigpoint_maintainer;
grant insert, update (status, pause_reason, finished_at, budget, reuse) on trigpoint.run to trigpoint_maintainer;
grant insert on trigpoint.batch to trigpoint_maintainer;
grant delete on trigpoint.prediction, trigpoint.board_aggregate to trigpoint_maintainer;
grant update (state, error) on trigpoint.step to trigpoint_maintainer;
grant select, insert on trigpoint.job to trigpoint_maintainer;
grant select, update (state, attempt, owner, deadline, result, error, started_at, finished_at) on trigpoint.job
to trigpoint_worker;
grant select, insert, delete on trigpoint.sent_request to trigpoint_maintainer;
"""


def upgrade() -> None:
    op.create_index("ix_question_template", "question", ["version_id", "template", "position"], schema="trigpoint")
    op.create_index("ix_question_snapshot", "question", ["version_id", "snapshot_id", "position"], schema="trigpoint")
    op.create_table(
        "job",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False, comment="endpoint_check"),
        sa.Column("arguments", postgresql.JSONB(), nullable=False),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("attempt", sa.Integer(), server_default="0", nullable=False, comment="times that it was begun"),
        sa.Column("owner", sa.Text(), nullable=True, comment="host and process of the worker"),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result", postgresql.JSONB(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True, comment="why it failed, in words"),
        sa.Column("key_id", sa.BigInteger(), nullable=True, comment="who asked for it"),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state in ('waiting', 'running', 'done', 'failed')", name=op.f("ck_job_state")),
        sa.CheckConstraint("(state = 'failed') = (error is not null)", name=op.f("ck_job_failed_says_why")),
        sa.ForeignKeyConstraint(["key_id"], ["trigpoint.api_key.id"], name=op.f("fk_job_key_id_api_key")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        schema="trigpoint",
    )
    op.create_index(
        "ix_job_open",
        "job",
        ["id"],
        schema="trigpoint",
        postgresql_where=sa.text("state in ('waiting', 'running')"),
    )
    op.create_table(
        "sent_request",
        sa.Column("key_id", sa.BigInteger(), nullable=False),
        sa.Column("idempotency_key", sa.Text(), nullable=False),
        sa.Column("request_hash", sa.Text(), nullable=False, comment="of method, path and body"),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("location", sa.Text(), nullable=True),
        sa.Column("body", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["key_id"], ["trigpoint.api_key.id"], name=op.f("fk_sent_request_key_id_api_key")),
        sa.PrimaryKeyConstraint("key_id", "idempotency_key", name=op.f("pk_sent_request")),
        schema="trigpoint",
    )
    for statements in (QUESTIONS_ABOUT, PROGRESS, CARDS, RIGHTS):
        op.execute(statements)


def downgrade() -> None:
    op.execute("drop view trigpoint.endpoint_card")
    op.execute("drop function trigpoint.progress_of_run(bigint, timestamptz)")
    op.execute(
        "drop function trigpoint.public_questions_about("
        "bigint[], geometry, text[], text, bigint[], bigint, integer, integer)"
    )
    op.drop_table("sent_request", schema="trigpoint")
    op.drop_table("job", schema="trigpoint")
    op.drop_index("ix_question_snapshot", "question", schema="trigpoint")
    op.drop_index("ix_question_template", "question", schema="trigpoint")
    for table in ("endpoint", "run", "batch", "prediction", "board_aggregate", "step"):
        op.execute(f"revoke insert, update, delete on trigpoint.{table} from trigpoint_maintainer")
