"""Figures of the reasoning of answers to public questions, by version of the checker, and a view for BI tools."""

import sqlalchemy as sa
from alembic import op

revision: str = "0070"
down_revision: str | None = "0069"
branch_labels = None
depends_on = None

GRANTS = """
grant select on trigpoint.reasoning_figures to trigpoint_api, trigpoint_maintainer;
grant select, insert, update, delete on trigpoint.reasoning_figures to trigpoint_worker;
alter table trigpoint.reasoning_figures enable row level security;
create policy ours on trigpoint.reasoning_figures to trigpoint_worker, trigpoint_maintainer
    using (true) with check (true);
create policy public_questions_only on trigpoint.reasoning_figures for select to trigpoint_api using (
    exists (select 1 from trigpoint.prediction where prediction.id = reasoning_figures.prediction_id)
);
"""
CLASSES = ("arithmetic drift", "topological blindness", "connectivity failure", "misread input")
VIEW = f"""
create view trigpoint.bi_reasoning as
select
    run.version_id,
    dataset.name as dataset,
    dataset_version.number as version,
    dataset.benchmark,
    run.id as run_id,
    run.label,
    run.solver,
    reasoning_figures.checker_version,
    reasoning_figures.task,
    count(*) as answers,
    count(*) filter (where reasoning_figures.checked > 0) as checked_answers,
    count(*) filter (where reasoning_figures.broken_step is not null) as broken_answers,
{",".join(f'''
    count(*) filter (where reasoning_figures.broken_class = '{name}') as {name.replace(" ", "_")}''' for name in CLASSES)[1:]},
    sum(reasoning_figures.checked) as checked_steps,
    sum(reasoning_figures.unchecked) as unchecked_steps
from trigpoint.reasoning_figures
inner join trigpoint.run on reasoning_figures.run_id = run.id
inner join trigpoint.run_standing
    on
        run.id = run_standing.run_id
        and run_standing.profile = 'trigpoint'
        and reasoning_figures.checker_version = run_standing.reasoning_version
inner join trigpoint.dataset_version on run.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where
    dataset_version.state = 'published'
    and run.status <> 'cancelled'
    and dataset_version.dataset_id not in (
        select imported_dataset.dataset_id
        from trigpoint.imported_dataset
        where imported_dataset.opened_at is null
    )
group by dataset.id, dataset_version.id, run.id, reasoning_figures.checker_version, reasoning_figures.task
"""
ABOUT = "a run whose reasoning was checked: its answers to public questions, by task, and how their first broken steps fail"
COMMENTS = {
    "version_id": "id of the data set version; the views review_… use the same id",
    "dataset": "the data set''s name",
    "version": "the version''s number",
    "benchmark": "the benchmark whose templates made the questions",
    "run_id": "the run",
    "label": "the name of the run on boards, as it was entered",
    "solver": "how questions are asked: direct, rag …",
    "checker_version": "version of the rules that checked the answers",
    "task": "the task in the paper, or the template: DS, DR, RE, PN, PR, NV, RC",
    "answers": "number of answers to public questions",
    "checked_answers": "number of answers that state a step which could be checked",
    "broken_answers": "number of answers with a broken step",
    "arithmetic_drift": "number of answers whose first broken step is a wrong number",
    "topological_blindness": "number of answers whose first broken step does not fit the numbers, which are right",
    "connectivity_failure": "number of answers whose first broken step joins what does not join",
    "misread_input": "number of answers whose first broken step misreads the prompt",
    "checked_steps": "number of stated steps that could be checked",
    "unchecked_steps": "number of stated numbers and claims that could not be checked",
}


def upgrade() -> None:
    op.create_table(
        "reasoning_figures",
        sa.Column("prediction_id", sa.BigInteger(), nullable=False),
        sa.Column("checker_version", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("task", sa.Text(), nullable=False, comment="the rubric of the question, or its template"),
        sa.Column("checked", sa.Integer(), nullable=True, comment="stated steps that could be checked; null if the check itself failed"),
        sa.Column("unchecked", sa.Integer(), nullable=False, comment="stated numbers and claims that could not be checked"),
        sa.Column("broken_step", sa.Text(), nullable=True, comment="the step that broke first; null if none did"),
        sa.Column("broken_class", sa.Text(), nullable=True, comment="how it fails (app.scores.reasoning)"),
        sa.Column("is_cut", sa.Boolean(), nullable=False, comment="whether the answer was too long to be read to its end"),
        sa.ForeignKeyConstraint(["prediction_id"], ["trigpoint.prediction.id"], name=op.f("fk_reasoning_figures_prediction_id_prediction"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["run_id"], ["trigpoint.run.id"], name=op.f("fk_reasoning_figures_run_id_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("prediction_id", "checker_version", name=op.f("pk_reasoning_figures")),
        schema="trigpoint",
    )
    op.create_index(op.f("ix_reasoning_figures_run_id"), "reasoning_figures", ["run_id"], schema="trigpoint")
    op.add_column(
        "run_standing",
        sa.Column("reasoning_version", sa.Integer(), nullable=True, comment="version of the checker that checked the reasoning of all its answers; null until then"),
        schema="trigpoint",
    )
    op.execute(GRANTS)
    op.execute(VIEW)
    op.execute(f"comment on view trigpoint.bi_reasoning is '{ABOUT}'")
    op.execute("grant select on trigpoint.bi_reasoning to trigpoint_dashboard, trigpoint_maintainer")
    for column, said in COMMENTS.items():
        op.execute(f"comment on column trigpoint.bi_reasoning.{column} is '{said}'")


def downgrade() -> None:
    op.execute("drop view trigpoint.bi_reasoning")
    op.drop_column("run_standing", "reasoning_version", schema="trigpoint")
    op.drop_table("reasoning_figures", schema="trigpoint")
