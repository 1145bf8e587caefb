"""Hidden questions count in the whole alone, by one stepped sum, and in so many submissions of an owner.

The quota is counted and locked by owner: all keys that bear one name, whichever version they submit to. What is stored of
versions with hidden questions goes or is marked old; a worker's sweep writes it anew from the stored scores.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0036"
down_revision: str | None = "0035"
branch_labels = None
depends_on = None

ABOUT = "counts public questions alone: its owner's submissions with hidden ones are used up"
ABOUT_VIEW = "whether it counts public questions alone, and so has no rank"
ARGUMENTS = "bigint, bigint, text, jsonb, text, boolean, text, text, integer, integer, integer, {}timestamptz, timestamptz"
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
    most_hidden integer,
    hidden_for interval,
    at_time timestamptz,
    taken_by timestamptz
)
returns table (id bigint, outcome text)
language plpgsql security definer set search_path = trigpoint, pg_temp as $$
declare
    known bigint;
    its_owner text;
    keys_of_owner bigint[];
    without_hidden boolean := false;
begin
    if by_key is not null then
        select lower(btrim(api_key.name)) into its_owner from api_key where api_key.id = by_key;
        perform pg_advisory_xact_lock(hashtextextended('trigpoint submissions of ' || its_owner, 0));
    end if;
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
    if by_key is not null then
        keys_of_owner := array(
            select api_key.id
            from api_key
            where lower(btrim(api_key.name)) = its_owner
        );
        if most_a_day <= (
            select count(*)
            from submission
            where
                submission.key_id = any(keys_of_owner)
                and submission.state <> 'failed'
                and submission.created_at > at_time - interval '1 day'
        ) then
            return query select null::bigint, 'quota';
            return;
        end if;
        -- Versions of one data set share most of their hidden questions.
        select count(*) >= most_hidden into without_hidden
        from submission
        inner join dataset_version on submission.version_id = dataset_version.id
        where
            submission.key_id = any(keys_of_owner)
            and submission.state <> 'failed'
            and not submission.public_only
            and submission.created_at > at_time - hidden_for
            and dataset_version.dataset_id = (
                select wanted.dataset_id
                from dataset_version as wanted
                where wanted.id = to_version
            )
            and exists (
                select 1
                from question
                where question.version_id = submission.version_id and question.split = 'hidden'
            );
    end if;
    insert into submission (
        version_id, key_id, label, card, contact, self_reported, source, digest, answers, repeats, public_only,
        created_at, deadline
    )
    values (
        to_version, by_key, by_name, of_card, with_contact, is_self_reported, from_source, of_digest, of_answers,
        of_repeats, without_hidden, at_time, taken_by
    )
    returning submission.id into known;
    return query select known, 'new';
end
$$;
"""
RIGHTS = """
revoke execute on function trigpoint.add_submission({arguments}) from public;
grant execute on function trigpoint.add_submission({arguments}) to trigpoint_api, trigpoint_worker;
grant select (public_only) on trigpoint.submission, trigpoint.run to trigpoint_api;
"""
# `shown` is app.leaderboard.ranking.select_runs: a run that counts public questions alone stands beside the board, as one
# that is not complete.
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
    run.public_only
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
            run.solver = 'judge'
            and session_user = 'trigpoint_api'
            and question.version_id = run.version_id
            and question.split = 'hidden'
        limit 1
    ) as concealed on true
    where run.id = wanted_run
$$;
"""
HAS_HIDDEN = """
select distinct question.version_id
from trigpoint.question
where question.split = 'hidden'
"""
FORGET = f"""
delete from trigpoint.run_comparison where version_id in ({HAS_HIDDEN});
delete from trigpoint.expectation where version_id in ({HAS_HIDDEN});
delete from trigpoint.board_aggregate where scope <> 'all' and version_id in ({HAS_HIDDEN});
update trigpoint.board_aggregate
set scorer_version = 0, score = null, low = null, high = null, states = '{{}}'
where version_id in ({HAS_HIDDEN});
update trigpoint.run_standing
set layout = 0, digest = '', repeat_scores = null
where version_id in ({HAS_HIDDEN});
update trigpoint.run_standing set layout = 3 where layout = 2;
"""


def upgrade() -> None:
    for table in ("submission", "run"):
        column = sa.Column("public_only", sa.Boolean(), server_default="false", nullable=False, comment=ABOUT)
        op.add_column(table, column, schema="trigpoint")
    op.execute(f"drop function trigpoint.add_submission({ARGUMENTS.format('')})")
    op.execute(ADD)
    op.execute(RIGHTS.format(arguments=ARGUMENTS.format("integer, interval, ")))
    op.execute(BOARD)
    op.execute(f"comment on column trigpoint.bi_board.public_only is '{ABOUT_VIEW}'")
    op.execute(PROGRESS)
    op.execute(FORGET)


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: what was told of hidden questions is gone.")
