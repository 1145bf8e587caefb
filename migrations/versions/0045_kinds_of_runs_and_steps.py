"""A run says what kind of run it is, and a step may be of any kind.

Runs of the solver `judge` were known by that name until now: they become runs of kind `judgement`. Steps that ran SQL
were stored as `tool` until now: they become steps of kind `sql`, so that `tool` is free for tools of the map.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0045"
down_revision: str | None = "0044"
branch_labels = None
depends_on = None

ABOUT = "answers: to the questions of its version; judgement: a judge's marks on the answers of another run"
# The three read a run's kind where they compared its solver with the name of the judge; their columns stay as they are.
VERSIONS = """
create or replace view trigpoint.bi_dataset_version as
select
    dataset_version.id as version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    dataset.benchmark,
    dataset_version.published_at at time zone 'UTC' as published_utc,
    row_number() over (partition by dataset.id order by dataset_version.number desc) = 1 as newest,
    asked.questions,
    asked.questions - asked.hidden_questions as public_questions,
    asked.hidden_questions,
    asked.templates,
    (
        select count(*)
        from trigpoint.dataset_snapshot
        where dataset_snapshot.version_id = dataset_version.id
    ) as maps,
    (
        select count(*)
        from trigpoint.run
        where
            run.version_id = dataset_version.id
            and run.status = 'complete'
            and run.sample is null
            and run.kind = 'answers'
    ) as complete_runs,
    dataset_version.seed,
    dataset_version.licence ->> 'name' as licence,
    dataset_version.licence ->> 'url' as licence_url,
    dataset_version.licence ->> 'attribution' as attribution,
    dataset_version.canary
from trigpoint.dataset_version
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
cross join lateral (
    select
        count(*) as questions,
        count(*) filter (where question.split = 'hidden') as hidden_questions,
        count(distinct question.template) as templates
    from trigpoint.question
    where question.version_id = dataset_version.id
) as asked
where dataset_version.state = 'published'
"""
# `score_step` is app.scores.withholding.step_of_mean over the questions of the version; a test compares the two.
BOARD = """
create or replace view trigpoint.bi_board as
with profile (name, run_kind) as (
    values ('trigpoint', 'answers'), ('judge_hybrid', 'judgement'), ('judge_pure', 'judgement')
),

candidate as (
    select
        run.id,
        run.version_id,
        run.label,
        run.solver,
        profile.name as profile,
        run.status = 'complete' and whole.score is not null and not run.public_only as complete
    from trigpoint.run
    inner join profile on run.kind = profile.run_kind
    left join trigpoint.board_aggregate as whole
        on
            run.id = whole.run_id
            and profile.name = whole.profile
            and whole.scope = 'all'
    where run.status <> 'cancelled'
),

made as (
    select
        question.version_id,
        count(*) as questions,
        count(*) filter (where question.split = 'hidden') as hidden
    from trigpoint.question
    group by question.version_id
),

placed as (
    select
        candidate.id,
        candidate.profile,
        candidate.complete,
        max(candidate.id) over (
            partition by
                candidate.version_id, candidate.label, candidate.solver, candidate.profile, candidate.complete
        ) as newest,
        max(candidate.id) filter (where candidate.complete) over (
            partition by candidate.version_id, candidate.label, candidate.solver, candidate.profile
        ) as newest_complete
    from candidate
)

select
    board_aggregate.version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    dataset.benchmark,
    board_aggregate.run_id,
    run.label,
    run.solver,
    run.status,
    placed.id = placed.newest and (placed.complete or coalesce(placed.newest_complete < placed.id, true)) as shown,
    cardinality(run.sample) as sample_questions,
    coalesce((run.presentation ->> 'rotate')::boolean, false) as rotated,
    run.finished_at at time zone 'UTC' as finished_utc,
    board_aggregate.profile,
    board_aggregate.scorer_version,
    split_part(board_aggregate.scope, ':', 1) as scope_kind,
    nullif(substr(board_aggregate.scope, strpos(board_aggregate.scope || ':', ':') + 1), '') as scope_name,
    board_aggregate.n as questions,
    case when run.status = 'complete' then board_aggregate.score end as score,
    case when run.status = 'complete' then board_aggregate.low end as score_low,
    case when run.status = 'complete' then board_aggregate.high end as score_high,
    board_aggregate.interval as interval_method,
    chance.value as chance_score,
    random.value as random_score,
    (board_aggregate.states ->> 'correct')::bigint as correct,
    (board_aggregate.states ->> 'wrong')::bigint as wrong,
    (board_aggregate.states ->> 'unparseable')::bigint as unparseable,
    (board_aggregate.states ->> 'no_answer')::bigint as no_answer,
    (board_aggregate.states ->> 'error')::bigint as error,
    (board_aggregate.states ->> 'missing')::bigint as missing,
    run_standing.calls,
    run_standing.prompt_tokens,
    run_standing.completion_tokens,
    run_standing.cost,
    run_standing.currency as cost_currency,
    run_standing.latency_median_ms,
    run_standing.latency_p95_ms,
    run.public_only,
    case
        when made.hidden >= 10 and board_aggregate.n = made.questions
            then cast(made.hidden as double precision) / greatest(1, made.hidden / 5) / made.questions
    end as score_step,
    run_standing.truncated
from trigpoint.board_aggregate
inner join trigpoint.run on board_aggregate.run_id = run.id
inner join placed on board_aggregate.run_id = placed.id and board_aggregate.profile = placed.profile
inner join trigpoint.dataset_version on board_aggregate.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
left join trigpoint.expectation as chance
    on
        board_aggregate.version_id = chance.version_id
        and board_aggregate.profile = chance.profile
        and board_aggregate.scorer_version = chance.scorer_version
        and board_aggregate.scope = chance.scope
        and board_aggregate.n = chance.n
        and chance.kind = 'chance'
left join trigpoint.expectation as random
    on
        board_aggregate.version_id = random.version_id
        and board_aggregate.profile = random.profile
        and board_aggregate.scorer_version = random.scorer_version
        and board_aggregate.scope = random.scope
        and board_aggregate.n = random.n
        and random.kind = 'random'
left join trigpoint.run_standing
    on
        board_aggregate.run_id = run_standing.run_id
        and board_aggregate.profile = run_standing.profile
        and board_aggregate.scope = 'all'
left join made on board_aggregate.version_id = made.version_id and board_aggregate.scope = 'all'
where dataset_version.state = 'published'
"""
# A judge's prompts hold gold, and its replies are the longer the more is wrong: of hidden questions their tokens stay here.
PROGRESS = """
create or replace function trigpoint.progress_of_run(wanted_run bigint, at_time timestamptz)
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
        case when concealed.it is null then run.spent_prompt else 0 end as spent_prompt,
        case when concealed.it is null then run.spent_completion else 0 end as spent_completion,
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
    left join lateral (
        select true as it
        from question
        where
            run.kind = 'judgement'
            and session_user = 'trigpoint_api'
            and question.version_id = run.version_id
            and question.split = 'hidden'
        limit 1
    ) as concealed on true
    where run.id = wanted_run
$$;
"""


def upgrade() -> None:
    op.add_column(
        "run",
        sa.Column("kind", sa.Text(), server_default="answers", nullable=False, comment=ABOUT),
        schema="trigpoint",
    )
    op.execute("update trigpoint.run set kind = 'judgement' where solver = 'judge'")
    op.create_check_constraint(
        op.f("ck_run_kind"), "run", "kind in ('answers', 'judgement')", schema="trigpoint"
    )
    op.execute("grant select (kind) on trigpoint.run to trigpoint_api")
    op.execute(VERSIONS)
    op.execute(BOARD)
    op.execute(PROGRESS)
    op.drop_constraint(op.f("ck_step_kind"), "step", schema="trigpoint", type_="check")
    op.execute("update trigpoint.step set kind = 'sql' where kind = 'tool'")


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: steps may be of kinds that earlier releases do not know.")
