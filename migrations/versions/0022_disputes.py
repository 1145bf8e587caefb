"""Disputes of questions, errata with their lineage, and runs whose answers are carried over to a later version."""

import sqlalchemy as sa
from alembic import op

revision: str = "0022"
down_revision: str | None = "0021"
branch_labels = None
depends_on = None

# The one way in. Disputes by a key come one after the other, so that no limit is passed and none stands there twice.
# Who says the same again has it once. A question that the newest version asks no longer, or otherwise, is settled.
OPEN = """
create function trigpoint.open_dispute(
    of_version bigint,
    of_question text,
    by_key bigint,
    for_reason text,
    in_words text,
    proposing text,
    most_open integer,
    most_a_day integer,
    at_time timestamptz
)
returns table (id bigint, outcome text)
language plpgsql security definer set search_path = trigpoint, pg_temp as $$
declare
    known dispute%rowtype;
begin
    perform pg_advisory_xact_lock(hashtextextended('trigpoint dispute ' || coalesce(by_key::text, ''), 0));
    select * into known
    from dispute
    where
        dispute.version_id = of_version
        and dispute.question_id = of_question
        and dispute.key_id is not distinct from by_key
        and dispute.state = 'open';
    if found then
        return query select
            known.id,
            case
                when
                    known.reason = for_reason
                    and known.text = in_words
                    and known.proposed is not distinct from proposing
                    then 'same'
                else 'another'
            end;
        return;
    end if;
    if not exists (
        select 1
        from question
        inner join dataset_version as disputed on question.version_id = disputed.id
        inner join lateral (
            select later.id
            from dataset_version as later
            where later.dataset_id = disputed.dataset_id and later.state = 'published'
            order by later.number desc
            limit 1
        ) as newest on true
        inner join question as today
            on newest.id = today.version_id and question.id = today.id and question.revision = today.revision
        where question.version_id = of_version and question.id = of_question
    ) then
        return query select null::bigint, 'settled';
        return;
    end if;
    if by_key is not null and (
        most_open <= (select count(*) from dispute where dispute.key_id = by_key and dispute.state = 'open')
        or most_a_day <= (
            select count(*)
            from dispute
            where dispute.key_id = by_key and dispute.created_at > at_time - interval '1 day'
        )
    ) then
        return query select null::bigint, 'quota';
        return;
    end if;
    return query
    insert into dispute (version_id, question_id, key_id, reason, text, proposed, created_at)
    values (of_version, of_question, by_key, for_reason, in_words, proposing, at_time)
    returning dispute.id, 'new';
end
$$;
"""
# Its own key takes it back; one that is closed stays as it is. Null: there is none of that key.
WITHDRAW = """
create function trigpoint.withdraw_dispute(wanted bigint, by_key bigint, at_time timestamptz)
returns text
language plpgsql security definer set search_path = trigpoint, pg_temp as $$
declare
    known text;
begin
    select state into known from dispute where id = wanted and key_id = by_key for update;
    if known = 'open' then
        update dispute set state = 'withdrawn', closed_at = at_time where id = wanted;
        return 'withdrawn';
    end if;
    return known;
end
$$;
"""
# Owned by the owner and not security_invoker on purpose. What was decided about a hidden question may speak of its gold:
# that stays with maintainers. Of errata it is told which question, and whether it was voided or corrected.
VIEWS = """
create view trigpoint.dispute_seen as
select
    dispute.id,
    dispute.version_id,
    dispute.question_id,
    dispute.key_id,
    dispute.reason,
    dispute.text,
    dispute.proposed,
    dispute.state,
    dispute.created_at,
    dispute.closed_at,
    case when question.split = 'public' then dispute.decision end as decision,
    dispute.outcome,
    dispute.erratum_version_id
from trigpoint.dispute
inner join trigpoint.question on dispute.version_id = question.version_id and dispute.question_id = question.id;

create view trigpoint.erratum as
select
    lineage.from_version_id,
    lineage.to_version_id,
    lineage.from_question_id as question_id,
    lineage.outcome
from trigpoint.lineage
where lineage.origin = 'erratum' and lineage.outcome in ('voided', 'corrected');
"""
# As they were, and runs that carry a submission's answers on to a later version go with it; so does its name there.
SUBMISSIONS = """
create or replace function trigpoint.add_submission(
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
            submission.key_id is distinct from by_key
            and lower(submission.label) = lower(by_name)
            and submission.state in ('waiting', 'scoring', 'scored')
            and (
                submission.version_id = to_version
                or exists (
                    select 1
                    from run
                    where run.version_id = to_version and run.carried_from = submission.run_id
                )
            )
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

create or replace function trigpoint.end_submission(
    wanted bigint, by_key bigint, forget boolean, at_time timestamptz
)
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
    -- Whoever carries its answers over just now is waited for, so that all that follows sees the new run.
    perform 1 from run where run.id = ended.run_id for update;
    delete from submission_answer where submission_id = wanted;
    delete from board_aggregate
    where run_id in (select run.id from run where run.id = ended.run_id or run.carried_from = ended.run_id);
    update run set status = 'cancelled', finished_at = coalesce(finished_at, at_time)
    where run.id = ended.run_id or run.carried_from = ended.run_id;
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
# Who decides by a worker is on the record, too.
RIGHTS = """
revoke execute on function trigpoint.open_dispute(
    bigint, text, bigint, text, text, text, integer, integer, timestamptz
) from public;
grant execute on function trigpoint.open_dispute(
    bigint, text, bigint, text, text, text, integer, integer, timestamptz
) to trigpoint_api, trigpoint_maintainer;
revoke execute on function trigpoint.withdraw_dispute(bigint, bigint, timestamptz) from public;
grant execute on function trigpoint.withdraw_dispute(bigint, bigint, timestamptz) to trigpoint_api;
grant select on trigpoint.dispute_seen, trigpoint.erratum to trigpoint_api, trigpoint_maintainer, trigpoint_worker;
grant select on trigpoint.dispute to trigpoint_maintainer, trigpoint_worker;
grant update (state, closed_at, decision, decided_by) on trigpoint.dispute to trigpoint_maintainer;
grant update (state, closed_at, decision, decided_by, outcome, erratum_version_id) on trigpoint.dispute
to trigpoint_worker;
grant insert on trigpoint.audit to trigpoint_worker;
grant select (carried_from) on trigpoint.run to trigpoint_api;
"""


def upgrade() -> None:
    op.create_table(
        "dispute",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("key_id", sa.BigInteger(), nullable=True, comment="null: at the command line"),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False, comment="what is wrong, in the words of who disputes it"),
        sa.Column("proposed", sa.Text(), nullable=True, comment="the answer that would be right"),
        sa.Column("state", sa.Text(), server_default="open", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decision", sa.Text(), nullable=True, comment="in the maintainer's words"),
        sa.Column("decided_by", sa.BigInteger(), nullable=True, comment="null: at the command line"),
        sa.Column("outcome", sa.Text(), nullable=True, comment="of an accepted one: voided or corrected"),
        sa.Column("erratum_version_id", sa.BigInteger(), nullable=True, comment="the version that puts it right"),
        sa.CheckConstraint("state in ('open', 'accepted', 'rejected', 'withdrawn')", name=op.f("ck_dispute_state")),
        sa.CheckConstraint(
            "reason in ('wrong_answer', 'other_right_answer', 'ambiguous', 'unclear', 'other')",
            name=op.f("ck_dispute_reason"),
        ),
        sa.CheckConstraint("(state = 'open') = (closed_at is null)", name=op.f("ck_dispute_closed_says_when")),
        sa.CheckConstraint(
            "(state in ('accepted', 'rejected')) = (decision is not null)", name=op.f("ck_dispute_decided_says_why")
        ),
        sa.CheckConstraint(
            "(state = 'accepted') = (outcome is not null)"
            " and (outcome is null) = (erratum_version_id is null)"
            " and (outcome is null or outcome in ('voided', 'corrected'))",
            name=op.f("ck_dispute_accepted_has_erratum"),
        ),
        sa.ForeignKeyConstraint(
            ["version_id", "question_id"],
            ["trigpoint.question.version_id", "trigpoint.question.id"],
            name=op.f("fk_dispute_version_id_question_id_question"),
        ),
        sa.ForeignKeyConstraint(["key_id"], ["trigpoint.api_key.id"], name=op.f("fk_dispute_key_id_api_key")),
        sa.ForeignKeyConstraint(["decided_by"], ["trigpoint.api_key.id"], name=op.f("fk_dispute_decided_by_api_key")),
        sa.ForeignKeyConstraint(
            ["erratum_version_id"],
            ["trigpoint.dataset_version.id"],
            name=op.f("fk_dispute_erratum_version_id_dataset_version"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispute")),
        schema="trigpoint",
    )
    op.create_index(
        "uq_dispute_open",
        "dispute",
        ["version_id", "question_id", "key_id"],
        unique=True,
        schema="trigpoint",
        postgresql_where=sa.text("state = 'open'"),
        postgresql_nulls_not_distinct=True,
    )
    op.create_index("ix_dispute_key", "dispute", ["key_id", "id"], schema="trigpoint")
    op.create_index("ix_dispute_erratum", "dispute", ["erratum_version_id"], schema="trigpoint")
    op.add_column(
        "lineage",
        sa.Column(
            "origin", sa.Text(), server_default="refresh", nullable=False, comment="what made the later version"
        ),
        schema="trigpoint",
    )
    op.add_column("lineage", sa.Column("dispute_id", sa.BigInteger(), nullable=True), schema="trigpoint")
    op.create_foreign_key(
        op.f("fk_lineage_dispute_id_dispute"),
        "lineage",
        "dispute",
        ["dispute_id"],
        ["id"],
        source_schema="trigpoint",
        referent_schema="trigpoint",
    )
    op.drop_constraint(op.f("ck_lineage_outcome"), "lineage", schema="trigpoint")
    op.create_check_constraint(
        op.f("ck_lineage_outcome"),
        "lineage",
        "outcome in ('kept', 'updated', 'retired', 'replaced', 'added', 'voided', 'corrected')",
        schema="trigpoint",
    )
    op.create_check_constraint(
        op.f("ck_lineage_origin"), "lineage", "origin in ('refresh', 'erratum')", schema="trigpoint"
    )
    op.create_index("ix_lineage_to", "lineage", ["to_version_id", "to_question_id"], schema="trigpoint")
    op.add_column(
        "run",
        sa.Column(
            "carried_from",
            sa.BigInteger(),
            nullable=True,
            comment="the run of an earlier version whose answers these are; nothing was asked again",
        ),
        schema="trigpoint",
    )
    op.create_foreign_key(
        op.f("fk_run_carried_from_run"),
        "run",
        "run",
        ["carried_from"],
        ["id"],
        source_schema="trigpoint",
        referent_schema="trigpoint",
        ondelete="CASCADE",
    )
    op.create_index("ix_run_carried_from", "run", ["carried_from"], schema="trigpoint")
    for statements in (OPEN, WITHDRAW, VIEWS, SUBMISSIONS, RIGHTS):
        op.execute(statements)


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: disputes would be lost.")
