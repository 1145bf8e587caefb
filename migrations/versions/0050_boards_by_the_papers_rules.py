"""Runs are shown by the rules of their benchmark's paper, too: as a profile of bi_board, and measure by measure.

Runs that were scored before get these aggregates when a worker's sweep scores them again; no stored score changes.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0050"
down_revision: str | None = "0049"
branch_labels = None
depends_on = None

ABOUT = "{NAME: {mean, attempted_mean, attempted, n}} by a paper's rules; null by other rules"
PROFILE = "the scoring profile: trigpoint, published, judge_hybrid or judge_pure"
# `shown` is app.leaderboard.ranking.select_runs, `score_step` app.scores.withholding.step_of_mean over the questions of the
# version; tests compare them. By a paper's rules no hidden question counts.
BOARD = """
create or replace view trigpoint.bi_board as
with profile (name, run_kind) as (
    values
    ('trigpoint', 'answers'), ('published', 'answers'), ('judge_hybrid', 'judgement'), ('judge_pure', 'judgement')
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
MEASURE = """
create view trigpoint.bi_measure as
select
    board_aggregate.version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    dataset.benchmark,
    board_aggregate.run_id,
    run.label,
    run.solver,
    board_aggregate.profile,
    board_aggregate.scorer_version,
    split_part(board_aggregate.scope, ':', 1) as scope_kind,
    nullif(substr(board_aggregate.scope, strpos(board_aggregate.scope || ':', ':') + 1), '') as scope_name,
    measured.key as measure,
    (measured.value ->> 'mean')::double precision as mean,
    (measured.value ->> 'attempted_mean')::double precision as attempted_mean,
    (measured.value ->> 'attempted')::bigint as attempted,
    (measured.value ->> 'n')::bigint as measured_answers
from trigpoint.board_aggregate
inner join trigpoint.run on board_aggregate.run_id = run.id
inner join trigpoint.dataset_version on board_aggregate.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
cross join lateral jsonb_each(board_aggregate.components) as measured
where
    dataset_version.state = 'published'
    and run.status = 'complete'
"""
COMMENTS = {
    "profile": PROFILE,
    "measure": "name of a component of the scores: text_F1, parsed_relative_error …, or attempted; shares are better when higher, errors when lower",
    "mean": "mean over measured_answers, from 0 to 1; an answer without an attempt counts 0 for a share and 1 for an error",
    "attempted_mean": "mean over the attempted answers; null if there are none",
    "attempted": "number of answers in which the measure was attempted",
    "measured_answers": "number of answers that have this measure",
}
SAME = """
select
    described.attname as column,
    col_description(described.attrelid, described.attnum) as about
from pg_attribute as described
where
    described.attrelid = 'trigpoint.bi_board'::regclass
    and described.attnum > 0
"""


def upgrade() -> None:
    op.add_column(
        "board_aggregate",
        sa.Column("components", postgresql.JSONB(), nullable=True, comment=ABOUT),
        schema="trigpoint",
    )
    op.execute("grant select (components) on trigpoint.board_aggregate to trigpoint_api")
    op.execute(BOARD)
    op.execute(MEASURE)
    op.execute("comment on view trigpoint.bi_measure is 'a measure of a paper, of a run over a scope'")
    op.execute("grant select on trigpoint.bi_measure to trigpoint_dashboard, trigpoint_maintainer")
    for view in ("bi_board", "bi_comparison"):
        op.execute(f"comment on column trigpoint.{view}.profile is '{PROFILE}'")
    told = {row.column: row.about for row in op.get_bind().exec_driver_sql(SAME)} | COMMENTS
    columns = op.get_bind().exec_driver_sql(SAME.replace("bi_board", "bi_measure")).scalars().all()
    for column in columns:
        said = told[column].replace("'", "''")
        op.execute(f"comment on column trigpoint.bi_measure.{column} is '{said}'")


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: boards by the papers' rules are gone.")
