"""Who may see what (grants, row-level security) and what may never change (published versions)."""

from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels = None
depends_on = None

# Columns that the API's role may read, table by table. Left out: question.revision and its copies (options
# could be tried out with it), the variables that name endpoints' keys, and everything about leases.
API_COLUMNS = {
    "snapshot": "id, name, state, source, checksum, data_timestamp, replication_sequence, outline, outline_source,"
    " layers, layer_schema_version, engine_versions, created_at, published_at",
    "template": "id, benchmark, name, version, body_hash, header, body",
    "dataset": "id, name, benchmark, created_at",
    "dataset_version": "id, dataset_id, number, state, seed, hidden_fraction, recipe, templates, engine_versions,"
    " licence, canary, created_at, published_at",
    "dataset_snapshot": "version_id, position, snapshot_id",
    "question": "version_id, id, position, template_id, template, template_version, variant, snapshot_id, prompt,"
    " options, answer_type, scorer, split, locale, phrasing, prompt_hash",
    "endpoint": "id, name, model, created_at",
    "run": "id, version_id, solver, solver_version, endpoint_id, label, seed, sampling, repeats, presentation,"
    " status, total, reasked, created_at, finished_at",
    "expectation": "version_id, profile, scorer_version, scope, kind, value, n",
    "board_aggregate": "run_id, version_id, profile, scope, scorer_version, n, score, low, high, interval, states",
    # Below: rows of public questions only.
    "gold": "version_id, question_id, key, is_default, kind, value",
    "proof": "version_id, question_id, kind, sql, binds, derive, parameters, snapshots, evidence, margin,"
    " distractors, second_path",
    "footprint": "version_id, question_id, area, classes, osm_keys, name_keys, fact_ids, uses_outline",
    "prediction": "id, run_id, version_id, question_id, presentation_key, repeat, state, answer, detail, error,"
    " created_at",
    "step": "id, run_id, version_id, question_id, presentation_key, repeat, ordinal, attempt, kind, state,"
    " request_hash, request, response, http_status, usage, error, sent_at, answered_at",
    "score": "prediction_id, profile, gold_key, scorer, scorer_version, outcome, value, components, parsed",
}
BY_QUESTION = ("gold", "proof", "footprint", "prediction", "step")
PART_OF_VERSION = ("question", "gold", "proof", "footprint", "dataset_snapshot")

ROW_SECURITY = """
alter table trigpoint.{table} enable row level security;
create policy ours on trigpoint.{table} to trigpoint_worker, trigpoint_maintainer using (true) with check (true);
"""
PUBLIC_QUESTIONS_ONLY = """
create policy public_questions_only on trigpoint.{table} for select to trigpoint_api using (
    exists (
        select 1
        from trigpoint.question
        where question.version_id = {table}.version_id
          and question.id = {table}.question_id
          and question.split = 'public'
    )
);
"""
PUBLIC_SCORES_ONLY = """
create policy public_questions_only on trigpoint.score for select to trigpoint_api using (
    exists (select 1 from trigpoint.prediction where prediction.id = score.prediction_id)
);
"""
IMMUTABLE = """
create function trigpoint.refuse_change_of_published() returns trigger
language plpgsql set search_path = trigpoint, pg_temp as $$
declare
    touched bigint;
begin
    -- An update touches two versions where it moves a row from one to the other; old is null on insert, new on delete.
    select min(id) into touched from dataset_version where id in (old.version_id, new.version_id) and state = 'published';
    if touched is not null then
        raise exception 'data set version % is published and never changes; make a new version', touched
            using errcode = 'integrity_constraint_violation';
    end if;
    return case when tg_op = 'DELETE' then old else new end;
end
$$;
create function trigpoint.refuse_change_of_published_version() returns trigger
language plpgsql set search_path = trigpoint, pg_temp as $$
begin
    if old.state = 'published' then
        raise exception 'data set version % is published and never changes; make a new version', old.id
            using errcode = 'integrity_constraint_violation';
    end if;
    return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger published_is_immutable before update or delete on trigpoint.dataset_version
for each row execute function trigpoint.refuse_change_of_published_version();
"""
IMMUTABLE_PART = """
create trigger published_is_immutable before insert or update or delete on trigpoint.{table}
for each row execute function trigpoint.refuse_change_of_published();
"""
# Owned by the owner and not security_invoker on purpose: dashboards see aggregates and nothing beneath them.
BOARD_VIEW = """
create view trigpoint.board_row as
select
    dataset.name as dataset,
    dataset_version.number as version,
    dataset.benchmark,
    run.id as run_id,
    run.label,
    run.solver,
    run.status,
    run.total,
    board_aggregate.profile,
    board_aggregate.scope,
    board_aggregate.n,
    board_aggregate.score,
    board_aggregate.low,
    board_aggregate.high,
    board_aggregate.interval,
    board_aggregate.states
from trigpoint.board_aggregate
inner join trigpoint.run on run.id = board_aggregate.run_id
inner join trigpoint.dataset_version on dataset_version.id = run.version_id
inner join trigpoint.dataset on dataset.id = dataset_version.dataset_id;
grant select on trigpoint.board_row to trigpoint_dashboard, trigpoint_maintainer;
"""


def upgrade() -> None:
    op.execute(
        """
        grant usage on schema trigpoint to trigpoint_worker, trigpoint_maintainer, trigpoint_api, trigpoint_dashboard;
        grant select, insert, update, delete on all tables in schema trigpoint to trigpoint_worker;
        revoke insert, update, delete on trigpoint.snapshot, trigpoint.alembic_version from trigpoint_worker;
        grant select on all tables in schema trigpoint to trigpoint_maintainer;
        """
    )
    for table, columns in API_COLUMNS.items():
        op.execute(f"grant select ({columns}) on trigpoint.{table} to trigpoint_api")
    for table in (*BY_QUESTION, "score"):
        op.execute(ROW_SECURITY.format(table=table))
    for table in BY_QUESTION:
        op.execute(PUBLIC_QUESTIONS_ONLY.format(table=table))
    op.execute(PUBLIC_SCORES_ONLY)
    op.execute(IMMUTABLE)
    for table in PART_OF_VERSION:
        op.execute(IMMUTABLE_PART.format(table=table))
    op.execute(BOARD_VIEW)


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: taking rights and history back loses data.")
