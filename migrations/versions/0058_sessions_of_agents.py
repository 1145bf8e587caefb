"""Sessions: the tool calls that somebody's own agent makes for one question, kept for the submission of its answer."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0058"
down_revision: str | None = "0060"
branch_labels = None
depends_on = None

# Sessions of a key are opened one after the other, so that no two take the last place.
OPEN = """
create function trigpoint.open_agent_session(
    new_id text,
    by_key bigint,
    of_version bigint,
    of_question text,
    on_snapshot bigint,
    with_tools text,
    calls_at_most integer,
    bytes_at_most integer,
    at_time timestamptz,
    until timestamptz,
    most_open integer,
    most_kept bigint
)
returns text
language plpgsql security definer set search_path = trigpoint, pg_temp as $$
declare
    open_now bigint;
    kept bigint;
begin
    perform pg_advisory_xact_lock(hashtextextended('trigpoint sessions of ' || by_key::text, 0));
    select
        count(*) filter (
            where closed_at is null and ends_at > at_time and calls < most_calls and bytes < most_bytes
        ),
        coalesce(sum(bytes), 0)
    into open_now, kept
    from agent_session
    where key_id = by_key and submission_id is null;
    if open_now >= most_open then
        return 'open';
    end if;
    if kept >= most_kept then
        return 'kept';
    end if;
    insert into agent_session (
        id, key_id, version_id, question_id, snapshot_id, tool_set, most_calls, most_bytes, opened_at, ends_at
    )
    values (
        new_id, by_key, of_version, of_question, on_snapshot, with_tools, calls_at_most, bytes_at_most, at_time, until
    );
    return null;
end
$$;
"""
OPEN_SIGNATURE = (
    "trigpoint.open_agent_session(text, bigint, bigint, text, bigint, text, integer, integer, timestamptz, timestamptz,"
    " integer, bigint)"
)
# A call takes its place and is stored before its answer leaves; of two at once for the last place, one is refused. An
# answer for which no room is left ends the session: it is not given, and `refusal` is stored in its place.
STORE = """
create function trigpoint.store_session_call(
    of_session text,
    by_key bigint,
    with_request jsonb,
    with_request_hash text,
    with_response jsonb,
    refusal jsonb,
    its_bytes integer,
    began_at timestamptz,
    ended_at timestamptz,
    took_ms integer
)
returns text
language plpgsql security definer set search_path = trigpoint, pg_temp as $$
declare
    held agent_session%rowtype;
    fits boolean;
begin
    select * into held
    from agent_session
    where id = of_session and key_id = by_key
    for update;
    if not found
        or held.submission_id is not null
        or held.closed_at is not null
        or held.ends_at <= began_at
        or held.calls >= held.most_calls
        or held.bytes >= held.most_bytes
    then
        return 'ended';
    end if;
    fits := held.bytes + its_bytes <= held.most_bytes;
    insert into agent_session_call (
        session_id, ordinal, request, request_hash, response, bytes, sent_at, answered_at, latency_ms
    )
    values (
        of_session, held.calls, with_request, with_request_hash, case when fits then with_response else refusal end,
        its_bytes, began_at, ended_at, took_ms
    );
    update agent_session
    set
        calls = calls + 1,
        bytes = bytes + its_bytes
    where id = of_session;
    return case when fits then 'stored' else 'withheld' end;
end
$$;
"""
STORE_SIGNATURE = (
    "trigpoint.store_session_call(text, bigint, jsonb, text, jsonb, jsonb, integer, timestamptz, timestamptz, integer)"
)
CLOSE = """
create function trigpoint.close_agent_session(wanted text, by_key bigint, at_time timestamptz)
returns boolean
language plpgsql security definer set search_path = trigpoint, pg_temp as $$
begin
    update agent_session
    set closed_at = coalesce(closed_at, at_time)
    where id = wanted and key_id = by_key;
    return found;
end
$$;
"""
CLOSE_SIGNATURE = "trigpoint.close_agent_session(text, bigint, timestamptz)"
# At the command line, which has no key, answers may name sessions of any key. What is not fit is told, by answer, and
# nothing is claimed then.
CLAIM = """
create function trigpoint.claim_agent_sessions(for_submission bigint, by_key bigint)
returns table (question_id text, repeat integer, fault text)
language plpgsql security definer set search_path = trigpoint, pg_temp as $$
begin
    perform 1
    from agent_session
    where id in (
        select submission_answer.session_id
        from submission_answer
        where submission_answer.submission_id = for_submission
    )
    order by id
    for update;
    return query
    with named as (
        select
            submission_answer.question_id,
            submission_answer.repeat,
            submission.version_id,
            agent_session.id,
            agent_session.version_id as its_version,
            agent_session.question_id as its_question,
            agent_session.submission_id as its_submission,
            agent_session.tool_set,
            row_number() over (
                partition by submission_answer.session_id
                order by submission_answer.question_id, submission_answer.repeat
            ) as time_named,
            first_value(agent_session.tool_set) over (
                order by agent_session.id is null, submission_answer.question_id, submission_answer.repeat
            ) as first_set
        from submission_answer
        inner join submission on submission_answer.submission_id = submission.id
        left join agent_session
            on
                submission_answer.session_id = agent_session.id
                and (by_key is null or agent_session.key_id = by_key)
        where
            submission_answer.submission_id = for_submission
            and submission_answer.session_id is not null
    ),

    judged as (
        select
            named.question_id,
            named.repeat,
            case
                when named.id is null then 'unknown'
                when named.its_version <> named.version_id or named.its_question <> named.question_id then 'other'
                when named.its_submission is not null then 'used'
                when named.time_named > 1 then 'twice'
                when named.tool_set <> named.first_set then 'tools'
            end as fault
        from named
    )

    select
        judged.question_id,
        judged.repeat,
        judged.fault
    from judged
    where judged.fault is not null
    order by judged.question_id, judged.repeat
    limit 10;
    if not found then
        update agent_session
        set submission_id = for_submission
        where id in (
            select submission_answer.session_id
            from submission_answer
            where submission_answer.submission_id = for_submission
        );
    end if;
end
$$;
"""
CLAIM_SIGNATURE = "trigpoint.claim_agent_sessions(bigint, bigint)"
# As it was, but for sessions: those of what is deleted go with it, and those of what has no run yet can be named again.
END = """
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
            card = '{{}}',
            contact = null,
            digest = '',
            error = null,
            log = '[]',
            run_id = null
        where id = wanted;
        delete from run where id = ended.run_id;
    end if;{sessions}
    return true;
end
$$;
"""
END_SESSIONS = """
    if forget then
        delete from agent_session where submission_id = wanted;
    elsif ended.run_id is null then
        update agent_session set submission_id = null where submission_id = wanted;
    end if;"""
# Calls are read by workers and maintainers alone.
RIGHTS = f"""
revoke execute on function {OPEN_SIGNATURE} from public;
grant execute on function {OPEN_SIGNATURE} to trigpoint_api, trigpoint_maintainer;
revoke execute on function {STORE_SIGNATURE} from public;
grant execute on function {STORE_SIGNATURE} to trigpoint_api;
revoke execute on function {CLOSE_SIGNATURE} from public;
grant execute on function {CLOSE_SIGNATURE} to trigpoint_api;
revoke execute on function {CLAIM_SIGNATURE} from public;
grant execute on function {CLAIM_SIGNATURE} to trigpoint_api, trigpoint_worker;
grant select on trigpoint.agent_session to trigpoint_api;
grant select on trigpoint.agent_session, trigpoint.agent_session_call to trigpoint_maintainer;
grant select, delete on trigpoint.agent_session, trigpoint.agent_session_call to trigpoint_worker;
grant update (submission_id) on trigpoint.agent_session to trigpoint_worker;
grant insert (session_id, usage) on trigpoint.submission_answer to trigpoint_api;
"""


def upgrade() -> None:
    op.create_table(
        "agent_session",
        sa.Column("id", sa.Text(), nullable=False, comment="128 random bits, hexadecimal"),
        sa.Column("key_id", sa.BigInteger(), nullable=False, comment="the first key of its owner's line"),
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column(
            "snapshot_id", sa.BigInteger(), nullable=False, comment="the map on which its tools are called"
        ),
        sa.Column("tool_set", sa.Text(), nullable=False),
        sa.Column("most_calls", sa.Integer(), nullable=False),
        sa.Column("most_bytes", sa.Integer(), nullable=False, comment="of all its answers together"),
        sa.Column("calls", sa.Integer(), server_default="0", nullable=False),
        sa.Column("bytes", sa.Integer(), server_default="0", nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True, comment="when its owner ended it"),
        sa.Column(
            "submission_id", sa.BigInteger(), nullable=True, comment="the submission whose answer names it"
        ),
        sa.ForeignKeyConstraint(
            ["key_id"], ["trigpoint.api_key.id"], name=op.f("fk_agent_session_key_id_api_key")
        ),
        sa.ForeignKeyConstraint(
            ["version_id", "question_id"],
            ["trigpoint.question.version_id", "trigpoint.question.id"],
            name=op.f("fk_agent_session_version_id_question_id_question"),
        ),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["trigpoint.snapshot.id"], name=op.f("fk_agent_session_snapshot_id_snapshot")
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["trigpoint.submission.id"],
            name=op.f("fk_agent_session_submission_id_submission"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent_session")),
        schema="trigpoint",
    )
    op.create_index("ix_agent_session_key", "agent_session", ["key_id", "opened_at", "id"], schema="trigpoint")
    op.create_index("ix_agent_session_submission", "agent_session", ["submission_id"], schema="trigpoint")
    op.create_index(
        "ix_agent_session_unused",
        "agent_session",
        ["ends_at"],
        schema="trigpoint",
        postgresql_where=sa.text("submission_id is null"),
    )
    op.create_table(
        "agent_session_call",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False, comment="0 for the first call of the session"),
        sa.Column(
            "request",
            postgresql.JSONB(),
            nullable=False,
            comment="{tool, arguments, set, snapshot, checksum, tools_version}",
        ),
        sa.Column("request_hash", sa.Text(), nullable=False),
        sa.Column(
            "response", postgresql.JSONB(), nullable=False, comment="{sentence, result}, or {error: {kind, message}}"
        ),
        sa.Column("bytes", sa.Integer(), nullable=False, comment="of the answer"),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("latency_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["trigpoint.agent_session.id"],
            name=op.f("fk_agent_session_call_session_id_agent_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_id", "ordinal", name=op.f("pk_agent_session_call")),
        schema="trigpoint",
    )
    for column in (
        sa.Column("session_id", sa.Text(), nullable=True, comment="the session in which an agent found it"),
        sa.Column(
            "usage",
            postgresql.JSONB(),
            nullable=True,
            comment="{prompt_tokens, completion_tokens, money} as whoever submitted it states them",
        ),
    ):
        op.add_column("submission_answer", column, schema="trigpoint")
    for statements in (OPEN, STORE, CLOSE, CLAIM, END.format(sessions=END_SESSIONS), RIGHTS):
        op.execute(statements)


def downgrade() -> None:
    op.execute(END.format(sessions=""))
    for signature in (OPEN_SIGNATURE, STORE_SIGNATURE, CLOSE_SIGNATURE, CLAIM_SIGNATURE):
        op.execute(f"drop function {signature}")
    op.drop_column("submission_answer", "usage", schema="trigpoint")
    op.drop_column("submission_answer", "session_id", schema="trigpoint")
    op.drop_table("agent_session_call", schema="trigpoint")
    op.drop_table("agent_session", schema="trigpoint")
