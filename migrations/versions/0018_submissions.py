"""Submissions: answers computed elsewhere, their cards, and where they stand."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0018"
down_revision: str | None = "0017"
branch_labels = None
depends_on = None

# The one way in. Submissions to a version come one after the other, so that neither a name nor a quota is taken twice.
# Who sends the same again has it once; a name is whose it was first; what failed costs nothing.
ADD = """
create function trigpoint.add_submission(
    to_version bigint,
    by_key bigint,
    by_name text,
    of_card jsonb,
    with_contact text,
    is_self_reported boolean,
    from_source text,
    of_digest text,
    of_answers integer,
    of_repeats integer,
    most_a_day integer,
    at_time timestamptz,
    taken_by timestamptz
)
returns table (id bigint, outcome text)
language plpgsql security definer set search_path = trigpoint, pg_temp as $$
declare
    known bigint;
begin
    perform pg_advisory_xact_lock(hashtextextended('trigpoint submit ' || to_version::text, 0));
    select submission.id into known
    from submission
    where
        submission.version_id = to_version
        and submission.key_id is not distinct from by_key
        and submission.digest = of_digest
        and submission.card = of_card
        and submission.state in ('waiting', 'scoring', 'scored')
    order by submission.id
    limit 1;
    if known is not null then
        return query select known, 'same';
        return;
    end if;
    if exists (
        select 1
        from submission
        where
            submission.version_id = to_version
            and submission.key_id is distinct from by_key
            and lower(submission.label) = lower(by_name)
            and submission.state in ('waiting', 'scoring', 'scored')
    ) then
        return query select null::bigint, 'name_taken';
        return;
    end if;
    if by_key is not null and most_a_day <= (
        select count(*)
        from submission
        where
            submission.key_id = by_key
            and submission.state <> 'failed'
            and submission.created_at > at_time - interval '1 day'
    ) then
        return query select null::bigint, 'quota';
        return;
    end if;
    insert into submission (
        version_id, key_id, label, card, contact, self_reported, source, digest, answers, repeats, created_at, deadline
    )
    values (
        to_version, by_key, by_name, of_card, with_contact, is_self_reported, from_source, of_digest, of_answers,
        of_repeats, at_time, taken_by
    )
    returning submission.id into known;
    return query select known, 'new';
end
$$;
"""
# Off the boards at once; deleted, nothing is left but that there was one, which still counts against its key's quota.
END = """
create function trigpoint.end_submission(wanted bigint, by_key bigint, forget boolean, at_time timestamptz)
returns boolean
language plpgsql security definer set search_path = trigpoint, pg_temp as $$
declare
    ended submission%rowtype;
begin
    select * into ended
    from submission
    where
        submission.id = wanted
        and submission.state <> 'deleted'
        and (by_key is null or submission.key_id = by_key)
    for update;
    if not found then
        return false;
    end if;
    if ended.state = 'withdrawn' and not forget then
        return true;
    end if;
    delete from submission_answer where submission_id = wanted;
    delete from board_aggregate where run_id = ended.run_id;
    update run set status = 'cancelled', finished_at = coalesce(finished_at, at_time) where id = ended.run_id;
    update submission
    set
        state = case when state = 'failed' then 'failed' else 'withdrawn' end,
        deadline = null,
        finished_at = coalesce(finished_at, at_time),
        log = log || jsonb_build_object('at', at_time, 'said', 'withdrawn: on no board any more')
    where id = wanted;
    if forget then
        update submission
        set
            state = 'deleted',
            label = 'deleted',
            card = '{}',
            contact = null,
            digest = '',
            error = null,
            log = '[]',
            run_id = null
        where id = wanted;
        delete from run where id = ended.run_id;
    end if;
    return true;
end
$$;
"""
# The api role adds answers and never reads one; of submissions it reads all but the contact and what they are told by.
RIGHTS = """
revoke execute on function trigpoint.add_submission(
    bigint, bigint, text, jsonb, text, boolean, text, text, integer, integer, integer, timestamptz, timestamptz
) from public;
grant execute on function trigpoint.add_submission(
    bigint, bigint, text, jsonb, text, boolean, text, text, integer, integer, integer, timestamptz, timestamptz
) to trigpoint_api, trigpoint_worker;
revoke execute on function trigpoint.end_submission(bigint, bigint, boolean, timestamptz) from public;
grant execute on function trigpoint.end_submission(bigint, bigint, boolean, timestamptz)
to trigpoint_api, trigpoint_worker;
grant select (
    id, version_id, key_id, label, card, self_reported, source, answers, repeats, state, run_id, attempt, deadline,
    error, log, created_at, finished_at
) on trigpoint.submission to trigpoint_api;
grant insert (submission_id, question_id, repeat, answer) on trigpoint.submission_answer to trigpoint_api;
grant select on trigpoint.submission, trigpoint.submission_answer to trigpoint_maintainer;
grant select, insert, update on trigpoint.submission to trigpoint_worker;
grant select, insert, delete on trigpoint.submission_answer to trigpoint_worker;
"""


def upgrade() -> None:
    op.create_table(
        "submission",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("key_id", sa.BigInteger(), nullable=True, comment="null: at the command line"),
        sa.Column("label", sa.Text(), nullable=False, comment="the name on boards"),
        sa.Column(
            "card", postgresql.JSONB(), nullable=False, comment="what is told of it, without the contact"
        ),
        sa.Column(
            "contact", sa.Text(), nullable=True, comment="private: for maintainers alone, gone when deleted"
        ),
        sa.Column(
            "self_reported", sa.Boolean(), nullable=False, comment="false: run by whoever keeps this service"
        ),
        sa.Column("source", sa.Text(), nullable=False, comment="whose form the answers came in"),
        sa.Column("digest", sa.Text(), nullable=False, comment="SHA-256 over the answers, in their order"),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("repeats", sa.Integer(), nullable=False, comment="answers to each question"),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=True),
        sa.Column(
            "attempt",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="times that scoring was begun",
        ),
        sa.Column("owner", sa.Text(), nullable=True, comment="host and process of the worker"),
        sa.Column(
            "deadline",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="until when it may stay in its state",
        ),
        sa.Column("error", sa.Text(), nullable=True, comment="why it failed, in words"),
        sa.Column("log", postgresql.JSONB(), server_default="[]", nullable=False, comment="[{at, said}]"),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state in ('waiting', 'scoring', 'scored', 'failed', 'withdrawn', 'deleted')",
            name=op.f("ck_submission_state"),
        ),
        sa.CheckConstraint(
            "(state = 'failed') = (error is not null)", name=op.f("ck_submission_failed_says_why")
        ),
        sa.CheckConstraint(
            "(state in ('waiting', 'scoring')) = (deadline is not null)",
            name=op.f("ck_submission_open_has_deadline"),
        ),
        sa.CheckConstraint("source in ('answers', 'lm-eval', 'inspect')", name=op.f("ck_submission_source")),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["trigpoint.dataset_version.id"],
            name=op.f("fk_submission_version_id_dataset_version"),
        ),
        sa.ForeignKeyConstraint(
            ["key_id"], ["trigpoint.api_key.id"], name=op.f("fk_submission_key_id_api_key")
        ),
        sa.ForeignKeyConstraint(["run_id"], ["trigpoint.run.id"], name=op.f("fk_submission_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        schema="trigpoint",
    )
    op.create_index("ix_submission_version", "submission", ["version_id"], schema="trigpoint")
    op.create_index("ix_submission_run", "submission", ["run_id"], unique=True, schema="trigpoint")
    op.create_index(
        "ix_submission_open",
        "submission",
        ["id"],
        schema="trigpoint",
        postgresql_where=sa.text("state in ('waiting', 'scoring')"),
    )
    op.create_table(
        "submission_answer",
        sa.Column("submission_id", sa.BigInteger(), nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True, comment="null where the model gave none"),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["trigpoint.submission.id"],
            name=op.f("fk_submission_answer_submission_id_submission"),
        ),
        sa.PrimaryKeyConstraint("submission_id", "question_id", "repeat", name=op.f("pk_submission_answer")),
        schema="trigpoint",
    )
    for statements in (ADD, END, RIGHTS):
        op.execute(statements)


def downgrade() -> None:
    op.execute("drop function trigpoint.end_submission(bigint, bigint, boolean, timestamptz)")
    op.execute(
        "drop function trigpoint.add_submission("
        "bigint, bigint, text, jsonb, text, boolean, text, text, integer, integer, integer, timestamptz, timestamptz)"
    )
    op.drop_table("submission_answer", schema="trigpoint")
    op.drop_table("submission", schema="trigpoint")
