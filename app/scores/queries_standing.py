"""The statements of standings and of comparisons of runs; of the worker, who reads all scores."""

from sqlalchemy import text

CALLS = text("""
select
    count(*) as calls,
    percentile_cont(0.5) within group (order by step.latency_ms) as median_ms,
    percentile_cont(0.95) within group (order by step.latency_ms) as p95_ms
from step
where
    step.run_id = :run_id
    and step.kind = 'chat'
    and step.state = 'done'
    and step.reused_from is null
""")

UPSERT_STANDING = text("""
insert into run_standing (
    run_id, profile, version_id, layout, digest, calls, prompt_tokens, completion_tokens, cost, currency,
    latency_median_ms, latency_p95_ms, truncated, repeat_scores
)
values (
    :run_id, :profile, :version_id, :layout, :digest, :calls, :prompt_tokens, :completion_tokens, :cost, :currency,
    :latency_median_ms, :latency_p95_ms, :truncated, cast(:repeat_scores as double precision [])
)
on conflict (run_id, profile) do update set
    layout = excluded.layout,
    digest = excluded.digest,
    calls = excluded.calls,
    prompt_tokens = excluded.prompt_tokens,
    completion_tokens = excluded.completion_tokens,
    cost = excluded.cost,
    currency = excluded.currency,
    latency_median_ms = excluded.latency_median_ms,
    latency_p95_ms = excluded.latency_p95_ms,
    truncated = excluded.truncated,
    repeat_scores = excluded.repeat_scores,
    reasoning_version = null
""")

# Two runs that are scored at once must see one another: who comes second waits here until the first has committed.

LOCK_VERSION = text("""
select dataset_version.id
from dataset_version
where dataset_version.id = :version_id
for no key update of dataset_version
""")

DELETE_COMPARISONS = text("""
delete from run_comparison
where
    (run_id = :run_id or other_id = :run_id)
    and profile = :profile
""")

COMPARABLE = text("""
select
    run.id,
    run_standing.digest,
    board_aggregate.score
from run
inner join board_aggregate on run.id = board_aggregate.run_id
left join run_standing
    on
        run.id = run_standing.run_id
        and board_aggregate.profile = run_standing.profile
where
    run.version_id = :version_id
    and run.status = 'complete'
    and run.sample is null
    and not run.public_only
    and board_aggregate.version_id = :version_id
    and board_aggregate.profile = :profile
    and board_aggregate.scorer_version = :profile_version
    and board_aggregate.scope = 'all'
    and board_aggregate.score is not null
order by run.id
""")

# Questions are those of the runs' versions, and a score is looked up for each answer: joins by hashes would read all
# questions and all scores that there are.

VALUES_OF_RUNS = text("""
select
    prediction.run_id,
    array_agg(question.position order by question.position, prediction.rotation, prediction.repeat) as positions,
    array_agg(
        coalesce(case when :of_paper then cast(score.outcome = 'correct' as int) else score.value end, 0)
        order by question.position, prediction.rotation, prediction.repeat
    ) as answer_values
from prediction
inner join question
    on
        prediction.version_id = question.version_id
        and prediction.question_id = question.id
        and question.version_id = any(array(select run.version_id from run where run.id = any(:runs)))
        and question.split = 'public'
        and (not :of_paper or cast(:scorers as jsonb) ->> question.scorer is not null)
left join lateral (
    select
        found.outcome,
        found.value
    from score as found
    where
        prediction.state in ('answered', 'no_answer')
        and found.prediction_id = prediction.id
        and found.profile = :profile
        and found.scorer_version = cast(cast(:scorers as jsonb) ->> found.scorer as int)
    offset 0
) as score on true
where prediction.run_id = any(:runs)
group by prediction.run_id
order by prediction.run_id
""")

INSERT_COMPARISONS = text("""
insert into run_comparison (
    run_id, other_id, profile, scope, version_id, scorer_version, n, difference, low, high, p, detectable, templates,
    places, new_low, new_high, new_p, test
)
select
    given.run_id,
    given.other_id,
    :profile,
    given.scope,
    :version_id,
    :profile_version,
    given.n,
    given.difference,
    given.low,
    given.high,
    given.p,
    given.detectable,
    given.templates,
    given.places,
    given.new_low,
    given.new_high,
    given.new_p,
    given.test
from jsonb_to_recordset(cast(:rows as jsonb)) as given (
    run_id bigint,
    other_id bigint,
    scope text,
    n int,
    difference double precision,
    low double precision,
    high double precision,
    p double precision,
    detectable double precision,
    templates int,
    places int,
    new_low double precision,
    new_high double precision,
    new_p double precision,
    test int
)
order by given.run_id, given.other_id, given.scope
""")
