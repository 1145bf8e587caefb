"""In which register a question is asked, and which readings of it matter; versions made before have neither."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0049"
down_revision: str | None = "0048"
branch_labels = None
depends_on = None

REGISTER = "precise or everyday; null in versions made before there were registers"
READINGS = "{matter: names, told: lon and lat by osm_key, reach in metres}; null in versions made before"
SCOPED = ("bi_board", "bi_comparison")
"""Views of scores by groups of questions, which may be those of a register or those without an answer."""
SCOPES = "all, template, dimension, city, answer_type, gold or register"
SCOPES_BEFORE = "all, template, dimension, city or answer_type"


def upgrade() -> None:
    op.add_column("question", sa.Column("register", sa.Text(), nullable=True, comment=REGISTER), schema="trigpoint")
    op.create_check_constraint(
        op.f("ck_question_register"), "question", "register in ('precise', 'everyday')", schema="trigpoint"
    )
    op.execute("grant select (register) on trigpoint.question to trigpoint_api")
    column = sa.Column("readings", postgresql.JSONB(), nullable=True, comment=READINGS)
    op.add_column("proof", column, schema="trigpoint")
    op.execute("grant select (readings) on trigpoint.proof to trigpoint_api")
    _say_scopes(SCOPES)


def _say_scopes(scopes: str) -> None:
    for view in SCOPED:
        op.execute(f"comment on column trigpoint.{view}.scope_kind is '{scopes}'")


def downgrade() -> None:
    _say_scopes(SCOPES_BEFORE)
    op.drop_column("proof", "readings", schema="trigpoint")
    op.drop_column("question", "register", schema="trigpoint")
