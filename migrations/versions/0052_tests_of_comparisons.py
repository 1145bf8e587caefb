"""Comparisons of runs take templates as fixed; the interval and p for new templates stand beside."""

import sqlalchemy as sa
from alembic import op

revision: str = "0052"
down_revision: str | None = "0051"
branch_labels = None
depends_on = None

STORED = "trigpoint.run_comparison"
TEMPLATES = ("number of templates; the questions of a template form a cluster", "number of templates")
"""What the view's column is said to hold: before, and now."""

VIEW = """
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
    run_comparison.places{more}
from trigpoint.run_comparison
inner join trigpoint.run on run_comparison.run_id = run.id
inner join trigpoint.run as other on run_comparison.other_id = other.id
inner join trigpoint.dataset_version on run_comparison.version_id = dataset_version.id
inner join trigpoint.dataset on dataset_version.dataset_id = dataset.id
where
    dataset_version.state = 'published'
    and run.status <> 'cancelled'
    and other.status <> 'cancelled'
    and dataset_version.dataset_id not in (
        select imported_dataset.dataset_id
        from trigpoint.imported_dataset
        where imported_dataset.opened_at is null
    )
"""
MORE = """,
    run_comparison.test,
    run_comparison.new_low as new_templates_low,
    run_comparison.new_high as new_templates_high,
    run_comparison.new_p as new_templates_p"""
COMMENTS = {
    "test": "2: interval, p and detectable_difference are for the templates of the version; 1: for new templates, from an earlier release",
    "new_templates_low": "lower end of the 95 % interval for new templates of the same kind; null if there are fewer than ten templates",
    "new_templates_high": "upper end of the 95 % interval for new templates",
    "new_templates_p": "p for new templates, before Holm''s adjustment",
}


def upgrade() -> None:
    op.execute(f"alter table {STORED} add column test integer not null default 1")
    for name in ("new_low", "new_high", "new_p"):
        op.add_column("run_comparison", sa.Column(name, sa.Double(), nullable=True), schema="trigpoint")
    op.execute(f"comment on column {STORED}.templates is 'strata'")
    op.execute(f"comment on column {STORED}.test is 'the number of the test in app.scores.pairs'")
    about = "of the 95 % interval for new templates; null where there are too few templates"
    op.execute(f"comment on column {STORED}.new_low is '{about}'")
    op.execute(f"comment on column {STORED}.new_p is 'as p, for new templates'")
    op.execute(f"create or replace view trigpoint.bi_comparison as {VIEW.format(more=MORE)}")
    for name, said in COMMENTS.items():
        op.execute(f"comment on column trigpoint.bi_comparison.{name} is '{said}'")
    op.execute(f"comment on column trigpoint.bi_comparison.templates is '{TEMPLATES[1]}'")


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: comparisons of the present test would be read as the former.")
