"""Reviews of samples of published versions; public roles read them as aggregates only."""

import sqlalchemy as sa
from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels = None
depends_on = None

# Owned by the owner and not security_invoker on purpose: who reads them sees aggregates, and no mark, note or name.
VIEWS = """
create view trigpoint.review_current as
select distinct on (version_id, question_id, reviewer)
    version_id,
    question_id,
    reviewer,
    mark,
    note,
    loaded_at
from trigpoint.review_mark
order by version_id, question_id, reviewer, id desc;

create view trigpoint.review_template as
with worst as (
    select
        version_id,
        question_id,
        bool_or(mark = 'wrong') as wrong,
        bool_or(mark <> 'natural') as faulty
    from trigpoint.review_current
    group by version_id, question_id
)

select
    review_sample.version_id,
    review_sample.seed,
    review_sample.size,
    question.template,
    count(*) as questions,
    count(review_question.question_id) as sampled,
    count(worst.question_id) as marked,
    count(*) filter (where worst.wrong) as wrong,
    count(*) filter (where worst.faulty) as ambiguous_or_wrong
from trigpoint.review_sample
inner join trigpoint.question on question.version_id = review_sample.version_id
left join trigpoint.review_question
    on review_question.version_id = question.version_id and review_question.question_id = question.id
left join worst on worst.version_id = question.version_id and worst.question_id = question.id
group by review_sample.version_id, review_sample.seed, review_sample.size, question.template;

create view trigpoint.review_reviewer as
with numbered as (
    select
        version_id,
        reviewer,
        row_number() over (partition by version_id order by min(id)) as number
    from trigpoint.review_mark
    group by version_id, reviewer
)

select
    numbered.version_id,
    numbered.number,
    count(*) filter (where review_current.mark = 'natural') as natural_marks,
    count(*) filter (where review_current.mark = 'ambiguous') as ambiguous_marks,
    count(*) filter (where review_current.mark = 'wrong') as wrong_marks
from numbered
inner join trigpoint.review_current
    on review_current.version_id = numbered.version_id and review_current.reviewer = numbered.reviewer
group by numbered.version_id, numbered.number;

create view trigpoint.review_pair as
with numbered as (
    select
        version_id,
        reviewer,
        row_number() over (partition by version_id order by min(id)) as number
    from trigpoint.review_mark
    group by version_id, reviewer
),

mark as (
    select
        review_current.version_id,
        review_current.question_id,
        review_current.mark,
        numbered.number
    from trigpoint.review_current
    inner join numbered
        on numbered.version_id = review_current.version_id and numbered.reviewer = review_current.reviewer
)

select
    one.version_id,
    one.number as first_number,
    other.number as second_number,
    one.mark as first_mark,
    other.mark as second_mark,
    count(*) as questions
from mark as one
inner join mark as other
    on one.version_id = other.version_id and one.question_id = other.question_id and one.number < other.number
group by one.version_id, one.number, other.number, one.mark, other.mark;
"""
# Marks are only ever added: nobody but the owner may change one or take it away.
RIGHTS = """
grant select, insert on trigpoint.review_sample, trigpoint.review_question, trigpoint.review_mark
to trigpoint_maintainer;
grant select on trigpoint.review_current to trigpoint_maintainer;
grant select on trigpoint.review_template, trigpoint.review_reviewer, trigpoint.review_pair
to trigpoint_maintainer, trigpoint_api, trigpoint_dashboard;
"""


def upgrade() -> None:
    op.create_table(
        "review_sample",
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["trigpoint.dataset_version.id"], name=op.f("fk_review_sample_version_id_dataset_version")),
        sa.PrimaryKeyConstraint("version_id", name=op.f("pk_review_sample")),
        schema="trigpoint",
    )
    op.create_table(
        "review_question",
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["trigpoint.review_sample.version_id"], name=op.f("fk_review_question_version_id_review_sample")),
        sa.ForeignKeyConstraint(
            ["version_id", "question_id"],
            ["trigpoint.question.version_id", "trigpoint.question.id"],
            name=op.f("fk_review_question_version_id_question"),
        ),
        sa.PrimaryKeyConstraint("version_id", "question_id", name=op.f("pk_review_question")),
        schema="trigpoint",
    )
    op.create_table(
        "review_mark",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("version_id", sa.BigInteger(), nullable=False),
        sa.Column("question_id", sa.Text(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("loaded_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("mark in ('natural', 'ambiguous', 'wrong')", name=op.f("ck_review_mark_mark")),
        sa.ForeignKeyConstraint(
            ["version_id", "question_id"],
            ["trigpoint.review_question.version_id", "trigpoint.review_question.question_id"],
            name=op.f("fk_review_mark_version_id_review_question"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_mark")),
        schema="trigpoint",
    )
    op.create_index("ix_review_mark_latest", "review_mark", ["version_id", "question_id", "reviewer", "id"], unique=False, schema="trigpoint")
    op.execute(VIEWS)
    op.execute(RIGHTS)


def downgrade() -> None:
    raise NotImplementedError("Restore a backup instead: marks would be lost.")
