"""Views for BI tools: what people look at, column by column, with nothing of a hidden question but counts."""

from alembic import op

revision: str = "0028"
down_revision: str | None = "0027"
branch_labels = None
depends_on = None

VERSIONS = """
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
            and run.solver <> 'judge'
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
# `shown` is app.leaderboard.ranking.select_runs: a test compares the two.
BOARD = """
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
        run.status = 'complete' and whole.score is not null as complete
    from trigpoint.run
    inner join profile on (run.solver = 'judge') = profile.judged
    left join trigpoint.board_aggregate as whole
        on
            run.id = whole.run_id
            and profile.name = whole.profile
            and whole.scope = 'all'
    where run.status <> 'cancelled'
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
    run_standing.latency_p95_ms
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
where
    dataset_version.state = 'published'
    and (run.sample is null or board_aggregate.scope = 'all')
"""
RUNS = """
select
    run.id as run_id,
    run.version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    run.label,
    run.solver,
    run.solver_version,
    endpoint.record as endpoint,
    endpoint.model,
    run.status,
    run.pause_reason,
    cardinality(run.sample) as sample_questions,
    run.repeats,
    run.carried_from as carried_from_run_id,
    run.total as owed_answers,
    answers.answered,
    answers.no_answer,
    answers.error,
    case
        when run.total > 0 then (answers.answered + answers.no_answer + answers.error)::double precision / run.total
    end as progress,
    run.reasked as reasked_requests,
    exists (select 1 from trigpoint.board_aggregate where board_aggregate.run_id = run.id) as scored,
    run.created_at at time zone 'UTC' as created_utc,
    run.finished_at at time zone 'UTC' as finished_utc,
    answers.last_answer_at at time zone 'UTC' as last_answer_utc,
    extract(epoch from coalesce(run.finished_at, now()) - run.created_at)::double precision as elapsed_seconds
from trigpoint.run
inner join trigpoint.dataset_version on run.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
left join trigpoint.endpoint on run.endpoint_id = endpoint.id
cross join lateral (
    select
        count(*) filter (where prediction.state = 'answered') as answered,
        count(*) filter (where prediction.state = 'no_answer') as no_answer,
        count(*) filter (where prediction.state = 'error') as error,
        max(prediction.created_at) as last_answer_at
    from trigpoint.prediction
    where prediction.run_id = run.id
) as answers
"""
COMPARISONS = """
select
    run_comparison.version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    run_comparison.profile,
    run_comparison.scorer_version,
    split_part(run_comparison.scope, ':', 1) as scope_kind,
    nullif(substr(run_comparison.scope, strpos(run_comparison.scope || ':', ':') + 1), '') as scope_name,
    run_comparison.run_id,
    run.label,
    run_comparison.other_id as other_run_id,
    other.label as other_label,
    run_comparison.n as questions,
    run_comparison.difference,
    run_comparison.low as difference_low,
    run_comparison.high as difference_high,
    run_comparison.p,
    run_comparison.detectable as detectable_difference,
    run_comparison.templates,
    run_comparison.places
from trigpoint.run_comparison
inner join trigpoint.run on run_comparison.run_id = run.id
inner join trigpoint.run as other on run_comparison.other_id = other.id
inner join trigpoint.dataset_version on run_comparison.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where
    dataset_version.state = 'published'
    and run.status <> 'cancelled'
    and other.status <> 'cancelled'
"""
SNAPSHOTS = """
select
    snapshot.id as snapshot_id,
    snapshot.name as snapshot,
    snapshot.data_timestamp at time zone 'UTC' as map_utc,
    extract(epoch from now() - snapshot.data_timestamp)::double precision / 86400 as age_days,
    snapshot.published_at at time zone 'UTC' as published_utc,
    row_number() over (
        partition by snapshot.name
        order by snapshot.data_timestamp desc nulls last, snapshot.id desc
    ) = 1 as newest,
    snapshot.source,
    snapshot.checksum,
    snapshot.outline_source,
    snapshot.boundary,
    (
        select count(*)
        from trigpoint.dataset_snapshot
        inner join trigpoint.dataset_version on dataset_snapshot.version_id = dataset_version.id
        where
            dataset_snapshot.snapshot_id = snapshot.id
            and dataset_version.state = 'published'
    ) as dataset_versions
from trigpoint.snapshot
where snapshot.state = 'published'
"""
LAYERS = """
select
    snapshot.id as snapshot_id,
    snapshot.name as snapshot,
    snapshot.data_timestamp at time zone 'UTC' as map_utc,
    layer.key as layer,
    (layer.value ->> 'found')::bigint as found,
    (layer.value ->> 'kept')::bigint as kept,
    (layer.value ->> 'repaired')::bigint as repaired,
    (layer.value ->> 'rejected')::bigint as rejected
from trigpoint.snapshot
cross join lateral jsonb_each(snapshot.layers) as layer
where snapshot.state = 'published'
"""
# A snapshot's own tables are closed to BI tools: this tells how many objects were rejected why, and which ones it does not.
COUNT_REJECTS = """
create function trigpoint.count_rejects(wanted_snapshot bigint)
returns table (layer text, reason text, objects bigint)
language plpgsql stable security definer set search_path = trigpoint, pg_temp as $$
declare
    its_schema text;
begin
    select snapshot.schema_name into its_schema from snapshot
    where snapshot.id = wanted_snapshot and snapshot.state = 'published';
    if its_schema is null or to_regclass(format('%I.reject', its_schema)) is null then
        return;
    end if;
    return query execute format(
        'select found.layer, found.reason, count(*) from %I.reject as found group by found.layer, found.reason',
        its_schema
    );
end
$$;
revoke execute on function trigpoint.count_rejects(bigint) from public;
grant execute on function trigpoint.count_rejects(bigint) to trigpoint_dashboard, trigpoint_maintainer;
"""
REJECTS = """
select
    snapshot.id as snapshot_id,
    snapshot.name as snapshot,
    snapshot.data_timestamp at time zone 'UTC' as map_utc,
    counted.layer,
    counted.reason,
    counted.objects
from trigpoint.snapshot
cross join lateral trigpoint.count_rejects(snapshot.id) as counted
where snapshot.state = 'published'
"""
# A city is called as app.scores.grouping.city_names calls it: by its date, too, where a version has two maps of a name.
QUESTIONS = """
with city as (
    select
        dataset_snapshot.version_id,
        snapshot.id as snapshot_id,
        snapshot.data_timestamp,
        snapshot.name || case
            when count(*) over (partition by dataset_snapshot.version_id, snapshot.name) > 1
                then
                    '@' || coalesce(
                        to_char(snapshot.data_timestamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'undated'
                    )
            else ''
        end as name
    from trigpoint.dataset_snapshot
    inner join trigpoint.snapshot on dataset_snapshot.snapshot_id = snapshot.id
)

select
    question.version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    question.template,
    question.template_version,
    template.header ->> 'dimension' as dimension,
    city.name as city,
    city.data_timestamp at time zone 'UTC' as map_utc,
    question.answer_type,
    question.scorer,
    question.split,
    question.locale,
    count(*) as questions
from trigpoint.question
inner join trigpoint.template on question.template_id = template.id
inner join city on question.version_id = city.version_id and question.snapshot_id = city.snapshot_id
inner join trigpoint.dataset_version on question.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where dataset_version.state = 'published'
group by
    question.version_id,
    dataset.name,
    dataset_version.number,
    question.template,
    question.template_version,
    template.header ->> 'dimension',
    city.name,
    city.data_timestamp,
    question.answer_type,
    question.scorer,
    question.split,
    question.locale
"""
SUBMISSIONS = """
select
    submission.id as submission_id,
    submission.version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    case when submission.state not in ('withdrawn', 'deleted') then submission.label end as label,
    submission.self_reported,
    submission.source,
    submission.state,
    submission.answers,
    submission.repeats,
    submission.attempt as attempts,
    submission.run_id,
    submission.created_at at time zone 'UTC' as created_utc,
    submission.finished_at at time zone 'UTC' as finished_utc,
    submission.deadline at time zone 'UTC' as deadline_utc,
    extract(epoch from now() - submission.created_at)::double precision as age_seconds,
    extract(epoch from coalesce(submission.finished_at, now()) - submission.created_at)::double precision as open_seconds
from trigpoint.submission
inner join trigpoint.dataset_version on submission.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
"""
# Why a hidden question ended, or what of it changed, speaks of its gold: it is counted without a reason.
LINEAGE = """
select
    lineage.to_version_id as version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    earlier.number as from_version,
    coalesce(later_question.template, earlier_question.template) as template,
    lineage.origin,
    lineage.outcome,
    case when coalesce(earlier_question.split, later_question.split) = 'public' then lineage.reason end as reason,
    count(*) as questions
from trigpoint.lineage
inner join trigpoint.dataset_version on lineage.to_version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
left join trigpoint.dataset_version as earlier on lineage.from_version_id = earlier.id
left join trigpoint.question as later_question
    on lineage.to_version_id = later_question.version_id and lineage.to_question_id = later_question.id
left join trigpoint.question as earlier_question
    on lineage.from_version_id = earlier_question.version_id and lineage.from_question_id = earlier_question.id
where dataset_version.state = 'published'
group by
    lineage.to_version_id,
    dataset.name,
    dataset_version.number,
    earlier.number,
    coalesce(later_question.template, earlier_question.template),
    lineage.origin,
    lineage.outcome,
    case when coalesce(earlier_question.split, later_question.split) = 'public' then lineage.reason end
"""
VIEWS = {
    "dataset_version": (VERSIONS, "a published version of a data set"),
    "board": (BOARD, "a run, a profile and a scope that its answers are scored over"),
    "run": (RUNS, "a run, whatever became of it"),
    "comparison": (COMPARISONS, "two runs of one version compared question by question over a scope"),
    "snapshot": (SNAPSHOTS, "a published map"),
    "snapshot_layer": (LAYERS, "a layer of a published map"),
    "reject": (REJECTS, "a reason for which objects of a layer were not kept"),
    "question": (QUESTIONS, "questions of one template, city, answer type, split and locale, counted"),
    "submission": (SUBMISSIONS, "answers that were computed elsewhere"),
    "lineage": (LINEAGE, "questions of one template with one fate from a version to the next, counted"),
}


def upgrade() -> None:
    op.execute("drop view trigpoint.board_row")
    op.execute(COUNT_REJECTS)
    for name, (body, about) in VIEWS.items():
        # Owned by the owner and not security_invoker on purpose: dashboards see counts and nothing beneath them.
        op.execute(f"create view trigpoint.bi_{name} as {body}")
        op.execute(f"comment on view trigpoint.bi_{name} is '{about}'")
        op.execute(f"grant select on trigpoint.bi_{name} to trigpoint_dashboard, trigpoint_maintainer")


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: the view board_row is gone.")
