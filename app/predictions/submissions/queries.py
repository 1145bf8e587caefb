"""The statements of submissions. The time is always the bind `now`."""

from sqlalchemy import text

QUESTION_IDS = text("""
select question.id
from question
where question.version_id = :version_id
order by question.position
""")

# Which answers name sessions that they cannot name; where there are none, all that are named belong to the submission.

CLAIM_SESSIONS = text("""
select
    question_id,
    repeat,
    fault
from claim_agent_sessions(:submission_id, :key_id)
""")

RELEASE_SESSIONS = text("""
update agent_session
set submission_id = null
where submission_id = :submission_id
""")

TOOL_SET = text("""
select agent_session.tool_set
from agent_session
where agent_session.submission_id = :submission_id
limit 1
""")

# The api role only reads, unless a transaction says at its beginning that it does not.

WRITE = text("""
set transaction read write
""")

ADD = text("""
select
    id,
    outcome
from add_submission(
    :version_id, :key_id, :label, cast(:card as jsonb), :contact, :self_reported, :source, :digest, :answers, :repeats,
    :most_a_day, :most_hidden, :hidden_for, :now, :deadline
)
""")

# Names of runs are told without what sets them apart, too: `gemma` of `gemma (rag)`.
OTHER_NAMES = text("""
with mine as (
    select key_id
    from submission
    where id = :submission_id
)

select submission.label
from submission
cross join mine
where
    submission.version_id = :version_id
    and submission.key_id is distinct from mine.key_id
    and submission.state in ('waiting', 'scoring', 'scored')
union
select run.label
from run
where
    run.version_id = :version_id
    and run.solver <> 'submitted'
union
select split_part(run.label, ' (', 1)
from run
where
    run.version_id = :version_id
    and run.solver <> 'submitted'
""")

END = text("""
select end_submission(:submission_id, cast(:key_id as bigint), :forget, :now)
""")

_SUBMISSION = """
select
    submission.id,
    dataset.name || '@' || dataset_version.number as dataset,
    submission.key_id,
    submission.label,
    submission.card,
    submission.self_reported,
    submission.source,
    submission.answers,
    submission.repeats,
    submission.public_only,
    submission.state,
    submission.run_id,
    submission.deadline,
    submission.error,
    submission.log,
    submission.created_at,
    submission.finished_at,
    case
        when submission.state = 'waiting' then (
            select count(*)
            from submission as earlier
            where
                earlier.state in ('waiting', 'scoring')
                and earlier.id < submission.id
        )
    end as before
from submission
inner join dataset_version on submission.version_id = dataset_version.id
inner join dataset on dataset_version.dataset_id = dataset.id
"""

READ = text(
    _SUBMISSION
    + """
where submission.id = :submission_id
"""
)

LIST = text(
    _SUBMISSION
    + """
where
    submission.id < :before
    and (cast(:key_id as bigint) is null or submission.key_id = :key_id)
order by submission.id desc
limit :limit
"""
)

WAITING = text("""
select exists (
    select 1
    from submission
    where
        state = 'waiting'
        or (state = 'scoring' and deadline < :now)
)
""")

CLAIM = text("""
with next as (
    select submission.id
    from submission
    where
        submission.attempt < :most
        and (cast(:only as bigint) is null or submission.id = :only)
        and (submission.state = 'waiting' or (submission.state = 'scoring' and submission.deadline < :now))
    order by submission.id
    limit 1
    for update of submission skip locked
)

update submission
set
    state = 'scoring',
    attempt = submission.attempt + 1,
    owner = :owner,
    deadline = :deadline
from next
where submission.id = next.id
returning submission.id, submission.attempt
""")

LOCK = text("""
select
    submission.version_id,
    submission.label,
    submission.card,
    submission.answers,
    submission.repeats,
    submission.public_only
from submission
where
    submission.id = :submission_id
    and submission.state = 'scoring'
    and submission.attempt = :attempt
for update
""")

COUNT_PUBLIC_ALONE = text("""
update run
set public_only = true
where id = :run_id
""")

# Questions that are asked alike have one answer: that to the first of them. Rows are numbered in the order of
# questions: that of revisions would tell of gold.
TAKE_ANSWERS = text("""
with asked as (
    select distinct on (question.revision)
        question.revision,
        question.id,
        question.position
    from question
    where question.version_id = :version_id
    order by question.revision, question.position
)

insert into prediction (
    run_id, version_id, question_id, question_revision, presentation_key, repeat, state, answer, detail, fencing_token,
    created_at
)
select
    :run_id,
    :version_id,
    asked.id,
    asked.revision,
    :presentation_key,
    submission_answer.repeat,
    case when submission_answer.silent or submission_answer.answer is null then 'no_answer' else 'answered' end,
    submission_answer.answer,
    jsonb_strip_nulls(jsonb_build_object('agent', made.agent, 'stated', submission_answer.usage)),
    0,
    :now
from submission_answer
inner join asked on submission_answer.question_id = asked.id
left join lateral (
    select
        jsonb_build_object(
            'chat_calls', 0,
            'tool_calls', count(call.ordinal),
            'failed_calls', count(call.ordinal) filter (where call.response ? 'error'),
            'repeated_calls', count(call.ordinal) - count(distinct call.request_hash),
            'format_faults', 0,
            'left_out', 0
        ) as agent
    from agent_session_call as call
    where call.session_id = submission_answer.session_id
    having submission_answer.session_id is not null
) as made on true
where submission_answer.submission_id = :submission_id
order by asked.position, submission_answer.repeat
""")

# The calls of sessions become steps of the run, as those of our own agents are. They are kept nowhere else.

TAKE_CALLS = text("""
with asked as (
    select distinct on (question.revision)
        question.revision,
        question.id
    from question
    where question.version_id = :version_id
    order by question.revision, question.position
)

insert into step (
    run_id, batch_id, fencing_token, version_id, question_id, question_revision, presentation_key, repeat, ordinal,
    attempt, kind, state, request_hash, request, response, sent_at, answered_at, latency_ms
)
select
    :run_id,
    0,
    0,
    :version_id,
    asked.id,
    asked.revision,
    :presentation_key,
    submission_answer.repeat,
    call.ordinal,
    0,
    'tool',
    'done',
    call.request_hash,
    call.request,
    call.response,
    call.sent_at,
    call.answered_at,
    call.latency_ms
from submission_answer
inner join asked on submission_answer.question_id = asked.id
inner join agent_session_call as call on submission_answer.session_id = call.session_id
where submission_answer.submission_id = :submission_id
order by asked.id, submission_answer.repeat, call.ordinal
""")

FORGET_CALLS = text("""
delete from agent_session_call
using agent_session
where
    agent_session_call.session_id = agent_session.id
    and agent_session.submission_id = :submission_id
""")

KEEP_PARSED = text("""
update prediction
set
    state = 'answered',
    detail = jsonb_build_object('parsed', given.parsed)
from jsonb_to_recordset(cast(:rows as jsonb)) as given (question_id text, parsed jsonb)
where
    prediction.run_id = :run_id
    and prediction.question_id = given.question_id
    and prediction.answer is not null
""")

COUNT_ANSWERS = text("""
select count(*) from submission_answer where submission_id = :submission_id
""")

FORGET_ANSWERS = text("""
delete from submission_answer where submission_id = :submission_id
""")

FINISH = text("""
update submission
set
    state = case when cast(:error as text) is null then 'scored' else 'failed' end,
    error = :error,
    run_id = :run_id,
    owner = null,
    deadline = null,
    finished_at = :now,
    log = log || jsonb_build_object('at', cast(:now as timestamptz), 'said', cast(:said as text))
where
    id = :submission_id
    and state = 'scoring'
    and attempt = :attempt
""")

GIVE_UP = text("""
with given_up as (
    update submission
    set
        state = 'failed',
        error = :lost,
        owner = null,
        deadline = null,
        finished_at = :now,
        log = log || jsonb_build_object('at', cast(:now as timestamptz), 'said', cast(:lost as text))
    where
        state = 'scoring'
        and deadline < :now
        and attempt >= :most
    returning id
),

released as (
    update agent_session
    set submission_id = null
    from given_up
    where agent_session.submission_id = given_up.id
)

delete from submission_answer
using given_up
where submission_answer.submission_id = given_up.id
""")
