"""Runs tell how many answers were cut off; bi_board has every scope of a run of a sample, and the step of a score.

A sample holds public questions alone, so what it came to in a template or group may be told exactly, as pages do.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0042"
down_revision: str | None = "0041"
branch_labels = None
depends_on = None

ABOUT_TRUNCATED = "answers that ended because the limit on tokens was reached"
ABOUT_SLOW = "95 of 100 of its calls took at most so long; null without any"
COMMENTS = {
    "questions": "how many; those of hidden gold count as they do on boards; of a sample, those that it asked",
    "latency_median_ms": "median time of a call; null without calls, or unless the scope is all",
    "latency_p95_ms": "95 of 100 calls took at most so long; null without calls, or unless the scope is all",
    "score_step": "the score counts hidden questions, rounded to a step: its size, in shares of 1; null if it is exact",
    "truncated": f"{ABOUT_TRUNCATED}; null unless the scope is all",
}
# What is counted for runs that are scored already; later ones write it when they are scored. Judges say nothing of it.
COUNT = """
update trigpoint.run_standing
set truncated = counted.answers
from (
    select
        prediction.run_id,
        count(*) as answers
    from trigpoint.prediction
    where prediction.detail @> '{"truncated": true}'
    group by prediction.run_id
) as counted
inner join trigpoint.run on counted.run_id = run.id
where
    run_standing.run_id = counted.run_id
    and run.solver <> 'judge'
"""
# `score_step` is app.scores.withholding.step_of_mean over the questions of the version; a test compares the two.
BOARD = """
create or replace view trigpoint.bi_board as
with profile (name, judged) as (
    values ('trigpoint', false), ('judge_hybrid', true), ('judge_pure', true)
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
    inner join profile on (run.solver = 'judge') = profile.judged
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


def upgrade() -> None:
    op.add_column(
        "run_standing",
        sa.Column("truncated", sa.Integer(), server_default="0", nullable=False, comment=ABOUT_TRUNCATED),
        schema="trigpoint",
    )
    op.alter_column(
        "run_standing", "latency_p95_ms", comment=ABOUT_SLOW, existing_comment=None, schema="trigpoint"
    )
    op.execute(COUNT)
    op.execute(BOARD)
    for column, about in COMMENTS.items():
        op.execute(f"comment on column trigpoint.bi_board.{column} is '{about}'")


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: a view loses no columns.")
