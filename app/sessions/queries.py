"""The statements of sessions. The time is always the bind `now`; the api role writes by functions alone."""

from sqlalchemy import text

# The api role only reads, unless a transaction says at its beginning that it does not.

WRITE = text("""
set transaction read write
""")

# The map is that in the question's row, its first where it stands on several.

QUESTION = text("""
select
    question.id,
    question.snapshot_id,
    snapshot.name,
    snapshot.data_timestamp
from question
left join snapshot on question.snapshot_id = snapshot.id
where
    question.version_id = :version_id
    and question.id = :question_id
""")

OPEN = text("""
select open_agent_session(
    :id, :key_id, :version_id, :question_id, :snapshot_id, :tool_set, :most_calls, :most_bytes, :now, :until,
    :most_open, :most_kept
)
""")

# What is kept for a key and may never be submitted.

UNSUBMITTED = text("""
select
    count(*) as sessions,
    coalesce(sum(agent_session.calls), 0) as calls
from agent_session
where
    agent_session.key_id = :key_id
    and agent_session.submission_id is null
""")

STORE = text("""
select store_session_call(
    :session_id, :key_id, cast(:request as jsonb), :request_hash, cast(:response as jsonb), cast(:refusal as jsonb),
    :bytes, :began, :ended, :latency_ms
)
""")

CLOSE = text("""
select close_agent_session(:id, :key_id, :now)
""")

_SESSION = """
select
    agent_session.id,
    agent_session.key_id,
    agent_session.question_id,
    agent_session.snapshot_id,
    agent_session.tool_set,
    agent_session.most_calls,
    agent_session.most_bytes,
    agent_session.calls,
    agent_session.bytes,
    agent_session.opened_at,
    agent_session.ends_at,
    agent_session.closed_at,
    agent_session.submission_id,
    dataset.name || '@' || dataset_version.number as dataset,
    question.prompt,
    question.options,
    question.answer_type,
    snapshot.name as map_name,
    snapshot.data_timestamp
from agent_session
inner join dataset_version on agent_session.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
inner join question
    on
        agent_session.version_id = question.version_id
        and agent_session.question_id = question.id
inner join snapshot on agent_session.snapshot_id = snapshot.id
"""

READ = text(
    _SESSION
    + """
where
    agent_session.id = :id
    and (cast(:key_id as bigint) is null or agent_session.key_id = :key_id)
"""
)

LIST = text(
    _SESSION
    + """
where
    (cast(:key_id as bigint) is null or agent_session.key_id = :key_id)
    and (
        cast(:before as text) is null
        or (agent_session.opened_at, agent_session.id) < (
            select
                earlier.opened_at,
                earlier.id
            from agent_session as earlier
            where earlier.id = :before
        )
    )
order by agent_session.opened_at desc, agent_session.id desc
limit :limit
"""
)

CALLS = text("""
select
    agent_session_call.ordinal,
    agent_session_call.request,
    agent_session_call.response,
    agent_session_call.bytes,
    agent_session_call.sent_at,
    agent_session_call.latency_ms
from agent_session_call
where agent_session_call.session_id = :id
order by agent_session_call.ordinal
""")

FORGET_UNUSED = text("""
with unused as (
    select agent_session.id
    from agent_session
    where
        agent_session.submission_id is null
        and agent_session.ends_at < :before
    order by agent_session.ends_at
    limit :limit
    for update of agent_session skip locked
)

delete from agent_session
using unused
where agent_session.id = unused.id
""")
